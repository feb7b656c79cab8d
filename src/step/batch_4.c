// Twins, four at a time: AVX2.
#include "step/batch.h"

#if SIS_HAS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#include "step/batch_lanes.h"

static const batch_kernel kernel = {LANES, step_voices};
#if defined(__clang__)
#pragma clang attribute pop
#endif

const batch_kernel* sis_batch_kernel_4(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel : NULL;
}
#else
const batch_kernel* sis_batch_kernel_4(void) {
    return NULL;
}
#endif
