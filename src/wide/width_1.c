// One number at a time: strings and masses by their scalar kernels, the others with one lane.
#define LANES 1
#include "body/plate_lanes.h"
#include "network/band_lanes.h"
#include "network/line_lanes.h"
#include "network/profile_lanes.h"
#include "wide/width.h"

const wide_kernels sis_wide_1 = {sis_string_advance, &sis_banded_passes, sweep_plate,
                                 &sis_mass_kind_1,   &line_passes,       &band_passes,
                                 &profile_passes};
