// One mass in flight and in contact for every scheme, Newton's cradle and a chain of 100 balls,
// against a bare loop of u+ = c u - u- over as many masses.
#include "cases.h"
#include "examples.h"
#include "sections.h"

#define RATE 44100.0
enum { CHAIN = 100, ALPHAS = 2 };
static const double alphas[ALPHAS] = {1.5, 1.3};

static void run_bare(timed_case* c) {
    const double k = 2 - 1e-4;
    int masses = c->points;
    double* restrict u = c->u, * restrict before = c->u + masses;
    for (int n = 0; n + 1 < c->now; n += 2) { // two at a time, so that no copy is needed
        for (int i = 0; i < masses; i++)
            before[i] = k * u[i] - before[i];
        for (int i = 0; i < masses; i++)
            u[i] = k * before[i] - u[i];
    }
}

static timed_case* bare_case(int masses, int samples) {
    timed_case* c = case_of_loop(run_bare, masses, 2 * (size_t)masses, samples);
    for (int i = 0; i < 2 * masses; i++)
        c->u[i] = 1;
    return c;
}

static timed_case* scene_case(sis_scene* scene, int samples, bool outputs) {
    return case_of_system(scene_compiled(scene, RATE, SIS_SCHEME_AS_GIVEN, AUDITED, false), samples,
                          outputs);
}

/** Share of contact samples, Newton steps per sample that needed any, powers in a sample. */
static void tell_work(bench_report* r, const timed_case* c) {
    double inside = 0, iterations = 0, iterated = 0;
    unsigned powers = 0;
    int32_t links = c->system ? sis_system_link_count(c->system) : 0;
    for (int32_t l = 0; l < links; l++) {
        sis_link_report report = sis_state_link(c->system, c->state, l);
        inside += (double)report.contact_samples;
        iterations += (double)report.iterations;
        iterated += (double)report.iterated_samples;
        if (report.powers_max > powers) powers = report.powers_max;
    }
    report_number(r, links ? 100 * inside / c->samples / links : (double)NAN, 1, " %");
    report_number(r, iterated > 0 ? iterations / iterated : 0, 2, "");
    report_text(r, "%u", powers);
}

static void tell_mass(bench_report* r, const char* word, double alpha, const timed_case* flight,
                      const timed_case* contact, double limit) {
    report_row(r);
    report_text(r, "%s", word);
    report_text(r, "%g", alpha);
    report_number(r, flight->best, 1, "");
    report_number(r, contact->best, 1, "");
    report_number(r, contact->best / flight->best, 1, "x");
    report_number(r, flight->best / limit, 1, "x");
    tell_work(r, contact);
}

static void table_of_masses(bench_report* r) {
    enum { SAMPLES = 20000 };
    timed_case *flight[EXAMPLE_WALL_SCHEMES][ALPHAS], *contact[EXAMPLE_WALL_SCHEMES][ALPHAS];
    timed_case* limit = bare_case(1, SAMPLES);
    for (int s = 0; s < EXAMPLE_WALL_SCHEMES; s++)
        for (int a = 0; a < ALPHAS; a++) {
            flight[s][a] =
                scene_case(example_flight(example_schemes[s], alphas[a]), SAMPLES, false);
            contact[s][a] =
                scene_case(example_pressed(example_schemes[s], alphas[a]), SAMPLES, false);
        }
    timed_case* written[] = {scene_case(example_flight(example_schemes[0], 1.5), SAMPLES, true),
                             scene_case(example_pressed(example_schemes[0], 1.5), SAMPLES, true)};
    cases_measure(0.03e9);
    report_begin(r, "One mass on a barrier at 44100 Hz, audited: ns per sample",
                 "scheme|alpha|flight|contact|contact/flight|flight/limit|inside|newton|powers");
    for (int s = 0; s < EXAMPLE_WALL_SCHEMES; s++)
        for (int a = 0; a < ALPHAS; a++)
            tell_mass(r, example_schemes[s].word, alphas[a], flight[s][a], contact[s][a],
                      limit->best);
    tell_mass(r, "ledger, all outputs", 1.5, written[0], written[1], limit->best);
    report_end(r, false,
               "limit: a bare loop of u+ = c u - u-; inside: contact samples; newton: steps per "
               "sample that needed any;\npowers: x^alpha in one sample, at most.");
    cases_end();
}

static void table_of_rows(bench_report* r) {
    static const struct {
        const char* words;
        int masses, samples;
    } rows[] = {{"5 balls in a row, swinging", 5, 5000},
                {"100 balls 1 mm apart", CHAIN, 500},
                {"100 balls squeezed together", CHAIN, 100}};
    enum { ROWS = 3 };
    timed_case *c[ROWS][EXAMPLE_NETWORK_SCHEMES], *limit[ROWS];
    for (int i = 0; i < ROWS; i++) {
        limit[i] = bare_case(rows[i].masses, 2000);
        for (int s = 0; s < EXAMPLE_NETWORK_SCHEMES; s++) {
            example_scheme scheme = example_schemes[s];
            sis_scene* scene = i == 0   ? example_row(scheme, 5, 1e-5, 1.5, 0)
                               : i == 1 ? example_row(scheme, CHAIN, 1e-3, 1.5, 0)
                                        : example_squeezed(scheme, CHAIN, 1.5);
            c[i][s] = scene_case(scene, rows[i].samples, false);
        }
    }
    cases_measure(0.05e9);
    report_begin(r, "Rows of balls, alpha 1.5, audited",
                 "scene|scheme|ns/sample|ns/ball|of limit|inside|newton|powers");
    for (int i = 0; i < ROWS; i++)
        for (int s = 0; s < EXAMPLE_NETWORK_SCHEMES; s++) {
            report_row(r);
            report_text(r, "%s", rows[i].words);
            report_text(r, "%s", example_schemes[s].word);
            report_number(r, c[i][s]->best, 0, "");
            report_number(r, c[i][s]->best / rows[i].masses, 1, "");
            report_number(r, c[i][s]->best / limit[i]->best, 1, "x");
            tell_work(r, c[i][s]);
        }
    report_end(r, false, NULL);
    cases_end();
}

void section_masses(const bench_context* b) {
    cases_begin(b->quick);
    table_of_masses(b->report);
    table_of_rows(b->report);
}
