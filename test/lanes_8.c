#include "lanes_wide.h"

#include "base/lanes_8.h"
#if LANES
#include "base/lanes_end.h"
#include "lanes_kernels.h"
#endif
