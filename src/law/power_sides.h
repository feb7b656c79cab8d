// The discrete gradient of laws with any number of sides, for one contact. Included where LANES is
// 1, so that it becomes part of the search that needs it.
#ifndef SIS_LAW_POWER_SIDES_H
#define SIS_LAW_POWER_SIDES_H

#include "law/power_lanes.h"

// Depths on two sides, or one of them 0: no chord inside the potential.
static inline lanes_gradient power_across(const power_law* law, const lanes_law* l, double depth,
                                          double phi_w, double y) {
    lanes_gradient g = {0, 0, 0, depth, power_phi(law, depth), lanes_inverse_depth(depth)};
    double over_y = lanes_inverse_travel(y);
    g.value = (g.phi - phi_w) * over_y;
    lanes_derivatives(l, y, over_y, -1, &g);
    return g;
}

// Both ends inside and near each other, x = y/w within the reach of the series:
// DG = phi'(w) rise(x), with no difference of nearly equal numbers.
static inline lanes_gradient power_gradient_near(const power_law* law, double over_w, double phi_w,
                                                 double depth, double y) {
    const double *r = law->rise, *l = law->lean, *b = law->bend;
    double x = y * over_w, x2 = x * x, x4 = x2 * x2, force = law->t * phi_w * over_w;
    double low = (r[0] + r[1] * x) + x2 * (r[2] + r[3] * x);
    double middle = (r[4] + r[5] * x) + x2 * (r[6] + r[7] * x);
    double high = (r[8] + r[9] * x) + x2 * (r[10] + r[11] * x);
    double lean =
        ((l[0] + l[1] * x) + x2 * (l[2] + l[3] * x)) + x4 * ((l[4] + l[5] * x) + x2 * l[6]);
    double bend = ((b[0] + b[1] * x) + x2 * (b[2] + b[3] * x)) + x4 * b[4];
    double value = force * (low + x4 * (middle + x4 * high));
    return (lanes_gradient){value, force * over_w * lean, force * over_w * over_w * bend,
                            depth, phi_w + value * y,     1 / depth};
}

// See sis_power_gradient_at; `inverse` has the sign of the side.
static inline lanes_gradient power_gradient_sides(const power_law* law, const lanes_law* l,
                                                  double w, double phi_w, double y) {
    // In depths: mirror the negative side, so that every formula sees the positive one.
    double z = w + y, depth = power_depth(law, z), depth_w = power_depth(law, w);
    if (depth == 0 && depth_w == 0) return (lanes_gradient){0, 0, 0, 0, 0, 1};
    double sign = law->both && (depth > 0 ? z < 0 : w < 0) ? -1 : 1;
    bool inside = depth > 0 && depth_w > 0 && (!law->both || (w < 0) == (z < 0));
    lanes_gradient g;
    if (!inside)
        g = power_across(law, l, depth, phi_w, sign * y);
    else if (fabs(y) <= law->reach * depth_w && phi_w > 1e-250 && phi_w < 1e190)
        g = power_gradient_near(law, 1 / depth_w, phi_w, depth, sign * y);
    else
        g = lanes_gradient_inside(l, depth_w, 1 / depth_w, phi_w, depth, sign * y, -1);
    g.value *= sign;
    g.bend *= sign;
    g.inverse *= sign;
    return g;
}

#endif
