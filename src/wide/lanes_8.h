// For width_8.c and its like: eight lanes. What follows, up to wide/lanes_end.h, is compiled for
// AVX-512; LANES is 0 where there is no such thing.
#include "base/wide.h"

#if SIS_HAS_AVX2
#define LANES 8
#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")
#endif
#else
#define LANES 0
#endif
