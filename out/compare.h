/** @file compare.h
 * Schemes side by side: a scene run once per scheme, each against one reference run at a high rate.
 *
 * Compared are the probes of the scene at the rows of the plan, where every run has a sample. An
 * error is relative to the largest absolute value of its probe in the reference. Only the rows of
 * the reference are held in memory.
 */
#ifndef SISTRUM_OUT_COMPARE_H
#define SISTRUM_OUT_COMPARE_H

#include "canvas.h"
#include "collider.h"
#include "curves.h"
#include "departure.h"
#include "run.h"
#include "trace.h"

#define SIS_COMPARE_GOOD    0.01 // of the peak: what counts as the same motion
#define SIS_COMPARE_PERIODS 4    // of a string, looked at closely

/** One scheme, or the reference. */
typedef struct sis_contender {
    sis_scheme scheme;
    bool ran;
    bool refused;       // by the scene; else the run broke off
    char why[1024];     // it did not run
    sis_error about;    // the object and key of the scene that it was about, when it did not
    double rate;        // Hz, steps
    double exit_speed;  // m/s, of the subject when it leaves its first contact; NaN: it does not
    double exit_error;  // relative to the reference, signed; NaN: unknown
    double error;       // worst of all probes; NaN: no reference
    double* errors;     // [probe_count]
    double good_until;  // s, first error above SIS_COMPARE_GOOD; INFINITY: none
    double drift;       // largest residual, relative to what flowed
    double min_force;   // N
    double trapped;     // relative to the largest H
    double iterations;  // mean over the steps that iterated
    double nanoseconds; // of CPU time per step; NaN: not measured
    uint64_t impacts;
    double drift_mean, drift_max; // energy after an impact, relative to the exact one
    uint64_t complex_roots;
    // for the picture: the first probe, and the worst error of all probes in each column
    sis_trace whole, zoom;
    double* columns; // [column_count]
} sis_contender;

typedef struct sis_compare {
    // what is asked for
    sis_scene* scene; // gets probes of its own
    sis_plan plan;
    const sis_scheme* schemes; // [scheme_count]
    int32_t scheme_count;
    bool only_possible;         // schemes that the scene refuses are left out
    double from, to;            // s, what is compared
    int32_t factor;             // of the reference: steps per step, at least 2
    sis_input_curves* gestures; // of the inputs; NULL: they keep their values
    void (*progress)(void* self, uint64_t done, uint64_t steps);
    void* progress_self;
    // results
    sis_contender contenders[SIS_SCHEME_COUNT];
    int32_t count;
    int32_t ran;             // how many of them did
    char refusal[512];       // why the first scheme that was left out was
    sis_error refused;       // and what of the scene it was about
    sis_contender reference; // error and good_until: against itself at half the factor
    sis_system* model;       // whose texts are used
    int32_t probe_count;     // that are compared
    bool added_probes;       // the scene had none
    int32_t contact_count;
    sis_collider subject;    // the body whose exit speed is measured, if there is one
    sis_departure departure; // of the reference
    // of the work
    uint64_t first_row, row_count; // compared
    double* rows;                  // [row_count][probe_count], of the reference
    double* peaks;                 // [probe_count], of the reference
    int32_t column_count;
    double zoom_from, zoom_to; // s; equal: nothing to zoom to
    uint64_t steps_done, steps_planned;
} sis_compare;

/** Runs everything. False: out of memory, or more is asked for than can be held. A scheme that
 * cannot run is no failure: `ran` counts those that could. sis_compare_close in any case. */
bool sis_compare_go(sis_compare* c, sis_fault* fault);

void sis_compare_close(sis_compare* c);

/** The picture: the first probe around the first contact (of strings alone: in the first periods)
 *  and as a whole, and the errors. */
bool sis_compare_draw(const sis_compare* c, sis_format format, const char* title, int descriptor,
                      sis_fault* fault);

/** The same numbers as JSON. */
bool sis_compare_write(const sis_compare* c, const char* scene, int descriptor, sis_fault* fault);

#endif
