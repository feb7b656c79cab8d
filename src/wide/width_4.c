// Four numbers side by side: AVX2.
#define LANES 4
#include "wide/kernels_lanes.h"
