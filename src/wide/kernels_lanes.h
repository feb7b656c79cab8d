// All kernels at one width. To be included in a .c file that has defined LANES.
#include "wide/target.h"
#if LANES_THERE
#include "body/mass_lanes.h"
#include "body/plate_lanes.h"
#include "body/string_lanes.h"
#include "network/band_lanes.h"
#include "network/line_lanes.h"
#include "network/profile_lanes.h"
#include "wide/width.h"

const wide_kernels LANES_NAME(sis_wide) = {advance_string, &banded_string_passes, sweep_plate,
                                           &mass_kind,     &line_passes,          &band_passes,
                                           &profile_passes};
#endif

#include "wide/target.h"
