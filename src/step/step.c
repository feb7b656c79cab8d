// One sample after another: bodies advance freely, the network finds the forces, bodies accept
// them.
#include "compile/system.h"

#include <math.h>
#include <string.h>

size_t sis_state_size(const sis_system* system) {
    return system->state_size;
}

sis_state* sis_state_init(const sis_system* system, void* memory) {
    memcpy(memory, system->image, system->state_size);
    return memory;
}

uint64_t sis_state_samples(const sis_state* state) {
    return state->samples;
}

// Adds with the rounding error kept in `rest` (Neumaier), so that the books close over millions of
// samples.
static void add_to(double* sum, double* rest, double value) {
    double total = *sum + value;
    *rest += fabs(*sum) >= fabs(value) ? (*sum - total) + value : (value - total) + *sum;
    *sum = total;
}

sis_energy sis_state_energy(const sis_system* system, const sis_state* state) {
    state_view view = sis_view(system, state);
    sis_energy e = sis_stored_energy(system, &view);
    e.supplied = state->supplied + state->supplied_rest;
    e.dissipated = state->dissipated + state->dissipated_rest;
    e.residual = ((e.total - system->initial) - e.supplied) + e.dissipated;
    return e;
}

sis_link_report sis_state_link(const sis_system* system, const sis_state* state, int32_t i) {
    if (i < 0 || i >= system->group_count) return (sis_link_report){0};
    return sis_view(system, state).report[i];
}

// External forces of sample n; gravity alone is in the state from the start.
static void apply_sources(const sis_system* system, double* F, uint64_t n) {
    if (system->source_count == 0) return;
    for (int32_t i = 0; i < system->dof_count; i++)
        F[i] = system->weight[i];
    for (int32_t i = 0; i < system->source_count; i++)
        network_write(&system->sources[i].end,
                      sis_source_value(&system->sources[i], n, system->rate), F);
}

// A contact alone in its block that is open, holds nothing and stays open: most points of most
// strings. Its travel is the free one.
static bool flies(const network_block* block, const double* travel, network_work* work) {
    contact_memory* m = &work->memory[block->first];
    double free = (block->below >= 0 ? travel[block->below] : 0) -
                  (block->above >= 0 ? travel[block->above] : 0);
    double next = m->before + free;
    if (!(m->eta <= 0 && next <= 0 && m->E == 0 && m->before <= 0)) return false;
    m->before = m->eta;
    m->eta = next;
    m->force = m->phi_before = 0;
    work->force[block->first] = 0;
    return true;
}

// The links of one block: free travels, forces, and what they do to the bodies. Returns the loss.
static double solve_block(const sis_system* system, const network_block* block, state_view* view,
                          uint64_t sample) {
    network_work* work = &view->work;
    int32_t first = block->first, end = block->first + block->count;
    for (int32_t i = first; i < end; i++)
        work->free[i] = sis_link_read(&system->links[i], view, view->motion.travel);
    double lost = sis_network_solve(block, system->links, system->k, work);
    sis_network_advance(block, system->links, work);
    for (int32_t i = first; i < end; i++) {
        if (block->count > 1 && !work->chosen[i] && work->memory[i].E == 0) continue; // open
        sis_count_link(system, view, i, sample);
        work->cost[i] = (contact_cost){0};
        if (work->force[i] != 0)
            sis_link_push(&system->links[i], view, work->force[i], view->motion.push);
    }
    return lost;
}

// All links of one sample: r* = B^T (d* + d), forces block by block, push on the bodies. Returns
// the loss.
static double solve_links(const sis_system* system, state_view* view, uint64_t sample) {
    const body_motion* motion = &view->motion;
    double lost = 0;
    if (system->link_count == 0) return 0;
    for (int32_t i = 0; i < system->dof_count; i++) {
        motion->push[i] = 0;
        motion->travel[i] = motion->free[i] + motion->d[i];
    }
    sis_stretch_columns(system, view);
    for (int32_t b = 0; b < system->block_count; b++) {
        const network_block* block = &system->blocks[b];
        if (block->lone && flies(block, motion->travel, &view->work)) continue;
        lost += solve_block(system, block, view, sample);
    }
    sis_count_groups(system, view);
    return lost;
}

static void step_once(const sis_system* system, sis_state* state, state_view* view) {
    double next = (double)(state->samples + 1) / system->rate;
    apply_sources(system, view->motion.F, state->samples);
    for (int32_t b = 0; b < system->bank_count; b++)
        system->banks[b].kind->advance(&system->banks[b], &view->motion, next);
    double lost = solve_links(system, view, state->samples), supplied = 0;
    for (int32_t b = 0; b < system->bank_count; b++) {
        body_work work = system->banks[b].kind->accept(&system->banks[b], &view->motion);
        supplied += work.supplied;
        lost += work.dissipated;
    }
    add_to(&state->supplied, &state->supplied_rest, supplied);
    add_to(&state->dissipated, &state->dissipated_rest, lost);
}

void sis_step(const sis_system* system, sis_state* state, const sis_block* block) {
    state_view view = sis_view(system, state);
    int32_t probes = system->probe_count;
    for (int32_t frame = 0; frame < block->frames; frame++) {
        double* row = block->probes ? block->probes + (size_t)frame * (size_t)probes : NULL;
        bool first = state->samples == 0; // row 0 is the given state; its step was made at compile
        if (row && first) memcpy(row, system->first_row, (size_t)probes * sizeof *row);
        for (int32_t i = 0; i < probes && row && !first; i++)
            row[i] = sis_probe_before(system, &system->readers[i], &view);
        if (!first) step_once(system, state, &view);
        for (int32_t i = 0; i < probes && row && !first; i++)
            row[i] += sis_probe_after(system, &system->readers[i], &view);
        state->samples++;
        if (block->energy) block->energy[frame] = sis_state_energy(system, state);
    }
}

void sis_state_shape(const sis_system* system, const sis_state* state, int32_t body, double* u) {
    const body_motion motion = sis_view(system, state).motion;
    if (body < 0 || body >= system->body_count) return;
    for (int32_t i = 0; i < system->string_count; i++) {
        const string_form* form = &system->strings[i];
        const body_bank* bank = &system->banks[form->bank];
        int32_t N = form->segments;
        if (form->body != body) continue;
        u[0] = u[N] = 0;
        for (int32_t j = 1; j < N; j++) {
            u[j] = form->sine ? 0 : motion.u[bank->first + j - 1] - motion.d[bank->first + j - 1];
            for (int64_t p = 1; form->sine && p <= form->modes; p++)
                u[j] += form->sine[p * j % (2 * N)] *
                        (motion.u[bank->first + p - 1] - motion.d[bank->first + p - 1]);
        }
    }
    if (system->body_mass[body] >= 0)
        u[0] = motion.u[system->body_mass[body]] - motion.d[system->body_mass[body]];
}

void sis_state_contact(const sis_system* system, const sis_state* state, int32_t link,
                       double* penetration, double* force) {
    if (link < 0 || link >= system->group_count) return;
    const state_view view = sis_view(system, state);
    const link_group* group = &system->groups[link];
    for (int32_t j = 0; j < group->count; j++) {
        int32_t at = system->link_at[group->first + j];
        if (penetration) penetration[j] = view.work.memory[at].before;
        if (force) force[j] = sis_shown_force(&system->links[at], &view, at);
    }
}
