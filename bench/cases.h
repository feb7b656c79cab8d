/** @file cases.h
 * Cases that are timed together. Every run of a case starts from the same saved state, so that it
 * does the same work each time; the best of all runs counts, in CPU time of this thread. The cases
 * of a table take turns, so that a machine that slows down slows all of them.
 */
#ifndef SISTRUM_BENCH_CASES_H
#define SISTRUM_BENCH_CASES_H

#include "sistrum/sistrum.h"

#include <stdbool.h>

/** One thing to time: a system from its start, or a bare loop over an array. */
typedef struct timed_case timed_case;
struct timed_case {
    sis_system* system; // NULL: a bare loop, or refused
    sis_state* state;
    void* start;                 // saved state
    double* probes;              // outputs, where they are wanted
    sis_energy* energy;          //
    void (*bare)(timed_case* c); // advances u by c->samples
    double* u;                   // [numbers], both levels of a bare loop
    size_t numbers;              //
    int points;                  // of the grid that move
    int columns;                 // of a plate's bare loop
    int samples;                 // per run
    double best;                 // ns per sample; NaN: refused
    double spent;                // ns, all runs
};

/** Starts a table; `quick`: one short run of each case, to see that it works. */
void cases_begin(bool quick);

/** A bare loop over `numbers` doubles, all 0; NULL: one that this machine cannot run. */
timed_case* case_of_loop(void (*bare)(timed_case*), int points, size_t numbers, int samples);

/** Takes the system over; NULL: refused, the case then has no time. `outputs`: probes and energies
 * are written too. */
timed_case* case_of_system(sis_system* system, int samples, bool outputs);

/** Runs every case in turn; one that has used `share` nanoseconds rests. */
void cases_measure(double share);

/** Ends the table. */
void cases_end(void);

/** A number, or a dash for what was refused. */
void print_number(double value, int width, int digits);

/** Does this machine have what the wide loops of stencil.c were compiled for? */
bool can_run_wide(void);

#endif
