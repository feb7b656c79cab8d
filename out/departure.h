/** @file departure.h
 * When a body first touches something, when it leaves it, and how fast it then is.
 */
#ifndef SISTRUM_OUT_DEPARTURE_H
#define SISTRUM_OUT_DEPARTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sis_departure {
    double k;              // s, one step
    bool closed, opened;   // so far
    uint64_t began, ended; // first step inside, first step outside again
    double speed;          // m/s, at the instant of leaving; NaN: not known yet
    // the steps ended, ended + 1, ended + 2
    int held;
    double eta[3], v[3];
} sis_departure;

/** Before the first step of a run at `rate`. */
sis_departure sis_departure_begin(double rate);

/** Takes the penetration (m) and the velocity (m/s) of the next step. */
void sis_departure_add(sis_departure* d, uint64_t step, double eta, double v);

#endif
