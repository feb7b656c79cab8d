// One width only, that of the machine: in place of src/wide/width.c, so that kernels of other widths are left out.
#include "wide/width.h"

#ifdef __wasm_simd128__
#define OWN_WIDTH   2
#define OWN_KERNELS sis_wide_2
#else
#define OWN_WIDTH   1
#define OWN_KERNELS sis_wide_1
#endif

int32_t sis_widest(void) {
    return OWN_WIDTH;
}

const wide_kernels* sis_wide(int32_t width) {
    (void)width; // all give the same bits
    return &OWN_KERNELS;
}
