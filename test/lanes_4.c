#include "lanes_wide.h"

#include "base/wide.h"

#include <stddef.h>

#if SIS_HAS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#include "lanes_kernels.h"

static const lanes_kernels kernels = LANES_KERNELS;
#if defined(__clang__)
#pragma clang attribute pop
#endif

const lanes_kernels* lanes_kernels_4(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels : NULL;
}
#else
const lanes_kernels* lanes_kernels_4(void) {
    return NULL;
}
#endif
