/** @file strings.h
 * The second half of the bench: what strings cost.
 */
#ifndef SISTRUM_BENCH_STRINGS_H
#define SISTRUM_BENCH_STRINGS_H

#include <stdbool.h>

/** Measures and prints all tables of strings; `quick`: short runs, to see that it works. */
void bench_strings(bool quick);

#endif
