// What keys, wheels, pressure, pedals and controllers do to the inputs of a scene: at the very row,
// as far as play{} says.
#include "gesture.h"
#include "song_help.h"

// ---------------------------------------------------------------------------- bends

static void write_bends(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 100, "\xE0\x7F\x7F"); // whole wheel up
    MIDI(&m, 100, "\xE0\x00\x20"); // half down
    MIDI(&m, 100, "\xE0\x00\x40");
    MIDI(&m, 100, "\x80\x3C\x64");
    midi_end(&m);
}

static void a_wheel_bends_by_its_semitones_from_its_row_on(void) {
    write_bends();
    heard h = play(METER("input{ 'x', 1, min = 0.5, max = 2 }", "bend = 'x'"));
    CHECK(at(&h, 0, 0) == 1 && before(&h, 100, 0) == 1);
    CHECK_NEAR(at(&h, 100, 0), semitones(2), 1e-12);
    CHECK_NEAR(before(&h, 200, 0), semitones(2), 1e-12);
    CHECK_NEAR(at(&h, 200, 0), semitones(-1), 1e-12);
    CHECK(at(&h, 300, 0) == 1);
    CHECK(p.left_out.bends == 0);
    free(h.pairs);
    h = play(METER("input{ 'x', 1, min = 0.5, max = 2 }", "bend = 'x', bend_range = 7"));
    CHECK_NEAR(at(&h, 100, 0), semitones(7), 1e-12);
    free(h.pairs);
}

static void a_bend_is_held_to_the_range_and_may_be_in_other_units(void) {
    write_bends();
    heard h = play(METER("input{ 'x', 1, min = 0.99, max = 1.05 }", "bend = 'x'"));
    CHECK(at(&h, 100, 0) == 1.05 && at(&h, 200, 0) == 0.99);
    free(h.pairs);
    h = play(METER("input{ 'x', 0, min = -500, max = 500, unit = 'cents' }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 100, 0), 200, 1e-9);
    CHECK_NEAR(at(&h, 200, 0), -100, 1e-9);
    free(h.pairs);
    h = play(METER("input{ 'x', 0, min = -5, max = 5, unit = 'semitones' }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 100, 0), 2, 1e-12);
    free(h.pairs);
    h = play(METER("input{ 'x', 50, min = 40, max = 80, unit = 'N' }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 100, 0), 80, 1e-9);                // the whole wheel is the whole range
    CHECK_NEAR(at(&h, 200, 0), 35 + 15 / sqrt(3), 1e-9); // on a curve through 40, 50 and 80
    free(h.pairs);
    h = play(METER("input{ 'x', 50, min = 40, max = 60, unit = 'N' }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 200, 0), 45, 1e-9);
    free(h.pairs);
    h = play(METER("input{ 'x', 50, min = 50, max = 60, unit = 'N' }", "bend = 'x'"));
    CHECK(at(&h, 100, 0) == 60 && at(&h, 200, 0) == 50);
    free(h.pairs);
}

static void tensions_and_stops_bend_by_semitones_too(void) {
    write_bends();
    heard h = play(
        METER("input{ 'x', 90, min = 90 * 2 ^ (-4 / 12), max = 90 * 2 ^ (4 / 12), unit = 'N' }",
              "bend = 'x'"));
    CHECK_NEAR(at(&h, 100, 0), 90 * semitones(4), 1e-9); // tension: the frequency squared
    CHECK_NEAR(at(&h, 200, 0), 90 * semitones(-2), 1e-9);
    free(h.pairs);
    h = play(METER("input{ 'x', 0, min = 0.6 * (1 - 2 ^ (2 / 12)), "
                   "max = 0.6 * (1 - 2 ^ (-2 / 12)), unit = 'm' }",
                   "bend = 'x'"));
    CHECK_NEAR(at(&h, 200, 0), 0.6 * (1 - semitones(1)), 1e-12); // 0.6 m are left of the string
    free(h.pairs);
}

static void equal_steps_of_velocity_are_equal_ratios_of_blows_that_are_never_0(void) {
    const sis_gestures g = {.bend_range = 2};
    const sis_input_info hammer = {.min = 0.5, .max = 8, .trigger = true},
                         stick = {.min = 0, .max = 8, .trigger = true};
    CHECK(sis_gesture_value(&g, &hammer, SIS_ACT_VELOCITY, 0) == 0.5);
    CHECK_NEAR(sis_gesture_value(&g, &hammer, SIS_ACT_VELOCITY, 0.5), 2, 1e-12);
    CHECK(sis_gesture_value(&g, &hammer, SIS_ACT_VELOCITY, 1) == 8);
    CHECK(sis_gesture_value(&g, &stick, SIS_ACT_VELOCITY, 0.5) == 4);
}

static void the_file_may_set_the_range_of_the_wheel(void) {
    begin();
    MIDI(&m, 0, "\xE0\x7F\x7F"); // before the range, and before the note
    MIDI(&m, 0, "\xB0\x65\x00");
    MIDI(&m, 0, "\xB0\x64\x00");
    MIDI(&m, 0, "\xB0\x06\x0A"); // ten semitones
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 100, "\xB0\x06\x03");
    MIDI(&m, 100, "\xB0\x26\x32"); // three and a half
    MIDI(&m, 100, "\xB0\x79\x00"); // all controllers back
    MIDI(&m, 100, "\x80\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 1, min = 0.25, max = 4 }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 1, 0), semitones(10), 1e-12);
    CHECK_NEAR(at(&h, 100, 0), semitones(3), 1e-12);
    CHECK_NEAR(at(&h, 200, 0), semitones(3.5), 1e-12);
    CHECK_NEAR(at(&h, 300, 0), 1, 1e-12);
    free(h.pairs);
}

static void where_pitch_is_an_input_the_wheel_moves_it(void) {
    write_bends();
    heard h = play("local f = input{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n"
                   "local hold = input{ 'hold', 0 }\n"
                   "local m = mass{ mass = 1, position = 1 } probe{ on = m, gain = f }\n"
                   "play{ pitch = 'f', gate = 'hold' }");
    double c4 = 440 * semitones(-9);
    CHECK_NEAR(at(&h, 1, 0), c4, 1e-9);
    CHECK_NEAR(at(&h, 100, 0), c4 * semitones(2), 1e-9);
    CHECK(p.left_out.bends == 0 && p.systems == 1);
    free(h.pairs);
}

// ---------------------------------------------------------------------------- gates and pedals

static void a_gate_is_open_while_the_key_is_down(void) {
    begin();
    MIDI(&m, 10, "\x90\x3C\x64");
    MIDI(&m, 290, "\x80\x3C\x64");
    midi_end(&m);
    for (finer = 1; finer <= 3; finer += 2) {
        heard h = play(PLAIN);
        uint64_t over = (uint64_t)finer, wrong = 0;
        for (uint64_t n = 0; n < h.rows; n++) {
            bool down = n > 40 * over && n < 1200 * over; // steps
            wrong += h.pairs[2 * n + 1] != (down ? 1 : 0);
        }
        CHECK(h.rows > 1200 * over && wrong == 0);
        free(h.pairs);
    }
    finer = 1;
}

static void the_pedal_keeps_gates_open_unless_the_scene_has_it(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 100, "\xB0\x40\x7F");
    MIDI(&m, 100, "\x80\x3C\x64");
    MIDI(&m, 100, "\xB0\x40\x20"); // half way: up, for who has two places only
    midi_end(&m);
    heard h = play(PLAIN);
    CHECK(before(&h, 300, 1) == 1 && at(&h, 300, 1) == 0);
    free(h.pairs);
    h = play(METER("input{ 'x', 0.25, min = 0, max = 127 }", "pedal = 'x', tail = 300"));
    CHECK(before(&h, 200, 1) == 1 && at(&h, 200, 1) == 0);
    CHECK(before(&h, 100, 0) == 0.25 && at(&h, 100, 0) == 127);
    CHECK(p.left_out.controllers == 0);
    free(h.pairs);
}

static void sostenuto_holds_the_keys_that_were_down(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 100, "\xB0\x42\x7F");
    MIDI(&m, 0, "\x90\x40\x64"); // later: not held
    MIDI(&m, 100, "\x80\x3C\x64");
    MIDI(&m, 0, "\x80\x40\x64");
    MIDI(&m, 100, "\xB0\x42\x00");
    midi_end(&m);
    heard h = play(PLAIN);
    CHECK(at(&h, 150, 1) == 2 && at(&h, 250, 1) == 1 && at(&h, 300, 1) == 0);
    free(h.pairs);
}

static void all_sound_off_is_silence_in_a_moment(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 0, "\x91\x3C\x64");
    MIDI(&m, 100, "\xB0\x78\x00");
    MIDI(&m, 200, "\x81\x3C\x64");
    midi_end(&m);
    heard h = play(PLAIN);
    CHECK(before(&h, 100, 0) == 2 && at(&h, 111, 0) == 1);
    free(h.pairs);
}

// A bow may start again from nothing as long as the key is down.
static void a_silent_voice_lives_while_its_key_is_down(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 16000, "\xB0\x01\x7F"); // after eight seconds
    MIDI(&m, 1000, "\x80\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 0 }", "cc = { [1] = 'x' }"));
    CHECK(before(&h, 16000, 0) == 0 && at(&h, 16000, 0) == 1);
    free(h.pairs);
}

// ---------------------------------------------------------------------------- controllers

static void pressure_goes_into_the_range(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 0, "\x90\x40\x64");
    MIDI(&m, 100, "\xD0\x40");     // both
    MIDI(&m, 100, "\xA0\x3C\x7F"); // one of them
    MIDI(&m, 100, "\xA0\x41\x7F"); // none
    MIDI(&m, 100, "\x80\x3C\x64");
    MIDI(&m, 0, "\x80\x40\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 0.5, min = 0, max = 254 }", "pressure = 'x'"));
    CHECK(at(&h, 0, 0) == 1); // two that rest at 0.5
    CHECK_NEAR(at(&h, 100, 0), 256, 1e-9);
    CHECK_NEAR(at(&h, 200, 0), 128 + 254, 1e-9);
    CHECK_NEAR(at(&h, 300, 0), 128 + 254, 1e-9);
    CHECK(p.left_out.pressures == 0);
    free(h.pairs);
}

static void controllers_go_into_the_range_and_later_notes_find_them(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 100, "\xB0\x4A\x40");
    MIDI(&m, 100, "\x80\x3C\x64");
    MIDI(&m, 100, "\x90\x3C\x64");
    MIDI(&m, 100, "\x80\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 5, min = 0, max = 127 }", "cc = { [74] = 'x' }"));
    CHECK(before(&h, 100, 0) == 5);
    CHECK_NEAR(at(&h, 100, 0), 64, 1e-12);
    CHECK_NEAR(at(&h, 301, 0) - 64, 64, 1e-12); // the first still rests at 64
    free(h.pairs);
}

static void what_has_no_input_is_counted(void) {
    begin();
    MIDI(&m, 0, "\xC0\x05");
    MIDI(&m, 0, "\xB0\x07\x64");
    MIDI(&m, 0, "\xB0\x0A\x40");
    MIDI(&m, 0, "\xB0\x07\x60");
    MIDI(&m, 0, "\xB0\x40\x7F"); // a pedal is played
    MIDI(&m, 0, "\xE0\x00\x40"); // bends nothing
    MIDI(&m, 0, "\xE0\x00\x41");
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 10, "\xD0\x40");
    MIDI(&m, 10, "\xA0\x3C\x40");
    MIDI(&m, 0, "\xB5\x07\x64"); // there are no notes on this channel
    MIDI(&m, 100, "\x80\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 5, min = 0, max = 127 }", "cc = { [10] = 'x' }"));
    const sis_left_out* left = &p.left_out;
    CHECK(left->bends == 1 && left->pressures == 2 && left->controllers == 2);
    CHECK(left->programs == 1 && left->numbers[7] && !left->numbers[10] && !left->numbers[64]);
    free(h.pairs);
}

// Registered parameters 1 and 2, away from their middle.
static void tunings_of_a_channel_are_counted(void) {
    begin();
    MIDI(&m, 0, "\xB0\x65\x00\x00\xB0\x64\x01\x00\xB0\x06\x40\x00\xB0\x26\x00");
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 0, "\xB0\x64\x02\x00\xB0\x06\x3E");
    MIDI(&m, 0, "\xB0\x64\x05\x00\xB0\x06\x01"); // how deep controller 1 is: of no scene
    MIDI(&m, 100, "\x80\x3C\x64");
    midi_end(&m);
    heard h = play(PLAIN);
    CHECK(p.left_out.controllers == 1 && p.left_out.numbers[6] && !p.left_out.numbers[38]);
    free(h.pairs);
}

// ---------------------------------------------------------------------------- zones

static void notes_of_a_zone_bend_apart_and_the_master_bends_all(void) {
    begin();
    MIDI(&m, 0, "\xB0\x65\x00");
    MIDI(&m, 0, "\xB0\x64\x06");
    MIDI(&m, 0, "\xB0\x06\x0F");
    MIDI(&m, 0, "\x91\x3C\x64");
    MIDI(&m, 0, "\x92\x3C\x64");
    MIDI(&m, 100, "\xE1\x7F\x7F"); // one of them by 48 semitones
    MIDI(&m, 100, "\xE0\x7F\x7F"); // and both by 2
    MIDI(&m, 100, "\x81\x3C\x64");
    MIDI(&m, 0, "\x93\x3C\x64");
    MIDI(&m, 100, "\xE1\x00\x40"); // the first has gone: its channel is free
    MIDI(&m, 100, "\x82\x3C\x64");
    MIDI(&m, 0, "\x83\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 1, min = 0.05, max = 50 }", "bend = 'x'"));
    double both = semitones(2);
    CHECK_NEAR(at(&h, 50, 0), 2, 1e-12);
    CHECK_NEAR(at(&h, 100, 0), semitones(48) + 1, 1e-9);
    CHECK_NEAR(at(&h, 200, 0), semitones(50) + both, 1e-9);
    CHECK_NEAR(at(&h, 301, 0), semitones(50) + both + both, 1e-9);
    CHECK_NEAR(at(&h, 400, 0), semitones(50) + both + both, 1e-9);
    free(h.pairs);
}

static void a_channel_that_leaves_its_zone_bends_as_before(void) {
    begin();
    MIDI(&m, 0, "\xB0\x65\x00");
    MIDI(&m, 0, "\xB0\x64\x06");
    MIDI(&m, 0, "\xB0\x06\x05"); // members are channels 2 to 6
    MIDI(&m, 0, "\xB0\x06\x01"); // and now channel 2 alone
    MIDI(&m, 0, "\x92\x3C\x64");
    MIDI(&m, 100, "\xE2\x7F\x7F");
    MIDI(&m, 100, "\x82\x3C\x64");
    midi_end(&m);
    heard h = play(METER("input{ 'x', 1, min = 0.05, max = 50 }", "bend = 'x'"));
    CHECK_NEAR(at(&h, 100, 0), semitones(2), 1e-12);
    free(h.pairs);
}

static void a_zone_hears_the_pedal_of_its_master(void) {
    sis_song song;
    sis_fault fault;
    begin();
    MIDI(&m, 0, "\xBF\x65\x00");
    MIDI(&m, 0, "\xBF\x64\x06");
    MIDI(&m, 0, "\xBF\x06\x03"); // the upper zone: channels 13 to 15
    MIDI(&m, 0, "\xBF\x40\x7F");
    MIDI(&m, 0, "\x9C\x3C\x64");
    MIDI(&m, 0, "\x90\x3C\x64"); // no member
    MIDI(&m, 1000, "\x8C\x3C\x64");
    MIDI(&m, 0, "\x80\x3C\x64");
    MIDI(&m, 1000, "\xBF\x40\x00");
    midi_end(&m);
    CHECK(sis_song_read(m.data, m.size, "x.mid", &song, &fault) && song.count == 2);
    CHECK(song.count == 2 && song.notes[0].master == 15 && song.notes[1].master == 0);
    CHECK_NEAR(song.notes[0].up, 0.5, 1e-12);
    CHECK_NEAR(song.notes[0].end, 1, 1e-12);
    CHECK_NEAR(song.notes[1].end, 0.5, 1e-12);
    sis_song_free(&song);
}

// ---------------------------------------------------------------------------- tunings

#define HEARD_HZ                                                                                   \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "probe{ on = m, gain = f }\n"                                                                  \
    "play{ pitch = 'f' }\n"

// Keys 69 and 60 get a quarter tone more: by real time, and not.
#define QUARTER(kind) "\xF0\x0F" kind "\x7F\x08\x02\x00\x02\x45\x45\x40\x00\x3C\x3C\x40\x00\xF7"

static void messages_of_a_song_tune_it(void) {
    begin();
    MIDI(&m, 0, "\xF0\x05\x7E\x7F\x09\x01\xF7"); // not a tuning
    MIDI(&m, 0, "\x90\x45\x40");
    MIDI(&m, 100, "\x80\x45\x40");
    MIDI(&m, 0, QUARTER("\x7F"));
    MIDI(&m, 0, "\x90\x45\x40"); // in the same block, on the same key
    MIDI(&m, 100, "\x80\x45\x40");
    MIDI(&m, 10, "\xB0\x78\x00");
    MIDI(&m, 190, "\x90\x3C\x40");
    MIDI(&m, 100, "\x80\x3C\x40");
    midi_end(&m);
    heard h = play("local f = param{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n" HEARD_HZ);
    CHECK_NEAR(at(&h, 50, 0), 440, 1e-9);
    // the first note rings on beside the second one
    CHECK_NEAR(at(&h, 150, 0), 440 + 440 * semitones(0.5), 1e-9);
    CHECK_NEAR(at(&h, 450, 0), 440 * semitones(-8.5), 1e-9);
    CHECK(p.systems == 3);
    free(h.pairs);
}

static void what_sounds_follows_messages_in_real_time(void) {
    for (int now = 0; now < 2; now++) {
        begin();
        MIDI(&m, 0, "\x90\x45\x40");
        if (now) MIDI(&m, 100, QUARTER("\x7F"));
        if (!now) MIDI(&m, 100, QUARTER("\x7E"));
        MIDI(&m, 100, "\x80\x45\x40");
        midi_end(&m);
        heard h = play("local f = input{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n" HEARD_HZ);
        CHECK_NEAR(before(&h, 100, 0), 440, 1e-9);
        CHECK_NEAR(at(&h, 100, 0), now ? 440 * semitones(0.5) : 440, 1e-9);
        free(h.pairs);
    }
}

// What a message moves into the range of the scene, or out of it.
static void notes_are_in_range_as_they_are_tuned(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x40");
    MIDI(&m, 100, "\xF0\x0B\x7F\x7F\x08\x02\x00\x01\x3C\x45\x00\x00\xF7"); // C4 is A4 now
    MIDI(&m, 0, "\x90\x3C\x40");
    MIDI(&m, 100, "\x80\x3C\x40");
    midi_end(&m);
    heard h = play("local f = param{ 'f', 440, min = 430, max = 450, unit = 'Hz' }\n" HEARD_HZ);
    CHECK(p.played == 1);
    CHECK(at(&h, 50, 0) == 0);
    CHECK_NEAR(at(&h, 150, 0), 440, 1e-9);
    free(h.pairs);
}

int main(void) {
    CHECK(open_scenes());
    RUN(a_wheel_bends_by_its_semitones_from_its_row_on);
    RUN(a_bend_is_held_to_the_range_and_may_be_in_other_units);
    RUN(tensions_and_stops_bend_by_semitones_too);
    RUN(equal_steps_of_velocity_are_equal_ratios_of_blows_that_are_never_0);
    RUN(the_file_may_set_the_range_of_the_wheel);
    RUN(where_pitch_is_an_input_the_wheel_moves_it);
    RUN(a_gate_is_open_while_the_key_is_down);
    RUN(the_pedal_keeps_gates_open_unless_the_scene_has_it);
    RUN(sostenuto_holds_the_keys_that_were_down);
    RUN(all_sound_off_is_silence_in_a_moment);
    RUN(a_silent_voice_lives_while_its_key_is_down);
    RUN(pressure_goes_into_the_range);
    RUN(controllers_go_into_the_range_and_later_notes_find_them);
    RUN(what_has_no_input_is_counted);
    RUN(tunings_of_a_channel_are_counted);
    RUN(notes_of_a_zone_bend_apart_and_the_master_bends_all);
    RUN(a_channel_that_leaves_its_zone_bends_as_before);
    RUN(a_zone_hears_the_pedal_of_its_master);
    RUN(messages_of_a_song_tune_it);
    RUN(what_sounds_follows_messages_in_real_time);
    RUN(notes_are_in_range_as_they_are_tuned);
    close_scenes();
    return CHECK_REPORT();
}
