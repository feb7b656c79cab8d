// Plates, one point at a time.
#define LANES 1
#include "body/plate_lanes.h"
