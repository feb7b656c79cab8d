// One sample after another: bodies advance freely, the network finds the forces, bodies accept
// them.
//
// Parts of a system share nothing that one of them writes: each makes all samples of a block by
// itself, in any thread, and the sums over parts are made in their order when all have ended. So
// neither the number of threads nor the length of blocks can be seen in the results.
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
static void record(part_sums* sums, body_work done) {
    add_to(&sums->supplied, &sums->supplied_rest, done.supplied);
    add_to(&sums->dissipated, &sums->dissipated_rest, done.dissipated);
}

static void record_loss(part_sums* sums, double lost) {
    add_to(&sums->dissipated, &sums->dissipated_rest, lost);
}

// What a part lost so far, J: what is recorded, and the deferred loss of bodies.
static double lost_so_far(const sis_system* system, const state_view* view) {
    double lost = 0;
    if (!(view->samples > 1)) return 0;
    for (int32_t b = 0; b < system->alive_count && system->audit; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        if (bodies->deferred) lost += bodies->kind->work(bodies, &view->motion).dissipated;
    }
    return (view->sums->dissipated + view->sums->dissipated_rest) + lost;
}

static const sis_energy no_energy = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                     (double)NAN, (double)NAN, (double)NAN};

// Energies of a part, but for total and residual.
static sis_energy part_energy(const sis_system* part, const state_view* view) {
    sis_energy e = sis_part_stored(part, view);
    e.supplied = view->sums->supplied + view->sums->supplied_rest;
    e.dissipated = lost_so_far(part, view);
    return e;
}

static void add_energy(sis_energy* sum, const sis_energy* part) {
    sum->kinetic += part->kinetic;
    sum->elastic += part->elastic;
    sum->contact += part->contact;
    sum->supplied += part->supplied;
    sum->dissipated += part->dissipated;
}

// Total and residual, once the energies of all parts are added.
static sis_energy balance(const sis_system* system, sis_energy e) {
    e.total = e.kinetic + e.elastic + e.contact;
    if (!system->audit) e.supplied = e.dissipated = (double)NAN;
    e.residual = ((e.total - system->initial) - e.supplied) + e.dissipated;
    return e;
}

// A state that sleeps holds nothing.
static sis_energy energy_asleep(const sis_system* system, const sis_state* state,
                                const state_view* view) {
    sis_energy e = {.dissipated = state->slept};
    for (int32_t p = 0; p < system->part_count; p++)
        e.supplied += view->sums[p].supplied + view->sums[p].supplied_rest;
    return balance(system, e);
}

sis_energy sis_state_energy(const sis_system* system, const sis_state* state) {
    if (!sis_belongs(system, state)) return no_energy;
    const state_view whole = sis_view(system, state);
    sis_energy sum = {0};
    if (state->asleep) return energy_asleep(system, state, &whole);
    for (int32_t p = 0; p < system->part_count; p++) {
        const state_view view = sis_part_view(sis_part(system, p), &whole);
        const sis_system* live = sis_live_system(sis_part(system, p), &view);
        const sis_energy e = part_energy(live, &view);
        sis_live_done(live, &view);
        add_energy(&sum, &e);
    }
    return balance(system, sum);
}

// The travel of a link by d + next.
static double travel_of(const sis_system* system, const network_link* link,
                        const state_view* view) {
    const double *next = view->motion.next, *d = view->motion.d;
    if (link->class->modulation)
        return sis_link_read(link, view, next) + sis_link_read(link, view, d);
    network_pair below = sis_read_two(system, &link->below, next, d);
    network_pair above = sis_read_two(system, &link->above, next, d);
    return (below.a - above.a) + (below.b - above.b);
}

// The links of one block: free travels, forces, and what they do to the bodies. Returns
// what they supply and lose.
static body_work solve_block(const sis_system* system, const network_block* block,
                             state_view* view) {
    network_work* work = &view->work;
    int32_t first = block->first, end = block->first + block->count;
    const network_band* band = block->band;
    const bool all = !band || !band->plain; // else the string tells most of them at once
    for (int32_t i = first; all && i < end; i++)
        work->free[i] = travel_of(system, &system->links[i], view);
    if (!all) sis_band_free(block, view->motion.d, view->motion.next, work);
    for (int32_t o = 0; !all && o < band->other_count; o++)
        work->free[band->other[o]] = travel_of(system, &system->links[band->other[o]], view);
    body_work done = sis_network_solve(block, system->links, system->k, work);
    for (int32_t i = first; i < end; i++) {
        network_advance(&system->links[i], &work->memory, i, work->travel[i]);
        if (block->count > 1 && !work->chosen[i] && work->memory.E[i] == 0) continue; // open
        sis_count_link(system, view, i, view->samples);
        work->cost[i] = (contact_cost){0};
        if (work->force[i] != 0 && (all || band->node[i - first] < 0))
            view->accumulated |= sis_link_apply(&system->links[i], view, work->force[i]);
    }
    if (!all) view->accumulated |= sis_band_add_forces(block, work, view->motion.link_force);
    return done;
}

// The force accumulator, over each run of degrees of freedom that links hold on to: cleared before
// the links are solved, applied after. Most runs are the few points under one link, and under an
// open one there is nothing to do.
enum { FEW = 8 };

static double* force_on(const sis_system* system, const state_view* view, const dof_range* range) {
    return view->motion.link_force + system->body_groups[range->group].first + range->first;
}

static void clear_forces(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        double* force = force_on(system, view, range);
        if (range->count > FEW) memset(force, 0, (size_t)range->count * sizeof(double));
        for (int32_t i = 0; i < range->count && range->count <= FEW; i++)
            if (force[i] != 0) force[i] = 0;
    }
}

static bool is_any(const double* force, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (force[i] != 0) return true;
    return false;
}

static void apply_forces(const sis_system* system, state_view* view) {
    for (int32_t r = 0; r < system->range_count; r++) {
        const dof_range* range = &system->ranges[r];
        const body_group* bodies = &system->body_groups[range->group];
        if (range->count <= FEW && !is_any(force_on(system, view, range), range->count)) continue;
        bodies->kind->apply(bodies, &view->motion, range->first, range->count);
    }
}

// A line that is solved point by point. Returns what it lost, J.
static double solve_points(const sis_system* system, const contact_line* line, state_view* view) {
    double lost = 0;
    for (int32_t j = 0; j < line->count; j++) {
        int32_t i = line->first + j;
        lost +=
            sis_line_point(line, j, system->k, &view->motion, &view->work, &view->accumulated).lost;
        sis_count_link(system, view, i, view->samples);
        view->work.cost[i] = (contact_cost){0};
    }
    return lost;
}

// A contact line: wakes the points that come near, solves those that are awake. False: there are
// none.
static bool solve_line(const sis_system* system, int32_t l, state_view* view) {
    const contact_line* line = &system->lines[l];
    const line_place place = sis_line_place(line, view);
    bool forced = !view->motion.unforced && line->watch == LINE_DETECTED &&
                  system->body_groups[line->detection.group].forced_count;
    if (!sis_line_wake(line, &view->lines[l], view->fastest, forced, &place)) return false;
    double lost;
    if (line->kernel) {
        line_tally tally = sis_line_solve(line, &view->lines[l], &place);
        sis_count_line(line, view, &tally);
        view->accumulated |= tally.accumulated;
        lost = tally.lost;
    } else {
        lost = solve_points(system, line, view);
    }
    if (system->audit && lost != 0) record_loss(view->sums, lost);
    return true;
}

// All links of one sample: r* = B^T (d* + d), forces line by line and block by block, and what they
// do to the bodies. Audited, what they supply and lose is recorded.
SIS_APART static void solve_links(const sis_system* system, state_view* view) {
    bool met = false;
    if (view->accumulated) clear_forces(system, view);
    view->accumulated = false;
    if (system->bows_move || (view->moved && system->bows_follow))
        sis_set_bows(system, view, view->samples);
    if (system->bow_count) sis_move_linear_bows(system, view);
    for (int32_t t = 0; t < system->tracked_count; t++) {
        const body_group* bodies = &system->body_groups[system->tracked[t]];
        view->fastest[system->tracked[t]] =
            sis_wide(system->lanes)
                ->line->largest(view->motion.next + bodies->first, bodies->count);
    }
    for (int32_t l = system->line_first; l < system->line_first + system->line_count; l++)
        met |= solve_line(system, l, view);
    for (int32_t o = 0; o < system->other_count; o++) {
        const int32_t b = system->others[o];
        const network_block* block = &system->blocks[b];
        if (block->springs && network_all_slack(block, system->links)) continue;
        if (block->sleeps &&
            sis_network_sleeps(block, system->links, system->line_offset, view->fastest,
                               &view->motion, &view->blocks[b], &view->work))
            continue;
        met = true;
        body_work done = solve_block(system, block, view);
        if (block->sleeps) sis_network_doze(block, &view->blocks[b], &view->work);
        if (system->audit) record(view->sums, done);
    }
    if (met) sis_count_groups(system, view);
    if (view->accumulated) apply_forces(system, view);
}

// Audited, bodies with deferred loss tell what they lost in the sample before; the very first step
// was made at compile and is not recorded.
static void advance_and_record(const sis_system* system, state_view* view, double next) {
    const bool opens = view->samples <= 1;
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        if (opens && bodies->opening)
            record_loss(view->sums, bodies->opening(bodies, &view->motion));
        if (!opens && bodies->deferred)
            record_loss(view->sums, bodies->deferred(bodies, &view->motion, next));
        else
            bodies->advance(bodies, &view->motion, next);
    }
}

// Every body flies free to the next sample.
static void advance_bodies(const sis_system* system, state_view* view) {
    // Others than driven masses do not look at the clock.
    double next = system->timed ? (double)(view->samples + 1) / system->rate : 0;
    if (system->audit) {
        advance_and_record(system, view, next);
        return;
    }
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        bodies->advance(bodies, &view->motion, next);
    }
}

// Records the work of a sample on bodies without deferred loss.
SIS_APART static void record_bodies(const sis_system* system, state_view* view) {
    const int32_t *alive = system->alive, *end = alive + system->alive_count;
    for (; alive < end; alive++) {
        const body_group* bodies = &system->body_groups[*alive];
        if (!bodies->deferred) record(view->sums, bodies->kind->work(bodies, &view->motion));
    }
}

// What external forces did to those that do.
SIS_APART static void record_forces(const sis_system* system, state_view* view) {
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        if (bodies->deferred)
            add_to(&view->sums->supplied, &view->sums->supplied_rest,
                   body_supplied(bodies, &view->motion));
    }
}

static void step_once(const sis_system* system, state_view* view) {
    view->motion.unforced = view->samples > system->forced_until ||
                            (!sis_apply_sources(system, view, view->samples) && !system->pulled);
    if (system->modulation_count) sis_modulation_columns(system, view);
    advance_bodies(system, view);
    if (system->link_count) solve_links(system, view);
    if (!system->audit) return;
    if (!system->all_deferred) record_bodies(system, view);
    if (!view->motion.unforced) record_forces(system, view);
}

// One sample and what its probes show.
static void step_frame(const sis_system* system, state_view* view, double* row) {
    const int32_t *heard = system->heard, *end = heard + (row ? system->heard_count : 0);
    for (const int32_t* i = heard; i < end; i++)
        row[*i] = sis_probe_before(system, &system->readers[*i], view);
    step_once(system, view);
    for (const int32_t* i = heard; i < end; i++)
        row[*i] += sis_probe_after(system, &system->readers[*i], view);
    sis_view_turn(view);
}

// Decayed sounds end. A damped body halves its motion for ever, and below 1e-308 numbers are
// denormal, which takes most processors many times as long. So whatever has fallen to 1e-150 of the
// largest it ever was is set to 0: every LOOK samples, counted from the start, so that blocks do
// not matter. Until then the squares of it, too, are normal numbers if it ever was above 1e-4. A
// body may come to rest away from 0 (on a table; held by the rounding of a spring): then its
// increments end.
//
// What is taken away is a share 1e-150 of an energy whose balance closes to 1e-16: as losses it
// rounds to nothing, and the balance closes as before.

enum { LOOK = 256 };
#define NOTHING 1e-150

static void end_decayed(const body_group* bodies, state_view* view) {
    double *u = view->motion.u, *d = view->motion.d, *rest = view->motion.rest;
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++) {
        double now = fabs(u[i]) + fabs(d[i]);
        if (now > view->largest[i]) view->largest[i] = now;
        double least = NOTHING * view->largest[i];
        if (!(fabs(d[i]) < least)) continue;
        d[i] = 0;
        if (fabs(rest[i]) < least) rest[i] = 0;
        if (fabs(u[i]) < least) u[i] = 0;
    }
}

static void end_all_decayed(const sis_system* system, state_view* view) {
    if (view->samples % LOOK) return;
    for (int32_t b = 0; b < system->alive_count; b++)
        end_decayed(&system->body_groups[system->alive[b]], view);
}

// Samples that all parts make before energies are added up.
typedef struct step_job {
    const sis_system* system;
    const state_view* view; // of the whole state
    int32_t frames;
    double* probes;
    sis_energy* energy; // [parts][frames]
    const double* inputs;
} step_job;

// One part of a job, by its turn in the order in which they are handed out.
static void step_part(void* data, int32_t turn) {
    const step_job* job = data;
    const int32_t p = job->system->parts ? job->system->order[turn] : 0;
    const sis_system* still = sis_part(job->system, p);
    state_view view = sis_part_view(still, job->view);
    const sis_system* part = sis_live_system(still, &view);
    double* row = job->probes;
    const double* inputs = job->inputs;
    const bool moves = part->input_count && (inputs || view.samples <= 1 || part->copies.held ||
                                             sis_inputs_move(part, &view));
    for (int32_t frame = 0; frame < job->frames; frame++) {
        if (moves) {
            double supplied = 0;
            part = sis_gesture(still, part, &view, inputs, &supplied);
            if (part->audit) add_to(&view.sums->supplied, &view.sums->supplied_rest, supplied);
            if (inputs) inputs += part->input_count;
        }
        if (view.samples > 0)
            step_frame(part, &view, row);
        else // row 0 is the given state; its step was made at compile
            for (int32_t i = 0; row && i < part->heard_count; i++)
                row[part->heard[i]] = part->first_row[part->heard[i]];
        view.samples++;
        end_all_decayed(part, &view);
        if (row) row += part->probe_count;
        if (job->energy) job->energy[p * job->frames + frame] = part_energy(part, &view);
    }
    sis_live_done(part, &view);
}

// All parts have made these samples. Row 0 has no step, so the increments have not changed places.
static void end_job(const step_job* job, sis_state* state, sis_energy* energy) {
    uint64_t steps = (uint64_t)job->frames - (state->samples == 0);
    state->turn ^= steps & 1;
    state->samples += (uint64_t)job->frames;
    for (int32_t frame = 0; job->energy && frame < job->frames; frame++) {
        sis_energy sum = {0};
        for (int32_t p = 0; p < job->system->part_count; p++)
            add_energy(&sum, &job->energy[p * job->frames + frame]);
        energy[frame] = balance(job->system, sum);
    }
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

// Nothing moves; time goes on.
SIS_APART static void sleep_on(const sis_system* system, sis_state* state, const sis_block* block) {
    const sis_energy e = sis_state_energy(system, state);
    for (int32_t frame = 0; frame < block->frames; frame++) {
        if (block->energy) block->energy[frame] = e;
        state->samples++;
    }
    if (block->probes && block->frames > 0)
        memset(block->probes, 0,
               (size_t)block->frames * (size_t)system->probe_count * sizeof(double));
}

bool sis_state_sleep(const sis_system* system, sis_state* state, double below) {
    if (!sis_belongs(system, state) || state->asleep) return sis_state_sleeps(state);
    if (state->samples <= system->acts_until) return false;
    const sis_energy e = sis_state_energy(system, state);
    if (!(e.total <= below)) return false;
    state->slept = e.dissipated + e.total;
    state->asleep = 1;
    return true;
}

bool sis_state_sleeps(const sis_state* state) {
    return state && state->asleep;
}

void sis_step_threads(const sis_system* system, sis_state* state, const sis_block* block,
                      const sis_threads* threads) {
    if (!block || !sis_belongs(system, state)) {
        refuse(system, state, block);
        return;
    }
    if (state->asleep) {
        sleep_on(system, state, block);
        return;
    }
    const int32_t parts = system->part_count;
    const int32_t most = parts > 1 && block->energy ? PART_FRAMES : INT32_MAX;
    for (int32_t done = 0; done < block->frames;) {
        const state_view view = sis_view(system, state);
        const int32_t left = block->frames - done;
        step_job job = {.system = system, .view = &view, .frames = left < most ? left : most};
        sis_energy* energy = block->energy ? block->energy + done : NULL;
        if (block->probes) job.probes = block->probes + (size_t)done * (size_t)system->probe_count;
        if (block->inputs) job.inputs = block->inputs + (size_t)done * (size_t)system->input_count;
        if (energy) job.energy = parts > 1 ? view.waiting : energy;
        if (threads && threads->run && parts > 1)
            threads->run(threads->self, parts, step_part, &job);
        else
            for (int32_t p = 0; p < parts; p++)
                step_part(&job, p);
        end_job(&job, state, energy);
        done += job.frames;
    }
}

void sis_step(const sis_system* system, sis_state* state, const sis_block* block) {
    sis_step_threads(system, state, block, NULL);
}

int32_t sis_system_parts(const sis_system* system) {
    return system ? system->part_count : 0;
}

void sis_step_batch(const sis_system* const* systems, sis_state* const* states,
                    const sis_block* blocks, int32_t count) {
    if (!systems || !states || !blocks) return;
    for (int32_t i = 0; i < count; i++)
        sis_step(systems[i], states[i], &blocks[i]);
}
