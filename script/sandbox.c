// The names a scene can use: these, the words of words.c, and nothing else. The list is part of the
// contract with users (docs/scenes.md).
//
// Left out is what reaches outside (io, os, debug, require, load), what could swallow the error
// that stops a runaway scene (pcall, coroutine, setmetatable), and what runs unbounded inside one
// call where no hook looks (string patterns).
#include <lualib.h>
#include <string.h>

#include "loader.h"

static const char* const base_names[] = {"ipairs", "select", "tonumber", "type", "error", "assert"};
static const char* const string_names[] = {"format", "rep",  "sub",  "upper",  "lower",
                                           "len",    "byte", "char", "reverse"};

// Copies the named functions from the table at `from` into the table on top of the stack.
static void copy(lua_State* L, int from, const char* const* names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        lua_getfield(L, from, names[i]);
        lua_setfield(L, -2, names[i]);
    }
}

#define COPY(L, from, names) copy(L, from, names, sizeof(names) / sizeof((names)[0]))

// string.rep: nothing repeated is nothing, but Lua counts to n to find that out.
static int repeat(lua_State* L) {
    size_t length = 0, separator_length = 0;
    luaL_checklstring(L, 1, &length);
    luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator_length);
    // In the same frame, so that its errors carry the name and line of the call.
    if (length + separator_length > 0) return lua_tocfunction(L, lua_upvalueindex(1))(L);
    lua_pushliteral(L, "");
    return 1;
}

// Tables and functions print as their address, which differs from run to run: here as their kind.
static bool has_address(lua_State* L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
    case LUA_TFUNCTION:
    case LUA_TTHREAD:
    case LUA_TLIGHTUSERDATA:
        return true;
    case LUA_TUSERDATA:
        if (!luaL_getmetafield(L, index, "__tostring")) return true;
        lua_pop(L, 1);
        return false;
    default:
        return false;
    }
}

static int to_text(lua_State* L) {
    luaL_checkany(L, 1);
    if (has_address(L, 1))
        lua_pushstring(L, luaL_typename(L, 1));
    else
        luaL_tolstring(L, 1, NULL);
    return 1;
}

// Does the format ask for an address, as in "%p"?
static bool asks_for_address(const char* format) {
    for (const char* at = format; (at = strchr(at, '%')); at++) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == 'p') return true;
        if (!*at) return false;
    }
    return false;
}

static int format(lua_State* L) {
    if (asks_for_address(luaL_checkstring(L, 1)))
        return luaL_error(L, "string.format: %%p gives an address, which differs from run to run");
    for (int i = 2, top = lua_gettop(L); i <= top; i++)
        if (has_address(L, i)) {
            lua_pushstring(L, luaL_typename(L, i));
            lua_replace(L, i);
        }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// math.randomseed without a number would take one from the clock: every run must be the same.
static int seed(lua_State* L) {
    if (lua_gettop(L) == 0) lua_pushinteger(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1)); // it has the generator as an upvalue of its own
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

// Replaces the function `name` of the table on top of the stack by a guard that may pass on to it.
static void guard(lua_State* L, const char* name, lua_CFunction guarded) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, guarded, 1);
    lua_setfield(L, -2, name);
}

static void open_string(lua_State* L) {
    lua_pushcfunction(L, luaopen_string);
    lua_call(L, 0, 1);
    int all = lua_gettop(L);
    lua_createtable(L, 0, 16);
    COPY(L, all, string_names);
    guard(L, "rep", repeat);
    guard(L, "format", format);
    // ("x"):upper() looks in the metatable of strings: it must find the short list too.
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, all + 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
    lua_remove(L, all);
}

static void open_math(lua_State* L) {
    lua_pushcfunction(L, luaopen_math);
    lua_call(L, 0, 1);
    guard(L, "randomseed", seed);
    lua_getfield(L, -1, "randomseed");
    lua_call(L, 0, 0);
}

void sis_loader_open_names(lua_State* L) {
    lua_createtable(L, 0, 64);
    int names = lua_gettop(L);
    lua_pushcfunction(L, luaopen_base);
    lua_call(L, 0, 1); // fills and returns the table of globals, which is replaced below
    lua_pushvalue(L, names);
    COPY(L, names + 1, base_names);
    lua_settop(L, names);
    lua_pushcfunction(L, sis_loader_pairs);
    lua_setfield(L, names, "pairs");
    lua_pushcfunction(L, sis_loader_next);
    lua_setfield(L, names, "next");
    lua_pushcfunction(L, to_text);
    lua_setfield(L, names, "tostring");
    open_math(L);
    lua_setfield(L, names, "math");
    open_string(L);
    lua_setfield(L, names, "string");
    sis_loader_open_table(L);
    lua_setfield(L, names, "table");
    lua_pushvalue(L, names);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

static const char library_names[] = "sistrum.library"; // in the registry

// A copy of the table on top of the stack, and of the tables in it, on top of it.
static void copy_table(lua_State* L, int depth) {
    int from = lua_gettop(L);
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        if (depth > 0 && lua_type(L, -1) == LUA_TTABLE) {
            copy_table(L, depth - 1);
            lua_remove(L, -2);
        }
        lua_rawset(L, from + 1);
    }
    if (lua_getmetatable(L, from)) lua_setmetatable(L, from + 1);
}

void sis_loader_open(lua_State* L) {
    sis_loader_open_names(L);
    sis_loader_open_words(L);
    copy_table(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, library_names);
}

void sis_loader_open_library(lua_State* L) {
    lua_getfield(L, LUA_REGISTRYINDEX, library_names);
}
