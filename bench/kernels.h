/** @file kernels.h
 * Bare loops that show what the machine can do: powers, banded solves, memory. The stencils have
 * their own files (stencil.h).
 */
#ifndef SISTRUM_BENCH_KERNELS_H
#define SISTRUM_BENCH_KERNELS_H

#include <stddef.h>

/** out[i] = x[i]^alpha, `count` (a multiple of 4) of them. */
typedef void kernel_power(const double* x, double alpha, double* out, int count);

kernel_power kernel_sis_pow;      // sis_pow of src/base: the whole range
kernel_power kernel_power_1;      // as contact laws take it
kernel_power kernel_power_4;      // the same in four lanes: AVX2 and FMA, ask the CPU first
kernel_power kernel_libm_pow;     // pow
kernel_power kernel_three_halves; // x sqrt(x), whatever alpha is
kernel_power kernel_three_halves_4;

/** A matrix of `count` rows as L D L^T, `width` (1 or 2) off-diagonals, and x <- A^-1 x. */
typedef struct kernel_band {
    int count, width;
    const double *up1, *up2, *inverse; // [count]: off-diagonals of L, 1/D
} kernel_band;

/** Plain substitution, down and up. */
void kernel_band_naive(const kernel_band* a, double* x);

/** Two systems of half the size at once: what a solve from both ends can be at best. */
void kernel_band_halves(const kernel_band* a, double* x);

/** Four systems side by side, x[row][4]; per point of all four. */
void kernel_band_four(const kernel_band* a, double* x);

/** a = b + s c over `count` numbers, `turns` (even) times, to and fro. */
void kernel_triad(double* a, double* b, const double* c, double s, size_t count, int turns);

#endif
