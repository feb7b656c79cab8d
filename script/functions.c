#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

enum {
    FUNCTIONS_MOST = 64,     // of one file
    FUNCTION_TEXT = 1 << 18, // bytes of a file: parsing runs no instructions that could be counted
    FUNCTION_NAME = 64,
    SAMPLE_BYTES = 64,    // of memory for each sample: a table of them takes 16
    SAMPLE_WORK = 1000,   // instructions for each sample
    FUNCTION_SECONDS = 30 // of CPU time, in case single instructions are slow
};

struct sis_functions {
    sis_script script; // what the loader says errors with; it has no scene
    char names[FUNCTIONS_MOST][FUNCTION_NAME];
    int32_t count;
    const double* samples; // while they are handed over
    size_t sample_count;
    const char* call; // the function that is called,
    double rate;      // with this,
    double value;     // and what it returned
};

/** The registry holds the samples under this key. */
static const char samples_key = 0;

static sis_functions* functions_of(lua_State* L) {
    return (sis_functions*)sis_loader_of(L)->script; // its first member
}

// ---------------------------------------------------------------------------- the file

static int by_name(const void* a, const void* b) {
    return strcmp(a, b);
}

/** Functions that are new among the globals: those of the file. */
static void list_functions(lua_State* L, int names, int before) {
    sis_functions* f = functions_of(L);
    lua_pushnil(L);
    while (lua_next(L, names)) {
        bool own = lua_type(L, -1) == LUA_TFUNCTION && lua_type(L, -2) == LUA_TSTRING;
        if (own) {
            lua_pushvalue(L, -2);
            own = lua_rawget(L, before) == LUA_TNIL;
            lua_pop(L, 1);
        }
        const char* name = own ? lua_tostring(L, -2) : "";
        if (own && strlen(name) >= FUNCTION_NAME)
            sis_loader_refuse(L, "the name of a function is longer than %d bytes",
                              FUNCTION_NAME - 1);
        if (own && f->count == FUNCTIONS_MOST)
            sis_loader_refuse(L, "there are more than %d functions", FUNCTIONS_MOST);
        if (own) snprintf(f->names[f->count++], FUNCTION_NAME, "%s", name);
        lua_pop(L, 1);
    }
    qsort(f->names, (size_t)f->count, sizeof f->names[0], by_name);
}

/** A table with the keys of the one at `from`. */
static void copy_keys(lua_State* L, int from) {
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushboolean(L, true);
        lua_rawset(L, -4);
    }
}

static int run_file(lua_State* L) {
    sis_loader* loader = sis_loader_of(L);
    sis_loader_open_names(L);
    lua_settop(L, 1); // the globals
    copy_keys(L, 1);
    if (luaL_loadbufferx(L, loader->text, loader->left, "=" SIS_SOURCE, "t") != LUA_OK)
        return lua_error(L);
    sis_loader_watch(L);
    lua_call(L, 0, 0);
    list_functions(L, 1, 2);
    return 0;
}

/** A protected call, with its error in words. */
static bool call(sis_functions* f, lua_CFunction function, uint64_t work, sis_script_error* error) {
    sis_loader* loader = &f->script.loader;
    lua_State* L = loader->lua;
    sis_loader_allow(loader, work, FUNCTION_SECONDS);
    loader->line = 0;
    lua_pushcfunction(L, sis_loader_note_line);
    lua_pushcfunction(L, function);
    int status = lua_pcall(L, 0, 0, 1);
    if (status != LUA_OK) sis_loader_explain(L, loader, status, f->script.name, error);
    lua_settop(L, 0);
    return status == LUA_OK;
}

static bool refuse(sis_functions* f, sis_script_status status, const char* sentence,
                   sis_script_error* error) {
    *error = (sis_script_error){.status = status};
    sis_loader_tell(error, status, f ? f->script.name : "measures", 0, sentence);
    return false;
}

static bool open_file(sis_functions* f, const char* text, size_t size, sis_script_error* error) {
    sis_loader* loader = &f->script.loader;
    if (size > FUNCTION_TEXT)
        return refuse(f, SIS_SCRIPT_WRONG, "it is too long for a file of measures", error);
    loader->lua = lua_newstate(sis_loader_allocate, loader);
    if (!loader->lua)
        return refuse(f, SIS_SCRIPT_NO_MEMORY, "there is no memory left for its functions", error);
    *(sis_loader**)lua_getextraspace(loader->lua) = loader;
    loader->text = text;
    loader->left = size;
    bool fine = call(f, run_file, loader->limits.work, error);
    loader->text = NULL;
    if (fine && !f->count)
        return refuse(f, SIS_SCRIPT_WRONG,
                      "it has no function: write function NAME(samples, rate) return ... end",
                      error);
    loader->finished = true;
    return fine;
}

sis_functions* sis_functions_open(const char* text, size_t size, const char* name, size_t samples,
                                  sis_script_error* error) {
    sis_functions* f = calloc(1, sizeof *f);
    if (!f) {
        refuse(NULL, SIS_SCRIPT_NO_MEMORY, "there is no memory left for its functions", error);
        return NULL;
    }
    *error = (sis_script_error){.status = SIS_SCRIPT_OK};
    sis_clean(name, f->script.name, sizeof f->script.name);
    f->script.loader = (sis_loader){.script = &f->script,
                                    .height_of = SIS_NONE,
                                    .limits = sis_limits_default,
                                    .status = SIS_SCRIPT_WRONG};
    f->script.loader.limits.memory += SAMPLE_BYTES * samples;
    f->script.loader.limits.work += SAMPLE_WORK * samples;
    if (open_file(f, text, size, error)) return f;
    sis_functions_free(f);
    return NULL;
}

void sis_functions_free(sis_functions* functions) {
    if (!functions) return;
    if (functions->script.loader.lua) lua_close(functions->script.loader.lua);
    free(functions);
}

int32_t sis_functions_count(const sis_functions* functions) {
    return functions->count;
}

const char* sis_functions_name(const sis_functions* functions, int32_t i) {
    return i >= 0 && i < functions->count ? functions->names[i] : NULL;
}

// ---------------------------------------------------------------------------- calls

static int push_samples(lua_State* L) {
    const sis_functions* f = functions_of(L);
    lua_createtable(L, (int)f->sample_count, 0);
    for (size_t i = 0; i < f->sample_count; i++) {
        lua_pushnumber(L, f->samples[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &samples_key);
    return 0;
}

bool sis_functions_give(sis_functions* functions, const double* samples, size_t count,
                        sis_script_error* error) {
    functions->samples = samples;
    functions->sample_count = count;
    bool fine = count < INT32_MAX
                    ? call(functions, push_samples, functions->script.loader.limits.work, error)
                    : refuse(functions, SIS_SCRIPT_WRONG, "too many samples for a table", error);
    functions->samples = NULL;
    return fine;
}

static int call_function(lua_State* L) {
    sis_functions* f = functions_of(L);
    lua_getglobal(L, f->call);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &samples_key);
    lua_pushnumber(L, f->rate);
    lua_call(L, 2, 1);
    int is_number = 0;
    f->value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumberx(L, -1, &is_number) : 0;
    if (!is_number)
        sis_loader_refuse(L, "%s() returned %s; it must return a number", f->call,
                          luaL_typename(L, -1));
    return 0;
}

bool sis_functions_call(sis_functions* functions, const char* name, double rate, double* value,
                        sis_script_error* error) {
    functions->call = name;
    functions->rate = rate;
    bool fine = call(functions, call_function, functions->script.loader.limits.work, error);
    *value = functions->value;
    return fine;
}
