// Eight numbers side by side: AVX-512.
#define LANES 8
#include "wide/kernels_lanes.h"
