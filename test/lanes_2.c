#include "lanes_wide.h"

#include "wide/lanes_2.h"
#if LANES
#include "lanes_kernels.h"
#endif
