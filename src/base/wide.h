// Sums over long arrays, four at a time: lane i adds up every fourth term, so that the result has
// the same bits whether the compiler has wide registers, narrow ones, or none of it.
#ifndef SIS_WIDE_H
#define SIS_WIDE_H

#include <stdint.h>

// The same bits from every compiler: gcc does not contract in ISO mode, clang needs to be told,
// before the first function.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

// For loops that are compiled once more for wider registers: inlined into each version.
#if defined(__GNUC__)
#define SIS_INLINE static inline __attribute__((always_inline))
#else
#define SIS_INLINE static inline
#endif

// The same function for AVX2, where there is such a thing; chosen at run time.
#if defined(__GNUC__) && defined(__x86_64__)
#define SIS_HAS_AVX2 1
#define SIS_AVX2     __attribute__((target("avx2")))
#else
#define SIS_HAS_AVX2 0
#endif

#if defined(__GNUC__)
typedef double sis_wide __attribute__((vector_size(32), aligned(8), may_alias));
typedef double sis_pair __attribute__((vector_size(16), aligned(8), may_alias));
#define SIS_PAIR_AT(p) (*(const sis_pair*)(p))
#define SIS_WIDE_AT(p) (*(const sis_wide*)(p))
#endif

// sum a_i b_i
SIS_INLINE double sis_dot(const double* a, const double* b, int32_t count) {
    int32_t i = 0;
#if defined(__GNUC__)
    sis_pair s = {0, 0}, t = {0, 0};
    for (; i + 4 <= count; i += 4) {
        s += SIS_PAIR_AT(a + i) * SIS_PAIR_AT(b + i);
        t += SIS_PAIR_AT(a + i + 2) * SIS_PAIR_AT(b + i + 2);
    }
    double four = (s[0] + s[1]) + (t[0] + t[1]);
#else
    double s[4] = {0, 0, 0, 0};
    for (; i + 4 <= count; i += 4)
        for (int32_t j = 0; j < 4; j++)
            s[j] += a[i + j] * b[i + j];
    double four = (s[0] + s[1]) + (s[2] + s[3]);
#endif
    double rest = 0;
    for (; i < count; i++)
        rest += a[i] * b[i];
    return four + rest;
}

// sum (a_i - b_i)^2
SIS_INLINE double sis_apart(const double* a, const double* b, int32_t count) {
    int32_t i = 0;
#if defined(__GNUC__)
    sis_pair s = {0, 0}, t = {0, 0};
    for (; i + 4 <= count; i += 4) {
        sis_pair x = SIS_PAIR_AT(a + i) - SIS_PAIR_AT(b + i);
        sis_pair y = SIS_PAIR_AT(a + i + 2) - SIS_PAIR_AT(b + i + 2);
        s += x * x;
        t += y * y;
    }
    double four = (s[0] + s[1]) + (t[0] + t[1]);
#else
    double s[4] = {0, 0, 0, 0};
    for (; i + 4 <= count; i += 4)
        for (int32_t j = 0; j < 4; j++)
            s[j] += (a[i + j] - b[i + j]) * (a[i + j] - b[i + j]);
    double four = (s[0] + s[1]) + (s[2] + s[3]);
#endif
    double rest = 0;
    for (; i < count; i++)
        rest += (a[i] - b[i]) * (a[i] - b[i]);
    return four + rest;
}

// sum (a_i + b_i)^2
SIS_INLINE double sis_dot_of_sums(const double* a, const double* b, int32_t count) {
    int32_t i = 0;
#if defined(__GNUC__)
    sis_pair s = {0, 0}, t = {0, 0};
    for (; i + 4 <= count; i += 4) {
        sis_pair x = SIS_PAIR_AT(a + i) + SIS_PAIR_AT(b + i);
        sis_pair y = SIS_PAIR_AT(a + i + 2) + SIS_PAIR_AT(b + i + 2);
        s += x * x;
        t += y * y;
    }
    double four = (s[0] + s[1]) + (t[0] + t[1]);
#else
    double s[4] = {0, 0, 0, 0};
    for (; i + 4 <= count; i += 4)
        for (int32_t j = 0; j < 4; j++)
            s[j] += (a[i + j] + b[i + j]) * (a[i + j] + b[i + j]);
    double four = (s[0] + s[1]) + (s[2] + s[3]);
#endif
    double rest = 0;
    for (; i < count; i++)
        rest += (a[i] + b[i]) * (a[i] + b[i]);
    return four + rest;
}

// sum ((a_i + b_i) - (c_i + d_i))^2
SIS_INLINE double sis_apart_of_sums(const double* a, const double* b, const double* c,
                                    const double* d, int32_t count) {
    int32_t i = 0;
#if defined(__GNUC__)
    sis_pair s = {0, 0}, t = {0, 0};
    for (; i + 4 <= count; i += 4) {
        sis_pair x =
            (SIS_PAIR_AT(a + i) + SIS_PAIR_AT(b + i)) - (SIS_PAIR_AT(c + i) + SIS_PAIR_AT(d + i));
        sis_pair y = (SIS_PAIR_AT(a + i + 2) + SIS_PAIR_AT(b + i + 2)) -
                     (SIS_PAIR_AT(c + i + 2) + SIS_PAIR_AT(d + i + 2));
        s += x * x;
        t += y * y;
    }
    double four = (s[0] + s[1]) + (t[0] + t[1]);
#else
    double s[4] = {0, 0, 0, 0};
    for (; i + 4 <= count; i += 4)
        for (int32_t j = 0; j < 4; j++) {
            double x = (a[i + j] + b[i + j]) - (c[i + j] + d[i + j]);
            s[j] += x * x;
        }
    double four = (s[0] + s[1]) + (s[2] + s[3]);
#endif
    double rest = 0;
    for (; i < count; i++) {
        double x = (a[i] + b[i]) - (c[i] + d[i]);
        rest += x * x;
    }
    return four + rest;
}

#endif
