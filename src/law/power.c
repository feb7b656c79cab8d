#define LANES 1
#include "law/power.h"

#include "base/power.h"
#include "law/power_lanes.h"

#include <math.h>

power_law sis_power_law_make(sis_law law, double K, double alpha, double gap) {
    power_law made = {.K = K, .alpha = alpha, .t = alpha + 1};
    made.K_over_t = K / made.t;
    made.inverse_t = 1 / made.t;
    double middle = 2 * (1 - sis_pow(0.5, made.t));
    made.rebound2 = 2 * alpha - 4 * (middle - 1);
    made.rebound1 = alpha - made.rebound2;
    made.both = law != SIS_LAW_ONE_SIDED;
    made.limited = law == SIS_LAW_CENTRE_LIMITED;
    made.play = made.limited ? gap : 0;
    made.class = alpha == 1     ? POWER_1
                 : alpha == 1.5 ? POWER_3_2
                 : alpha == 2   ? POWER_2
                 : alpha == 2.5 ? POWER_5_2
                 : alpha == 3   ? POWER_3
                                : POWER_ANY;
    double part = 1;
    for (int i = 0; i < POWER_GROW; i++)
        made.grow[i] = part *= (made.t - (i + 1)) / (i + 2);
    return made;
}

double sis_power_raise(const power_law* law, double x) {
    const lanes_law l = lanes_law_of(law);
    return lanes_raise(&l, x);
}

// Depths on two sides, or one of them 0: no chord inside the potential.
static lanes_gradient across(const power_law* law, double depth, double phi_w, double y) {
    lanes_gradient g = {0, 0, 0, depth, power_phi(law, depth), lanes_inverse_depth(depth)};
    double over_y = lanes_inverse_travel(y);
    g.value = (g.phi - phi_w) * over_y;
    const lanes_law l = lanes_law_of(law);
    lanes_derivatives(&l, y, over_y, -1, &g);
    return g;
}

power_gradient sis_power_gradient_at(const power_law* law, double w, double phi_w, double y) {
    // In depths: mirror the negative side, so that every formula sees the positive one.
    double z = w + y, depth = power_depth(law, z), depth_w = power_depth(law, w);
    if (depth == 0 && depth_w == 0) return (power_gradient){0, 0, 0, 0, 0, 1};
    double sign = law->both && (depth > 0 ? z < 0 : w < 0) ? -1 : 1;
    bool inside = depth > 0 && depth_w > 0 && (!law->both || (w < 0) == (z < 0));
    const lanes_law l = lanes_law_of(law);
    lanes_gradient g =
        inside ? lanes_gradient_inside(&l, depth_w, 1 / depth_w, phi_w, depth, sign * y, -1)
               : across(law, depth, phi_w, sign * y);
    return (power_gradient){sign * g.value, g.slope, sign * g.bend, g.depth, g.phi, sign * g.inverse};
}
