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

// See sis_power_gradient_at; `inverse` has the sign of the side.
static inline lanes_gradient power_gradient_sides(const power_law* law, const lanes_law* l,
                                                  double w, double phi_w, double y) {
    // In depths: mirror the negative side, so that every formula sees the positive one.
    double z = w + y, depth = power_depth(law, z), depth_w = power_depth(law, w);
    if (depth == 0 && depth_w == 0) return (lanes_gradient){0, 0, 0, 0, 0, 1};
    double sign = law->both && (depth > 0 ? z < 0 : w < 0) ? -1 : 1;
    bool inside = depth > 0 && depth_w > 0 && (!law->both || (w < 0) == (z < 0));
    lanes_gradient g =
        inside ? lanes_gradient_inside(l, depth_w, 1 / depth_w, phi_w, depth, sign * y, -1)
               : power_across(law, l, depth, phi_w, sign * y);
    g.value *= sign;
    g.bend *= sign;
    g.inverse *= sign;
    return g;
}

#endif
