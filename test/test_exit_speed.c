// What comes in goes out: rebound speeds without loss are exact, contacts only push, and nothing is
// left behind in an open contact.
#include "check.h"
#include "reference.h"

static const double alphas[] = {1, 1.1, 1.5, 2, 2.5, 3};
static const double lengths[] = {0.5, 1, 2.5, 7, 18, 40}; // samples
enum { ALPHAS = 6, LENGTHS = 6, PHASES = 64 };
static const int exact_methods[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, EXACT, RELEASE};
enum { EXACT_METHODS = 6 };

typedef struct seen {
    double exit;    // worst relative error of the exit speed
    double least;   // smallest force over the largest
    double trapped; // largest energy left in the open contact, of the kinetic energy
} seen;

// Throws one mass per arrival phase, each against its own barrier, every second one from above.
static seen throw_all(double alpha, double length, int phases, const method* how) {
    const double rate = 44100, k = 1 / rate, mass = 0.0137, speed = 1.9;
    const double K = wall_stiffness(mass, alpha, speed, length * k);
    seen s = {0, 0, 0};
    if (K > 1e30) return s; // beyond the schema
    sis_scene* scene = sis_scene_new();
    for (int phase = 0; phase < phases; phase++) {
        const double side = phase & 1 ? -1 : 1;
        const double away = (1 + (phase + 0.37) / phases) * k * speed;
        const sis_id ball = put_mass(scene, mass, -side * away, side * speed);
        const sis_id fixed = put_barrier(scene, 0);
        if (side > 0)
            put_contact(scene, fixed, ball, K, alpha, how);
        else
            put_contact(scene, ball, fixed, K, alpha, how);
        put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
    }
    run r = run_scene(scene, rate, (int32_t)length + 10);
    for (int phase = 0; phase < phases; phase++) {
        const double v = run_at(&r, r.frames - 1, phase) * (phase & 1 ? -1 : 1);
        const sis_link_report report = sis_state_link(r.system, r.state, phase);
        const double miss = report.max_force > 0 ? fabs(v / speed + 1) : HUGE_VAL;
        if (!(miss <= s.exit)) s.exit = miss;
        s.least = fmin(s.least, report.min_force / report.max_force);
        s.trapped = fmax(s.trapped, report.trapped_max / (0.5 * mass * speed * speed));
    }
    run_free(&r);
    return s;
}

static void free_masses_rebound_exactly(void) {
    for (int m = 0; m < EXACT_METHODS; m++) {
        const method* how = &methods[exact_methods[m]];
        seen all = {0, 0, 0};
        for (int a = 0; a < ALPHAS; a++)
            for (int l = 0; l < LENGTHS; l++) {
                const seen s = throw_all(alphas[a], lengths[l], PHASES, how);
                if (!(s.exit <= 1e-9))
                    printf("    %s alpha %g, %g samples: exit speed off by %.3g\n", how->name,
                           alphas[a], lengths[l], s.exit);
                CHECK_NEAR(s.exit, 0, 1e-9);
                all.exit = fmax(all.exit, s.exit);
                all.least = fmin(all.least, s.least);
                all.trapped = fmax(all.trapped, s.trapped);
            }
        const int id = exact_methods[m];
        if (id == LEDGER || id == LEDGER_MID || id == EXACT || id == RELEASE) {
            CHECK(all.least >= 0);
            CHECK_NEAR(all.trapped, 0, id == RELEASE ? 1e-25 : 0); // psi is emptied to rounding
        }
        printf("  %-20s exit speed %.1e, least force %.1e, trapped %.1e\n", how->name, all.exit,
               all.least, all.trapped);
    }
}

// The published scheme does not: this is what the others repair, and shows that the test can see
// it.
static void plain_quadratised_loses_speed(void) {
    const seen s = throw_all(1.1, 2.5, PHASES, &methods[PLAIN]);
    CHECK(s.exit > 0.3 && s.exit < 0.5);
    CHECK(s.trapped > 0.4 && s.trapped < 0.9);
}

// Exponents up to the end of the schema and contacts far below one sample.
static void extreme_contacts_rebound_exactly(void) {
    static const double hard[] = {3.7, 5, 6.5, 12}, brief[] = {0.02, 0.5, 3, 15, 60};
    for (int m = 0; m < EXACT_METHODS; m++)
        for (int a = 0; a < 4; a++)
            for (int l = 0; l < 5; l++) {
                const seen s = throw_all(hard[a], brief[l], 13, &methods[exact_methods[m]]);
                if (!(s.exit <= 1e-9))
                    printf("    %s alpha %g, %g samples: exit speed off by %.3g\n",
                           methods[exact_methods[m]].name, hard[a], brief[l], s.exit);
                CHECK_NEAR(s.exit, 0, 1e-9);
            }
}

// ---------------------------------------------------------------------------- two free masses

typedef struct crash {
    double m_low, m_high, v_low, v_high, alpha, length, phase;
} crash;

static run crash_run(const crash* c, const method* how) {
    const double rate = 48000, k = 1 / rate, closing = c->v_low - c->v_high;
    const double reduced = c->m_low * c->m_high / (c->m_low + c->m_high);
    sis_scene* scene = sis_scene_new();
    const sis_id low = put_mass(scene, c->m_low, 0, c->v_low);
    const sis_id high = put_mass(scene, c->m_high, (1 + c->phase) * k * closing, c->v_high);
    put_contact(scene, high, low, wall_stiffness(reduced, c->alpha, closing, c->length * k),
                c->alpha, how);
    put_probe(scene, low, SIS_QUANTITY_VELOCITY);
    put_probe(scene, high, SIS_QUANTITY_VELOCITY);
    return run_scene(scene, rate, (int32_t)c->length + 12);
}

static void check_crash(const crash* c, const method* how, double* momentum_error) {
    run r = crash_run(c, how);
    const double total = c->m_low + c->m_high;
    const double drift = (c->m_low * c->v_low + c->m_high * c->v_high) / total;
    const double scale = fmax(fabs(c->v_low), fabs(c->v_high));
    CHECK_NEAR(run_at(&r, r.frames - 1, 0), 2 * drift - c->v_low, 1e-9 * scale);
    CHECK_NEAR(run_at(&r, r.frames - 1, 1), 2 * drift - c->v_high, 1e-9 * scale);
    const double size = c->m_low * fabs(c->v_low) + c->m_high * fabs(c->v_high);
    for (int32_t n = 0; n < r.frames; n++) {
        const double p = c->m_low * run_at(&r, n, 0) + c->m_high * run_at(&r, n, 1);
        const double error = fabs(p - drift * total) / size;
        if (!(error <= *momentum_error)) *momentum_error = error;
    }
    const sis_link_report report = sis_state_link(r.system, r.state, 0);
    CHECK_NEAR(report.trapped_max, 0, how->release ? 1e-25 : 0);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
}

static void two_masses_exchange_momentum(void) {
    static const double ratios[] = {1, 3, 100, 0.01};
    for (int m = 0; m < EXACT_METHODS; m++) {
        double momentum_error = 0;
        for (int i = 0; i < 4; i++)
            for (int a = 0; a < ALPHAS; a += 2)
                for (int phase = 0; phase < 8; phase++) {
                    const crash c = {0.02,
                                     0.02 * ratios[i],
                                     1.1,
                                     -0.6,
                                     alphas[a],
                                     1.7 * (i + 1) + a,
                                     phase / 8.0 + 0.03};
                    check_crash(&c, &methods[exact_methods[m]], &momentum_error);
                    const crash at_rest = {0.02, 0.02 * ratios[i], 0.9, 0, alphas[a],
                                           3.1,  phase / 8.0};
                    check_crash(&at_rest, &methods[exact_methods[m]], &momentum_error);
                }
        CHECK_NEAR(momentum_error, 0, 1e-14);
        printf("  %-20s momentum %.1e\n", methods[exact_methods[m]].name, momentum_error);
    }
}

// Turned upside down (u -> -u, above <-> below) everything is the mirror image, bit by bit.
static void upside_down_is_the_mirror_image(void) {
    for (int m = 0; m < METHODS; m++) {
        run side[2];
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            const double s = mirrored ? -1 : 1;
            sis_scene* scene = sis_scene_new();
            const sis_id a = put_mass(scene, 0.02, -1e-4 * s, 1.3 * s);
            const sis_id b = put_mass(scene, 0.05, 2e-4 * s, -0.2 * s);
            if (mirrored)
                put_contact(scene, a, b, 3e7, 1.5, &methods[m]);
            else
                put_contact(scene, b, a, 3e7, 1.5, &methods[m]);
            put_probe(scene, a, SIS_QUANTITY_DISPLACEMENT);
            put_probe(scene, b, SIS_QUANTITY_VELOCITY);
            side[mirrored] = run_scene(scene, 44100, 60);
        }
        for (int32_t n = 0; n < 60; n++)
            for (int p = 0; p < 2; p++)
                CHECK(run_at(&side[0], n, p) == -run_at(&side[1], n, p));
        CHECK(sis_state_link(side[0].system, side[0].state, 0).contact_samples > 3);
        run_free(&side[0]);
        run_free(&side[1]);
    }
}

// A wall is a mass so heavy that it does not move.
static void heavy_mass_is_a_wall(void) {
    for (int m = 0; m < METHODS; m++) {
        const bounce b = {.mass = 0.01, .position = -1e-4, .velocity = 1, .K = 1e7, .alpha = 1.5};
        run fixed = run_scene(bounce_scene(&b, &methods[m]), 44100, 60);
        sis_scene* scene = sis_scene_new();
        const sis_id light = put_mass(scene, 0.01, -1e-4, 1), heavy = put_mass(scene, 1e12, 0, 0);
        put_contact(scene, heavy, light, 1e7, 1.5, &methods[m]);
        put_probe(scene, light, SIS_QUANTITY_DISPLACEMENT);
        run moving = run_scene(scene, 44100, 60);
        for (int32_t n = 0; n < 60; n++)
            CHECK_NEAR(run_at(&moving, n, 0), run_at(&fixed, n, 0), 1e-14);
        run_free(&fixed);
        run_free(&moving);
    }
}

int main(void) {
    RUN(free_masses_rebound_exactly);
    RUN(plain_quadratised_loses_speed);
    RUN(extreme_contacts_rebound_exactly);
    RUN(two_masses_exchange_momentum);
    RUN(upside_down_is_the_mirror_image);
    RUN(heavy_mass_is_a_wall);
    return CHECK_REPORT();
}
