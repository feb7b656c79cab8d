// Contact lines, one point at a time.
#define LANES 1
#include "network/line_lanes.h"
