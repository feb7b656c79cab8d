// Links that share bodies, solved together.
//
// Contacts of ledger and newton solve r + G f(r) = r*, f_c = DG(w_c, r_c) max(0, 1 + nu r_c)
// increasing: the gradient of a convex function, so there is one solution and Newton with a line
// search cannot fail. Each Newton step is one affine solve with the tangents at the present travel.
// `newton` goes on to rounding and holds the potential itself; `ledger` ends when the tangents are
// exact to 1e-14 of the force, and its energy E pays for what it does.
#include "network/network.h"

#include <float.h>
#include <math.h>

enum { NEWTON_MOST = 100 };
// A step of a ledger block by so much of the depth, in exponents, leaves its square of the force.
static const double LEDGER_ENOUGH = 1e-7;

static bool iterates(const network_link* link) {
    return link->kind == LINK_CONTACT && link->scheme == SIS_SCHEME_NEWTON;
}

// The view of link i with its own compliance.
static contact_view view_of(const network_link* link, const network_work* work, int32_t i,
                            double free, double phi) {
    return network_view(link, &work->memory[i], phi, free, link->G);
}

static void put(network_work* work, int32_t i, affine force) {
    work->q[i] = force.force;
    work->a[i] = force.a;
    work->at[i] = force.at;
}

// The discrete gradient of a contact over its travel y. A ledger contact that opens gives back what
// its energy holds of phi(w), which differs from that by the rounding of eta: so E is emptied
// exactly.
static power_gradient gradient_of(const network_link* link, const contact_view* view, double y,
                                  contact_memory* memory, contact_cost* cost) {
    const contact_problem* p = &view->problem;
    if (link->scheme == SIS_SCHEME_LEDGER && !link->power.both && p->before > 0 &&
        p->before + y <= 0) {
        double held = 2 * view->E - p->phi_now;
        if (!(held > 0)) return (power_gradient){0, 0, 0, 0, 0};
        double push = fmin(-held / y, 1e100); // y may be as small as numbers get
        return (power_gradient){push, fmin(-push / y, 1e150), 0, 0, 0};
    }
    power_gradient dg = sis_power_gradient_at(&link->power, p->before, p->phi_before, y);
    sis_contact_mark(memory, dg.depth, dg.phi, cost);
    return dg;
}

double sis_network_tangent(const network_link* link, network_work* work, int32_t i, double r) {
    contact_view view = view_of(link, work, i, work->free[i], work->phi[i]);
    double y = view.half * r, nu = view.problem.nu;
    power_gradient dg = gradient_of(link, &view, y, &work->memory[i], &work->cost[i]);
    double rate = contact_rate(nu, dg.value, y), value = dg.value * rate;
    double slope = rate > 0 ? dg.slope * rate + nu * fabs(dg.value) : 0;
    put(work, i, (affine){value, view.half * slope, r});
    return value;
}

// A bow: the chord of its curve at the last velocity, or the force of the last sample to begin
// with.
static void put_bow(const network_link* link, double k, int32_t i, network_work* work) {
    const contact_memory* m = &work->memory[i];
    double chord = m->press * sis_friction_chord(&link->friction, m->slide) / (2 * k);
    put(work, i,
        link->friction.linear ? (affine){0, chord, 2 * k * m->glide} : (affine){m->force, 0, 0});
}

// What every link brings to the sample before anything is solved: phi, loss, the affine laws.
static void prepare(const network_set* set, const network_link* links, double k,
                    network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        put(work, i, (affine){0, 0, 0});
        if (link->kind != LINK_CONTACT) {
            work->loss[i] = 0;
            if (link->kind == LINK_BOW) {
                put_bow(link, k, i, work);
                continue;
            }
            put(work, i, network_elastic(link, m));
            work->loss[i] = spring_damper(&link->elastic, k);
            continue;
        }
        work->phi[i] = network_phi(link, m, &work->cost[i]);
        work->loss[i] = network_damper(link, m, work->phi[i], k, &work->cost[i]);
        if (work->loss[i] > CONTACT_STIFFEST / link->G) work->loss[i] = CONTACT_STIFFEST / link->G;
        if (link->scheme == SIS_SCHEME_QUADRATISED) {
            contact_view view = view_of(link, work, i, work->free[i], work->phi[i]);
            double g = sis_quadratised_g(&link->power, &view.problem, m->psi, link->release);
            double most = 2 * sqrt(CONTACT_STIFFEST / link->G);
            work->g[i] = g > most ? most : g < -most ? -most : g;
            put(work, i, sis_quadratised_force(work->g[i], m->psi));
        }
    }
}

// First guess of the travel of each conservative contact: its own root with the neighbours' last
// forces.
static void predict(const network_set* set, const network_link* links, network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        if (!network_gradient_based(link)) continue;
        double free = work->travel[i] + link->G * work->memory[i].force;
        contact_view view = view_of(link, work, i, free, work->phi[i]);
        double r =
            sis_ledger_root(&link->power, &view.problem, &work->memory[i], &work->cost[i]).travel;
        sis_network_tangent(link, work, i, r / view.half);
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
        bool on_curve = links[i].kind == LINK_BOW && !links[i].friction.linear && !set->frozen;
        if (links[i].kind == LINK_RIGID || on_curve) continue;
        double dr = work->travel[i] - work->old_travel[i], df = work->force[i] - work->old_force[i];
        double r = work->old_travel[i] + length * dr, f = work->old_force[i] + length * df;
        double F = network_gradient_based(&links[i]) ? sis_network_tangent(&links[i], work, i, r)
                                                     : work->q[i] + work->a[i] * (r - work->at[i]);
        sum += dr * (F + work->loss[i] * r - f);
        *scale += fabs(dr * df);
    }
    return sum;
}

// How far a contact may be from where its tangent was taken.
static double enough_for(const network_link* link, const contact_memory* m, double r, double size) {
    double z = link->midpoint ? 0.5 * (m->eta + m->before + r) : m->before + r;
    double depth = power_depth(&link->power, z);
    double most = depth > 0 ? depth / link->power.t : fabs(r);
    return LEDGER_ENOUGH * (most > 1e-9 * size ? most : 1e-9 * size);
}

// How far the contacts are from where their tangents were taken.
typedef struct newton_gap {
    double largest; // relative to the size of the terms that a travel is made of
    bool enough;    // the affine forces are the law to 1e-14
} newton_gap;

static newton_gap gap_of(const network_set* set, const network_link* links,
                         const network_work* work) {
    newton_gap gap = {0, true};
    double rounding = 0; // travels are differences: the largest term sets their rounding
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double size = fabs(work->free[i]) + links[i].G * fabs(work->force[i]);
        if (size > rounding && links[i].kind != LINK_STRETCH) rounding = size;
    }
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (!network_gradient_based(&links[i])) continue;
        const contact_memory* m = &work->memory[i];
        double size = fabs(m->before) + rounding, r = work->travel[i];
        double step = fabs(r - work->at[i]);
        if (!(step <= gap.largest * size)) gap.largest = step / size;
        if (!(step <= enough_for(&links[i], m, r, size))) gap.enough = false;
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
        feasible = feasible && (links[i].kind != LINK_RIGID || work->travel[i] == 0);
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
    for (int32_t n = 0; n < set->count; n++)
        if (iterates(&links[set->at[n]])) return true;
    return false;
}

bool sis_network_newton(const network_set* set, const network_link* links, double k,
                        network_work* work) {
    const bool to_rounding = has_newton(set, links);
    double last = HUGE_VAL;
    for (int n = 1; n <= NEWTON_MOST; n++) {
        for (int32_t m = 0; m < set->count; m++)
            if (network_gradient_based(&links[set->at[m]])) work->cost[set->at[m]].iterations++;
        const bool feasible = remember(set, links, work);
        sis_network_affine_bowed(set, links, k, work);
        const newton_gap gap = gap_of(set, links, work);
        if (!to_rounding && gap.enough) return true;
        // At the rounding floor steps are below it, or no longer shrink near it.
        if (gap.largest <= 2 * DBL_EPSILON || (gap.largest <= 1e-10 && gap.largest >= 0.5 * last))
            return true;
        search_along(set, links, feasible, gap.largest, work);
        last = gap.largest;
    }
    return false;
}

// Forces of the last sample and the travels they would give: where Newton begins.
static void begin(const network_set* set, network_work* work) {
    for (int32_t n = 0; n < set->count; n++)
        work->force[set->at[n]] = work->memory[set->at[n]].force;
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
        double E = fmax(work->memory[i].E, 0);
        contact_view view = view_of(link, work, i, r + link->G * work->force[i], work->phi[i]);
        view.E = fmax(view.E, 0);
        affine force =
            sis_ledger_closure(&link->power, &view.problem, view.E, view.half * r, &work->cost[i]);
        put(work, i, (affine){force.force, view.half * force.a, force.at / view.half});
        double loss = link->nu * fabs(force.force);
        work->loss[i] = loss < most ? loss : most;
        if (work->a[i] <= most) continue;
        double q = work->q[i] - most * work->at[i], limit = sqrt(8 * most * E); // q^2 <= 8 a E
        put(work, i, (affine){q > limit ? limit : q < -limit ? -limit : q, most, 0});
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
        bool guarded = link->kind == LINK_CONTACT && !link->power.both &&
                       (link->scheme != SIS_SCHEME_QUADRATISED || link->release);
        if (!guarded || !(work->force[i] < 0)) continue;
        if (network_gradient_based(link) && !closed) {
            work->force[i] = 0;
            continue;
        }
        // The loss goes first; a contact that pulls without it goes altogether.
        if (work->loss[i] == 0) {
            put(work, i, (affine){0, 0, 0});
            work->g[i] = 0;
        }
        work->loss[i] = 0;
        dropped = true;
    }
    return dropped;
}

// Whether a contact pays from E; newton's holds the potential itself.
static bool pays(const network_link* link, const contact_memory* m, double phi) {
    if (!iterates(link)) return true;
    contact_view view = network_view(link, m, phi, 0, link->G);
    return network_owes_energy(&view);
}

// What a ledger or newton contact did over the travel r with the force f: its energy after it, and
// its loss, J.
typedef struct contact_energy {
    double after, lost;
} contact_energy;

static contact_energy energy_of(const network_link* link, double phi_now, double r, double f,
                                contact_memory* m, contact_cost* cost) {
    double F, whole = m->E + 0.5 * r * f;
    bool newton = !pays(link, m, phi_now);
    bool known = contact_conservative(&link->power, link->nu, f, r, &F);
    if (!newton && known) return (contact_energy){m->E + 0.5 * r * F, 0.5 * r * (f - F)};
    double z = link->midpoint ? 0.5 * (m->eta + m->before + r) : m->before + r;
    double phi = sis_contact_phi(&link->power, m, z, cost);
    double after = link->midpoint ? phi : 0.5 * (phi_now + phi);
    if (!newton && whole < after) after = whole; // no more than there is
    return (contact_energy){after, known ? 0.5 * r * (f - F) : fmax(whole - after, 0)};
}

// Updates the energy of a ledger or newton contact; returns what it lost. What is below 0 is
// rounding (two-sided laws keep it: nothing opens that would give it back), and so is what stays in
// an open contact below 1e-12 of what it held: that is lost.
static double settle_contact(const network_link* link, double phi_now, double r, double f,
                             contact_memory* m, contact_cost* cost) {
    contact_energy e = energy_of(link, phi_now, r, f, m, cost);
    bool open =
        power_depth(&link->power, m->eta) == 0 && power_depth(&link->power, m->before + r) == 0;
    double least = open ? 1e-12 * fabs(m->E) : 0;
    bool none = link->power.both ? open && fabs(e.after) <= least : !(e.after > least);
    if (none || fabs(e.after) < 1e-100 || !(fabs(e.after) < 1e200)) {
        if (e.after > 0 && e.after < 1e200) e.lost += e.after;
        e.after = 0;
    }
    m->E = e.after;
    if (link->restitution && !(m->before + r > 0)) m->owed = 0;
    return e.lost;
}

// Records the sample: E, psi and what losses and bows took. `closed`: ledger and newton contacts
// were affine with dampers.
static body_work settle(const network_set* set, const network_link* links, double k, bool closed,
                        network_work* work) {
    body_work done = {0, 0};
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        double r = work->travel[i], F = work->force[i] - work->loss[i] * r;
        if (link->kind == LINK_BOW) {
            body_work bow = sis_network_settle_bow(k, work->force[i], r, m);
            done.supplied += bow.supplied;
            done.dissipated += bow.dissipated;
            continue;
        }
        done.dissipated += 0.5 * work->loss[i] * r * r;
        m->force = F;
        if (link->kind != LINK_CONTACT) continue;
        if (link->scheme == SIS_SCHEME_QUADRATISED) {
            m->psi += 0.5 * work->g[i] * r;
            m->E = 0.5 * m->psi * m->psi;
        } else if (!closed) {
            done.dissipated +=
                settle_contact(link, work->phi[i], r, work->force[i], m, &work->cost[i]);
        } else {
            m->E += 0.5 * r * F;
            if (!(m->E > 1e-100)) m->E = 0;
        }
        m->phi_before = link->midpoint ? 0 : work->phi[i];
    }
    return done;
}

// Do the forces make the travels that were found, and can the contacts that pay for them do so?
// Where they miss by 1e-7 of the energy at hand, the block is beyond double precision. `closed`:
// newton contacts pay too.
static bool consistent(const network_set* set, const network_link* links, bool closed,
                       network_work* work) {
    double miss = 0, scale = 0;
    for (int32_t n = 0; n < set->count; n++)
        work->old_travel[set->at[n]] = work->travel[set->at[n]];
    sis_network_travel(set, work);
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double r = work->old_travel[i], f = work->force[i], free = work->free[i];
        const contact_memory* m = &work->memory[i];
        double F = f - work->loss[i] * r;
        if (!closed) contact_conservative(&links[i].power, links[i].nu, f, r, &F);
        double left = m->E + 0.5 * r * F;
        bool due =
            network_gradient_based(&links[i]) && (closed || pays(&links[i], m, work->phi[i]));
        miss += fabs(f * (r - work->travel[i]));
        if (due && !(left >= 0)) miss -= left;
        scale += m->E;
        if (links[i].kind != LINK_STRETCH) scale += free * free / links[i].G;
        if (links[i].kind != LINK_CONTACT) scale += network_elastic_energy(&links[i], m);
        work->travel[i] = r;
    }
    return miss <= 1e-7 * scale; // false when it is not a number
}

// What always works: the contacts hold their energy and give no force for this sample.
static void hold_contacts(const network_set* set, const network_link* links, double k,
                          network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (links[i].kind != LINK_CONTACT) continue;
        put(work, i, (affine){0, 0, 0});
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

// A link that gives no force: a bow that does not press still has a velocity to begin from.
static void rest(const network_link* link, double k, int32_t i, network_work* work) {
    contact_memory* m = &work->memory[i];
    m->force = m->phi_before = 0;
    if (link->kind != LINK_BOW) return;
    m->slide = work->travel[i] / (2 * k) - m->glide;
    m->chord = 0;
}

// Active links are solved together; where their forces close an open one it joins them. What the
// solve writes into memory before it settles (marks and counts) only saves work.
static body_work solve_coupled(const network_block* b, const network_link* links, double k,
                               network_work* work) {
    network_set set;
    bool closed;
    do {
        set = sis_network_gather(b, links, 1, work);
        closed = solve_set(&set, links, k, work);
    } while (sis_network_spread(&set, links, work));
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!work->chosen[i]) rest(&links[i], k, i, work);
    return settle(&set, links, k, closed, work);
}

// G between two links of a block that are not stretched strings.
static double entry(const network_block* b, int32_t one, int32_t other) {
    int32_t high = (one > other ? one : other) - b->first,
            low = (one > other ? other : one) - b->first;
    return low < b->row[high] ? 0 : b->G[b->start[high] + (size_t)(low - b->row[high])];
}

// One active contact among open ones: its closed form, unless its push would close a neighbour.
static bool solve_lone(const network_block* b, const network_link* links, double k, int32_t at,
                       network_work* work, double* lost) {
    const network_link* link = &links[at];
    contact_memory saved = work->memory[at];
    bool closes = false;
    *lost = sis_network_alone(link, k, &work->memory[at], work->free[at], link->G, &work->cost[at],
                              &work->force[at], &work->travel[at]);
    for (int32_t o = b->first; o < b->first + b->count; o++) {
        if (o == at) continue;
        work->force[o] = 0;
        work->travel[o] = work->free[o] - entry(b, o, at) * work->force[at];
        work->chosen[o] = network_link_active(&links[o], &work->memory[o], work->travel[o]);
        closes = closes || work->chosen[o];
    }
    if (closes) {
        work->memory[at] = saved;
        work->cost[at] = (contact_cost){0};
        return false;
    }
    for (int32_t o = b->first; o < b->first + b->count; o++)
        if (o != at) rest(&links[o], k, o, work);
    return true;
}

// Open, with nothing held and nothing to come: most samples of most contacts.
static bool flies(const network_link* link, const contact_memory* m, double free) {
    // Those that keep a velocity of their own have it to advance in flight too.
    return (link->scheme != SIS_SCHEME_EXACT || link->line) && !network_link_is_impact(link) &&
           !network_link_active(link, m, free);
}

static void fly(const network_link* link, double k, int32_t i, network_work* work) {
    work->force[i] = 0;
    work->travel[i] = work->free[i];
    rest(link, k, i, work);
}

static bool all_finite(const network_block* b, const network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!(fabs(work->force[i]) < 1e150 && fabs(work->travel[i]) < 1e52 &&
              fabs(work->memory[i].E) < 1e200))
            return false;
    return true;
}

// The last net: forces and travels that are numbers. A block that has none gives no force in this
// sample.
static body_work finite_or_none(const network_block* b, const network_link* links, double k,
                                network_work* work, body_work done) {
    if (done.dissipated < 1e250 && fabs(done.supplied) < 1e250 && all_finite(b, work)) return done;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        contact_memory* m = &work->memory[i];
        fly(&links[i], k, i, work);
        if (!(fabs(work->travel[i]) < 1e52)) work->travel[i] = 0;
        if (!(fabs(m->E) < 1e200)) m->E = 0;
        if (!(fabs(m->psi) < 1e100)) m->psi = 0;
        if (links[i].kind == LINK_BOW) continue; // its gesture stays
        if (!(fabs(m->speed) < 1e60)) m->speed = 0;
        m->law_force = m->shown = m->entry = 0;
        m->mark_depth = m->mark_phi = 0;
    }
    return (body_work){0, 0};
}

static body_work solve_block(const network_block* b, const network_link* links, double k,
                             network_work* work) {
    int32_t first = b->first, count = 0, lone = first;
    if (b->count == 1 && flies(&links[first], &work->memory[first], work->free[first])) {
        fly(&links[first], k, first, work);
        return (body_work){0, 0};
    }
    bool simple = links[first].kind == LINK_CONTACT || links[first].kind == LINK_SPRING;
    if (b->count == 1 && simple)
        return (body_work){0,
                           sis_network_alone(&links[first], k, &work->memory[first],
                                             work->free[first], links[first].G, &work->cost[first],
                                             &work->force[first], &work->travel[first])};
    if (b->count == 1 && links[first].kind == LINK_BOW)
        return sis_network_bow_alone(&links[first], k, &work->memory[first], work->free[first],
                                     &work->cost[first], &work->force[first], &work->travel[first]);
    for (int32_t i = first; i < first + b->count; i++) {
        work->chosen[i] = network_link_active(&links[i], &work->memory[i], work->free[i]);
        if (!work->chosen[i]) continue;
        count++;
        lone = i;
    }
    if (count == 0) {
        for (int32_t i = first; i < first + b->count; i++)
            fly(&links[i], k, i, work);
        return (body_work){0, 0};
    }
    double lost = 0;
    if (count == 1 && links[lone].kind == LINK_CONTACT &&
        solve_lone(b, links, k, lone, work, &lost))
        return (body_work){0, lost};
    return solve_coupled(b, links, k, work);
}

body_work sis_network_solve(const network_block* b, const network_link* links, double k,
                            network_work* work) {
    return finite_or_none(b, links, k, work, solve_block(b, links, k, work));
}
