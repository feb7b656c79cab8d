// Several numbers side by side. A kernel written over `lanes` is compiled for LANES = 1, 2, 4 and
// 8: plain doubles, the registers every x86-64 and arm64 has, AVX2 and AVX-512. Each lane does the
// same + - * / sqrt in the same order at every width, so the results have the same bits; a
// condition becomes a mask, and what only some lanes need is skipped when none does.
//
// To be included in a .c file that has defined LANES; for 4 and 8 it tells the compiler its target
// first (wide/width_4.c).
#ifndef SIS_LANES_H
#define SIS_LANES_H

#include "base/wide.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#if LANES == 1
typedef double lanes;
typedef uint64_t lanes_bits; // of a number, or a mask: all ones or none
typedef int64_t lanes_mask;
#else
typedef double lanes __attribute__((vector_size(8 * LANES), may_alias));
typedef uint64_t lanes_bits __attribute__((vector_size(8 * LANES), may_alias));
#if LANES == 8
typedef uint32_t lanes_mask; // a bit a lane, in registers of their own; what is above them is noise
#else
typedef int64_t lanes_mask __attribute__((vector_size(8 * LANES), may_alias));
#endif
typedef double lanes_anywhere __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
#if LANES > 1 && defined(__x86_64__)
#include <immintrin.h>
#endif

// The name of this instance of a kernel.
#define LANES_JOIN(name, lanes)   name##_##lanes
#define LANES_JOINED(name, lanes) LANES_JOIN(name, lanes)
#define LANES_NAME(name)          LANES_JOINED(name, LANES)

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

/** The numbers at LANES places of an array. */
LANES_FN lanes lanes_gather(const double* v, const int32_t* at) {
#if LANES == 1
    return v[at[0]];
#else
    lanes x;
    for (int i = 0; i < LANES; i++)
        x[i] = v[at[i]];
    return x;
#endif
}

LANES_FN lanes lanes_all(double x) {
#if LANES == 1
    return x;
#elif LANES == 2
    return (lanes){x, x};
#elif LANES == 4
    return (lanes){x, x, x, x};
#else
    return (lanes){x, x, x, x, x, x, x, x};
#endif
}

// Numbers of a polynomial as whole registers in memory: there an operation reads them by itself.
// gcc would see through to the number and fetch it by an instruction of its own, so the way to them
// is hidden from it.
#if LANES == 1
#define LANES_EACH(x) (x)
#elif LANES == 2
#define LANES_EACH(x)                                                                              \
    { x, x }
#elif LANES == 4
#define LANES_EACH(x)                                                                              \
    { x, x, x, x }
#else
#define LANES_EACH(x)                                                                              \
    { x, x, x, x, x, x, x, x }
#endif

LANES_FN const lanes* lanes_table(const lanes* numbers) {
#if defined(__GNUC__) && LANES > 1
    __asm__("" : "+r"(numbers));
#endif
    return numbers;
}

// Before a loop whose passes cost little more than moving on: two of them at a time.
#if defined(__clang__)
#define LANES_UNROLL _Pragma("clang loop unroll_count(2)")
#elif defined(__GNUC__)
#define LANES_UNROLL _Pragma("GCC unroll 2")
#else
#define LANES_UNROLL
#endif

// LANES_FROM: LANES numbers of a and then b, from the n-th of a on; n is a constant.
// LANES_BETWEEN: of an array, the numbers one place on from a, where b are those two places on.
#if LANES == 2
#define LANES_ORDER(n) (n), (n) + 1
#define LANES_ODD_EVEN 1, 2
#elif LANES == 4
#define LANES_ORDER(n) (n), (n) + 1, (n) + 2, (n) + 3
#define LANES_ODD_EVEN 1, 4, 3, 6
#else
#define LANES_ORDER(n) (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define LANES_ODD_EVEN 1, 8, 3, 10, 5, 12, 7, 14
#endif
#if defined(__clang__)
#define LANES_FROM(a, b, n) __builtin_shufflevector(a, b, LANES_ORDER(n))
#define LANES_BETWEEN(a, b) __builtin_shufflevector(a, b, LANES_ODD_EVEN)
#else
#define LANES_FROM(a, b, n) __builtin_shuffle(a, b, (lanes_bits){LANES_ORDER(n)})
#define LANES_BETWEEN(a, b) __builtin_shuffle(a, b, (lanes_bits){LANES_ODD_EVEN})
#endif

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
#elif LANES == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
#elif LANES == 4
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
#elif LANES == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
#elif LANES == 4
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
#elif LANES == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ);
#elif LANES == 4
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
#elif LANES == 8
    return m & 255u;
#elif LANES == 4
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

/** The same, where it is nearly never so: compilers put what then follows out of the way. */
LANES_FN int lanes_any_rarely(lanes_mask m) {
#if defined(__GNUC__)
    return (int)__builtin_expect(lanes_any(m), 0);
#else
    return lanes_any(m);
#endif
}

/** a where the mask is set, else b. */
LANES_FN lanes lanes_pick(lanes_mask m, lanes a, lanes b) {
#if LANES == 1
    return m ? a : b;
#elif LANES == 8
    return (lanes)_mm512_mask_blend_pd((__mmask8)m, (__m512d)b, (__m512d)a);
#elif LANES == 4
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
#elif LANES == 8
    return (lanes)_mm512_sqrt_pd((__m512d)x);
#elif LANES == 4
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

/** The mask of the lanes whose bits are set; the inverse of lanes_which. */
LANES_FN lanes_mask lanes_from_which(unsigned bits) {
#if LANES == 1
    return -(int64_t)(bits & 1);
#elif LANES == 8
    return bits;
#elif LANES == 4
    static const int64_t masks[16][4] = {
        {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
        {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
        {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
        {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
    return (lanes_mask)_mm256_loadu_si256((const __m256i*)masks[bits & 15]);
#else
    return (lanes_mask){-(int64_t)(bits & 1), -(int64_t)(bits >> 1 & 1)};
#endif
}

/** The smaller and the larger; b when one is not a number. */
LANES_FN lanes lanes_min(lanes a, lanes b) {
#if LANES == 8
    return (lanes)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif LANES == 4
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif LANES == 2 && defined(__x86_64__)
    return (lanes)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return lanes_pick(lanes_less(a, b), a, b);
#endif
}

LANES_FN lanes lanes_max(lanes a, lanes b) {
#if LANES == 8
    return (lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANES == 4
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif LANES == 2 && defined(__x86_64__)
    return (lanes)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return lanes_pick(lanes_less(b, a), a, b);
#endif
}

// A sum over many places: place i is added up in the sum i mod 8, whatever the width, and the eight
// in one order at the end (sis_sum_of_eight). (One sum would have to wait for each addition.)
enum { LANES_PARTS = 8 / LANES };

typedef struct lanes_sums {
    lanes part[LANES_PARTS];
} lanes_sums;

LANES_FN lanes_sums lanes_sums_none(void) {
    lanes_sums sums;
    for (int i = 0; i < LANES_PARTS; i++)
        sums.part[i] = lanes_all(0);
    return sums;
}

// Sums that go on from eight numbers, and back to them.
LANES_FN lanes_sums lanes_sums_from(const double* eight) {
    lanes_sums sums;
    for (int i = 0; i < LANES_PARTS; i++)
        sums.part[i] = lanes_load(eight + i * LANES);
    return sums;
}

LANES_FN void lanes_sums_keep(const lanes_sums* sums, double* eight) {
    for (int i = 0; i < LANES_PARTS; i++)
        lanes_store(eight + i * LANES, sums->part[i]);
}

// The terms of the places from i on, i a multiple of LANES.
LANES_FN void lanes_sums_add(lanes_sums* sums, ptrdiff_t i, lanes terms) {
    sums->part[i / LANES % LANES_PARTS] += terms;
}

/** a b - p exactly, where p = a b rounded: Dekker's split at 27 bits, or the fused operation where
 * there is one, whose result is the same number. |a|, |b| < 2^996. */
LANES_FN lanes lanes_product_rest(lanes a, lanes b, lanes p) {
#if LANES == 8
    return (lanes)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)p);
#elif LANES == 4
    return (lanes)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)p);
#else
    lanes ca = 134217729.0 * a, cb = 134217729.0 * b;
    lanes ah = ca - (ca - a), bh = cb - (cb - b);
    lanes al = a - ah, bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
#endif
}

#endif
