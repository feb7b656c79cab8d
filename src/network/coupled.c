// Links that share bodies, solved together.
//
// Conservative contacts solve r + G f(r) = r*, f_c = DG(w_c, r_c) increasing: the gradient of a
// convex function, so Newton with a line search cannot fail. Each Newton step is one affine solve
// with the tangents at the present travel. `newton` goes on to rounding; `ledger` takes two steps,
// a few more (bounded) only while travels still change by a per cent, then closes with tangents
// limited to what its energy can pay for.
#include "network/network.h"

#include <float.h>
#include <math.h>

enum { LEDGER_STEPS = 2, LEDGER_MOST = 12, NEWTON_MOST = 100 };
// A ledger block takes more than two steps only while its travels still change by this much.
static const double LEDGER_ENOUGH = 1e-2;

static bool iterates(const network_link* link) {
    return !link->spring && link->scheme == SIS_SCHEME_NEWTON;
}

static bool gradient_based(const network_link* link) {
    return !link->spring && link->scheme != SIS_SCHEME_QUADRATISED;
}

// The view of link i with its own compliance.
static contact_view view_of(const network_link* link, const network_work* work, int32_t i,
                            double free, double phi) {
    return sis_network_view(link, &work->memory[i], phi, free, link->G);
}

static void put(network_work* work, int32_t i, affine force) {
    work->q[i] = force.force;
    work->a[i] = force.a;
    work->at[i] = force.at;
}

double sis_network_tangent(const network_link* link, network_work* work, int32_t i, double r) {
    contact_view view = view_of(link, work, i, work->free[i], work->phi[i]);
    power_gradient dg = sis_power_gradient_at(&link->power, view.problem.before,
                                              view.problem.phi_before, view.half * r);
    sis_contact_mark(&work->memory[i], dg.depth, dg.phi, &work->cost[i]);
    put(work, i, (affine){dg.value, view.half * dg.slope, r});
    return dg.value;
}

// What every link brings to the sample before anything is solved: phi, loss, the affine laws.
static void prepare(const network_set* set, const network_link* links, double k,
                    network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        put(work, i, (affine){0, 0, 0});
        if (link->spring) {
            put(work, i, network_elastic(link, m));
            work->loss[i] = spring_damper(&link->elastic, k);
            continue;
        }
        work->phi[i] = sis_network_phi(link, m, &work->cost[i]);
        work->loss[i] = sis_network_loss(link, m, work->phi[i], k, &work->cost[i]);
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
        if (!gradient_based(link)) continue;
        double free = work->travel[i] + link->G * work->memory[i].force;
        double under = 1 + link->G * work->loss[i];
        contact_view view =
            sis_network_view(link, &work->memory[i], work->phi[i], free / under, link->G / under);
        double r =
            sis_ledger_root(&link->power, &view.problem, &work->memory[i], &work->cost[i]).travel;
        sis_network_tangent(link, work, i, r / view.half);
    }
}

// The directional derivative of the convex function whose minimum is sought, `length` along the
// step from the old forces and travels to the new ones: sum dr (F(r) - f) over all links. Leaves
// the tangents there. `scale` receives the size of its terms.
static double derivative_along(const network_set* set, const network_link* links,
                               bool (*chosen)(const network_link*), double length,
                               network_work* work, double* scale) {
    double sum = 0;
    *scale = 0;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double dr = work->travel[i] - work->old_travel[i], df = work->force[i] - work->old_force[i];
        double r = work->old_travel[i] + length * dr, f = work->old_force[i] + length * df;
        double F = chosen(&links[i]) ? sis_network_tangent(&links[i], work, i, r)
                                     : work->q[i] + work->a[i] * (r - work->at[i]);
        sum += dr * (F + work->loss[i] * r - f);
        *scale += fabs(dr * df);
    }
    return sum;
}

// One Newton step of the contacts in `chosen`: affine solve, then new tangents; shortened until it
// no longer climbs steeply. Returns the largest change of a travel, relative to the size of the
// terms it is made of.
static double newton_step(const network_set* set, const network_link* links,
                          bool (*chosen)(const network_link*), network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        work->old_force[set->at[n]] = work->force[set->at[n]];
        work->old_travel[set->at[n]] = work->travel[set->at[n]];
    }
    sis_network_affine(set, work);
    double largest = 0,
           rounding = 0; // travels are differences: the largest term sets their rounding
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double size = fabs(work->free[i]) + links[i].G * fabs(work->force[i]);
        if (size > rounding && !links[i].stretch) rounding = size;
    }
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (!chosen(&links[i])) continue;
        double size = fabs(work->memory[i].before) + rounding;
        double step = fabs(work->travel[i] - work->old_travel[i]);
        if (!(step <= largest * size)) largest = step / size;
    }
    double length = 1;
    for (int tries = 0; tries < 40; tries++) {
        double size, climb = derivative_along(set, links, chosen, length, work, &size);
        if (climb <= 0.5 * size || largest < 1e-12)
            break; // a step at the rounding floor climbs noise
        length *= 0.5;
    }
    for (int32_t n = 0; n < set->count && length < 1; n++) {
        int32_t i = set->at[n];
        work->force[i] = work->old_force[i] + length * (work->force[i] - work->old_force[i]);
        work->travel[i] = work->old_travel[i] + length * (work->travel[i] - work->old_travel[i]);
    }
    return largest;
}

// Newton on the contacts in `chosen` until the steps reach `enough`, or rounding, or are no longer
// shrinking near it; at least `least` steps, at most `most`.
static void converge(const network_set* set, const network_link* links,
                     bool (*chosen)(const network_link*), int least, int most, double enough,
                     network_work* work) {
    double last = HUGE_VAL;
    for (int n = 1; n <= most; n++) {
        for (int32_t m = 0; m < set->count; m++)
            if (iterates(&links[set->at[m]])) work->cost[set->at[m]].iterations++;
        double step = newton_step(set, links, chosen, work);
        if (n >= least && (step <= enough || (step <= 1e-10 && step >= 0.5 * last))) break;
        last = step;
    }
}

void sis_network_newton(const network_set* set, const network_link* links, network_work* work) {
    converge(set, links, iterates, 1, NEWTON_MOST, 2 * DBL_EPSILON, work);
}

// Forces of the last sample and the travels they would give: where Newton begins.
static void begin(const network_set* set, network_work* work) {
    for (int32_t n = 0; n < set->count; n++)
        work->force[set->at[n]] = work->memory[set->at[n]].force;
    sis_network_travel(set, work);
}

// Fixes every ledger contact to its passive closure about the travel found so far.
static void close_ledgers(const network_set* set, const network_link* links, network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        if (!gradient_based(link) || iterates(link)) continue;
        double r = work->travel[i];
        contact_view view = view_of(link, work, i, r + link->G * work->force[i], work->phi[i]);
        affine force =
            sis_ledger_closure(&link->power, &view.problem, view.E, view.half * r, &work->cost[i]);
        put(work, i, (affine){force.force, view.half * force.a, force.at / view.half});
        double most = CONTACT_STIFFEST / link->G, E = work->memory[i].E;
        if (work->a[i] <= most) continue;
        double q = work->q[i] - most * work->at[i], limit = sqrt(8 * most * E); // q^2 <= 8 a E
        put(work, i, (affine){q > limit ? limit : q < -limit ? -limit : q, most, 0});
    }
}

bool sis_network_drop_pulling(const network_set* set, const network_link* links,
                              network_work* work) {
    bool dropped = false;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        bool guarded = !link->spring && !link->power.both &&
                       (link->scheme != SIS_SCHEME_QUADRATISED || link->release);
        if (!guarded || !(work->force[i] < 0)) continue;
        if (iterates(link) && work->loss[i] == 0) { // DG >= 0: this is rounding
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

// Books the sample: E, psi and what the dampers took.
static double settle(const network_set* set, const network_link* links, network_work* work) {
    double lost = 0;
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        const network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        double r = work->travel[i], F = work->force[i] - work->loss[i] * r;
        lost += 0.5 * work->loss[i] * r * r;
        m->force = F;
        if (link->spring) continue;
        if (link->scheme == SIS_SCHEME_QUADRATISED) {
            m->psi += 0.5 * work->g[i] * r;
            m->E = 0.5 * m->psi * m->psi;
        } else if (link->scheme == SIS_SCHEME_NEWTON) {
            double phi = sis_contact_phi(
                &link->power, m, link->midpoint ? 0.5 * (m->eta + m->before + r) : m->before + r,
                &work->cost[i]);
            m->E = link->midpoint ? phi : 0.5 * (work->phi[i] + phi);
        } else {
            m->E += 0.5 * r * F;
            if (!(m->E > 1e-100)) m->E = 0;
        }
        m->phi_before = link->midpoint ? 0 : work->phi[i];
    }
    return lost;
}

// Do the forces make the travels that were booked? Where they do not to 1e-7 of the energy at hand,
// the block is beyond double precision.
static bool consistent(const network_set* set, const network_link* links, network_work* work) {
    double miss = 0, scale = 0;
    for (int32_t n = 0; n < set->count; n++)
        work->old_travel[set->at[n]] = work->travel[set->at[n]];
    sis_network_travel(set, work);
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        double r = work->old_travel[i], f = work->force[i], free = work->free[i];
        const contact_memory* m = &work->memory[i];
        miss += fabs(f * (r - work->travel[i]));
        scale += m->E;
        if (!links[i].stretch) scale += free * free / links[i].G;
        if (links[i].spring) scale += network_elastic_energy(&links[i], m);
        work->travel[i] = r;
    }
    return miss <= 1e-7 * scale; // false when it is not a number
}

// What always works: the contacts hold their energy and give no force for this sample.
static void hold_contacts(const network_set* set, const network_link* links, network_work* work) {
    for (int32_t n = 0; n < set->count; n++) {
        int32_t i = set->at[n];
        if (links[i].spring) continue;
        put(work, i, (affine){0, 0, 0});
        work->g[i] = work->loss[i] = 0;
    }
    sis_network_affine(set, work);
}

// The forces of a set; books nothing yet.
static void solve_set(const network_set* set, const network_link* links, double k,
                      network_work* work) {
    bool any_newton = false, any_gradient = false;
    for (int32_t n = 0; n < set->count; n++) {
        any_newton = any_newton || iterates(&links[set->at[n]]);
        any_gradient = any_gradient || gradient_based(&links[set->at[n]]);
    }
    prepare(set, links, k, work);
    if (any_gradient) {
        begin(set, work);
        predict(set, links, work);
        converge(set, links, gradient_based, LEDGER_STEPS, LEDGER_MOST, LEDGER_ENOUGH, work);
        close_ledgers(set, links, work);
    }
    for (int32_t n = 0; n <= 2 * set->count; n++) {
        if (any_newton)
            sis_network_newton(set, links, work);
        else
            sis_network_affine(set, work);
        if (!sis_network_drop_pulling(set, links, work)) break;
    }
    if (!consistent(set, links, work)) hold_contacts(set, links, work);
}

// Active links are solved together; where their forces close an open one it joins them. What the
// solve writes into memory before it settles (marks and counts) only saves work.
static double solve_coupled(const network_block* b, const network_link* links, double k,
                            network_work* work) {
    network_set set;
    do {
        set = sis_network_gather(b, links, 1, work);
        solve_set(&set, links, k, work);
    } while (sis_network_spread(&set, links, work));
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!work->chosen[i]) work->memory[i].force = work->memory[i].phi_before = 0;
    return settle(&set, links, work);
}

// One active contact among open ones: its closed form, unless its push would close a neighbour.
static bool solve_lone(const network_block* b, const network_link* links, double k, int32_t at,
                       network_work* work, double* lost) {
    const network_link* link = &links[at];
    contact_memory saved = work->memory[at];
    contact_cost cost = work->cost[at];
    *lost = sis_network_alone(link, k, &work->memory[at], work->free[at], link->G, &work->cost[at],
                              &work->force[at], &work->travel[at]);
    network_set set = {b, 1, work->set_at, NULL, NULL, NULL, NULL, 1};
    set.at[0] = at;
    if (sis_network_spread(&set, links, work)) {
        work->memory[at] = saved;
        work->cost[at] = cost;
        return false;
    }
    for (int32_t o = b->first; o < b->first + b->count; o++)
        if (o != at) work->memory[o].force = work->memory[o].phi_before = 0;
    return true;
}

// Open, with nothing held and nothing to come: most samples of most contacts.
static bool flies(const network_link* link, const contact_memory* m, double free) {
    // Those that keep a velocity of their own have it to advance in flight too.
    return (link->scheme != SIS_SCHEME_EXACT || link->line) && !network_link_is_impact(link) &&
           !network_link_active(link, m, free);
}

static void fly(int32_t i, network_work* work) {
    work->force[i] = 0;
    work->travel[i] = work->free[i];
    work->memory[i].force = work->memory[i].phi_before = 0;
}

// The last net: forces and travels that are numbers. A block that has none gives no force in this
// sample.
static double finite_or_none(const network_block* b, network_work* work, double lost) {
    bool good = lost < 1e250;
    for (int32_t i = b->first; i < b->first + b->count; i++)
        good = good && fabs(work->force[i]) < 1e150 && fabs(work->travel[i]) < 1e52;
    if (good) return lost;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        contact_memory* m = &work->memory[i];
        fly(i, work);
        if (!(fabs(work->travel[i]) < 1e52)) work->travel[i] = 0;
        if (!(m->E < 1e200)) m->E = 0;
        if (!(fabs(m->psi) < 1e100)) m->psi = 0;
        if (!(fabs(m->speed) < 1e60)) m->speed = 0;
        m->law_force = m->shown = m->entry = 0;
        m->mark_depth = m->mark_phi = 0;
    }
    return 0;
}

static double solve_block(const network_block* b, const network_link* links, double k,
                          network_work* work) {
    int32_t first = b->first;
    if (b->count == 1 && flies(&links[first], &work->memory[first], work->free[first])) {
        fly(first, work);
        return 0;
    }
    if (b->count == 1 && !links[first].stretch)
        return sis_network_alone(&links[first], k, &work->memory[first], work->free[first],
                                 links[first].G, &work->cost[first], &work->force[first],
                                 &work->travel[first]);
    int32_t count = 0, lone = first;
    for (int32_t i = first; i < first + b->count; i++) {
        work->chosen[i] = network_link_active(&links[i], &work->memory[i], work->free[i]);
        if (!work->chosen[i]) continue;
        count++;
        lone = i;
    }
    double lost = 0;
    if (count == 0) {
        for (int32_t i = first; i < first + b->count; i++)
            fly(i, work);
        return 0;
    }
    if (count == 1 && !links[lone].spring && solve_lone(b, links, k, lone, work, &lost))
        return lost;
    return solve_coupled(b, links, k, work);
}

double sis_network_solve(const network_block* b, const network_link* links, double k,
                         network_work* work) {
    return finite_or_none(b, work, solve_block(b, links, k, work));
}
