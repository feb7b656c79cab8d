#include "lanes_wide.h"

#include <stddef.h>

#if defined(__GNUC__)
#define LANES 2
#include "lanes_kernels.h"

static const lanes_kernels kernels = LANES_KERNELS;

const lanes_kernels* lanes_kernels_2(void) {
    return &kernels;
}
#else
const lanes_kernels* lanes_kernels_2(void) {
    return NULL;
}
#endif
