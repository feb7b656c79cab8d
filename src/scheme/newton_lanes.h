// The conservative scheme over lanes, solved to rounding (see scheme/newton.c). One-sided laws.
#ifndef SIS_NEWTON_LANES_H
#define SIS_NEWTON_LANES_H

#include "scheme/ledger_lanes.h"

#include <float.h>

#define NEWTON_MOST 100

LANES_FN lanes_root lanes_newton_root(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                      lanes* iterations) {
    lanes infinite = lanes_all(HUGE_VAL);
    lanes_root found = lanes_ledger_root(law, c, used);
    lanes x = found.travel, force = lanes_all(0), low = -infinite, high = infinite, last = infinite;
    lanes scale = lanes_abs(c->before) + lanes_abs(c->free);
    lanes_mask going = used;
    for (int i = 0; i < NEWTON_MOST && lanes_any(going); i++) {
        lanes_gradient dg = lanes_gradient_at(law, c->before, c->phi_before, x, going);
        lanes_mark(c, going, dg.depth, dg.phi);
        *iterations = lanes_pick(going, *iterations + 1, *iterations);
        lanes h = x - c->free + c->G * dg.value;
        lanes_mask above = lanes_less(lanes_all(0), h);
        high = lanes_pick(above, x, high);
        low = lanes_pick(above, low, x);
        lanes step = -h / (1 + c->G * dg.slope);
        lanes size = lanes_abs(step), floor = 2 * DBL_EPSILON * (scale + lanes_abs(x));
        // At the rounding floor the step is below it, or has stopped to shrink near it.
        lanes_mask done = lanes_at_most(size, floor) |
                          (lanes_at_most(size, 16 * floor) & lanes_at_most(last, size));
        lanes next = x + step, middle = 0.5 * (low + high);
        // Newton left the bracket: halve it (or, while one side is open, go by |h|: the slope is >=
        // 1).
        lanes_mask out = ~done & ~(lanes_less(low, next) & lanes_less(next, high));
        lanes_mask closed = lanes_less(lanes_abs(low + high), infinite);
        next = lanes_pick(out, lanes_pick(closed, middle, x - h), next);
        x = lanes_pick(going, next, x);
        // Soft contacts take the gradient itself, stiff ones what it does: neither cancels.
        lanes push =
            lanes_pick(lanes_less(c->G * dg.slope, lanes_all(1)), dg.value, (c->free - x) / c->G);
        force = lanes_pick(going, push, force);
        going &= ~done;
        last = size;
    }
    return (lanes_root){x, force};
}

// The force; books E = (phi(eta^n) + phi(eta^{n+1}))/2.
LANES_ONCE lanes lanes_newton_force(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                    lanes* iterations) {
    lanes_root root = lanes_newton_root(law, c, used, iterations);
    lanes phi = lanes_contact_phi(law, c, c->before + root.travel, used);
    c->E = 0.5 * (c->phi_now + phi);
    return root.force;
}

#endif
