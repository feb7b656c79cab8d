// Contact lines, eight points at a time: AVX-512.
#include "base/lanes_8.h"
#if LANES
#include "network/line_lanes.h"

#include "base/lanes_end.h"
#endif
