// One sample after another: bodies advance freely, the network finds the forces, bodies accept
// them.
#include "step/system.h"

#include <math.h>
#include <string.h>

// Adds with the rounding error kept in `rest` (Neumaier), so that the books close over millions of
// samples.
static void add_to(double* sum, double* rest, double value) {
    if (value == 0) return; // as most samples of most sums
    double total = *sum + value, taken = total - *sum;
    *rest += (*sum - (total - taken)) + (value - taken);
    *sum = total;
}

// Work is booked as it is told, part by part: most parts are 0, and nothing is kept across a call.
static void book(sis_state* state, body_work done) {
    add_to(&state->supplied, &state->supplied_rest, done.supplied);
    add_to(&state->dissipated, &state->dissipated_rest, done.dissipated);
}

// What was lost so far, J: what is booked, and what bodies that book late have not booked yet.
static double lost_so_far(const sis_system* system, const sis_state* state,
                          const state_view* view) {
    double lost = 0;
    if (!(state->samples > 1)) return 0;
    for (int32_t b = 0; b < system->bank_count && system->audit; b++)
        if (system->banks[b].late)
            lost += system->banks[b].kind->work(&system->banks[b], &view->motion).dissipated;
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

// A contact alone in its block, outside of rows, that is open, holds nothing and stays open: most
// samples of most contacts. Its travel is the free one.
static bool flies(const sis_system* system, const network_block* block, state_view* view) {
    contact_memory* m = &view->work.memory[block->first];
    if (!block->flies || m->eta > 0) return false;
    const network_link* link = &system->links[block->first];
    const double *d = view->motion.d, *ahead = view->motion.next;
    bool below = block->below >= 0, above = block->above >= 0;
    double free = ((below ? ahead[block->below] : 0) - (above ? ahead[block->above] : 0)) +
                  ((below ? d[block->below] : 0) - (above ? d[block->above] : 0));
    double next = m->before + free;
    bool holds = link->scheme == SIS_SCHEME_QUADRATISED && !link->release; // looks at eta^n only
    if (!holds && !(next <= 0 && m->E == 0 && m->before <= 0)) return false;
    if (!(fabs(free) < 1e52) || m->E < 0) return false; // not to be believed: see finite_or_none
    if (m->E != 0 && !(next > 0)) view->sample[system->owner[block->first]].held += m->E;
    m->before = m->eta;
    m->eta = next;
    m->force = m->phi_before = 0;
    view->work.force[block->first] = 0;
    view->work.free[block->first] = view->work.travel[block->first] = free;
    return true;
}

// The travel of a link by d + next.
static double travel_of(const network_link* link, const state_view* view) {
    const double *next = view->motion.next, *d = view->motion.d;
    if (link->kind == LINK_STRETCH)
        return sis_link_read(link, view, next) + sis_link_read(link, view, d);
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
    for (int32_t i = first; i < end; i++)
        work->free[i] = travel_of(&system->links[i], view);
    body_work done = sis_network_solve(block, system->links, system->k, work);
    for (int32_t i = first; i < end; i++) {
        network_link_advance(&system->links[i], &work->memory[i], work->travel[i]);
        if (block->count > 1 && !work->chosen[i] && work->memory[i].E == 0) continue; // open
        sis_count_link(system, view, i, sample);
        work->cost[i] = (contact_cost){0};
        if (work->force[i] != 0)
            view->pushed |= sis_link_give(&system->links[i], view, work->force[i]);
    }
    return done;
}

// The push of each run of degrees of freedom that links hold on to: cleared before, given after.
// Most runs are the few points under one link, and under an open one there is nothing to do.
enum { FEW = 8 };

static double* push_on(const sis_system* system, const state_view* view, const dof_range* range) {
    return view->motion.push + system->banks[range->bank].first + range->first;
}

static void clear_push(const sis_system* system, state_view* view) {
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

static void give_push(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        const body_bank* bank = &system->banks[range->bank];
        if (range->count <= FEW && !is_pushed(push_on(system, view, range), range->count)) continue;
        bank->kind->give(bank, &view->motion, range->first, range->count);
    }
}

// What a row has to look at: the string over it has flown and sees itself where it is below its
// floor, but a force may have pushed it there after that.
static row_look look_of(const sis_system* system, const network_row* row, const state_view* view) {
    if (row->watch < 0) return ROW_LOOKS_ROUND;
    if (!view->motion.unforced && system->banks[row->watch].forced_count) return ROW_LOOKS_ROUND;
    return view->motion.fallen[row->watch] ? ROW_LOOKS_DOWN : ROW_LOOKS_AWAY;
}

// Nothing can push in this sample: all links lie in rows that sleep, and no string sees its floor.
static bool stays_calm(const sis_system* system, const state_view* view) {
    if (!view->calm) return false;
    for (int32_t r = 0; r < system->row_count; r++)
        if (look_of(system, &system->rows[r], view) != ROW_LOOKS_AWAY) return false;
    return true;
}

static bool all_asleep(const sis_system* system, const state_view* view) {
    uint64_t any = 0;
    for (int32_t i = 0; i < system->awake_words; i++)
        any |= view->awake[i];
    return any == 0;
}

// A row: wakes the points that come near, solves those that are awake. False: there are none.
static bool solve_row(const sis_system* system, const network_row* row, state_view* view) {
    uint64_t *awake = view->awake + row->word, *near = view->near + row->word;
    const row_look look = look_of(system, row, view);
    if (look == ROW_LOOKS_AWAY && !network_row_any(awake, row->count)) return false;
    if (!system->kernel->wake(row, &view->motion, awake, near, look)) return false;
    row_tally t = system->kernel->solve(row, &view->motion, sis_row_cells(row, view),
                                        view->work.force + row->first, awake, near);
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
    now->unsolved += t.unsolved;
    return true;
}

// All links of one sample: r* = B^T (d* + d), forces block by block, push on the bodies. Audited,
// what they supply and lose is booked.
SIS_APART static void solve_links(const sis_system* system, sis_state* state, state_view* view) {
    const uint64_t sample = state->samples;
    bool met = false;
    if (view->pushed) clear_push(system, view);
    view->pushed = false;
    if (system->bows_move) sis_set_bows(system, view, (double)sample / system->rate);
    if (system->bow_count) sis_slide_linear_bows(system, view);
    for (int32_t r = 0; r < system->row_count; r++)
        met |= solve_row(system, &system->rows[r], view);
    for (int32_t b = 0; b < system->other_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        if (flies(system, block, view)) {
            met |= view->work.memory[block->first].E != 0; // it holds something
            continue;
        }
        met = true;
        body_work done = solve_block(system, block, view, sample);
        if (system->audit) book(state, done);
    }
    if (met) sis_count_groups(system, view);
    if (view->pushed) give_push(system, view);
    view->calm = system->other_count == 0 && !view->pushed && all_asleep(system, view);
}

// Audited, bodies that book late tell what they lost in the sample before; the very first step was
// made at compile and is not booked.
static void advance_and_book(const sis_system* system, sis_state* state, state_view* view,
                             double next) {
    const bool opens = state->samples <= 1;
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_bank* bank = &system->banks[system->alive[b]];
        if (opens && bank->opening)
            add_to(&state->dissipated, &state->dissipated_rest, bank->opening(bank, &view->motion));
        if (!opens && bank->late)
            add_to(&state->dissipated, &state->dissipated_rest,
                   bank->late(bank, &view->motion, next));
        else
            bank->advance(bank, &view->motion, next);
    }
}

// Every body flies free to the next sample.
static void advance_bodies(const sis_system* system, sis_state* state, state_view* view) {
    // Others than driven masses do not look at the clock.
    double next = system->timed ? (double)(state->samples + 1) / system->rate : 0;
    if (system->audit) {
        advance_and_book(system, state, view, next);
        return;
    }
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_bank* bank = &system->banks[system->alive[b]];
        bank->advance(bank, &view->motion, next);
    }
}

// Books the work of a sample on bodies that do not book late.
SIS_APART static void book_bodies(const sis_system* system, sis_state* state,
                                  const body_motion* motion) {
    const int32_t *alive = system->alive, *end = alive + system->alive_count;
    for (; alive < end; alive++) {
        const body_bank* bank = &system->banks[*alive];
        if (!bank->late) book(state, bank->kind->work(bank, motion));
    }
}

// What external forces did to those that do.
SIS_APART static void book_forces(const sis_system* system, sis_state* state,
                                  const body_motion* motion) {
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_bank* bank = &system->banks[system->alive[b]];
        if (bank->late)
            add_to(&state->supplied, &state->supplied_rest, body_supplied(bank, motion));
    }
}

static void step_once(const sis_system* system, sis_state* state, state_view* view) {
    view->motion.unforced = state->samples > system->forced_until;
    if (!view->motion.unforced) sis_apply_sources(system, view->motion.F, state->samples);
    if (system->stretch_count) sis_stretch_columns(system, view);
    advance_bodies(system, state, view);
    if (!stays_calm(system, view)) solve_links(system, state, view);
    if (!system->audit) return;
    if (!system->all_late) book_bodies(system, state, &view->motion);
    if (!view->motion.unforced) book_forces(system, state, &view->motion);
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
    for (int32_t i = 0; i < count; i++)
        sis_step(systems[i], states[i], &blocks[i]);
}
