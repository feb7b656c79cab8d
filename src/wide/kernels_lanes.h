// All kernels at one width. To be included in a .c file that has defined LANES.
#include "network/line_lanes.h"
#include "network/profile_lanes.h"
#include "wide/mass_lanes.h"
#include "wide/plate_lanes.h"
#include "wide/string_lanes.h"
#include "wide/width.h"

const wide_kernels LANES_NAME(sis_wide) = {advance_string, &plate_passes, &mass_kind, &line_passes,
                                           &profile_passes};
