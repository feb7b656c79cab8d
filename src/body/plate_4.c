// Plates, four points at a time: AVX2.
#include "body/plate.h"

#if SIS_HAS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#include "body/plate_lanes.h"

static const plate_width width = {{advance, sis_plate_give, work, sis_plate_energy_wide,
                                   sis_plate_admit, true, false, NULL, start},
                                  advance_late};
#if defined(__clang__)
#pragma clang attribute pop
#endif

const plate_width* sis_plate_4(void) {
    return &width;
}
#else
const plate_width* sis_plate_4(void) {
    return sis_plate_2();
}
#endif
