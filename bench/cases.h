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
enum { PIECES_MAX = 64 };

typedef struct timed_case timed_case;
struct timed_case {
    sis_system* system; // NULL: a bare loop, or refused
    sis_state* state;
    void* start;                 // saved state
    double* probes;              // outputs, where they are wanted
    sis_energy* energy;          //
    void (*bare)(timed_case* c); // advances u by c->now samples
    double* u;                   // [numbers], all that a bare loop changes
    double* first;               // [numbers], what u is at the start of each run; NULL: as it was
    size_t numbers;              //
    const void* data;            // what a bare loop reads
    int points;                  // of the grid that move
    int columns;                 // of a plate's bare loop
    int samples;                 // per run
    int from, now;               // of the piece that runs: its first sample, how many
    int pieces;                  // of a run; 0: not known yet
    double least[PIECES_MAX];    // ns, the shortest time of each
    double best;                 // ns per sample; NaN: refused
    double spent;                // ns, all runs
};

/** Starts a table; `quick`: one short run of each case, to see that it works. */
void cases_begin(bool quick);

/** A bare loop over `numbers` doubles, all 0; NULL: one that this machine cannot run. */
timed_case* case_of_loop(void (*bare)(timed_case*), int points, size_t numbers, int samples);

/** From now on every run of this loop begins with u as it is now. */
void case_rewinds(timed_case* c);

/** Takes the system over; NULL: refused, the case then has no time. `outputs`: probes and energies
 * are written too. */
timed_case* case_of_system(sis_system* system, int samples, bool outputs);

/** Runs a case once from its start, timed. */
void case_run(timed_case* c);

/** Runs every case in turn; one that has used `share` nanoseconds rests. */
void cases_measure(double share);

/** Ends the table: frees all cases. */
void cases_end(void);

/** Share of a case's samples in which link l touches, of 1. */
double case_touching(const timed_case* c, int32_t link);

/** Points of link 0 inside at the end of the last run. */
int case_points_inside(const timed_case* c);

/** Exponent p of the least-squares line ln t = a + p ln n; NaN where a time is missing. */
double fitted_exponent(const double* n, const double* t, int count);

/** Numbers in a cache line, and the first of u, or of the LINE after it, that begins one. */
enum { LINE = 8 };
double* on_line(double* u);

/** Does this machine have what the wide loops were compiled for? */
bool can_run_wide(void);

#endif
