// Several numbers side by side. A kernel written over `lanes` is compiled for LANES = 1, 2 and 4:
// plain doubles, the registers every x86-64 and arm64 has, and AVX2. Each lane does the same + - *
// / sqrt in the same order at every width, so the results have the same bits; a condition becomes a
// mask, and what only some lanes need is skipped when none does.
//
// To be included in a .c file that has defined LANES; for 4 it tells the compiler its target first
// (network/row_4.c).
#ifndef SIS_LANES_H
#define SIS_LANES_H

#include "base/wide.h"

#include <math.h>
#include <string.h>

#if LANES == 1
typedef double lanes;
typedef uint64_t lanes_bits; // of a number, or a mask: all ones or none
typedef int64_t lanes_mask;
#else
typedef double lanes __attribute__((vector_size(8 * LANES), may_alias));
typedef uint64_t lanes_bits __attribute__((vector_size(8 * LANES), may_alias));
typedef int64_t lanes_mask __attribute__((vector_size(8 * LANES), may_alias));
typedef double lanes_anywhere __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
#if LANES > 1 && defined(__x86_64__)
#include <immintrin.h>
#endif

// Inlined into each kernel; not every kernel needs every one.
#if defined(__GNUC__)
#define LANES_FN static inline __attribute__((always_inline, unused))
// Large and called from many places: once in each kernel.
#define LANES_ONCE static __attribute__((noinline, unused))
#else
#define LANES_FN   static inline
#define LANES_ONCE static
#endif

LANES_FN lanes lanes_load(const double* p) {
#if LANES == 1
    return *p;
#else
    return *(const lanes_anywhere*)p;
#endif
}

LANES_FN void lanes_store(double* p, lanes x) {
#if LANES == 1
    *p = x;
#else
    *(lanes_anywhere*)p = x;
#endif
}

LANES_FN lanes lanes_all(double x) {
#if LANES == 1
    return x;
#elif LANES == 2
    return (lanes){x, x};
#else
    return (lanes){x, x, x, x};
#endif
}

LANES_FN lanes_bits lanes_to_bits(lanes x) {
#if LANES == 1
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#else
    return (lanes_bits)x;
#endif
}

LANES_FN lanes lanes_from_bits(lanes_bits bits) {
#if LANES == 1
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
#else
    return (lanes)bits;
#endif
}

// By name, not by operator: gcc 12 at -O3 turns masks of two into comparisons it cannot do then.
LANES_FN lanes_mask lanes_less(lanes a, lanes b) {
#if LANES == 1
    return -(int64_t)(a < b);
#elif defined(__x86_64__) && LANES == 4
    return (lanes_mask)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ);
#elif defined(__x86_64__)
    return (lanes_mask)_mm_cmplt_pd((__m128d)a, (__m128d)b);
#else
    return (lanes_mask)(a < b);
#endif
}

LANES_FN lanes_mask lanes_at_most(lanes a, lanes b) {
#if LANES == 1
    return -(int64_t)(a <= b);
#elif defined(__x86_64__) && LANES == 4
    return (lanes_mask)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LE_OQ);
#elif defined(__x86_64__)
    return (lanes_mask)_mm_cmple_pd((__m128d)a, (__m128d)b);
#else
    return (lanes_mask)(a <= b);
#endif
}

LANES_FN lanes_mask lanes_equal(lanes a, lanes b) {
#if LANES == 1
    return -(int64_t)(a == b);
#elif defined(__x86_64__) && LANES == 4
    return (lanes_mask)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_EQ_OQ);
#elif defined(__x86_64__)
    return (lanes_mask)_mm_cmpeq_pd((__m128d)a, (__m128d)b);
#else
    return (lanes_mask)(a == b);
#endif
}

/** One bit for each lane. */
LANES_FN unsigned lanes_which(lanes_mask m) {
#if LANES == 1
    return (unsigned)(m & 1);
#elif defined(__x86_64__) && LANES == 4
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#elif defined(__x86_64__)
    return (unsigned)_mm_movemask_pd((__m128d)m);
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < LANES; i++)
        bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}

LANES_FN int lanes_any(lanes_mask m) {
    return lanes_which(m) != 0;
}

/** a where the mask is set, else b. */
LANES_FN lanes lanes_pick(lanes_mask m, lanes a, lanes b) {
#if LANES == 1
    return m ? a : b;
#elif defined(__x86_64__) && LANES == 4
    return (lanes)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
#elif defined(__x86_64__)
    return (lanes)_mm_or_pd(_mm_and_pd((__m128d)m, (__m128d)a),
                            _mm_andnot_pd((__m128d)m, (__m128d)b));
#else
    return (lanes)(((lanes_mask)a & m) | ((lanes_mask)b & ~m));
#endif
}

LANES_FN lanes lanes_sqrt(lanes x) {
#if LANES == 1
    return sqrt(x);
#elif defined(__x86_64__) && LANES == 4
    return (lanes)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__)
    return (lanes)_mm_sqrt_pd((__m128d)x);
#else
    for (int i = 0; i < LANES; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

LANES_FN lanes lanes_abs(lanes x) {
    return lanes_from_bits(lanes_to_bits(x) & ~((lanes_bits){0} | 0x8000000000000000u));
}

/** Turns LANES rows of LANES numbers into columns. */
LANES_FN void lanes_transpose(lanes* v) {
#if LANES == 2
    lanes a = v[0], b = v[1];
    v[0] = (lanes){a[0], b[0]};
    v[1] = (lanes){a[1], b[1]};
#elif defined(__x86_64__) && LANES == 4
    __m256d a = _mm256_unpacklo_pd((__m256d)v[0], (__m256d)v[1]);
    __m256d b = _mm256_unpackhi_pd((__m256d)v[0], (__m256d)v[1]);
    __m256d c = _mm256_unpacklo_pd((__m256d)v[2], (__m256d)v[3]);
    __m256d d = _mm256_unpackhi_pd((__m256d)v[2], (__m256d)v[3]);
    v[0] = (lanes)_mm256_permute2f128_pd(a, c, 0x20);
    v[1] = (lanes)_mm256_permute2f128_pd(b, d, 0x20);
    v[2] = (lanes)_mm256_permute2f128_pd(a, c, 0x31);
    v[3] = (lanes)_mm256_permute2f128_pd(b, d, 0x31);
#else
    (void)v;
#endif
}

/** The smaller and the larger; b when one is not a number. */
LANES_FN lanes lanes_min(lanes a, lanes b) {
#if LANES == 4 && defined(__x86_64__)
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif LANES == 2 && defined(__x86_64__)
    return (lanes)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return lanes_pick(lanes_less(a, b), a, b);
#endif
}

LANES_FN lanes lanes_max(lanes a, lanes b) {
#if LANES == 4 && defined(__x86_64__)
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif LANES == 2 && defined(__x86_64__)
    return (lanes)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return lanes_pick(lanes_less(b, a), a, b);
#endif
}

/** a b - p exactly, where p = a b rounded: Dekker's split at 27 bits, or the fused operation where
 * there is one, whose result is the same number. |a|, |b| < 2^996. */
LANES_FN lanes lanes_product_rest(lanes a, lanes b, lanes p) {
#if LANES == 4 && defined(__x86_64__)
    return (lanes)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)p);
#else
    lanes ca = 134217729.0 * a, cb = 134217729.0 * b;
    lanes ah = ca - (ca - a), bh = cb - (cb - b);
    lanes al = a - ah, bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
#endif
}

#endif
