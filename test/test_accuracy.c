// How far from the exact motion: the ledger as near as converged Newton.
#include <stdlib.h>

#include "check.h"
#include "reference.h"

static const double alphas[] = {1, 1.1, 1.5, 2, 2.5, 3, 3.7};
enum { ALPHAS = sizeof alphas / sizeof *alphas };

// ---------------------------------------------------------------------------- free impacts

enum { PHASES = 32, TAIL = 12 };

typedef struct impact {
    double mass, speed, alpha, length; // length of the contact in samples
} impact;

typedef struct verdict {
    double error[PHASES]; // largest |u - exact| of each phase, in samples of travel k v
    double delay[PHASES]; // lag after the rebound, in samples
    double exit[PHASES];  // relative error of the exit speed
    uint32_t powers, iterations;
    double least;
} verdict;

// One mass per arrival phase, each on its own barrier, in one scene.
static verdict measure(const impact* c, const method* how) {
    const double rate = 44100, k = 1 / rate, travel = k * c->speed;
    const int32_t frames = (int32_t)c->length + 4 + TAIL;
    const double K = wall_stiffness(c->mass, c->alpha, c->speed, c->length * k);
    const wall w = {.mass = c->mass, .K = K, .alpha = c->alpha};
    static double exact[256];
    verdict v = {.powers = 0};
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < PHASES; i++) {
        const sis_id ball =
            put_mass(scene, c->mass, -(1.5 + (i + 0.5) / PHASES) * travel, c->speed);
        put_contact(scene, put_barrier(scene, 0), ball, K, c->alpha, how);
        put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
    }
    run r = run_scene(scene, rate, frames);
    for (int i = 0; i < PHASES; i++) {
        wall_exact(&w, run_at(&r, 0, 2 * i), c->speed, k, frames, exact, NULL);
        for (int32_t n = 0; n < frames; n++)
            v.error[i] = fmax(v.error[i], fabs(run_at(&r, n, 2 * i) - exact[n]) / travel);
        v.delay[i] = (run_at(&r, frames - 1, 2 * i) - exact[frames - 1]) / travel;
        v.exit[i] = -run_at(&r, frames - 1, 2 * i + 1) / c->speed - 1;
        const sis_link_report report = sis_state_link(r.system, r.state, i);
        if (report.powers_max > v.powers) v.powers = report.powers_max;
        if (report.iterations_max > v.iterations) v.iterations = report.iterations_max;
        v.least = fmin(v.least, report.min_force);
    }
    run_free(&r);
    return v;
}

static double mean(const double x[PHASES]) {
    double sum = 0;
    for (int i = 0; i < PHASES; i++)
        sum += x[i];
    return sum / PHASES;
}

static double spread(const double x[PHASES]) {
    const double middle = mean(x);
    double sum = 0;
    for (int i = 0; i < PHASES; i++)
        sum += (x[i] - middle) * (x[i] - middle);
    return sqrt(sum / PHASES);
}

// The largest ratio of the errors of two methods, phase by phase.
static double compare(const impact* c, int ledger, int newton) {
    const verdict a = measure(c, &methods[ledger]), b = measure(c, &methods[newton]);
    double worst = 0;
    for (int i = 0; i < PHASES; i++) {
        const double ratio = (a.error[i] - 1e-12) / b.error[i];
        if (!(ratio <= worst)) worst = ratio;
    }
    CHECK(a.powers <= 5);
    CHECK(a.iterations == 0);
    CHECK(a.least >= 0);
    if (!(worst <= 1.05))
        printf("    %s, alpha %g, %g samples: error %.4f of newton's\n", methods[ledger].name,
               c->alpha, c->length, worst);
    CHECK(worst <= 1.05);
    return worst;
}

static void ledger_is_as_near_as_newton(void) {
    static const double lengths[] = {1, 1.4, 2, 2.5, 3.3, 5, 8, 13, 21, 40};
    double mean_worst = 0, middle_worst = 0;
    for (int a = 0; a < ALPHAS; a++)
        for (int l = 0; l < 10; l++) {
            const impact c = {0.0123, 2.1, alphas[a], lengths[l]};
            mean_worst = fmax(mean_worst, compare(&c, LEDGER, NEWTON));
            middle_worst = fmax(middle_worst, compare(&c, LEDGER_MID, NEWTON_MID));
        }
    printf("  ledger/newton worst error ratio: mean %.4f, midpoint %.4f\n", mean_worst,
           middle_worst);
}

// The exact flow has no error at all on a free mass, however short the contact.
static void exact_is_exact_on_a_free_mass(void) {
    static const double lengths[] = {0.03, 0.4, 1, 2.5, 7.7, 30};
    double worst = 0;
    for (int a = 0; a < ALPHAS; a++)
        for (int l = 0; l < 6; l++) {
            const impact c = {0.0123, 2.1, alphas[a], lengths[l]};
            if (wall_stiffness(c.mass, c.alpha, c.speed, c.length / 44100) > 1e30) continue;
            const verdict v = measure(&c, &methods[EXACT]);
            for (int i = 0; i < PHASES; i++) {
                CHECK_NEAR(v.error[i], 0, 1e-8);
                worst = fmax(worst, v.error[i]);
            }
            CHECK(v.powers <= 5);
        }
    printf("  exact: worst error %.1e samples of travel\n", worst);
}

// Contact of 2.5 samples, alpha = 1.1: delay after the rebound, mean and spread over the phases.
static void delays_of_a_short_contact(void) {
    static const struct {
        int method;
        double mean, spread, mean_off, spread_off;
    } known[] = {{NEWTON, 0.731, 0.007, 0.003, 0.002},
                 {LEDGER, 0.730, 0.008, 0.003, 0.002},
                 {LEDGER_MID, 0.311, 0.009, 0.003, 0.002},
                 {EXACT, 0, 0, 1e-9, 1e-9}};
    const impact c = {1, 1, 1.1, 2.5};
    for (int i = 0; i < 4; i++) {
        const verdict v = measure(&c, &methods[known[i].method]);
        CHECK_NEAR(mean(v.delay), known[i].mean, known[i].mean_off);
        CHECK_NEAR(spread(v.delay), known[i].spread, known[i].spread_off);
        printf("  %-20s delay %.4f +- %.4f samples\n", methods[known[i].method].name, mean(v.delay),
               spread(v.delay));
    }
    const verdict v = measure(&c, &methods[PLAIN]);
    double worst = 0;
    for (int i = 0; i < PHASES; i++)
        worst = fmin(worst, v.exit[i]);
    printf("  %-20s exit speed mean %.2f %%, worst %.1f %%\n", "quadratised plain",
           100 * mean(v.exit), 100 * worst);
    CHECK_NEAR(100 * mean(v.exit), -4.3, 0.5);
    CHECK_NEAR(100 * worst, -42, 2);
}

// alpha = 1: Newton lags by 2.06/N samples, N the length of the contact.
static void newton_lags_by_two_over_n(void) {
    for (double length = 10; length <= 80; length *= 2) {
        const impact c = {0.3, 0.7, 1, length};
        const verdict v = measure(&c, &methods[NEWTON]), w = measure(&c, &methods[LEDGER]);
        CHECK_NEAR(mean(v.delay) * length, 2.06, 0.06);
        CHECK_NEAR(mean(w.delay) * length, 2.06, 0.06);
    }
}

// The difference equation itself: what Newton says it solves, seen from outside.
static void newton_solves_its_equation(void) {
    const double rate = 48000, k = 1 / rate, mass = 0.02, speed = 1.2;
    for (int a = 0; a < ALPHAS; a++) {
        const double alpha = alphas[a], K = wall_stiffness(mass, alpha, speed, 9.3 * k);
        const bounce b = {
            .mass = mass, .position = -2.3 * k * speed, .velocity = speed, .K = K, .alpha = alpha};
        run r = run_scene(bounce_scene(&b, &methods[NEWTON]), rate, 24);
        const double peak = K * pow(wall_depth(mass, K, alpha, speed), alpha);
        for (int32_t n = 1; n + 1 < 24; n++) {
            const double before = run_at(&r, n - 1, 0), now = run_at(&r, n, 0);
            const double next = run_at(&r, n + 1, 0), force = run_at(&r, n, 2);
            const double gained =
                K / (alpha + 1) * (pow(fmax(next, 0), alpha + 1) - pow(fmax(before, 0), alpha + 1));
            CHECK_NEAR(mass * (next - 2 * now + before) / (k * k), -force, 1e-11 * peak);
            CHECK_NEAR(force * (next - before), gained, 1e-12 * peak * speed * k);
        }
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- mass on a spring

// Largest |u - exact| in flight up to the second bounce, up to the sixth, and in one second.
typedef struct drift {
    double one, five, second;
} drift;

static bool flies_around(const double* x, int32_t n, int32_t margin, int32_t frames) {
    for (int32_t i = n - margin; i <= n + margin; i++)
        if (i >= 0 && i < frames && x[i] > 0) return false;
    return true;
}

static drift spring_bounces(double K, double rate, const method* how) {
    const int32_t frames = (int32_t)rate, margin = (int32_t)(1e-3 * rate);
    const bounce b = {.mass = 0.01,
                      .frequency = 10,
                      .position = -0.5,
                      .velocity = 1,
                      .height = 0.2,
                      .K = K,
                      .alpha = 1.1};
    const wall w = {.mass = 0.01, .K = K, .alpha = 1.1, .omega = 2 * PI * 10, .rest = -0.2};
    run r = run_scene(bounce_scene(&b, how), rate, frames);
    double* exact = calloc((size_t)frames, sizeof(double));
    wall_exact(&w, -0.7, 1, 1 / rate, frames, exact, NULL);
    drift d = {0, 0, 0};
    int bounces = 0;
    for (int32_t n = 1; n < frames; n++) {
        if (exact[n] <= 0 && exact[n - 1] > 0) bounces++;
        if (!flies_around(exact, n, margin, frames)) continue;
        const double error = fabs(run_at(&r, n, 0) - 0.2 - exact[n]);
        if (bounces <= 1) d.one = fmax(d.one, error);
        if (bounces <= 5) d.five = fmax(d.five, error);
        d.second = fmax(d.second, error);
    }
    CHECK(bounces >= 14);
    if (how->scheme == SIS_SCHEME_LEDGER)
        CHECK(sis_state_link(r.system, r.state, 0).powers_max <= 5);
    free(exact);
    run_free(&r);
    return d;
}

static void spring_and_barrier_follow_the_exact_motion(void) {
    static const double stiffness[] = {5e4, 7e7}, rates[] = {44100, 220500};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < check_count(1, 2); j++) {
            const drift newton = spring_bounces(stiffness[i], rates[j], &methods[NEWTON]);
            const drift ledger = spring_bounces(stiffness[i], rates[j], &methods[LEDGER]);
            const drift middle = spring_bounces(stiffness[i], rates[j], &methods[LEDGER_MID]);
            printf("  K %g at %g Hz: newton %.3e %.3e %.3e, ledger %.3e %.3e %.3e, midpoint %.3e\n",
                   stiffness[i], rates[j], newton.one, newton.five, newton.second, ledger.one,
                   ledger.five, ledger.second, middle.one);
            CHECK(ledger.one <= 1.05 * newton.one);
            CHECK(ledger.five <= 1.05 * newton.five);
            CHECK(ledger.second <= 1.05 * newton.second);
            CHECK(middle.one <= 1.05 * newton.one);
            CHECK(middle.second <= 1.05 * newton.second);
        }
}

// The published hard barrier: largest deviation after 1 bounce, 5 bounces and 1 s.
static void hard_barrier_has_the_known_errors(void) {
    static const struct {
        int method;
        drift want;
    } known[] = {{NEWTON, {5.2e-4, 2.6e-3, 8.5e-3}},
                 {LEDGER, {5.2e-4, 2.6e-3, 8.5e-3}},
                 {LEDGER_MID, {2.3e-4, 1.1e-3, 3.6e-3}},
                 {EXACT, {1.7e-7, 5.4e-7, 1.5e-6}}};
    for (int i = 0; i < 4; i++) {
        const drift have = spring_bounces(7e7, 44100, &methods[known[i].method]);
        printf("  %-20s %.3g %.3g %.3g\n", methods[known[i].method].name, have.one, have.five,
               have.second);
        CHECK_NEAR(have.one / known[i].want.one, 1, 0.05);
        CHECK_NEAR(have.five / known[i].want.five, 1, 0.05);
        CHECK_NEAR(have.second / known[i].want.second, 1, 0.05);
    }
}

// eta is carried along by its own increments; it must stay the distance of the bodies.
static void penetration_stays_the_distance(void) {
    for (int m = 0; m < METHODS; m++) {
        const bounce b = {.mass = 0.01,
                          .frequency = 83,
                          .position = -0.02,
                          .velocity = 1,
                          .height = 0.007,
                          .K = 3e6,
                          .alpha = 1.3};
        run r = run_scene(bounce_scene(&b, &methods[m]), 192000, 192000);
        for (int32_t n = 0; n < r.frames; n += 997)
            CHECK_NEAR(run_at(&r, n, 3), run_at(&r, n, 0) - 0.007, 1e-14);
        run_free(&r);
    }
}

int main(void) {
    RUN(ledger_is_as_near_as_newton);
    RUN(exact_is_exact_on_a_free_mass);
    RUN(delays_of_a_short_contact);
    RUN(newton_lags_by_two_over_n);
    RUN(newton_solves_its_equation);
    RUN(spring_and_barrier_follow_the_exact_motion);
    RUN(hard_barrier_has_the_known_errors);
    RUN(penetration_stays_the_distance);
    return CHECK_REPORT();
}
