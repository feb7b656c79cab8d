// Tuned plates: the first partials of plates that nobody chose, at four rates, as announced and as
// they ring; energy, width and reciprocity of the operator that does it; grids at the limit.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference.h"
#include "wide/width.h"
#include "willemsen_reference.h"

enum { PARTIALS = 10 };

// Numbers from 0 to 1, the same in every run.
static double chance(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static double between(uint64_t* seed, double low, double high) {
    return low * pow(high / low, chance(seed));
}

// A plate of metal or wood, a skin, or a stiff skin; some are narrow.
static sis_plate_def any_plate(uint64_t* seed, int kind) {
    sis_plate_def p = sis_plate_default();
    p.length = kind == 0 ? between(seed, 0.2, 1.2) : between(seed, 0.2, 0.5);
    p.width = p.length * between(seed, 0.15, 1);
    p.thickness = kind == 0 ? between(seed, 8e-4, 4e-3) : between(seed, 1e-4, 5e-4);
    p.material_density = kind == 0 ? between(seed, 500, 8000) : between(seed, 900, 1500);
    if (kind == 0) p.youngs = p.material_density * between(seed, 1e7, 3e7);
    if (kind > 0) p.tension = between(seed, 800, 6000);
    if (kind == 2) p.youngs = between(seed, 1e9, 5e9);
    p.poisson = 0.1 + 0.3 * chance(seed);
    return p;
}

static sis_system* compiled(const sis_plate_def* p, double rate, int32_t lanes) {
    sis_scene* scene = sis_scene_new();
    sis_error error = {.status = SIS_OK};
    put(scene, SIS_KIND_PLATE, p);
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    if (!system) printf("  %s\n", error.text);
    sis_scene_free(scene);
    return system;
}

static double kappa2(const sis_plate_def* p) { // D/rhoH
    return p->youngs * p->thickness * p->thickness /
           (12 * (1 - p->poisson * p->poisson) * p->material_density);
}

static double exact_partial(const sis_plate_def* p, int m, int l) {
    const double x = m * PI / p->length, y = l * PI / p->width, q = x * x + y * y;
    const double c2 = p->tension / (p->material_density * p->thickness);
    return sqrt(kappa2(p) * q * q + c2 * q) / (2 * PI);
}

// The largest error of those of the first partials that lie between two parts of the rate, cents; a
// grid of few points has fewer.
static double worst_of(const sis_plate_def* p, double rate, double low, double high, int* count) {
    sis_system* system = compiled(p, rate, 0);
    double worst = 0, rings, exact;
    for (int i = 1; system && i <= PARTIALS; i++) {
        if (!sis_system_partial(system, 0, i, &rings, &exact)) continue;
        if (!(exact >= low * rate && exact < high * rate)) continue;
        worst = fmax(worst, fabs(wil_cents(rings, exact)));
        (*count)++;
    }
    sis_system_free(system);
    return worst;
}

// Below a hundredth of the rate within a cent; higher up, where the waves are a few spacings long,
// within a few.
static void low_partials_are_within_a_cent(void) {
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int r = 0; r < 4; r++) {
        uint64_t seed = 1801 + (uint64_t)r;
        double worst = 0, higher = 0, published = 0;
        int low = 0, high = 0, all = 0;
        for (int i = 0; i < 24; i++) {
            sis_plate_def p = any_plate(&seed, i % 3);
            if (exact_partial(&p, 1, 1) < 60) continue; // a grid of many points
            worst = fmax(worst, worst_of(&p, rates[r], 0, 0.01, &low));
            higher = fmax(higher, worst_of(&p, rates[r], 0.01, 0.02, &high));
            p.tuned = false;
            published = fmax(published, worst_of(&p, rates[r], 0, 0.01, &all));
        }
        CHECK(low > 10 && high > 15);
        CHECK(worst < 1);
        CHECK(higher < 5);
        CHECK(published > 5);
        printf(
            "  %g Hz: %d partials below %g Hz, worst %.2f cents (as published %.0f); %d up to %g "
            "Hz, worst %.2f\n",
            rates[r], low, 0.01 * rates[r], worst, published, high, 0.02 * rates[r], higher);
    }
}

static void narrow_plates_are_in_tune(void) {
    static const double size[][3] = {{1.3, 0.07, 2e-3}, {1.35, 0.19, 4e-3}};
    for (int i = 0; i < 2; i++) {
        sis_plate_def p = sis_plate_default();
        int count = 0;
        p.length = size[i][0];
        p.width = size[i][1];
        p.thickness = size[i][2];
        p.material_density = 7850;
        p.youngs = 2e11;
        const double tuned = worst_of(&p, 44100, 0, 1, &count);
        p.tuned = false;
        printf("  %g x %g m: %.2f cents, as published %.0f\n", p.length, p.width, tuned,
               worst_of(&p, 44100, 0, 1, &count));
        CHECK(tuned < 0.5);
    }
}

// ---------------------------------------------------------------------------- ringing

static sis_scene* tapped(const sis_plate_def* p, const double* tap, const double* ear) {
    sis_scene* scene = sis_scene_new();
    const sis_id plate = put(scene, SIS_KIND_PLATE, p);
    sis_force_def f = sis_force_default();
    f.on = plate;
    f.at = tap[0] * p->length;
    f.at_y = tap[1] * p->width;
    f.shape = SIS_FORCE_IMPULSE;
    f.peak = 1e-3;
    put(scene, SIS_KIND_FORCE, &f);
    sis_probe_def heard = sis_probe_default();
    heard.on = plate;
    heard.at = ear[0] * p->length;
    heard.at_y = ear[1] * p->width;
    put(scene, SIS_KIND_PROBE, &heard);
    return scene;
}

static const double here[2] = {0.31, 0.27}, there[2] = {0.42, 0.61};

// The motion of mode (m, l): it obeys the recursion of one mode exactly.
enum { POINTS = 20000 };
static void measure_mode(const sis_plate_def* p, int m, int l, double rate, double* hz,
                         double* decay) {
    enum { FRAMES = 1500 };
    static double motion[FRAMES], u[POINTS], mode[POINTS];
    run r = run_scene(tapped(p, here, there), rate, 1);
    const sis_body_info b = sis_system_body(r.system, 0);
    for (int i = 0; i < b.points && b.points <= POINTS; i++)
        mode[i] = sin(m * PI * (i % (b.segments + 1)) / b.segments) *
                  sin(l * PI * (i / (b.segments + 1)) / b.segments_y);
    for (int n = 0; n < FRAMES && b.points <= POINTS; n++) {
        sis_step(r.system, r.state, &(sis_block){1, NULL, NULL, NULL});
        sis_state_shape(r.system, r.state, 0, u);
        motion[n] = 0;
        for (int i = 0; i < b.points; i++)
            motion[n] += u[i] * mode[i];
    }
    wil_ringing(motion, FRAMES, rate, exact_partial(p, m, l), hz, decay);
    run_free(&r);
}

static void tapped_plates_ring_as_announced(void) {
    uint64_t seed = 77;
    double worst = 0;
    for (int i = 0; i < 6; i++) {
        const sis_plate_def p = any_plate(&seed, i % 3);
        sis_system* system = compiled(&p, 44100, 0);
        double rings = 0, exact = 0, f = 0, s = 0;
        CHECK(system && sis_system_partial(system, 0, 1, &rings, &exact));
        const int32_t points = system ? sis_system_body(system, 0).points : POINTS + 1;
        sis_system_free(system);
        if (points > POINTS) continue;
        measure_mode(&p, 1, 1, 44100, &f, &s);
        CHECK_NEAR(f / rings, 1, 1e-7);
        CHECK_NEAR(s / f, 0, 1e-6);
        worst = fmax(worst, fabs(f / rings - 1));
    }
    printf("  off by at most %.1e\n", worst);
}

static void losses_are_as_asked_for(void) {
    uint64_t seed = 501;
    double worst = 0;
    for (int i = 0; i < 6; i++) {
        sis_plate_def p = any_plate(&seed, i % 2);
        p.sigma0 = between(&seed, 0.5, 5);
        p.sigma1 = between(&seed, 1e-3, 2e-2);
        sis_system* system = compiled(&p, 44100, 0);
        if (!system) continue;
        const sis_body_info b = sis_system_body(system, 0);
        sis_system_free(system);
        if (b.points > POINTS) continue;
        // sigma1 weighs the second line of modes right on lines of 12 intervals and more.
        for (int m = 1; m <= (b.segments < 12 ? 1 : 2); m++)
            for (int l = 1; l <= (b.segments_y < 12 ? 1 : 2); l++) {
                const double x = m * PI / p.length, y = l * PI / p.width;
                const double asked = p.sigma0 + p.sigma1 * (x * x + y * y);
                double f = 0, s = 0;
                measure_mode(&p, m, l, 44100, &f, &s);
                CHECK_NEAR(s / asked, 1, 0.01);
                worst = fmax(worst, fabs(s / asked - 1));
            }
    }
    printf("  decays of modes 1 and 2 off by at most %.2f %%\n", 100 * worst);
}

// ---------------------------------------------------------------------------- the operator

static void energy_closes_at_every_width(void) {
    enum { FRAMES = 200 };
    static double heard[2][FRAMES];
    static sis_energy energy[2][FRAMES];
    uint64_t seed = 4711;
    double worst = 0;
    int tuned = 0;
    for (int i = 0; i < 40; i++) {
        sis_plate_def p = any_plate(&seed, i % 3);
        if (p.youngs > 0 && chance(&seed) < 0.5) p.edge = SIS_ENDS_CLAMPED;
        p.segments_x = 2 + (int32_t)(20 * chance(&seed));
        p.segments_y = 2 + (int32_t)(12 * chance(&seed));
        if (i % 4) p.sigma0 = 2;
        if (i % 2) p.sigma1 = 0.002;
        for (int32_t lanes = 1; lanes <= sis_widest(); lanes *= 2) {
            sis_scene* scene = tapped(&p, here, there);
            sis_options options = sis_options_default(scene);
            options.rate = 44100;
            options.lanes = lanes;
            sis_error error = {.status = SIS_OK};
            sis_system* system = sis_compile(scene, &options, &error);
            sis_scene_free(scene);
            if (!system) break; // no such grid is stable
            tuned += lanes == 1 && sis_system_body(system, 0).tuned;
            sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
            double largest = 0;
            sis_step(system, state,
                     &(sis_block){FRAMES, heard[lanes > 1], energy[lanes > 1], NULL});
            for (int n = 0; n < FRAMES; n++) {
                const sis_energy* e = &energy[lanes > 1][n];
                largest = fmax(largest, e->total);
                if (n > 1) CHECK_NEAR(e->residual / largest, 0, 1e-12);
                if (n > 1) worst = fmax(worst, fabs(e->residual / largest));
                CHECK(e->total >= -1e-12 * largest);
            }
            if (lanes > 1) CHECK(memcmp(energy[0], energy[1], sizeof energy[0]) == 0);
            if (lanes > 1) CHECK(memcmp(heard[0], heard[1], sizeof heard[0]) == 0);
            free(state);
            sis_system_free(system);
        }
    }
    CHECK(tuned > 20);
    printf("  %d tuned plates, residual at most %.1e\n", tuned, worst);
}

static void places_may_be_exchanged(void) {
    uint64_t seed = 12;
    for (int i = 0; i < 6; i++) {
        sis_plate_def p = any_plate(&seed, i % 3);
        if (i > 2 && p.youngs > 0) p.edge = SIS_ENDS_CLAMPED;
        run to = run_scene(tapped(&p, here, there), 44100, 300);
        run fro = run_scene(tapped(&p, there, here), 44100, 300);
        double off = 0, peak = 0;
        for (int n = 0; n < 300; n++) {
            off = fmax(off, fabs(to.rows[n] - fro.rows[n]));
            peak = fmax(peak, fabs(to.rows[n]));
        }
        CHECK(peak > 0);
        CHECK_NEAR(off / peak, 0, 1e-11);
        run_free(&to);
        run_free(&fro);
    }
}

// Grids that only the published scheme can have are tuned less, or not, and never refused.
static void a_grid_at_the_published_limit_runs(void) {
    uint64_t seed = 9;
    for (int i = 0; i < 12; i++) {
        sis_plate_def p = any_plate(&seed, i % 3);
        if (p.youngs > 0 && i % 2) p.edge = SIS_ENDS_CLAMPED;
        p.tuned = false;
        sis_system* system = compiled(&p, 44100, 0);
        if (!system) continue;
        const sis_body_info b = sis_system_body(system, 0);
        CHECK(!b.tuned);
        sis_system_free(system);
        p.tuned = true;
        p.segments_x = b.segments;
        p.segments_y = b.segments_y;
        run r = run_scene(tapped(&p, here, there), 44100, 1500);
        CHECK(sis_system_body(r.system, 0).margin > 0);
        CHECK_NEAR(run_residual(&r), 0, 1e-11);
        for (int n = 0; n < r.frames; n++)
            CHECK(fabs(r.rows[n]) < 1);
        run_free(&r);
    }
}

int main(void) {
    RUN(low_partials_are_within_a_cent);
    RUN(narrow_plates_are_in_tune);
    RUN(tapped_plates_ring_as_announced);
    RUN(losses_are_as_asked_for);
    RUN(energy_closes_at_every_width);
    RUN(places_may_be_exchanged);
    RUN(a_grid_at_the_published_limit_runs);
    return CHECK_REPORT();
}
