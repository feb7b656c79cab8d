// Scala scales and keyboard maps: pitches as written, keys where the map says, and one sentence
// with the line for everything else.
#include "check.h"
#include "scala.h"

#include <stdio.h>
#include <string.h>

static sis_scale scale;
static sis_keymap map;
static sis_fault fault;

static bool scale_of(const char* text) {
    return sis_scale_read(text, strlen(text), "x.scl", &scale, &fault);
}

static bool map_of(const char* text) {
    return sis_keymap_read(text, strlen(text), "x.kbm", &map, &fault);
}

static sis_tuning tuned(void) {
    sis_tuning tuning;
    CHECK(sis_tuning_scala(&scale, &map, "x.kbm", &tuning, &fault));
    return tuning;
}

static const char just[] = "! just.scl\n!\nFive-limit just intonation\n 12\n!\n 16/15\n 9/8\n 6/5\n"
                           " 5/4\n 4/3\n 45/32\n 3/2\n 8/5\n 5/3\n 9/5\n 15/8\n 2/1\n";

static void just_intonation_has_its_ratios(void) {
    CHECK(scale_of(just) && scale.count == 12);
    map = sis_keymap_linear(440);
    const sis_tuning t = tuned();
    CHECK(t.hz[69] == 440);
    CHECK_NEAR(t.hz[60], 440 * 3 / 5.0, 1e-10); // A is 5/3 of C
    CHECK_NEAR(t.hz[64] / t.hz[60], 5 / 4.0, 1e-13);
    CHECK_NEAR(t.hz[67] / t.hz[60], 3 / 2.0, 1e-13);
    CHECK_NEAR(t.hz[72] / t.hz[60], 2, 1e-13);
    CHECK_NEAR(t.hz[59] / t.hz[60], 15 / 16.0, 1e-13);
    CHECK_NEAR(t.hz[36] / t.hz[60], 1 / 4.0, 1e-13);
}

static void nineteen_equal_steps_reach_the_octave(void) {
    char text[1024] = "19 equal\r\n19\r\n";
    for (int i = 1; i <= 19; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.10f step %d\r\n",
                 i * 1200.0 / 19, i);
    CHECK(scale_of(text) && scale.count == 19);
    map = sis_keymap_linear(440);
    const sis_tuning t = tuned();
    for (int key = 0; key + 19 < SIS_KEYS; key++)
        CHECK_NEAR(t.hz[key + 19] / t.hz[key], 2, 1e-9);
    CHECK_NEAR(t.hz[70] / t.hz[69], exp2(1 / 19.0), 1e-9);
}

static void bohlen_pierce_repeats_at_the_twelfth(void) {
    CHECK(scale_of("Bohlen-Pierce\n13\n27/25\n25/21\n9/7\n7/5\n75/49\n5/3\n9/5\n49/25\n15/7\n7/3\n"
                   "63/25\n25/9\n3/1\n"));
    map = sis_keymap_linear(440);
    const sis_tuning t = tuned();
    for (int key = 40; key < 90; key++)
        CHECK_NEAR(t.hz[key + 13] / t.hz[key], 3, 1e-12);
    CHECK_NEAR(t.hz[62] / t.hz[60], 25 / 21.0, 1e-13);
}

// A scale of seven notes on the white keys.
static const char white[] =
    "! map\n12\n0\n127\n60\n69\n442.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";

static void a_map_puts_degrees_on_keys(void) {
    CHECK(scale_of("Pythagorean\n7\n9/8\n81/64\n4/3\n3/2\n27/16\n243/128\n2/1\n"));
    CHECK(map_of(white));
    const sis_tuning t = tuned();
    CHECK_NEAR(t.hz[69], 442, 1e-12);
    CHECK_NEAR(t.hz[67] / t.hz[60], 1.5, 1e-13);
    CHECK_NEAR(t.hz[71] / t.hz[60], 243 / 128.0, 1e-13);
    CHECK_NEAR(t.hz[72] / t.hz[60], 2, 1e-13);
    CHECK_NEAR(t.hz[48] / t.hz[60], 0.5, 1e-13);
    CHECK(isnan(t.hz[61]) && isnan(t.hz[70]) && isnan(t.hz[49]));
}

static void entries_at_the_end_may_be_left_out(void) {
    CHECK(scale_of(just));
    CHECK(map_of("12\n0\n127\n60\n60\n256\n0\n0\n1\n2\n"));
    const sis_tuning t = tuned();
    CHECK_NEAR(t.hz[60], 256, 0);
    CHECK_NEAR(t.hz[62], 288, 1e-10);
    CHECK(isnan(t.hz[63]) && isnan(t.hz[71]));
    CHECK_NEAR(t.hz[74], 576, 1e-10); // octave degree 0: the whole scale
}

static void a_formal_octave_may_be_another_degree(void) {
    CHECK(scale_of(just));
    CHECK(map_of("7\n0\n127\n60\n60\n100\n7\n0\n1\n2\n3\n4\n5\n6\n")); // repeats at 3/2
    const sis_tuning t = tuned();
    CHECK_NEAR(t.hz[67], 150, 1e-10);
    CHECK_NEAR(t.hz[74], 225, 1e-10);
    CHECK_NEAR(t.hz[53], 100 / 1.5, 1e-10);
}

static void keys_outside_the_range_stay_as_they_were(void) {
    CHECK(scale_of(just));
    CHECK(map_of("0\n60\n71\n60\n69\n430\n0\n"));
    const sis_tuning t = tuned(), equal = sis_tuning_equal(440);
    CHECK_NEAR(t.hz[69], 430, 1e-10);
    CHECK(t.hz[59] == equal.hz[59] && t.hz[72] == equal.hz[72]);
}

static void values_may_be_written_in_any_way_the_format_has(void) {
    CHECK(scale_of("\n 4 notes\n100.\n  5/4 a third\n-3.5\n2\nrubbish after the end\n"));
    CHECK(scale.cents[0] == 100 && scale.cents[2] == -3.5 && scale.cents[3] == 1200);
    CHECK_NEAR(scale.cents[1], 386.3137138648348, 1e-10);
    CHECK(scale_of("!c\rold\r1\r2/1\r")); // line ends of an old Macintosh
}

static void wrong_scale(const char* text, const char* part) {
    fault.text[0] = '\0';
    CHECK(!scale_of(text) && fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "x.scl:");
    CHECK_TEXT(fault.text, part);
}

static void wrong_map(const char* text, const char* part) {
    fault.text[0] = '\0';
    CHECK(!map_of(text) && fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "x.kbm:");
    CHECK_TEXT(fault.text, part);
}

static void wrong_files_are_refused_with_their_line(void) {
    wrong_scale("", "it ends before its title");
    wrong_scale("! only\n! comments\n", "it ends before its title");
    wrong_scale("t\n", "it ends before the number of notes");
    wrong_scale("t\n0\n", "x.scl:2: the number of notes must be a whole number from 1 to 4096");
    wrong_scale("t\n99999999999999999999\n", "x.scl:2: the number of notes");
    wrong_scale("t\nten\n", "not 'ten'");
    wrong_scale("t\n3\n!\n9/8\n5/4\n", "it ends before note 3 of 3");
    wrong_scale("t\n1\n!\nfifth\n", "x.scl:4: 'fifth' is not a pitch");
    static const char* const bad[] = {"3/0",   "0/3",  "-3/2",       "3/",    "/2",
                                      "1e5.0", "nan.", "0x1.8p1",    "3/2/1", "",
                                      "1..0",  "inf.", "99999999.0", "3.0/2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "t\n1\n%s\n", bad[i]);
        wrong_scale(text, "is not a pitch");
    }
    CHECK(!sis_scale_read("t\n1\n2\0", 6, "x.scl", &scale, &fault));
    CHECK_TEXT(fault.text, "there is a zero byte");
    wrong_map("", "it ends before the size of the map");
    wrong_map("5000\n", "x.kbm:1: the size of the map");
    wrong_map("12\n0\n128\n", "x.kbm:3: the last key must be a whole number from 0 to 127");
    wrong_map("12\n0\n127\n60\n69\nloud\n", "x.kbm:6: the reference frequency");
    wrong_map("12\n0\n127\n60\n69\n-440\n", "not '-440'");
    wrong_map("1\n0\n127\n60\n69\n440\n0\ny\n", "x.kbm:8: 'y' is not a degree");
    wrong_map("1\n0\n127\n60\n69\n440\n0\n-1\n", "'-1' is not a degree");
}

static void a_silent_reference_is_refused(void) {
    sis_tuning tuning;
    CHECK(scale_of(just) && map_of("2\n0\n127\n60\n61\n440\n0\n0\nx\n"));
    CHECK(!sis_tuning_scala(&scale, &map, "x.kbm", &tuning, &fault));
    CHECK_TEXT(fault.text, "x.kbm: its reference key 61 is silent in the map");
}

int main(void) {
    RUN(just_intonation_has_its_ratios);
    RUN(nineteen_equal_steps_reach_the_octave);
    RUN(bohlen_pierce_repeats_at_the_twelfth);
    RUN(a_map_puts_degrees_on_keys);
    RUN(entries_at_the_end_may_be_left_out);
    RUN(a_formal_octave_may_be_another_degree);
    RUN(keys_outside_the_range_stay_as_they_were);
    RUN(values_may_be_written_in_any_way_the_format_has);
    RUN(wrong_files_are_refused_with_their_line);
    RUN(a_silent_reference_is_refused);
    return CHECK_REPORT();
}
