/** @file stencil_cases.h
 * The bare stencils of stencil.c as cases, for tables that compare with them.
 */
#ifndef SISTRUM_BENCH_STENCIL_CASES_H
#define SISTRUM_BENCH_STENCIL_CASES_H

#include "cases.h"

/** Wide where the machine can: no time otherwise. */
timed_case* limit_of_string(int points, int samples, bool wide);
timed_case* limit_of_plate(int columns, int rows, int samples, bool wide);

#endif
