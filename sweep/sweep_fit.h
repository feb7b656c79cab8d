/** @file sweep_fit.h
 * Seeks the params with which a scene comes closest to a target.
 *
 *   search --generation--> runs in threads --> database --distances--> search
 *
 * The search is told what stands in the database, nothing else: whoever was killed goes on from its
 * rows and gets the same ones after them.
 */
#ifndef SISTRUM_SWEEP_FIT_H
#define SISTRUM_SWEEP_FIT_H

#include "sweep_base.h"

/** Why a fit has ended. */
typedef enum sis_fit_end {
    SIS_FIT_CLOSE, ///< the distance is within the tolerance
    SIS_FIT_RUNS,  ///< as many runs as were allowed
    SIS_FIT_STUCK, ///< several descents in a row found nothing better
} sis_fit_end;

typedef struct sis_fit {
    sis_sweep* sweep; // of a spec with a target
    sis_base* base;
    int32_t threads;
    uint64_t runs;                                       // at most
    double tolerance;                                    // dB
    void (*told)(void* self, const struct sis_fit* fit); // after each generation; NULL
    void* told_self;
    bool (*stop)(void* self); // looked at some times a second; true: ends soon; NULL: never
    void* stop_self;
    // results
    uint64_t done, made, failed; // runs so far; those of this call, and of them those that failed
    int32_t descents;
    sis_row best; // index, values; failed: there is none yet
    sis_fit_end end;
    double seconds;
} sis_fit;

/** Works until it ends. False: it could not be written, there is no memory, or it was to stop; what
 * has been committed stays. [setup] */
bool sis_fit_go(sis_fit* fit, sis_fault* fault);

#endif
