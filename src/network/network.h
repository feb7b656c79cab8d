// The network: links (points of contacts, springs, bows) join points of bodies, and links that
// share a body are solved together in blocks. A contact along a string is one link for each of its
// points.
//
//   eta = u_below - u_above - gap,   r = eta^{n+1} - eta^{n-1} = r* - G f,   G = B^T D^-1 B
//
// G is symmetric and positive semidefinite. Every link's force of a sample ends as f = q + a (r -
// at) with a >= 0; with S = diag(sqrt a), f = q + S y the block is (I + S G S) y = S (r* - at - G
// q): symmetric with all eigenvalues >= 1, whatever the parameters, so Cholesky always succeeds.
#ifndef SIS_NETWORK_H
#define SIS_NETWORK_H

#include "body/body.h"
#include "contact/contact.h"
#include "impact/impact.h"

#include <math.h>

// The point of a body a link holds on to: eta reads weight . u there, and a force is written with
// the same weights.
typedef struct network_end {
    int32_t first, count; // degrees of freedom; 0: does not move
    const double* weight; // NULL: one of weight 1
    const int32_t* index; // not NULL: not side by side; where each is, from `first`
    double admittance;    // m/N; not 0: a force of this link alone moves them, each by so much
} network_end;

static inline int32_t network_dof(const network_end* end, int32_t i) {
    return end->first + (end->index ? end->index[i] : i);
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
    if (end->index) return network_dot_index(end, values);
    if (end->count == 4) return ((w[0] * v[0] + w[1] * v[1]) + (w[2] * v[2] + w[3] * v[3])) + 0;
    return sis_dot(w, v, end->count);
}

SIS_INLINE double network_read(const network_end* end, const double* values) {
    if (!end->weight) return end->count ? values[end->first] : 0;
    return network_dot(end, values);
}

// Two arrays at once: where and with which weights is read once. The sums are those of one array.
typedef struct network_pair {
    double a, b;
} network_pair;

SIS_INLINE network_pair network_index_two(const network_end* end, const double* a,
                                          const double* b) {
    const double* w = end->weight;
    const int32_t* at = end->index;
    double a0 = 0, a1 = 0, a2 = 0, a3 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0;
    int32_t i = 0;
    a += end->first;
    b += end->first;
    for (; i + 4 <= end->count; i += 4) {
        const int32_t i0 = at[i], i1 = at[i + 1], i2 = at[i + 2], i3 = at[i + 3];
        const double w0 = w[i], w1 = w[i + 1], w2 = w[i + 2], w3 = w[i + 3];
        a0 += w0 * a[i0], b0 += w0 * b[i0];
        a1 += w1 * a[i1], b1 += w1 * b[i1];
        a2 += w2 * a[i2], b2 += w2 * b[i2];
        a3 += w3 * a[i3], b3 += w3 * b[i3];
    }
    for (; i < end->count; i++)
        a0 += w[i] * a[at[i]], b0 += w[i] * b[at[i]];
    return (network_pair){(a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3)};
}

SIS_INLINE network_pair network_read_two(const network_end* end, const double* a, const double* b) {
    if (!end->weight)
        return end->count ? (network_pair){a[end->first], b[end->first]} : (network_pair){0, 0};
    if (end->index) return network_index_two(end, a, b);
    return (network_pair){network_dot(end, a), network_dot(end, b)};
}

// Of many points side by side, as all modes of a body: sis_dot of both arrays, four sums each.
typedef network_pair (*network_dots)(const double* weight, const double* a, const double* b,
                                     int32_t count);

enum { NETWORK_MANY = 16 }; // points from which on that is worth a call

static inline void network_write(const network_end* end, double force, double* values) {
    const double* w = end->weight;
    if (!w) {
        if (end->count) values[end->first] += force;
    } else if (!end->index) {
        for (int32_t i = 0; i < end->count; i++)
            values[end->first + i] += force * w[i];
    } else {
        for (int32_t i = 0; i < end->count; i++)
            values[network_dof(end, i)] += force * w[i];
    }
}

// A force moves the bodies under an end with an admittance of its own at once.
static inline void network_apply(const network_end* end, double force, double* u, double* next) {
    const double* w = end->weight;
    for (int32_t i = 0; i < end->count; i++) {
        double more = end->admittance * (w ? force * w[i] : force);
        next[network_dof(end, i)] += more;
        u[network_dof(end, i)] += more;
    }
}

// A contact's point, a spring, a bow, or the tension of a string that grows with its length.
// Constant after compile.
typedef struct network_link {
    network_end below, above;
    const struct link_class* class;
    double G;                     // m/N, own compliance: the diagonal of the block's G
    const contact_law* contact;   // contacts: that of all its points
    const friction_law* friction; // bows
    int32_t bow;                  // .. and which of them it is
    spring_law elastic;           // springs, and strings whose tension grows
    bool slides;                  // its place on a body moves while it sounds
} network_link;

// The number below less that above at a link.
static inline double network_apart(const network_link* link, const double* values) {
    return network_read(&link->below, values) - network_read(&link->above, values);
}

// What a bow remembers. Doubles only: part of the flat state.
typedef struct bow_memory {
    double relative_velocity; // m/s, last velocity of the body less the bow's
    double velocity;          // m/s, velocity of the bow
    double force;             // N, what it presses with
    double chord;             // s/m, Phi(v)/v at chord_at; 0: not known
    double chord_at;          // m/s, velocity of the last root, whose chord stands for the curve
} bow_memory;

enum { LINK_APART = 2 }; // of network_work.chosen

// What moves while a block is solved: arrays over the links of the whole system, part of the state.
typedef struct network_work {
    contact_memory memory;
    bow_memory* bow; // over the bows
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
    double* panel;   // columns of it, and vectors of conjugate gradients
    int32_t* set_at; // of the set being solved
    int32_t* set_row;
    size_t* set_start;
    double* set_force;
    double* set_travel;
    uint8_t* chosen;      // is the link in the set? LINK_APART: solved by itself beside it
    const double* column; // of strings whose tension grows, over the degrees of freedom, and
    double* response;     // how a unit force along it moves them in one step
} network_work;

// What a kind of link does in a block, each for link i.
typedef struct link_class {
    // Could it give a force in this sample, if the others give none? `free` is its travel then.
    bool (*active)(const network_link* link, const network_work* work, int32_t i, double free);
    // What it brings to a sample before anything is solved: q, a, at, loss (contacts: phi too).
    void (*prepare)(const network_link* link, double k, int32_t i, network_work* work);
    // Updates its memory, but for eta, after the block is solved; returns what it supplied and
    // lost. `closed`: ledger and newton contacts were affine, with dampers.
    body_work (*settle)(const network_link* link, double k, int32_t i, bool closed,
                        network_work* work);
    // Both at once for a link alone in its block; NULL: it has no shorter way.
    body_work (*alone)(const network_link* link, double k, int32_t i, network_work* work);
    // It gives no force in this sample.
    void (*rest)(const network_link* link, double k, int32_t i, network_work* work);
    // The affine law of the first step, over one step; and the force of row 0, N, at the speed
    // eta', m/s.
    void (*start)(const network_link* link, double k, int32_t i, network_work* work);
    double (*first_force)(const network_link* link, double k, int32_t i, double speed,
                          network_work* work);
    // Stored energy, J, in `contact` or in `elastic`; NULL: none.
    void (*energy)(const network_link* link, const contact_memory* memory, int32_t i,
                   double* contact, double* elastic);
    // How deep or long it is at `eta`, m, for reports; NULL: neither.
    double (*depth)(const network_link* link, double eta);
    bool rigid;      // no travel: r = 0 whatever the force
    bool modulation; // its column moves with the string: see spring.c
} link_class;

extern const link_class sis_contact_class, sis_spring_class, sis_rigid_class, sis_modulation_class,
    sis_bow_class;

static inline bool network_is_contact(const network_link* link) {
    return link->contact != NULL;
}

static inline bool network_gradient_based(const network_link* link) {
    return link->contact && contact_gradient_based(link->contact);
}

// Is it a bow on its friction curve?
static inline bool network_is_bow(const network_link* link) {
    return link->friction && !link->friction->linear;
}

// Moves a link to the next sample: eta becomes before + travel.
static inline void network_advance(const network_link* link, const contact_memory* m, int32_t i,
                                   double travel) {
    if (link->class->modulation) {
        m->eta[i] += travel;
        return;
    }
    double next = m->before[i] + travel;
    m->before[i] = m->eta[i];
    m->eta[i] = next;
}

// Springs without stiffness and loss: eta is not kept, as of a point that sleeps.
static inline bool network_slack(const network_link* link) {
    return link->elastic.K1 == 0 && link->elastic.K3 == 0 && link->elastic.R == 0;
}

static inline double network_depth(const network_link* link, double eta) {
    return link->class->depth ? link->class->depth(link, eta) : 0;
}

static inline void network_put(network_work* work, int32_t i, affine force) {
    work->q[i] = force.force;
    work->a[i] = force.a;
    work->at[i] = force.at;
}

// By how much one sample moves the points of a line or block at most: the largest increment of each
// of these groups of bodies, times `reach`, the largest sum of |weights|. -1: none.
typedef struct motion_bound {
    int32_t group[2];
    double reach[2];
} motion_bound;

static inline double motion_most(const motion_bound* bound, const double* fastest) {
    double most = 0;
    for (int side = 0; side < 2; side++)
        if (bound->group[side] >= 0) most += bound->reach[side] * fastest[bound->group[side]];
    return most;
}

// What moves of a line or block that may sleep. Part of the flat state.
typedef struct sleep_state {
    double clear;  // m, before bodies have moved so far no point that sleeps can touch
    int32_t awake; // how many points are; of a block: all or none
    int32_t pad;
} sleep_state;

// Rows of G without their zeros, both triangles, in groups of eight rows: the k-th entries of a
// group lie side by side, (row, k) at start[row/8] + 8 k + row % 8. Where rows end early, 0.
typedef struct sparse_rows {
    const size_t* start; // NULL: there are none
    const int32_t* column;
    const double* G;
} sparse_rows;

// Links first .. first + count - 1. The lower triangle of G is kept by rows from the first column
// that is not zero: row i has columns row[i] .. i at G + start[i]; column j ends with row last[j].
// The rows of strings whose tension grows come last; their column moves, so they are made anew each
// sample.
//
// How its algebra goes over lanes (profile_lanes.h): a wide block has so many entries in each row
// that passes go along them; PROFILE_PAD places behind each row are 0. Small sets of a block of up
// to SQUARE_MOST links are squares.
typedef struct network_block {
    int32_t first, count;
    const struct profile_kernel* kernel;
    bool wide;
    const double* square; // G as one; NULL: none
    sparse_rows sparse;   // of a wide block most of whose profile is 0
    const int32_t* row;
    const int32_t* last;
    const int32_t* near; // the same without the rows from `slide` on, of places that move
    int32_t slide;
    const size_t* start;
    const double* G;
    bool bowed;   // a bow on its friction curve is among them
    bool springs; // springs only, some of which follow inputs: skipped while all are slack
    bool sleeps;  // contacts only: while all are open, their eta follows from the bodies
    bool bounded; // .. and they are not looked at before the bodies have moved as far as `bound`
                  // says
    motion_bound bound;
    int32_t hand; // .. besides, a driven degree of freedom that they hold on to; -1: none
    const struct network_band* band; // links of one implicit or trapezoid string (band.h); NULL: no
} network_block;

// Bodies, and what is needed to ask how they answer to forces: Dinv of diagonal ones, m/N, and two
// rows over all degrees of freedom that are 0 between uses.
typedef struct network_bodies {
    const body_group* groups;
    int32_t count;
    const double* Dinv;
    double *force, *response;
} network_bodies;

// G of the links of a block, first .. first + count - 1, by its profile; and the same as a square.
void sis_network_compliance(const network_bodies* all, const network_block* block,
                            const network_link* links, double* G);
void sis_network_square(const network_block* block, double* square);

static inline bool network_all_slack(const network_block* block, const network_link* links) {
    for (int32_t i = block->first; i < block->first + block->count; i++)
        if (!network_slack(&links[i])) return false;
    return true;
}

// The links of a block that act in this sample, and their part of G in the same form.
typedef struct network_set {
    const network_block* block;
    int32_t count;
    int32_t* at; // links, ascending
    const int32_t* row;
    const size_t* start;
    const double* G;
    double* L;      // its Cholesky factor, in the same form
    bool whole;     // it is all of the block
    int32_t square; // not 0: of a small set, G and L are squares with so many numbers a side
    double scale;   // of G: 1, or 1/2 in the first step
    bool frozen;    // bows keep the chord they have
} network_set;

enum {
    PROFILE_PAD = 7,    // places behind the rows of wide blocks, and behind vectors
    PROFILE_PANEL = 16, // columns that are eliminated together
    SQUARE_LEAST = 3,   // links of a set that is a square
    SQUARE_MOST = 16
};

static inline int32_t network_square_side(int32_t count) {
    return count <= 8 ? 8 : SQUARE_MOST;
}

// Numbers of a set's factor.
static inline size_t network_square_size(int32_t count) {
    const size_t side = (size_t)network_square_side(count);
    return 2 * side * side + side;
}

// Algebra over lanes; vectors over the set, with PROFILE_PAD places behind them that are 0.
typedef struct profile_algebra {
    // out = scale G v
    void (*multiply)(const network_set* set, const double* v, double* out);
    // L L^T = diag(base) + S scale G S, and L L^T y = y. `scratch`: a panel.
    void (*factor)(const network_set* set, const double* base, const double* s, double* scratch);
    void (*substitute)(const network_set* set, double* y);
} profile_algebra;

typedef struct profile_kernel {
    profile_algebra wide, square;
    // Of wide blocks: the solution x of (I + S scale G S) x = step, whose residual replaces `step`.
    // False: it is not below `enough` within `most` products. `scratch`: five vectors.
    bool (*conjugate)(const network_set* set, const double* s, double* step, double* x,
                      double enough, int32_t most, double* scratch);
} profile_kernel;

// Solves one block for one sample: from memory (eta, before, E, ...) and free, finds force and
// travel and updates E. Returns what bows supply and what they and the dampers take, J. `k` is the
// time step.
body_work sis_network_solve(const network_block* block, const network_link* links, double k,
                            network_work* work);

// A block that sleeps: whether it goes on so in this sample. Awake again, it knows where its points
// are. `offset`: eta = offset + u_below - u_above, of each link.
bool sis_network_sleeps(const network_block* block, const network_link* links, const double* offset,
                        const double* fastest, const body_motion* motion, sleep_state* state,
                        network_work* work);

// After a sample: falls asleep when no point touches, holds anything or comes in.
void sis_network_doze(const network_block* block, sleep_state* state, const network_work* work);

// The first step, from eta^0 in memory.eta: eta^1 - eta^0 = free - (G/2) f with the conservative
// force of one step, f = (phi(eta^1) - phi(eta^0))/(eta^1 - eta^0). Second order, and bounded
// however stiff. Leaves eta, before, E and psi ready for sample 1. `links` have the laws of a
// start: see sis_network_start_law.
void sis_network_start(const network_block* block, const network_link* links, double k,
                       network_work* work);
contact_law sis_network_start_law(const contact_law* law, double k);

// The set of the chosen links of a block; its arrays are the work's.
network_set sis_network_gather(const network_block* block, const network_link* links, double scale,
                               network_work* work);

// The travels of the links outside the set under its forces. True: one of them would close, and has
// been chosen too.
bool sis_network_spread(const network_set* set, const network_link* links, network_work* work);

// Forces and travels for given q, a, at, loss: the affine solve. a = HUGE_VAL: rigid. Its rounding
// grows with the condition 1 + a G; `refine`, once after it, takes that out of the forces on the
// bodies.
void sis_network_affine(const network_set* set, network_work* work);
void sis_network_refine(const network_set* set, network_work* work);

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

// G f of given forces, into set_travel; and the travels that they make.
void sis_network_product(const network_set* set, network_work* work);
void sis_network_travel(const network_set* set, network_work* work);

// Newton on the ledger and newton contacts of a set whose bows are frozen, from the tangents in q,
// a, at. With a newton contact in the set it goes on to rounding. False: it did not converge.
bool sis_network_newton(const network_set* set, const network_link* links, network_work* work);

// The force of link i, a contact, loss included, as the tangent of its law at travel r; the value
// there is returned.
double sis_network_tangent(const network_link* link, network_work* work, int32_t i, double r);

// The first guess of a contact's tangent: at its own root, with the neighbours' last forces.
void sis_network_predict(const network_link* link, network_work* work, int32_t i);

// A step of a ledger block by so much of the depth, in exponents, leaves its square of the force.
static const double LEDGER_ENOUGH = 1e-7;

// How far contacts are from where their tangents were taken.
typedef struct network_gap {
    double largest; // relative to the size of the terms that a travel is made of
    bool enough;    // the affine forces are the law to 1e-14 ..
    bool corner;    // .. but for a tangent from beyond the corner where the loss takes all of the
                    // force
} network_gap;

// So many steps may go on for the sake of a corner alone.
enum { NETWORK_CORNERS = 50 };

static inline bool network_gap_ends(const network_gap* gap, int32_t steps) {
    return gap->enough && (!gap->corner || steps >= NETWORK_CORNERS);
}

// Adds contact i; `rounding`: the largest term of any travel.
void sis_network_look(const network_link* link, double rounding, const network_work* work,
                      int32_t i, network_gap* gap);

// Whether a newton contact pays from E, as ledger's does; else it holds the potential itself.
bool sis_network_pays(const network_link* link, const contact_memory* memory, int32_t i,
                      double phi);

// The impact a contact poses to its integrator in one sample, under the acceleration of everything
// else. What is steady (gravity) goes into the integrator; the rest is a kick of its velocity at
// the sample, as the bodies' own scheme does it, so that a spring keeps its energy.
impact_problem sis_contact_impact(const contact_law* law, double k, double G, double acceleration,
                                  double* kick);

#endif
