// One sample after another: bodies advance freely, the network finds the forces, bodies accept
// them.
#include "step/system.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

// Adds with the rounding error kept in `rest` (Neumaier), so that the energy balance closes over
// millions of samples.
static void add_to(double* sum, double* rest, double value) {
    if (value == 0) return; // as most samples of most sums
    double total = *sum + value, taken = total - *sum;
    *rest += (*sum - (total - taken)) + (value - taken);
    *sum = total;
}

// Work is recorded as it is told, part by part: most parts are 0, and nothing is kept across a
// call.
static void record(sis_state* state, body_work done) {
    add_to(&state->supplied, &state->supplied_rest, done.supplied);
    add_to(&state->dissipated, &state->dissipated_rest, done.dissipated);
}

// What was lost so far, J: what is recorded, and the deferred loss of bodies.
static double lost_so_far(const sis_system* system, const sis_state* state,
                          const state_view* view) {
    double lost = 0;
    if (!(state->samples > 1)) return 0;
    for (int32_t b = 0; b < system->body_group_count && system->audit; b++)
        if (system->body_groups[b].deferred)
            lost += system->body_groups[b]
                        .kind->work(&system->body_groups[b], &view->motion)
                        .dissipated;
    return (state->dissipated + state->dissipated_rest) + lost;
}

static const sis_energy no_energy = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                     (double)NAN, (double)NAN, (double)NAN};

sis_energy sis_state_energy(const sis_system* system, const sis_state* state) {
    if (!sis_belongs(system, state)) return no_energy;
    state_view view = sis_view(system, state);
    sis_energy e = sis_stored_energy(system, &view);
    e.supplied = state->supplied + state->supplied_rest;
    e.dissipated = lost_so_far(system, state, &view);
    if (!system->audit) e.supplied = e.dissipated = (double)NAN;
    e.residual = ((e.total - system->initial) - e.supplied) + e.dissipated;
    return e;
}

// The travel of a link by d + next.
static double travel_of(const network_link* link, const state_view* view) {
    const double *next = view->motion.next, *d = view->motion.d;
    if (link->class->stretch) return sis_link_read(link, view, next) + sis_link_read(link, view, d);
    network_pair below = network_read_two(&link->below, next, d);
    network_pair above = network_read_two(&link->above, next, d);
    return (below.a - above.a) + (below.b - above.b);
}

// The links of one block: free travels, forces, and what they do to the bodies. Returns
// what they supply and lose.
static body_work solve_block(const sis_system* system, const network_block* block, state_view* view,
                             uint64_t sample) {
    network_work* work = &view->work;
    int32_t first = block->first, end = block->first + block->count;
    const network_band* band = block->band;
    const bool all = !band || !band->plain; // else the string tells most of them at once
    for (int32_t i = first; all && i < end; i++)
        work->free[i] = travel_of(&system->links[i], view);
    if (!all) sis_band_free(block, view->motion.d, view->motion.next, work);
    for (int32_t o = 0; !all && o < band->other_count; o++)
        work->free[band->other[o]] = travel_of(&system->links[band->other[o]], view);
    body_work done = sis_network_solve(block, system->links, system->k, work);
    for (int32_t i = first; i < end; i++) {
        network_advance(&system->links[i], &work->memory, i, work->travel[i]);
        if (block->count > 1 && !work->chosen[i] && work->memory.E[i] == 0) continue; // open
        sis_count_link(system, view, i, sample);
        work->cost[i] = (contact_cost){0};
        if (work->force[i] != 0 && (all || band->node[i - first] < 0))
            view->pushed |= sis_link_apply(&system->links[i], view, work->force[i]);
    }
    if (!all) view->pushed |= sis_band_push(block, work, view->motion.link_force);
    return done;
}

// The push of each run of degrees of freedom that links hold on to: cleared before, given after.
// Most runs are the few points under one link, and under an open one there is nothing to do.
enum { FEW = 8 };

static double* push_on(const sis_system* system, const state_view* view, const dof_range* range) {
    return view->motion.link_force + system->body_groups[range->group].first + range->first;
}

static void clear_forces(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        double* push = push_on(system, view, range);
        if (range->count > FEW) memset(push, 0, (size_t)range->count * sizeof(double));
        for (int32_t i = 0; i < range->count && range->count <= FEW; i++)
            if (push[i] != 0) push[i] = 0;
    }
}

static bool is_pushed(const double* push, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (push[i] != 0) return true;
    return false;
}

static void apply_forces(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        const body_group* bodies = &system->body_groups[range->group];
        if (range->count <= FEW && !is_pushed(push_on(system, view, range), range->count)) continue;
        bodies->kind->apply(bodies, &view->motion, range->first, range->count);
    }
}

// A line that is solved point by point. Returns what it lost, J.
static double solve_points(const sis_system* system, const contact_line* line, state_view* view,
                           uint64_t sample) {
    double lost = 0;
    for (int32_t j = 0; j < line->count; j++) {
        int32_t i = line->first + j;
        lost += sis_line_point(line, j, system->k, &view->motion, &view->work, &view->pushed).lost;
        sis_count_link(system, view, i, sample);
        view->work.cost[i] = (contact_cost){0};
    }
    return lost;
}

// A contact line: wakes the points that come near, solves those that are awake. False: there are
// none.
static bool solve_line(const sis_system* system, sis_state* state, int32_t l, state_view* view) {
    const contact_line* line = &system->lines[l];
    const line_place place = sis_line_place(line, view);
    bool forced = !view->motion.unforced && line->watch == LINE_DETECTED &&
                  system->body_groups[line->floor.group].forced_count;
    if (!sis_line_wake(line, &view->lines[l], view->fastest, forced, &place)) return false;
    double lost;
    if (line->kernel) {
        line_tally tally = sis_line_solve(line, &view->lines[l], &place);
        sis_count_line(line, view, &tally);
        view->pushed |= tally.pushed;
        lost = tally.lost;
    } else {
        lost = solve_points(system, line, view, state->samples);
    }
    if (system->audit && lost != 0) add_to(&state->dissipated, &state->dissipated_rest, lost);
    return true;
}

// All links of one sample: r* = B^T (d* + d), forces line by line and block by block, and what they
// do to the bodies. Audited, what they supply and lose is recorded.
SIS_APART static void solve_links(const sis_system* system, sis_state* state, state_view* view) {
    bool met = false;
    if (view->pushed) clear_forces(system, view);
    view->pushed = false;
    if (system->bows_move) sis_set_bows(system, view, (double)state->samples / system->rate);
    if (system->bow_count) sis_move_linear_bows(system, view);
    for (int32_t t = 0; t < system->tracked_count; t++) {
        const body_group* bodies = &system->body_groups[system->tracked[t]];
        view->fastest[system->tracked[t]] =
            sis_wide(system->lanes)
                ->line->largest(view->motion.next + bodies->first, bodies->count);
    }
    for (int32_t l = 0; l < system->line_count; l++)
        met |= solve_line(system, state, l, view);
    for (int32_t o = 0; o < system->other_count; o++) {
        const int32_t b = system->others[o];
        const network_block* block = &system->blocks[b];
        if (block->sleeps &&
            sis_network_sleeps(block, system->links, system->line_offset, view->fastest,
                               &view->motion, &view->blocks[b], &view->work))
            continue;
        met = true;
        body_work done = solve_block(system, block, view, state->samples);
        if (block->sleeps) sis_network_doze(block, &view->blocks[b], &view->work);
        if (system->audit) record(state, done);
    }
    if (met) sis_count_groups(system, view);
    if (view->pushed) apply_forces(system, view);
}

// Audited, bodies with deferred loss tell what they lost in the sample before; the very first step
// was made at compile and is not recorded.
static void advance_and_record(const sis_system* system, sis_state* state, state_view* view,
                               double next) {
    const bool opens = state->samples <= 1;
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        if (opens && bodies->opening)
            add_to(&state->dissipated, &state->dissipated_rest,
                   bodies->opening(bodies, &view->motion));
        if (!opens && bodies->deferred)
            add_to(&state->dissipated, &state->dissipated_rest,
                   bodies->deferred(bodies, &view->motion, next));
        else
            bodies->advance(bodies, &view->motion, next);
    }
}

// Every body flies free to the next sample.
static void advance_bodies(const sis_system* system, sis_state* state, state_view* view) {
    // Others than driven masses do not look at the clock.
    double next = system->timed ? (double)(state->samples + 1) / system->rate : 0;
    if (system->audit) {
        advance_and_record(system, state, view, next);
        return;
    }
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        bodies->advance(bodies, &view->motion, next);
    }
}

// Records the work of a sample on bodies without deferred loss.
SIS_APART static void record_bodies(const sis_system* system, sis_state* state,
                                    const body_motion* motion) {
    const int32_t *alive = system->alive, *end = alive + system->alive_count;
    for (; alive < end; alive++) {
        const body_group* bodies = &system->body_groups[*alive];
        if (!bodies->deferred) record(state, bodies->kind->work(bodies, motion));
    }
}

// What external forces did to those that do.
SIS_APART static void record_forces(const sis_system* system, sis_state* state,
                                    const body_motion* motion) {
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        if (bodies->deferred)
            add_to(&state->supplied, &state->supplied_rest, body_supplied(bodies, motion));
    }
}

static void step_once(const sis_system* system, sis_state* state, state_view* view) {
    view->motion.unforced = state->samples > system->forced_until;
    if (!view->motion.unforced) sis_apply_sources(system, view->motion.F, state->samples);
    if (system->stretch_count) sis_stretch_columns(system, view);
    advance_bodies(system, state, view);
    if (system->link_count) solve_links(system, state, view);
    if (!system->audit) return;
    if (!system->all_deferred) record_bodies(system, state, &view->motion);
    if (!view->motion.unforced) record_forces(system, state, &view->motion);
}

// One sample and what its probes show.
static void step_frame(const sis_system* system, sis_state* state, state_view* view, double* row) {
    int32_t probes = row ? system->probe_count : 0;
    for (int32_t i = 0; i < probes; i++)
        row[i] = sis_probe_before(system, &system->readers[i], view);
    step_once(system, state, view);
    for (int32_t i = 0; i < probes; i++)
        row[i] += sis_probe_after(system, &system->readers[i], view);
    sis_view_turn(view);
    state->turn ^= 1;
}

// The state of another system: its arrays lie elsewhere. Silence, and a count.
SIS_APART static void refuse(const sis_system* system, sis_state* state, const sis_block* block) {
    if (!system || !state || !block) return;
    size_t probes = (size_t)system->probe_count;
    state->refused++;
    for (int32_t frame = 0; frame < block->frames; frame++) {
        if (block->probes)
            memset(block->probes + (size_t)frame * probes, 0, probes * sizeof(double));
        if (block->energy) block->energy[frame] = no_energy;
    }
}

void sis_step(const sis_system* system, sis_state* state, const sis_block* block) {
    if (!block || !sis_belongs(system, state)) {
        refuse(system, state, block);
        return;
    }
    state_view view = sis_view(system, state);
    size_t probes = (size_t)system->probe_count;
    double* row = block->probes;
    for (int32_t frame = 0; frame < block->frames; frame++) {
        if (state->samples > 0)
            step_frame(system, state, &view, row);
        else if (row) // row 0 is the given state; its step was made at compile
            memcpy(row, system->first_row, probes * sizeof *row);
        state->samples++;
        sis_end_decayed(system, state, &view);
        if (row) row += probes;
        if (block->energy) block->energy[frame] = sis_state_energy(system, state);
    }
}

void sis_step_batch(const sis_system* const* systems, sis_state* const* states,
                    const sis_block* blocks, int32_t count) {
    if (!systems || !states || !blocks) return;
    for (int32_t i = 0; i < count; i++)
        sis_step(systems[i], states[i], &blocks[i]);
}
