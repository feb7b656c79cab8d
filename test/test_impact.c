// A mass on a wall, integrated as Papetti, Avanzini and Rocchesso 2011 do and on the first
// integral: their numbers, their recursions, bouncing, what the reports say and what is refused.
#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "script.h"

enum { AM1, VERLET, HEUN, RK4, INVARIANT, SCHEMES };
static const sis_scheme schemes[SCHEMES] = {SIS_SCHEME_AM1, SIS_SCHEME_VERLET, SIS_SCHEME_HEUN,
                                            SIS_SCHEME_RK4, SIS_SCHEME_INVARIANT};

static const sis_impact cases[] = {{0.01, 1e7, 1.1, 0.1, 0.3}, {0.01, 1e9, 1.5, 0.5, 1}};
static const double rate = 44100, g = 9.81;

// ---------------------------------------------------------------------------- the recursions

// Compression, its velocity, and the force the method keeps.
typedef struct point {
    double x, v, f;
} point;

static double force(const sis_impact* c, double x, double v) {
    return x > 0 ? c->K * pow(x, c->alpha) * (1 + c->mu * v) : 0;
}

// Equation (20), solved by bisection in the new force.
static point am1(const sis_impact* c, point p, double h, double a) {
    const double push = h / (2 * c->mass), shift = h / 2 * push;
    const double x = p.x + h * p.v + h * h / 2 * a - shift * p.f, v = p.v + h * a - push * p.f;
    double low = 0, high = force(c, x, v);
    for (int i = 0; i < 200 && x > 0; i++) {
        const double f = low + (high - low) / 2;
        if (f > force(c, x - shift * f, v - push * f))
            high = f;
        else
            low = f;
    }
    return (point){x - shift * low, v - push * low, low};
}

static point verlet(const sis_impact* c, point p, double h, double a) { // (21)
    const double half = p.v + h / 2 * (a - p.f / c->mass), x = p.x + h * half;
    const double f = force(c, x, half);
    return (point){x, half + h / 2 * (a - f / c->mass), f};
}

static point heun(const sis_impact* c, point p, double h, double a) { // (22)
    const double guess = p.v + h * (a - p.f / c->mass), x = p.x + h / 2 * (p.v + guess);
    const double f = force(c, x, guess);
    return (point){x, p.v + h / 2 * (2 * a - (p.f + f) / c->mass), f};
}

static point rk4(const sis_impact* c, point p, double h, double a) { // (23)
    double k[4], l[4];
    for (int i = 0; i < 4; i++) {
        const double part = i == 0 ? 0 : i == 3 ? 1 : 0.5;
        const double x = p.x + (i ? part * l[i - 1] : 0), v = p.v + (i ? part * k[i - 1] : 0);
        l[i] = h * v;
        k[i] = h * (a - force(c, x, v) / c->mass);
    }
    const double x = p.x + (l[0] + 2 * l[1] + 2 * l[2] + l[3]) / 6;
    const double v = p.v + (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6;
    return (point){x, v, force(c, x, v)};
}

typedef point method_step(const sis_impact* c, point p, double h, double a);
static method_step* const published[] = {am1, verlet, heun, rk4};

// ---------------------------------------------------------------------------- the same in a scene

// A mass falls on a wall; x = -u. Probes: displacement, velocity, force.
static void put_drop(sis_scene* scene, int scheme, bool corrected, const sis_impact* c, double x) {
    sis_contact_def def = sis_contact_default();
    def.above = put_mass(scene, c->mass, -x, -c->speed);
    def.below = put_barrier(scene, 0);
    def.K = c->K;
    def.alpha = c->alpha;
    def.damping = c->mu;
    def.scheme = schemes[scheme];
    def.corrected = corrected;
    const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
    put_probe(scene, def.above, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, def.above, SIS_QUANTITY_VELOCITY);
    put_probe(scene, contact, SIS_QUANTITY_FORCE);
}

static run run_drop(int scheme, bool corrected, const sis_impact* c, double x, double hz,
                    double weight, int32_t frames) {
    sis_scene* scene = sis_scene_new();
    put_drop(scene, scheme, corrected, c, x);
    if (weight > 0) put_gravity(scene, weight);
    return run_scene(scene, hz, frames);
}

static double deepest(const run* r) {
    double most = 0;
    for (int32_t n = 0; n < r->frames; n++)
        most = fmax(most, -run_at(r, n, 0));
    return most;
}

static double last_speed(const run* r) {
    return run_at(r, r->frames - 1, 1);
}

// ---------------------------------------------------------------------------- table 1

// Percent; NaN: "n.e.", the depth is not exceeded. Case 2 is against the fit (7)-(8), not the root.
static const double table1[2][4][3] = {
    {{NAN, +1.293, +2.603},
     {+1.122, +1.660, +3.348},
     {+1.254, +1.467, +2.955},
     {NAN, -0.125, -0.250}},
    {{NAN, +2.551, +5.166}, {NAN, +0.839, +1.685}, {NAN, -4.692, -9.164}, {NAN, -0.105, -0.211}}};

static void table_1_is_the_published_one(void) {
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < 4; s++) {
            const sis_impact* c = &cases[i];
            const double most = sis_impact_max_depth(c);
            const double out = i ? sis_impact_exit_speed_fit(c) : sis_impact_exit_speed(c);
            run r = run_drop(s, false, c, 0, rate, 0, 24);
            const double depth = 100 * (deepest(&r) / most - 1), v = last_speed(&r) / out;
            const double speed = 100 * (v - 1), energy = 100 * (v * v - 1);
            if (isnan(table1[i][s][0]))
                CHECK(depth < 0);
            else
                CHECK_NEAR(depth, table1[i][s][0], 0.0005001);
            CHECK_NEAR(speed, table1[i][s][1], 0.00071); // printed digits, cut or rounded
            CHECK_NEAR(energy, table1[i][s][2], 0.00081);
            printf("  case %d %-6s x_max %+.4f %%  v_out %+.4f %%  H_out %+.4f %%\n", i + 1,
                   sis_scheme_word(schemes[s]), depth, speed, energy);
            run_free(&r);
        }
}

static void core_is_the_published_recursion(void) {
    enum { FRAMES = 2700 }; // two bounces: each makes a difference fifty times as large
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < 4; s++) { // alone on a sample, alone before it; with gravity
            const sis_impact* c = &cases[i % 2];
            const double x0 = i < 2 ? 0 : -2.3 * c->speed / rate, weight = i == 2 ? g : 0;
            const int32_t frames = i == 2 ? FRAMES : 40;
            const double most = sis_impact_max_depth(c), top = c->K * pow(most, c->alpha);
            run r = run_drop(s, false, c, x0, rate, weight, frames);
            point p = {x0, c->speed, 0};
            double way = 0, push = 0;
            for (int32_t n = 0; n < frames; n++) {
                way = fmax(way, fabs(-run_at(&r, n, 0) - p.x) / fmax(most, fabs(p.x)));
                push = fmax(push, fabs(run_at(&r, n, 2) - p.f) / top);
                p = published[s](c, p, 1 / rate, weight);
            }
            CHECK_NEAR(way, 0, weight > 0 ? 1e-8 : 1e-12);
            CHECK_NEAR(push, 0, weight > 0 ? 1e-6 : 1e-11);
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- the first integral

static void invariant_leaves_with_the_exact_speed(void) {
    enum { COUNT = 600, FRAMES = 400 };
    uint64_t seed = 11;
    static sis_impact c[COUNT];
    static double start[COUNT];
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < COUNT; i++) {
        c[i] = i < 2 ? cases[i]
                     : (sis_impact){.mass = random_log(&seed, 1e-4, 10),
                                    .alpha = 1 + 2.5 * random_unit(&seed),
                                    .speed = random_log(&seed, 1e-2, 20)};
        if (i >= 2) { // contacts from half a sample to a hundred
            const double length = random_log(&seed, 0.5, 100) / rate;
            c[i].K = wall_stiffness(c[i].mass, c[i].alpha, c[i].speed, length);
            c[i].mu = i % 5 ? random_log(&seed, 1e-4, 3) / c[i].speed : 0;
        }
        start[i] = i < 2 ? 0 : -3 * random_unit(&seed) * c[i].speed / rate;
        put_drop(scene, INVARIANT, false, &c[i], start[i]);
    }
    run r = run_scene(scene, rate, FRAMES);
    double worst = 0, depth = 0;
    for (int i = 0; i < COUNT; i++) {
        const double error = run_at(&r, FRAMES - 1, 3 * i + 1) / sis_impact_exit_speed(&c[i]) - 1;
        CHECK_NEAR(error, 0, 1e-12);
        worst = fmax(worst, fabs(error));
        const sis_link_report report = sis_state_link(r.system, r.state, i);
        const double deep = report.max_penetration / sis_impact_max_depth(&c[i]);
        CHECK(deep <= 1 + 1e-12 && report.min_force >= 0);
        depth = fmax(depth, deep);
        CHECK(report.impacts == 1 && report.drift_max <= 1e-12);
    }
    CHECK_NEAR(run_residual(&r), 0, 1e-11); // it knows its loss: the books close
    printf("  %d impacts: exit speed within %.2g, depth at most x_max (1 %+.2g), residual %.2g\n",
           COUNT, worst, depth - 1, run_residual(&r));
    run_free(&r);
}

static void invariant_stays_on_its_integral_at_any_rate(void) {
    for (int i = 0; i < 2; i++)
        for (double hz = 8000; hz < 2e6; hz *= 1.7) {
            const sis_impact* c = &cases[i];
            const int32_t frames = (int32_t)(1.5 * hz * sis_impact_duration(c)) + 8;
            run r = run_drop(INVARIANT, false, c, 0, hz, 0, frames);
            CHECK_NEAR(last_speed(&r) / sis_impact_exit_speed(c), 1, 1e-12);
            for (int32_t n = 1; n < frames; n++) { // f and x give v back; x(v) gives x
                const double x = -run_at(&r, n, 0), f = run_at(&r, n, 2);
                if (!(x > 0)) continue;
                const double v = (f / (c->K * pow(x, c->alpha)) - 1) / c->mu;
                if (fabs(v) > 0.8 * c->speed * sis_impact_restitution(c)) continue; // x(v) is steep
                CHECK_NEAR(sis_impact_depth(c, v) / x, 1, 1e-9);
            }
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- bouncing

enum { BOUNCES = 10, LONG = 24000 };

typedef struct mistake {
    double last, worst; // relative, of the energy after ten bounces and after any of them
} mistake;

// Case 1 under gravity against the true motion; it is thrown down from `x`.
static mistake bounce_with(int scheme, bool corrected, double x) {
    static double depth[LONG], speed[LONG];
    const sis_impact* c = &cases[0];
    const wall w = {c->mass, c->K, c->alpha, c->mu, 0, 0, 0, c->mass * g};
    wall_exact(&w, x, c->speed, 1 / rate, LONG, depth, speed);
    run r = run_drop(scheme, corrected, c, x, rate, g, LONG);
    double truth[BOUNCES] = {0};
    mistake m = {(double)NAN, 0};
    int count = 0, landed = 0;
    for (int32_t n = 1; n < LONG && count < BOUNCES; n++)
        if (depth[n - 1] > 0 && depth[n] <= 0)
            truth[count++] = c->mass * (speed[n] * speed[n] / 2 - g * depth[n]);
    for (int32_t n = 1; n + 3 < LONG && landed < BOUNCES; n++) {
        if (!(run_at(&r, n - 1, 0) < 0 && run_at(&r, n, 0) >= 0)) continue;
        const double u = run_at(&r, n + 2, 0), v = run_at(&r, n + 2, 1); // in flight
        m.last = c->mass * (v * v / 2 + g * u) / truth[landed++] - 1;
        m.worst = fmax(m.worst, fabs(m.last));
    }
    CHECK(count == BOUNCES && landed == BOUNCES);
    CHECK(sis_state_link(r.system, r.state, 0).impacts == BOUNCES);
    run_free(&r);
    return m;
}

// After three bounces the phase of arrival, and with it the error, hangs on the last digits: the
// plain integrators are known to a factor only.
static void ten_bounces_have_the_known_energy_errors(void) {
    const mistake held = bounce_with(INVARIANT, false, 0);
    printf("  invariant %+.2e after ten bounces (worst %.2e)\n", held.last, held.worst);
    CHECK(held.worst <= 2e-6);
    for (int s = 0; s < 4; s++) {
        const mistake plain = bounce_with(s, false, 0), fixed = bounce_with(s, true, 0);
        CHECK_NEAR(fixed.last / 1.6e-3, 1, 0.03); // gravity is not in the closed form
        CHECK_NEAR(fixed.worst, fixed.last, 1e-15);
        CHECK(plain.worst > 2e-3 && plain.worst < 0.1);
        printf("  %-6s %+.2e (worst %.2e), corrected %+.2e\n", sis_scheme_word(schemes[s]),
               plain.last, plain.worst, fixed.last);
    }
}

static void invariant_bounces_from_any_phase(void) {
    enum { PHASES = 24 };
    double worst = 0, sum = 0;
    for (int i = 0; i < PHASES; i++) {
        const mistake m = bounce_with(INVARIANT, false, -cases[0].speed / rate * i / PHASES);
        worst = fmax(worst, m.worst);
        sum += m.last * m.last;
    }
    CHECK(worst <= 2e-6); // half kicks around a whole sample would give four times this
    printf("  over %d phases: rms %.2e, worst %.2e\n", PHASES, sqrt(sum / PHASES), worst);
}

static void invariant_bounces_at_any_height_of_fall(void) {
    const sis_impact c = {0.01, 1e7, 1.1, 0.1, 1e-9};
    for (int i = 0; i < 20; i++) {
        const double fall = 1e-3 + 7.7e-4 * i, entry = sqrt(2 * g * fall + c.speed * c.speed);
        sis_impact hit = c;
        hit.speed = entry;
        run r = run_drop(INVARIANT, false, &c, -fall, rate, g, (int32_t)(1.2 * entry / g * rate));
        const double u = run_at(&r, r.frames - 1, 0), v = last_speed(&r);
        const double energy = v * v / 2 + g * u, out = sis_impact_exit_speed(&hit);
        // During the contact gravity does work against the loss: 2e-4 in this case.
        CHECK_NEAR(energy / (out * out / 2), 1, 1e-3);
        CHECK(sis_state_link(r.system, r.state, 0).impacts == 1);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- convergence

// Rms error of the exit speed over the rates of one octave.
static double octave_error(int scheme, const sis_impact* c, double low) {
    enum { RATES = 12 };
    double sum = 0;
    for (int i = 0; i < RATES; i++) {
        const double hz = low * pow(2, (i + 0.5) / RATES);
        const int32_t frames = (int32_t)(1.2 * hz * sis_impact_duration(c)) + 8;
        run r = run_drop(scheme, false, c, 0, hz, 0, frames);
        const double error = last_speed(&r) / sis_impact_exit_speed(c) - 1;
        sum += error * error;
        run_free(&r);
    }
    return sqrt(sum / RATES);
}

// Second order; Runge-Kutta gets alpha + 1 of its 4, for the force begins and ends as x^alpha.
static void exit_speeds_converge_with_the_known_orders(void) {
    static const double alpha[] = {1.1, 1.5, 2.5};
    for (int s = 0; s < 4; s++)
        for (int a = 0; a < 3; a++) {
            sis_impact c = {0.01, 0, alpha[a], 0.5, 1};
            c.K = wall_stiffness(c.mass, c.alpha, c.speed, 6 / rate);
            const double coarse = octave_error(s, &c, 4 * rate);
            const double order = log2(coarse / octave_error(s, &c, 64 * rate)) / 4;
            CHECK(order > 1.85);
            if (s == AM1 || s == HEUN) CHECK(order < 2.3);
            if (s == VERLET) CHECK(order < c.alpha + 1.4); // a part of its error cancels
            if (s == RK4) CHECK_NEAR(order, c.alpha + 1, 0.45);
            printf("  %-6s alpha %.1f: error %.2g at %g kHz, order %.2f\n",
                   sis_scheme_word(schemes[s]), c.alpha, coarse, 4e-3 * rate, order);
        }
}

// ---------------------------------------------------------------------------- corrected

static void corrected_holds_the_depth_and_sets_the_speed(void) {
    enum { COUNT = 200, FRAMES = 160 };
    for (int s = 0; s < 4; s++) {
        uint64_t seed = 5;
        static sis_impact c[COUNT];
        sis_scene* scene = sis_scene_new();
        for (int i = 0; i < COUNT; i++) {
            c[i] = i < 2 ? cases[i]
                         : (sis_impact){.mass = random_log(&seed, 1e-3, 1),
                                        .alpha = 1 + 2 * random_unit(&seed),
                                        .speed = random_log(&seed, 0.1, 10)};
            const double length = random_log(&seed, 4, 60) / rate, phase = random_unit(&seed);
            if (i >= 2) c[i].K = wall_stiffness(c[i].mass, c[i].alpha, c[i].speed, length);
            if (i >= 2) c[i].mu = random_log(&seed, 1e-3, 1) / c[i].speed;
            put_drop(scene, s, true, &c[i], i < 2 ? 0 : -phase * c[i].speed / rate);
        }
        run r = run_scene(scene, rate, FRAMES);
        int held = 0;
        for (int i = 0; i < COUNT; i++) {
            const double most = sis_impact_max_depth(&c[i]), out = sis_impact_exit_speed(&c[i]);
            const sis_link_report report = sis_state_link(r.system, r.state, i);
            CHECK(report.max_penetration <= most * (1 + 1e-14));
            for (int32_t n = 0; n < FRAMES; n++)
                CHECK(-run_at(&r, n, 3 * i) <= most * (1 + 1e-14));
            held += report.max_penetration >= most * (1 - 1e-14);
            CHECK_NEAR(run_at(&r, FRAMES - 1, 3 * i + 1) / out, 1, 1e-12);
            CHECK(report.impacts == 1 && report.drift_max <= 1e-12);
        }
        CHECK(held > 0 || s == AM1 || s == RK4); // table 1: only two exceed it
        printf("  %-6s %d of %d were held\n", sis_scheme_word(schemes[s]), held, COUNT);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- reports

static void drift_is_the_error_of_the_exit_energy(void) {
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < SCHEMES; s++) {
            const sis_impact* c = &cases[i];
            run r = run_drop(s, false, c, -0.4 * c->speed / rate, rate, 0, 40);
            const double ratio = last_speed(&r) / sis_impact_exit_speed(c);
            const sis_link_report report = sis_state_link(r.system, r.state, 0);
            CHECK(report.impacts == 1);
            CHECK_NEAR(report.drift_max, fabs(ratio * ratio - 1), 1e-12);
            CHECK_NEAR(report.drift_sum, ratio * ratio - 1, 1e-12);
            // What is left after the impact is the motion, and the books show what was made up.
            const sis_energy e = r.energy[38];
            CHECK_NEAR(e.total / (c->mass * pow(last_speed(&r), 2) / 2), 1, 1e-12);
            if (s < INVARIANT) CHECK(fabs(e.residual) > 1e-4 * r.energy[0].total);
            run_free(&r);
        }
}

// Under gravity each exit speed is taken back to the wall: an impact in flight's frame.
static void drifts_add_up_over_bounces(void) {
    for (int s = 0; s < SCHEMES; s++) {
        run r = run_drop(s, false, &cases[0], 0, rate, g, LONG);
        double sum = 0, most = 0;
        sis_impact c = cases[0];
        for (int32_t n = 2; n + 3 < LONG; n++) {
            if (!(run_at(&r, n - 1, 0) < 0 && run_at(&r, n, 0) >= 0)) continue;
            const double u = run_at(&r, n + 2, 0), v = run_at(&r, n + 2, 1);
            const double square = v * v + 2 * g * u, out = sis_impact_exit_speed(&c);
            const double drift = square / (out * out) - 1;
            sum += drift;
            most = fmax(most, fabs(drift));
            c.speed = sqrt(square);
        }
        const sis_link_report report = sis_state_link(r.system, r.state, 0);
        CHECK_NEAR(report.drift_sum, sum, 1e-9);
        CHECK_NEAR(report.drift_max, most, 1e-9);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- divergence

// A mass bounces on a wall, in contact for `samples` samples, at any phase: what it gains by that,
// and what the report says of it.
typedef struct bounced {
    double gained; // energy after it over that before
    uint64_t diverged, first;
    double growth;
} bounced;

static bounced bounce_once(int scheme, double alpha, double mu, double samples, double phase) {
    const double hz = 8000, speed = 1;
    const sis_impact c = {0.01, wall_stiffness(0.01, alpha, speed, samples / hz), alpha, mu, speed};
    run r = run_drop(scheme, false, &c, -(1 + phase) * speed / hz, hz, 0, 80);
    const sis_link_report report = sis_state_link(r.system, r.state, 0);
    const double v = last_speed(&r) / speed;
    run_free(&r);
    return (bounced){v * v, report.diverged, report.first_diverged, report.growth};
}

// A contact only takes energy. A method that makes plenty of it in one step says so, and where.
static void methods_that_blow_up_say_so(void) {
    static const double alphas[] = {1, 1.5, 2.5}, lengths[] = {0.03, 0.1, 0.3, 0.6, 1, 2, 4, 8, 20};
    for (int scheme = AM1; scheme < SCHEMES; scheme++)
        for (int a = 0; a < 3; a++)
            for (int n = 0; n < 9; n++)
                for (int lossy = 0; lossy < 2; lossy++)
                    for (double phase = 0.05; phase < 1; phase += 0.1) {
                        const bounced b =
                            bounce_once(scheme, alphas[a], 0.3 * lossy, lengths[n], phase);
                        if (b.gained > 16 || !(b.gained >= 0)) CHECK(b.diverged > 0);
                        if (lengths[n] >= 4 || scheme == INVARIANT) CHECK(b.diverged == 0);
                        if (!b.diverged) continue;
                        CHECK(b.growth > 4);
                        CHECK(b.first > 0 && b.first < 80);
                    }
}

// Slow presses, rests, and springs that push a mass into the wall do work of their own: no alarm.
static void what_others_give_is_no_divergence(void) {
    for (int scheme = AM1; scheme < SCHEMES; scheme++)
        for (int hard = 0; hard < 2; hard++) {
            sis_scene* scene = sis_scene_new();
            sis_mass_def body = sis_mass_default();
            body.mass = 0.01;
            body.frequency = 100;
            body.position = 3e-3; // its spring pulls it through the wall
            const sis_id mass = put(scene, SIS_KIND_MASS, &body);
            sis_contact_def def = sis_contact_default();
            def.above = mass;
            def.below = put_barrier(scene, 2e-3);
            def.K = wall_stiffness(0.01, 1.5, 1, hard ? 0.3e-3 : 3e-3);
            def.alpha = 1.5;
            def.damping = 0.3;
            def.scheme = schemes[scheme];
            put(scene, SIS_KIND_CONTACT, &def);
            put_gravity(scene, g);
            run r = run_scene(scene, 44100, 44100);
            CHECK(sis_state_link(r.system, r.state, 0).contact_samples > 1000);
            CHECK(sis_state_link(r.system, r.state, 0).diverged == 0);
            run_free(&r);
        }
}

// An impact inside one sample holds energy for that sample only, while it pushes: nothing is
// trapped, and the exit speed is exact.
static void invariant_traps_nothing_in_short_contacts(void) {
    for (double samples = 0.01; samples < 3; samples *= 1.9)
        for (double phase = 0.03; phase < 1; phase += 0.12) {
            const double hz = 8000;
            const sis_impact c = {0.01, wall_stiffness(0.01, 1.5, 2, samples / hz), 1.5, 0.1, 2};
            run r = run_drop(INVARIANT, false, &c, -phase * 2 / hz, hz, 0, 60);
            const double out = sis_impact_exit_speed(&c);
            CHECK_NEAR(last_speed(&r), out, 1e-12 * out);
            CHECK(sis_state_link(r.system, r.state, 0).trapped_max <= 1e-15 * r.energy[0].total);
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- refusals

// Must fail, in the add or in the compilation, with a sentence that has the name and both parts.
static void refused(sis_scene* scene, const sis_contact_def* def, const char* a, const char* b) {
    sis_error error = {.status = SIS_OK};
    sis_contact_def named = *def;
    named.name = "tap";
    if (sis_scene_add_contact(scene, &named, &error) != SIS_NONE) {
        const sis_options options = {
            .rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
        sis_system* system = sis_compile(scene, &options, &error);
        CHECK(!system);
        sis_system_free(system);
    }
    CHECK(error.status == SIS_REFUSED || error.status == SIS_BAD_VALUE);
    CHECK_TEXT(error.text, "tap");
    CHECK_TEXT(error.text, a);
    CHECK_TEXT(error.text, b);
    CHECK(strlen(error.text) > 40); // room for what would work
    sis_scene_free(scene);
}

static sis_scene* stage(sis_scheme scheme, sis_contact_def* def) {
    sis_scene* scene = sis_scene_new();
    *def = sis_contact_default();
    def->above = put_mass(scene, 0.01, 0.001, -1);
    def->below = put_barrier(scene, 0);
    def->K = 1e7;
    def->alpha = 1.5;
    def->scheme = scheme;
    return scene;
}

static void impacts_refuse_by_name(void) {
    static const char* const says[] = {"barrier", "one-sided", "one-sided", "midpoint",
                                       "release", "share",     "spring"};
    for (int s = 0; s < SCHEMES; s++)
        for (int i = 0; i < 7; i++) {
            sis_contact_def def;
            sis_scene* scene = stage(schemes[s], &def);
            if (i == 0) def.below = put_mass(scene, 0.02, 0, 0);
            if (i == 1) def.law = SIS_LAW_TWO_SIDED;
            if (i == 2) def.law = SIS_LAW_CENTRE_LIMITED;
            if (i == 3) def.potential = SIS_POTENTIAL_MIDPOINT;
            def.release = i == 4;
            if (i == 5)
                put_contact(scene, put_barrier(scene, 1), def.above, 1e4, 1.5, &methods[LEDGER]);
            if (i == 6) put_spring(scene, def.above, SIS_GROUND, 10, 0, 0);
            refused(scene, &def, i == 4 ? "quadratised" : sis_scheme_word(schemes[s]), says[i]);
        }
}

static void options_belong_to_their_schemes(void) {
    for (int scheme = 0; scheme < SIS_SCHEME_COUNT; scheme++) {
        sis_contact_def def;
        sis_scene_free(stage((sis_scheme)scheme, &def));
        const bool root = scheme == SIS_SCHEME_ROOT;
        const bool table = scheme >= SIS_SCHEME_AM1 && scheme <= SIS_SCHEME_RK4;
        const sis_contact_def plain = def;
        for (int i = 0; i < 4; i++) {
            sis_error error = {.status = SIS_OK};
            sis_scene* scene = stage((sis_scheme)scheme, &def);
            const bool allowed = i == 0 || (i == 3 ? table : root);
            if (i == 0) def.s = 0.5; // the default may be said
            if (i == 1) def.s = 1;
            def.clamp = i == 2;
            def.corrected = i == 3;
            CHECK((sis_scene_add_contact(scene, &def, &error) != SIS_NONE) == allowed);
            if (!allowed) CHECK_TEXT(error.text, i == 1 ? "'s'" : i == 2 ? "clamp" : "corrected");
            if (!allowed) CHECK_TEXT(error.text, i == 3 ? "am1" : "root"); // where it would work
            sis_scene_free(scene);
        }
        CHECK(plain.s == 0.5 && !plain.clamp && !plain.corrected);
    }
}

static void corrected_needs_a_wall(void) {
    for (int s = 0; s < 4; s++) {
        sis_contact_def def;
        sis_scene* scene = stage(schemes[s], &def);
        def.below = put_mass(scene, 0.02, 0, 0);
        def.corrected = true;
        refused(scene, &def, sis_scheme_word(schemes[s]), "barrier");
    }
}

// One scheme for all contacts: where it cannot work it says so.
static void options_ask_for_impacts_where_they_work(void) {
    for (int s = 0; s < SCHEMES; s++) {
        sis_error error = {.status = SIS_OK};
        const sis_options options = {.rate = rate, .scheme = schemes[s], .unaudited = false};
        sis_scene* scene = sis_scene_new();
        const sis_id a = put_mass(scene, 1, 0.1, -1), b = put_mass(scene, 1, 0, 0);
        put_contact(scene, a, b, 1e6, 1.5, &methods[LEDGER]);
        CHECK(!sis_compile(scene, &options, &error));
        CHECK_TEXT(error.text, sis_scheme_word(schemes[s]));
        CHECK_TEXT(error.text, "contact1");
        sis_scene_free(scene);
    }
}

// ---------------------------------------------------------------------------- scenes

static void run_file(const char* name, double hz, sis_scheme scheme) {
    char path[1024];
    sis_script_error why;
    sis_error error = {.status = SIS_OK};
    snprintf(path, sizeof path, "%s/scenes/%s.lua", SISTRUM_SOURCE_DIR, name);
    sis_script* script = sis_script_load(path, NULL, 0, &why);
    CHECK(script != NULL);
    if (!script) printf("%s\n", why.text);
    if (!script) return;
    sis_options options = sis_options_default(sis_script_scene(script));
    if (hz > 0) options.rate = hz;
    options.scheme = scheme;
    sis_system* system = sis_compile(sis_script_scene(script), &options, &error);
    CHECK(system != NULL);
    if (!system) printf("%s: %s\n", name, error.text);
    const double seconds = sis_scene_render(sis_script_scene(script)).duration;
    sis_script_free(script);
    if (!system) return;
    run r = run_system(system, (int32_t)(seconds * options.rate), 256);
    const sis_link_report report = sis_state_link(r.system, r.state, 0);
    CHECK(r.probes >= 2 && isfinite(run_residual(&r)));
    CHECK(report.contact_samples > 0 && report.complex_roots == 0);
    if (scheme == SIS_SCHEME_AS_GIVEN && strncmp(name, "papetti", 7) == 0)
        CHECK(report.impacts >= 1);
    run_free(&r);
}

static void scenes_of_both_papers_run_at_any_rate(void) {
    static const char* const names[] = {"ducceschi2017/harmonic",  "ducceschi2017/cubic",
                                        "ducceschi2017/collision", "papetti2011/soft",
                                        "papetti2011/case1",       "papetti2011/case2",
                                        "papetti2011/bouncing"};
    for (int i = 0; i < 7; i++) {
        static const double rates[] = {0, 22050, 96000};
        for (int j = 0; j < 3; j++)
            run_file(names[i], rates[j], SIS_SCHEME_AS_GIVEN);
        run_file(names[i], 0, SIS_SCHEME_NEWTON); // s and damping are no obstacle to another scheme
        run_file(names[i], 0, SIS_SCHEME_LEDGER);
        for (int s = 0; s < SCHEMES && i >= 3; s++)
            run_file(names[i], 0, schemes[s]);
    }
}

int main(void) {
    RUN(table_1_is_the_published_one);
    RUN(core_is_the_published_recursion);
    RUN(invariant_leaves_with_the_exact_speed);
    RUN(invariant_stays_on_its_integral_at_any_rate);
    RUN(ten_bounces_have_the_known_energy_errors);
    RUN(invariant_bounces_from_any_phase);
    RUN(invariant_bounces_at_any_height_of_fall);
    RUN(exit_speeds_converge_with_the_known_orders);
    RUN(corrected_holds_the_depth_and_sets_the_speed);
    RUN(drift_is_the_error_of_the_exit_energy);
    RUN(drifts_add_up_over_bounces);
    RUN(methods_that_blow_up_say_so);
    RUN(what_others_give_is_no_divergence);
    RUN(invariant_traps_nothing_in_short_contacts);
    RUN(impacts_refuse_by_name);
    RUN(options_belong_to_their_schemes);
    RUN(corrected_needs_a_wall);
    RUN(options_ask_for_impacts_where_they_work);
    RUN(scenes_of_both_papers_run_at_any_rate);
    return CHECK_REPORT();
}
