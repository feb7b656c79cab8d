// Songs: a note is the run of its own scene, a song is the sum of its notes, to the last bit and
// for any number of threads; voices end as play{} says.
#include "check.h"
#include "perform.h"
#include "script_help.h"

#include <stdlib.h>
#include <unistd.h>

static const double rate = 8000;

// A mass on a spring, struck at the start: a decaying sine from 0, the energy falls as exp(-R t).
#define BELL                                                                                       \
    "local f = param{ 'f', 440, min = 20, max = 3000, unit = 'Hz' }\n"                             \
    "local v = param{ 'v', 1, min = 0.1, max = 2 }\n"                                              \
    "local R = param{ 'R', 30, min = 0, max = 1000 }\n"                                            \
    "local m = mass{ mass = 0.01, frequency = f, damping = R, velocity = v }\n"                    \
    "probe{ on = m, quantity = 'velocity', gain = 0.5 }\n"

typedef struct heard {
    double* pairs; // [rows][2]
    uint64_t rows, room;
} heard;

static bool listen(void* self, const double* steps, int32_t count, sis_fault* fault) {
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

static uint64_t hoped; // rows of the scene's own duration

static char path[] = "/tmp/sistrum_song_XXXXXX";

static void write_scene(const char* text) {
    FILE* file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

// Plays notes with a scene; `p` receives the counts.
static heard play(const char* scene, sis_song_note* notes, int32_t count, int32_t threads,
                  int32_t oversample, sis_performance* p) {
    heard h = {.rows = 0};
    sis_tuning tuning = sis_tuning_equal(440);
    sis_song song = {.notes = notes, .count = count};
    for (int32_t i = 0; i < count; i++)
        song.seconds = fmax(song.seconds, notes[i].end);
    sis_fault fault = {.text = ""};
    write_scene(scene);
    sis_script* script = sis_script_load(path, NULL, 0, &error);
    CHECK(script != NULL);
    if (!script) printf("    %s\n", error.text);
    if (!script) return h;
    *p = (sis_performance){.scene = path,
                           .script = script,
                           .song = &song,
                           .song_name = "x.mid",
                           .tuning = &tuning,
                           .plan = {.rate = rate, .oversample = oversample, .rows = hoped},
                           .scheme = SIS_SCHEME_AS_GIVEN,
                           .longest = (double)NAN,
                           .threads = threads,
                           .emit = listen,
                           .emit_self = &h};
    int32_t skipped = 0;
    bool fine = sis_performance_fit(p, &song, &skipped, &fault) && sis_performance_go(p, &fault);
    CHECK(skipped == 0);
    CHECK(fine);
    if (!fine) printf("    %s\n", fault.text);
    CHECK(h.rows == p->rows * (uint64_t)oversample);
    sis_script_free(script);
    return h;
}

// The velocity of the mass, from a run of its own; the caller frees it.
static double* alone(const char* scene, double f, double v, int32_t rows) {
    sis_setting settings[] = {{"f", f}, {"v", v}};
    sis_script* script = load_with(scene, settings, 2);
    sis_options how = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = script ? sis_compile(sis_script_scene(script), &how, NULL) : NULL;
    double* row = calloc((size_t)rows, sizeof *row);
    CHECK(system && row);
    if (!system || !row) return row;
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    sis_step(system, state, &(sis_block){.frames = rows, .probes = row});
    free(state);
    sis_system_free(system);
    sis_script_free(script);
    return row;
}

static double key_hz(int key) {
    return 440 * exp2((key - 69) / 12.0);
}

#define NOTE(k, vel, from, to)                                                                     \
    { .key = k, .velocity = vel, .start = from, .end = to }

static void a_note_is_the_run_of_its_scene(void) {
    static const char scene[] = BELL "play{ pitch = 'f', velocity = 'v' }";
    sis_song_note note = NOTE(76, 90, 0.1001, 0.2);
    sis_performance p;
    heard h = play(scene, &note, 1, 1, 1, &p);
    const int32_t start = 801; // round(0.1001 s * 8 kHz)
    double* one = alone(scene, key_hz(76), 0.1 + 1.9 * (90 / 127.0), 2000);
    CHECK(h.rows > 3000);
    for (int32_t n = 0; n < start; n++)
        CHECK(h.pairs[2 * n] == 0 && h.pairs[2 * n + 1] == 0);
    int wrong = 0;
    for (int32_t n = 0; n < 2000; n++) {
        const double* pair = h.pairs + 2 * (n + start);
        wrong += pair[0] != 0.5 * one[n] || pair[1] != pair[0];
    }
    CHECK(wrong == 0);
    CHECK(h.pairs[2 * start] != 0);
    CHECK(p.played == 1 && p.systems == 1 && p.voices_max == 1 && p.stolen == 0);
    free(one);
    free(h.pairs);
}

static void a_song_is_the_sum_of_its_notes(void) {
    static const char scene[] = BELL "play{ pitch = 'f', velocity = 'v' }";
    sis_song_note notes[] = {NOTE(60, 90, 0, 0.1), NOTE(64, 30, 0.01, 0.1), NOTE(60, 90, 0.2, 0.3)};
    sis_performance p;
    heard all = play(scene, notes, 3, 2, 1, &p);
    CHECK(p.systems == 2 && p.voices_max == 3); // the third is as the first
    heard part[3];
    for (int i = 0; i < 3; i++)
        part[i] = play(scene, &notes[i], 1, 1, 1, &p);
    int wrong = 0;
    uint64_t longest = 0;
    for (int i = 0; i < 3; i++)
        longest = part[i].rows > longest ? part[i].rows : longest;
    CHECK(all.rows == longest);
    for (uint64_t n = 0; n < 2 * all.rows; n++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += n < 2 * part[i].rows ? part[i].pairs[n] : 0;
        wrong += sum != all.pairs[n];
    }
    CHECK(wrong == 0);
    for (int i = 0; i < 3; i++)
        free(part[i].pairs);
    free(all.pairs);
}

static void threads_change_no_bit(void) {
    static const char scene[] =
        BELL "play{ pitch = 'f', velocity = 'v', voices = 5, release = 0.2 }";
    sis_song_note notes[60];
    for (int i = 0; i < 60; i++)
        notes[i] = (sis_song_note)NOTE((uint8_t)(40 + 7 * i % 50), (uint8_t)(1 + 37 * i % 127),
                                       0.013 * i, 0.013 * i + 0.1 + 0.01 * (i % 7));
    for (int32_t over = 1; over <= 3; over += 2) {
        sis_performance p, q;
        heard one = play(scene, notes, 60, 1, over, &p);
        for (int32_t threads = 2; threads <= 5; threads++) {
            heard many = play(scene, notes, 60, threads, over, &q);
            CHECK(many.rows == one.rows);
            CHECK(many.rows == one.rows &&
                  memcmp(many.pairs, one.pairs, (size_t)one.rows * 16) == 0);
            CHECK(q.stolen == p.stolen && q.voices_max == 5 && q.systems == p.systems);
            free(many.pairs);
        }
        CHECK(p.stolen > 10);
        free(one.pairs);
    }
}

// E = E0 exp(-R t): tail dB are reached at tail ln 10/(10 R). A block and a fade later it is over.
static void a_voice_ends_when_its_energy_is_tail_down(void) {
    for (int tail = 20; tail <= 80; tail += 30) {
        char scene[1024];
        snprintf(scene, sizeof scene, BELL "play{ pitch = 'f', tail = %d }", tail);
        sis_song_note note = NOTE(76, 90, 0, 0.1);
        sis_performance p;
        heard h = play(scene, &note, 1, 1, 1, &p);
        const double expected = tail * log(10) / (10 * 30), block = 1024 / rate;
        const double ended = (double)h.rows / rate;
        printf("  tail %d dB: %.3f s, energy there at %.3f s\n", tail, ended, expected);
        CHECK(ended >= expected && ended <= expected + block + 0.006);
        CHECK(h.pairs[2 * h.rows - 2] * h.pairs[2 * h.rows - 2] < 1e-6);
        free(h.pairs);
    }
}

static void release_fades_by_60_dB_in_its_time(void) {
    static const char held[] = BELL "play{ pitch = 'f' }";
    static const char damped[] = BELL "play{ pitch = 'f', release = 0.25 }";
    sis_song_note note = NOTE(76, 90, 0, 0.1);
    sis_performance p;
    heard a = play(held, &note, 1, 1, 1, &p), b = play(damped, &note, 1, 1, 1, &p);
    CHECK(b.rows < a.rows);
    for (uint64_t n = 0; n <= 800; n++)
        CHECK(a.pairs[2 * n] == b.pairs[2 * n]);
    for (uint64_t n = 800; n + 1200 < b.rows; n += 7)
        CHECK_NEAR(b.pairs[2 * n], a.pairs[2 * n] * pow(10, -3 * (double)(n - 800) / (0.25 * rate)),
                   1e-15);
    free(a.pairs);
    free(b.pairs);
}

// Voices = 2: the third note ends the first within 5 ms, and nobody else.
static void the_oldest_voice_makes_room(void) {
    static const char scene[] = BELL "play{ pitch = 'f', voices = 2 }";
    sis_song_note notes[] = {NOTE(50, 90, 0, 9), NOTE(64, 90, 0.05, 9), NOTE(71, 90, 0.1, 9)};
    sis_performance p, q;
    heard all = play(scene, notes, 3, 1, 1, &p), rest = play(scene, notes + 1, 2, 1, 1, &q);
    CHECK(p.stolen == 1 && p.voices_max == 2 && p.played == 3 && q.stolen == 0);
    int differ = 0, wrong = 0;
    double step = 0;
    for (uint64_t n = 0; n < all.rows; n++) {
        const bool same = fabs(all.pairs[2 * n] - rest.pairs[2 * n]) < 1e-15;
        differ += n < 800 && !same;
        wrong += n >= 840 && !same;
        if (n > 0)
            step = fmax(step, fabs((all.pairs[2 * n] - rest.pairs[2 * n]) -
                                   (all.pairs[2 * n - 2] - rest.pairs[2 * n - 2])) *
                                  (n > 790));
    }
    CHECK(differ > 700 && wrong == 0);
    CHECK(step < 0.1); // it does not click: a sine of 147 Hz steps as much by itself
    free(all.pairs);
    free(rest.pairs);
}

static void many_notes_at_once_are_bounded(void) {
    enum { MANY = 3000 };
    static sis_song_note notes[MANY];
    for (int i = 0; i < MANY; i++)
        notes[i] = (sis_song_note)NOTE((uint8_t)(60 + i % 12), 90, 0.1 + i / 2 * 1.3e-4, 1);
    sis_performance p;
    heard h = play(BELL "play{ pitch = 'f', voices = 4 }", notes, MANY, 2, 1, &p);
    CHECK(p.played == MANY && p.voices_max == 4 && p.stolen == MANY - 4);
    CHECK(p.systems == 12);
    free(h.pairs);
}

// A hammer that flies away keeps its energy for ever: what is heard counts then.
static void energy_that_is_not_heard_does_not_hold_a_voice(void) {
    sis_song_note note = NOTE(76, 90, 0, 0.1);
    sis_performance p;
    heard h = play(BELL "mass{ mass = 1, velocity = 3 } play{ pitch = 'f' }", &note, 1, 1, 1, &p);
    CHECK(p.capped == 0 && (double)h.rows / rate < 2);
    free(h.pairs);
}

static void what_rings_for_ever_is_cut_after_a_minute(void) {
    sis_song_note note = NOTE(76, 90, 0, 0.1);
    sis_performance p;
    heard h = play("local f = param{ 'f', 440, min = 20, max = 3000, unit = 'Hz' }\n"
                   "local m = mass{ mass = 1, frequency = f, position = 1e-3 } probe{ on = m }\n"
                   "play{ pitch = 'f' }",
                   &note, 1, 1, 1, &p);
    CHECK(p.capped == 1);
    CHECK_NEAR((double)h.rows / rate, SIS_VOICE_MOST_SECONDS, 0.2);
    free(h.pairs);
}

static void channels_one_and_two_are_left_and_right(void) {
    sis_song_note note = NOTE(76, 90, 0, 0.1);
    sis_performance p;
    heard h = play(BELL "probe{ on = m, quantity = 'displacement', channel = 2, gain = -3 }\n"
                        "probe{ on = m, quantity = 'velocity', channel = 1, gain = 2 }\n"
                        "play{ pitch = 'f' }",
                   &note, 1, 1, 1, &p);
    // A probe without a channel is not heard beside ones that have one, except the first.
    double left = 0, right = 0;
    for (uint64_t n = 0; n < h.rows; n++) {
        left = fmax(left, fabs(h.pairs[2 * n]));
        right = fmax(right, fabs(h.pairs[2 * n + 1]));
    }
    CHECK(left > 100 * right && right > 0);
    free(h.pairs);
}

// A blow of no strength makes no sound and has no energy; one that comes late has neither for long.
static void a_voice_that_never_sounds_ends_with_its_scene(void) {
    static const char scene[] =
        "local late = param{ 'late', 0, min = 0, max = 1 }\n"
        "local m = mass{ mass = 0.01, frequency = 440, damping = 200, position = 0 }\n"
        "if late > 0.5 then force{ on = m, start = 0.9, peak = 1, width = 1e-3 } end\n"
        "probe{ on = m, quantity = 'velocity' }\n"
        "play{ velocity = 'late' }";
    sis_song_note soft = NOTE(60, 1, 0, 0.1), hard = NOTE(60, 127, 0, 0.1);
    sis_performance p;
    hoped = 8000; // rows: the scene lasts a second
    heard h = play(scene, &soft, 1, 1, 1, &p);
    CHECK(p.played == 1 && p.capped == 0);
    CHECK(h.rows <= 8000 + 2048);
    free(h.pairs);
    h = play(scene, &hard, 1, 1, 1, &p);
    double loud = 0;
    for (uint64_t n = 0; n < h.rows; n++)
        loud = fmax(loud, fabs(h.pairs[2 * n]));
    CHECK(loud > 0);
    free(h.pairs);
    hoped = 0;
}

static void notes_out_of_range_are_skipped_and_named(void) {
    sis_song_note notes[] = {NOTE(60, 90, 0, 1), NOTE(120, 90, 2.5, 3)};
    sis_song song = {.notes = notes, .count = 2, .seconds = 3};
    sis_tuning tuning = sis_tuning_equal(440);
    sis_script* script = load(BELL "play{ pitch = 'f' }");
    sis_performance p = {.script = script, .song = &song, .song_name = "x.mid", .tuning = &tuning};
    sis_fault fault;
    int32_t skipped = 0;
    CHECK(script && sis_performance_fit(&p, &song, &skipped, &fault));
    CHECK(skipped == 1 && song.count == 1 && song.notes[0].key == 60);
    CHECK_NEAR(song.seconds, 1, 1e-12);
    CHECK_TEXT(fault.text, "x.mid: note C9 at 2.5 s (8372.02 Hz) is outside the range of 'f'");
    notes[0].key = 121;
    CHECK(script && !sis_performance_fit(&p, &song, &skipped, &fault));
    CHECK(skipped == 1 && song.count == 0);
    CHECK_TEXT(fault.text, "x.mid: note C#9 at 0 s");
    song.count = 2;
    notes[0] = (sis_song_note)NOTE(60, 90, 0, 1);
    notes[1] = (sis_song_note)NOTE(120, 90, 2.5, 3);
    tuning.hz[120] = (double)NAN; // a silent key is not out of range
    CHECK(script && sis_performance_fit(&p, &song, &skipped, &fault) && skipped == 0);
    sis_script_free(script);
}

int main(void) {
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    if (descriptor >= 0) close(descriptor);
    RUN(a_note_is_the_run_of_its_scene);
    RUN(a_song_is_the_sum_of_its_notes);
    RUN(threads_change_no_bit);
    RUN(a_voice_ends_when_its_energy_is_tail_down);
    RUN(release_fades_by_60_dB_in_its_time);
    RUN(the_oldest_voice_makes_room);
    RUN(many_notes_at_once_are_bounded);
    RUN(energy_that_is_not_heard_does_not_hold_a_voice);
    RUN(what_rings_for_ever_is_cut_after_a_minute);
    RUN(channels_one_and_two_are_left_and_right);
    RUN(a_voice_that_never_sounds_ends_with_its_scene);
    RUN(notes_out_of_range_are_skipped_and_named);
    unlink(path);
    return CHECK_REPORT();
}
