// Rows, four points at a time: AVX2.
#include "base/lanes_4.h"
#if LANES
#include "network/row_lanes.h"

#include "base/lanes_end.h"
#endif
