// Two numbers side by side: the registers that every x86-64 and arm64 has.
#include "wide/lanes_2.h"
#if LANES
#include "wide/kernels_lanes.h"
#endif
