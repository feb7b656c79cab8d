// For width_4.c and its like: four lanes. What follows, up to wide/lanes_end.h, is compiled for
// AVX2; LANES is 0 where there is no such thing.
#include "base/wide.h"

#if SIS_HAS_AVX2
#define LANES 4
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#else
#define LANES 0
#endif
