// For width_2.c and its like: two lanes, the registers that every x86-64 and arm64 has. LANES is 0
// where the compiler has no vectors.
#include "base/wide.h"

#if defined(__GNUC__)
#define LANES 2
#else
#define LANES 0
#endif
