// Plates, four points at a time: AVX2.
#include "body/plate.h"

#if SIS_HAS_AVX2
#include "base/avx2_begin.h"
#define LANES 4
#include "body/plate_lanes.h"

static const plate_width width = {{advance, sis_plate_give, work, sis_plate_energy_wide,
                                   sis_plate_admit, true, false, NULL, start},
                                  advance_late};
#include "base/avx2_end.h"

const plate_width* sis_plate_4(void) {
    return &width;
}
#else
const plate_width* sis_plate_4(void) {
    return sis_plate_2();
}
#endif
