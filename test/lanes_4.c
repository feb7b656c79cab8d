#include "lanes_wide.h"

#include "base/wide.h"

#include <stddef.h>

#if SIS_HAS_AVX2
#include "base/lanes_4.h"
#include "lanes_kernels.h"

static const lanes_kernels kernels = LANES_KERNELS;
#include "base/lanes_end.h"

const lanes_kernels* lanes_kernels_4(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels : NULL;
}
#else
const lanes_kernels* lanes_kernels_4(void) {
    return NULL;
}
#endif
