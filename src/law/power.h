// Potentials of contacts: phi(eta) = K/t x^t with t = alpha + 1 and depth
//   one-sided       x = [eta]_+
//   two-sided       x = |eta|
//   centre-limited  x = [|eta| - play]_+
// and force phi' = sgn(eta) K x^alpha; or another function of x, by its table (scene/law_class.h).
// All are convex, so discrete gradients increase.
#ifndef SIS_LAW_POWER_H
#define SIS_LAW_POWER_H

#include "scene/law_class.h"

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

#endif
