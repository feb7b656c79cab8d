// The words that make objects: each takes one table and is one walk over the rows of the schema.
//
//   mass{ mass = 0.01 } --keys known?--> rows --sis_loader_fill_key--> definition --> sis_scene_add
//
// Nothing here knows what a mass is. The few keys that differ from the schema are in spell.c.
#include <stdlib.h>
#include <string.h>

#include "loader.h"

static const char handle_type[] = "sistrum.handle";

enum { MOST_KEYS = 64 }; // of one word

bool sis_loader_is_word(const char* name) {
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++)
        if (strcmp(name, sis_kind_word((sis_kind)kind)) == 0) return true;
    static const char* const own[] = {"param", "play", "preset", "use"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(name, own[i]) == 0) return true;
    return false;
}

// Heights are read when the scene is finished and being compiled.
void sis_loader_check_open(lua_State* L, const char* word) {
    if (sis_loader_of(L)->finished)
        sis_loader_refuse(
            L, "%s{} cannot be used in a function of a place: the scene is finished by then", word);
}

// ---------------------------------------------------------------------------- handles

sis_handle* sis_loader_handle(lua_State* L, int index) {
    return luaL_testudata(L, index, handle_type);
}

static void push_handle(lua_State* L, sis_id id, sis_kind kind) {
    sis_handle* handle = lua_newuserdatauv(L, sizeof *handle, 0);
    *handle = (sis_handle){.id = id, .kind = kind};
    luaL_setmetatable(L, handle_type);
}

static int handle_text(lua_State* L) {
    const sis_handle* handle = luaL_checkudata(L, 1, handle_type);
    lua_pushfstring(L, "%s '%s'", sis_kind_word(handle->kind),
                    sis_scene_name(sis_loader_of(L)->script->scene, handle->id));
    return 1;
}

// ---------------------------------------------------------------------------- keys

_Noreturn static void refuse_key(lua_State* L, const char* word, const char* const* keys, int count,
                                 const char* key) {
    sis_suggestion suggestion = sis_suggest(key);
    sis_sentence all = {.length = 0};
    for (int i = 0; i < count; i++) {
        sis_suggest_from(&suggestion, keys[i]);
        sis_say(&all, "%s%s", i ? ", " : "", keys[i]);
    }
    sis_loader_key_is(L, key);
    if (suggestion.best)
        sis_loader_refuse(L, "%s: unknown key '%.60s' (did you mean '%s'?)", word, key,
                          suggestion.best);
    sis_loader_refuse(L, "%s: unknown key '%.60s'; its keys are %s", word, key, all.text);
}

static bool is_one_of(const char* const* keys, int count, const char* key) {
    for (int i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

void sis_loader_check_keys(lua_State* L, const char* word, const char* const* keys, int count,
                           int places, const char* misuse) {
    const char* wrong = NULL; // the first in the alphabet: Lua shows them in any order
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= places)
            continue;
        if (lua_type(L, -1) != LUA_TSTRING && misuse) sis_loader_refuse(L, "%s: %s", word, misuse);
        if (lua_type(L, -1) != LUA_TSTRING)
            sis_loader_refuse(L, "%s: a value has no key; write %s{ key = value, ... }", word,
                              word);
        const char* key = lua_tostring(L, -1);
        if (!is_one_of(keys, count, key) && (!wrong || strcmp(key, wrong) < 0)) wrong = key;
    }
    if (wrong) refuse_key(L, word, keys, count, wrong);
}

// ---------------------------------------------------------------------------- the generic word

// Where the line of the object that is added next is kept.
static int32_t* line_of_next(lua_State* L) {
    sis_script* script = sis_loader_of(L)->script;
    int32_t id = sis_scene_count(script->scene);
    if (id >= script->line_room) {
        int32_t room = 2 * id + 32;
        int32_t* lines = realloc(script->lines, (size_t)room * sizeof *lines);
        if (!lines) sis_loader_starve(L);
        memset(lines + script->line_room, 0, (size_t)(room - script->line_room) * sizeof *lines);
        script->lines = lines;
        script->line_room = room;
    }
    return &script->lines[id];
}

_Noreturn void sis_loader_refuse_error(lua_State* L, const sis_error* error) {
    sis_loader_key_is(L, error->key);
    if (error->status == SIS_NO_MEMORY) sis_loader_starve(L);
    sis_loader_refuse(L, "%s", error->text);
}

sis_id sis_loader_add(lua_State* L, sis_kind kind, const void* def) {
    sis_error error = {.status = SIS_OK};
    int32_t* line = line_of_next(L);
    sis_id id = sis_scene_add(sis_loader_of(L)->script->scene, kind, def, &error);
    if (id == SIS_NONE) sis_loader_refuse_error(L, &error);
    *line = sis_loader_line(L);
    return id;
}

// Upvalue 1 is the kind. The definition and what it points to stay on the stack until it is added.
static int word(lua_State* L) {
    sis_kind kind = (sis_kind)lua_tointeger(L, lua_upvalueindex(1));
    const char* name = sis_kind_word(kind);
    sis_loader_check_open(L, name);
    sis_loader_begin(L, name);
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "%s: takes one table, as in %s{ ... }", name, name);
    int32_t count = 0, leading = 0;
    const sis_field *fields = sis_schema(&count), *lead[MOST_KEYS] = {NULL};
    const char* keys[MOST_KEYS] = {NULL};
    sis_loader_check_stack(L, 2 * MOST_KEYS + 16);
    void* def = lua_newuserdatauv(L, sis_def_size(kind), 0);
    sis_def_default(kind, def);
    for (int32_t i = 0; i < count && leading < MOST_KEYS; i++)
        if (fields[i].kind == kind && sis_loader_leads(&fields[i])) {
            keys[leading] = sis_loader_key(&fields[i]);
            lead[leading++] = &fields[i];
        }
    sis_loader_check_keys(L, name, keys, leading, 0, NULL);
    for (int32_t i = 0; i < leading; i++)
        sis_loader_fill_key(L, lead[i], def);
    if (kind == SIS_KIND_CONTACT) sis_loader_check_pairs(L, def);

    push_handle(L, SIS_NONE, kind); // before the add: it may run out of memory
    sis_handle* handle = sis_loader_handle(L, -1);
    handle->id = sis_loader_add(L, kind, def);
    sis_loader_name_profile(kind, def, handle->id);
    sis_loader_bind(L, handle->id);
    sis_loader_end(L);
    return 1;
}

// `string` is Lua's library and, when called, the word; Lua passes the library as first argument.
static int call_string(lua_State* L) {
    lua_remove(L, 1);
    return word(L);
}

// ---------------------------------------------------------------------------- into the sandbox

static void push_word(lua_State* L, lua_CFunction function, sis_kind kind) {
    lua_pushinteger(L, kind);
    lua_pushcclosure(L, function, 1);
}

static void make_string_callable(lua_State* L) {
    lua_getfield(L, -1, "string");
    lua_createtable(L, 0, 2);
    push_word(L, call_string, SIS_KIND_STRING);
    lua_setfield(L, -2, "__call");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

void sis_loader_open_words(lua_State* L) {
    luaL_newmetatable(L, handle_type);
    lua_pushcfunction(L, handle_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "body"); // "attempt to index a body value"
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++) {
        if (kind == SIS_KIND_STRING || kind == SIS_KIND_INPUT) continue;
        push_word(L, word, (sis_kind)kind);
        lua_setfield(L, -2, sis_kind_word((sis_kind)kind));
    }
    sis_loader_open_inputs(L);
    lua_pushcfunction(L, sis_loader_param);
    lua_setfield(L, -2, "param");
    lua_pushcfunction(L, sis_loader_play);
    lua_setfield(L, -2, "play");
    lua_pushcfunction(L, sis_loader_preset);
    lua_setfield(L, -2, "preset");
    lua_pushcfunction(L, sis_loader_use);
    lua_setfield(L, -2, "use");
    make_string_callable(L);
}
