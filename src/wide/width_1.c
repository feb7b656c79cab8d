// One number at a time: the kernels of body, and contact lines with one lane.
#define LANES 1
#include "network/line_lanes.h"
#include "network/profile_lanes.h"
#include "wide/width.h"

const wide_kernels sis_wide_1 = {sis_string_advance, &sis_plate_kernel, &sis_mass_kind_1,
                                 &line_passes, &profile_passes};
