// Blocks of contacts sleep while all their points are open, as lines do.
#include "network/network.h"

bool sis_network_sleeps(const network_block* b, const network_link* links, const double* offset,
                        const double* fastest, const body_motion* motion, sleep_state* state,
                        network_work* work) {
    double nearest = -HUGE_VAL;
    if (state->awake) return false;
    state->clear -= b->bounded ? motion_most(&b->bound, fastest) : HUGE_VAL;
    if (state->clear > 0) return true;
    for (int32_t i = b->first; i < b->first + b->count; i++)
        nearest = fmax(nearest, offset[i] + network_apart(&links[i], motion->u));
    state->clear = -0.999 * nearest; // sums round
    if (nearest <= 0) return true;
    const contact_memory* m = &work->memory;
    for (int32_t i = b->first; i < b->first + b->count; i++) { // u has flown: back by one sample
        double flown = network_apart(&links[i], motion->next);
        m->eta[i] = (offset[i] + network_apart(&links[i], motion->u)) - flown;
        m->before[i] = m->eta[i] - network_apart(&links[i], motion->d);
    }
    state->awake = 1;
    return false;
}

void sis_network_doze(const network_block* b, sleep_state* state, const network_work* work) {
    const contact_memory* m = &work->memory;
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (m->eta[i] > 0 || m->before[i] > 0 || m->E[i] != 0 || work->force[i] != 0) return;
    state->awake = 0;
    state->clear = 0;
}
