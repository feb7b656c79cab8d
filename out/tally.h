/** @file tally.h
 * What a run comes down to: ranges of the probes and the energy balance.
 */
#ifndef SISTRUM_OUT_TALLY_H
#define SISTRUM_OUT_TALLY_H

#include "run.h"
#include "store.h"

/** One probe over the rows of a run. */
typedef struct sis_tally_probe {
    double min, max;
    double largest; // |value|
    double scale;   // a power of two, near 1/largest; 0: all values were 0
    double squares; // sum of (value scale)^2: the squares themselves might overflow
} sis_tally_probe;

typedef struct sis_tally {
    int32_t oversample;
    int32_t probe_count;
    uint64_t rows;
    sis_tally_probe* probes;
    double initial;      // J, H before the first step
    sis_balance balance; // of the start and the steps whose energies were asked for
    bool gaps;           // those were not all
    sis_energy last;
} sis_tally;

/** Prepares for a run that starts from `state`. */
bool sis_tally_open(sis_tally* tally, const sis_system* system, const sis_state* state,
                    int32_t oversample, sis_fault* fault);

/** The sink. */
sis_sink sis_tally_sink(sis_tally* tally);

/** Root mean square of a probe over the rows so far. */
double sis_tally_rms(const sis_tally* tally, int32_t probe);

/** A share of the largest H; 0 when there never was any energy. (Of the residual:
 *  sis_balance_residual.) */
double sis_tally_share(const sis_tally* tally, double joules);

/** Puts down what it has counted, or takes it up. */
void sis_tally_keep(sis_tally* tally, sis_store* store);

void sis_tally_close(sis_tally* tally);

#endif
