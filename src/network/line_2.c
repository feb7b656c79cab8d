// Contact lines, two points at a time: the registers that every x86-64 and arm64 has.
#include "base/lanes_2.h"
#if LANES
#include "network/line_lanes.h"
#endif
