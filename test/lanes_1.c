#define LANES 1
#include "lanes_kernels.h"

const lanes_kernels lanes_kernels_1 = LANES_KERNELS;
