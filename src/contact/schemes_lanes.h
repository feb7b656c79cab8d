// Schemes other than ledger over lanes, for one-sided laws: newton, its closed form for alpha = 1,
// quadratised.
#ifndef SIS_SCHEMES_LANES_H
#define SIS_SCHEMES_LANES_H

#include "contact/contact.h"
#include "contact/ledger_lanes.h"

#include <float.h>

// ---------------------------------------------------------------------------- newton

// The conservative scheme, solved to rounding (see contact/schemes.c).

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

// `value` and `slope`: the force at n->x and its derivative.
LANES_FN void lanes_newton_step(const lanes_contact* c, lanes value, lanes slope, lanes_newton* n) {
    lanes_mask going = n->going;
    lanes x = n->x, low = n->low, high = n->high;
    lanes h = x - c->free + c->G * value;
    lanes_mask above = lanes_less(lanes_all(0), h);
    high = lanes_pick(above, x, high);
    low = lanes_pick(above, low, x);
    lanes step = -h / (1 + c->G * slope);
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
    lanes push = lanes_pick(lanes_less(c->G * slope, lanes_all(1)), value, (c->free - x) / c->G);
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
    for (int i = 0; i < NEWTON_MOST && lanes_any(n.going); i++) {
        lanes_gradient dg = lanes_gradient_at(law, c->before, c->phi_before, n.x, n.going);
        lanes_mark(c, n.going, dg.depth, dg.phi);
        if (lossy) dg = lanes_with_loss(c, &dg, n.x);
        *iterations = lanes_pick(n.going, *iterations + 1, *iterations);
        lanes_newton_step(c, dg.value, dg.slope, &n);
    }
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
    flies |= lanes_less(lanes_abs(c->before) + lanes_abs(c->free), lanes_all(CONTACT_VANISHED));
    lanes_root root = lossy ? lanes_ledger_root_lossy(law, c, used & ~flies)
                            : lanes_ledger_root(law, c, used & ~flies);
    root = lanes_newton_from(law, c, root.travel, used & ~flies, lossy, iterations);
    root.travel = lanes_pick(flies, c->free, root.travel);
    root.force = lanes_pick(flies, zero, root.force);
    return lanes_newton_settle(law, c, used, root, lossy, lost);
}

// ---------------------------------------------------------------------------- newton, alpha = 1

// The conservative scheme for alpha = 1 in closed form (Bilbao 2014, corrected). phi = K/2
// [eta]_+^2, so DG is K z^2/2x entering, K (z + w)/2 inside and -K w^2/2x leaving: a quadratic, a
// line and a quadratic, with z = eta^{n+1}, w = eta^{n-1}, x = z - w and c = G K/2.

LANES_FN lanes_root lanes_closed_root(const lanes_law* law, const lanes_contact* p) {
    lanes zero = lanes_all(0), K = law->K_over_t * 2, w = p->before, zf = w + p->free;
    lanes c = 0.5 * p->G * K;
    lanes_mask open = lanes_at_most(w, zero), flies = open & lanes_at_most(zf, zero);
    // Entering: (1 + c) z^2 - (zf + w) z + zf w = 0, the positive root.
    lanes sum = zf + w, root = lanes_sqrt(sum * sum - 4 * (1 + c) * zf * w);
    lanes z =
        lanes_pick(lanes_less(zero, sum), (sum + root) / (2 * (1 + c)), -2 * zf * w / (root - sum));
    lanes x = z - w, force = lanes_pick(lanes_less(zero, x), 0.5 * K * z * z / x, zero);
    // Inside.
    lanes deep = (zf - c * w) / (1 + c);
    lanes_mask stays = ~open & lanes_less(zero, deep), leaves = ~open & ~stays;
    x = lanes_pick(stays, deep - w, x);
    force = lanes_pick(stays, 0.5 * K * (deep + w), force);
    if (lanes_any(leaves)) { // x^2 - free x - c w^2 = 0, the negative root
        lanes out = lanes_sqrt(p->free * p->free + 4 * c * w * w);
        lanes away = lanes_pick(lanes_less(zero, p->free), -2 * c * w * w / (p->free + out),
                                0.5 * (p->free - out));
        x = lanes_pick(leaves, away, x);
        force = lanes_pick(
            leaves, lanes_pick(lanes_less(away, zero), -0.5 * K * w * w / away, zero), force);
    }
    return (lanes_root){lanes_pick(flies, p->free, x), lanes_pick(flies, zero, force)};
}

// E changes by the work done, and what is left of it goes back at the exit: phi(eta) would know eta
// only to the rounding of u.
LANES_FN lanes lanes_closed_force(const lanes_law* law, lanes_contact* c) {
    lanes zero = lanes_all(0);
    lanes_root root = lanes_closed_root(law, c);
    lanes payable = c->E - 0.5 * c->phi_now;
    lanes_mask leaves = lanes_less(zero, c->before) & lanes_at_most(c->before + root.travel, zero) &
                        lanes_less(zero, payable);
    lanes after = c->E + 0.5 * (c->free - c->G * root.force) * root.force;
    after = lanes_pick(lanes_less(zero, after), after, zero);
    c->E = lanes_pick(leaves, c->E - payable, after);
    return lanes_pick(leaves, lanes_emptying_force(c->free, c->G, payable), root.force);
}

// ---------------------------------------------------------------------------- quadratised

// The psi schemes (see contact/schemes.c).

// psi' = phi'/sqrt(2 phi) at a depth, and phi' itself.
LANES_FN lanes lanes_psi_slope(const lanes_law* law, lanes x, lanes phi) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_psi_slope, x);
    return law->t * lanes_sqrt(0.5 * phi) / x;
}

LANES_FN lanes lanes_damper_force(const lanes_law* law, lanes x, lanes phi, lanes_mask inside) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_force, x);
    return law->t * phi / lanes_pick(inside, x, lanes_all(1));
}

// g of this sample; phi_now is known.
LANES_FN lanes lanes_quadratised_g(const lanes_law* law, const lanes_contact* c, lanes psi,
                                   bool release) {
    lanes zero = lanes_all(0);
    lanes_mask inside = lanes_less(zero, c->now);
    lanes g = lanes_psi_slope(law, c->now, c->phi_now);
    if (!release) return lanes_pick(inside, g, zero);
    g = lanes_pick(lanes_less(psi, zero), -g, g);
    lanes_mask frees = lanes_less(c->free, zero) & ~lanes_equal(psi, zero);
    lanes empty = 4 * psi / (lanes_sqrt(c->free * c->free + 4 * c->G * psi * psi) - c->free);
    return lanes_pick(inside, g, lanes_pick(frees, empty, zero));
}

// The force; psi and E are updated.
LANES_FN lanes lanes_quadratised_force(const lanes_law* law, lanes_contact* c, bool release,
                                       lanes* psi) {
    lanes zero = lanes_all(0), g = lanes_quadratised_g(law, c, *psi, release);
    lanes a = 0.25 * g * g;
    lanes at = lanes_pick(lanes_equal(g, zero), zero, -4 * *psi / g);
    lanes under = 1 + c->G * a, force = a * (c->free - at) / under;
    lanes after = *psi + 0.5 * g * (c->free + c->G * a * at) / under;
    lanes E = 0.5 * after * after;
    if (release) { // no adhesion: psi is kept
        lanes_mask pulls = lanes_less(force, zero);
        after = lanes_pick(pulls, *psi, after);
        E = lanes_pick(pulls, c->E, E);
        force = lanes_pick(pulls, zero, force);
    }
    *psi = after;
    c->E = E;
    return force;
}

// The same with the damper of the loss, of slope mu phi'(eta^n)/2k: f = F + loss r only changes
// what the conservative part sees, r = free' - G' F. Those that part faster than the loss can
// follow act without it: a contact does not pull.
LANES_FN lanes lanes_quadratised_lossy(const lanes_law* law, lanes_contact* c, bool release,
                                       lanes* psi, lanes* lost) {
    lanes zero = lanes_all(0), free = c->free, G = c->G, E = c->E, was = *psi;
    lanes_mask inside = lanes_less(zero, c->now);
    lanes slope = c->nu * lanes_damper_force(law, c->now, c->phi_now, inside);
    lanes loss = lanes_pick(inside, lanes_min(slope, lanes_all(1e100)), zero), under = 1 + G * loss;
    c->free = free / under;
    c->G = G / under;
    lanes F = lanes_quadratised_force(law, c, release, psi), r = (free - G * F) / under;
    c->free = free;
    c->G = G;
    lanes_mask pulls = lanes_less(zero, loss) & lanes_less(F + loss * r, zero);
    lanes force = lanes_pick(lanes_less(zero, loss), (F + loss * free) / under, F);
    *lost = 0.5 * loss * r * r;
    if (!lanes_any_rarely(pulls)) return force;
    lanes after = c->E, kept = *psi;
    c->E = E;
    *psi = was;
    lanes plain = lanes_quadratised_force(law, c, release, psi);
    c->E = lanes_pick(pulls, c->E, after);
    *psi = lanes_pick(pulls, *psi, kept);
    *lost = lanes_pick(pulls, zero, *lost);
    return lanes_pick(pulls, plain, force);
}

#endif
