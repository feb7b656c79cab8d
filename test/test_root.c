// The quadratic-root family of Ducceschi 2017: the published recursion, its numbers, its limits,
// and what it refuses.
#include "check.h"
#include "reference.h"

// ---------------------------------------------------------------------------- the recursion

// A mass in a potential of its displacement u: the law at u - gap (one-sided), u (two-sided) or
// |u| - gap (centre-limited).
typedef struct particle {
    sis_law law;
    double K, alpha, gap, s;
    double u0, v0, mass;
} particle;

typedef struct jet {
    long double phi, slope, bend;
} jet;

static jet potential(const particle* p, long double u) {
    const bool mirrored = p->law != SIS_LAW_ONE_SIDED && u < 0;
    const long double K = p->K, a = p->alpha, x = (mirrored ? -u : u) - (long double)p->gap;
    if (x <= 0) return (jet){0, 0, p->law == SIS_LAW_TWO_SIDED && a == 1 ? K : 0};
    return (jet){K / (a + 1) * powl(x, a + 1), (mirrored ? -1 : 1) * K * powl(x, a),
                 K * a * powl(x, a - 1)};
}

// P of the paper: the energy held after a move by `move` from where the jet was taken.
static long double held(jet j, double s, long double move) {
    return j.phi + (long double)s * move * (j.slope + move / 2 * j.bend);
}

typedef struct quadratic {
    long double A, B, C;
} quadratic;

// Of r = u+ - u-, given u-, u, the r of the motion without the contact, and G = k^2/M.
static quadratic equation(const particle* p, long double before, long double u, long double loose,
                          long double G) {
    const jet j = potential(p, u);
    const long double s = p->s, d = u - before;
    return (quadratic){1 + G * s * j.bend, -loose + 2 * G * s * (j.slope - j.bend * d),
                       2 * G * (held(j, p->s, -d) - held(potential(p, before), p->s, d))};
}

static long double discriminant(quadratic q) {
    return q.B * q.B - 4 * q.A * q.C;
}

// The published rule; the real part where there is no root.
static long double chosen(quadratic q) {
    const long double D = fmaxl(discriminant(q), 0), root = sqrtl(D);
    return (-q.B + (q.B >= 0 ? -root : root)) / (2 * q.A);
}

// The published start: second order, with the force at u^0.
static double second(const particle* p, double k) {
    return p->u0 + k * p->v0 - 0.5 * k * k / p->mass * (double)potential(p, p->u0).slope;
}

// u^2 ... u^{count-1} from u[0] and u[1]; returns the first sample without a real root, 0: none.
static int32_t recursion(const particle* p, double k, int32_t count, double* u) {
    const long double G = (long double)k * (long double)k / (long double)p->mass;
    long double before = u[0], now = u[1];
    int32_t complex_at = 0;
    for (int32_t n = 1; n + 1 < count; n++) {
        const quadratic q = equation(p, before, now, 2 * (now - before), G);
        if (discriminant(q) < 0 && complex_at == 0) complex_at = n;
        const long double next = before + chosen(q);
        before = now;
        now = next;
        u[n + 1] = (double)now;
    }
    return complex_at;
}

// ---------------------------------------------------------------------------- the same in a scene

static sis_contact_def root_contact(sis_scene* scene, sis_id below, const particle* p) {
    sis_contact_def def = sis_contact_default();
    def.above = put_barrier(scene, 0);
    def.below = below;
    def.K = p->K;
    def.alpha = p->alpha;
    def.law = p->law;
    def.gap = p->gap;
    def.scheme = SIS_SCHEME_ROOT;
    def.s = p->s;
    return def;
}

static void put_particle(sis_scene* scene, const particle* p) {
    const sis_id body = put_mass(scene, p->mass, p->u0, p->v0);
    const sis_contact_def def = root_contact(scene, body, p);
    put(scene, SIS_KIND_CONTACT, &def);
    put_probe(scene, body, SIS_QUANTITY_DISPLACEMENT);
}

static run run_particle(const particle* p, double rate, int32_t frames) {
    sis_scene* scene = sis_scene_new();
    put_particle(scene, p);
    return run_scene(scene, rate, frames);
}

// Potentials and exponents of the paper's figure 1, thrown in from outside (or, two-sided, out of
// rest).
static const struct {
    sis_law law;
    double alpha, gap;
} laws[] = {{SIS_LAW_TWO_SIDED, 1, 0},         {SIS_LAW_TWO_SIDED, 3, 0},
            {SIS_LAW_TWO_SIDED, 5, 0},         {SIS_LAW_ONE_SIDED, 1, 0.2},
            {SIS_LAW_ONE_SIDED, 1.7, 0.2},     {SIS_LAW_ONE_SIDED, 2.8, 0.2},
            {SIS_LAW_CENTRE_LIMITED, 1, 0.3},  {SIS_LAW_CENTRE_LIMITED, 1.7, 0.3},
            {SIS_LAW_CENTRE_LIMITED, 2.8, 0.3}};
enum { LAWS = sizeof laws / sizeof *laws };
static const double family[] = {0.5, 1, 3};
static const double pace = 200; // Hz: a few tens of samples in contact, at the size of figure 1

static particle member(int law, int s, double K) {
    const double alpha = laws[law].alpha, gap = laws[law].gap;
    return (particle){laws[law].law, K, alpha, gap, family[s], -0.11, 1.3, 0.7};
}

static void core_is_the_published_recursion(void) {
    enum { FRAMES = 400 };
    static double u[FRAMES];
    double worst = 0;
    for (int law = 0; law < LAWS; law++)
        for (int s = 0; s < 3; s++) {
            const particle p = member(law, s, 40);
            run r = run_particle(&p, pace, FRAMES);
            double high = 0, off = 0;
            u[0] = run_at(&r, 0, 0);
            u[1] = run_at(&r, 1, 0);
            CHECK(recursion(&p, 1 / pace, FRAMES, u) == 0);
            for (int32_t n = 0; n < FRAMES; n++) {
                high = fmax(high, fabs(u[n]));
                off = fmax(off, fabs(run_at(&r, n, 0) - u[n]));
                if (n + 1 == FRAMES) continue;
                const long double P = held(potential(&p, u[n]), p.s, u[n + 1] - u[n]);
                CHECK_NEAR(r.energy[n].contact, (double)P, 1e-11 * r.energy[0].total);
            }
            CHECK(high > laws[law].gap); // it got there
            CHECK_NEAR(off / high, 0, 1e-12);
            worst = fmax(worst, off / high);
            CHECK(sis_state_link(r.system, r.state, 0).complex_roots == 0);
            run_free(&r);
        }
    printf("  %d samples of %d particles: within %.2g\n", FRAMES, 3 * LAWS, worst);
}

// Inside the potential as outside.
// At the bottom of a plain spring phi'' is K, though the depth is 0: with s = 1/2 the scheme is
// linear there too.
static void plain_spring_is_linear_from_its_bottom(void) {
    enum { FRAMES = 300 };
    const particle thrown = {SIS_LAW_TWO_SIDED, 40, 1, 0, 0.5, 0, 1.3, 0.7};
    particle both = thrown, displaced = thrown;
    both.u0 = displaced.u0 = 0.1;
    displaced.v0 = 0;
    run a = run_particle(&thrown, pace, FRAMES), b = run_particle(&displaced, pace, FRAMES);
    run sum = run_particle(&both, pace, FRAMES);
    double off = 0;
    for (int32_t n = 0; n < FRAMES; n++)
        off = fmax(off, fabs(run_at(&a, n, 0) + run_at(&b, n, 0) - run_at(&sum, n, 0)));
    CHECK(off < 1e-12);
    run_free(&a);
    run_free(&b);
    run_free(&sum);
}

static void first_step_is_the_published_one(void) {
    for (int law = 0; law < LAWS; law++) {
        particle p = member(law, 1, 40);
        for (int i = 0; i < 2; i++) {
            run r = run_particle(&p, pace, 2);
            CHECK_NEAR(run_at(&r, 1, 0), second(&p, 1 / pace), 1e-16);
            run_free(&r);
            p.u0 = 0.45;
        }
    }
}

// One sample at a time, for long and hard: r solves its equation and is the root of the rule.
static void every_sample_solves_its_quadratic(void) {
    enum { FRAMES = 20000 };
    double worst = 0, energy = 0;
    for (int law = 0; law < LAWS; law++)
        for (int s = 0; s < 3; s++) {
            const particle p = member(law, s, 300);
            run r = run_particle(&p, pace, FRAMES);
            const sis_link_report report = sis_state_link(r.system, r.state, 0);
            const long double G = 1 / ((long double)pace * (long double)pace * (long double)p.mass);
            const int32_t end = report.complex_roots ? (int32_t)report.first_complex : FRAMES - 1;
            for (int32_t n = 1; n < end; n++) {
                const long double before = run_at(&r, n - 1, 0), u = run_at(&r, n, 0);
                const quadratic q = equation(&p, before, u, 2 * (u - before), G);
                const long double y = run_at(&r, n + 1, 0) - run_at(&r, n - 1, 0);
                const long double size = q.A * 8 * G * (long double)r.energy[0].total; // A y_max^2
                const double left = (double)(fabsl((q.A * y + q.B) * y + q.C) / size);
                CHECK_NEAR(left, 0, 1e-11);
                worst = fmax(worst, left);
                if (fabsl(q.B) > 1e-9L) CHECK(q.B * (2 * q.A * y + q.B) <= 1e-18L); // y_- if B >= 0
            }
            for (int32_t n = 0; n + 1 < end; n++)
                energy = fmax(energy, fabs(r.energy[n].residual) / r.energy[0].total);
            run_free(&r);
        }
    CHECK_NEAR(energy, 0, 1e-11);
    printf("  quadratic within %.2g, energy within %.2g\n", worst, energy);
}

// Any linear force may act beside the contact: own spring, damping, gravity, a second mass.
static void other_linear_forces_enter_the_quadratic(void) {
    enum { FRAMES = 8000 };
    const double k = 1 / 2000.0, w = 2 * PI * 6, R = 0.4, g = 9.81;
    for (int s = 0; s < 3; s++) {
        particle p = {SIS_LAW_ONE_SIDED, 5e3, 1.5, 0.05, family[s], -0.3, 0, 0.2};
        sis_scene* scene = sis_scene_new();
        sis_mass_def body = sis_mass_default();
        body.mass = p.mass;
        body.frequency = 6;
        body.damping = R;
        body.position = p.u0;
        const sis_id sprung = put(scene, SIS_KIND_MASS, &body);
        const sis_contact_def def = root_contact(scene, sprung, &p);
        put(scene, SIS_KIND_CONTACT, &def);
        put_gravity(scene, g);
        put_probe(scene, sprung, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 1 / k, FRAMES);
        const double damped = 1 + 0.5 * R * k;
        int inside = 0;
        for (int32_t n = 1; n + 1 < FRAMES; n++) {
            const double before = run_at(&r, n - 1, 0), u = run_at(&r, n, 0);
            const double loose = (2 * (u - before) - k * k * (w * w * u + g)) / damped;
            const quadratic q = equation(&p, before, u, loose, k * k / p.mass / damped);
            CHECK_NEAR(run_at(&r, n + 1, 0) - before, (double)chosen(q), 1e-11);
            inside += u > p.gap;
        }
        CHECK(inside > 100);
        CHECK_NEAR(run_residual(&r), 0, 1e-11);
        run_free(&r);
    }
}

static void two_masses_exchange_momentum_and_energy(void) {
    for (int s = 0; s < 3; s++) {
        sis_scene* scene = sis_scene_new();
        const sis_id a = put_mass(scene, 0.03, 1e-3, -1), b = put_mass(scene, 0.01, 0, 0.5);
        sis_contact_def def = sis_contact_default();
        def.above = a;
        def.below = b;
        def.K = 1e6;
        def.alpha = 1.5;
        def.scheme = SIS_SCHEME_ROOT;
        def.s = family[s];
        put(scene, SIS_KIND_CONTACT, &def);
        put_probe(scene, a, SIS_QUANTITY_VELOCITY);
        put_probe(scene, b, SIS_QUANTITY_VELOCITY);
        run r = run_scene(scene, 192000, 4000);
        CHECK_NEAR(run_at(&r, 3999, 0), -0.25, 1e-11); // elastic: centre of mass at -0.625
        CHECK_NEAR(run_at(&r, 3999, 1), -1.75, 1e-11);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- figure 2

// First sample without a real root within 200, by time step and exponent 1, 3, ... 13; 0: none.
// The paper has a real run for v0 = 20, s = 1, alpha = 3 at the third step; there is none.
static const int figure2[2][3][4][7] = {
    {{{0, 0, 0, 0, 0, 46, 0},
      {0, 0, 0, 167, 0, 0, 0},
      {0, 23, 127, 47, 0, 35, 161},
      {0, 18, 4, 5, 28, 6, 19}},
     {{0}},
     {{0}}},
    {{{0, 29, 4, 4, 4, 4, 4}, {0, 2, 2, 2, 2, 2, 2}, {0, 1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}},
     {{0}, {0, 0, 0, 0, 2, 2, 2}, {0, 1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}},
     {{0}}}};

static void figure_2_has_complex_roots_where_the_table_says(void) {
    enum { FRAMES = 202 };
    static const double speeds[] = {1, 20};
    static double u[FRAMES];
    int complex_runs = 0;
    for (int step = 0; step < 4; step++) {
        sis_scene* scene = sis_scene_new();
        particle p = {SIS_LAW_TWO_SIDED, 1e3, 1, 0, 1, -1e-3, 1, 1};
        const double k = ldexp(1 / sqrt(p.K), step - 1);
        for (int i = 0; i < 42; i++) {
            p.v0 = speeds[i / 21];
            p.s = family[i / 7 % 3];
            p.alpha = 1 + 2 * (i % 7);
            put_particle(scene, &p);
            u[0] = p.u0;
            u[1] = second(&p, k);
            CHECK(recursion(&p, k, FRAMES, u) == figure2[i / 21][i / 7 % 3][step][i % 7]);
        }
        run r = run_scene(scene, 1 / k, FRAMES - 1);
        for (int i = 0; i < 42; i++) {
            const sis_link_report report = sis_state_link(r.system, r.state, i);
            const int want = figure2[i / 21][i / 7 % 3][step][i % 7];
            CHECK((report.complex_roots > 0) == (want > 0));
            CHECK(report.first_complex == (uint64_t)want);
            if (want) CHECK(report.discriminant < 0 && report.discriminant >= -1);
            complex_runs += report.complex_roots > 0;
        }
        run_free(&r);
    }
    CHECK(complex_runs == 52);
    printf("  figure 2: %d of 168 runs meet a complex root\n", complex_runs);
}

// ---------------------------------------------------------------------------- figures 3 and 6

// Frequency from the first to the last rise through zero.
static double pitch(const run* r, int probe, double rate) {
    double first = -1, last = -1;
    int periods = -1;
    for (int32_t n = 1; n < r->frames; n++) {
        const double a = run_at(r, n - 1, probe), b = run_at(r, n, probe);
        if (!(a < 0 && b >= 0)) continue;
        last = n - b / (b - a);
        if (periods++ < 0) first = last;
    }
    return periods > 0 ? periods * rate / (last - first) : (double)NAN;
}

// Level of a harmonic over the fundamental, through a four-term window (side lobes below -92 dB).
static double harmonic(const run* r, double rate, double f, int order) {
    double sum[2][2] = {{0, 0}, {0, 0}};
    for (int32_t n = 0; n < r->frames; n++) {
        const double t = 2 * PI * (n + 0.5) / r->frames;
        const double w = 0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t);
        for (int i = 0; i < 2; i++) {
            const double angle = 2 * PI * f * (i ? order : 1) * n / rate;
            sum[i][0] += w * run_at(r, n, 0) * cos(angle);
            sum[i][1] += w * run_at(r, n, 0) * sin(angle);
        }
    }
    return 20 * log10(hypot(sum[1][0], sum[1][1]) / hypot(sum[0][0], sum[0][1]));
}

static const double tuned = 11; // Hz

static particle harmonic_oscillator(int s) {
    const double w = 2 * PI * tuned;
    return (particle){SIS_LAW_TWO_SIDED, w * w, 1, 0, family[s], -0.1, 0.5, 1};
}

static void harmonic_oscillator_has_the_known_pitch_and_harmonics(void) {
    static const double known[] = {10.998, 11.165, 11.856}, third[] = {-120, -45.6, -32.4};
    for (int s = 0; s < 3; s++) {
        const particle p = harmonic_oscillator(s);
        run r = run_particle(&p, 2300, 2300 * 40);
        const double f = pitch(&r, 0, 2300), level = harmonic(&r, 2300, f, 3);
        CHECK_NEAR(f, known[s], 0.0005);
        if (s) CHECK_NEAR(level, third[s], 0.05);
        if (!s) CHECK(level < third[s]);                                         // linear
        CHECK(harmonic(&r, 2300, f, 2) < -90 && harmonic(&r, 2300, f, 4) < -90); // odd ones only
        CHECK(sis_state_link(r.system, r.state, 0).complex_roots == 0);
        printf("  s = %g: %.4f Hz, third harmonic %.2f dB\n", p.s, f, level);
        run_free(&r);
    }
}

static void pitch_error_is_of_second_order_only_for_one_half(void) {
    static const double least[] = {1.95, 0.9, 0.85}, most[] = {2.05, 1.15, 1.15};
    for (int s = 0; s < 3; s++) {
        double error[4];
        for (int i = 0; i < 4; i++) {
            const particle p = harmonic_oscillator(s);
            const double rate = 2300 << i;
            run r = run_particle(&p, rate, (int32_t)rate * 20);
            error[i] = fabs(pitch(&r, 0, rate) / tuned - 1);
            run_free(&r);
        }
        const double order = log2(error[0] / error[3]) / 3;
        CHECK(order >= least[s] && order <= most[s]);
        printf("  s = %g: pitch error %.3g at 2300 Hz, order %.2f\n", family[s], error[0], order);
    }
}

static void cubic_oscillator_has_the_known_pitch(void) {
    static const double known[] = {113.373, 114.249, 117.914};
    const double exact = 5 / (4 * wall_depth(1, 1e10, 3, 5) * wall_theta(3));
    CHECK_NEAR(exact, 113.385, 0.0005);
    for (int s = 0; s < 3; s++) {
        const particle p = {SIS_LAW_TWO_SIDED, 1e10, 3, 0, family[s], 0, 5, 1};
        run r = run_particle(&p, 44100, 44100);
        const double f = pitch(&r, 0, 44100);
        CHECK_NEAR(f, known[s], s ? 0.01 : 0.0005); // lost samples at turning points average out
        CHECK(sis_state_link(r.system, r.state, 0).complex_roots == 0);
        printf("  s = %g: %.4f Hz (exact %.4f)\n", p.s, f, exact);
        run_free(&r);
    }
    sis_scene* scene = sis_scene_new(); // equation (25): the cubic spring
    const sis_id body = put_mass(scene, 1, 0, 5);
    put_spring(scene, body, SIS_GROUND, 0, 1e10, 0);
    put_probe(scene, body, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, 44100, 44100);
    CHECK_NEAR(pitch(&r, 0, 44100), 113.383, 0.0005);
    run_free(&r);
}

// ---------------------------------------------------------------------------- figures 4 and 5

static const particle fast = {SIS_LAW_ONE_SIDED, 5e9, 1.3, 0.1, 0.5, -0.5, 20, 1};

static void figure_4_meets_a_complex_root_at_one_half(void) {
    run r = run_particle(&fast, 44100, 2000);
    const sis_link_report report = sis_state_link(r.system, r.state, 0);
    CHECK(report.first_complex == 1326); // the first recursion, u^2 from u^1, is sample 1
    CHECK(report.complex_roots >= 1 && report.discriminant < 0);
    // It goes on with the real part: energy breaks there and nowhere before, and the books say so.
    const int32_t at = (int32_t)report.first_complex;
    const double before = run_at(&r, at - 1, 0), u = run_at(&r, at, 0), k = 1 / 44100.0;
    const quadratic q = equation(&fast, before, u, 2 * (u - before), k * k);
    CHECK_NEAR(run_at(&r, at + 1, 0) - before, (double)(-q.B / (2 * q.A)), 1e-14);
    CHECK_NEAR(report.discriminant, (double)(discriminant(q) / (q.B * q.B + fabsl(4 * q.A * q.C))),
               1e-9);
    for (int32_t n = 0; n < at; n++)
        CHECK_NEAR(r.energy[n].residual / 200, 0, 1e-11);
    CHECK(fabs(r.energy[at].residual) / 200 > 1e-6);
    printf("  complex at sample %d, discriminant %.3g, residual %.3g J\n", at, report.discriminant,
           r.energy[at].residual);
    run_free(&r);
}

// The same particle over its arrival phases: one in ten is stuck for s = 1/2, none for more.
static void complex_roots_depend_on_the_arrival_phase(void) {
    enum { PHASES = 400, FRAMES = 48 };
    for (int s = 0; s < 3; s++) {
        sis_scene* scene = sis_scene_new();
        for (int i = 0; i < PHASES; i++) {
            particle p = fast;
            p.s = family[s];
            p.gap = 0;
            p.u0 = -(3 + (i + 0.5) / PHASES) * p.v0 / 44100;
            put_particle(scene, &p);
        }
        run r = run_scene(scene, 44100, FRAMES);
        int stuck = 0;
        for (int i = 0; i < PHASES; i++) {
            const sis_link_report report = sis_state_link(r.system, r.state, i);
            stuck += report.complex_roots > 0;
            if (report.complex_roots) continue;
            const double step = run_at(&r, FRAMES - 1, i) - run_at(&r, FRAMES - 2, i);
            CHECK_NEAR(step * 44100 / -20, 1, 1e-10); // exit speeds are exact
        }
        CHECK(s ? stuck == 0 : stuck > PHASES / 16 && stuck < PHASES / 6);
        printf("  s = %g: %d of %d arrivals meet a complex root\n", family[s], stuck, PHASES);
        run_free(&r);
    }
}

static void figure_5_has_the_known_least_potential(void) {
    static const double known[3][2] = {{0, 0}, {0, 0}, {-0.66, -0.012}};
    for (int s = 1; s < 3; s++)
        for (int i = 0; i < 2; i++) {
            particle p = fast;
            p.s = family[s];
            const double rate = i ? 441000 : 44100;
            run r = run_particle(&p, rate, (int32_t)(0.06 * rate));
            const sis_link_report report = sis_state_link(r.system, r.state, 0);
            double least = 0;
            for (int32_t n = 0; n < r.frames; n++)
                least = fmin(least, r.energy[n].contact);
            CHECK_NEAR(report.lowest / 200, known[s][i], s == 1 ? 1e-12 : i ? 0.0005 : 0.005);
            CHECK_NEAR(report.lowest, least, 1e-12);
            CHECK(isfinite(report.lowest_bound) && report.lowest >= report.lowest_bound - 1e-9);
            CHECK_NEAR(run_at(&r, r.frames - 1, 0) - run_at(&r, r.frames - 2, 0), -20 / rate,
                       1e-10 / rate * 20);
            CHECK_NEAR(run_residual(&r), 0, 1e-11);
            printf("  s = %g at %g Hz: lowest %.4f H, bound %.4f H\n", p.s, rate,
                   report.lowest / 200, report.lowest_bound / 200);
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- realness

// States (u-, u) without a real root of a contact with alpha = 1 and q = K k^2/M, scanned in the
// core with one mass for each: first steps from inside to both sides, and entries of all depths.
static int complex_states(sis_law law, double s, double q) {
    enum { STATES = 900 };
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < STATES; i++) {
        particle p = {law, q, 1, law == SIS_LAW_TWO_SIDED ? 0 : 1, s, 0, 0, 1};
        const double part = (i % 300 + 0.5) / 300; // of the sweep; k = 1
        p.u0 = p.gap + 0.1;
        p.v0 = 0.4 * part - 0.3; // without, and with the way the force makes
        if (i >= 300) p.v0 += 0.05 * q;
        if (i >= 600) { // u^1 and u^2 on both sides of the edge
            p.u0 = p.gap + 0.2 * part - 0.4;
            p.v0 = 0.2;
        }
        put_particle(scene, &p);
    }
    run r = run_scene(scene, 1, 3);
    int count = 0;
    for (int i = 0; i < STATES; i++)
        count += sis_state_link(r.system, r.state, i).complex_roots > 0;
    run_free(&r);
    return count;
}

static void roots_are_real_up_to_the_limit_and_not_beyond(void) {
    static const double ss[] = {0.5, 0.7, 0.9, 1, 1.5, 3, 10};
    for (int i = 0; i < 7; i++)
        for (int law = 0; law < 3; law++) {
            const double s = ss[i], limit = sis_root_limit(s, (sis_law)law);
            const bool entry = law != SIS_LAW_TWO_SIDED && s < 1;
            const double want = s > 1   ? 1 / (s * (s - 1))
                                : entry ? (sqrt(1 + 4 * s / (1 - s)) - 1) / (2 * s)
                                        : (double)INFINITY;
            if (isinf(want))
                CHECK(isinf(limit));
            else
                CHECK_NEAR(limit / want, 1, 1e-14);
            CHECK(complex_states((sis_law)law, s, isinf(limit) ? 1e4 : 0.999 * limit) == 0);
            if (isfinite(limit)) CHECK(complex_states((sis_law)law, s, 1.02 * limit) > 0);
        }
    CHECK_NEAR(sis_root_limit(0.5, SIS_LAW_ONE_SIDED), sqrt(5) - 1, 1e-15);
    CHECK(isnan(sis_root_limit(0.49, SIS_LAW_ONE_SIDED)));
}

static void published_bound_is_not_sufficient(void) {
    const double s = 3, published = (s + 0.5) / (s * (s - 0.5));
    CHECK(published > 2 * sis_root_limit(s, SIS_LAW_TWO_SIDED));
    const int found = complex_states(SIS_LAW_TWO_SIDED, s, 0.9 * published);
    CHECK(found > 0);
    printf("  s = 3 at 0.9 of the published bound: %d complex states\n", found);
}

// ---------------------------------------------------------------------------- refusals

// Must fail, in the add or in the compilation, with a sentence that has all three parts.
static void refused(sis_scene* scene, const sis_contact_def* def, const char* a, const char* b) {
    sis_error error = {.status = SIS_OK};
    sis_contact_def named = *def;
    named.name = "tap";
    if (sis_scene_add_contact(scene, &named, &error) != SIS_NONE) {
        const sis_options options = {
            .rate = 44100, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
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

static void root_refuses_by_name(void) {
    static const char* const says[][2] = {{"two-sided", "odd"}, {"two-sided", "odd"},
                                          {"root", "midpoint"}, {"release", "quadratised"},
                                          {"corrected", "am1"}, {"root", "damping"},
                                          {"root", "share"},    {"root", "spring"}};
    for (int i = 0; i < 8; i++) {
        const particle soft = {SIS_LAW_ONE_SIDED, 1e4, i == 1 ? 2 : 1.3, 0, 0.5, 0, 0, 0};
        sis_scene* scene = sis_scene_new();
        sis_contact_def def = root_contact(scene, put_mass(scene, 0.01, -0.01, 1), &soft);
        if (i < 2) def.law = SIS_LAW_TWO_SIDED;
        if (i == 2) def.potential = SIS_POTENTIAL_MIDPOINT;
        def.release = i == 3;
        def.corrected = i == 4;
        if (i == 5) def.damping = 0.1;
        if (i == 6)
            put_contact(scene, put_barrier(scene, 1), def.below, 1e4, 1.5, &methods[LEDGER]);
        if (i == 7) put_spring(scene, def.below, SIS_GROUND, 10, 0, 0);
        refused(scene, &def, says[i][0], says[i][1]);
    }
}

static void options_ask_for_root_where_it_works(void) {
    sis_error error = {.status = SIS_OK};
    sis_options options = {.rate = 44100, .scheme = SIS_SCHEME_ROOT, .unaudited = false};
    const bounce lossy = {
        .mass = 1, .position = -0.1, .velocity = 1, .K = 1e4, .alpha = 2, .mu = 1};
    sis_scene* scene = bounce_scene(&lossy, &methods[LEDGER]);
    CHECK(!sis_compile(scene, &options, &error));
    CHECK_TEXT(error.text, "root");
    CHECK_TEXT(error.text, "damping");
    sis_scene_free(scene);
    scene = sis_scene_new();
    put_particle(scene, &(particle){SIS_LAW_TWO_SIDED, 1e4, 3, 0, 3, 0, 1, 1}); // s is no obstacle
    options.scheme = SIS_SCHEME_NEWTON;
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    if (!system) printf("%s\n", error.text);
    sis_system_free(system);
    sis_scene_free(scene);
}

int main(void) {
    RUN(core_is_the_published_recursion);
    RUN(plain_spring_is_linear_from_its_bottom);
    RUN(first_step_is_the_published_one);
    RUN(every_sample_solves_its_quadratic);
    RUN(other_linear_forces_enter_the_quadratic);
    RUN(two_masses_exchange_momentum_and_energy);
    RUN(figure_2_has_complex_roots_where_the_table_says);
    RUN(harmonic_oscillator_has_the_known_pitch_and_harmonics);
    RUN(pitch_error_is_of_second_order_only_for_one_half);
    RUN(cubic_oscillator_has_the_known_pitch);
    RUN(figure_4_meets_a_complex_root_at_one_half);
    RUN(complex_roots_depend_on_the_arrival_phase);
    RUN(figure_5_has_the_known_least_potential);
    RUN(roots_are_real_up_to_the_limit_and_not_beyond);
    RUN(published_bound_is_not_sufficient);
    RUN(root_refuses_by_name);
    RUN(options_ask_for_root_where_it_works);
    return CHECK_REPORT();
}
