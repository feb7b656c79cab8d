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

// Something that can happen: what is no number, or has the wrong sign, has no answer.
static bool happens(const sis_impact* i) {
    return i && i->mass > 0 && i->mass < HUGE_VAL && i->K > 0 && i->K < HUGE_VAL && i->alpha >= 1 &&
           i->alpha < HUGE_VAL && i->mu >= 0 && i->mu < HUGE_VAL && i->speed >= 0 &&
           i->speed < HUGE_VAL;
}

// Where every step of the forms is a normal number: beyond, results would be a mix of 0, infinity
// and NaN. Past 1e15, mu speed has no digit left for the 1 in 1 + mu speed.
static bool known(const sis_impact* i) {
    if (!happens(i) || !(i->speed >= 1e-100 && i->speed <= 1e100)) return false;
    double scale = (i->alpha + 1) * i->mass / i->K; // x^t is at most scale speed^2/2
    return i->mu <= 1e100 && i->mu * i->speed <= 1e15 && scale >= 1e-80 && scale <= 1e80;
}

double sis_impact_leaves(const sis_impact* i) {
    if (!happens(i)) return (double)NAN;
    double z = i->mu * i->speed;
    if (z >= 1e-3) return -sis_impact_integral_inverse(sis_impact_integral(z), true) / i->mu;
    // w = z sqrt(h(z)/h(-w)) with h = g/z^2: a contraction by z/3.
    double w = z;
    for (int n = 0; n < 8; n++)
        w = z * sqrt(sis_impact_integral_over_square(z) / sis_impact_integral_over_square(-w));
    return i->speed *
           sqrt(sis_impact_integral_over_square(z) / sis_impact_integral_over_square(-w));
}

double sis_impact_exit_speed(const sis_impact* i) {
    return known(i) ? sis_impact_leaves(i) : (double)NAN;
}

double sis_impact_depth(const sis_impact* i, double v) {
    if (!known(i)) return (double)NAN;
    double exit = sis_impact_exit_speed(i);
    if (!(v <= i->speed && v >= -exit)) return (double)NAN;
    if (v == -exit) return 0;
    if (v >= 0) return depth_after(i, i->speed, i->speed - v);
    double whole = i->speed * i->speed * sis_impact_integral_over_square(i->mu * i->speed);
    double drop = whole - v * v * sis_impact_integral_over_square(i->mu * v), t = i->alpha + 1;
    if (drop > 0.1 * whole) return sis_pow(t * i->mass / i->K * drop, 1 / t);
    return depth_after(i, -exit, -exit - v);
}

double sis_impact_deepest(const sis_impact* i) {
    return happens(i) ? depth_after(i, i->speed, i->speed) : (double)NAN;
}

double sis_impact_max_depth(const sis_impact* i) {
    return known(i) ? sis_impact_deepest(i) : (double)NAN;
}

double sis_impact_restitution(const sis_impact* i) {
    if (!known(i)) return (double)NAN;
    return sis_impact_exit_speed(i) / i->speed;
}

double sis_impact_exit_speed_fit(const sis_impact* i) {
    if (!known(i)) return (double)NAN;
    double z = i->mu * i->speed;
    if (z == 0) return i->speed;
    double over = z * (1 + z * (2.0 / 3 + z * (2.0 / 9 + z * (14.0 / 135)))); // polynomial - 1
    double fade = sis_expm1(-2 * z);
    return -(fade + over * (1 + fade)) / i->mu;
}

double sis_impact_velocity(double mu, double c, bool negative) {
    if (!(c > 0)) return 0;
    double z2 = mu * mu * c, sign = negative ? -1 : 1;
    if (z2 > 1e-6) return sis_impact_integral_inverse(z2, negative) / mu;
    double v = sign * sqrt(2 * c); // a contraction by mu v/3
    for (int n = 0; n < 8; n++)
        v = sign * sqrt(c / sis_impact_integral_over_square(mu * v));
    return v;
}

// T = integral of dx (1/v in + 1/|v out|) over the depth, by the double exponential rule: v goes as
// sqrt(c) at the turning point, with c = whole (1 - (x/X)^t) formed from the distance to it.
double sis_impact_duration(const sis_impact* i) {
    if (!known(i)) return (double)NAN;
    double t = i->alpha + 1, most = sis_impact_max_depth(i), total = 0;
    double whole = i->speed * i->speed * sis_impact_integral_over_square(i->mu * i->speed);
    const double h = 1.0 / 32;
    for (int n = -128; n <= 128; n++) {
        double u = n * h, arm = 1.5707963267948966 * 0.5 * (sis_expm1(u) - sis_expm1(-u));
        double cosh_u = 1 + 0.5 * (sis_expm1(u) + sis_expm1(-u));
        double part = 1 / (2 + sis_expm1(-2 * arm)), rest = 1 / (2 + sis_expm1(2 * arm));
        double weight = h * 3.141592653589793 * cosh_u * part * rest;
        double c = -sis_expm1(t * sis_log1p(-rest)) * whole;
        if (rest > 0.5) c = whole * (1 - sis_pow(part, t));
        if (!(weight > 0) || !(c > 0)) continue;
        total += weight * (1 / sis_impact_velocity(i->mu, c, false) -
                           1 / sis_impact_velocity(i->mu, c, true));
    }
    return total * most;
}
