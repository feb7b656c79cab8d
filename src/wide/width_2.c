// Two numbers side by side: what every x86-64 and arm64 has.
#define LANES 2
#include "wide/kernels_lanes.h"
