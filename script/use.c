// use "bodies/guitar", or use{ "bodies/guitar", size = 1.1 }: runs a file of the shipped library
// inside the scene, in a sandbox of the same names and on the same budget, and returns what it
// returns. What the scene has made of its names (type = "nylon") does not reach the file.
#include <stdio.h>
#include <string.h>

#include "library.h"
#include "loader.h"
#include "suggest.h"

static const char misuse[] = "takes the name of a file of the library, as in "
                             "use \"bodies/guitar\" or use{ \"bodies/guitar\", size = 1.1 }";

enum { PIECE = 512 }; // bytes given to the parser between two looks at the clock

/** Text that has not been given to the parser yet. */
typedef struct unread {
    const char* text;
    size_t left;
} unread;

// Small pieces, because parsing runs no instructions and some texts take very long to parse.
static const char* next_piece(lua_State* L, void* data, size_t* size) {
    unread* rest = data;
    const char* piece = rest->text;
    *size = rest->left < PIECE ? rest->left : PIECE;
    rest->text += *size;
    rest->left -= *size;
    sis_loader_spend(L, *size);
    return piece;
}

void sis_loader_parse(lua_State* L, const char* text, size_t size, const char* name) {
    unread rest = {.text = text, .left = size};
    if (lua_load(L, next_piece, &rest, name, "t") != LUA_OK) lua_error(L);
}

static const sis_library_file* find(lua_State* L, const char* name) {
    sis_suggestion suggestion = sis_suggest(name);
    sis_sentence all = {.length = 0};
    const sis_library_file* file;
    for (int32_t i = 0; (file = sis_library_at(i)); i++) {
        if (strcmp(file->name, name) == 0) return file;
        sis_suggest_from(&suggestion, file->name);
        sis_say(&all, "%s%s", i ? ", " : "", file->name);
    }
    if (suggestion.best)
        sis_loader_refuse(L, "use: the library has no '%.60s' (did you mean '%s'?)", name,
                          suggestion.best);
    sis_loader_refuse(L, "use: the library has no '%.60s'; it has %s", name, all.text);
}

static void check_range(lua_State* L, const char* key, double min, double max, const char* unit) {
    sis_loader_key_is(L, key);
    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        sis_loader_expect_number(L, "use", key, unit, lua_gettop(L));
        sis_loader_check_number(L, "use", key, lua_tonumber(L, -1), min, max, unit);
    }
    lua_pop(L, 1);
}

// What the scene changes of a body; the table is at 1, and the file is given it.
static void check_changes(lua_State* L) {
    static const char* const keys[] = {"name", "size", "decay", "highest"};
    sis_loader_check_keys(L, "use", keys, sizeof keys / sizeof keys[0], 1, misuse);
    sis_loader_key_is(L, "name");
    if (lua_getfield(L, 1, "name") != LUA_TNIL)
        sis_loader_check_text(L, "use", "name", lua_gettop(L));
    lua_pop(L, 1);
    check_range(L, "size", 0.1, 10, "");
    check_range(L, "decay", 0.01, 100, "");
    check_range(L, "highest", 1000, 90000, "Hz");
}

int sis_loader_use(lua_State* L) {
    sis_loader_check_open(L, "use");
    sis_loader_begin(L, "use");
    sis_loader_check_stack(L, 16);
    if (lua_type(L, 1) == LUA_TSTRING) {
        lua_createtable(L, 1, 0);
        lua_insert(L, 1);
        lua_rawseti(L, 1, 1);
    }
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE) sis_loader_refuse(L, "use: %s", misuse);
    check_changes(L);
    if (lua_rawgeti(L, 1, 1) == LUA_TNIL) sis_loader_refuse(L, "use: %s", misuse);
    const sis_library_file* file = find(L, sis_loader_check_text(L, "use", "the file", 2));
    sis_loader_end(L);
    char source[64];
    snprintf(source, sizeof source, "=%s", file->name);
    sis_loader_parse(L, file->text, strlen(file->text), source);
    sis_loader_open_library(L);
    lua_setupvalue(L, -2, 1); // _ENV
    lua_replace(L, 2);
    lua_insert(L, 1);
    lua_call(L, 1, LUA_MULTRET);
    return lua_gettop(L);
}
