/** @file history.h
 * A file of past runs, one row for each workload: what got slower since the last run on the same
 * kind of machine.
 */
#ifndef SISTRUM_BENCH_HISTORY_H
#define SISTRUM_BENCH_HISTORY_H

#include "tables.h"

/** The processor in words, without names of hosts; static text. */
const char* history_machine(void);

/** Prints onto `say` what differs from the last rows of this machine in `path`, then appends the
 * rows of this run. `date`: as the user wrote it, or NULL. Returns how many workloads got slower by
 * more than 15 %, or -1: the file could not be read or written, and errno says why. */
int history_add(const bench_report* r, const char* path, const char* date, FILE* say);

#endif
