// Powers, logarithms and exponentials over lanes: + - * / and sqrt only (see base/power.h).
// Polynomials are summed in pairs of pairs, so that a processor finds work while it waits.
#ifndef SIS_POWER_LANES_H
#define SIS_POWER_LANES_H

#include "base/lanes.h"

// A number as an unevaluated sum, high part rounded.
typedef struct lanes_pair {
    lanes high, low;
} lanes_pair;

// a + b exactly.
LANES_FN lanes_pair lanes_sum(lanes a, lanes b) {
    lanes s = a + b, v = s - a;
    return (lanes_pair){s, (a - (s - v)) + (b - v)};
}

LANES_FN lanes_pair lanes_product(lanes a, lanes b) {
    lanes p = a * b;
    return (lanes_pair){p, lanes_product_rest(a, b, p)};
}

// Adding it rounds to a whole number, which is then in the low bits: for |x| < 2^31.
#define LANES_ROUND 0x1.8p52

LANES_FN lanes_bits lanes_constant(uint64_t bits) {
    return (lanes_bits){0} | bits;
}

// 2^n for whole -1022 <= n <= 1023.
LANES_FN lanes lanes_two_to(lanes n) {
    return lanes_from_bits((lanes_to_bits(n + LANES_ROUND) + lanes_constant(1023)) << 52);
}

// ln 2 with 21 trailing zeros in the high part, so that n LN2_HIGH is exact for |n| < 2^20.
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW  0x1.a39ef35793c76p-33

// 2 (s^3/3 + s^5/5 + ...)/s^3 = (ln((1+s)/(1-s)) - 2 s)/s^3 for z = s^2 <= 0.02945, by the
// polynomial whose largest error is least (tools/minimax.py): 1.3e-18 of the logarithm.
LANES_FN lanes lanes_atanh_tail(lanes z) {
    static const lanes numbers[7] = {
        LANES_EACH(0x1.555555555558bp-1), LANES_EACH(0x1.9999999981b7ap-2),
        LANES_EACH(0x1.2492494092e8ep-2), LANES_EACH(0x1.c71c52ffd66a1p-3),
        LANES_EACH(0x1.746611f81f680p-3), LANES_EACH(0x1.39a5d39a27a30p-3),
        LANES_EACH(0x1.2edf902508a10p-3)};
    const lanes* c = lanes_table(numbers);
    lanes z2 = z * z;
    lanes a = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
    lanes b = (c[4] + z * c[5]) + z2 * c[6];
    return a + z2 * z2 * b;
}

// Splits a normal x > 0 into 2^e m with m in [sqrt 1/2, sqrt 2).
LANES_FN lanes lanes_split_normal(lanes x, lanes* m) {
    lanes_bits bits = lanes_to_bits(x);
    lanes e = lanes_from_bits((bits >> 52) | lanes_constant(0x4330000000000000u)) - (0x1p52 + 1023);
    lanes part = lanes_from_bits((bits & lanes_constant(0x000fffffffffffffu)) |
                                 lanes_constant(0x3ff0000000000000u));
    lanes_mask large = lanes_less(lanes_all(1.4142135623730951), part);
    *m = lanes_pick(large, part * 0.5, part);
    return lanes_pick(large, e + 1, e);
}

// The same for any x > 0.
LANES_FN lanes lanes_split(lanes x, lanes* m) {
    lanes_mask tiny = lanes_less(x, lanes_all(0x1p-1022));
    if (!lanes_any_rarely(tiny)) return lanes_split_normal(x, m);
    lanes e = lanes_split_normal(lanes_pick(tiny, x * 0x1p54, x), m);
    return lanes_pick(tiny, e - 54, e);
}

// ln x as a pair: s = (m-1)/(m+1), ln m = 2 s + s^3 tail. The quotient carries its remainder,
// because y ln x is exponentiated: an error of 1e-16 in ln x times y = 20 would already be 2e-15 of
// the power.
LANES_FN lanes_pair lanes_log(lanes x) {
    lanes m, e = lanes_split(x, &m);
    lanes over = m - 1;
    lanes_pair under = lanes_sum(m, lanes_all(1));
    lanes s = over / under.high;
    lanes_pair back = lanes_product(s, under.high);
    lanes rest = (((over - back.high) - back.low) - s * under.low) / under.high;
    lanes s2 = s * s;
    lanes_pair whole = lanes_sum(e * LN2_HIGH, 2 * s);
    lanes small = whole.low + (e * LN2_LOW + (2 * rest + s * s2 * lanes_atanh_tail(s2)));
    return lanes_sum(whole.high, small);
}

// e^r - 1 for |r| <= 0.3475, likewise: 1.8e-17 of r.
LANES_FN lanes lanes_expm1_small(lanes r) {
    static const lanes numbers[10] = {
        LANES_EACH(0x1.0000000000005p-1),  LANES_EACH(0x1.555555555555cp-3),
        LANES_EACH(0x1.5555555552024p-5),  LANES_EACH(0x1.111111110e627p-7),
        LANES_EACH(0x1.6c16c17f754bdp-10), LANES_EACH(0x1.a01a01b61db2cp-13),
        LANES_EACH(0x1.a019a5b88be24p-16), LANES_EACH(0x1.71dde955fb92cp-19),
        LANES_EACH(0x1.28a387200ca02p-22), LANES_EACH(0x1.af77dcbce2f4ep-26)};
    const lanes* k = lanes_table(numbers);
    lanes r2 = r * r, r4 = r2 * r2;
    lanes a = (k[0] + r * k[1]) + r2 * (k[2] + r * k[3]);
    lanes b = (k[4] + r * k[5]) + r2 * (k[6] + r * k[7]);
    lanes c = k[8] + r * k[9];
    return r + r2 * (a + r4 * (b + r4 * c));
}

// e^(high + low), 0 or infinity beyond the range of double.
LANES_FN lanes lanes_exp(lanes_pair x) {
    lanes_mask over = lanes_less(lanes_all(709.78), x.high);
    lanes_mask under = lanes_less(x.high, lanes_all(-745.2));
    lanes n = (x.high * 1.4426950408889634 + LANES_ROUND) - LANES_ROUND;
    lanes r = ((x.high - n * LN2_HIGH) - n * LN2_LOW) + x.low;
    lanes e = 1 + lanes_expm1_small(r);
    // Beyond the exponents of normal numbers in two steps.
    lanes_mask low = lanes_less(n, lanes_all(-1021)), high = lanes_less(lanes_all(1022), n);
    if (!lanes_any_rarely(low | high)) return e * lanes_two_to(n);
    lanes at = lanes_pick(low, n + 60, lanes_pick(high, n - 2, n));
    at = lanes_pick(over | under, lanes_all(0), at);
    lanes last = lanes_pick(low, lanes_all(0x1p-60), lanes_pick(high, lanes_all(4), lanes_all(1)));
    lanes value = e * lanes_two_to(at) * last;
    return lanes_pick(over, lanes_all(HUGE_VAL), lanes_pick(under, lanes_all(0), value));
}

// x^y for finite x > 0.
LANES_ONCE lanes lanes_pow(lanes x, lanes y) {
    lanes_pair log = lanes_log(x);
    lanes_pair p = lanes_product(y, log.high);
    return lanes_exp(lanes_sum(p.high, p.low + y * log.low));
}

// e 2^n for whole n, 0 or infinity beyond the range of double; 1/2 < e < 2.
LANES_FN lanes lanes_scale(lanes e, lanes n) {
    lanes_mask low = lanes_less(n, lanes_all(-1021)), high = lanes_less(lanes_all(1022), n);
    if (!lanes_any_rarely(low | high)) return e * lanes_two_to(n);
    // Beyond the exponents of normal numbers in two steps.
    n = lanes_max(lanes_min(n, lanes_all(1025)), lanes_all(-1080));
    lanes at = lanes_pick(low, n + 60, lanes_pick(high, n - 3, n));
    lanes last = lanes_pick(low, lanes_all(0x1p-60), lanes_pick(high, lanes_all(8), lanes_all(1)));
    return e * lanes_two_to(at) * last;
}

// x^y for finite x > 0 and |y| < 100 as contact laws need it: a few units of the last digit, at
// half the cost. x^y = 2^(y e + y log2 m); with y in two parts y e is exact, so that nothing large
// is rounded.
LANES_ONCE lanes lanes_power(lanes x, lanes y) {
    lanes m, e = lanes_split(x, &m);
    lanes high = lanes_from_bits(lanes_to_bits(y) & lanes_constant(0xfffffffff8000000u));
    lanes s = (m - 1) / (m + 1), z = s * s;
    lanes log2 = s * 2.8853900817779268 + s * z * (lanes_atanh_tail(z) * 1.4426950408889634);
    lanes whole = high * e, rest = (y - high) * e + y * log2;
    lanes n = ((whole + rest) + LANES_ROUND) - LANES_ROUND;
    lanes r = (whole - n) + rest;
    return lanes_scale(1 + lanes_expm1_small(r * 0.69314718055994531), n);
}

// ln(1 + x) for -0.28 < x < 0.39.
LANES_FN lanes lanes_log1p_small(lanes x) {
    lanes s = x / (2 + x);
    return 2 * s + s * s * s * lanes_atanh_tail(s * s);
}

// log2(1 + x) as a whole number and the rest, which is exact to its own size.
typedef struct lanes_log2 {
    lanes whole, rest;
} lanes_log2;

// For -0.99 <= x <= 3: 1 + x = 2^e m, and m - 1 = x where e = 0.
LANES_FN lanes_log2 lanes_log2_from_one(lanes x) {
    lanes m, e = lanes_split_normal(1 + x, &m);
    lanes over = lanes_pick(lanes_equal(e, lanes_all(0)), x, m - 1);
    lanes s = over / (2 + over), z = s * s;
    return (lanes_log2){e, s * 2.8853900817779268 +
                               s * z * (lanes_atanh_tail(z) * 1.4426950408889634)};
}

// (1 + x)^t - 1 by the logarithm of 1 + x, |t| < 100; exact to its own size however small x is.
LANES_FN lanes lanes_power_less_one(lanes_log2 log, lanes t) {
    lanes whole = t * log.whole, rest = t * log.rest;
    lanes n = ((whole + rest) + LANES_ROUND) - LANES_ROUND;
    lanes grown = lanes_expm1_small(((whole - n) + rest) * 0.69314718055994531);
    lanes scale = lanes_two_to(n);
    return scale * grown + (scale - 1);
}

// x^y for normal x > 0, |y| < 30 to better than 1e-3: a place to start from.
LANES_FN lanes lanes_power_roughly(lanes x, lanes y) {
    lanes m, e = lanes_split_normal(x, &m), v = m - 1, v2 = v * v;
    lanes log2 = v * ((1.44264757 - 0.72054121 * v) +
                      v2 * ((0.48521406 - 0.39112317 * v) + v2 * 0.25566687));
    lanes p = y * (e + log2);
    p = lanes_max(lanes_min(p, lanes_all(1000)), lanes_all(-1000));
    lanes n = (p + LANES_ROUND) - LANES_ROUND, r = p - n;
    return ((0.99992448 + 0.69312103 * r) + r * r * (0.24264008 + 0.05592204 * r)) *
           lanes_two_to(n);
}

// x^inverse to about 1 %, from the exponent bits alone. Read as an integer, a double is a piecewise
// linear log2. Scaling the distance to 1.0 scales that log; one parabola in the mantissa takes the
// error of the reading from 6 % to below 1 %.
LANES_FN lanes lanes_root_guess(lanes x, lanes inverse) {
    lanes_mask none = ~lanes_less(lanes_all(0x1p-1000), x); // also when x is not a number
    lanes_bits bits = lanes_to_bits(lanes_min(x, lanes_all(0x1p1000)));
    lanes m = lanes_from_bits((bits & lanes_constant(0x000fffffffffffffu)) |
                              lanes_constant(0x3ff0000000000000u)) -
              1;
    lanes e = lanes_from_bits((bits >> 52) | lanes_constant(0x4330000000000000u)) - 0x1p52;
    lanes y = inverse * ((e - 1023) + m + 0.3463 * m * (1 - m));
    lanes whole = (y + LANES_ROUND) - LANES_ROUND;
    whole = lanes_pick(lanes_less(y, whole), whole - 1, whole);
    lanes part = y - whole;
    whole = lanes_pick(none, lanes_all(0), whole);
    lanes guess = lanes_two_to(whole) * (1 + part - 0.3400 * part * (1 - part));
    return lanes_pick(none, lanes_all(0), guess);
}

#endif
