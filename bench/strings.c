// What strings cost: a point of the free explicit string against the bare stencil of stencil.c, a
// point of contact for every model and solver on workload A, and whole workloads in real time.
//
// Every run of a case starts from the same saved state, so that it does the same work each time;
// the best of all runs is shown, in CPU time. The cases of a table take turns, so that a machine
// that slows down slows all of them.
#include "strings.h"

#include "example_strings.h"
#include "stencil.h"

#include <time.h>

enum { CASES_MAX = 64, ROUNDS = 30 };

typedef struct string_case {
    sis_system* system; // NULL: a stencil, or refused
    sis_state* state;
    void* start; // saved state
    stencil* bare;
    double* u; // stencil: [2][points + 2 STENCIL_PAD]
    int points;
    int samples;   // per run
    double best;   // ns per sample; NaN: refused
    double spent;  // ns, all runs
    bool as_meant; // touches everywhere if that is what it is for
} string_case;

static string_case cases[CASES_MAX];
static int case_count;
static bool quick; // one short run of each case

// ---------------------------------------------------------------------------- running

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void case_run(string_case* c) {
    if (c->system) memcpy(c->state, c->start, sis_state_size(c->system));
    double start = now_ns();
    if (c->system)
        sis_step(c->system, c->state, &(sis_block){c->samples, NULL, NULL});
    else
        c->bare(c->u, c->u + c->points + 2 * STENCIL_PAD, c->points, c->samples);
    double time = now_ns() - start;
    c->spent += time;
    c->best = fmin(c->best, time / c->samples); // fmin takes the number where the other is NaN
}

/** Runs every case in turn; one that has used `share` nanoseconds rests. */
static void measure(double share) {
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < case_count; i++) {
            string_case* c = &cases[i];
            if ((c->system || c->bare) && (r == 0 || c->spent < share)) case_run(c);
        }
}

static void cases_free(void) {
    double sink = 0;
    for (int i = 0; i < case_count; i++) {
        sink += cases[i].u ? cases[i].u[STENCIL_PAD] : 0; // used, so that the loop is run
        free(cases[i].u);
        free(cases[i].state);
        free(cases[i].start);
        sis_system_free(cases[i].system);
    }
    if (!isfinite(sink)) fprintf(stderr, "bench: the bare stencil is unstable\n");
    case_count = 0;
}

// ---------------------------------------------------------------------------- cases

static string_case* case_new(int points, int samples) {
    if (case_count == CASES_MAX) {
        fprintf(stderr, "bench: more than %d cases of strings\n", CASES_MAX);
        exit(1);
    }
    string_case* c = &cases[case_count++];
    if (quick) samples = samples / 40 * 2 + 2;
    *c = (string_case){.points = points, .samples = samples, .best = (double)NAN, .as_meant = true};
    return c;
}

static string_case* add_stencil(stencil* bare, int points, int samples) {
    string_case* c = case_new(points, samples);
    size_t numbers = 2 * ((size_t)points + 2 * STENCIL_PAD);
    c->bare = bare;
    c->u = calloc(numbers, sizeof(double));
    if (!c->u) exit(1);
    for (int i = 0; i < points && bare; i++) { // plucked, at rest
        double shape = i < points / 3 ? 1e-3 * i : 5e-4 * (points - i);
        c->u[STENCIL_PAD + i] = c->u[points + 3 * STENCIL_PAD + i] = shape;
    }
    return c;
}

/** Compiles a scene into a case; `says`: where to say why it was refused, or NULL for silence. */
static string_case* add_scene(sis_scene* scene, double rate, int samples, const char* says) {
    string_case* c = case_new(0, samples);
    sis_error error = {0};
    c->system = example_system(scene, rate, &error);
    if (!c->system) {
        if (says) fprintf(stderr, "%s: %s\n", says, error.text);
        return c;
    }
    size_t size = sis_state_size(c->system);
    c->state = example_state(c->system);
    c->start = malloc(size);
    if (!c->start) exit(1);
    memcpy(c->start, c->state, size);
    c->points = sis_system_body(c->system, 0).points - 2;
    return c;
}

/** Points inside the barrier after a run. */
static int touching(const string_case* c) {
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

/** A number, or a dash for what was refused. */
static void print_number(double value, int width, int digits) {
    if (isfinite(value))
        printf(" %*.*f", width, digits, value);
    else
        printf(" %*s", width, "-");
}

// ---------------------------------------------------------------------------- points of the grid

static bool can_run_wide(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

static void table_of_grids(double share) {
    static const int segments[] = {50, 100, 200, 400, 800, 1600, 3200};
    enum { GRIDS = sizeof segments / sizeof segments[0], COLUMNS = 6, INSIDE = 400 };
    const double rate = 44100;
    string_case* table[GRIDS][COLUMNS];
    for (int g = 0; g < GRIDS; g++) {
        int points = segments[g] - 1, samples = 1000000 / points / 2 * 2;
        table[g][0] = add_stencil(stencil_scalar, points, samples);
        table[g][1] = add_stencil(can_run_wide() ? stencil_wide : NULL, points, samples);
        for (int touch = EXAMPLE_FREE; touch <= EXAMPLE_TOUCHING; touch++)
            table[g][2 + touch] =
                add_scene(example_grid(segments[g], rate, (example_touch)touch), rate,
                          touch == EXAMPLE_TOUCHING ? INSIDE : samples, "grid");
    }
    measure(share);
    printf("\nA point of an explicit string, ns per sample; stencil: the bare loop of stencil.c\n\n"
           "%8s %9s %9s %9s %9s %9s %9s %11s %9s\n",
           "segments", "scalar", "wide", "free", "f/wide", "lossy", "open", "touching", "of it");
    for (int g = 0; g < GRIDS; g++) {
        double ns[COLUMNS];
        for (int i = 0; i < COLUMNS; i++)
            ns[i] = table[g][i]->best / (segments[g] - 1);
        const string_case* all = table[g][COLUMNS - 1];
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
    cases_free();
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

static void print_solver(int m, int v, const string_case* free_string, const string_case* pressed,
                         const string_case* work) {
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
    string_case *free_string[MODELS], *pressed[MODELS][SOLVERS], *work[MODELS][SOLVERS];
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
    measure(share);
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
    cases_free();
}

// ---------------------------------------------------------------------------- whole workloads

static void table_of_workloads(double share) {
    string_case *alone[EXAMPLE_WORKLOADS], *whole[EXAMPLE_WORKLOADS];
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
    measure(share);
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
    cases_free();
}

void bench_strings(bool only_to_see) {
    quick = only_to_see;
    double share = quick ? 0 : 0.4e9; // ns for one case; one run at least
    table_of_grids(quick ? 0 : 0.1e9);
    table_of_solvers(share);
    table_of_workloads(share);
}
