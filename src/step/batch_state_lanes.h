// States of twins in lanes: read before the frames of a block and written after them.
#ifndef SIS_BATCH_STATE_LANES_H
#define SIS_BATCH_STATE_LANES_H

#include "step/batch.h"
#include "step/batch_contact_lanes.h"

// A mass of each twin (body/mass.c).
typedef struct lanes_mass {
    lanes u, d, next, rest, F, push;
    lanes mass, stiffness, Dinv, drop, loss;
} lanes_mass;

typedef struct lanes_probe {
    lanes height;
    lanes value; // what it reads before the step
} lanes_probe;

// LANES twins. Lanes without a voice do what the first does.
typedef struct lanes_set {
    const batch_voice* voices;
    int32_t count;       // of them
    lanes_mass* masses;  // [dof_count]
    lanes_link* links;   // [block_count], in the order they are solved in
    lanes_probe* probes; // [probe_count]
    lanes k, inverse_k;
    lanes supplied, supplied_rest, dissipated, dissipated_rest;
    lanes tile[LANES]; // what probes have read: a voice gets several neighbours at once
} lanes_set;

// Masses, links and probes of all sets together: so much fits on the stack of an audio thread.
enum { BATCH_ROOM = BATCH_NUMBERS / LANES < TWIN_MOST ? BATCH_NUMBERS / LANES : TWIN_MOST };

typedef struct lanes_batch {
    const sis_system* system; // of the first: all are built like it
    int32_t order[TWIN_MOST]; // of each link of the system: its place in the links of a set
    bool probes, energy;      // does any voice want them?
    int32_t filled;           // of the tiles of all sets
    size_t written;           // numbers that each voice has got
    int32_t set_count;
    lanes_set sets[BATCH_SETS];
    lanes_mass masses[BATCH_ROOM];
    lanes_link links[BATCH_ROOM];
    lanes_probe probe_room[BATCH_ROOM];
} lanes_batch;

// The number of one lane.
LANES_FN double* lane_of(lanes* x, int lane) {
    return (double*)x + lane;
}

LANES_FN void put(lanes* x, int lane, double value) {
    *lane_of(x, lane) = value;
}

static void read_masses(const sis_system* system, const state_view* view, int lane,
                        lanes_set* set) {
    const mass_bank* bank = system->banks[BANK_MASS].data;
    for (int32_t i = 0; i < system->dof_count; i++) {
        lanes_mass* m = &set->masses[i];
        put(&m->u, lane, view->motion.u[i]);
        put(&m->d, lane, view->motion.d[i]);
        put(&m->next, lane, view->motion.next[i]);
        put(&m->rest, lane, view->motion.rest[i]);
        put(&m->F, lane, view->motion.F[i]);
        put(&m->push, lane, view->motion.push[i]);
        put(&m->mass, lane, bank->mass[i]);
        put(&m->stiffness, lane, bank->stiffness[i]);
        put(&m->Dinv, lane, bank->Dinv[i]);
        put(&m->drop, lane, bank->drop[i]);
        put(&m->loss, lane, bank->loss[i]);
    }
}

static void read_law(const power_law* law, int lane, lanes_law* out) {
    out->class = law->class;
    put(&out->alpha, lane, law->alpha);
    put(&out->t, lane, law->t);
    put(&out->K_over_t, lane, law->K_over_t);
    put(&out->inverse_t, lane, law->inverse_t);
    put(&out->rebound1, lane, law->rebound1);
    put(&out->rebound2, lane, law->rebound2);
    for (int i = 0; i < POWER_GROW; i++)
        put(&out->grow[i], lane, law->grow[i]);
}

static void read_link(const sis_system* system, const state_view* view, const network_block* block,
                      int lane, lanes_link* out) {
    const network_link* link = &system->links[block->first];
    const contact_memory* m = &view->work.memory[block->first];
    const sis_link_report* report = &view->report[system->owner[block->first]];
    out->below = block->below;
    out->above = block->above;
    out->scheme = link->scheme;
    out->release = link->release;
    out->midpoint = link->midpoint;
    out->lossy = link->mu != 0;
    read_law(&link->power, lane, &out->law);
    put(&out->G, lane, link->G);
    put(&out->mu, lane, link->mu);
    put(&out->eta, lane, m->eta);
    put(&out->before, lane, m->before);
    put(&out->E, lane, m->E);
    put(&out->psi, lane, m->psi);
    put(&out->kept, lane, m->force);
    put(&out->phi_before, lane, m->phi_before);
    put(&out->mark_depth, lane, m->mark_depth);
    put(&out->mark_phi, lane, m->mark_phi);
    put(&out->max_force, lane, report->max_force);
    put(&out->min_force, lane, report->min_force);
    put(&out->deepest, lane, report->max_penetration);
    put(&out->trapped, lane, report->trapped_max);
    put(&out->lowest, lane, report->lowest);
    put(&out->most_iterations, lane, report->iterations_max);
    put(&out->most_powers, lane, report->powers_max);
}

static void read_voice(const batch_voice* voice, int lane, lanes_set* set) {
    const sis_system* system = voice->system;
    const state_view view = sis_view(system, voice->state);
    read_masses(system, &view, lane, set);
    for (int32_t l = 0; l < system->block_count; l++)
        read_link(system, &view, &system->blocks[system->others[l]], lane, &set->links[l]);
    for (int32_t p = 0; p < system->probe_count; p++)
        put(&set->probes[p].height, lane, system->readers[p].height);
    put(&set->k, lane, system->k);
    put(&set->inverse_k, lane, ((const mass_bank*)system->banks[BANK_MASS].data)->inverse_k);
    put(&set->supplied, lane, voice->state->supplied);
    put(&set->supplied_rest, lane, voice->state->supplied_rest);
    put(&set->dissipated, lane, voice->state->dissipated);
    put(&set->dissipated_rest, lane, voice->state->dissipated_rest);
}

static void write_link(const sis_system* system, const state_view* view, int32_t at, int lane,
                       lanes_link* link) {
    contact_memory* m = &view->work.memory[at];
    sis_link_report* report = &view->report[system->owner[at]];
    uint64_t inside = (uint64_t)*lane_of(&link->inside, lane);
    m->eta = *lane_of(&link->eta, lane);
    m->before = *lane_of(&link->before, lane);
    m->E = *lane_of(&link->E, lane);
    m->psi = *lane_of(&link->psi, lane);
    m->force = *lane_of(&link->kept, lane);
    m->phi_before = *lane_of(&link->phi_before, lane);
    m->mark_depth = *lane_of(&link->mark_depth, lane);
    m->mark_phi = *lane_of(&link->mark_phi, lane);
    if (lanes_which(link->fell) >> lane & 1) m->law_force = m->shown = m->entry = 0;
    view->work.free[at] = *lane_of(&link->free, lane);
    view->work.force[at] = *lane_of(&link->force, lane);
    view->work.travel[at] = *lane_of(&link->travel, lane);
    report->max_force = *lane_of(&link->max_force, lane);
    report->min_force = *lane_of(&link->min_force, lane);
    report->max_penetration = *lane_of(&link->deepest, lane);
    report->trapped_max = *lane_of(&link->trapped, lane);
    report->lowest = *lane_of(&link->lowest, lane);
    report->contact_samples += inside;
    if (inside && !report->points_max) report->points_max = 1;
    report->iterations += (uint64_t)*lane_of(&link->iterations, lane);
    report->iterated_samples += (uint64_t)*lane_of(&link->iterated, lane);
    report->iterations_max = (uint32_t)*lane_of(&link->most_iterations, lane);
    report->powers_max = (uint32_t)*lane_of(&link->most_powers, lane);
}

static void write_voice(const batch_voice* voice, int lane, int32_t frames, lanes_set* set) {
    const sis_system* system = voice->system;
    sis_state* state = voice->state;
    state->samples += (uint64_t)frames;
    state->turn ^= (uint64_t)frames & 1;
    state->supplied = *lane_of(&set->supplied, lane);
    state->supplied_rest = *lane_of(&set->supplied_rest, lane);
    state->dissipated = *lane_of(&set->dissipated, lane);
    state->dissipated_rest = *lane_of(&set->dissipated_rest, lane);
    const state_view view = sis_view(system, state);
    for (int32_t i = 0; i < system->dof_count; i++) {
        lanes_mass* m = &set->masses[i];
        view.motion.u[i] = *lane_of(&m->u, lane);
        view.motion.d[i] = *lane_of(&m->d, lane);
        view.motion.next[i] = *lane_of(&m->next, lane);
        view.motion.rest[i] = *lane_of(&m->rest, lane);
        view.motion.F[i] = *lane_of(&m->F, lane);
        view.motion.push[i] = *lane_of(&m->push, lane);
    }
    for (int32_t l = 0; l < system->block_count; l++)
        write_link(system, &view, system->blocks[system->others[l]].first, lane, &set->links[l]);
}

static void read_set(const sis_system* system, lanes_set* set) {
    for (int32_t l = 0; l < system->block_count; l++) {
        lanes_link* link = &set->links[l];
        link->inside = link->iterations = link->iterated = lanes_all(0);
        link->fell = lanes_less(lanes_all(0), lanes_all(0));
    }
    for (int32_t v = 0; v < LANES; v++)
        read_voice(&set->voices[v < set->count ? v : 0], v, set);
}

static void read_voices(const batch_voice* voices, int32_t count, lanes_batch* b) {
    const sis_system* system = b->system = voices->system;
    b->set_count = (count + LANES - 1) / LANES;
    b->probes = b->energy = false;
    b->filled = 0;
    b->written = 0;
    for (int32_t l = 0; l < system->block_count; l++)
        b->order[system->blocks[system->others[l]].first] = l;
    for (int32_t s = 0; s < b->set_count; s++) {
        lanes_set* set = &b->sets[s];
        int32_t left = count - s * LANES;
        set->voices = voices + s * LANES;
        set->count = left < LANES ? left : LANES;
        set->masses = b->masses + s * system->dof_count;
        set->links = b->links + s * system->block_count;
        set->probes = b->probe_room + s * system->probe_count;
        read_set(system, set);
    }
    for (int32_t v = 0; v < count; v++) {
        b->probes = b->probes || voices[v].probes;
        b->energy = b->energy || voices[v].energy;
    }
}

static void write_voices(int32_t frames, lanes_batch* b) {
    for (int32_t s = 0; s < b->set_count; s++)
        for (int32_t v = 0; v < b->sets[s].count; v++)
            write_voice(&b->sets[s].voices[v], v, frames, &b->sets[s]);
}

#endif
