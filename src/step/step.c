// One sample after another: bodies advance freely, the network finds the forces, bodies accept
// them.
#include "base/power.h"
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
    if (!system->audit) e.supplied = e.dissipated = (double)NAN;
    e.residual = ((e.total - system->initial) - e.supplied) + e.dissipated;
    return e;
}

sis_link_report sis_state_link(const sis_system* system, const sis_state* state, int32_t i) {
    if (i < 0 || i >= system->group_count) return (sis_link_report){0};
    return sis_view(system, state).report[i];
}

// External forces of sample n; gravity alone is in the state from the start.
static void apply_sources(const sis_system* system, double* F, uint64_t n) {
    for (int32_t i = 0; i < system->source_count; i++) {
        const network_end* end = &system->sources[i].end;
        for (int32_t j = 0; j < end->count; j++)
            F[network_dof(end, j)] = system->weight[network_dof(end, j)];
    }
    for (int32_t i = 0; i < system->source_count; i++)
        network_write(&system->sources[i].end,
                      sis_source_value(&system->sources[i], n, system->rate), F);
}

// The links of one block: free travels, forces, and what they do to the bodies. Returns
// what they supply and lose.
static body_work solve_block(const sis_system* system, const network_block* block, state_view* view,
                             uint64_t sample) {
    network_work* work = &view->work;
    int32_t first = block->first, end = block->first + block->count;
    for (int32_t i = first; i < end; i++)
        work->free[i] = sis_link_travel(&system->links[i], view);
    body_work done = sis_network_solve(block, system->links, system->k, work);
    sis_network_advance(block, system->links, work);
    for (int32_t i = first; i < end; i++) {
        if (block->count > 1 && !work->chosen[i] && work->memory[i].E == 0) continue; // open
        sis_count_link(system, view, i, sample);
        work->cost[i] = (contact_cost){0};
        if (work->force[i] != 0)
            sis_link_push(&system->links[i], view, work->force[i], view->motion.push);
    }
    return done;
}

// The push of each run of degrees of freedom that links hold on to: cleared before, given after.
static void clear_push(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        memset(view->motion.push + system->banks[range->bank].first + range->first, 0,
               (size_t)range->count * sizeof(double));
    }
}

static void give_push(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        const body_bank* bank = &system->banks[range->bank];
        bank->kind->give(bank, &view->motion, range->first, range->count);
    }
}

// A row: wakes the points that come near, solves those that are awake.
static void solve_row(const sis_system* system, const network_row* row, state_view* view) {
    uint8_t* awake = view->awake + row->first;
    int32_t count = system->kernel->wake(row, view->motion.u, awake, view->risen);
    if (!count) return;
    row_tally t = system->kernel->solve(row, &view->motion, view->work.memory + row->first,
                                        view->work.force + row->first, awake, view->risen, count);
    sis_link_report* report = &view->report[system->owner[row->first]];
    group_sample* now = &view->sample[system->owner[row->first]];
    if (t.most > report->max_force) report->max_force = t.most;
    if (t.least < report->min_force) report->min_force = t.least;
    if (t.deepest > report->max_penetration) report->max_penetration = t.deepest;
    if (t.lowest < report->lowest) report->lowest = t.lowest;
    now->inside += t.inside;
    now->held += t.held;
    if (t.powers > now->powers) now->powers = t.powers;
    if (t.iterations > now->iterations) now->iterations = t.iterations;
}

// All links of one sample: r* = B^T (d* + d), forces block by block, push on the bodies. Returns
// what they supply and lose.
static body_work solve_links(const sis_system* system, state_view* view, uint64_t sample) {
    body_work done = {0, 0};
    clear_push(system, view);
    sis_set_bows(system, view, (double)sample / system->rate);
    for (int32_t r = 0; r < system->row_count; r++)
        solve_row(system, &system->rows[r], view);
    for (int32_t b = 0; b < system->other_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        body_work part = solve_block(system, block, view, sample);
        done.supplied += part.supplied;
        done.dissipated += part.dissipated;
    }
    sis_count_groups(system, view);
    give_push(system, view);
    return done;
}

static void step_once(const sis_system* system, sis_state* state, state_view* view) {
    double next = (double)(state->samples + 1) / system->rate;
    apply_sources(system, view->motion.F, state->samples);
    sis_stretch_columns(system, view);
    for (int32_t b = 0; b < system->bank_count; b++)
        system->banks[b].kind->advance(&system->banks[b], &view->motion, next);
    body_work done = solve_links(system, view, state->samples);
    if (!system->audit) return;
    for (int32_t b = 0; b < system->bank_count; b++) {
        body_work work = system->banks[b].kind->work(&system->banks[b], &view->motion);
        done.supplied += work.supplied;
        done.dissipated += work.dissipated;
    }
    add_to(&state->supplied, &state->supplied_rest, done.supplied);
    add_to(&state->dissipated, &state->dissipated_rest, done.dissipated);
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
        if (!first) {
            sis_view_turn(&view);
            state->turn ^= 1;
        }
        state->samples++;
        if (block->energy) block->energy[frame] = sis_state_energy(system, state);
    }
}

// What is left of u^n when the step after it has been made.
static double last_u(const body_motion* motion, int32_t dof) {
    return motion->u[dof] - motion->d[dof];
}

static void string_shape(const string_form* f, const body_bank* bank, const body_motion* motion,
                         double* u) {
    int32_t N = f->segments;
    u[0] = u[N] = 0;
    for (int32_t j = 1; j < N; j++) {
        u[j] = f->sine ? 0 : last_u(motion, bank->first + j - 1);
        for (int64_t p = 1; f->sine && p <= f->modes; p++)
            u[j] += f->sine[p * j % (2 * N)] * last_u(motion, bank->first + (int32_t)p - 1);
    }
}

static void plate_shape(const plate_form* f, const body_bank* bank, const body_motion* motion,
                        double* u) {
    int32_t stride = f->nx + 1, points = stride * (f->ny + 1);
    for (int32_t i = 0; i < points; i++)
        u[i] = f->model == SIS_PLATE_FD ? last_u(motion, bank->first + i) : 0;
    for (int32_t p = 0; p < f->modes && f->model == SIS_PLATE_MODAL; p++)
        for (int32_t j = 1; j < f->ny; j++) {
            double y = sis_cos_turns(0.25 - 0.5 * f->list[p].l * j / f->ny) *
                       last_u(motion, bank->first + p);
            for (int32_t i = 1; i < f->nx; i++)
                u[j * stride + i] += y * sis_cos_turns(0.25 - 0.5 * f->list[p].m * i / f->nx);
        }
}

void sis_state_shape(const sis_system* system, const sis_state* state, int32_t body, double* u) {
    const body_motion motion = sis_view(system, state).motion;
    if (body < 0 || body >= system->body_count) return;
    for (int32_t i = 0; i < system->string_count; i++)
        if (system->strings[i].body == body)
            string_shape(&system->strings[i], &system->banks[system->strings[i].bank], &motion, u);
    for (int32_t i = 0; i < system->plate_count; i++)
        if (system->plates[i].body == body)
            plate_shape(&system->plates[i], &system->banks[system->plates[i].bank], &motion, u);
    for (int32_t i = 0; i < system->modal_count; i++) {
        const modal_form* f = &system->modals[i];
        for (int32_t p = 0; p < f->points && f->body == body; p++) {
            const double* shape = f->shape + (size_t)p * (size_t)f->modes;
            u[p] = 0;
            for (int32_t m = 0; m < f->modes; m++)
                u[p] += shape[m] * last_u(&motion, system->banks[f->bank].first + m);
        }
    }
    if (system->body_mass[body] >= 0) u[0] = last_u(&motion, system->body_mass[body]);
}

void sis_state_contact(const sis_system* system, const sis_state* state, int32_t link,
                       double* penetration, double* force) {
    if (link < 0 || link >= system->group_count) return;
    const state_view view = sis_view(system, state);
    const link_group* group = &system->groups[link];
    for (int32_t j = 0; j < group->count; j++) {
        int32_t at = system->link_at[group->first + j];
        if (penetration) penetration[j] = sis_eta_after(system, &view, at);
        if (force) force[j] = sis_shown_force(&system->links[at], &view, at);
    }
}
