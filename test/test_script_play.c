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
    refused(BALL F0 "play{ voices = 3 }", "play: needs 'pitch' or 'velocity'", "");
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

// The manual has a section of play{} with every key, its unit and its range.
static void the_manual_knows_play(void) {
    static char manual[1 << 17];
    FILE* file = fopen(SISTRUM_SOURCE_DIR "/docs/scene-reference.md", "rb");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 0);
    if (file) fclose(file);
    char* section = strstr(manual, "### `play{}`");
    CHECK(section != NULL);
    if (!section) return;
    static const char* const parts[] = {
        "| `pitch` |", "| `velocity` |", "| `voices` | | 1 to 256 | 16 |",
        "| `tail` | dB | 1 to 300 | 60 |", "| `release` | s | 0.001 to 60 |"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        CHECK_TEXT(section, parts[i]);
}

int main(void) {
    RUN(what_play_says_is_kept);
    RUN(what_play_leaves_out_has_defaults);
    RUN(params_may_come_after_play);
    RUN(wrong_tables_are_refused);
    RUN(names_are_checked_when_the_scene_has_run);
    RUN(the_manual_knows_play);
    return CHECK_REPORT();
}
