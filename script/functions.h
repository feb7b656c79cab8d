/** @file functions.h
 * Functions of samples, written in Lua by a user: own measures of a study. They run in the sandbox of
 * scenes without its words, with a budget of memory and instructions.
 *
 *   function zero_crossings(samples, rate) ... return number end
 *
 * `samples` is a table of numbers, `rate` is in Hz. One sis_functions serves one sound, so that a
 * function cannot carry anything from one sound to the next.
 */
#ifndef SISTRUM_FUNCTIONS_H
#define SISTRUM_FUNCTIONS_H

#include "script.h"

typedef struct sis_functions sis_functions;

/** Runs the file, whose `size` bytes are `text`; `name` stands for it in errors. `samples` is how many
 * its functions will be given: their memory and work grow with it. [setup] The caller frees it.
 * NULL: `error` says why. */
sis_functions* sis_functions_open(const char* text, size_t size, const char* name, size_t samples,
                                  sis_script_error* error);

/** NULL is fine. [setup] */
void sis_functions_free(sis_functions* functions);

/** How many functions the file has made, and the i-th by name in the order of the alphabet. [any]
 * NULL: i is out of range. */
int32_t sis_functions_count(const sis_functions* functions);
const char* sis_functions_name(const sis_functions* functions, int32_t i);

/** The samples for all calls that follow. [setup] */
bool sis_functions_give(sis_functions* functions, const double* samples, size_t count,
                        sis_script_error* error);

/** What the function of that name returns for them: a number, which may be NaN. [setup] False: it
 * returned something else, failed or took too long, as `error` says. */
bool sis_functions_call(sis_functions* functions, const char* name, double rate, double* value,
                        sis_script_error* error);

#endif
