#include "compare_pass.h"

#include "tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** One run on its way. */
typedef struct pass {
    sis_compare* c;
    sis_contender* who;
    sis_pass_kind kind;
    uint64_t stride; // steps per row
    sis_departure departure;
    double* before;   // [probe_count] peaks of the draft
    uint64_t started; // steps of all runs before this one
} pass;

// ---------------------------------------------------------------------------- rows

/** What never moves has no peak; any motion of it is then wholly wrong. */
static double relative(double difference, double peak) {
    if (peak > 0) return fabs(difference) / peak;
    return difference != 0 ? 1 : 0;
}

static void compare_row(pass* p, uint64_t row, const double* values, const double* kept,
                        const double* peaks) {
    sis_contender* who = p->who;
    double worst = 0;
    for (int32_t i = 0; i < p->c->probe_count; i++) {
        double error = relative(values[i] - kept[i], peaks[i]);
        who->errors[i] = fmax(who->errors[i], error);
        worst = fmax(worst, error);
    }
    who->error = fmax(who->error, worst);
    if (worst > SIS_COMPARE_GOOD && isinf(who->good_until))
        who->good_until = (double)row / p->c->plan.rate;
    sis_window window = {.first = p->c->first_row, .count = p->c->row_count};
    double* column = &who->columns[sis_window_column(&window, p->c->column_count, row)];
    *column = fmax(*column, worst);
}

static void take_row(pass* p, uint64_t row, const double* values) {
    sis_compare* c = p->c;
    double* kept = c->rows + (row - c->first_row) * (uint64_t)c->probe_count;
    if (p->kind == SIS_PASS_SCHEME) {
        if (c->reference.ran) compare_row(p, row, values, kept, c->peaks);
        return;
    }
    if (p->kind == SIS_PASS_REFERENCE) compare_row(p, row, values, kept, p->before);
    for (int32_t i = 0; i < c->probe_count; i++) {
        kept[i] = values[i];
        c->peaks[i] = fmax(c->peaks[i], fabs(values[i]));
    }
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    pass* p = self;
    sis_compare* c = p->c;
    for (int32_t n = 0; n < frames->count; n++) {
        uint64_t step = frames->first + (uint64_t)n, row = step / p->stride;
        const double* values = frames->probes + (size_t)n * (size_t)frames->probe_count;
        if (*c->subject.name)
            sis_departure_add(&p->departure, step, sis_collider_deepest(&c->subject, values),
                              values[c->subject.velocity]);
        if (frames->probe_count) {
            sis_trace_add(&p->who->whole, step, values[0]);
            if (c->zoom_to > c->zoom_from) sis_trace_add(&p->who->zoom, step, values[0]);
        }
        if (row * p->stride == step && row >= c->first_row) take_row(p, row, values);
    }
    return true;
}

// ---------------------------------------------------------------------------- a run

static bool open_traces(const sis_compare* c, sis_contender* who, uint64_t stride) {
    sis_window whole = {.first = c->first_row * stride, .count = c->row_count * stride};
    sis_window zoom = {.first = (uint64_t)floor(c->zoom_from * who->rate),
                       .count = 1 + (uint64_t)ceil((c->zoom_to - c->zoom_from) * who->rate)};
    who->errors = calloc((size_t)c->probe_count + 1, sizeof *who->errors);
    who->columns = calloc((size_t)c->column_count + 1, sizeof *who->columns);
    return who->errors && who->columns && sis_trace_open(&who->whole, &whole, SIS_COLUMNS) &&
           sis_trace_open(&who->zoom, &zoom, SIS_COLUMNS);
}

static void read_links(sis_contender* who, const sis_system* system, const sis_state* state,
                       const sis_tally* tally) {
    double steps = 0, sum = 0;
    uint64_t iterated = 0;
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        if (sis_system_link(system, i).kind != SIS_KIND_CONTACT) continue;
        sis_link_report r = sis_state_link(system, state, i);
        who->min_force = fmin(who->min_force, r.min_force);
        who->trapped = fmax(who->trapped, sis_tally_share(tally, r.trapped_max));
        who->complex_roots += r.complex_roots;
        who->impacts += r.impacts;
        who->drift_max = fmax(who->drift_max, r.drift_max);
        sum += r.drift_sum;
        steps += (double)r.iterations;
        iterated += r.iterated_samples;
    }
    who->drift = sis_balance_residual(&tally->balance);
    who->drift_mean = who->impacts ? sum / (double)who->impacts : 0;
    who->iterations = iterated ? steps / (double)iterated : 0;
}

static void show_progress(void* self, uint64_t done, uint64_t steps) {
    (void)steps;
    pass* p = self;
    p->c->steps_done = p->started + done;
    if (p->c->progress) p->c->progress(p->c->progress_self, p->c->steps_done, p->c->steps_planned);
}

/** The run itself; what is learned from it goes to p->who. */
static bool run(pass* p, const sis_system* system, sis_state* state, sis_tally* tally,
                sis_fault* fault) {
    sis_contender* who = p->who;
    sis_fault why = {0};
    sis_sink sinks[2] = {sis_tally_sink(tally), {.self = p, .take = take}};
    sis_run go = {.system = system,
                  .state = state,
                  .steps = (p->c->first_row + p->c->row_count) * p->stride,
                  .sinks = sinks,
                  .sink_count = 2,
                  .progress = show_progress,
                  .progress_self = p};
    if (p->c->gestures) {
        p->c->gestures->rate = who->rate;
        go.gestures = sis_input_curves_fill;
        go.gestures_self = p->c->gestures;
    }
    who->ran = sis_run_go(&go, &why);
    p->c->steps_done = p->started + go.steps;
    if (!who->ran) {
        snprintf(who->why, sizeof who->why, "%s", why.text);
        who->about.object = sis_scene_find(p->c->scene, why.of, why.object);
        return !why.starved || sis_fault_no_memory(fault);
    }
    sis_trace_finish(&who->whole);
    sis_trace_finish(&who->zoom);
    read_links(who, system, state, tally);
    who->exit_speed = p->departure.speed;
    bool judged = p->kind == SIS_PASS_REFERENCE || p->c->reference.ran;
    if (!judged) who->error = who->good_until = nan("");
    return true;
}

bool sis_compare_pass(sis_compare* c, sis_contender* who, const sis_system* system, int32_t factor,
                      sis_pass_kind kind, sis_fault* fault) {
    pass p = {.c = c,
              .who = who,
              .kind = kind,
              .stride = (uint64_t)c->plan.oversample * (uint64_t)factor,
              .departure = sis_departure_begin(who->rate),
              .started = c->steps_done};
    size_t size = ((size_t)c->probe_count + 1) * sizeof *p.before;
    sis_state* state = sis_run_state(system, fault);
    sis_tally tally = {0};
    who->good_until = INFINITY;
    who->exit_speed = who->exit_error = who->nanoseconds = nan("");
    p.before = malloc(size);
    bool fine = state && sis_tally_open(&tally, system, state, (int32_t)p.stride, fault);
    if (fine && !(p.before && open_traces(c, who, p.stride))) fine = sis_fault_no_memory(fault);
    if (fine && p.before) {
        memcpy(p.before, c->peaks, size);
        if (kind != SIS_PASS_SCHEME) memset(c->peaks, 0, size);
        fine = run(&p, system, state, &tally, fault);
        if (kind != SIS_PASS_SCHEME) c->departure = p.departure;
    }
    sis_tally_close(&tally);
    free(p.before);
    free(state);
    return fine;
}

void sis_contender_close(sis_contender* who) {
    sis_trace_close(&who->whole);
    sis_trace_close(&who->zoom);
    free(who->errors);
    free(who->columns);
    who->errors = who->columns = NULL;
}

// ---------------------------------------------------------------------------- cost

#define BATCHES     3
#define BATCH_STEPS 50000  // at least, by repetition of a short run
#define RUN_STEPS   200000 // at most, of a long run

static double cpu_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** The first blow of each trigger, without rows of inputs to read. */
static void strike(const sis_input_curves* g, const sis_system* system, sis_state* state) {
    for (int32_t i = 0; g && i < g->count; i++)
        if (g->curves[i].trigger && g->curves[i].count)
            sis_state_input_set(system, state, i, g->curves[i].points[1]);
}

/** Seconds per step of a run that writes nothing. */
static double time_batch(const sis_compare* c, const sis_system* system, void* memory,
                         uint64_t steps) {
    uint64_t done = 0;
    double start = cpu_clock();
    while (done < BATCH_STEPS) {
        sis_state* state = sis_state_init(system, memory);
        strike(c->gestures, system, state);
        for (uint64_t n = 0; n < steps; n += SIS_FRAMES_MAX) {
            uint64_t left = steps - n;
            sis_block block = {.frames = left < SIS_FRAMES_MAX ? (int32_t)left : SIS_FRAMES_MAX};
            sis_step(system, state, &block);
        }
        done += steps;
    }
    return (cpu_clock() - start) / (double)done;
}

bool sis_compare_cost(const sis_compare* c, sis_contender* who, const sis_system* system,
                      sis_fault* fault) {
    uint64_t steps = (c->first_row + c->row_count) * (uint64_t)c->plan.oversample;
    if (steps > RUN_STEPS) steps = RUN_STEPS;
    sis_state* state = sis_run_state(system, fault);
    if (!state) return false;
    double seconds[BATCHES];
    for (int i = 0; i < BATCHES; i++)
        seconds[i] = time_batch(c, system, state, steps);
    double low = fmin(seconds[0], seconds[1]), high = fmax(seconds[0], seconds[1]);
    who->nanoseconds = 1e9 * fmax(low, fmin(high, seconds[2])); // the median
    free(state);
    return true;
}
