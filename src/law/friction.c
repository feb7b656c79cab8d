#include "law/friction.h"

#include "base/power.h"

#include <math.h>

friction_law sis_friction_make(double a, bool linear) {
    return (friction_law){a, sqrt(2 * a), sqrt(1.5 / a), linear};
}

double sis_friction_chord(const friction_law* law, double v) {
    double power = 0.5 - law->a * v * v;
    return power > -700 ? law->scale * (1 + sis_expm1(power)) : 0;
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

enum { MOST = 100 };

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

double sis_friction_root(const friction_law* law, double YF, double v0, double last,
                         uint32_t* steps) {
    bowed b = {law, YF, fabs(v0), steps};
    if (!(b.V > 0)) return 0;
    bool sticking = fabs(last) < law->slips;
    double v = sticking ? stick(&b) : slip(&b);
    if (!(v >= 0)) v = sticking ? slip(&b) : stick(&b);
    if (!(v >= 0 && v <= b.V)) v = bracketed(&b, 0, b.V, 0.5 * b.V);
    return v0 < 0 ? -v : v;
}
