// What a touching point costs with each scheme: along a string, where points are solved several at
// a time; on a mass, alone; and in workload A as it comes.
#include "cases.h"
#include "example_strings.h"
#include "sections.h"

enum { KINDS = 3 };
static const sis_scheme kinds[KINDS] = {SIS_SCHEME_LEDGER, SIS_SCHEME_QUADRATISED,
                                        SIS_SCHEME_NEWTON};

static timed_case* string_case(double alpha, int scheme, example_touch touch, int samples) {
    const double rate = 44100;
    sis_scene* scene = example_grid_of(223, rate, touch, alpha);
    return case_of_system(scene_compiled(scene, rate, kinds[scheme], UNAUDITED, true), samples,
                          false);
}

static timed_case* mass_case(double alpha, int scheme, bool flight) {
    sis_scene* scene = flight ? example_flight(example_schemes[0], alpha)
                              : example_pressed(example_schemes[0], alpha);
    return case_of_system(scene_compiled(scene, 44100, kinds[scheme], UNAUDITED, true), 20000,
                          false);
}

static void tell(bench_report* r, const char* what, double alpha, const double ns[KINDS],
                 const char* keep) {
    report_row(r);
    report_text(r, "%s", what);
    report_text(r, "%g", alpha);
    for (int s = 0; s < KINDS; s++)
        report_number(r, ns[s], 1, "");
    report_number(r, ns[0] / ns[1], 2, "x");
    report_number(r, ns[0] / ns[2], 2, "x");
    for (int s = 0; s < KINDS; s++)
        report_keep(r, ns[s], "touching/%s/%g/%s", keep, alpha, sis_scheme_word(kinds[s]));
}

/** How many points are inside, summed over the samples of a case. */
static double inside_of(timed_case* c) {
    double count = 0;
    memcpy(c->state, c->start, sis_state_size(c->system));
    for (int n = 0; n < c->samples; n++) {
        sis_step(c->system, c->state, &(sis_block){.frames = 1});
        count += case_points_inside(c);
    }
    return count;
}

static void rows_of_workload(bench_report* r) {
    static const char* without[] = {"contact", NULL};
    enum { SAMPLES = 11025 };
    timed_case* alone = case_of_system(
        scene_system("A", without, 1, SIS_SCHEME_AS_GIVEN, UNAUDITED, true), SAMPLES, false);
    timed_case* whole[KINDS];
    double ns[KINDS];
    for (int s = 0; s < KINDS; s++)
        whole[s] =
            case_of_system(scene_system("A", NULL, 1, kinds[s], UNAUDITED, true), SAMPLES, false);
    cases_measure(0.3e9);
    for (int s = 0; s < KINDS; s++)
        ns[s] = whole[s]->system
                    ? (whole[s]->best - alone->best) * whole[s]->samples / inside_of(whole[s])
                    : (double)NAN;
    tell(r, "workload A, 0.25 s", 1.4, ns, "A");
    cases_end();
}

// ---------------------------------------------------------------------------- damped, and frets

static timed_case* workload_case(example_workload w, double damping) {
    w.damping = damping;
    sis_scene* scene =
        example_workload_scene(&w, SIS_STRING_FD, EXAMPLE_ITS_BARRIER, example_schemes[0], w.alpha);
    return case_of_system(scene_compiled(scene, w.rate, SIS_SCHEME_AS_GIVEN, UNAUDITED, true),
                          11025, false);
}

static void compare(bench_report* r, const char* what, const timed_case* plain,
                    const timed_case* with, const char* keep) {
    report_row(r);
    report_text(r, "%s", what);
    report_number(r, plain->best, 0, "");
    report_number(r, with->best, 0, "");
    report_number(r, with->best / plain->best, 2, "x");
    report_keep(r, with->best / plain->best, "%s", keep);
}

/** Shares of the samples in which the contact touches. */
static void tell_inside(bench_report* r, const timed_case* plain, const timed_case* with) {
    report_number(r, 100 * case_touching(plain, 0), 0, " %");
    report_number(r, 100 * case_touching(with, 0), 0, " %");
}

/** Frets that the string never reaches, against the string alone. */
static void frets_by(bench_report* r, scene_audit audit, const char* what, const char* keep) {
    static const char* without[] = {"contact", NULL};
    enum { SAMPLES = 12000 };
    timed_case* alone = case_of_system(
        scene_system("frets", without, 1, SIS_SCHEME_AS_GIVEN, audit, true), SAMPLES, false);
    timed_case* over = case_of_system(
        scene_system("frets", NULL, 1, SIS_SCHEME_AS_GIVEN, audit, true), SAMPLES, false);
    cases_measure(0.3e9);
    compare(r, what, alone, over, keep);
    cases_end();
}

static void table_of_additions(bench_report* r) {
    static const int which[] = {0, 2, 3}; // rows of example_workloads: A, B, C
    report_begin(r, "What damping of contacts and frets add: ns per sample",
                 "scene|without|with|ratio|inside|inside with");
    for (int i = 0; i < 3; i++) {
        const example_workload* w = &example_workloads[which[i]];
        timed_case *plain = workload_case(*w, 0), *damped = workload_case(*w, 0.3);
        char what[REPORT_CELL], keep[REPORT_NAME];
        cases_measure(0.3e9);
        snprintf(what, sizeof what, "%s, damping = 0.3 s/m", w->word);
        snprintf(keep, sizeof keep, "damped/%s", w->word);
        compare(r, what, plain, damped, keep);
        tell_inside(r, plain, damped);
        cases_end();
    }
    frets_by(r, UNAUDITED, "20 frets under a string of 154 segments, never reached", "frets");
    frets_by(r, AUDITED, "the same, audited", "frets/audited");
    report_end(r, true,
               "The first quarter of a second (frets: eighth), unaudited. Inside: samples in which "
               "the contact "
               "touches: damping changes\nthe motion, and with it how often.");
}

void section_contacts(const bench_context* b) {
    static const double alphas[] = {1.5, 1.4};
    enum { ALPHAS = 2, INSIDE = 400 };
    bench_report* r = b->report;
    cases_begin(b->quick);
    report_begin(r, "A touching point: ns per sample",
                 "where|alpha|ledger|quadratised|newton|ledger/quadratised|ledger/newton");
    for (int a = 0; a < ALPHAS; a++) {
        timed_case *inside[KINDS], *open[KINDS], *held[KINDS], *flying[KINDS];
        double string[KINDS], mass[KINDS];
        for (int s = 0; s < KINDS; s++) {
            inside[s] = string_case(alphas[a], s, EXAMPLE_TOUCHING, INSIDE);
            open[s] = string_case(alphas[a], s, EXAMPLE_OPEN, INSIDE);
            held[s] = mass_case(alphas[a], s, false);
            flying[s] = mass_case(alphas[a], s, true);
        }
        cases_measure(0.15e9);
        for (int s = 0; s < KINDS; s++) {
            string[s] = (inside[s]->best - open[s]->best) / 222;
            mass[s] = held[s]->best - flying[s]->best;
        }
        tell(r, "string of 222 points, all inside", alphas[a], string, "string");
        tell(r, "mass pressed onto a barrier", alphas[a], mass, "mass");
        cases_end();
    }
    rows_of_workload(r);
    report_end(r, true,
               "What touching adds to the same scene in the open, for each point inside. Newton "
               "starts from the force\nof the last sample.");
    table_of_additions(r);
}
