// The psi schemes over lanes (see scheme/quadratised.c). One-sided laws.
#ifndef SIS_QUADRATISED_LANES_H
#define SIS_QUADRATISED_LANES_H

#include "scheme/ledger_lanes.h"

// g of this sample; phi_now is known.
LANES_FN lanes lanes_quadratised_g(const lanes_law* law, const lanes_contact* c, lanes psi,
                                   bool release) {
    lanes zero = lanes_all(0);
    lanes_mask inside = lanes_less(zero, c->now);
    lanes g = law->t * lanes_sqrt(0.5 * c->phi_now) / c->now;
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

#endif
