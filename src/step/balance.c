// The energy balance of a run: how far stored + dissipated - supplied strays, and what that is
// relative to.
#include "step/system.h"

#include <math.h>

// The larger one, and NaN if one of them is.
static double larger(double a, double b) {
    return isnan(a) || b <= a ? a : b;
}

void sis_balance_add(sis_balance* balance, const sis_energy* energies, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const sis_energy* e = &energies[i];
        balance->highest = larger(balance->highest, e->total);
        balance->flowed = larger(balance->flowed, e->total);
        balance->flowed = larger(balance->flowed, fabs(e->supplied));
        balance->flowed = larger(balance->flowed, e->dissipated);
        balance->off = larger(balance->off, fabs(e->residual));
    }
}

double sis_balance_residual(const sis_balance* balance) {
    return balance->flowed == 0 ? 0 : balance->off / balance->flowed;
}
