// input{ "press", 0.5, min =, max =, unit =, label =, smooth =, trigger = }: a number that the
// player moves while it sounds.
//
//   input{} --> value: scale * input + offset --live key--> start value in the definition,
//               2 * press + 0.1                             sis_scene_bind once it is in the scene
//
// A value knows one input; what is not scaling or shifting is refused where it is written. A live
// key is read as if it held the value that the input starts with (follow.c).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

static const char value_type[] = "sistrum.input";

// Names are kept clean; `given` is compared as it would be kept.
static bool is_named(const sis_kept_input* input, const char* given) {
    char clean[sizeof input->name];
    return sis_clean(given, clean, sizeof clean) < sizeof clean && strcmp(clean, input->name) == 0;
}

int32_t sis_loader_find_input(const sis_script* script, const char* name) {
    for (int32_t i = 0; i < script->input_count; i++)
        if (is_named(&script->inputs[i], name)) return i;
    return -1;
}

// ---------------------------------------------------------------------------- values

sis_input_value* sis_loader_input_value(lua_State* L, int index) {
    return luaL_testudata(L, index, value_type);
}

const sis_kept_input* sis_loader_kept_input(lua_State* L, const sis_input_value* value) {
    return &sis_loader_of(L)->script->inputs[value->input];
}

static sis_input_value* push_value(lua_State* L, sis_input_value value) {
    sis_input_value* made = lua_newuserdatauv(L, sizeof *made, 1);
    *made = value;
    luaL_setmetatable(L, value_type);
    return made;
}

static int value_text(lua_State* L) {
    const sis_input_value* value = luaL_checkudata(L, 1, value_type);
    lua_pushfstring(L, "input '%s'", sis_loader_kept_input(L, value)->name);
    return 1;
}

// ---------------------------------------------------------------------------- arithmetic

#define AFFINE "an input may be scaled and shifted by numbers, as in 2 * press + 0.1"
#define STROKE "(2 * press + 0.1) * {{0, 0}, {0.05, 1}}"

// Of the two arguments the one that is an input; `*other` receives the index of the other.
static sis_input_value* one_of_two(lua_State* L, int* other) {
    sis_input_value *a = sis_loader_input_value(L, 1), *b = sis_loader_input_value(L, 2);
    *other = a ? 2 : 1;
    sis_input_value* one = a ? a : b;
    const char* name = sis_loader_kept_input(L, one)->name;
    sis_loader_spend(L, 10);
    if (sis_loader_kept_input(L, one)->trigger)
        sis_loader_refuse(L,
                          "input '%s' is a trigger: it gives blows and is no number to "
                          "calculate with",
                          name);
    if (a && b)
        sis_loader_refuse(L, "inputs '%s' and '%s' cannot be combined: " AFFINE, name,
                          sis_loader_kept_input(L, b)->name);
    return one;
}

// The number that the input is added to, multiplied by or divided by.
static double number_beside(lua_State* L, const sis_input_value* one, int index) {
    const char* name = sis_loader_kept_input(L, one)->name;
    sis_sentence got = {.length = 0};
    if (lua_type(L, index) == LUA_TNUMBER && isfinite(lua_tonumber(L, index)))
        return lua_tonumber(L, index);
    sis_say_value(&got, L, index);
    sis_loader_refuse(L, "input '%s' cannot be combined with %s: " AFFINE, name, got.text);
}

// Leaves scale * value + offset on the stack, with the function of the place that is added.
static int push_affine(lua_State* L, int index, double scale, double offset) {
    sis_input_value value = *sis_loader_input_value(L, index);
    if (value.profile && scale != 1)
        sis_loader_refuse(L,
                          "input '%s' with a function of the place may be shifted, not scaled: "
                          "scale the input and the function before they are added",
                          sis_loader_kept_input(L, &value)->name);
    if (value.curve && offset != 0)
        sis_loader_refuse(L,
                          "input '%s' with an envelope may be scaled, not shifted: shift the input "
                          "before they are multiplied, as in " STROKE,
                          sis_loader_kept_input(L, &value)->name);
    value.scale *= scale;
    value.offset = scale * value.offset + offset;
    push_value(L, value);
    lua_getiuservalue(L, index, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

// The value at `index` with a function of the place or an envelope, whichever it is to hold.
static int push_with(lua_State* L, int index, int other) {
    sis_input_value value = *sis_loader_input_value(L, index);
    if (value.profile || value.curve)
        sis_loader_refuse(L, "input '%s' has %s already", sis_loader_kept_input(L, &value)->name,
                          value.curve ? "an envelope" : "a function of the place");
    value.curve = lua_type(L, other) == LUA_TTABLE;
    value.profile = !value.curve;
    push_value(L, value);
    lua_pushvalue(L, other);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

// height = lift + function(x) ... end
static int add(lua_State* L) {
    int other = 0;
    const sis_input_value* one = one_of_two(L, &other);
    if (lua_type(L, other) == LUA_TFUNCTION) return push_with(L, 3 - other, other);
    return push_affine(L, 3 - other, 1, number_beside(L, one, other));
}

static int subtract(lua_State* L) {
    int other = 0;
    const sis_input_value* one = one_of_two(L, &other);
    double number = number_beside(L, one, other);
    return other == 2 ? push_affine(L, 1, 1, -number) : push_affine(L, 2, -1, number);
}

// force = press * {{0, 0}, {0.05, 1}}
static int multiply(lua_State* L) {
    int other = 0;
    const sis_input_value* one = one_of_two(L, &other);
    if (lua_type(L, other) == LUA_TTABLE) return push_with(L, 3 - other, other);
    return push_affine(L, 3 - other, number_beside(L, one, other), 0);
}

static int divide(lua_State* L) {
    int other = 0;
    const sis_input_value* one = one_of_two(L, &other);
    double number = number_beside(L, one, other);
    if (other == 1)
        sis_loader_refuse(L, "a number cannot be divided by input '%s': " AFFINE,
                          sis_loader_kept_input(L, one)->name);
    if (number == 0)
        sis_loader_refuse(L, "input '%s' is divided by 0", sis_loader_kept_input(L, one)->name);
    return push_affine(L, 1, 1 / number, 0);
}

static int negate(lua_State* L) {
    lua_settop(L, 1);
    lua_pushinteger(L, 0);
    int other = 0;
    one_of_two(L, &other);
    return push_affine(L, 1, -1, 0);
}

// Upvalue 1 says what was tried.
static int refuse_use(lua_State* L) {
    const sis_input_value* a = sis_loader_input_value(L, 1);
    const sis_input_value* one = a ? a : sis_loader_input_value(L, 2);
    sis_loader_refuse(L, "input '%s' moves while it sounds and cannot be %s in a scene: " AFFINE,
                      sis_loader_kept_input(L, one)->name, lua_tostring(L, lua_upvalueindex(1)));
}

void sis_loader_open_inputs(lua_State* L) {
    static const luaL_Reg can[] = {
        {"__add", add},    {"__sub", subtract},        {"__mul", multiply}, {"__div", divide},
        {"__unm", negate}, {"__tostring", value_text}, {NULL, NULL}};
    static const char* const cannot[][2] = {
        {"__mod", "divided with a remainder"},
        {"__pow", "raised to a power"},
        {"__idiv", "divided and rounded"},
        {"__band", "taken bit by bit"},
        {"__bor", "taken bit by bit"},
        {"__bxor", "taken bit by bit"},
        {"__bnot", "taken bit by bit"},
        {"__shl", "taken bit by bit"},
        {"__shr", "taken bit by bit"},
        {"__concat", "joined to a text"},
        {"__len", "counted"},
        {"__eq", "compared"},
        {"__lt", "compared"},
        {"__le", "compared"},
        {"__index", "indexed"},
        {"__newindex", "indexed"},
        {"__call", "called"},
    };
    luaL_newmetatable(L, value_type);
    luaL_setfuncs(L, can, 0);
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++) {
        lua_pushstring(L, cannot[i][1]);
        lua_pushcclosure(L, refuse_use, 1);
        lua_setfield(L, -2, cannot[i][0]);
    }
    lua_pushliteral(L, "input"); // "number expected, got input"
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, sis_loader_input);
    lua_setfield(L, -2, "input");
}

// ---------------------------------------------------------------------------- reading the table

// Key `i` of the table at 1, or its place there; nil when neither is given. Leaves it on the stack.
static bool read(lua_State* L, const char* key, int place) {
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    bool given = lua_rawget(L, 1) != LUA_TNIL;
    if (!place) return given;
    if (lua_rawgeti(L, 1, place) == LUA_TNIL) {
        lua_pop(L, 1);
        return given;
    }
    if (given) sis_loader_refuse(L, "input: '%s' is given twice, by its place and by its key", key);
    lua_replace(L, -2);
    return true;
}

static int place_of(const char* key) {
    return strcmp(key, "name") == 0 ? 1 : strcmp(key, "value") == 0 ? 2 : 0;
}

// Leaves on the stack what the definition then points to.
static void read_table(lua_State* L, sis_input_def* def) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++)
        if (fields[i].kind == SIS_KIND_INPUT && read(L, fields[i].key, place_of(fields[i].key)))
            sis_loader_fill(L, &fields[i], lua_gettop(L), def);
}

static void check_name(lua_State* L, const char* name) {
    sis_loader_key_is(L, "name");
    if (!name) sis_loader_refuse(L, "input: needs a name, as in input{ \"press\", 0.5 }");
    size_t length = sis_clean(name, NULL, 0);
    if (length == 0 || length >= sizeof((sis_kept_input*)0)->name || strchr(name, '='))
        sis_loader_refuse(L, "input: the name '%.80s' must have 1 to %zu bytes and no '='", name,
                          sizeof((sis_kept_input*)0)->name - 1);
    sis_loader_about(L, name);
    const sis_script* script = sis_loader_of(L)->script;
    if (sis_loader_find_input(script, name) >= 0)
        sis_loader_refuse(L, "input: there is an input '%s' already", name);
    if (sis_loader_find_param(script, name) >= 0)
        sis_loader_refuse(L, "input: there is a param '%s' already", name);
}

static void check_text_fits(lua_State* L, const char* key, const char* text, size_t room) {
    sis_loader_key_is(L, key);
    if (text && sis_clean(text, NULL, 0) >= room)
        sis_loader_refuse(L, "input: %s: the text is longer than %zu bytes", key, room - 1);
}

// What is not given: a trigger has no value, and the range is 0 to 1 and as far as the value.
static void settle(lua_State* L, sis_input_def* def) {
    sis_loader_key_is(L, "value");
    if (def->trigger && !isnan(def->value))
        sis_loader_refuse(L, "input: a trigger gives blows and has no value: leave %s out",
                          sis_number_text(def->value).text);
    if (def->trigger) def->value = 0;
    if (isnan(def->value))
        sis_loader_refuse(L, "input: needs its value, as in input{ \"%s\", 0.5 }", def->name);
    if (isnan(def->min)) def->min = fmin(0, def->value);
    if (isnan(def->max)) def->max = fmax(1, def->value);
    sis_loader_key_is(L, "min");
    if (!(def->min < def->max))
        sis_loader_refuse(L, "input: min = %s must be less than max = %s",
                          sis_number_text(def->min).text, sis_number_text(def->max).text);
    sis_loader_key_is(L, "value");
    if (!def->trigger)
        sis_loader_check_number(L, "input", "value", def->value, def->min, def->max,
                                def->unit ? def->unit : "");
}

// ---------------------------------------------------------------------------- keeping it

// The last setting of this name wins; all of them must be possible.
static void apply_settings(lua_State* L, sis_kept_input* input) {
    sis_loader* loader = sis_loader_of(L);
    for (int32_t i = 0; i < loader->setting_count; i++) {
        const sis_setting* setting = &loader->settings[i];
        if (!setting->name || !is_named(input, setting->name)) continue;
        loader->status = SIS_SCRIPT_SETTING;
        sis_loader_key_is(L, "");
        if (input->trigger)
            sis_loader_refuse(L,
                              "input: %s is a trigger, which has no value to set: its blows "
                              "come from a curve or a player",
                              input->name);
        sis_loader_check_number(L, "input", input->name, setting->value, input->min, input->max,
                                input->unit);
        loader->status = SIS_SCRIPT_WRONG;
        input->value = setting->value;
    }
}

static sis_kept_input* keep(lua_State* L, const sis_input_def* def) {
    sis_loader* loader = sis_loader_of(L);
    sis_script* script = loader->script;
    if (script->input_count >= loader->limits.params)
        sis_loader_refuse(L, "input: too many inputs (at most %d)", (int)loader->limits.params);
    if (script->input_count == script->input_room) {
        int32_t room = script->input_room ? 2 * script->input_room : 8;
        sis_kept_input* inputs = realloc(script->inputs, (size_t)room * sizeof *inputs);
        if (!inputs) sis_loader_starve(L);
        script->inputs = inputs;
        script->input_room = room;
    }
    sis_kept_input* input = &script->inputs[script->input_count];
    *input = (sis_kept_input){.value = def->value,
                              .fallback = def->value,
                              .min = def->min,
                              .max = def->max,
                              .smooth = def->smooth,
                              .trigger = def->trigger,
                              .id = SIS_NONE};
    sis_clean(def->name, input->name, sizeof input->name);
    sis_clean(def->unit ? def->unit : "", input->unit, sizeof input->unit);
    sis_clean(def->label ? def->label : def->name, input->label, sizeof input->label);
    return input;
}

int sis_loader_input(lua_State* L) {
    static const char* const keys[] = {"name", "value", "min",    "max",
                                       "unit", "label", "smooth", "trigger"};
    sis_loader_check_open(L, "input");
    sis_loader_begin(L, "input");
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "input: takes one table, as in input{ \"press\", 0.5 }");
    sis_loader_check_keys(L, "input", keys, sizeof keys / sizeof *keys, 2,
                          "takes a name, a number and keys, as in "
                          "input{ \"press\", 0.5, min = 0, max = 2 }");
    sis_loader_check_stack(L, 32);
    sis_input_def def = sis_input_default();
    read(L, "name", 1);
    if (!lua_isnil(L, -1)) def.name = sis_loader_check_text(L, "input", "name", lua_gettop(L));
    check_name(L, def.name);
    read_table(L, &def);
    settle(L, &def);
    check_text_fits(L, "unit", def.unit, sizeof((sis_kept_input*)0)->unit);
    check_text_fits(L, "label", def.label, sizeof((sis_kept_input*)0)->label);
    sis_loader_spend(L, (uint64_t)sis_loader_of(L)->script->input_count);
    sis_kept_input* input = keep(L, &def);
    apply_settings(L, input);
    def.value = input->value;
    sis_script* script = sis_loader_of(L)->script;
    push_value(L, (sis_input_value){.input = script->input_count, .scale = 1});
    input->id = sis_loader_add(L, SIS_KIND_INPUT, &def);
    script->input_count++;
    sis_loader_end(L);
    return 1;
}

// ---------------------------------------------------------------------------- public

int32_t sis_script_input_count(const sis_script* script) {
    return script->input_count;
}

sis_input sis_script_input(const sis_script* script, int32_t i) {
    if (i < 0 || i >= script->input_count) return (sis_input){.name = NULL, .id = SIS_NONE};
    const sis_kept_input* input = &script->inputs[i];
    return (sis_input){
        .name = input->name,
        .label = input->label,
        .unit = input->unit,
        .value = input->value,
        .fallback = input->fallback,
        .min = input->min,
        .max = input->max,
        .smooth = input->smooth,
        .trigger = input->trigger,
        .id = input->id,
    };
}
