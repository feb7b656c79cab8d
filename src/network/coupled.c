// Links that share bodies, solved together.
//
// Contacts of ledger and newton solve r + G f(r) = r*, f_c = DG(w_c, r_c) max(0, 1 + nu r_c)
// increasing: the gradient of a convex function, so there is one solution and Newton with a line
// search cannot fail. Each Newton step is one affine solve with the tangents at the present travel.
// `newton` goes on to rounding and holds the potential itself; `ledger` ends when the tangents are
// exact to 1e-14 of the force, and its energy E pays for what it does.
#include "network/band.h"
#include "network/network.h"

#include <float.h>
#include <math.h>

enum { NEWTON_MOST = 100 };

// What every link brings to the sample before anything is solved.
static void prepare(const network_set* set, const network_link* links, double k,
                    network_work* work) {
    for (int32_t n = 0; n < set->count; n++)
        links[set->at[n]].class->prepare(&links[set->at[n]], k, set->at[n], work);
}

// First guess of the travel of each conservative contact: its own root with the neighbours' last
// forces.
static void predict(const network_set* set, const network_link* links, network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        const network_link* link = &links[set->at[n]];
        if (network_gradient_based(link)) sis_network_predict(link, work, set->at[n]);
    }
}

// The directional derivative of the convex function whose minimum is sought, `length` along the
// step from the old forces and travels to the new ones: sum dr (F(r) - f) over all links. Leaves
// the tangents there. `scale` receives the size of its terms.
static double derivative_along(const network_set* set, const network_link* links, double length,
                               network_work* work, double* scale) {
    double sum = 0;
    *scale = 0;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (links[i].class->rigid || (network_is_bow(&links[i]) && !set->frozen)) continue;
        double dr = work->travel[i] - work->old_travel[i], df = work->force[i] - work->old_force[i];
        double r = work->old_travel[i] + length * dr, f = work->old_force[i] + length * df;
        double F = network_gradient_based(&links[i]) ? sis_network_tangent(&links[i], work, i, r)
                                                     : work->q[i] + work->a[i] * (r - work->at[i]);
        sum += dr * (F + work->loss[i] * r - f);
        *scale += fabs(dr * df);
    }
    return sum;
}

static network_gap gap_of(const network_set* set, const network_link* links,
                          const network_work* work) {
    network_gap gap = {0, true, false};
    double rounding = 0; // travels are differences: the largest term sets their rounding
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double size = fabs(work->free[i]) + links[i].G * fabs(work->force[i]);
        if (size > rounding && !links[i].class->modulation) rounding = size;
    }
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        sis_network_look(&links[i], rounding, work, i, &gap);
    }
    return gap;
}

// Where a Newton step begins, and whether its rigid links are rigid there: only a full step makes
// them so; after that they stay so.
static bool remember(const network_set* set, const network_link* links, network_work* work) {
    bool feasible = true;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        work->old_force[i] = work->force[i];
        work->old_travel[i] = work->travel[i];
        feasible = feasible && (!links[i].class->rigid || work->travel[i] == 0);
    }
    return feasible;
}

// The tangents at the end of a step, which is shortened until it no longer climbs steeply.
static void search_along(const network_set* set, const network_link* links, bool feasible,
                         double largest, network_work* work) {
    double length = 1;
    for (int tries = 0; tries < 40; tries++) {
        double size, climb = derivative_along(set, links, length, work, &size);
        if (climb <= 0.5 * size || largest < 1e-12 || !feasible)
            break; // a step at the rounding floor climbs noise
        length *= 0.5;
    }
    for (int32_t n = 0; n < set->count && length < 1; n++) {
        int32_t i = set->at[n];
        work->force[i] = work->old_force[i] + length * (work->force[i] - work->old_force[i]);
        work->travel[i] = work->old_travel[i] + length * (work->travel[i] - work->old_travel[i]);
    }
}

static bool has_newton(const network_set* set, const network_link* links) {
    for (int32_t n = 0; n < set->count; n++) {
        const contact_law* law = links[set->at[n]].contact;
        if (law && law->scheme == SIS_SCHEME_NEWTON) return true;
    }
    return false;
}

bool sis_network_newton(const network_set* set, const network_link* links, network_work* work) {
    const bool to_rounding = has_newton(set, links);
    double last = HUGE_VAL;
    for (int n = 1; n <= NEWTON_MOST; n++) {
        for (int32_t m = 0; m < set->count; m++)
            if (network_gradient_based(&links[set->at[m]])) work->cost[set->at[m]].iterations++;
        const bool feasible = remember(set, links, work);
        sis_network_affine(set, work);
        if (to_rounding) sis_network_refine(set, work);
        const network_gap gap = gap_of(set, links, work);
        // At the rounding floor steps are below it, or no longer shrink near it.
        if ((!to_rounding && network_gap_ends(&gap, n)) || gap.largest <= 2 * DBL_EPSILON ||
            (gap.largest <= 1e-10 && gap.largest >= 0.5 * last)) {
            if (!to_rounding) sis_network_refine(set, work);
            return true;
        }
        search_along(set, links, feasible, gap.largest, work);
        last = gap.largest;
    }
    return false;
}

// Forces of the last sample and the travels they would give: where Newton begins.
static void begin(const network_set* set, network_work* work) {
    for (int32_t n = 0; n < set->count; n++)
        work->force[set->at[n]] = work->memory.force[set->at[n]];
    sis_network_travel(set, work);
}

// Gives every ledger and newton contact a passive affine force about the travel found so far, with
// a damper for its loss: what is left where Newton found no rest, or where the numbers of a block
// are beyond double precision.
static void close_contacts(const network_set* set, const network_link* links, network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        if (!network_gradient_based(link)) continue;
        work->cost[i].unsolved = true;
        double r = work->travel[i], most = CONTACT_STIFFEST / link->G;
        double E = fmax(work->memory.E[i], 0), free = r + link->G * work->force[i];
        contact_view view =
            sis_contact_view(link->contact, &work->memory, i, work->phi[i], free, link->G);
        affine force = sis_ledger_closure(&link->contact->power, &view.problem, fmax(view.E, 0),
                                          view.half * r, &work->cost[i]);
        network_put(work, i, (affine){force.force, view.half * force.a, force.at / view.half});
        double loss = link->contact->nu * fabs(force.force);
        work->loss[i] = loss < most ? loss : most;
        if (work->a[i] <= most) continue;
        double q = work->q[i] - most * work->at[i], limit = sqrt(8 * most * E); // q^2 <= 8 a E
        network_put(work, i, (affine){q > limit ? limit : q < -limit ? -limit : q, most, 0});
    }
}

// Contacts that would pull are dropped for this sample, their energy kept. True: solve again.
// `closed`: ledger and newton contacts are affine; else their law cannot pull, and where it seems
// to that is rounding.
static bool drop_pulling(const network_set* set, const network_link* links, bool closed,
                         network_work* work) {
    bool dropped = false;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        const contact_law* law = link->contact;
        bool guarded = law && !law->power.both && !contact_holds_open(law);
        if (!guarded || !(work->force[i] < 0)) continue;
        if (network_gradient_based(link) && !closed) {
            work->force[i] = 0;
            continue;
        }
        // The loss goes first; a contact that pulls without it goes altogether.
        if (work->loss[i] == 0) {
            network_put(work, i, (affine){0, 0, 0});
            work->g[i] = 0;
        }
        work->loss[i] = 0;
        dropped = true;
    }
    return dropped;
}

// Records the sample: E, psi and what losses and bows took. `closed`: ledger and newton contacts
// were affine with dampers.
static body_work settle(const network_set* set, const network_link* links, double k, bool closed,
                        network_work* work) {
    body_work done = {0, 0};
    for (int32_t n = 0; n < set->count; n++) {
        const network_link* link = &links[set->at[n]];
        body_work part = link->class->settle(link, k, set->at[n], closed, work);
        done.supplied += part.supplied;
        done.dissipated += part.dissipated;
    }
    return done;
}

// The last affine solve left G f in set_travel, unless a force has changed or bows have used it
// since.
static bool has_product(const network_set* set, const network_work* work) {
    if (set->block->bowed) return false;
    for (int32_t n = 0; n < set->count; n++)
        if (work->force[set->at[n]] != work->set_force[n]) return false;
    return true;
}

// Do the forces make the travels that were found, and can the contacts that pay for them do so?
// Where they miss by 1e-7 of the energy at hand, the block is beyond double precision. `closed`:
// newton contacts pay too.
static bool consistent(const network_set* set, const network_link* links, bool closed,
                       network_work* work) {
    double miss = 0, scale = 0;
    if (!has_product(set, work)) sis_network_product(set, work);
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        const contact_memory* m = &work->memory;
        double r = work->travel[i], f = work->force[i], free = work->free[i];
        double F = f - work->loss[i] * r, elastic = 0, contact = 0;
        if (network_gradient_based(link)) {
            if (!closed) contact_conservative(&link->contact->power, link->contact->nu, f, r, &F);
            double left = m->E[i] + 0.5 * r * F;
            bool due = closed || sis_network_pays(link, m, i, work->phi[i]);
            if (due && !(left >= 0)) miss -= left;
        }
        miss += fabs(f * (r - (free - work->set_travel[n])));
        if (link->class->energy) link->class->energy(link, m, i, &contact, &elastic);
        scale += contact + elastic;
        if (!link->class->modulation) scale += free * free / link->G;
        if (network_is_bow(link)) scale += fabs(f * r); // all that flows where nothing moved yet
    }
    // Where depths vanish so do energies. False when it is not a number.
    return miss <= 1e-7 * scale + CONTACT_VANISHED * CONTACT_VANISHED;
}

// What always works: the contacts hold their energy and give no force for this sample.
static void hold_contacts(const network_set* set, const network_link* links, double k,
                          network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (!network_is_contact(&links[i])) continue;
        network_put(work, i, (affine){0, 0, 0});
        work->g[i] = work->loss[i] = 0;
    }
    sis_network_affine_bowed(set, links, k, work);
}

// Ledger and newton contacts converge, unless they are `closed`; all others are affine. Contacts
// that pull are dropped until none does. False: Newton found no rest.
static bool solve_pushing(const network_set* set, const network_link* links, bool closed, double k,
                          network_work* work) {
    for (int32_t n = 0; n <= 2 * set->count; n++) {
        if (closed)
            sis_network_affine_bowed(set, links, k, work);
        else if (!sis_network_newton_bowed(set, links, k, work))
            return false;
        if (!drop_pulling(set, links, closed, work)) break;
    }
    return true;
}

// The forces of a set; records nothing yet. True: its contacts had to be closed.
static bool solve_set(const network_set* set, const network_link* links, double k,
                      network_work* work) {
    bool any_gradient = false;
    for (int32_t n = 0; n < set->count; n++)
        any_gradient = any_gradient || network_gradient_based(&links[set->at[n]]);
    prepare(set, links, k, work);
    if (!any_gradient) {
        solve_pushing(set, links, true, k, work);
        if (!consistent(set, links, true, work)) hold_contacts(set, links, k, work);
        return true;
    }
    begin(set, work);
    predict(set, links, work);
    if (solve_pushing(set, links, false, k, work) && consistent(set, links, false, work))
        return false;
    close_contacts(set, links, work);
    solve_pushing(set, links, true, k, work);
    if (!consistent(set, links, true, work)) hold_contacts(set, links, k, work);
    return true;
}

// Active links are solved together; where their forces close an open one it joins them. What the
// solve writes into memory before it settles (marks and counts) only saves work.
static body_work solve_coupled(const network_block* b, const network_link* links, double k,
                               network_work* work) {
    network_set set;
    bool closed;
    body_work done;
    if (b->band && sis_band_solve(b, links, k, work, &done)) return done;
    do {
        set = sis_network_gather(b, links, 1, work);
        closed = solve_set(&set, links, k, work);
    } while (sis_network_spread(&set, links, work));
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!work->chosen[i]) links[i].class->rest(&links[i], k, i, work);
    return settle(&set, links, k, closed, work);
}

// G between two links of a block that are not tension modulations.
static double entry(const network_block* b, int32_t one, int32_t other) {
    int32_t high = (one > other ? one : other) - b->first,
            low = (one > other ? other : one) - b->first;
    return low < b->row[high] ? 0 : b->G[b->start[high] + (size_t)(low - b->row[high])];
}

// One active contact among open ones: its closed form, unless its push would close a neighbour.
static bool solve_lone(const network_block* b, const network_link* links, double k, int32_t at,
                       network_work* work, double* lost) {
    const contact_memory* m = &work->memory;
    const double E = m->E[at], psi = m->psi[at], force = m->force[at], phi = m->phi_before[at];
    bool closes = false;
    contact_push push = sis_contact_alone(links[at].contact, k, m, at, work->free[at], links[at].G,
                                          &work->cost[at]);
    work->force[at] = push.force;
    work->travel[at] = push.travel;
    *lost = push.lost;
    for (int32_t o = b->first; o < b->first + b->count; o++) {
        if (o == at) continue;
        work->force[o] = 0;
        work->travel[o] = work->free[o] - entry(b, o, at) * work->force[at];
        work->chosen[o] = links[o].class->active(&links[o], work, o, work->travel[o]);
        closes = closes || work->chosen[o];
    }
    if (closes) { // as it was; marks only save work
        m->E[at] = E, m->psi[at] = psi, m->force[at] = force, m->phi_before[at] = phi;
        work->cost[at] = (contact_cost){0};
        return false;
    }
    for (int32_t o = b->first; o < b->first + b->count; o++)
        if (o != at) links[o].class->rest(&links[o], k, o, work);
    return true;
}

// Under a finger that slides over a long barrier most points touch nothing but what they alone hold
// on to: of a string whose D is diagonal, all but those below the finger. They have their closed
// forms. Fewer are solved with the others.
enum { APART_LEAST = 16 };

// Whether link i of a block, counted from its first, and another one move each other.
static bool has_neighbour(const network_block* b, int32_t i) {
    if (b->row[i] < i || b->near[i] > i) return true;
    for (int32_t s = b->slide; s < b->count; s++)
        if (i >= b->row[s] && b->G[b->start[s] + (size_t)(i - b->row[s])] != 0) return true;
    return false;
}

// Returns what they lost, J; *left: how many are still to be solved.
static double solve_apart(const network_block* b, const network_link* links, double k,
                          network_work* work, int32_t* left) {
    double lost = 0;
    for (int32_t i = 0; i < b->slide; i++) {
        const int32_t l = b->first + i;
        if (!work->chosen[l] || has_neighbour(b, i)) continue;
        const contact_push push = sis_contact_alone(links[l].contact, k, &work->memory, l,
                                                    work->free[l], links[l].G, &work->cost[l]);
        work->force[l] = push.force;
        work->travel[l] = push.travel;
        work->chosen[l] = LINK_APART;
        lost += push.lost;
        (*left)--;
    }
    return lost;
}

static void fly(const network_link* link, double k, int32_t i, network_work* work) {
    work->force[i] = 0;
    work->travel[i] = work->free[i];
    link->class->rest(link, k, i, work);
}

static bool all_finite(const network_block* b, const network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!(fabs(work->force[i]) < 1e150 && fabs(work->travel[i]) < 1e52 &&
              fabs(work->memory.E[i]) < 1e200))
            return false;
    return true;
}

// The last net: forces and travels that are numbers. A block that has none gives no force in this
// sample.
static body_work finite_or_none(const network_block* b, const network_link* links, double k,
                                network_work* work, body_work done) {
    if (done.dissipated < 1e250 && fabs(done.supplied) < 1e250 && all_finite(b, work)) return done;
    const contact_memory* m = &work->memory;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        fly(&links[i], k, i, work);
        if (!(fabs(work->travel[i]) < 1e52)) work->travel[i] = 0;
        if (!(fabs(m->E[i]) < 1e200)) m->E[i] = 0;
        if (!(fabs(m->psi[i]) < 1e100)) m->psi[i] = 0;
        m->mark_depth[i] = m->mark_phi[i] = 0;
    }
    return (body_work){0, 0};
}

static body_work solve_block(const network_block* b, const network_link* links, double k,
                             network_work* work) {
    int32_t first = b->first, count = 0, lone = first;
    for (int32_t i = first; i < first + b->count; i++) {
        work->chosen[i] = links[i].class->active(&links[i], work, i, work->free[i]);
        if (!work->chosen[i]) continue;
        count++;
        lone = i;
    }
    if (count == 0) {
        for (int32_t i = first; i < first + b->count; i++)
            fly(&links[i], k, i, work);
        return (body_work){0, 0};
    }
    if (b->count == 1 && links[first].class->alone)
        return links[first].class->alone(&links[first], k, first, work);
    double lost = 0;
    if (count == 1 && network_is_contact(&links[lone]) &&
        solve_lone(b, links, k, lone, work, &lost))
        return (body_work){0, lost};
    lost = 0;
    if (b->sleeps && b->slide < b->count && count >= APART_LEAST) {
        lost = solve_apart(b, links, k, work, &count);
        for (int32_t i = first; i < first + b->count && !count; i++)
            if (!work->chosen[i]) fly(&links[i], k, i, work);
    }
    body_work done = {0, 0};
    if (count) done = solve_coupled(b, links, k, work);
    done.dissipated += lost;
    return done;
}

body_work sis_network_solve(const network_block* b, const network_link* links, double k,
                            network_work* work) {
    return finite_or_none(b, links, k, work, solve_block(b, links, k, work));
}
