// Rows, four points at a time: AVX2.
#include "network/row.h"

#if SIS_HAS_AVX2
#include "base/avx2_begin.h"
#define LANES 4
#include "network/row_lanes.h"

static const row_kernel kernel = {wake, solve};
#include "base/avx2_end.h"

const row_kernel* sis_row_kernel_4(void) {
    return &kernel;
}
#else
const row_kernel* sis_row_kernel_4(void) {
    return sis_row_kernel_2();
}
#endif
