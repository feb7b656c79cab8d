// Rows, one point at a time; and the kernel of each width.
#define LANES 1
#include "network/row_lanes.h"

const row_kernel sis_row_kernel_1 = {wake, solve};

const row_kernel* sis_row_kernel(int32_t width) {
    return width == 4 ? sis_row_kernel_4() : width == 2 ? sis_row_kernel_2() : &sis_row_kernel_1;
}
