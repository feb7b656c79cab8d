// The point mass on a wall, m x'' = -K x^alpha (1 + mu x') + m a (Hunt and Crossley):
// closed forms of an impact, and the integrators that Papetti, Avanzini and Rocchesso 2011 compare.
// They are one-step methods in compression x and velocity v, not two-step schemes with an energy of
// their own, so they live apart; the network takes from them where the mass goes, and their energy
// drifts as they let it.
#ifndef SIS_IMPACT_H
#define SIS_IMPACT_H

#include "contact/contact.h"

// A step that leaves more than so many times the energy there was has diverged.
static const double IMPACT_MOST = 4;

// What the integrator is given in one sample.
typedef struct impact_problem {
    const power_law* law;
    sis_scheme scheme;
    bool corrected;
    double mu;           // s/m
    double mass;         // kg
    double acceleration; // m/s^2, steady, towards the wall
    double k;            // s
} impact_problem;

// Where it is.
typedef struct impact_state {
    double x, v;  // m, m/s
    double force; // N, f(x, v) as the method keeps it
    double entry; // m/s, speed at first touch
    double lost;  // J, dissipated in the sample that led here
    bool touched; // invariant: was in contact during that sample, if only inside it
} impact_state;

// One sample of the method; counts iterations and ended impacts in cost. complex_root there: it has
// diverged, `discriminant` is by how much the energy grew.
impact_state sis_impact_step(const impact_problem* p, impact_state s, contact_cost* cost);

// Energy of the contact after a step from x to `end`, J; phi is the potential at its end.
double sis_impact_stored(const impact_problem* problem, double x, impact_state end, double phi);

// f(x, v) = K x^alpha (1 + mu v) inside, 0 outside.
double sis_impact_law(const impact_problem* problem, double x, double v, contact_cost* cost);

// One sample of the contact on its first integral, with flights to and from the wall.
impact_state sis_impact_flow(const impact_problem* p, impact_state s, contact_cost* cost);

// sis_impact_exit_speed and sis_impact_max_depth for whatever a run gets into: 0 at speed 0, and as
// good as it gets at speeds that only rounding is left of.
double sis_impact_leaves(const sis_impact* impact);
double sis_impact_deepest(const sis_impact* impact);

// z - log(1 + z) without cancellation, and its quotient by z^2 (1/2 at 0), for z > -1.
double sis_impact_integral(double z);
double sis_impact_integral_over_square(double z);

// The z of one sign with z - log(1 + z) = c >= 0.
double sis_impact_integral_inverse(double c, bool negative);

// The velocity of one sign at which v^2 (g/z^2)(mu v) = c: that of the first integral where c of it
// is motion.
double sis_impact_velocity(double mu, double c, bool negative);

#endif
