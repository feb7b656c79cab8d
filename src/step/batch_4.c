// Twins, four at a time: AVX2.
#include "base/lanes_4.h"
#if LANES
#include "base/lanes_end.h"
#include "step/batch_lanes.h"
#endif
