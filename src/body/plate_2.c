// Plates, two points at a time: the registers that every x86-64 and arm64 has.
#include "body/plate.h"

#if defined(__GNUC__)
#define LANES 2
#include "body/plate_lanes.h"

static const plate_width width = {
    {advance, sis_plate_give, work, sis_plate_energy, sis_plate_admit, true, false, NULL, start},
    advance_late};

const plate_width* sis_plate_2(void) {
    return &width;
}
#else
const plate_width* sis_plate_2(void) {
    return &sis_plate_1;
}
#endif
