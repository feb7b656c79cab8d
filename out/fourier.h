/** @file fourier.h
 * The discrete Fourier transform, and the taper that windows of a signal are weighted with.
 */
#ifndef SISTRUM_OUT_FOURIER_H
#define SISTRUM_OUT_FOURIER_H

#include <stddef.h>

/** X_k = sum_n x_n e^{-2 pi i k n/size}, in place; `size` is a power of two. */
void sis_fourier(double* re, double* im, size_t size);

/** The same with cosines and sines of 2 pi k/turns, [turns/2], from a table; `turns` is a power of two
 * and at least `size`. */
void sis_fourier_by(double* re, double* im, size_t size, const double* cosine, const double* sine,
                    size_t turns);

/** The least power of two that is at least `count` and at least `least`, itself a power of two. */
size_t sis_fourier_size(size_t count, size_t least);

/** Weight of row i of a window of `count` rows: Blackman-Harris, whose side lobes are 92 dB below
 *  the main one. That is 4 bins wide to each side. */
double sis_taper(size_t i, size_t count);

#endif
