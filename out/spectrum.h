/** @file spectrum.h
 * The spectrum of a signal: mean power of windows that overlap by half, and its peaks.
 */
#ifndef SISTRUM_OUT_SPECTRUM_H
#define SISTRUM_OUT_SPECTRUM_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sis_spectrum {
    double rate;       // rows per second
    uint64_t rows;     // of the signal
    size_t window;     // rows of a window
    size_t size;       // of the transform: a power of two
    uint64_t windows;  // that are averaged, evenly over the rows
    uint64_t done;     // of them
    uint64_t fed;      // rows so far
    double* ring;      // [window]: the last rows
    double* taper;     // [window]
    double taper_sum;  //
    double* re;        // [size]
    double* im;        // [size]
    double* amplitude; // [size/2 + 1]: of a sine; mean squares until sis_spectrum_finish
} sis_spectrum;

/** A local maximum that stands out. */
typedef struct sis_peak {
    double frequency; // Hz, between the bins
    double level;     // dB, 0 is the largest of the spectrum
} sis_peak;

/** For a signal of `rows` rows, with windows of `window` <= rows. sis_spectrum_close in any case.
 */
bool sis_spectrum_open(sis_spectrum* s, double rate, uint64_t rows, uint64_t window,
                       sis_fault* fault);

/** The next row. More than `rows` are ignored. */
void sis_spectrum_add(sis_spectrum* s, double value);

/** After the last row. Displacements rest anywhere: the mean of each window is taken out. */
void sis_spectrum_finish(sis_spectrum* s);

/** Hz, of bin k. */
double sis_spectrum_frequency(const sis_spectrum* s, size_t k);

/** The largest amplitude, between the bins; 0: silence. */
double sis_spectrum_largest(const sis_spectrum* s);

/** Finds peaks that are at most `range` dB below the largest and stand out from what is around
 *  them, strongest first; returns how many, at most `most`. */
int32_t sis_spectrum_peaks(const sis_spectrum* s, double range, sis_peak* peaks, int32_t most);

void sis_spectrum_close(sis_spectrum* s);

#endif
