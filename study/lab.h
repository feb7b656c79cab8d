// What the files of the laboratory share. Not installed.
//
// Lua leaves a C function by longjmp when something is wrong: memory that must survive a call into
// Lua lives in userdata, JSON hangs on the lab.
#ifndef SISTRUM_LAB_H
#define SISTRUM_LAB_H

#include "study.h"

#include <lauxlib.h>
#include <lua.h>

typedef struct sis_lab {
    const sis_study* study;
    json_t* result;
    bool told; // about{} has been called
    // limits.c
    double start, most_seconds; // CPU time
    size_t memory, most_memory; // bytes that Lua holds
    bool full;                  // it wanted more
} sis_lab;

sis_lab* sis_lab_of(lua_State* L);

/** The lab; raises before about{}: nothing that may take long runs when a script is only listed. */
sis_lab* sis_lab_after_about(lua_State* L, const char* word);

double sis_lab_clock(void);       // CPU s
void sis_lab_allow(sis_lab* lab); // the limits of its study, from now on
void* sis_lab_allocate(void* data, void* block, size_t old_size, size_t new_size); // a lua_Alloc
void sis_lab_watch(lua_State* L);

/** Numbers in a row, as Lua sees them. */
typedef struct sis_vec {
    size_t count;
    double data[];
} sis_vec;

sis_vec* sis_vec_push(lua_State* L, size_t count); // zeros; on top of the stack
sis_vec* sis_vec_check(lua_State* L, int index);   // raises unless it is one
sis_vec* sis_vec_test(lua_State* L, int index);    // NULL: it is none
void sis_vec_open(lua_State* L);                   // vec, range
void sis_spectra_open(lua_State* L);               // spectrum, pitch, spectrogram
void sis_run_open(lua_State* L);                   // run, inspect, impact, root_limit
void sis_claim_open(lua_State* L);                 // about, claim, choice, misprint
void sis_figure_open(lua_State* L);                // figure

#endif
