// Twins, two at a time: the registers that every x86-64 and arm64 has.
#include "step/batch.h"

#if defined(__GNUC__)
#define LANES 2
#include "step/batch_lanes.h"

static const batch_kernel kernel = {LANES, step_voices};

const batch_kernel* sis_batch_kernel_2(void) {
    return &kernel;
}
#else
const batch_kernel* sis_batch_kernel_2(void) {
    return NULL;
}
#endif
