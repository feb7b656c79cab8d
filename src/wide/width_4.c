// Four numbers side by side: AVX2.
#include "wide/lanes_4.h"
#if LANES
#include "wide/kernels_lanes.h"

#include "wide/lanes_end.h"
#endif
