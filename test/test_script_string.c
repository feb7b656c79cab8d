// Scenes in Lua with strings: what string{}, pluck{} and barriers of many points say reaches the
// scene, and heights that are functions give sis_compile numbers or one sentence, always soon.
#include "budget.h"
#include "check.h"
#include "scene/scene.h"
#include "script.h"
#include "script_help.h"

#include <stdlib.h>

#define CONTACT "contact{ above = s, below = b, K = 1e6, alpha = 1.5 }\n"

// The definition that a scene made last; NULL, and why, when it did not load. The caller frees.
static const void* last_def(sis_script* script) {
    if (!script) {
        printf("%s\n", error.text);
        return NULL;
    }
    const sis_scene* scene = sis_script_scene(script);
    return sis_scene_def(scene, sis_scene_count(scene) - 1);
}

// ---------------------------------------------------------------------------- what may be said

static void string_is_a_word_and_still_a_library(void) {
    CHECK(loads("assert(string.format('%d%s', 3, ('x'):rep(2)) == '3xx') mass{ mass = 1 }"));
    CHECK(loads("local wire = string wire{ length = 1, tension = 1, density = 1 }\n"
                "assert(wire.upper('a') == 'A' and ('b'):upper() == 'B')"));
    CHECK(loads(STRING "assert(tostring(s) == \"string 's'\")"));
    refused("string()", "scene.lua:1: string: takes one table, as in string{ ... }", "");
    refused("string('x')", "string: takes one table", "");
    refused("string({}, {})", "string: takes one table", "");
    refused("strnig{}", "unknown word 'strnig' (did you mean 'string'?)", "");
}

static void every_form_of_gamma_reaches_the_string(void) {
    static const char* const values[] = {"-0.5", "'optimal'", "'tuned'"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "string{ length = 1, tension = 1, density = 1, model = 'implicit', gamma = %s }",
                 values[i]);
        sis_script* script = load(text);
        const sis_string_def* def = last_def(script);
        CHECK(def && (i == 0 ? def->gamma == -0.5 : isnan(def->gamma)));
        CHECK(def && def->gamma_rule == (i == 2 ? SIS_GAMMA_TUNED : SIS_GAMMA_OPTIMAL));
        sis_script_free(script);
    }
}

static void decay_times_reach_the_string(void) {
    sis_script* script = load("string{ length = 1, tension = 1, density = 1,\n"
                              "t60 = { { 100, 8 }, { 2000, 3 } } }");
    const sis_string_def* def = last_def(script);
    CHECK(def && def->t60.count == 2 && isnan(def->sigma0) && isnan(def->sigma1));
    if (def) CHECK(def->t60.points[0] == 100 && def->t60.points[1] == 8);
    if (def) CHECK(def->t60.points[2] == 2000 && def->t60.points[3] == 3);
    sis_script_free(script);
    CHECK(loads("string{ length = 1, tension = 1, density = 1, t60 = { { 0, 8 } } }"));
}

static void a_place_is_a_list_of_one(void) {
    sis_script* script = load("barrier{ height = -1, at = 0.25 }");
    const sis_barrier_def* def = last_def(script);
    CHECK(def && def->at.count == 1 && def->at.values[0] == 0.25);
    sis_script_free(script);
    script = load("local frets = {} for n = 1, 12 do frets[n] = 1 - 2 ^ (-n / 12) end\n"
                  "barrier{ height = -1, at = frets }");
    def = last_def(script);
    CHECK(def && def->at.count == 12);
    for (int n = 1; def && n <= 12; n++)
        CHECK_NEAR(def->at.values[n - 1], 1 - pow(2, -n / 12.0), 1e-15);
    sis_script_free(script);
    CHECK(loads(BODIES STRING
                "contact{ above = s, below = b, at = { 0.1, 0.2 }, K = 1, alpha = 1 }\n"
                "contact{ above = s, below = m, at_above = 0.3, K = 1, alpha = 1 }"));
}

static void plucks_of_every_shape_load(void) {
    CHECK(loads(STRING "pluck{ on = s, at = 0.3, height = 1e-3 }"));
    CHECK(loads(STRING
                "pluck{ on = s, shape = 'raised-cosine', at = 0.3, height = 1e-3, width = 0.2 }"));
    CHECK(loads(STRING "pluck{ on = s, shape = 'mode', mode = 2, height = 1e-3 }"));
    refused(BODIES "pluck{ on = m, at = 0.3, height = 1e-3 }", "pluck: 'on' must be a string",
            "scene.lua:2:");
    refused(STRING "pluck{ on = s, shape = 'cosine', at = 0.3, height = 1 }",
            "shape = \"cosine\" is unknown", "\"raised-cosine\"");
}

// ---------------------------------------------------------------------------- what may not be said

static void wrong_strings_are_refused_with_what_would_work(void) {
    refused("\n\nstring{ lenght = 1 }",
            "scene.lua:3: string: unknown key 'lenght' (did you mean 'length'?)", "");
    refused("string{ gamma_rule = 'tuned' }", "unknown key 'gamma_rule'", "");
    refused("barrier{ profile = math.sin }", "unknown key 'profile'; its keys are name, height, at",
            "from, to");
    refused("barrier{ heigth = 1 }", "did you mean 'height'", "");
    refused("string{}", "string: needs 'length' (m)", "");
    refused("string{ length = 1, tension = -5, density = 1 }",
            "string: tension = -5 N is outside 0 .. 1e9", "scene.lua:1:");
    refused("string{ length = 1, tension = 5, density = 1, material_density = 1, radius = 1 }",
            "give 'density' or 'material_density', not both", "scene.lua:1: string");
    refused("string{ length = 1, tension = 5 }", "'density' (kg/m) is missing", "");
    refused("string{ length = 1, tension = 5, density = 1, model = 'modl' }",
            "model = \"modl\" is unknown (did you mean \"modal\"?)", "\"implicit\"");
    refused("string{ length = 1, tension = 5, density = 1, model = 'implicit', gamma = 'optmal' }",
            "string: gamma = \"optmal\" is unknown (did you mean \"optimal\"?)", "\"tuned\"");
    refused("string{ length = 1, tension = 5, density = 1, gamma = true }",
            "string: gamma: expected a number, \"optimal\" or \"tuned\", got true", "");
    refused("string{ length = 1, tension = 5, density = 1, gamma = -1 }",
            "gamma = -1 is outside -0.999 .. 100", "");
    refused("string{ length = 1, tension = 5, density = 1, tuned = 'yes' }",
            "tuned: expected true or false, got text 'yes'", "");
    refused("string{ length = 1, tension = 5, density = 1, segments = 10.5 }",
            "segments = 10.5 is not a whole number", "");
}

static void wrong_decay_times_are_refused(void) {
    static const char* const values[][2] = {
        {"5", "expected decay times {{f, s}, {f, s}}, got number 5"},
        {"{}", "expected decay times {{f, s}, {f, s}}, got a table without pairs"},
        {"{ 100, 8 }", "t60: pair 1: expected {f, s}, got number 100"},
        {"{ { 100 } }", "t60: pair 1: expected two numbers {f, s}"},
        {"{ { f = 100, s = 8 } }", "t60: pair 1: expected two numbers {f, s}"},
        {"{ { '100', 8 } }", "t60: pair 1: expected a number (Hz), got text '100'"},
        {"{ { 100, '8' } }", "t60: pair 1: expected a number (s), got text '8'"},
        {"{ { 200, 8 }, { 100, 3 } }", "pair 2: its frequency 100 Hz must be higher than 200 Hz"},
        {"{ { -100, 8 } }", "t60: pair 1: the frequency -100 Hz is outside 0 .. 1e12"},
        {"{ { 0/0, 8 } }", "t60: pair 1: the frequency is nan"},
        {"{ { 100, 0 } }", "t60: pair 1 = 0 s is outside 1e-3 .. 1e6"},
        {"{ { 100, 8 }, x = 1 }", "got a table with gaps or keys"},
        {"{ { 1, 8 }, { 2, 8 }, { 3, 8 } }", "'t60' takes one or two pairs"},
        {"{ { 1, 8 } }, sigma0 = 1", "give 't60' or 'sigma0'"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "string{ length = 1, tension = 1, density = 1, t60 = %s }",
                 values[i][0]);
        refused(text, values[i][1], "scene.lua:1: string: ");
        CHECK(!strstr(error.text, "time ") && !strstr(error.text, "{t, v}"));
    }
}

static void wrong_lists_are_refused(void) {
    static const char* const values[][2] = {
        {"{}", "at: expected a number (m) or a list of numbers, got a table without numbers"},
        {"{ 0.1, 'x' }", "barrier: at: number 2: expected a number (m), got text 'x'"},
        {"{ 0.1, '0.2' }", "at: number 2: expected a number (m), got text '0.2'"},
        {"'0.1'", "at: expected a number (m) or a list of numbers, got text '0.1'"},
        {"{ { 0.1 } }", "at: number 1: expected a number (m), got a table"},
        {"{ 0.1, nil, 0.3 }", "got a table with gaps or keys"},
        {"{ 0.1, x = 0.3 }", "got a table with gaps or keys"},
        {"{ 0.1, -0.3 }", "at: number 2 = -0.3 m is outside 0 .. 1e4"},
        {"{ 0.1, 0/0 }", "at: number 2 = nan m is not a number"},
        {"-1", "barrier: at = -1 m is outside 0 .. 1e4"},
        {"1/0", "barrier: at = inf m is outside 0 .. 1e4"},
        {"math.sin", "got a function"},
        {"0.1, from = 0.2", "give one of the two"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "barrier{ height = 0, at = %s }", values[i][0]);
        refused(text, values[i][1], "scene.lua:1: barrier: ");
    }
    refused(BODIES STRING "contact{ above = s, below = b, at_above = {}, K = 1, alpha = 1 }",
            "scene.lua:3: contact: at_above: expected a number (m) or a list", "");
}

static void lists_that_are_too_long_are_refused_soon(void) {
    static const char* const counts[] = {"1e7", "1e6 + 1", "1e5 + 1"};
    static const char* const why[] = {"MB of memory", "too many numbers (1000000 in one scene)",
                                      "must have 1 to 100000 numbers"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "local t = {} for i = 1, %s do t[i] = 0.5 end barrier{ height = 0, at = t }",
                 counts[i]);
        double start = check_seconds();
        refused(text, why[i], "scene.lua");
        CHECK(check_seconds() - start < 5);
    }
}

static void a_height_is_a_number_or_a_function(void) {
    static const char* const values[][2] = {
        {"'3'", "got text '3'"},  {"true", "got true"},      {"{}", "got a table"},
        {"b", "got barrier 'b'"}, {"string", "got a table"}, {"{ 0.1, 0.2 }", "got a table"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "local b = barrier{ height = 0, name = 'b' }\nbarrier{ height = %s }",
                 values[i][0]);
        refused(
            text,
            "scene.lua:2: barrier: height: expected a number (m) or a function of the place, got ",
            values[i][1]);
    }
    refused("barrier{ height = nil }", "barrier: needs 'height' (m)", "scene.lua:1:");
    refused("mass{ mass = function(x) return x end }", "mass: mass: expected a number (kg)",
            "got a function");
}

// ---------------------------------------------------------------------------- heights

// The height at x of the first barrier in the scene; NaN and `why` when it has none there.
static double height_at(const sis_script* script, double x, sis_error* why) {
    const sis_scene* scene = sis_script_scene(script);
    double height = (double)NAN;
    *why = (sis_error){.status = SIS_OK};
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        if (sis_scene_kind(scene, id) == SIS_KIND_BARRIER) {
            sis_profile profile = ((const sis_barrier_def*)sis_scene_def(scene, id))->profile;
            if (!profile.value || !profile.value(profile.context, x, &height, why))
                return (double)NAN;
            return height;
        }
    return height;
}

static void heights_are_what_the_function_says(void) {
    char text[] = "local depth = 1e-4\n"
                  "barrier{ height = function(x) return -depth - 1e-4 * x - 1e-3 * x ^ 2 end }\n"
                  "depth = 2e-4\n";
    sis_script* script = load(text);
    memset(text, 'x', sizeof text - 1); // the text is not kept
    CHECK(script != NULL);
    if (!script) return;
    sis_error why;
    for (int i = 0; i <= 100; i++) {
        double x = i / 100.0;
        CHECK_NEAR(height_at(script, x, &why), -2e-4 - 1e-4 * x - 1e-3 * x * x, 1e-18);
        CHECK(why.status == SIS_OK);
    }
    sis_script_free(script);
    script = load("barrier{ height = math.cos }");
    CHECK(script && height_at(script, 0, &why) == 1);
    sis_script_free(script);
    script = load("barrier{ height = function() return -3 end }"); // a whole number is a number
    CHECK(script && height_at(script, 0.5, &why) == -3);
    sis_script_free(script);
}

// Loads, and the height at 0.25 m fails with both parts in one line.
static void no_height(const char* text, const char* part, const char* other_part) {
    sis_script* script = load(text);
    CHECK(script != NULL);
    if (!script) printf("%s\n-> %s\n", text, error.text);
    if (!script) return;
    int32_t count = sis_scene_count(sis_script_scene(script));
    sis_error why;
    double start = check_seconds();
    CHECK(isnan(height_at(script, 0.25, &why)));
    CHECK(check_seconds() - start < 5);
    CHECK(why.status == SIS_BAD_VALUE && !strchr(why.text, '\n'));
    CHECK(sis_scene_kind(sis_script_scene(script), why.object) == SIS_KIND_BARRIER);
    CHECK(strcmp(why.key, "height") == 0);
    CHECK_TEXT(located(script, &why), part);
    CHECK_TEXT(located(script, &why), other_part);
    CHECK(sis_scene_count(sis_script_scene(script)) == count);
    CHECK(sis_script_param_count(script) == 0);
    sis_script_free(script);
}

// height = function(x) `body` end, in line 2.
static void bad_height(const char* body, const char* part, const char* other_part) {
    char text[512];
    snprintf(text, sizeof text,
             "local m = mass{ mass = 1, name = 'm' }\n"
             "barrier{ name = 'bridge', height = function(x) %s end }",
             body);
    no_height(text, part, other_part);
}

#define SAYS "scene.lua:2: barrier 'bridge': height(0.25)"

static void what_is_no_height_is_refused_with_line_and_place(void) {
    bad_height("return nil", SAYS " returned nil; it must return a number (m)", "");
    bad_height("", SAYS " returned nothing; it must return a number (m)", "");
    bad_height("return '3'", SAYS " returned text '3'; it must return a number (m)", "");
    bad_height("return true", SAYS " returned true", "");
    bad_height("return {}", SAYS " returned a table", "");
    bad_height("return m", SAYS " returned mass 'm'", "");
    bad_height("return 1, 2", SAYS " returned 2 values; it must return one number (m)", "");
    bad_height("return 0/0", SAYS " returned nan", "a number (m) from -1e6 to 1e6");
    bad_height("return 1/0", SAYS " returned inf", "a number (m) from -1e6 to 1e6");
    bad_height("return -1e7", SAYS " returned -1e7", "a number (m) from -1e6 to 1e6");
    no_height("\n\n\nbarrier{ height = math.modf }",
              "scene.lua:4: barrier 'barrier1': height(0.25) returned 2 values", "");
}

static void errors_inside_a_height_tell_their_line(void) {
    bad_height("local y return x + y", SAYS ": attempt to perform arithmetic on a nil value", "");
    bad_height("return sin(x)", SAYS ": unknown word 'sin'", "");
    bad_height("return mat.sin(x)", SAYS ": unknown word 'mat' (did you mean 'math'?)", "");
    bad_height("os.exit()", SAYS ": 'os' is not available in a scene", "");
    bad_height("error('too\\nsteep')", SAYS ": too steep", "");
    bad_height("error('flat', 0)", SAYS ": flat", "");
    bad_height("error()", SAYS ": the scene stopped with an error", "no message");
    bad_height("error({})", SAYS ": the scene stopped with an error", "table");
    bad_height("return math.sqrt('x')", SAYS ": bad argument #1 to 'sqrt'", "");
    bad_height("error(('\\u{e9}'):rep(1000))", SAYS ": \xC3\xA9\xC3\xA9", "");
    no_height("local function slope(x)\n  local y return x * y\nend\nbarrier{ height = slope }",
              "scene.lua:2: barrier 'barrier1': height(0.25): attempt to perform arithmetic",
              "'y'");
}

static void no_height_runs_for_ever_or_eats_the_machine(void) {
    static const char stopped[] = SAYS ": it takes too long and was stopped (an endless loop?)";
    bad_height("while true do end", stopped, "");
    bad_height("repeat local t = {} until false", stopped, "");
    bad_height("local function f() return f() end return f()", stopped, "");
    bad_height("local s = ('x'):rep(1e6) while true do local a = s:upper() end", stopped, "");
    bad_height("for i = 1, 1e9 do x = x + 1 end return x", stopped, "");
    bad_height("return table.move({}, 1, 1e18, 2)", SAYS ": table.move: ", "too many");
    bad_height("local function f() return 1 + f() end return f()", SAYS ":", "");
    bad_height("local s = 'x' while true do s = s .. s end", SAYS ": a text",
               "longer than 1024 kB");
    bad_height("local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(1e6) .. i end", SAYS ":", "");
    static const char text[] = "barrier{ height = function(x) local kept = {}\n"
                               "for i = 1, 40 do kept[i] = ('x'):rep(1e6 - i) end return 0 end }";
    sis_limits patient = sis_limits_default;
    patient.height_seconds = 100;
    sis_script* script =
        sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &patient, &error);
    sis_error why = {.status = SIS_OK};
    CHECK(script && isnan(height_at(script, 0.25, &why)));
    CHECK_TEXT(located(script, &why),
               "scene.lua:2: barrier 'barrier1': height(0.25): the scene needs more than 32 MB");
    sis_script_free(script);
}

static void a_height_that_failed_may_work_elsewhere(void) {
    sis_script* script = load("barrier{ height = function(x)\n"
                              "if x > 0.5 then while true do end end\n"
                              "if x < 0.1 then kept = {} while true do\n"
                              "  kept[#kept + 1] = ('x'):rep(1e5) .. #kept end end\n"
                              "return -x end }");
    CHECK(script != NULL);
    if (!script) return;
    sis_error why;
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(height_at(script, 0.25, &why), -0.25, 0);
        CHECK(isnan(height_at(script, 0.75, &why)));
        CHECK_TEXT(located(script, &why),
                   "scene.lua:2: barrier 'barrier1': height(0.75): it takes too long");
        CHECK(isnan(height_at(script, 0, &why)));
        CHECK_TEXT(why.text, "barrier 'barrier1': height(0): ");
    }
    sis_profile profile =
        ((const sis_barrier_def*)sis_scene_def(sis_script_scene(script), 0))->profile;
    double height = 7;
    CHECK(!profile.value(profile.context, 0.75, &height, NULL)); // nobody wants to know why
    CHECK(height == 7);
    sis_script_free(script);
}

static void a_finished_scene_takes_no_more_objects(void) {
    bad_height(
        "mass{ mass = 1 } return 0",
        SAYS ": mass{} cannot be used in a function of a place: the scene is finished by then", "");
    bad_height("param{ 'K', 1 } return 0", SAYS ": param{} cannot be used in a function of a place",
               "");
    bad_height("string{ length = 1 } return 0",
               SAYS ": string{} cannot be used in a function of a place", "");
    bad_height("barrier{ height = x } return 0", SAYS ": barrier{} cannot be used", "");
    bad_height("render{} return 0", SAYS ": render{} cannot be used", "");
    bad_height("plate{} return 0", SAYS ": plate{} cannot be used", "");
    bad_height("play{} return 0", SAYS ": play{} cannot be used", "");
    no_height("\nbarrier{ height = mass }", "scene.lua:2: barrier 'barrier1': height(0.25): mass{}",
              "");
    no_height("\nbarrier{ height = param }",
              "scene.lua:2: barrier 'barrier1': height(0.25): param{}", "");
}

static void heights_may_be_read_as_often_as_they_are_cheap(void) {
    sis_script* script = load("barrier{ height = function(x) return -x ^ 2 end }");
    CHECK(script != NULL);
    if (!script) return;
    sis_error why;
    long wrong = 0;
    for (int i = 0; i < 50000; i++)
        wrong += height_at(script, i * 1e-6, &why) != -(i * 1e-6) * (i * 1e-6);
    CHECK(wrong == 0);
    sis_script_free(script);
    script = load("barrier{ height = function(x) for i = 1, 9000 do x = -x end return x end }");
    CHECK(script != NULL);
    if (!script) return;
    int calls = 0;
    double start = check_seconds();
    while (calls < 1000000 && !isnan(height_at(script, 0.25, &why)))
        calls++;
    CHECK(calls > 100 && calls < 1000000);
    CHECK(check_seconds() - start < 20);
    CHECK_TEXT(why.text, "height(0.25): the functions of this scene take too long to compute");
    sis_script_free(script);
}

static void heights_of_a_scene_that_fails_are_freed(void) {
    refused("barrier{ height = function(x) return x end }\nbarrier{ height = math.sin, at = {} }",
            "scene.lua:2: barrier: at", "");
    refused("barrier{ height = function(x) return x end, from = 2, to = 1 }", "'from' must be less",
            "scene.lua:1:");
    refused("barrier{ height = function(x) return x end }\nwhile true do end", "runs too long", "");
    sis_setting setting = {"K", 1};
    CHECK(!load_with("barrier{ height = math.sin }", &setting, 1));
    CHECK(error.status == SIS_SCRIPT_SETTING);
    for (size_t memory = 0; memory < 60000; memory += 211) {
        static const char text[] = STRING "local t = {} for i = 1, 20 do t[i] = i / 30 end\n"
                                          "barrier{ height = function(x) return -x end }\n"
                                          "barrier{ height = 0, at = t }\n";
        sis_limits limits = sis_limits_default;
        limits.memory = memory;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        sis_error why;
        if (script) CHECK(!(height_at(script, 0.5, &why) != -0.5) || *why.text);
        CHECK(script || strstr(error.text, "memory"));
        sis_script_free(script);
    }
}

// ---------------------------------------------------------------------------- compiled

static sis_system* compile(const sis_script* script, double rate, sis_error* why) {
    sis_options options = sis_options_default(sis_script_scene(script));
    options.rate = rate;
    return sis_compile(sis_script_scene(script), &options, why);
}

static void a_scene_compiles_twice_and_outlives_its_script(void) {
    sis_script* script = load(STRING "local b = barrier{ height = function(x)\n"
                                     "  return -1e-3 - 1e-3 * x ^ 2 end }\n" CONTACT
                                     "pluck{ on = s, at = 0.3, height = 2e-3 }\n"
                                     "probe{ on = s, at = 0.9 }");
    CHECK(script != NULL);
    if (!script) return;
    sis_error why = {.status = SIS_OK};
    sis_system* systems[] = {compile(script, 8000, &why), compile(script, 8000, &why),
                             compile(script, 12000, &why)};
    sis_script_free(script);
    double last[3] = {0};
    for (int i = 0; i < 3; i++) {
        CHECK(systems[i] != NULL);
        if (!systems[i]) printf("%s\n", why.text);
        if (!systems[i]) continue;
        int32_t points = sis_system_link(systems[i], 0).points;
        CHECK(points > 10);
        for (int32_t j = 0; j < points; j++) {
            sis_contact_point point = sis_system_contact_point(systems[i], 0, j);
            CHECK_NEAR(point.height, -1e-3 - 1e-3 * point.at_above * point.at_above, 1e-17);
        }
        void* memory = aligned_alloc(64, sis_state_size(systems[i]));
        sis_state* state = sis_state_init(systems[i], memory);
        double rows[400];
        sis_step(systems[i], state, &(sis_block){.frames = 400, .probes = rows});
        last[i] = rows[399];
        free(memory);
        sis_system_free(systems[i]);
    }
    CHECK(last[0] == last[1] && last[0] != last[2] && isfinite(last[2]));
}

static void not_compiled(const char* text, const char* part, const char* other_part) {
    sis_script* script = load(text);
    CHECK(script != NULL);
    if (!script) printf("%s\n-> %s\n", text, error.text);
    if (!script) return;
    sis_error why = {.status = SIS_OK};
    sis_system* system = compile(script, 8000, &why);
    CHECK(!system && why.status != SIS_OK);
    CHECK_TEXT(located(script, &why), part);
    CHECK_TEXT(located(script, &why), other_part);
    sis_system_free(system);
    sis_script_free(script);
}

static void what_a_height_says_is_what_compile_says(void) {
    not_compiled(STRING "local b = barrier{ height = function(x) return nil end }\n" CONTACT,
                 "scene.lua:2: barrier 'barrier1': height(",
                 ") returned nil; it must return a number");
    not_compiled(STRING "local b = barrier{ height = function(x)\n"
                        "if x > 0.3 then while true do end end return -1 end }\n" CONTACT,
                 "scene.lua:3: barrier 'barrier1': height(0.3", ": it takes too long");
    not_compiled(STRING "local b = barrier{ height = function(x) mass{ mass = x } end }\n" CONTACT,
                 "scene.lua:2: barrier 'barrier1': height(",
                 ": mass{} cannot be used in a function of a place");
    not_compiled(
        STRING "local b = barrier{ height = function(x) return 1e-3 end }\n" CONTACT,
        "contact 'contact1': ", "the barrier is at 0.001 m, above the line where the string");
}

static void the_shared_scenes_compile(void) {
    static const char* const files[] = {"tanpura.lua", "guitar_frets.lua", "hammer_string.lua",
                                        "strings_clash.lua"};
    for (int i = 0; i < 4; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scenes/%s", SISTRUM_SOURCE_DIR, files[i]);
        sis_script* script = sis_script_load(path, NULL, 0, &error);
        CHECK(script != NULL);
        if (!script) printf("%s\n", error.text);
        if (!script) continue;
        sis_error why = {.status = SIS_OK};
        sis_system* system = compile(script, 44100, &why);
        CHECK(system != NULL);
        if (!system) printf("%s: %s\n", files[i], why.text);
        sis_system_free(system);
        sis_script_free(script);
    }
}

// Every example of the manual that makes something.
static void the_examples_of_the_manual_compile(void) {
    static char manual[1 << 16];
    FILE* file = fopen(SISTRUM_SOURCE_DIR "/docs/scenes.md", "rb");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 0);
    if (file) fclose(file);
    int compiled = 0;
    for (char* start = strstr(manual, "```lua\n"); start; start = strstr(start, "```lua\n")) {
        start += strlen("```lua\n");
        char* end = strstr(start, "```");
        CHECK(end != NULL);
        if (!end) break;
        sis_script* script =
            sis_script_load_text(start, (size_t)(end - start), "manual", NULL, 0, &error);
        CHECK(script || strstr(error.text, "the scene is empty"));
        if (!script && !strstr(error.text, "the scene is empty")) printf("%s\n", error.text);
        sis_error why = {.status = SIS_OK};
        sis_system* system = script ? compile(script, 44100, &why) : NULL;
        CHECK(!script || system);
        if (*why.text) printf("%.60s...: %s\n", start, why.text);
        compiled += system != NULL;
        sis_system_free(system);
        sis_script_free(script);
        start = end + 3;
    }
    CHECK(compiled >= 4);
}

int main(void) {
    RUN(string_is_a_word_and_still_a_library);
    RUN(every_form_of_gamma_reaches_the_string);
    RUN(decay_times_reach_the_string);
    RUN(a_place_is_a_list_of_one);
    RUN(plucks_of_every_shape_load);
    RUN(wrong_strings_are_refused_with_what_would_work);
    RUN(wrong_decay_times_are_refused);
    RUN(wrong_lists_are_refused);
    RUN(lists_that_are_too_long_are_refused_soon);
    RUN(a_height_is_a_number_or_a_function);
    RUN(heights_are_what_the_function_says);
    RUN(what_is_no_height_is_refused_with_line_and_place);
    RUN(errors_inside_a_height_tell_their_line);
    RUN(no_height_runs_for_ever_or_eats_the_machine);
    RUN(a_height_that_failed_may_work_elsewhere);
    RUN(a_finished_scene_takes_no_more_objects);
    RUN(heights_may_be_read_as_often_as_they_are_cheap);
    RUN(heights_of_a_scene_that_fails_are_freed);
    RUN(a_scene_compiles_twice_and_outlives_its_script);
    RUN(what_a_height_says_is_what_compile_says);
    RUN(the_shared_scenes_compile);
    RUN(the_examples_of_the_manual_compile);
    return CHECK_REPORT();
}
