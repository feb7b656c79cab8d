// Numbers of 106 bits: unevaluated sums of two doubles, from + - * / and sqrt alone.
//
// sum:      s = fl(a + b), and what was rounded away is itself a double (Knuth).
// product:  halves of 26 bits multiply exactly (Dekker); |a|, |b| < 2^995.
// Every operation below is right to about 2^-102 of its result.
#ifndef SIS_BASE_PAIR_H
#define SIS_BASE_PAIR_H

#include "base/wide.h"

#include <math.h>

typedef struct pair {
    double high, low; // |low| <= ulp(high)/2
} pair;

static inline pair pair_sum(double a, double b) {
    double s = a + b, v = s - a;
    return (pair){s, (a - (s - v)) + (b - v)};
}

// The same for |a| >= |b| or a = 0.
static inline pair pair_of(double a, double b) {
    double s = a + b;
    return (pair){s, b - (s - a)};
}

static inline pair pair_product(double a, double b) {
    double ca = 134217729 * a, cb = 134217729 * b; // 2^27 + 1
    double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    double p = a * b;
    return (pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline pair pair_add(pair a, pair b) {
    pair s = pair_sum(a.high, b.high), t = pair_sum(a.low, b.low);
    s = pair_of(s.high, s.low + t.high);
    return pair_of(s.high, s.low + t.low);
}

static inline pair pair_negative(pair a) {
    return (pair){-a.high, -a.low};
}

static inline pair pair_times(pair a, double b) {
    pair p = pair_product(a.high, b);
    return pair_of(p.high, p.low + a.low * b);
}

static inline pair pair_multiply(pair a, pair b) {
    pair p = pair_product(a.high, b.high);
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
    pair rest = pair_add(a, pair_negative(pair_product(root, root)));
    return pair_of(root, rest.high / (2 * root));
}

static inline double pair_round(pair a) {
    return a.high + a.low;
}

#endif
