#define LANES 1
#include "base/power.h"

#include "base/power_lanes.h"

#include <math.h>

double sis_pow(double x, double y) {
    if (x == 0) return y == 0 ? 1 : 0;
    if (!(x > 0) || !isfinite(x) || !isfinite(y)) return x > 0 && y > 0 ? INFINITY : NAN;
    return lanes_pow(x, y);
}

double sis_log1p(double x) {
    if (x > -0.28 && x < 0.39) return lanes_log1p_small(x); // |s| <= 0.1714
    lanes_pair one = lanes_sum(1, x);
    if (!(one.high > 0)) return one.high == 0 ? -INFINITY : NAN;
    if (!isfinite(x)) return x;
    lanes_pair log = lanes_log(one.high);
    return log.high + (log.low + one.low / one.high);
}

double sis_expm1(double x) {
    if (fabs(x) <= 0.3475) return lanes_expm1_small(x);
    return lanes_exp((lanes_pair){x, 0}) - 1;
}

// cos(pi q/2) and sin(pi q/2) for |q| <= 1/2.
static double cos_octant(double q) {
    double z = q * 1.5707963267948966, z2 = z * z;
    return 1 - z2 * (1.0 / 2 -
                     z2 * (1.0 / 24 -
                           z2 * (1.0 / 720 -
                                 z2 * (1.0 / 40320 -
                                       z2 * (1.0 / 3628800 - z2 * (1.0 / 479001600 -
                                                                   z2 * (1.0 / 87178291200 -
                                                                         z2 / 20922789888000)))))));
}

static double sin_octant(double q) {
    double z = q * 1.5707963267948966, z2 = z * z;
    return z * (1 - z2 * (1.0 / 6 -
                          z2 * (1.0 / 120 -
                                z2 * (1.0 / 5040 -
                                      z2 * (1.0 / 362880 -
                                            z2 * (1.0 / 39916800 - z2 * (1.0 / 6227020800 -
                                                                         z2 / 1307674368000)))))));
}

double sis_cos_turns(double turns) {
    double quarters = 4 * (turns - floor(turns)); // [0, 4]
    double nearest = floor(quarters + 0.5);
    double q = quarters - nearest;
    switch ((int)nearest & 3) {
    case 0:
        return cos_octant(q);
    case 1:
        return -sin_octant(q);
    case 2:
        return -cos_octant(q);
    default:
        return sin_octant(q);
    }
}

double sis_root_guess(double x, double inverse) {
    return lanes_root_guess(x, inverse);
}

double sis_power_roughly(double x, double exponent) {
    return lanes_power_roughly(x, exponent);
}
