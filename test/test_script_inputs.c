// Inputs in scenes: what input{} says, what may be done with it, which keys follow it, and what
// then moves.
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "script_help.h"

#define PRESS "local press = input{ 'press', 0.5, min = 0, max = 2, unit = 'N' }\n"
#define BLOW  "local blow = input{ 'blow', trigger = true }\n"
#define PLATE                                                                                      \
    "local p = plate{ size = {1, 1}, thickness = 1e-3, material_density = 1e3, tension = 1e3 }\n"

// ---------------------------------------------------------------------------- what it is

static void inputs_are_listed_with_their_ranges(void) {
    sis_script* script = load(
        PRESS "input{ 'bend', 1, min = 0.9, max = 1.1, smooth = 0.01, label = 'wheel' }\n"
              "input{ 'deep', 5 } input{ 'low', -3 } input{ name = 'key', value = 0.25 }\n" BLOW);
    CHECK(script != NULL);
    if (!script) return;
    CHECK(sis_script_input_count(script) == 6);
    sis_input press = sis_script_input(script, 0), bend = sis_script_input(script, 1);
    sis_input deep = sis_script_input(script, 2), low = sis_script_input(script, 3);
    sis_input key = sis_script_input(script, 4), blow = sis_script_input(script, 5);
    CHECK(strcmp(press.name, "press") == 0 && strcmp(press.label, "press") == 0);
    CHECK(strcmp(press.unit, "N") == 0 && press.value == 0.5 && press.fallback == 0.5);
    CHECK(press.min == 0 && press.max == 2 && press.smooth == 0 && !press.trigger);
    CHECK(strcmp(bend.label, "wheel") == 0 && bend.smooth == 0.01 && !bend.unit[0]);
    CHECK(deep.min == 0 && deep.max == 5 && low.min == -3 && low.max == 1);
    CHECK(key.value == 0.25 && strcmp(key.name, "key") == 0);
    CHECK(blow.trigger && blow.value == 0 && blow.min == 0 && blow.max == 1);
    CHECK(sis_script_input(script, 6).name == NULL && sis_script_input(script, -1).name == NULL);
    const sis_scene* scene = sis_script_scene(script);
    CHECK(sis_scene_find(scene, SIS_KIND_INPUT, "bend") == bend.id);
    CHECK(sis_script_line(script, bend.id) == 2);
    sis_script_free(script);
}

static void wrong_inputs_are_refused(void) {
    refused("input{}", "scene.lua:1: input: needs a name", "");
    refused("input{ 3, 4 }", "input: name: expected text, got number 3", "");
    refused("input{ 'a=b', 4 }", "input: the name 'a=b'", "no '='");
    refused("input{ ('x'):rep(64), 4 }", "input: the name", "1 to 63 bytes");
    refused("input{ 'a' }", "input 'a': needs its value", "input{ \"a\", 0.5 }");
    refused("input{ 'a', '3' }", "input 'a': value: expected a number, got text '3'", "");
    refused("input{ 'a', 1/0 }", "input 'a': value = inf is outside", "");
    refused("input{ 'a', 5, min = 6, max = 7, unit = 'N' }", "value = 5 N is outside 6 .. 7", "");
    refused("input{ 'a', 5, min = 7, max = 6 }", "min = 7 must be less than max = 6", "input 'a'");
    refused("input{ 'a', 5, smoth = 1 }", "unknown key 'smoth' (did you mean 'smooth'?)", "");
    refused("input{ 'a', 5, 6 }", "input: takes a name, a number and keys", "");
    refused("input('a', 5)", "input: takes one table", "");
    refused("input{ 'a', 5, name = 'b' }", "'name' is given twice", "");
    refused("input{ 'a', 5, value = 6 }", "'value' is given twice", "input 'a'");
    refused("input{ 'a', 5, label = ('x'):rep(200) }", "label: the text is longer", "");
    refused("input{ 'a', 5, trigger = true }", "a trigger gives blows and has no value", "");
    refused("input{ 'a', trigger = true, smooth = 1 }", "'smooth'", "input 'a'");
    refused("input{ 'a', 1 }\ninput{ 'a', 1 }", "scene.lua:2:", "there is an input 'a' already");
    refused("param{ 'a', 1 }\ninput{ 'a', 1 }", "scene.lua:2:", "there is a param 'a' already");
    refused("input{ 'a', 1 }\nparam{ 'a', 1 }", "scene.lua:2:", "there is an input 'a' already");
    refused(PRESS "input{ 'b', press }", "value: expected a number", "got input 'press', which");
    refused(PRESS "param{ 'b', press }", "value: expected a number", "got input 'press', which");
    refused(PRESS "render{ rate = press }", "'rate' cannot follow input 'press'", "no live key");
}

static void a_setting_is_where_an_input_starts(void) {
    sis_setting setting = {"press", 1.5};
    sis_script* script =
        load_with(BODIES PRESS "force{ on = m, width = 1, peak = 2 * press }", &setting, 1);
    CHECK(script != NULL);
    if (!script) return;
    CHECK(sis_script_input(script, 0).value == 1.5 && sis_script_input(script, 0).fallback == 0.5);
    const sis_force_def* force = sis_scene_def(sis_script_scene(script), 3);
    CHECK(force->peak == 3);
    sis_script_free(script);
}

static void bad_setting(const char* name, double value, const char* sentence) {
    sis_setting setting = {name, value};
    sis_script* script = load_with(PRESS BLOW "mass{ mass = 1 }", &setting, 1);
    CHECK(!script && error.status == SIS_SCRIPT_SETTING);
    CHECK_TEXT(error.text, sentence);
    sis_script_free(script);
}

static void a_setting_keeps_to_the_range_of_its_input(void) {
    bad_setting("press", 2.5, "scene.lua:1: input 'press': press = 2.5 N is outside 0 .. 2");
    bad_setting("press", (double)NAN, "press = nan N is not a number");
    bad_setting("blow", 1, "input 'blow': blow is a trigger, which has no value to set");
    bad_setting("pres", 1, "unknown param or input 'pres' (did you mean 'press'?)");
}

// ---------------------------------------------------------------------------- arithmetic

// The first binding of the scene in `text`.
static sis_binding bound(const char* text) {
    sis_script* script = load(text);
    sis_binding b = {.object = SIS_NONE};
    CHECK(script != NULL);
    if (!script) {
        printf("%s\n-> %s\n", text, error.text);
        return b;
    }
    CHECK(sis_script_scene(script)->binding_count == 1);
    if (sis_script_scene(script)->binding_count) b = sis_script_scene(script)->bindings[0];
    sis_script_free(script);
    return b;
}

static void an_input_may_be_scaled_and_shifted(void) {
    static const struct {
        const char* text;
        double scale, offset;
    } forms[] = {
        {"press", 1, 0},
        {"2 * press + 0.1", 2, 0.1},
        {"press * 2 - 1", 2, -1},
        {"press / 2", 0.5, 0},
        {"-press", -1, 0},
        {"1 - press", -1, 1},
        {"3 * (1 - press)", -3, 3},
        {"-(press + 1) / 2", -0.5, -0.5},
        {"0 * press", 0, 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, BODIES PRESS "force{ on = m, width = 1, peak = %s }",
                 forms[i].text);
        sis_binding b = bound(text);
        CHECK_NEAR(b.scale, forms[i].scale, 0);
        CHECK_NEAR(b.offset, forms[i].offset, 0);
    }
}

static void anything_else_is_refused_in_one_sentence(void) {
    static const char* const forms[][2] = {
        {"press * press", "inputs 'press' and 'press' cannot be combined"},
        {"press + lift", "inputs 'press' and 'lift' cannot be combined"},
        {"press - press", "cannot be combined"},
        {"1 / press", "a number cannot be divided by input 'press'"},
        {"press / 0", "is divided by 0"},
        {"press * (1/0)", "cannot be combined with number inf"},
        {"press + 'x'", "input 'press' cannot be combined with text 'x'"},
        {"press + nil", "cannot be combined with nothing"},
        {"press + m", "cannot be combined with mass 'm'"},
        {"press ^ 2", "cannot be raised to a power"},
        {"press % 2", "cannot be divided with a remainder"},
        {"press // 2", "cannot be divided and rounded"},
        {"press & 1", "cannot be taken bit by bit"},
        {"~press", "cannot be taken bit by bit"},
        {"press .. 'x'", "cannot be joined to a text"},
        {"'x' .. press", "cannot be joined to a text"},
        {"#press", "cannot be counted"},
        {"press < 1", "cannot be compared"},
        {"1 <= press", "cannot be compared"},
        {"press == lift", "cannot be compared"},
        {"press.value", "cannot be indexed"},
        {"press[1]", "cannot be indexed"},
        {"press(1)", "cannot be called"},
        {"math.sin(press)", "(number expected, got input): an input moves while it sounds"},
        {"math.max(1, press)", "cannot be compared"},
        {"2 * (press + math.sin)", "may be shifted, not scaled"},
        {"press + math.sin + math.sin", "has a function of the place already"},
        {"press - math.sin", "cannot be combined with a function"},
        {"2 * blow", "input 'blow' is a trigger"},
        {"-blow", "input 'blow' is a trigger"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 BODIES PRESS BLOW "local lift = input{ 'lift', 0 }\nlocal x = %s", forms[i][0]);
        refused(text, forms[i][1], "scene.lua:5:");
    }
    refused(PRESS "press.value = 3", "cannot be indexed", "scene.lua:2:");
}

static void the_sandbox_hides_what_inputs_are_made_of(void) {
    CHECK(loads(PRESS "assert(tostring(press) == \"input 'press'\") mass{ mass = 1 }"));
    CHECK(loads(PRESS "assert(string.format('%s', press) == \"input 'press'\") mass{ mass = 1 }"));
    refused(PRESS "getmetatable(press)", "'getmetatable' is not available", "");
    refused(PRESS "local x = press while true do x = x + 1 end", "scene.lua:2:", "");
    refused(PRESS "local t = {} for i = 1, 1e9 do t[i] = press + i end", "scene.lua:2:", "");
    refused("for i = 1, 1e6 do input{ 'i' .. i, 0 } end", "too many inputs", "");
    refused("barrier{ height = function(x) input{ 'a', 0 } return 0 end }\n" PRESS "press.x = 1",
            "cannot be indexed", "");
}

// ---------------------------------------------------------------------------- live keys

static void every_live_key_follows_an_input(void) {
    static const struct {
        const char *text, *key;
    } scenes[] = {
        {"force{ on = m, width = 1, peak = press }", "peak"},
        {"mass{ path = press }", "path"},
        {"bow{ on = m, force = press, velocity = 1 }", "force"},
        {"bow{ on = m, force = {{0, 1}}, velocity = -press }", "velocity"},
        {"bow{ on = s, at = 0.1 + 0.1 * press, force = 1, velocity = 1 }", "at"},
        {"bow{ on = p, at = {0.1 + 0.1 * press, 0.2}, force = 1, velocity = 1 }", "at"},
        {"bow{ on = p, at = {0.2, 0.1 + 0.1 * press}, force = 1, velocity = 1 }", "at_y"},
        {"contact{ above = m, below = b, K = 1e3 * press, alpha = 1.5 }", "K"},
        {"contact{ above = m, below = b, K = 1, alpha = 1.5, gap = press }", "gap"},
        {"contact{ above = m, below = b, K = 1, alpha = 1.5, damping = press }", "damping"},
        {"contact{ above = m, below = s, K = 1, alpha = 1.5, at = 0.1 + press / 10 }", "at"},
        {"contact{ above = m, below = s, K = 1, alpha = 1.5, at = {0.1 + press / 10} }", "at"},
        {"contact{ above = m, below = p, K = 1, alpha = 1.5, at = {0.1 + press / 10, 0.2} }", "at"},
        {"contact{ above = m, below = p, K = 1, alpha = 1.5, at = {{0.2, 0.1 + press / 10}} }",
         "at_y"},
        {"contact{ above = m, below = s, K = 1, alpha = 1.5, at_below = 0.1 + press / 10 }",
         "at_below"},
        {"contact{ above = p, below = m, K = 1, alpha = 1.5, at_above = {0.1, 0.1 + press / 10} }",
         "at_above_y"},
        {"contact{ above = s, below = m, K = 1, alpha = 1.5, at_above = 0.1 + press / 10 }",
         "at_above"},
        {"barrier{ height = press }", "height"},
        {"barrier{ height = press + function(x) return x end }", "height"},
        {"barrier{ height = 1 + (function(x) return x end + press) }", "height"},
        {"spring{ between = {m, 'ground'}, K1 = press }", "K1"},
        {"spring{ between = {m, 'ground'}, K3 = press }", "K3"},
        {"spring{ between = {m, 'ground'}, damping = press }", "damping"},
        {"string{ length = 1, density = 0.01, tension = 100 * press + 1 }", "tension"},
        {"string{ length = 1, density = 0.01, tension = 100, bend = press + 0.1 }", "bend"},
        {"plate{ size = {1, 1}, thickness = 1e-3, material_density = 1, tension = press }",
         "tension"},
        {"probe{ on = s, at = press / 4 }", "at"},
        {"probe{ on = p, at = {0.5, press / 4} }", "at_y"},
        {"probe{ on = m, gain = press }", "gain"},
        {"gravity{ g = press }", "g"},
    };
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, BODIES STRING PLATE PRESS "%s", scenes[i].text);
        CHECK(strcmp(bound(text).key, scenes[i].key) == 0);
    }
    for (int32_t f = 0; f < count; f++) { // none was forgotten
        bool found = !sis_field_live(&fields[f]);
        for (size_t i = 0; !found && i < sizeof scenes / sizeof scenes[0]; i++)
            found = strcmp(scenes[i].key, fields[f].key) == 0;
        CHECK(found);
    }
}

static void followers_are_told_with_their_objects(void) {
    sis_script* script =
        load(BODIES PRESS BLOW "force{ on = m, width = 1, peak = 2 * press, trigger = blow }");
    CHECK(script != NULL);
    if (!script) return;
    CHECK(sis_script_follower_count(script) == 2);
    sis_follower peak = sis_script_follower(script, 0), blow = sis_script_follower(script, 1);
    CHECK(strcmp(peak.key, "peak") == 0 && peak.input == 0 && peak.scale == 2 && peak.offset == 0);
    CHECK(strcmp(blow.key, "trigger") == 0 && blow.input == 1 && blow.object == peak.object);
    CHECK(sis_scene_kind(sis_script_scene(script), peak.object) == SIS_KIND_FORCE);
    CHECK(sis_script_follower(script, 2).object == SIS_NONE);
    sis_script_free(script);
}

static void keys_that_are_not_live_refuse_inputs(void) {
    refused(BODIES PRESS "force{ on = m, peak = 1, width = press }",
            "scene.lua:3: force: 'width' cannot follow input 'press': it does not move while it "
            "sounds; its live keys are peak, trigger",
            "");
    CHECK(strcmp(error.key, "width") == 0 && strcmp(error.object, "force") == 0);
    refused(PRESS "mass{ mass = press, name = 'ball' }", "mass 'ball': 'mass' cannot follow", "");
    refused(BODIES PRESS "probe{ on = press }", "probe: on: expected", "got input 'press'");
    refused(BODIES PRESS "probe{ on = m, name = press }", "name: expected text", "input 'press'");
    refused(BODIES PRESS "contact{ above = m, below = b, K = 1, alpha = 1, law = press }",
            "law: expected one of", "got input 'press'");
    refused(BODIES PRESS "spring{ between = {m, press} }", "between: expected", "input 'press'");
    refused(PRESS "mass{ path = {{0, press}} }", "point 1: expected a number (m)",
            "got input 'press', which moves while it sounds");
    refused(STRING PRESS "pluck{ on = s, at = 0.5, height = press }", "'height' cannot follow", "");
    refused(STRING PRESS "mass{ mass = 1, name = 'f' } string{ length = 1, density = 1, "
                         "frequency = press }",
            "'frequency' cannot follow", "tension, bend");
    refused(PRESS "render{ oversample = press }", "'oversample' cannot follow", "");
    refused(PRESS "modal{ modes = {{ press, 1, 1 }} }", "got input 'press'", "modal");
    refused(PRESS "mass{ path = press + math.sin }", "function of the place", "'path'");
}

#define BOW_ON STRING PRESS "bow{ on = s, at = 0.1, velocity = 1, force = "

static void an_envelope_may_be_scaled_by_an_input(void) {
    sis_binding b = bound(BOW_ON "(2 * press + 0.1) * {{0, 0}, {1, 3}} }");
    CHECK(strcmp(b.key, "force") == 0 && b.scale == 2 && b.offset == 0.1);
    CHECK(b.low == 0 && fabs(b.high - 12.3) < 1e-12);
    b = bound(STRING PRESS "bow{ on = s, at = 0.1, velocity = {{0, 1}, {1, 3}} * -press / 4 * 2,\n"
                           "force = {{0, 0}, {1, 1}} }");
    CHECK(strcmp(b.key, "velocity") == 0 && b.scale == -0.5 && b.offset == 0);
    CHECK(b.low == -3 && b.high == 0);
    refused(BOW_ON "press * {{0, 0}, {1, 1}} + 1 }", "with an envelope may be scaled, not shifted",
            "(2 * press + 0.1) * {{0, 0}, {0.05, 1}}");
    refused(BOW_ON "press * {{0, 1}} * {{0, 1}} }", "input 'press' has an envelope already", "");
    refused(BOW_ON "press * {0, 1} }", "force: point 1: expected {t, v}, got number 0", "");
    refused(BOW_ON "press + {{0, 1}} }", "cannot be combined with a table", "");
    refused(BOW_ON "press / {{0, 1}} }", "cannot be combined with a table", "");
    refused(BOW_ON "-press * {{0, 1}} }", "'force' must be between 0 and 1e+09 N",
            "takes it from -2 to");
    refused(PRESS "mass{ path = press * {{0, 1}} }",
            "mass: 'path' cannot follow an envelope times input 'press'",
            "the force and the velocity of a bow can");
    refused(STRING PRESS "force{ on = s, at = 0.1, peak = press * {{0, 1}} }",
            "a force has shape = {{t, v}, ...} and peak = the input", "scene.lua:");
    refused(STRING BLOW "bow{ on = s, at = 0.1, velocity = 1, force = blow * {{0, 1}} }",
            "is a trigger", "");
}

static void a_place_that_moves_is_one_place(void) {
    refused(BODIES STRING PRESS
            "contact{ above = m, below = s, K = 1, alpha = 1, at = {press, 0.2} }",
            "give it one place, not a list of several", "'at'");
    refused(BODIES STRING PRESS
            "contact{ above = m, below = s, K = 1, alpha = 1, at = {0.1, 0.2, press} }",
            "give it one place, not a list of several", "'at'");
    refused(BODIES PLATE PRESS
            "contact{ above = m, below = p, K = 1, alpha = 1, at = {{press, 1}, {1, 1}} }",
            "place 1: expected a number (m)", "got input 'press'");
    refused(STRING PRESS "probe{ on = s, at = {press, 0.1} }", "place on a plate", "'at'");
}

static void the_range_of_an_input_stays_inside_that_of_its_key(void) {
    refused(BODIES PRESS "spring{ between = {m, 'ground'}, K1 = press - 1 }", "K1", "spring");
    refused(BODIES PRESS "contact{ above = m, below = b, K = 1, alpha = 1,\n"
                         "damping = 1 - press, name = 'pad' }",
            "contact 'pad': 'damping' must be between 0 and", "from -1 to 1");
    CHECK(strcmp(error.key, "damping") == 0);
}

static void triggers_stand_only_as_triggers(void) {
    CHECK(loads(BODIES BLOW "force{ on = m, peak = 1, width = 1, trigger = blow }"));
    CHECK(loads(BODIES BLOW "mass{ path = {{0, 0}, {1, 1}}, trigger = blow }"));
    CHECK(loads(BODIES BLOW "bow{ on = m, force = {{0, 1}}, velocity = 1, trigger = blow }"));
    refused(BODIES BLOW "force{ on = m, peak = blow, width = 1 }",
            "force: 'peak' follows a number, and input 'blow' is a trigger", "play{ velocity }");
    refused(BODIES BLOW "force{ on = m, peak = 1, width = blow }", "is a trigger", "'width'");
    refused(BODIES PRESS "force{ on = m, peak = 1, width = 1, trigger = press }",
            "'trigger' must be an input with trigger = true", "input 'press' is a number");
    refused(BODIES "force{ on = m, peak = 1, width = 1, trigger = m }",
            "trigger: expected an input with trigger = true", "got mass 'm'");
    refused(BODIES "force{ on = m, peak = 1, width = 1, trigger = true }",
            "trigger: expected an input with trigger = true", "got true");
}

// ---------------------------------------------------------------------------- what moves

static void* new_state(const sis_system* system) {
    void* memory = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    CHECK(memory && sis_state_init(system, memory));
    return memory;
}

// Renders `frames` samples with one input that holds `value`; the last value of the first probe.
static double last_of(const char* text, double value, int32_t frames) {
    sis_script* script = load(text);
    if (!script) printf("%s\n", error.text);
    CHECK(script != NULL);
    if (!script) return (double)NAN;
    sis_error why = {.status = SIS_OK};
    sis_options options = sis_options_default(sis_script_scene(script));
    sis_system* system = sis_compile(sis_script_scene(script), &options, &why);
    if (!system) printf("%s\n", why.text);
    CHECK(system != NULL);
    double* probes = calloc((size_t)frames, sizeof *probes);
    double* inputs = calloc((size_t)frames, sizeof *inputs);
    double last = (double)NAN;
    if (system && probes && inputs) {
        CHECK(sis_system_input_count(system) == sis_script_input_count(script));
        void* state = new_state(system);
        for (int32_t i = 0; i < frames; i++)
            inputs[i] = value;
        const sis_block block = {.frames = frames, .probes = probes, .inputs = inputs};
        sis_step(system, state, &block);
        last = probes[frames - 1];
        CHECK(fabs(sis_state_energy(system, state).residual) < 1e-9);
        free(state);
    }
    free(probes);
    free(inputs);
    sis_system_free(system);
    sis_script_free(script);
    return last;
}

static void what_follows_an_input_moves_with_it(void) {
    static const char path[] = "local x = input{ 'x', 0, min = -1, max = 1 }\n"
                               "local m = mass{ path = 0.5 * x } probe{ on = m }";
    CHECK_NEAR(last_of(path, 0.25, 4), 0.125, 1e-15);
    static const char pull[] =
        "local m = mass{ mass = 1 } render{ rate = 1000 }\n"
        "local g = input{ 'g', 0, max = 20 } gravity{ g = g } probe{ on = m }";
    CHECK(last_of(pull, 10, 100) < -0.04 && last_of(pull, 0, 100) == 0);
}

// A weight of 10 N rests on a profile of 1 mm at its place, moved by where the lift starts.
static void the_height_of_a_profile_is_added_to(void) {
    char text[512];
    double rest[2];
    for (int up = 0; up < 2; up++) {
        snprintf(text, sizeof text,
                 "local lift = input{ 'lift', %g, min = -0.01, max = 0.01 }\n"
                 "local s = string{ length = 1, tension = 100, density = 0.01, sigma0 = 20 }\n"
                 "local b = barrier{ height = lift + function(x) return -2e-3 end, at = 0.5 }\n"
                 "contact{ above = s, below = b, K = 1e6, alpha = 1 }\n"
                 "gravity{ on = s, g = 2000 } probe{ on = s, at = 0.5 }",
                 up ? 1e-3 : 0.0);
        rest[up] = last_of(text, up ? 1e-3 : 0.0, 44100);
    }
    CHECK_NEAR(rest[1] - rest[0], 1e-3, 2e-5);
}

int main(void) {
    RUN(inputs_are_listed_with_their_ranges);
    RUN(wrong_inputs_are_refused);
    RUN(a_setting_is_where_an_input_starts);
    RUN(a_setting_keeps_to_the_range_of_its_input);
    RUN(an_input_may_be_scaled_and_shifted);
    RUN(anything_else_is_refused_in_one_sentence);
    RUN(the_sandbox_hides_what_inputs_are_made_of);
    RUN(every_live_key_follows_an_input);
    RUN(followers_are_told_with_their_objects);
    RUN(keys_that_are_not_live_refuse_inputs);
    RUN(an_envelope_may_be_scaled_by_an_input);
    RUN(a_place_that_moves_is_one_place);
    RUN(the_range_of_an_input_stays_inside_that_of_its_key);
    RUN(triggers_stand_only_as_triggers);
    RUN(what_follows_an_input_moves_with_it);
    RUN(the_height_of_a_profile_is_added_to);
    return CHECK_REPORT();
}
