/** @file cast.h
 * --instrument 1=guitar,2=snare,program:25=sitar: which scene plays which channel and which program
 * of a song.
 */
#ifndef SISTRUM_CLI_CAST_H
#define SISTRUM_CLI_CAST_H

#include "options.h"
#include "perform.h"

enum { CAST_MOST = 64 }; // scenes beside the first

typedef struct cast {
    sis_instrument others[CAST_MOST]; // [count]
    sis_script* scripts[CAST_MOST];   // of them, owned
    char* paths[CAST_MOST];           // owned
    sis_setting* settings[CAST_MOST]; // owned
    int32_t count;
} cast;

/** The scene of the first item, for a command that names no other; the caller frees it. NULL: there
 * is none, or no memory. */
char* cast_first(const char* instruments);

/** Loads the scenes and gives them to the performance. Settings are those of --set that a scene
 * has. EXIT_DONE, or a complaint was made. cast_close in any case. */
int cast_open(cast* all, const options* o, sis_performance* p);

/** "guitar.lua, snare.lua": the scenes beside the first. Returns `text`. */
const char* cast_names(const cast* all, char* text, size_t size);

void cast_close(cast* all);

#endif
