#include "lanes_wide.h"

#define LANES 8
#include "wide/target.h"
#if LANES_THERE
#include "lanes_kernels.h"
#endif

#include "wide/target.h"
