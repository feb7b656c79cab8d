// Foam, whose slope grows by e over a depth l: what it takes to add a law (docs/architecture.md).
//
//   phi = K l^2 (e^(x/l) - 1 - x/l),   phi' = K l (e^(x/l) - 1),   phi'' = K e^(x/l)
//
// One-sided, and mirrored as a joint and as a pair of stops.
#include "base/power.h"
#include "scene/law_class.h"

#include <math.h>

static bool make(const sis_contact_def* def, double K, double* number, sis_error* error) {
    if (def->alpha != 1)
        return sis_fail(error, SIS_REFUSED, "foam is linear at first: it takes 'alpha' = 1");
    if (isnan(def->scale)) return sis_fail(error, SIS_BAD_VALUE, "foam needs its 'scale' (m)");
    number[0] = K;
    number[1] = def->scale;
    return true;
}

// e^u - 1 - u, by its series where that cancels.
static double rest(double u) {
    if (u > 1) return sis_expm1(u) - u;
    double sum = 1;
    for (int i = 20; i > 2; i--)
        sum = 1 + sum * u / i;
    return 0.5 * u * u * sum;
}

static double potential(const double* number, double x) {
    double K = number[0], l = number[1];
    return K * l * l * rest(x / l);
}

static double force(const double* number, double x) {
    double K = number[0], l = number[1];
    return K * l * sis_expm1(x / l);
}

static double slope(const double* number, double x) {
    double K = number[0], l = number[1];
    return K * (1 + sis_expm1(x / l));
}

const law_class sis_foam_law = {SIS_LAW_ONE_SIDED, make, potential, force, slope};
const law_class sis_foam_joint_law = {SIS_LAW_TWO_SIDED, make, potential, force, slope};
const law_class sis_foam_stops_law = {SIS_LAW_CENTRE_LIMITED, make, potential, force, slope};
