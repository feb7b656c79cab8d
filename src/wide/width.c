// Chooses kernels by what the CPU has: one binary for all.
#include "wide/width.h"

int32_t sis_widest(void) {
#if SIS_HAS_AVX2
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 8;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
#if defined(__GNUC__)
    return 2;
#else
    return 1;
#endif
}

const wide_kernels* sis_wide(int32_t width) {
#if SIS_HAS_AVX2
    if (width >= 4) return width == 8 ? &sis_wide_8 : &sis_wide_4;
#endif
#if defined(__GNUC__)
    if (width >= 2) return &sis_wide_2;
#endif
    (void)width;
    return &sis_wide_1;
}
