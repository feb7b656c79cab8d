// The widest kernels are there, in plain C (base/lanes_8.h beside this) for AVX2.
#include "base/base.h"

int32_t sis_widest(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8 : 2;
}
