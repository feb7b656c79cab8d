/** @file run.h
 * The one loop that runs a compiled scene: steps in blocks and hands them to sinks. Memory is one
 * block and what the sinks hold, whatever the duration.
 *
 * Words: a *step* is one sample of the solver, a *row* is one sample of the outputs, and there are
 * `oversample` steps to a row. Row n is step n * oversample.
 */
#ifndef SISTRUM_OUT_RUN_H
#define SISTRUM_OUT_RUN_H

#include "fault.h"
#include "store.h"

#include <sistrum/sistrum.h>

/** How long and how fine a run is. */
typedef struct sis_plan {
    double rate;        // Hz, rows per second
    int32_t oversample; // steps per row
    double duration;    // s
    uint64_t rows;      // round(rate x duration)
} sis_plan;

/** Counts the rows. A plan without rows or with more than 2^52 steps is refused: beyond it the
 *  times of two steps could be the same double. */
bool sis_plan_make(double rate, int32_t oversample, double duration, sis_plan* plan,
                   sis_fault* fault);

/** Steps of the whole run, and steps per second. */
uint64_t sis_plan_steps(const sis_plan* plan);
double sis_plan_step_rate(const sis_plan* plan);

/** A block of steps on its way to the sinks. */
typedef struct sis_frames {
    const sis_system* system;
    const sis_state* state; ///< after the block
    uint64_t first;         ///< step of the first frame
    int32_t count;          ///< frames, at most SIS_FRAMES_MAX
    int32_t probe_count;
    const double* probes;     ///< [count][probe_count]
    const sis_energy* energy; ///< [energies]: half a step after a frame; NULL: unaudited
    int32_t energies;         ///< `count`: of every frame; 1: of the last one
    const double* inputs;     ///< [count][input_count]; NULL: they keep their values
} sis_frames;

#define SIS_FRAMES_MAX 1024

/** How often a run that asks for energies seldom does: after every so many steps, and at its end.
 */
#define SIS_ENERGY_STEPS 256

/** Whoever wants the steps of a run. */
typedef struct sis_sink {
    void* self;
    /** Takes a block; false ends the run with the sentence in `fault`. */
    bool (*take)(void* self, const sis_frames* frames, sis_fault* fault);
    /** NULL, or the first step > `step` that must begin a block of its own. */
    uint64_t (*next_cut)(const void* self, uint64_t step);
} sis_sink;

typedef struct sis_run sis_run;

struct sis_run {
    const sis_system* system;
    sis_state* state;
    uint64_t steps; // to do
    const sis_sink* sinks;
    int32_t sink_count;
    bool lenient;   // complex roots and methods that diverge do not end it
    bool unaudited; // energies are not asked for
    bool seldom;    // every SIS_ENERGY_STEPS-th is enough: no sink reads every one
    double sleep;   // of its largest energy: below it the state sleeps; 0: never
    void (*gestures)(void* self, uint64_t first, int32_t count, double* rows); // of inputs, for
        // the steps from `first` on; NULL: all keep their values
    void* gestures_self;
    const sis_threads* threads; // for the parts of the system; NULL: the caller alone
    double patience; // s of wall time after which the run may end early; 0: run to the end
    void (*progress)(void* self, uint64_t done, uint64_t steps); // NULL: none
    void* progress_self;
    bool (*pause)(void* self, sis_run* run, sis_fault* fault); // after every block; false
        // ends the run with the sentence; NULL: none
    void* pause_self;
    bool goes_on;    // state and sinks are those after `done` steps, by sis_run_keep
    int32_t longest; // steps of a block at the moment
    // results
    uint64_t done;  // steps
    double seconds; // of CPU time spent stepping, without the sinks; of wall time with `threads`
    double stepped; // s on the wall, of the time since
    double since;   // the clock on the wall, and
    double busy;    // that of the CPU, when `seconds` were last added to
    bool fragile;   // there are contacts whose scheme may find no answer
    double put_in;  // J, largest of what it started with and has been supplied
    double largest; // J, stored
    uint64_t slept; // step from which on it sleeps; 0: it does not
};

/** A state before sample 0; free() it. NULL: no memory. */
sis_state* sis_run_state(const sis_system* system, sis_fault* fault);

/** Runs. A probe or an energy that is not finite ends the run with its name and sample, and so does
 * a contact whose scheme finds no answer, unless the run is lenient: a complex root of scheme root
 * (unless it is to be clamped), or am1, verlet, heun or rk4 that makes several times the energy
 * there is, in one step or little by little. */
bool sis_run_go(sis_run* run, sis_fault* fault);

/** Puts down how far it is, or takes it up. The state is its own matter, and so are the sinks. */
void sis_run_keep(sis_run* run, sis_store* store);

/** Whether every contact has found an answer in every sample so far, as sis_run_go asks after every
 * block; else the sentence. */
bool sis_run_answers(const sis_system* system, const sis_state* state, sis_fault* fault);

/** Wall time in seconds from some fixed point. */
double sis_run_clock(void);

#endif
