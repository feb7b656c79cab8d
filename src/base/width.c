#include "base/base.h"

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
