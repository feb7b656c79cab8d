// The keys of words that are not rows of the schema: param and play.
#include <string.h>

#include "loader.h"

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
        if (lua_type(L, -1) != LUA_TSTRING) sis_loader_refuse(L, "%s: %s", word, misuse);
        const char* key = lua_tostring(L, -1);
        if (!is_one_of(keys, count, key) && (!wrong || strcmp(key, wrong) < 0)) wrong = key;
    }
    if (wrong) refuse_key(L, word, keys, count, wrong);
}
