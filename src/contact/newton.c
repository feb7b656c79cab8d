// The conservative scheme of Bilbao 2014 for one contact, solved to rounding: h(x) = x - free + G
// f(x), f = DG(w, x) max(0, 1 + nu x), has slope >= 1 because DG grows and so does the factor of
// the loss. So there is one root, it lies between free and free - G f(free), and Newton with that
// bracket cannot fail.
#define LANES 1
#include "contact/newton_lanes.h"

#include "contact/contact.h"

#include <float.h>
#include <math.h>

// One lane of what rows do, for one-sided laws.
static contact_root one_sided(const power_law* law, const contact_problem* p, double x,
                              const contact_memory* memory, int32_t i, contact_cost* cost) {
    lanes_contact c = {.before = p->before,
                       .free = p->free,
                       .G = p->G,
                       .nu = p->nu,
                       .phi_before = p->phi_before,
                       .mark_depth = memory->mark_depth[i],
                       .mark_phi = memory->mark_phi[i],
                       .powers = cost->powers,
                       .unsolved = 0};
    lanes iterations = cost->iterations;
    lanes_root root = lanes_newton_from(law, &c, x, -1, p->nu > 0, &iterations);
    memory->mark_depth[i] = c.mark_depth;
    memory->mark_phi[i] = c.mark_phi;
    cost->powers = (uint32_t)c.powers;
    cost->iterations = (uint32_t)iterations;
    cost->unsolved |= c.unsolved != 0;
    return (contact_root){root.travel, root.force};
}

contact_root sis_newton_root(const power_law* law, const contact_problem* p,
                             const contact_memory* memory, int32_t i, contact_cost* cost) {
    bool flies = p->before <= 0 && p->before + p->free <= 0;
    if (!law->both && flies) return (contact_root){p->free, 0}; // no step where nothing touches
    double x = sis_ledger_root(law, p, memory, i, cost).travel, force = 0;
    if (!law->both) return one_sided(law, p, x, memory, i, cost);
    double low = -INFINITY, high = INFINITY, last = INFINITY;
    double scale = fabs(p->before) + fabs(p->free);
    for (int turn = 0; turn < NEWTON_MOST; turn++) {
        power_gradient dg = sis_power_gradient_at(law, p->before, p->phi_before, x);
        sis_contact_mark(memory, i, dg.depth, dg.phi, cost);
        cost->iterations++;
        double rate = contact_rate(p->nu, dg.value, x), value = dg.value * rate;
        double slope = rate > 0 ? dg.slope * rate + p->nu * fabs(dg.value) : 0;
        double h = x - p->free + p->G * value;
        if (h > 0)
            high = x;
        else
            low = x;
        double step = -h / (1 + p->G * slope);
        double size = fabs(step), floor = 2 * DBL_EPSILON * (scale + fabs(x));
        // At the rounding floor the step is below it, or has stopped to shrink near it.
        bool done = size <= floor || (size <= 16 * floor && size >= last);
        double next = x + step;
        // Newton left the bracket: halve it (or, while one side is open, go by |h|: the slope is >=
        // 1).
        if (!done && !(next > low && next < high))
            next = isfinite(low + high) ? 0.5 * (low + high) : x - h;
        x = next;
        // Soft contacts take the gradient itself, stiff ones what it does: neither cancels.
        force = p->G * slope < 1 ? value : (p->free - x) / p->G;
        if (done) return (contact_root){x, force};
        last = size;
    }
    cost->unsolved = true;
    return (contact_root){x, force};
}
