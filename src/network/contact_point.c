// One point of a contact: alone, and as a link of a block.
#include "network/network.h"

#include <math.h>

// ---------------------------------------------------------------------------- alone
//
// A contact that shares its bodies with no other link, by any scheme: closed forms, no matrix.

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

// ---------------------------------------------------------------------------- in a block
//
// A point of a contact as a link of a block: its tangent, its first guess, its energy.

static bool active(const network_link* link, const network_work* work, int32_t i, double free) {
    const contact_law* c = link->contact;
    const power_law* law = &c->power;
    const double eta = work->memory.eta[i], before = work->memory.before[i];
    if (contact_holds_open(c)) return power_depth(law, eta) > 0 || power_is_spring(law);
    return work->memory.E[i] != 0 || power_depth(law, eta) > 0 ||
           power_depth(law, before + free) > 0 ||
           (law->both && (before < 0) != (before + free < 0));
}

static void prepare(const network_link* link, double k, int32_t i, network_work* work) {
    const contact_law* law = link->contact;
    const contact_memory* m = &work->memory;
    const double stiffest = CONTACT_STIFFEST / link->G;
    (void)k;
    network_put(work, i, (affine){0, 0, 0});
    work->phi[i] = contact_phi_now(law, m, i, &work->cost[i]);
    work->loss[i] =
        fmin(sis_contact_damper(law, m->eta[i], work->phi[i], &work->cost[i]), stiffest);
    if (law->scheme != SIS_SCHEME_QUADRATISED) return;
    contact_view view = sis_contact_view(law, m, i, work->phi[i], work->free[i], link->G);
    double g = sis_quadratised_g(&law->power, &view.problem, m->psi[i], law->release);
    work->g[i] = fmin(fmax(g, -2 * sqrt(stiffest)), 2 * sqrt(stiffest));
    network_put(work, i, sis_quadratised_force(work->g[i], m->psi[i]));
}

// The discrete gradient of a contact over its travel y. A ledger contact that opens gives back what
// its energy holds of phi(w), which differs from that by the rounding of eta: so E is emptied
// exactly.
static power_gradient gradient_of(const contact_law* law, const contact_view* view, double y,
                                  network_work* work, int32_t i) {
    const contact_problem* p = &view->problem;
    if (law->scheme == SIS_SCHEME_LEDGER && !law->power.both && p->before > 0 &&
        p->before + y <= 0) {
        double held = 2 * view->E - p->phi_now;
        if (!(held > 0)) return (power_gradient){0, 0, 0, 0, 0};
        double push = fmin(-held / y, 1e100); // y may be as small as numbers get
        return (power_gradient){push, fmin(-push / y, 1e150), 0, 0, 0};
    }
    power_gradient dg = sis_power_gradient_at(&law->power, p->before, p->phi_before, y);
    sis_contact_mark(&work->memory, i, dg.depth, dg.phi, &work->cost[i]);
    return dg;
}

double sis_network_tangent(const network_link* link, network_work* work, int32_t i, double r) {
    const contact_law* law = link->contact;
    contact_view view =
        sis_contact_view(law, &work->memory, i, work->phi[i], work->free[i], link->G);
    double y = view.half * r, nu = view.problem.nu;
    power_gradient dg = gradient_of(law, &view, y, work, i);
    double rate = contact_rate(nu, dg.value, y), value = dg.value * rate;
    double slope = rate > 0 ? dg.slope * rate + nu * fabs(dg.value) : 0;
    network_put(work, i, (affine){value, view.half * slope, r});
    return value;
}

void sis_network_predict(const network_link* link, network_work* work, int32_t i) {
    const contact_law* law = link->contact;
    const contact_memory* m = &work->memory;
    double free = work->travel[i] + link->G * m->force[i];
    contact_view view = sis_contact_view(law, m, i, work->phi[i], free, link->G);
    double r = sis_ledger_root(&law->power, &view.problem, m, i, &work->cost[i]).travel;
    sis_network_tangent(link, work, i, r / view.half);
}

// How far a contact may be from where its tangent was taken.
static double enough_for(const contact_law* law, double eta, double before, double r, double size) {
    double z = law->midpoint ? 0.5 * (eta + before + r) : before + r;
    double depth = power_depth(&law->power, z);
    double most = depth > 0 ? depth / power_exponent(&law->power, depth) : fabs(r);
    return LEDGER_ENOUGH * (most > 1e-9 * size ? most : 1e-9 * size);
}

void sis_network_look(const network_link* link, double rounding, const network_work* work,
                      int32_t i, network_gap* gap) {
    if (!network_gradient_based(link)) return;
    double eta = work->memory.eta[i], before = work->memory.before[i], r = work->travel[i];
    double at = work->at[i], size = fabs(before) + rounding, step = fabs(r - at);
    if (step < CONTACT_VANISHED) step = 0;
    if (!(step <= gap->largest * size)) gap->largest = step / size;
    if (!(step <= enough_for(link->contact, eta, before, r, size))) gap->enough = false;
    const contact_law* law = link->contact;
    const double nu = law->power.both && before + r < 0 ? -law->nu : law->nu;
    if ((1 + nu * at > 0) != (1 + nu * r > 0)) gap->corner = true;
}

bool sis_network_pays(const network_link* link, const contact_memory* m, int32_t i, double phi) {
    if (link->contact->scheme != SIS_SCHEME_NEWTON) return true;
    contact_view view = sis_contact_view(link->contact, m, i, phi, 0, link->G);
    return contact_owes_energy(&view);
}

// What a ledger or newton contact did over the travel r with the force f: its energy after it, and
// its loss, J.
typedef struct contact_energy {
    double after, lost;
} contact_energy;

static contact_energy energy_after(const network_link* link, double r, double f, int32_t i,
                                   network_work* work) {
    const contact_law* law = link->contact;
    const contact_memory* m = &work->memory;
    double F, E = m->E[i], whole = E + 0.5 * r * f, phi_now = work->phi[i];
    bool newton = !sis_network_pays(link, m, i, phi_now);
    bool known = contact_conservative(&law->power, law->nu, f, r, &F);
    if (!newton && known) return (contact_energy){E + 0.5 * r * F, 0.5 * r * (f - F)};
    double z = law->midpoint ? 0.5 * (m->eta[i] + m->before[i] + r) : m->before[i] + r;
    double phi = sis_contact_phi(&law->power, m, i, z, &work->cost[i]);
    double after = law->midpoint ? phi : 0.5 * (phi_now + phi);
    if (!newton && whole < after) after = whole; // no more than there is
    return (contact_energy){after, known ? 0.5 * r * (f - F) : fmax(whole - after, 0)};
}

// Updates the energy of a ledger or newton contact; returns what it lost. What is below 0 is
// rounding (two-sided laws keep it: nothing opens that would give it back), and so is what stays in
// an open contact below 1e-12 of what it held: that is lost.
static double settle_gradient(const network_link* link, double r, double f, int32_t i,
                              network_work* work) {
    const contact_law* law = link->contact;
    const contact_memory* m = &work->memory;
    contact_energy e = energy_after(link, r, f, i, work);
    bool open =
        power_depth(&law->power, m->eta[i]) == 0 && power_depth(&law->power, m->before[i] + r) == 0;
    double least = open ? 1e-12 * fabs(m->E[i]) : 0;
    bool none = law->power.both ? open && fabs(e.after) <= least : !(e.after > least);
    if (none || fabs(e.after) < 1e-100 || !(fabs(e.after) < 1e200)) {
        if (e.after > 0 && e.after < 1e200) e.lost += e.after;
        e.after = 0;
    }
    m->E[i] = e.after;
    if (law->restitution && !(m->before[i] + r > 0)) m->psi[i] = 0; // nothing is owed any more
    return e.lost;
}

static body_work settle(const network_link* link, double k, int32_t i, bool closed,
                        network_work* work) {
    (void)k;
    const contact_memory* m = &work->memory;
    double r = work->travel[i], loss = work->loss[i], F = work->force[i] - loss * r;
    body_work done = {0, 0.5 * loss * r * r};
    m->force[i] = F;
    if (link->contact->scheme == SIS_SCHEME_QUADRATISED) {
        m->psi[i] += 0.5 * work->g[i] * r;
        m->E[i] = 0.5 * m->psi[i] * m->psi[i];
    } else if (!closed) {
        done.dissipated += settle_gradient(link, r, work->force[i], i, work);
    } else {
        m->E[i] += 0.5 * r * F;
        if (!(m->E[i] > 1e-100)) m->E[i] = 0;
    }
    m->phi_before[i] = link->contact->midpoint ? 0 : work->phi[i];
    return done;
}

static void rest(const network_link* link, double k, int32_t i, network_work* work) {
    (void)link, (void)k;
    work->memory.force[i] = work->memory.phi_before[i] = 0;
}

// The tangent at the root of the contact alone, with half of its compliance: one step, not two.
static void start(const network_link* link, double k, int32_t i, network_work* work) {
    const contact_law* law = link->contact;
    const contact_memory* m = &work->memory;
    (void)k;
    work->loss[i] = 0;
    m->phi_before[i] = work->phi[i] = contact_phi_now(law, m, i, &work->cost[i]);
    contact_view view = sis_contact_view(law, m, i, work->phi[i], work->free[i], 0.5 * link->G);
    sis_network_tangent(link, work, i,
                        sis_ledger_root(&law->power, &view.problem, m, i, &work->cost[i]).travel);
}

static double first_force(const network_link* link, double k, int32_t i, double speed,
                          network_work* work) {
    (void)k;
    const contact_law* law = link->contact;
    double eta = work->memory.eta[i], x = power_depth(&law->power, eta);
    double force = power_force(&law->power, x, power_phi(&law->power, x));
    double push = (law->power.both && eta < 0 ? -force : force) + law->mu * force * speed;
    return work->memory.shown[i] = !law->power.both && push < 0 ? 0 : push;
}

static void energy(const network_link* link, const contact_memory* m, int32_t i, double* contact,
                   double* elastic) {
    (void)link, (void)elastic;
    *contact += m->E[i];
}

static double depth(const network_link* link, double eta) {
    return power_depth(&link->contact->power, eta);
}

const link_class sis_contact_class = {.active = active,
                                      .prepare = prepare,
                                      .settle = settle,
                                      .rest = rest,
                                      .start = start,
                                      .first_force = first_force,
                                      .energy = energy,
                                      .depth = depth};
