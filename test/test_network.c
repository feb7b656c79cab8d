// Several contacts at once: rows of masses, rattles, cradles, chains, mixed schemes.
#include <float.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"

static const int coupled[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE, PLAIN};
enum { COUPLED = 6 }; // exact needs contacts that share no body

// Newton stores phi(eta), and eta is known to eps |u| only. Probes must be displacements.
static double allowance(const run* r, const method* how) {
    if (how->scheme != SIS_SCHEME_NEWTON) return 1e-12;
    double reach = 0, depth = HUGE_VAL;
    for (int32_t n = 0; n < r->frames; n++)
        for (int32_t p = 0; p < r->probes; p++)
            reach = fmax(reach, fabs(run_at(r, n, p)));
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        if (report.max_penetration > 0) depth = fmin(depth, report.max_penetration);
    }
    return 1e-12 + 100 * DBL_EPSILON * reach / depth;
}

static void never_pulls(const run* r) {
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++)
        if (sis_system_link(r->system, i).kind == SIS_KIND_CONTACT)
            CHECK(sis_state_link(r->system, r->state, i).min_force >= 0);
}

static void iterations_stay_bounded(const run* r, double* mean) {
    uint64_t all = 0, samples = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        CHECK(report.iterations_max < 60);
        all += report.iterations;
        samples += report.iterated_samples;
    }
    CHECK(samples > 0);
    if (samples) *mean = fmax(*mean, (double)all / (double)samples);
}

// ---------------------------------------------------------------------------- rows of free masses

// `count` masses, bottom one thrown up; all gaps `gap`; contact of about `length` samples at 44.1
// kHz. Probes: displacements.
typedef struct row {
    int count;
    double gap, alpha, length, ratio; // ratio: mass of each from the one below
} row;

static const double row_mass = 0.02, row_speed = 1.3;

static run row_run(const row* w, double rate, double time, const method* how) {
    sis_scene* scene = sis_scene_new();
    const double K = wall_stiffness(row_mass / 2, w->alpha, row_speed, w->length / 44100);
    sis_id below = SIS_NONE;
    double m = row_mass;
    for (int i = 0; i < w->count; i++) {
        const sis_id ball = put_mass(scene, m, i * w->gap, i ? 0 : row_speed);
        if (i) put_contact(scene, ball, below, K, w->alpha, how);
        put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
        below = ball;
        m *= w->ratio;
    }
    return run_scene(scene, rate, (int32_t)(time * rate));
}

static double row_velocity(const run* r, int32_t n, int i, double rate) {
    return (run_at(r, n + 1, i) - run_at(r, n, i)) * rate;
}

static void rows_conserve_momentum_and_energy(void) {
    static const row rows[] = {
        {3, 1e-5, 1.5, 8, 1}, {3, 0, 2.5, 3, 0.4}, {5, 2e-5, 1, 12, 1.7}, {8, 1e-6, 1.3, 5, 1}};
    double worst_momentum = 0, worst_energy = 0, mean = 0;
    for (int m = 0; m < COUPLED; m++)
        for (int i = 0; i < 4; i++) {
            run r = row_run(&rows[i], 44100, 0.02, &methods[coupled[m]]);
            for (int32_t n = 0; n + 1 < r.frames; n++) {
                double p = 0, mass = row_mass;
                for (int j = 0; j < rows[i].count; j++, mass *= rows[i].ratio)
                    p += mass * row_velocity(&r, n, j, 44100);
                const double error = fabs(p / (row_mass * row_speed) - 1);
                if (!(error <= worst_momentum)) worst_momentum = error;
            }
            const double residual = run_residual(&r);
            CHECK_NEAR(residual, 0, allowance(&r, &methods[coupled[m]]));
            worst_energy = fmax(worst_energy, residual);
            if (coupled[m] == LEDGER || coupled[m] == LEDGER_MID || coupled[m] == RELEASE)
                never_pulls(&r);
            if (methods[coupled[m]].scheme == SIS_SCHEME_NEWTON) iterations_stay_bounded(&r, &mean);
            run_free(&r);
        }
    // positions are known to eps u, velocities from them to eps u rate
    CHECK_NEAR(worst_momentum, 0, 1e-11);
    printf("  rows: momentum %.1e, energy %.1e, newton iterations mean %.2f\n", worst_momentum,
           worst_energy, mean);
}

// Ledger and Newton against Newton at 32 times the rate.
static void ledger_follows_newton_in_rows(void) {
    static const row rows[] = {{3, 1e-5, 1.5, 8, 1},
                               {3, 0, 2.5, 4, 0.4},
                               {5, 2e-5, 1, 12, 1.7},
                               {8, 1e-6, 1.3, 6, 1},
                               {5, 0, 2, 20, 1}};
    for (int i = 0; i < 5; i++) {
        const double time = 0.005;
        run fine = row_run(&rows[i], 44100 * 32, time, &methods[NEWTON]);
        run newton = row_run(&rows[i], 44100, time, &methods[NEWTON]);
        run ledger = row_run(&rows[i], 44100, time, &methods[LEDGER]);
        double newton_error = 0, ledger_error = 0, apart = 0;
        for (int32_t n = 0; n < newton.frames; n++)
            for (int j = 0; j < rows[i].count; j++) {
                const double exact = run_at(&fine, 32 * n, j);
                newton_error = fmax(newton_error, fabs(run_at(&newton, n, j) - exact));
                ledger_error = fmax(ledger_error, fabs(run_at(&ledger, n, j) - exact));
                apart = fmax(apart, fabs(run_at(&ledger, n, j) - run_at(&newton, n, j)));
            }
        printf("  row of %d, alpha %g, %g samples: newton off %.2e m, ledger %.2e, apart %.2e\n",
               rows[i].count, rows[i].alpha, rows[i].length, newton_error, ledger_error, apart);
        CHECK(ledger_error <= 1.05 * newton_error);
        CHECK(apart <= 0.01 * newton_error);
        run_free(&fine);
        run_free(&newton);
        run_free(&ledger);
    }
}

// Five balls so far apart that contacts follow one another: the last one takes it all.
static void spaced_cradle_hands_the_speed_on(void) {
    for (int m = 0; m < COUPLED; m++) {
        if (coupled[m] == PLAIN) continue;
        const row cradle = {5, 3 * 9.3 / 44100 * row_speed, 1.5, 9.3, 1};
        run r = row_run(&cradle, 44100, 0.01, &methods[coupled[m]]);
        const int32_t end = r.frames - 2;
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(row_velocity(&r, end, i, 44100), 0, 1e-9 * row_speed);
        CHECK_NEAR(row_velocity(&r, end, 4, 44100), row_speed, 1e-9 * row_speed);
        CHECK_NEAR(run_residual(&r), 0, allowance(&r, &methods[coupled[m]]));
        if (coupled[m] == LEDGER || coupled[m] == LEDGER_MID) {
            never_pulls(&r);
            for (int32_t i = 0; i < 4; i++) // one contact at a time: the energy is all out again
                CHECK(sis_state_link(r.system, r.state, i).trapped_max <= 1e-15 * run_peak(&r));
        }
        run_free(&r);
    }
}

// Nearly touching balls: what the last one takes is what a converged run says.
static void close_cradle_nearly_hands_it_on(void) {
    const row cradle = {5, 1e-7, 1.5, 12, 1};
    run fine = row_run(&cradle, 44100 * 16, 0.01, &methods[NEWTON]);
    const double want = row_velocity(&fine, fine.frames - 2, 4, 44100 * 16);
    CHECK(want > 0.9 * row_speed && want < row_speed);
    printf("  close cradle: the last ball takes %.4f (converged)", want / row_speed);
    for (int m = 0; m < COUPLED; m++) {
        run r = row_run(&cradle, 44100, 0.01, &methods[coupled[m]]);
        const double have = row_velocity(&r, r.frames - 2, 4, 44100);
        printf(", %s %.4f", methods[coupled[m]].name, have / row_speed);
        CHECK_NEAR(have, want, (coupled[m] == PLAIN ? 0.03 : 0.01) * row_speed);
        run_free(&r);
    }
    printf("\n");
    run_free(&fine);
}

// ---------------------------------------------------------------------------- one mass, two walls

static run rattle(double apart, double K, double alpha, double speed, double rate, int32_t frames,
                  const method* low, const method* high) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 0.01, 0, speed);
    put_contact(scene, mass, put_barrier(scene, -apart / 2), K, alpha, low);
    put_contact(scene, put_barrier(scene, apart / 2), mass, K, alpha, high);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, rate, frames);
}

static double crossings(const run* r, double rate) {
    double first = 0, last = 0;
    int count = 0;
    for (int32_t n = 1; n < r->frames; n++) {
        const double a = run_at(r, n - 1, 0), b = run_at(r, n, 0);
        if (!(a < 0 && b >= 0)) continue;
        last = (n - b / (b - a)) / rate;
        if (count++ == 0) first = last;
    }
    return (last - first) / (count - 1);
}

static void rattle_has_the_exact_period(void) {
    for (int m = 0; m < COUPLED; m++)
        for (double alpha = 1; alpha < 3; alpha += 0.6) {
            const double rate = 44100, speed = 1.7, apart = 1e-3, contact = 30 / rate;
            const double K = wall_stiffness(0.01, alpha, speed, contact);
            const method* how = &methods[coupled[m]];
            run r = rattle(apart, K, alpha, speed, rate, 44100, how, how);
            const double exact = 2 * (apart / speed + contact);
            const double off = crossings(&r, rate) / exact - 1;
            CHECK_NEAR(off, 0, coupled[m] == PLAIN || coupled[m] == RELEASE ? 0.03 : 3e-3);
            CHECK_NEAR(run_residual(&r), 0, allowance(&r, how));
            run_free(&r);
        }
}

// alpha = 1 and both walls always touched: a spring of 2 K, cos(w k) = 1/(1 + K k^2/M).
static void squeezed_mass_is_a_spring(void) {
    static const int which[] = {LEDGER, NEWTON};
    const double rate = 44100, k = 1 / rate, K = 4e4, angle = acos(1 / (1 + K * k * k / 0.01));
    for (int m = 0; m < 2; m++) {
        run r = rattle(-4e-3, K, 1, 0.5, rate, 4000, &methods[which[m]], &methods[which[m]]);
        CHECK(run_at(&r, 0, 0) == 0);
        for (int32_t n = 1; n + 1 < r.frames; n++)
            CHECK_NEAR(run_at(&r, n + 1, 0) + run_at(&r, n - 1, 0),
                       2 * cos(angle) * run_at(&r, n, 0), 1e-9 * 5e-4);
        never_pulls(&r);
        run_free(&r);
    }
}

static void schemes_mix_on_one_mass(void) {
    for (int a = 0; a < COUPLED; a++)
        for (int b = 0; b < COUPLED; b++)
            for (int wide = 0; wide < 2; wide++) {
                const double K = wall_stiffness(0.01, 1.6, 1.2, 11 / 44100.0);
                run r = rattle(wide ? 2e-4 : -1e-4, K, 1.6, 1.2, 44100, 8000, &methods[coupled[a]],
                               &methods[coupled[b]]);
                const bool newton = methods[coupled[a]].scheme == SIS_SCHEME_NEWTON ||
                                    methods[coupled[b]].scheme == SIS_SCHEME_NEWTON;
                CHECK_NEAR(run_residual(&r), 0, allowance(&r, &methods[newton ? NEWTON : LEDGER]));
                CHECK(sis_system_link(r.system, 0).block == sis_system_link(r.system, 1).block);
                CHECK(sis_system_link(r.system, 0).block_size == 2);
                run_free(&r);
            }
}

// ---------------------------------------------------------------------------- the same pair twice

static run doubled(bool twice, double mu, const method* how) {
    sis_scene* scene = sis_scene_new();
    const sis_id low = put_mass(scene, 0.01, 0, 1.1), high = put_mass(scene, 0.03, 1e-4, -0.3);
    const sis_id floor_ = put_barrier(scene, -1e-3), lid = put_barrier(scene, 1.5e-3);
    sis_contact_def def = sis_contact_default();
    def.above = high;
    def.below = low;
    def.K = twice ? 1e7 : 2e7;
    def.alpha = 1.5;
    def.damping = mu;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &def);
    if (twice) put(scene, SIS_KIND_CONTACT, &def);
    put_contact(scene, low, floor_, 3e7, 1.5, how);
    put_contact(scene, lid, high, 3e7, 1.5, how);
    put_probe(scene, low, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, high, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, 44100, 400);
}

static void two_contacts_are_one_of_twice_the_stiffness(void) {
    for (int m = 0; m < COUPLED; m++)
        for (int lossy = 0; lossy < 2; lossy++) {
            const method* how = &methods[coupled[m]];
            run one = doubled(false, lossy * 0.3, how), two = doubled(true, lossy * 0.3, how);
            double apart = 0;
            for (int32_t n = 0; n < one.frames; n++)
                for (int p = 0; p < 2; p++)
                    apart = fmax(apart, fabs(run_at(&one, n, p) - run_at(&two, n, p)));
            const bool newton = how->scheme == SIS_SCHEME_NEWTON;
            CHECK_NEAR(apart, 0, newton ? 1e-11 : 2e-5);
            printf("  %-20s%s doubled contact: %.1e m apart\n", how->name, lossy ? " lossy" : "",
                   apart);
            CHECK_NEAR(run_residual(&two), 0, allowance(&two, how));
            run_free(&one);
            run_free(&two);
        }
}

// ---------------------------------------------------------------------------- chains

static run chain_run(int count, const method* how, int32_t frames) {
    sis_scene* scene = sis_scene_new();
    sis_id before = SIS_NONE;
    for (int i = 0; i < count; i++) {
        const double mass = 0.004 * (1 + (i * 7 % 5) / 5.0);
        const sis_id here = put_mass(scene, mass, 1e-3 * i, i == 0 ? 4 : i == count - 1 ? -3 : 0);
        if (i) {
            sis_contact_def def = sis_contact_default();
            def.above = here;
            def.below = before;
            def.K = 5e8;
            def.alpha = 1.5;
            def.gap = -2e-4 * (i % 3);
            def.scheme = how->scheme;
            def.release = how->release;
            def.potential = how->potential;
            put(scene, SIS_KIND_CONTACT, &def);
            // a spring is slack at zero distance: it pulls the row together
            put_spring(scene, before, here, 300, i % 4 ? 0 : 1e7, i % 5 ? 0 : 0.05);
        }
        put_probe(scene, here, SIS_QUANTITY_DISPLACEMENT);
        before = here;
    }
    return run_scene(scene, 48000, frames);
}

static void chains_balance(void) {
    double mean = 0;
    for (int m = 0; m < COUPLED; m++) {
        run r = chain_run(30, &methods[coupled[m]], 9600);
        CHECK(sis_system_link_count(r.system) == 58);
        const double residual = run_residual(&r);
        CHECK_NEAR(residual, 0, allowance(&r, &methods[coupled[m]]));
        double momentum[2] = {0, 0}, size = 0;
        for (int i = 0; i < 30; i++) {
            const double mass = 0.004 * (1 + (i * 7 % 5) / 5.0);
            momentum[0] += mass * (run_at(&r, 1, i) - run_at(&r, 0, i));
            momentum[1] += mass * (run_at(&r, 9599, i) - run_at(&r, 9598, i));
            size += mass * 4 / 48000;
        }
        CHECK_NEAR(momentum[1] / size, momentum[0] / size, 1e-11);
        if (coupled[m] == LEDGER || coupled[m] == LEDGER_MID || coupled[m] == RELEASE)
            never_pulls(&r);
        if (methods[coupled[m]].scheme == SIS_SCHEME_NEWTON) iterations_stay_bounded(&r, &mean);
        printf("  %-20s chain of 30: residual %.1e\n", methods[coupled[m]].name, residual);
        run_free(&r);
    }
    printf("  newton iterations mean %.2f\n", mean);
}

static void ledger_follows_newton_in_a_chain(void) {
    run newton = chain_run(30, &methods[NEWTON], 400),
        ledger = chain_run(30, &methods[LEDGER], 400);
    double early = 0, late = 0;
    for (int32_t n = 0; n < 400; n++)
        for (int i = 0; i < 30; i++) {
            const double apart = fabs(run_at(&newton, n, i) - run_at(&ledger, n, i));
            if (n < 100) early = fmax(early, apart);
            late = fmax(late, apart);
        }
    printf("  chain of 30: ledger and newton %.2e m apart in 100 samples, %.2e in 400\n", early,
           late);
    CHECK(early < 1e-6);
    CHECK(late < 1e-4);
    run_free(&newton);
    run_free(&ledger);
}

// ---------------------------------------------------------------------------- driven

// A hand that comes at constant speed throws a resting ball at twice that speed, and its work is
// the ball's energy.
static void hand_supplies_what_the_ball_gains(void) {
    static const double path[] = {0, -1e-3, 0.01, 9e-3};
    for (int m = 0; m < METHODS; m++)
        for (int two = 0; two < (m == EXACT ? 1 : 2); two++) {
            sis_scene* scene = sis_scene_new();
            sis_mass_def def = sis_mass_default();
            def.path = (sis_envelope){path, 2};
            const sis_id hand = put(scene, SIS_KIND_MASS, &def);
            const sis_id ball = put_mass(scene, 0.02, 0, 0), far = put_mass(scene, 0.02, 4e-3, 0);
            const double K = wall_stiffness(0.02, 1.5, 1, 10.0 / 44100);
            put_contact(scene, ball, hand, K, 1.5, &methods[m]);
            if (two) put_contact(scene, far, ball, K, 1.5, &methods[m]);
            put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
            put_probe(scene, far, SIS_QUANTITY_VELOCITY);
            run r = run_scene(scene, 44100, 190); // before the hand meets the ball again
            const sis_energy end = r.energy[189];
            const double tolerance = m == PLAIN ? 2e-2 : 1e-9;
            CHECK_NEAR(run_at(&r, 189, two ? 1 : 0), 2, tolerance);
            CHECK_NEAR(run_at(&r, 189, two ? 0 : 1), 0, tolerance);
            CHECK_NEAR(end.supplied, end.total, 1e-13 * end.total);
            if (m != PLAIN) CHECK_NEAR(end.total, 0.5 * 0.02 * 4, 1e-9);
            run_free(&r);
        }
}

// Balls that fall on each other and come to rest stay outside each other, however hard they are:
// none sinks through.
static void stacks_do_not_sink(void) {
    for (int m = LEDGER; m <= LEDGER_MID; m++)
        for (double K = 1e8; K < (m == LEDGER ? 2e12 : 2e11); K *= 10) {
            sis_scene* scene = sis_scene_new();
            sis_id below = put_barrier(scene, 0);
            for (int i = 1; i <= 3; i++) {
                sis_mass_def def = sis_mass_default();
                def.mass = 0.01;
                def.position = i * 1e-4;
                def.damping = 5;
                const sis_id ball = put(scene, SIS_KIND_MASS, &def);
                put_contact(scene, ball, below, K, 1, &methods[m]);
                below = ball;
            }
            put_gravity(scene, 9.81);
            run r = run_scene(scene, 44100, 44100);
            double trapped = 0, most = 0;
            for (int32_t n = 0; n < r.frames; n++)
                most = fmax(most, r.energy[n].total);
            for (int32_t i = 0; i < 3; i++) {
                const sis_link_report report = sis_state_link(r.system, r.state, i);
                CHECK(report.max_penetration < 2e-5);
                trapped = fmax(trapped, report.trapped_max / most);
            }
            printf("  %-16s stack, K k^2/M %.1e: trapped %.1e of the energy\n", methods[m].name,
                   K / (0.01 * 44100 * 44100), trapped);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            never_pulls(&r);
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- sides and extremes

// Two masses and a spring: a contact of finite width that leaves on either side gives what newton
// gives.
static run between_two(bool first_below, double speed, double alpha, const method* how) {
    sis_scene* scene = sis_scene_new();
    sis_mass_def def = sis_mass_default();
    sis_contact_def contact = sis_contact_default();
    sis_spring_def spring = sis_spring_default();
    sis_id ball[2];
    def.mass = 0.01;
    def.velocity = -speed;
    ball[0] = put(scene, SIS_KIND_MASS, &def);
    def.mass = 0.02;
    def.velocity = 0;
    def.stiffness = 1e3;
    ball[1] = put(scene, SIS_KIND_MASS, &def);
    contact.above = ball[first_below];
    contact.below = ball[!first_below];
    contact.K = 1e6;
    contact.alpha = alpha;
    contact.law = SIS_LAW_CENTRE_LIMITED;
    contact.gap = 1e-3;
    contact.scheme = how->scheme;
    const sis_id link = put(scene, SIS_KIND_CONTACT, &contact);
    spring.a = ball[0];
    spring.b = SIS_GROUND;
    spring.K1 = 100;
    put(scene, SIS_KIND_SPRING, &spring);
    put_probe(scene, link, SIS_QUANTITY_FORCE);
    return run_scene(scene, 48000, 400);
}

static void centre_limited_contacts_leave_on_both_sides(void) {
    double worst = 0;
    for (int t = 0; t < 240; t++) {
        const bool first_below = t % 2;
        const double speed = 1 + 0.01 * t, alpha = t % 3 ? 1.5 : 1;
        run ledger = between_two(first_below, speed, alpha, &methods[LEDGER]);
        run newton = between_two(first_below, speed, alpha, &methods[NEWTON]);
        double apart = 0, most = 0;
        for (int32_t n = 0; n < ledger.frames; n++) {
            apart = fmax(apart, fabs(run_at(&ledger, n, 0) - run_at(&newton, n, 0)));
            most = fmax(most, fabs(run_at(&newton, n, 0)));
        }
        worst = fmax(worst, apart / most);
        run_free(&ledger);
        run_free(&newton);
    }
    printf("  ledger %.1e from newton, of the largest force\n", worst);
    CHECK_NEAR(worst, 0, 1e-3);
}

// Masses in a line, contacts of all laws, far beyond any material: what a contact cannot pay for it
// does not give.
static sis_scene* absurd_line(uint64_t seed) {
    static const sis_law laws[] = {SIS_LAW_ONE_SIDED, SIS_LAW_TWO_SIDED, SIS_LAW_CENTRE_LIMITED};
    static const double alphas[] = {1, 1.3, 1.5, 2.3, 3, 20};
    sis_scene* scene = sis_scene_new();
    const int count = 2 + (int)(3 * random_unit(&seed));
    sis_id below = SIS_NONE, first = SIS_NONE;
    for (int i = 0; i < count; i++) {
        const double speed = random_log(&seed, 1e-7, 1e3), mass = random_log(&seed, 1e-4, 0.1);
        const sis_id ball =
            put_mass(scene, mass, i * 1e-3, random_unit(&seed) < 0.5 ? -speed : speed);
        for (int j = 0; i && j < 1 + (random_unit(&seed) < 0.4); j++) {
            sis_contact_def contact = sis_contact_default();
            contact.above = ball;
            contact.below = below;
            contact.K = random_log(&seed, 1e3, 1e28);
            contact.alpha = alphas[(int)(6 * random_unit(&seed))];
            contact.law = laws[(int)(3 * random_unit(&seed))];
            if (contact.law == SIS_LAW_CENTRE_LIMITED) contact.gap = random_log(&seed, 1e-6, 1e-3);
            put(scene, SIS_KIND_CONTACT, &contact);
        }
        if (!i) first = ball;
        below = ball;
    }
    sis_spring_def spring = sis_spring_default();
    spring.a = first;
    spring.b = SIS_GROUND;
    spring.K1 = random_log(&seed, 1e2, 1e18);
    if (random_unit(&seed) < 0.6) put(scene, SIS_KIND_SPRING, &spring);
    return scene;
}

// The largest residual, of the energy at the start; below 0: refused.
static double strays(sis_scene* scene) {
    enum { SAMPLES = 150 };
    static sis_energy energy[SAMPLES];
    sis_options options = sis_options_default(scene);
    options.rate = 48000;
    sis_error error;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) return -1;
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    const sis_block block = {.frames = SAMPLES, .energy = energy};
    double most = 0;
    sis_step(system, state, &block);
    for (int n = 0; n < SAMPLES; n++)
        most = fmax(most, fabs(energy[n].residual) / energy[0].total);
    free(state);
    sis_system_free(system);
    return most;
}

static void absurd_contacts_make_no_energy(void) {
    const int trials = SANITIZED ? 200 : 3000;
    double worst = 0;
    int refused = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)trials; seed++) {
        const double most = strays(absurd_line(seed * 0x9E3779B97F4A7C15u + 12345));
        CHECK(most <= 1e-3);
        refused += most < 0;
        worst = fmax(worst, most);
    }
    printf("  %d lines, %d refused: residual at most %.1e\n", trials, refused, worst);
    CHECK(refused < trials / 50);
}

int main(void) {
    RUN(centre_limited_contacts_leave_on_both_sides);
    RUN(absurd_contacts_make_no_energy);
    RUN(stacks_do_not_sink);
    RUN(rows_conserve_momentum_and_energy);
    RUN(ledger_follows_newton_in_rows);
    RUN(spaced_cradle_hands_the_speed_on);
    RUN(close_cradle_nearly_hands_it_on);
    RUN(rattle_has_the_exact_period);
    RUN(squeezed_mass_is_a_spring);
    RUN(schemes_mix_on_one_mass);
    RUN(two_contacts_are_one_of_twice_the_stiffness);
    RUN(chains_balance);
    RUN(ledger_follows_newton_in_a_chain);
    RUN(hand_supplies_what_the_ball_gains);
    return CHECK_REPORT();
}
