// play{}: which params a note sets. What it says is kept, and what cannot be is refused with its
// line, also where the params come after it.
#include "check.h"
#include "script.h"
#include "script_help.h"

#define F0   "local f = param{ 'f0', 220, min = 50, max = 2000, unit = 'Hz' }\n"
#define PEAK "local p = param{ 'peak', 0.1, min = 0.01, max = 1, scale = 'log' }\n"
#define BALL "mass{ mass = 1 }\n"

static void what_play_says_is_kept(void) {
    sis_script* script = load(F0 PEAK BALL "play{ pitch = 'f0', velocity = 'peak', voices = 5,\n"
                                           "tail = 40, release = 0.25, name = 'lute' }");
    const sis_play* play = script ? sis_script_play(script) : NULL;
    CHECK(play != NULL);
    if (play) {
        CHECK(play->pitch == 0 && play->velocity == 1 && play->voices == 5);
        CHECK(play->tail == 40 && play->release == 0.25);
    }
    sis_script_free(script);
}

static void what_play_leaves_out_has_defaults(void) {
    sis_script* script = load(PEAK F0 BALL "play{ pitch = 'f0' }");
    const sis_play* play = script ? sis_script_play(script) : NULL;
    CHECK(play && play->pitch == 1 && play->velocity == -1 && play->voices == 16);
    CHECK(play && play->tail == 60 && isnan(play->release));
    sis_script_free(script);
    script = load(PEAK BALL "play{ velocity = 'peak' }");
    play = script ? sis_script_play(script) : NULL;
    CHECK(play && play->pitch == -1 && play->velocity == 0);
    sis_script_free(script);
    script = load(BALL);
    CHECK(script && !sis_script_play(script));
    sis_script_free(script);
}

static void params_may_come_after_play(void) {
    CHECK(loads("play{ pitch = 'f0', velocity = 'peak' }\n" BALL PEAK F0));
}

static void wrong_tables_are_refused(void) {
    refused(BALL "play()", "scene.lua:2: play: takes one table", "");
    refused(BALL "play{ 'f0' }", "play: a value has no key; write play{ pitch = \"f0\", ... }", "");
    refused(BALL F0 "play{ pich = 'f0' }", "unknown key 'pich' (did you mean 'pitch'?)",
            "scene.lua:3:");
    refused(BALL F0 "play{ colour = 1 }", "its keys are name, pitch, velocity, gate, pressure", "");
    refused(BALL F0 "play{ voices = 3 }", "play: needs 'pitch' or 'velocity'", "or 'sound'");
    refused(BALL F0 "play{ pitch = 3 }", "play: pitch: expected text, got number 3", "");
    refused(BALL F0 "play{ pitch = '' }", "must be the name of a param", "");
    refused(BALL F0 "play{ pitch = 'f0', voices = 0 }", "play: voices = 0 is outside 1 .. 256", "");
    refused(BALL F0 "play{ pitch = 'f0', voices = 2.5 }", "voices = 2.5 is not a whole number", "");
    refused(BALL F0 "play{ pitch = 'f0', tail = 0/0 }", "is not a number; allowed are 1 .. 300",
            "");
    refused(BALL F0 "play{ pitch = 'f0', tail = 'x' }", "tail: expected a number (dB)", "");
    refused(BALL F0 "play{ pitch = 'f0', release = 0 }", "release = 0 s is outside 1e-3 .. 60", "");
    refused(BALL F0 "play{ pitch = 'f0' }\n play{ pitch = 'f0' }",
            "scene.lua:4: play: the scene says how notes play it in line 3 already", "");
}

static void names_are_checked_when_the_scene_has_run(void) {
    refused(BALL F0 "\nplay{ pitch = 'fo' }\n" PEAK,
            "scene.lua:4: play: pitch = \"fo\" is not a param of the scene (did you mean 'f0'?)",
            "it has: f0, peak");
    refused(BALL "play{ velocity = 'peak' }", "velocity = \"peak\" is not a param of the scene",
            "it has: none");
    refused(BALL PEAK "play{ pitch = 'peak' }",
            "scene.lua:3: play: the param 'peak' of pitch must have unit = \"Hz\", not \"\"", "");
    refused(BALL "param{ 'v', 1 } play{ velocity = 'v' }", "'v' of velocity needs min and max", "");
    refused(BALL "param{ 'v', 1, min = 0 } play{ velocity = 'v' }", "velocity needs a max", "");
    refused(BALL "param{ 'v', 1, max = 2 } play{ velocity = 'v' }", "velocity needs a min", "");
    refused(BALL F0 "play{ velocity = 'f0', pitch = 'f0' }", "are the same param 'f0'", "");
}

#define HOLD  "local h = input{ 'hold', 0 }\n"
#define HIT   "local t = input{ 'hit', trigger = true }\n"
#define PRESS "local q = input{ 'press', 0.5, min = 0.25, max = 2 }\n"
#define TUNE  "local g = input{ 'tune', 220, min = 50, max = 900, unit = 'Hz' }\n"

static void gestures_are_kept(void) {
    sis_script* script =
        load(HOLD HIT PRESS TUNE F0 BALL
             "play{ pitch = 'f0', velocity = 'hit', gate = 'hold', pressure = 'press',\n"
             "      bend = 'wheel', bend_range = 12, pedal = 'foot', mode = 'keys',\n"
             "      cc = { [0] = 'zero', [1] = 'one', [119] = 'last' } }\n"
             "for i, name in ipairs{ 'wheel', 'foot', 'zero', 'one', 'last' } do\n"
             "  input{ name, 0.5 }\n"
             "end");
    const sis_gestures* g = script ? sis_script_gestures(script) : NULL;
    const sis_play* play = script ? sis_script_play(script) : NULL;
    CHECK(g != NULL);
    if (g) {
        CHECK(play->pitch == 0 && play->velocity == -1 && g->pitch == -1 && g->velocity == 1);
        CHECK(g->gate == 0 && g->pressure == 2 && g->bend == 4 && g->bend_range == 12);
        CHECK(g->cc[64] == 5 && g->cc[0] == 6 && g->cc[1] == 7 && g->cc[119] == 8);
        CHECK(g->cc[2] == -1 && g->mode == SIS_PLAY_KEYS && g->course_count == 0);
    }
    sis_script_free(script);
    script = load(F0 BALL "play{ pitch = 'f0' }");
    g = script ? sis_script_gestures(script) : NULL;
    CHECK(g && g->gate == -1 && g->pressure == -1 && g->bend == -1 && g->bend_range == 2);
    CHECK(g && g->mode == SIS_PLAY_VOICES && g->cc[64] == -1);
    sis_script_free(script);
    script = load(BALL);
    CHECK(script && !sis_script_gestures(script));
    sis_script_free(script);
    CHECK(loads("play{ pitch = 'tune', mode = 'mono' }\n" BALL TUNE));
    CHECK(loads(BALL HOLD "play{ gate = 'hold' }"));
    CHECK(loads(BALL PRESS "input{ 'lean', 1 } play{ velocity = 'press', pressure = 'lean' }"));
}

static void courses_are_kept(void) {
    sis_script* script = load(
        TUNE HIT HOLD BALL "play{ courses = { { lowest = 'E2', highest = 'Bb4', pitch = 'tune',\n"
                           "                    velocity = 'hit', gate = 'hold' },\n"
                           "                  { lowest = 30, velocity = 'hit' } } }");
    const sis_gestures* g = script ? sis_script_gestures(script) : NULL;
    CHECK(g && g->course_count == 2);
    if (g && g->course_count == 2) {
        const sis_course *a = &g->courses[0], *b = &g->courses[1];
        CHECK(a->lowest == 40 && a->highest == 70);
        CHECK(a->pitch == 0 && a->velocity == 1 && a->gate == 2);
        CHECK(b->lowest == 30 && b->highest == 127 && b->pitch == -1 && b->gate == -1);
    }
    sis_script_free(script);
}

static void wrong_gestures_are_refused(void) {
    refused(BALL F0 "play{ pitch = 'f0', gate = 'hold' }",
            "scene.lua:3: play: gate = \"hold\" is not an input of the scene", "it has: none");
    refused(BALL F0 HOLD "play{ pitch = 'f0', gate = 'hodl' }", "(did you mean 'hold'?)", "");
    refused(BALL F0 HOLD "play{ pitch = 'f0', gate = 'f0' }",
            "'f0' is a param, which does not move while it sounds", "");
    refused(BALL F0 HIT "play{ pitch = 'f0', gate = 'hit' }", "gate = \"hit\" is a trigger", "");
    refused(BALL F0 HIT "play{ pitch = 'f0', bend = 'hit' }", "bend moves a number", "");
    refused(BALL F0 HIT "play{ pitch = 'f0', cc = { [7] = 'hit' } }", "cc moves a number", "");
    refused(BALL F0 PRESS "play{ pitch = 'f0', gate = 'press' }",
            "'press' of gate must reach from 0 to 1, not from 0.25 to 2", "");
    refused(BALL PRESS "play{ pitch = 'press' }",
            "the input 'press' of pitch must have unit = \"Hz\", not \"\"", "");
    refused(BALL HIT "play{ pitch = 'hit' }", "pitch = \"hit\" is a trigger", "");
    refused(BALL F0 PRESS "play{ pitch = 'fo' }", "is not a param or an input of the scene",
            "it has: f0, press");
    refused(BALL TUNE "play{ pitch = 'tune', velocity = 'tune' }", "are the same input 'tune'", "");
    refused(BALL TUNE "input{ 'hold', 1 } play{ gate = 'hold', pressure = 'hold' }",
            "play: gate and pressure are the same input 'hold': an input has one of them", "");
    refused(BALL TUNE "input{ 'hold', 1 } play{ gate = 'hold', pedal = 'hold' }",
            "play: gate and pedal are the same input 'hold'", "");
    refused(BALL TUNE "input{ 'v', 1 } play{ pitch = 'tune', cc = { [1] = 'v', [74] = 'v' } }",
            "play: controller 1 and controller 74 are the same input 'v'", "");
    refused(BALL TUNE "play{ pitch = 'tune', bend = 'tune' }",
            "play: pitch and bend are the same input 'tune'", "");
    refused(BALL TUNE "input{ 'v', 1 } play{ courses = { { pitch = 'tune', velocity = 'v' },\n"
                      "{ pitch = 'tune', gate = 'v' } } }",
            "play: velocity of course 1 and gate of course 2 are the same input 'v'", "");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune', velocity = 'tune' } } }",
            "play: pitch of course 1 and velocity of course 1 are the same input 'tune'", "");
    refused(BALL HOLD "play{ velocity = 'hold', gate = 'hold' }", "velocity and gate are the same",
            "");
    refused(BALL F0 PRESS "play{ pitch = 'f0', bend = 'press', bend_range = 97 }",
            "bend_range = 97 semitones is outside 0 .. 96", "");
    refused(BALL F0 PRESS "play{ pitch = 'f0', pressure = 3 }", "pressure: expected text", "");
}

static void wrong_modes_and_controllers_are_refused(void) {
    refused(BALL F0 "play{ pitch = 'f0', mode = 'poly' }",
            "mode = \"poly\" is unknown; it can be \"voices\", \"keys\", \"mono\"", "scene.lua:3:");
    refused(BALL F0 PEAK "play{ pitch = 'f0', velocity = 'peak', mode = 'keys' }",
            "strikes a key that sounds", "trigger = true");
    refused(BALL PRESS "play{ velocity = 'press', mode = 'keys' }", "trigger = true", "");
    refused(BALL F0 "play{ pitch = 'f0', mode = 'mono' }", "'f0' must be an input, not a param",
            "");
    refused(BALL TUNE PEAK "play{ pitch = 'tune', velocity = 'peak', mode = 'mono' }",
            "'peak' of velocity must be an input", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = 'x' }", "cc: expected a table such as", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = { [120] = 'x' } }", "controllers 0 .. 119", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = { x = 'x' } }", "controllers 0 .. 119", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = { [1.5] = 'x' } }", "controllers 0 .. 119", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = { [6] = 'x' } }", "without 6, 38", "");
    refused(BALL F0 "play{ pitch = 'f0', cc = { [1] = 2 } }", "cc: expected text", "");
    refused(BALL F0 HOLD "play{ pitch = 'f0', pedal = 'hold', cc = { [64] = 'hold' } }",
            "pedal is controller 64", "");
}

static void wrong_courses_are_refused(void) {
    refused(BALL TUNE "play{ courses = 'x' }", "courses: expected a list of courses", "");
    refused(BALL TUNE "play{ courses = { 'x' } }", "a list of tables, one a course", "");
    refused(BALL TUNE "play{ courses = { { pich = 'tune' } } }",
            "unknown key 'pich' (did you mean 'pitch'?)", "play: courses");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune' }, { lowest = 'E2' } } }",
            "course 2 needs 'pitch' or 'velocity'", "");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune', lowest = 'H2' } } }",
            "lowest is a note such as \"E2\" or a MIDI key 0 .. 127", "H2");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune', lowest = 128 } } }", "number 128", "");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune', highest = 'C99999999999' } } }",
            "highest is a note", "");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune', lowest = 'E4', highest = 'E2' } } }",
            "the lowest note of course 1 is above its highest", "");
    refused(BALL TUNE F0 "play{ courses = { { pitch = 'tune' } }, pitch = 'f0' }",
            "each of its courses has its own pitch", "");
    refused(BALL TUNE "play{ courses = { { pitch = 'tune' } }, mode = 'mono' }", "leave mode out",
            "");
    refused(BALL F0 TUNE "play{ courses = { { pitch = 'tune' }, { pitch = 'f0' } } }",
            "play: course 2: pitch = \"f0\" is not an input", "it has: tune");
    refused(BALL TUNE "local c = {} for i = 1, 33 do c[i] = { pitch = 'tune' } end\n"
                      "play{ courses = c }",
            "there are 33 courses; at most 32", "");
}

// The manual has a section of play{} with every key, its unit and its range.
static void the_manual_knows_play(void) {
    static char manual[1 << 17];
    FILE* file = fopen(SISTRUM_SOURCE_DIR "/docs/scene-reference.md", "rb");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 0);
    if (file) fclose(file);
    char* section = strstr(manual, "### `play{}`");
    CHECK(section != NULL);
    if (!section) return;
    static const char* const parts[] = {"| `pitch` |",
                                        "| `velocity` |",
                                        "| `voices` | | 1 to 256 | 16 |",
                                        "| `tail` | dB | 1 to 300 | 60 |",
                                        "| `release` | s | 0.001 to 60 |",
                                        "| `gate` |",
                                        "| `bend_range` | semitones | 0 to 96 | 2 |",
                                        "| `courses` |"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        CHECK_TEXT(section, parts[i]);
}

int main(void) {
    RUN(what_play_says_is_kept);
    RUN(what_play_leaves_out_has_defaults);
    RUN(params_may_come_after_play);
    RUN(wrong_tables_are_refused);
    RUN(names_are_checked_when_the_scene_has_run);
    RUN(gestures_are_kept);
    RUN(courses_are_kept);
    RUN(wrong_gestures_are_refused);
    RUN(wrong_modes_and_controllers_are_refused);
    RUN(wrong_courses_are_refused);
    RUN(the_manual_knows_play);
    return CHECK_REPORT();
}
