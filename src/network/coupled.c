// Links that share bodies, solved together.
//
// Conservative contacts solve r + G f(r) = r*, f_c = DG(w_c, r_c) increasing: the gradient of a convex
// function, so Newton with a line search cannot fail. Each Newton step is one affine solve with the
// tangents q + a r at the present travel. `newton` goes on to rounding; `ledger` takes a fixed number
// of steps, then closes with tangents limited to what its energy can pay for.
#include "network/network.h"

#include <float.h>
#include <math.h>

enum { LEDGER_STEPS = 2, NEWTON_STEPS = 100 };

static bool iterates(const network_link* link) {
    return !link->spring && link->scheme == SIS_SCHEME_NEWTON;
}

static bool gradient_based(const network_link* link) {
    return !link->spring && link->scheme != SIS_SCHEME_QUADRATISED;
}

// Could this link give a force in this sample?
static bool active(const network_link* link, const contact_memory* m, double free) {
    if (link->spring) return true;
    const power_law* law = &link->power;
    return m->E > 0 || power_depth(law, m->eta) > 0 || power_depth(law, m->before + free) > 0 ||
           (law->both && (m->before < 0) != (m->before + free < 0));
}

// The view of link i with its own compliance and what its neighbours' last forces leave of r*.
static contact_view view_of(const network_link* link, const network_work* work, int32_t i,
                            double free, double phi) {
    return network_view(link, &work->memory[i], phi, free, link->G);
}

// sum over the other links of G_ij f_j, with the forces of the last sample.
static double neighbours(const network_block* b, const network_work* work, int32_t i) {
    double sum = 0;
    for (int32_t j = 0; j < b->count; j++) {
        if (j == i) continue;
        int32_t high = i > j ? i : j, low = i > j ? j : i;
        if (low >= b->row[high])
            sum += b->G[b->start[high] + (size_t)(low - b->row[high])] *
                   work->memory[b->first + j].force;
    }
    return sum;
}

// q and a of link i as the tangent of its discrete gradient at travel r; the value there is returned.
static double tangent(const network_link* link, network_work* work, int32_t i, double r) {
    contact_view view = view_of(link, work, i, work->free[i], work->phi[i]);
    power_gradient dg = power_gradient_at(&link->power, view.problem.before, view.problem.phi_before,
                                          view.half * r);
    contact_mark(&work->memory[i], dg.depth, dg.phi, &work->cost[i]);
    work->a[i] = view.half * dg.slope;
    work->q[i] = dg.value - work->a[i] * r;
    return dg.value;
}

// What every link brings to the sample before anything is solved: phi, loss, the affine laws.
static void prepare(const network_block* b, const network_link* links, double k, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        const network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        work->q[i] = work->a[i] = 0;
        if (link->spring) {
            affine elastic = spring_elastic(&link->elastic, m->eta, m->before);
            work->q[i] = elastic.q;
            work->a[i] = elastic.a;
            work->loss[i] = spring_damper(&link->elastic, k);
            continue;
        }
        work->phi[i] = network_phi(link, m, &work->cost[i]);
        work->loss[i] = network_loss(link, m, work->phi[i], k, &work->cost[i]);
        if (link->scheme == SIS_SCHEME_QUADRATISED) {
            contact_view view = view_of(link, work, i, work->free[i], work->phi[i]);
            double g = quadratised_g(&link->power, &view.problem, m->psi, link->release);
            work->g[i] = g;
            work->q[i] = g * m->psi;
            work->a[i] = 0.25 * g * g;
        }
    }
}

// First guess of the travel of each conservative contact: its own root with the neighbours' last forces.
static void predict(const network_block* b, const network_link* links, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        const network_link* link = &links[i];
        if (!gradient_based(link)) continue;
        double free = work->free[i] - neighbours(b, work, i - b->first);
        double under = 1 + link->G * work->loss[i];
        contact_view view = network_view(link, &work->memory[i], work->phi[i], free / under,
                                         link->G / under);
        double r = ledger_root(&link->power, &view.problem, &work->memory[i], &work->cost[i]);
        tangent(link, work, i, r / view.half);
    }
}

// One Newton step of the contacts in `chosen`: affine solve, then new tangents. Goes back along the
// step until the directional derivative sum dr (F(r) - f) of the convex function is no longer steeply
// positive. Returns the largest step relative to the size of its contact.
static double newton_step(const network_block* b, double scale, const network_link* links,
                          bool (*chosen)(const network_link*), bool search, network_work* work) {
    int32_t first = b->first, end = b->first + b->count;
    for (int32_t i = first; i < end; i++) {
        work->old_force[i] = work->force[i];
        work->old_travel[i] = work->travel[i];
    }
    network_affine(b, scale, work);
    double largest = 0;
    for (int32_t i = first; i < end; i++) {
        if (!chosen(&links[i])) continue;
        double size = fabs(work->memory[i].before) + fabs(work->free[i]) + fabs(work->travel[i]);
        double step = fabs(work->travel[i] - work->old_travel[i]);
        if (step > largest * size) largest = step / size;
    }
    double length = 1;
    for (int tries = 0; tries < 40; tries++) {
        double ahead = 0, back = 0;
        for (int32_t i = first; i < end; i++) {
            if (!chosen(&links[i])) continue;
            double dr = work->travel[i] - work->old_travel[i];
            double df = work->force[i] - work->old_force[i];
            double r = work->old_travel[i] + length * dr;
            double F = tangent(&links[i], work, i, r) + work->loss[i] * r;
            double miss = dr * (F - (work->old_force[i] + length * df));
            ahead += miss;
            back += fabs(dr * df);
        }
        if (!search || ahead <= 0.5 * back) break;
        length *= 0.5;
    }
    if (length < 1)
        for (int32_t i = first; i < end; i++) {
            work->force[i] += (length - 1) * (work->force[i] - work->old_force[i]);
            work->travel[i] += (length - 1) * (work->travel[i] - work->old_travel[i]);
        }
    return largest;
}

// Newton on the contacts in `chosen` until the steps reach rounding.
static void converge(const network_block* b, double scale, const network_link* links,
                     bool (*chosen)(const network_link*), network_work* work) {
    double last = HUGE_VAL;
    newton_step(b, scale, links, chosen, false, work);
    for (int n = 0; n < NEWTON_STEPS; n++) {
        for (int32_t i = b->first; i < b->first + b->count; i++)
            if (chosen(&links[i])) work->cost[i].iterations++;
        double step = newton_step(b, scale, links, chosen, true, work);
        if (step <= 2 * DBL_EPSILON || (step <= 64 * DBL_EPSILON && step >= last)) break;
        last = step;
    }
}

// Fixes every ledger contact to its passive closure about the travel found so far.
static void close_ledgers(const network_block* b, const network_link* links, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        const network_link* link = &links[i];
        if (!gradient_based(link) || iterates(link)) continue;
        double r = work->travel[i];
        contact_view view = view_of(link, work, i, r + link->G * work->force[i], work->phi[i]);
        affine force = ledger_closure(&link->power, &view.problem, view.E, view.half * r,
                                      &work->cost[i]);
        work->q[i] = force.q;
        work->a[i] = view.half * force.a;
    }
}

// Contacts that would pull are dropped for this sample, their energy kept. true: solve again.
static bool drop_pulling(const network_block* b, const network_link* links, network_work* work) {
    bool dropped = false;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        const network_link* link = &links[i];
        bool guarded = !link->spring && !link->power.both &&
                       (link->scheme != SIS_SCHEME_QUADRATISED || link->release);
        if (!guarded || !(work->force[i] < 0)) continue;
        // The loss goes first; a contact that pulls without it goes altogether.
        if (work->loss[i] == 0) work->q[i] = work->a[i] = work->g[i] = 0;
        work->loss[i] = 0;
        dropped = true;
    }
    return dropped;
}

// Books the sample: E, psi and what the dampers took.
static double settle(const network_block* b, const network_link* links, network_work* work) {
    double lost = 0;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
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
            double phi = contact_phi(&link->power, m,
                                     link->midpoint ? 0.5 * (m->eta + m->before + r) : m->before + r,
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

static double solve_coupled(const network_block* b, const network_link* links, double k,
                            network_work* work) {
    bool any_newton = false;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        any_newton = any_newton || iterates(&links[i]);
        work->force[i] = work->travel[i] = 0;
    }
    prepare(b, links, k, work);
    predict(b, links, work);
    newton_step(b, 1, links, gradient_based, false, work);
    for (int n = 1; n < LEDGER_STEPS; n++)
        newton_step(b, 1, links, gradient_based, true, work);
    close_ledgers(b, links, work);
    if (any_newton) converge(b, 1, links, iterates, work);
    else network_affine(b, 1, work);
    for (int32_t n = 0; n < 2 * b->count && drop_pulling(b, links, work); n++) {
        if (any_newton) converge(b, 1, links, iterates, work);
        else network_affine(b, 1, work);
    }
    return settle(b, links, work);
}

// One active contact among open ones: its closed form, unless its push would close a neighbour.
static bool solve_lone(const network_block* b, const network_link* links, double k, int32_t at,
                       network_work* work, double* lost) {
    const network_link* link = &links[at];
    contact_memory saved = work->memory[at];
    contact_cost cost = work->cost[at];
    *lost = network_alone(link, k, &work->memory[at], work->free[at], link->G, &work->cost[at],
                          &work->force[at], &work->travel[at]);
    int32_t i = at - b->first;
    for (int32_t j = 0; j < b->count; j++) {
        if (j == i) continue;
        int32_t high = i > j ? i : j, low = i > j ? j : i, o = b->first + j;
        double G = low < b->row[high] ? 0 : b->G[b->start[high] + (size_t)(low - b->row[high])];
        work->force[o] = 0;
        work->travel[o] = work->free[o] - G * work->force[at];
        work->memory[o].force = work->memory[o].phi_before = 0;
        if (power_depth(&links[o].power, work->memory[o].before + work->travel[o]) > 0) {
            work->memory[at] = saved;
            work->cost[at] = cost;
            return false;
        }
    }
    return true;
}

// Open, with nothing held and nothing to come: most samples of most contacts.
static bool flies(const network_link* link, const contact_memory* m, double free) {
    return !link->spring && !link->power.both && m->eta <= 0 && m->before + free <= 0 && m->E == 0 &&
           link->scheme != SIS_SCHEME_EXACT;
}

static void fly(int32_t i, network_work* work) {
    work->force[i] = 0;
    work->travel[i] = work->free[i];
    work->memory[i].force = work->memory[i].phi_before = 0;
}

double network_solve(const network_block* b, const network_link* links, double k, network_work* work) {
    int32_t first = b->first;
    if (b->count == 1 && flies(&links[first], &work->memory[first], work->free[first])) {
        fly(first, work);
        return 0;
    }
    if (b->count == 1)
        return network_alone(&links[first], k, &work->memory[first], work->free[first], links[first].G,
                             &work->cost[first], &work->force[first], &work->travel[first]);
    int32_t count = 0, lone = first;
    for (int32_t i = first; i < first + b->count; i++)
        if (active(&links[i], &work->memory[i], work->free[i])) {
            count++;
            lone = i;
        }
    double lost = 0;
    if (count == 0) {
        for (int32_t i = first; i < first + b->count; i++)
            fly(i, work);
        return 0;
    }
    if (count == 1 && !links[lone].spring && solve_lone(b, links, k, lone, work, &lost)) return lost;
    return solve_coupled(b, links, k, work);
}

void network_advance(const network_block* b, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        contact_memory* m = &work->memory[i];
        double next = m->before + work->travel[i];
        m->before = m->eta;
        m->eta = next;
    }
}

// Sets up the first step: `links` becomes a network of Newton contacts with the mean potential, whose
// discrete gradient from eta^0 is the conservative force of one step.
static void prepare_start(const network_block* b, network_link* links, double k, network_work* work) {
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        network_link* link = &links[i];
        contact_memory* m = &work->memory[i];
        m->before = m->eta;
        work->force[i] = work->travel[i] = 0;
        if (link->spring) {
            double square = link->elastic.K3 * m->eta * m->eta;
            work->q[i] = (link->elastic.K1 + square) * m->eta;
            work->a[i] = 0.5 * (link->elastic.K1 + square);
            work->loss[i] = 2 * spring_damper(&link->elastic, k);
            continue;
        }
        link->midpoint = false;
        link->scheme = SIS_SCHEME_NEWTON;
        m->phi_before = work->phi[i] = network_phi(link, m, &work->cost[i]);
        work->loss[i] = 2 * network_loss(link, m, work->phi[i], k, &work->cost[i]);
        contact_view view = network_view(link, m, work->phi[i], work->free[i], 0.5 * link->G);
        tangent(link, work, i, ledger_root(&link->power, &view.problem, m, &work->cost[i]));
    }
}

void network_start(const network_block* b, network_link* links, double k, network_work* work) {
    prepare_start(b, links, k, work);
    converge(b, 0.5, links, iterates, work);
    if (drop_pulling(b, links, work)) converge(b, 0.5, links, iterates, work);
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        contact_memory* m = &work->memory[i];
        double r = work->travel[i], F = work->force[i] - work->loss[i] * r;
        m->eta = m->before + r;
        m->force = F;
        if (links[i].spring) continue;
        double phi = contact_phi(&links[i].power, m, m->eta, &work->cost[i]);
        m->E = 0.5 * (work->phi[i] + phi);
    }
}
