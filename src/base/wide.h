// What is asked of the compiler, and sums over long arrays that have the same bits at every width.
#ifndef SIS_WIDE_H
#define SIS_WIDE_H

#include <stdint.h>

// The same bits from every compiler: gcc contracts in GNU mode only, clang always; both are told,
// before the first function.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif

// For loops that are compiled once more for wider registers: inlined into each version.
#if defined(__GNUC__)
#define SIS_INLINE static inline __attribute__((always_inline))
#else
#define SIS_INLINE static inline
#endif

// For what few samples need: out of the way of what all of them do.
#if defined(__GNUC__)
#define SIS_APART __attribute__((noinline))
#else
#define SIS_APART
#endif

// Kernels for AVX2 and AVX-512 (wide/width_4.c, width_8.c), where there are such things; chosen at
// run time.
#if defined(__GNUC__) && defined(__x86_64__)
#define SIS_HAS_AVX2 1
#else
#define SIS_HAS_AVX2 0
#endif

#if defined(__GNUC__)
typedef double sis_four __attribute__((vector_size(32), aligned(8), may_alias));
#define SIS_FOUR_AT(p) (*(const sis_four*)(p))
#endif
#define SIS_ONE_AT(p) (*(p))

// A sum over 0 <= i < count. TERM(AT) is a macro: the term at i, whose numbers are read by
// AT(address). Lane j adds up the terms i = j mod 4, then (0 + 1) + (2 + 3), then what is left
// over: the same order in wide registers, narrow ones and none.
#if defined(__GNUC__)
#define SIS_SUM(result, count, TERM)                                                               \
    do {                                                                                           \
        sis_four four_ = {0, 0, 0, 0};                                                             \
        double rest_ = 0;                                                                          \
        int32_t i = 0;                                                                             \
        for (; i + 4 <= (count); i += 4)                                                           \
            four_ += TERM(SIS_FOUR_AT);                                                            \
        for (; i < (count); i++)                                                                   \
            rest_ += TERM(SIS_ONE_AT);                                                             \
        (result) = ((four_[0] + four_[1]) + (four_[2] + four_[3])) + rest_;                        \
    } while (0)
#else
#define SIS_SUM(result, count, TERM)                                                               \
    do {                                                                                           \
        double four_[4] = {0, 0, 0, 0}, rest_ = 0;                                                 \
        int32_t i = 0;                                                                             \
        while (i + 4 <= (count))                                                                   \
            for (int32_t j_ = 0; j_ < 4; j_++, i++)                                                \
                four_[j_] += TERM(SIS_ONE_AT);                                                     \
        for (; i < (count); i++)                                                                   \
            rest_ += TERM(SIS_ONE_AT);                                                             \
        (result) = ((four_[0] + four_[1]) + (four_[2] + four_[3])) + rest_;                        \
    } while (0)
#endif

// The end of sums in which term i was added up in the sum i mod 8.
static inline double sis_sum_of_eight(const double* s) {
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

// sum a_i b_i
SIS_INLINE double sis_dot(const double* a, const double* b, int32_t count) {
    double sum;
#define TERM(AT) (AT(a + i) * AT(b + i))
    SIS_SUM(sum, count, TERM);
#undef TERM
    return sum;
}

#endif
