// An envelope times an input: the envelope shapes the stroke of a bow, the hand scales it while it
// sounds.
#include <stdlib.h>
#include <string.h>

#include "live.h"

enum { FRAMES = 6000 };
static const double rate = 44100;

static const double force_shape[] = {0, 0, 0.02, 1, 0.08, 0.6, 0.1, 0};
static const double speed_shape[] = {0, 0.05, 0.03, 0.2, 0.07, -0.15, 0.1, 0.1};

// What a bow does: its envelopes times numbers, times inputs from .. to where `live` is set.
typedef struct stroke {
    double force, speed; // where the factors start
    bool live;
    bool constant; // envelopes of one point
    bool plain;    // numbers in place of envelopes
    bool struck;   // a trigger starts them
} stroke;

static sis_envelope scaled(const double* shape, double factor, bool constant, double* points) {
    for (int i = 0; i < 4; i++) {
        points[2 * i] = shape[2 * i];
        points[2 * i + 1] = constant ? 1 : factor * shape[2 * i + 1];
    }
    return (sis_envelope){points, constant ? 1 : 4};
}

static sis_scene* bowed(const stroke* b, sis_string_model model, sis_bow_method how) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = put_string(scene, model);
    double force[8], speed[8];
    sis_bow_def def = sis_bow_default();
    def.on = string;
    def.at = 0.08;
    def.method = how;
    if (b->plain) {
        def.force = b->force;
        def.velocity = b->speed;
    } else {
        def.force_curve = scaled(force_shape, b->live ? 1 : b->force, b->constant, force);
        def.velocity_curve = scaled(speed_shape, b->live ? 1 : b->speed, b->constant, speed);
    }
    if (b->struck) {
        sis_input_def blow = sis_input_default();
        blow.name = "blow";
        blow.value = 0;
        blow.min = 0;
        blow.trigger = true;
        blow.max = 4;
        def.trigger = put(scene, SIS_KIND_INPUT, &blow);
    }
    const sis_id stick = put(scene, SIS_KIND_BOW, &def);
    if (b->live) {
        live(scene, stick, "force", b->force, 0, 3);
        live(scene, stick, "velocity", b->speed, -2, 2);
    }
    listen(scene, string, 0.5);
    return scene;
}

static run play(const stroke* b, const double* rows, int32_t block) {
    sis_scene* scene = bowed(b, SIS_STRING_FD, SIS_BOW_NEWTON);
    run r = run_live(compiled(scene, rate, 0), rows, FRAMES, block);
    sis_scene_free(scene);
    return r;
}

static double loudest(const run* r) {
    double most = 0;
    for (int32_t n = 0; n < r->frames; n++)
        most = fmax(most, fabs(run_at(r, n, 0)));
    return most;
}

// Powers of two multiply without rounding, so that the bits are the same.
static void a_resting_hand_multiplies_the_envelope(void) {
    static const double factors[][2] = {{0.5, 1}, {2, -0.5}, {1, 2}, {0.25, 0.125}};
    for (int i = 0; i < 4; i++) {
        const stroke by_input = {.force = factors[i][0], .speed = factors[i][1], .live = true};
        const stroke by_hand = {.force = factors[i][0], .speed = factors[i][1]};
        run a = play(&by_input, NULL, 64), b = play(&by_hand, NULL, 64);
        CHECK(same_rows(&a, &b));
        CHECK(loudest(&a) > 1e-6);
        run_free(&a);
        run_free(&b);
    }
}

static void other_factors_differ_by_rounding_alone(void) {
    const stroke by_input = {.force = 0.7, .speed = 0.9, .live = true};
    const stroke by_hand = {.force = 0.7, .speed = 0.9};
    run a = play(&by_input, NULL, 64), b = play(&by_hand, NULL, 64);
    double off = 0;
    for (int32_t n = 0; n < FRAMES; n++)
        off = fmax(off, fabs(run_at(&a, n, 0) - run_at(&b, n, 0)));
    CHECK(off <= 1e-9 * loudest(&b));
    run_free(&a);
    run_free(&b);
}

static void an_envelope_of_ones_is_the_input_itself(void) {
    const stroke ones = {.force = 0.5, .speed = 0.2, .live = true, .constant = true};
    const stroke plain = {.force = 0.5, .speed = 0.2, .live = true, .plain = true};
    sis_scene* scene = bowed(&ones, SIS_STRING_FD, SIS_BOW_NEWTON);
    sis_system* system = compiled(scene, rate, 0);
    double* rows = gesture_rows(system, GESTURE_WALK, FRAMES, 11);
    run a = play(&ones, rows, 64), b = play(&plain, rows, 64);
    CHECK(same_rows(&a, &b));
    run_free(&a);
    run_free(&b);
    free(rows);
    sis_system_free(system);
    sis_scene_free(scene);
}

// Rows of blow, force and velocity: one blow, the hand at rest.
static double* struck_rows(double blow, int32_t at) {
    double* rows = calloc((size_t)FRAMES * 3, sizeof *rows);
    for (int32_t n = 0; n < FRAMES; n++) {
        rows[3 * n] = n == at ? blow : 0;
        rows[3 * n + 1] = 0.5;
        rows[3 * n + 2] = 2;
    }
    return rows;
}

// A blow of 2 starts envelopes that are multiplied by 0.5 and 2: by 1 and 4 together.
static void a_blow_starts_the_envelope_and_both_multiply_it(void) {
    enum { AT = 700 };
    const stroke struck = {.force = 0.5, .speed = 2, .live = true, .struck = true};
    const stroke by_hand = {.force = 1, .speed = 4, .struck = true};
    double *rows = struck_rows(2, AT), *blows = calloc(FRAMES, sizeof *blows);
    blows[AT] = 1;
    run a = play(&struck, rows, 64), b = play(&by_hand, blows, 64);
    CHECK(same_rows(&a, &b));
    CHECK(loudest(&a) > 1e-6);
    CHECK(run_at(&a, AT - 1, 0) == 0);
    run_free(&a);
    run_free(&b);
    free(rows);
    free(blows);
}

static void whatever_the_hand_does_the_balance_closes(void) {
    double worst = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)check_count(24, 400); seed++) {
        const stroke b = {.force = 0.5, .speed = 0.5, .live = true, .struck = seed % 3 == 0};
        sis_scene* scene = bowed(&b, models[seed % 4], seed % 5 ? SIS_BOW_NEWTON : SIS_BOW_LINEAR);
        sis_system* system = compiled(scene, rate, 0);
        double* rows = gesture_rows(system, (gesture)(seed % GESTURES), FRAMES, seed);
        for (int32_t n = 0; b.struck && n < FRAMES; n++)
            rows[3 * n] = n % 977 == 5 ? 1 + n % 3 : 0;
        run r = run_live(system, rows, FRAMES, 4096);
        const double off = run_residual(&r);
        CHECK(off <= 1e-12);
        worst = fmax(worst, off);
        check_cuts(scene, rate, rows, &r);
        run_free(&r);
        free(rows);
        sis_scene_free(scene);
    }
    printf("  largest residual %.1e\n", worst);
}

static void a_factor_keeps_the_envelope_in_range(void) {
    sis_scene* scene = bowed(&(stroke){.force = 1, .speed = 1}, SIS_STRING_FD, SIS_BOW_NEWTON);
    const sis_id hand = put_input(scene, "hand", 0.5, 0, 1);
    const sis_id stick = sis_scene_find(scene, SIS_KIND_BOW, "bow1");
    sis_error error = {0};
    CHECK(!sis_scene_bind(scene, stick, "force", hand, -1, 0, &error));
    CHECK(strstr(error.text, "'force' must be between 0 and 1e+09 N") != NULL);
    CHECK(strstr(error.text, "input 'hand' takes it from -1 to") != NULL);
    CHECK(!sis_scene_bind(scene, stick, "velocity", hand, 1e8, 0, &error));
    CHECK(sis_scene_bind(scene, stick, "force", hand, 2, 0.1, &error));
    CHECK(!sis_scene_bind(scene, stick, "force", hand, 1, 0, &error));
    CHECK(strstr(error.text, "'force' follows an input already") != NULL);
    sis_scene_free(scene);
}

int main(void) {
    RUN(a_resting_hand_multiplies_the_envelope);
    RUN(other_factors_differ_by_rounding_alone);
    RUN(an_envelope_of_ones_is_the_input_itself);
    RUN(a_blow_starts_the_envelope_and_both_multiply_it);
    RUN(whatever_the_hand_does_the_balance_closes);
    RUN(a_factor_keeps_the_envelope_in_range);
    return CHECK_REPORT();
}
