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
    static const int kinds[] = {FD, STAR, FD_PLAIN, STAR_PLAIN, MODAL};
    static const double heights[] = {5e-4, 2e-3, 4e-3, 6e-3};
    const sis_string_def def = string_2014(1e-4);
    for (int i = 0; i < 5; i++) {
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
    static const int kinds[] = {FD, STAR, MODAL};
    for (int i = 0; i < 3; i++) {
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
    static const int kinds[] = {FD, STAR, MODAL};
    for (int i = 0; i < 3; i++) {
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

// Without room for the grown tension the shortest waves grow and drain the energy of the stretch,
// whose product of two samples goes negative: the balance stays perfect and the tone is wrong.
static void stretching_does_not_feed_modes_near_nyquist(void) {
    static const int kinds[] = {FD, STAR, MODAL, MODAL_PLAIN};
    enum { OVER = 4 };
    for (int mm = 2; mm <= 10; mm += 4) {
        run truth = triangle(FD, OVER, mm * 1e-3, 0.04);
        for (int i = 0; i < 4; i++) {
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
    static const int kinds[] = {FD, FD_PLAIN, STAR, STAR_PLAIN, MODAL};
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED};
    for (int i = 0; i < 5; i++)
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

int main(void) {
    RUN(pitch_follows_the_elliptic_integral);
    RUN(the_error_in_pitch_is_of_second_order);
    RUN(a_small_amplitude_rings_like_a_linear_string);
    RUN(stretching_does_not_feed_modes_near_nyquist);
    RUN(stretching_over_a_barrier_balances);
    return CHECK_REPORT();
}
