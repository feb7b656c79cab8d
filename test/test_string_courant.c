// An ideal string whose waves go just one segment in a step, c k = h: its grid is the solution of
// d'Alembert itself.
#include "check.h"
#include "string_reference.h"

// N segments, cut to measure for a rate, from numbers as a user would give them.
static sis_string_def measured(double length, double density, int32_t segments, double rate) {
    sis_string_def def = sis_string_default();
    const double c = length / segments * rate;
    def.length = length;
    def.density = density;
    def.tension = density * c * c;
    def.segments = segments;
    return def;
}

static sis_system* tried(const sis_string_def* def, double rate, sis_error* error) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, def);
    const sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, error);
    sis_scene_free(scene);
    return system;
}

static double uniform(unsigned* seed, double from, double to) {
    *seed = *seed * 1664525u + 1013904223u;
    return from + (to - from) * ((*seed >> 8) / 16777216.0);
}

// Rounding of the user's own arithmetic may lie on either side of 1.
static void strings_cut_to_measure_run(void) {
    static const double rates[] = {22050, 44100, 48000, 96000};
    unsigned seed = 11;
    for (int n = 0; n < 400; n++) {
        const double rate = rates[n % 4];
        const int32_t segments = 2 + (int32_t)uniform(&seed, 0, 400);
        sis_string_def def =
            measured(uniform(&seed, 0.05, 3), uniform(&seed, 1e-4, 0.1), segments, rate);
        def.tuned = n % 3 != 0;
        if (n % 5 == 0) {
            def.model = SIS_STRING_IMPLICIT;
            def.gamma = 0;
        }
        sis_error error = {.status = SIS_OK};
        sis_system* system = tried(&def, rate, &error);
        CHECK(system != NULL);
        if (!system) continue;
        const sis_body_info used = sis_system_body(system, 0);
        CHECK(used.segments == segments && used.used == 0 && used.h_over_hmin == 1);
        // the energy of the highest mode is what is left: 1 - cos^2(pi/2N)
        CHECK_NEAR(used.margin, pow(sin(PI / (2 * segments)), 2), 1e-15);
        for (int32_t p = 1; p < segments && p < 20; p++) {
            double rings = 0, exact = 0;
            CHECK(sis_system_partial(system, 0, p, &rings, &exact));
            CHECK_NEAR(rings, exact, 1e-12 * exact);
        }
        sis_system_free(system);
    }
}

// A hair more tension, losses that need room, or stiffness: refused as before, with the largest
// grid.
static void beyond_it_nothing_runs(void) {
    sis_error error = {.status = SIS_OK};
    sis_string_def def = measured(0.65, 5e-3, 100, 44100);
    def.tension *= 1 + 1e-12;
    CHECK(!tried(&def, 44100, &error));
    CHECK_TEXT(error.text, "segments");
    CHECK_TEXT(error.text, "99");
    def = measured(0.65, 5e-3, 100, 44100);
    def.sigma1 = 1e-6;
    CHECK(!tried(&def, 44100, &error));
    def = measured(0.65, 5e-3, 100, 44100);
    def.radius = 1e-5;
    def.youngs = 1e9;
    CHECK(!tried(&def, 44100, &error));
    def = measured(0.65, 5e-3, 100, 44100);
    def.segments = 0; // a grid that nobody asked for stays off the limit
    sis_system* system = tried(&def, 44100, &error);
    CHECK(system && sis_system_body(system, 0).segments == 99);
    sis_system_free(system);
}

// The shape comes back after 2 N samples, upside down and turned round after N, for ever.
static void the_shape_comes_back(void) {
    enum { N = 100, PERIODS = 400 };
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = measured(0.65, 5e-3, N, 44100);
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.21 * def.length, 3e-3);
    put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, 44100, 2 * N * PERIODS + 1);
    double worst = 0;
    for (int32_t n = 0; n + 2 * N < r.frames; n++)
        worst = fmax(worst, fabs(run_at(&r, n + 2 * N, 0) - run_at(&r, n, 0)));
    const double last = fabs(run_at(&r, r.frames - 1, 0) - run_at(&r, 0, 0));
    printf("  3 mm: %.1e m in a period, %.1e m in %d\n", worst, last, PERIODS);
    CHECK(worst < 1e-15 && last < 1e-13);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
}

// Contacts and losses: energy balances, nothing grows, and the motion is that of a grid beside it.
static void contacts_hold_on_the_limit_too(void) {
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON, SIS_SCHEME_EXACT,
                                         SIS_SCHEME_QUADRATISED};
    for (int s = 0; s < 4; s++)
        for (int lossy = 0; lossy < 2; lossy++) {
            double reach[2] = {0}, off = 0, size = 0;
            static double kept[4000];
            for (int less = 0; less < 2; less++) {
                sis_scene* scene = sis_scene_new();
                sis_string_def def = measured(0.65, 5e-3, 100, 44100);
                if (less) def.tension *= 1 - 1e-5;
                if (lossy) def.sigma0 = 3;
                const sis_id string = put(scene, SIS_KIND_STRING, &def);
                const method how = method_of(schemes[s], SIS_POTENTIAL_MEAN);
                put_contact(scene, string, put_bed(scene, NULL, -1e-3), 1e7, s == 2 ? 1 : 1.5,
                            &how);
                put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.21 * def.length, 3e-3);
                put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
                run r = run_scene(scene, 44100, 4000);
                CHECK_NEAR(run_residual(&r), 0, 1e-11);
                CHECK(sis_state_link(r.system, r.state, 0).contact_samples > 0);
                for (int32_t n = 0; n < r.frames; n++) {
                    reach[less] = fmax(reach[less], fabs(run_at(&r, n, 0)));
                    if (!less) kept[n] = run_at(&r, n, 0);
                    if (less && n < 600) off += pow(run_at(&r, n, 0) - kept[n], 2);
                    if (less && n < 600) size += pow(kept[n], 2);
                }
                run_free(&r);
            }
            printf(
                "  %-12s %s: reaches %.3f mm, %.3f mm beside the limit; apart by %.1e in 14 ms\n",
                sis_scheme_word(schemes[s]), lossy ? "lossy   " : "lossless", 1e3 * reach[0],
                1e3 * reach[1], sqrt(off / size));
            CHECK(reach[0] < 4e-3);
            CHECK(sqrt(off / size) < 0.05);
        }
}

int main(void) {
    RUN(strings_cut_to_measure_run);
    RUN(beyond_it_nothing_runs);
    RUN(the_shape_comes_back);
    RUN(contacts_hold_on_the_limit_too);
    return CHECK_REPORT();
}
