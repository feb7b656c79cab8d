// Elementary functions with the same bits everywhere (sistrum/elementary.h).
//
// Short ways for what set-up calls a million times (sin, cos, exp, log): a reduced argument in two
// doubles, a polynomial in one, the leading term added last. Everything else in pairs of doubles
// (below), which is right to about 2^-95 and so rounds to the nearest double nearly always.
#define LANES 1
#include "sistrum/elementary.h"

#include "base/power_lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// ---------------------------------------------------------------------------- pairs
//
// Numbers of 106 bits: unevaluated sums of two doubles, from + - * / and sqrt alone.
//
// sum:      s = fl(a + b), and what was rounded away is itself a double (Knuth).
// product:  halves of 26 bits multiply exactly (Dekker); |a|, |b| < 2^995.
// Every operation below is right to about 2^-102 of its result.

typedef lanes_pair pair; // |low| <= ulp(high)/2

// The sum for |a| >= |b| or a = 0.
static inline pair pair_of(double a, double b) {
    double s = a + b;
    return (pair){s, b - (s - a)};
}

static inline pair pair_add(pair a, pair b) {
    pair s = lanes_sum(a.high, b.high), t = lanes_sum(a.low, b.low);
    s = pair_of(s.high, s.low + t.high);
    return pair_of(s.high, s.low + t.low);
}

static inline pair pair_negative(pair a) {
    return (pair){-a.high, -a.low};
}

static inline pair pair_times(pair a, double b) {
    pair p = lanes_product(a.high, b);
    return pair_of(p.high, p.low + a.low * b);
}

static inline pair pair_multiply(pair a, pair b) {
    pair p = lanes_product(a.high, b.high);
    return pair_of(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline pair pair_divide(pair a, pair b) {
    double q = a.high / b.high;
    pair rest = pair_add(a, pair_negative(pair_times(b, q)));
    double q2 = rest.high / b.high;
    rest = pair_add(rest, pair_negative(pair_times(b, q2)));
    pair sum = pair_of(q, q2);
    return pair_of(sum.high, sum.low + rest.high / b.high);
}

// For a >= 0.
static inline pair pair_root(pair a) {
    if (!(a.high > 0)) return (pair){0, 0};
    double root = sqrt(a.high);
    pair rest = pair_add(a, pair_negative(lanes_product(root, root)));
    return pair_of(root, rest.high / (2 * root));
}

static inline double pair_round(pair a) {
    return a.high + a.low;
}

// ---------------------------------------------------------------------------- functions

static const pair LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const pair LN10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
static const pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const pair PI_PAIR = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// 2^n for -1022 <= n <= 1023.
static double two_to(int n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// x 2^n, 0 or infinity beyond the range.
static double scaled(double x, int n) {
    if (n > 1023) return x * 0x1p1023 * two_to(n - 1023 > 1023 ? 1023 : n - 1023);
    if (n >= -1022) return x * two_to(n);
    return x * two_to(n + 200 < -1022 ? -1022 : n + 200) * 0x1p-200;
}

// Finite x != 0 as m 2^e, 1 <= |m| < 2.
static int exponent_of(double x, double* m) {
    int e = 0;
    if (fabs(x) < 0x1p-1022) x *= 0x1p54, e = -54;
    uint64_t bits = bits_of(x);
    e += (int)(bits >> 52 & 2047) - 1023;
    bits = (bits & 0x800fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(m, &bits, sizeof *m);
    return e;
}

// ---------------------------------------------------------------------------- exponentials

// e^r - 1 for |r| <= 0.36: Taylor series of r/64, then e^2a - 1 = (e^a - 1)(2 + (e^a - 1)).
static pair expm1_pair(pair r) {
    pair x = {r.high / 64, r.low / 64}, p = {0, 0};
    for (int k = 10; k > 1; k--) { // x/k (1 + p)
        pair q = pair_divide(x, (pair){k, 0});
        p = pair_add(q, pair_multiply(q, p));
    }
    p = pair_add(x, pair_multiply(x, p));
    for (int i = 0; i < 6; i++)
        p = pair_add((pair){2 * p.high, 2 * p.low}, pair_multiply(p, p));
    return p;
}

// n and r = x - n ln 2, |r| <= 0.36; |x| < 1100. ln 2 in parts of 40 bits, so that n times them is
// exact.
static int exp_reduce(pair x, pair* r) {
    double n = floor(x.high * 0x1.71547652b82fep+0 + 0.5);
    pair rest = lanes_sum(x.high, -n * 0x1.62e42fefa2p-1);
    rest = pair_add(rest, (pair){x.low, 0});
    rest = pair_add(rest, (pair){-n * 0x1.9ef35793c6p-41, 0});
    *r = pair_add(rest, pair_negative(lanes_product(n, 0x1.673007e5ed5e8p-81)));
    return (int)n;
}

static double exp_pair(pair x) {
    if (x.high > 710) return HUGE_VAL;
    if (x.high < -746) return 0;
    pair r;
    int n = exp_reduce(x, &r);
    return scaled(pair_round(pair_add((pair){1, 0}, expm1_pair(r))), n);
}

// e^r = 1 + r + r^2 (1/2 + r/6 + ...), r = high + low: only the quadratic part is rounded.
double sis_exp(double x) {
    if (!(x < 709.79)) return x != x ? x : HUGE_VAL;
    if (x < -745.2) return 0;
    double n = floor(x * 0x1.71547652b82fep+0 + 0.5);
    pair r = lanes_sum(x - n * 0x1.62e42fefa2p-1, -n * 0x1.9ef35793c73p-41);
    double h = r.high, h2 = h * h;
    static const double c[] = {0x1.0000000000005p-1,  0x1.555555555555cp-3,  0x1.5555555552024p-5,
                               0x1.111111110e627p-7,  0x1.6c16c17f754bdp-10, 0x1.a01a01b61db2cp-13,
                               0x1.a019a5b88be24p-16, 0x1.71dde955fb92cp-19, 0x1.28a387200ca02p-22,
                               0x1.af77dcbce2f4ep-26}; // tools/minimax.py
    double tail = c[9];
    for (int i = 8; i >= 0; i--)
        tail = tail * h + c[i];
    pair one = pair_of(1, h);
    return scaled(one.high + (one.low + (r.low + h2 * tail)), (int)n);
}

double sis_exp2(double x) {
    if (!(x < 1024)) return x != x ? x : HUGE_VAL;
    if (x < -1075) return 0;
    double n = floor(x + 0.5); // what is left is exact
    pair r = pair_times(LN2, x - n);
    return scaled(pair_round(pair_add((pair){1, 0}, expm1_pair(r))), (int)n);
}

// (e^x - e^-x)/2 from p = e^x - 1: (p + p/(1 + p))/2, which does not cancel.
double sis_sinh(double x) {
    double size = fabs(x), value;
    if (!(size < 711)) return x;
    if (size < 0x1p-28) return x;
    if (size < 0.35) {
        pair p = expm1_pair((pair){size, 0});
        value = 0.5 * pair_round(pair_add(p, pair_divide(p, pair_add((pair){1, 0}, p))));
    } else {
        pair r;
        int n = exp_reduce((pair){size, 0}, &r);
        pair up = pair_add((pair){1, 0}, expm1_pair(r));
        double shrink = n > 60 ? 0 : two_to(-2 * n); // e^-x = shrink/up in units of 2^n
        pair down = pair_times(pair_divide((pair){1, 0}, up), shrink);
        value = scaled(pair_round(pair_add(up, pair_negative(down))), n - 1);
    }
    return x < 0 ? -value : value;
}

double sis_cosh(double x) {
    double size = fabs(x);
    if (!(size < 711)) return size;
    pair r;
    int n = exp_reduce((pair){size, 0}, &r);
    pair up = pair_add((pair){1, 0}, expm1_pair(r));
    double shrink = n > 60 ? 0 : two_to(-2 * n);
    pair down = pair_times(pair_divide((pair){1, 0}, up), shrink);
    return scaled(pair_round(pair_add(up, down)), n - 1);
}

// (e^2x - 1)/(e^2x + 1).
double sis_tanh(double x) {
    double size = fabs(x), value = 1;
    if (x != x || size < 0x1p-28) return x;
    if (size < 0.17) {
        pair p = expm1_pair((pair){2 * size, 0});
        value = pair_round(pair_divide(p, pair_add((pair){2, 0}, p)));
    } else if (size < 20) {
        pair r;
        int n = exp_reduce((pair){2 * size, 0}, &r);
        pair up = pair_times(pair_add((pair){1, 0}, expm1_pair(r)), two_to(n));
        value = pair_round(pair_divide(pair_add(up, (pair){-1, 0}), pair_add(up, (pair){1, 0})));
    }
    return x < 0 ? -value : value;
}

// ---------------------------------------------------------------------------- logarithms

// Finite x > 0 as 2^e m with m in [sqrt 1/2, sqrt 2).
static int log_reduce(double x, double* m) {
    int e = exponent_of(x, m);
    if (*m > 1.4142135623730951) *m *= 0.5, e++;
    return e;
}

// ln m = 2 s + s^3 tail(s^2), s = (m - 1)/(m + 1): the quotient carries its remainder.
static pair log_nearly(double m) {
    double over = m - 1;
    pair under = lanes_sum(m, 1);
    double s = over / under.high;
    pair back = lanes_product(s, under.high);
    double rest = (((over - back.high) - back.low) - s * under.low) / under.high;
    static const double c[] = {0x1.555555555558bp-1, 0x1.9999999981b7ap-2, 0x1.2492494092e8ep-2,
                               0x1.c71c52ffd66a1p-3, 0x1.746611f81f680p-3, 0x1.39a5d39a27a30p-3,
                               0x1.2edf902508a10p-3}; // tools/minimax.py
    double z = s * s, tail = c[6];
    for (int i = 5; i >= 0; i--)
        tail = tail * z + c[i];
    return pair_of(2 * s, 2 * rest + s * z * tail);
}

// One step of Newton's: y = ln m nearly, d = m e^-y - 1 = (m - 1) + m (e^-y - 1), ln m = y + d -
// d^2/2.
static pair log_pair(double m) {
    if (m == 1) return (pair){0, 0};
    pair y = log_nearly(m);
    pair p = expm1_pair(pair_negative(y));
    pair d = pair_add((pair){m - 1, 0}, pair_times(p, m));
    return pair_add(y, pair_add(d, (pair){-0.5 * d.high * d.high, 0}));
}

// e ln 2 + ln m.
static pair log_whole(int e, pair log) {
    pair a = lanes_sum(e * 0x1.62e42fefa2p-1, e * 0x1.9ef35793c6p-41); // both exact
    a = pair_add(a, (pair){e * 0x1.673007e5ed5e8p-81, 0});
    return pair_add(a, log);
}

// What has no logarithm to compute: true, and the value.
static bool log_special(double x, double* value) {
    if (x > 0 && x < HUGE_VAL) return false;
    *value = x == 0 ? -HUGE_VAL : x > 0 || x != x ? x : (double)NAN;
    return true;
}

double sis_log(double x) {
    double value, m;
    if (log_special(x, &value)) return value;
    int e = log_reduce(x, &m);
    return pair_round(log_whole(e, log_nearly(m)));
}

double sis_log2(double x) {
    double value, m;
    if (log_special(x, &value)) return value;
    int e = log_reduce(x, &m);
    return pair_round(pair_add((pair){e, 0}, pair_divide(log_pair(m), LN2)));
}

double sis_log10(double x) {
    double value, m;
    if (log_special(x, &value)) return value;
    int e = log_reduce(x, &m);
    return pair_round(pair_divide(log_whole(e, log_pair(m)), LN10));
}

// 0: not whole, 1: odd, 2: even.
static int parity(double y) {
    double size = fabs(y);
    if (size >= 0x1p53) return 2;
    if (size != floor(size)) return 0;
    double half = 0.5 * size;
    return half == floor(half) ? 2 : 1;
}

// Of a base of 0 or infinity, its sign apart.
static double power_of_end(double size, double y) {
    return (size == 0) == (y > 0) ? 0 : HUGE_VAL;
}

double sis_power(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return (double)NAN;
    double size = fabs(x);
    if (fabs(y) == HUGE_VAL) return size == 1 ? 1 : (size > 1) == (y > 0) ? HUGE_VAL : 0;
    int whole = parity(y);
    bool negative = signbit(x) && whole == 1;
    double value;
    if (size == 0 || size == HUGE_VAL) {
        value = power_of_end(size, y);
    } else {
        if (x < 0 && !whole) return (double)NAN;
        double m;
        int e = log_reduce(size, &m);
        pair log = log_whole(e, log_pair(m));
        // |log| >= 2^-53 unless x = 1, so that larger |y| end beyond the range as well.
        double exponent = fmax(-0x1p70, fmin(0x1p70, y));
        value = exp_pair(pair_times(log, exponent));
        if (size == 1) value = 1;
    }
    return negative ? -value : value;
}

// ---------------------------------------------------------------------------- angles

// 2/pi = 0.w0 w1 w2 ..., words of 32 bits.
static const uint32_t two_over_pi[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u};

enum { WINDOW = 9, PRODUCT = WINDOW + 2 };

// |x| 2/pi mod 4 as a fixed-point number with 32 bits before the point, point[0], and 288 after:
// words of 2/pi whose product with x is a multiple of 4 are left out, those below 2^-250 too
// (Payne and Hanek).
static void turns_mod_4(double x, uint32_t point[PRODUCT]) {
    uint64_t bits = bits_of(x), m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    int e = (int)(bits >> 52 & 2047) - 1075; // |x| = m 2^e, e >= -60 here
    int first = e >= 34 ? (e - 2) / 32 : 0;
    uint32_t limb[2] = {(uint32_t)m, (uint32_t)(m >> 32)};
    uint32_t product[PRODUCT] = {0}; // least first
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < WINDOW; j++) {
            uint64_t sum =
                product[i + j] + carry + (uint64_t)limb[i] * two_over_pi[first + WINDOW - 1 - j];
            product[i + j] = (uint32_t)sum;
            carry = sum >> 32;
        }
        product[i + WINDOW] = (uint32_t)carry;
    }
    // Its units are 2^(e - 32 (first + WINDOW)): shift so that the point lies 288 bits up.
    int up = e - 32 * first; // -60 .. 33
    for (int k = 0; k < PRODUCT; k++) {
        int low = 32 * (WINDOW - k) - up; // the bit of `product` that is the lowest of word k
        uint64_t word = 0;
        for (int b = 0; b < 2; b++) {
            int at = (low >> 5) + b; // rounds down
            uint64_t part = at >= 0 && at < PRODUCT ? product[at] : 0;
            word |= part << (32 * b);
        }
        point[k] = (uint32_t)(word >> (low & 31));
    }
}

// |x| = r + q pi/2 with |r| <= pi/4; q modulo 4.
static int reduce_exactly(double x, pair* r) {
    uint32_t point[PRODUCT];
    turns_mod_4(x, point);
    int q = (int)(point[0] & 3);
    bool over = point[1] >> 31;
    pair part = {0, 0};
    double unit = 0x1p-32;
    int taken = 0;
    // Of 1 - fraction the complement, whose last bit is 2^-288.
    for (int k = 1; k < PRODUCT && taken < 5; k++, unit *= 0x1p-32) {
        uint32_t word = over ? ~point[k] : point[k];
        if (word || taken) taken++;
        part = pair_add(part, (pair){word * unit, 0});
    }
    *r = pair_multiply(over ? pair_negative(part) : part, HALF_PI);
    return (q + over) & 3;
}

// The same where three parts of pi/2 suffice; false where they do not.
static bool reduce_shortly(double x, int* q, pair* r) {
    if (!(x < 0x1p20)) return false;
    double n = floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    pair rest = lanes_sum(x - n * 0x1.921fb544p+0, -n * 0x1.0b4611a6p-34); // products exact
    pair last = lanes_product(n, -0x1.3198a2e037073p-69);
    rest = pair_add(rest, last);
    *q = (int)((int64_t)n & 3), *r = rest;
    return n == 0 || fabs(rest.high) > 0x1p-30;
}

static int reduce(double size, pair* r) {
    int q = 0;
    if (reduce_shortly(size, &q, r)) return q;
    return reduce_exactly(size, r);
}

// r^3 tail(r^2) and r^4 tail(r^2), by the polynomials whose largest error is least.
static double sin_octant(pair r) {
    static const double c[] = {-0x1.5555555555555p-3,  0x1.111111111110bp-7,
                               -0x1.a01a01a018b23p-13, 0x1.71de3a533dc49p-19,
                               -0x1.ae64529d22fdbp-26, 0x1.612095717f8c5p-33,
                               -0x1.aaa67e394bc2ep-41};
    double z = r.high * r.high, tail = c[6];
    for (int i = 5; i >= 0; i--)
        tail = tail * z + c[i];
    return r.high + (r.low * (1 - 0.5 * z) + r.high * z * tail);
}

static double cos_octant(pair r) {
    static const double c[] = {0x1.5555555555555p-5,  -0x1.6c16c16c16c12p-10,
                               0x1.a01a01a0191d5p-16, -0x1.27e4fb7638453p-22,
                               0x1.1eed8cde94924p-29, -0x1.93937498b2a48p-37,
                               0x1.aade8577fdd0fp-45};
    pair square = lanes_product(r.high, r.high);
    double z = square.high, tail = c[6];
    for (int i = 5; i >= 0; i--)
        tail = tail * z + c[i];
    pair one = pair_of(1, -0.5 * z);
    return one.high + (one.low + (z * z * tail - (0.5 * square.low + r.high * r.low)));
}

double sis_sin(double x) {
    double size = fabs(x);
    if (!(size < HUGE_VAL)) return (double)NAN;
    if (size < 0x1p-27) return x;
    pair r;
    int q = reduce(size, &r);
    double value = q & 1 ? cos_octant(r) : sin_octant(r);
    return ((q & 2) != 0) != (x < 0) ? -value : value;
}

double sis_cos(double x) {
    double size = fabs(x);
    if (!(size < HUGE_VAL)) return (double)NAN;
    pair r;
    int q = size < 0x1p-27 ? 0 : reduce(size, &r);
    if (size < 0x1p-27) return 1;
    double value = q & 1 ? sin_octant(r) : cos_octant(r);
    return ((q + 1) & 2) != 0 ? -value : value;
}

// sin r and cos r for |r| <= 0.8 by their series.
static void angle_pair(pair r, pair* sine, pair* cosine) {
    pair z = pair_negative(pair_multiply(r, r)), s = {0, 0}, c = {0, 0};
    for (int k = 26; k > 0; k -= 2) {
        s = pair_divide(pair_multiply(z, pair_add((pair){1, 0}, s)),
                        (pair){(double)k * (k + 1), 0});
        c = pair_divide(pair_multiply(z, pair_add((pair){1, 0}, c)),
                        (pair){(double)k * (k - 1), 0});
    }
    *sine = pair_add(r, pair_multiply(r, s));
    *cosine = pair_add((pair){1, 0}, c);
}

double sis_tan(double x) {
    double size = fabs(x);
    if (!(size < HUGE_VAL)) return (double)NAN;
    if (size < 0x1p-27) return x;
    pair r, sine, cosine;
    int q = reduce(size, &r);
    angle_pair(r, &sine, &cosine);
    pair tangent = q & 1 ? pair_negative(pair_divide(cosine, sine)) : pair_divide(sine, cosine);
    double value = pair_round(tangent);
    return x < 0 ? -value : value;
}

// The angle of (x, y), 0 <= y <= x, x > 0: a first guess, then twice y += atan d,
// d = (t cos y - sin y)/(cos y + t sin y), t = y/x: from 5e-3 to 1e-17 to nothing.
static pair atan_octant(pair y, pair x) {
    pair t = pair_divide(y, x);
    if (t.high < 0x1p-60) return t;
    pair angle = {t.high / (1 + 0.28 * t.high * t.high), 0};
    for (int i = 0; i < 2; i++) {
        pair s, c;
        angle_pair(angle, &s, &c);
        pair d = pair_divide(pair_add(pair_multiply(t, c), pair_negative(s)),
                             pair_add(c, pair_multiply(t, s)));
        double d2 = d.high * d.high;
        angle = pair_add(angle, pair_add(d, (pair){d.high * d2 * (-1.0 / 3 + 0.2 * d2), 0}));
    }
    return angle;
}

// For y >= 0 of any size and x of any sign, neither too large nor too small to divide.
static pair atan_half_plane(pair y, pair x) {
    bool left = x.high < 0;
    if (left) x = pair_negative(x);
    bool steep = y.high > x.high;
    pair angle = steep ? atan_octant(x, y) : atan_octant(y, x);
    if (steep) angle = pair_add(HALF_PI, pair_negative(angle));
    return left ? pair_add(PI_PAIR, pair_negative(angle)) : angle;
}

double sis_atan2(double y, double x) {
    if (x != x || y != y) return (double)NAN;
    double up = fabs(y), value;
    if (up == HUGE_VAL || fabs(x) == HUGE_VAL) { // as if infinities were equal
        up = up == HUGE_VAL, x = fabs(x) == HUGE_VAL ? copysign(1, x) : copysign(0, x);
    }
    if (up == 0) {
        value = signbit(x) ? pair_round(PI_PAIR) : 0;
    } else if (x == 0) {
        value = pair_round(HALF_PI);
    } else {
        double m, n;
        int a = exponent_of(up, &m), b = exponent_of(x, &n); // 1 <= m, |n| < 2
        if (a - b > 120) {
            value = pair_round(HALF_PI);
        } else if (a - b < -120 && x < 0) {
            value = pair_round(PI_PAIR);
        } else if (a - b < -70 && x > 0) { // the quotient itself, which may be tiny
            value = scaled(pair_round(pair_divide((pair){m, 0}, (pair){n, 0})),
                           a - b < -1100 ? -1100 : a - b);
        } else {
            value = pair_round(atan_half_plane((pair){m * two_to(a - b), 0}, (pair){n, 0}));
        }
    }
    return signbit(y) ? -value : value;
}

double sis_atan(double x) {
    if (fabs(x) < 0x1p-27) return x;
    return sis_atan2(x, 1);
}

// cos(asin x) = sqrt(1 - x^2), 1 - x^2 as a pair.
static pair other_leg(double x) {
    pair square = lanes_product(x, x);
    return pair_root(pair_add((pair){1, 0}, pair_negative(square)));
}

double sis_asin(double x) {
    double size = fabs(x);
    if (!(size <= 1)) return (double)NAN;
    if (size < 0x1p-27) return x;
    double value = pair_round(size == 1 ? HALF_PI : atan_half_plane((pair){size, 0}, other_leg(x)));
    return x < 0 ? -value : value;
}

double sis_acos(double x) {
    if (!(fabs(x) <= 1)) return (double)NAN;
    if (x == 1) return 0;
    if (x == -1) return pair_round(PI_PAIR);
    if (fabs(x) < 0x1p-60) return pair_round(HALF_PI);
    return pair_round(atan_half_plane(other_leg(x), (pair){x, 0}));
}
