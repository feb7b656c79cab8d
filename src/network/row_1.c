// Rows, one point at a time.
#define LANES 1
#include "network/row_lanes.h"
