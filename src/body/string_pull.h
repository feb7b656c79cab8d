// What the tension, the stiffness and the losses of a string do to a point in one step: P u - 2 M
// d, from the five points around it and three of d. All is made of first differences, which are
// exact: u is far larger than what bends it. P u = (pull + 3 bend)(r - l) - bend (rr - ll).
#ifndef SIS_STRING_PULL_H
#define SIS_STRING_PULL_H

#include "body/body.h"

typedef struct pull_form {
    double near, far;  // pull + 3 bend, bend
    double late, drop; // 2 s1k, 2 s0k
} pull_form;

SIS_INLINE pull_form pull_form_of(const string_bank* s) {
    return (pull_form){s->pull + 3 * s->bend, s->bend, 2 * s->s1k, 2 * s->s0k};
}

#define PULLED(f, u0, u1, u2, u3, u4, d1, d2, d3)                                                  \
    ((((f).near * (((u3) - (u2)) - ((u2) - (u1))) - (f).far * (((u4) - (u3)) - ((u1) - (u0)))) +   \
      (f).late * (((d1) - (d2)) + ((d3) - (d2)))) -                                                \
     (f).drop * (d2))

// Strings of fewer than four points, where both ends are near.
static inline void pull_short(const pull_form* f, double mirror, int32_t count, const double* u,
                              const double* d, double* out) {
    double v[8] = {0}, e[5] = {0};
    for (int32_t i = 0; i < count; i++) {
        v[i + 2] = u[i];
        e[i + 1] = d[i];
    }
    v[0] = mirror * u[0];
    v[count + 3] = mirror * u[count - 1];
    for (int32_t i = 0; i < count; i++)
        out[i] = PULLED(*f, v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], e[i], e[i + 1], e[i + 2]);
}

// The two points at either end: 0 at the end, the mirror behind it.
SIS_INLINE void pull_ends(const pull_form* f, double mirror, int32_t count, const double* u,
                          const double* d, double* out) {
    if (count < 4) {
        pull_short(f, mirror, count, u, d, out);
        return;
    }
    const double *v = u + count - 4, *e = d + count - 4;
    double left = PULLED(*f, mirror * u[0], 0, u[0], u[1], u[2], 0, d[0], d[1]);
    double second = PULLED(*f, 0, u[0], u[1], u[2], u[3], d[0], d[1], d[2]);
    double last_but = PULLED(*f, v[0], v[1], v[2], v[3], 0, e[1], e[2], e[3]);
    double right = PULLED(*f, v[1], v[2], v[3], 0, mirror * v[3], e[2], e[3], 0);
    out[0] = left;
    out[1] = second;
    out[count - 2] = last_but;
    out[count - 1] = right;
}

#endif
