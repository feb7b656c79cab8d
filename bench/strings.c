// A point of contact for every model of a string and every solver, on workload A.
#include "cases.h"
#include "example_strings.h"
#include "sections.h"

static const struct {
    const char* word;
    sis_string_model model;
} models[] = {{"fd", SIS_STRING_FD},
              {"implicit", SIS_STRING_IMPLICIT},
              {"trapezoid", SIS_STRING_TRAPEZOID},
              {"modal", SIS_STRING_MODAL}};

// exact takes alpha = 1 on strings, so newton stands beside it with the same exponent.
static const struct {
    const char* word;
    int scheme; // row of example_schemes
    double alpha;
} solvers[] = {{"ledger", 0, 1.4}, {"quadratised", 1, 1.4}, {"newton", 3, 1.4},
               {"ledger", 0, 1},   {"newton", 3, 1},        {"exact", 4, 1}};
enum { MODELS = 4, SOLVERS = 6, PRESSED = 16, WORK = 4410 };

static timed_case* string_case(int m, int v, example_under under, int samples) {
    example_workload* A = &example_workloads[0];
    example_scheme scheme = example_schemes[solvers[v].scheme];
    sis_scene* scene = example_workload_scene(A, models[m].model, under, scheme, solvers[v].alpha);
    return case_of_system(scene_compiled(scene, A->rate, SIS_SCHEME_AS_GIVEN, AUDITED, false),
                          samples, false);
}

static void tell(bench_report* r, int m, int v, const timed_case* free_string,
                 const timed_case* pressed, const timed_case* work) {
    report_row(r);
    report_text(r, "%s", models[m].word);
    report_text(r, "%s", solvers[v].word);
    report_text(r, "%g", solvers[v].alpha);
    if (!free_string->system || !pressed->system || !work->system) {
        report_text(r, "refused");
        return;
    }
    int points = sis_system_link(pressed->system, 0).points;
    sis_link_report report = sis_state_link(work->system, work->state, 0);
    double iterated = (double)report.iterated_samples;
    report_number(r, free_string->best, 0, "");
    report_number(r, pressed->best, 0, "");
    report_number(r, (pressed->best - free_string->best) / points, 1,
                  case_points_inside(pressed) == points ? "" : "!");
    report_number(r, work->best, 0, "");
    report_number(r, 1e9 / (work->best * example_workloads[0].rate), 1, "x");
    report_number(r, 100 * case_touching(work, 0), 1, " %");
    report_text(r, "%u", report.points_max);
    report_number(r, iterated > 0 ? (double)report.iterations / iterated : 0, 2, "");
}

void section_strings(const bench_context* b) {
    bench_report* r = b->report;
    int models_done = b->quick ? 2 : MODELS; // dense blocks take long to compile
    cases_begin(b->quick);
    report_begin(r, "Workload A, the first 0.1 s, audited, with every model and solver",
                 "model|solver|alpha|free|touching|per point|A|real time|inside|points|newton");
    for (int m = 0; m < models_done; m++) {
        timed_case *free_string, *pressed[SOLVERS], *work[SOLVERS];
        free_string = string_case(m, 0, EXAMPLE_NOTHING, WORK);
        for (int v = 0; v < SOLVERS; v++) {
            pressed[v] = string_case(m, v, EXAMPLE_PRESSED, PRESSED);
            work[v] = string_case(m, v, EXAMPLE_ITS_BARRIER, WORK);
        }
        cases_measure(0.2e9);
        for (int v = 0; v < SOLVERS; v++)
            tell(r, m, v, free_string, pressed[v], work[v]);
        cases_end();
    }
    report_end(r, false,
               "free, touching (every point), A: ns per sample; per point: (touching - "
               "free)/points, ! where some have\nopened; inside: samples with contact; points: "
               "inside at once, at most; newton: steps per sample that\nneeded any.");
}
