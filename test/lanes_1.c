#define LANES 1
#include "lanes_kernels.h"
