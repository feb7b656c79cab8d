// Masses and modes, four at a time: AVX2.
#include "base/lanes_4.h"
#if LANES
#include "body/mass_lanes.h"

#include "base/lanes_end.h"
#endif
