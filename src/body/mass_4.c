// Masses and modes, four at a time: AVX2.
#include "body/mass.h"

#if SIS_HAS_AVX2
#include "base/avx2_begin.h"
#define LANES 4
#include "body/mass_lanes.h"

static const body_kind kind = {advance,        give, work,  sis_mass_energy,
                               sis_mass_admit, true, false, sis_mass_stretch,
                               sis_mass_start};
#include "base/avx2_end.h"

const body_kind* sis_mass_kind_4(void) {
    return &kind;
}
#else
const body_kind* sis_mass_kind_4(void) {
    return sis_mass_kind_2();
}
#endif
