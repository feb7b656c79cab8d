// Many cores for one scene: a hundred strings with a barrier each, which nothing joins, in the
// threads of a crew. Times on the wall tell the truth on a quiet machine only, so that the share of
// each part in the CPU time of all of them stands beside: what a machine with so many free cores
// could gain at most.
#include "crew.h"
#include "example_strings.h"
#include "renders.h"
#include "sections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRINGS = 100, ROWS = 256, PARTS_MOST = 64, ROUNDS = 9 };

static sis_scene* build(void) {
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    for (int i = 0; i < STRINGS; i++) {
        sis_string_def s = sis_string_default();
        s.length = 0.7;
        s.frequency = 100 + 2 * i;
        s.material_density = 7850;
        s.radius = 2e-4;
        s.youngs = 2e11;
        s.sigma0 = 0.6;
        s.sigma1 = 6.5e-5;
        sis_id string = example_added(sis_scene_add_string(scene, &s, &error), &error);
        sis_barrier_def b = sis_barrier_default();
        b.height = -2e-4;
        b.from = 0.05;
        b.to = 0.65;
        sis_contact_def c = sis_contact_default();
        c.above = string;
        c.below = example_added(sis_scene_add_barrier(scene, &b, &error), &error);
        c.K = 1e9;
        c.alpha = 1.5;
        example_added(sis_scene_add_contact(scene, &c, &error), &error);
        sis_pluck_def p = sis_pluck_default();
        p.on = string;
        p.at = 0.2;
        p.height = 2e-3;
        example_added(sis_scene_add_pluck(scene, &p, &error), &error);
        sis_probe_def probe = sis_probe_default();
        probe.on = string;
        probe.at = 0.1;
        example_added(sis_scene_add_probe(scene, &probe, &error), &error);
    }
    return scene;
}

// ---------------------------------------------------------------------------- the work of parts

/** CPU time of each part, one after the other. */
typedef struct part_times {
    double seconds[PARTS_MOST];
} part_times;

static void in_turn(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data) {
    part_times* times = self;
    for (int32_t i = 0; i < count; i++) {
        double start = render_clock(CLOCK_THREAD_CPUTIME_ID);
        work(data, i);
        times->seconds[i] += render_clock(CLOCK_THREAD_CPUTIME_ID) - start;
    }
}

static void by_crew(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data) {
    sis_crew_run(self, count, work, data);
}

/** All parts over the longest time of a thread, if each takes the next part when it is free. */
static double gain_of(const part_times* times, int32_t parts, int threads) {
    double busy[PARTS_MOST] = {0}, all = 0, longest = 0;
    for (int32_t p = 0; p < parts; p++) {
        int first = 0;
        for (int t = 1; t < threads; t++)
            if (busy[t] < busy[first]) first = t;
        busy[first] += times->seconds[p];
        all += times->seconds[p];
    }
    for (int t = 0; t < threads; t++)
        longest = fmax(longest, busy[t]);
    return all / longest;
}

/** Seconds on the wall for so many blocks. */
static double run(const sis_system* system, const sis_threads* threads, int blocks) {
    size_t columns = (size_t)sis_system_probe_count(system);
    double* probes = calloc(columns * ROWS, sizeof *probes);
    sis_state* state = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    double start = (double)NAN, end = start;
    if (probes && state) {
        sis_state_init(system, state);
        start = render_clock(CLOCK_MONOTONIC);
        for (int b = 0; b < blocks; b++)
            sis_step_threads(system, state, &(sis_block){ROWS, probes, NULL, NULL}, threads);
        end = render_clock(CLOCK_MONOTONIC);
    }
    free(probes);
    free(state);
    return end - start;
}

static double best_run(const sis_system* system, int threads, int blocks, int rounds) {
    double best = (double)NAN;
    sis_crew* crew = threads > 1 ? sis_crew_new(threads) : NULL;
    for (int i = 0; i < rounds; i++)
        best = fmin(best, run(system, crew ? &(sis_threads){crew, by_crew} : NULL, blocks));
    sis_crew_free(crew);
    return best;
}

void section_threads(const bench_context* b) {
    static const int counts[] = {1, 2, 4, 8, 16};
    bench_report* r = b->report;
    sis_system* system = scene_compiled(build(), 48000, SIS_SCHEME_AS_GIVEN, AUDITED, true);
    if (!system) return;
    const int blocks = b->quick ? 2 : 48000 / ROWS, rounds = b->quick ? 1 : ROUNDS;
    const int32_t parts = sis_system_parts(system);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    part_times times = {{0}};
    double all = 0, longest = 0, alone = best_run(system, 1, blocks, rounds);
    run(system, &(sis_threads){&times, in_turn}, blocks);
    for (int32_t p = 0; p < parts; p++) {
        all += times.seconds[p];
        longest = fmax(longest, times.seconds[p]);
    }
    report_begin(r, "Many cores for one scene: 100 strings with a barrier each",
                 "threads|parts|wall for 1 s of sound|faster than one|by the work of parts|"
                 "longest part");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bool here = counts[i] <= cores;
        double wall = counts[i] == 1 ? alone
                      : here         ? best_run(system, counts[i], blocks, rounds)
                                     : (double)NAN;
        double gain = gain_of(&times, parts, counts[i]);
        report_row(r);
        report_text(r, "%d", counts[i]);
        report_text(r, "%d", (int)parts);
        report_number(r, 1e3 * wall * 48000 / (blocks * ROWS), 0, " ms");
        report_number(r, alone / wall, 2, "x");
        report_number(r, gain, 2, "x");
        report_number(r, 100 * longest / all, 1, " %");
        if (here) report_keep(r, alone / wall, "threads/%d/wall", counts[i]);
        report_keep(r, gain, "threads/%d/work", counts[i]);
    }
    report_end(r, true,
               "Audited, probes written, blocks of 256 rows. Wall: best of nine, which other "
               "programs disturb. By the work of\nparts: CPU time of all parts over that of the "
               "busiest thread if each takes the next part when it is free;\nlongest part: its "
               "share of all. The results have the same bits for any number of threads.");
    sis_system_free(system);
}
