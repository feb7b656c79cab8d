// One contact in one sample, as every scheme sees it, and what it remembers between samples.
//
// A contact keeps an energy E >= 0 and exchanges it with the bodies: E+ = E + r F/2 with
// r = eta^{n+1} - eta^{n-1}, its travel, and F the force without loss; r (f - F)/2 >= 0 is lost.
// Total energy is then conserved for any force whatever; a scheme decides accuracy only. It is
// passive while E+ >= 0 and never adhesive while f >= 0.
#ifndef SIS_CONTACT_H
#define SIS_CONTACT_H

#include "law/law.h"

#include <math.h>

// What all points of a contact have in common. Constant after compile.
typedef struct contact_law {
    power_law power;
    sis_scheme scheme;
    bool release;     // quadratised: with the rules that repair it
    bool midpoint;    // the potential is taken half way between two samples
    bool corrected;   // integrators of an impact
    bool closed;      // exact on a string: the closed form of newton for alpha = 1
    bool restitution; // ledger between masses or modes: exact loss of an impact, while alone
    double mu;        // s/m, Hunt-Crossley
    double nu;        // 1/m, mu/2k
    double s;         // root
    double steady;    // m/s^2, gravity along eta: integrators of an impact
    const struct exact_table* table; // exact
} contact_law;

// What contacts remember: an array for each number, over all links of the system (springs have eta,
// before and force there). Part of the flat state.
typedef struct contact_memory {
    double *eta, *before; // eta^n, eta^{n-1}, m: advanced by r itself: energy and travel agree
    double* E;            // J, held at n - 1/2
    double* psi;          // sqrt J, signed: quadratised, E = psi^2/2; or, in the same place,
                          // J, ledger: loss of this impact that the law has not taken yet (owed)
    double* force;        // N, f^{n-1}: a first guess for f^n
    double* phi_before;   // J, phi(eta^{n-1})
    double* mark_depth;   // m, where phi was last evaluated, and
    double* mark_phi;     // J, its value there: phi is carried over from it without a new power
    double* speed;        // m/s, eta' at t_n: exact flow and integrators of an impact
    double* law_force;    // N, integrators of an impact: f(x_n, v_n) as they keep it
    double* shown;        // N, the same of the sample just done: what probes and reports show
    double* entry;        // m/s, integrators of an impact: speed at first touch
} contact_memory;

// The problem of one sample, r = free - G f.
typedef struct contact_problem {
    double now, before;         // eta^n, eta^{n-1}, m
    double free;                // r without this force, m
    double G;                   // compliance, m/N
    double phi_now, phi_before; // potential at now and before, J
    double force_before;        // f^{n-1}, N: a first guess
    double nu;                  // 1/m, Hunt-Crossley loss: mu eta' = nu r
} contact_problem;

// Slopes in blocks are limited to a G <= CONTACT_STIFFEST: a contact that yields 1e-8 of the free
// travel is rigid, and steeper ones would only cost digits. Any slope within the passive interval
// conserves energy.
static const double CONTACT_STIFFEST = 1e8;

// m. Depths below it are none: their squares are no numbers any more. So small is a wave that has
// not arrived yet.
#define CONTACT_VANISHED 1e-150

/** Nothing moves but what is no number any more: such a contact gives no force. */
static inline bool contact_vanishes(const contact_problem* p) {
    return (p->before < 0 ? -p->before : p->before) + (p->free < 0 ? -p->free : p->free) <
           CONTACT_VANISHED;
}

// What one sample cost, and what happened in it.
typedef struct contact_cost {
    uint32_t powers, iterations;
    bool unsolved; // the search has not converged
    bool complex_root, impact_ended;
    double discriminant; // of a complex root, relative to its terms
    double lowest_bound; // J, root
    double drift;        // of an impact that ended: exit energy/exact exit energy - 1
} contact_cost;

// Travel and force of a sample. The force is not taken as (free - travel)/G where that cancels, in
// soft contacts.
typedef struct contact_root {
    double travel, force;
} contact_root;

// What a contact does in a sample.
typedef struct contact_push {
    double force, travel; // N, m; loss included
    double lost;          // J
} contact_push;

// ---------------------------------------------------------------------------- kinds of schemes

// Is it one of the integrators of a mass on a wall?
static inline bool contact_is_impact(const contact_law* law) {
    return law->scheme >= SIS_SCHEME_AM1;
}

// Schemes that solve the discrete gradient; their loss is inside the law.
static inline bool contact_gradient_based(const contact_law* law) {
    return law->scheme == SIS_SCHEME_LEDGER || law->scheme == SIS_SCHEME_NEWTON;
}

// As published, quadratised looks at eta^n only: open, it gives no force, whatever it holds.
static inline bool contact_holds_open(const contact_law* law) {
    return law->scheme == SIS_SCHEME_QUADRATISED && !law->release;
}

// Does it follow the flow of one mass, and make the first step by itself?
static inline bool contact_flows(const contact_law* law) {
    return law->scheme >= SIS_SCHEME_EXACT && !law->closed;
}

// Can several points of it be solved side by side?
static inline bool contact_has_lanes(const contact_law* law) {
    return !law->power.both && !contact_flows(law);
}

// ---------------------------------------------------------------------------- shared by schemes

// The force that empties E: E + r f/2 = 0 with r = free - G f, the largest a passive contact can
// give.
double sis_contact_emptying_force(double free, double G, double E);

// `force` clipped to the passive interval; one-sided laws also only push.
double sis_contact_passive_force(const power_law* law, double force, double free, double G,
                                 double E);

// Remembers phi of point i at a depth; counts the power it took.
void sis_contact_mark(const contact_memory* memory, int32_t i, double depth, double phi,
                      contact_cost* cost);

// phi at eta, carried over from the mark of point i when near, else by a power (counted).
double sis_contact_phi(const power_law* law, const contact_memory* memory, int32_t i, double eta,
                       contact_cost* cost);

// phi the scheme needs at the start of a sample: at eta^n, or at the midpoint.
static inline double contact_phi_now(const contact_law* law, const contact_memory* m, int32_t i,
                                     contact_cost* cost) {
    double at = law->midpoint ? 0.5 * (m->eta[i] + m->before[i]) : m->eta[i];
    return sis_contact_phi(&law->power, m, i, at, cost);
}

// The factor R that Hunt-Crossley loss puts on a conservative force F over the travel r: 1 + nu r,
// against the motion on both sides of a law, and never below 0: nothing is pulled. `force` is F or
// F R, whose sign is the same.
static inline double contact_rate(double nu, double force, double r) {
    double rate = 1 + (force < 0 ? -nu : nu) * r;
    return rate > 0 ? rate : 0;
}

// The conservative part F of a force f = F R. False: R is so near 0 that it is known from the
// potential only.
static inline bool contact_conservative(const power_law* law, double nu, double force, double r,
                                        double* F) {
    *F = force;
    if (nu == 0) return true;
    double rate = law->both && force == 0 ? 0 : contact_rate(nu, force, r);
    if (!(rate > 1e-3)) return false;
    *F = force / rate;
    return true;
}

// The Hunt-Crossley loss of schemes that do not take it inside the law: a damper of slope
// mu phi'(eta^n)/2k. phi is that of contact_phi_now.
double sis_contact_damper(const contact_law* law, double eta, double phi, contact_cost* cost);

// The problem a contact poses to its scheme, and the factor between r and the problem's travel:
// 1, or 1/2 for the midpoint potential, which is the same problem in half variables.
typedef struct contact_view {
    contact_problem problem;
    double E, half;
} contact_view;

contact_view sis_contact_view(const contact_law* law, const contact_memory* memory, int32_t i,
                              double phi, double free, double G);

// Whether E of a contact is not the mean potential: in a sample before this its block did not
// converge. A newton contact then pays from E as ledger does, until they agree again: taking phi
// for E would make energy.
static inline bool contact_owes_energy(const contact_view* view) {
    double potential = view->problem.phi_now + view->problem.phi_before;
    return fabs(2 * view->E - potential) > 1e-6 * potential;
}

// ---------------------------------------------------------------------------- schemes

// Point i alone: no other link moves its bodies. Force, travel and loss; updates its memory, but
// for eta and before.
contact_push sis_contact_alone(const contact_law* law, double k, const contact_memory* memory,
                               int32_t i, double free, double G, contact_cost* cost);

// The r of the conservative scheme f = DG(before, r) (1 + nu r), converged: one or two powers are
// the rule.
contact_root sis_ledger_root(const power_law* law, const contact_problem* problem,
                             const contact_memory* memory, int32_t i, contact_cost* cost);

// The force of a contact alone in its block; updates E. `restitution`: as the contact opens, the
// loss of the whole impact is made that of the law itself (contact/ledger.c).
contact_push sis_ledger_push(const contact_law* law, const contact_problem* problem,
                             const contact_memory* memory, int32_t i, contact_cost* cost);

// What a contact owes (contact/ledger.c): before its force is known, and after it. One that
// leaves gives back `payable`, J, with the force that makes the loss of the impact that of the law.
void sis_restitution_begin(const contact_problem* problem, bool leaves, double payable,
                           double* force, double* owed);
void sis_restitution_end(const contact_problem* problem, double force, double travel, double* owed);

// A passive affine force about the predicted travel y, for blocks that do not converge.
affine sis_ledger_closure(const power_law* law, const contact_problem* problem, double E, double y,
                          contact_cost* cost);

// The same root by safeguarded Newton, to rounding.
contact_root sis_newton_root(const power_law* law, const contact_problem* problem,
                             const contact_memory* memory, int32_t i, contact_cost* cost);

// Root family: the force with parameter s; updates E, reports complex roots in cost.
double sis_root_force(const power_law* law, const contact_problem* problem, double s,
                      const contact_memory* memory, int32_t i, contact_cost* cost);

// psi schemes: g of this sample; the force is g psi + g^2/4 r and psi+ = psi + g r/2.
double sis_quadratised_g(const power_law* law, const contact_problem* problem, double psi,
                         bool release);
affine sis_quadratised_force(double g, double psi);

// ---------------------------------------------------------------------------- exact
//
// Exact contact flow of a single mass (or of two free masses in their relative coordinate).
//
// M x'' = -K x^alpha has one universal curve per alpha: x = X s(theta), theta = v t/X with
// X = (t E/K)^(1/t), v = sqrt(2 E/M) and s'^2 = 1 - s^t. The curve is tabled once, at compile.

enum { EXACT_NODES = 512 };

typedef struct exact_table {
    double quarter;             // Theta: theta at the turning point, s = 1
    double s_end;               // end of the table over s
    double s[EXACT_NODES + 1];  // s(theta) and
    double c[EXACT_NODES + 1];  // c = s'(theta) on a grid of theta in [0, Theta]
    double sc[EXACT_NODES + 1]; // s''(theta) = -(t/2) s^alpha there
    double by_s[EXACT_NODES + 1], by_s_slope[EXACT_NODES + 1]; // theta over s in [0, s_end]
    double by_c[EXACT_NODES + 1], by_c_slope[EXACT_NODES + 1]; // Theta - theta over c
} exact_table;

void sis_exact_table_make(exact_table* table, double alpha);

// Where the flow of the contact alone takes (eta, speed) in `time`; `mass` is the relative mass.
typedef struct exact_point {
    double eta, speed, phi;
} exact_point;

exact_point sis_exact_flow(const power_law* law, const exact_table* table, double mass, double eta,
                           double speed, double phi, double time, contact_cost* cost);

// The force of one sample: kick by all other forces, then flow. Updates E, speed and mark.
double sis_exact_force(const power_law* law, const exact_table* table,
                       const contact_problem* problem, double k, const contact_memory* memory,
                       int32_t i, contact_cost* cost);

#endif
