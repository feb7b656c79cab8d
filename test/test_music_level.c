// The loudest key at velocity 1: found to a fraction of a dB, wherever it lies, with the same bits
// for any number of threads; keys that cannot be played do not matter.
#include "check.h"
#include "level.h"
#include "script_help.h"

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/sistrum_level_XXXXXX";

/** A struck mass whose probe has a gain that depends on the pitch. */
#define BELL                                                                                       \
    "local f = param{ 'f', 440, min = 55, max = 1760, unit = 'Hz', scale = 'log' }\n"              \
    "local v = param{ 'v', 0.5, min = 0.1, max = 2 }\n"                                            \
    "local m = mass{ mass = 0.01, frequency = f, damping = 30, velocity = v }\n"

static double measure(const char* text, const sis_setting* settings, int32_t count, double rate,
                      int32_t oversample, int32_t threads) {
    FILE* file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
    sis_script* script = sis_script_load(path, settings, count, &error);
    CHECK(script != NULL);
    if (!script) {
        printf("    %s\n", error.text);
        return -1;
    }
    sis_performance p = {.scene = path,
                         .script = script,
                         .settings = settings,
                         .setting_count = count,
                         .plan = {.rate = rate, .oversample = oversample},
                         .scheme = SIS_SCHEME_AS_GIVEN,
                         .threads = threads};
    double peak = -1;
    sis_fault fault = {.text = ""};
    bool fine = sis_level_measure(&p, 0.5, &peak, &fault);
    if (!fine) printf("    %s\n", fault.text);
    CHECK(fine);
    sis_script_free(script);
    return peak;
}

static double decibels(double ratio) {
    return 20 * log10(ratio);
}

static void the_loudest_key_is_found_wherever_it_lies(void) {
    srand(7);
    for (int i = 0; i < 12; i++) {
        double place = rand() / (double)RAND_MAX;            // of the range
        double width = 6 + 30 * (rand() / (double)RAND_MAX); // semitones: 6 dB down there
        double rate = (double[]){22050, 44100, 48000, 96000}[i % 4];
        char text[1024];
        snprintf(text, sizeof text,
                 BELL "local away = (12 * math.log(f / 55, 2) - %.17g) / %.17g\n"
                      "probe{ on = m, quantity = 'velocity', gain = 2 ^ (-away ^ 2) }\n"
                      "play{ pitch = 'f', velocity = 'v' }\n",
                 60 * place, width);
        double peak = measure(text, NULL, 0, rate, 1 + i % 3, 2);
        printf("  key %4.1f, %2.0f semitones wide: %+.2f dB\n", 60 * place, width,
               decibels(peak / 2));
        CHECK(decibels(peak / 2) > -0.5 && decibels(peak / 2) < 0.1); // it starts with v = 2 m/s
    }
}

static void threads_change_no_bit(void) {
    const char* text =
        BELL "contact{ above = m, below = barrier{ height = -1e-4 }, K = 1e7, alpha = 1.5 }\n"
             "probe{ on = m, quantity = 'velocity' }\n"
             "play{ pitch = 'f', velocity = 'v' }\n";
    double one = measure(text, NULL, 0, 44100, 2, 1);
    CHECK(one > 1);
    for (int32_t threads = 2; threads < 6; threads++)
        CHECK(measure(text, NULL, 0, 44100, 2, threads) == one);
}

static void settings_change_it_and_those_of_notes_do_not(void) {
    const char* text = "local loud = param{ 'loud', 1, min = 0, max = 100 }\n" BELL
                       "probe{ on = m, quantity = 'velocity', gain = loud }\n"
                       "play{ pitch = 'f', velocity = 'v' }\n";
    double one = measure(text, NULL, 0, 44100, 1, 2);
    sis_setting loud = {"loud", 8}, soft = {"v", 0.1}, low = {"f", 100}, mute = {"loud", 0};
    CHECK_NEAR(measure(text, &loud, 1, 44100, 1, 2), 8 * one, 1e-9);
    CHECK(measure(text, &soft, 1, 44100, 1, 2) == one);
    CHECK(measure(text, &low, 1, 44100, 1, 2) == one);
    CHECK(measure(text, &mute, 1, 44100, 1, 2) == 0);
}

static void a_drum_has_one_key(void) {
    const char* text = "local v = param{ 'v', 1, min = 0.1, max = 3 }\n"
                       "local m = mass{ mass = 0.01, frequency = 150, velocity = v }\n"
                       "probe{ on = m, quantity = 'velocity' }\n"
                       "play{ velocity = 'v' }\n";
    CHECK_NEAR(measure(text, NULL, 0, 44100, 1, 2), 3, 1e-3);
}

static void what_comes_late_is_heard(void) {
    // Every key seems to be over when a stronger blow follows.
    const char* text = BELL "force{ on = m, shape = 'impulse', peak = 0.1, start = 0.4 }\n"
                            "probe{ on = m, quantity = 'velocity' }\n"
                            "play{ pitch = 'f' }\n";
    double peak = measure(text, NULL, 0, 44100, 1, 2);
    CHECK(peak > 9 && peak < 11); // 0.1 N s on 0.01 kg
}

static void keys_that_cannot_be_played_count_as_silent(void) {
    const char* text = BELL "assert(f < 300, 'too high')\n"
                            "probe{ on = m, quantity = 'velocity', gain = f / 300 }\n"
                            "play{ pitch = 'f', velocity = 'v' }\n";
    sis_setting low = {"f", 100};
    double peak = measure(text, &low, 1, 44100, 1, 2);
    CHECK(decibels(peak / 2) > -2.5 && peak <= 2.01);
    const char* never = "local f = param{ 'f', 100, min = 55, max = 1760, unit = 'Hz' }\n"
                        "assert(f == 100, 'only as it is')\n"
                        "probe{ on = mass{ mass = 1, velocity = 1 }, quantity = 'velocity' }\n"
                        "play{ pitch = 'f' }\n";
    CHECK(measure(never, NULL, 0, 44100, 1, 2) == 0);
}

static void a_pitch_without_ends_is_tried_around_its_value(void) {
    const char* text = "local f = param{ 'f', 220, unit = 'Hz' }\n"
                       "local m = mass{ mass = 0.01, frequency = f, velocity = 220 / f }\n"
                       "probe{ on = m, quantity = 'velocity' }\n"
                       "play{ pitch = 'f' }\n";
    CHECK_NEAR(measure(text, NULL, 0, 44100, 1, 2), 4, 0.01); // two octaves below
}

int main(void) {
    int descriptor = mkstemp(path);
    if (descriptor < 0) return 1;
    close(descriptor);
    RUN(the_loudest_key_is_found_wherever_it_lies);
    RUN(threads_change_no_bit);
    RUN(settings_change_it_and_those_of_notes_do_not);
    RUN(a_drum_has_one_key);
    RUN(what_comes_late_is_heard);
    RUN(keys_that_cannot_be_played_count_as_silent);
    RUN(a_pitch_without_ends_is_tried_around_its_value);
    unlink(path);
    return CHECK_REPORT();
}
