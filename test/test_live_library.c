// The live library: the sound is bit by bit that of a song rendered offline, however it is cut into
// blocks; nothing that a host does breaks it.
#include "live_help.h"
#include "live_scenes.h"
#include "script_help.h"

#include "decimate.h"

#include <math.h>
#include <unistd.h>

static const double rate = 44100;

// ---------------------------------------------------------------------------- offline

typedef struct heard {
    float* pairs;
    uint64_t rows, room;
} heard;

static bool keep(void* self, const double* rows, int32_t count, sis_fault* fault) {
    heard* h = self;
    (void)fault;
    for (int32_t n = 0; n < 2 * count && h->rows * 2 + (uint64_t)n < 2 * h->room; n++)
        h->pairs[2 * h->rows + (uint64_t)n] = (float)rows[n];
    h->rows += (uint64_t)count;
    return true;
}

static bool feed(void* self, const double* steps, int32_t count, sis_fault* fault) {
    return sis_decimator_feed(self, steps, count, fault);
}

/** The same acts as a song: through the MIDI file reader's own hand. */
typedef struct scribe {
    sis_song song;
    uint64_t row;
    int32_t order;
} scribe;

static int32_t on(void* self, const sis_played* p) {
    scribe* w = self;
    double now = (double)w->row / rate;
    w->song.notes[w->song.count] = (sis_song_note){.start = now,
                                                   .up = 1e3,
                                                   .end = 1e3,
                                                   .began = w->order,
                                                   .up_order = INT32_MAX,
                                                   .end_order = INT32_MAX,
                                                   .channel = p->channel,
                                                   .master = p->master,
                                                   .key = p->key,
                                                   .velocity = (uint8_t)round(127 * p->velocity),
                                                   .program = p->program};
    return w->song.count++;
}
static void up(void* self, int32_t note) {
    scribe* w = self;
    w->song.notes[note].up = (double)w->row / rate;
    w->song.notes[note].up_order = w->order;
}
static void end(void* self, int32_t note) {
    scribe* w = self;
    w->song.notes[note].end = (double)w->row / rate;
    w->song.notes[note].end_order = w->order;
}
static bool event(void* self, const sis_song_event* e) {
    scribe* w = self;
    sis_song_event* last = &w->song.events[w->song.event_count++];
    *last = *e;
    last->time = (double)w->row / rate;
    last->order = w->order;
    return true;
}

static sis_midi_event as_midi(const uint8_t* b) {
    static const uint8_t acts[] = {SIS_MIDI_OFF,     SIS_MIDI_ON,      SIS_MIDI_KEY_PRESSURE,
                                   SIS_MIDI_CONTROL, SIS_MIDI_PROGRAM, SIS_MIDI_PRESSURE,
                                   SIS_MIDI_BEND};
    sis_midi_event e = {
        .act = acts[(b[0] >> 4) - 8], .channel = b[0] & 15, .key = b[1], .value = b[2]};
    if (e.act == SIS_MIDI_ON && !b[2]) e.act = SIS_MIDI_OFF;
    if (e.act == SIS_MIDI_PRESSURE || e.act == SIS_MIDI_PROGRAM) e.value = b[1];
    if (e.act == SIS_MIDI_BEND) e.value = (uint32_t)(b[2] << 7 | b[1]);
    return e;
}

static take play_offline(const char* path, const act* acts, int32_t count, uint64_t rows) {
    scribe w = {.order = 0};
    w.song.notes = calloc((size_t)count + 1, sizeof *w.song.notes);
    w.song.events = calloc(40 * ((size_t)count + 1), sizeof *w.song.events);
    const sis_hand_sink sink = {&w, on, up, end, event};
    sis_hand* hand = sis_hand_new(count, &sink);
    for (int32_t i = 0; i < count; i++) {
        sis_midi_event e = as_midi(acts[i].bytes);
        w.row = acts[i].row;
        w.order++;
        sis_hand_take(hand, &e);
    }
    sis_hand_free(hand);
    sis_script* script = sis_script_load(path, NULL, 0, &error);
    heard h = {.pairs = calloc(2 * rows + 2, sizeof(float)), .room = rows};
    sis_fault fault = {.text = ""};
    sis_tuning tuning = sis_tuning_equal(440);
    int32_t over = script ? sis_scene_render(sis_script_scene(script)).oversample : 1;
    sis_decimator* filter = over > 1 ? sis_decimator_new(over, 2, rows, keep, &h, &fault) : NULL;
    sis_performance p = {.scene = path,
                         .script = script,
                         .song = &w.song,
                         .song_name = "x.mid",
                         .tuning = &tuning,
                         .plan = {.rate = rate, .oversample = over},
                         .scheme = SIS_SCHEME_AS_GIVEN,
                         .longest = (double)rows / rate,
                         .threads = 2,
                         .emit = filter ? feed : keep,
                         .emit_self = filter ? (void*)filter : (void*)&h};
    p.plan.duration = sis_scene_render(sis_script_scene(script)).duration;
    p.plan.rows = (uint64_t)(p.plan.duration * rate);
    bool fine = script && sis_performance_go(&p, &fault);
    CHECK(fine);
    if (!fine) printf("    %s: %s\n", path, fault.text);
    if (filter) sis_decimator_finish(filter, &fault);
    sis_decimator_free(filter);
    sis_script_free(script);
    free(w.song.notes);
    free(w.song.events);
    return (take){.pairs = h.pairs, .rows = rows};
}

// ---------------------------------------------------------------------------- the laws

// Chords, bends, pressure, pedal, controllers, keys struck again.
static int32_t make_acts(act* acts, int32_t most, int low, int high, uint32_t seed) {
    uint64_t row = 400;
    int32_t n = 0;
    bool down[128] = {false};
    while (n < most) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t dice = (seed >> 10) % 16, value = (seed >> 16) % 127 + 1;
        uint8_t key = (uint8_t)(low + (int)((seed >> 20) % (uint32_t)(high - low + 1)));
        if (dice < 8 && down[key])
            acts[n++] = (act){row, {0x80, key, 0}};
        else if (dice < 8)
            acts[n++] = (act){row, {0x90, key, (uint8_t)value}};
        if (dice < 8) down[key] = !down[key];
        if (dice == 8) acts[n++] = (act){row, {0xE0, (uint8_t)value, (uint8_t)((seed >> 9) % 128)}};
        if (dice == 9) acts[n++] = (act){row, {0xD0, (uint8_t)value, 0}};
        if (dice == 10) acts[n++] = (act){row, {0xA0, key, (uint8_t)value}};
        if (dice == 11) acts[n++] = (act){row, {0xB0, 64, (uint8_t)(value > 64 ? 127 : 0)}};
        if (dice == 12) acts[n++] = (act){row, {0xB0, 1, (uint8_t)value}};
        if (dice == 13) acts[n++] = (act){row, {0xB0, 74, (uint8_t)value}};
        row += (seed >> 12) % 3 ? (seed >> 14) % 900 : 0;
    }
    return n;
}

static void keys_of(const char* name, int* low, int* high) {
    size_t size = 0;
    char* text = read_scene(name, &size);
    sis_script* script = sis_script_load_text(text, size, name, NULL, 0, &error);
    sis_param range;
    *low = 40;
    *high = 70;
    if (script && sis_script_gestures(script)->course_count == 0 &&
        sis_note_range(script, 0, &range)) {
        *low = (int)ceil(69 + 12 * log2(range.min / 440));
        *high = (int)floor(69 + 12 * log2(range.max / 440));
        if (*high - *low > 24) *low = *high - 24;
    }
    sis_script_free(script);
    free(text);
}

// A zone of MPE: notes on channels of their own, each with its bends, pressure and timbre.
static int32_t make_zone(act* acts, int32_t most, int low, int high, uint32_t seed) {
    static const uint8_t zone[][3] = {{0xB0, 101, 0}, {0xB0, 100, 6}, {0xB0, 6, 7}};
    uint64_t row = 100;
    int32_t n = 0;
    uint8_t key[8] = {0};
    for (; n < 3; n++)
        acts[n] = (act){row, {zone[n][0], zone[n][1], zone[n][2]}};
    while (n < most) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t c = (uint8_t)(1 + (seed >> 24) % 7), value = (uint8_t)((seed >> 16) % 127 + 1);
        uint32_t dice = (seed >> 10) % 8;
        if (dice < 4 && key[c]) {
            acts[n++] = (act){row, {(uint8_t)(0x80 | c), key[c], 0}};
            key[c] = 0;
        } else if (dice < 4) {
            key[c] = (uint8_t)(low + (int)((seed >> 20) % (uint32_t)(high - low + 1)));
            acts[n++] = (act){row, {(uint8_t)(0x90 | c), key[c], value}};
        }
        uint8_t fine = (uint8_t)((seed >> 9) % 128);
        if (dice == 4)
            acts[n++] = (act){row, {(uint8_t)(0xE0 | c), fine, (uint8_t)(60 + value % 8)}};
        if (dice == 5) acts[n++] = (act){row, {(uint8_t)(0xD0 | c), value, 0}};
        if (dice == 6) acts[n++] = (act){row, {(uint8_t)(0xB0 | c), 74, value}};
        if (dice == 7) acts[n++] = (act){row, {0xE0, fine, (uint8_t)(60 + value % 8)}};
        row += (seed >> 12) % 3 ? (seed >> 14) % 900 : 0;
    }
    return n;
}

enum { ACTS = 40, ROWS = 15000 };

/** Plays the acts both ways and counts values that differ. */
static void check_same(const char* name, const char* path, const char* text, const act* acts,
                       int32_t count, int32_t block) {
    take song = play_offline(path, acts, count, ROWS);
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    CHECK(text ? load_text(live, text) : load_scene(live, name));
    const uint64_t late = (uint64_t)sis_live_latency(live);
    take t = play_live(live, acts, count, ROWS, block);
    uint64_t wrong = 0, first = 0, sounds = 0;
    for (uint64_t n = 0; n < 2 * (ROWS - late); n++) {
        bool differs = t.pairs[n + 2 * late] != song.pairs[n];
        if (differs && !wrong) first = n / 2;
        wrong += differs;
        sounds += song.pairs[n] != 0;
    }
    sis_live_status status = status_of(live);
    printf("  %s: blocks of %d, latency %d, %llu of %llu values differ (first %llu), %d wrong\n",
           name, (int)block, (int)late, (unsigned long long)wrong, (unsigned long long)sounds,
           (unsigned long long)first, (int)status.wrong);
    CHECK(wrong == 0);
    CHECK(sounds > ROWS / 2);
    CHECK(status.wrong == 0 && status.failed == 0);
    sis_live_free(live);
    free(t.pairs);
    free(song.pairs);
}

static void live_is_offline_bit_by_bit(void) {
    static const char* scenes[] = {"guitar",     "felt_piano", "tanpura",       "jaw_harp",
                                   "clavichord", "sitar",      "prepared_piano"};
    static const int32_t blocks[] = {64, 1, 333, -700, 1024, -300, 128};
    for (int s = 0; s < 7; s++) {
        act acts[ACTS];
        char path[512];
        int low, high;
        keys_of(scenes[s], &low, &high);
        snprintf(path, sizeof path, SISTRUM_SOURCE_DIR "/scenes/%s.lua", scenes[s]);
        int32_t count = make_acts(acts, ACTS, low, high, (uint32_t)(s + 1));
        check_same(scenes[s], path, NULL, acts, count, blocks[s]);
    }
}

static void zones_are_offline_bit_by_bit(void) {
    static const char* scenes[] = {"slide_guitar", "tromba", "sitar"};
    for (int s = 0; s < 3; s++) {
        act acts[ACTS];
        char path[512];
        int low, high;
        keys_of(scenes[s], &low, &high);
        snprintf(path, sizeof path, SISTRUM_SOURCE_DIR "/scenes/%s.lua", scenes[s]);
        int32_t count = make_zone(acts, ACTS, low, high, (uint32_t)(s + 1));
        check_same(scenes[s], path, NULL, acts, count, s ? -500 : 97);
    }
}

/** In every mode, with oversampling, with pedals and releases, in zones and not. */
static void modes_are_offline_bit_by_bit(void) {
    static const char* const texts[] = {SMALL_PLAYED, SMALL_OVERSAMPLED, SMALL_KEYS, SMALL_MONO,
                                        SMALL_COURSES};
    static const char* const names[] = {"voices", "oversampled", "keys", "mono", "courses"};
    char path[] = "/tmp/sistrum_live_XXXXXX";
    int made = mkstemp(path);
    CHECK(made >= 0);
    close(made);
    for (int s = 0; s < 10; s++) {
        const char* text = texts[s / 2];
        act acts[ACTS];
        FILE* file = fopen(path, "wb");
        fputs(text, file);
        fclose(file);
        int32_t count = s % 2 ? make_zone(acts, ACTS, 50, 70, (uint32_t)s)
                              : make_acts(acts, ACTS, 50, 70, (uint32_t)s);
        check_same(names[s / 2], path, text, acts, count, s % 3 ? -800 : 50);
    }
    unlink(path);
}

int main(void) {
    RUN(live_is_offline_bit_by_bit);
    RUN(zones_are_offline_bit_by_bit);
    RUN(modes_are_offline_bit_by_bit);
    return check_report();
}
