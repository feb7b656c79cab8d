// Runs one script of repro/ in a Lua state of its own.

#include "lab.h"

#include <errno.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

// Every Lua state has room for a pointer, which needs no memory of its own.
sis_lab* sis_lab_of(lua_State* L) {
    return *(sis_lab**)lua_getextraspace(L);
}

sis_lab* sis_lab_after_about(lua_State* L, const char* word) {
    sis_lab* lab = sis_lab_of(L);
    if (!lab->told) luaL_error(L, "%s: about{} comes first", word);
    return lab;
}

static int clock_word(lua_State* L) {
    lua_pushnumber(L, sis_lab_clock());
    return 1;
}

/** Loads root/repro/NAME.lua as a chunk named by its place in the tree; raises. */
static void load_script(lua_State* L, const char* name) {
    const sis_lab* lab = sis_lab_of(L);
    if (strstr(name, "..") || *name == '/') luaL_error(L, "'%s' is not a place in repro/", name);
    const char* path = lua_pushfstring(L, "%s/repro/%s.lua", lab->study->root, name);
    FILE* file = fopen(path, "rb");
    if (!file) luaL_error(L, "repro/%s.lua cannot be read: %s", name, strerror(errno));
    char text[1 << 16];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    if (length == sizeof text) luaL_error(L, "repro/%s.lua is too long for a script", name);
    const char* chunk = lua_pushfstring(L, "@repro/%s.lua", name);
    if (luaL_loadbufferx(L, text, length, chunk, "t")) lua_error(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/** use(name): what repro/NAME.lua returns; it runs once. */
static int use(lua_State* L) {
    const char* name = luaL_checkstring(L, 1);
    lua_settop(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "used");
    if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    load_script(L, name);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) return luaL_error(L, "repro/%s.lua returns nothing to use", name);
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}

/** math.max and math.min: a NaN among the numbers is what comes out, so that no claim is made of
 *  the others. */
static int extreme(lua_State* L, int sign) {
    int best = 1, count = lua_gettop(L);
    luaL_checknumber(L, 1);
    for (int i = 1; i <= count; i++) {
        luaL_checknumber(L, i);
        if (!lua_rawequal(L, i, i)) { // NaN
            lua_pushvalue(L, i);
            return 1;
        }
        if (lua_compare(L, sign > 0 ? best : i, sign > 0 ? i : best, LUA_OPLT)) best = i;
    }
    lua_pushvalue(L, best);
    return 1;
}

static int highest(lua_State* L) {
    return extreme(L, 1);
}

static int lowest(lua_State* L) {
    return extreme(L, -1);
}

/** The names a script can use: no files, no programs, no other code. */
static void open_words(lua_State* L) {
    static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                         {LUA_MATHLIBNAME, luaopen_math},
                                         {LUA_STRLIBNAME, luaopen_string},
                                         {LUA_TABLIBNAME, luaopen_table}};
    static const char* const absent[] = {"dofile", "loadfile", "load", "print"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        lua_pushnil(L);
        lua_setglobal(L, absent[i]);
    }
    lua_getglobal(L, LUA_MATHLIBNAME);
    lua_pushcfunction(L, highest);
    lua_setfield(L, -2, "max");
    lua_pushcfunction(L, lowest);
    lua_setfield(L, -2, "min");
    lua_pop(L, 1);
    lua_register(L, "use", use);
    lua_register(L, "clock", clock_word);
    lua_pushboolean(L, sis_lab_of(L)->study->out != NULL);
    lua_setglobal(L, "pictures");
    sis_vec_open(L);
    sis_spectra_open(L);
    sis_run_open(L);
    sis_claim_open(L);
    sis_figure_open(L);
}

static int run_script(lua_State* L) {
    const sis_study* study = sis_lab_of(L)->study;
    open_words(L);
    load_script(L, lua_pushfstring(L, "%s/%s", study->paper, study->item));
    lua_call(L, 0, 0);
    if (!sis_lab_of(L)->told) return luaL_error(L, "the script has no about{}");
    return 0;
}

static json_t* empty_result(const sis_study* study) {
    return json_pack("{ssss s[]s[]s[]s[]s[]s[]sbss}", "paper", study->paper, "item", study->item,
                     "claims", "choices", "misprints", "figures", "scenes", "surprises", "inside",
                     0, "verdict", "");
}

/** Runs protected; false: the sentence is in `fault`. */
static bool run_protected(lua_State* L, sis_lab* lab, sis_fault* fault) {
    const char *paper = lab->study->paper, *item = lab->study->item;
    *(sis_lab**)lua_getextraspace(L) = lab;
    sis_lab_watch(L);
    lua_pushcfunction(L, run_script);
    int status = lua_pcall(L, 0, 0, 0);
    if (!status) return true;
    if (lab->study->only_about && lua_touserdata(L, -1) == lab) return true;
    if (status == LUA_ERRMEM && lab->full)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "%s/%s: the script needs more than %.3g GB of memory and was stopped",
                             paper, item, (double)lab->most_memory / (1 << 30));
    const char* reason = lua_tostring(L, -1);
    return sis_fault_set(fault, SIS_FAULT_RUN, "%s/%s: %s", paper, item,
                         reason ? reason : "the script failed without a reason");
}

json_t* sis_study_run(const sis_study* study, sis_fault* fault) {
    sis_lab lab = {.study = study, .result = empty_result(study)};
    sis_lab_allow(&lab);
    lua_State* L = lua_newstate(sis_lab_allocate, &lab);
    bool done = L && lab.result ? run_protected(L, &lab, fault) : sis_fault_no_memory(fault);
    if (L) lua_close(L);
    if (done) {
        json_object_set_new(lab.result, "seconds", json_real(sis_lab_clock() - lab.start));
        json_object_set_new(lab.result, "drawn", json_boolean(study->out != NULL));
        return lab.result;
    }
    json_decref(lab.result);
    return NULL;
}
