// Plates, one point at a time; and the kind of each width.
#define LANES 1
#include "body/plate_lanes.h"

const plate_width sis_plate_1 = {
    {advance, sis_plate_give, work, sis_plate_energy, sis_plate_admit, true, false, NULL, start},
    advance_late};

static const plate_width* of_width(int32_t width) {
    return width == 4 ? sis_plate_4() : width == 2 ? sis_plate_2() : &sis_plate_1;
}

const body_kind* sis_plate_kind(int32_t width) {
    return &of_width(width)->kind;
}

body_late sis_plate_late(int32_t width) {
    return of_width(width)->late;
}
