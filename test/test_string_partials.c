// Pitch: grids, gammas and corrected stiffnesses follow their formulas, every model rings where its
// dispersion relation says, and the published figures come out.
#include <stdlib.h>

#include "check.h"
#include "string_reference.h"

// ---------------------------------------------------------------------------- formulas

// gamma_* of Bilbao 2014, (22).
static double gamma_star(const sis_string_def* def, double rate) {
    const double k = 1 / rate, T = def->tension, rho = string_density(def);
    const double EI = string_stiffness(def);
    const double h2 =
        2 * PI * PI * EI / (T * (sqrt(1 + 4 * EI * rho * PI * PI / (T * T * k * k)) - 1));
    return -1 + T * k * k / (rho * h2) + 4 * EI * k * k / (rho * h2 * h2);
}

// EI' that cancels the leading detuning.
static double stiffness_tuned(const sis_string_def* def, double rate, double h, double gamma) {
    const double k = 1 / rate, T = def->tension, rho = string_density(def);
    return string_stiffness(def) + T * h * h * (1.0 / 12 + gamma / 4) - T * T * k * k / (12 * rho);
}

// gamma that then cancels the next order too.
static double gamma_tuned(const sis_string_def* def, double rate, double h) {
    const double k = 1 / rate, T = def->tension, rho = string_density(def);
    const double EI = string_stiffness(def), h2 = h * h, k2 = k * k;
    const double right = -h2 * EI / 6 + k2 * T * EI / (6 * rho) - T * h2 * h2 / 90 +
                         T * T * k2 * h2 / (72 * rho) - k2 * k2 * T * T * T / (360 * rho * rho);
    return right / (h2 / 4 * (EI + T * h2 / 12 - k2 * T * T / (12 * rho)));
}

// H >= 0 at the shortest wave, and at every other: the smallest eigenvalue of
// L - (k/2) C1 - (k^2/4) K over the eigenvalues q of -Dxx, 0 < q <= 4/h^2.
static bool stable(const sis_string_def* def, double rate, double h, double gamma, double EI,
                   bool backward) {
    const double k = 1 / rate, rho = string_density(def);
    if (EI < 0 || gamma <= -1) return false;
    for (int i = 1; i <= 64; i++) {
        const double q = 4 / (h * h) * i / 64; // -Dxx
        const double loss = backward && !isnan(def->sigma1) ? k * def->sigma1 * q : 0;
        const double left = 1 + gamma * h * h * q / 4 - loss;
        if (left < k * k / 4 * (def->tension * q + EI * q * q) / rho) return false;
    }
    return true;
}

// The most intervals for which the energy of the string is positive, by trying them all; 0: none.
static int32_t most_segments(const sis_string_def* def, double rate, const string_kind* kind) {
    int32_t best = 0;
    const bool implicit = kind->model == SIS_STRING_IMPLICIT;
    for (int32_t N = 2; N < 2000; N++) {
        const double h = def->length / N;
        double gamma = 0;
        if (implicit && !isnan(kind->gamma))
            gamma = kind->gamma;
        else if (implicit)
            gamma =
                kind->rule == SIS_GAMMA_TUNED ? gamma_tuned(def, rate, h) : gamma_star(def, rate);
        const double EI =
            kind->tuned ? stiffness_tuned(def, rate, h, gamma) : string_stiffness(def);
        if (stable(def, rate, h, gamma, EI, !implicit)) best = N;
    }
    return best;
}

// ---------------------------------------------------------------------------- grids

static sis_system* string_alone(const sis_string_def* def, double rate) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, def);
    return compiled(scene, rate);
}

// Where the model must ring, from its dispersion relation, Hz:
//   l_gamma, leapfrog   sin^2(w k/2) = (k^2/4) (T q + EI q^2)/(rho (1 + gamma h^2 q/4)),  q = -Dxx
//   trapezoid           tan^2(w k/2) = (k^2/4) (T q + EI q^2)/rho
static double dispersion(const sis_body_info* used, double rate, int32_t p) {
    const double k = 1 / rate, h = used->length / used->segments, rho = used->density;
    const double sine = sin(p * PI / (2.0 * used->segments)), beta = p * PI / used->length;
    const bool modal = used->model == SIS_STRING_MODAL;
    const double q = modal ? beta * beta : 4 * sine * sine / (h * h);
    const double EI = modal ? used->stiffness : used->used;
    const double gamma = used->model == SIS_STRING_IMPLICIT ? used->gamma : 0;
    const double w2 = (used->tension * q + EI * q * q) / (rho * (1 + gamma * h * h * q / 4));
    if (modal && used->tuned) return sqrt(w2) / (2 * PI);
    const double half = k / 2 * sqrt(w2);
    return (used->model == SIS_STRING_TRAPEZOID ? atan(half) : asin(half)) * rate / PI;
}

// One string at one rate: segments, gamma and EI' by the formulas.
static void grid_is_right(const sis_string_def* string, const string_kind* kind, double rate) {
    const sis_string_def def = string_as(*string, kind);
    const bool implicit = def.model == SIS_STRING_IMPLICIT;
    const bool trapezoid = def.model == SIS_STRING_TRAPEZOID;
    sis_system* system = string_alone(&def, rate);
    const sis_body_info used = sis_system_body(system, 0);
    const double h = def.length / used.segments, k = 1 / rate, T = def.tension;
    const string_kind* grid = !trapezoid ? kind : &string_kinds[def.tuned ? FD : FD_PLAIN];
    CHECK(used.segments == most_segments(string, rate, grid));
    CHECK(used.points == used.segments + 1);
    CHECK(used.margin > 0);
    CHECK(used.h_over_hmin >= 1 && used.h_over_hmin < 1.1);
    const double gamma = !implicit                       ? 0
                         : !isnan(def.gamma)             ? def.gamma
                         : kind->rule == SIS_GAMMA_TUNED ? gamma_tuned(&def, rate, h)
                                                         : gamma_star(&def, rate);
    if (implicit) CHECK_NEAR(used.gamma, gamma, 1e-9);
    double EI = def.tuned ? stiffness_tuned(&def, rate, h, gamma) : string_stiffness(&def);
    // tan in place of sin: + 1/6 of T^2 k^2/rho in place of - 1/12
    if (def.tuned && trapezoid) EI += T * T * k * k / (4 * string_density(&def));
    CHECK_NEAR(used.used, EI, 1e-9 * EI);
    CHECK_NEAR(used.stiffness, string_stiffness(&def), 1e-12 * used.stiffness);
    CHECK_NEAR(used.density, string_density(&def), 1e-12 * used.density);
    sis_system_free(system);
}

static void grids_follow_the_stability_limits(void) {
    sis_string_def strings[] = {string_2019(), string_2014(5e-4), string_short(), string_short()};
    static const double rates[] = {44100, 48000, 96000};
    strings[3].sigma1 = 0.2; // a loss that an explicit grid must make room for
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < MODAL; i++)
            for (int r = 0; r < 3; r++)
                grid_is_right(&strings[s], &string_kinds[i], s >= 2 ? rates[r] / 6 : rates[r]);
}

// The 2014 string of r = 0.1 mm is so thin that no gamma cancels the next order on a stable grid:
// the corrected explicit one is taken.
static void nearly_ideal_strings_fall_back_to_the_corrected_explicit_grid(void) {
    const sis_string_def thin = string_2014(1e-4);
    const sis_string_def def = string_as(thin, &string_kinds[GAMMA_TUNED]);
    CHECK(most_segments(&thin, 44100, &string_kinds[GAMMA_TUNED]) == 0);
    sis_system* system = string_alone(&def, 44100);
    const sis_body_info used = sis_system_body(system, 0);
    CHECK(used.gamma == 0);
    CHECK(used.segments == most_segments(&thin, 44100, &string_kinds[FD]));
    sis_system_free(system);
}

static void modal_strings_have_all_modes_that_are_stable(void) {
    const sis_string_def strings[] = {string_2019(), string_2014(5e-4), string_2014(1e-4)};
    for (int s = 0; s < 3; s++)
        for (int i = MODAL; i <= MODAL_PLAIN; i++) {
            const sis_string_def def = string_as(strings[s], &string_kinds[i]);
            const double limit = 44100 * (i == MODAL ? 0.95 * PI : 2);
            int32_t count = 0;
            while (exact_omega(&def, count + 1) < limit)
                count++;
            sis_system* system = string_alone(&def, 44100);
            const sis_body_info used = sis_system_body(system, 0);
            CHECK(used.modes == count);
            double rings, exact;
            CHECK(sis_system_partial(system, 0, count, &rings, &exact));
            CHECK(!sis_system_partial(system, 0, count + 1, &rings, &exact));
            // Distributed contacts sit on fd's grid.
            const string_kind* fd = &string_kinds[i == MODAL ? FD : FD_PLAIN];
            const int32_t N = most_segments(&strings[s], 44100, fd);
            printf("  %s: %d modes, grid of %d (fd has %d)\n", string_kinds[i].name, used.modes,
                   used.segments, N);
            CHECK(used.segments == N ||
                  used.segments == most_segments(&strings[s], 44100, &string_kinds[FD_PLAIN]));
            sis_system_free(system);
        }
}

static void partials_follow_the_dispersion_relation(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_2014(5e-4), &string_kinds[i]);
        sis_system* system = string_alone(&def, 44100);
        const sis_body_info used = sis_system_body(system, 0);
        CHECK_NEAR(used.frequency, exact_omega(&def, 1) / (2 * PI), 1e-9 * used.frequency);
        const int32_t count = def.model == SIS_STRING_MODAL ? used.modes : used.segments - 1;
        double rings = 0, exact = 0;
        for (int32_t p = 1; p <= count; p++) {
            CHECK(sis_system_partial(system, 0, p, &rings, &exact));
            CHECK_NEAR(rings, dispersion(&used, 44100, p), 1e-9 * rings);
            CHECK_NEAR(exact, exact_omega(&def, p) / (2 * PI), 1e-9 * exact);
        }
        CHECK(!sis_system_partial(system, 0, count + 1, &rings, &exact));
        CHECK(!sis_system_partial(system, 0, 0, &rings, &exact));
        sis_system_free(system);
    }
}

// ---------------------------------------------------------------------------- simulated

// Rings one mode without losses and measures its frequency, Hz.
static double simulated(sis_string_def def, double rate, int32_t mode, int32_t frames) {
    def.sigma0 = def.sigma1 = 0;
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_mode(scene, string, mode, 1e-3);
    put_pickup(scene, string, def.length * 0.37, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, frames);
    const double frequency = ringing(r.rows, frames, rate);
    run_free(&r);
    return frequency;
}

static void strings_ring_where_their_partials_say(void) {
    static const int32_t modes[] = {1, 2, 5, 10, 20, 40, 60, 79};
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_2014(5e-4), &string_kinds[i]);
        sis_system* system = string_alone(&def, 44100);
        double worst = 0;
        for (int m = 0; m < 8; m++) {
            double rings = 0, exact = 0;
            if (!sis_system_partial(system, 0, modes[m], &rings, &exact)) continue;
            const double off = cents(simulated(def, 44100, modes[m], 1500), rings);
            if (!(fabs(off) <= worst)) worst = fabs(off);
            CHECK_NEAR(off, 0, 0.01);
        }
        printf("  simulated against partial, %-22s %.1e cents\n", string_kinds[i].name, worst);
        sis_system_free(system);
    }
}

// ---------------------------------------------------------------------------- published

typedef struct published {
    int kind;
    int32_t segments;
    int32_t modes[5];
    double cents[5];
    double within[5]; // half of the last digit given
} published;

static void compare(const sis_string_def* string, const published* row, const char* name) {
    const sis_string_def def = string_as(*string, &string_kinds[row->kind]);
    sis_system* system = string_alone(&def, 44100);
    const sis_body_info used = sis_system_body(system, 0);
    CHECK(used.segments == row->segments);
    printf("  %s, %-22s N %d:", name, string_kinds[row->kind].name, used.segments);
    for (int i = 0; i < 5 && row->modes[i]; i++) {
        double rings = 0, exact = 0;
        CHECK(sis_system_partial(system, 0, row->modes[i], &rings, &exact));
        const double off = cents(rings, exact);
        printf(" %+.3g", off);
        CHECK_NEAR(off, row->cents[i], row->within[i]);
    }
    printf(" cents\n");
    sis_system_free(system);
}

static void detuning_of_bilbao_2014_figure_1(void) {
    const sis_string_def string = string_2014(5e-4);
    static const published rows[] = {
        {STAR_PLAIN, 83, {10, 20, 40, 60, 80}, {5.0, 7.7, 3.1, 6.4, -82}, {.06, .06, .06, .06, .6}},
        {FD_PLAIN, 104, {10, 20, 40, 60, 80}, {-7.9, -39, -163, -335, -528}, {.06, .6, .6, .6, .6}},
        {TRAPEZOID_PLAIN, 104, {20}, {-49}, {.6}},
    };
    for (int i = 0; i < 3; i++)
        compare(&string, &rows[i], "2014 figure 1");
}

static void detuning_of_the_2019_string(void) {
    const sis_string_def string = string_2019();
    static const published rows[] = {
        {FD_PLAIN,
         223,
         {5, 10, 20, 40, 80},
         {-.29, -1.2, -4.9, -22, -106},
         {.006, .06, .06, .6, .6}},
        {STAR_PLAIN, 181, {5, 10, 20, 40, 80}, {.37, 1.4, 5.3, 16, 31}, {.006, .06, .06, .6, .6}},
        {FD, 219, {5, 10, 20, 40, 80}, {-.003, -.05, -.72, -9.2, -78}, {6e-4, .006, .006, .06, .6}},
        {STAR, 185, {5, 10, 20, 40, 80}, {0, -.01, -.10, -1.2, -8.2}, {.006, .006, .006, .06, .06}},
        {GAMMA_TUNED,
         179,
         {5, 10, 20, 40, 80},
         {0, 0, .003, .17, 5.4},
         {.006, .006, 6e-4, .006, .06}},
    };
    for (int i = 0; i < 5; i++)
        compare(&string, &rows[i], "2019");
}

// Cents of the first partials and of the last one in band (below half the rate), printed.
static void the_first_twenty_and_the_last_partial_of_figure_1(void) {
    static const int kinds[] = {FD_PLAIN, STAR_PLAIN,  TRAPEZOID_PLAIN, FD,
                                STAR,     GAMMA_TUNED, TRAPEZOID,       MODAL};
    for (int i = 0; i < 8; i++) {
        const sis_string_def def = string_as(string_2014(5e-4), &string_kinds[kinds[i]]);
        sis_system* system = string_alone(&def, 44100);
        double rings = 0, exact = 0, worst = 0, last = 0;
        int32_t at = 0, p = 1;
        printf("  %-20s", string_kinds[kinds[i]].name);
        for (; sis_system_partial(system, 0, p, &rings, &exact) && exact < 22050; p++) {
            last = cents(rings, exact);
            if (p <= 20 && fabs(last) > worst) worst = fabs(last), at = p;
            if (p <= 20 && p % 5 == 0) printf(" %d: %+.3g", p, last);
        }
        printf(", worst of 20: %.3g at %d, last in band %d: %+.1f cents\n", worst, at, p - 1, last);
        CHECK(at > 0 || worst == 0);
        if (kinds[i] == MODAL) CHECK_NEAR(worst, 0, 1e-9);
        sis_system_free(system);
    }
}

static void tuned_strings_are_in_tune(void) {
    static const struct {
        int kind;
        int32_t upto;
    } rows[] = {{FD, 20}, {STAR, 20}, {GAMMA_TUNED, 40}, {MODAL, 100}};
    for (int i = 0; i < 4; i++) {
        const sis_string_def def = string_as(string_2019(), &string_kinds[rows[i].kind]);
        sis_system* system = string_alone(&def, 44100);
        double worst = 0;
        for (int32_t p = 1; p <= rows[i].upto; p++) {
            double rings = 0, exact = 0;
            CHECK(sis_system_partial(system, 0, p, &rings, &exact));
            worst = fmax(worst, fabs(cents(rings, exact)));
            CHECK_NEAR(cents(rings, exact), 0, 1);
        }
        const double heard = cents(simulated(def, 44100, rows[i].upto, 1500),
                                   exact_omega(&def, rows[i].upto) / (2 * PI));
        CHECK_NEAR(heard, 0, 1);
        printf("  %-22s first %d partials within %.3f cents; simulated, the last %+.3f\n",
               string_kinds[rows[i].kind].name, rows[i].upto, worst, heard);
        sis_system_free(system);
    }
}

// ---------------------------------------------------------------------------- clamped

// Frequency of the p-th mode between two clamps. With a, b the two wave numbers,
//   2 a b (1/cosh aL - cos bL) + (a^2 - b^2) tanh aL sin bL = 0,  p pi < bL < (p + 1) pi.
static double clamped_frequency(const sis_string_def* def, int32_t p) {
    const double EI = string_stiffness(def), T = def->tension, L = def->length;
    double low = p * PI / L, high = (p + 1) * PI / L, b = low;
    for (int i = 0; i < 200; i++) {
        b = (low + high) / 2;
        const double a = sqrt(b * b + T / EI), side = p % 2 ? -1 : 1;
        const double value =
            2 * a * b * (1 / cosh(a * L) - cos(b * L)) + T / EI * tanh(a * L) * sin(b * L);
        if (value * side < 0)
            low = b;
        else
            high = b;
    }
    return b * sqrt((T + EI * b * b) / string_density(def)) / (2 * PI);
}

static void clamped_partials_converge_to_the_transcendental_equation(void) {
    static const int kinds[] = {FD_PLAIN, STAR_PLAIN, GAMMA_07, TRAPEZOID_PLAIN, FD, STAR};
    sis_string_def clamped = string_2014(5e-4);
    clamped.ends = SIS_ENDS_CLAMPED;
    for (int i = 0; i < 6; i++)
        for (int32_t p = 1; p <= 5; p += 2) {
            double off[3] = {0};
            for (int s = 0; s < 3; s++) {
                sis_string_def def = string_as(clamped, &string_kinds[kinds[i]]);
                def.segments = 80 << s;
                // At a high rate, so that the error left is the grid's.
                sis_system* system = string_alone(&def, 1e6);
                double rings = 0, exact = 0;
                CHECK(sis_system_partial(system, 0, p, &rings, &exact));
                CHECK_NEAR(exact, clamped_frequency(&def, p), 1e-9 * exact);
                off[s] = cents(rings, clamped_frequency(&def, p));
                if (s == 2)
                    CHECK_NEAR(sis_system_body(system, 0).frequency, clamped_frequency(&def, 1),
                               1e-9 * exact);
                sis_system_free(system);
            }
            const double order = log2(fabs(off[1] / off[2]));
            printf("  clamped %-20s mode %d: %+.3f %+.4f %+.5f cents at N 80 160 320, order %.2f\n",
                   string_kinds[kinds[i]].name, p, off[0], off[1], off[2], order);
            if (string_kinds[kinds[i]].tuned && p == 1) // the clamp is tuned to it
                CHECK(fabs(off[0]) < 1e-4 && fabs(off[1]) < 1e-4 && fabs(off[2]) < 1e-4);
            else
                CHECK(order > 1.8);
        }
}

// Frequency from how far the phase of a windowed sum at about `near` turns in half the signal:
// other partials may be in it.
static double turning(const double* x, int32_t count, double near, double rate) {
    const int32_t half = count / 2;
    double phase[2];
    for (int part = 0; part < 2; part++) {
        double re = 0, im = 0;
        for (int32_t n = 0; n < half; n++) {
            const double window = pow(sin(PI * (n + 0.5) / half), 4), t = (n + part * half) / rate;
            re += window * x[n + part * half] * cos(2 * PI * near * t);
            im -= window * x[n + part * half] * sin(2 * PI * near * t);
        }
        phase[part] = atan2(im, re);
    }
    const double turn = remainder(phase[1] - phase[0], 2 * PI);
    return near + turn * rate / (2 * PI * half);
}

// The largest part of a signal that is not at frequency f.
static double impurity(const double* x, int32_t count, double f, double rate) {
    double cc = 0, cs = 0, ss = 0, xc = 0, xs = 0, worst = 0;
    for (int32_t n = 0; n < count; n++) {
        const double c = cos(2 * PI * f * n / rate), s = sin(2 * PI * f * n / rate);
        cc += c * c, cs += c * s, ss += s * s, xc += x[n] * c, xs += x[n] * s;
    }
    const double a = (xc * ss - xs * cs) / (cc * ss - cs * cs);
    const double b = (xs * cc - xc * cs) / (cc * ss - cs * cs);
    for (int32_t n = 0; n < count; n++)
        worst = fmax(worst,
                     fabs(x[n] - a * cos(2 * PI * f * n / rate) - b * sin(2 * PI * f * n / rate)));
    return worst;
}

// A clamped mode shape is that of the string, not of the grid: a little of other modes rings along.
static void clamped_strings_ring_where_their_partials_say(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID_PLAIN};
    enum { FRAMES = 16384 };
    for (int i = 0; i < 3; i++) {
        sis_string_def def = string_as(string_2014(5e-4), &string_kinds[kinds[i]]);
        def.ends = SIS_ENDS_CLAMPED;
        for (int32_t p = 1; p <= 4; p++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            put_mode(scene, string, p, 1e-3);
            put_pickup(scene, string, def.length * 0.37, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, FRAMES);
            double rings = 0, exact = 0, reach = 0;
            CHECK(sis_system_partial(r.system, 0, p, &rings, &exact));
            for (int32_t n = 0; n < FRAMES; n++)
                reach = fmax(reach, fabs(run_at(&r, n, 0)));
            CHECK(reach > 5e-5 && reach < 1.1e-3);
            const double other = impurity(r.rows, FRAMES, rings, 44100) / reach;
            CHECK(other < 0.05);
            const double off = cents(turning(r.rows, FRAMES, rings, 44100), rings);
            printf(
                "  clamped %-10s mode %d simulated %+.2e cents off its partial, impure by %.3f\n",
                string_kinds[kinds[i]].name, p, off, other);
            CHECK_NEAR(off, 0, 0.01);
            run_free(&r);
        }
    }
}

// The height of a pluck is that of its highest point, whatever the ends do to the shape.
static void clamped_modes_are_as_high_as_asked_for(void) {
    for (int bar = 0; bar < 2; bar++)
        for (int32_t p = 1; p <= 5; p++) {
            sis_string_def def = string_2014(5e-4);
            def.ends = SIS_ENDS_CLAMPED;
            if (bar) def.tension = 0;
            sis_scene* scene = sis_scene_new();
            put_mode(scene, put(scene, SIS_KIND_STRING, &def), p, 1e-3);
            run r = run_system(compiled(scene, 44100), 0, 1);
            double u[1024], peak = 0;
            CHECK(sis_system_body(r.system, 0).points < 1024);
            sis_state_shape(r.system, r.state, 0, u);
            for (int32_t j = 0; j < sis_system_body(r.system, 0).points; j++)
                peak = fmax(peak, fabs(u[j]));
            CHECK_NEAR(peak, 1e-3, 1e-5); // the highest point lies between two of the grid
            run_free(&r);
        }
}

int main(void) {
    RUN(grids_follow_the_stability_limits);
    RUN(nearly_ideal_strings_fall_back_to_the_corrected_explicit_grid);
    RUN(modal_strings_have_all_modes_that_are_stable);
    RUN(partials_follow_the_dispersion_relation);
    RUN(strings_ring_where_their_partials_say);
    RUN(detuning_of_bilbao_2014_figure_1);
    RUN(detuning_of_the_2019_string);
    RUN(the_first_twenty_and_the_last_partial_of_figure_1);
    RUN(tuned_strings_are_in_tune);
    RUN(clamped_partials_converge_to_the_transcendental_equation);
    RUN(clamped_strings_ring_where_their_partials_say);
    RUN(clamped_modes_are_as_high_as_asked_for);
    return CHECK_REPORT();
}
