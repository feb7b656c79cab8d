// Probes by themselves: their numbers are those of the compiled scene, whatever the block size; they
// add up over voices, are filtered as the sound is, and cost the sound no bit.
#include "live_help.h"
#include "live_scenes.h"

enum { ROWS = 6000, WIDE = 8 };
static float heard[2][ROWS], probes[2][WIDE][ROWS];

static const sis_live_event chord[] = {
    {.frame = 10, .kind = SIS_LIVE_MIDI, .bytes = {0x90, 57, 100}, .note = -1},
    {.frame = 700, .kind = SIS_LIVE_MIDI, .bytes = {0x90, 64, 80}, .note = -1},
    {.frame = 701, .kind = SIS_LIVE_MIDI, .bytes = {0xB0, 1, 30}, .note = -1},
    {.frame = 2500, .kind = SIS_LIVE_MIDI, .bytes = {0x80, 57, 0}, .note = -1},
    {.frame = 4000, .kind = SIS_LIVE_MIDI, .bytes = {0x90, 52, 127}, .note = -1},
};
enum { EVENTS = sizeof chord / sizeof *chord };

static sis_live* with_scene(const char* text) {
    sis_live* live = plain_live(48000, false);
    sis_live_offline(live, true);
    CHECK(load_text(live, text));
    return live;
}

// In blocks of `block` frames; where = -1: the probes are not asked for.
static void play_chord(sis_live* live, int32_t block, int side, int where) {
    for (int32_t row = 0; row < ROWS; row += block) {
        int32_t frames = ROWS - row < block ? ROWS - row : block, count = 0;
        sis_live_event events[EVENTS];
        float* rows[WIDE];
        for (int i = 0; i < EVENTS; i++) {
            if (chord[i].frame < row || chord[i].frame >= row + frames) continue;
            events[count] = chord[i];
            events[count++].frame -= row;
        }
        for (int p = 0; p < WIDE; p++)
            rows[p] = p == 3 || where < 0 ? NULL : probes[where][p] + row;
        sis_live_block b = {.frames = frames,
                            .out = {heard[side] + row, NULL},
                            .events = events,
                            .event_count = count,
                            .probes = where < 0 ? NULL : rows,
                            .probe_count = WIDE};
        sis_live_run(live, &b);
    }
}

static void they_have_the_names_of_the_scene(void) {
    sis_live* live =
        with_scene("local a = mass{ mass = 1, velocity = 1, name = 'a' }\n"
                   "probe{ on = a, name = 'here' }\n"
                   "probe{ on = a, quantity = 'velocity', name = 'there', channel = 2 }");
    CHECK(sis_live_probe_count(live) == 2);
    CHECK_TEXT(sis_live_probe_at(live, 1).name, "there");
    CHECK_TEXT(sis_live_probe_at(live, 1).on, "a");
    CHECK_TEXT(sis_live_probe_at(live, 1).unit, "m/s");
    CHECK(sis_live_probe_at(live, 1).channel == 2);
    CHECK(sis_live_probe_find(live, "there") == 1 && sis_live_probe_find(live, "x") == -1);
    CHECK(!sis_live_probe_at(live, 2).name && !sis_live_probe_at(live, -1).name);
    sis_live_free(live);
    live = plain_live(48000, false);
    CHECK(sis_live_probe_count(live) == 0);
    sis_live_free(live);
}

static void any_block_size_gives_the_same_bits_and_the_sound_its_own(void) {
    static const int32_t blocks[] = {1, 17, 64, 255, 256, 257, 1000, ROWS};
    for (int i = 0; i < SMALL_SCENES; i++) {
        sis_live* live = with_scene(small_scenes[i]);
        play_chord(live, 128, 0, -1);
        sis_live_free(live);
        for (int k = 0; k < 8; k++) {
            memset(probes[k > 0], 7, sizeof probes[0]);
            live = with_scene(small_scenes[i]);
            play_chord(live, blocks[k], 1, k > 0);
            sis_live_free(live);
            CHECK(!memcmp(heard[0], heard[1], sizeof heard[0]));
            CHECK(k == 0 || !memcmp(probes[0], probes[1], sizeof probes[0]));
        }
    }
}

// Of one channel whose gain is 1 the probe is the sound.
static void they_add_up_and_are_filtered_as_the_sound(void) {
    for (int over = 1; over <= 3; over++) {
        char text[600];
        snprintf(text, sizeof text,
                 "local f = param{ 'f', 220, min = 55, max = 1760, unit = 'Hz' }\n"
                 "local m = mass{ mass = 1e-3, frequency = f, velocity = 1, damping = 1e-3 }\n"
                 "probe{ on = m, quantity = 'velocity', channel = 1 } probe{ on = m }\n"
                 "render{ duration = 1, oversample = %d } play{ pitch = 'f', release = 0.1 }\n",
                 over);
        sis_live* live = with_scene(text);
        play_chord(live, 100, 0, 0);
        CHECK(!memcmp(heard[0], probes[0][0], sizeof heard[0]));
        CHECK(largest(heard[0], ROWS) > 0.5);
        CHECK(largest(probes[0][1], ROWS) > 1e-5 && largest(probes[0][1], ROWS) < 0.1);
        CHECK(largest(probes[0][2], ROWS) == 0);
        sis_live_free(live);
    }
}

static void level_and_limiter_do_not_touch_them(void) {
    static float raw[ROWS];
    sis_live* live = with_scene(SMALL_PLAYED);
    play_chord(live, 64, 0, 0);
    memcpy(raw, probes[0][0], sizeof raw);
    sis_live_free(live);
    live = with_scene(SMALL_PLAYED);
    sis_live_set_peak(live, 7);
    sis_live_gain(live, 5);
    sis_live_protect(live, true, true, true);
    play_chord(live, 64, 1, 1);
    CHECK(!memcmp(raw, probes[1][0], sizeof raw));
    sis_live_free(live);
}

// Asked for in some blocks only, and after other params and scenes.
static void they_come_and_go(void) {
    sis_live* live = with_scene(SMALL_OVERSAMPLED);
    for (int i = 0; i < 20; i++) {
        play_chord(live, 333, 0, i % 3 ? 0 : -1);
        if (i % 4 == 1) sis_live_knob_set(live, sis_live_knob_find(live, "balls"), 1 + i % 3);
        if (i == 10) CHECK(load_text(live, SMALL_MONO));
        for (int p = 0; p < WIDE; p++)
            for (int n = 0; n < ROWS; n++)
                CHECK(p == 3 || isfinite(probes[0][p][n]));
    }
    sis_live_free(live);
}

int main(void) {
    RUN(they_have_the_names_of_the_scene);
    RUN(any_block_size_gives_the_same_bits_and_the_sound_its_own);
    RUN(they_add_up_and_are_filtered_as_the_sound);
    RUN(level_and_limiter_do_not_touch_them);
    RUN(they_come_and_go);
    return CHECK_REPORT();
}
