#include "base/power.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^n for -1022 <= n <= 1023.
static double two_to(int n) {
    return from_bits((uint64_t)(n + 1023) << 52);
}

// A number as an unevaluated sum, high part rounded.
typedef struct pair {
    double high, low;
} pair;

// a b exactly, by Dekker's split at 27 bits (no fused multiply-add: its absence on a CPU would cost
// a library call). |a|, |b| < 2^996.
static pair product(double a, double b) {
    double p = a * b;
    double ca = 134217729.0 * a, cb = 134217729.0 * b;
    double ah = ca - (ca - a), bh = cb - (cb - b);
    double al = a - ah, bl = b - bh;
    return (pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

// a + b exactly.
static pair sum(double a, double b) {
    double s = a + b, v = s - a;
    return (pair){s, (a - (s - v)) + (b - v)};
}

// ln 2 with 21 trailing zeros in the high part, so that n * LN2_HIGH is exact for |n| < 2^20.
static const double LN2_HIGH = 0x1.62e42fee00000p-1, LN2_LOW = 0x1.a39ef35793c76p-33;

// 2 (s^3/3 + s^5/5 + ...) / s^3 = (ln((1+s)/(1-s)) - 2 s)/s^3 for s^2 <= 0.0295; next term < 2e-18.
static double atanh_tail(double s2) {
    return 2.0 * (1.0 / 3 +
                  s2 * (1.0 / 5 +
                        s2 * (1.0 / 7 +
                              s2 * (1.0 / 9 +
                                    s2 * (1.0 / 11 +
                                          s2 * (1.0 / 13 +
                                                s2 * (1.0 / 15 +
                                                      s2 * (1.0 / 17 +
                                                            s2 * (1.0 / 19 +
                                                                  s2 * (1.0 / 21 +
                                                                        s2 * (1.0 / 23)))))))))));
}

// ln x as a pair: x = 2^e m with m in [sqrt 1/2, sqrt 2), s = (m-1)/(m+1), ln m = 2 s + s^3 tail.
// The quotient carries its remainder, because y ln x is exponentiated: an error of 1e-16 in ln x
// times y = 20 would already be 2e-15 of the power.
static pair logarithm(double x) {
    int shift = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        shift = -54;
    }
    uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52) - 1023 + shift;
    double m = from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        e += 1;
    }
    double over = m - 1;
    pair under = sum(m, 1);
    double s = over / under.high;
    pair back = product(s, under.high);
    double rest = (((over - back.high) - back.low) - s * under.low) / under.high;
    double s2 = s * s;
    pair whole = sum(e * LN2_HIGH, 2 * s);
    double small = whole.low + (e * LN2_LOW + (2 * rest + s * s2 * atanh_tail(s2)));
    return sum(whole.high, small);
}

// e^r - 1 for |r| <= 0.36 by its Taylor series; next term < 1e-17 of r.
static double expm1_small(double r) {
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    return r + r * r * p;
}

// e^(high + low), 0 or infinity beyond the range of double.
static double exponential(pair x) {
    if (x.high > 709.78) return INFINITY;
    if (x.high < -745.2) return 0;
    double turns = x.high * 1.4426950408889634;
    int n = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    double r = ((x.high - n * LN2_HIGH) - n * LN2_LOW) + x.low;
    double e = 1 + expm1_small(r);
    if (n < -1021) return e * two_to(n + 60) * 0x1p-60;
    if (n > 1022) return e * two_to(n - 2) * 4;
    return e * two_to(n);
}

double sis_pow(double x, double y) {
    if (x == 0) return y == 0 ? 1 : 0;
    if (!(x > 0) || !isfinite(x) || !isfinite(y)) return x > 0 && y > 0 ? INFINITY : NAN;
    pair log = logarithm(x);
    pair p = product(y, log.high);
    return exponential(sum(p.high, p.low + y * log.low));
}

double sis_log1p(double x) {
    if (x > -0.28 && x < 0.39) { // |s| <= 0.1714
        double s = x / (2 + x);
        return 2 * s + s * s * s * atanh_tail(s * s);
    }
    pair one = sum(1, x);
    if (!(one.high > 0)) return one.high == 0 ? -INFINITY : NAN;
    if (!isfinite(x)) return x;
    pair log = logarithm(one.high);
    return log.high + (log.low + one.low / one.high);
}

double sis_expm1(double x) {
    if (fabs(x) <= 0.35) return expm1_small(x);
    return exponential((pair){x, 0}) - 1;
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

// Read as an integer, a double is a piecewise linear log2. Scaling the distance to 1.0 scales that
// log; one parabola in the mantissa takes the error of the reading from 6 % to below 1 %.
double sis_root_guess(double x, double inverse) {
    if (!(x > 0x1p-1000)) return 0;
    if (x > 0x1p1000) x = 0x1p1000;
    uint64_t bits = bits_of(x);
    double m = from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u) - 1;
    double log2 = (double)((int)(bits >> 52) - 1023) + m + 0.3463 * m * (1 - m);
    double y = inverse * log2;
    double whole = floor(y), part = y - whole;
    return two_to((int)whole) * (1 + part - 0.3400 * part * (1 - part));
}
