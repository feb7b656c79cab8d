// A link that shares its bodies with no other: closed forms, no matrix.
#include "network/network.h"

#include <math.h>

static contact_push newton_push(const network_link* link, const contact_problem* p,
                                contact_memory* memory, contact_cost* cost) {
    contact_root root = sis_newton_root(&link->power, p, memory, cost);
    double phi = sis_contact_phi(&link->power, memory, p->before + root.travel, cost), lost = 0;
    memory->E = 0.5 * (p->phi_now + phi);
    if (p->nu > 0) {
        double r = root.travel, F;
        lost = contact_conservative(&link->power, p->nu, root.force, r, &F)
                   ? 0.5 * r * (root.force - F)
                   : fmax(0, 0.5 * (r * root.force - (phi - p->phi_before)));
    }
    return (contact_push){root.force, root.travel, lost};
}

// The closed form of alpha = 1. E changes by the work done, and what is left of it goes back at
// the exit: phi(eta) would know eta only to the rounding of u.
static double line_force(const network_link* link, const contact_problem* p,
                         contact_memory* memory) {
    contact_root root = sis_line_root(&link->power, p);
    double payable = memory->E - 0.5 * p->phi_now;
    if (p->before > 0 && p->before + root.travel <= 0 && payable > 0) {
        memory->E -= payable;
        return sis_contact_emptying_force(p->free, p->G, payable);
    }
    double after = memory->E + 0.5 * (p->free - p->G * root.force) * root.force;
    memory->E = after > 0 ? after : 0;
    return root.force;
}

static double psi_force(const network_link* link, const contact_problem* p,
                        contact_memory* memory) {
    double g = sis_quadratised_g(&link->power, p, memory->psi, link->release);
    affine law = sis_quadratised_force(g, memory->psi);
    double under = 1 + p->G * law.a;
    double force = law.a * (p->free - law.at) / under;
    if (link->release && !link->power.both && force < 0) return 0; // no-adhesion: psi is kept
    memory->psi += 0.5 * g * (p->free + p->G * law.a * law.at) / under;
    memory->E = 0.5 * memory->psi * memory->psi;
    return force;
}

// Ledger takes the numbers of its problem in registers, because its search waits for them.
static double ledger_force(const network_link* link, contact_memory* memory, double phi,
                           double free, double G, contact_cost* cost) {
    const contact_problem p = network_view(link, memory, phi, free, G).problem;
    return sis_ledger_force(&link->power, p.now, p.before, p.free, p.G, p.phi_now, p.phi_before,
                            memory, cost);
}

static double scheme_force(const network_link* link, double k, contact_memory* memory, double phi,
                           double free, double G, contact_cost* cost) {
    contact_view view = network_view(link, memory, phi, free, G);
    const contact_problem p = view.problem;
    switch (link->scheme) {
    case SIS_SCHEME_NEWTON:
        view.E = memory->E; // halved already
        if (network_owes_energy(&view)) return ledger_force(link, memory, phi, free, G, cost);
        return newton_push(link, &p, memory, cost).force;
    case SIS_SCHEME_QUADRATISED:
        return psi_force(link, &p, memory);
    case SIS_SCHEME_ROOT:
        return sis_root_force(&link->power, &p, link->s, memory, cost);
    default: // exact
        return link->line ? line_force(link, &p, memory)
                          : sis_exact_force(&link->power, link->table, &p, k, memory, cost);
    }
}

// The conservative force of a contact, and its new E. In half variables E is half of what it is.
static double contact_force(const network_link* link, double k, contact_memory* memory, double phi,
                            double free, double G, contact_cost* cost) {
    if (link->midpoint) memory->E *= 0.5;
    double force = link->scheme == SIS_SCHEME_LEDGER
                       ? ledger_force(link, memory, phi, free, G, cost)
                       : scheme_force(link, k, memory, phi, free, G, cost);
    if (link->midpoint) memory->E *= 2;
    return force;
}

impact_problem sis_network_impact(const network_link* link, double k, double acceleration,
                                  double* kick) {
    *kick = k * (acceleration - link->steady);
    return (impact_problem){
        &link->power, link->scheme, link->corrected, link->mu, k * k / link->G, link->steady, k};
}

// The integrator says where the mass goes; the force is what takes it there. Books the loss of the
// law itself, so that the residual shows what the integrator makes or loses.
static double impact_alone(const network_link* link, double k, contact_memory* memory, double free,
                           contact_cost* cost, double* force, double* travel) {
    double kick, change = free - 2 * (memory->eta - memory->before);
    impact_problem problem = sis_network_impact(link, k, change / (k * k), &kick);
    impact_state from = {memory->eta, memory->speed + kick, memory->law_force, memory->entry, 0,
                         false};
    impact_state end = sis_impact_step(&problem, from, cost);
    memory->E = sis_impact_stored(&problem, from.x, end, power_phi(&link->power, end.x));
    memory->shown = from.force;
    memory->speed = end.v;
    memory->law_force = end.force;
    memory->entry = end.entry;
    *travel = end.x - memory->before;
    *force = (free - *travel) / link->G;
    memory->force = *force;
    return end.lost;
}

static double spring_alone(const network_link* link, double k, contact_memory* memory, double free,
                           double G, double* force, double* travel) {
    affine elastic = network_elastic(link, memory);
    double loss = spring_damper(&link->elastic, k), under = 1 + G * (elastic.a + loss);
    double r = (free + G * elastic.a * elastic.at) / under;
    memory->force = elastic.a * (free - (1 + G * loss) * elastic.at) / under;
    *force = memory->force + loss * r;
    *travel = r;
    return 0.5 * loss * r * r;
}

// Ledger and newton with loss.
SIS_APART static double lossy_alone(const network_link* link, contact_memory* memory, double free,
                                    double G, contact_cost* cost, double* force, double* travel) {
    double phi = network_phi(link, memory, cost), double_of = link->midpoint ? 2 : 1;
    const contact_view view = network_view(link, memory, phi, free, G);
    const contact_problem p = view.problem;
    bool newton = link->scheme == SIS_SCHEME_NEWTON && !network_owes_energy(&view);
    memory->E /= double_of;
    contact_push push = newton
                            ? newton_push(link, &p, memory, cost)
                            : sis_ledger_lossy(&link->power, &p, link->restitution, memory, cost);
    memory->E *= double_of;
    memory->phi_before = link->midpoint ? 0 : phi;
    memory->force = *force = push.force;
    *travel = free - G * push.force;
    return double_of * push.lost;
}

// The others with their damper: f = F + loss r only changes what the conservative part sees, r =
// free' - G' F.
static double damped_alone(const network_link* link, double k, contact_memory* memory, double phi,
                           double loss, double free, double G, contact_cost* cost, double* force,
                           double* travel) {
    contact_memory saved = *memory;
    double under = 1 + G * loss;
    double F = contact_force(link, k, memory, phi, free / under, G / under, cost);
    double r = (free - G * F) / under;
    if (loss > 0 && !link->power.both && F + loss * r < 0) {
        // Parting faster than the loss can follow: a contact does not pull, so it acts without
        // loss.
        *memory = saved;
        loss = 0;
        F = contact_force(link, k, memory, phi, free, G, cost);
        r = free - G * F;
    }
    memory->phi_before = link->midpoint ? 0 : phi;
    memory->force = F;
    *force = loss > 0 ? (F + loss * free) / under : F; // F + loss r, without its cancellation
    *travel = r;
    return 0.5 * loss * r * r;
}

double sis_network_alone(const network_link* link, double k, contact_memory* memory, double free,
                         double G, contact_cost* cost, double* force, double* travel) {
    if (link->nu > 0 && network_gradient_based(link))
        return lossy_alone(link, memory, free, G, cost, force, travel);
    if (link->kind != LINK_CONTACT) return spring_alone(link, k, memory, free, G, force, travel);
    if (network_link_is_impact(link))
        return impact_alone(link, k, memory, free, cost, force, travel);
    double phi = network_phi(link, memory, cost);
    double loss = network_damper(link, memory, phi, k, cost);
    if (loss != 0) return damped_alone(link, k, memory, phi, loss, free, G, cost, force, travel);
    double F = contact_force(link, k, memory, phi, free, G, cost);
    memory->phi_before = link->midpoint ? 0 : phi;
    memory->force = *force = F;
    *travel = free - G * F;
    return 0;
}
