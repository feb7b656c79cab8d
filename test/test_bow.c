// Hands on instruments: the bow (Helmholtz motion, its curve, its branches, its power) and the
// finger that presses a string onto frets.
#include <float.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "willemsen_reference.h"

static const double rate = 44100, nowhere = (double)NAN; // the place of a body without any

static double square(double x) {
    return x * x;
}

// The friction curve: sqrt(2a) v exp(-a v^2 + 1/2), 1 at its peak v = 1/sqrt(2a).
static double friction(double a, double v) {
    return sqrt(2 * a) * v * exp(-a * v * v + 0.5);
}

static sis_string_def tromba_string(void) {
    sis_string_def s = sis_string_default();
    s.length = 1.9;
    s.radius = 5e-4;
    s.material_density = 7850;
    s.tension = 4 * 32 * 32 * 1.9 * 1.9 * 7850 * PI * 5e-4 * 5e-4;
    s.youngs = 2e11;
    s.sigma0 = 0.1;
    s.sigma1 = 0.05;
    s.segments = 226;
    return s;
}

static sis_id put_bow(sis_scene* scene, sis_id on, double at, double force, double velocity,
                      sis_bow_method how) {
    sis_bow_def b = sis_bow_default();
    b.on = on;
    b.at = at;
    b.force = force;
    b.velocity = velocity;
    b.method = how;
    return put(scene, SIS_KIND_BOW, &b);
}

static void put_pickup(sis_scene* scene, sis_id on, double at, sis_quantity quantity) {
    sis_probe_def p = sis_probe_default();
    p.on = on;
    p.at = at;
    p.quantity = quantity;
    put(scene, SIS_KIND_PROBE, &p);
}

// Probes: velocity and displacement of the string under the bow, force of the bow.
static sis_scene* bowed_string(double part, double force, double velocity, sis_bow_method how) {
    sis_scene* scene = sis_scene_new();
    const sis_string_def s = tromba_string();
    const sis_id string = put(scene, SIS_KIND_STRING, &s);
    const double at = part * s.length;
    const sis_id bow = put_bow(scene, string, at, force, velocity, how);
    put_pickup(scene, string, at, SIS_QUANTITY_VELOCITY);
    put_pickup(scene, string, at, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, bow, SIS_QUANTITY_FORCE);
    return scene;
}

// ---------------------------------------------------------------------------- Helmholtz motion

typedef struct helmholtz {
    double frequency, stick, slips; // Hz; part of the time; slips per period
} helmholtz;

// Over the last `count` samples.
static helmholtz listen(const run* r, double velocity, int32_t count, double guess) {
    double* u = malloc((size_t)count * sizeof *u);
    if (!u) exit(1);
    const int32_t first = r->frames - count;
    int sticking = 0, slips = 0;
    bool slipping = true;
    for (int32_t n = 0; n < count; n++) {
        const double v = fabs(run_at(r, first + n, 0) - velocity);
        u[n] = run_at(r, first + n, 1);
        sticking += v < 0.1;
        // a slip begins when the string runs well away, and ends when the bow has it again
        if (!slipping && v > 0.15) slips++;
        if (v > 0.15) slipping = true;
        if (v < 0.05) slipping = false;
    }
    const double f = wil_frequency(u, count, rate, guess);
    free(u);
    return (helmholtz){f, (double)sticking / count, slips / (f * count / rate)};
}

static double own_partial(const run* r) {
    double rings = 0, exact = 0;
    CHECK(sis_system_partial(r->system, 0, 1, &rings, &exact));
    return rings;
}

static void a_bowed_string_moves_as_helmholtz_saw(void) {
    for (int linear = 0; linear < 2; linear++) {
        run r = run_scene(bowed_string(0.2, 0.5, 0.2, linear ? SIS_BOW_LINEAR : SIS_BOW_NEWTON),
                          rate, (int32_t)(2.4 * rate));
        const double own = own_partial(&r);
        const helmholtz h = listen(&r, 0.2, (int32_t)rate, own);
        printf("  %s, 0.5 N at 0.2 L: %.3f Hz (string %.3f, %+.2f cents), stick %.3f of the time, "
               "%.3f slips per period, residual %.1e\n",
               linear ? "linear" : "newton", h.frequency, own, wil_cents(h.frequency, own), h.stick,
               h.slips, run_residual(&r));
        CHECK_NEAR(wil_cents(h.frequency, own), 0, linear ? 10 : 5);
        CHECK_NEAR(h.slips, 1, 0.05);
        CHECK_NEAR(h.stick, 0.8, 0.05);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        run_free(&r);
    }
}

// Above the force where the curve has several roots the string is held too long: flat.
static void a_heavy_bow_flattens_the_note(void) {
    run r = run_scene(bowed_string(0.1, 2, 0.2, SIS_BOW_NEWTON), rate, (int32_t)(1.8 * rate));
    const double own = own_partial(&r);
    const helmholtz h = listen(&r, 0.2, (int32_t)rate, own);
    printf(
        "  2 N at 0.1 L: %.3f Hz (string %.3f, %+.2f cents), stick %.3f, %.3f slips per period\n",
        h.frequency, own, wil_cents(h.frequency, own), h.stick, h.slips);
    CHECK(wil_cents(h.frequency, own) < 0);
    CHECK(wil_cents(h.frequency, own) > -100);
    CHECK_NEAR(h.slips, 1, 0.1);
    run_free(&r);
}

// ---------------------------------------------------------------------------- curve and branches

// The roots of v + Y F Phi(v) = v0, all between 0 and v0, from small to large.
static int roots_of(double a, double YF, double v0, double* root) {
    enum { PARTS = 500 };
    int count = 0;
    for (int i = 0; i < PARTS && count < 3; i++) {
        double low = v0 * i / PARTS, high = v0 * (i + 1) / PARTS;
        const double sign = v0 < 0 ? -1 : 1;
        const bool below = sign * (low + YF * friction(a, low) - v0) < 0;
        if (below == (sign * (high + YF * friction(a, high) - v0) < 0)) continue;
        for (int j = 0; j < 60; j++) {
            const double middle = 0.5 * (low + high);
            if ((sign * (middle + YF * friction(a, middle) - v0) < 0) == below)
                low = middle;
            else
                high = middle;
        }
        root[count++] = low;
    }
    return count;
}

typedef struct branches {
    int several, jumps; // samples with three roots; changes between stick and slip
    double off_curve, off_branch;
} branches;

static branches follow(double force, double velocity, int32_t frames) {
    const double a = 100, turn = sqrt(3 / (2 * a));
    run r = run_scene(bowed_string(0.2, force, velocity, SIS_BOW_NEWTON), rate, frames);
    const double Y = sis_system_link(r.system, 0).compliance * rate / 2;
    branches b = {0, 0, 0, 0};
    bool slip = false;
    for (int32_t n = 1; n < frames; n++) {
        const double v = run_at(&r, n, 0) - velocity, f = run_at(&r, n, 2);
        const double along = f * v < 0 ? -f : f; // the sign of a probe is not the law here
        b.off_curve = fmax(b.off_curve, fabs(along - force * friction(a, v)));
        double root[3] = {0, 0, 0};
        const int count = roots_of(a, Y * force, v + Y * along, root);
        if (count == 3) {
            b.several++;
            b.off_branch = fmax(b.off_branch, fabs(v - root[slip ? 2 : 0]));
        }
        if ((fabs(v) >= turn) != slip) b.jumps++;
        slip = fabs(v) >= turn;
    }
    printf(
        "  %.2f N: Y F %.3f of the bound, %d of %d samples with three roots, %d changes; off the "
        "curve %.1e N, off the branch %.1e m/s\n",
        force, Y * force / (exp(1) / (2 * sqrt(2 * a))), b.several, frames, b.jumps, b.off_curve,
        b.off_branch);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
    return b;
}

static void the_force_lies_on_the_curve_and_keeps_its_branch(void) {
    branches b = follow(0.35, 0.2, 12000); // below the bound: one root, always
    CHECK(b.several == 0);
    CHECK_NEAR(b.off_curve, 0, 1e-9);
    b = follow(2, 0.2, 12000);
    CHECK(b.several > 100);
    CHECK(b.jumps > 10);
    CHECK_NEAR(b.off_curve, 0, 1e-9);
    CHECK_NEAR(b.off_branch, 0, 1e-8);
}

// A unit force at a point between two grid points moves that point less: i.i = 41/64 mid-cell.
static void the_string_yields_to_the_bow_as_its_stencil_says(void) {
    for (int middle = 0; middle < 2; middle++) {
        const double part = (45 + 0.5 * middle) / 226;
        run r = run_scene(bowed_string(part, 0.5, 0.2, SIS_BOW_NEWTON), rate, 1);
        const double h = 1.9 / 226, k = 1 / rate, rho = 7850 * PI * 5e-4 * 5e-4;
        const double point = k * k / (rho * h * (1 + 0.1 * k));
        const double got = sis_system_link(r.system, 0).compliance / point;
        printf("  %s: Y %.4f s/kg, %.6f of a point's\n", middle ? "mid-cell" : "on a point",
               got * point * rate / 2, got);
        CHECK_NEAR(got, middle ? 41.0 / 64 : 1, 1e-9);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- power

// Bodies without any loss of their own, so that what is dissipated is the bow's.
static sis_id lossless_body(sis_scene* scene, int which, double* at, double* at_y) {
    *at = *at_y = nowhere;
    if (which == 0) {
        sis_string_def s = tromba_string();
        s.sigma0 = s.sigma1 = 0;
        s.segments = 60;
        *at = 0.4;
        return put(scene, SIS_KIND_STRING, &s);
    }
    if (which == 1) {
        sis_mass_def m = sis_mass_default();
        m.mass = 2e-3;
        m.frequency = 100;
        return put(scene, SIS_KIND_MASS, &m);
    }
    if (which == 2) {
        sis_plate_def p = sis_plate_default();
        p.length = 0.2;
        p.width = 0.15;
        p.thickness = 1e-3;
        p.material_density = 2700;
        p.youngs = 7e10;
        p.segments_x = 10;
        p.segments_y = 8;
        *at = 0.093;
        *at_y = 0.061;
        return put(scene, SIS_KIND_PLATE, &p);
    }
    static const double f[3] = {110, 312, 700}, m[3] = {0.01, 0.005, 0.01};
    sis_modal_def d = sis_modal_default();
    d.frequency = (sis_list){f, 3};
    d.mass = (sis_list){m, 3};
    return put(scene, SIS_KIND_MODAL, &d);
}

static void a_bow_only_takes_whatever_the_hand_does(void) {
    double worst = 0;
    uint64_t seed = 5;
    for (int i = 0; i < 80; i++) {
        sis_scene* scene = sis_scene_new();
        sis_bow_def b = sis_bow_default();
        b.on = lossless_body(scene, i % 4, &b.at, &b.at_y);
        double force[12], velocity[12];
        for (int j = 0; j < 6; j++) {
            force[2 * j] = velocity[2 * j] = 0.01 * j;
            force[2 * j + 1] = random_unit(&seed) < 0.2 ? 0 : random_log(&seed, 0.01, 20);
            velocity[2 * j + 1] = 2 * random_unit(&seed) - 1;
        }
        b.force_curve = (sis_envelope){force, 6};
        b.velocity_curve = (sis_envelope){velocity, 6};
        b.curve = random_log(&seed, 10, 1000);
        b.method = (i / 4) % 2 ? SIS_BOW_LINEAR : SIS_BOW_NEWTON;
        put(scene, SIS_KIND_BOW, &b);
        run r = run_scene(scene, rate, 2500);
        double last = 0, scale = 0;
        bool rises = true;
        for (int32_t n = 0; n < r.frames; n++) {
            const sis_energy e = r.energy[n];
            rises = rises && e.dissipated >= last;
            last = e.dissipated;
            scale = fmax(scale, fmax(e.total, fmax(fabs(e.supplied), e.dissipated)));
        }
        CHECK(rises);
        CHECK(last > 0);
        double off = 0;
        for (int32_t n = 0; n < r.frames; n++)
            off = fmax(off, fabs(r.energy[n].residual));
        CHECK_NEAR(off / scale, 0, 1e-12);
        worst = fmax(worst, off / scale);
        run_free(&r);
    }
    printf("  80 random gestures: dissipation never falls, residual at most %.1e\n", worst);
}

// ---------------------------------------------------------------------------- accuracy

typedef struct oscillator {
    double mass, frequency, damping, force, velocity, a;
} oscillator;
static const oscillator belt = {0.05, 50, 5, 1, 0.1, 100};

static double acceleration(const oscillator* o, double u, double v) {
    const double w = 2 * PI * o->frequency;
    return -w * w * u - o->damping * v - o->force / o->mass * friction(o->a, v - o->velocity);
}

// Runge-Kutta, `fine` steps a sample: u at count samples.
static void oscillate(const oscillator* o, double at_rate, int count, int fine, double* u) {
    double x = 0, v = 0;
    const double h = 1 / (at_rate * fine);
    for (int n = 0; n < count; n++) {
        u[n] = x;
        for (int i = 0; i < fine; i++) {
            const double a1 = acceleration(o, x, v), v2 = v + 0.5 * h * a1;
            const double a2 = acceleration(o, x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
            const double a3 = acceleration(o, x + 0.5 * h * v2, v3), v4 = v + h * a3;
            const double a4 = acceleration(o, x + h * v3, v4);
            x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
    }
}

// Largest distance to the fine solution within 0.1 s, of the peak.
static double oscillator_error(const oscillator* o, int times, sis_bow_method how) {
    const int count = 4410 * times;
    double* u = malloc((size_t)count * sizeof *u);
    if (!u) exit(1);
    oscillate(o, rate * times, count, 32 / times, u);
    sis_scene* scene = sis_scene_new();
    sis_mass_def m = sis_mass_default();
    m.mass = o->mass;
    m.frequency = o->frequency;
    m.damping = o->damping;
    const sis_id mass = put(scene, SIS_KIND_MASS, &m);
    put_bow(scene, mass, nowhere, o->force, o->velocity, how);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate * times, count);
    double off = 0, peak = 0;
    for (int n = 0; n < count; n++) {
        off = fmax(off, fabs(r.rows[n] - u[n]));
        peak = fmax(peak, fabs(u[n]));
    }
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
    free(u);
    return off / peak;
}

static void a_bowed_mass_sticks_and_slips_as_the_equation_says(void) {
    double newton[3], linear[3];
    for (int i = 0; i < 3; i++) {
        newton[i] = oscillator_error(&belt, 1 << i, SIS_BOW_NEWTON);
        linear[i] = oscillator_error(&belt, 1 << i, SIS_BOW_LINEAR);
    }
    const double second = log2(newton[1] / newton[2]), first = log2(linear[1] / linear[2]);
    printf(
        "  44.1 kHz, twice, four times: newton %.2e %.2e %.2e (order %.2f), linear %.2e %.2e %.2e "
        "(order %.2f)\n",
        newton[0], newton[1], newton[2], second, linear[0], linear[1], linear[2], first);
    CHECK_NEAR(second, 2, 0.2);
    CHECK_NEAR(first, 1, 0.2);
    CHECK(newton[0] < 2e-3);
}

// Friction of `method = "linear"`: the chord Phi(w)/w of the curve at the velocity w of the last
// half sample, (u^n - u^{n-1})/k less that of the bow now, times the velocity of the sample.
static double chord_force(double a, double force, double w, double v) {
    return force * sqrt(2 * a) * exp(0.5 - a * w * w) * v;
}

// Alone, and beside a fret in one block, with a hand that moves.
static void a_linear_bow_takes_the_chord_of_the_last_half_sample(void) {
    static const double press[] = {0, 0.2, 0.05, 0.6, 0.2, 0.3},
                        glide[] = {0, 0, 0.03, 0.25, 0.2, -0.15};
    const sis_string_def s = tromba_string();
    for (int fretted = 0; fretted < 2; fretted++) {
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &s);
        const double h = s.length / 226, at = 45.3 * h, fret = 46.4 * h;
        sis_bow_def b = sis_bow_default();
        b.on = string;
        b.at = at;
        b.force_curve = (sis_envelope){press, 3};
        b.velocity_curve = (sis_envelope){glide, 3};
        b.method = SIS_BOW_LINEAR;
        const sis_id bow = put(scene, SIS_KIND_BOW, &b);
        sis_contact_def c = sis_contact_default();
        c.above = string;
        c.below = put_barrier(scene, -2e-5);
        c.at_above = (sis_list){&fret, 1};
        c.K = 1e6;
        c.alpha = 1.5;
        if (fretted) put(scene, SIS_KIND_CONTACT, &c);
        put_pickup(scene, string, at, SIS_QUANTITY_DISPLACEMENT);
        put_pickup(scene, string, at, SIS_QUANTITY_VELOCITY);
        put_probe(scene, bow, SIS_QUANTITY_FORCE);
        run r = run_scene(scene, rate, 12000);
        CHECK(sis_system_link(r.system, 0).block_size == 1 + fretted);
        double off = 0, most = 0;
        for (int32_t n = 1; n < r.frames; n++) {
            const double t = n / rate, part = fmin(fmax((t - 0.05) / 0.15, 0), 1);
            const double F = t < 0.05 ? 0.2 + 8 * t : 0.6 - 0.3 * part;
            const double vB = t < 0.03 ? 25 / 3.0 * t : 0.25 - 0.4 * fmin((t - 0.03) / 0.17, 1);
            const double w = (run_at(&r, n, 0) - run_at(&r, n - 1, 0)) * rate - vB;
            const double f = chord_force(100, F, w, run_at(&r, n, 1) - vB);
            off = fmax(off, fabs(fabs(run_at(&r, n, 2)) - fabs(f)));
            most = fmax(most, fabs(f));
        }
        printf("  %s: off the chord by %.1e of %.2f N, residual %.1e\n",
               fretted ? "with a fret" : "alone", off, most, run_residual(&r));
        CHECK(most > 0.1);
        CHECK_NEAR(off, 0, 1e-9);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- several in one block

static void bows_that_share_points_are_solved_together(void) {
    for (int linear = 0; linear < 2; linear++) {
        sis_scene* scene = sis_scene_new();
        const sis_string_def s = tromba_string();
        const sis_id string = put(scene, SIS_KIND_STRING, &s);
        const double h = s.length / 226, a = 100;
        const double at[3] = {45.3 * h, 46.1 * h, 46.8 * h}, force[3] = {0.15, 0.1, 0.2},
                     velocity[3] = {0.2, 0.1, -0.05};
        sis_id bow[3];
        for (int i = 0; i < 3; i++)
            bow[i] = put_bow(scene, string, at[i], force[i], velocity[i],
                             linear ? SIS_BOW_LINEAR : SIS_BOW_NEWTON);
        const double fret = 47.4 * h; // and a fret among them
        sis_barrier_def b = sis_barrier_default();
        b.height = -2e-5;
        const sis_id barrier = put(scene, SIS_KIND_BARRIER, &b);
        sis_contact_def c = sis_contact_default();
        c.above = string;
        c.below = barrier;
        c.at_above = (sis_list){&fret, 1};
        c.K = 1e6;
        c.alpha = 1.5;
        put(scene, SIS_KIND_CONTACT, &c);
        for (int i = 0; i < 3; i++) {
            put_pickup(scene, string, at[i], SIS_QUANTITY_VELOCITY);
            put_probe(scene, bow[i], SIS_QUANTITY_FORCE);
        }
        run r = run_scene(scene, rate, 12000);
        CHECK(sis_system_link(r.system, 0).block_size == 4);
        double off = 0;
        for (int32_t n = 1; n < r.frames; n++)
            for (int i = 0; i < 3; i++) {
                const double v = run_at(&r, n, 2 * i) - velocity[i];
                const double f = fabs(run_at(&r, n, 2 * i + 1));
                off = fmax(off, fabs(f - force[i] * fabs(friction(a, v))));
            }
        uint64_t touched = 0;
        for (int32_t i = 0; i < sis_system_link_count(r.system); i++)
            if (sis_system_link(r.system, i).kind == SIS_KIND_CONTACT) {
                touched += sis_state_link(r.system, r.state, i).contact_samples;
                CHECK(sis_state_link(r.system, r.state, i).min_force >= 0);
            }
        printf("  %s: off the curves %.1e N, residual %.1e, fret touched in %d samples\n",
               linear ? "linear" : "newton", off, run_residual(&r), (int)touched);
        if (!linear) CHECK_NEAR(off, 0, 1e-9);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        CHECK(touched > 10);
        run_free(&r);
    }
}

// A light mass thrown about between two stops by a bow that has several answers: whatever finds the
// forces, they must be found together.
static void a_bowed_mass_between_stops_balances_with_every_scheme(void) {
    static const int which[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE, PLAIN};
    for (int i = 0; i < 6; i++) {
        double worst = 0, off_curve = 0;
        uint64_t seed = 977;
        for (int tries = 0; tries < 40; tries++) {
            sis_scene* scene = sis_scene_new();
            sis_mass_def m = sis_mass_default();
            m.mass = random_log(&seed, 1e-6, 1e-3);
            m.frequency = random_log(&seed, 20, 2000);
            m.velocity = -0.1;
            const sis_id mass = put(scene, SIS_KIND_MASS, &m);
            const double K = random_log(&seed, 1e3, 1e8), alpha = 1 + 2 * random_unit(&seed);
            const double height = random_log(&seed, 1e-6, 1e-3);
            put_contact(scene, mass, put_barrier(scene, -height), K, alpha, &methods[which[i]]);
            put_contact(scene, put_barrier(scene, height), mass, K, alpha, &methods[which[i]]);
            const double force = random_log(&seed, 0.1, 10), velocity = random_log(&seed, 0.02, 1);
            const sis_id bow = put_bow(scene, mass, nowhere, force, velocity, SIS_BOW_NEWTON);
            put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
            put_probe(scene, bow, SIS_QUANTITY_FORCE);
            run r = run_scene(scene, rate, 1000);
            double last = 0, most = 0, scale = 0;
            bool rises = true;
            for (int32_t n = 0; n < r.frames; n++) {
                const sis_energy e = r.energy[n];
                rises = rises && e.dissipated >= last;
                last = e.dissipated;
                most = fmax(most, fabs(e.residual));
                scale = fmax(scale, fmax(e.total, fmax(fabs(e.supplied), e.dissipated)));
                const double v = run_at(&r, n, 0) - velocity, f = fabs(run_at(&r, n, 1));
                if (n) off_curve = fmax(off_curve, fabs(f / force - fabs(friction(100, v))));
            }
            CHECK(rises);
            CHECK_NEAR(most / scale, 0, 1e-10);
            if (!(most / scale <= worst)) worst = most / scale;
            run_free(&r);
        }
        printf("  %-20s residual at most %.1e, off the curve %.1e of the force\n",
               methods[which[i]].name, worst, off_curve);
        CHECK_NEAR(off_curve, 0, 1e-4); // where branches alternate it stays near its curve
    }
}

// ---------------------------------------------------------------------------- the finger

static const double length = 0.65, open_pitch = 110; // m, Hz

// Frets of equal temperament under a string; the finger comes down behind fret `n` and stays.
static sis_id put_finger(sis_scene* scene, sis_id string, int n) {
    double frets[13];
    for (int i = 0; i < 13; i++)
        frets[i] = length * (1 - exp2(-(i + 1) / 12.0));
    sis_barrier_def b = sis_barrier_default();
    b.height = -1e-3;
    b.at = (sis_list){frets, 13};
    const sis_id board = put(scene, SIS_KIND_BARRIER, &b);
    put_contact(scene, string, board, 1e8, 1.3, &methods[LEDGER]);
    const double place = n ? frets[n - 1] - 0.012 : 0.1, press = n ? -2.5e-3 : 5e-3;
    const double path[6] = {0, 1e-3, 0.02, 1e-3, 0.06, press};
    sis_mass_def m = sis_mass_default();
    m.path = (sis_envelope){path, 3};
    const sis_id finger = put(scene, SIS_KIND_MASS, &m);
    sis_contact_def c = sis_contact_default();
    c.above = finger;
    c.below = string;
    c.at_below = (sis_list){&place, 1};
    c.K = 1e6;
    c.alpha = 1.5;
    c.damping = 1;
    return put(scene, SIS_KIND_CONTACT, &c);
}

// The pitch of what is then plucked, in cents above the open string.
static double fretted(int n) {
    sis_scene* scene = sis_scene_new();
    sis_string_def s = sis_string_default();
    s.length = length;
    s.density = 5e-3;
    s.tension = 4 * square(open_pitch * length) * s.density;
    s.sigma0 = 3;
    s.sigma1 = 1e-3;
    const sis_id string = put(scene, SIS_KIND_STRING, &s);
    put_finger(scene, string, n);
    sis_force_def f = sis_force_default();
    f.on = string;
    f.at = 0.52;
    f.peak = 0.3;
    f.width = 1.5e-3;
    f.start = 0.15;
    put(scene, SIS_KIND_FORCE, &f);
    put_pickup(scene, string, 0.5, SIS_QUANTITY_VELOCITY);
    run r = run_scene(scene, rate, (int32_t)(0.5 * rate));
    const int32_t from = (int32_t)(0.17 * rate);
    const double hz =
        wil_frequency(r.rows + from, r.frames - from, rate, open_pitch * exp2(n / 12.0));
    // A string at rest under a force f: every sample rounds the G f that the step has to undo.
    double rounding = 0;
    for (int32_t i = 0; i < sis_system_link_count(r.system); i++) {
        const sis_link_report l = sis_state_link(r.system, r.state, i);
        CHECK(l.min_force >= 0);
        rounding +=
            DBL_EPSILON * sis_system_link(r.system, i).compliance * square(l.max_force) * r.frames;
    }
    CHECK_NEAR(run_residual(&r), 0, 1e-12 + rounding / run_peak(&r));
    run_free(&r);
    return wil_cents(hz, open_pitch);
}

static void a_finger_behind_a_fret_plays_its_semitone(void) {
    static const int frets[] = {0, 1, 5, 12};
    for (int i = 0; i < 4; i++) {
        const double cents = fretted(frets[i]);
        printf("  fret %d: %.2f cents above the open string\n", frets[i], cents);
        CHECK_NEAR(cents, 100 * frets[i], 5);
    }
}

int main(void) {
    RUN(a_bowed_string_moves_as_helmholtz_saw);
    RUN(a_heavy_bow_flattens_the_note);
    RUN(the_force_lies_on_the_curve_and_keeps_its_branch);
    RUN(the_string_yields_to_the_bow_as_its_stencil_says);
    RUN(a_bow_only_takes_whatever_the_hand_does);
    RUN(a_bowed_mass_sticks_and_slips_as_the_equation_says);
    RUN(a_linear_bow_takes_the_chord_of_the_last_half_sample);
    RUN(bows_that_share_points_are_solved_together);
    RUN(a_bowed_mass_between_stops_balances_with_every_scheme);
    RUN(a_finger_behind_a_fret_plays_its_semitone);
    return CHECK_REPORT();
}
