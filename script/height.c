// Heights of barriers, shapes and velocities of plucks that are functions of the scene: kept by
// Lua, called by sis_compile.
//
//   barrier{ height = function(x) ... end } --> sis_profile { value, context, over }
//   sis_compile --value(context, x)--> protected call of the function, within a budget of its own
//               --over(context, x, y)--> the same on a plate
//
// The context is a userdata with the function as its user value. The registry holds it, so that it
// stays where it is until the script closes Lua.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decimal_point.h"
#include "loader.h"

typedef struct height {
    sis_loader* loader;
    int reference; // of this userdata in the registry
    int line;      // of the scene where the function begins
    sis_id id;     // the barrier or pluck
    sis_field field;
    double x, y;   // m, of the call that is going on; y is NaN along a string
    double value;  // what it gave, in the unit of the field
    bool returned; // the function did not fail, but maybe what it gave is no such number
} height;

// ---------------------------------------------------------------------------- calling

// What the function returned, from stack index `first` on, must be one number in its range.
static double check_result(lua_State* L, const sis_field* field, int first) {
    const char* unit = field->unit;
    int results = lua_gettop(L) - first + 1;
    if (results > 1)
        sis_loader_refuse(L, "returned %d values; it must return one number (%s)", results, unit);
    if (results < 1 || lua_type(L, first) != LUA_TNUMBER) {
        sis_sentence got = {.length = 0};
        if (results == 1 && lua_isnil(L, first))
            sis_say(&got, "nil");
        else
            sis_say_value(&got, L, first);
        sis_loader_refuse(L, "returned %s; it must return a number (%s)", got.text, unit);
    }
    double value = lua_tonumber(L, first);
    if (!(value >= field->min && value <= field->max))
        sis_loader_refuse(L, "returned %s; it must return a number (%s) from %s to %s",
                          sis_number_text(value).text, unit, sis_number_text(field->min).text,
                          sis_number_text(field->max).text);
    return value;
}

// Everything that can fail inside Lua. Its argument is the height.
static int call(lua_State* L) {
    height* h = lua_touserdata(L, 1);
    const sis_limits* limits = &h->loader->limits;
    if (h->loader->heights_work > limits->work || h->loader->heights_seconds > limits->seconds)
        sis_loader_refuse(L, "the functions of this scene take too long to compute");
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->reference);
    lua_getiuservalue(L, -1, 1);
    lua_replace(L, -2);
    lua_pushnumber(L, h->x);
    if (!isnan(h->y)) lua_pushnumber(L, h->y);
    lua_call(L, isnan(h->y) ? 1 : 2, LUA_MULTRET);
    h->returned = true;
    h->value = check_result(L, &h->field, 2);
    return 0;
}

// Cheap calls are free, so that a scene may be compiled as often as one likes and on any grid.
static void count_height(sis_loader* loader) {
    const sis_limits* limits = &loader->limits;
    double seconds = sis_loader_seconds(loader);
    if (loader->work > limits->cheap_work)
        loader->heights_work += loader->work - limits->cheap_work;
    if (seconds > limits->cheap_seconds) loader->heights_seconds += seconds - limits->cheap_seconds;
}

// "barrier 'bridge': height(0.25) returned nil; ..."; sis_script_locate knows the file and the
// line.
static void explain(lua_State* L, const height* h, int lua_status, sis_error* error) {
    sis_sentence sentence = {.length = 0}, reason = {.length = 0};
    int line = sis_say_reason(&reason, L, h->loader, lua_status);
    const char* name = sis_scene_name(h->loader->script->scene, h->id);
    h->loader->height_line = line > 0 ? line : h->line;
    h->loader->height_of = h->id;
    sis_say(&sentence, "%s '%s': %s(%s", sis_kind_word(h->field.kind), name, h->field.key,
            sis_number_text(h->x).text);
    if (!isnan(h->y)) sis_say(&sentence, ", %s", sis_number_text(h->y).text);
    sis_say(&sentence, ")%s %s", h->returned ? "" : ":", reason.text);
    error->object = h->id;
    snprintf(error->key, sizeof error->key, "%s", h->field.key);
    bool machine = lua_status != LUA_OK &&
                   (h->loader->starved || (lua_status == LUA_ERRMEM && !h->loader->refusals));
    error->status = machine ? SIS_NO_MEMORY : SIS_BAD_VALUE;
    sis_clean(sentence.text, error->text, sizeof error->text);
}

static bool value_over(void* context, double x, double y, double* out, sis_error* error) {
    height* h = context;
    lua_State* L = h->loader->lua;
    h->x = x;
    h->y = y;
    h->returned = false;
    h->loader->line = 0;
    sis_loader_allow(h->loader, h->loader->limits.height_work, h->loader->limits.height_seconds);
    lua_pushcfunction(L, sis_loader_note_line);
    lua_pushcfunction(L, call);
    lua_pushlightuserdata(L, h);
    sis_decimal_point point = sis_decimal_point_begin();
    int status = lua_pcall(L, 1, 0, -3);
    count_height(h->loader);
    if (status == LUA_OK)
        *out = h->value;
    else if (error)
        explain(L, h, status, error);
    sis_decimal_point_end(point);
    lua_settop(L, 0);
    return status == LUA_OK;
}

static bool value_at(void* context, double x, double* out, sis_error* error) {
    return value_over(context, x, (double)NAN, out, error);
}

// ---------------------------------------------------------------------------- making

void sis_loader_fill_profile(lua_State* L, const sis_field* field, int index, void* def) {
    if (lua_type(L, index) != LUA_TFUNCTION)
        sis_loader_mismatch(L, sis_kind_word(field->kind), field->key, "a function of the place",
                            index);
    sis_loader* loader = sis_loader_of(L);
    lua_Debug function;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &function); // a function of C has no line
    int line = function.linedefined > 0 ? function.linedefined : sis_loader_line(L);
    height* h = lua_newuserdatauv(L, sizeof *h, 1);
    *h = (height){.loader = loader, .line = line, .id = SIS_NONE, .field = *field};
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, 1);
    h->reference = luaL_ref(L, LUA_REGISTRYINDEX);
    loader->profiles++;
    sis_profile profile = {.value = value_at, .context = h, .over = value_over};
    memcpy((char*)def + field->offset, &profile, sizeof profile);
}

void sis_loader_name_profile(sis_kind kind, const void* def, sis_id id) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        if (fields[i].kind != kind || fields[i].type != SIS_FIELD_PROFILE) continue;
        sis_profile profile;
        memcpy(&profile, (const char*)def + fields[i].offset, sizeof profile);
        if (profile.value) ((height*)profile.context)->id = id;
    }
}
