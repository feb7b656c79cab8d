// What a sample costs: one mass in flight and in contact for every scheme, Newton's cradle and a
// chain of 100 balls, against the machine's limit, a bare loop of u+ = c u - u- over as many
// masses; then strings (strings.c), then plates, modal bodies and instruments (bodies.c).
//
//   bench                       the tables
//   bench --quick               the same with few repeats, to see that it runs
//   bench --strings             those of strings only
//   bench --bodies              those of plates, modal bodies and instruments only
//   bench --list                the names of the cases
//   bench --case NAME [COUNT]   only steps that case (COUNT samples), for a profiler that counts
//                               instructions:  valgrind --tool=callgrind bench --case
//                               contact/ledger/1.5
//
// All cases take turns within each repeat, so that a machine that slows down slows all of them; the
// median over the repeats is shown. Nothing here judges a time.
#include "bodies.h"
#include "examples.h"
#include "strings.h"

#include <time.h>

enum { CASES_MAX = 64, REPEATS_MAX = 101, CHAIN = 100 };
#define RATE 44100.0

typedef struct bench_case {
    char name[64];
    int masses;
    int samples;        // per repeat
    sis_system* system; // NULL: the bare loop
    sis_state* state;
    double* probes;
    sis_energy* energy;
    double* u;                 // bare loop: u and the u before, [2][masses]
    double times[REPEATS_MAX]; // ns per sample
    double median;
} bench_case;

static const char* only; // the name of the one case to run; NULL: all
static bench_case cases[CASES_MAX];
static int case_count;

// ---------------------------------------------------------------------------- running

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/** The free two-step recursion of `masses` oscillators and nothing else. */
static void bare_loop(double* restrict u, double* restrict before, int masses, int samples) {
    const double c = 2 - 1e-4;
    if (masses == 1) {
        double now = *u, last = *before;
        for (int n = 0; n < samples; n++) {
            double next = c * now - last;
            last = now;
            now = next;
        }
        *u = now;
        *before = last;
        return;
    }
    for (int n = 0; n + 1 < samples; n += 2) { // two at a time, so that no copy is needed
        for (int i = 0; i < masses; i++)
            before[i] = c * u[i] - before[i];
        for (int i = 0; i < masses; i++)
            u[i] = c * before[i] - u[i];
    }
}

static void case_run(bench_case* c, int samples) {
    if (c->system)
        sis_step(c->system, c->state, &(sis_block){samples, c->probes, c->energy});
    else
        bare_loop(c->u, c->u + c->masses, c->masses, samples);
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(int repeats) {
    for (int r = -1; r < repeats; r++) // the first round only warms up
        for (int i = 0; i < case_count; i++) {
            bench_case* c = &cases[i];
            double start = now_ns();
            case_run(c, c->samples);
            double time = (now_ns() - start) / c->samples;
            if (r >= 0) c->times[r] = time;
        }
    for (int i = 0; i < case_count; i++) {
        qsort(cases[i].times, (size_t)repeats, sizeof(double), compare_doubles);
        cases[i].median = cases[i].times[repeats / 2];
    }
}

// ---------------------------------------------------------------------------- the cases

static bench_case* case_new(int masses, int samples) {
    if (case_count == CASES_MAX) {
        fprintf(stderr, "bench: more than %d cases\n", CASES_MAX);
        exit(1);
    }
    bench_case* c = &cases[case_count++];
    c->masses = masses;
    c->samples = samples;
    return c;
}

static void add_loop(const char* name, int masses, int samples) {
    bench_case* c = case_new(masses, samples);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->u = malloc(2 * (size_t)masses * sizeof(double));
    if (!c->u) exit(1);
    for (int i = 0; i < 2 * masses; i++)
        c->u[i] = 1;
}

/** Compiles the scene and makes it a case; a scheme that is refused there is said and left out. */
static void add_scene(const char* name, sis_scene* scene, int masses, int samples, bool outputs) {
    if (only && strcmp(only, name) != 0) { // a profiler should see as little else as possible
        sis_scene_free(scene);
        return;
    }
    sis_error error = {0};
    sis_system* system = example_system(scene, RATE, &error);
    if (!system) {
        fprintf(stderr, "%s: %s\n", name, error.text);
        return;
    }
    bench_case* c = case_new(masses, samples);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->system = system;
    c->state = example_state(system);
    if (outputs) {
        size_t columns = (size_t)sis_system_probe_count(system);
        c->probes = malloc((size_t)samples * columns * sizeof(double));
        c->energy = malloc((size_t)samples * sizeof(sis_energy));
        if (!c->probes || !c->energy) exit(1);
    }
}

static const double alphas[] = {1.5, 1.3};
enum { ALPHAS = 2 };

static void add_all(void) {
    char name[64];
    add_loop("limit/1", 1, 20000);
    for (int s = 0; s < EXAMPLE_WALL_SCHEMES; s++)
        for (int a = 0; a < ALPHAS; a++) {
            example_scheme scheme = example_schemes[s];
            snprintf(name, sizeof name, "flight/%s/%g", scheme.word, alphas[a]);
            add_scene(name, example_flight(scheme, alphas[a]), 1, 20000, false);
            snprintf(name, sizeof name, "contact/%s/%g", scheme.word, alphas[a]);
            add_scene(name, example_pressed(scheme, alphas[a]), 1, 20000, false);
        }
    example_scheme ledger = example_schemes[0];
    add_scene("outputs/flight", example_flight(ledger, 1.5), 1, 20000, true);
    add_scene("outputs/contact", example_pressed(ledger, 1.5), 1, 20000, true);
    add_loop("limit/5", 5, 20000);
    add_loop("limit/100", CHAIN, 2000);
    for (int s = 0; s < EXAMPLE_SCHEMES; s++) {
        example_scheme scheme = example_schemes[s];
        if (scheme.scheme == SIS_SCHEME_EXACT) continue; // for pairs of bodies, not for rows
        snprintf(name, sizeof name, "cradle/%s", scheme.word);
        add_scene(name, example_row(scheme, 5, 1e-5, 1.5, 0), 5, 5000, false);
        snprintf(name, sizeof name, "chain-apart/%s", scheme.word);
        add_scene(name, example_row(scheme, CHAIN, 1e-3, 1.5, 0), CHAIN, 500, false);
        snprintf(name, sizeof name, "chain-squeezed/%s", scheme.word);
        add_scene(name, example_squeezed(scheme, CHAIN, 1.5), CHAIN, 100, false);
    }
}

// ---------------------------------------------------------------------------- the tables

static const bench_case* find(const char* name) {
    for (int i = 0; i < case_count; i++)
        if (strcmp(cases[i].name, name) == 0) return &cases[i];
    return NULL;
}

/** "12.3", or a dash for what was refused. */
static void print_number(double value, int width, const char* unit) {
    if (isfinite(value))
        printf(" %*.1f%s", width, value, unit);
    else
        printf(" %*s%*s", width, "-", (int)strlen(unit), "");
}

static double median_of(const char* kind, const char* rest, double alpha) {
    char name[64];
    if (alpha > 0)
        snprintf(name, sizeof name, "%s/%s/%g", kind, rest, alpha);
    else
        snprintf(name, sizeof name, "%s/%s", kind, rest);
    const bench_case* c = find(name);
    return c ? c->median : (double)NAN;
}

/** Share of contact samples, Newton steps per contact sample and powers per sample of one case. */
static void print_work(const char* name) {
    const bench_case* c = find(name);
    if (!c) return;
    double inside = 0, iterations = 0, iterated = 0;
    unsigned powers = 0;
    int32_t links = sis_system_link_count(c->system);
    for (int32_t l = 0; l < links; l++) {
        sis_link_report report = sis_state_link(c->system, c->state, l);
        inside += (double)report.contact_samples;
        iterations += (double)report.iterations;
        iterated += (double)report.iterated_samples;
        if (report.powers_max > powers) powers = report.powers_max;
    }
    double samples = (double)sis_state_samples(c->state) * links;
    printf("  %5.1f %%  %6.2f  %6u", 100 * inside / samples,
           iterated > 0 ? iterations / iterated : 0, powers);
}

static void print_tables(void) {
    double limit = median_of("limit", "1", 0);
    printf("One mass on a barrier at %g Hz, ns per sample; the bare loop takes %.2f ns\n\n", RATE,
           limit);
    printf("%-20s %5s %8s %8s %9s %9s %9s  %7s  %6s  %6s\n", "scheme", "alpha", "flight", "contact",
           "c/flight", "f/limit", "c/limit", "inside", "newton", "powers");
    for (int s = 0; s < EXAMPLE_WALL_SCHEMES; s++)
        for (int a = 0; a < ALPHAS; a++) {
            const char* word = example_schemes[s].word;
            double flight = median_of("flight", word, alphas[a]);
            double contact = median_of("contact", word, alphas[a]);
            printf("%-20s %5g", word, alphas[a]);
            print_number(flight, 8, "");
            print_number(contact, 8, "");
            print_number(contact / flight, 8, "x");
            print_number(flight / limit, 8, "x");
            print_number(contact / limit, 8, "x");
            char name[64];
            snprintf(name, sizeof name, "contact/%s/%g", word, alphas[a]);
            print_work(name);
            printf("\n");
        }
    printf("%-20s %5g", "ledger, all outputs", 1.5);
    double flight = median_of("outputs", "flight", 0), contact = median_of("outputs", "contact", 0);
    print_number(flight, 8, "");
    print_number(contact, 8, "");
    print_number(contact / flight, 8, "x");
    print_number(flight / limit, 8, "x");
    print_number(contact / limit, 8, "x");
    print_work("outputs/contact");
    printf(
        "\n\ninside: contact samples; newton: steps per sample that needed any; powers: x^alpha in "
        "one sample, at most.\n\n");

    static const struct {
        const char *kind, *words, *limit;
    } rows[] = {{"cradle", "5 balls in a row, swinging", "5"},
                {"chain-apart", "100 balls 1 mm apart", "100"},
                {"chain-squeezed", "100 balls squeezed together", "100"}};
    printf("Rows of balls, alpha 1.5\n\n%-28s %-20s %10s %9s %9s  %7s  %6s  %6s\n", "scene",
           "scheme", "ns/sample", "ns/ball", "of limit", "inside", "newton", "powers");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double row_limit = median_of("limit", rows[r].limit, 0);
        for (int s = 0; s < EXAMPLE_SCHEMES; s++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", rows[r].kind, example_schemes[s].word);
            const bench_case* c = find(name);
            if (!c) continue;
            printf("%-28s %-20s", rows[r].words, example_schemes[s].word);
            print_number(c->median, 10, "");
            print_number(c->median / c->masses, 9, "");
            print_number(c->median / row_limit, 8, "x");
            print_work(name);
            printf("\n");
        }
    }
}

int main(int count, char** words) {
    int repeats = 41;
    long samples = 200000;
    bool list = false, masses = true, strings = true, bodies = true, quick = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--quick") == 0) {
            repeats = 3;
            quick = true;
        } else if (strcmp(words[i], "--strings") == 0) {
            masses = bodies = false;
        } else if (strcmp(words[i], "--bodies") == 0) {
            masses = strings = false;
        } else if (strcmp(words[i], "--list") == 0) {
            list = true;
        } else if (strcmp(words[i], "--case") == 0 && i + 1 < count) {
            only = words[++i];
            if (i + 1 < count) samples = strtol(words[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: bench [--quick] [--strings | --bodies | --list | --case NAME "
                            "[SAMPLES]]\n");
            return 2;
        }
    }
    if (masses) add_all();
    if (list) {
        for (int i = 0; i < case_count; i++)
            printf("%s\n", cases[i].name);
    } else if (only) {
        bench_case* c = NULL;
        for (int i = 0; i < case_count; i++)
            if (strcmp(cases[i].name, only) == 0) c = &cases[i];
        if (!c || samples < 1) {
            fprintf(stderr, "bench: no case '%s' (see --list), or no samples\n", only);
            return 2;
        }
        for (long left = samples; left > 0; left -= c->samples)
            case_run(c, left < c->samples ? (int)left : c->samples);
        printf("%s: %ld samples\n", c->name, samples);
    } else {
        if (masses) {
            measure(repeats);
            print_tables();
        }
        if (strings) bench_strings(quick);
        if (bodies) bench_bodies(quick);
    }
    double sink = 0;
    for (int i = 0; i < case_count; i++) {
        sink += cases[i].u ? cases[i].u[0] : 0; // the loop's result is used, so the loop is run
        free(cases[i].u);
        free(cases[i].state);
        free(cases[i].probes);
        free(cases[i].energy);
        sis_system_free(cases[i].system);
    }
    return isfinite(sink) ? 0 : 1;
}
