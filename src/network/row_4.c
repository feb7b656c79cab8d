// Rows, four points at a time: AVX2.
#include "base/lanes_4.h"
#if LANES
#include "base/lanes_end.h"
#include "network/row_lanes.h"
#endif
