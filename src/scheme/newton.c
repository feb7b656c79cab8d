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

// phi = K/2 [eta]_+^2, so DG is K z^2/2x entering, K (z + w)/2 inside and -K w^2/2x leaving: a
// quadratic, a line and a quadratic, with z = eta^{n+1}, w = eta^{n-1}, x = z - w and c = G K/2.
contact_root sis_line_root(const power_law* law, const contact_problem* p) {
    double w = p->before, zf = w + p->free, c = 0.5 * p->G * law->K;
    if (w <= 0) {
        if (zf <= 0) return (contact_root){p->free, 0};
        // (1 + c) z^2 - (zf + w) z + zf w = 0, the positive root
        double sum = zf + w, root = sqrt(sum * sum - 4 * (1 + c) * zf * w);
        double z = sum > 0 ? (sum + root) / (2 * (1 + c)) : -2 * zf * w / (root - sum);
        double x = z - w;
        return (contact_root){x, x > 0 ? 0.5 * law->K * z * z / x : 0};
    }
    double z = (zf - c * w) / (1 + c);
    if (z > 0) return (contact_root){z - w, 0.5 * law->K * (z + w)};
    // x^2 - free x - c w^2 = 0, the negative root
    double root = sqrt(p->free * p->free + 4 * c * w * w);
    double x = p->free > 0 ? -2 * c * w * w / (p->free + root) : 0.5 * (p->free - root);
    return (contact_root){x, x < 0 ? -0.5 * law->K * w * w / x : 0};
}
