#include "cases.h"

#include "example_parts.h"

#include <time.h>

enum { CASES_MAX = 64, ROUNDS = 30 };

static timed_case cases[CASES_MAX];
static int case_count;
static bool short_runs;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void run(timed_case* c) {
    if (c->system) memcpy(c->state, c->start, sis_state_size(c->system));
    double start = now_ns();
    if (c->system)
        sis_step(c->system, c->state, &(sis_block){c->samples, c->probes, c->energy});
    else
        c->bare(c);
    double time = now_ns() - start;
    c->spent += time;
    c->best = fmin(c->best, time / c->samples); // fmin takes the number where the other is NaN
}

void cases_begin(bool quick) {
    short_runs = quick;
}

static timed_case* case_new(int points, int samples) {
    if (case_count == CASES_MAX) {
        fprintf(stderr, "bench: more than %d cases in a table\n", CASES_MAX);
        exit(1);
    }
    timed_case* c = &cases[case_count++];
    if (short_runs) samples = samples / 40 * 2 + 2;
    *c = (timed_case){.points = points, .samples = samples, .best = (double)NAN};
    return c;
}

/** Memory, or the end. */
static void* taken(size_t count, size_t size) {
    void* memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "bench: no memory\n");
        exit(1);
    }
    return memory;
}

timed_case* case_of_loop(void (*bare)(timed_case*), int points, size_t numbers, int samples) {
    timed_case* c = case_new(points, samples);
    c->bare = bare;
    c->u = taken(numbers, sizeof(double));
    c->numbers = numbers;
    return c;
}

timed_case* case_of_system(sis_system* system, int samples, bool outputs) {
    timed_case* c = case_new(0, samples);
    c->system = system;
    if (!system) return c;
    size_t size = sis_state_size(system);
    c->state = example_state(system);
    c->start = taken(1, size);
    memcpy(c->start, c->state, size);
    if (outputs) {
        size_t rows = (size_t)c->samples, columns = (size_t)sis_system_probe_count(system);
        c->probes = taken(rows * columns, sizeof(double));
        c->energy = taken(rows, sizeof(sis_energy));
    }
    return c;
}

void cases_measure(double share) {
    if (short_runs) share = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < case_count; i++) {
            timed_case* c = &cases[i];
            if ((c->system || c->bare) && (r == 0 || c->spent < share)) run(c);
        }
}

void cases_end(void) {
    double sink = 0;
    for (int i = 0; i < case_count; i++) {
        for (size_t j = 0; j < cases[i].numbers; j++)
            sink += cases[i].u[j];
        free(cases[i].u);
        free(cases[i].state);
        free(cases[i].start);
        free(cases[i].probes);
        free(cases[i].energy);
        sis_system_free(cases[i].system);
    }
    if (!isfinite(sink)) fprintf(stderr, "bench: a bare loop is unstable\n");
    case_count = 0;
}

void print_number(double value, int width, int digits) {
    if (isfinite(value))
        printf(" %*.*f", width, digits, value);
    else
        printf(" %*s", width, "-");
}

bool can_run_wide(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}
