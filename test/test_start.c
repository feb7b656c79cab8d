// The first sample, the probes, and everything that moves without colliding.
#include <stdlib.h>

#include "check.h"
#include "reference.h"

// ---------------------------------------------------------------------------- start

// Distance from the exact motion after a start inside the contact, at a time still inside.
static double inside_error(const wall* w, double x0, double v0, double time, int32_t steps,
                           const method* how) {
    const double rate = steps / time;
    bounce b = {.mass = w->mass,
                .frequency = w->omega / (2 * PI),
                .damping = w->damping,
                .position = x0 - w->rest,
                .velocity = v0,
                .height = -w->rest,
                .K = w->K,
                .alpha = w->alpha,
                .mu = w->mu};
    sis_scene* scene = bounce_scene(&b, how);
    put_force(scene, 0, SIS_FORCE_CONSTANT, w->force, (double)NAN, 0);
    run r = run_scene(scene, rate, steps + 1);
    double* x = calloc((size_t)steps + 1, sizeof(double));
    wall_exact(w, x0, v0, 1 / rate, steps + 1, x, NULL);
    const double error = fabs(run_at(&r, steps, 3) - x[steps]);
    CHECK(x[steps] > 0);
    CHECK(run_at(&r, 0, 2) > 0); // it pushes from the first sample on
    free(x);
    run_free(&r);
    return error;
}

static void start_inside_a_contact_is_second_order(void) {
    static const double speeds[] = {-0.3, 0, 0.8};
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 3; i++)
            for (double alpha = 1; alpha < 3.1; alpha += 0.5) {
                const double duration = 1e-3,
                             depth = wall_depth(0.01, wall_stiffness(0.01, alpha, 1, duration),
                                                alpha, 1);
                const wall w = {.mass = 0.01,
                                .K = wall_stiffness(0.01, alpha, 1, duration),
                                .alpha = alpha,
                                .mu = m == EXACT ? 0 : 0.2,
                                .omega = 2 * PI * 90,
                                .rest = 0.3 * depth,
                                .damping = 40,
                                .force = 0.7};
                const double time = speeds[i] < 0 ? 0.12 * duration : 0.25 * duration;
                const double coarse =
                    inside_error(&w, 0.6 * depth, speeds[i], time, 32, &methods[m]);
                const double fine =
                    inside_error(&w, 0.6 * depth, speeds[i], time, 128, &methods[m]);
                CHECK(coarse < 2e-3 * depth);
                if (!(fabs(log2(coarse / fine) / 2 - 2) <= 0.2))
                    printf("    %s alpha %g speed %g: order %.3f\n", methods[m].name, alpha,
                           speeds[i], log2(coarse / fine) / 2);
                CHECK_NEAR(log2(coarse / fine) / 2, 2, 0.2);
            }
}

// A mass on a two-sided contact to the ground, or one with free play, started at eta = x0 with
// speed v0, and whether all of it is turned upside down.
typedef struct swing {
    sis_law law;
    double alpha, gap, x0, v0;
    bool flipped;
} swing;

static run swing_run(const swing* s, double rate, double time) {
    sis_scene* scene = sis_scene_new();
    const double side = s->flipped ? -1 : 1;
    const sis_id mass = put_mass(scene, 0.01, side * s->x0, side * s->v0);
    sis_contact_def def = sis_contact_default();
    def.above = put_barrier(scene, 0);
    def.below = mass;
    def.K = wall_stiffness(0.01, s->alpha, 1.5, 1.5e-3);
    def.alpha = s->alpha;
    def.law = s->law;
    def.gap = s->gap;
    def.scheme = SIS_SCHEME_QUADRATISED;
    put(scene, SIS_KIND_CONTACT, &def);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, rate, (int32_t)(time * rate) + 1);
}

// Largest distance from the exact sinusoid of alpha = 1, over its amplitude.
static double swing_error(const swing* s, double rate) {
    const double w = sqrt(wall_stiffness(0.01, 1, 1.5, 1.5e-3) / 0.01);
    run r = swing_run(s, rate, 4e-3);
    double worst = 0;
    for (int32_t n = 0; n < r.frames; n++) {
        const double t = n / rate;
        worst = fmax(worst, fabs(run_at(&r, n, 0) - s->x0 * cos(w * t) - s->v0 / w * sin(w * t)));
    }
    CHECK_NEAR(run_residual(&r), 0, 1e-13);
    run_free(&r);
    return worst / hypot(s->x0, s->v0 / w);
}

// psi is odd: wherever a two-sided contact starts, also at 0 and where the first sample crosses it.
static void two_sided_quadratised_starts_are_second_order(void) {
    const double depth = wall_depth(0.01, wall_stiffness(0.01, 1, 1.5, 1.5e-3), 1, 1.5);
    static const double places[] = {0, 1e-3, -1e-3, -0.01, -0.1, 0.3, -0.8};
    for (int i = 0; i < 7; i++)
        for (int v = 0; v < 2; v++) {
            const swing s = {SIS_LAW_TWO_SIDED, 1, 0, places[i] * depth, v ? 1.5 : -0.4, false};
            double error[4];
            for (int j = 0; j < 4; j++)
                error[j] = swing_error(&s, 16000 << j);
            if (i == 0)
                printf("  from 0 at %g m/s, 16 to 128 kHz: %.1e %.1e %.1e %.1e\n", s.v0, error[0],
                       error[1], error[2], error[3]);
            for (int j = 0; j < 3; j++)
                CHECK_NEAR(log2(error[j] / error[j + 1]), 2, 0.2);
        }
}

// At rest in the middle, then struck: the plain spring answers at once.
static void a_struck_two_sided_spring_is_second_order(void) {
    const double mass = 0.01, K = 5e4, blow = 0.005, w = sqrt(K / mass);
    double error[3];
    for (int j = 0; j < 3; j++) {
        const double rate = 16000 << j;
        sis_scene* scene = sis_scene_new();
        const sis_id ball = put_mass(scene, mass, 0, 0);
        sis_contact_def def = sis_contact_default();
        def.above = put_barrier(scene, 0);
        def.below = ball;
        def.K = K;
        def.alpha = 1;
        def.law = SIS_LAW_TWO_SIDED;
        def.scheme = SIS_SCHEME_QUADRATISED;
        put(scene, SIS_KIND_CONTACT, &def);
        put_force(scene, ball, SIS_FORCE_IMPULSE, blow, NAN, 1e-3);
        put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, rate, (int32_t)(6e-3 * rate));
        error[j] = 0;
        for (int32_t n = 0; n < r.frames; n++) {
            const double t = n / rate - 1e-3;
            const double right = t > 0 ? blow / (mass * w) * sin(w * t) : 0;
            error[j] = fmax(error[j], fabs(run_at(&r, n, 0) - right) * mass * w / blow);
        }
        run_free(&r);
    }
    printf("  struck at rest, 16 to 64 kHz: %.1e %.1e %.1e\n", error[0], error[1], error[2]);
    for (int j = 0; j < 2; j++)
        CHECK_NEAR(log2(error[j] / error[j + 1]), 2, 0.2);
}

static void two_sided_quadratised_starts_have_no_side(void) {
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        swing s = {.law = i % 2 ? SIS_LAW_TWO_SIDED : SIS_LAW_CENTRE_LIMITED,
                   .alpha = 1 + 0.5 * (double)(i % 5),
                   .gap = i % 2 ? 0 : 2e-4 * random_unit(&seed),
                   .x0 = 1e-3 * (2 * random_unit(&seed) - 1),
                   .v0 = 30 * (2 * random_unit(&seed) - 1)};
        run up = swing_run(&s, 16000, 0.01);
        s.flipped = true;
        run down = swing_run(&s, 16000, 0.01);
        bool mirrored = true;
        for (int32_t n = 0; n < up.frames; n++)
            mirrored = mirrored && run_at(&up, n, 0) == -run_at(&down, n, 0);
        CHECK(mirrored);
        CHECK_NEAR(run_residual(&up), 0, 1e-13);
        run_free(&up);
        run_free(&down);
    }
}

static void no_free_play_is_two_sided(void) {
    uint64_t seed = 12;
    for (int i = 0; i < 100; i++) {
        swing s = {.law = SIS_LAW_TWO_SIDED,
                   .alpha = 1 + 0.5 * (double)(i % 5),
                   .x0 = i % 3 ? 1e-3 * (2 * random_unit(&seed) - 1) : 0,
                   .v0 = 30 * (2 * random_unit(&seed) - 1)};
        run both = swing_run(&s, 16000, 0.01);
        s.law = SIS_LAW_CENTRE_LIMITED;
        run limited = swing_run(&s, 16000, 0.01);
        for (int32_t n = 0; n < both.frames; n++)
            CHECK(run_at(&both, n, 0) == run_at(&limited, n, 0));
        run_free(&both);
        run_free(&limited);
    }
}

// Inside free play nothing is held, and the mass flies until it meets an edge.
static void free_play_starts_empty(void) {
    const swing s = {SIS_LAW_CENTRE_LIMITED, 1.5, 5e-4, -3e-4, 1, false};
    run r = swing_run(&s, 44100, 1e-3);
    CHECK(r.energy[0].contact == 0);
    for (int32_t n = 0; n / 44100.0 < 7e-4; n++)
        CHECK_NEAR(run_at(&r, n, 0), -3e-4 + n / 44100.0, 1e-15);
    run_free(&r);
}

static void row_zero_is_what_was_given(void) {
    for (int m = 0; m < METHODS; m++) {
        const bounce b = {.mass = 0.02,
                          .frequency = 300,
                          .damping = 9,
                          .position = 3e-4,
                          .velocity = -0.7,
                          .height = 1e-4,
                          .K = 1e6,
                          .alpha = 1.3};
        sis_scene* scene = bounce_scene(&b, &methods[m]);
        put_force(scene, 0, SIS_FORCE_CONSTANT, 3, (double)NAN, 0);
        put_gravity(scene, 9.81);
        run r = run_scene(scene, 44100, 3);
        CHECK(run_at(&r, 0, 0) == 3e-4);
        CHECK(run_at(&r, 0, 1) == -0.7);
        CHECK_NEAR(run_at(&r, 0, 3), 2e-4, 1e-19);
        // f^0 acts over the first half step: the force at the start, to first order in k.
        CHECK_NEAR(run_at(&r, 0, 2), 1e6 * pow(2e-4, 1.3), 0.1 * 1e6 * pow(2e-4, 1.3));
        run_free(&r);
    }
}

static void velocity_is_the_centred_difference(void) {
    const double k = 1 / 44100.0;
    for (int m = 0; m < METHODS; m++) {
        const bounce b = {.mass = 0.02,
                          .frequency = 200,
                          .position = -3e-4,
                          .velocity = 0.7,
                          .height = 1e-4,
                          .K = 1e7,
                          .alpha = 1.5,
                          .flipped = m & 1};
        run r = run_scene(bounce_scene(&b, &methods[m]), 44100, 300);
        for (int32_t n = 1; n + 1 < 300; n++)
            CHECK_NEAR(run_at(&r, n, 1), (run_at(&r, n + 1, 0) - run_at(&r, n - 1, 0)) / (2 * k),
                       1e-13);
        CHECK(sis_state_samples(r.state) == 300);
        run_free(&r);
    }
}

// What a mass feels is what its probes say: M delta_tt u = weight - spring - loss + contacts.
static void forces_of_a_body_add_up(void) {
    const double k = 1 / 48000.0, m = 0.03, w = 2 * PI * 150, R = 12, g = 9.81;
    for (int how = 0; how < METHODS; how++) {
        if (how == EXACT) continue;
        sis_scene* scene = sis_scene_new();
        sis_mass_def body = sis_mass_default();
        body.mass = m;
        body.frequency = 150;
        body.damping = R;
        body.velocity = 1.1;
        const sis_id mass = put(scene, SIS_KIND_MASS, &body);
        const sis_id light = put_mass(scene, 0.01, 2e-4, 0);
        const sis_id low =
            put_contact(scene, mass, put_barrier(scene, -1.5e-4), 1e6, 1.4, &methods[how]);
        const sis_id high = put_contact(scene, light, mass, 3e6, 1.7, &methods[how]);
        const sis_id soft = put_spring(scene, mass, light, 2000, 1e9, 0.4);
        put_gravity(scene, g);
        put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, mass, SIS_QUANTITY_FORCE);
        put_probe(scene, low, SIS_QUANTITY_FORCE);
        put_probe(scene, high, SIS_QUANTITY_FORCE);
        put_probe(scene, soft, SIS_QUANTITY_FORCE);
        put_probe(scene, mass, SIS_QUANTITY_PENETRATION);
        put_probe(scene, low, SIS_QUANTITY_PENETRATION);
        put_probe(scene, high, SIS_QUANTITY_PENETRATION);
        put_probe(scene, light, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 48000, 4000);
        bool both = false;
        for (int32_t n = 1; n + 1 < 4000; n++) {
            const double before = run_at(&r, n - 1, 0), u = run_at(&r, n, 0),
                         next = run_at(&r, n + 1, 0);
            const double want = -m * g - m * w * w * u - m * R * (next - before) / (2 * k) +
                                run_at(&r, n, 2) - run_at(&r, n, 3) - run_at(&r, n, 4);
            CHECK_NEAR(m * (next - 2 * u + before) / (k * k), want, 1e-8);
            CHECK_NEAR(run_at(&r, n, 1), run_at(&r, n, 2) + run_at(&r, n, 3), 1e-12);
            CHECK(run_at(&r, n, 5) == fmax(run_at(&r, n, 6), run_at(&r, n, 7)));
            CHECK_NEAR(run_at(&r, n, 7), u - run_at(&r, n, 8), 1e-16);
            both = both || (run_at(&r, n, 2) > 0 && run_at(&r, n, 3) > 0);
        }
        CHECK(both);
        run_free(&r);
    }
}

static void barriers_and_driven_masses_are_where_they_are_told(void) {
    static const double path[] = {0.001, 1e-3, 0.02, -2e-3, 0.03, 5e-4};
    const double k = 1 / 44100.0;
    sis_scene* scene = sis_scene_new();
    sis_mass_def def = sis_mass_default();
    def.path = (sis_envelope){path, 3};
    const sis_id hand = put(scene, SIS_KIND_MASS, &def);
    const sis_id wall_ = put_barrier(scene, 0.25);
    put_probe(scene, hand, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, hand, SIS_QUANTITY_VELOCITY);
    put_probe(scene, wall_, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, wall_, SIS_QUANTITY_VELOCITY);
    run r = run_scene(scene, 44100, 2000);
    for (int32_t n = 0; n < 2000; n++) {
        const double t = n * k;
        const double u = t <= 0.001  ? 1e-3
                         : t <= 0.02 ? 1e-3 - 3e-3 * (t - 0.001) / 0.019
                         : t <= 0.03 ? -2e-3 + 2.5e-3 * (t - 0.02) / 0.01
                                     : 5e-4;
        CHECK_NEAR(run_at(&r, n, 0), u, 1e-16);
        CHECK(run_at(&r, n, 2) == 0.25 && run_at(&r, n, 3) == 0);
    }
    CHECK_NEAR(run_at(&r, 500, 1), -3e-3 / 0.019, 1e-12);
    run_free(&r);
}

// ---------------------------------------------------------------------------- forces

static run pushed(sis_force_shape shape, double peak, double width, double start, double velocity,
                  double rate, int32_t frames) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 0.04, 0, velocity);
    put_force(scene, mass, shape, peak, width, start);
    put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, rate, frames);
}

static void impulse_gives_its_momentum(void) {
    static const double starts[] = {0, 1e-5, 0.01, 0.013333}, velocities[] = {0, 0.6, -2};
    const double P = 0.017, m = 0.04;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            const double v0 = velocities[j], v1 = v0 + P / m;
            run r = pushed(SIS_FORCE_IMPULSE, P, (double)NAN, starts[i], v0, 44100, 1000);
            CHECK_NEAR(run_at(&r, 999, 0), v1, 1e-13 * fabs(v1));
            CHECK_NEAR(r.energy[999].supplied, P * v0 + P * P / (2 * m), 1e-13 * P * P / m);
            CHECK_NEAR(r.energy[999].total, 0.5 * m * v1 * v1, 1e-13 * m * v1 * v1);
            CHECK_NEAR(run_residual(&r), 0, 1e-14);
            // given at its time: the position tells to half a sample
            const double when = 999 / 44100.0 - (run_at(&r, 999, 1) - v0 * 999 / 44100.0) / (P / m);
            CHECK_NEAR(when, starts[i], 1.01 / 44100);
            if (starts[i] >= 0.01) CHECK_NEAR(when, starts[i], 0.51 / 44100);
            run_free(&r);
        }
}

// Impulse of a smooth or sharp force = its integral, whatever part of a sample it ends in.
// The penetration of a centre-limited contact counts from the edge of its free play, on both sides.
static void free_play_has_its_depth(void) {
    for (int i = 0; i < 2; i++) {
        sis_scene* scene = sis_scene_new();
        const sis_id mass = put_mass(scene, 0.01, -3e-4, -0.2), ground = put_barrier(scene, 0);
        sis_contact_def def = sis_contact_default();
        def.above = ground;
        def.below = mass;
        def.K = 1e6;
        def.alpha = 1.5;
        def.law = SIS_LAW_CENTRE_LIMITED;
        def.gap = i * 1e-4;
        const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
        put_probe(scene, contact, SIS_QUANTITY_PENETRATION);
        put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 44100, 500);
        for (int32_t n = 0; n < r.frames; n++)
            CHECK_NEAR(run_at(&r, n, 0), fabs(run_at(&r, n, 1)) - def.gap, 1e-15);
        run_free(&r);
    }
}

// Half of the way through, a raised cosine has given half of its impulse, a half cosine 1/2 - 1/pi
// of it.
static void cosines_have_their_shape(void) {
    static const sis_force_shape shapes[] = {SIS_FORCE_RAISED_COSINE, SIS_FORCE_HALF_COSINE};
    static const double given[] = {0.25, 0.25 - 0.5 / PI};
    const double rate = 96000, width = 2e-3, peak = 3;
    for (int s = 0; s < 2; s++) {
        run r = pushed(shapes[s], peak, width, 0, 0, rate, 400);
        CHECK_NEAR(run_at(&r, 96, 0) * 0.04 / (peak * width), given[s], 1e-4);
        run_free(&r);
    }
}

static void forces_give_their_integral(void) {
    static const double widths[] = {1e-3, 1.2345e-3, 7.77e-4}, starts[] = {0, 1.1e-3, 2.0204e-3};
    static const sis_force_shape shapes[] = {SIS_FORCE_RAISED_COSINE, SIS_FORCE_HALF_COSINE,
                                             SIS_FORCE_CONSTANT};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (double rate = 44100; rate < 400000; rate *= 4) {
                    const double peak = 3, part = 1 / (rate * widths[i]);
                    run r = pushed(shapes[s], peak, widths[i], starts[j], 0, rate,
                                   (int32_t)(0.005 * rate));
                    const double want = peak * widths[i] * (s == 2 ? 1 : 0.5) / 0.04;
                    const double got = run_at(&r, r.frames - 1, 0);
                    if (!(fabs(got / want - 1) <= 3 * part * part))
                        printf("    shape %d width %g start %g rate %g: impulse off by %.3g, "
                               "(k/width)^2 = %.3g\n",
                               s, widths[i], starts[j], rate, got / want - 1, part * part);
                    CHECK_NEAR(got / want, 1, 3 * part * part);
                    CHECK_NEAR(run_residual(&r), 0, 1e-13);
                    run_free(&r);
                }
}

static void envelope_force_follows_its_points(void) {
    static const double points[] = {0.001, 0, 0.002, 2, 0.004, -1, 0.005, 0};
    const double area = 0.5 * 2 * 1e-3 + 0.5 * (2 - 1) * 2e-3 - 0.5 * 1e-3, peak = 0.7;
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 0.04, 0, 0);
    sis_force_def def = sis_force_default();
    def.on = mass;
    def.shape = SIS_FORCE_ENVELOPE;
    def.peak = peak;
    def.start = 0.0005;
    def.envelope = (sis_envelope){points, 4};
    put(scene, SIS_KIND_FORCE, &def);
    put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
    run r = run_scene(scene, 192000, 2000);
    CHECK_NEAR(run_at(&r, 1999, 0), peak * area / 0.04, 1e-5);
    CHECK_NEAR(run_at(&r, 192, 0), 0, 1e-12); // still zero 1 ms after the start of the scene
    run_free(&r);
}

static void gravity_is_a_parabola(void) {
    for (double rate = 8000; rate < 200000; rate *= 5) {
        const double k = 1 / rate, g = 9.81, v0 = 2.5, u0 = 0.3;
        sis_scene* scene = sis_scene_new();
        const sis_id mass = put_mass(scene, 0.7, u0, v0);
        put_gravity(scene, g);
        put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
        run r = run_scene(scene, rate, (int32_t)rate);
        for (int32_t n = 0; n < r.frames; n++) {
            const double t = n * k;
            CHECK_NEAR(run_at(&r, n, 0), u0 + v0 * t - 0.5 * g * t * t, 1e-10);
            CHECK_NEAR(run_at(&r, n, 1), v0 - g * t, 1e-10);
        }
        const double fallen = u0 - run_at(&r, r.frames - 1, 0);
        CHECK_NEAR(r.energy[r.frames - 1].supplied, 0.7 * g * fallen, 0.7 * g * 30 * k);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- oscillators

static void rest_under_gravity_stays(void) {
    const double g = 9.81, m = 0.05, w = 2 * PI * 60, K1 = 900, K3 = 4e6, K = 2e6, alpha = 1.6;
    double x = m * g / K1; // K1 x + K3 x^3 = m g
    for (int i = 0; i < 50; i++)
        x -= (K1 * x + K3 * x * x * x - m * g) / (K1 + 3 * K3 * x * x);
    for (int how = 0; how < METHODS; how++) {
        sis_scene* scene = sis_scene_new();
        sis_mass_def def = sis_mass_default();
        def.mass = m;
        def.frequency = 60;
        def.position = -g / (w * w);
        const sis_id own = put(scene, SIS_KIND_MASS, &def);
        const sis_id hung = put_mass(scene, m, -x, 0);
        put_spring(scene, hung, SIS_GROUND, K1, K3, 0);
        const double depth = pow(m * g / K, 1 / alpha);
        const sis_id laid = put_mass(scene, m, 0.1 - depth, 0);
        put_contact(scene, laid, put_barrier(scene, 0.1), K, alpha, &methods[how]);
        put_gravity(scene, g);
        put_probe(scene, own, SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, hung, SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, laid, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 44100, 44100);
        for (int32_t n = 0; n < r.frames; n += 100) {
            CHECK_NEAR(run_at(&r, n, 0), def.position, 1e-13);
            CHECK_NEAR(run_at(&r, n, 1), -x, 1e-12);
            CHECK_NEAR(run_at(&r, n, 2), 0.1 - depth, (how == EXACT ? 1e-2 : 1e-7) * depth);
        }
        run_free(&r);
    }
}

static void spring_rings_at_its_discrete_pitch(void) {
    const double k = 1 / 44100.0;
    for (double f = 20; f < 14000; f *= 4.3) {
        const double w0 = 2 * PI * f, angle = 2 * asin(0.5 * w0 * k), u0 = 1e-3, v0 = 0.3;
        for (int stiff = 0; stiff < 2; stiff++) {
            sis_scene* scene = sis_scene_new();
            sis_mass_def def = sis_mass_default();
            def.mass = 0.003;
            if (stiff)
                def.stiffness = def.mass * w0 * w0;
            else
                def.frequency = f;
            def.position = u0;
            def.velocity = v0;
            put_probe(scene, put(scene, SIS_KIND_MASS, &def), SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, 20000);
            CHECK_NEAR(sis_system_body(r.system, 0).frequency, f, 1e-12 * f);
            CHECK_NEAR(sis_system_body(r.system, 0).margin, 1 - 0.25 * w0 * w0 * k * k, 1e-14);
            const double first = u0 + k * v0 - 0.5 * k * k * w0 * w0 * u0;
            const double sine = (first - u0 * cos(angle)) / sin(angle);
            for (int32_t n = 0; n < r.frames; n += 37)
                CHECK_NEAR(run_at(&r, n, 0), u0 * cos(n * angle) + sine * sin(n * angle),
                           1e-10 * (u0 + fabs(sine)));
            run_free(&r);
        }
    }
}

static void damping_decays_at_its_rate(void) {
    const double k = 1 / 44100.0, w0 = 2 * PI * 440, u0 = 1e-3;
    for (double R = 3; R < 2000; R *= 7) {
        sis_scene* scene = sis_scene_new();
        sis_mass_def def = sis_mass_default();
        def.mass = 0.2;
        def.frequency = 440;
        def.damping = R;
        def.position = u0;
        put_probe(scene, put(scene, SIS_KIND_MASS, &def), SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 44100, 8000);
        // u+ (1 + R k/2) = (2 - w0^2 k^2) u - (1 - R k/2) u-
        const double half = 0.5 * R * k, keep = sqrt((1 - half) / (1 + half));
        const double angle = acos((2 - w0 * w0 * k * k) / (2 * (1 + half) * keep));
        const double first = run_at(&r, 1, 0) / keep;
        const double sine = (first - u0 * cos(angle)) / sin(angle);
        for (int32_t n = 0; n < r.frames; n += 11)
            CHECK_NEAR(run_at(&r, n, 0),
                       pow(keep, n) * (u0 * cos(n * angle) + sine * sin(n * angle)), 1e-13);
        CHECK_NEAR(first * keep, u0 - 0.5 * k * k * w0 * w0 * u0, R * k * k * k * w0 * w0 * u0);
        CHECK_NEAR(-log(keep) / k, 0.5 * R, 0.5 * R * half * half);
        CHECK_NEAR(run_residual(&r), 0, 1e-13);
        run_free(&r);
    }
}

// Period of an oscillation around 0 from its upward crossings; between two samples it is straight.
static double period_of(const run* r, double k) {
    double first = 0, last = 0;
    int count = 0;
    for (int32_t n = 1; n < r->frames; n++) {
        const double a = run_at(r, n - 1, 0), b = run_at(r, n, 0);
        if (!(a < 0 && b >= 0)) continue;
        last = (n - b / (b - a)) * k;
        if (count++ == 0) first = last;
    }
    return (last - first) / (count - 1);
}

static double cubic_period(double rate) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 0.01, -2e-3, 0);
    put_spring(scene, SIS_GROUND, mass, 0, 3e8, 0);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, (int32_t)(0.5 * rate));
    const double period = period_of(&r, 1 / rate);
    run_free(&r);
    return period;
}

// x'' = -(K3/M) x^3 from rest at A: T = 4 sqrt(2) L/(A sqrt(K3/M)), L = 1.311... of the lemniscate.
static void cubic_spring_has_the_elliptic_period(void) {
    const double lemniscate = 1.3110287771460599, A = 2e-3;
    const double exact = 4 * sqrt(2) * lemniscate / (A * sqrt(3e8 / 0.01));
    CHECK_NEAR(wall_theta(3), lemniscate, 1e-14);
    const double coarse = cubic_period(44100) / exact - 1, fine = cubic_period(176400) / exact - 1;
    CHECK_NEAR(coarse, 0, 1e-3);
    CHECK_NEAR(log2(coarse / fine) / 2, 2, 0.1);
    printf("  cubic spring: %.2e at 44.1 kHz, order %.3f\n", coarse, log2(coarse / fine) / 2);
}

// A mass in a two-sided or centre-limited contact: 4 Theta X/v, and 4 gap/v of free play.
static double play_period(sis_law law, double alpha, double gap, double rate, const method* how) {
    sis_scene* scene = sis_scene_new();
    const double speed = 1.5, K = wall_stiffness(0.01, alpha, speed, 1.5e-3);
    const sis_id mass = put_mass(scene, 0.01, 0, speed);
    sis_contact_def def = sis_contact_default();
    def.above = mass;
    def.below = put_barrier(scene, 0);
    def.K = K;
    def.alpha = alpha;
    def.law = law;
    def.gap = gap;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &def);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, (int32_t)(0.3 * rate));
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    const double period = period_of(&r, 1 / rate);
    run_free(&r);
    return period / (2 * 1.5e-3 + 4 * gap / speed) - 1;
}

static void two_sided_contacts_have_the_exact_period(void) {
    for (int m = 0; m < METHODS; m++)
        for (double alpha = 1; alpha < 3.1; alpha += 0.5) {
            const double coarse = play_period(SIS_LAW_TWO_SIDED, alpha, 0, 44100, &methods[m]);
            const double fine = play_period(SIS_LAW_TWO_SIDED, alpha, 0, 176400, &methods[m]);
            CHECK_NEAR(coarse, 0, m == EXACT ? 1e-7 : 3e-3);
            CHECK_NEAR(fine, 0, m == EXACT ? 1e-7 : 4e-4);
            if (m != EXACT && m < RELEASE) CHECK_NEAR(log2(coarse / fine) / 2, 2, 0.1);
            if (alpha == 2)
                printf("  %-20s two-sided alpha 2: %.2e at 44.1 kHz\n", methods[m].name, coarse);
        }
}

static void free_play_takes_its_time(void) {
    for (int m = 0; m < METHODS; m++)
        for (double alpha = 1; alpha < 3.1; alpha += 0.5) {
            const double off = play_period(SIS_LAW_CENTRE_LIMITED, alpha, 7e-4, 44100, &methods[m]);
            if (!(fabs(off) <= (m == EXACT ? 1e-7 : m < RELEASE ? 3e-3 : 0.03)))
                printf("    %s alpha %g: period off by %.3g\n", methods[m].name, alpha, off);
            CHECK_NEAR(off, 0, m == EXACT ? 1e-7 : m < RELEASE ? 3e-3 : 0.03);
        }
}

int main(void) {
    RUN(start_inside_a_contact_is_second_order);
    RUN(two_sided_quadratised_starts_are_second_order);
    RUN(a_struck_two_sided_spring_is_second_order);
    RUN(two_sided_quadratised_starts_have_no_side);
    RUN(no_free_play_is_two_sided);
    RUN(free_play_starts_empty);
    RUN(row_zero_is_what_was_given);
    RUN(velocity_is_the_centred_difference);
    RUN(forces_of_a_body_add_up);
    RUN(barriers_and_driven_masses_are_where_they_are_told);
    RUN(impulse_gives_its_momentum);
    RUN(free_play_has_its_depth);
    RUN(cosines_have_their_shape);
    RUN(forces_give_their_integral);
    RUN(envelope_force_follows_its_points);
    RUN(gravity_is_a_parabola);
    RUN(rest_under_gravity_stays);
    RUN(spring_rings_at_its_discrete_pitch);
    RUN(damping_decays_at_its_rate);
    RUN(cubic_spring_has_the_elliptic_period);
    RUN(two_sided_contacts_have_the_exact_period);
    RUN(free_play_takes_its_time);
    return CHECK_REPORT();
}
