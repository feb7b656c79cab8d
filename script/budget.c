// What keeps a scene from running for ever or eating the machine.
//
// Memory: an allocator with a cap. Time: a hook that Lua calls every few instructions counts them,
// library functions that run over many elements in one call count those, and now and then the clock
// is read, in case the instructions are slow ones. No scene can catch the error: it has no pcall,
// no coroutines and no metatables.
#include <stdlib.h>
#include <time.h>

#include "loader.h"

enum {
    INSTRUCTIONS_PER_HOOK = 100, // few: one instruction may copy a megabyte or rehash a large table
    WORK_PER_LOOK = 100,         // between two looks at the clock
    MOST_REFUSALS = 8,
};

const sis_limits sis_limits_default = {
    .memory = (size_t)32 << 20,
    .text = (size_t)1 << 20,
    .work = 50000000,
    .seconds = 1.0,
    .elements = 4000000,
    .points = 1000000,
    .params = 1000,
    .height_work = 100000,
    .height_seconds = 0.05,
    .cheap_work = 1000,
    .cheap_seconds = 50e-6,
};

static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sis_loader_allow(sis_loader* loader, uint64_t work, double seconds) {
    loader->work = 0;
    loader->next_look = 0;
    loader->most_work = work;
    loader->most_seconds = seconds;
    loader->refusals = 0;
    loader->text_too_big = false;
    loader->starved = false;
    loader->last_line = 0;
    loader->wall_start = seconds_of(CLOCK_MONOTONIC);
    loader->cpu_start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double sis_loader_seconds(const sis_loader* loader) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) - loader->cpu_start;
}

// The time of this thread decides, so that a busy machine refuses nothing; but it costs a system
// call, so it is asked only once the wall clock, which is never behind it, says that it may be
// late.
static bool is_late(const sis_loader* loader) {
    double limit = loader->most_seconds;
    return seconds_of(CLOCK_MONOTONIC) - loader->wall_start > limit &&
           sis_loader_seconds(loader) > limit;
}

void sis_loader_spend(lua_State* L, uint64_t work) {
    sis_loader* loader = sis_loader_of(L);
    bool too_much = work > loader->most_work - loader->work;
    loader->work = too_much ? loader->most_work : loader->work + work;
    if (!too_much && loader->work < loader->next_look) return;
    loader->next_look = loader->work + WORK_PER_LOOK;
    if (too_much || is_late(loader))
        sis_loader_refuse(L, "%s too long and was stopped (an endless loop?)",
                          loader->finished ? "it takes" : "the scene runs");
}

static void on_count(lua_State* L, lua_Debug* where) {
    (void)where;
    sis_loader_of(L)->last_line = sis_loader_line(L);
    sis_loader_spend(L, INSTRUCTIONS_PER_HOOK);
}

void sis_loader_watch(lua_State* L) {
    lua_sethook(L, on_count, LUA_MASKCOUNT, INSTRUCTIONS_PER_HOOK);
}

// For a new block Lua passes the type of the object as its old size.
static bool may_grow(sis_loader* loader, const void* block, size_t old_size, size_t new_size) {
    bool is_text = !block && old_size == LUA_TSTRING;
    size_t grown = new_size - (block ? old_size : 0);
    bool too_big = is_text && new_size > loader->limits.text;
    // Every refusal makes Lua collect all its garbage and ask once more. A scene that lives at the
    // limit would do so at every step, so after a few of them no is no.
    if (!too_big && loader->refusals < MOST_REFUSALS && loader->memory <= loader->limits.memory &&
        grown <= loader->limits.memory - loader->memory)
        return true;
    loader->refusals++;
    loader->text_too_big = too_big;
    return false;
}

void* sis_loader_allocate(void* data, void* block, size_t old_size, size_t new_size) {
    sis_loader* loader = data;
    size_t held = block ? old_size : 0;
    if (new_size == 0) {
        free(block);
        loader->memory -= held;
        return NULL;
    }
    if (new_size > held && !may_grow(loader, block, old_size, new_size)) return NULL;
    void* moved = realloc(block, new_size);
    if (!moved && new_size <= held) moved = block; // Lua counts on shrinking to succeed
    if (new_size > held) loader->starved = !moved;
    if (!moved) return NULL;
    loader->memory = loader->memory - held + new_size;
    return moved;
}
