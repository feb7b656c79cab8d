// Error against cost: a mass on a spring swings against a barrier, at rising rates; the error is
// against the same at a much higher rate.
#include "cases.h"
#include "example_bodies.h"
#include "examples.h"
#include "sections.h"

enum { KINDS = 3, RATES = 5, ROWS = 2205, FINEST = 256 };
static const sis_scheme kinds[KINDS] = {SIS_SCHEME_LEDGER, SIS_SCHEME_QUADRATISED,
                                        SIS_SCHEME_NEWTON};
static const int rates[RATES] = {1, 2, 4, 8, 16};

static sis_system* swing(sis_scheme scheme, int times) {
    return scene_compiled(example_swing(example_schemes[0], 1.3, SIS_LAW_ONE_SIDED, 0),
                          44100. * times, scheme, UNAUDITED, true);
}

/** Displacement at each 1/44100 s, [rows]. */
static void trace(const sis_system* system, int times, double* out, int rows) {
    int32_t columns = sis_system_probe_count(system);
    double* probes = calloc((size_t)columns * (size_t)times, sizeof *probes);
    sis_state* state = example_state(system);
    if (!probes) example_starve();
    for (int n = 0; n < rows; n++) {
        sis_step(system, state, &(sis_block){times, probes, NULL, NULL});
        out[n] = probes[0];
    }
    free(state);
    free(probes);
}

/** Cost at which a scheme reaches an error, between the measured points; beyond them along the
 * last two. */
static double cost_at(const double* error, const double* cost, double wanted) {
    int i = 0;
    while (i < RATES - 2 && error[i + 1] > wanted)
        i++;
    double slope = log(cost[i + 1] / cost[i]) / log(error[i + 1] / error[i]);
    return cost[i] * exp(slope * log(wanted / error[i]));
}

void section_accuracy(const bench_context* b) {
    bench_report* r = b->report;
    static double truth[ROWS], out[ROWS];
    double error[KINDS][RATES], cost[KINDS][RATES];
    timed_case* c[KINDS][RATES];
    int rows = b->quick ? 200 : ROWS, finest = b->quick ? 32 : FINEST;
    cases_begin(b->quick);
    sis_system* fine = swing(SIS_SCHEME_NEWTON, finest);
    if (!fine) return;
    trace(fine, finest, truth, rows);
    sis_system_free(fine);
    for (int s = 0; s < KINDS; s++)
        for (int i = 0; i < RATES; i++) {
            c[s][i] = case_of_system(swing(kinds[s], rates[i]), ROWS * rates[i], false);
            double sum = 0, all = 0;
            if (!c[s][i]->system) return;
            trace(c[s][i]->system, rates[i], out, rows);
            for (int n = 0; n < rows; n++) {
                sum += (out[n] - truth[n]) * (out[n] - truth[n]);
                all += truth[n] * truth[n];
            }
            error[s][i] = sqrt(sum / all);
        }
    cases_measure(0.05e9);
    report_begin(r, "Error against cost: a mass swings against a barrier for 50 ms, alpha 1.3",
                 "rate|ledger error|us|quadratised error|us|newton error|us");
    for (int i = 0; i < RATES; i++) {
        report_row(r);
        report_text(r, "%d x 44.1 kHz", rates[i]);
        for (int s = 0; s < KINDS; s++) {
            cost[s][i] = c[s][i]->best * ROWS * rates[i] * 1e-3;
            report_text(r, "%.1e", error[s][i]);
            report_number(r, cost[s][i], 0, "");
        }
    }
    // Where all three have been.
    double wanted = error[0][2];
    double own = cost[0][2];
    report_keep(r, own / cost_at(error[1], cost[1], wanted), "equal-error/quadratised");
    report_keep(r, own / cost_at(error[2], cost[2], wanted), "equal-error/newton");
    report_row(r);
    report_text(r, "cost at %.1e", wanted);
    for (int s = 0; s < KINDS; s++) {
        report_text(r, "%s", "");
        report_number(r, cost_at(error[s], cost[s], wanted), 0, "");
    }
    report_end(r, true,
               "Error: root mean square of the displacement against newton at 256 x 44.1 kHz, "
               "relative; us: of one\ncore for the 50 ms.");
    cases_end();
}
