// preset{}: values of params and inputs under one name; and play{ sound = }, what sound from outside
// moves. What cannot be is refused with its line, also where params and inputs come after it.
#include "check.h"
#include "script.h"
#include "script_help.h"

#define BALL  "mass{ mass = 1 }\n"
#define K     "local k = param{ 'K', 5, min = 1, max = 10, unit = 'N' }\n"
#define FREE  "param{ 'free', 0 }\n"
#define PRESS "local p = input{ 'press', 0.5, min = -2, max = 1, unit = 'N' }\n"
#define HIT   "local t = input{ 'hit', trigger = true }\n"

static void presets_are_kept_in_order(void) {
    sis_script* script = load(BALL "preset{ 'Hard', press = 1, K = 10 }\n" K PRESS FREE
                                   "preset{ 'As it is' }\n preset{ 'Far', free = -1e9 }");
    CHECK(script && sis_script_preset_count(script) == 3);
    if (script && sis_script_preset_count(script) == 3) {
        sis_preset hard = sis_script_preset(script, 0), plain = sis_script_preset(script, 1);
        CHECK_TEXT(hard.name, "Hard");
        CHECK(hard.count == 2);
        CHECK_TEXT(hard.settings[0].name, "K"); // as in the scene: params, then inputs
        CHECK(hard.settings[0].value == 10);
        CHECK_TEXT(hard.settings[1].name, "press");
        CHECK(hard.settings[1].value == 1);
        CHECK_TEXT(plain.name, "As it is");
        CHECK(plain.count == 0);
        CHECK(sis_script_preset(script, 2).settings[0].value == -1e9);
        CHECK(!sis_script_preset(script, 3).name && !sis_script_preset(script, -1).name);
    }
    sis_script_free(script);
    script = load(BALL);
    CHECK(script && sis_script_preset_count(script) == 0 && !sis_script_preset(script, 0).name);
    sis_script_free(script);
}

static void the_settings_of_a_preset_load_the_scene(void) {
    const char* text = BALL K PRESS "preset{ 'Hard', press = -2, K = 9 }";
    sis_script* script = load(text);
    sis_preset hard = script ? sis_script_preset(script, 0) : (sis_preset){.count = 0};
    sis_script* set = load_with(text, hard.settings, hard.count);
    CHECK(set && sis_script_param(set, 0).value == 9 && sis_script_input(set, 0).value == -2);
    sis_script_free(set);
    sis_script_free(script);
}

static void a_preset_changes_nothing_by_itself(void) {
    sis_script* script = load(BALL K "preset{ 'Hard', K = 9 }\n assert(k == 5)");
    CHECK(script && sis_script_param(script, 0).value == 5);
    sis_script_free(script);
}

static void wrong_presets_are_refused(void) {
    refused(BALL "preset()", "scene.lua:2: preset: takes one table", "");
    refused(BALL "preset{}", "scene.lua:2: preset: needs a name", "preset{ \"Bright\", K = 1e7 }");
    refused(BALL "preset{ K = 5 }", "preset: needs a name", "");
    refused(BALL "preset{ 5 }", "preset: name: expected text, got number 5", "");
    refused(BALL "preset{ '' }", "must have 1 to 63 bytes", "");
    refused(BALL "preset{ string.rep('x', 64) }", "must have 1 to 63 bytes", "");
    refused(BALL K "preset{ 'A', 5 }", "preset 'A': takes a name and values by their names", "");
    refused(BALL K "preset{ 'A', K = 'x' }", "preset 'A': K: expected a number, got", "");
    refused(BALL PRESS "preset{ 'A', press = p }", "expected a number, got", "press");
    refused(BALL "\npreset{ 'A' }\n preset{ 'B' } preset{ 'A' }",
            "scene.lua:4: preset 'A': there is a preset 'A' already, in line 3", "");
    refused(BALL "for i = 1, 65 do preset{ 'A' .. i } end", "preset: too many presets (at most 64)",
            "");
    CHECK(loads(BALL "for i = 1, 64 do preset{ 'A' .. i } end"));
    refused(BALL "local t = { 'A' } for i = 1, 3000 do t['k' .. i] = i end preset(t)",
            "preset 'A': too many values (at most 2000)", "");
    refused(BALL "preset = 3 preset{ 'A' }", "'preset' is a word of scenes", "");
}

static void values_are_checked_when_the_scene_has_run(void) {
    refused(BALL "\npreset{ 'A', k = 5 }\n" K PRESS,
            "scene.lua:3: preset 'A': 'k' is not a param or an input of the scene (did you mean "
            "'K'?)",
            "it has: K, press");
    CHECK_TEXT(error.object, "preset 'A'");
    CHECK_TEXT(error.key, "k");
    CHECK(error.line == 3);
    refused(BALL "preset{ 'A', k = 5 }", "'k' is not a param of the scene; it has: none", "");
    refused(BALL K "preset{ 'A', K = 11 }", "scene.lua:3: preset 'A': K = 11 N is outside 1 .. 10",
            "");
    refused(BALL K "preset{ 'A', K = 0/0 }", "preset 'A': K = ", "is not a finite number");
    refused(BALL FREE "preset{ 'A', free = 1/0 }", "free = ", "is not a finite number");
    refused(BALL PRESS "preset{ 'A', press = -3 }", "press = -3 N is outside -2 .. 1", "");
    refused(BALL HIT "preset{ 'A', hit = 1 }", "preset 'A': hit is a trigger", "no value to set");
    refused(BALL K PRESS "preset{ 'A', press = 9, K = 99 }", "K = 99", ""); // by their names
}

static void sound_names_inputs(void) {
    sis_script* script = load(BALL "play{ sound = 'press' }\n" PRESS);
    const sis_gestures* g = script ? sis_script_gestures(script) : NULL;
    CHECK(g && g->sound_count == 1 && g->sound[0] == 0 && g->sound[1] == -1);
    CHECK(script && sis_script_play(script) && sis_script_play(script)->pitch == -1);
    sis_script_free(script);
    script = load(BALL PRESS K "input{ 'other', 0 }\n"
                               "play{ velocity = 'K', sound = { 'other', 'press' } }");
    g = script ? sis_script_gestures(script) : NULL;
    CHECK(g && g->sound_count == 2 && g->sound[0] == 1 && g->sound[1] == 0);
    sis_script_free(script);
    script = load(BALL K "play{ velocity = 'K' }");
    g = script ? sis_script_gestures(script) : NULL;
    CHECK(g && g->sound_count == 0 && g->sound[0] == -1 && g->sound[1] == -1);
    sis_script_free(script);
    CHECK(loads(BALL PRESS "play{ sound = { 'press' }, mode = 'mono' }"));
}

static void sound_that_cannot_be_is_refused(void) {
    refused(BALL PRESS "play{ sound = 'pres' }",
            "scene.lua:3: play: sound = \"pres\" is not an input of the scene (did you mean "
            "'press'?)",
            "");
    refused(BALL K "play{ sound = 'K' }", "'K' is a param, which does not move while it sounds",
            "");
    refused(BALL HIT "play{ sound = 'hit' }", "play: sound = \"hit\" is a trigger", "");
    refused(BALL "input{ 'up', 1, min = 0.5, max = 2 }\n play{ sound = 'up' }",
            "scene.lua:3: play: the input 'up' of sound must have 0 in its range", "not 0.5 .. 2");
    refused(BALL PRESS "play{ sound = { 'press', 'press' } }", "names the input 'press' twice", "");
    refused(BALL PRESS "play{ sound = {} }", "play: sound", "");
    refused(BALL PRESS "play{ sound = { 'press', 'press', 'press' } }", "sound names 3 inputs", "");
    refused(BALL PRESS "play{ sound = 5 }", "play: sound: expected text, got number 5", "");
    refused(BALL PRESS "play{ sound = { 5 } }", "play: sound: expected text, got number 5", "");
}

int main(void) {
    RUN(presets_are_kept_in_order);
    RUN(the_settings_of_a_preset_load_the_scene);
    RUN(a_preset_changes_nothing_by_itself);
    RUN(wrong_presets_are_refused);
    RUN(values_are_checked_when_the_scene_has_run);
    RUN(sound_names_inputs);
    RUN(sound_that_cannot_be_is_refused);
    return CHECK_REPORT();
}
