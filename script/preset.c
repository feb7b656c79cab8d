// preset{ "Name", K = 1e7, press = 2 }: a set of values of params and inputs under one name.
//
// What it names may be declared after it, so names and ranges are checked when the scene has run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

// ---------------------------------------------------------------------------- reading the table

static void read_name(lua_State* L, sis_kept_preset* preset) {
    const sis_script* script = sis_loader_of(L)->script;
    sis_loader_key_is(L, "name");
    if (lua_rawgeti(L, 1, 1) == LUA_TNIL)
        sis_loader_refuse(L, "preset: needs a name, as in preset{ \"Bright\", K = 1e7 }");
    const char* name = sis_loader_check_text(L, "preset", "name", lua_gettop(L));
    size_t length = sis_clean(name, preset->name, sizeof preset->name);
    if (length == 0 || length >= sizeof preset->name)
        sis_loader_refuse(L, "preset: the name '%.80s' must have 1 to %zu bytes", name,
                          sizeof preset->name - 1);
    sis_loader_about(L, name);
    for (int32_t i = 0; i < script->preset_count; i++)
        if (strcmp(script->presets[i].name, preset->name) == 0)
            sis_loader_refuse(L, "preset: there is a preset '%s' already, in line %d", preset->name,
                              script->presets[i].line);
}

// The key and the value on top of the stack are one setting; the key stays as it is.
static void read_value(lua_State* L, const char* about, sis_kept_value* place) {
    const char* key = lua_tostring(L, -2);
    sis_loader_key_is(L, key);
    size_t length = sis_clean(key, place->name, sizeof place->name);
    if (length == 0 || length >= sizeof place->name)
        sis_loader_refuse(L, "%s: '%.80s' is too long for the name of a param or an input", about,
                          key);
    if (lua_type(L, -1) != LUA_TNUMBER)
        sis_loader_mismatch(L, about, place->name, "a number", lua_gettop(L));
    place->value = lua_tonumber(L, -1);
}

static int32_t count_values(lua_State* L, const char* about) {
    int32_t count = 0, most = 2 * sis_loader_of(L)->limits.params;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        sis_loader_spend(L, 10);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == 1) continue;
        sis_loader_key_is(L, "");
        if (lua_type(L, -1) != LUA_TSTRING)
            sis_loader_refuse(L,
                              "%s: takes a name and values by their names, as in "
                              "preset{ \"Bright\", K = 1e7 }",
                              about);
        if (++count > most)
            sis_loader_refuse(L, "%s: too many values (at most %d)", about, (int)most);
    }
    return count;
}

static int by_name(const void* a, const void* b) {
    const sis_kept_value *one = a, *other = b;
    return strcmp(one->name, other->name);
}

// The first in the alphabet is read first: Lua shows them in any order, and a sentence is about one.
static void read_values(lua_State* L, sis_kept_preset* preset) {
    char about[sizeof preset->name + 16];
    snprintf(about, sizeof about, "preset '%s'", preset->name);
    int32_t count = count_values(L, about);
    preset->values = calloc((size_t)count + 1, sizeof *preset->values);
    preset->settings = calloc((size_t)count + 1, sizeof *preset->settings);
    if (!preset->values || !preset->settings) sis_loader_starve(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) read_value(L, about, &preset->values[preset->count++]);
        lua_pop(L, 1);
    }
    qsort(preset->values, (size_t)preset->count, sizeof *preset->values, by_name);
}

int sis_loader_preset(lua_State* L) {
    sis_script* script = sis_loader_of(L)->script;
    sis_loader_check_open(L, "preset");
    sis_loader_begin(L, "preset");
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "preset: takes one table, as in preset{ \"Bright\", K = 1e7 }");
    if (script->preset_count >= SIS_PRESETS_MOST)
        sis_loader_refuse(L, "preset: too many presets (at most %d)", SIS_PRESETS_MOST);
    sis_loader_check_stack(L, 16);
    if (!script->presets) script->presets = calloc(SIS_PRESETS_MOST, sizeof *script->presets);
    if (!script->presets) sis_loader_starve(L);
    sis_kept_preset* preset = &script->presets[script->preset_count];
    preset->line = sis_loader_line(L);
    read_name(L, preset);
    script->preset_count++; // what it holds from now on is freed with the script
    read_values(L, preset);
    sis_loader_end(L);
    return 0;
}

// ---------------------------------------------------------------------------- once the scene has run

/** What a value is given to. */
typedef struct target {
    const char *name, *unit;
    double min, max;
    bool trigger;
} target;

// The param or the input of that name, by its number among both.
static int32_t find(const sis_script* script, const char* name) {
    int32_t i = sis_loader_find_param(script, name);
    if (i >= 0) return i;
    i = sis_loader_find_input(script, name);
    return i < 0 ? -1 : script->param_count + i;
}

static target target_at(const sis_script* script, int32_t i) {
    if (i < script->param_count) {
        const sis_kept_param* p = &script->params[i];
        return (target){.name = p->name, .unit = p->unit, .min = p->min, .max = p->max};
    }
    const sis_kept_input* p = &script->inputs[i - script->param_count];
    return (target){p->name, p->unit, p->min, p->max, p->trigger};
}

static void say_unknown(const sis_script* script, const char* name, sis_sentence* why) {
    sis_suggestion suggestion = sis_suggest(name);
    sis_sentence all = {.length = 0};
    for (int32_t i = 0; i < script->param_count + script->input_count; i++) {
        const char* other = target_at(script, i).name;
        sis_suggest_from(&suggestion, other);
        sis_say(&all, "%s%s", i ? ", " : "", other);
    }
    sis_say(why, "'%s' is not a param%s of the scene", name,
            script->input_count ? " or an input" : "");
    if (suggestion.best) sis_say(why, " (did you mean '%s'?)", suggestion.best);
    sis_say(why, "; it has: %.500s", all.length ? all.text : "none");
}

// Says why the value cannot be given; nothing: it can.
static void judge(const target* t, double value, sis_sentence* why) {
    const char* space = t->unit[0] ? " " : "";
    if (t->trigger)
        sis_say(why, "%s is a trigger, which gives blows and has no value to set", t->name);
    else if (!isfinite(value))
        sis_say(why, "%s = %s is not a finite number", t->name, sis_number_text(value).text);
    else if (!(value >= t->min && value <= t->max))
        sis_say(why, "%s = %s%s%s is outside %s .. %s", t->name, sis_number_text(value).text, space,
                t->unit, sis_number_text(t->min).text, sis_number_text(t->max).text);
}

// Fills the settings in the order of the scene: params, then inputs.
static void settle(const sis_script* script, sis_kept_preset* preset) {
    int32_t used = 0;
    for (int32_t i = 0; i < script->param_count + script->input_count; i++) {
        const char* name = target_at(script, i).name;
        for (int32_t k = 0; k < preset->count; k++)
            if (find(script, preset->values[k].name) == i && used < preset->count)
                preset->settings[used++] = (sis_setting){name, preset->values[k].value};
    }
}

static bool preset_known(const sis_script* script, sis_kept_preset* preset,
                         sis_script_error* error) {
    for (int32_t k = 0; k < preset->count; k++) {
        const sis_kept_value* value = &preset->values[k];
        int32_t i = find(script, value->name);
        sis_sentence why = {.length = 0}, sentence = {.length = 0};
        target t = i >= 0 ? target_at(script, i) : (target){.name = NULL};
        if (i < 0)
            say_unknown(script, value->name, &why);
        else
            judge(&t, value->value, &why);
        if (!why.length) continue;
        sis_say(&sentence, "preset '%s': %s", preset->name, why.text);
        sis_loader_tell(error, SIS_SCRIPT_WRONG, script->name, preset->line, sentence.text);
        snprintf(error->object, sizeof error->object, "preset '%s'", preset->name);
        snprintf(error->key, sizeof error->key, "%s", value->name);
        return false;
    }
    settle(script, preset);
    return true;
}

bool sis_loader_presets_known(sis_script* script, sis_script_error* error) {
    for (int32_t i = 0; i < script->preset_count; i++)
        if (!preset_known(script, &script->presets[i], error)) return false;
    return true;
}

void sis_loader_free_presets(sis_script* script) {
    for (int32_t i = 0; script->presets && i < SIS_PRESETS_MOST; i++) {
        free(script->presets[i].values);
        free(script->presets[i].settings);
    }
    free(script->presets);
}

// ---------------------------------------------------------------------------- public

int32_t sis_script_preset_count(const sis_script* script) {
    return script->preset_count;
}

sis_preset sis_script_preset(const sis_script* script, int32_t i) {
    if (i < 0 || i >= script->preset_count) return (sis_preset){.name = NULL};
    const sis_kept_preset* preset = &script->presets[i];
    return (sis_preset){.name = preset->name, .settings = preset->settings, .count = preset->count};
}
