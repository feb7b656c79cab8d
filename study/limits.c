// What keeps a script from running for ever or eating the machine.
//
// Memory: an allocator with a cap. Time: a hook that Lua calls every few thousand instructions
// reads the clock. What takes long inside one word, such as a run, is the pool's to end.

#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define INSTRUCTIONS_PER_LOOK 5000
#define ABOUT_SECONDS         2.0

double sis_lab_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sis_lab_allow(sis_lab* lab) {
    const sis_study* study = lab->study;
    double usual = study->only_about ? ABOUT_SECONDS : SIS_STUDY_SECONDS;
    lab->start = sis_lab_clock();
    lab->most_seconds = study->seconds > 0 ? study->seconds : usual;
    lab->most_memory = study->memory ? study->memory : SIS_STUDY_MEMORY;
}

void* sis_lab_allocate(void* data, void* block, size_t old_size, size_t new_size) {
    sis_lab* lab = data;
    size_t held = block ? old_size : 0; // of a new block the old size is its type
    if (new_size == 0) {
        free(block);
        lab->memory -= held;
        return NULL;
    }
    if (new_size > held && new_size - held > lab->most_memory - lab->memory) {
        lab->full = true;
        return NULL;
    }
    void* moved = realloc(block, new_size);
    if (!moved && new_size <= held) moved = block; // Lua counts on shrinking to succeed
    if (moved) lab->memory += new_size - held;
    return moved;
}

static void on_count(lua_State* L, lua_Debug* where) {
    const sis_lab* lab = sis_lab_of(L);
    if (sis_lab_clock() - lab->start <= lab->most_seconds) return;
    // From now on every instruction is one too many: no pcall around a loop goes on.
    lua_sethook(L, on_count, LUA_MASKCOUNT, 1);
    lua_getinfo(L, "Sl", where);
    char most[32];
    snprintf(most, sizeof most, "%g", lab->most_seconds);
    lua_pushfstring(
        L, "%s:%d: the script runs for more than %s s%s and was stopped (an endless loop?)",
        where->short_src, where->currentline, most, lab->told ? "" : " before about{}");
    lua_error(L);
}

void sis_lab_watch(lua_State* L) {
    lua_sethook(L, on_count, LUA_MASKCOUNT, INSTRUCTIONS_PER_LOOK);
}
