/** @file bench.h
 * The bench as one call, for `sistrum bench` and the program bench.
 */
#ifndef SISTRUM_BENCH_BENCH_H
#define SISTRUM_BENCH_BENCH_H

#include <stdbool.h>

typedef struct bench_request {
    bool quick;          // short runs, to see that it works
    bool json;           // print JSON instead of tables
    const char* only;    // one section; NULL: all
    const char* history; // CSV file to compare with and to append to; NULL: none
    const char* date;    // for the history, as the user wrote it; NULL: none
    const char* docs;    // file whose part between the markers is replaced; NULL: none
    const char* counts;  // CSV file of instructions per sample; NULL: none
    const char* program; // sistrum, to be timed as a whole; NULL: it is not
} bench_request;

/** Why it could not be done: one sentence. */
typedef struct bench_fault {
    bool usage; // the request was wrong
    char text[512];
} bench_fault;

/** Runs and prints. False: `fault` says why. */
bool bench_run(const bench_request* request, bench_fault* fault);

/** The names of the sections, then NULL. */
const char* const* bench_sections(void);

/** Steps one workload, "A/ledger", for a profiler that counts instructions; prints how many
 * samples. "list" prints the names instead. */
bool bench_count(const char* name, bench_fault* fault);

#endif
