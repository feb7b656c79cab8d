// Scenes that are loaded while another one plays, what a load says when it fails, what is prepared,
// and a level that does not depend on the machine.
#include "live_help.h"
#include "live_scenes.h"

#include <time.h>

enum { ROWS = 4800 };
static float heard[ROWS];

static sis_live* playing(const char* text, bool worker) {
    sis_live* live = plain_live(48000, worker);
    if (text) CHECK(load_text(live, text));
    return live;
}

static bool ask(sis_live* live, const char* text, const char* name) {
    return sis_live_load_start(live, text, strlen(text), name, NULL, 0, NULL);
}

// The audio thread goes on meanwhile.
static sis_live_progress wait_for(sis_live* live, sis_live_error* error) {
    sis_live_progress now = SIS_LIVE_LOADING;
    for (int i = 0; i < 100000 && now == SIS_LIVE_LOADING; i++) {
        now = sis_live_load_poll(live, error);
        play_on(live, heard, 64);
        if (now == SIS_LIVE_LOADING) nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    return now;
}

static void what_plays_plays_on_until_the_new_scene_is_ready(void) {
    sis_live* live = playing(SMALL_PLAYED, true);
    sis_live_error error = {.text = ""};
    CHECK(sis_live_load_poll(live, &error) == SIS_LIVE_IDLE);
    CHECK(ask(live, SMALL_MONO, "mono"));
    CHECK_TEXT(sis_live_name(live), "scene");
    CHECK(wait_for(live, &error) == SIS_LIVE_LOADED);
    CHECK_TEXT(sis_live_name(live), "mono");
    CHECK(sis_live_load_poll(live, &error) == SIS_LIVE_IDLE);
    play_midi(live, heard, ROWS, 0x90, 69, 100);
    CHECK(largest(heard, ROWS) > 0);
    sis_live_free(live);
}

static void the_last_that_is_asked_for_wins(void) {
    sis_live* live = playing(SMALL_PLAYED, true);
    sis_live_error error = {.text = ""};
    uint32_t before = status_of(live).loads;
    CHECK(ask(live, SMALL_MONO, "one"));
    CHECK(ask(live, SMALL_KEYS, "two"));
    CHECK(ask(live, SMALL_COURSES, "three"));
    CHECK(wait_for(live, &error) == SIS_LIVE_LOADED);
    CHECK_TEXT(sis_live_name(live), "three");
    CHECK(status_of(live).loads == before + 1);
    CHECK(ask(live, SMALL_MONO, "one")); // given up by a load that waits
    CHECK(load_text(live, SMALL_KEYS));
    CHECK(sis_live_load_poll(live, &error) == SIS_LIVE_IDLE);
    CHECK_TEXT(sis_live_name(live), "scene");
    CHECK(ask(live, SMALL_MONO, "one")); // and by the end
    CHECK(ask(live, SMALL_MONO, "two"));
    sis_live_free(live);
}

static void a_wrong_scene_is_told_and_the_old_one_plays_on(void) {
    sis_live* live = playing(SMALL_PLAYED, true);
    sis_live_error error = {.text = ""};
    CHECK(ask(live, "\nmass{ mas = 1 }", "wrong"));
    CHECK(wait_for(live, &error) == SIS_LIVE_REFUSED);
    CHECK_TEXT(error.text, "mas");
    CHECK(error.line == 2 && error.fault == SIS_LIVE_WRONG_SCENE);
    CHECK_TEXT(sis_live_name(live), "scene");
    // What only compiling finds has its line, too.
    CHECK(ask(live,
              "\n\nlocal s = string{ length = 1, frequency = 100, density = 1e-3, segments = 9999 "
              "}\nprobe{ on = s, at = 0.5 }",
              "fine"));
    CHECK(wait_for(live, &error) == SIS_LIVE_REFUSED);
    CHECK_TEXT(error.text, "fine:3: string 's");
    CHECK(error.line == 3 && error.fault == SIS_LIVE_WRONG_SCENE);
    sis_live_free(live);
}

// Another rate or tuning in the meantime counts.
static void it_plays_at_the_rate_and_in_the_tuning_of_now(void) {
    sis_live* live = playing(SMALL_PLAYED, true);
    sis_live_error error = {.text = ""};
    double hz[128];
    for (int key = 0; key < 128; key++)
        hz[key] = 300;
    sis_live_offline(live, true);
    CHECK(ask(live, SMALL_VOICES "play{ pitch = 'f0', velocity = 'v0' }", "other"));
    CHECK(sis_live_set_rate(live, 24000, 1024, &error));
    sis_live_tune(live, hz);
    CHECK(wait_for(live, &error) == SIS_LIVE_LOADED);
    play_midi(live, heard, ROWS, 0x90, 69, 10);
    CHECK_NEAR(hertz(heard + ROWS / 2, ROWS / 2, 24000), 300, 3);
    sis_live_free(live);
}

static void faults_have_a_kind(void) {
    sis_live* live = playing(SMALL_PLAYED, false);
    sis_live_error error = {.text = ""};
    const sis_live_setting odd = {"nothing", 1}, far = {"f0", 1e9};
    const char *newer = "sistrum-live 99\n", *no_scene = "sistrum-live 1\nname x\n";
    size_t size = strlen(SMALL_PLAYED);
    CHECK(!sis_live_load(live, SMALL_PLAYED, size, "s", &odd, 1, &error));
    CHECK(error.fault == SIS_LIVE_WRONG_SETTING);
    CHECK(!sis_live_load(live, SMALL_PLAYED, size, "s", &far, 1, &error));
    CHECK(error.fault == SIS_LIVE_WRONG_SETTING);
    CHECK(!sis_live_load(live, "mass{", 5, "s", NULL, 0, &error));
    CHECK(error.fault == SIS_LIVE_WRONG_SCENE);
    CHECK(!sis_live_load(live, "mass{ mass = 1 }", 16, "s", NULL, 0, &error)); // no probe
    CHECK(error.fault == SIS_LIVE_WRONG_SCENE);
    CHECK(!sis_live_restore(live, newer, strlen(newer), &error));
    CHECK(error.fault == SIS_LIVE_NEWER);
    CHECK(!sis_live_restore(live, no_scene, strlen(no_scene), &error));
    CHECK(error.fault == SIS_LIVE_DAMAGED);
    CHECK(!sis_live_set_rate(live, 1, 64, &error));
    CHECK(error.fault == SIS_LIVE_WRONG_REQUEST);
    CHECK(!sis_live_tune_scala(live, "x", 1, NULL, 0, 0, &error));
    CHECK(error.fault == SIS_LIVE_WRONG_REQUEST);
    sis_live_free(live);
}

static void what_is_prepared_is_counted_at_once(void) {
    sis_live* live = playing(SMALL_PLAYED, false);
    int32_t ready = 0, to_come = 0, low = 0, high = 0, past;
    CHECK(sis_live_keys(live, &low, &high));
    sis_live_prepare(live, 100);
    sis_live_prepared(live, &ready, &to_come);
    CHECK(to_come == high - low + 1);
    past = to_come + 1;
    for (int i = 0; i < 10000 && to_come > 0; i++) {
        CHECK(to_come <= past);
        past = to_come;
        play_on(live, heard, 64);
        sis_live_work(live);
        sis_live_prepared(live, &ready, &to_come);
    }
    CHECK(to_come == 0 && ready >= high - low + 1);
    sis_live_prepare(live, 100); // all of them are there
    sis_live_work(live);
    sis_live_prepared(live, &ready, &to_come);
    CHECK(to_come == 0);
    sis_live_free(live);
}

static void the_residual_is_of_what_sounds(void) {
    sis_live_options o = sis_live_options_default();
    o.audit = true;
    o.worker = false;
    sis_live* live = sis_live_new(&o, NULL);
    CHECK(live && load_text(live, SMALL_PLAYED));
    sis_live_offline(live, true);
    play_midi(live, heard, 2000, 0x90, 69, 100);
    play_on(live, heard, 2000);
    sis_live_status now = status_of(live);
    CHECK(now.residual > 0 && now.residual < 1e-10);
    sis_live_panic(live);
    play_on(live, heard, ROWS);
    play_on(live, heard, ROWS);
    now = status_of(live);
    CHECK(now.voices == 0 && now.residual == 0 && now.touching == 0);
    sis_live_free(live);
}

// A saved instrument is as loud as it was, and measuring gives the same number every time.
static void the_peak_is_measured_once(void) {
    sis_live_options o = sis_live_options_default();
    double first = 0;
    size_t size = 0;
    o.worker = false;
    for (int i = 0; i < 3; i++) {
        sis_live* live = sis_live_new(&o, NULL);
        CHECK(live && load_text(live, SMALL_PLAYED));
        CHECK(sis_live_peak(live) > 0 && (i == 0 || sis_live_peak(live) == first));
        first = sis_live_peak(live);
        char* saved = sis_live_save(live, &size);
        CHECK(saved && strstr(saved, "\npeak "));
        sis_live_options other = o;
        other.peak = i == 0 ? 0 : i == 1 ? 5 : 1;
        sis_live* again = sis_live_new(&other, NULL);
        CHECK(again && sis_live_restore(again, saved, size, NULL));
        CHECK(sis_live_peak(again) == (i == 2 ? 1 : first));
        sis_live_free(again);
        sis_live_free(live);
        free(saved);
    }
}

static void controllers_move_the_knobs_of_their_inputs(void) {
    sis_live* live = playing(SMALL_PLAYED, false);
    int32_t level = sis_live_knob_find(live, "level"), knobs[4];
    double values[4];
    sis_live_offline(live, true);
    play_midi(live, heard, 64, 0x90, 69, 100);
    CHECK(sis_live_moved(live, knobs, values, 4) == 0);
    play_midi(live, heard, 64, 0xB0, 1, 127);
    CHECK(sis_live_moved(live, knobs, values, 0) == 0); // it is told later
    CHECK(sis_live_moved(live, knobs, values, 4) == 1);
    CHECK(knobs[0] == level && values[0] == 2 && sis_live_knob_at(live, level).value == 2);
    CHECK(sis_live_moved(live, knobs, values, 4) == 0);
    play_midi(live, heard, 64, 0xB0, 7, 3); // that moves nothing
    play_midi(live, heard, 64, 0xB0, 1, 127);
    CHECK(sis_live_moved(live, knobs, values, 4) == 0);
    play_midi(live, heard, 64, 0xB0, 121, 0);
    CHECK(sis_live_moved(live, knobs, values, 4) == 1 && values[0] == 1);
    // a zone: what notes bring along, before they begin, moves no knob
    play_midi(live, heard, 64, 0xB0, 101, 0);
    play_midi(live, heard, 64, 0xB0, 100, 6);
    play_midi(live, heard, 64, 0xB0, 6, 3);
    play_midi(live, heard, 64, 0xB2, 1, 64);
    CHECK(sis_live_moved(live, knobs, values, 4) == 0);
    sis_live_knob_set(live, level, 0.5); // a hand is not told what it did
    play_on(live, heard, 64);
    CHECK(sis_live_moved(live, knobs, values, 4) == 0);
    play_midi(live, heard, 64, 0xB0, 121, 0); // and what it has put somewhere stays
    CHECK(sis_live_knob_at(live, level).value == 0.5);
    sis_live_free(live);
}

// A hand that never rests: what was compiled for where a knob was before is not kept.
static void old_params_keep_no_tones(void) {
    sis_live* live = playing(SMALL_PLAYED, false);
    int32_t stiff = sis_live_knob_find(live, "stiff"), ready = 0, to_come = 0, low = 0, high = 0;
    CHECK(sis_live_keys(live, &low, &high));
    for (int i = 0; i < 12; i++) {
        sis_live_prepare(live, 100);
        play_midi(live, heard, 64, 0x90, low + 7 + i % 5, 100);
        for (int k = 0; k < 200; k++) {
            while (sis_live_work(live)) {
            }
            play_on(live, heard, 64);
        }
        sis_live_knob_set(live, stiff, 1e3 * (i + 1));
    }
    sis_live_prepared(live, &ready, &to_come);
    CHECK(to_come == 0 && ready <= 2 * (high - low + 1));
    sis_live_free(live);
}

static void messages_with_wrong_bytes_are_left_out(void) {
    sis_live* live = playing(SMALL_PLAYED, false);
    sis_live_offline(live, true);
    play_midi(live, heard, 64, 0x90, 0x80 + 69, 100);
    play_midi(live, heard, 64, 0x90, 69, 0x80 + 100);
    play_midi(live, heard, 64, 69, 69, 100);
    CHECK(status_of(live).wrong == 3 && status_of(live).voices == 0);
    play_midi(live, heard, 64, 0xC0, 5, 0xFF); // the third byte is none of a program change
    play_midi(live, heard, 64, 0x90, 69, 100);
    CHECK(status_of(live).wrong == 3 && status_of(live).voices == 1);
    sis_live_free(live);
}

int main(void) {
    RUN(what_plays_plays_on_until_the_new_scene_is_ready);
    RUN(the_last_that_is_asked_for_wins);
    RUN(a_wrong_scene_is_told_and_the_old_one_plays_on);
    RUN(it_plays_at_the_rate_and_in_the_tuning_of_now);
    RUN(faults_have_a_kind);
    RUN(what_is_prepared_is_counted_at_once);
    RUN(the_residual_is_of_what_sounds);
    RUN(the_peak_is_measured_once);
    RUN(controllers_move_the_knobs_of_their_inputs);
    RUN(old_params_keep_no_tones);
    RUN(messages_with_wrong_bytes_are_left_out);
    return CHECK_REPORT();
}
