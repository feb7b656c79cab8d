// Contact lines, four points at a time: AVX2.
#include "base/lanes_4.h"
#if LANES
#include "network/line_lanes.h"

#include "base/lanes_end.h"
#endif
