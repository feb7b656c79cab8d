// What a host saves comes back as it was: sound, knobs and tuning; and what cannot come back says so
// while the instrument plays on.
#include "live_random.h"
#include "live_scenes.h"

static const double rate = 48000;
enum { ROWS = 9600 };
static float heard[ROWS], again[ROWS];

static sis_live* loaded(const char* text) {
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    if (text) CHECK(load_text(live, text));
    return live;
}

static void play_chord(sis_live* live, float* out) {
    sis_live_event chord[] = {key_event(0, 0x90, 57, 100), key_event(50, 0x90, 61, 60),
                              key_event(51, 0xB0, 1, 30), key_event(3000, 0x80, 57, 0),
                              key_event(5000, 0x90, 64, 127)};
    play_block_of(live, out, ROWS, chord, 5);
}

static void the_same_sound_and_knobs_come_back(void) {
    for (int i = 0; i < SMALL_SCENES; i++) {
        sis_live *live = loaded(small_scenes[i]), *other = loaded(NULL);
        sis_live_error error = {.text = ""};
        dice d = {.seed = (uint64_t)i};
        double hz[128];
        for (int key = 0; key < 128; key++)
            hz[key] = 432.1 * exp2((key - 69) / 12.0);
        hz[3] = (double)NAN;
        sis_live_tune(live, hz);
        for (int32_t k = 0; k < sis_live_knob_count(live); k++) {
            sis_live_knob knob = sis_live_knob_at(live, k);
            if (!knob.trigger)
                sis_live_knob_set(live, k, knob.min + (knob.max - knob.min) * dice_unit(&d) / 3);
        }
        play_on(live, heard, 64);
        size_t size = 0;
        char* saved = sis_live_save(live, &size);
        CHECK(saved && strlen(saved) == size);
        CHECK(sis_live_restore(other, saved, size, &error));
        CHECK(sis_live_knob_count(live) == sis_live_knob_count(other));
        for (int32_t k = 0; k < sis_live_knob_count(live); k++)
            CHECK(sis_live_knob_at(live, k).value == sis_live_knob_at(other, k).value);
        play_on(other, again, 64);
        sis_live_panic(live);
        sis_live_panic(other);
        play_on(live, heard, ROWS);
        play_on(other, again, ROWS);
        play_chord(live, heard);
        play_chord(other, again);
        bool same = memcmp(heard, again, sizeof heard) == 0;
        if (!same) printf("    scene %d\n", i);
        CHECK(same);
        free(saved);
        size_t more = 0;
        char* twice = sis_live_save(other, &more);
        saved = sis_live_save(live, &size); // a controller may have moved a knob
        CHECK(saved && twice && more == size && memcmp(saved, twice, size) == 0);
        free(saved);
        free(twice);
        sis_live_free(live);
        sis_live_free(other);
    }
}

/** Refused by a sentence; what plays, plays on in its tuning. */
static void check_refused(const char* text, size_t size, const char* sentence) {
    sis_live* live = loaded(SMALL_TONE);
    sis_live_error error = {.text = ""};
    CHECK(!sis_live_restore(live, text, size, &error));
    CHECK_TEXT(error.text, sentence);
    play_midi(live, heard, 64, 0x90, 69, 100);
    play_on(live, heard, ROWS);
    CHECK_NEAR(hertz(heard, ROWS, rate), 440, 0.2);
    sis_live_free(live);
}

static void what_is_not_understood_is_refused_by_a_sentence(void) {
#define REFUSED(text, sentence) check_refused(text, sizeof text - 1, sentence)
    REFUSED("", "not an instrument saved by Sistrum");
    REFUSED("RIFF\n", "not an instrument saved by Sistrum");
    REFUSED("sistrum-live 2\nscene 3\nabc", "newer Sistrum (format 2");
    REFUSED("sistrum-live 1\nname x\n", "no scene");
    REFUSED("sistrum-live 1\nscene 4\nabc", "damaged: scene 4");
    REFUSED("sistrum-live 1\ntune 200 4000000000000000\nscene 1\nx", "damaged: tune 200");
    REFUSED("sistrum-live 1\ntune 69 c000000000000000\nscene 1\nx", "damaged: tune 69");
    REFUSED("sistrum-live 1\nknob a 7ff8000000000000 nan\nscene 1\nx", "damaged: knob a");
    // the tuning is understood and the scene is not
    REFUSED("sistrum-live 1\ntune 69 4059000000000000\nscene 7\nprobe{}", "probe");
}

static void saves_that_are_damaged_anywhere_do_no_harm(void) {
    sis_live *live = loaded(SMALL_PLAYED), *other = loaded(SMALL_TONE);
    size_t size = 0;
    char* saved = sis_live_save(live, &size);
    char* damaged = malloc(size);
    dice d = {.seed = 3};
    int refused = 0;
    for (int i = 0; i < check_count(150, 5000); i++) {
        sis_live_error error = {.text = ""};
        memcpy(damaged, saved, size);
        for (uint32_t k = 1 + dice_below(&d, 3); k > 0; k--)
            damaged[dice_below(&d, dice_below(&d, 2) ? 300 : (uint32_t)size)] =
                (char)dice_below(&d, 256);
        size_t cut = dice_below(&d, 4) ? size : dice_below(&d, (uint32_t)size);
        bool fine = sis_live_restore(other, damaged, cut, &error);
        if (!fine) CHECK(error.text[0] != '\0');
        refused += !fine;
        play_chord(other, heard);
        CHECK(not_finite(heard, ROWS) == 0);
    }
    CHECK(refused > 10);
    free(saved);
    free(damaged);
    sis_live_free(live);
    sis_live_free(other);
}

/** A state of an older scene: knobs that are gone are left out, values out of range are held. */
static void knobs_that_the_scene_has_no_more_are_left_out(void) {
    static const char head[] = "sistrum-live 1\nname old\nknob gone 3ff0000000000000 1\n"
                               "knob stiff 42d6bcc41e900000 1e14\nword of a later version\n";
    char text[4096];
    sis_live* live = loaded(NULL);
    sis_live_error error = {.text = ""};
    int size =
        snprintf(text, sizeof text, "%sscene %zu\n%s", head, strlen(SMALL_PLAYED), SMALL_PLAYED);
    CHECK(sis_live_restore(live, text, (size_t)size, &error));
    CHECK(sis_live_knob_at(live, sis_live_knob_find(live, "stiff")).value == 1e6);
    CHECK(sis_live_knob_find(live, "gone") == -1);
    CHECK_TEXT(sis_live_name(live), "old");
    sis_live_free(live);
}

static void another_rate_keeps_scene_knobs_and_tuning(void) {
    static const double rates[] = {44100, 96000, 8000, 48000};
    sis_live* live = loaded(SMALL_TONE);
    sis_live_error error = {.text = ""};
    double hz[128];
    for (int key = 0; key < 128; key++)
        hz[key] = 300;
    sis_live_tune(live, hz);
    for (int i = 0; i < 4; i++) {
        CHECK(sis_live_set_rate(live, rates[i], 512, &error));
        play_midi(live, heard, 64, 0x90, 69, 100);
        play_on(live, heard, ROWS);
        CHECK_NEAR(hertz(heard, ROWS, rates[i]) / 300, 1, 3e-3); // coarse at 8 kHz
        CHECK(status_of(live).voices == 1);
    }
    CHECK(!sis_live_set_rate(live, 100, 512, &error));
    CHECK_TEXT(error.text, "8000 .. 384000");
    CHECK(!sis_live_set_rate(live, 48000, 0, &error));
    play_on(live, heard, 64);
    CHECK(status_of(live).voices == 1); // as before
    sis_live_free(live);
}

// A grid that asks for so many steps a second.
static const char fine_grid[] =
    "local n = param{ 'n', 200, min = 10, max = 250 }\n"
    "local f0 = param{ 'f0', 220, min = 110, max = 440, unit = 'Hz' }\n"
    "local s = string{ length = 1, frequency = f0, density = 1e-3, segments = n, tuned = false }\n"
    "pluck{ on = s, at = 0.3, height = 1e-3 }\n"
    "probe{ on = s, at = 0.4, channel = 1 } play{ pitch = 'f0' }\n";

static void a_rate_that_is_refused_changes_nothing(void) {
    sis_live* live = plain_live(192000, false);
    sis_live_error error = {.text = ""};
    sis_live_offline(live, true);
    CHECK(load_text(live, fine_grid));
    CHECK(!sis_live_set_rate(live, 48000, 512, &error));
    CHECK_TEXT(error.text, "48000 steps per second");
    play_midi(live, heard, ROWS, 0x90, 57, 100);
    CHECK(status_of(live).voices == 1);
    CHECK_NEAR(hertz(heard, ROWS, 192000), 220, 6);
    CHECK(sis_live_set_rate(live, 192000, 512, &error)); // it has that rate
    sis_live_free(live);
}

// As many steps a frame as the scene needs, also for other params and in a saved instrument.
static void low_rates_take_denser_steps(void) {
    sis_live *live = plain_live(22050, false), *other = plain_live(22050, false);
    sis_live_error error = {.text = ""};
    size_t size = 0;
    sis_live_offline(live, true);
    sis_live_offline(other, true);
    CHECK(load_text(live, fine_grid) && sis_live_latency(live) > 0);
    play_midi(live, heard, ROWS, 0x90, 57, 100);
    CHECK_NEAR(hertz(heard + 64, ROWS - 64, 22050), 220, 3);
    sis_live_knob_set(live, sis_live_knob_find(live, "n"), 201);
    play_on(live, heard, 64);
    CHECK(sis_live_trouble(live, NULL, 0) == 0);
    char* saved = sis_live_save(live, &size);
    CHECK(saved && sis_live_restore(other, saved, size, &error));
    CHECK(sis_live_latency(other) == sis_live_latency(live));
    free(saved);
    CHECK(sis_live_set_rate(live, 176400, 512, &error) && sis_live_latency(live) == 0);
    sis_live_options o = sis_live_options_default();
    o.rate = 22050;
    o.oversample = 1; // as somebody wants it
    o.worker = false;
    sis_live* plain = sis_live_new(&o, &error);
    CHECK(!sis_live_load(plain, fine_grid, strlen(fine_grid), "fine", NULL, 0, &error));
    CHECK_TEXT(error.text, "22050 steps per second");
    sis_live_free(plain);
    sis_live_free(other);
    sis_live_free(live);
}

int main(void) {
    RUN(the_same_sound_and_knobs_come_back);
    RUN(what_is_not_understood_is_refused_by_a_sentence);
    RUN(saves_that_are_damaged_anywhere_do_no_harm);
    RUN(knobs_that_the_scene_has_no_more_are_left_out);
    RUN(another_rate_keeps_scene_knobs_and_tuning);
    RUN(a_rate_that_is_refused_changes_nothing);
    RUN(low_rates_take_denser_steps);
    return check_report();
}
