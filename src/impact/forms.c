// Closed forms of an impact. With z = mu v the first integral is
//
//   I = K x^t/t + (M/mu^2) g(mu v),   g(z) = z - log(1 + z),   t = alpha + 1
//
// constant during the contact also with the loss. g cancels for small z, so g(z)/z^2 is a series
// there, and mu never divides: the elastic impact mu = 0 is an ordinary case.
#include "base/power.h"
#include "impact/impact.h"

#include <math.h>

double sis_impact_integral_over_square(double z) {
    if (fabs(z) > 0.1) return (z - sis_log1p(z)) / (z * z);
    double sum = 0;
    for (int j = 17; j >= 2; j--) // 1/2 - z/3 + z^2/4 - ...
        sum = 1.0 / j - z * sum;
    return sum;
}

double sis_impact_integral(double z) {
    return z * z * sis_impact_integral_over_square(z);
}

// g is convex with g' = z/(1 + z): Newton from a point beyond the root falls onto it monotonically.
double sis_impact_integral_inverse(double c, bool negative) {
    if (!(c > 0)) return 0;
    double root = sqrt(2 * c);
    // z = sqrt(2 c) + 2c/3 is beyond on the positive side; -(1 - e^(-1 - c)) on the negative one.
    double z = negative ? (root < 0.5 ? -root : sis_expm1(-1 - c)) : root + c * (2.0 / 3);
    for (int i = 0; i < 60; i++) {
        double miss = sis_impact_integral(z) - c;
        double next = z - miss * (1 + z) / z;
        if (negative && !(next > -1)) next = 0.5 * (z - 1);
        bool done = fabs(next - z) <= 2e-16 * fabs(next);
        z = next;
        if (done) break;
    }
    return z;
}

// x^t = (t M/K) (g(z_r) - g(z))/mu^2 at velocity v = ref - fall, where ref is a velocity of x = 0:
// with w = fall/(1 + mu ref) it is (t M/K) (ref w - w^2 (g/z^2)(-mu w)).
static double depth_after(const sis_impact* i, double ref, double fall) {
    double w = fall / (1 + i->mu * ref);
    double drop = ref * w - w * w * sis_impact_integral_over_square(-i->mu * w);
    double t = i->alpha + 1;
    return drop > 0 ? sis_pow(t * i->mass / i->K * drop, 1 / t) : 0;
}

double sis_impact_exit_speed(const sis_impact* i) {
    double z = i->mu * i->speed;
    if (z >= 1e-3) return -sis_impact_integral_inverse(sis_impact_integral(z), true) / i->mu;
    // w = z sqrt(h(z)/h(-w)) with h = g/z^2: a contraction by z/3.
    double w = z;
    for (int n = 0; n < 8; n++)
        w = z * sqrt(sis_impact_integral_over_square(z) / sis_impact_integral_over_square(-w));
    return i->speed *
           sqrt(sis_impact_integral_over_square(z) / sis_impact_integral_over_square(-w));
}

double sis_impact_depth(const sis_impact* i, double v) {
    double exit = sis_impact_exit_speed(i);
    if (!(v <= i->speed && v >= -exit)) return (double)NAN;
    return v >= 0 ? depth_after(i, i->speed, i->speed - v) : depth_after(i, -exit, -exit - v);
}

double sis_impact_max_depth(const sis_impact* i) {
    return depth_after(i, i->speed, i->speed);
}

double sis_impact_restitution(const sis_impact* i) {
    return sis_impact_exit_speed(i) / i->speed;
}

double sis_impact_exit_speed_fit(const sis_impact* i) {
    double z = i->mu * i->speed;
    if (z == 0) return i->speed;
    double over = z * (1 + z * (2.0 / 3 + z * (2.0 / 9 + z * (14.0 / 135)))); // polynomial - 1
    double fade = sis_expm1(-2 * z);
    return -(fade + over * (1 + fade)) / i->mu;
}

// dt = -M dv/(K x^alpha (1 + mu v)). Near both ends x^alpha goes as (v - v_end)^(alpha/t): with v -
// v_end = y^t the integrand is smooth, and the ends of [0, 1] are where the double exponential rule
// wants them.
static double half_duration(const sis_impact* i, double ref) {
    double t = i->alpha + 1, end = sis_pow(fabs(ref), 1 / t), total = 0;
    const double h = 1.0 / 32;
    for (int n = -128; n <= 128; n++) {
        double u = n * h, sinh_u = 0.5 * (sis_expm1(u) - sis_expm1(-u));
        double cosh_u = 1 + 0.5 * (sis_expm1(u) + sis_expm1(-u));
        double arm = 1.5707963267948966 * sinh_u; // y/end = 1/(1 + e^(-2 arm))
        double part = 1 / (2 + sis_expm1(-2 * arm));
        double weight = h * 3.141592653589793 * cosh_u * part * (1 - part);
        double y = end * part;
        if (!(weight > 0) || !(y > 0)) continue;
        double fall = sis_pow(y, t), v = ref > 0 ? ref - fall : ref + fall;
        double x = depth_after(i, ref, ref > 0 ? fall : -fall);
        if (!(x > 0)) continue;
        total += weight * end * t * sis_pow(y, i->alpha) / (sis_pow(x, i->alpha) * (1 + i->mu * v));
    }
    return total * i->mass / i->K;
}

double sis_impact_duration(const sis_impact* i) {
    return half_duration(i, i->speed) + half_duration(i, -sis_impact_exit_speed(i));
}
