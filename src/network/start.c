// The first step of a network.
#include "network/network.h"

// The conservative force of one step: a network of Newton contacts with the mean potential, whose
// discrete gradient from eta^0 it is.
contact_law sis_network_start_law(const contact_law* law, double k) {
    contact_law start = *law;
    start.midpoint = false;
    start.scheme = SIS_SCHEME_NEWTON;
    start.nu = law->mu / k; // over one step, not two
    return start;
}

static void solve_start(const network_set* set, const network_link* links, double k,
                        network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        work->force[i] = 0;
        work->travel[i] = work->free[i];
        links[i].class->start(&links[i], k, i, work);
    }
    sis_network_newton(set, links, work);
    for (int32_t n = 0; n < set->count; n++) { // its law cannot pull: this is rounding
        int32_t i = set->at[n];
        if (!network_is_contact(&links[i]) || links[i].contact->power.both) continue;
        if (work->force[i] < 0) work->force[i] = 0;
    }
}

void sis_network_start(const network_block* b, const network_link* links, double k,
                       network_work* work) {
    const contact_memory* m = &work->memory;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        m->before[i] = m->eta[i];
        work->chosen[i] = links[i].class->active(&links[i], work, i, work->free[i]);
    }
    network_set set;
    do {
        set = sis_network_gather(b, links, 0.5, work);
        set.frozen = true; // one chord of a bow is enough
        solve_start(&set, links, k, work);
    } while (sis_network_spread(&set, links, work));
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        double r = work->travel[i], loss = work->chosen[i] ? work->loss[i] : 0;
        double phi = work->chosen[i] ? work->phi[i] : 0;
        m->eta[i] = m->before[i] + r;
        m->force[i] = work->force[i] - loss * r;
        if (!network_is_contact(&links[i])) continue;
        const power_law* law = &links[i].contact->power;
        m->E[i] = 0.5 * (phi + sis_contact_phi(law, m, i, m->eta[i], &work->cost[i]));
    }
}
