// Notes: names, keys and frequencies mean the same, and a velocity falls where its scale says.
#include "check.h"
#include "note.h"
#include "script_help.h"

static int32_t key_of(const char* text) {
    sis_note_text note;
    sis_fault fault;
    return sis_note_read(text, &note, &fault) ? note.key : -2;
}

static void names_are_keys(void) {
    static const struct {
        const char* text;
        int32_t key;
    } notes[] = {{"A4", 69},  {"a4", 69},  {"C4", 60},   {"C#4", 61},  {"Db4", 61},
                 {"Bb2", 46}, {"bb2", 46}, {"B2", 47},   {"C-1", 0},   {"G9", 127},
                 {"B#3", 60}, {"Cb4", 59}, {"E#4", 65},  {"F##4", 67}, {"Abb3", 55},
                 {"69", 69},  {"0", 0},    {"127", 127}, {"A0", 21},   {"C8", 108}};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        CHECK(key_of(notes[i].text) == notes[i].key);
    for (int32_t key = 0; key < SIS_KEYS; key++) {
        char name[16];
        CHECK(key_of(sis_note_name(key, name)) == key);
    }
}

static void frequencies_are_themselves(void) {
    sis_note_text note;
    sis_fault fault;
    CHECK(sis_note_read("220Hz", &note, &fault) && note.key == -1 && note.hz == 220);
    CHECK(sis_note_read("261.6255 hz", &note, &fault) && note.hz == 261.6255);
}

static void what_is_no_note_is_refused(void) {
    static const char* const wrong[] = {"",     "H3",    "A",      "A#",   "3A",
                                        "A3x",  "A 3",   "-3",     "220",  "128",
                                        "1e2",  "nan",   "infHz",  "Hz",   "0Hz",
                                        "-5Hz", "1e9Hz", "0x10Hz", "A99",  "C-2",
                                        "G#9",  "A3 Hz", "#4",     "A--1", "A9999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sis_note_text note;
        sis_fault fault = {.kind = SIS_FAULT_NONE};
        bool read = sis_note_read(wrong[i], &note, &fault);
        if (read) printf("    '%s' was read as key %d, %g Hz\n", wrong[i], (int)note.key, note.hz);
        CHECK(!read && fault.kind == SIS_FAULT_REQUEST && fault.text[0]);
    }
}

static void equal_steps_have_equal_ratios(void) {
    const sis_tuning tuning = sis_tuning_equal(442);
    CHECK(tuning.hz[69] == 442);
    for (int key = 1; key < SIS_KEYS; key++)
        CHECK_NEAR(tuning.hz[key] / tuning.hz[key - 1], exp2(1 / 12.0), 1e-14);
    CHECK_NEAR(tuning.hz[33], 442 / 8.0, 1e-12);
}

static void velocities_follow_the_scale(void) {
    sis_param p = {.name = "p", .min = 0.01, .max = 1, .logarithmic = true};
    CHECK_NEAR(sis_note_velocity(&p, 0.5), 0.1, 1e-15);
    CHECK(sis_note_velocity(&p, 0) == 0.01 && sis_note_velocity(&p, 1) == 1);
    p = (sis_param){.name = "p", .min = -1, .max = 3};
    CHECK(sis_note_velocity(&p, 0.25) == 0);
    for (int i = 0; i <= 127; i++) {
        const double value = sis_note_velocity(&p, i / 127.0);
        CHECK(value >= p.min && value <= p.max);
    }
}

static void a_note_sets_what_play_names(void) {
    sis_script* script =
        load("param{ 'f', 220, min = 55, max = 2093, unit = 'Hz' } param{ 'v', 1, min = 0, max = 2 "
             "} mass{ mass = 1 } play{ pitch = 'f', velocity = 'v' }");
    CHECK(script != NULL);
    if (!script) return;
    sis_note_settings made;
    sis_note_set(script, 330, 0.25, &made);
    CHECK(made.count == 2 && !strcmp(made.settings[0].name, "f") && made.settings[0].value == 330);
    CHECK(!strcmp(made.settings[1].name, "v") && made.settings[1].value == 0.5);
    sis_note_set(script, (double)NAN, 0.25, &made);
    CHECK(made.count == 1 && !strcmp(made.settings[0].name, "v"));
    sis_note_set(script, 2093.0045, (double)NAN, &made); // C7: beyond by a rounding of the range
    CHECK(made.count == 1 && made.settings[0].value == 2093);
    sis_script_free(script);
}

static void what_is_out_of_range_is_told_with_the_range(void) {
    const sis_tuning tuning = sis_tuning_equal(440);
    const sis_param p = {.name = "f0", .min = 55, .max = 2093};
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    double hz = tuning.hz[108];
    CHECK(!sis_note_in_range(&p, &hz, &tuning, "--note C8", SIS_FAULT_REQUEST, &fault));
    CHECK(fault.kind == SIS_FAULT_REQUEST);
    CHECK_TEXT(fault.text, "--note C8 (4186.01 Hz) is outside the range of 'f0': 55 .. 2093 Hz");
    CHECK_TEXT(fault.text, "notes A1 .. C7");
    hz = tuning.hz[96];
    CHECK(sis_note_in_range(&p, &hz, &tuning, "", SIS_FAULT_REQUEST, &fault) && hz == 2093);
    hz = 2094;
    CHECK(!sis_note_in_range(&p, &hz, &tuning, "", SIS_FAULT_REQUEST, &fault));
    hz = (double)NAN;
    CHECK(!sis_note_in_range(&p, &hz, &tuning, "", SIS_FAULT_REQUEST, &fault));
}

int main(void) {
    RUN(names_are_keys);
    RUN(frequencies_are_themselves);
    RUN(what_is_no_note_is_refused);
    RUN(equal_steps_have_equal_ratios);
    RUN(velocities_follow_the_scale);
    RUN(a_note_sets_what_play_names);
    RUN(what_is_out_of_range_is_told_with_the_range);
    return CHECK_REPORT();
}
