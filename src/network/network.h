// The network: links (contacts and springs) join points of bodies, and links that share a body are
// solved together in blocks.
//
//   eta = u_below - u_above - gap,   r = eta^{n+1} - eta^{n-1} = r* - G f,   G = B^T D^-1 B
//
// G is symmetric and positive semidefinite. Every link's force of a sample ends as f = q + a (r -
// at) with a >= 0; with S = diag(sqrt a), f = q + S y the block is (I + S G S) y = S (r* - at - G
// q): symmetric with all eigenvalues >= 1, whatever the parameters, so Cholesky always succeeds.
#ifndef SIS_NETWORK_H
#define SIS_NETWORK_H

#include "impact/impact.h"
#include "scheme/contact.h"
#include "scheme/exact.h"

// A contact or a spring. Constant after compile.
typedef struct network_link {
    int32_t below, above; // degree of freedom on that side; -1: does not move
    bool spring;
    spring_law elastic; // springs
    power_law power;    // contacts
    sis_scheme scheme;
    bool release, midpoint, corrected;
    double s;                 // root
    double steady;            // m/s^2, gravity along eta
    double mu;                // s/m, Hunt-Crossley
    const exact_table* table; // scheme exact
    double G;                 // m/N, own compliance: the diagonal of the block's G
} network_link;

// Is it one of the integrators of a mass on a wall?
static inline bool network_link_is_impact(const network_link* link) {
    return !link->spring && link->scheme >= SIS_SCHEME_AM1;
}

// Links first .. first + count - 1. The lower triangle of G is kept by rows from the first column
// that is not zero: row i has columns row[i] .. i at G + start[i].
typedef struct network_block {
    int32_t first, count;
    const int32_t* row;
    const size_t* start;
    const double* G;
} network_block;

// What moves while a block is solved: arrays over the links of the whole system, part of the state.
typedef struct network_work {
    contact_memory* memory;
    contact_cost* cost;
    double* free;   // r*
    double* force;  // f^n, loss included
    double* travel; // r
    double* q;      // f = q + a (r - at) + loss r
    double* a;
    double* at;
    double* loss; // of the damper
    double* y;    // unknown of the affine solve, its scale sqrt(a + loss) and its last change
    double* s;
    double* step;
    double* ref;       // travel about which it is solved
    bool* stiff;       // (a + loss) G > 1
    double* g;         // of quadratised contacts
    double* phi;       // potential at the start of the sample
    double* old_force; // where a Newton step began
    double* old_travel;
    double* matrix; // largest block's profile
} network_work;

// Solves one block for one sample: from memory (eta, before, E, ...) and free, finds force and
// travel and updates E. Returns the energy lost in the block's dampers, J. `k` is the time step.
double sis_network_solve(const network_block* block, const network_link* links, double k,
                         network_work* work);

// The first step, from eta^0 in memory->eta: eta^1 - eta^0 = free - (G/2) f with the conservative
// force of one step, f = (phi(eta^1) - phi(eta^0))/(eta^1 - eta^0). Second order, and bounded
// however stiff. Leaves eta, before, E and psi ready for sample 1. `links` is overwritten.
void sis_network_start(const network_block* block, network_link* links, double k,
                       network_work* work);

// Moves each link of the block to the next sample: eta becomes before + travel.
void sis_network_advance(const network_block* block, network_work* work);

// Forces and travels for given q, a, at, loss: the affine solve. `scale` multiplies G.
void sis_network_affine(const network_block* block, double scale, network_work* work);

// The travels that given forces make.
void sis_network_travel(const network_block* block, double scale, network_work* work);

// A link alone in its block.
double sis_network_alone(const network_link* link, double k, contact_memory* memory, double free,
                         double G, contact_cost* cost, double* force, double* travel);

// The impact a contact poses to its integrator in one sample, under the acceleration of everything
// else. What is steady (gravity) goes into the integrator; the rest is a kick of its velocity at
// the sample, as the bodies' own scheme does it, so that a spring keeps its energy.
impact_problem sis_network_impact(const network_link* link, double k, double acceleration,
                                  double* kick);

// The problem a contact poses to its scheme, and the factor between r and the problem's travel:
// 1, or 1/2 for the midpoint potential, which is the same problem in half variables.
typedef struct contact_view {
    contact_problem problem;
    double E, half;
} contact_view;

contact_view sis_network_view(const network_link* link, const contact_memory* memory, double phi,
                              double free, double G);

// phi the scheme needs at the start of a sample (at eta^n, or at the midpoint), and the slope of
// the Hunt-Crossley loss mu phi'(eta^n)/(2k).
double sis_network_phi(const network_link* link, contact_memory* memory, contact_cost* cost);
double sis_network_loss(const network_link* link, const contact_memory* memory, double phi,
                        double k, contact_cost* cost);

#endif
