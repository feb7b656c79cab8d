// A symmetric positive definite band, factored and solved where it changes in every pass: row i
// holds M_{i,i}, M_{i,i+1} .. M_{i,i+p}.
//
// M = L D L^T from both ends at once: the pivots of one end do not wait for those of the other. Of
// n nodes `up` are eliminated from the bottom, the rest from the top; the two chains do not touch
// each other's rows as long as 2 up <= n - p. After it, row i holds 1/D_i and L_{i+j,i}; the rows
// of the bottom chain keep their L where the matrix had those entries, M_{i-j,i}.
#ifndef SIS_BAND_FACTOR_H
#define SIS_BAND_FACTOR_H

#include "base/base.h"

SIS_INLINE int32_t band_up(int32_t n, int32_t p) {
    return n > 3 * p ? (n - p) / 2 : 0;
}

// Node i is eliminated towards the higher ones, of which `beside` are left.
SIS_INLINE void band_down(double* M, int32_t i, int32_t p, int32_t beside) {
    double *row = M + (size_t)i * (size_t)(p + 1), inverse = 1 / row[0];
    for (int32_t j = 1; j <= p && j <= beside; j++) {
        double *other = row + (size_t)j * (size_t)(p + 1), l = row[j] * inverse;
        for (int32_t c = j; c <= p && c <= beside; c++)
            other[c - j] -= l * row[c];
    }
    for (int32_t j = 1; j <= p && j <= beside; j++)
        row[j] *= inverse;
    row[0] = inverse;
}

// Node i is eliminated towards the lower ones.
SIS_INLINE void band_rise(double* M, int32_t i, int32_t p) {
    const size_t wide = (size_t)(p + 1);
    double *row = M + (size_t)i * wide, inverse = 1 / row[0];
    for (int32_t b = 1; b <= p; b++) {
        double l = row[b - (int32_t)wide * b] * inverse;
        for (int32_t a = b; a <= p; a++)
            row[(a - b) - (int32_t)wide * a] -= l * row[a - (int32_t)wide * a];
    }
    for (int32_t b = 1; b <= p; b++)
        row[b - (int32_t)wide * b] *= inverse;
    row[0] = inverse;
}

SIS_INLINE void band_factor_of(double* M, int32_t n, int32_t p) {
    const int32_t up = band_up(n, p), end = n - up;
    for (int32_t k = 0; k < up; k++) {
        band_down(M, k, p, p);
        band_rise(M, n - 1 - k, p);
    }
    for (int32_t i = up; i < end; i++)
        band_down(M, i, p, end - 1 - i);
}

SIS_INLINE void band_substitute_of(const double* M, int32_t n, int32_t p, double* y) {
    const int32_t up = band_up(n, p), end = n - up, wide = p + 1;
    for (int32_t k = 0; k < up; k++) {
        const int32_t i = n - 1 - k;
        for (int32_t j = 1; j <= p; j++) {
            y[k + j] -= M[k * wide + j] * y[k];
            y[i - j] -= M[(i - j) * wide + j] * y[i];
        }
    }
    for (int32_t i = up; i < end; i++)
        for (int32_t j = 1; j <= p && i + j < end; j++)
            y[i + j] -= M[i * wide + j] * y[i];
    for (int32_t i = end - 1; i >= up; i--) {
        y[i] *= M[i * wide];
        for (int32_t j = 1; j <= p && i + j < end; j++)
            y[i] -= M[i * wide + j] * y[i + j];
    }
    for (int32_t k = up - 1; k >= 0; k--) {
        const int32_t i = n - 1 - k;
        double low = y[k] * M[k * wide], high = y[i] * M[i * wide];
        for (int32_t j = 1; j <= p; j++) {
            low -= M[k * wide + j] * y[k + j];
            high -= M[(i - j) * wide + j] * y[i - j];
        }
        y[k] = low;
        y[i] = high;
    }
}

// The bands that strings have, each compiled by itself.
#define BAND_EACH(p, CALL)                                                                         \
    switch (p) {                                                                                   \
    case 1:                                                                                        \
        CALL(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        CALL(2);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        CALL(3);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        CALL(5);                                                                                   \
    }

static void band_factor(double* M, int32_t n, int32_t p) {
#define FACTOR(P) band_factor_of(M, n, P)
    BAND_EACH(p, FACTOR)
#undef FACTOR
}

static void band_substitute(const double* M, int32_t n, int32_t p, double* y) {
#define SUBSTITUTE(P) band_substitute_of(M, n, P, y)
    BAND_EACH(p, SUBSTITUTE)
#undef SUBSTITUTE
}

#endif
