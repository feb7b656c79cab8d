/** @file live_help.h
 * What the tests of the live library share: a MIDI performance in rows, played live in blocks and
 * offline as a song.
 */
#ifndef SISTRUM_TEST_LIVE_HELP_H
#define SISTRUM_TEST_LIVE_HELP_H

#include "check.h"
#include "hand.h"
#include "perform.h"
#include "sistrum/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct act {
    uint64_t row;
    uint8_t bytes[3];
} act;

typedef struct take {
    float* pairs; // [rows][2]
    uint64_t rows;
} take;

static inline char* read_scene(const char* name, size_t* size) {
    char path[512];
    snprintf(path, sizeof path, SISTRUM_SOURCE_DIR "/scenes/%s.lua", name);
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    char* text = malloc(1 << 20);
    *size = text ? fread(text, 1, 1 << 20, file) : 0;
    fclose(file);
    return text;
}

/** An instrument whose sound is not touched: peak 1, no guard, limiter or DC blocker. */
static inline sis_live* plain_live(double rate, bool worker) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.rate = rate;
    o.peak = 1;
    o.worker = worker;
    o.guard = o.limiter = o.dc_blocker = false;
    sis_live* live = sis_live_new(&o, &error);
    CHECK(live != NULL);
    if (!live) printf("    %s\n", error.text);
    return live;
}

static inline bool load_scene(sis_live* live, const char* name) {
    size_t size = 0;
    sis_live_error error = {.text = ""};
    char* text = read_scene(name, &size);
    bool fine = text && sis_live_load(live, text, size, name, NULL, 0, &error);
    if (!fine) printf("    %s: %s\n", name, error.text);
    free(text);
    return fine;
}

static inline bool load_text(sis_live* live, const char* text) {
    sis_live_error error = {.text = ""};
    bool fine = sis_live_load(live, text, strlen(text), "scene", NULL, 0, &error);
    if (!fine) printf("    %s\n", error.text);
    return fine;
}

static inline sis_live_event key_event(int32_t frame, int a, int b, int c) {
    return (sis_live_event){.frame = frame,
                            .kind = SIS_LIVE_MIDI,
                            .bytes = {(uint8_t)a, (uint8_t)b, (uint8_t)c},
                            .note = -1};
}

/** One block, from its first event to its last frame; left is heard. */
static inline void play_block_of(sis_live* live, float* left, int32_t frames,
                                 const sis_live_event* events, int32_t count) {
    sis_live_block b = {
        .frames = frames, .out = {left, NULL}, .events = events, .event_count = count};
    sis_live_run(live, &b);
}

/** A block that begins with one MIDI message. */
static inline void play_midi(sis_live* live, float* left, int32_t frames, int a, int b, int c) {
    sis_live_event e = key_event(0, a, b, c);
    play_block_of(live, left, frames, &e, 1);
}

static inline void play_on(sis_live* live, float* left, int32_t frames) {
    play_block_of(live, left, frames, NULL, 0);
}

static inline double largest(const float* values, int32_t count) {
    double most = 0;
    for (int32_t n = 0; n < count; n++)
        most = fmax(most, fabs((double)values[n]));
    return most;
}

/** Largest step from one value to the next. */
static inline double largest_step(const float* values, int32_t count) {
    double most = 0;
    for (int32_t n = 1; n < count; n++)
        most = fmax(most, fabs((double)values[n] - (double)values[n - 1]));
    return most;
}

/** Of a tone: from its upward zeros, between which lines are straight. */
static inline double hertz(const float* values, int32_t count, double rate) {
    double first = -1, last = -1;
    int32_t periods = -1;
    for (int32_t n = 1; n < count; n++) {
        double a = (double)values[n - 1], b = (double)values[n];
        if (!(a < 0 && b >= 0)) continue;
        last = n - 1 + a / (a - b);
        if (first < 0) first = last;
        periods++;
    }
    return periods > 0 ? periods * rate / (last - first) : (double)NAN;
}

static inline sis_live_status status_of(sis_live* live) {
    sis_live_status status;
    sis_live_status_read(live, &status);
    return status;
}

/** Plays `rows` in blocks of `block` frames, or of random lengths up to -block. */
static inline take play_live(sis_live* live, const act* acts, int32_t count, uint64_t rows,
                             int32_t block) {
    take t = {.pairs = calloc(2 * rows + 2, sizeof(float)), .rows = rows};
    float left[4096], right[4096];
    sis_live_event events[256];
    uint32_t seed = 7;
    int32_t next = 0;
    for (uint64_t row = 0; row < rows;) {
        seed = seed * 1664525u + 1013904223u;
        int32_t frames = block > 0 ? block : (int32_t)(1 + (seed >> 8) % (uint32_t)-block);
        if (row + (uint64_t)frames > rows) frames = (int32_t)(rows - row);
        int32_t here = 0;
        for (; next < count && acts[next].row < row + (uint64_t)frames && here < 256; next++) {
            events[here] = (sis_live_event){.frame = (int32_t)(acts[next].row - row)};
            memcpy(events[here++].bytes, acts[next].bytes, 3);
        }
        sis_live_block b = {
            .frames = frames, .out = {left, right}, .events = events, .event_count = here};
        sis_live_run(live, &b);
        for (int32_t n = 0; n < frames; n++) {
            t.pairs[2 * (row + (uint64_t)n)] = left[n];
            t.pairs[2 * (row + (uint64_t)n) + 1] = right[n];
        }
        row += (uint64_t)frames;
    }
    return t;
}

#endif
