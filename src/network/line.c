// When contact lines and blocks wake, and lines that are solved point by point.
#include "network/line.h"

#include <string.h>

// One point is looked at by itself.
static bool wake_one(const contact_line* line, const line_place* place) {
    *place->near = *place->awake != 0 || line_eta(line, place->motion->u, 0) > 0;
    return *place->near != 0;
}

static bool take_awake(const contact_line* line, const line_place* place) {
    memcpy(place->near, place->awake, (size_t)line_words(line->count) * sizeof *place->near);
    return true;
}

// A point that sleeps is further away than `clear`, and each sample moves it by less than the
// largest increment of its bodies, times the sum of its weights.
static bool wake_clear(const contact_line* line, sleep_state* state, const double* fastest,
                       const line_place* place) {
    double clear;
    state->clear -= motion_most(&line->bound, fastest);
    if (state->clear > 0) return state->awake ? take_awake(line, place) : false;
    bool any = line->kernel->wake(line, place, &clear);
    state->clear = 0.999 * clear; // sums round
    return any;
}

bool sis_line_wake(const contact_line* line, sleep_state* state, const double* fastest, bool forced,
                   const line_place* place) {
    double clear;
    switch (line->watch) {
    case LINE_ALWAYS:
        return true;
    case LINE_LOOKS:
        if (line->count == 1) return wake_one(line, place);
        break;
    case LINE_CLEAR:
        return wake_clear(line, state, fastest, place);
    case LINE_DETECTED:
        // A force may have moved the string below its bound after its update.
        if (forced) break;
        if (place->motion->has_candidate[line->detection.group])
            return line->kernel->wake_candidates(line, place);
        return state->awake ? take_awake(line, place) : false;
    default:
        break;
    }
    return line->kernel->wake(line, place, &clear);
}

line_tally sis_line_solve(const contact_line* line, sleep_state* state, const line_place* place) {
    line_tally tally = line->kernel->solve(line, place);
    state->awake = tally.awake;
    if (tally.awake < tally.solved) state->clear = 0; // one fell asleep, and is near
    return tally;
}

static bool is_finite(contact_push push, double E) {
    return fabs(push.force) < 1e150 && fabs(push.travel) < 1e52 && fabs(E) < 1e200 &&
           push.lost < 1e250;
}

// The last net: a contact whose numbers are none gives no force in this sample.
static contact_push none(const contact_memory* m, int32_t i, double free) {
    if (!(fabs(m->E[i]) < 1e200)) m->E[i] = 0;
    if (!(fabs(m->psi[i]) < 1e100)) m->psi[i] = 0;
    if (!(fabs(m->speed[i]) < 1e60)) m->speed[i] = 0;
    m->law_force[i] = m->shown[i] = m->entry[i] = 0;
    m->mark_depth[i] = m->mark_phi[i] = m->force[i] = m->phi_before[i] = 0;
    return (contact_push){0, fabs(free) < 1e52 ? free : 0, 0};
}

contact_push sis_line_point(const contact_line* line, int32_t j, double k,
                            const body_motion* motion, network_work* work, bool* accumulated) {
    const int32_t i = line->first + j;
    const network_link* link = &line->links[j];
    const contact_memory* m = &work->memory;
    double free = network_apart(link, motion->next) + network_apart(link, motion->d);
    contact_push push = {0, free, 0};
    // Those that keep a velocity of their own have it to advance in flight too.
    bool moves = contact_flows(line->law) && line->law->scheme != SIS_SCHEME_ROOT;
    if (moves || link->class->active(link, work, i, free))
        push = sis_contact_alone(line->law, k, m, i, free, line->G[j], &work->cost[i]);
    else
        link->class->rest(link, k, i, work);
    if (!is_finite(push, m->E[i])) push = none(m, i, free);
    work->force[i] = push.force;
    network_advance(link, m, i, push.travel);
    if (push.force == 0) return push;
    *accumulated |= line_move(&link->below, motion, -push.force);
    *accumulated |= line_move(&link->above, motion, push.force);
    return push;
}

// ---------------------------------------------------------------------------- blocks
//
// Blocks of contacts sleep while all their points are open, as lines do.

// How near links from .. to - 1 of a block are to a touch: largest eta.
static double nearest_of(const network_block* b, int32_t from, int32_t to,
                         const network_link* links, const double* offset,
                         const body_motion* motion) {
    double nearest = -HUGE_VAL;
    for (int32_t i = b->first + from; i < b->first + to; i++) {
        const double eta = offset[i] + network_apart(&links[i], motion->u);
        nearest = eta > nearest ? eta : nearest;
    }
    return nearest;
}

// Those whose places move are looked at in every sample, the others when bodies have moved so far
// that they may touch.
bool sis_network_sleeps(const network_block* b, const network_link* links, const double* offset,
                        const double* fastest, const body_motion* motion, sleep_state* state,
                        network_work* work) {
    if (state->awake) return false;
    state->clear -= b->bounded ? motion_most(&b->bound, fastest) : HUGE_VAL;
    if (b->bounded && b->hand >= 0) state->clear -= fabs(motion->next[b->hand]);
    double nearest = nearest_of(b, b->slide, b->count, links, offset, motion);
    if (!(state->clear > 0)) {
        const double other = nearest_of(b, 0, b->slide, links, offset, motion);
        state->clear = -0.999 * other; // sums round
        nearest = other > nearest ? other : nearest;
    }
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
