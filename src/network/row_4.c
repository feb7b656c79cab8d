// Rows, four points at a time: AVX2.
#include "network/row.h"

#if SIS_HAS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#include "network/row_lanes.h"

static const row_kernel kernel = {wake, solve};
#if defined(__clang__)
#pragma clang attribute pop
#endif

const row_kernel* sis_row_kernel_4(void) {
    return &kernel;
}
#else
const row_kernel* sis_row_kernel_4(void) {
    return sis_row_kernel_2();
}
#endif
