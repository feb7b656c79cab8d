// The conservative scheme of Bilbao 2014 for one contact, solved to rounding: h(x) = x - free + G
// DG(w, x) has slope >= 1 because phi is convex, so there is one root, it lies between free and
// free - G DG(w, free), and Newton with that bracket cannot fail.
#include "scheme/contact.h"

#include <float.h>
#include <math.h>

contact_root sis_newton_root(const power_law* law, const contact_problem* p, contact_memory* memory,
                             contact_cost* cost) {
    double x = sis_ledger_root(law, p, memory, cost).travel, force = 0;
    double low = -INFINITY, high = INFINITY, last = INFINITY;
    double scale = fabs(p->before) + fabs(p->free);
    for (int i = 0; i < 100; i++) {
        power_gradient dg = sis_power_gradient_at(law, p->before, p->phi_before, x);
        sis_contact_mark(memory, dg.depth, dg.phi, cost);
        cost->iterations++;
        double h = x - p->free + p->G * dg.value;
        if (h > 0)
            high = x;
        else
            low = x;
        double step = -h / (1 + p->G * dg.slope);
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
        force = p->G * dg.slope < 1 ? dg.value : (p->free - x) / p->G;
        if (done) break;
        last = size;
    }
    return (contact_root){x, force};
}
