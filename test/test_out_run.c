// Runs: what their sinks take of every step, the filter between steps and rows, and what ends them.

#include "check.h"
#include "decimate.h"
#include "out_help.h"
#include "run.h"
#include "sound.h"
#include "tally.h"

#include <stdlib.h>

#define TAU 6.283185307179586

// ---------------------------------------------------------------------------- decimation

typedef struct tape {
    int32_t channels, count, room;
    double* rows;
} tape;

static bool record(void* self, const double* frames, int32_t count, sis_fault* fault) {
    (void)fault;
    tape* t = self;
    CHECK(t->count + count <= t->room);
    if (t->count + count > t->room) return false;
    memcpy(t->rows + t->count * t->channels, frames,
           (size_t)(count * t->channels) * sizeof *frames);
    t->count += count;
    return true;
}

/** Decimates cos(tau f n/factor + c) for both channels, f in cycles per row, fed in odd blocks. */
static tape decimated(int32_t factor, int32_t rows, double cycles) {
    sis_fault fault = {0};
    tape t = {
        .channels = 2, .room = rows + 1, .rows = calloc((size_t)rows + 1, 2 * sizeof(double))};
    sis_decimator* d = sis_decimator_new(factor, 2, (uint64_t)rows, record, &t, &fault);
    CHECK(d != NULL);
    for (int32_t n = 0; d && n < rows * factor;) {
        double steps[2 * 313];
        int32_t count = 0;
        for (; count < 313 && n < rows * factor; count++, n++) {
            steps[2 * count] = cos(TAU * cycles * n / factor);
            steps[2 * count + 1] = cos(TAU * cycles * n / factor + 1);
        }
        CHECK(sis_decimator_feed(d, steps, count, &fault));
    }
    if (d) CHECK(sis_decimator_finish(d, &fault));
    sis_decimator_free(d);
    CHECK(t.count == rows);
    return t;
}

static void a_tone_in_the_passband_keeps_its_level_and_its_time(void) {
    const int32_t factors[] = {2, 3, 8, 50};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            double cycles = 0.01 + 0.1 * k;
            tape t = decimated(factors[i], 2000, cycles);
            double worst = 0, re = 0, im = 0;
            for (int n = 500; n < 1500; n++) { // away from the ends
                worst = fmax(worst, fabs(t.rows[2 * n] - cos(TAU * cycles * n)));
                worst = fmax(worst, fabs(t.rows[2 * n + 1] - cos(TAU * cycles * n + 1)));
                re += t.rows[2 * n] * cos(TAU * cycles * n);
                im -= t.rows[2 * n] * sin(TAU * cycles * n);
            }
            CHECK_NEAR(worst, 0, 1e-7); // 0.01 dB would be 1e-3
            CHECK_NEAR(atan2(im, re), 0, 1e-2);
            free(t.rows);
        }
}

static void a_tone_above_the_new_nyquist_is_gone(void) {
    const double cycles[] = {0.51, 0.6, 0.99, 1.2, 1.9};
    for (int i = 0; i < 5; i++) {
        tape t = decimated(4, 2000, cycles[i]);
        double most = 0;
        for (int n = 500; n < 1500; n++)
            most = fmax(most, fabs(t.rows[2 * n]));
        CHECK(20 * log10(most) < -100);
        free(t.rows);
    }
}

static void a_resting_sound_stays_at_rest(void) {
    tape t = decimated(8, 300, 0); // 1 and cos 1 from the first step to the last
    for (int n = 0; n < 300; n++) {
        CHECK_NEAR(t.rows[2 * n], 1, 1e-7);
        CHECK_NEAR(t.rows[2 * n + 1], cos(1), 1e-7);
    }
    free(t.rows);
}

static void every_length_comes_out_exactly(void) {
    const int32_t rows[] = {1, 2, 255, 256, 257, 1000};
    for (int i = 0; i < 6; i++)
        free(decimated(7, rows[i], 0.1).rows); // counts are checked there
    free(decimated(1024, 3, 0.01).rows);
}

// ---------------------------------------------------------------------------- runs

static void channels_are_gains_and_sums(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(8000, SIS_SUBJECT_SIGNAL);
    sis_plan plan;
    CHECK(sis_plan_make(8000, 1, 0.5, &plan, &fault) && plan.rows == 4000);
    CHECK(sis_sound_channels(system) == 2);
    tape t = {.channels = 2, .room = 4000, .rows = calloc(4000, 2 * sizeof(double))};
    sis_sound* sound = sis_sound_new(system, &plan, record, &t, &fault);
    sis_sink sinks[2] = {sis_sound_sink(sound)};
    sis_tally tally;
    sis_run run = {.system = system, .state = sis_run_state(system, &fault), .steps = 4000};
    CHECK(sis_tally_open(&tally, system, run.state, 1, &fault));
    sinks[1] = sis_tally_sink(&tally);
    run.sinks = sinks;
    run.sink_count = 2;
    CHECK(sis_run_go(&run, &fault) && sis_sound_finish(sound, &fault));
    CHECK(t.count == 4000 && tally.rows == 4000);
    double squares = 0;
    for (int n = 0; n < 4000; n++) {
        CHECK_NEAR(t.rows[2 * n + 1], 0.5 * t.rows[2 * n], 1e-18);
        squares += t.rows[2 * n] * t.rows[2 * n];
    }
    CHECK_NEAR(sis_tally_rms(&tally, 0), sqrt(squares / 4000), 1e-12);
    CHECK_NEAR(sis_tally_rms(&tally, 0), 1e-3 / sqrt(2), 1e-7); // 50 whole periods of a cosine
    CHECK_NEAR(tally.probes[0].max, 1e-3, 1e-18);
    CHECK(sis_balance_residual(&tally.balance) < 1e-12);
    sis_tally_close(&tally);
    sis_sound_free(sound);
    free(run.state);
    free(t.rows);
    sis_system_free(system);
}

typedef struct third {
    int32_t count;
    double rows[2000];
} third;

static bool keep_third(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    third* t = self;
    for (int32_t n = 0; n < frames->count; n++)
        if ((frames->first + (uint64_t)n) % 3 == 0 && t->count < 2000)
            t->rows[t->count++] = frames->probes[n * frames->probe_count];
    return true;
}

static void a_slow_sound_passes_the_filter_in_time(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(24000, SIS_SUBJECT_SIGNAL);
    sis_plan plan;
    CHECK(sis_plan_make(8000, 3, 0.25, &plan, &fault) && plan.rows == 2000);
    tape t = {.channels = 2, .room = 2000, .rows = calloc(2000, 2 * sizeof(double))};
    static third states;
    sis_sound* sound = sis_sound_new(system, &plan, record, &t, &fault);
    sis_sink sinks[2] = {sis_sound_sink(sound), {.self = &states, .take = keep_third}};
    sis_run run = {.system = system,
                   .state = sis_run_state(system, &fault),
                   .steps = sis_plan_steps(&plan),
                   .sinks = sinks,
                   .sink_count = 2};
    CHECK(sis_run_go(&run, &fault) && sis_sound_finish(sound, &fault));
    CHECK(t.count == 2000 && states.count == 2000);
    for (int n = 150; n < 1850; n++)
        CHECK_NEAR(t.rows[2 * n], states.rows[n], 1e-9);
    for (int n = 0; n < 150; n++)
        CHECK_NEAR(t.rows[2 * n], states.rows[n], 1e-5); // at rest before
    sis_sound_free(sound);
    free(run.state);
    free(t.rows);
    sis_system_free(system);
}

static void a_run_without_rows_is_refused(void) {
    sis_fault fault = {0};
    sis_plan plan;
    CHECK(!sis_plan_make(44100, 1, 0, &plan, &fault) && fault.kind == SIS_FAULT_REQUEST);
    CHECK(!sis_plan_make(44100, 1, 1e-5, &plan, &fault));
    CHECK_TEXT(fault.text, "0 samples");
    CHECK(sis_plan_make(44100, 1, 1.2e-5, &plan, &fault) && plan.rows == 1);
    CHECK(!sis_plan_make(1e9, 1024, 1e6, &plan, &fault));
    CHECK(sis_plan_make(44100.5, 2, 10, &plan, &fault) && plan.rows == 441005);
    CHECK(sis_plan_steps(&plan) == 882010);
}

typedef struct seen {
    uint64_t steps, blocks;
} seen;

static bool count_steps(void* self, const sis_frames* frames, sis_fault* fault) {
    seen* s = self;
    CHECK(frames->first == s->steps);
    s->steps += (uint64_t)frames->count;
    s->blocks++;
    return s->steps < 5000 || sis_fault_set(fault, SIS_FAULT_RUN, "enough");
}

static uint64_t every_100(const void* self, uint64_t step) {
    (void)self;
    return (step / 100 + 1) * 100;
}

static void sinks_choose_cuts_and_can_stop_a_run(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(8000, SIS_SUBJECT_SIGNAL);
    seen s = {0};
    sis_sink sink = {.self = &s, .take = count_steps, .next_cut = every_100};
    sis_run run = {.system = system,
                   .state = sis_run_state(system, &fault),
                   .steps = 4950,
                   .sinks = &sink,
                   .sink_count = 1};
    CHECK(sis_run_go(&run, &fault) && s.steps == 4950 && s.blocks == 50 && run.done == 4950);
    s = (seen){0};
    run.steps = 10000;
    CHECK(!sis_run_go(&run, &fault));
    CHECK(!strcmp(fault.text, "enough") && s.steps == 5000);
    free(run.state);
    sis_system_free(system);
}

/** A mass that meets a linear contact of scheme root where its root is complex. */
static sis_system* without_root(bool clamp) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_mass_def mass = sis_mass_default();
    mass.mass = 1;
    mass.position = 0.0001;
    mass.velocity = -1;
    sis_contact_def contact = sis_contact_default();
    contact.above = sis_scene_add_mass(scene, &mass, &error);
    sis_barrier_def wall = sis_barrier_default();
    wall.height = 0;
    contact.below = sis_scene_add_barrier(scene, &wall, &error);
    contact.K = 3e6; // K k^2/M = 3, the limit is sqrt(5) - 1
    contact.alpha = 1;
    contact.scheme = SIS_SCHEME_ROOT;
    contact.s = 0.5;
    contact.clamp = clamp;
    sis_scene_add_contact(scene, &contact, &error);
    sis_options options = {.rate = 1000, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

static void a_complex_root_ends_a_run_unless_it_is_clamped(void) {
    for (int i = 0; i < 3; i++) {
        sis_fault fault = {0};
        sis_system* system = without_root(i == 1);
        sis_run run = {.system = system,
                       .state = sis_run_state(system, &fault),
                       .steps = 100,
                       .lenient = i == 2};
        bool fine = sis_run_go(&run, &fault);
        CHECK(sis_state_link(system, run.state, 0).complex_roots > 0);
        CHECK(fine == (i > 0));
        if (!fine) {
            CHECK(fault.kind == SIS_FAULT_RUN);
            CHECK_TEXT(fault.text, "contact 'contact1': complex root at sample 1 (discriminant -");
            CHECK_TEXT(fault.text, "s = 0.5");
            CHECK_TEXT(fault.text, "clamp = true");
        }
        free(run.state);
        sis_system_free(system);
    }
}

int main(void) {
    RUN(a_tone_in_the_passband_keeps_its_level_and_its_time);
    RUN(a_tone_above_the_new_nyquist_is_gone);
    RUN(a_resting_sound_stays_at_rest);
    RUN(every_length_comes_out_exactly);
    RUN(channels_are_gains_and_sums);
    RUN(a_slow_sound_passes_the_filter_in_time);
    RUN(a_run_without_rows_is_refused);
    RUN(sinks_choose_cuts_and_can_stop_a_run);
    RUN(a_complex_root_ends_a_run_unless_it_is_clamped);
    return CHECK_REPORT();
}
