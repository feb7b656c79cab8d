// Contacts and springs whose constants move.
//
// The potential of a power law is linear in K. A contact of K that becomes K' keeps its state and
// holds E' = E K'/K: what it remembers of its potential is scaled (psi by the root), and so is what
// it holds beyond the potential, which is its own. Where there is nothing to scale, at K = 0, E is
// made anew as the potential of its scheme between the last two samples,
//
//   E' = (phi(eta^n) + phi(eta^{n-1}))/2,     or phi((eta^n + eta^{n-1})/2) at the midpoint
//
// Losses are no part of the energy: dampers change freely. A spring holds an energy linear in both
// of its constants (law/law.h).
#include "step/live.h"

#include <math.h>

// ---------------------------------------------------------------------------- energy made anew

static double phi_at(const contact_law* law, double eta) {
    return power_phi(&law->power, power_depth(&law->power, eta));
}

// psi = sgn(eta) sqrt(2 phi) of a law that pushes both ways.
static double odd_psi(const contact_law* law, double eta) {
    const double psi = sqrt(2 * phi_at(law, eta));
    return eta < 0 ? -psi : psi;
}

double sis_remake_energy(const contact_law* law, const contact_memory* m, int32_t i) {
    const double before = m->before[i], eta = m->eta[i], was = m->E[i];
    const double phi = phi_at(law, law->midpoint ? 0.5 * (eta + before) : eta);
    m->mark_depth[i] = m->mark_phi[i] = 0;
    m->phi_before[i] = law->midpoint ? 0 : phi_at(law, before);
    m->E[i] = law->midpoint ? phi : 0.5 * (phi + m->phi_before[i]);
    if (law->restitution) m->psi[i] = 0;
    if (law->scheme != SIS_SCHEME_QUADRATISED) return m->E[i] - was;
    const double root = sqrt(2 * m->E[i]);
    m->psi[i] = law->power.both ? 0.5 * (odd_psi(law, before) + odd_psi(law, eta))
                : m->psi[i] < 0 ? -root
                                : root;
    m->E[i] = 0.5 * m->psi[i] * m->psi[i];
    return m->E[i] - was;
}

// ---------------------------------------------------------------------------- stiffness

static void set_K(sis_system* system, const live_binding* b, double value) {
    power_law* law = &system->contacts[b->target].power;
    law->K = value * system->link_info[b->target].weight;
    law->K_over_t = law->K / law->t;
}

// What point i remembers, K being `more` times as large as it was.
static double scale_point(const contact_law* law, double more, const contact_memory* m, int32_t i) {
    const double was = m->E[i];
    m->phi_before[i] *= more;
    m->mark_phi[i] *= more;
    m->force[i] *= more;
    m->E[i] *= more;
    if (law->restitution) m->psi[i] *= more;
    if (law->scheme != SIS_SCHEME_QUADRATISED) return m->E[i] - was;
    m->psi[i] *= sqrt(more);
    m->E[i] = 0.5 * m->psi[i] * m->psi[i];
    return m->E[i] - was;
}

static bool is_inside(const contact_law* law, const contact_memory* m, int32_t i) {
    return power_depth(&law->power, m->eta[i]) > 0 || power_depth(&law->power, m->before[i]) > 0;
}

static void scale(double* values, double more, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        values[i] *= more;
}

// The points of a line that hold an energy linear in K and nothing else that K changes, all at
// once. Those that are awake, inside and hold nothing get what they should.
static double scale_line(const contact_line* line, double more, const state_view* view) {
    const contact_memory* m = &view->work.memory;
    double* E = m->E + line->first;
    double supplied = 0;
    scale(m->phi_before + line->first, more, line->count);
    scale(m->mark_phi + line->first, more, line->count);
    scale(m->force + line->first, more, line->count);
    for (int32_t j = 0; j < line->count; j++) {
        const double was = E[j];
        if (was != 0) supplied += (E[j] *= more) - was;
    }
    for (int32_t j = 0; j < line->count; j++) {
        if (!view->awake[line->word + j / LINE_WORD]) {
            j |= LINE_WORD - 1; // none of this word
            continue;
        }
        const int32_t i = line->first + j;
        if (E[j] == 0 && line_awake(view->awake + line->word, j) && is_inside(line->law, m, i))
            supplied += sis_remake_energy(line->law, m, i);
    }
    return supplied;
}

// The line that has all points of a group and is as scale_line needs it; NULL: there is none.
static const contact_line* line_of(const sis_system* system, const link_group* group,
                                   const contact_law* law) {
    const int32_t l = group->count ? system->line_of[system->link_at[group->first]] : -1;
    const bool plain = law->scheme != SIS_SCHEME_QUADRATISED && !law->restitution;
    if (l < 0 || !plain || !system->lines[l].kernel) return NULL;
    return system->lines[l].count == group->count ? &system->lines[l] : NULL;
}

// A point that sleeps is open, wherever its memory says it was.
static double move_K(sis_system* system, const live_binding* b, double value, state_view* view) {
    const link_group* group = &system->groups[b->target];
    const contact_law* law = &system->contacts[b->target];
    const contact_memory* m = &view->work.memory;
    const double K = law->power.K;
    double supplied = 0;
    set_K(system, b, value);
    const double more = law->power.K / K;
    const contact_line* line = line_of(system, group, law);
    if (line && more > 0 && more < 1e100) return scale_line(line, more, view);
    for (int32_t j = 0; j < group->count; j++) {
        const int32_t i = system->link_at[group->first + j];
        const bool anew = !(more < 1e100) || m->E[i] == 0;
        if (anew && is_inside(law, m, i) && !sis_link_sleeps(system, view, i))
            supplied += sis_remake_energy(law, m, i);
        else
            supplied += scale_point(law, more < 1e100 ? more : 0, m, i);
    }
    return supplied;
}

const live_class sis_live_K = {set_K, move_K, NULL, false};

// ---------------------------------------------------------------------------- damping

static void set_damping(sis_system* system, const live_binding* b, double value) {
    contact_law* law = &system->contacts[b->target];
    law->mu = value;
    law->nu = 0.5 * value * system->rate; // mu/2k
    law->restitution = b->side && value > 0;
}

// What an impact owes is the loss of this law: without loss it owes nothing.
static double move_damping(sis_system* system, const live_binding* b, double value,
                           state_view* view) {
    const link_group* group = &system->groups[b->target];
    const contact_law* law = &system->contacts[b->target];
    set_damping(system, b, value);
    for (int32_t j = 0; b->side && !law->restitution && j < group->count; j++)
        view->work.memory.psi[system->link_at[group->first + j]] = 0;
    return 0;
}

const live_class sis_live_damping = {set_damping, move_damping, NULL, false};

// ---------------------------------------------------------------------------- springs

// The constant of a spring that a binding moves.
static double* constant_of(const sis_system* system, const live_binding* b) {
    spring_law* law = &system->links[b->target].elastic;
    return b->side == SPRING_K1 ? &law->K1 : b->side == SPRING_K3 ? &law->K3 : &law->R;
}

static void set_spring(sis_system* system, const live_binding* b, double value) {
    *constant_of(system, b) = value;
}

void sis_link_look(const sis_system* system, const state_view* view, int32_t i) {
    const contact_memory* m = &view->work.memory;
    m->eta[i] = system->line_offset[i] + network_apart(&system->links[i], view->motion.u);
    m->before[i] = m->eta[i] - network_apart(&system->links[i], view->motion.d);
}

static double move_spring(sis_system* system, const live_binding* b, double value,
                          state_view* view) {
    const contact_memory* m = &view->work.memory;
    const network_link* link = &system->links[b->target];
    const spring_law* law = &link->elastic;
    if (network_slack(link)) sis_link_look(system, view, b->target);
    const double was = spring_energy(law, m->eta[b->target], m->before[b->target]);
    set_spring(system, b, value);
    if (network_slack(link))
        m->force[b->target] = view->work.force[b->target] = view->work.travel[b->target] = 0;
    return spring_energy(law, m->eta[b->target], m->before[b->target]) - was;
}

const live_class sis_live_spring = {set_spring, move_spring, NULL, false};
