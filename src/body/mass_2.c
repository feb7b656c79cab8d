// Masses and modes, two at a time: the registers that every x86-64 and arm64 has.
#include "body/mass.h"

#if defined(__GNUC__)
#define LANES 2
#include "body/mass_lanes.h"

static const body_kind kind = {advance,        give, work,  sis_mass_energy,
                               sis_mass_admit, true, false, sis_mass_stretch,
                               sis_mass_start};

const body_kind* sis_mass_kind_2(void) {
    return &kind;
}
#else
const body_kind* sis_mass_kind_2(void) {
    return sis_mass_kind(1);
}
#endif
