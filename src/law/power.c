#include "law/power.h"

#include "base/power.h"

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
    return made;
}

double sis_power_raise(const power_law* law, double x) {
    switch (law->class) {
    case POWER_1:
        return x;
    case POWER_3_2:
        return x * sqrt(x);
    case POWER_2:
        return x * x;
    case POWER_5_2:
        return x * x * sqrt(x);
    case POWER_3:
        return x * x * x;
    default:
        return sis_pow(x, law->alpha);
    }
}

// (x (1 + e))^t = x^t (1 + t e + t (t-1)/2 e^2 + ...); what six terms leave is below (t e)^7/5040.
double sis_power_carry(const power_law* law, double from, double phi_from, double x) {
    if (!(from > 0)) return -1;
    double e = (x - from) / from;
    double t = law->t;
    if (!(fabs(t * e) <= 0.03)) return -1;
    double tail = 1 + e * (t - 5) * (1.0 / 6);
    tail = 1 + e * (t - 4) * (1.0 / 5) * tail;
    tail = 1 + e * (t - 3) * (1.0 / 4) * tail;
    tail = 1 + e * (t - 2) * (1.0 / 3) * tail;
    tail = 1 + e * (t - 1) * (1.0 / 2) * tail;
    return phi_from * (1 + e * t * tail);
}

// (z^t - w^t)/(z - w) for t = 5/2 and 7/2 with a = sqrt z, b = sqrt w.
static double chord_5_2(double z, double w, double a, double b) {
    return (z * z + a * b * (z + w) + z * w + w * w) / (a + b);
}

static double chord_7_2(double z, double w, double a, double b) {
    double ab = a * b;
    return (z * z * z + w * w * w + ab * (z * z + z * w + w * w) + z * w * (z + w)) / (a + b);
}

// Both ends inside on the same side: depths w and z = w + y > 0. Sets the value and phi(z).
static void chord_inside(const power_law* law, double w, double phi_w, double z, double y,
                         power_gradient* out) {
    double c = law->K_over_t;
    switch (law->class) {
    case POWER_1:
        out->value = c * (z + w);
        break;
    case POWER_2:
        out->value = c * (z * z + z * w + w * w);
        break;
    case POWER_3:
        out->value = c * (z + w) * (z * z + w * w);
        break;
    case POWER_3_2:
        out->value = c * chord_5_2(z, w, sqrt(z), sqrt(w));
        break;
    case POWER_5_2:
        out->value = c * chord_7_2(z, w, sqrt(z), sqrt(w));
        break;
    default: {
        double ratio = y / w;
        if (fabs(ratio) > 0.25) {
            out->phi = power_phi(law, z);
            out->value = (out->phi - phi_w) / y;
        } else {
            double grown = sis_expm1(law->t * sis_log1p(ratio));
            out->phi = phi_w * (1 + grown);
            // Below 1e-8 two terms of the series are exact, and y may be 0.
            out->value = fabs(ratio) < 1e-8 ? law->t * phi_w / w * (1 + 0.5 * law->alpha * ratio)
                                            : phi_w * grown / y;
        }
        return;
    }
    }
    out->phi = power_phi(law, z);
}

// DG' = (phi'(z) - DG)/y and DG'' = (phi''(z) - 2 DG')/y, or their series where those cancel:
// phi''(w + 2y/3)/2 and phi'''/3. Depths; `force` = phi'(z).
static void derivatives(const power_law* law, double y, double force, power_gradient* out) {
    double z = out->depth;
    double curve = z > 0 ? law->alpha * force / z : 0; // phi''(z)
    if (fabs(y) > 1e-5 * z) {
        out->slope = (force - out->value) / y;
        out->bend = (curve - 2 * out->slope) / y;
    } else {
        double third = z > 0 ? curve * (law->alpha - 1) / z : 0;
        out->slope = 0.5 * (curve - third * y * (1.0 / 3));
        out->bend = third * (1.0 / 3);
    }
    if (!(out->slope > 0)) out->slope = 0;
}

power_gradient sis_power_gradient_at(const power_law* law, double w, double phi_w, double y) {
    power_gradient out = {0, 0, 0, 0, 0};
    double eta = w + y;
    out.depth = power_depth(law, eta);
    double depth_w = power_depth(law, w);
    if (out.depth == 0 && depth_w == 0) return out;
    bool negative = out.depth > 0 ? law->both && eta < 0 : law->both && w < 0;
    bool same = out.depth > 0 && depth_w > 0 && (!law->both || (w < 0) == (eta < 0));
    // In depths: mirror the negative side, so that every formula sees the positive one.
    double step = negative ? -y : y;
    if (same) {
        chord_inside(law, depth_w, phi_w, out.depth, step, &out);
    } else {
        out.phi = power_phi(law, out.depth);
        out.value = (out.phi - phi_w) / step;
    }
    derivatives(law, step, power_force(law, out.depth, out.phi), &out);
    if (negative) {
        out.value = -out.value;
        out.bend = -out.bend;
    }
    return out;
}
