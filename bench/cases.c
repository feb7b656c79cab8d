#include "cases.h"

#include "example_parts.h"

#include <time.h>

// Bare loops with two or three levels are where they began after EVEN samples.
enum { CASES_MAX = 160, ROUNDS = 30, EVEN = 12 };

static timed_case cases[CASES_MAX];
static int case_count;
static bool short_runs;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// `samples` from `from` on, timed.
static double run_piece(timed_case* c, int from, int samples) {
    sis_block block = {.frames = samples};
    if (c->probes)
        block.probes = c->probes + (size_t)from * (size_t)sis_system_probe_count(c->system);
    if (c->energy) block.energy = c->energy + from;
    c->from = from;
    c->now = samples;
    double start = now_ns();
    if (c->system)
        sis_step(c->system, c->state, &block);
    else
        c->bare(c);
    return now_ns() - start;
}

void case_run(timed_case* c) {
    if (c->system) memcpy(c->state, c->start, sis_state_size(c->system));
    if (c->first) memcpy(c->u, c->first, c->numbers * sizeof *c->u);
    int pieces = c->pieces ? c->pieces : 1, length = c->samples / pieces / EVEN * EVEN;
    double time = 0, least = 0;
    for (int p = 0; p < pieces; p++) {
        bool last = p == pieces - 1;
        double t = run_piece(c, p * length, last ? c->samples - p * length : length);
        if (c->pieces) c->least[p] = c->least[p] > 0 ? fmin(c->least[p], t) : t;
        least += c->pieces ? c->least[p] : t;
        time += t;
    }
    c->spent += time;
    c->best = fmin(c->best, least / c->samples); // fmin takes the number where the other is NaN
    if (c->pieces) return;
    // From the second run on in pieces of about a millisecond; the first warms up.
    int most = c->samples / EVEN < PIECES_MAX ? c->samples / EVEN : PIECES_MAX;
    c->pieces = (int)fmax(1, fmin(most, time / 1e6));
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
    if (!memory) example_starve();
    return memory;
}

timed_case* case_of_loop(void (*bare)(timed_case*), int points, size_t numbers, int samples) {
    timed_case* c = case_new(points, samples);
    c->bare = bare;
    c->u = taken(numbers, sizeof(double));
    c->numbers = numbers;
    return c;
}

void case_rewinds(timed_case* c) {
    c->first = taken(c->numbers, sizeof *c->first);
    memcpy(c->first, c->u, c->numbers * sizeof *c->u);
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
            if ((c->system || c->bare) && (r == 0 || c->spent < share)) case_run(c);
        }
}

void cases_end(void) {
    double sink = 0;
    for (int i = 0; i < case_count; i++) {
        for (size_t j = 0; j < cases[i].numbers; j++)
            sink += cases[i].u[j];
        free(cases[i].u);
        free(cases[i].first);
        free(cases[i].state);
        free(cases[i].start);
        free(cases[i].probes);
        free(cases[i].energy);
        sis_system_free(cases[i].system);
    }
    if (!isfinite(sink)) fprintf(stderr, "bench: a bare loop is unstable\n");
    case_count = 0;
}

double case_touching(const timed_case* c, int32_t link) {
    if (!c->system) return (double)NAN;
    sis_link_report report = sis_state_link(c->system, c->state, link);
    return (double)report.contact_samples / c->samples;
}

int case_points_inside(const timed_case* c) {
    int32_t points = sis_system_link(c->system, 0).points;
    double* eta = taken((size_t)points, sizeof *eta);
    sis_state_contact(c->system, c->state, 0, eta, NULL);
    int count = 0;
    for (int32_t j = 0; j < points; j++)
        count += eta[j] > 0;
    free(eta);
    return count;
}

double fitted_exponent(const double* n, const double* t, int count) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        x += log(n[i]) / count;
        y += log(t[i]) / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (log(n[i]) - x) * (log(n[i]) - x);
        xy += (log(n[i]) - x) * (log(t[i]) - y);
    }
    return xy / xx;
}

double* on_line(double* u) {
    return u + (LINE - (uintptr_t)u / sizeof *u % LINE) % LINE;
}

bool can_run_wide(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}
