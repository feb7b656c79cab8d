// The one door to width: the kernels that take several numbers side by side (base/lanes.h). Each
// does what the scalar kernel of its folder does, with the same bits.
#ifndef SIS_WIDE_WIDTH_H
#define SIS_WIDE_WIDTH_H

#include "body/kernels.h"
#include "network/band.h"
#include "network/line.h"

typedef struct wide_kernels {
    string_advance string;
    const banded_passes* banded;
    plate_sweep plate;
    const body_kind* mass;
    const line_kernel* line;
    const band_kernel* band;
    const profile_kernel* profile;
} wide_kernels;

// How many numbers side by side this CPU takes: 1, 2, 4 or 8.
int32_t sis_widest(void);

// The kernels for a width, which is one of these and at most sis_widest().
const wide_kernels* sis_wide(int32_t width);

// One width each, width_1.c to width_8.c: 2 where the compiler has vectors, 4 and 8 on x86-64.
extern const wide_kernels sis_wide_1, sis_wide_2, sis_wide_4, sis_wide_8;

#endif
