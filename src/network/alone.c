// A contact that shares its bodies with no other link, by any scheme: closed forms, no matrix.
#include "network/network.h"

#include <math.h>

double sis_contact_damper(const contact_law* law, double eta, double phi, contact_cost* cost) {
    if (law->mu == 0 || contact_gradient_based(law)) return 0;
    double x = power_depth(&law->power, eta);
    if (x == 0) return 0;
    if (law->midpoint) { // phi is the midpoint's: the loss takes its own
        phi = power_phi(&law->power, x);
        cost->powers++;
    }
    double loss = law->nu * power_force(&law->power, x, phi);
    return loss < 1e100 ? loss : 1e100;
}

contact_view sis_contact_view(const contact_law* law, const contact_memory* m, int32_t i,
                              double phi, double free, double G) {
    contact_view view = {.E = m->E[i], .half = 1};
    view.problem = (contact_problem){m->eta[i], m->before[i],     free,        G,
                                     phi,       m->phi_before[i], m->force[i], law->nu};
    if (law->midpoint) {
        // f = DG(a', y') with a' = (eta^n + eta^{n-1})/2, y' = r/2: the same scheme in half
        // variables, in which eta^n plays no part.
        view.half = 0.5;
        view.E = 0.5 * m->E[i];
        view.problem.now = -INFINITY;
        view.problem.before = 0.5 * (m->eta[i] + m->before[i]);
        view.problem.free = 0.5 * free;
        view.problem.G = 0.5 * G;
        view.problem.phi_now = 0;
        view.problem.phi_before = phi;
        view.problem.nu = 2 * law->nu;
    }
    return view;
}

static contact_push newton_push(const contact_law* law, const contact_problem* p,
                                const contact_memory* m, int32_t i, contact_cost* cost) {
    contact_root root = sis_newton_root(&law->power, p, m, i, cost);
    double phi = sis_contact_phi(&law->power, m, i, p->before + root.travel, cost), lost = 0;
    m->E[i] = 0.5 * (p->phi_now + phi);
    if (p->nu > 0) {
        double r = root.travel, F;
        lost = contact_conservative(&law->power, p->nu, root.force, r, &F)
                   ? 0.5 * r * (root.force - F)
                   : fmax(0, 0.5 * (r * root.force - (phi - p->phi_before)));
    }
    return (contact_push){root.force, root.travel, lost};
}

// Ledger and newton. In half variables E is half of what it is.
static contact_push gradient_push(const contact_law* law, const contact_memory* m, int32_t i,
                                  double free, double G, contact_cost* cost) {
    double phi = contact_phi_now(law, m, i, cost), times = law->midpoint ? 2 : 1;
    const contact_view view = sis_contact_view(law, m, i, phi, free, G);
    bool newton = law->scheme == SIS_SCHEME_NEWTON && !contact_owes_energy(&view);
    m->E[i] /= times;
    contact_push push = newton ? newton_push(law, &view.problem, m, i, cost)
                               : sis_ledger_push(law, &view.problem, m, i, cost);
    m->E[i] *= times;
    m->phi_before[i] = law->midpoint ? 0 : phi;
    return (contact_push){push.force, free - G * push.force, times * push.lost};
}

// The conservative force of the others, in the problem p.
static double psi_force(const contact_law* law, const contact_problem* p, double* psi, double* E) {
    double g = sis_quadratised_g(&law->power, p, *psi, law->release);
    affine f = sis_quadratised_force(g, *psi);
    double under = 1 + p->G * f.a, force = f.a * (p->free - f.at) / under;
    if (law->release && !law->power.both && force < 0) return 0; // no adhesion: psi is kept
    *psi += 0.5 * g * (p->free + p->G * f.a * f.at) / under;
    *E = 0.5 * *psi * *psi;
    return force;
}

// f = F + loss r only changes what the conservative part sees, r = free' - G' F. Parting faster
// than the loss can follow, a one-sided contact acts without it: it does not pull.
static contact_push quadratised_push(const contact_law* law, const contact_memory* m, int32_t i,
                                     double free, double G, contact_cost* cost) {
    double phi = contact_phi_now(law, m, i, cost), psi = m->psi[i], E = m->E[i];
    double loss = sis_contact_damper(law, m->eta[i], phi, cost), under = 1 + G * loss;
    contact_problem p = sis_contact_view(law, m, i, phi, free / under, G / under).problem;
    double F = psi_force(law, &p, &psi, &E), r = (free - G * F) / under;
    if (loss > 0 && !law->power.both && F + loss * r < 0) {
        psi = m->psi[i], E = m->E[i], loss = 0, under = 1;
        p.free = free, p.G = G;
        F = psi_force(law, &p, &psi, &E);
        r = free - G * F;
    }
    m->psi[i] = psi;
    m->E[i] = E;
    m->phi_before[i] = phi;
    double force = loss > 0 ? (F + loss * free) / under : F;
    return (contact_push){force, free - G * force, 0.5 * loss * r * r};
}

impact_problem sis_contact_impact(const contact_law* law, double k, double G, double acceleration,
                                  double* kick) {
    *kick = k * (acceleration - law->steady);
    return (impact_problem){
        &law->power, law->scheme, law->corrected, law->mu, k * k / G, law->steady, k};
}

// The integrator says where the mass goes; the force is what takes it there. Records the loss of
// the law itself, so that the residual shows what the integrator makes or loses.
static contact_push impact_push(const contact_law* law, double k, const contact_memory* m,
                                int32_t i, double free, double G, contact_cost* cost) {
    double kick, change = free - 2 * (m->eta[i] - m->before[i]);
    impact_problem problem = sis_contact_impact(law, k, G, change / (k * k), &kick);
    impact_state from = {m->eta[i], m->speed[i] + kick, m->law_force[i], m->entry[i], 0, false};
    impact_state end = sis_impact_step(&problem, from, cost);
    m->E[i] = sis_impact_stored(&problem, from.x, end, power_phi(&law->power, end.x));
    m->shown[i] = from.force;
    m->speed[i] = end.v;
    m->law_force[i] = end.force;
    m->entry[i] = end.entry;
    double travel = end.x - m->before[i];
    return (contact_push){(free - travel) / G, travel, end.lost};
}

contact_push sis_contact_alone(const contact_law* law, double k, const contact_memory* m, int32_t i,
                               double free, double G, contact_cost* cost) {
    contact_push push;
    if (contact_gradient_based(law)) {
        push = gradient_push(law, m, i, free, G, cost);
    } else if (law->scheme == SIS_SCHEME_QUADRATISED) {
        push = quadratised_push(law, m, i, free, G, cost);
    } else if (contact_is_impact(law)) {
        push = impact_push(law, k, m, i, free, G, cost);
    } else { // root, exact
        double phi = contact_phi_now(law, m, i, cost);
        const contact_problem p = sis_contact_view(law, m, i, phi, free, G).problem;
        push.force = law->scheme == SIS_SCHEME_ROOT
                         ? sis_root_force(&law->power, &p, law->s, m, i, cost)
                         : sis_exact_force(&law->power, law->table, &p, k, m, i, cost);
        push.travel = free - G * push.force;
        push.lost = 0;
        m->phi_before[i] = phi;
    }
    m->force[i] = push.force;
    return push;
}
