// Links of one implicit or trapezoid string, solved in the shape of the string: O(N) a pass.
//
// x is what the forces add to the free motion of the string, D = A/admittance its band (tridiagonal
// or pentadiagonal), B_c the weights of point c: unit vectors on the grid, R of one where a tuned
// string is read through the root R of its mass operator (three nodes), or cubic weights (four, six
// through R). So no inverse of D or R is needed, and B_c B_c^T stays within a few diagonals:
//
//   D x = -sum_c B_c f_c,     r_c = r*_c + B_c.x
//
// With tangents f_c = t_c + S_c (r - r_c), t_c the tangent at the present travel, a Newton step is
//
//   (D + sum_c S_c B_c B_c^T) dx = sum_c B_c (f_c - t_c) + e,   dr_c = B_c.dx,   f_c = t_c + S_c dr_c
//
// symmetric positive definite and banded. It is solved for the change dx: what is small is computed
// small. e = -D x - sum B f is what rounding left of the balance of forces: 0 at first. Where a
// point is stiff, S_c dr_c is not the force to rounding (dr is a sum over nodes that cancels, and
// the tangent was taken far from the present travel); one more turn, about where the first led,
// repairs that.
//
// Window. Before the first and behind the last node that a chosen link holds, dx is not asked for:
// these nodes are eliminated at compile. That changes D only in the first and last `width` rows, by
// numbers that depend on where the window ends (`cut`; a string is the same read from either end).
//
// Others. Links that hold on to more than the string (a hammer, a spring to another body) are few:
// with y the solution of the above and Z = (..)^-1 B_o, dx = y - Z df, they see travels r_o + B_o.y
// and the compliance B_o.Z + `rest`, their G through all bodies but the string: a small dense
// system.
//
// The rest is as in coupled.c: the same tangents, line search and end of the passes; forces of the
// last sample to begin with; links that these forces would close join. A set that does not converge
// is left to the dense solve.
#include "network/band_set.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PASSES_MOST = 100 };

// Whether a solve along the window costs less than a dense one, in instructions as measured.
static bool is_worth(const band_set* set) {
    const double n = set->count + set->others, row = fmin(n, set->band->profile);
    const double node = set->band->node_cost * (1 + 0.5 * set->others);
    return set->n * node <= n * (1300 + 100 * row);
}

// ---------------------------------------------------------------------------- Newton

static bool in_run(const band_set* set, int32_t i) {
    return set->band->in_run[i - set->block->first];
}

// For each link of the set; for each that is in no run.
#define EACH_LINK(set, i, CALL)                                                                    \
    do {                                                                                           \
        for (int32_t n_ = 0; n_ < (set)->count; n_++) {                                            \
            const int32_t i = (set)->at[n_];                                                       \
            CALL;                                                                                  \
        }                                                                                          \
        for (int32_t o_ = 0; o_ < (set)->others; o_++) {                                           \
            const int32_t i = link_of(set, o_);                                                    \
            CALL;                                                                                  \
        }                                                                                          \
    } while (0)
#define EACH_SINGLE(set, i, CALL)                                                                  \
    do {                                                                                           \
        for (int32_t n_ = 0; n_ < (set)->count && (set)->singles; n_++) {                          \
            const int32_t i = (set)->at[n_];                                                       \
            if (!in_run(set, i)) CALL;                                                             \
        }                                                                                          \
        for (int32_t o_ = 0; o_ < (set)->others; o_++) {                                           \
            const int32_t i = link_of(set, o_);                                                    \
            CALL;                                                                                  \
        }                                                                                          \
    } while (0)

// What a link outside the runs brings to the sample.
static void begin_link(const band_set* set, int32_t i, double k) {
    const network_link* link = &set->links[i];
    link->class->prepare(link, k, i, set->work);
    if (network_gradient_based(link)) sis_network_predict(link, set->work, i);
}

// Forces of the last sample, the travels they would give, and the first tangents.
static void begin(const band_set* set, double k) {
    const network_band* band = set->band;
    network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++)
        work->force[set->at[n]] = work->memory.force[set->at[n]];
    for (int32_t o = 0; o < set->others; o++)
        work->force[link_of(set, o)] = work->memory.force[link_of(set, o)];
    sis_band_respond(set);
#define TRAVEL(Q)                                                                                  \
    for (int32_t n = 0; n < set->count; n++)                                                       \
    work->travel[set->at[n]] =                                                                     \
        work->free[set->at[n]] + read_of(band, set->at[n] - set->block->first, set->x, Q)
    STENCIL_EACH(band->stencil, TRAVEL)
#undef TRAVEL
    for (int32_t r = 0; r < band->run_count; r++)
        band->kernel->begin(&band->runs[r], work);
    for (int32_t o = 0; o < set->others; o++)
        work->travel[link_of(set, o)] = sis_band_other_travel(set, set->of[o]);
    EACH_SINGLE(set, i, begin_link(set, i, k));
}

static void tangent_of_link(const band_set* set, int32_t i) {
    if (network_gradient_based(&set->links[i]))
        sis_network_tangent(&set->links[i], set->work, i, set->work->travel[i]);
}

static void tangents(const band_set* set) {
    for (int32_t r = 0; r < set->band->run_count; r++)
        set->band->kernel->tangents(&set->band->runs[r], set->work);
    EACH_SINGLE(set, i, tangent_of_link(set, i));
}

static void remember(const band_set* set) {
    const network_block* b = set->block;
    network_work* work = set->work;
    const size_t size = (size_t)b->count * sizeof(double);
    memcpy(work->old_force + b->first, work->force + b->first, size);
    memcpy(work->old_travel + b->first, work->travel + b->first, size);
}

// The largest term that a travel is made of.
static double rounding_of(const band_set* set) {
    const network_work* work = set->work;
    double most = 0;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        double G = set->band->G[i - set->block->first];
        double size = fabs(work->free[i]) + G * fabs(work->force[i]);
        most = size > most ? size : most;
    }
    for (int32_t o = 0; o < set->others; o++) {
        const int32_t i = link_of(set, o);
        double size = fabs(work->free[i]) + set->links[i].G * fabs(work->force[i]);
        most = size > most ? size : most;
    }
    return most;
}

static network_gap gap_of(const band_set* set) {
    const network_work* work = set->work;
    const double rounding = rounding_of(set);
    network_gap gap = {0, true, false};
    for (int32_t r = 0; r < set->band->run_count; r++)
        set->band->kernel->look(&set->band->runs[r], rounding, work, &gap);
    EACH_SINGLE(set, i, sis_network_look(&set->links[i], rounding, work, i, &gap));
    return gap;
}

// The tangents at the end of a step, which is halved until it no longer climbs steeply: the
// derivative along it of the convex function whose minimum is sought, sum dr (F(r) - f).
static void search_along(const band_set* set, double largest) {
    network_work* work = set->work;
    double length = 1;
    for (int tries = 0; tries < 40; tries++, length *= 0.5) {
        double climb = 0, size = 0;
        tangents(set);
        EACH_LINK(set, i, double dr = work->travel[i] - work->old_travel[i];
                  double f = work->force[i];
                  climb += dr * (affine_at(work, i, work->travel[i]) - f);
                  size += fabs(dr * (f - work->old_force[i])));
        if (climb * length <= 0.5 * size || largest < 1e-12) return; // both times length^2
        EACH_LINK(set, i,
                  work->force[i] = work->old_force[i] + 0.5 * (work->force[i] - work->old_force[i]);
                  work->travel[i] =
                      work->old_travel[i] + 0.5 * (work->travel[i] - work->old_travel[i]));
    }
}

static void note_newton(const network_link* link, bool* any) {
    if (link->contact && link->contact->scheme == SIS_SCHEME_NEWTON) *any = true;
}

// Ends as sis_network_newton does. Passes made, or 0: it found no rest.
static uint32_t converge(const band_set* set) {
    double last = HUGE_VAL;
    bool to_rounding = false;
    EACH_SINGLE(set, i, note_newton(&set->links[i], &to_rounding));
    for (uint32_t n = 1; n <= PASSES_MOST; n++) {
        remember(set);
        sis_band_pass(set);
        const network_gap gap = gap_of(set);
        if (!to_rounding && network_gap_ends(&gap, (int32_t)n)) return n;
        if (gap.largest <= 2 * DBL_EPSILON || (gap.largest <= 1e-10 && gap.largest >= 0.5 * last))
            return n;
        search_along(set, gap.largest);
        last = gap.largest;
    }
    return 0;
}

// ---------------------------------------------------------------------------- the end

// Do the forces make the travels that were found, and can the contacts that pay for them do so? As
// consistent() of coupled.c: what is missed, and the energies at hand.
typedef struct band_balance {
    double miss, scale;
} band_balance;

// A link whose forces make the travel r. A soft one takes that for what it found, and all do that
// `rebase`: the sum of many steps has their rounding.
SIS_INLINE void weigh(const contact_law* law, double G, network_work* work, int32_t i, double r,
                      bool rebase, band_balance* sum) {
    double found = work->travel[i], f = work->force[i], free = work->free[i];
    if (law && contact_gradient_based(law)) {
        double F = f, E = work->memory.E[i];
        if (law->nu > 0) contact_conservative(&law->power, law->nu, f, found, &F);
        double left = E + 0.5 * found * F;
        bool pays = law->scheme == SIS_SCHEME_LEDGER;
        if (pays && !(left >= 0)) sum->miss -= left;
        sum->scale += E;
    }
    sum->miss += fabs(f * (found - r));
    sum->scale += free * free / G;
    if (rebase || (work->a[i] + work->loss[i]) * G <= 1) work->travel[i] = r;
}

// A law cannot pull: what seems to is rounding.
static void push_only(const contact_law* law, double* force) {
    if (law && !law->power.both && *force < 0) *force = 0;
}

SIS_INLINE band_balance balance_of(const band_set* set, bool rebase, int32_t q) {
    const network_band* band = set->band;
    network_work* work = set->work;
    band_balance sum = {0, 0};
    for (int32_t r = 0; r < band->run_count; r++) {
        const band_run* run = &band->runs[r];
        for (int32_t j = 0; j < run->count; j++) {
            const int32_t i = run->first + j;
            if (!work->chosen[i]) continue;
            weigh(run->law, run->G[j], work, i,
                  work->free[i] + read_of(band, i - set->block->first, set->x, q), rebase, &sum);
        }
    }
    for (int32_t n = 0; n < set->count && set->singles; n++) {
        const int32_t i = set->at[n], l = i - set->block->first;
        if (!band->in_run[l])
            weigh(set->links[i].contact, set->links[i].G, work, i,
                  work->free[i] + read_of(band, l, set->x, q), rebase, &sum);
    }
    for (int32_t o = 0; o < set->others; o++) {
        const network_link* link = &set->links[link_of(set, o)];
        weigh(link->contact, link->G, work, link_of(set, o), sis_band_other_travel(set, set->of[o]),
              rebase, &sum);
    }
    return sum;
}

static band_balance balance(const band_set* set, bool rebase) {
    network_work* work = set->work;
    band_balance sum = {0, 0};
    for (int32_t r = 0; r < set->band->run_count; r++) {
        const band_run* run = &set->band->runs[r];
        for (int32_t i = run->first; i < run->first + run->count; i++) // idle ones: 0, or not read
            work->force[i] = work->force[i] < 0 ? 0 : work->force[i];
    }
    EACH_SINGLE(set, i, push_only(set->links[i].contact, &work->force[i]));
    sis_band_respond(set);
#define BALANCE(Q) sum = balance_of(set, rebase, Q)
    STENCIL_EACH(set->band->stencil, BALANCE)
#undef BALANCE
    return sum;
}

// Where the balance shows more than rounding, one more pass begins where the forces lead.
static bool consistent(const band_set* set) {
    band_balance sum = balance(set, false);
    if (sum.miss > 1e-14 * sum.scale) {
        balance(set, true);
        remember(set);
        sis_band_pass(set);
        sum = balance(set, false);
    }
    return sum.miss <= 1e-7 * sum.scale; // false when it is not a number
}

// The travels of the links outside the set, by the response in x. True: one of them would close and
// has been chosen too.
SIS_INLINE bool spread_of(const band_set* set, int32_t q) {
    const network_block* b = set->block;
    const network_band* band = set->band;
    network_work* work = set->work;
    bool closes = false;
    for (int32_t l = 0; l < b->count; l++) {
        const int32_t i = b->first + l;
        if (work->chosen[i] || band->node[l] < 0) continue;
        work->travel[i] = work->free[i] + read_of(band, l, set->x, q);
        work->force[i] = 0;
        work->chosen[i] = set->links[i].class->active(&set->links[i], work, i, work->travel[i]);
        closes |= work->chosen[i];
    }
    for (int32_t o = 0; o < band->other_count; o++) {
        const int32_t i = band->other[o];
        bool acts = false;
        for (int32_t p = 0; p < set->others; p++)
            acts |= set->of[p] == o;
        if (acts) continue;
        work->travel[i] = sis_band_other_travel(set, o);
        work->force[i] = 0;
        work->chosen[i] = set->links[i].class->active(&set->links[i], work, i, work->travel[i]);
        closes |= work->chosen[i];
    }
    return closes;
}

static bool spread(const band_set* set) {
    bool closes = false;
#define SPREAD(Q) closes = spread_of(set, Q)
    STENCIL_EACH(set->band->stencil, SPREAD)
#undef SPREAD
    return closes;
}

static void settle_link(const network_link* link, double k, int32_t i, network_work* work,
                        body_work* done) {
    body_work part = link->class->settle(link, k, i, false, work);
    done->supplied += part.supplied;
    done->dissipated += part.dissipated;
}

static body_work settle(const band_set* set, double k) {
    const network_band* band = set->band;
    body_work done = {0, 0};
    for (int32_t r = 0; r < band->run_count; r++)
        done.dissipated += band->kernel->settle(&band->runs[r], set->work);
    EACH_SINGLE(set, i, settle_link(&set->links[i], k, i, set->work, &done));
    return done;
}

bool sis_band_solve(const network_block* b, const network_link* links, double k, network_work* work,
                    body_work* done) {
    band_set set;
    do {
        set = sis_band_choose(b, links, work);
        if (!is_worth(&set)) return false;
        begin(&set, k);
        const uint32_t passes = converge(&set);
        EACH_LINK(&set, i, work->cost[i].iterations += passes);
        if (passes == 0 || !consistent(&set)) return false;
    } while (spread(&set));
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!work->chosen[i]) links[i].class->rest(&links[i], k, i, work);
    *done = settle(&set, k);
    return true;
}
