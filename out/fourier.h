/** @file fourier.h
 * The discrete Fourier transform, and the taper that windows of a signal are weighted with.
 */
#ifndef SISTRUM_OUT_FOURIER_H
#define SISTRUM_OUT_FOURIER_H

#include <stddef.h>

/** X_k = sum_n x_n e^{-2 pi i k n/size}, in place; `size` is a power of two. */
void sis_fourier(double* re, double* im, size_t size);

/** The least power of two that is at least `count` and at least `least`, itself a power of two. */
size_t sis_fourier_size(size_t count, size_t least);

/** Weight of row i of a window of `count` rows: Blackman-Harris, whose side lobes are 92 dB below
 *  the main one. That is 4 bins wide to each side. */
double sis_taper(size_t i, size_t count);

#endif
