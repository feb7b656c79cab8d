// Friction of a bow, f = F_N Phi(v): v is the velocity of the body under the bow less the bow's,
//
//   Phi(v) = sqrt(2a) v exp(-a v^2 + 1/2),   largest, 1, at v = 1/sqrt(2a),   v Phi(v) >= 0
//
// so that a bow only ever takes energy, whatever the player does. It sticks where Phi is steep and
// slips beyond its inflection at sqrt(3/2a).
#ifndef SIS_LAW_FRICTION_H
#define SIS_LAW_FRICTION_H

#include "base/base.h"

typedef struct friction_law {
    double a;     // s^2/m^2
    double top;   // s/m, Phi(v)/v at rest, sqrt(2a e)
    double slips; // m/s, sqrt(3/2a)
    bool linear;  // the chord at the last velocity
} friction_law;

friction_law sis_friction_make(double a, bool linear);

// Phi(v)/v.
double sis_friction_chord(const friction_law* law, double v);

// A velocity, and the chord there.
typedef struct friction_point {
    double v, chord;
} friction_point;

// The root of v + Y F Phi(v) = v0, between 0 and v0, on the branch of `last` (sticking or slipping)
// while that exists. `from` is a point of the curve to begin at, the last root; chord 0: there is
// none. `steps` counts the iterations.
friction_point sis_friction_root(const friction_law* law, double YF, double v0, double last,
                                 friction_point from, uint32_t* steps);

#endif
