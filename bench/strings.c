// What strings cost: a point of the free explicit string against the bare stencil of stencil.c, a
// point of contact for every model and solver on workload A, and whole workloads in real time.
// How it is timed: cases.h.
#include "strings.h"

#include "cases.h"
#include "example_strings.h"
#include "stencil.h"

// ---------------------------------------------------------------------------- cases

static void run_stencil(timed_case* c, stencil* bare) {
    bare(c->u, c->u + c->points + 2 * STENCIL_PAD, c->points, c->samples);
}

static void run_scalar(timed_case* c) {
    run_stencil(c, stencil_scalar);
}

static void run_wide(timed_case* c) {
    run_stencil(c, stencil_wide);
}

static timed_case* add_stencil(void (*bare)(timed_case*), int points, int samples) {
    timed_case* c = case_of_loop(bare, points, 2 * ((size_t)points + 2 * STENCIL_PAD), samples);
    for (int i = 0; i < points; i++) { // plucked, at rest
        double shape = i < points / 3 ? 1e-3 * i : 5e-4 * (points - i);
        c->u[STENCIL_PAD + i] = c->u[points + 3 * STENCIL_PAD + i] = shape;
    }
    return c;
}

/** Compiles a scene into a case; `says`: where to say why it was refused, or NULL for silence. */
static timed_case* add_scene(sis_scene* scene, double rate, int samples, const char* says) {
    sis_error error = {0};
    sis_system* system = example_system(scene, rate, &error);
    if (!system && says) fprintf(stderr, "%s: %s\n", says, error.text);
    timed_case* c = case_of_system(system, samples, false);
    if (system) c->points = sis_system_body(system, 0).points - 2;
    return c;
}

/** Points inside the barrier after a run. */
static int touching(const timed_case* c) {
    int32_t points = sis_system_link(c->system, 0).points;
    double* eta = malloc((size_t)points * sizeof(double));
    if (!eta) exit(1);
    sis_state_contact(c->system, c->state, 0, eta, NULL);
    int count = 0;
    for (int32_t j = 0; j < points; j++)
        count += eta[j] > 0;
    free(eta);
    return count;
}

// ---------------------------------------------------------------------------- points of the grid

static void table_of_grids(double share) {
    static const int segments[] = {50, 100, 200, 400, 800, 1600, 3200};
    enum { GRIDS = sizeof segments / sizeof segments[0], COLUMNS = 6, INSIDE = 400 };
    const double rate = 44100;
    timed_case* table[GRIDS][COLUMNS];
    for (int g = 0; g < GRIDS; g++) {
        int points = segments[g] - 1, samples = 1000000 / points / 2 * 2;
        table[g][0] = add_stencil(run_scalar, points, samples);
        table[g][1] = add_stencil(can_run_wide() ? run_wide : NULL, points, samples);
        for (int touch = EXAMPLE_FREE; touch <= EXAMPLE_TOUCHING; touch++)
            table[g][2 + touch] =
                add_scene(example_grid(segments[g], rate, (example_touch)touch), rate,
                          touch == EXAMPLE_TOUCHING ? INSIDE : samples, "grid");
    }
    cases_measure(share);
    printf("\nA point of an explicit string, ns per sample; stencil: the bare loop of stencil.c\n\n"
           "%8s %9s %9s %9s %9s %9s %9s %11s %9s\n",
           "segments", "scalar", "wide", "free", "f/wide", "lossy", "open", "touching", "of it");
    for (int g = 0; g < GRIDS; g++) {
        double ns[COLUMNS];
        for (int i = 0; i < COLUMNS; i++)
            ns[i] = table[g][i]->best / (segments[g] - 1);
        const timed_case* all = table[g][COLUMNS - 1];
        printf("%8d", segments[g]);
        print_number(ns[0], 9, 3);
        print_number(ns[1], 9, 3);
        print_number(ns[2], 9, 3);
        print_number(ns[2] / ns[1], 8, 2);
        printf("x");
        print_number(ns[3], 9, 3);
        print_number(ns[4], 9, 3);
        print_number(ns[5], 11, 2);
        if (all->system)
            printf(" %8.0f%%", 100. * touching(all) / sis_system_link(all->system, 0).points);
        printf("\n");
    }
    printf(
        "\nopen: over a barrier it never meets; touching: ledger, every point in contact; of it: "
        "points still\ninside at the end of a run.\n");
    cases_end();
}

// ---------------------------------------------------------------------------- points of contact

static const struct {
    const char* word;
    sis_string_model model;
} models[] = {{"fd", SIS_STRING_FD},
              {"implicit", SIS_STRING_IMPLICIT},
              {"trapezoid", SIS_STRING_TRAPEZOID},
              {"modal", SIS_STRING_MODAL}};
enum { MODELS = 4 };

// exact takes alpha = 1 on strings, so newton stands beside it with the same exponent.
static const struct {
    const char* word;
    int scheme; // row of example_schemes
    double alpha;
} solvers[] = {{"ledger", 0, 1.4}, {"quadratised", 1, 1.4}, {"newton", 3, 1.4},
               {"ledger", 0, 1},   {"newton", 3, 1},        {"exact", 4, 1}};
enum { SOLVERS = 6, PRESSED = 16, WORK = 4410 };

static void print_solver(int m, int v, const timed_case* free_string, const timed_case* pressed,
                         const timed_case* work) {
    int points = sis_system_link(pressed->system, 0).points;
    sis_link_report report = sis_state_link(work->system, work->state, 0);
    double iterated = (double)report.iterated_samples;
    printf("%-10s %-12s %5g %9.0f %11.0f %9.1f%c %9.0f %8.1fx %7.1f %% %6u %7.2f\n", models[m].word,
           solvers[v].word, solvers[v].alpha, free_string->best, pressed->best,
           (pressed->best - free_string->best) / points, touching(pressed) == points ? ' ' : '!',
           work->best, 1e9 / (work->best * example_workloads[0].rate),
           100. * (double)report.contact_samples / work->samples, report.points_max,
           iterated > 0 ? (double)report.iterations / iterated : 0);
}

static void table_of_solvers(double share) {
    example_workload* A = &example_workloads[0];
    timed_case *free_string[MODELS], *pressed[MODELS][SOLVERS], *work[MODELS][SOLVERS];
    for (int m = 0; m < MODELS; m++) {
        sis_string_model model = models[m].model;
        free_string[m] =
            add_scene(example_workload_scene(A, model, EXAMPLE_NOTHING, example_schemes[0], 1.4),
                      A->rate, WORK, models[m].word);
        for (int v = 0; v < SOLVERS; v++) {
            example_scheme scheme = example_schemes[solvers[v].scheme];
            double alpha = solvers[v].alpha;
            pressed[m][v] =
                add_scene(example_workload_scene(A, model, EXAMPLE_PRESSED, scheme, alpha), A->rate,
                          PRESSED, NULL);
            work[m][v] =
                add_scene(example_workload_scene(A, model, EXAMPLE_ITS_BARRIER, scheme, alpha),
                          A->rate, WORK, NULL);
        }
    }
    cases_measure(share);
    printf("\nWorkload A, the first %g s\n\n%-10s %-12s %5s %9s %11s %10s %9s %9s %9s %6s %7s\n",
           WORK / A->rate, "model", "solver", "alpha", "free", "touching", "per point", "A",
           "realtime", "inside", "points", "newton");
    for (int m = 0; m < MODELS; m++)
        for (int v = 0; v < SOLVERS; v++) {
            if (free_string[m]->system && pressed[m][v]->system && work[m][v]->system)
                print_solver(m, v, free_string[m], pressed[m][v], work[m][v]);
            else
                printf("%-10s %-12s %5g   refused\n", models[m].word, solvers[v].word,
                       solvers[v].alpha);
        }
    printf(
        "\nfree, touching (every point), A: ns per sample; per point: (touching - free)/points, ! "
        "where some have\nopened; inside: samples with contact; points: inside at once, at most; "
        "newton: steps per sample that needed any.\n");
    cases_end();
}

// ---------------------------------------------------------------------------- whole workloads

static void table_of_workloads(double share) {
    timed_case *alone[EXAMPLE_WORKLOADS], *whole[EXAMPLE_WORKLOADS];
    const double seconds = 0.25;
    for (int i = 0; i < EXAMPLE_WORKLOADS; i++) {
        example_workload* w = &example_workloads[i];
        int samples = (int)(seconds * w->rate);
        example_scheme ledger = example_schemes[0];
        alone[i] =
            add_scene(example_workload_scene(w, SIS_STRING_FD, EXAMPLE_NOTHING, ledger, w->alpha),
                      w->rate, samples, w->word);
        whole[i] = add_scene(
            example_workload_scene(w, SIS_STRING_FD, EXAMPLE_ITS_BARRIER, ledger, w->alpha),
            w->rate, samples, w->word);
    }
    cases_measure(share);
    printf("\nWorkloads with the ledger, the first %g s\n\n%-8s %8s %9s %11s %11s %9s %9s %9s\n",
           seconds, "workload", "Hz", "segments", "string s/s", "whole s/s", "realtime", "inside",
           "points");
    for (int i = 0; i < EXAMPLE_WORKLOADS; i++) {
        example_workload* w = &example_workloads[i];
        if (!alone[i]->system || !whole[i]->system) continue;
        sis_link_report report = sis_state_link(whole[i]->system, whole[i]->state, 0);
        double per_second = whole[i]->best * w->rate * 1e-9;
        printf("%-8s %8g %9d %11.4f %11.4f %8.1fx %7.1f %% %9u\n", w->word, w->rate,
               whole[i]->points + 1, alone[i]->best * w->rate * 1e-9, per_second, 1 / per_second,
               100. * (double)report.contact_samples / whole[i]->samples, report.points_max);
    }
    printf("\nstring: without its barrier; s/s: seconds of one core per second of sound.\n");
    cases_end();
}

void bench_strings(bool quick) {
    const double share = 0.4e9; // ns for one case; one run at least
    cases_begin(quick);
    table_of_grids(0.1e9);
    table_of_solvers(share);
    table_of_workloads(share);
}
