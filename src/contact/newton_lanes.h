// The conservative scheme over lanes, solved to rounding (see contact/newton.c). One-sided laws.
#ifndef SIS_NEWTON_LANES_H
#define SIS_NEWTON_LANES_H

#include "contact/ledger_lanes.h"

#include <float.h>

#define NEWTON_MOST 100

// One search: a step at a time, so that several may take turns.
typedef struct lanes_newton {
    lanes x, force;
    lanes low, high; // the root is between them
    lanes last;      // size of the last step
    lanes scale;
    lanes_mask going;
} lanes_newton;

LANES_FN void lanes_newton_begin(const lanes_contact* c, lanes x, lanes_mask used,
                                 lanes_newton* n) {
    n->x = x;
    n->force = lanes_all(0);
    n->low = lanes_all(-HUGE_VAL);
    n->high = n->last = lanes_all(HUGE_VAL);
    n->scale = lanes_abs(c->before) + lanes_abs(c->free);
    n->going = used;
}

LANES_FN void lanes_newton_step(const lanes_law* law, lanes_contact* c, lanes_newton* n, bool lossy,
                                lanes* iterations) {
    lanes_mask going = n->going;
    lanes x = n->x, low = n->low, high = n->high;
    lanes_gradient dg = lanes_gradient_at(law, c->before, c->phi_before, x, going);
    lanes_mark(c, going, dg.depth, dg.phi);
    if (lossy) dg = lanes_with_loss(c, &dg, x);
    *iterations = lanes_pick(going, *iterations + 1, *iterations);
    lanes h = x - c->free + c->G * dg.value;
    lanes_mask above = lanes_less(lanes_all(0), h);
    high = lanes_pick(above, x, high);
    low = lanes_pick(above, low, x);
    lanes step = -h / (1 + c->G * dg.slope);
    lanes size = lanes_abs(step), floor = 2 * DBL_EPSILON * (n->scale + lanes_abs(x));
    // At the rounding floor the step is below it, or has stopped to shrink near it.
    lanes_mask done = lanes_at_most(size, floor) |
                      (lanes_at_most(size, 16 * floor) & lanes_at_most(n->last, size));
    lanes next = x + step, middle = 0.5 * (low + high);
    // Newton left the bracket: halve it (or, while one side is open, go by |h|: the slope is >= 1).
    lanes_mask out = ~done & ~(lanes_less(low, next) & lanes_less(next, high));
    lanes_mask closed = lanes_less(lanes_abs(low + high), lanes_all(HUGE_VAL));
    next = lanes_pick(out, lanes_pick(closed, middle, x - h), next);
    x = lanes_pick(going, next, x);
    // Soft contacts take the gradient itself, stiff ones what it does: neither cancels.
    lanes push =
        lanes_pick(lanes_less(c->G * dg.slope, lanes_all(1)), dg.value, (c->free - x) / c->G);
    n->force = lanes_pick(going, push, n->force);
    n->x = x;
    n->low = low;
    n->high = high;
    n->last = size;
    n->going = going & ~done;
}

// From x, which is near the root.
LANES_FN lanes_root lanes_newton_from(const lanes_law* law, lanes_contact* c, lanes x,
                                      lanes_mask used, bool lossy, lanes* iterations) {
    lanes_newton n;
    lanes_newton_begin(c, x, used, &n);
    for (int i = 0; i < NEWTON_MOST && lanes_any(n.going); i++)
        lanes_newton_step(law, c, &n, lossy, iterations);
    c->unsolved = lanes_pick(n.going, lanes_all(1), c->unsolved);
    return (lanes_root){n.x, n.force};
}

// The force; E = (phi(eta^n) + phi(eta^{n+1}))/2. What the loss takes is r (f - F)/2, F = f/R;
// where R is nearly 0 it is known from the potential only.
LANES_FN lanes lanes_newton_settle(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                   lanes_root root, bool lossy, lanes* lost) {
    lanes phi = lanes_contact_phi(law, c, c->before + root.travel, used);
    c->E = 0.5 * (c->phi_now + phi);
    *lost = lanes_all(0);
    if (!lossy) return root.force;
    lanes r = root.travel, f = root.force, rate = 1 + c->nu * r;
    lanes_mask known = lanes_less(lanes_all(1e-3), rate);
    lanes F = f / lanes_pick(known, rate, lanes_all(1));
    lanes whole = lanes_max(0.5 * (r * f - (phi - c->phi_before)), lanes_all(0));
    *lost = lanes_pick(known, 0.5 * r * (f - F), whole);
    return f;
}

LANES_ONCE lanes lanes_newton_force(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                    bool lossy, lanes* iterations, lanes* lost) {
    lanes zero = lanes_all(0), ahead = c->before + c->free;
    lanes_mask flies = lanes_at_most(c->before, zero) & lanes_at_most(ahead, zero);
    lanes_root root = lossy ? lanes_ledger_root_lossy(law, c, used & ~flies)
                            : lanes_ledger_root(law, c, used & ~flies);
    root = lanes_newton_from(law, c, root.travel, used & ~flies, lossy, iterations);
    root.travel = lanes_pick(flies, c->free, root.travel);
    root.force = lanes_pick(flies, zero, root.force);
    return lanes_newton_settle(law, c, used, root, lossy, lost);
}

#endif
