// Scenes in Lua: what they may say reaches the scene, what they may not say is refused in one line
// that names it, and no text at all can hang, crash or leak.
#include "budget.h"
#include "check.h"
#include "scene/scene.h"
#include "script.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BODIES "local m = mass{ mass = 1, name = 'm' } local b = barrier{ height = 0 }\n"

static sis_script_error error;

static sis_script* load_with(const char* text, const sis_setting* settings, int32_t count) {
    return sis_script_load_text(text, strlen(text), "scene.lua", settings, count, &error);
}

static sis_script* load(const char* text) {
    return load_with(text, NULL, 0);
}

// Loads, shows why if it does not, and says whether it did.
static bool loads(const char* text) {
    sis_script* script = load(text);
    if (!script) printf("%s\n-> %s\n", text, error.text);
    bool good = script && error.status == SIS_SCRIPT_OK;
    sis_script_free(script);
    return good;
}

// Does not load, and the one line of the error has both parts.
static void refused(const char* text, const char* part, const char* other_part) {
    sis_script* script = load(text);
    CHECK(!script);
    CHECK(error.status == SIS_SCRIPT_WRONG);
    CHECK(!strchr(error.text, '\n'));
    CHECK_TEXT(error.text, part);
    CHECK_TEXT(error.text, other_part);
    if (script) printf("was not refused: %.200s\n", text);
    sis_script_free(script);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------------------- what may be said

static void the_shared_scenes_load(void) {
    static const char* const files[] = {"mass_barrier.lua", "two_masses.lua",
                                        "bouncing_marble.lua"};
    static const int32_t objects[] = {5, 6, 7};
    for (int i = 0; i < 3; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scenes/%s", SISTRUM_SOURCE_DIR, files[i]);
        sis_script* script = sis_script_load(path, NULL, 0, &error);
        CHECK(script && sis_scene_count(sis_script_scene(script)) == objects[i]);
        if (!script) printf("%s\n", error.text);
        sis_script_free(script);
    }
}

// A call of the word of a field with everything it needs, and one key more.
static void call_with(const sis_field* field, const char* value, char* text, size_t room) {
    static const char* const needed[SIS_KIND_COUNT] = {
        [SIS_KIND_MASS] = "mass = 1",
        [SIS_KIND_BARRIER] = "height = 0",
        [SIS_KIND_CONTACT] = "above = m, below = b, K = 1, alpha = 1.5",
        [SIS_KIND_SPRING] = "between = {m, 'ground'}",
        [SIS_KIND_FORCE] = "on = m, peak = 1, width = 1",
        [SIS_KIND_GRAVITY] = "g = 1",
        [SIS_KIND_PROBE] = "on = m",
        [SIS_KIND_RENDER] = "rate = 1",
    };
    const char* scheme =
        strcmp(field->key, "s") == 0 ? ", scheme = 'root'" : ""; // it needs its scheme
    snprintf(text, room, BODIES "%s{ %s%s, %s = %s }", sis_kind_word(field->kind),
             needed[field->kind], scheme, field->key, value);
}

static bool is_number(const sis_field* field) {
    return field->type == SIS_FIELD_NUMBER || field->type == SIS_FIELD_INTEGER;
}

// The number, or the place of the word, that a scene left in a field of the object it made last;
// NaN when it did not load.
static double loaded_number(const char* text, const sis_field* field) {
    sis_script* script = load(text);
    if (!script) {
        printf("%s\n-> %s\n", text, error.text);
        return (double)NAN;
    }
    const sis_scene* scene = sis_script_scene(script);
    const char* place = (const char*)sis_scene_def(scene, sis_scene_count(scene) - 1);
    double value = 0;
    int whole = 0;
    bool is_double = field->type == SIS_FIELD_NUMBER;
    memcpy(is_double ? (void*)&value : (void*)&whole, place + field->offset,
           is_double ? sizeof value : sizeof whole);
    sis_script_free(script);
    return is_double ? value : whole;
}

static void every_number_of_the_schema_reaches_its_definition(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        if (!is_number(&fields[i])) continue;
        char value[64], text[512];
        snprintf(value, sizeof value, "%.17g", fields[i].max);
        call_with(&fields[i], value, text, sizeof text);
        CHECK_NEAR(loaded_number(text, &fields[i]), fields[i].max, 0);
        call_with(&fields[i], fields[i].min <= 3 ? "3" : "3000000", text, sizeof text);
        CHECK_NEAR(loaded_number(text, &fields[i]), fields[i].min <= 3 ? 3 : 3000000, 0);
    }
}

static void every_word_of_the_schema_reaches_its_definition(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        int choice = 0;
        for (const char* c = fields[i].words; *c; choice++) {
            int length = (int)strcspn(c, "|");
            char value[64], text[512];
            snprintf(value, sizeof value, "'%.*s'", length, c);
            if (strcmp(value, "'envelope'") == 0) snprintf(value, sizeof value, "{{0, 1}}");
            call_with(&fields[i], value, text, sizeof text);
            CHECK_NEAR(loaded_number(text, &fields[i]), choice, 0);
            c += length + (c[length] == '|');
        }
    }
}

static void special_spellings_fill_the_definition(void) {
    sis_script* script = load(BODIES "local n = mass{ path = {{0, 1}, {0.5, -2}} }\n"
                                     "spring{ between = {m, 'ground'}, K1 = 2 }\n"
                                     "spring{ between = {m, n} }\n"
                                     "force{ on = m, shape = {{0, 0}, {1, 5}, {2, 0}} }\n"
                                     "contact{ above = m, below = b, K = 1, alpha = 1, scheme = "
                                     "'quadratised', release = true, name = 'tap \xC3\xA9' }\n"
                                     "render{ title = 'T', normalise = true, oversample = 2.0 }\n");
    CHECK(script != NULL);
    if (!script) return;
    const sis_scene* scene = sis_script_scene(script);
    const sis_mass_def* driven = sis_scene_def(scene, 2);
    const sis_spring_def* tied = sis_scene_def(scene, 3);
    const sis_spring_def* between = sis_scene_def(scene, 4);
    const sis_force_def* force = sis_scene_def(scene, 5);
    const sis_contact_def* contact = sis_scene_def(scene, 6);
    sis_render_def render = sis_scene_render(scene);
    CHECK(driven->path.count == 2 && driven->path.points[2] == 0.5 && driven->path.points[3] == -2);
    CHECK(tied->a == 0 && tied->b == SIS_GROUND && tied->K1 == 2);
    CHECK(between->a == 0 && between->b == 2);
    CHECK(force->shape == SIS_FORCE_ENVELOPE && force->envelope.count == 3);
    CHECK(force->envelope.points[3] == 5 && isnan(force->peak));
    CHECK(contact->above == 0 && contact->below == 1 && contact->release);
    CHECK(sis_scene_find(scene, SIS_KIND_CONTACT, "tap \xC3\xA9") == 6);
    CHECK(strcmp(render.title, "T") == 0 && render.normalise && render.oversample == 2);
    sis_script_free(script);
}

// The manual has a section for each word, and in it every key as a scene spells it, with its unit.
static void the_manual_knows_every_key(void) {
    static char manual[1 << 16];
    FILE* file = fopen(SISTRUM_SOURCE_DIR "/docs/scenes.md", "rb");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 0);
    if (file) fclose(file);
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        char heading[32], key[32], section[4096] = "";
        snprintf(heading, sizeof heading, "### `%s{}`", sis_kind_word(fields[i].kind));
        snprintf(key, sizeof key, "`%s`", fields[i].key);
        if (fields[i].kind == SIS_KIND_SPRING && fields[i].type == SIS_FIELD_OBJECT)
            snprintf(key, sizeof key, "`between`");
        const char* start = strstr(manual, heading);
        const char* end = start ? strstr(start + 3, "\n##") : NULL;
        CHECK(start && end && end - start < (long)sizeof section);
        if (start && end && end - start < (long)sizeof section)
            memcpy(section, start, (size_t)(end - start));
        bool everywhere = strcmp(fields[i].key, "name") == 0; // told once, in the introduction
        if (!everywhere && strcmp(fields[i].key, "envelope") != 0) CHECK_TEXT(section, key);
        if (is_number(&fields[i])) CHECK_TEXT(section, fields[i].unit);
    }
}

static void harmless_scenes_load(void) {
    CHECK(loads("mass{ mass = 1 }"));
    CHECK(loads("gravity{}"));
    CHECK(loads("local function body() return mass{ mass = 1 } end body() body()"));
    CHECK(loads("for i = 1, 12 do mass{ mass = 2 ^ (i / 12), name = 'm' .. i } end"));
    CHECK(loads("\xEF\xBB\xBF#!/usr/bin/sistrum\r\nmass{\r\n mass = 1 }\r\n"));
    CHECK(loads("for i = 1, 100000 do gravity_count = i end mass{ mass = 1 }"));
    CHECK(loads("assert(string.rep('', 1e18) == '') mass{ mass = 1 }"));
    CHECK(loads("assert(tostring(mass{ mass = 1, name = 'a' }) == \"mass 'a'\")"));
}

// ---------------------------------------------------------------------------- what may not be said

static void every_number_outside_its_range_is_refused_by_name(void) {
    static const char* const wrong[] = {"0/0",  "1/0",   "-1/0", "'3'",
                                        "true", "{ 1 }", "m",    "math.sin"};
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        if (!is_number(&fields[i])) continue;
        char value[64], text[512];
        for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
            call_with(&fields[i], wrong[w], text, sizeof text);
            refused(text, fields[i].key, fields[i].unit);
            CHECK_TEXT(error.text, sis_kind_word(fields[i].kind));
        }
        snprintf(value, sizeof value, "%.17g", fields[i].max * (1 + 1e-15));
        if (fields[i].type == SIS_FIELD_INTEGER)
            snprintf(value, sizeof value, "%.0f", fields[i].max + 1);
        call_with(&fields[i], value, text, sizeof text);
        refused(text, " is outside ", fields[i].unit);
        double below = fields[i].min - (fields[i].min == 0 ? 1e-300 : fabs(fields[i].min) / 1e9);
        snprintf(value, sizeof value, "%.17g", below);
        call_with(&fields[i], value, text, sizeof text);
        refused(text, " is outside ", fields[i].unit);
    }
}

static void wrong_words_and_flags_are_refused_with_what_would_work(void) {
    refused(BODIES "contact{ above = m, below = b, K = 1, alpha = 1, scheme = 'ledgr' }",
            "scene.lua:2: contact: scheme = \"ledgr\" is unknown (did you mean \"ledger\"?)",
            "\"ledger\", \"quadratised\", \"newton\", \"exact\"");
    refused(BODIES "contact{ above = m, below = b, K = 1, alpha = 1, law = 'center-limited' }",
            "did you mean \"centre-limited\"", "\"two-sided\"");
    refused(BODIES "probe{ on = m, quantity = 'colour' }", "\"colour\" is unknown; it can be",
            "\"displacement\", \"velocity\"");
    refused(BODIES "probe{ on = m, quantity = 2 }", "quantity: expected one of \"disp",
            "got number 2");
    refused(BODIES "force{ on = m, shape = 'envelope' }", "shape = \"envelope\"", "{{t, v}, ...}");
    refused("render{ normalise = 1 }", "normalise: expected true or false", "got number 1");
    refused("render{ oversample = 1.5 }", "oversample = 1.5 is not a whole number", "1 .. 1024");
}

static void unknown_keys_are_refused_with_a_suggestion_or_all_keys(void) {
    refused("\n\nmass{ mass = 1, frequenzy = 3 }",
            "scene.lua:3: mass: unknown key 'frequenzy' (did you mean 'frequency'?)", "");
    refused("mass{ freq = 3 }", "(did you mean 'frequency'?)", "'freq'");
    refused("mass{ Mass = 3 }", "(did you mean 'mass'?)", "'Mass'");
    refused("render{ normalize = true }", "(did you mean 'normalise'?)", "render: ");
    refused("mass{ colour = 3 }", "unknown key 'colour'; its keys are name, mass, frequency",
            "path");
    refused("spring{ a = 3 }", "its keys are name, between, K1, K3, damping", "'a'");
    refused("force{ envelope = {} }", "its keys are name, on, shape, peak, width, start", "");
    refused("mass{ zz = 1, yy = 1, xx = 1, ww = 1 }", "unknown key 'ww'", "");
    refused("mass{ 3 }", "scene.lua:1: mass: a value has no key", "mass{ key = value");
    refused("mass{ mass = 1, [true] = 2 }", "a value has no key", "mass");
    refused("mass()", "mass: takes one table", "mass{ ... }");
    refused("mass(3)", "mass: takes one table", "");
    refused("mass({ mass = 1 }, 2)", "mass: takes one table", "");
}

static void missing_keys_are_named(void) {
    refused("mass{}", "scene.lua:1: mass: 'mass' (kg) is missing", "");
    refused("barrier{}", "barrier: needs 'height' (m)", "scene.lua:1:");
    refused(BODIES "contact{ above = m, below = b, alpha = 1 }", "contact: needs 'K' (N/m^alpha)",
            "scene.lua:2:");
    refused(BODIES "contact{ above = m, K = 1, alpha = 1 }", "needs 'below': the lower body", "");
    refused("spring{}", "spring: needs 'between' = {a, b}", "");
    refused("probe{}", "probe: needs 'on'", "");
}

static void only_bodies_pass_for_bodies(void) {
    refused("probe{ on = 3 }", "probe: on: expected", "got number 3");
    refused(BODIES "probe{ on = 'm' }", "probe: on: expected", "got text 'm'");
    refused("probe{ on = mass }", "probe: on: expected", "got a function");
    refused("probe{ on = {} }", "probe: on: expected", "got a table");
    refused(BODIES "force{ on = b, peak = 1, width = 1 }", "'on' must be a mass", "barrier");
    refused(BODIES "spring{ between = {m, 3} }", "between: expected masses or \"ground\"",
            "got number 3");
    refused(BODIES "spring{ between = {m, 'grund'} }", "\"ground\"", "got text 'grund'");
    refused(BODIES "spring{ between = {m} }", "\"ground\"", "got nothing");
    refused(BODIES "spring{ between = {m, 'ground', m} }", "just the two ends", "");
    refused(BODIES "spring{ between = {m, 'ground', x = 1} }", "just the two ends", "");
    refused(BODIES "spring{ between = m }", "between: expected {a, b}", "got mass 'm'");
    refused(BODIES "m.mass = 3", "attempt to index a body value", "scene.lua:2:");
    refused(BODIES "local x = m + 1", "arithmetic on a body value", "scene.lua:2:");
    refused(BODIES "local x <close> = m", "non-closable", "scene.lua:2:");
}

static void envelopes_are_lists_of_points(void) {
    refused("mass{ path = 3 }", "path: expected an envelope {{t, v}, ...}", "got number 3");
    refused("mass{ path = {} }", "path: expected an envelope", "without points");
    refused("mass{ path = { 1, 2 } }", "path: point 1: expected {t, v}", "got number 1");
    refused("mass{ path = {{0, 0}, nil, {2, 0}} }", "with gaps or keys", "path");
    refused("mass{ path = {{0, 0}, x = 1} }", "with gaps or keys", "path");
    refused("mass{ path = {{0, 0, 0}} }", "point 1: expected two numbers {t, v}", "path");
    refused("mass{ path = {{0}} }", "point 1: expected two numbers {t, v}", "path");
    refused("mass{ path = {{t = 0, v = 0}} }", "point 1: expected two numbers {t, v}", "path");
    refused("mass{ path = {{0, 0}, {'1', 0}} }", "point 2: expected a number (s)", "text '1'");
    refused("mass{ path = {{0, 0}, {1, 0/0}} }", "path: point 2 = nan m", "not a number");
    refused("mass{ path = {{0, 0}, {1/0, 0}} }", "point 2: the time is inf", "path");
    refused("mass{ path = {{0, 1e7}} }", "path: point 1 = 1e7 m is outside -1e6 .. 1e6", "mass: ");
    refused("mass{ path = {{0, 1}, {0, 2}} }", "path: point 2: its time 0 s must be later", "");
    refused(BODIES "force{ on = m, shape = {{1, 1}, {0, 2}} }", "shape: point 2: its time 0 s", "");
}

static void names_and_texts_are_plain(void) {
    char text[512];
    snprintf(text, sizeof text, "mass{ mass = 1, name = '%0*d' }", 63, 1);
    CHECK(loads(text));
    snprintf(text, sizeof text, "mass{ mass = 1, name = '%0*d' }", 64, 1);
    refused(text, "name", "63");
    refused("mass{ mass = 1, name = '' }", "name", "mass: ");
    refused("mass{ mass = 1, name = 'a\\nb' }", "name: the text has a control character", "");
    refused("mass{ mass = 1, name = 'a\\0b' }", "name: the text has a control character", "");
    refused("mass{ mass = 1, name = '\\xff' }", "name: the text is not valid UTF-8", "");
    refused("mass{ mass = 1, name = '\\xC0\\x80' }", "not valid UTF-8", "");
    refused("mass{ mass = 1, name = '\\xE2\\x82' }", "not valid UTF-8", "");
    refused("mass{ mass = 1, name = 3 }", "name: expected text, got number 3", "mass: ");
    refused("mass{ mass = 1, name = 'a' } mass{ mass = 1, name = 'a' }", "'a'", "taken");
    refused("render{} render{}", "render", "twice");
    refused("mass{ mass = 1, frequency = 1, stiffness = 1 }", "not both", "scene.lua:1:");
}

// ---------------------------------------------------------------------------- the sandbox

static void unknown_words_are_named_with_a_suggestion(void) {
    refused("\nmas{ mass = 1 }", "scene.lua:2: unknown word 'mas' (did you mean 'mass'?)", "");
    refused("contatc{}", "unknown word 'contatc' (did you mean 'contact'?)", "scene.lua:1:");
    refused("abracadabra{}", "scene.lua:1: unknown word 'abracadabra'", "");
    CHECK(!strstr(error.text, "did you mean"));
    refused("hammer = 1 mass{ mass = hamer * 2 }", "unknown word 'hamer' (did you mean 'hammer'?)",
            "");
    refused("mass = 3 mass{}", "'mass' is a word of scenes", "another meaning");
}

static void words_of_later_versions_say_so(void) {
    static const char* const words[] = {"string", "plate", "modal", "bow", "pluck", "play"};
    for (int i = 0; i < 6; i++) {
        char text[64], quoted[32];
        snprintf(text, sizeof text, "\n%s{ length = 1 }", words[i]);
        snprintf(quoted, sizeof quoted, "scene.lua:2: '%s'", words[i]);
        refused(text, quoted, "this version, which has masses and barriers only");
    }
    CHECK(loads("assert(string.format('%d%s', 3, ('x'):rep(2)) == '3xx') mass{ mass = 1 }"));
}

static void the_sandbox_holds_the_contracted_names_only(void) {
    CHECK(loads(
        "local allowed = {}\n"
        "for _, n in ipairs{ 'math', 'table', 'ipairs', 'pairs', 'next', 'select', 'tostring',\n"
        " 'tonumber', 'type', 'error', 'assert', 'string', 'param', 'mass', 'plate', 'modal',\n"
        " 'barrier', 'contact', 'spring', 'bow', 'force', 'pluck', 'gravity', 'probe', 'render',\n"
        " 'play' } do assert(_ENV[n] ~= nil, n) allowed[n] = true end\n"
        "for name in pairs(_ENV) do assert(allowed[name], name) end\n"
        "for _, n in ipairs{ 'format', 'rep', 'sub', 'upper', 'lower', 'len', 'byte', 'char',\n"
        " 'reverse' } do assert(string[n], n) allowed['string.' .. n] = true end\n"
        "for name in pairs(string) do assert(allowed['string.' .. name], name) end\n"
        "assert(not io and not os and not debug and not require and not load and not dofile)\n"
        "assert(not pcall and not xpcall and not coroutine and not setmetatable)\n"
        "assert(not string.find and not ('x').gsub and not ('x').dump)\n"
        "mass{ mass = 1 }"));
    refused("os.execute('echo')", "scene.lua:1: 'os' is not available in a scene", "");
    refused("pcall(mass, {})", "'pcall' is not available in a scene", "");
    refused("local x = ('x'):gsub('x', 'y')", "'gsub' is not available in a scene", "");
    refused("string.find('x', 'x')", "'find' is not available in a scene", "");
}

static void errors_of_the_scene_become_one_line(void) {
    refused("x = = 1", "scene.lua:1: unexpected symbol near '='", "");
    refused("\nerror('no such\\nthing')", "scene.lua:2: no such thing", "");
    refused("error('short', 0)", "scene.lua:1: short", "");
    refused("\n\nerror(nil)", "scene.lua:3:", "no message");
    refused("error({})", "scene.lua:1:", "no message");
    refused("error(mass)", "scene.lua:1:", "no message");
    refused("error(42)", "scene.lua:1:", "42");
    refused("\nassert(1 > 2)", "scene.lua:2: assertion failed!", "");
    refused("assert(false, {})", "scene.lua:1:", "no message");
    refused("math.sqrt('x')", "scene.lua:1: bad argument #1 to 'sqrt'", "");
    refused("string.rep()", "scene.lua:1: bad argument #1 to 'rep'", "");
    refused("local n = #3", "scene.lua:1: attempt to get length of a number value", "");
    refused("local f, t = pairs({}) f(3)", "scene.lua:1:", "table expected, got number");
    refused("error(('x'):rep(5000))", "scene.lua:1: xxxx", "");
    CHECK(strlen(error.text) == sizeof error.text - 1);
}

static void the_same_text_makes_the_same_scene(void) {
    static const char text[] =
        "local t = { 30, 10, 20, c = 3, a = 1, b = 2, [true] = 0, [-1] = 5 }\n"
        "local all = ''\n"
        "for k, v in pairs(t) do all = all .. tostring(k) .. ' ' end\n"
        "assert(all == '1 2 3 -1 a b c true ', all)\n"
        "for k in pairs(t) do t[k] = nil end\n"
        "assert(next(t) == nil)\n"
        "local r = {}\n"
        "for i = 1, 300 do r[i] = { i, i % 7 } end\n"
        "table.sort(r, function(x, y) return x[2] < y[2] end)\n"
        "for i = 2, 300 do local x, y = r[i - 1], r[i]\n"
        "assert(x[2] < y[2] or (x[2] == y[2] and x[1] < y[1])) end\n"
        "mass{ mass = math.random() }\n"
        "math.randomseed() mass{ mass = math.random() }\n"
        "math.randomseed(7) mass{ mass = math.random() }\n";
    double first[3] = {0};
    for (int run = 0; run < 3; run++) {
        sis_script* script = load(text);
        CHECK(script != NULL);
        if (!script) printf("%s\n", error.text);
        for (sis_id id = 0; script && id < 3; id++) {
            double mass = ((const sis_mass_def*)sis_scene_def(sis_script_scene(script), id))->mass;
            if (run == 0) first[id] = mass;
            CHECK(mass == first[id]);
        }
        sis_script_free(script);
    }
    CHECK(first[0] == first[1] && first[0] != first[2]);
}

// ---------------------------------------------------------------------------- limits

static void nothing_runs_for_ever(void) {
    static const char* const texts[] = {
        "while true do end",
        "goto x ::x:: goto x",
        "repeat local t = {} until false",
        "local function f() return f() end f()",
        "local function f() return 1 + f() end f()",
        "local function f() table.sort({ 3, 2, 1 }, f) end f()",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = ('x'):rep(1e6) while true do local a = s:upper() end",
        "local s = ('7'):rep(1e6) while true do local a = tonumber(s) end",
        "local s = ('%%'):rep(5e5) while true do string.format(s) end",
        "string.rep('x', 1e12)",
        "string.rep('x', 1e6, ('y'):rep(1e6))",
        "while true do string.rep('', 1e18) end",
        "table.move({}, 1, 1e18, 2)",
        "table.move({}, math.mininteger, math.maxinteger, 2)",
        "table.concat({}, '', 1, 1e18)",
        "table.unpack({}, 1, 1e18)",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
        "local t = {} for i = 1, 1e6 do t[i] = '' end while true do table.concat(t) end",
        "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do pairs(t) end",
        "local t = {} for i = 1, 4e5 do t[i] = {} end while true do local s = ('x'):rep(9e3) end",
        "local s, t = ('x'):rep(1e6), {} for i = 1, 4e5 do t[i] = s end table.sort(t)",
        "table.sort({ 3, 2, 1 }, function() while true do end end)",
        "for i = 1, 1e9 do mass{ mass = 1 } end",
        "local p = {} for i = 1, 2e5 do p[i] = { i, 0 } end for j = 1, 20 do mass{ path = p } end",
        "local p, q = {}, { 0, 0 } for i = 1, 1000001 do p[i] = q end mass{ path = p }",
        "for i = 1, 1e9 do param{ 'p' .. i, 1 } end",
    };
    CHECK(loads("local t = {} for i = 1, 1e5 do t[i] = -i end table.sort(t) mass{ mass = 1 }"));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double start = seconds_now();
        refused(texts[i], "scene.lua", "");
        double took = seconds_now() - start;
        if (took > 10) printf("%.3g s: %s\n", took, texts[i]);
        CHECK(took < 10);
    }
    refused("while true do end", "scene.lua:1: the scene runs too long", "endless loop");
    static const char many[] = "for i = 1, 1e9 do mass{ mass = 1 } end";
    sis_limits patient = sis_limits_default;
    patient.seconds = 1e3;
    CHECK(!sis_script_load_limited(many, strlen(many), "many.lua", NULL, 0, &patient, &error));
    CHECK_TEXT(error.text, "many.lua:1: a scene holds at most 100000 objects");
}

// `#t` may be any border of a table: here it is 2^62.
static void lengths_that_lie_are_refused(void) {
    static const char* const calls[] = {"table.insert(t, 1, 2)", "table.remove(t, 1)",
                                        "table.sort(t)", "mass{ path = t }"};
    for (int i = 0; i < 4; i++) {
        char text[2048] = "local t = { ";
        for (int k = 0; k < 63; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "[1 << %d] = 1, ", k);
        snprintf(text + strlen(text), sizeof text - strlen(text), "} assert(#t > 1e15) %s",
                 calls[i]);
        refused(text, "scene.lua:1: ", i < 3 ? "elements are too many" : "with gaps or keys");
    }
}

static char* repeated(const char* head, const char* part, int count, const char* tail) {
    size_t room = strlen(head) + strlen(part) * (size_t)count + strlen(tail) + 1;
    char* text = malloc(room);
    if (!text) return NULL;
    char* end = text + sprintf(text, "%s", head);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s", part);
    sprintf(end, "%s", tail);
    return text;
}

static void no_text_is_too_hard_to_parse(void) {
    static const struct {
        const char *head, *part;
        int count;
        const char* tail;
    } texts[] = {
        {"x = ", "(", 100000, ""},
        {"x = ", "{", 100000, ""},
        {"x = ", "'a' .. ", 100000, "1"},
        {"x = ", "not ", 100000, "1"},
        {"", "do ", 100000, ""},
        {"if x then ", "elseif x then ", 250000, "end"},
        {"", "goto a ", 400000, ""},
        {"", "::a", 100000, ""},
        {"x = { ", "1, ", 1300000, "}"},
        {"x = '", "abcdefgh", 200000, "'"},
        {"local function f() ", "local function f() ", 190, ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char* text = repeated(texts[i].head, texts[i].part, texts[i].count, texts[i].tail);
        CHECK(text != NULL);
        if (!text) continue;
        double start = seconds_now();
        refused(text, "scene.lua", "");
        CHECK(seconds_now() - start < 10);
        free(text);
    }
}

static void running_out_of_memory_is_an_error_at_any_point(void) {
    static const char text[] = BODIES "local K = param{ 'K', 5, min = 1, max = 9, label = 'k' }\n"
                                      "contact{ above = m, below = b, K = K, alpha = 1 }\n"
                                      "local t = {} for i = 1, 20 do t[i] = { i, i } end\n"
                                      "mass{ path = t } force{ on = m, shape = t }\n"
                                      "for k, v in pairs(t) do table.sort(v) end mass{ mas = 1 }";
    int refusals = 0;
    for (size_t memory = 0; memory < 100000; memory += memory < 40000 ? 97 : 997) {
        sis_limits limits = sis_limits_default;
        limits.memory = memory;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        CHECK(!script && error.status == SIS_SCRIPT_WRONG);
        refusals += strstr(error.text, "memory") != NULL;
        sis_script_free(script);
    }
    CHECK(refusals > 100);
    CHECK_TEXT(error.text, "scene.lua:6: mass: unknown key 'mas'");
}

static void stopping_at_any_instruction_leaves_nothing_behind(void) {
    static const char text[] = "for i = 1, 50 do local p = param{ 'p' .. i, i }\n"
                               "mass{ path = { { 0, p }, { 1, p } } }\n"
                               "local t = { 3, 2, 1, a = 1 } table.sort(t)\n"
                               "for k in pairs(t) do local s = ('x'):rep(i) end end";
    for (uint64_t work = 0; work < 12000; work += 113) {
        sis_limits limits = sis_limits_default;
        limits.work = work;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        CHECK(script || strstr(error.text, "runs too long"));
        sis_script_free(script);
    }
}

// ---------------------------------------------------------------------------- params

static void params_are_listed_with_their_ranges(void) {
    static const char text[] =
        "local K = param{ 'K', 7e7, min = 1e3, max = 1e11, scale = 'log', unit = 'N/m^alpha',\n"
        " label = 'stiffness' }\n"
        "local free = param{ 'free', -2, scale = 'linear' }\n"
        "mass{ mass = K, velocity = free }";
    sis_setting settings[] = {{"K", 1e5}, {"K", 2e5}};
    sis_script* script = load_with(text, settings, 2);
    CHECK(script != NULL);
    if (!script) return;
    CHECK(sis_script_param_count(script) == 2);
    sis_param K = sis_script_param(script, 0), free_param = sis_script_param(script, 1);
    CHECK(strcmp(K.name, "K") == 0 && strcmp(K.label, "stiffness") == 0);
    CHECK(strcmp(K.unit, "N/m^alpha") == 0 && K.logarithmic);
    CHECK(K.value == 2e5 && K.fallback == 7e7 && K.min == 1e3 && K.max == 1e11);
    CHECK(strcmp(free_param.label, "free") == 0 && !free_param.unit[0] && !free_param.logarithmic);
    CHECK(free_param.value == -2 && isinf(free_param.min) && isinf(free_param.max));
    CHECK(sis_script_param(script, 2).name == NULL && sis_script_param(script, -1).name == NULL);
    const sis_mass_def* mass = sis_scene_def(sis_script_scene(script), 0);
    CHECK(mass->mass == 2e5 && mass->velocity == -2);
    sis_script_free(script);
}

static void wrong_params_are_refused(void) {
    refused("param{}", "scene.lua:1: param: needs a name", "");
    refused("param{ 3, 4 }", "param: name: expected text, got number 3", "");
    refused("param{ '', 4 }", "param: the name", "1 to 63 bytes");
    refused("param{ 'a=b', 4 }", "param: the name 'a=b'", "no '='");
    refused("param{ 'K' }", "param 'K': needs its value", "");
    refused("param{ 'K', '3' }", "param 'K': value: expected a number, got text '3'", "");
    refused("param{ 'K', 0/0 }", "value = nan is not a finite number", "param 'K'");
    refused("param{ 'K', 1, max = 1/0 }", "max = inf is not a finite number", "param 'K'");
    refused("param{ 'K', 5, min = 6, max = 7, unit = 'Hz' }", "value = 5 Hz is outside 6 .. 7", "");
    refused("param{ 'K', 5, min = 7, max = 6 }", "min = 7 must be less than max = 6", "");
    refused("param{ 'K', 5, min = 5, max = 5 }", "min = 5 must be less than max = 5", "");
    refused("param{ 'K', 5, min = 0, scale = 'log' }", "scale = \"log\" needs min > 0, got 0", "");
    refused("param{ 'K', 5, scale = 'log' }", "scale = \"log\" needs min > 0", "no min");
    refused("param{ 'K', 5, scale = 'cubic' }", "scale = \"cubic\" is unknown", "\"log\"");
    refused("param{ 'K', 5, mni = 3 }", "param: unknown key 'mni' (did you mean 'min'?)", "");
    refused("param{ 'K', 5, colour = 3 }", "unknown key 'colour'; its keys are min, max", "");
    refused("param{ 'K', 5, 6 }", "param: takes a name, a number and keys", "");
    refused("param{ 'K', 5, label = ('x'):rep(200) }", "label: the text is longer", "");
    refused("param{ 'K', 5 }\nparam{ 'K', 5 }", "scene.lua:2:", "already");
    refused("param('K', 5)", "param: takes one table", "");
}

static void bad_setting(sis_setting setting, const char* sentence) {
    static const char text[] = "param{ 'K', 5e6, min = 1e3, max = 1e11, unit = 'N/m^alpha' }\n"
                               "param{ 'peak', 1 } mass{ mass = 1 }";
    sis_script* script = load_with(text, &setting, 1);
    CHECK(!script && error.status == SIS_SCRIPT_SETTING);
    CHECK(strcmp(error.text, sentence) == 0);
    if (strcmp(error.text, sentence) != 0) printf("%s\n", error.text);
    sis_script_free(script);
}

static void wrong_settings_are_told_from_wrong_scenes(void) {
    bad_setting((sis_setting){"K", 1e20}, "K = 1e20 N/m^alpha is outside 1e3 .. 1e11");
    bad_setting((sis_setting){"K", (double)NAN}, "K = nan N/m^alpha is outside 1e3 .. 1e11");
    bad_setting((sis_setting){"peak", (double)INFINITY}, "peak = inf is not a finite number");
    bad_setting((sis_setting){"peek", 1},
                "unknown param 'peek' (did you mean 'peak'?); the scene has: K, peak");
    bad_setting((sis_setting){"x", 1}, "unknown param 'x'; the scene has: K, peak");
    bad_setting((sis_setting){NULL, 1}, "unknown param ''; the scene has: K, peak");
    sis_setting setting = {"K", 1};
    CHECK(!load_with("mass{ mass = 1 }", &setting, 1) && error.status == SIS_SCRIPT_SETTING);
    CHECK_TEXT(error.text, "unknown param 'K'; the scene has: none");
    CHECK(!load_with("mass{ mass = 0 }", &setting, 1) && error.status == SIS_SCRIPT_WRONG);
}

// ---------------------------------------------------------------------------- files

static void refused_file(const char* path, const char* part) {
    double start = seconds_now();
    CHECK(!sis_script_load(path, NULL, 0, &error) && error.status == SIS_SCRIPT_WRONG);
    CHECK_TEXT(error.text, part);
    CHECK(seconds_now() - start < 10);
}

static void write_file(const char* path, const char* text, size_t size) {
    FILE* file = fopen(path, "wb");
    CHECK(file && fwrite(text, 1, size, file) == size);
    if (file) fclose(file);
}

static void what_is_not_a_scene_file_is_refused(void) {
    char folder[] = "/tmp/sistrum-script-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/scene.lua", folder);
    refused_file(path, "cannot read the scene: No such file");
    refused_file(folder, "it is a directory");
    refused_file("", "cannot read the scene");
    refused_file(NULL, "cannot read the scene");
    refused_file("/dev/zero", "it is not a plain file");
    CHECK(mkfifo(path, 0600) == 0);
    refused_file(path, "it is not a plain file");
    unlink(path);

    static const char bytecode[] = "\x1bLua\x54", zero[] = "mass{ mass = 1 }\n\n x = '\0'";
    write_file(path, "", 0);
    refused_file(path, "scene.lua: the scene is empty");
    write_file(path, bytecode, sizeof bytecode - 1);
    refused_file(path, "it is compiled Lua");
    write_file(path, zero, sizeof zero - 1);
    refused_file(path, "scene.lua:3: there is a zero byte");
    write_file(path, "\nmas{}\r\n", 8);
    refused_file(path, "scene.lua:2: unknown word 'mas'");
    char* large = repeated("", "--------", (4 << 17) + 1, "");
    CHECK(large != NULL);
    if (large) write_file(path, large, strlen(large));
    free(large);
    refused_file(path, "it is larger than 4 MB");
    unlink(path);
    CHECK(rmdir(folder) == 0);
}

static void nothing_is_an_empty_scene(void) {
    refused("", "scene.lua: the scene is empty", "");
    refused("-- only a remark\n", "scene.lua: the scene is empty", "");
    refused("\xEF\xBB\xBF", "scene.lua: the scene is empty", "");
    refused("local K = param{ 'K', 1 }", "scene.lua: the scene is empty", "");
    CHECK(!sis_script_load_text(NULL, 0, NULL, NULL, 0, NULL));
    CHECK(!sis_script_load_text(NULL, 9, NULL, NULL, 9, &error));
    CHECK_TEXT(error.text, "scene: the scene is empty");
    sis_script_free(NULL);
}

int main(void) {
    RUN(the_shared_scenes_load);
    RUN(every_number_of_the_schema_reaches_its_definition);
    RUN(every_word_of_the_schema_reaches_its_definition);
    RUN(special_spellings_fill_the_definition);
    RUN(the_manual_knows_every_key);
    RUN(harmless_scenes_load);
    RUN(every_number_outside_its_range_is_refused_by_name);
    RUN(wrong_words_and_flags_are_refused_with_what_would_work);
    RUN(unknown_keys_are_refused_with_a_suggestion_or_all_keys);
    RUN(missing_keys_are_named);
    RUN(only_bodies_pass_for_bodies);
    RUN(envelopes_are_lists_of_points);
    RUN(names_and_texts_are_plain);
    RUN(unknown_words_are_named_with_a_suggestion);
    RUN(words_of_later_versions_say_so);
    RUN(the_sandbox_holds_the_contracted_names_only);
    RUN(errors_of_the_scene_become_one_line);
    RUN(the_same_text_makes_the_same_scene);
    RUN(nothing_runs_for_ever);
    RUN(lengths_that_lie_are_refused);
    RUN(no_text_is_too_hard_to_parse);
    RUN(running_out_of_memory_is_an_error_at_any_point);
    RUN(stopping_at_any_instruction_leaves_nothing_behind);
    RUN(params_are_listed_with_their_ranges);
    RUN(wrong_params_are_refused);
    RUN(wrong_settings_are_told_from_wrong_scenes);
    RUN(what_is_not_a_scene_file_is_refused);
    RUN(nothing_is_an_empty_scene);
    return CHECK_REPORT();
}
