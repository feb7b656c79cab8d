/** @file play_library.h
 * Libraries that are looked for when they are needed: a machine without JACK runs the program too,
 * and other commands do not wait for libraries they have no use for.
 */
#ifndef SISTRUM_PLAY_LIBRARY_H
#define SISTRUM_PLAY_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/** A function: its name, and where in the table of the caller its address goes. */
typedef struct play_symbol {
    const char* name;
    size_t offset;
} play_symbol;

/** Opens the first of the libraries (up to a NULL) that is there and fills `table`. NULL: there is
 * none, or it lacks a function. It is never closed: some have threads that outlive their use. */
void* play_library_open(const char* const* names, const play_symbol* symbols, size_t count,
                        void* table);

/** As above, but another instance of the library, with globals of its own: for one that cannot be
 * used any more. NULL also where the system cannot do that. */
void* play_library_again(const char* const* names, const play_symbol* symbols, size_t count,
                         void* table);

/** Sends standard error nowhere while libraries talk; returns what play_library_loud takes. */
int play_library_quiet(void);
void play_library_loud(int before);

/** Whether a name of a device or a port contains this, in capitals or not. */
bool play_name_has(const char* name, const char* part);

#endif
