// The live library in other tunings: MIDI tuning messages, Scala files and tables of Hz are heard,
// kept, and silent where they say so.
#include "live_help.h"
#include "live_scenes.h"

static const double rate = 48000;
enum { ROWS = 9600 };
static float heard[ROWS];

static double equal(double key) {
    return 440 * exp2((key - 69) / 12);
}

static void send_sysex(sis_live* live, const uint8_t* data, size_t size) {
    sis_live_event e = {.kind = SIS_LIVE_SYSEX, .note = -1, .data = data, .size = size};
    play_block_of(live, heard, 64, &e, 1);
}

/** Hz of a key, from what is heard of it. */
static double pitch_of(sis_live* live, int key) {
    play_midi(live, heard, 64, 0x90, key, 100);
    play_on(live, heard, ROWS);
    double hz = hertz(heard, ROWS, rate);
    sis_live_event panic = {.kind = SIS_LIVE_PANIC};
    float rest[4096];
    play_block_of(live, rest, 4096, &panic, 1);
    return hz;
}

static sis_live* tones(void) {
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    CHECK(load_text(live, SMALL_TONE));
    return live;
}

#define CHECK_HZ(have, want) CHECK_NEAR((have) / (want), 1, 3e-4)

// ---------------------------------------------------------------------------- MIDI tuning

static void a_note_is_retuned(void) {
    static const uint8_t now[] = {0xF0, 0x7F, 0x7F, 8, 2, 0, 2, 69, 69, 64, 0, 60, 72, 0, 0, 0xF7};
    static const uint8_t bank[] = {0x7E, 0x7F, 8, 7, 0, 0, 1, 64, 65, 32, 0}; // without F0 and F7
    sis_live* live = tones();
    CHECK_HZ(pitch_of(live, 69), 440);
    send_sysex(live, now, sizeof now);
    CHECK_HZ(pitch_of(live, 69), equal(69.5));
    CHECK_HZ(pitch_of(live, 60), equal(72));
    CHECK_HZ(pitch_of(live, 64), equal(64));
    send_sysex(live, bank, sizeof bank);
    CHECK_HZ(pitch_of(live, 64), equal(65.25));
    CHECK_HZ(pitch_of(live, 69), equal(69.5)); // the others stay
    CHECK(status_of(live).wrong == 0);
    sis_live_free(live);
}

static void a_dump_retunes_all_keys(void) {
    uint8_t dump[5 + 1 + 16 + 384 + 2] = {0xF0, 0x7E, 0, 8, 1};
    uint8_t* at = dump + 5 + 1 + 16;
    for (int key = 0; key < 128; key++, at += 3) {
        at[0] = (uint8_t)(key < 127 ? key : 126);
        at[1] = 0x20; // a quarter of a semitone
    }
    dump[sizeof dump - 1] = 0xF7;
    sis_live* live = tones();
    send_sysex(live, dump, sizeof dump);
    CHECK_HZ(pitch_of(live, 69), equal(69.25));
    CHECK_HZ(pitch_of(live, 40), equal(40.25));
    dump[5 + 17 + 3 * 40] = dump[5 + 17 + 3 * 40 + 1] = dump[5 + 17 + 3 * 40 + 2] =
        0x7F; // as it is
    dump[5 + 17 + 3 * 69] = 70;
    send_sysex(live, dump, sizeof dump);
    CHECK_HZ(pitch_of(live, 69), equal(70.25));
    CHECK_HZ(pitch_of(live, 40), equal(40.25));
    send_sysex(live, dump, sizeof dump - 30); // cut: nothing
    dump[100] = 0x80;
    dump[5 + 17 + 3 * 69] = 50;
    send_sysex(live, dump, sizeof dump);
    CHECK_HZ(pitch_of(live, 69), equal(70.25));
    sis_live_free(live);
}

static void octaves_are_retuned(void) {
    uint8_t one[8 + 12 + 1] = {0xF0, 0x7E, 0x7F, 8, 8, 3, 0x7F, 0x7F};
    uint8_t two[8 + 24 + 1] = {0xF0, 0x7F, 0x7F, 8, 9, 3, 0x7F, 0x7F};
    for (int i = 0; i < 12; i++) {
        one[8 + i] = (uint8_t)(64 + (i == 9 ? -30 : 10));
        two[8 + 2 * i] = 64; // no change
    }
    two[8 + 2 * 9] = 96; // half a semitone up
    one[20] = two[32] = 0xF7;
    sis_live* live = tones();
    send_sysex(live, one, sizeof one);
    CHECK_HZ(pitch_of(live, 69), equal(68.7));
    CHECK_HZ(pitch_of(live, 60), equal(60.1));
    CHECK_HZ(pitch_of(live, 57), equal(56.7));
    send_sysex(live, two, sizeof two);
    CHECK_HZ(pitch_of(live, 69), equal(69.5));
    CHECK_HZ(pitch_of(live, 60), equal(60));
    sis_live_free(live);
}

/** The left channel of the scene is its pitch in Hz. */
static void what_sounds_follows_real_time_tuning_only(void) {
    static const uint8_t now[] = {0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 69, 70, 0, 0, 0xF7};
    uint8_t later[27] = {0xF0, 0x7E, 0x7F, 8, 8, 3, 0x7F, 0x7F};
    for (int i = 0; i < 12; i++)
        later[8 + i] = 64 + 20;
    later[20] = 0xF7;
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    CHECK(load_text(live, SMALL_MONO));
    play_midi(live, heard, 64, 0x90, 69, 100);
    CHECK_NEAR(heard[63], 440, 0.01);
    send_sysex(live, now, sizeof now);
    CHECK_NEAR(heard[63], equal(70), 0.01);
    send_sysex(live, later, 21);
    CHECK_NEAR(heard[63], equal(70), 0.01);
    play_midi(live, heard, 64, 0x80, 69, 0);
    play_midi(live, heard, 64, 0x90, 69, 100);
    CHECK_NEAR(heard[63], equal(69.2), 0.01);
    sis_live_free(live);
}

/** The worker hears of it: notes are compiled at the pitch that the audio thread wants, and begin. */
static void notes_of_a_new_tuning_begin_where_a_worker_compiles(void) {
    static const uint8_t now[] = {0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 69, 62, 64, 0, 0xF7};
    sis_live* live = plain_live(rate, false);
    CHECK(load_text(live, SMALL_TONE));
    send_sysex(live, now, sizeof now);
    play_midi(live, heard, 64, 0x90, 69, 100);
    CHECK(status_of(live).waiting == 1);
    sis_live_work(live);
    play_on(live, heard, ROWS);
    CHECK(status_of(live).waiting == 0 && status_of(live).voices == 1);
    CHECK_HZ(hertz(heard, ROWS, rate), equal(62.5));
    int rounds = 0;
    while (sis_live_work(live) && rounds < 1000) // nobody compiles for ever
        rounds++;
    CHECK(rounds < 1000);
    sis_live_free(live);
}

static void tunings_are_saved(void) {
    static const uint8_t now[] = {0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 69, 62, 64, 0, 0xF7};
    sis_live *live = tones(), *other = plain_live(rate, false);
    sis_live_error error = {.text = ""};
    size_t size = 0;
    send_sysex(live, now, sizeof now);
    play_on(live, heard, 64);
    char* saved = sis_live_save(live, &size);
    CHECK(saved && sis_live_restore(other, saved, size, &error));
    sis_live_offline(other, true);
    CHECK_HZ(pitch_of(other, 69), equal(62.5));
    CHECK_HZ(pitch_of(other, 70), equal(70));
    free(saved);
    sis_live_free(live);
    sis_live_free(other);
}

// ---------------------------------------------------------------------------- tables and Scala

static void scala_files_are_heard(void) {
    static const char scale[] =
        "! five.scl\nfive equal steps\n 5\n 240.\n 480.\n 720.\n 960.\n 2/1\n";
    sis_live* live = tones();
    sis_live_error error = {.text = ""};
    CHECK(sis_live_tune_scala(live, scale, sizeof scale - 1, NULL, 0, 0, &error));
    double middle = pitch_of(live, 60);
    CHECK_HZ(pitch_of(live, 69), 440); // nine steps above
    CHECK_HZ(pitch_of(live, 61), middle * exp2(0.2));
    CHECK_HZ(pitch_of(live, 65), middle * 2);
    CHECK(!sis_live_tune_scala(live, "nonsense", 8, NULL, 0, 0, &error));
    CHECK(error.text[0] != '\0');
    CHECK_HZ(pitch_of(live, 65), middle * 2); // as before
    CHECK(sis_live_tune_scala(live, NULL, 0, NULL, 0, 432, &error));
    CHECK_HZ(pitch_of(live, 69), 432);
    sis_live_free(live);
}

static void keys_without_a_pitch_are_silent_and_let_go(void) {
    static const double none[] = {(double)NAN, 0, -440, (double)INFINITY, 1e9, 10, 9000};
    sis_live* live = tones();
    double hz[128];
    for (int key = 0; key < 128; key++)
        hz[key] = equal(key);
    for (int i = 0; i < 7; i++)
        hz[60 + i] = none[i];
    sis_live_tune(live, hz);
    for (int i = 0; i < 7; i++) {
        sis_live_event on = {
            .kind = SIS_LIVE_NOTE_ON, .key = (int16_t)(60 + i), .note = i, .value = 1};
        play_block_of(live, heard, 64, &on, 1);
        play_on(live, heard, ROWS);
        CHECK(largest(heard, ROWS) == 0);
        CHECK(status_of(live).voices == 0 && status_of(live).keys == 1);
        int32_t ended = -1;
        CHECK(sis_live_ended(live, &ended, 1) == 1 && ended == i);
        sis_live_event off = {.kind = SIS_LIVE_NOTE_OFF, .key = (int16_t)(60 + i), .note = i};
        play_block_of(live, heard, 64, &off, 1);
        CHECK(status_of(live).keys == 0);
    }
    CHECK_HZ(pitch_of(live, 69), 440);
    // a scene is loaded, even where none of its keys has a pitch
    for (int key = 0; key < 128; key++)
        hz[key] = (double)NAN;
    sis_live_tune(live, hz);
    CHECK(load_text(live, SMALL_PLAYED));
    play_midi(live, heard, 64, 0x90, 60, 100);
    play_on(live, heard, 64);
    CHECK(status_of(live).voices == 0);
    sis_live_free(live);
}

// Its input of pitch is heard itself.
#define PITCH_METER                                                                                \
    "local f = input{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local m = mass{ mass = 1, position = 1 } probe{ on = m, gain = f }\n"                         \
    "render{ rate = 48000, duration = 1 } play{ pitch = 'f' }\n"

// What an instrument sends once, a tuning, a range of bends and a zone, stays after a panic and at
// another rate; wheels go back.
static void panics_and_rates_leave_tunings_ranges_and_zones(void) {
    static const uint8_t quarter[] = {0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 69, 69, 64, 0, 0xF7};
    for (int i = 0; i < 2; i++) {
        sis_live_options o = sis_live_options_default();
        sis_live_error error;
        o.worker = o.guard = o.limiter = o.dc_blocker = false;
        sis_live* live = sis_live_new(&o, &error);
        sis_live_offline(live, true);
        CHECK(load_text(live, PITCH_METER));
        send_sysex(live, quarter, sizeof quarter);
        play_midi(live, heard, 64, 0xB0, 101, 0);
        play_midi(live, heard, 64, 0xB0, 100, 6);
        play_midi(live, heard, 64, 0xB0, 6, 3);    // a zone of channels 2 to 4,
        play_midi(live, heard, 64, 0xE0, 0, 0x60); // its wheel up
        if (i) CHECK(sis_live_set_rate(live, rate / 2, 1024, &error));
        if (!i) sis_live_panic(live);
        play_on(live, heard, 4800);
        play_midi(live, heard, 64, 0x91, 60, 100);
        play_on(live, heard, 64);
        double c4 = (double)heard[63];
        play_midi(live, heard, 64, 0xE1, 0, 0x41);
        play_on(live, heard, 64);
        CHECK_HZ((double)heard[63] / c4, exp2(48 * 128 / 8191.0 / 12));
        play_midi(live, heard, 64, 0xE1, 0, 0x40);
        play_midi(live, heard, 64, 0x92, 69, 100);
        play_on(live, heard, 64);
        CHECK_HZ((double)heard[63] / c4 - 1, equal(69.5) / equal(60));
        sis_live_free(live);
    }
}

int main(void) {
    RUN(a_note_is_retuned);
    RUN(a_dump_retunes_all_keys);
    RUN(octaves_are_retuned);
    RUN(what_sounds_follows_real_time_tuning_only);
    RUN(notes_of_a_new_tuning_begin_where_a_worker_compiles);
    RUN(panics_and_rates_leave_tunings_ranges_and_zones);
    RUN(tunings_are_saved);
    RUN(scala_files_are_heard);
    RUN(keys_without_a_pitch_are_silent_and_let_go);
    return check_report();
}
