// The conservative scheme for alpha = 1 in closed form (Bilbao 2014, corrected), over lanes.
// One-sided laws. phi = K/2 [eta]_+^2, so DG is K z^2/2x entering, K (z + w)/2 inside and -K w^2/2x
// leaving: a quadratic, a line and a quadratic, with z = eta^{n+1}, w = eta^{n-1}, x = z - w and
// c = G K/2.
#ifndef SIS_CLOSED_LANES_H
#define SIS_CLOSED_LANES_H

#include "contact/ledger_lanes.h"

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

#endif
