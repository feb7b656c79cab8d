// How time grows: with the points of a string, with the number of independent contacts, and with
// the size of blocks whose contacts are solved together.
#include "cases.h"
#include "example_strings.h"
#include "sections.h"

enum { COUNTS_MAX = 16 };

// ---------------------------------------------------------------------------- points

static void table_of_points(const bench_context* b) {
    static const double segments[] = {100, 200, 400, 800, 1600, 3200};
    static const struct {
        const char* word;
        example_touch touch;
    } kinds[] = {{"free", EXAMPLE_FREE}, {"open", EXAMPLE_OPEN}, {"touching", EXAMPLE_TOUCHING}};
    enum { GRIDS = sizeof segments / sizeof segments[0], KINDS = 3, INSIDE = 400 };
    const double rate = 44100;
    bench_report* r = b->report;
    timed_case* table[GRIDS][KINDS];
    for (int g = 0; g < GRIDS; g++)
        for (int i = 0; i < KINDS; i++) {
            bool inside = kinds[i].touch == EXAMPLE_TOUCHING;
            sis_scene* scene = example_grid((int)segments[g], rate, kinds[i].touch);
            table[g][i] =
                case_of_system(scene_compiled(scene, rate, SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                               inside ? INSIDE : (int)(1000000 / segments[g]), false);
        }
    cases_measure(0.1e9);
    report_begin(r, "Time against points of an explicit string: ns per sample",
                 "segments|free|open barrier|all touching");
    for (int g = 0; g < GRIDS; g++) {
        report_row(r);
        report_text(r, "%g", segments[g]);
        for (int i = 0; i < KINDS; i++)
            report_number(r, table[g][i]->best, 0, "");
    }
    report_row(r);
    report_text(r, "exponent");
    for (int i = 0; i < KINDS; i++) {
        double ns[GRIDS];
        for (int g = 0; g < GRIDS; g++)
            ns[g] = table[g][i]->best;
        double exponent = fitted_exponent(segments, ns, GRIDS);
        report_number(r, exponent, 2, "");
        report_keep(r, exponent, "exponent/points/%s", kinds[i].word);
    }
    report_end(r, true, "Exponent: of time against segments, least squares in logarithms.");
    cases_end();
}

// ---------------------------------------------------------------------------- banded strings

/** An implicit or trapezoid string of 1 m whose first half is pressed 1 mm deep into a soft barrier
 * (about 10 Hz), with tension and stiffness such that the grid is as stable with any number of
 * segments. */
static sis_scene* half_pressed(sis_string_model model, int segments) {
    const double fine = 100. / segments;
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_string_def def = sis_string_default();
    def.length = 1;
    def.tension = 200 * fine * fine;
    def.density = 5e-3;
    def.radius = 3e-4;
    def.youngs = 2e11 * pow(fine, 4);
    def.model = model;
    def.segments = segments;
    sis_id string = example_added(sis_scene_add_string(scene, &def, &error), &error);
    sis_barrier_def barrier = sis_barrier_default();
    barrier.height = 0;
    barrier.from = 0;
    barrier.to = 0.5;
    sis_id below = example_added(sis_scene_add_barrier(scene, &barrier, &error), &error);
    example_contact(scene, string, below, example_schemes[0], 450, 1.4, SIS_LAW_ONE_SIDED, -1e-3,
                    0);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.shape = SIS_PLUCK_TRIANGLE;
    pluck.at = 0.3;
    pluck.height = 1e-4;
    example_added(sis_scene_add_pluck(scene, &pluck, &error), &error);
    return scene;
}

static void table_of_banded(const bench_context* b) {
    static const double segments[] = {50, 100, 200, 400, 800, 1500};
    static const struct {
        const char* word;
        sis_string_model model;
    } kinds[] = {{"implicit", SIS_STRING_IMPLICIT}, {"trapezoid", SIS_STRING_TRAPEZOID}};
    enum { GRIDS = sizeof segments / sizeof segments[0], KINDS = 2, INSIDE = 400 };
    bench_report* r = b->report;
    timed_case* table[GRIDS][KINDS];
    const int sizes = b->quick ? 4 : GRIDS;
    for (int g = 0; g < sizes; g++)
        for (int i = 0; i < KINDS; i++)
            table[g][i] =
                case_of_system(scene_compiled(half_pressed(kinds[i].model, (int)segments[g]), 44100,
                                              SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                               INSIDE, false);
    cases_measure(0.1e9);
    report_begin(r, "Time against points of a string half of which touches: ns per sample",
                 "segments|touching|implicit|a point|trapezoid|a point");
    for (int g = 0; g < sizes; g++) {
        report_row(r);
        report_text(r, "%g", segments[g]);
        report_number(r, case_points_inside(table[g][0]), 0, "");
        for (int i = 0; i < KINDS; i++) {
            report_number(r, table[g][i]->best, 0, "");
            report_number(r, table[g][i]->best / case_points_inside(table[g][i]), 0, "");
        }
    }
    report_row(r);
    report_text(r, "exponent");
    report_text(r, "%s", "");
    for (int i = 0; i < KINDS; i++) {
        double ns[GRIDS];
        for (int g = 0; g < sizes; g++)
            ns[g] = table[g][i]->best;
        double exponent = fitted_exponent(segments, ns, sizes);
        report_number(r, exponent, 2, "");
        report_text(r, "%s", "");
        report_keep(r, exponent, "exponent/banded/%s", kinds[i].word);
    }
    report_end(r, true,
               "Ledger, tuned strings. A point: of those that touch. Exponent: of time against "
               "segments.");
    cases_end();
}

// ---------------------------------------------------------------------------- contacts

/** `count` masses, each pressed onto a barrier of its own. */
static sis_scene* many_pressed(int count) {
    const double mass_kg = 0.01, g = 9.81, depth = 1e-3, alpha = 1.4;
    sis_scene* scene = example_scene_new();
    double K = example_K(mass_kg * g, depth, alpha);
    for (int i = 0; i < count; i++) {
        sis_id mass = example_mass(scene, mass_kg, 0, 0, -depth, 1e-3 * i / count);
        example_contact(scene, mass, example_barrier(scene, 0), example_schemes[0], K, alpha,
                        SIS_LAW_ONE_SIDED, 0, 0);
    }
    example_gravity(scene, g);
    return scene;
}

static void table_of_contacts(const bench_context* b) {
    static const double counts[] = {1, 3, 10, 30, 100, 300, 1000};
    enum { COUNTS = sizeof counts / sizeof counts[0], FROM = 2 };
    bench_report* r = b->report;
    timed_case* c[COUNTS];
    double ns[COUNTS];
    for (int i = 0; i < COUNTS; i++)
        c[i] = case_of_system(scene_compiled(many_pressed((int)counts[i]), 44100,
                                             SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                              (int)(200000 / counts[i]), false);
    cases_measure(0.1e9);
    report_begin(r, "Time against independent contacts: masses pressed onto barriers",
                 "contacts|ns/sample|ns/contact");
    for (int i = 0; i < COUNTS; i++) {
        ns[i] = c[i]->best;
        report_row(r);
        report_text(r, "%g", counts[i]);
        report_number(r, ns[i], 0, "");
        report_number(r, ns[i] / counts[i], 1, "");
    }
    double exponent = fitted_exponent(counts + FROM, ns + FROM, COUNTS - FROM);
    report_row(r);
    report_text(r, "exponent");
    report_number(r, exponent, 2, "");
    report_keep(r, exponent, "exponent/contacts");
    report_keep(r, fitted_exponent(counts, ns, COUNTS), "exponent/contacts-from-1");
    report_end(r, true, "Exponent: from 10 contacts on, above what a step costs without any.");
    cases_end();
}

// ---------------------------------------------------------------------------- dense blocks

/** A string pressed onto `count` points of a barrier, evenly spread. */
static sis_scene* pressed_points(sis_string_model model, int count) {
    double at[128];
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_string_def def = sis_string_default();
    def.length = 1;
    def.tension = 100;
    def.density = 5e-3;
    def.radius = 3e-4;
    def.youngs = 2e11;
    def.model = model;
    if (model == SIS_STRING_MODAL)
        def.modes = 100;
    else
        def.segments = 150;
    sis_id string = example_added(sis_scene_add_string(scene, &def, &error), &error);
    for (int i = 0; i < count; i++)
        at[i] = (i + 1.) / (count + 1);
    sis_barrier_def barrier = sis_barrier_default();
    barrier.height = 0;
    barrier.at = (sis_list){at, count};
    sis_id below = example_added(sis_scene_add_barrier(scene, &barrier, &error), &error);
    // So deep in, and so soft, that all of them stay inside.
    example_contact(scene, string, below, example_schemes[0], 1e3, 1.4, SIS_LAW_ONE_SIDED, -1e-2,
                    0);
    return scene;
}

static sis_scene* dense_scene(int kind, int count) {
    if (kind == 0) return example_squeezed(example_schemes[0], count, 1.4);
    return pressed_points(kind == 1 ? SIS_STRING_IMPLICIT : SIS_STRING_MODAL, count);
}

/** t = once + linear n + cubic n^3 through three points; where the cubic part is as large as the
 * linear one. */
static double cubic_begins(const double n[3], const double t[3]) {
    double a = (t[1] - t[0]) / (n[1] - n[0]), c = (t[2] - t[1]) / (n[2] - n[1]);
    // Slopes of n^3 between the points.
    double p = n[0] * n[0] + n[0] * n[1] + n[1] * n[1], q = n[1] * n[1] + n[1] * n[2] + n[2] * n[2];
    double cubic = (c - a) / (q - p), linear = a - cubic * p;
    return cubic > 0 && linear > 0 ? sqrt(linear / cubic) : cubic > 0 ? 1 : (double)NAN;
}

static void table_of_blocks(const bench_context* b) {
    static const char* words[] = {"chain of balls", "implicit string", "modal string"};
    static const double counts[] = {2, 4, 8, 16, 32, 64, 100};
    enum { KINDS = 3, COUNTS = sizeof counts / sizeof counts[0] };
    bench_report* r = b->report;
    timed_case* c[COUNTS][KINDS];
    int sizes = b->quick ? 5 : COUNTS;
    for (int i = 0; i < sizes; i++)
        for (int k = 0; k < KINDS; k++)
            c[i][k] = case_of_system(scene_compiled(dense_scene(k, (int)counts[i]), 44100,
                                                    SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                                     counts[i] > 20 ? 20 : 200, false);
    cases_measure(0.05e9);
    report_begin(r, "Contacts solved together: ns per sample and exponent from the row above",
                 "contacts|chain of balls||implicit string||modal string|");
    for (int i = 0; i < sizes; i++) {
        report_row(r);
        report_text(r, "%g", counts[i]);
        for (int k = 0; k < KINDS; k++) {
            double ns = c[i][k]->best, last = i ? c[i - 1][k]->best : (double)NAN;
            report_number(r, ns, 0, "");
            report_number(r, i ? log(ns / last) / log(counts[i] / counts[i - 1]) : (double)NAN, 2,
                          "");
        }
    }
    if (!b->quick) {
        report_row(r);
        report_text(r, "cubic from");
        for (int k = 0; k < KINDS; k++) {
            double n[3] = {16, 64, 100};
            double t[3] = {c[3][k]->best, c[5][k]->best, c[6][k]->best};
            double begins = cubic_begins(n, t);
            report_number(r, begins, 0, "");
            report_text(r, "%s", "");
            report_keep(r, begins, "cubic/%s", words[k]);
        }
    }
    report_end(
        r, true,
        "Ledger, all touching. Cubic from: where the n^3 part of once + linear n + cubic "
        "n^3, fitted to the\nrows of 16, 64 and 100, is as large as the linear part; a dash: "
        "there is none.");
    cases_end();
}

// ---------------------------------------------------------------------------- large blocks

enum { HELD_CHAIN, HELD_APART, HELD_SHARED, HELD_STRING, HELD_PLATE, HELD_KINDS };
static const char* const held_words[HELD_KINDS] = {"chain of balls", "membrane, points apart",
                                                   "membrane, points that share its grid",
                                                   "modal string", "modal membrane"};

static sis_id held_body(sis_scene* scene, int kind) {
    sis_error error = {0};
    if (kind == HELD_STRING) {
        sis_string_def def = sis_string_default();
        def.length = 1;
        def.tension = 100;
        def.density = 5e-3;
        def.radius = 3e-4;
        def.youngs = 2e11;
        def.model = SIS_STRING_MODAL;
        def.modes = 100;
        return example_added(sis_scene_add_string(scene, &def, &error), &error);
    }
    sis_plate_def def = sis_plate_default();
    def.length = def.width = 0.5;
    def.thickness = 2e-4;
    def.material_density = 1500;
    def.tension = 1000;
    def.sigma0 = 2;
    def.model = kind == HELD_PLATE ? SIS_PLATE_MODAL : SIS_PLATE_FD;
    if (kind == HELD_PLATE)
        def.modes = 400;
    else
        def.segments_x = def.segments_y = 100;
    return example_added(sis_scene_add_plate(scene, &def, &error), &error);
}

/** Point i of a grid over the body: three intervals apart on a membrane of 100 x 100. */
static void held_place(int kind, int i, int count, double* at) {
    const int side = 32;
    at[0] = kind == HELD_STRING ? (i + 1.) / (count + 1) : 0.5 * (2.4 + 3 * (i % side)) / 100;
    at[1] = 0.5 * (2.4 + 3 * (i / side % side)) / 100;
}

/** `count` points that hold a body from below and from above, by turns, pressed in so deep that all
 * of them touch all the time. */
static sis_scene* held_scene(int kind, int count) {
    if (kind == HELD_CHAIN) return example_squeezed(example_schemes[0], count, 1.4);
    const double depth = 1e-3, alpha = 1.4, slope = kind == HELD_STRING ? 1e4 : 1e3;
    double at[2 * 1024];
    sis_error error = {0};
    sis_scene* scene = example_scene_new();
    sis_id body = held_body(scene, kind), barrier = example_barrier(scene, 0);
    for (int side = 0; side < 2; side++) {
        int numbers = 0, each = kind == HELD_STRING ? 1 : 2;
        for (int i = side; i < count; i += 2, numbers += each)
            held_place(kind, i, count, at + numbers);
        sis_contact_def def = sis_contact_default();
        def.above = side ? barrier : body;
        def.below = side ? body : barrier;
        *(side ? &def.at_below : &def.at_above) = (sis_list){at, numbers};
        def.K = example_K(slope * depth / alpha, depth, alpha);
        def.alpha = alpha;
        def.gap = -depth;
        def.interpolation = kind == HELD_APART ? 1 : 3;
        example_added(sis_scene_add_contact(scene, &def, &error), &error);
    }
    sis_force_def kick = sis_force_default();
    kick.on = body;
    kick.at = 0.21;
    if (kind != HELD_STRING) kick.at_y = 0.17;
    kick.peak = 0.5;
    kick.width = 1e-3;
    example_added(sis_scene_add_force(scene, &kick, &error), &error);
    sis_probe_def probe = sis_probe_default();
    probe.on = body;
    probe.at = 0.37;
    if (kind != HELD_STRING) probe.at_y = 0.22;
    example_added(sis_scene_add_probe(scene, &probe, &error), &error);
    return scene;
}

enum { HELD_FRAMES = 60 };

/** The displacement seen by its probe, and the largest residual relative to the energy. */
static double held_run(int kind, int count, sis_scheme scheme, double* seen) {
    static sis_energy energy[HELD_FRAMES];
    sis_system* system = scene_compiled(held_scene(kind, count), 44100, scheme, AUDITED, true);
    sis_state* state = example_state(system);
    double most = 0;
    sis_step(system, state, &(sis_block){HELD_FRAMES, seen, energy, NULL});
    for (int n = 1; n < HELD_FRAMES; n++)
        most = fmax(most, fabs(energy[n].residual) / energy[n].total);
    free(state);
    sis_system_free(system);
    return most;
}

static double held_distance(const double* a, const double* b) {
    double most = 0, size = 0;
    for (int n = 0; n < HELD_FRAMES; n++) {
        most = fmax(most, fabs(a[n] - b[n]));
        size = fmax(size, fabs(b[n]));
    }
    return most / size;
}

static void held_row(bench_report* r, int kind, int count, double ns) {
    double ledger[HELD_FRAMES * 2], newton[HELD_FRAMES * 2];
    report_row(r);
    report_text(r, "%s", held_words[kind]);
    report_text(r, "%d", count);
    report_number(r, ns, 0, "");
    if (kind == HELD_CHAIN) { // it has no probe
        report_text(r, "%s", "");
        report_text(r, "%s", "");
        return;
    }
    double residual = held_run(kind, count, SIS_SCHEME_LEDGER, ledger);
    held_run(kind, count, SIS_SCHEME_NEWTON, newton);
    report_text(r, "%.1e", residual);
    report_text(r, "%.1e", held_distance(ledger, newton));
}

static void table_of_large_blocks(const bench_context* b) {
    static const int counts[] = {100, 200, 400, 1000};
    enum { COUNTS = sizeof counts / sizeof counts[0] };
    bench_report* r = b->report;
    timed_case *c[HELD_KINDS][COUNTS], *alone[HELD_KINDS];
    const int sizes = b->quick ? 1 : COUNTS;
    for (int k = 0; k < HELD_KINDS; k++) {
        alone[k] = NULL;
        if (k == HELD_APART || k == HELD_SHARED)
            alone[k] = case_of_system(
                scene_compiled(held_scene(k, 2), 44100, SIS_SCHEME_AS_GIVEN, UNAUDITED, true), 20,
                false);
        for (int i = 0; i < sizes; i++)
            c[k][i] = case_of_system(scene_compiled(held_scene(k, counts[i]), 44100,
                                                    SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                                     20, false);
    }
    cases_measure(0.05e9);
    report_begin(r, "Large blocks: ns per sample with all points touching",
                 "body|contacts|ns|residual|distance to newton");
    for (int k = 0; k < HELD_KINDS; k++) {
        double n[COUNTS], ns[COUNTS];
        for (int i = 0; i < sizes; i++) {
            n[i] = counts[i];
            ns[i] = c[k][i]->best - (alone[k] ? alone[k]->best : 0);
            held_row(r, k, counts[i], c[k][i]->best);
        }
        if (b->quick) continue;
        double exponent = fitted_exponent(n, ns, sizes);
        report_row(r);
        report_text(r, "%s", "");
        report_text(r, "exponent");
        report_number(r, exponent, 2, "");
        report_text(r, "%s", "");
        report_text(r, "%s", "");
        report_keep(r, exponent, "exponent/blocks/%s", held_words[k]);
    }
    report_end(
        r, true,
        "Ledger. Residual: of the energy, largest of 60 samples. Distance: of a displacement "
        "to that of scheme\nnewton, of its largest. Exponent: against contacts, without what "
        "a membrane of 100 x 100 takes by itself.");
    cases_end();
}

void section_scaling(const bench_context* b) {
    cases_begin(b->quick);
    table_of_points(b);
    table_of_banded(b);
    table_of_contacts(b);
    table_of_blocks(b);
    table_of_large_blocks(b);
}
