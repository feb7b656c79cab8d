// Studies: what sistrum sweep costs beside the runs themselves, and what its database takes.
//
// loop: for each run the scene is loaded with its params, compiled and stepped in blocks of 256
// samples with the energy asked for after each block, as render does it, and peak and mean square
// are taken. sweep: the same runs and measures as a study with one thread, into a database on disk.
// Both in CPU time of the whole process, writer included; they take turns, the best of each counts.
#define _DEFAULT_SOURCE // wait4
#include "renders.h"
#include "sections.h"

#ifdef SISTRUM_SWEEP

#include "sweep_work.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { BLOCK = 256, ROUNDS = 5 };

/** A study that is timed. */
typedef struct study_case {
    const char* scene;
    int to;          // K goes from 1e4 to 10^to
    double duration; // s of each run
    uint64_t runs;
} study_case;

static const char* text_of(const char* name) {
    for (const scene_text* t = bench_scene_texts; t->name; t++)
        if (!strcmp(t->name, name)) return t->text;
    return "";
}

static sis_sweep* make_sweep(const char* scene, const char* const* axis, double duration) {
    sis_fault fault = {.text = ""};
    const char* text = text_of(scene);
    sis_sweep_spec spec = {.scene = text,
                           .scene_size = strlen(text),
                           .scene_name = scene,
                           .rate = (double)NAN,
                           .duration = duration,
                           .scheme = SIS_SCHEME_AS_GIVEN,
                           .axes = axis,
                           .axis_count = 1,
                           .hold = (double)NAN,
                           .a4 = 440,
                           .measures = "peak,rms,residual"};
    sis_sweep* sweep = sis_sweep_new(&spec, &fault);
    if (!sweep) fprintf(stderr, "bench: %s: %s\n", scene, fault.text);
    return sweep;
}

// ---------------------------------------------------------------------------- a plain loop

/** One run; what a user of the library would write. */
static double run_once(const sis_sweep* s, const sis_setting* setting) {
    double probes[BLOCK * 4], peak = 0, squares = 0, off = 0;
    sis_script* script = sis_script_load_text(s->spec.scene, s->spec.scene_size, s->spec.scene_name,
                                              setting, 1, NULL);
    sis_render_def render = sis_scene_render(sis_script_scene(script));
    sis_options how = {.rate = render.rate * render.oversample, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(sis_script_scene(script), &how, NULL);
    void* memory = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    sis_state* state = sis_state_init(system, memory);
    int32_t columns = sis_system_probe_count(system);
    uint64_t left = (uint64_t)round(how.rate * s->spec.duration);
    while (left && columns <= 4) {
        int32_t now = left < BLOCK ? (int32_t)left : BLOCK;
        sis_step(system, state, &(sis_block){now, probes, NULL, NULL});
        off = fmax(off, fabs(sis_state_energy(system, state).residual));
        for (int32_t n = 0; n < now; n++) {
            peak = fmax(peak, fabs(probes[n * columns]));
            squares += probes[n * columns] * probes[n * columns];
        }
        left -= (uint64_t)now;
    }
    free(memory);
    sis_system_free(system);
    sis_script_free(script);
    return peak + squares + off;
}

static double time_loop(const sis_sweep* s) {
    double sum = 0, start = render_clock(CLOCK_PROCESS_CPUTIME_ID);
    for (uint64_t i = 0; i < sis_sweep_count(s); i++) {
        double values[SIS_AXES_MOST];
        sis_points_at(&s->points, i, values);
        sum += run_once(s, &(sis_setting){s->points.axes[0].name, values[0]});
    }
    double used = render_clock(CLOCK_PROCESS_CPUTIME_ID) - start;
    return isfinite(sum) ? used : (double)NAN;
}

// ---------------------------------------------------------------------------- the study

static double time_sweep(const sis_sweep* s, const char* path) {
    sis_fault fault = {.text = ""};
    unlink(path);
    double start = render_clock(CLOCK_PROCESS_CPUTIME_ID);
    sis_base* base = sis_base_open(path, s, "bench", &fault);
    sis_work work = {.sweep = s, .base = base, .threads = 1, .parts = 1};
    bool done = base && sis_work_go(&work, &fault);
    done = sis_base_close(base, &fault) && done;
    if (!done) fprintf(stderr, "bench: %s\n", fault.text);
    return done ? render_clock(CLOCK_PROCESS_CPUTIME_ID) - start : (double)NAN;
}

static void time_studies(const bench_context* b, const char* path) {
    static const study_case cases[] = {{"mass_barrier", 10, 1, 400}, {"tanpura", 8, 0.5, 60}};
    bench_report* r = b->report;
    report_begin(r, "Studies: sistrum sweep against the same runs in a loop, one core",
                 "scene|runs|s each|loop, ms a run|sweep, ms a run|loop/sweep");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const study_case* c = &cases[i];
        int runs = b->quick ? 5 : (int)c->runs;
        char axis[64];
        snprintf(axis, sizeof axis, "K=1e4:1e%d:log:%d", c->to, runs);
        const char* const axes[] = {axis};
        double duration = b->quick ? 0.02 : c->duration;
        sis_sweep* s = make_sweep(c->scene, axes, duration);
        if (!s) continue;
        double loop = (double)NAN, sweep = (double)NAN;
        for (int n = 0; n < (b->quick ? 1 : ROUNDS); n++) {
            loop = fmin(loop, time_loop(s));
            sweep = fmin(sweep, time_sweep(s, path));
        }
        report_row(r);
        report_text(r, "%s", c->scene);
        report_text(r, "%d", runs);
        report_number(r, duration, 2, "");
        report_number(r, 1e3 * loop / runs, 3, "");
        report_number(r, 1e3 * sweep / runs, 3, "");
        report_number(r, 100 * loop / sweep, 0, " %");
        report_keep(r, loop / sweep, "study/%s", c->scene);
        sis_sweep_free(s);
    }
    report_end(r, true, "CPU time, best of 5 turns; measures peak, rms and residual.");
}

// ---------------------------------------------------------------------------- the database

static double megabytes_used(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024;
}

/** Puts rows of no run at all. */
static bool append(sis_base* base, uint64_t from, uint64_t to, sis_fault* fault) {
    sis_row row = {.index = from};
    for (; row.index < to; row.index++) {
        for (int i = 0; i < 4; i++)
            row.values[i] = 1 / (1.5 + (double)((row.index * 7919 + (uint64_t)i) % 1000003));
        if (!sis_base_put(base, &row, fault)) return false;
        if (row.index % 1000 == 999 && !sis_base_commit(base, fault)) return false;
    }
    return sis_base_commit(base, fault);
}

static bool ignore_row(void* self, const sis_row* row) {
    double* sum = self;
    *sum += row->values[1];
    return true;
}

static double time_query(sis_base* base, const char* query, sis_fault* fault) {
    double sum = 0, start = render_clock(CLOCK_MONOTONIC);
    bool fine = sis_base_each(base, query, ignore_row, &sum, fault);
    return fine ? render_clock(CLOCK_MONOTONIC) - start : (double)NAN;
}

static double time_csv(sis_base* base, sis_fault* fault) {
    FILE* nowhere = fopen("/dev/null", "w");
    double start = render_clock(CLOCK_MONOTONIC);
    bool fine = nowhere && sis_base_csv(base, nowhere, fault);
    if (nowhere) fclose(nowhere);
    return fine ? render_clock(CLOCK_MONOTONIC) - start : (double)NAN;
}

static void tell_base(const bench_context* b, const char* what, double value, int digits,
                      const char* unit, const char* key) {
    report_row(b->report);
    report_text(b->report, "%s", what);
    report_number(b->report, value, digits, unit);
    report_keep(b->report, value, "study/base/%s", key);
}

/** `sistrum sweep show PATH` as a process of its own, with `csv` as CSV: seconds, and the most memory
 * it had. */
static bool time_show(const char* program, const char* path, bool csv, double* seconds,
                      double* megabytes) {
    char* words[] = {(char*)program,       "sweep",          "show", (char*)path,
                     csv ? "--csv" : NULL, csv ? "-" : NULL, NULL};
    posix_spawn_file_actions_t to;
    struct rusage used;
    pid_t child;
    int status = 0;
    if (!program || posix_spawn_file_actions_init(&to) != 0) return false;
    double start = render_clock(CLOCK_MONOTONIC);
    bool began = posix_spawn_file_actions_addopen(&to, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                 posix_spawn(&child, program, &to, NULL, words, environ) == 0;
    bool ended = began && wait4(child, &status, 0, &used) == child;
    posix_spawn_file_actions_destroy(&to);
    *seconds = render_clock(CLOCK_MONOTONIC) - start;
    *megabytes = ended ? (double)used.ru_maxrss / 1024 : 0;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void tell_show(const bench_context* b, const char* path, bool csv) {
    double seconds = 0, megabytes = 0;
    if (!time_show(b->program, path, csv, &seconds, &megabytes)) return;
    tell_base(b, csv ? "sistrum sweep show --csv -" : "sistrum sweep show", 1e3 * seconds, 0, " ms",
              csv ? "show_csv" : "show");
    tell_base(b, "its memory", megabytes, 0, " MB", csv ? "show_csv_memory" : "show_memory");
}

static void tell_queries(const bench_context* b, const char* path, double rows, sis_fault* fault) {
    sis_base* base = sis_base_read(path, fault);
    if (!base) return;
    double start = render_clock(CLOCK_MONOTONIC);
    double mean = sis_base_number(base, "SELECT avg(rms) FROM runs");
    tell_base(b, "mean of a column", 1e3 * (render_clock(CLOCK_MONOTONIC) - start), 0, " ms",
              isnan(mean) ? "lost" : "mean");
    double best = time_query(base, "WHERE rms IS NOT NULL ORDER BY rms DESC, idx LIMIT 10", fault);
    tell_base(b, "the ten best", 1e3 * best, 0, " ms", "best");
    tell_base(b, "all rows read", rows / time_query(base, "", fault), 0, " a second", "read");
    tell_base(b, "rows as CSV", rows / time_csv(base, fault), 0, " a second", "csv");
    sis_base_close(base, NULL);
    tell_show(b, path, false);
    tell_show(b, path, true);
}

enum { PARTS = 100 };

static char* part_path(const char* path, int part) {
    char* name = malloc(strlen(path) + 16);
    if (name) sprintf(name, "%s.%d", path, part);
    return name;
}

/** Part `part` of a study, as the rank of a job fills it: every hundredth block. */
static bool make_part(const sis_sweep* s, const char* path, int part, sis_fault* fault) {
    uint64_t count = sis_sweep_count(s), block = (uint64_t)part;
    unlink(path);
    sis_base* base = sis_base_open(path, s, "bench", fault);
    bool fine = base != NULL;
    for (; fine && block < sis_sweep_blocks(s); block += PARTS) {
        uint64_t from = block * s->block, to = from + s->block;
        fine = append(base, from, to < count ? to : count, fault);
    }
    return sis_base_close(base, fault) && fine;
}

static void tell_merge(const bench_context* b, const sis_sweep* s, const char* path,
                       const char* const* parts, sis_fault* fault) {
    double rows = (double)sis_sweep_count(s);
    unlink(path);
    sis_base* base = sis_base_open(path, s, "bench", fault);
    double used = render_clock(CLOCK_PROCESS_CPUTIME_ID), start = render_clock(CLOCK_MONOTONIC);
    bool fine = base && sis_base_take(base, parts, PARTS, fault);
    used = render_clock(CLOCK_PROCESS_CPUTIME_ID) - used;
    double passed = render_clock(CLOCK_MONOTONIC) - start;
    if (!sis_base_close(base, fault) || !fine) return;
    tell_base(b, "put together of 100 parts, CPU time", 1e6 * used / rows, 2, " us a row", "merge");
    tell_base(b, "the same, disk included", 1e6 * passed / rows, 2, " us a row", "merge_wall");
    start = render_clock(CLOCK_MONOTONIC);
    base = sis_base_open(path, s, "bench", fault);
    passed = render_clock(CLOCK_MONOTONIC) - start;
    if (base)
        tell_base(b, "counted when a study goes on", 1e6 * passed / rows, 2, " us a row", "count");
    sis_base_close(base, fault);
}

/** What rank 0 of a job does with the databases of the others. */
static void time_merge(const bench_context* b, const sis_sweep* s, const char* path,
                       sis_fault* fault) {
    char* parts[PARTS] = {NULL};
    bool fine = true;
    for (int i = 0; fine && i < PARTS; i++) {
        parts[i] = part_path(path, i);
        fine = parts[i] && make_part(s, parts[i], i, fault);
    }
    if (fine) tell_merge(b, s, path, (const char* const*)parts, fault);
    for (int i = 0; i < PARTS; i++) {
        if (parts[i]) unlink(parts[i]);
        free(parts[i]);
    }
}

static void time_base(const bench_context* b, const char* path) {
    const uint64_t rows = b->quick ? 2000 : 1000000;
    char axis[64];
    snprintf(axis, sizeof axis, "K=1e4:1e8:%llu", (unsigned long long)rows);
    const char* const axes[] = {axis};
    sis_fault fault = {.text = ""};
    sis_sweep* s = make_sweep("mass_barrier", axes, 0.1);
    unlink(path);
    sis_base* base = s ? sis_base_open(path, s, "bench", &fault) : NULL;
    if (base) {
        report_begin(b->report, "Studies: the database", "what|measured");
        tell_base(b, "rows", (double)rows, 0, "", "rows");
        bool fine = append(base, 0, rows / 4, &fault); // the cache of SQLite is full by then
        double before = megabytes_used(), start = render_clock(CLOCK_MONOTONIC);
        fine = fine && append(base, rows / 4, rows, &fault);
        double seconds = render_clock(CLOCK_MONOTONIC) - start, more = megabytes_used() - before;
        fine = sis_base_close(base, &fault) && fine;
        tell_base(b, "appended in transactions of 1000", 0.75 * (double)rows / seconds, 0,
                  " rows a second", "append");
        tell_base(b, "memory that the last three quarters took", more, 1, " MB", "memory");
        struct stat file;
        double size = stat(path, &file) == 0 ? (double)file.st_size : (double)NAN;
        tell_base(b, "size", size / (double)rows, 0, " bytes a row", "bytes");
        if (fine) tell_queries(b, path, (double)rows, &fault);
        if (fine) time_merge(b, s, path, &fault);
        report_end(b->report, true, "Wall time, on the disk of $TMPDIR; one param and 3 measures.");
    }
    if (*fault.text) fprintf(stderr, "bench: %s\n", fault.text);
    sis_sweep_free(s);
}

void section_studies(const bench_context* b) {
    char folder[PATH_MAX], path[PATH_MAX + 16];
    const char* place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/sistrum-bench-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder)) return;
    snprintf(path, sizeof path, "%s/study.db", folder);
    time_studies(b, path);
    time_base(b, path);
    unlink(path);
    rmdir(folder);
}

#else

void section_studies(const bench_context* b) {
    (void)b;
}

#endif
