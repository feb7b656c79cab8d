// Code over LANES numbers stands between two inclusions of this file, after LANES is defined: it is
// compiled for registers of that width. LANES_THERE is 0 where the compiler knows none.
#include "base/wide.h"

#if !defined(LANES_THERE)

#if LANES > 2
#define LANES_THERE SIS_HAS_AVX2
#elif defined(__GNUC__)
#define LANES_THERE 1
#else
#define LANES_THERE (LANES == 1)
#endif

#if LANES_THERE && LANES == 4 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif LANES_THERE && LANES == 4
#pragma GCC target("avx2,fma")
#elif LANES_THERE && LANES == 8 && defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw"))), apply_to = function)
#elif LANES_THERE && LANES == 8
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")
#endif

#elif LANES_THERE && LANES > 2 && defined(__clang__) // gcc goes on to the end of the file
#pragma clang attribute pop
#endif
