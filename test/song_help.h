/** @file song_help.h
 * What the tests of songs with gestures share: a MIDI file written event by event in `m`, played by
 * a scene, and heard.
 */
#ifndef SISTRUM_TEST_SONG_HELP_H
#define SISTRUM_TEST_SONG_HELP_H

#include "check.h"
#include "midi_bytes.h"
#include "perform.h"
#include "script_help.h"

#include <stdlib.h>
#include <unistd.h>

static const double rate = 8000;
enum { ROWS_A_TICK = 4 }; // 1000 ticks a quarter, half a second long, at 8 kHz

typedef struct heard {
    double* pairs; // [rows][2]
    uint64_t rows, room;
} heard;

static inline bool listen(void* self, const double* steps, int32_t count, sis_fault* fault) {
    heard* h = self;
    if (h->rows + (uint64_t)count > h->room) {
        h->room = 2 * h->room + (uint64_t)count;
        double* more = realloc(h->pairs, (size_t)h->room * 2 * sizeof *more);
        if (!more) return sis_fault_no_memory(fault);
        h->pairs = more;
    }
    memcpy(h->pairs + 2 * h->rows, steps, (size_t)count * 2 * sizeof *steps);
    h->rows += (uint64_t)count;
    return true;
}

static char path[] = "/tmp/sistrum_gestures_XXXXXX", path_of_other[] = "/tmp/sistrum_other_XXXXXX";
static midi_bytes m;
static sis_performance p;       // of the last song
static int32_t threads_now = 1; // to play it with
static int32_t finer = 1;       // steps a row
static const char* other;       // scene of channel 2 and of program 6

static inline bool write_scene(const char* where, const char* text) {
    FILE* file = fopen(where, "wb");
    bool fine = file && fputs(text, file) >= 0;
    if (file) fclose(file);
    return fine;
}

static inline bool perform(const char* scene, sis_song* song, heard* h, sis_fault* fault) {
    sis_tuning tuning = sis_tuning_equal(440);
    CHECK(write_scene(path, scene) && (!other || write_scene(path_of_other, other)));
    sis_script* script = sis_script_load(path, NULL, 0, &error);
    sis_script* second = other ? sis_script_load(path_of_other, NULL, 0, &error) : NULL;
    CHECK(script && (!other || second));
    if (!script || (other && !second)) printf("    %s\n", error.text);
    if (!script || (other && !second)) return false;
    sis_instrument more = {.scene = path_of_other, .script = second};
    p = (sis_performance){.scene = path,
                          .script = script,
                          .others = &more,
                          .other_count = other ? 1 : 0,
                          .song = song,
                          .song_name = "x.mid",
                          .tuning = &tuning,
                          .plan = {.rate = rate, .oversample = finer},
                          .scheme = SIS_SCHEME_AS_GIVEN,
                          .longest = (double)NAN,
                          .threads = threads_now,
                          .emit = listen,
                          .emit_self = h};
    p.of_channel[1] = p.of_program[5] = other ? 2 : 0;
    int32_t skipped = 0;
    bool fine = sis_performance_fit(&p, song, &skipped, fault) && sis_performance_go(&p, fault);
    sis_script_free(script);
    sis_script_free(second);
    return fine;
}

// Plays the MIDI file in `m`.
static inline heard play(const char* scene) {
    heard h = {.rows = 0};
    sis_song song;
    sis_fault fault = {.text = ""};
    bool fine =
        sis_song_read(m.data, m.size, "x.mid", &song, &fault) && perform(scene, &song, &h, &fault);
    CHECK(fine);
    if (!fine) printf("    %s\n", fault.text);
    sis_song_free(&song);
    return h;
}

static inline void begin(void) {
    midi_head(&m, 0, 1, 1000);
    midi_begin(&m);
}

// What is heard at a tick, left or right. The first row of a state is as the scene has it: what the
// note itself moves is heard from the next row on.
static inline double at(const heard* h, int tick, int side) {
    uint64_t row = (uint64_t)tick * ROWS_A_TICK;
    return row < h->rows ? h->pairs[2 * row + (uint64_t)side] : (double)NAN;
}

// Just before it.
static inline double before(const heard* h, int tick, int side) {
    uint64_t row = (uint64_t)tick * ROWS_A_TICK - 1;
    return row < h->rows ? h->pairs[2 * row + (uint64_t)side] : (double)NAN;
}

// A mass that rests at 1 m: the gain of its probe is what is heard, so inputs are heard themselves.
#define METER(input, name)                                                                         \
    "local x = " input "\n"                                                                        \
    "local hold = input{ 'hold', 0 }\n"                                                            \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "probe{ on = m, gain = x, channel = 1 }\n"                                                     \
    "probe{ on = m, gain = hold, channel = 2 }\n"                                                  \
    "param{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n"                                       \
    "play{ pitch = 'f', gate = 'hold', " name " }\n"

#define PLAIN METER("input{ 'x', 1 }", "cc = { [1] = 'x' }")

static inline double semitones(double s) {
    return exp2(s / 12);
}

static inline bool open_scenes(void) {
    int one = mkstemp(path), two = mkstemp(path_of_other);
    if (one >= 0) close(one);
    if (two >= 0) close(two);
    return one >= 0 && two >= 0;
}

static inline void close_scenes(void) {
    unlink(path);
    unlink(path_of_other);
}

#endif
