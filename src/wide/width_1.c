// One number at a time: the kernels of body, contact lines and points of banded
// strings with one lane.
#define LANES 1
#include "network/band_lanes.h"
#include "network/line_lanes.h"
#include "wide/width.h"

const wide_kernels sis_wide_1 = {sis_string_advance, &sis_plate_kernel, &sis_mass_kind_1,
                                 &line_passes, &band_passes};
