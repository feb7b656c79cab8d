// Keys, pedals, knobs and scenes of the live library: what sounds goes on, what is let go ends, and
// nothing clicks or sticks.
#include "live_help.h"
#include "live_scenes.h"

#include <time.h>

static const double rate = 48000;
enum { ROWS = 24000 };
static float heard[ROWS];

static sis_live* loaded(const char* text) {
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    CHECK(load_text(live, text));
    return live;
}

static sis_live_event note(uint8_t kind, int key, int32_t id, double value) {
    return (sis_live_event){.kind = kind, .key = (int16_t)key, .note = id, .value = value};
}

static void play_note(sis_live* live, int32_t frames, uint8_t kind, int key, int32_t id,
                      double value) {
    sis_live_event e = note(kind, key, id, value);
    play_block_of(live, heard, frames, &e, 1);
}

// ---------------------------------------------------------------------------- params

/** The same layout: the state goes on with the other stiffness, sample by sample as steep as before. */
static void a_param_is_heard_without_a_click(void) {
    sis_live* live = loaded(SMALL_PLAYED);
    play_midi(live, heard, 4800, 0x90, 57, 100);
    play_on(live, heard, 4800);
    double steep = largest_step(heard, 4800), loud = largest(heard, 4800);
    uint32_t before = status_of(live).generation;
    float last = heard[4799];
    sis_live_knob_set(live, sis_live_knob_find(live, "stiff"), 2e4);
    play_on(live, heard, 4800);
    CHECK(status_of(live).generation == before + 1);
    CHECK(largest_step(heard, 4800) < 1.5 * steep && fabs((double)(heard[0] - last)) < 1.5 * steep);
    CHECK(largest(heard, 4800) > 0.5 * loud);
    CHECK(status_of(live).voices == 1 && status_of(live).keys == 1);
    play_midi(live, heard, 64, 0x80, 57, 0);
    CHECK(status_of(live).keys == 0);
    sis_live_free(live);
}

/** Another layout: the voice fades, and the same note fades in with the new one. */
static void another_layout_is_faded_in(void) {
    sis_live* live = loaded(SMALL_PLAYED);
    play_midi(live, heard, 4800, 0x90, 57, 100);
    play_on(live, heard, 4800);
    double steep = largest_step(heard, 4800);
    float last = heard[4799];
    sis_live_knob_set(live, sis_live_knob_find(live, "balls"), 3);
    play_on(live, heard, 4800);
    CHECK(largest_step(heard, 4800) < 2 * steep && fabs((double)(heard[0] - last)) < 2 * steep);
    CHECK(largest(heard + 3000, 1800) > 0);
    CHECK(status_of(live).voices == 1);
    sis_live_free(live);
}

/** A note, another layout after 1920 rows, in blocks of so many. */
static void play_through_a_change(float* out, int32_t rows, int32_t block) {
    sis_live* live = loaded(SMALL_PLAYED);
    sis_live_offline(live, true);
    play_midi(live, out, block, 0x90, 57, 100);
    for (int32_t at = block; at < rows; at += block) {
        if (at == 1920) sis_live_knob_set(live, sis_live_knob_find(live, "balls"), 3);
        play_on(live, out + at, block);
    }
    sis_live_free(live);
}

static void a_change_does_not_depend_on_blocks(void) {
    static float other[9600];
    play_through_a_change(heard, 9600, 64);
    play_through_a_change(other, 9600, 960);
    CHECK(!memcmp(heard, other, sizeof other));
}

/** Offline all that is turned between two blocks is one change, however fast the worker is. */
static void offline_params_change_together(void) {
    sis_live* live = plain_live(48000, true);
    CHECK(load_text(live, SMALL_PLAYED));
    sis_live_offline(live, true);
    play_midi(live, heard, 64, 0x90, 57, 100);
    for (int i = 0; i < 5; i++) {
        uint32_t before = status_of(live).generation;
        sis_live_knob_set(live, sis_live_knob_find(live, "balls"), 2 + i % 2);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        sis_live_knob_set(live, sis_live_knob_find(live, "stiff"), 1000 + i);
        play_on(live, heard, 64);
        CHECK(status_of(live).generation == before + 1);
    }
    sis_live_free(live);
}

/** Many changes in the time of one fade: voices that fade find room or end. */
static void a_knob_may_be_turned_fast(void) {
    sis_live* live = loaded(SMALL_PLAYED);
    int32_t balls = sis_live_knob_find(live, "balls");
    for (int key = 0; key < 6; key++)
        play_midi(live, heard, 16, 0x90, 50 + key, 100);
    for (int i = 0; i < 100; i++) {
        sis_live_knob_set(live, balls, 1 + i % 4);
        play_on(live, heard, 16);
        CHECK(status_of(live).voices == 6);
    }
    for (int key = 0; key < 6; key++)
        play_midi(live, heard, 16, 0x80, 50 + key, 100);
    sis_live_panic(live);
    play_on(live, heard, 4800);
    CHECK(status_of(live).voices == 0 && status_of(live).keys == 0);
    sis_live_free(live);
}

static void an_input_moves_at_its_frame(void) {
    sis_live* live = loaded(SMALL_MONO);
    play_midi(live, heard, 64, 0x90, 69, 127);
    CHECK(sis_live_knob_count(live) == 0); // what notes set is no knob
    CHECK(load_text(live, SMALL_PLAYED));
    int32_t level = sis_live_knob_find(live, "level");
    play_on(live, heard, ROWS); // the other one fades
    play_on(live, heard, 9600);
    double loud = largest(heard, 9600);
    sis_live_event off = {.frame = 100, .kind = SIS_LIVE_KNOB, .index = level, .value = -5};
    play_block_of(live, heard, 9600, &off, 1);
    CHECK(largest(heard, 100) > 0.3 * loud);
    CHECK(largest(heard + 8000, 1600) < 1e-3 * loud); // smoothed in 10 ms
    CHECK(sis_live_knob_at(live, level).value == 0);
    sis_live_free(live);
}

/** A hand's knob stays where it is when a param asks for an engine of its own. */
static void knobs_survive_a_change_of_oversampling(void) {
    static const char scene[] =
        "local f0 = param{ 'f0', 440, min = 20, max = 8000, unit = 'Hz' }\n"
        "local over = param{ 'over', 1, min = 1, max = 4 }\n"
        "local level = input{ 'level', 1, min = 0, max = 2 }\n"
        "local m = mass{ mass = 1, position = 1 }\n"
        "probe{ on = m, channel = 1, gain = level }\n"
        "render{ rate = 48000, duration = 1, oversample = math.floor(over) }\n"
        "play{ pitch = 'f0' }\n";
    sis_live* live = loaded(scene);
    CHECK(sis_live_latency(live) == 0);
    play_midi(live, heard, 64, 0x90, 69, 127);
    sis_live_knob_set(live, sis_live_knob_find(live, "level"), 0.25);
    play_on(live, heard, 4800);
    CHECK_NEAR(heard[4799], 0.25, 1e-6);
    sis_live_knob_set(live, sis_live_knob_find(live, "over"), 2);
    play_on(live, heard, ROWS);
    CHECK(sis_live_latency(live) > 0);
    CHECK(status_of(live).voices == 1);
    CHECK_NEAR(heard[ROWS - 1], 0.25, 1e-3);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- other scenes

static void keys_that_are_down_go_on_in_the_next_scene(void) {
    sis_live* live = loaded(SMALL_PLAYED);
    play_midi(live, heard, 4800, 0x90, 69, 100);
    play_midi(live, heard, 4800, 0x90, 57, 100);
    play_midi(live, heard, 4800, 0x80, 57, 100);
    CHECK(load_text(live, SMALL_TONE));
    play_on(live, heard, ROWS);
    CHECK(status_of(live).voices == 1 && status_of(live).keys == 1);
    play_on(live, heard, ROWS);
    CHECK_NEAR(hertz(heard, ROWS, rate), 440, 0.3);
    CHECK(!load_text(live, "probe{") && largest(heard, ROWS) > 0);
    play_on(live, heard, ROWS);
    CHECK_NEAR(hertz(heard, ROWS, rate), 440, 0.3); // the old one plays on
    play_midi(live, heard, 64, 0x80, 69, 0);
    CHECK(status_of(live).keys == 0);
    sis_live_free(live);
}

/** In one voice the key that came last sounds, in the next scene too. */
static void the_last_key_sounds_in_the_next_scene(void) {
    sis_live* live = loaded(SMALL_TONE);
    static const int keys[] = {60, 72, 65, 62};
    for (int i = 0; i < 4; i++)
        play_midi(live, heard, 64, 0x90, keys[i], 100);
    play_midi(live, heard, 64, 0x80, 60, 0);
    play_midi(live, heard, 64, 0x90, 69, 100); // takes the place of the first
    CHECK(load_text(live, SMALL_MONO));
    play_on(live, heard, ROWS); // the other one fades
    CHECK_NEAR(heard[ROWS - 1], 440, 0.5);
    play_midi(live, heard, 4800, 0x80, 69, 0);
    CHECK_NEAR(heard[4799], 440 * exp2((62 - 69) / 12.0), 0.5);
    sis_live_free(live);
}

/** A pedal held it: in a scene with a pedal of its own it must not hang. */
static void what_a_pedal_held_ends_in_the_next_scene(void) {
    sis_live* live = loaded(SMALL_TONE);
    play_midi(live, heard, 64, 0x90, 69, 100);
    play_midi(live, heard, 64, 0xB0, 64, 127);
    play_midi(live, heard, 64, 0x80, 69, 0);
    CHECK(load_text(live, SMALL_KEYS));
    play_on(live, heard, 4800);
    CHECK(status_of(live).keys == 1);
    play_midi(live, heard, 64, 0xB0, 64, 0);
    CHECK(status_of(live).keys == 0);
    for (int i = 0; i < 8; i++)
        play_on(live, heard, ROWS);
    CHECK(status_of(live).voices == 0);
    sis_live_free(live);
}

/** Where nobody runs the audio thread, scenes, knobs and tunings do not pile up, and [main] does not
 * wait for it. */
static void nobody_waits_for_a_host_that_does_not_play(void) {
    for (int worker = 0; worker < 2; worker++) {
        sis_live* live = plain_live(rate, worker);
        double hz[128];
        for (int key = 0; key < 128; key++)
            hz[key] = 100 + key;
        for (int i = 0; i < 60; i++) {
            CHECK(load_text(live, i % 2 ? SMALL_TONE : SMALL_PLAYED));
            for (int k = 0; k < 100; k++) {
                sis_live_tune(live, hz);
                sis_live_knob_set(live, 0, 1e3 * (k + 2));
            }
            if (!worker) sis_live_work(live);
        }
        play_midi(live, heard, 64, 0x90, 69, 100);
        for (int i = 0; i < 1000 && status_of(live).voices + status_of(live).waiting > 1; i++)
            play_on(live, heard, 64);
        for (int i = 0; i < 400; i++) {
            sis_live_work(live);
            play_on(live, heard, 64);
        }
        CHECK(status_of(live).voices == 1 && status_of(live).waiting == 0);
        sis_live_free(live);
    }
}

/** An event in a block of no frames, just when the next scene comes. */
static void messages_between_blocks_find_the_next_scene(void) {
    static const uint8_t now[] = {0x7F, 0x7F, 8, 2, 0, 1, 69, 70, 0, 0};
    sis_live* live = loaded(SMALL_MONO);
    play_midi(live, heard, 64, 0x90, 69, 100);
    for (int i = 0; i < 10; i++)
        play_on(live, heard, ROWS);
    CHECK(load_text(live, SMALL_MONO));
    sis_live_event e = {.kind = SIS_LIVE_SYSEX, .data = now, .size = sizeof now};
    play_block_of(live, heard, 0, &e, 1);
    play_on(live, heard, ROWS);
    CHECK_NEAR(heard[ROWS - 1], 440 * exp2(1 / 12.0), 0.01);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- pedals

static void pedals_hold_notes(void) {
    sis_live* live = loaded(SMALL_OVERSAMPLED); // it fades in 0.2 s when it is let go
    int steps[][3] = {{0x90, 69, 100}, {0xB0, 66, 127}, {0x90, 72, 100}, {0x80, 69, 0},
                      {0x80, 72, 0},   {0xB0, 66, 0},   {0xB0, 64, 127}, {0x90, 60, 100},
                      {0x80, 60, 0},   {0xB0, 64, 0}};
    static const int down[] = {1, 1, 2, 2, 1, 0, 0, 1, 1, 0};
    for (int i = 0; i < 10; i++) {
        play_midi(live, heard, 64, steps[i][0], steps[i][1], steps[i][2]);
        CHECK(status_of(live).keys == down[i]);
    }
    play_on(live, heard, ROWS);
    CHECK(status_of(live).voices == 0);
    sis_live_free(live);
}

/** The zone whose master held them is gone: they are let go. */
static void a_zone_that_ends_leaves_no_note(void) {
    sis_live* live = loaded(SMALL_OVERSAMPLED);
    int steps[][3] = {{0xB0, 101, 0},  {0xB0, 100, 6}, {0xB0, 6, 15}, {0x93, 69, 100},
                      {0xB0, 64, 127}, {0x83, 69, 0},  {0xB0, 6, 0},  {0xB0, 64, 0}};
    for (int i = 0; i < 8; i++)
        play_midi(live, heard, 64, steps[i][0], steps[i][1], steps[i][2]);
    CHECK(status_of(live).keys == 0);
    play_on(live, heard, ROWS);
    CHECK(status_of(live).voices == 0);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- voices

static void the_quietest_makes_room(void) {
    sis_live* live = loaded(SMALL_PLAYED); // 8 voices
    for (int i = 0; i < 8; i++)
        play_note(live, 2400, SIS_LIVE_NOTE_ON, 50 + i, i, i == 3 ? 0.05 : 1);
    CHECK(status_of(live).voices == 8 && status_of(live).stolen == 0);
    play_note(live, 2400, SIS_LIVE_NOTE_ON, 70, 8, 1);
    CHECK(status_of(live).voices == 8 && status_of(live).stolen == 1);
    int32_t ended[8] = {-1};
    CHECK(sis_live_ended(live, ended, 8) == 1 && ended[0] == 3);
    CHECK(load_text(live, SMALL_TONE));
    play_on(live, heard, 64);
    CHECK(status_of(live).stolen >= 1); // counts go on
    sis_live_free(live);
}

static void panic_ends_everything(void) {
    for (int i = 0; i < SMALL_SCENES; i++) {
        sis_live* live = loaded(small_scenes[i]);
        int32_t endless = sis_live_sound_inputs(live) > 0;
        for (int key = 50; key < 70; key++)
            play_midi(live, heard, 64, 0x90 | (key % 16), key, 100);
        play_midi(live, heard, 64, 0xB0, 64, 127);
        sis_live_panic(live);
        play_on(live, heard, 4800);
        play_on(live, heard, 64);
        CHECK(status_of(live).voices == endless && status_of(live).keys == 0);
        CHECK(largest(heard, 64) == 0);
        sis_live_free(live);
    }
}

/** Notes that do not fit into the memory of tones sound all the same. */
static void notes_sound_where_memory_keeps_no_tone(void) {
    for (int offline = 0; offline < 2; offline++) {
        sis_live_options o = sis_live_options_default();
        sis_live_error error = {.text = ""};
        o.worker = o.guard = false;
        o.memory_most = 1;
        sis_live* live = sis_live_new(&o, &error);
        sis_live_offline(live, offline);
        CHECK(load_text(live, SMALL_PLAYED));
        sis_live_event chord[6];
        for (int i = 0; i < 6; i++)
            chord[i] = key_event(0, 0x90, 55 + i, 100 - i);
        play_block_of(live, heard, 64, chord, 6);
        for (int i = 0; i < 20; i++) {
            sis_live_work(live);
            play_on(live, heard, 64);
        }
        CHECK(status_of(live).waiting == 0 && status_of(live).voices == 6);
        sis_live_panic(live);
        for (int i = 0; i < 200; i++) {
            play_on(live, heard, 64);
            sis_live_work(live);
        }
        int32_t ready, to_come;
        sis_live_prepared(live, &ready, &to_come);
        CHECK(ready == 0 && to_come == 0);
        sis_live_free(live);
    }
}

// ---------------------------------------------------------------------------- notes by number

static int32_t collect(sis_live* live, int32_t* counts, int32_t room) {
    int32_t ids[16], sum = 0, got;
    while ((got = sis_live_ended(live, ids, 16)) > 0)
        for (int32_t i = 0; i < got; i++, sum++)
            if (ids[i] >= 0 && ids[i] < room) counts[ids[i]]++;
    return sum;
}

/** In every mode, with and without a voice of its own, stolen, choked, silent or moved to another
 * scene: a host hears of the end of each note once. */
static void every_note_ends_once(void) {
    enum { NOTES = 60 };
    for (int i = 0; i < SMALL_SCENES; i++) {
        sis_live* live = loaded(small_scenes[i]);
        int32_t counts[NOTES] = {0};
        int32_t ids[4];
        for (int n = 0; n < NOTES; n++) {
            play_note(live, 100, SIS_LIVE_NOTE_ON, n % 5 == 4 ? 10 : 60 + n % 7, n, 0.8);
            if (n % 3 == 0) play_note(live, 100, SIS_LIVE_NOTE_OFF, 60 + n % 7, n, 0);
            if (n % 11 == 0) play_note(live, 100, SIS_LIVE_NOTE_CHOKE, 60 + n % 7, n, 0);
            if (n == 30) CHECK(load_text(live, small_scenes[(i + 1) % SMALL_SCENES]));
            collect(live, counts, NOTES);
        }
        play_note(live, 100, SIS_LIVE_NOTE_OFF, -1, -1, 0);
        sis_live_panic(live);
        for (int n = 0; n < 10; n++) {
            play_on(live, heard, 4800);
            collect(live, counts, NOTES);
        }
        int wrong = 0;
        for (int n = 0; n < NOTES; n++)
            wrong += counts[n] != 1;
        // of notes of one voice that sounds for ever the last one goes on
        bool endless = sis_live_sound_inputs(live) > 0;
        if (wrong > endless) printf("    scene %d: %d of %d\n", i, wrong, NOTES);
        CHECK(wrong <= endless);
        CHECK(sis_live_ended(live, ids, -3) == 0 && sis_live_ended(live, ids, 0) == 0);
        sis_live_free(live);
    }
}

static void an_off_by_number_ends_that_note(void) {
    sis_live* live = loaded(SMALL_OVERSAMPLED);
    int32_t ended = -1;
    play_note(live, 64, SIS_LIVE_NOTE_ON, 69, 1, 1);
    play_note(live, 64, SIS_LIVE_NOTE_ON, 69, 2, 1);
    play_note(live, ROWS, SIS_LIVE_NOTE_OFF, 69, 2, 0); // the second one
    CHECK(status_of(live).voices == 1 && status_of(live).keys == 1);
    CHECK(sis_live_ended(live, &ended, 1) == 1 && ended == 2);
    play_note(live, ROWS, SIS_LIVE_NOTE_OFF, 69, 2, 0); // again: nothing
    CHECK(status_of(live).voices == 1 && status_of(live).keys == 1);
    play_note(live, ROWS, SIS_LIVE_NOTE_OFF, -1, 1, 0);
    CHECK(status_of(live).voices == 0 && status_of(live).keys == 0);
    play_note(live, 64, SIS_LIVE_NOTE_ON, 69, -1, 1); // without a number
    sis_live_event off = note(SIS_LIVE_NOTE_OFF, -1, 3, 0);
    off.channel = -1;
    play_block_of(live, heard, 64, &off, 1); // of another
    CHECK(status_of(live).keys == 1);
    play_note(live, 64, SIS_LIVE_NOTE_OFF, 69, 3, 0); // by its key
    CHECK(status_of(live).keys == 0);
    sis_live_free(live);
}

/** The two channels of the scene are the pitches of its two strings, in Hz. */
static void notes_are_bent_one_by_one(void) {
    sis_live* live = loaded(SMALL_COURSES);
    static float right[ROWS];
    sis_live_event e[] = {note(SIS_LIVE_NOTE_ON, 52, 7, 1), note(SIS_LIVE_NOTE_ON, 69, 8, 1),
                          note(SIS_LIVE_BEND, -1, 8, 2)};
    e[2].channel = -1;
    sis_live_block b = {.frames = ROWS, .out = {heard, right}, .events = e, .event_count = 3};
    sis_live_run(live, &b);
    sis_live_run(live, &(sis_live_block){.frames = ROWS, .out = {heard, right}});
    CHECK_NEAR(heard[ROWS - 1], 440 * exp2((52 - 69) / 12.0), 1.5);
    CHECK_NEAR(right[ROWS - 1], 440 * exp2(2 / 12.0), 1.5);
    e[2].note = 99; // nobody's
    e[2].value = 7;
    b.events = e + 2;
    b.event_count = 1;
    sis_live_run(live, &b);
    CHECK_NEAR(right[ROWS - 1], 440 * exp2(2 / 12.0), 1.5);
    e[2].value = (double)NAN;
    sis_live_run(live, &b);
    CHECK(status_of(live).wrong == 1);
    sis_live_free(live);
}

int main(void) {
    RUN(a_param_is_heard_without_a_click);
    RUN(another_layout_is_faded_in);
    RUN(a_change_does_not_depend_on_blocks);
    RUN(offline_params_change_together);
    RUN(a_knob_may_be_turned_fast);
    RUN(an_input_moves_at_its_frame);
    RUN(knobs_survive_a_change_of_oversampling);
    RUN(keys_that_are_down_go_on_in_the_next_scene);
    RUN(the_last_key_sounds_in_the_next_scene);
    RUN(what_a_pedal_held_ends_in_the_next_scene);
    RUN(nobody_waits_for_a_host_that_does_not_play);
    RUN(messages_between_blocks_find_the_next_scene);
    RUN(pedals_hold_notes);
    RUN(a_zone_that_ends_leaves_no_note);
    RUN(the_quietest_makes_room);
    RUN(panic_ends_everything);
    RUN(notes_sound_where_memory_keeps_no_tone);
    RUN(every_note_ends_once);
    RUN(an_off_by_number_ends_that_note);
    RUN(notes_are_bent_one_by_one);
    return check_report();
}
