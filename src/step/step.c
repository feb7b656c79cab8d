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
    if (i < 0 || i >= system->link_count) return (sis_link_report){0};
    state_view view = sis_view(system, state);
    return view.report[system->link_at[i]];
}

// External forces of sample n; gravity alone is in the state from the start.
static void apply_sources(const sis_system* system, double* F, uint64_t n) {
    if (system->source_count == 0) return;
    for (int32_t i = 0; i < system->dof_count; i++)
        F[i] = system->weight[i];
    for (int32_t i = 0; i < system->source_count; i++)
        F[system->sources[i].dof] += sis_source_value(&system->sources[i], n, system->rate);
}

// All links of one sample: r* = B^T (d* + d), forces block by block, push on the bodies. Returns
// the loss.
static double solve_links(const sis_system* system, state_view* view, uint64_t sample) {
    const body_motion* motion = &view->motion;
    network_work* work = &view->work;
    for (int32_t i = 0; i < system->dof_count; i++)
        motion->push[i] = 0;
    for (int32_t i = 0; i < system->link_count; i++) {
        const network_link* link = &system->links[i];
        double below = link->below >= 0 ? motion->free[link->below] + motion->d[link->below] : 0;
        double above = link->above >= 0 ? motion->free[link->above] + motion->d[link->above] : 0;
        work->free[i] = below - above;
        work->cost[i] = (contact_cost){0};
    }
    double lost = 0;
    for (int32_t b = 0; b < system->block_count; b++) {
        lost += sis_network_solve(&system->blocks[b], system->links, system->k, work);
        sis_network_advance(&system->blocks[b], work);
    }
    for (int32_t i = 0; i < system->link_count; i++) {
        const network_link* link = &system->links[i];
        double f = work->force[i];
        sis_count_link(link, view, i, sample);
        if (f == 0) continue;
        if (link->below >= 0) motion->push[link->below] -= f;
        if (link->above >= 0) motion->push[link->above] += f;
    }
    return lost;
}

static void step_once(const sis_system* system, sis_state* state, state_view* view) {
    double next = (double)(state->samples + 1) / system->rate;
    apply_sources(system, view->motion.F, state->samples);
    for (int b = 0; b < BANK_COUNT; b++)
        system->banks[b].kind->advance(&system->banks[b], &view->motion, next);
    double lost = solve_links(system, view, state->samples), supplied = 0;
    for (int b = 0; b < BANK_COUNT; b++) {
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
