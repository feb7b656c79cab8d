// Laws, no time step in them: contacts, springs, bows.
#ifndef SIS_LAW_H
#define SIS_LAW_H

#include "scene/law_class.h"

// ---------------------------------------------------------------------------- contacts
//
// Potentials of contacts: phi(eta) = K/t x^t with t = alpha + 1 and depth
//   one-sided       x = [eta]_+
//   two-sided       x = |eta|
//   centre-limited  x = [|eta| - play]_+
// and force phi' = sgn(eta) K x^alpha; or another function of x, by its table (scene/law_class.h).
// All are convex, so discrete gradients increase.

// Exponents that need no pow: x^alpha is x, x sqrt x, x^2, x^2 sqrt x, x^3. LAW_TABLE: no power,
// and of the numbers below only `play` counts.
typedef enum power_class {
    POWER_1,
    POWER_3_2,
    POWER_2,
    POWER_5_2,
    POWER_3,
    POWER_ANY,
    LAW_TABLE
} power_class;

// (1 + e)^t = 1 + t e (1 + grow0 e + grow1 e^2 + ...)
enum { POWER_GROW = 5 };
// The same factor 1 + ..., to rounding up to |e| = reach, and its first two derivatives, to 1e-6.
enum { POWER_RISE = 12, POWER_LEAN = 7, POWER_BEND = 5 };

typedef struct power_law {
    double K;         // N/m^alpha
    double alpha, t;  // t = alpha + 1
    double K_over_t;  // phi = K_over_t x^t
    double play;      // m, half the free play of a centre-limited law
    double inverse_t; // 1/t
    double rebound1,
        rebound2; // (1 - s^t)/(1 - s) ~ 1 + rebound1 s + rebound2 s^2, exact at 0, 1/2, 1
    double twice; // (phi(2x) - phi(x))/phi(x) = 2^t - 1
    double grow[POWER_GROW];
    double reach; // 0: there are shorter ways; -1: no power
    double rise[POWER_RISE], lean[POWER_LEAN], bend[POWER_BEND];
    bool both;    // pushes on both sides
    bool limited; // centre-limited: depth counts from the edge of the free play
    power_class class;
    const law_class* table; // of LAW_TABLE, and
    double number[LAW_NUMBERS];
} power_law;

power_law sis_power_law_make(sis_law law, double K, double alpha, double gap);

// The law of a contact with K at each point. False: its table refuses it.
bool sis_law_make(const law_class* table, const sis_contact_def* def, double K, power_law* law,
                  sis_error* error);

// Functions of a law given by its table, at a depth x > 0; held at 1e200.
double sis_law_phi(const power_law* law, double x);
double sis_law_force(const power_law* law, double x);
double sis_law_slope(const power_law* law, double x);
double sis_law_third(const power_law* law, double x);     // derivative of the slope, to some digits
double sis_law_exponent(const power_law* law, double x);  // x phi'/phi: t of the power that touches
double sis_law_psi_slope(const power_law* law, double x); // of sqrt(2 phi): phi'/sqrt(2 phi)

// The discrete gradient (phi(w + y) - phi(w))/y of such a law between depths w > 0 and w + y > 0:
// where that cancels, the mean of its force.
double sis_law_chord(const power_law* law, double w, double phi_w, double y, double* phi);

// How deep eta is inside the potential, m; 0 outside.
static inline double power_depth(const power_law* law, double eta) {
    double x = (law->both && eta < 0 ? -eta : eta) - law->play;
    return x > 0 ? x : 0;
}

// x^alpha for x > 0.
double sis_power_raise(const power_law* law, double x);

// Potential at a depth, J. Held at 1e200: beyond every reachable state, where it would only
// overflow.
static inline double power_phi(const power_law* law, double x) {
    if (law->class == LAW_TABLE) return x > 0 ? sis_law_phi(law, x) : 0;
    double phi = x > 0 ? law->K_over_t * x * sis_power_raise(law, x) : 0;
    return phi < 1e200 ? phi : 1e200;
}

// phi'(x) from phi(x), N: one power gives both.
static inline double power_force(const power_law* law, double x, double phi) {
    if (law->class == LAW_TABLE) return x > 0 ? sis_law_force(law, x) : 0;
    return x > 0 ? law->t * phi / x : 0;
}

// x phi'/phi, 1 + exponent of the force.
static inline double power_exponent(const power_law* law, double x) {
    return law->class == LAW_TABLE ? sis_law_exponent(law, x) : law->t;
}

// Is it a plain spring, K/2 eta^2?
static inline bool power_is_spring(const power_law* law) {
    return law->both && !law->limited && law->class == POWER_1;
}

// phi''(x) from phi'(x), N/m. At the bottom it is 0, but for the plain spring: there it is K.
static inline double power_curve(const power_law* law, double x, double force) {
    if (law->class == LAW_TABLE) return x > 0 ? sis_law_slope(law, x) : 0;
    if (x > 0) return law->alpha * force / x;
    return power_is_spring(law) ? law->K : 0;
}

// The discrete gradient DG(y) = (phi(w + y) - phi(w))/y and its first two derivatives in y, without
// 0/0 and without cancellation, for eta = w moving to w + y.
typedef struct power_gradient {
    double value, slope, bend;
    double depth, phi; // at w + y
} power_gradient;

// phi_w = phi at the depth of w. Takes one power (none when w + y is outside).
power_gradient sis_power_gradient_at(const power_law* law, double w, double phi_w, double y);

// ---------------------------------------------------------------------------- springs
//
// Permanent connection with elongation eta = u_a - u_b: linear stiffness K1 (N/m), cubic stiffness
// K3 (N/m^3), damper R (N s/m). Willemsen 2019, section 7.
//
//   f = K1 mu_tt eta + K3 eta^2 mu_t. eta + R delta_t. eta        affine in r = eta^{n+1} -
//   eta^{n-1}
//     = q + a r,   q = K1 (eta + eta-)/2 + K3 eta^2 eta-,   a = K1/4 + K3 eta^2/2,  and R/(2k) r
//
// with stored energy K1/2 ((eta + eta-)/2)^2 + K3/4 (eta eta-)^2 >= 0 and loss R (delta_t. eta)^2:
// no stiffness limits the rate.

typedef struct spring_law {
    double K1, K3, R;
} spring_law;

// A force of one sample with a >= 0, about a travel `at` near the one that will come out: f = force
// + a (r - at). (Written as q + a r the two terms of a stiff law would cancel.)
typedef struct affine {
    double force, a, at;
} affine;

// The conservative part: no force at r = -q/a.
static inline affine spring_elastic(const spring_law* law, double eta, double before) {
    double cubic = law->K3 * eta * eta, a = 0.25 * law->K1 + 0.5 * cubic;
    double q = 0.5 * law->K1 * (eta + before) + cubic * before;
    return (affine){0, a, a > 0 ? -q / a : 0};
}

static inline double spring_damper(const spring_law* law, double k) {
    return law->R / (2 * k);
}

static inline double spring_energy(const spring_law* law, double eta, double before) {
    double mean = 0.5 * (eta + before), cross = eta * before;
    return 0.5 * law->K1 * mean * mean + 0.25 * law->K3 * cross * cross;
}

// ---------------------------------------------------------------------------- friction
//
// Friction of a bow, f = F_N Phi(v): v is the velocity of the body under the bow less the bow's,
//
//   Phi(v) = sqrt(2a) v exp(-a v^2 + 1/2),   largest, 1, at v = 1/sqrt(2a),   v Phi(v) >= 0
//
// so that a bow only ever takes energy, whatever the player does. It sticks where Phi is steep and
// slips beyond its inflection at sqrt(3/2a).

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
