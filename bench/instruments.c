// What a user pays for each shipped scene: how fast `render` makes the WAV and how fast the engine
// alone is, how many voices of it a core plays at 48 kHz, and what its worst block takes.
//
// engine: sis_step at the rate of the scene, audited, with all probes written, in blocks of 256
// rows. render: the program as a process, from its start to the finished WAV. voices: sixteen equal
// states of the scene at 48 kHz, not audited, in turn in blocks of 128 rows, as a synthesiser does;
// `chord` is what they cost beside sixteen times one. block: one voice at 48 kHz, not audited, in
// blocks of 64 rows from the first on.
//
// Every block is timed in several runs, which all do the same in memory that was taken for them, and
// the least counts: what is left are peaks of the work, not of other programs. The worst block is
// one on the wall, all else is CPU time; of the program as a whole the best of several runs counts.
#include "cases.h"
#include "renders.h"
#include "script.h"
#include "sections.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VOICES = 16, VOICE_ROWS = 128, BLOCK_ROWS = 64, ENGINE_ROWS = 256, ROUNDS = 3, RUNS = 5 };
static const double RATE = 48000, CHORD_SECONDS = 1, BLOCK_SECONDS = 4;

/** A shipped scene. */
typedef struct instrument {
    const char *name, *text;
    double rate, duration; // Hz, s
    int32_t oversample;
    double real_time;            // engine: s of sound in a second of CPU
    double rendered;             // the same of the program
    double voices, chord;        // a core; cost of 16 over 16 times that of one
    double p50, p99, p999, most; // s, of a block
} instrument;

// ---------------------------------------------------------------------------- loading

/** The system at `rate` rows per second; 0: that of the scene, which goes into `in`. */
static sis_system* load(instrument* in, double rate, bool unaudited) {
    sis_script_error wrong = {0};
    sis_error error = {0};
    sis_script* script =
        sis_script_load_text(in->text, strlen(in->text), in->name, NULL, 0, &wrong);
    if (!script) {
        fprintf(stderr, "bench: %s\n", wrong.text);
        return NULL;
    }
    const sis_scene* scene = sis_script_scene(script);
    sis_render_def run = sis_scene_render(scene);
    sis_options options = sis_options_default(scene);
    in->rate = run.rate;
    in->duration = run.duration;
    in->oversample = run.oversample;
    options.rate = (rate > 0 ? rate : run.rate) * run.oversample;
    options.unaudited = unaudited;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) fprintf(stderr, "bench: %s: %s\n", in->name, error.text);
    sis_script_free(script);
    return system;
}

/** States of one system, and room for a block of probes. */
typedef struct players {
    const sis_system* system;
    sis_state* states[VOICES];
    double* probes;
    int32_t count, frames; // frames of a block
} players;

static bool players_open(players* p, const sis_system* system, int32_t count, int32_t frames) {
    *p = (players){.system = system, .count = count, .frames = frames};
    size_t values = ((size_t)sis_system_probe_count(system) + 1) * (size_t)frames;
    p->probes = malloc(values * sizeof *p->probes);
    if (p->probes) memset(p->probes, 0, values * sizeof *p->probes);
    bool good = p->probes != NULL;
    for (int32_t i = 0; i < count; i++) {
        p->states[i] = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
        good = good && p->states[i];
    }
    return good;
}

static void players_close(players* p) {
    for (int32_t i = 0; i < p->count; i++)
        free(p->states[i]);
    free(p->probes);
}

static void players_block(players* p) {
    for (int32_t i = 0; i < p->count; i++)
        sis_step(p->system, p->states[i], &(sis_block){p->frames, p->probes, NULL, NULL});
}

// ---------------------------------------------------------------------------- blocks in time

/** Times every block of all states, from their start, and keeps what is shorter than before. */
static bool time_blocks(players* p, int blocks, clockid_t clock, double* least) {
    for (int32_t i = 0; i < p->count; i++)
        if (!render_start(p->system, p->states[i])) return false;
    for (int b = 0; b < blocks; b++) {
        double start = render_clock(clock);
        players_block(p);
        least[b] = fmin(least[b], render_clock(clock) - start);
    }
    return true;
}

/** The least time of each block over several runs in memory of their own, s; the caller frees it.
 * NULL: no memory. */
static double* least_times(const sis_system* system, int32_t count, int32_t frames, int blocks,
                           int runs, clockid_t clock) {
    double* least = malloc((size_t)blocks * sizeof *least);
    bool good = least != NULL;
    for (int b = 0; good && b < blocks; b++)
        least[b] = HUGE_VAL;
    for (int run = 0; good && run < runs; run++) {
        players p;
        good = players_open(&p, system, count, frames) && time_blocks(&p, blocks, clock, least);
        players_close(&p);
    }
    if (!good) free(least);
    return good ? least : NULL;
}

// ---------------------------------------------------------------------------- speed

/** Seconds for so many blocks of `count` states. */
static double play(const sis_system* system, int32_t count, int32_t frames, int blocks, int runs) {
    double* least = least_times(system, count, frames, blocks, runs, CLOCK_THREAD_CPUTIME_ID);
    double sum = least ? 0 : (double)NAN;
    for (int b = 0; least && b < blocks; b++)
        sum += least[b];
    free(least);
    return sum;
}

static void measure_engine(instrument* in, double seconds, int rounds) {
    sis_system* system = load(in, 0, false);
    if (!system) return;
    double length = fmin(in->duration, seconds);
    int blocks = (int)ceil(length * in->rate / ENGINE_ROWS);
    double spent = play(system, 1, ENGINE_ROWS * in->oversample, blocks, rounds);
    in->real_time = blocks * ENGINE_ROWS / in->rate / spent;
    sis_system_free(system);
}

static void measure_voices(instrument* in, double seconds, int rounds) {
    sis_system* system = load(in, RATE, true);
    if (!system) return;
    int32_t frames = VOICE_ROWS * in->oversample;
    int blocks = (int)ceil(seconds * RATE / VOICE_ROWS);
    double one = play(system, 1, frames, blocks, rounds);
    double many = play(system, VOICES, frames, blocks, rounds);
    in->voices = VOICES * (blocks * VOICE_ROWS / RATE) / many;
    in->chord = many / (VOICES * one);
    sis_system_free(system);
}

static void measure_render(instrument* in, const char* program, const char* folder, int rounds) {
    char scene[PATH_MAX], sound[PATH_MAX];
    taken best = {HUGE_VAL, 0, HUGE_VAL}, time;
    snprintf(scene, sizeof scene, "%s/%s.lua", folder, in->name);
    snprintf(sound, sizeof sound, "%s/%s.wav", folder, in->name);
    bool good = render_write_text(scene, in->text);
    for (int round = 0; good && round < rounds; round++) {
        good = render_run(program, scene, sound, in->duration, &time);
        if (good) best = render_lesser(best, time);
    }
    if (good) in->rendered = in->duration / best.cpu;
    unlink(scene);
    unlink(sound);
}

// ---------------------------------------------------------------------------- blocks

static int by_size(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/** That of which a share of all is at most as large. */
static double quantile(const double* sorted, int count, double share) {
    int at = (int)ceil(share * count) - 1;
    return sorted[at < 0 ? 0 : at];
}

static void measure_blocks(instrument* in, double seconds, int runs) {
    sis_system* system = load(in, RATE, true);
    if (!system) return;
    int blocks = (int)ceil(seconds * RATE / BLOCK_ROWS);
    double* least =
        least_times(system, 1, BLOCK_ROWS * in->oversample, blocks, runs, CLOCK_MONOTONIC);
    if (least) {
        qsort(least, (size_t)blocks, sizeof *least, by_size);
        in->p50 = quantile(least, blocks, 0.5);
        in->p99 = quantile(least, blocks, 0.99);
        in->p999 = quantile(least, blocks, 0.999);
        in->most = least[blocks - 1];
    }
    free(least);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- tables

static const double DEADLINE = BLOCK_ROWS / 48000.0; // s

static void tell(bench_report* r, const instrument* in) {
    const double us = 1e6;
    report_row(r);
    report_text(r, "%s", in->name);
    report_number(r, in->real_time, 1, "x");
    report_number(r, in->rendered, 1, "x");
    report_number(r, in->voices, 1, "");
    report_number(r, in->chord, 2, "x");
    report_number(r, us * in->p50, 1, " us");
    report_number(r, us * in->p99, 1, " us");
    report_number(r, us * in->p999, 1, " us");
    report_number(r, us * in->most, 1, " us");
    report_number(r, 100 * in->p999 / DEADLINE, 1, " %");
    report_keep(r, in->real_time, "instrument/%s/engine", in->name);
    report_keep(r, in->rendered, "instrument/%s/render", in->name);
    report_keep(r, in->voices, "instrument/%s/voices", in->name);
    report_keep(r, in->chord, "instrument/%s/chord", in->name);
    report_keep(r, in->p50, "instrument/%s/block_p50", in->name);
    report_keep(r, in->p99, "instrument/%s/block_p99", in->name);
    report_keep(r, in->p999, "instrument/%s/block_p999", in->name);
    report_keep(r, in->most, "instrument/%s/block_max", in->name);
    report_keep(r, in->p999 / DEADLINE, "instrument/%s/deadline", in->name);
}

/** The least of what was kept of some scenes. */
static double least_of(const bench_report* r, const char* const* names, int count) {
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        double voices = report_value_of(r, "instrument/%s/voices", names[i]);
        if (isnan(voices)) return voices;
        least = fmin(least, voices);
    }
    return least;
}

/** For claims: the least voices of light and of heavy instruments, the longest p99.9 of all. */
static void keep_claims(bench_report* r, double longest) {
    static const char* const light[] = {"felt_piano", "guitar", "sitar"};
    static const char* const heavy[] = {"tanpura_drone", "tromba_marina", "snare"};
    report_keep(r, least_of(r, light, 3), "voices/light");
    report_keep(r, least_of(r, heavy, 3), "voices/heavy");
    report_keep(r, longest, "deadline");
}

static bool is_shipped(const char* name) {
    static const char* const own[] = {"A", "B", "C", "frets"}; // scenes of the bench itself
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0) return false;
    return true;
}

static void measure(instrument* in, const bench_context* b, const char* folder) {
    const bool quick = b->quick;
    const int rounds = quick ? 1 : ROUNDS;
    measure_engine(in, quick ? 0.05 : HUGE_VAL, rounds);
    measure_voices(in, quick ? 0.01 : CHORD_SECONDS, rounds);
    measure_blocks(in, quick ? 0.05 : BLOCK_SECONDS, quick ? 1 : RUNS);
    if (quick) in->duration = fmin(in->duration, 0.05);
    if (folder) measure_render(in, b->program, folder, rounds);
}

/** What others need for the workloads of the bench, s of CPU a second of sound. */
static const struct {
    const char *workload, *words, *other, *scalar;
} peers[] = {
    {"A", "string N 223 on a barrier", "NESS 0.45", "0.067"},
    {"A5", "the same at 220.5 kHz", "NESS 35", "6.3"},
    {"B", "string N 88", "NESS 0.14", "0.0105"},
    {"C", "string N 139", "NESS 0.14", "0.0112"},
    {"tromba-marina", "string and plate 134 x 17", "its author 0.326", "-"},
};
enum { PEERS = sizeof peers / sizeof peers[0] };

static int workload_of(const char* name) {
    int i = 0;
    while (i < workload_count() && strcmp(workload_name(i), name) != 0)
        i++;
    return i;
}

static void table_of_peers(const bench_context* b) {
    bench_report* r = b->report;
    report_begin(r, "Beside other programs: seconds of CPU for a second of sound",
                 "workload|what|Sistrum, this run|another program|plain C of the same scheme");
    for (int i = 0; i < PEERS; i++) {
        sis_system* system =
            workload_system(workload_of(peers[i].workload), SIS_SCHEME_AS_GIVEN, UNAUDITED);
        if (!system) continue;
        double rate = sis_system_rate(system), seconds = b->quick ? 0.01 : 1;
        int blocks = (int)ceil(seconds * rate / ENGINE_ROWS);
        double spent = play(system, 1, ENGINE_ROWS, blocks, b->quick ? 1 : ROUNDS) /
                       (blocks * ENGINE_ROWS / rate);
        report_row(r);
        report_text(r, "%s", peers[i].workload);
        report_text(r, "%s", peers[i].words);
        report_number(r, spent, 4, " s");
        report_text(r, "%s", peers[i].other);
        report_text(r, "%s", peers[i].scalar);
        report_keep(r, spent, "peer/%s", peers[i].workload);
        sis_system_free(system);
    }
    report_end(r, true,
               "The two columns on the right are of another run on another machine (Zen 3, about "
               "3.2 GHz, AVX2): compare\norders of magnitude, not digits. NESS is the C++ program "
               "of the Edinburgh project with Newton's method, the\nauthor's program of the tromba "
               "marina takes 7.4 us a sample.");
}

void section_instruments(const bench_context* b) {
    bench_report* r = b->report;
    char folder[PATH_MAX - 64];
    bool renders = b->program && render_folder(folder, sizeof folder);
    double longest = (double)NAN;
    int told = 0;
    report_begin(r, "Instruments: real time, voices a core, and the worst block of 64 rows",
                 "scene|engine|render|voices|chord of 16|block p50|p99|p99.9|max|of the deadline");
    for (const scene_text* t = bench_scene_texts; t->name && (!b->quick || told < 3); t++) {
        instrument in = {.name = t->name,
                         .text = t->text,
                         .real_time = (double)NAN,
                         .rendered = (double)NAN,
                         .voices = (double)NAN,
                         .chord = (double)NAN,
                         .p50 = (double)NAN,
                         .p99 = (double)NAN,
                         .p999 = (double)NAN,
                         .most = (double)NAN};
        if (!is_shipped(t->name)) continue;
        measure(&in, b, renders ? folder : NULL);
        tell(r, &in);
        longest = fmax(longest, in.p999 / DEADLINE);
        told++;
    }
    if (renders) rmdir(folder);
    report_end(
        r, true,
        b->quick
            ? "SHORT WINDOW (--quick): the first 10 to 50 ms of three scenes, once; only to see "
              "that it works."
            : "Engine and render: seconds of sound in a second of CPU, audited, the whole scene; "
              "render from the start of\nthe program to the finished WAV. Voices: that one core "
              "plays at 48 kHz in blocks of 128 rows, not audited, in\nthe first second of "
              "sixteen equal notes; chord: what these cost beside sixteen times one. Block: 64 "
              "rows at\n48 kHz of one voice over 4 s, each the least of five runs; the last "
              "column is p99.9 of the 1.33 ms there are.");
    report_keep(r, b->quick, "instrument/short_window");
    keep_claims(r, longest);
    table_of_peers(b);
}
