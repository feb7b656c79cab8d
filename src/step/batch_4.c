// Twins, four at a time: AVX2.
#include "step/batch.h"

#if SIS_HAS_AVX2
#include "base/avx2_begin.h"
#define LANES 4
#include "step/batch_lanes.h"

static const batch_kernel kernel = {LANES, step_voices};
#include "base/avx2_end.h"

const batch_kernel* sis_batch_kernel_4(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel : NULL;
}
#else
const batch_kernel* sis_batch_kernel_4(void) {
    return NULL;
}
#endif
