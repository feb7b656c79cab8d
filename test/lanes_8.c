#include "lanes_wide.h"

#include "wide/lanes_8.h"
#if LANES
#include "lanes_kernels.h"

#include "wide/lanes_end.h"
#endif
