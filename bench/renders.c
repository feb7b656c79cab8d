// Whole renders: the program itself, from its start to the finished WAV, against the engine alone.
//
// engine: sis_step over the same scene as compiled by render, audited, in blocks of 256 samples
// with all probes written, and the energies asked for after each block, as render does it without
// --energy. render: `sistrum render SCENE -o OUT.wav --duration D --quiet` as a process of its own,
// in a temporary folder. The two take turns; the best of each counts. Each turn renders twice: where
// a virtual machine gives free memory back to its host, the first has to fetch it again, page by
// page, which may take longer than the run; the second takes what the first has just left.
//
// The filter of oversampled scenes belongs to render: sis_step delivers steps, and what a user
// makes of them is theirs. What the share would be if it belonged to the engine stands beside it.
#include "renders.h"
#include "cases.h"
#include "script.h"
#include "sections.h"
#include "sistrum/downsample.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 256, ROUNDS = 5, IN_A_ROW = 2 };
static const double ENGINE_SECONDS = 0.6; // of CPU: render then takes more than half a second
static const double LONGEST = 600;        // s of sound

extern char** environ;

/** A playable scene, and the folder it is rendered in. */
typedef struct whole {
    sis_system* system;
    sis_state* state;
    double* probes;
    sis_downsampler* filter; // NULL: not oversampled
    double *heard, *rows;    // what goes into it and what comes out
    int32_t columns, channels;
    double duration;  // s of sound
    uint64_t samples; // the steps of that duration
    char scene[PATH_MAX], sound[PATH_MAX];
    taken engine, filtered, render; // filtered: the engine with its filter
} whole;

double render_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

sis_state* render_start(const sis_system* system, void* memory) {
    sis_state* state = sis_state_init(system, memory);
    for (int32_t i = 0; state && i < sis_system_input_count(system); i++)
        if (sis_system_input(system, i).trigger) sis_state_input_set(system, state, i, 1);
    return state;
}

taken render_lesser(taken a, taken b) {
    return (taken){fmin(a.cpu, b.cpu), a.cpu < b.cpu ? a.system : b.system, fmin(a.wall, b.wall)};
}

// ---------------------------------------------------------------------------- the engine

/** The channels of a block, through the filter. */
static void run_filter(whole* w, int32_t frames) {
    for (int32_t n = 0; n < frames; n++)
        for (int32_t c = 0; c < w->channels; c++)
            w->heard[n * w->channels + c] = w->probes[n * w->columns + c];
    sis_downsampler_run(w->filter, w->heard, frames, w->rows);
}

/** Steps until `samples` are done or `seconds` of CPU are used up; returns how many were done. */
static uint64_t run_engine(whole* w, uint64_t samples, double seconds, bool filters, taken* time) {
    double cpu = render_clock(CLOCK_THREAD_CPUTIME_ID), wall = render_clock(CLOCK_MONOTONIC);
    double end = cpu + seconds, least = 0;
    uint64_t done = 0;
    render_start(w->system, w->state);
    while (done < samples) {
        uint64_t left = samples - done;
        sis_block block = {left < BLOCK ? (int32_t)left : BLOCK, w->probes, NULL, NULL};
        sis_step(w->system, w->state, &block);
        least = fmin(least, sis_state_energy(w->system, w->state).total);
        if (filters) run_filter(w, block.frames);
        done += (uint64_t)block.frames;
        if (done % (64 * BLOCK) == 0 && render_clock(CLOCK_THREAD_CPUTIME_ID) > end) break;
    }
    if (!isfinite(least)) fprintf(stderr, "bench: %s is not finite\n", w->scene);
    *time = (taken){render_clock(CLOCK_THREAD_CPUTIME_ID) - cpu, 0,
                    render_clock(CLOCK_MONOTONIC) - wall};
    return done;
}

// ---------------------------------------------------------------------------- the program

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static taken children(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    double system = seconds_of(used.ru_stime);
    return (taken){seconds_of(used.ru_utime) + system, system, render_clock(CLOCK_MONOTONIC)};
}

bool render_run(const char* program, const char* scene, const char* sound, double seconds,
                taken* time) {
    char duration[32];
    snprintf(duration, sizeof duration, "%.9g", seconds);
    char* words[] = {(char*)program, "render", (char*)scene, "-o", (char*)sound,
                     "--duration",   duration, "--quiet",    NULL};
    taken before = children();
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, program, NULL, NULL, words, environ) != 0) return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    taken now = children();
    *time = (taken){now.cpu - before.cpu, now.system - before.system, now.wall - before.wall};
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ---------------------------------------------------------------------------- one scene

bool render_write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    bool good = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && good;
}

/** Steps a sample of a playable scene; 0: it is none. */
static int32_t played_steps(const scene_text* t) {
    sis_script_error wrong = {0};
    sis_script* script = sis_script_load_text(t->text, strlen(t->text), t->name, NULL, 0, &wrong);
    bool playable = script && sis_script_play(script);
    int32_t steps = playable ? sis_scene_render(sis_script_scene(script)).oversample : 0;
    sis_script_free(script);
    return steps;
}

static void whole_close(whole* w) {
    unlink(w->scene);
    unlink(w->sound);
    sis_system_free(w->system);
    free(w->state);
    free(w->probes);
    free(w->filter);
    free(w->heard);
    free(w->rows);
}

/** A duration for which the engine is busy for `seconds`. */
static void choose_duration(whole* w, double seconds) {
    double rate = sis_system_rate(w->system);
    taken time;
    uint64_t done = run_engine(w, (uint64_t)(LONGEST * rate), seconds, false, &time);
    w->duration = ceil(100 * (double)done / rate) / 100;
    w->samples = (uint64_t)round(w->duration * rate);
}

static bool make_filter(whole* w, int32_t steps) {
    for (int32_t p = 0; p < w->columns; p++) {
        int32_t channel = sis_system_probe(w->system, p).channel;
        if (channel > w->channels) w->channels = channel;
    }
    if (steps < 2 || w->channels < 1 || w->channels > w->columns) return true;
    size_t values = (size_t)(BLOCK + 1) * (size_t)w->channels;
    w->heard = calloc(values, sizeof *w->heard);
    w->rows = calloc(values, sizeof *w->rows);
    void* memory = malloc(sis_downsampler_size(steps, w->channels));
    w->filter = memory ? sis_downsampler_init(steps, w->channels, memory) : NULL;
    return w->heard && w->rows && w->filter;
}

static bool whole_open(whole* w, const scene_text* t, int32_t steps, const char* folder,
                       double seconds) {
    static const taken never = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *w = (whole){.engine = never, .filtered = never, .render = never};
    snprintf(w->scene, sizeof w->scene, "%s/%s.lua", folder, t->name);
    snprintf(w->sound, sizeof w->sound, "%s/%s.wav", folder, t->name);
    w->system = scene_system(t->name, NULL, 1, SIS_SCHEME_AS_GIVEN, AUDITED, true);
    if (!w->system) return false;
    size_t probes = (size_t)sis_system_probe_count(w->system);
    w->state = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(w->system));
    w->probes = calloc(BLOCK * (probes + 1), sizeof *w->probes);
    w->columns = (int32_t)probes;
    if (!w->state || !w->probes || !make_filter(w, steps) || !render_write_text(w->scene, t->text))
        return false;
    choose_duration(w, seconds);
    return true;
}

static bool measure(whole* w, const char* program, int rounds) {
    for (int i = 0; i < rounds; i++) {
        taken time;
        run_engine(w, w->samples, HUGE_VAL, false, &time);
        w->engine = render_lesser(w->engine, time);
        if (w->filter) run_engine(w, w->samples, HUGE_VAL, true, &time);
        w->filtered = render_lesser(w->filtered, time);
        for (int j = 0; j < IN_A_ROW; j++) {
            if (!render_run(program, w->scene, w->sound, w->duration, &time)) return false;
            w->render = render_lesser(w->render, time);
        }
    }
    return true;
}

static double tell(bench_report* r, const char* name, const whole* w) {
    double share = w->engine.cpu / w->render.cpu;
    report_row(r);
    report_text(r, "%s", name);
    report_number(r, w->duration, 1, " s");
    report_number(r, 1e3 * w->engine.cpu, 0, " ms");
    report_number(r, 1e3 * w->render.cpu, 0, " ms");
    report_number(r, 1e3 * w->render.system, 0, " ms");
    report_number(r, 100 * share, 1, " %");
    report_number(r, w->filter ? 100 * w->filtered.cpu / w->render.cpu : (double)NAN, 1, " %");
    report_number(r, 1e3 * w->render.wall, 0, " ms");
    report_number(r, 100 * w->engine.wall / w->render.wall, 1, " %");
    report_number(r, w->duration / w->render.cpu, 1, "x");
    report_keep(r, share, "render/%s", name);
    return share;
}

// ---------------------------------------------------------------------------- all of them

/** The share of the slowest; NaN: one did not run. */
static double table_of(const bench_context* b, const char* folder) {
    static whole w;
    double worst = (double)NAN;
    int told = 0;
    for (const scene_text* t = bench_scene_texts; t->name && (!b->quick || told < 2); t++) {
        int32_t steps = played_steps(t);
        if (!steps) continue;
        bool good = whole_open(&w, t, steps, folder, b->quick ? 0.01 : ENGINE_SECONDS) &&
                    measure(&w, b->program, b->quick ? 1 : ROUNDS);
        if (good)
            worst = fmin(worst, tell(b->report, t->name, &w)), told++;
        else
            fprintf(stderr, "bench: %s was not rendered\n", t->name);
        whole_close(&w);
    }
    return worst;
}

bool render_folder(char* folder, size_t size) {
    const char* where = getenv("TMPDIR");
    snprintf(folder, size, "%s/sistrum-bench-XXXXXX", where && *where ? where : "/tmp");
    if (mkdtemp(folder)) return true;
    fprintf(stderr, "bench: cannot make %s: %s\n", folder, strerror(errno));
    return false;
}

void section_renders(const bench_context* b) {
    char folder[PATH_MAX - 64];
    if (!b->program || !render_folder(folder, sizeof folder)) return;
    bench_report* r = b->report;
    report_begin(r, "Whole renders of the playable scenes against the engine alone",
                 "scene|sound|engine|render|of it system|render runs at|with the filter|render, "
                 "wall|at, wall|"
                 "real time");
    report_keep(r, table_of(b, folder), "render");
    report_end(
        r, true,
        "Engine: sis_step audited, probes written, energies after every 256 samples. Render: "
        "sistrum render\nSCENE -o OUT.wav as a process, from its start to the finished file. "
        "CPU time (user and system), best of\nfive turns of one engine and two renders, and the "
        "same by the clock on the wall, which other\nprograms disturb. Sound: as long as the "
        "engine takes 0.6 s for. With the filter: if the filter of\noversampled scenes belonged "
        "to the engine.");
    rmdir(folder);
}
