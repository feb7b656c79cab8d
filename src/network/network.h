// The network: links (contacts and springs) join points of bodies, and links that share a body are
// solved together in blocks. A contact along a string is one link for each of its points.
//
//   eta = u_below - u_above - gap,   r = eta^{n+1} - eta^{n-1} = r* - G f,   G = B^T D^-1 B
//
// G is symmetric and positive semidefinite. Every link's force of a sample ends as f = q + a (r -
// at) with a >= 0; with S = diag(sqrt a), f = q + S y the block is (I + S G S) y = S (r* - at - G
// q): symmetric with all eigenvalues >= 1, whatever the parameters, so Cholesky always succeeds.
#ifndef SIS_NETWORK_H
#define SIS_NETWORK_H

#include <math.h>

#include "body/body.h"
#include "impact/impact.h"
#include "law/friction.h"
#include "scheme/contact.h"
#include "scheme/exact.h"

// The point of a body a link holds on to: eta reads weight . u there, and a force is written with
// the same weights.
typedef struct network_end {
    int32_t first, count; // degrees of freedom; 0: does not move
    const double* weight; // NULL: one of weight 1
    int32_t apart;        // how far they lie from each other
    const int32_t* index; // not NULL: not equally far; where each is, from `first`
    double give;          // m/N; not 0: a force of this link alone moves them, each by so much
} network_end;

static inline int32_t network_dof(const network_end* end, int32_t i) {
    return end->first + (end->index ? end->index[i] : i * end->apart);
}

// Points anywhere, in four sums: one would wait for every addition.
SIS_INLINE double network_dot_index(const network_end* end, const double* v) {
    const double* w = end->weight;
    const int32_t* at = end->index;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int32_t i = 0;
    v += end->first;
    for (; i + 4 <= end->count; i += 4) {
        s0 += w[i] * v[at[i]];
        s1 += w[i + 1] * v[at[i + 1]];
        s2 += w[i + 2] * v[at[i + 2]];
        s3 += w[i + 3] * v[at[i + 3]];
    }
    for (; i < end->count; i++)
        s0 += w[i] * v[at[i]];
    return (s0 + s1) + (s2 + s3);
}

// The usual interpolation, and points side by side, summed as sis_dot does.
SIS_INLINE double network_dot(const network_end* end, const double* values) {
    const double *w = end->weight, *v = values + end->first;
    const int32_t s = end->apart;
    if (end->index) return network_dot_index(end, values);
    if (end->count == 4)
        return ((w[0] * v[0] + w[1] * v[s]) + (w[2] * v[2 * s] + w[3] * v[3 * s])) + 0;
    if (s == 1) return sis_dot(w, v, end->count);
    double sum[4] = {0, 0, 0, 0};
    int32_t i = 0;
    for (; i + 4 <= end->count; i += 4)
        for (int32_t j = 0; j < 4; j++)
            sum[j] += w[i + j] * v[(i + j) * s];
    for (; i < end->count; i++)
        sum[0] += w[i] * v[i * s];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

SIS_INLINE double network_read(const network_end* end, const double* values) {
    if (!end->weight) return end->count ? values[end->first] : 0;
    return network_dot(end, values);
}

// Two arrays at once.
typedef struct network_pair {
    double a, b;
} network_pair;

SIS_INLINE network_pair network_read_two(const network_end* end, const double* a, const double* b) {
    if (!end->weight)
        return end->count ? (network_pair){a[end->first], b[end->first]} : (network_pair){0, 0};
    return (network_pair){network_dot(end, a), network_dot(end, b)};
}

static inline void network_write(const network_end* end, double force, double* values) {
    const double* w = end->weight;
    if (!w) {
        if (end->count) values[end->first] += force;
    } else if (!end->index && end->apart == 1) {
        for (int32_t i = 0; i < end->count; i++)
            values[end->first + i] += force * w[i];
    } else {
        for (int32_t i = 0; i < end->count; i++)
            values[network_dof(end, i)] += force * w[i];
    }
}

// The bodies under an end with a `give` of its own take its force at once; here four of them.
SIS_INLINE void network_give_four(const double* restrict w, double give, double force,
                                  int32_t apart, double* restrict u, double* restrict next) {
    for (int32_t j = 0; j < 4; j++) {
        double more = give * (force * w[j]);
        next[j * apart] += more;
        u[j * apart] += more;
    }
}

static inline void network_give(const network_end* end, double force, double* u, double* next) {
    const double *w = end->weight, give = end->give;
    const int32_t *at = end->index, first = end->first;
    if (w && !at && end->count == 4) {
        network_give_four(w, give, force, end->apart, u + first, next + first);
        return;
    }
    for (int32_t i = 0; i < end->count; i++) {
        double more = give * (w ? force * w[i] : force);
        next[network_dof(end, i)] += more;
        u[network_dof(end, i)] += more;
    }
}

typedef enum link_kind {
    LINK_CONTACT,
    LINK_SPRING,
    LINK_STRETCH, // the tension of a string that grows with its length: see network_elastic
    LINK_RIGID,   // no travel: r = 0 whatever the force
    LINK_BOW,     // friction
} link_kind;

// A contact, a spring or a bow. Constant after compile.
typedef struct network_link {
    network_end below, above;
    link_kind kind;
    sis_scheme scheme;
    bool release, midpoint, corrected;
    bool line;             // exact on a string: the closed form of newton for alpha = 1
    double G;              // m/N, own compliance: the diagonal of the block's G
    double mu;             // s/m, Hunt-Crossley
    double nu;             // 1/m, mu/2k: the loss inside the law of ledger and newton
    bool restitution;      // ledger between masses or modes: exact loss of an impact, while alone
    power_law power;       // contacts
    friction_law friction; // bows
    spring_law elastic;    // springs
    double s;              // root
    double steady;         // m/s^2, gravity along eta
    const exact_table* table; // scheme exact
} network_link;

// The elastic force of a spring. Kirchhoff and Carrier: a string of elongation energy EA/8L S^2, S
// = u.K u the integral of u_x^2, is pulled back along v = K u^n by f = EA/2L v.(u^{n+1} +
// u^{n-1})/2: a link whose column is v. With p = v.u^{n-1} in memory->eta and K1 = EA/4L, f = K1 (2
// p + r) and p grows by r, since K is symmetric: E = K1/2 p^2 closes to rounding without iteration.
static inline affine network_elastic(const network_link* link, const contact_memory* m) {
    if (link->kind == LINK_STRETCH) return (affine){0, link->elastic.K1, -2 * m->eta};
    if (link->kind == LINK_RIGID) return (affine){0, HUGE_VAL, 0};
    return spring_elastic(&link->elastic, m->eta, m->before);
}

static inline double network_elastic_energy(const network_link* link, const contact_memory* m) {
    if (link->kind == LINK_STRETCH) return 0.5 * link->elastic.K1 * m->eta * m->eta;
    if (link->kind != LINK_SPRING) return 0;
    return spring_energy(&link->elastic, m->eta, m->before);
}

// Moves a link to the next sample: eta becomes before + travel.
static inline void network_link_advance(const network_link* link, contact_memory* m,
                                        double travel) {
    if (link->kind == LINK_STRETCH) {
        m->eta += travel;
        return;
    }
    double next = m->before + travel;
    m->before = m->eta;
    m->eta = next;
}

// Is it one of the integrators of a mass on a wall?
static inline bool network_link_is_impact(const network_link* link) {
    return link->kind == LINK_CONTACT && link->scheme >= SIS_SCHEME_AM1;
}

// Could this link give a force in this sample, if the others give none? `free` is its travel then.
static inline bool network_link_active(const network_link* link, const contact_memory* m,
                                       double free) {
    if (link->kind == LINK_BOW) return m->press > 0;
    if (link->kind != LINK_CONTACT) return true;
    const power_law* law = &link->power;
    if (link->scheme == SIS_SCHEME_QUADRATISED && !link->release) // looks at eta^n only
        return power_depth(law, m->eta) > 0 || power_is_spring(law);
    return m->E != 0 || power_depth(law, m->eta) > 0 || power_depth(law, m->before + free) > 0 ||
           (law->both && (m->before < 0) != (m->before + free < 0));
}

// Links first .. first + count - 1. The lower triangle of G is kept by rows from the first column
// that is not zero: row i has columns row[i] .. i at G + start[i]; column j ends with row last[j].
// The rows of stretch links come last; their column moves, so they are made anew each sample.
typedef struct network_block {
    int32_t first, count;
    // One one-sided contact between at most one degree of freedom on each side, `below` and
    // `above`; -1: does not move. It may be part of a row.
    bool lone;
    bool flies; // it is in no row: open, it may pass without being looked at
    int32_t below, above;
    const int32_t* row;
    const int32_t* last;
    const size_t* start;
    const double* G;
} network_block;

// The links of a block that act in this sample, and their part of G in the same form.
typedef struct network_set {
    const network_block* block;
    int32_t count;
    int32_t* at; // links, ascending
    int32_t* row;
    size_t* start;
    double *G, *L; // and its Cholesky factor
    double scale;  // of G: 1, or 1/2 in the first step
    bool frozen;   // bows keep the chord they have
} network_set;

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
    double* base; // 1; 0 of a rigid link
    double* step;
    double* ref;       // travel about which it is solved
    bool* stiff;       // (a + loss) G > 1
    double* g;         // of quadratised contacts
    double* phi;       // potential at the start of the sample
    double* old_force; // where a Newton step began
    double* old_travel;
    double* matrix; // largest block's profile: the factor, and
    double* gathered;
    int32_t* set_at; // of the set being solved
    int32_t* set_row;
    size_t* set_start;
    double* set_force;
    double* set_travel;
    bool* chosen;         // is the link in the set?
    const double* column; // of stretch links, over the degrees of freedom, and
    double* response;     // how a unit force along it moves them in one step
} network_work;

// Solves one block for one sample: from memory (eta, before, E, ...) and free, finds force and
// travel and updates E. Returns what bows supply and what they and the dampers take, J. `k` is the
// time step.
body_work sis_network_solve(const network_block* block, const network_link* links, double k,
                            network_work* work);

// The first step, from eta^0 in memory->eta: eta^1 - eta^0 = free - (G/2) f with the conservative
// force of one step, f = (phi(eta^1) - phi(eta^0))/(eta^1 - eta^0). Second order, and bounded
// however stiff. Leaves eta, before, E and psi ready for sample 1. `links` is overwritten.
void sis_network_start(const network_block* block, network_link* links, double k,
                       network_work* work);

// The set of the chosen links of a block; its arrays are the work's.
network_set sis_network_gather(const network_block* block, const network_link* links, double scale,
                               network_work* work);

// The travels of the links outside the set under its forces. True: one of them would close, and has
// been chosen too.
bool sis_network_spread(const network_set* set, const network_link* links, network_work* work);

// Forces and travels for given q, a, at, loss: the affine solve. a = HUGE_VAL: rigid.
void sis_network_affine(const network_set* set, network_work* work);

// The same with the bows of the set on their friction curves.
void sis_network_affine_bowed(const network_set* set, const network_link* links, double k,
                              network_work* work);

// Newton contacts and bows together: the bows' chords stand still while the contacts converge,
// which they always do, then move to where the friction curve wants them. A chord at any velocity
// is passive, so that it does not matter when this ends.
bool sis_network_newton_bowed(const network_set* set, const network_link* links, double k,
                              network_work* work);

// How all forces and travels of the set change with the force of its n-th link, which is given (a =
// 0): into work->set_force and work->set_travel. Uses the last factor.
void sis_network_gain(const network_set* set, int32_t n, network_work* work);

// The travels that given forces make.
void sis_network_travel(const network_set* set, network_work* work);

// Newton on the ledger and newton contacts of a set, from the tangents in q, a, at. With a newton
// contact in the set it goes on to rounding. False: it found no rest.
bool sis_network_newton(const network_set* set, const network_link* links, double k,
                        network_work* work);

// The force of link i, loss included, as the tangent of its law at travel r; the value there is
// returned.
double sis_network_tangent(const network_link* link, network_work* work, int32_t i, double r);

// A link alone in its block.
double sis_network_alone(const network_link* link, double k, contact_memory* memory, double free,
                         double G, contact_cost* cost, double* force, double* travel);

// A bow alone in its block, pressing.
body_work sis_network_bow_alone(const network_link* link, double k, contact_memory* memory,
                                double free, contact_cost* cost, double* force, double* travel);

// What a bow does in a sample: the player moves against its force, and friction takes the rest.
body_work sis_network_settle_bow(double k, double f, double r, contact_memory* m);

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

SIS_INLINE contact_view network_view(const network_link* link, const contact_memory* memory,
                                     double phi, double free, double G) {
    contact_view view = {.E = memory->E, .half = 1};
    view.problem = (contact_problem){memory->eta, memory->before,     free,          G,
                                     phi,         memory->phi_before, memory->force, link->nu};
    if (link->midpoint) {
        // f = DG(a', y') with a' = (eta^n + eta^{n-1})/2, y' = r/2: the same scheme in half
        // variables, in which eta^n plays no part.
        view.half = 0.5;
        view.E = 0.5 * memory->E;
        view.problem.now = -INFINITY;
        view.problem.before = 0.5 * (memory->eta + memory->before);
        view.problem.free = 0.5 * free;
        view.problem.G = 0.5 * G;
        view.problem.phi_now = 0;
        view.problem.phi_before = phi;
        view.problem.nu = 2 * link->nu;
    }
    return view;
}

// Whether E of a contact is not the mean potential: in a sample before this its block did not
// converge. A newton contact then pays from E as ledger does, until they agree again: taking phi
// for E would make energy.
static inline bool network_owes_energy(const contact_view* view) {
    double potential = view->problem.phi_now + view->problem.phi_before;
    return fabs(2 * view->E - potential) > 1e-6 * potential;
}

// phi the scheme needs at the start of a sample: at eta^n, or at the midpoint.
SIS_INLINE double network_phi(const network_link* link, contact_memory* memory,
                              contact_cost* cost) {
    double at = link->midpoint ? 0.5 * (memory->eta + memory->before) : memory->eta;
    return sis_contact_phi(&link->power, memory, at, cost);
}

// Schemes that solve the discrete gradient; their loss is inside the law.
static inline bool network_gradient_based(const network_link* link) {
    return link->kind == LINK_CONTACT &&
           (link->scheme == SIS_SCHEME_LEDGER || link->scheme == SIS_SCHEME_NEWTON);
}

// The Hunt-Crossley loss of the others: a damper of slope mu phi'(eta^n)/2k.
SIS_INLINE double network_damper(const network_link* link, const contact_memory* memory, double phi,
                                 double k, contact_cost* cost) {
    if (link->mu == 0 || network_gradient_based(link)) return 0;
    double x = power_depth(&link->power, memory->eta);
    if (x == 0) return 0;
    if (link->midpoint) { // phi is the midpoint's: the loss takes its own
        phi = power_phi(&link->power, x);
        cost->powers++;
    }
    double loss = link->mu * power_force(&link->power, x, phi) / (2 * k);
    return loss < 1e100 ? loss : 1e100;
}

#endif
