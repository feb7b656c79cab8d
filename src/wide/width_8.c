// Eight numbers side by side: AVX-512.
#include "wide/lanes_8.h"
#if LANES
#include "wide/kernels_lanes.h"

#include "wide/lanes_end.h"
#endif
