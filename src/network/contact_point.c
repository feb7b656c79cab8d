// A point of a contact as a link of a block: its tangent, its first guess, its energy.
#include "network/network.h"

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
