// A sweep of parameter sets of one mass and one barrier: sis_step state by state, and
// sis_step_batch for all of them. And why strings are not stepped side by side: how full lanes are
// with the touching points of one string, and with those of several.
#include "cases.h"
#include "example_strings.h"
#include "examples.h"
#include "sections.h"

// Each state advances by all its frames at once, as a sweep does. What a case counts as samples are
// the states: a piece of a run is some of the states.
enum { STATES = 4096, FRAMES = 1000, PROBES = 2, BUFFERS = 32, PIECE = 120 };

/** One scheme: the systems, which both ways share, and outputs, which nobody reads. */
typedef struct sweep {
    sis_system* systems[STATES];
    double probes[BUFFERS][FRAMES * PROBES];
    size_t size; // bytes of a state
    int count;
} sweep;

/** The states of a case lie one after the other in its numbers, so that each run begins anew. */
static sis_state* state_of(const timed_case* c, int i) {
    const sweep* s = c->data;
    return (sis_state*)((char*)on_line(c->u) + (size_t)i * s->size);
}

static sis_block block_of(const timed_case* c, int i) {
    const sweep* s = c->data;
    return (sis_block){.frames = FRAMES, .probes = (double*)s->probes[i % BUFFERS]};
}

static void run_one_by_one(timed_case* c) {
    const sweep* s = c->data;
    for (int i = c->from; i < c->from + c->now; i++) {
        sis_block block = block_of(c, i);
        sis_step(s->systems[i], state_of(c, i), &block);
    }
}

static void run_side_by_side(timed_case* c) {
    const sweep* s = c->data;
    sis_state* states[STATES];
    sis_block blocks[STATES];
    for (int i = 0; i < c->now; i++) {
        states[i] = state_of(c, c->from + i);
        blocks[i] = block_of(c, c->from + i);
    }
    sis_step_batch((const sis_system* const*)s->systems + c->from, states, blocks, c->now);
}

static timed_case* case_of_sweep(sweep* s, void (*run)(timed_case*)) {
    size_t numbers = s->size * (size_t)s->count / sizeof(double) + LINE;
    timed_case* c = case_of_loop(run, 1, numbers, STATES);
    c->data = s;
    c->samples = s->count;
    c->pieces = s->count / PIECE > 1 ? s->count / PIECE : 1;
    if (c->pieces > PIECES_MAX) c->pieces = PIECES_MAX;
    for (int i = 0; i < s->count; i++)
        sis_state_init(s->systems[i], state_of(c, i));
    case_rewinds(c);
    return c;
}

static sweep* sweep_new(example_scheme scheme, double alpha, int count) {
    sweep* s = calloc(1, sizeof *s);
    if (!s) {
        fprintf(stderr, "bench: no memory\n");
        exit(1);
    }
    s->count = count;
    for (int i = 0; i < count; i++)
        s->systems[i] = scene_compiled(example_sweep(scheme, alpha, i, count), 44100,
                                       SIS_SCHEME_AS_GIVEN, UNAUDITED, true);
    s->size = sis_state_size(s->systems[0]);
    return s;
}

static void sweep_free(sweep* s) {
    for (int i = 0; i < s->count; i++)
        sis_system_free(s->systems[i]);
    free(s);
}

/** Share of all samples in which the contact is closed, of 1. */
static double share_inside(const timed_case* c) {
    const sweep* s = c->data;
    double inside = 0;
    for (int i = 0; i < s->count; i++)
        inside += (double)sis_state_link(s->systems[i], state_of(c, i), 0).contact_samples;
    return inside / FRAMES / s->count;
}

/** One row. Only the two ways that are compared take turns: the systems of all rows together would
 * be a gigabyte. */
static void tell_sweep(const bench_context* b, example_scheme scheme, double alpha) {
    bench_report* r = b->report;
    sweep* s = sweep_new(scheme, alpha, b->quick ? 2 * PIECE : STATES);
    timed_case* one = case_of_sweep(s, run_one_by_one);
    timed_case* side = case_of_sweep(s, run_side_by_side);
    cases_measure(1.2e9);
    report_row(r);
    report_text(r, "%s", scheme.word);
    report_text(r, "%g", alpha);
    report_number(r, one->best / FRAMES, 1, "");
    report_number(r, side->best / FRAMES, 1, "");
    report_number(r, one->best / side->best, 2, "x");
    report_number(r, 100 * share_inside(side), 0, " %");
    report_keep(r, one->best / side->best, "batch/%s/%g", scheme.word, alpha);
    cases_end();
    sweep_free(s);
}

// ---------------------------------------------------------------------------- strings

enum { VOICES = 8, MOST_POINTS = 256 };

/** Sets of VOICES lanes that touching points need, and how many points that are. */
typedef struct filling {
    double sets, points;
} filling;

/** Which points of a string touch. */
static void find_touching(const sis_system* system, const sis_state* state, bool* touches) {
    double eta[MOST_POINTS], force[MOST_POINTS];
    sis_state_contact(system, state, 0, eta, force);
    for (int j = 0; j < sis_system_link(system, 0).points; j++)
        touches[j] = eta[j] > 0 || force[j] != 0;
}

/** Neighbours of each string, as rows take them. */
static void fill_by_neighbours(bool touches[VOICES][MOST_POINTS], int points, filling* f) {
    for (int v = 0; v < VOICES; v++)
        for (int j = 0, end = 0; j < points; j++) {
            if (!touches[v][j]) continue;
            f->points++;
            if (j < end) continue;
            f->sets++;
            end = j + VOICES;
        }
}

/** The same point of all strings. */
static void fill_by_voices(bool touches[VOICES][MOST_POINTS], int points, filling* f) {
    for (int j = 0; j < points; j++) {
        int count = 0;
        for (int v = 0; v < VOICES; v++)
            count += touches[v][j];
        f->points += count;
        f->sets += count > 0;
    }
}

static void tell_filling(const bench_context* b, int workload) {
    static bool touches[VOICES][MOST_POINTS];
    sis_system* systems[VOICES];
    sis_state* states[VOICES];
    filling neighbours = {0, 0}, voices = {0, 0};
    example_workload w = example_workloads[workload];
    double peak = w.peak;
    for (int v = 0; v < VOICES; v++) {
        w.peak = peak * (1 + 0.05 * v);
        sis_scene* scene = example_workload_scene(&w, SIS_STRING_FD, EXAMPLE_ITS_BARRIER,
                                                  example_schemes[0], w.alpha);
        systems[v] = scene_compiled(scene, w.rate, SIS_SCHEME_AS_GIVEN, UNAUDITED, true);
        states[v] = example_state(systems[v]);
    }
    int points = sis_system_link(systems[0], 0).points;
    for (int n = 0; n < (b->quick ? 1000 : 11025); n++) {
        for (int v = 0; v < VOICES; v++) {
            sis_step(systems[v], states[v], &(sis_block){.frames = 1});
            find_touching(systems[v], states[v], touches[v]);
        }
        fill_by_neighbours(touches, points, &neighbours);
        fill_by_voices(touches, points, &voices);
    }
    report_row(b->report);
    report_text(b->report, "%s", w.word);
    report_number(b->report, 100 * neighbours.points / neighbours.sets / VOICES, 0, " %");
    report_number(b->report, 100 * voices.points / voices.sets / VOICES, 0, " %");
    report_number(b->report, voices.sets / neighbours.sets, 1, "x");
    for (int v = 0; v < VOICES; v++) {
        free(states[v]);
        sis_system_free(systems[v]);
    }
}

void section_batches(const bench_context* b) {
    cases_begin(b->quick);
    report_begin(b->report, "A sweep of 4096 parameter sets: ns per sample and state",
                 "scheme|alpha|one by one|side by side|ratio|inside");
    tell_sweep(b, example_schemes[0], 1.3);
    tell_sweep(b, example_schemes[0], 1.5);
    tell_sweep(b, example_schemes[1], 1.3);
    tell_sweep(b, example_schemes[3], 1.3);
    report_end(
        b->report, true,
        "One mass and one barrier at 44100 Hz, K from 1e4 to 1e10, impacts of 0.1 to 10 m/s, "
        "1000 samples\neach, unaudited, two probes written. Side by side: sis_step_batch. "
        "Inside: samples in contact.");
    report_begin(b->report, "How full eight lanes are with touching points",
                 "workload|neighbours of one string|one point of eight strings|sets");
    tell_filling(b, 0);
    tell_filling(b, 2);
    tell_filling(b, 3);
    report_end(
        b->report, true,
        "Eight strings of a workload, pushed 0 to 35 % harder, the first 11025 samples. Sets: how "
        "many more would\nbe solved if strings went side by side.");
}
