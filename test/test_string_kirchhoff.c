// Kirchhoff-Carrier: a string whose tension grows with its amplitude. One mode of it is a Duffing
// oscillator, whose frequency is known exactly:
//   q'' + w^2 q + e q^3 = 0,  e = EA beta^4/(4 rho),  q(0) = a, q'(0) = 0
//   w_a = sqrt(w^2 + e a^2) agm(1, sqrt(1 - m)),  m = e a^2/(2 (w^2 + e a^2))
#include "check.h"
#include "string_reference.h"

static double duffing(const sis_string_def* def, int32_t p, double a) {
    const double beta = p * PI / def->length, w = exact_omega(def, p);
    const double hard = string_stretch(def) * pow(beta, 4) / (4 * string_density(def)) * a * a;
    const double stiff = w * w + hard;
    double x = 1, y = sqrt(1 - hard / (2 * stiff));
    for (int i = 0; i < 40; i++) {
        const double mean = (x + y) / 2;
        y = sqrt(x * y);
        x = mean;
    }
    return sqrt(stiff) * x / (2 * PI);
}

// Frequency of a periodic signal from its first and last upward crossings of zero, cubic between
// samples.
static double crossings(const run* r, double rate) {
    double first = -1, last = -1;
    int count = 0;
    for (int32_t n = 1; n + 2 < r->frames; n++) {
        const double a = run_at(r, n - 1, 0), b = run_at(r, n, 0), c = run_at(r, n + 1, 0),
                     d = run_at(r, n + 2, 0);
        if (!(b < 0 && c >= 0)) continue;
        double low = 0, high = 1;
        for (int i = 0; i < 60; i++) {
            const double s = (low + high) / 2;
            const double value = -s * (s - 1) * (s - 2) / 6 * a +
                                 (s + 1) * (s - 1) * (s - 2) / 2 * b -
                                 (s + 1) * s * (s - 2) / 2 * c + (s + 1) * s * (s - 1) / 6 * d;
            if (value < 0)
                low = s;
            else
                high = s;
        }
        last = n + low;
        if (first < 0)
            first = last;
        else
            count++;
    }
    return count * rate / (last - first);
}

static run plucked(const string_kind* kind, double rate, int32_t mode, double height,
                   double seconds) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_as(string_2014(1e-4), kind);
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_mode(scene, string, mode, height);
    put_pickup(scene, string, 0.37 * def.length, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, rate, (int32_t)(rate * seconds));
}

static void pitch_follows_the_elliptic_integral(void) {
    static const int kinds[] = {FD,       STAR,       GAMMA_TUNED,     TRAPEZOID,
                                FD_PLAIN, STAR_PLAIN, TRAPEZOID_PLAIN, MODAL};
    static const double heights[] = {5e-4, 2e-3, 4e-3, 6e-3};
    const sis_string_def def = string_2014(1e-4);
    for (int i = 0; i < 8; i++) {
        printf("  %-20s", string_kinds[kinds[i]].name);
        for (int a = 0; a < 4; a++) {
            run r = plucked(&string_kinds[kinds[i]], 44100, 1, heights[a], 0.25);
            const double heard = crossings(&r, 44100), exact = duffing(&def, 1, heights[a]);
            printf(" %.1f mm: %.2f Hz (rise %.0f cents, off %+.3f),", heights[a] * 1e3, heard,
                   cents(exact, exact_omega(&def, 1) / (2 * PI)), cents(heard, exact));
            CHECK_NEAR(cents(heard, exact), 0, string_kinds[kinds[i]].tuned ? 0.1 : 0.3);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            run_free(&r);
        }
        run r = plucked(&string_kinds[kinds[i]], 44100, 1, 6e-3, 0.001);
        printf(" N %d\n", sis_system_body(r.system, 0).segments);
        run_free(&r);
    }
}

static void the_error_in_pitch_is_of_second_order(void) {
    const sis_string_def def = string_2014(1e-4);
    static const int kinds[] = {FD, STAR, TRAPEZOID, MODAL};
    for (int i = 0; i < 4; i++) {
        double off[2];
        for (int o = 0; o < 2; o++) {
            const double rate = 11025 << o;
            run r = plucked(&string_kinds[kinds[i]], rate, 1, 6e-3, 0.25);
            off[o] = cents(crossings(&r, rate), duffing(&def, 1, 6e-3));
            run_free(&r);
        }
        printf("  %-10s 6 mm at 11025, 22050 Hz: %+.3f %+.3f cents\n", string_kinds[kinds[i]].name,
               off[0], off[1]);
        CHECK(fabs(off[1]) < fabs(off[0]) || fabs(off[0]) < 0.02);
    }
}

static void a_small_amplitude_rings_like_a_linear_string(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID, MODAL};
    for (int i = 0; i < 4; i++) {
        run r = plucked(&string_kinds[kinds[i]], 44100, 3, 1e-9, 0.02);
        double rings = 0, exact = 0;
        CHECK(sis_system_partial(r.system, 0, 3, &rings, &exact));
        CHECK_NEAR(cents(ringing(r.rows, r.frames, 44100), rings), 0, 0.001);
        run_free(&r);
    }
}

static run triangle(int kind, int over, double height, double seconds) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_as(string_2014(1e-4), &string_kinds[kind]);
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.25 * def.length, height);
    put_pickup(scene, string, 0.3, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, 44100.0 * over, (int32_t)(seconds * 44100 * over));
}

// Without a filter, or room for the grown tension, the shortest waves grow and drain the energy of
// the stretch, whose product of two samples goes negative: the balance stays perfect and the tone
// is wrong.
static void stretching_does_not_feed_modes_near_nyquist(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID, MODAL, MODAL_PLAIN};
    enum { OVER = 4 };
    for (int mm = 2; mm <= 10; mm += 4) {
        run truth = triangle(FD, OVER, mm * 1e-3, 0.04);
        for (int i = 0; i < 5; i++) {
            run r = triangle(kinds[i], 1, mm * 1e-3, 0.04);
            double gone = 0, size = 0, least = HUGE_VAL;
            for (int32_t n = 0; n < r.frames; n++) {
                const double y = run_at(&truth, n * OVER, 0), x = run_at(&r, n, 0) - y;
                gone += x * x;
                size += y * y;
                least = fmin(least, r.energy[n].elastic / r.energy[n].total);
            }
            printf("  %2d mm %-20s off by %.1e in 40 ms, elastic energy at least %+.2f H\n", mm,
                   string_kinds[kinds[i]].name, sqrt(gone / size), least);
            CHECK(least > 0);
            CHECK(sqrt(gone / size) < (kinds[i] == MODAL_PLAIN ? 0.08 : 0.03));
            run_free(&r);
        }
        run_free(&truth);
    }
}

// Large plucks in many modes, losses, a push and a barrier: the balance still closes and nothing
// grows.
static void stretching_over_a_barrier_balances(void) {
    static const int kinds[] = {FD, FD_PLAIN, STAR, STAR_PLAIN, TRAPEZOID, TRAPEZOID_PLAIN, MODAL};
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED};
    for (int i = 0; i < 7; i++)
        for (int s = 0; s < 3; s++) {
            if (kinds[i] == MODAL && s == 1) continue; // as slow as it is sure
            sis_scene* scene = sis_scene_new();
            sis_string_def def = string_as(string_2014(1e-4), &string_kinds[kinds[i]]);
            def.nonlinear = SIS_KIRCHHOFF_CARRIER;
            def.sigma0 = 1;
            def.sigma1 = 5e-4;
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            const method how = method_of(schemes[s], SIS_POTENTIAL_MEAN);
            put_contact(scene, string, put_bed(scene, bridge_2014, 0), 1e13, 2.3, &how);
            put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.25 * def.length, 6e-3);
            put_push(scene, string, 0.3, 1, 1e-3, 0.01);
            put_pickup(scene, string, 0.4, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, kinds[i] == MODAL ? 1000 : 3000);
            const sis_link_report report = sis_state_link(r.system, r.state, 0);
            double reach = 0;
            for (int32_t n = 0; n < r.frames; n++)
                reach = fmax(reach, fabs(run_at(&r, n, 0)));
            const double allowed =
                1e-12 + (s == 1 ? 100 * 2.3e-16 * reach / report.max_penetration : 0);
            printf("  %-20s %-12s residual %.1e\n", string_kinds[kinds[i]].name,
                   sis_scheme_word(schemes[s]), run_residual(&r));
            CHECK_NEAR(run_residual(&r), 0, allowed);
            CHECK(report.contact_samples > 0);
            CHECK(r.energy[r.frames - 1].total < r.energy[0].total + 1e-3);
            if (s == 0) CHECK(report.min_force >= 0);
            run_free(&r);
        }
}

// ---------------------------------------------------------------------------- strings of all sorts

static double uniform(unsigned* seed, double from, double to) {
    *seed = *seed * 1664525u + 1013904223u;
    return from + (to - from) * ((*seed >> 8) / 16777216.0);
}

static double log_uniform(unsigned* seed, double from, double to) {
    return exp(uniform(seed, log(from), log(to)));
}

// A string of tension and stiffness, and of how far it is plucked for some cents of glide.
static sis_string_def any_string(unsigned* seed, double* height) {
    sis_string_def def = string_2014(log_uniform(seed, 1e-4, 5e-4));
    def.length = log_uniform(seed, 0.3, 1.5);
    def.youngs = log_uniform(seed, 4e9, 2e11);
    def.material_density = log_uniform(seed, 1100, 8500);
    def.tension = string_density(&def) * pow(2 * def.length * log_uniform(seed, 60, 350), 2);
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    def.sigma0 = def.sigma1 = 0;
    // T grows by up to 6 %
    const double grown = uniform(seed, 0.01, 0.06) * def.tension / string_stretch(&def);
    *height = fmin(sqrt(grown * 4) * def.length / PI, 0.05 * def.length);
    return def;
}

enum { PARTIALS = 20 };

// Partial p of a smooth pluck at a fifth of the string.
static double share(int p, double height) {
    return 2 * height / (p * p * PI * PI * 0.16) * sin(0.2 * p * PI) * exp(-pow(p / 8.0, 2));
}

// The same string as modes: the exact flow of the linear part and kicks by the tension that has
// grown, in small steps. What is heard at 0.3 L, at 44.1 kHz.
static void flow(const sis_string_def* def, double height, int32_t frames, double* out) {
    enum { OVER = 8 };
    const double k = 1 / (44100.0 * OVER), rho = string_density(def);
    double q[PARTIALS], v[PARTIALS] = {0}, w[PARTIALS], b2[PARTIALS], S = 0;
    for (int p = 0; p < PARTIALS; p++) {
        q[p] = share(p + 1, height);
        w[p] = exact_omega(def, p + 1);
        b2[p] = pow((p + 1) * PI / def->length, 2);
        S += b2[p] * q[p] * q[p] * def->length / 2;
    }
    for (int32_t n = 0; n < frames * OVER; n++) {
        if (n % OVER == 0) out[n / OVER] = 0;
        for (int p = 0; p < PARTIALS && n % OVER == 0; p++)
            out[n / OVER] += q[p] * sin((p + 1) * PI * 0.3);
        const double kick = k / 2 * string_stretch(def) / (2 * def->length * rho);
        double next = 0;
        for (int p = 0; p < PARTIALS; p++) {
            v[p] -= kick * S * b2[p] * q[p];
            const double c = cos(w[p] * k), s = sin(w[p] * k), a = q[p] * c + v[p] / w[p] * s;
            v[p] = v[p] * c - q[p] * w[p] * s;
            q[p] = a;
            next += b2[p] * a * a * def->length / 2;
        }
        S = next;
        for (int p = 0; p < PARTIALS; p++)
            v[p] -= kick * S * b2[p] * q[p];
    }
}

// How far the phase at `near` Hz turns between the two halves of a signal.
static double turned(const double* x, int32_t count, double near, double rate) {
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
    return remainder(phase[1] - phase[0], 2 * PI) * rate / (2 * PI * half);
}

static double pitch(const double* x, int32_t count, double near, double rate) {
    for (int i = 0; i < 4; i++)
        near += turned(x, i < 2 ? count / 4 : count, near, rate);
    return near;
}

// The grid is that of the linear string, and yet the pitch is that of the flow.
static void strings_of_all_sorts_glide_as_their_modes_do(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID, MODAL};
    enum { FRAMES = 13230 };
    static double truth[FRAMES];
    unsigned seed = 18;
    for (int n = 0; n < 3; n++) {
        double height;
        const sis_string_def any = any_string(&seed, &height);
        const double still = exact_omega(&any, 1) / (2 * PI);
        flow(&any, height, FRAMES, truth);
        const double exact = pitch(truth, FRAMES, still * 1.005, 44100);
        printf("  %.3g m, %.4g Hz, %.2g mm: rises %.1f cents;", any.length, still, height * 1e3,
               cents(exact, still));
        for (int i = 0; i < 4; i++) {
            sis_string_def def = string_as(any, &string_kinds[kinds[i]]), linear = def;
            linear.nonlinear = SIS_LINEAR;
            sis_scene *scene = sis_scene_new(), *other = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            put(other, SIS_KIND_STRING, &linear);
            for (int p = 1; p <= PARTIALS; p++)
                put_mode(scene, string, p, share(p, height));
            put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, FRAMES);
            sis_system* alone = compiled(other, 44100);
            CHECK(sis_system_body(r.system, 0).segments == sis_system_body(alone, 0).segments);
            const double off = cents(pitch(r.rows, FRAMES, exact, 44100), exact);
            printf(" %s %+.3f", string_kinds[kinds[i]].name, off);
            CHECK_NEAR(off, 0, 0.15);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            run_free(&r);
            sis_system_free(alone);
        }
        printf(" cents off\n");
    }
}

// Slopes of a clamped string are mirrored like others; its modes are exact.
static void clamped_strings_stretch_as_their_modes_do(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID, MODAL};
    enum { FRAMES = 8820 };
    unsigned seed = 81;
    for (int n = 0; n < 2; n++) {
        double height, heard[4], still[4];
        sis_string_def any = any_string(&seed, &height);
        any.ends = SIS_ENDS_CLAMPED;
        for (int i = 0; i < 4; i++)
            for (int small = 0; small < 2; small++) {
                const double over = kinds[i] == MODAL ? 2 : 1, rate = 44100 * over;
                const int32_t frames = (int32_t)(FRAMES * over);
                sis_scene* scene = sis_scene_new();
                const sis_string_def def = string_as(any, &string_kinds[kinds[i]]);
                const sis_id string = put(scene, SIS_KIND_STRING, &def);
                put_mode(scene, string, 1, small ? 1e-3 * height : height);
                put_mode(scene, string, 2, small ? 3e-4 * height : 0.3 * height);
                put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
                run r = run_scene(scene, rate, frames);
                const double near = sis_system_body(r.system, 0).frequency * (small ? 1 : 1.005);
                *(small ? &still[i] : &heard[i]) = pitch(r.rows, frames, near, rate);
                CHECK_NEAR(run_residual(&r), 0, 1e-12);
                run_free(&r);
            }
        printf("  clamped, %.3g m, %.2g mm:", any.length, height * 1e3);
        for (int i = 0; i < 4; i++) {
            const double glide = cents(heard[i], still[i]), exact = cents(heard[3], still[3]);
            printf(" %s %.3f", string_kinds[kinds[i]].name, glide);
            CHECK_NEAR(glide, exact, 0.05 + 0.02 * exact);
        }
        printf(" cents of glide\n");
    }
}

// Filters longer than the string.
static void strings_of_few_segments_stretch_too(void) {
    static const int kinds[] = {FD, STAR, GAMMA_07, TRAPEZOID};
    for (int i = 0; i < 4; i++)
        for (int32_t segments = 2; segments < 9; segments++)
            for (int clamped = 0; clamped < 2; clamped++) {
                sis_scene* scene = sis_scene_new();
                sis_string_def def = string_as(string_2014(1e-4), &string_kinds[kinds[i]]);
                def.nonlinear = SIS_KIRCHHOFF_CARRIER;
                def.segments = segments;
                def.ends = clamped ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
                const sis_id string = put(scene, SIS_KIND_STRING, &def);
                put_mode(scene, string, 1, 5e-3);
                put_pickup(scene, string, 0.4, SIS_QUANTITY_DISPLACEMENT);
                run r = run_scene(scene, 44100, 2000);
                CHECK_NEAR(run_residual(&r), 0, 1e-12);
                double reach = 0;
                for (int32_t n = 0; n < r.frames; n++)
                    reach = fmax(reach, fabs(run_at(&r, n, 0)));
                CHECK(reach > 1e-3 && reach < 6e-3);
                run_free(&r);
            }
}

int main(void) {
    RUN(pitch_follows_the_elliptic_integral);
    RUN(the_error_in_pitch_is_of_second_order);
    RUN(a_small_amplitude_rings_like_a_linear_string);
    RUN(stretching_does_not_feed_modes_near_nyquist);
    RUN(stretching_over_a_barrier_balances);
    RUN(strings_of_all_sorts_glide_as_their_modes_do);
    RUN(clamped_strings_stretch_as_their_modes_do);
    RUN(strings_of_few_segments_stretch_too);
    return CHECK_REPORT();
}
