// The machine's own limits, and beside them what the core reaches where both do the same: stencils
// of strings and plates, powers, banded solves, memory.
#include "cases.h"
#include "example_bodies.h"
#include "example_strings.h"
#include "kernels.h"
#include "sections.h"
#include "stencil.h"
#include "stencil_cases.h"

// ---------------------------------------------------------------------------- strings

static void run_scalar(timed_case* c) {
    stencil_scalar(c->u, c->u + c->points + 2 * STENCIL_PAD, c->points, c->now);
}

static void run_wide(timed_case* c) {
    stencil_wide(c->u, c->u + c->points + 2 * STENCIL_PAD, c->points, c->now);
}

static void run_interleaved(timed_case* c) {
    size_t level = ((size_t)c->points + 2 * STENCIL_PAD) * STENCIL_SIDE;
    double* u = on_line(c->u);
    stencil_side_wide(u, u + level, c->points, c->now);
}

/** STENCIL_SIDE strings, point by point. */
static timed_case* limit_of_strings(int points, int samples) {
    size_t level = ((size_t)points + 2 * STENCIL_PAD) * STENCIL_SIDE;
    timed_case* c = case_of_loop(can_run_wide() ? run_interleaved : NULL, points, 2 * level + LINE,
                                 samples / STENCIL_SIDE / 2 * 2);
    double* u = on_line(c->u);
    for (int i = 0; i < points * STENCIL_SIDE; i++) // plucked, each in another place
        u[STENCIL_PAD * STENCIL_SIDE + i] = 1e-3 * (i % 7);
    memcpy(u + level, u, level * sizeof *u);
    return c;
}

timed_case* limit_of_string(int points, int samples, bool wide) {
    void (*bare)(timed_case*) = !wide ? run_scalar : can_run_wide() ? run_wide : NULL;
    timed_case* c = case_of_loop(bare, points, 2 * ((size_t)points + 2 * STENCIL_PAD), samples);
    for (int i = 0; i < points; i++) { // plucked, at rest
        double shape = i < points / 3 ? 1e-3 * i : 5e-4 * (points - i);
        c->u[STENCIL_PAD + i] = c->u[points + 3 * STENCIL_PAD + i] = shape;
    }
    return c;
}

static timed_case* core_string(int segments, int samples, example_touch touch, scene_audit audit) {
    const double rate = 44100;
    sis_scene* scene = example_grid(segments, rate, touch);
    return case_of_system(scene_compiled(scene, rate, SIS_SCHEME_AS_GIVEN, audit, true), samples,
                          false);
}

static void table_of_strings(const bench_context* b) {
    static const int segments[] = {100, 223, 400, 800, 1600, 3200};
    enum { GRIDS = sizeof segments / sizeof segments[0], COLUMNS = 6 };
    bench_report* r = b->report;
    timed_case* table[GRIDS][COLUMNS];
    for (int g = 0; g < GRIDS; g++) {
        int points = segments[g] - 1, samples = 1000000 / points / 2 * 2;
        table[g][0] = limit_of_string(points, samples, false);
        table[g][1] = limit_of_string(points, samples, true);
        table[g][2] = core_string(segments[g], samples, EXAMPLE_FREE, UNAUDITED);
        table[g][3] = core_string(segments[g], samples, EXAMPLE_LOSSY, UNAUDITED);
        table[g][4] = core_string(segments[g], samples, EXAMPLE_LOSSY, AUDITED);
        table[g][5] = limit_of_strings(points, samples);
    }
    cases_measure(0.1e9);
    report_begin(
        r, "Explicit string: ns per point and sample",
        "segments|scalar loop|wide loop|interleaved|free|of the limit|lossy|lossy, audited");
    for (int g = 0; g < GRIDS; g++) {
        double ns[COLUMNS], share = table[g][1]->best / table[g][2]->best;
        for (int i = 0; i < COLUMNS; i++)
            ns[i] = table[g][i]->best / (segments[g] - 1);
        ns[5] /= STENCIL_SIDE;
        report_row(r);
        report_text(r, "%d", segments[g]);
        report_number(r, ns[0], 3, "");
        report_number(r, ns[1], 3, "");
        report_number(r, ns[5], 3, "");
        report_number(r, ns[2], 3, "");
        report_number(r, 100 * share, 0, " %");
        report_number(r, ns[3], 3, "");
        report_number(r, ns[4], 3, "");
        report_keep(r, share, "limit/string/%d", segments[g]);
        report_keep(r, ns[1] / ns[5], "limit/interleaved/%d", segments[g]);
    }
    report_end(
        r, true,
        "Loops: the bare two-level stencil of 5 points (bench/stencil.c), plain C compiled "
        "without and\nwith vectors (AVX2 and FMA on x86-64); interleaved: four strings point "
        "by point, ns for each of them;\nfree, lossy: the core, unaudited but for the last "
        "column.");
    cases_end();
}

// ---------------------------------------------------------------------------- plates

static void run_plate(timed_case* c, stencil_plate* bare) {
    double* u = on_line(c->u);
    bare(u, u + (c->numbers - LINE) / 2, c->columns, c->points / c->columns, c->now);
}

static void run_plate_scalar(timed_case* c) {
    run_plate(c, stencil_plate_scalar);
}

static void run_plate_wide(timed_case* c) {
    run_plate(c, stencil_plate_wide);
}

timed_case* limit_of_plate(int columns, int rows, int samples, bool wide) {
    void (*bare)(timed_case*) = !wide ? run_plate_scalar : can_run_wide() ? run_plate_wide : NULL;
    size_t row = (size_t)stencil_pitch(columns), level = row * ((size_t)rows + 2 * STENCIL_PAD);
    timed_case* c = case_of_loop(bare, columns * rows, 2 * level + LINE, samples);
    c->columns = columns;
    size_t middle = row * ((size_t)rows / 2 + STENCIL_PAD) + (size_t)columns / 2 + STENCIL_LEFT;
    double* u = on_line(c->u);
    u[middle] = u[level + middle] = 1e-3; // a pinch, at rest
    return c;
}

static timed_case* core_plate(const int grid[2], example_plate_kind kind, int samples,
                              scene_audit audit) {
    sis_scene* scene = example_plate_grid(grid[0], grid[1], kind);
    return case_of_system(scene_compiled(scene, 44100, SIS_SCHEME_AS_GIVEN, audit, true), samples,
                          false);
}

static void table_of_plates(const bench_context* b) {
    static const int grids[][2] = {{134, 17}, {20, 20}, {40, 40}, {80, 80}, {160, 160}};
    enum { GRIDS = sizeof grids / sizeof grids[0], COLUMNS = 6 };
    bench_report* r = b->report;
    timed_case* table[GRIDS][COLUMNS];
    for (int g = 0; g < GRIDS; g++) {
        int columns = grids[g][0] - 1, rows = grids[g][1] - 1;
        int samples = 4000000 / (columns * rows) / 2 * 2;
        table[g][0] = limit_of_plate(columns, rows, samples, false);
        table[g][1] = limit_of_plate(columns, rows, samples, true);
        table[g][2] = core_plate(grids[g], EXAMPLE_STIFF, samples, UNAUDITED);
        table[g][3] = core_plate(grids[g], EXAMPLE_STIFF_LOSSY, samples, UNAUDITED);
        table[g][4] = core_plate(grids[g], EXAMPLE_STIFF_LOSSY, samples, AUDITED);
        table[g][5] = core_plate(grids[g], EXAMPLE_MEMBRANE, samples, UNAUDITED);
    }
    cases_measure(0.15e9);
    report_begin(
        r, "Explicit plate: ns per point and sample",
        "segments|scalar loop|wide loop|free|of the limit|lossy|lossy, of the limit|lossy, "
        "audited|membrane");
    for (int g = 0; g < GRIDS; g++) {
        int points = (grids[g][0] - 1) * (grids[g][1] - 1);
        double wide = table[g][1]->best, ns[COLUMNS];
        for (int i = 0; i < COLUMNS; i++)
            ns[i] = table[g][i]->best / points;
        report_row(r);
        report_text(r, "%d x %d", grids[g][0], grids[g][1]);
        report_number(r, ns[0], 3, "");
        report_number(r, ns[1], 3, "");
        report_number(r, ns[2], 3, "");
        report_number(r, 100 * wide / table[g][2]->best, 0, " %");
        report_number(r, ns[3], 3, "");
        report_number(r, 100 * wide / table[g][3]->best, 0, " %");
        report_number(r, ns[4], 3, "");
        report_number(r, ns[5], 3, "");
        report_keep(r, wide / table[g][2]->best, "limit/plate/%dx%d", grids[g][0], grids[g][1]);
    }
    report_end(r, true,
               "Loops: the bare two-level stencil of 13 points, four rows at a time; membrane: "
               "tension only,\nlossy; the core unaudited but for that column.");
    cases_end();
}

// ---------------------------------------------------------------------------- powers

enum { POWERS = 1024, POWER_TURNS = 50 };

static void run_powers(timed_case* c) {
    kernel_power* const* kernel = c->data;
    for (int n = 0; n < POWER_TURNS; n++)
        (*kernel)(c->u, 1.4, c->u + POWERS, POWERS);
}

static void table_of_powers(const bench_context* b) {
    static const struct {
        const char* word;
        kernel_power* kernel;
        bool wide;
    } rows[] = {{"sis_pow, whole range", kernel_sis_pow, false},
                {"contact law, 1 lane", kernel_power_1, false},
                {"contact law, 4 lanes", kernel_power_4, true},
                {"libm pow", kernel_libm_pow, false},
                {"x sqrt(x)", kernel_three_halves, false},
                {"x sqrt(x), 4 lanes", kernel_three_halves_4, true}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    bench_report* r = b->report;
    timed_case* c[ROWS];
    for (int i = 0; i < ROWS; i++) {
        c[i] = case_of_loop(!rows[i].wide || can_run_wide() ? run_powers : NULL, POWERS, 2 * POWERS,
                            POWERS);
        c[i]->samples = POWERS * POWER_TURNS;
        c[i]->data = &rows[i].kernel;
        for (int j = 0; j < POWERS; j++)
            c[i]->u[j] = 1e-9 * pow(1.01, j); // depths from 1 nm to 27 um
    }
    cases_measure(0.02e9);
    report_begin(r, "Powers: ns each", "x^1.4|ns|of libm");
    for (int i = 0; i < ROWS; i++) {
        report_row(r);
        report_text(r, "%s", rows[i].word);
        report_number(r, c[i]->best, 2, "");
        report_number(r, c[i]->best / c[3]->best, 2, "x");
        report_keep(r, c[i]->best, "limit/power/%d", i);
    }
    report_end(r, true, NULL);
    cases_end();
}

// ---------------------------------------------------------------------------- banded solves

enum { BAND = 224 };
static double band_up1[BAND], band_up2[BAND], band_inverse[BAND];
static const kernel_band bands[] = {{BAND, 1, band_up1, band_up2, band_inverse},
                                    {BAND, 2, band_up1, band_up2, band_inverse}};

static void make_band(void) {
    for (int i = 0; i < BAND; i++) {
        band_up1[i] = -0.2;
        band_up2[i] = 0.05;
        band_inverse[i] = 0.8;
    }
}

/** A new right-hand side: solved over and over the same numbers would fade away. */
static void begin_again(timed_case* c) {
    memcpy(c->u, c->first, c->numbers * sizeof *c->u);
}

static void run_naive(timed_case* c) {
    for (int n = 0; n < c->now; n++) {
        begin_again(c);
        kernel_band_naive(c->data, c->u);
    }
}

static void run_halves(timed_case* c) {
    for (int n = 0; n < c->now; n++) {
        begin_again(c);
        kernel_band_halves(c->data, c->u);
    }
}

static void run_four(timed_case* c) {
    for (int n = 0; n < c->now; n++) {
        begin_again(c);
        kernel_band_four(c->data, c->u);
    }
}

static timed_case* band_case(void (*run)(timed_case*), const kernel_band* band, int systems) {
    timed_case* c = case_of_loop(run, BAND * systems, (size_t)BAND * (size_t)systems, 2000);
    c->data = band;
    for (size_t i = 0; i < c->numbers; i++)
        c->u[i] = 1;
    case_rewinds(c);
    return c;
}

/** The whole free step of a string whose model solves such a system. */
static timed_case* core_banded(sis_string_model model) {
    example_workload* A = &example_workloads[0];
    sis_scene* scene =
        example_workload_scene(A, model, EXAMPLE_NOTHING, example_schemes[0], A->alpha);
    timed_case* c = case_of_system(
        scene_compiled(scene, A->rate, SIS_SCHEME_AS_GIVEN, UNAUDITED, true), 2000, false);
    if (c->system) c->points = sis_system_body(c->system, 0).points - 2;
    return c;
}

static void table_of_bands(const bench_context* b) {
    static const char* words[] = {"tridiagonal", "pentadiagonal"};
    static const sis_string_model models[] = {SIS_STRING_IMPLICIT, SIS_STRING_TRAPEZOID};
    enum { COLUMNS = 4 };
    bench_report* r = b->report;
    timed_case* c[2][COLUMNS];
    make_band();
    for (int i = 0; i < 2; i++) {
        c[i][0] = band_case(run_naive, &bands[i], 1);
        c[i][1] = band_case(run_halves, &bands[i], 1);
        c[i][2] = band_case(can_run_wide() ? run_four : NULL, &bands[i], 4);
        c[i][3] = core_banded(models[i]);
    }
    cases_measure(0.05e9);
    report_begin(r, "Banded solves of 224 rows: ns per point",
                 "matrix|naive LDL^T|two halves at once|four side by side|core: a whole step");
    for (int i = 0; i < 2; i++) {
        report_row(r);
        report_text(r, "%s", words[i]);
        for (int j = 0; j < COLUMNS; j++)
            report_number(r, c[i][j]->best / c[i][j]->points, 2, "");
        report_keep(r, c[i][3]->best / c[i][3]->points, "limit/band/%s", words[i]);
    }
    report_end(r, true,
               "Factored beforehand; two halves, four: what a solve from both ends and four "
               "strings side by side can\nbe at best; core: the free step of the implicit "
               "(tridiagonal) and trapezoid (pentadiagonal) string of\nworkload A, right-hand side "
               "and all.");
    cases_end();
}

// ---------------------------------------------------------------------------- memory

static void run_triad(timed_case* c) {
    size_t count = (size_t)c->points;
    kernel_triad(c->u, c->u + count, c->u + 2 * count, 0.5, count, c->now);
}

static void table_of_memory(const bench_context* b) {
    // All three arrays together.
    static const struct {
        const char* word;
        int kilobytes;
    } rows[] = {{"24 kB (L1)", 24}, {"240 kB (L2)", 240}, {"96 MB (memory)", 96 * 1024}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    bench_report* r = b->report;
    timed_case* c[ROWS];
    for (int i = 0; i < ROWS; i++) {
        int kilobytes = b->quick && i == 2 ? 1024 : rows[i].kilobytes;
        int count = kilobytes * 1024 / 24, turns = 40000000 / count / 2 * 2;
        c[i] = case_of_loop(run_triad, count, 3 * (size_t)count, turns < 40 ? 40 : turns);
        if (c[i]->samples < 2 || i == 2) c[i]->samples = 2;
    }
    cases_measure(0.1e9);
    report_begin(r, "Memory: a = b + s c", "arrays together|GB/s");
    for (int i = 0; i < ROWS; i++) {
        report_row(r);
        report_text(r, "%s", rows[i].word);
        report_number(r, 24. * c[i]->points / c[i]->best, 1, "");
        report_keep(r, 24. * c[i]->points / c[i]->best, "limit/memory/%d", i);
    }
    report_end(r, true, "Two numbers read and one written for each; bytes that the program moves.");
    cases_end();
}

void section_limits(const bench_context* b) {
    cases_begin(b->quick);
    table_of_strings(b);
    table_of_plates(b);
    table_of_powers(b);
    table_of_bands(b);
    table_of_memory(b);
}
