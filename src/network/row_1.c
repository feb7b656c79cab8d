// Rows, one point at a time; and which kernel is for this CPU.
#define LANES 1
#include "network/row_lanes.h"

const row_kernel sis_row_kernel_1 = {wake, solve};

const row_kernel* sis_row_kernel(void) {
    if (sis_row_kernel_4()) return sis_row_kernel_4();
    if (sis_row_kernel_2()) return sis_row_kernel_2();
    return &sis_row_kernel_1;
}
