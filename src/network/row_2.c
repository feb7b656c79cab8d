// Rows, two points at a time: the registers that every x86-64 and arm64 has.
#include "network/row.h"

#if defined(__GNUC__)
#define LANES 2
#include "network/row_lanes.h"

static const row_kernel kernel = {wake, solve};

const row_kernel* sis_row_kernel_2(void) {
    return &kernel;
}
#else
const row_kernel* sis_row_kernel_2(void) {
    return &sis_row_kernel_1;
}
#endif
