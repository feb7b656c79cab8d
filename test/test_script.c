// Scenes in Lua: what they may say reaches the scene, and what they may not say is refused in one
// line that names it.
#include "check.h"
#include "scene/scene.h"
#include "script.h"
#include "script_help.h"

// ---------------------------------------------------------------------------- what may be said

static void the_shared_scenes_load(void) {
    static const char* const files[] = {
        "mass_barrier.lua", "two_masses.lua",    "bouncing_marble.lua", "tanpura.lua",
        "guitar_frets.lua", "hammer_string.lua", "strings_clash.lua",   "tromba_marina.lua"};
    static const int32_t objects[] = {5, 6, 7, 7, 6, 6, 7, 12};
    for (int i = 0; i < 8; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scenes/%s", SISTRUM_SOURCE_DIR, files[i]);
        sis_script* script = sis_script_load(path, NULL, 0, &error);
        CHECK(script && sis_scene_count(sis_script_scene(script)) == objects[i]);
        if (!script) printf("%s\n", error.text);
        sis_script_free(script);
    }
}

/** A field that is spelled by another key, as one form of it or as part of its table. */
typedef struct spelling {
    const char *field, *key;
    const char* form; // with its value in place of %s
} spelling;

static const spelling spellings[] = {
    {"gamma_rule", "gamma", "%s"},
    {"from_y", "from", "{ 1, %s }"},
    {"to_y", "to", "{ 1, %s }"},
    {"mode_y", "mode", "{ 1, %s }"},
    {"velocity_profile", "velocity", "%s"},
    {"envelope", "shape", "%s"},
    {"segments_x", "segments", "{ %s, 3 }"},
    {"segments_y", "segments", "{ 3, %s }"},
    {"at_y", "at", "{ 1, %s }"},
    {"at_a_y", "at_a", "{ 1, %s }"},
    {"at_b_y", "at_b", "{ 1, %s }"},
    {"force_curve", "force", "%s"},
    {"velocity_curve", "velocity", "%s"},
    {"a", "between", "%s"},
    {"b", "between", "%s"},
};
static const spelling own_key = {NULL, NULL, "%s"};
static const spelling size_x = {"length", "size", "{ %s, 1 }"};
static const spelling size_y = {"width", "size", "{ 1, %s }"};
static const spelling modes = {NULL, "modes", "%s"};
static const spelling by_height = {"profile", "height", "%s"};
static const spelling by_shape = {"profile", "shape", "%s"};

static const spelling* spelling_of(const sis_field* field) {
    bool text = field->type == SIS_FIELD_TEXT;
    if (field->kind == SIS_KIND_MODAL && !text) return &modes;
    if (strcmp(field->key, "profile") == 0)
        return field->kind == SIS_KIND_BARRIER ? &by_height : &by_shape;
    if (field->kind == SIS_KIND_PLATE && strcmp(field->key, "length") == 0) return &size_x;
    if (field->kind == SIS_KIND_PLATE && strcmp(field->key, "width") == 0) return &size_y;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(field->key, spellings[i].field) == 0) return &spellings[i];
    return &own_key;
}

// The key that stands for a field in a scene.
static const char* spelled(const sis_field* field) {
    const spelling* s = spelling_of(field);
    return s->key ? s->key : field->key;
}

/** What a word needs besides a key, or besides one value of it. */
typedef struct need {
    sis_kind kind;
    const char *key, *value; // NULL: any
    const char* text;
} need;

#define WIRE  "length = 1, tension = 1, density = 1"
#define ROD   "length = 1, tension = 1, radius = 1"
#define SHEET "size = { 1, 1 }, thickness = 1, material_density = 1, youngs = 1"

static const need needs[] = {
    {SIS_KIND_MASS, NULL, NULL, "mass = 1"},
    {SIS_KIND_STRING, "material_density", NULL, ROD},
    {SIS_KIND_STRING, "frequency", NULL, "length = 1, density = 1"},
    {SIS_KIND_STRING, "youngs", NULL, ROD ", density = 1"},
    {SIS_KIND_STRING, "nonlinear", NULL, ROD ", density = 1, youngs = 1"},
    {SIS_KIND_STRING, "gamma", NULL, WIRE ", model = 'implicit'"},
    {SIS_KIND_STRING, "gamma_rule", NULL, WIRE ", model = 'implicit'"},
    {SIS_KIND_STRING, "modes", NULL, WIRE ", model = 'modal'"},
    {SIS_KIND_STRING, NULL, NULL, WIRE},
    {SIS_KIND_PLATE, "modes", NULL, SHEET ", model = 'modal'"},
    {SIS_KIND_PLATE, NULL, NULL, SHEET},
    {SIS_KIND_MODAL, NULL, NULL, "modes = {{ 1, 1, 1 }}"},
    {SIS_KIND_BARRIER, NULL, NULL, "height = 0"},
    {SIS_KIND_CONTACT, "s", NULL, "above = m, below = b, K = 1, alpha = 1.5, scheme = 'root'"},
    {SIS_KIND_CONTACT, NULL, NULL, "above = m, below = b, K = 1, alpha = 1.5"},
    {SIS_KIND_SPRING, "at_a", NULL, "between = {s, 'ground'}"},
    {SIS_KIND_SPRING, "at_b", NULL, "between = {'ground', s}"},
    {SIS_KIND_SPRING, "at_a_y", NULL, "between = {p, 'ground'}"},
    {SIS_KIND_SPRING, "at_b_y", NULL, "between = {'ground', p}"},
    {SIS_KIND_SPRING, NULL, NULL, "between = {m, 'ground'}"},
    {SIS_KIND_BOW, "at", NULL, "on = s, force = 1, velocity = 1"},
    {SIS_KIND_BOW, "at_y", NULL, "on = p, force = 1, velocity = 1"},
    {SIS_KIND_BOW, NULL, NULL, "on = m, force = 1, velocity = 1"},
    {SIS_KIND_FORCE, "at", NULL, "on = s, peak = 1, width = 1"},
    {SIS_KIND_FORCE, "at_y", NULL, "on = p, peak = 1, width = 1"},
    {SIS_KIND_FORCE, NULL, NULL, "on = m, peak = 1, width = 1"},
    {SIS_KIND_PLUCK, "shape", "'triangle'", "on = s, at = 5000, height = 1"},
    {SIS_KIND_PLUCK, "shape", "'raised-cosine'", "on = s, at = 5000, height = 1, width = 1"},
    {SIS_KIND_PLUCK, "shape", "'mode'", "on = s, height = 1, mode = 1"},
    {SIS_KIND_PLUCK, "width", NULL, "on = s, shape = 'raised-cosine', at = 5000, height = 1"},
    {SIS_KIND_PLUCK, "mode", NULL, "on = s, shape = 'mode', height = 1"},
    {SIS_KIND_PLUCK, "mode_y", NULL, "on = p, shape = 'mode', height = 1"},
    {SIS_KIND_PLUCK, "at_y", NULL, "on = p, height = 1"},
    {SIS_KIND_PLUCK, NULL, NULL, "on = s, at = 5000, height = 1"},
    {SIS_KIND_GRAVITY, NULL, NULL, "g = 1"},
    {SIS_KIND_PROBE, "at", NULL, "on = s"},
    {SIS_KIND_PROBE, "at_y", NULL, "on = p"},
    {SIS_KIND_PROBE, NULL, NULL, "on = m"},
    {SIS_KIND_RENDER, NULL, NULL, "rate = 1"},
    {SIS_KIND_INPUT, "value", NULL, "'i', min = -1e12, max = 1e12"},
    {SIS_KIND_INPUT, "min", NULL, "'i', 1e12, max = 1e12"},
    {SIS_KIND_INPUT, "max", NULL, "'i', -1e12, min = -1e12"},
    {SIS_KIND_INPUT, NULL, NULL, "'i', 0.5"},
};

static const char* needed(const sis_field* field, const char* value) {
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (needs[i].kind == field->kind &&
            (!needs[i].key || strcmp(needs[i].key, field->key) == 0) &&
            (!needs[i].value || strcmp(needs[i].value, value) == 0))
            return needs[i].text;
    return "";
}

// A call of the word of a field with everything it needs, and one key more.
static void call_with(const sis_field* field, const char* value, char* text, size_t room) {
    static const char bodies[] =
        BODIES "local s = string{ length = 1e4, tension = 1, density = 1 }\n"
               "local p = plate{ size = { 1e3, 1e3 }, thickness = 1, material_density = 1,\n"
               "tension = 1 }";
    const char* form = spelling_of(field)->form;
    int before = (int)strcspn(form, "%");
    snprintf(text, room, "%s %s{ %s, %s = %.*s%s%s }", bodies, sis_kind_word(field->kind),
             needed(field, value), spelled(field), before, form, value, form + before + 2);
}

// Fields of one number that a scene can give one number for.
static bool is_number(const sis_field* field) {
    bool number = field->type == SIS_FIELD_NUMBER || field->type == SIS_FIELD_INTEGER;
    return number && field->kind != SIS_KIND_MODAL; // whose places are counted, not told
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
        bool place = strncmp(fields[i].key, "at", 2) == 0; // must be inside even the largest body
        bool least = strcmp(fields[i].key, "min") == 0;    // must be less than the largest max
        double most = place || least ? fields[i].max / 30 : fields[i].max;
        double some = most > 3 ? 3 : most / 3;
        snprintf(value, sizeof value, "%.17g", most);
        call_with(&fields[i], value, text, sizeof text);
        CHECK_NEAR(loaded_number(text, &fields[i]), most, 0);
        snprintf(value, sizeof value, "%.17g", some);
        call_with(&fields[i], value, text, sizeof text);
        CHECK_NEAR(loaded_number(text, &fields[i]), some, 0);
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

// The reference has a section for each word, and in it every key as a scene spells it, with its
// unit.
static void the_manual_knows_every_key(void) {
    static char manual[1 << 16];
    FILE* file = fopen(SISTRUM_SOURCE_DIR "/docs/scene-reference.md", "rb");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 0);
    if (file) fclose(file);
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        char heading[32], key[32];
        static char section[16384];
        snprintf(heading, sizeof heading, "### `%s{}`", sis_kind_word(fields[i].kind));
        snprintf(key, sizeof key, "`%s`", spelled(&fields[i]));
        const char* start = strstr(manual, heading);
        const char* end = start ? strstr(start + 3, "\n##") : NULL;
        bool found = start && end && end - start < (long)sizeof section;
        CHECK(found);
        if (!found) continue;
        memcpy(section, start, (size_t)(end - start));
        section[end - start] = '\0';
        bool everywhere = strcmp(fields[i].key, "name") == 0; // told once, in the introduction
        if (!everywhere) CHECK_TEXT(section, key);
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

// Values that are no number but something else that the key may have, right or wrong.
static bool is_another_form(const sis_field* field, const char* value) {
    bool height = field->kind == SIS_KIND_BARRIER && strcmp(field->key, "height") == 0;
    bool curve = field->kind == SIS_KIND_BOW &&
                 (strcmp(field->key, "force") == 0 || strcmp(field->key, "velocity") == 0);
    bool thrown = field->kind == SIS_KIND_PLUCK && strcmp(field->key, "velocity") == 0;
    return ((height || thrown) && strcmp(value, "math.sin") == 0) ||
           (curve && strcmp(value, "{ 1 }") == 0);
}

static void every_number_outside_its_range_is_refused_by_name(void) {
    static const char* const wrong[] = {"0/0",  "1/0",   "-1/0", "'3'",
                                        "true", "{ 1 }", "m",    "math.sin"};
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        if (!is_number(&fields[i])) continue;
        char value[64], text[512];
        for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
            if (is_another_form(&fields[i], wrong[w])) continue;
            call_with(&fields[i], wrong[w], text, sizeof text);
            refused(text, spelled(&fields[i]), fields[i].unit);
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
    refused("spring{ a = 3 }", "its keys are name, between, at_a, at_b, rigid, K1, K3", "'a'");
    refused("force{ envelope = {} }", "its keys are name, on, at, shape, peak, width, start", "");
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
    refused(BODIES "spring{ between = {m, 3} }", "between: expected masses, strings, plates",
            "modal bodies or \"ground\", got number 3");
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
    refused("mass{ mass = 1, name = '' }", "name", "mass");
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
    bad_setting((sis_setting){"K", 1e20},
                "scene.lua:1: param 'K': K = 1e20 N/m^alpha is outside 1e3 .. 1e11");
    bad_setting((sis_setting){"K", (double)NAN},
                "scene.lua:1: param 'K': K = nan N/m^alpha is outside 1e3 .. 1e11");
    bad_setting((sis_setting){"peak", (double)INFINITY},
                "scene.lua:2: param 'peak': peak = inf is not a finite number");
    bad_setting((sis_setting){"peek", 1},
                "scene.lua: unknown param 'peek' (did you mean 'peak'?); the scene has: K, peak");
    bad_setting((sis_setting){"x", 1}, "scene.lua: unknown param 'x'; the scene has: K, peak");
    bad_setting((sis_setting){NULL, 1}, "scene.lua: unknown param ''; the scene has: K, peak");
    sis_setting setting = {"K", 1};
    CHECK(!load_with("mass{ mass = 1 }", &setting, 1) && error.status == SIS_SCRIPT_SETTING);
    CHECK_TEXT(error.text, "unknown param 'K'; the scene has: none");
    CHECK(!load_with("mass{ mass = 0 }", &setting, 1) && error.status == SIS_SCRIPT_WRONG);
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
    RUN(params_are_listed_with_their_ranges);
    RUN(wrong_params_are_refused);
    RUN(wrong_settings_are_told_from_wrong_scenes);
    return CHECK_REPORT();
}
