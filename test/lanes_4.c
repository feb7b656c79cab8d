#include "lanes_wide.h"

#include "base/lanes_4.h"
#if LANES
#include "base/lanes_end.h"
#include "lanes_kernels.h"
#endif
