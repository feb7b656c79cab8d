// The psi schemes over lanes (see contact/quadratised.c). One-sided laws.
#ifndef SIS_QUADRATISED_LANES_H
#define SIS_QUADRATISED_LANES_H

#include "contact/ledger_lanes.h"

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
