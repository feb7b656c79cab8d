#define LANES 1
#include "law/law.h"

#include "base/power_lanes.h"

#include <math.h>

friction_law sis_friction_make(double a, bool linear) {
    return (friction_law){a, sqrt(2 * a) * 1.6487212707001282, sqrt(1.5 / a), linear};
}

double sis_friction_chord(const friction_law* law, double v) {
    double y = law->a * v * v;
    if (y <= 0.3475) return law->top * (1 + lanes_expm1_small(-y));
    return y < 700 ? law->top * lanes_exp((lanes_pair){-y, 0}) : 0;
}

// h(v) = v - V + YF Phi(v) for 0 <= v <= V: h(0) < 0 < h(V).
typedef struct bowed {
    const friction_law* law;
    double YF, V;
    uint32_t* steps;
} bowed;

static double h_at(const bowed* b, double v, double* slope) {
    double chord = sis_friction_chord(b->law, v);
    *slope = 1 + b->YF * chord * (1 - 2 * b->law->a * v * v);
    ++*b->steps;
    return v - b->V + b->YF * chord * v;
}

enum { MOST = 100, NEAR_MOST = 5 };

// Newton between a bracket, halving it where Newton would leave it: h(low) <= 0 <= h(high).
static double bracketed(const bowed* b, double low, double high, double from) {
    double v = from;
    for (int i = 0; i < MOST; i++) {
        double slope, h = h_at(b, v, &slope);
        if (h > 0)
            high = v;
        else
            low = v;
        double next = v - h / slope;
        if (!(slope > 0 && next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - v) <= 2e-16 * b->V) return next;
        v = next;
    }
    return v;
}

// From 0 Newton rises to the smallest root as long as h is concave and rising; < 0: no root there.
static double stick(const bowed* b) {
    double v = 0, end = b->law->slips < b->V ? b->law->slips : b->V;
    for (int i = 0; i < MOST; i++) {
        double slope, h = h_at(b, v, &slope);
        if (!(slope > 0)) return -1; // past the top of the curve
        double next = v - h / slope;
        if (next > end * (1 + 1e-12)) return end == b->V ? b->V : -1;
        if (!(next - v > 2e-16 * b->V)) return next;
        v = next;
    }
    return v;
}

// From V Newton falls to the largest root as long as h is convex and rising; < 0: no root there.
static double slip(const bowed* b) {
    double v = b->V;
    for (int i = 0; i < MOST && v > b->law->slips; i++) {
        double slope, h = h_at(b, v, &slope);
        if (!(slope > 0)) return -1; // at the bottom of the curve, still above 0
        double next = v - h / slope;
        if (!(v - next > 2e-16 * b->V)) return next;
        v = next;
    }
    return -1;
}

// The chord at v from that at a velocity nearby.
static double carry(const friction_law* law, friction_point from, double v) {
    double q = law->a * (from.v - v) * (from.v + v), q2 = q * q;
    if (!(fabs(q) <= 0.02)) return sis_friction_chord(law, v);
    double grown = (1 + q * (1.0 / 2)) +
                   q2 * ((1.0 / 6 + q * (1.0 / 24)) + q2 * (1.0 / 120 + q * (1.0 / 720)));
    return from.chord + from.chord * (q * grown);
}

// From the last velocity, in steps of fourth order with one quotient: n = h/h', t = n h''/(2 h'),
//
//   v+ = v - n (1 + t + 2 t^2 - n^2 h'''/(6 h'))
//
// In each of the two regions h' > 0 holds at one root only, so that where it comes to rest is the
// root sought. v < 0: it does not.
static friction_point near_by(const bowed* b, friction_point from, double low, double high) {
    const friction_law* law = b->law;
    const friction_point none = {-1, 0};
    friction_point at = from;
    if (!(at.v > low)) at.v = low;
    if (!(at.v < high)) at.v = high;
    if (at.v != from.v || !(at.chord > 0)) at.chord = sis_friction_chord(law, at.v);
    for (int i = 0; i < NEAR_MOST; i++) {
        double v = at.v, p = b->YF * at.chord, y = law->a * v * v, slope = 1 + p * (1 - 2 * y);
        if (!(slope > 0)) return none;
        double over = 1 / slope, n = ((v - b->V) + p * v) * over;
        double part = law->a * p * n * over; // bend: -2 a v p (3 - 2 y), then -2 a p (...)
        double t = -part * v * (3 - 2 * y), third = -part * n * (1.0 / 3) * (3 - y * (12 - 4 * y));
        double next = v - n * (((1 + t) - third) + 2 * t * t), size = t * t + fabs(third);
        if (!(next >= low && next <= high)) return none;
        at = (friction_point){next, carry(law, at, next)};
        ++*b->steps;
        // Not where most of v went away: what is left has lost digits.
        if (next > 0.1 * v && fabs(n) * size * size <= 1e-24 * b->V) return at;
    }
    return none;
}

friction_point sis_friction_root(const friction_law* law, double YF, double v0, double last,
                                 friction_point from, uint32_t* steps) {
    bowed b = {law, YF, fabs(v0), steps};
    if (!(b.V > 0)) return (friction_point){0, law->top};
    bool sticking = fabs(last) < law->slips;
    double low = sticking ? 0 : law->slips, high = sticking && law->slips < b.V ? law->slips : b.V;
    friction_point found = {-1, 0};
    if (!(from.chord > 0)) from.v = last;
    if (v0 < 0) from.v = -from.v;
    if (high > low) found = near_by(&b, from, low, high);
    if (!(found.v >= 0)) {
        double v = sticking ? stick(&b) : slip(&b);
        if (!(v >= 0)) v = sticking ? slip(&b) : stick(&b);
        if (!(v >= 0 && v <= b.V)) v = bracketed(&b, 0, b.V, 0.5 * b.V);
        found = (friction_point){v, sis_friction_chord(law, v)};
    }
    if (v0 < 0) found.v = -found.v;
    return found;
}
