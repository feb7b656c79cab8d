#include "run.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS_MAX 4503599627370496.0 // 2^52

bool sis_plan_make(double rate, int32_t oversample, double duration, sis_plan* plan,
                   sis_fault* fault) {
    double rows = round(rate * duration);
    if (!(rows >= 1))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "nothing to run: %g s at %g Hz are 0 samples; the duration must be "
                             "at least %g s",
                             duration, rate, 0.5 / rate);
    if (!(rows * oversample <= STEPS_MAX))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%g s at %g Hz and oversample %d are %.3g steps; at most %.3g can be "
                             "told apart in time",
                             duration, rate, (int)oversample, rows * oversample, STEPS_MAX);
    *plan = (sis_plan){
        .rate = rate, .oversample = oversample, .duration = duration, .rows = (uint64_t)rows};
    return true;
}

uint64_t sis_plan_steps(const sis_plan* plan) {
    return plan->rows * (uint64_t)plan->oversample;
}

double sis_plan_step_rate(const sis_plan* plan) {
    return plan->rate * plan->oversample;
}

double sis_run_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** CPU time of this thread, s: a busy machine does not count. */
static double thread_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

sis_state* sis_run_state(const sis_system* system, sis_fault* fault) {
    void* memory = aligned_alloc(64, sis_state_size(system));
    if (memory) return sis_state_init(system, memory);
    sis_fault_no_memory(fault);
    return NULL;
}

/** Says what of the scene a fault is about. Returns false. */
static bool is_about(sis_kind kind, const char* name, sis_fault* fault) {
    if (!fault) return false;
    fault->of = kind;
    snprintf(fault->object, sizeof fault->object, "%s", name);
    return false;
}

/** Without a branch a value: nearly always all of them are. 0 x is 0 for these, and only for these;
 * sums side by side need not wait for each other. */
static bool are_finite(const double* values, size_t count) {
    double sum[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++)
            sum[j] += 0 * values[i + j];
    for (; i < count; i++)
        sum[0] += 0 * values[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0;
}

static bool all_finite(const sis_frames* frames, sis_fault* fault) {
    double rate = sis_system_rate(frames->system);
    size_t values = (size_t)frames->count * (size_t)frames->probe_count;
    for (int32_t n = 0; !are_finite(frames->probes, values) && n < frames->count; n++) {
        uint64_t step = frames->first + (uint64_t)n;
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        for (int32_t p = 0; p < frames->probe_count; p++)
            if (!isfinite(row[p])) {
                const char* name = sis_system_probe(frames->system, p).name;
                sis_fault_set(fault, SIS_FAULT_RUN,
                              "probe '%s' is not a finite number at step %llu (%.6g s)", name,
                              (unsigned long long)step, (double)step / rate);
                return is_about(SIS_KIND_PROBE, name, fault);
            }
    }
    for (int32_t n = 0; n < frames->energies; n++) {
        const sis_energy* e = &frames->energy[n];
        uint64_t step = frames->first + (uint64_t)(frames->count - frames->energies + n);
        if (!isfinite(e->total) || !isfinite(e->residual))
            return sis_fault_set(fault, SIS_FAULT_RUN,
                                 "the energy is not a finite number after step %llu (%.6g s)",
                                 (unsigned long long)step, (double)step / rate);
    }
    return true;
}

// ---------------------------------------------------------------------------- schemes that may
// fail

static bool is_fragile(const sis_link_info* link) {
    return link->kind == SIS_KIND_CONTACT && link->scheme >= SIS_SCHEME_ROOT &&
           link->scheme != SIS_SCHEME_INVARIANT;
}

static bool any_fragile(const sis_system* system) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info link = sis_system_link(system, i);
        if (is_fragile(&link)) return true;
    }
    return false;
}

/** A root that is not real is the end, unless the contact asked to go on with its real part. */
static bool is_real(const sis_link_info* link, const sis_link_report* r, sis_fault* fault) {
    if (link->clamp || !r->complex_roots) return true;
    sis_fault_set(fault, SIS_FAULT_RUN,
                  "contact '%s': complex root at sample %llu (discriminant %.3g): s = %g has "
                  "no real force there; try s = %g, a higher rate, or clamp = true",
                  link->name, (unsigned long long)r->first_complex, r->discriminant, link->s,
                  link->s < 1 ? 1 : 2 * link->s);
    return is_about(link->kind, link->name, fault);
}

static bool diverges(const sis_link_info* link, uint64_t step, double rate, const char* how,
                     sis_fault* fault) {
    sis_fault_set(
        fault, SIS_FAULT_RUN,
        "contact '%s': %s diverges at sample %llu (%.6g s), %s: the contact is too short for "
        "it; try scheme = \"invariant\", \"ledger\" or \"newton\", or a higher rate",
        link->name, sis_scheme_word(link->scheme), (unsigned long long)step, (double)step / rate,
        how);
    return is_about(link->kind, link->name, fault);
}

/** Every contact found an answer in every sample so far. */
static bool all_answer(const sis_run* run, sis_fault* fault) {
    double rate = sis_system_rate(run->system);
    for (int32_t i = 0; i < sis_system_link_count(run->system); i++) {
        sis_link_info link = sis_system_link(run->system, i);
        if (!is_fragile(&link)) continue;
        sis_link_report r = sis_state_link(run->system, run->state, i);
        char how[64];
        if (link.scheme == SIS_SCHEME_ROOT && !is_real(&link, &r, fault)) return false;
        if (!r.diverged) continue;
        snprintf(how, sizeof how, "where one step leaves %.3g times the energy", r.growth);
        return diverges(&link, r.first_diverged, rate, how, fault);
    }
    return true;
}

bool sis_run_answers(const sis_system* system, const sis_state* state, sis_fault* fault) {
    sis_run run = {.system = system, .state = (sis_state*)(uintptr_t)state};
    return !any_fragile(system) || all_answer(&run, fault);
}

/** The contact whose impacts have gained most. */
static sis_link_info worst_of(const sis_run* run) {
    sis_link_info worst = {0};
    double most = -INFINITY;
    for (int32_t i = 0; i < sis_system_link_count(run->system); i++) {
        sis_link_info link = sis_system_link(run->system, i);
        double gained = sis_state_link(run->system, run->state, i).drift_sum;
        if (!is_fragile(&link) || link.scheme == SIS_SCHEME_ROOT || !(gained > most)) continue;
        worst = link;
        most = gained;
    }
    return worst;
}

/** Methods that make energy little by little: more than four times all that was put in. */
static bool stays_bounded(sis_run* run, const sis_frames* frames, sis_fault* fault) {
    for (int32_t n = 0; n < frames->energies; n++) {
        const sis_energy* e = &frames->energy[n];
        run->put_in = fmax(run->put_in, fabs(e->supplied));
        if (!(e->residual > 4 * run->put_in)) continue;
        sis_link_info link = worst_of(run);
        if (link.name)
            return diverges(&link, frames->first + (uint64_t)n, sis_system_rate(run->system),
                            "where it has made more than 4 times the energy put in", fault);
    }
    return true;
}

/** Asks for energies after some blocks only. A method that makes energy is watched at every step.
 */
static bool asks_seldom(const sis_run* run) {
    return run->seldom && !run->unaudited && !run->fragile;
}

/** Frames of the next block: no more than are left and no further than a sink wants a cut, or an
 *  energy is due. */
static int32_t block_length(const sis_run* run) {
    uint64_t end = run->done + (uint64_t)run->longest;
    uint64_t due = (run->done / SIS_ENERGY_STEPS + 1) * SIS_ENERGY_STEPS;
    if ((asks_seldom(run) || run->sleep > 0) && end > due) end = due;
    if (end > run->steps) end = run->steps;
    for (int32_t i = 0; i < run->sink_count; i++) {
        const sis_sink* sink = &run->sinks[i];
        uint64_t cut = sink->next_cut ? sink->next_cut(sink->self, run->done) : end;
        if (cut > run->done && cut < end) end = cut;
    }
    return (int32_t)(end - run->done);
}

// To ask for CPU time is a call of the system, too dear for every block: over a short span stepping
// had as much of it as of the time on the wall.
#define SIS_RUN_SPAN 1e-3 // s

static void add_seconds(sis_run* run, double now) {
    double busy = thread_clock(), wall = now - run->since;
    if (wall > 0) run->seconds += (run->threads ? wall : busy - run->busy) * run->stepped / wall;
    run->stepped = 0;
    run->since = now;
    run->busy = busy;
}

/** Looked at every SIS_ENERGY_STEPS, whatever the sinks ask for. */
static void fall_asleep(sis_run* run) {
    if (run->slept || run->done % SIS_ENERGY_STEPS) return;
    run->largest = fmax(run->largest, sis_state_energy(run->system, run->state).total);
    if (sis_state_sleep(run->system, run->state, run->sleep * run->largest)) run->slept = run->done;
}

/** What a block reads and fills. */
typedef struct arrays {
    double* probes;
    double* inputs;     // NULL: they keep their values
    sis_energy* energy; // NULL: not asked for
} arrays;

static bool run_block(sis_run* run, const arrays* a, sis_fault* fault) {
    const bool seldom = asks_seldom(run);
    sis_energy* energy = a->energy;
    sis_block block = {.frames = block_length(run),
                       .probes = a->probes,
                       .energy = seldom ? NULL : energy,
                       .inputs = a->inputs};
    if (a->inputs) run->gestures(run->gestures_self, run->done, block.frames, a->inputs);
    double start = sis_run_clock();
    if (run->threads)
        sis_step_threads(run->system, run->state, &block, run->threads);
    else
        sis_step(run->system, run->state, &block); // by its name: profilers count inside it
    if (seldom) *energy = sis_state_energy(run->system, run->state);
    double now = sis_run_clock();
    run->stepped += now - start;
    if (now - run->since > SIS_RUN_SPAN) add_seconds(run, now);
    sis_frames frames = {.system = run->system,
                         .state = run->state,
                         .first = run->done,
                         .count = block.frames,
                         .probe_count = sis_system_probe_count(run->system),
                         .probes = a->probes,
                         .energy = energy,
                         .energies = energy ? (seldom ? 1 : block.frames) : 0,
                         .inputs = a->inputs};
    // What has no answer comes first: what is not finite may be its consequence.
    if (run->fragile && !all_answer(run, fault)) return false;
    if (run->fragile && !stays_bounded(run, &frames, fault)) return false;
    if (!all_finite(&frames, fault)) return false;
    for (int32_t i = 0; i < run->sink_count; i++)
        if (!run->sinks[i].take(run->sinks[i].self, &frames, fault)) return false;
    run->done += (uint64_t)block.frames;
    if (run->sleep > 0) fall_asleep(run);
    if (run->progress) run->progress(run->progress_self, run->done, run->steps);
    return !run->pause || run->pause(run->pause_self, run, fault);
}

/** Who is impatient asks again soon: blocks grow from one step to a few as long as they take a
 * small part of the patience. A step may suddenly take long: when hundreds of points touch. */
enum { SIS_FRAMES_IMPATIENT = 16 };

static void choose_longest(sis_run* run, double waited, double before) {
    if (run->patience > 0 && waited - before > 0.05 * run->patience && run->longest > 1)
        run->longest /= 2;
    else if (run->longest < SIS_FRAMES_IMPATIENT && waited - before < 0.02 * run->patience)
        run->longest *= 2;
}

static void free_arrays(arrays* a) {
    free(a->probes);
    free(a->inputs);
    free(a->energy);
}

static bool make_arrays(const sis_run* run, arrays* a, sis_fault* fault) {
    size_t probes = (size_t)sis_system_probe_count(run->system);
    size_t inputs = run->gestures ? (size_t)sis_system_input_count(run->system) : 0;
    *a = (arrays){.probes = malloc((probes + 1) * SIS_FRAMES_MAX * sizeof *a->probes)};
    if (inputs) a->inputs = malloc(inputs * SIS_FRAMES_MAX * sizeof *a->inputs);
    if (!run->unaudited) a->energy = malloc(SIS_FRAMES_MAX * sizeof *a->energy);
    if (a->probes && (a->inputs || !inputs) && (a->energy || run->unaudited)) return true;
    free_arrays(a);
    return sis_fault_no_memory(fault);
}

void sis_run_keep(sis_run* run, sis_store* store) {
    sis_store_walk(store, &run->done, sizeof run->done);
    sis_store_walk(store, &run->seconds, sizeof run->seconds);
    sis_store_walk(store, &run->put_in, sizeof run->put_in);
    sis_store_walk(store, &run->largest, sizeof run->largest);
    sis_store_walk(store, &run->slept, sizeof run->slept);
    run->goes_on = store->reading;
}

/** What curves and sounds from outside gave before is passed over: they are read in order. */
static void pass_over(const sis_run* run, const arrays* a) {
    for (uint64_t done = 0; a->inputs && done < run->done;) {
        uint64_t left = run->done - done;
        int32_t now = left < SIS_FRAMES_MAX ? (int32_t)left : SIS_FRAMES_MAX;
        run->gestures(run->gestures_self, done, now, a->inputs);
        done += (uint64_t)now;
    }
}

/** Where a run begins that does not go on with another one. */
static void begin(sis_run* run) {
    run->done = 0;
    run->seconds = 0;
    run->put_in = fabs(sis_state_energy(run->system, run->state).total);
    run->largest = run->put_in;
    run->slept = 0;
}

bool sis_run_go(sis_run* run, sis_fault* fault) {
    arrays a;
    if (!make_arrays(run, &a, fault)) return false;
    bool fine = true;
    double start = sis_run_clock();
    if (run->goes_on)
        pass_over(run, &a);
    else
        begin(run);
    run->stepped = 0;
    run->since = start;
    run->busy = thread_clock();
    run->fragile = !run->lenient && any_fragile(run->system);
    run->longest = run->patience > 0 ? 1 : SIS_FRAMES_MAX;
    double waited = 0;
    while (fine && run->done < run->steps) {
        if (run->patience > 0 && run->done && waited > run->patience) break;
        fine = run_block(run, &a, fault);
        double before = waited;
        waited = run->patience > 0 ? sis_run_clock() - start : 0;
        if (run->patience > 0) choose_longest(run, waited, before);
    }
    add_seconds(run, sis_run_clock());
    free_arrays(&a);
    return fine;
}
