// Stands in for src/wide/target.h where there is no AVX-512: eight lanes as plain C, so that the
// kernels of that width are tested everywhere (CMakeLists.txt). Only what src/ uses.
#if !defined(LANES_THERE)
#define LANES_THERE 1
#include "base/wide.h"

#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

typedef double eight __attribute__((vector_size(64), may_alias));
#define EIGHT_FN static inline __attribute__((always_inline, unused))
#define EIGHT(x) ((eight)(x))
#define EACH(i)  for (int i = 0; i < 8; i++)

EIGHT_FN unsigned eight_compare(eight a, eight b, int how) {
    unsigned bits = 0;
    EACH(i)
    bits |= (unsigned)(how == _CMP_LT_OQ   ? a[i] < b[i]
                       : how == _CMP_LE_OQ ? a[i] <= b[i]
                                           : a[i] == b[i])
            << i;
    return bits;
}

EIGHT_FN eight eight_blend(unsigned mask, eight b, eight a) {
    EACH(i) if (mask >> i & 1) b[i] = a[i];
    return b;
}

EIGHT_FN eight eight_sqrt(eight x) {
    EACH(i) x[i] = __builtin_sqrt(x[i]);
    return x;
}

EIGHT_FN eight eight_min(eight a, eight b) {
    EACH(i) a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

EIGHT_FN eight eight_max(eight a, eight b) {
    EACH(i) a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

EIGHT_FN eight eight_fused(eight a, eight b, eight c) {
    EACH(i) a[i] = __builtin_fma(a[i], b[i], c[i]);
    return a;
}

#undef _mm512_cmp_pd_mask
#define __m512d                          eight
#define _mm512_cmp_pd_mask(a, b, how)    eight_compare(EIGHT(a), EIGHT(b), how)
#define _mm512_mask_blend_pd(mask, b, a) eight_blend(mask, EIGHT(b), EIGHT(a))
#define _mm512_sqrt_pd(x)                eight_sqrt(EIGHT(x))
#define _mm512_min_pd(a, b)              eight_min(EIGHT(a), EIGHT(b))
#define _mm512_max_pd(a, b)              eight_max(EIGHT(a), EIGHT(b))
#define _mm512_fmsub_pd(a, b, c)         eight_fused(EIGHT(a), EIGHT(b), -EIGHT(c))

#elif defined(__clang__)
#pragma clang attribute pop
#endif
