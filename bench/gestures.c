// What an input costs: the same scene with a field that is fixed, with an input that nothing
// follows, with one that rests, and with one that moves in every sample. The four take turns in one
// run, so that what disturbs one disturbs the others too.
#include "example_strings.h"
#include "renders.h"
#include "sections.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, BLOCKS = 200, ROUNDS = 15, WAYS = 4 };

/** How the field is used. */
typedef enum way { FIXED, UNUSED, RESTING, MOVING } way;

/** One field of one scene. */
typedef struct gesture_case {
    const char* name;
    sis_string_model model;
    const char* what; // object
    const char* key;
    double low, high;
    double limit; // of a moving one, as a share of the string; 0: told only
    bool longer;  // a string of twice as many points
} gesture_case;

static const gesture_case cases[] = {
    {"force, explicit", SIS_STRING_FD, "force", "peak", -1, 1, 0.1, false},
    {"force, implicit", SIS_STRING_IMPLICIT, "force", "peak", -1, 1, 0.1, false},
    {"bow force", SIS_STRING_FD, "bow", "force", 0.1, 0.9, 0.1, false},
    {"bow velocity", SIS_STRING_FD, "bow", "velocity", 0, 0.2, 0.1, false},
    {"bow place", SIS_STRING_FD, "bow", "at", 0.05, 0.3, 0, false},
    {"bow place, implicit", SIS_STRING_IMPLICIT, "bow", "at", 0.05, 0.3, 0, false},
    {"tension, explicit", SIS_STRING_FD, "string", "bend", 0.9, 1.1, 0.1, false},
    {"tension, implicit", SIS_STRING_IMPLICIT, "string", "bend", 0.9, 1.1, 0.1, false},
    {"tension, explicit, longer", SIS_STRING_FD, "string", "bend", 0.9, 1.1, 0.1, true},
    {"tension, implicit, longer", SIS_STRING_IMPLICIT, "string", "bend", 0.9, 1.1, 0.1, true},
    {"tension, trapezoid", SIS_STRING_TRAPEZOID, "string", "bend", 0.9, 1.1, 0, false},
    {"tension, modal", SIS_STRING_MODAL, "string", "bend", 0.9, 1.1, 0, false},
    {"K of a barrier", SIS_STRING_FD, "contact", "K", 1e8, 9e8, 0, false},
    {"gap of a barrier", SIS_STRING_FD, "contact", "gap", -5e-5, 5e-5, 0, false},
    {"height of a barrier", SIS_STRING_FD, "barrier", "height", -3e-4, -2e-4, 0, false},
    {"finger that slides", SIS_STRING_FD, "finger", "at", 0.1, 0.4, 0, false},
    {"probe that moves", SIS_STRING_FD, "probe", "at", 0.1, 0.6, 0, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static bool is(const gesture_case* c, const char* what) {
    return strcmp(c->what, what) == 0;
}

static void follow(sis_scene* scene, const gesture_case* c, const char* what, sis_id id, sis_id in,
                   way how) {
    sis_error error = {0};
    if (how < RESTING || !is(c, what)) return;
    if (!sis_scene_bind(scene, id, c->key, in, 1, 0, &error)) example_added(SIS_NONE, &error);
}

static sis_id add_string(sis_scene* scene, const gesture_case* c) {
    sis_error error = {0};
    sis_string_def s = sis_string_default();
    s.length = c->longer ? 1.4 : 0.7;
    s.frequency = c->longer ? 50 : 100;
    s.material_density = 7850;
    s.radius = 3e-4;
    s.youngs = 2e11;
    s.sigma0 = 0.6;
    s.sigma1 = 6.5e-5;
    s.model = c->model;
    if (is(c, "string")) s.bend = 1.1; // the grid of the highest tension
    return example_added(sis_scene_add_string(scene, &s, &error), &error);
}

static void add_contact(sis_scene* scene, const gesture_case* c, sis_id string, sis_id in,
                        way how) {
    sis_error error = {0};
    sis_barrier_def b = sis_barrier_default();
    sis_contact_def contact = sis_contact_default();
    double place = 0.25;
    b.height = -2.5e-4;
    b.from = 0.05;
    b.to = 0.65;
    if (is(c, "finger"))
        b = (sis_barrier_def){.height = 2e-4, .from = NAN, .to = NAN, .from_y = NAN, .to_y = NAN};
    contact.K = 5e8;
    contact.alpha = 1.5;
    sis_id barrier = example_added(sis_scene_add_barrier(scene, &b, &error), &error);
    follow(scene, c, "barrier", barrier, in, how);
    contact.above = string;
    contact.below = barrier;
    if (is(c, "finger")) contact.at = (sis_list){&place, 1};
    if (is(c, "finger")) contact.gap = -1e-4;
    sis_id id = example_added(sis_scene_add_contact(scene, &contact, &error), &error);
    follow(scene, c, is(c, "finger") ? "finger" : "contact", id, in, how);
}

static sis_scene* build(const gesture_case* c, way how) {
    sis_error error = {0};
    sis_scene* scene = example_scene_new();
    sis_input_def input = sis_input_default();
    input.name = "hand";
    input.min = c->low;
    input.max = c->high;
    input.value = 0.5 * (c->low + c->high);
    sis_id in = how == FIXED ? SIS_NONE : sis_scene_add_input(scene, &input, &error);
    sis_id string = add_string(scene, c);
    follow(scene, c, "string", string, in, how);
    sis_pluck_def p = sis_pluck_default();
    p.on = string;
    p.at = 0.2;
    p.height = 2e-3;
    example_added(sis_scene_add_pluck(scene, &p, &error), &error);
    sis_force_def f = sis_force_default();
    f.on = string;
    f.at = 0.3;
    f.shape = SIS_FORCE_CONSTANT;
    f.peak = 0; // each fixed as it rests
    if (is(c, "force")) follow(scene, c, "force", sis_scene_add_force(scene, &f, &error), in, how);
    sis_bow_def bow = sis_bow_default();
    bow.on = string;
    bow.at = 0.1;
    bow.force = 0.5;
    bow.velocity = 0.1;
    if (is(c, "bow")) follow(scene, c, "bow", sis_scene_add_bow(scene, &bow, &error), in, how);
    if (is(c, "contact") || is(c, "barrier") || is(c, "finger"))
        add_contact(scene, c, string, in, how);
    sis_probe_def probe = sis_probe_default();
    probe.on = string;
    probe.at = 0.15;
    follow(scene, c, "probe", example_added(sis_scene_add_probe(scene, &probe, &error), &error), in,
           how);
    return scene;
}

/** CPU seconds of some blocks. */
static double timed(const sis_system* system, sis_state* state, const double* rows, int blocks) {
    double probes[ROWS];
    sis_state_init(system, state);
    double start = render_clock(CLOCK_THREAD_CPUTIME_ID);
    for (int b = 0; b < blocks; b++)
        sis_step(system, state,
                 &(sis_block){ROWS, probes, NULL, rows ? rows + (size_t)b * ROWS : NULL});
    return render_clock(CLOCK_THREAD_CPUTIME_ID) - start;
}

/** Seconds of each way, the least of all rounds; NaN: refused. */
static void measure(const gesture_case* c, int blocks, int rounds, double seconds[WAYS]) {
    sis_system* systems[WAYS];
    sis_state* states[WAYS];
    double* rows = calloc((size_t)blocks * ROWS, sizeof *rows);
    for (int n = 0; rows && n < blocks * ROWS; n++)
        rows[n] = c->low + (c->high - c->low) * (0.5 + 0.49 * sin(n * 2e-3));
    for (int w = 0; w < WAYS; w++) {
        seconds[w] = (double)NAN;
        systems[w] = scene_compiled(build(c, (way)w), 48000, SIS_SCHEME_AS_GIVEN, UNAUDITED, true);
        states[w] = systems[w] ? aligned_alloc(SIS_STATE_ALIGN, sis_state_size(systems[w])) : NULL;
    }
    for (int round = 0; round < rounds; round++)
        for (int w = 0; w < WAYS; w++)
            if (states[w])
                seconds[w] = fmin(seconds[w],
                                  timed(systems[w], states[w], w == MOVING ? rows : NULL, blocks));
    for (int w = 0; w < WAYS; w++) {
        free(states[w]);
        sis_system_free(systems[w]);
    }
    free(rows);
}

void section_gestures(const bench_context* b) {
    bench_report* r = b->report;
    const int blocks = b->quick ? 4 : BLOCKS, rounds = b->quick ? 1 : ROUNDS;
    double unused = (double)NAN, resting = unused, moving = unused;
    report_begin(r, "What inputs cost, a string of 100 Hz at 48 kHz",
                 "field|fixed|unused|resting|moving");
    for (int i = 0; i < CASES; i++) {
        double seconds[WAYS];
        measure(&cases[i], blocks, rounds, seconds);
        report_row(r);
        report_text(r, "%s", cases[i].name);
        report_number(r, 1e9 * seconds[FIXED] / (blocks * ROWS), 0, " ns");
        for (int w = UNUSED; w < WAYS; w++) {
            report_number(r, 100 * (seconds[w] / seconds[FIXED] - 1), 1, " %");
            report_keep(r, seconds[w] / seconds[FIXED] - 1, "gesture/%s/%d", cases[i].name, w);
        }
        unused = fmax(unused, seconds[UNUSED] / seconds[FIXED] - 1);
        resting = fmax(resting, seconds[RESTING] / seconds[FIXED] - 1);
        if (cases[i].limit > 0) moving = fmax(moving, seconds[MOVING] / seconds[FIXED] - 1);
    }
    report_keep(r, unused, "gesture/unused");
    report_keep(r, resting, "gesture/resting");
    report_keep(r, moving, "gesture/moving");
    report_end(r, true,
               "Fixed: a sample without inputs, not audited, blocks of 64 rows; the others: how "
               "much more than that. Unused:\nnothing follows the input; resting: the field "
               "follows it and no rows are given; moving: another value in every\nsample.");
}
