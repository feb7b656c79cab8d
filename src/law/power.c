#define LANES 1
#include "law/power.h"

#include "base/power.h"
#include "law/power_sides.h"

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

power_gradient sis_power_gradient_at(const power_law* law, double w, double phi_w, double y) {
    const lanes_law l = lanes_law_of(law);
    lanes_gradient g = power_gradient_sides(law, &l, w, phi_w, y);
    return (power_gradient){g.value, g.slope, g.bend, g.depth, g.phi};
}
