// A scene as an instrument that is played: what a callback takes of its period, how long a player
// waits for a note, a scene and a turned knob, and what a prepared keyboard holds.
//
// There is no thread of its own: sis_live_work is called and timed, in CPU time of this thread.
#include "renders.h"
#include "sections.h"

#include "sistrum/live.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVERYTHING ((size_t)4 << 30)
enum { CHORD = 16, PERIOD = 128, FIRST = 64, RUNS = 5, KEYS = 128 };
static const double RATE = 48000, SECONDS = 4;

static double cpu(void) {
    return render_clock(CLOCK_THREAD_CPUTIME_ID);
}

/** `memory` bytes of tones are kept; 1: no key is prepared. */
static sis_live* open_scene(const scene_text* t, double peak, size_t memory) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.worker = o.guard = false;
    o.peak = peak;
    o.memory_most = memory;
    sis_live* live = sis_live_new(&o, &error);
    if (live && sis_live_load(live, t->text, strlen(t->text), t->name, NULL, 0, &error))
        return live;
    fprintf(stderr, "bench: %s\n", error.text);
    sis_live_free(live);
    return NULL;
}

static void play(sis_live* live, int32_t frames, const sis_live_event* events, int32_t count) {
    float left[PERIOD], right[PERIOD];
    sis_live_block block = {
        .frames = frames, .out = {left, right}, .events = events, .event_count = count};
    sis_live_run(live, &block);
}

static sis_live_event key_down(int key) {
    return (sis_live_event){
        .kind = SIS_LIVE_NOTE_ON, .key = (int16_t)key, .note = -1, .value = 100 / 127.0};
}

/** Compiles every key at one velocity. */
static void prepare(sis_live* live) {
    sis_live_prepare(live, 100);
    while (sis_live_work(live))
        play(live, 1, NULL, 0);
}

static int32_t ready(const sis_live* live) {
    int32_t here, to_come;
    sis_live_prepared(live, &here, &to_come);
    return here;
}

/** Bytes that the program has taken; NaN: not known. */
static double taken_bytes(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
#else
    return (double)NAN;
#endif
}

// ---------------------------------------------------------------------------- the callback

static int by_size(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/** Sixteen notes, block by block, each the least of some runs. */
static void time_chord(sis_live* live, double* least, int blocks, int runs) {
    sis_live_event chord[CHORD], panic = {.kind = SIS_LIVE_PANIC};
    for (int i = 0; i < CHORD; i++)
        chord[i] = key_down(45 + 2 * i);
    for (int run = 0; run < runs; run++) {
        for (int i = 0; i < blocks; i++) {
            double start = cpu();
            play(live, PERIOD, i ? NULL : chord, i ? 0 : CHORD);
            double spent = cpu() - start;
            least[i] = run ? fmin(least[i], spent) : spent;
        }
        for (int i = 0; i < 100; i++)
            play(live, PERIOD, &panic, i == 0);
    }
}

static void table_of_callbacks(const bench_context* b) {
    bench_report* r = b->report;
    const int blocks = b->quick ? 20 : (int)(SECONDS * RATE / PERIOD);
    const scene_text* t = bench_scene_texts;
    while (t->name && strcmp(t->name, "guitar") != 0)
        t++;
    sis_live* live = t->name ? open_scene(t, 1, EVERYTHING) : NULL;
    double* least = calloc((size_t)blocks, sizeof *least);
    if (!live || !least) return;
    prepare(live);
    time_chord(live, least, blocks, b->quick ? 1 : RUNS);
    double sum = 0, period = PERIOD / RATE;
    for (int i = 0; i < blocks; i++)
        sum += least[i];
    double first = least[0];
    qsort(least, (size_t)blocks, sizeof *least, by_size);
    report_begin(r, "Callback over period: 16 voices of guitar at 48 kHz, 128 frames",
                 "voices|mean|p99|max|the one with 16 note-ons");
    report_row(r);
    report_text(r, "%d", CHORD);
    report_number(r, 100 * sum / blocks / period, 1, " %");
    report_number(r, 100 * least[(int)(0.99 * blocks)] / period, 1, " %");
    report_number(r, 100 * least[blocks - 1] / period, 1, " %");
    report_number(r, 100 * first / period, 1, " %");
    report_keep(r, sum / blocks / period, "live/callback/mean");
    report_keep(r, least[(int)(0.99 * blocks)] / period, "live/callback/p99");
    report_keep(r, least[blocks - 1] / period, "live/callback/max");
    report_end(r, true,
               "CPU time of sis_live_run over the 2.67 ms there are, 4 s of sixteen notes that "
               "ring, each block the least of\nfive runs; every key was prepared, limiter and DC "
               "blocker are on.");
    free(least);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- instruments

/** What a player waits for, s; bytes. */
typedef struct waits {
    double load, measured; // without and with the measured peak
    double cold, first;    // a note that was not compiled, and the block of one that was
    double param;          // a knob that is compiled
    double keyboard, bytes;
    int32_t keys;
} waits;

/** A key that the scene has: one that sounds when it is played. */
static int find_key(sis_live* live, double* cold) {
    for (int i = 1; i < KEYS; i++) { // the one in the middle was compiled with the scene
        int key = i % 2 ? 59 - i / 2 : 60 + i / 2;
        sis_live_event on = key_down(key), panic = {.kind = SIS_LIVE_PANIC};
        sis_live_status status;
        double start = cpu();
        play(live, FIRST, &on, 1);
        sis_live_work(live);
        play(live, FIRST, NULL, 0);
        *cold = cpu() - start;
        sis_live_status_read(live, &status);
        if (status.voices > 0 && status.waiting == 0) return key;
        play(live, FIRST, &panic, 1);
    }
    return 60;
}

static double time_first_block(sis_live* live, int key) {
    sis_live_event on = key_down(key), panic = {.kind = SIS_LIVE_PANIC};
    for (int i = 0; i < 100; i++)
        play(live, PERIOD, &panic, i == 0);
    double start = cpu();
    play(live, FIRST, &on, 1);
    return cpu() - start;
}

/** From the turn of a knob to the block that has it, while a note sounds. NaN: there is no param. */
static double time_param(sis_live* live) {
    for (int32_t i = 0; i < sis_live_knob_count(live); i++) {
        sis_live_knob knob = sis_live_knob_at(live, i);
        sis_live_status before, after;
        if (knob.input || !(knob.max > knob.min)) continue;
        sis_live_status_read(live, &before);
        double start = cpu();
        sis_live_knob_set(live, i, knob.value + 0.05 * (knob.max - knob.value));
        sis_live_work(live);
        play(live, FIRST, NULL, 0);
        double spent = cpu() - start;
        sis_live_status_read(live, &after);
        if (after.generation != before.generation) return spent;
    }
    return (double)NAN;
}

static bool measure(const scene_text* t, waits* w, bool quick) {
    double start = cpu();
    sis_live* live = open_scene(t, 1, 1);
    w->load = cpu() - start;
    if (!live) return false;
    int key = find_key(live, &w->cold);
    w->param = time_param(live);
    sis_live_free(live);
    start = cpu();
    live = open_scene(t, 0, EVERYTHING);
    w->measured = cpu() - start;
    if (!live) return false;
    play(live, 1, NULL, 0);
    double before = taken_bytes();
    start = cpu();
    if (!quick) prepare(live);
    w->keyboard = cpu() - start;
    w->bytes = taken_bytes() - before;
    w->keys = ready(live);
    w->first = time_first_block(live, key);
    sis_live_free(live);
    return true;
}

static void tell(bench_report* r, const char* name, const waits* w) {
    report_row(r);
    report_text(r, "%s", name);
    report_number(r, 1e3 * w->load, 1, " ms");
    report_number(r, 1e3 * w->measured, 0, " ms");
    report_number(r, 1e3 * w->cold, 1, " ms");
    report_number(r, 1e6 * w->first, 0, " us");
    report_number(r, 1e3 * w->param, 1, " ms");
    report_text(r, "%d", (int)w->keys);
    report_number(r, w->keyboard, 2, " s");
    report_number(r, w->bytes / 1e6, 1, " MB");
    report_keep(r, w->load, "live/%s/load", name);
    report_keep(r, w->cold, "live/%s/cold", name);
    report_keep(r, w->first, "live/%s/first", name);
    report_keep(r, w->param, "live/%s/param", name);
    report_keep(r, w->bytes, "live/%s/bytes", name);
}

static bool is_played(const scene_text* t) {
    static const char* const own[] = {"A", "B", "C", "frets"}; // scenes of the bench itself
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(t->name, own[i]) == 0) return false;
    return strstr(t->text, "\nplay {") != NULL || strstr(t->text, "\nplay{") != NULL;
}

void section_live(const bench_context* b) {
    bench_report* r = b->report;
    int told = 0;
    table_of_callbacks(b);
    report_begin(r, "Played live: what a player waits for",
                 "scene|load|with its peak|cold note|prepared note|param|keys|all keys|memory");
    for (const scene_text* t = bench_scene_texts; t->name && (!b->quick || told < 2); t++) {
        waits w = {.load = 0};
        if (!is_played(t) || !measure(t, &w, b->quick)) continue;
        tell(r, t->name, &w);
        told++;
    }
    report_end(r, true,
               "CPU time at 48 kHz. Load: sis_live_load, and the same where the loudest note is "
               "measured. Cold note: from its\nevent to 64 frames of sound, compiled in between; "
               "prepared: the block of 64 frames that begins with it, which\nis 0 frames late. "
               "Param: from a turned knob to the block that has it. Then how many keys are "
               "prepared at one\nvelocity, the time it takes and what they hold.");
}
