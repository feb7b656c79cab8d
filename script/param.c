// param{ "K", 5e6, min =, max =, unit =, scale = "log", label = }: a number the user may change.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

static const char* const param_keys[] = {"min", "max", "unit", "scale", "label"};
enum { KEY_COUNT = sizeof param_keys / sizeof param_keys[0] };

// Names are kept clean; `given` is compared as it would be kept.
static bool is_named(const sis_kept_param* param, const char* given) {
    char clean[sizeof param->name];
    return sis_clean(given, clean, sizeof clean) < sizeof clean && strcmp(clean, param->name) == 0;
}

int32_t sis_loader_find_param(const sis_script* script, const char* name) {
    for (int32_t i = 0; i < script->param_count; i++)
        if (is_named(&script->params[i], name)) return i;
    return -1;
}

// ---------------------------------------------------------------------------- reading the table

// The text of a key into `place` of `room` bytes; false when it was not given.
static bool read_text(lua_State* L, const char* key, char* place, size_t room) {
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    if (lua_rawget(L, 1) == LUA_TNIL) return false;
    const char* text = sis_loader_check_text(L, "param", key, lua_gettop(L));
    if (sis_clean(text, place, room) >= room)
        sis_loader_refuse(L, "param: %s: the text is longer than %zu bytes", key, room - 1);
    return true;
}

static void read_name(lua_State* L, sis_kept_param* param) {
    sis_loader_key_is(L, "name");
    if (lua_rawgeti(L, 1, 1) == LUA_TNIL)
        sis_loader_refuse(L, "param: needs a name, as in param{ \"K\", 5e6 }");
    const char* name = sis_loader_check_text(L, "param", "name", lua_gettop(L));
    size_t length = sis_clean(name, param->name, sizeof param->name);
    if (length == 0 || length >= sizeof param->name || strchr(name, '='))
        sis_loader_refuse(L, "param: the name '%.80s' must have 1 to %zu bytes and no '='", name,
                          sizeof param->name - 1);
    sis_loader_about(L, name);
    if (sis_loader_find_param(sis_loader_of(L)->script, name) >= 0)
        sis_loader_refuse(L, "param: there is a param '%s' already", name);
    if (sis_loader_find_input(sis_loader_of(L)->script, name) >= 0)
        sis_loader_refuse(L, "param: there is an input '%s' already", name);
}

// The number on top of the stack, called `what` in sentences; it must be finite.
static double read_number(lua_State* L, const char* what) {
    sis_loader_key_is(L, what);
    if (lua_type(L, -1) != LUA_TNUMBER)
        sis_loader_mismatch(L, "param", what, "a number", lua_gettop(L));
    double value = lua_tonumber(L, -1);
    if (!isfinite(value))
        sis_loader_refuse(L, "param: %s = %s is not a finite number", what,
                          sis_number_text(value).text);
    return value;
}

static double read_bound(lua_State* L, const char* key, double unbounded) {
    lua_pushstring(L, key);
    return lua_rawget(L, 1) == LUA_TNIL ? unbounded : read_number(L, key);
}

static void read_scale(lua_State* L, sis_kept_param* param) {
    char scale[64] = "linear";
    read_text(L, "scale", scale, sizeof scale);
    param->logarithmic = strcmp(scale, "log") == 0;
    if (!param->logarithmic && strcmp(scale, "linear") != 0)
        sis_loader_refuse(L, "param: scale = \"%s\" is unknown; it can be \"linear\", \"log\"",
                          scale);
    if (param->logarithmic && !(param->min > 0))
        sis_loader_refuse(L, "param: scale = \"log\" needs min > 0, got %s",
                          isfinite(param->min) ? sis_number_text(param->min).text : "no min");
}

static void read_table(lua_State* L, sis_kept_param* param) {
    read_name(L, param);
    sis_loader_key_is(L, "value");
    if (lua_rawgeti(L, 1, 2) == LUA_TNIL)
        sis_loader_refuse(L, "param: needs its value, as in param{ \"%s\", 5e6 }", param->name);
    param->fallback = read_number(L, "value");
    param->min = read_bound(L, "min", -(double)INFINITY);
    param->max = read_bound(L, "max", (double)INFINITY);
    if (!(param->min < param->max))
        sis_loader_refuse(L, "param: min = %s must be less than max = %s",
                          sis_number_text(param->min).text, sis_number_text(param->max).text);
    read_scale(L, param);
    read_text(L, "unit", param->unit, sizeof param->unit);
    if (!read_text(L, "label", param->label, sizeof param->label))
        snprintf(param->label, sizeof param->label, "%s", param->name);
    sis_loader_key_is(L, "value");
    sis_loader_check_number(L, "param", "value", param->fallback, param->min, param->max,
                            param->unit);
}

// ---------------------------------------------------------------------------- settings

// The last setting of this name wins; all of them must be possible.
static void apply_settings(lua_State* L, sis_kept_param* param) {
    sis_loader* loader = sis_loader_of(L);
    param->value = param->fallback;
    for (int32_t i = 0; i < loader->setting_count; i++) {
        const sis_setting* setting = &loader->settings[i];
        if (!setting->name || !is_named(param, setting->name)) continue;
        param->value = setting->value;
        if (isfinite(param->value) && param->value >= param->min && param->value <= param->max)
            continue;
        bool finite = isfinite(param->value);
        loader->status = SIS_SCRIPT_SETTING;
        sis_loader_key_is(L, "");
        if (!finite && isinf(param->min) && isinf(param->max))
            sis_loader_refuse(L, "param: %s = %s is not a finite number", param->name,
                              sis_number_text(param->value).text);
        sis_loader_refuse(L, "param: %s = %s%s%s is outside %s .. %s", param->name,
                          sis_number_text(param->value).text, param->unit[0] ? " " : "",
                          param->unit, sis_number_text(param->min).text,
                          sis_number_text(param->max).text);
    }
}

static void keep(lua_State* L, const sis_kept_param* param) {
    sis_loader* loader = sis_loader_of(L);
    sis_script* script = loader->script;
    if (script->param_count >= loader->limits.params)
        sis_loader_refuse(L, "param: too many params (at most %d)", (int)loader->limits.params);
    if (script->param_count == script->param_room) {
        int32_t room = script->param_room ? 2 * script->param_room : 8;
        sis_kept_param* params = realloc(script->params, (size_t)room * sizeof *params);
        if (!params) sis_loader_starve(L);
        script->params = params;
        script->param_room = room;
    }
    script->params[script->param_count++] = *param;
}

int sis_loader_param(lua_State* L) {
    sis_loader_check_open(L, "param");
    sis_loader_begin(L, "param");
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "param: takes one table, as in param{ \"K\", 5e6 }");
    sis_loader_check_keys(L, "param", param_keys, KEY_COUNT, 2,
                          "takes a name, a number and keys, as in "
                          "param{ \"K\", 5e6, min = 1e3, max = 1e9 }");
    sis_kept_param param = {.logarithmic = false, .line = sis_loader_line(L)};
    read_table(L, &param);
    apply_settings(L, &param);
    keep(L, &param);
    sis_loader_end(L);
    sis_loader_spend(L, (uint64_t)sis_loader_of(L)->script->param_count);
    lua_pushnumber(L, param.value);
    return 1;
}

// What a setting can name, as a list.
static void say_names(const sis_script* script, sis_suggestion* suggestion, sis_sentence* all) {
    int32_t params = script->param_count, inputs = script->input_count;
    for (int32_t i = 0; i < params + inputs; i++) {
        const char* name = i < params ? script->params[i].name : script->inputs[i - params].name;
        sis_suggest_from(suggestion, name);
        sis_say(all, "%s%s", i ? ", " : "", name);
    }
}

// After the scene has run: did every setting find its param or input?
bool sis_loader_settings_known(const sis_loader* loader, sis_script_error* error) {
    const sis_script* script = loader->script;
    for (int32_t i = 0; i < loader->setting_count; i++) {
        const char* name = loader->settings[i].name ? loader->settings[i].name : "";
        if (sis_loader_find_param(script, name) >= 0) continue;
        if (sis_loader_find_input(script, name) >= 0) continue;
        sis_suggestion suggestion = sis_suggest(name);
        sis_sentence all = {.length = 0}, sentence = {.length = 0};
        say_names(script, &suggestion, &all);
        sis_say(&sentence, "unknown param%s '%.80s'", script->input_count ? " or input" : "", name);
        if (suggestion.best) sis_say(&sentence, " (did you mean '%s'?)", suggestion.best);
        sis_say(&sentence, "; the scene has: %s", all.length ? all.text : "none");
        sis_loader_tell(error, SIS_SCRIPT_SETTING, script->name, 0, sentence.text);
        return false;
    }
    return true;
}
