#include "lanes_wide.h"

#include "base/lanes_4.h"
#if LANES
#include "lanes_kernels.h"

#include "base/lanes_end.h"
#endif
