// One contact in one sample, as every scheme sees it, and what it remembers between samples.
//
// A contact keeps an energy E >= 0 and exchanges it with the bodies: E+ = E + r F/2 with
// r = eta^{n+1} - eta^{n-1} and F the force without loss; r (f - F)/2 >= 0 is lost. Total energy is
// then conserved for any force whatever; a scheme decides accuracy only. It is passive while E+ >=
// 0 and never adhesive while f >= 0.
#ifndef SIS_SCHEME_CONTACT_H
#define SIS_SCHEME_CONTACT_H

#include "law/power.h"
#include "law/spring.h"

// The problem of one sample, r = free - G f.
typedef struct contact_problem {
    double now, before;         // eta^n, eta^{n-1}, m
    double free;                // r without this force, m
    double G;                   // compliance, m/N
    double phi_now, phi_before; // potential at now and before, J
    double force_before;        // f^{n-1}, N: a first guess
    double nu;                  // 1/m, Hunt-Crossley loss: mu eta' = nu r
} contact_problem;

// What a contact remembers. Doubles only: part of the flat state.
typedef struct contact_memory {
    double eta, before; // eta^n, eta^{n-1}, m: advanced by r itself: energy and travel agree
    double E;           // J, held at n - 1/2
    union {
        double psi;   // sqrt J, signed: quadratised, E = psi^2/2
        double slide; // m/s, bows: last velocity of the body less the bow's
        double owed;  // J, ledger: loss of this impact that the law has not taken yet
    };
    double force;      // N, f^{n-1}: a first guess for f^n
    double phi_before; // J, phi(eta^{n-1})
    double mark_depth; // m, where phi was last evaluated, and
    union {
        double mark_phi; // J, its value there: phi is carried over from it without a new power
        double chord;    // s/m, bows: Phi(v)/v at chord_at; 0: not known
    };
    union {
        double speed; // m/s, eta' at t_n: exact flow and impact integrators
        double glide; // m/s, bows: velocity of the bow
    };
    union {
        double law_force; // N, impact integrators: f(x_n, v_n) as they keep it
        double press;     // N, bows: what it presses with
    };
    double shown; // N, the same of the sample just done: what probes and reports show
    union {
        double entry;    // m/s, impact integrators: speed at first touch
        double chord_at; // m/s, bows: velocity of the last root, whose chord stands for the curve
    };
} contact_memory;

// Slopes in blocks are limited to a G <= CONTACT_STIFFEST: a contact that yields 1e-8 of the free
// travel is rigid, and steeper ones would only cost digits. Any slope within the passive interval
// conserves energy.
static const double CONTACT_STIFFEST = 1e8;

// What one sample cost, and what happened in it.
typedef struct contact_cost {
    uint32_t powers, iterations;
    bool unsolved; // the search has not converged
    bool complex_root, impact_ended;
    double discriminant; // of a complex root, relative to its terms
    double lowest_bound; // J, root
    double drift;        // of an impact that ended: exit energy/exact exit energy - 1
} contact_cost;

// The force that empties E: E + r f/2 = 0 with r = free - G f, the largest a passive contact can
// give.
double sis_contact_emptying_force(double free, double G, double E);

// `force` clipped to the passive interval; one-sided laws also only push.
double sis_contact_passive_force(const power_law* law, double force, double free, double G,
                                 double E);

// Remembers phi at a depth; counts the power it took.
void sis_contact_mark(contact_memory* memory, double depth, double phi, contact_cost* cost);

// phi at eta, carried over from the mark when near, else by a power (counted).
double sis_contact_phi(const power_law* law, contact_memory* memory, double eta,
                       contact_cost* cost);

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

// The r of the conservative scheme f = DG(before, r) (1 + nu r), converged: one or two powers are
// the rule.
contact_root sis_ledger_root(const power_law* law, const contact_problem* problem,
                             contact_memory* memory, contact_cost* cost);

// The force of a contact alone in its block, without loss; updates memory->E. The numbers of its
// problem come in registers: the search begins with them.
double sis_ledger_force(const power_law* law, double now, double before, double free, double G,
                        double phi_now, double phi_before, contact_memory* memory,
                        contact_cost* cost);

// The same with loss. `restitution`: as the contact opens, the loss of the whole impact is made
// that of the law itself (scheme/restitution.c).
contact_push sis_ledger_lossy(const power_law* law, const contact_problem* problem,
                              bool restitution, contact_memory* memory, contact_cost* cost);

// What the law itself loses in a sample beyond what the scheme takes, J.
double sis_restitution_owed(const contact_problem* problem, double force, double r);

// The force with which a contact opens so that, with what it owes, the loss of the impact is that
// of the law. `payable`: what it gives back; receives what of the debt is left.
double sis_restitution_leave(const contact_problem* problem, double payable, double* owed);

// A passive affine force about the predicted travel y, for blocks that do not converge.
affine sis_ledger_closure(const power_law* law, const contact_problem* problem, double E, double y,
                          contact_cost* cost);

// The same root by safeguarded Newton, to rounding.
contact_root sis_newton_root(const power_law* law, const contact_problem* problem,
                             contact_memory* memory, contact_cost* cost);

// The same in closed form for alpha = 1, one-sided (Bilbao 2014, corrected).
contact_root sis_line_root(const power_law* law, const contact_problem* problem);

// Root family: the force with parameter s; updates memory->E, reports complex roots in cost.
double sis_root_force(const power_law* law, const contact_problem* problem, double s,
                      contact_memory* memory, contact_cost* cost);

// psi schemes: g of this sample; the force is g psi + g^2/4 r and psi+ = psi + g r/2.
double sis_quadratised_g(const power_law* law, const contact_problem* problem, double psi,
                         bool release);
affine sis_quadratised_force(double g, double psi);

#endif
