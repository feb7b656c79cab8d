/** @file library.h
 * The files that use "NAME" loads into a scene. Their texts are inside the program, so that every
 * host has them, a page and a plugin too. A file that was shipped stays as it is, since scenes and
 * saved projects sound by it; a better one gets a name of its own.
 */
#ifndef SISTRUM_LIBRARY_H
#define SISTRUM_LIBRARY_H

#include <stdint.h>

typedef struct sis_library_file {
    const char* name; // "bodies/guitar"
    const char* what; // in a few words
    const char* text; // Lua
} sis_library_file;

/** File i of the library, in the order of their names; NULL: there is none. [any] */
const sis_library_file* sis_library_at(int32_t i);

#endif
