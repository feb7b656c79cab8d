#include "figure_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sis_spot_refuse(const sis_spot* spot, const char* format, ...) {
    char reason[400];
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    luaL_error(spot->L, "%s: %s", spot->text, reason);
    for (;;) // luaL_error does not return, but does not say so
        ;
}

/** Pushes the value of a key and returns its type. Raw, so that texts stay where they are. */
static int push(const sis_spot* spot, const char* key) {
    lua_pushstring(spot->L, key);
    return lua_rawget(spot->L, spot->index);
}

_Noreturn static void mismatch(const sis_spot* spot, const char* key, const char* expected) {
    sis_spot_refuse(spot, "%s must be %s, not a %s", key, expected, luaL_typename(spot->L, -1));
}

void sis_spot_keys(const sis_spot* spot, const char* const* keys) {
    lua_State* L = spot->L;
    lua_pushnil(L);
    while (lua_next(L, spot->index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            sis_spot_refuse(spot, "an element without a key does not belong here");
        const char* key = lua_tostring(L, -1);
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i]) continue;
        char known[256] = "";
        for (i = 0; keys[i]; i++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                     keys[i]);
        sis_spot_refuse(spot, "unknown key '%.60s'; there are %s", key, known);
    }
}

bool sis_spot_has(const sis_spot* spot, const char* key) {
    bool has = push(spot, key) != LUA_TNIL;
    lua_pop(spot->L, 1);
    return has;
}

const char* sis_spot_text(const sis_spot* spot, const char* key) {
    int type = push(spot, key);
    if (type != LUA_TNIL && type != LUA_TSTRING) mismatch(spot, key, "a text");
    const char* text = type == LUA_TSTRING ? lua_tostring(spot->L, -1) : NULL;
    lua_pop(spot->L, 1);
    return text;
}

double sis_spot_number(const sis_spot* spot, const char* key, double otherwise) {
    int type = push(spot, key);
    if (type != LUA_TNIL && type != LUA_TNUMBER) mismatch(spot, key, "a number");
    double value = type == LUA_TNUMBER ? lua_tonumber(spot->L, -1) : otherwise;
    if (type == LUA_TNUMBER && !isfinite(value))
        sis_spot_refuse(spot, "%s must be a finite number", key);
    lua_pop(spot->L, 1);
    return value;
}

bool sis_spot_flag(const sis_spot* spot, const char* key) {
    int type = push(spot, key);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) mismatch(spot, key, "true or false");
    bool value = lua_toboolean(spot->L, -1);
    lua_pop(spot->L, 1);
    return value;
}

int sis_spot_word(const sis_spot* spot, const char* key, const char* const* words) {
    const char* text = sis_spot_text(spot, key);
    if (!text) return -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) return i;
    char known[256] = "";
    for (int i = 0; words[i]; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 words[i]);
    sis_spot_refuse(spot, "%s is '%.60s'; it must be one of %s", key, text, known);
}

void* sis_spot_room(const sis_spot* spot, size_t count, size_t size) {
    void* room = lua_newuserdatauv(spot->L, count * size + 1, 0);
    memset(room, 0, count * size + 1);
    luaL_ref(spot->L, spot->anchor);
    return room;
}

static sis_vec* vec_of_table(const sis_spot* spot, const char* key) {
    lua_State* L = spot->L;
    size_t count = lua_rawlen(L, -1);
    sis_vec* v = sis_vec_push(L, count);
    for (size_t i = 0; i < count; i++) {
        if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TNUMBER)
            sis_spot_refuse(spot, "%s: element %zu is a %s, not a number", key, i + 1,
                            luaL_typename(L, -1));
        v->data[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    luaL_ref(L, spot->anchor);
    return v;
}

const double* sis_spot_numbers(const sis_spot* spot, const char* key, size_t* count) {
    int type = push(spot, key);
    const sis_vec* v = sis_vec_test(spot->L, -1);
    if (!v && type == LUA_TTABLE) v = vec_of_table(spot, key);
    if (!v && type == LUA_TNIL) sis_spot_refuse(spot, "%s is missing: a vec", key);
    if (!v) mismatch(spot, key, "a vec or a list of numbers");
    lua_pop(spot->L, 1);
    *count = v->count;
    return v->data;
}

size_t sis_spot_list(const sis_spot* spot, const char* key) {
    int type = push(spot, key);
    if (type != LUA_TNIL && type != LUA_TTABLE) mismatch(spot, key, "a list of tables");
    if (type == LUA_TNIL) return 0;
    size_t count = lua_rawlen(spot->L, -1), all = 0;
    lua_pushnil(spot->L);
    while (lua_next(spot->L, -2)) {
        all++;
        lua_pop(spot->L, 1);
    }
    if (all != count) sis_spot_refuse(spot, "%s must be a list without keys and holes", key);
    return count;
}

bool sis_spot_table(const sis_spot* spot, const char* key, sis_spot* inner) {
    int type = push(spot, key);
    if (type != LUA_TNIL && type != LUA_TTABLE) mismatch(spot, key, "a table");
    *inner = *spot;
    inner->index = lua_gettop(spot->L);
    snprintf(inner->text, sizeof inner->text, "%.90s, %.20s", spot->text, key);
    if (type == LUA_TNIL) lua_pop(spot->L, 1);
    return type == LUA_TTABLE;
}

sis_spot sis_spot_element(const sis_spot* spot, const char* what, size_t i) {
    sis_spot inner = *spot;
    int type = lua_rawgeti(spot->L, -1, (lua_Integer)i + 1);
    inner.index = lua_gettop(spot->L);
    snprintf(inner.text, sizeof inner.text, "%.80s, %.10s %zu", spot->text, what, i + 1);
    if (type != LUA_TTABLE)
        sis_spot_refuse(&inner, "must be a table, not a %s", luaL_typename(spot->L, -1));
    return inner;
}
