// The first step of a network.
#include "network/network.h"

// The conservative force of one step: `links` becomes a network of Newton contacts with the mean
// potential, whose discrete gradient from eta^0 it is.
static void prepare_start(const network_set* set, network_link* links, double k,
                          network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        work->force[i] = work->q[i] = work->a[i] = work->at[i] = work->loss[i] = 0;
        work->travel[i] = work->free[i];
        if (link->kind != LINK_CONTACT) {
            // (K1 + K3 eta^2) (eta + r/2): no force at r = -2 eta
            if (link->kind ==
                LINK_BOW) { // the chord of its curve, from the velocity it starts with
                work->a[i] = m->press * sis_friction_chord(&link->friction, m->slide) / k;
                work->at[i] = k * m->glide;
                continue;
            }
            double a = 0.5 * (link->elastic.K1 + link->elastic.K3 * m->eta * m->eta);
            work->a[i] = link->kind == LINK_STRETCH ? link->elastic.K1
                         : link->kind == LINK_RIGID ? HUGE_VAL
                                                    : a;
            work->at[i] = -2 * m->eta;
            work->loss[i] = 2 * spring_damper(&link->elastic, k);
            continue;
        }
        m->phi_before = work->phi[i] = network_phi(link, m, &work->cost[i]);
        contact_view view = network_view(link, m, work->phi[i], work->free[i], 0.5 * link->G);
        sis_network_tangent(link, work, i,
                            sis_ledger_root(&link->power, &view.problem, m, &work->cost[i]).travel);
    }
}

static void solve_start(const network_set* set, network_link* links, double k, network_work* work) {
    prepare_start(set, links, k, work);
    sis_network_newton(set, links, k, work);
    for (int32_t n = 0; n < set->count; n++) { // its law cannot pull: this is rounding
        int32_t i = set->at[n];
        if (links[i].kind != LINK_CONTACT || links[i].power.both) continue;
        if (work->force[i] < 0) work->force[i] = 0;
    }
}

void sis_network_start(const network_block* b, network_link* links, double k, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        links[i].midpoint = false;
        if (links[i].kind == LINK_CONTACT) links[i].scheme = SIS_SCHEME_NEWTON;
        links[i].nu = links[i].mu / k;   // over one step, not two
        links[i].friction.linear = true; // one chord is enough
        work->memory[i].before = work->memory[i].eta;
        work->chosen[i] = network_link_active(&links[i], &work->memory[i], work->free[i]);
    }
    network_set set;
    do {
        set = sis_network_gather(b, links, 0.5, work);
        solve_start(&set, links, k, work);
    } while (sis_network_spread(&set, links, work));
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        contact_memory* m = &work->memory[i];
        double r = work->travel[i], loss = work->chosen[i] ? work->loss[i] : 0;
        double phi = work->chosen[i] ? work->phi[i] : 0;
        m->eta = m->before + r;
        m->force = work->force[i] - loss * r;
        if (links[i].kind != LINK_CONTACT) continue;
        m->E = 0.5 * (phi + sis_contact_phi(&links[i].power, m, m->eta, &work->cost[i]));
    }
}
