// Laws over lanes, in depths on the pushing side (see law/law.h): powers, and those given by
// their table.
#ifndef SIS_LAW_POWER_LANES_H
#define SIS_LAW_POWER_LANES_H

#include "base/power_lanes.h"
#include "law/law.h"

// The numbers of a law; each lane may have its own, but all share the kind of exponent. In one lane
// the law itself: nothing is copied. lanes_law_at returns `law` for all lanes, made in `scratch`.
#if LANES == 1
typedef power_law lanes_law;

LANES_FN const lanes_law* lanes_law_at(const power_law* law, lanes_law* scratch) {
    (void)scratch;
    return law;
}

LANES_FN const power_law* lanes_law_from(const lanes_law* law) {
    return law;
}
#else
typedef struct lanes_law {
    lanes alpha, t, K_over_t, inverse_t, rebound1, rebound2, twice;
    lanes grow[POWER_GROW]; // coefficients of lanes_grow
    power_class class;
    const power_law* from;
} lanes_law;

// Number by number: an initialiser would clear all of it first.
LANES_FN const lanes_law* lanes_law_at(const power_law* law, lanes_law* scratch) {
    scratch->alpha = lanes_all(law->alpha);
    scratch->t = lanes_all(law->t);
    scratch->K_over_t = lanes_all(law->K_over_t);
    scratch->inverse_t = lanes_all(law->inverse_t);
    scratch->rebound1 = lanes_all(law->rebound1);
    scratch->rebound2 = lanes_all(law->rebound2);
    scratch->twice = lanes_all(law->twice);
    for (int i = 0; i < POWER_GROW; i++)
        scratch->grow[i] = lanes_all(law->grow[i]);
    scratch->class = law->class;
    scratch->from = law;
    return scratch;
}

LANES_FN const power_law* lanes_law_from(const lanes_law* law) {
    return law->from;
}
#endif

// A function of a law given by its table, lane by lane; 0 outside.
LANES_ONCE lanes lanes_each(const lanes_law* law, double (*of)(const power_law*, double), lanes x) {
    double at[LANES], out[LANES];
    lanes_store(at, x);
    for (int i = 0; i < LANES; i++)
        out[i] = at[i] > 0 ? of(lanes_law_from(law), at[i]) : 0;
    return lanes_load(out);
}

// x^alpha for x > 0.
LANES_FN lanes lanes_raise(const lanes_law* law, lanes x) {
    switch (law->class) {
    case POWER_1:
        return x;
    case POWER_3_2:
        return x * lanes_sqrt(x);
    case POWER_2:
        return x * x;
    case POWER_5_2:
        return x * x * lanes_sqrt(x);
    case POWER_3:
        return x * x * x;
    default:
        return lanes_power(x, law->alpha);
    }
}

// Potential at a depth, J; held at 1e200.
LANES_FN lanes lanes_phi(const lanes_law* law, lanes x) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_phi, x);
    lanes_mask inside = lanes_less(lanes_all(0), x);
    // Outside the power of 1 is taken and not used.
    lanes phi = law->K_over_t * x * lanes_raise(law, lanes_pick(inside, x, lanes_all(1)));
    return lanes_pick(inside, lanes_min(phi, lanes_all(1e200)), lanes_all(0));
}

// The same to about 1e-4, where it is a place to start from.
LANES_FN lanes lanes_phi_roughly(const lanes_law* law, lanes x) {
    if (law->class != POWER_ANY) return lanes_phi(law, x);
    lanes held = lanes_max(x, lanes_all(0x1p-1000));
    return lanes_min(law->K_over_t * lanes_power_roughly(held, law->t), lanes_all(1e200));
}

// phi'(x) from phi(x) and 1/x, and each further derivative from the one before.
LANES_FN lanes lanes_force(const lanes_law* law, lanes x, lanes phi, lanes inverse) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_force, x);
    return law->t * phi * inverse;
}

LANES_FN lanes lanes_curve(const lanes_law* law, lanes x, lanes force, lanes inverse) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_slope, x);
    return law->alpha * force * inverse;
}

LANES_FN lanes lanes_third(const lanes_law* law, lanes x, lanes curve, lanes inverse) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_third, x);
    return curve * (law->alpha - 1) * inverse;
}

// x phi'/phi, 1 + exponent of the force.
LANES_FN lanes lanes_exponent(const lanes_law* law, lanes x) {
    if (law->class == LAW_TABLE) return lanes_each(law, sis_law_exponent, x);
    return law->t;
}

// (1 + e)^t - 1 for |t e| <= 0.03: t e (1 + (t-1)/2 e + ...); what six terms leave is below (t
// e)^7/5040.
LANES_FN lanes lanes_grow(const lanes_law* law, lanes e) {
    lanes e2 = e * e;
    return law->t * e *
           ((1 + law->grow[0] * e) +
            e2 * ((law->grow[1] + law->grow[2] * e) + e2 * (law->grow[3] + law->grow[4] * e)));
}

// Never of a law given by its table: its phi is not carried over.
LANES_FN lanes_mask lanes_grows_little(const lanes_law* law, lanes e) {
    if (law->class == LAW_TABLE) return lanes_less(lanes_all(0), lanes_all(0));
    return lanes_at_most(lanes_abs(law->t * e), lanes_all(0.03));
}

// phi at depth x carried over from a depth nearby; the mask says where that is near enough.
LANES_FN lanes lanes_carry(const lanes_law* law, lanes from, lanes phi_from, lanes x,
                           lanes_mask* near) {
    lanes e = (x - from) / from;
    *near = lanes_less(lanes_all(0), from) & lanes_grows_little(law, e);
    return phi_from * (1 + lanes_grow(law, e));
}

// (z^t - w^t)/(z - w) for t = 5/2 and 7/2 with a = sqrt z, b = sqrt w.
LANES_FN lanes lanes_chord_5_2(lanes z, lanes w, lanes a, lanes b) {
    return (z * z + a * b * (z + w) + z * w + w * w) / (a + b);
}

LANES_FN lanes lanes_chord_7_2(lanes z, lanes w, lanes a, lanes b) {
    lanes ab = a * b;
    return (z * z * z + w * w * w + ab * (z * z + z * w + w * w) + z * w * (z + w)) / (a + b);
}

typedef struct lanes_gradient {
    lanes value, slope, bend;
    lanes depth, phi; // at w + y
    lanes inverse;    // 1/depth; 1 outside
} lanes_gradient;

// Quotients by y and by the depth are products with these: divisions are what a step waits for.
LANES_FN lanes lanes_inverse_depth(lanes depth) {
    return 1 / lanes_pick(lanes_less(lanes_all(0), depth), depth, lanes_all(1));
}

LANES_FN lanes lanes_inverse_travel(lanes y) {
    return 1 / lanes_pick(lanes_less(lanes_all(1e-300), lanes_abs(y)), y, lanes_all(1e-300));
}

// The way from w > 0 to z = w + y > 0, in two parts: a processor works on several of the first
// while it waits for the quotient of one.
typedef struct lanes_way {
    lanes over_w, over_y; // 1/w, 1/y
    lanes ratio;          // y/w
    lanes_mask near;      // where the power is taken of z/w, not of z
    lanes_log2 log;       // of z/w there
} lanes_way;

LANES_FN void lanes_way_begin(const lanes_law* law, lanes phi_w, lanes y, lanes over_w,
                              lanes over_y, lanes_way* way) {
    lanes ratio = y * over_w;
    lanes_mask near = lanes_at_most(lanes_all(-0.99), ratio) & lanes_at_most(ratio, lanes_all(3)) &
                      lanes_less(lanes_all(1e-250), phi_w);
    way->over_w = over_w;
    way->over_y = over_y;
    way->ratio = ratio;
    way->near = near;
    if (law->class == POWER_ANY)
        way->log = lanes_log2_from_one(lanes_pick(near, ratio, lanes_all(0)));
}

// By any exponent: phi(z), and the value of the gradient.
LANES_FN lanes lanes_chord_any(const lanes_law* law, const lanes_way* way, lanes phi_w, lanes z,
                               lanes_mask used, lanes* phi) {
    lanes ratio = way->ratio, over_w = way->over_w, over_y = way->over_y, value = lanes_all(0);
    lanes_mask near = way->near;
    *phi = lanes_all(0);
    if (lanes_any(near & used)) {
        lanes more = phi_w * lanes_power_less_one(way->log, law->t);
        *phi = lanes_min(phi_w + more, lanes_all(1e200));
        value = more * over_y;
        // Below 1e-8 two terms of the series are exact, and y may be 0.
        lanes_mask still = near & lanes_less(lanes_abs(ratio), lanes_all(1e-8));
        if (lanes_any_rarely(used & still))
            value =
                lanes_pick(still, law->t * phi_w * over_w * (1 + 0.5 * law->alpha * ratio), value);
    }
    if (lanes_any_rarely(used & ~near)) {
        lanes far = lanes_phi(law, z);
        *phi = lanes_pick(near, *phi, far);
        value = lanes_pick(near, value, (far - phi_w) * over_y);
    }
    return value;
}

LANES_ONCE lanes lanes_chord_table(const lanes_law* law, lanes w, lanes phi_w, lanes y,
                                   lanes* phi) {
    double from[LANES], held[LANES], travel[LANES], out[LANES], at[LANES];
    lanes_store(from, w);
    lanes_store(held, phi_w);
    lanes_store(travel, y);
    for (int i = 0; i < LANES; i++) {
        out[i] = at[i] = 0;
        if (from[i] > 0 && from[i] + travel[i] > 0)
            out[i] = sis_law_chord(lanes_law_from(law), from[i], held[i], travel[i], &at[i]);
    }
    *phi = lanes_load(at);
    return lanes_load(out);
}

// Both ends inside; sets phi(z) and returns the value.
LANES_FN lanes lanes_chord(const lanes_law* law, const lanes_way* way, lanes w, lanes phi_w,
                           lanes z, lanes y, lanes_mask used, lanes* phi) {
    lanes c = law->K_over_t;
    if (law->class == LAW_TABLE) return lanes_chord_table(law, w, phi_w, y, phi);
    if (law->class == POWER_ANY) return lanes_chord_any(law, way, phi_w, z, used, phi);
    *phi = lanes_phi(law, z);
    switch (law->class) {
    case POWER_1:
        return c * (z + w);
    case POWER_2:
        return c * (z * z + z * w + w * w);
    case POWER_3:
        return c * (z + w) * (z * z + w * w);
    case POWER_3_2:
        return c * lanes_chord_5_2(z, w, lanes_sqrt(z), lanes_sqrt(w));
    default:
        return c * lanes_chord_7_2(z, w, lanes_sqrt(z), lanes_sqrt(w));
    }
}

// DG' = (phi'(z) - DG)/y and DG'' = (phi''(z) - 2 DG')/y, or their series where those cancel:
// phi''(w + 2y/3)/2 and phi'''/3. Needs value, depth, phi and inverse.
LANES_FN void lanes_derivatives(const lanes_law* law, lanes y, lanes over_y, lanes_mask used,
                                lanes_gradient* g) {
    lanes force = lanes_force(law, g->depth, g->phi, g->inverse);
    lanes curve = lanes_curve(law, g->depth, force, g->inverse);
    lanes_mask apart = lanes_less(1e-5 * g->depth, lanes_abs(y));
    lanes slope = (force - g->value) * over_y, bend = (curve - 2 * slope) * over_y;
    if (lanes_any_rarely(used & ~apart)) {
        lanes third = lanes_third(law, g->depth, curve, g->inverse);
        slope = lanes_pick(apart, slope, 0.5 * (curve - third * y * (1.0 / 3)));
        bend = lanes_pick(apart, bend, third * (1.0 / 3));
    }
    g->slope = lanes_max(slope, lanes_all(0));
    g->bend = bend;
}

// The discrete gradient between depths w > 0 and z = w + y > 0, in two parts; over_w = 1/w.
LANES_FN void lanes_gradient_begin(const lanes_law* law, lanes over_w, lanes phi_w, lanes z,
                                   lanes y, lanes_way* way, lanes_gradient* out) {
    // 1/z and 1/y by one quotient. Where y is so much smaller than z it is not used.
    lanes deep = lanes_pick(lanes_less(lanes_all(1e-140), z), z, lanes_all(1));
    lanes least = lanes_max(1e-9 * z, lanes_all(1e-140));
    lanes far = lanes_pick(lanes_less(least, lanes_abs(y)), y, deep);
    lanes over = 1 / (deep * far);
    out->depth = z;
    out->inverse = over * far;
    lanes_way_begin(law, phi_w, y, over_w, over * deep, way);
}

LANES_FN void lanes_gradient_end(const lanes_law* law, const lanes_way* way, lanes w, lanes phi_w,
                                 lanes y, lanes_mask used, lanes_gradient* out) {
    out->value = lanes_chord(law, way, w, phi_w, out->depth, y, used, &out->phi);
    lanes_derivatives(law, y, way->over_y, used, out);
}

LANES_FN lanes_gradient lanes_gradient_inside(const lanes_law* law, lanes w, lanes over_w,
                                              lanes phi_w, lanes z, lanes y, lanes_mask used) {
    lanes_way way;
    lanes_gradient out;
    lanes_gradient_begin(law, over_w, phi_w, z, y, &way, &out);
    lanes_gradient_end(law, &way, w, phi_w, y, used, &out);
    return out;
}

// The same between any w and w + y, positive inside.
LANES_ONCE lanes_gradient lanes_gradient_at(const lanes_law* law, lanes w, lanes phi_w, lanes y,
                                            lanes_mask used) {
    lanes zero = lanes_all(0), z = w + y, over_y = lanes_inverse_travel(y);
    lanes_mask in = lanes_less(zero, z), was_in = lanes_less(zero, w), same = in & was_in;
    lanes_gradient out = {.value = zero, .depth = lanes_pick(in, z, zero), .phi = zero};
    out.inverse = lanes_inverse_depth(out.depth);
    if (lanes_any(used & same)) {
        lanes_way way;
        lanes_way_begin(law, phi_w, y, 1 / w, over_y, &way);
        out.value = lanes_chord(law, &way, w, phi_w, z, y, used & same, &out.phi);
    }
    if (lanes_any(used & ~same)) {
        // Entering or leaving.
        lanes_mask enters = in & ~was_in;
        lanes phi = lanes_any(used & enters) ? lanes_phi(law, out.depth) : zero;
        out.phi = lanes_pick(same, out.phi, lanes_pick(in, phi, zero));
        out.value = lanes_pick(same, out.value, (out.phi - phi_w) * over_y);
    }
    lanes_derivatives(law, y, over_y, used, &out);
    lanes_mask none = ~(in | was_in);
    if (lanes_any(used & none)) { // outside before and after
        out.value = lanes_pick(none, zero, out.value);
        out.slope = lanes_pick(none, zero, out.slope);
        out.bend = lanes_pick(none, zero, out.bend);
    }
    return out;
}

// ---------------------------------------------------------------------------- any number of sides
//
// The discrete gradient of laws with any number of sides, for one contact: here, so that it becomes
// part of the search that needs it.
#if LANES == 1

// Depths on two sides, or one of them 0: no chord inside the potential.
static inline lanes_gradient power_across(const power_law* law, const lanes_law* l, double depth,
                                          double phi_w, double y) {
    lanes_gradient g = {0, 0, 0, depth, power_phi(law, depth), lanes_inverse_depth(depth)};
    double over_y = lanes_inverse_travel(y);
    g.value = (g.phi - phi_w) * over_y;
    lanes_derivatives(l, y, over_y, -1, &g);
    return g;
}

// Both ends inside and near each other, x = y/w within the reach of the series:
// DG = phi'(w) rise(x), with no difference of nearly equal numbers.
static inline lanes_gradient power_gradient_near(const power_law* law, double over_w, double phi_w,
                                                 double depth, double y) {
    const double *r = law->rise, *l = law->lean, *b = law->bend;
    double x = y * over_w, x2 = x * x, x4 = x2 * x2, force = law->t * phi_w * over_w;
    double low = (r[0] + r[1] * x) + x2 * (r[2] + r[3] * x);
    double middle = (r[4] + r[5] * x) + x2 * (r[6] + r[7] * x);
    double high = (r[8] + r[9] * x) + x2 * (r[10] + r[11] * x);
    double lean =
        ((l[0] + l[1] * x) + x2 * (l[2] + l[3] * x)) + x4 * ((l[4] + l[5] * x) + x2 * l[6]);
    double bend = ((b[0] + b[1] * x) + x2 * (b[2] + b[3] * x)) + x4 * b[4];
    double value = force * (low + x4 * (middle + x4 * high));
    return (lanes_gradient){value, force * over_w * lean, force * over_w * over_w * bend,
                            depth, phi_w + value * y,     1 / depth};
}

// See sis_power_gradient_at; `inverse` has the sign of the side.
static inline lanes_gradient power_gradient_sides(const power_law* law, const lanes_law* l,
                                                  double w, double phi_w, double y) {
    // In depths: mirror the negative side, so that every formula sees the positive one.
    double z = w + y, depth = power_depth(law, z), depth_w = power_depth(law, w);
    if (depth == 0 && depth_w == 0) return (lanes_gradient){0, 0, 0, 0, 0, 1};
    double sign = law->both && (depth > 0 ? z < 0 : w < 0) ? -1 : 1;
    bool inside = depth > 0 && depth_w > 0 && (!law->both || (w < 0) == (z < 0));
    lanes_gradient g;
    if (!inside)
        g = power_across(law, l, depth, phi_w, sign * y);
    else if (fabs(y) <= law->reach * depth_w && phi_w > 1e-250 && phi_w < 1e190)
        g = power_gradient_near(law, 1 / depth_w, phi_w, depth, sign * y);
    else
        g = lanes_gradient_inside(l, depth_w, 1 / depth_w, phi_w, depth, sign * y, -1);
    g.value *= sign;
    g.bend *= sign;
    g.inverse *= sign;
    return g;
}

#endif

#endif
