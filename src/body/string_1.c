// Explicit strings, one point at a time.
#define LANES 1
#include "body/string_lanes.h"
