// The first step, u^1 from u^0 and v^0 to second order with every force in it, and row 0 of the
// outputs.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

// Row 0: the given displacement and velocity, and the force phi'(eta) (1 + mu eta') at t = 0.
static void first_row(const sis_system* system, state_view* view) {
    for (int32_t i = 0; i < system->link_count; i++) {
        const network_link* link = &system->links[i];
        double eta = view->work.memory[i].eta;
        double speed = sis_link_read(link, view, view->motion.d);
        if (link->kind == LINK_STRETCH || link->kind == LINK_RIGID) continue;
        if (link->kind == LINK_BOW) {
            contact_memory* m = &view->work.memory[i];
            m->slide = speed - m->glide;
            view->work.travel[i] = 2 * system->k * speed;
            view->work.force[i] =
                m->press * sis_friction_chord(&link->friction, m->slide) * m->slide;
            continue;
        }
        if (link->kind != LINK_CONTACT) {
            const spring_law* law = &link->elastic;
            view->work.force[i] = (law->K1 + law->K3 * eta * eta) * eta + law->R * speed;
            continue;
        }
        double x = power_depth(&link->power, eta);
        double force = power_force(&link->power, x, power_phi(&link->power, x));
        double push = (link->power.both && eta < 0 ? -force : force) + link->mu * force * speed;
        view->work.force[i] = view->work.memory[i].shown = !link->power.both && push < 0 ? 0 : push;
    }
    for (int32_t i = 0; i < system->dof_count; i++) { // v at t = 0 as a travel over two steps
        view->motion.d[i] *= system->k;
        view->motion.next[i] = view->motion.d[i];
    }
    for (int32_t i = 0; i < system->probe_count; i++)
        system->first_row[i] = sis_probe_before(system, &system->readers[i], view) +
                               sis_probe_after(system, &system->readers[i], view);
}

// The odd psi = sgn(eta) sqrt(2 phi) of a two-sided law.
static double odd_psi(const power_law* law, double eta) {
    double psi = sqrt(2 * power_phi(law, power_depth(law, eta)));
    return eta < 0 ? -psi : psi;
}

// psi between the first two samples. With alpha = 1 a two-sided contact keeps
// psi^{n+1/2} = (psi(eta^{n+1}) + psi(eta^n))/2 in every sample, so that is where it begins
// (Willemsen 2019, eq. 9); of one-sided laws it is the psi of the mean potential `E`.
static double first_psi(const power_law* law, double before, double eta, double E) {
    return law->both ? 0.5 * (odd_psi(law, before) + odd_psi(law, eta)) : sqrt(2 * E);
}

// The contact's energy at the first half sample: the potential its scheme holds there. (m->E is the
// mean of phi.)
static void start_energy(const network_link* link, contact_memory* m) {
    if (link->scheme == SIS_SCHEME_QUADRATISED) {
        m->psi = first_psi(&link->power, m->before, m->eta, m->E);
        if (link->power.both) m->E = 0.5 * m->psi * m->psi;
    }
    if (!link->midpoint) return;
    m->E = power_phi(&link->power, power_depth(&link->power, 0.5 * (m->eta + m->before)));
}

// exact: the flow itself makes the first step, and its energy is what the flow conserves.
static void start_exact(const network_link* link, double k, contact_memory* m, double free,
                        double* force, double* travel) {
    contact_cost cost = {0};
    double eta = m->eta, mass = k * k / link->G, speed = free / k;
    double phi = power_phi(&link->power, power_depth(&link->power, eta));
    exact_point end = sis_exact_flow(&link->power, link->table, mass, eta, speed, phi, k, &cost);
    bool flies = end.phi == 0 && phi == 0 && end.speed == speed;
    double r = flies ? free : end.eta - eta;
    *force = 2 * (free - r) / link->G;
    if (!link->power.both && *force < 0) *force = 0; // rounding of a soft contact
    *travel = r;
    double E = flies ? 0 : 0.5 * mass * (speed * speed - r * r / (k * k)) + phi;
    m->E = E > 0 ? E : 0;
    m->before = eta;
    m->eta = eta + r;
    m->force = *force;
    m->phi_before = phi;
    m->speed = end.speed;
    m->mark_depth = power_depth(&link->power, end.eta);
    m->mark_phi = end.phi;
}

// The integrators of an impact make the first step themselves.
static void start_impact(const network_link* link, double k, contact_memory* m, double free,
                         double speed, double* force, double* travel, contact_cost* cost) {
    double kick;
    impact_problem problem = sis_network_impact(link, k, 2 * (free - k * speed) / (k * k), &kick);
    impact_state from = {m->eta, speed, sis_impact_law(&problem, m->eta, speed, cost), 0, 0, false};
    from.v += 0.5 * kick; // half a kick: the start is the middle of its sample
    impact_state end = sis_impact_step(&problem, from, cost);
    *travel = end.x - m->eta;
    *force = 2 * (free - *travel) / link->G;
    m->shown = from.force;
    m->E = sis_impact_stored(&problem, m->eta, end, power_phi(&link->power, end.x));
    m->before = m->eta;
    m->eta = end.x;
    m->speed = end.v;
    m->law_force = end.force;
    m->entry = end.entry;
}

// root: the force at eta^0, as published, and P between the first two samples.
static void start_root(const network_link* link, contact_memory* m, double free, double* force,
                       double* travel) {
    double x = power_depth(&link->power, m->eta), phi = power_phi(&link->power, x);
    double slope = power_force(&link->power, x, phi);
    double curve = power_curve(&link->power, x, slope);
    if (link->power.both && m->eta < 0) slope = -slope;
    double step = free - 0.5 * link->G * slope;
    *force = m->force = slope;
    *travel = step;
    m->before = m->eta;
    m->eta += step;
    m->E = phi + link->s * step * (slope + 0.5 * curve * step);
}

static void start_block(const sis_system* system, const network_block* block, network_link* links,
                        const double* velocity, state_view* view) {
    network_work* work = &view->work;
    int32_t first = block->first;
    if (block->count == 1 && links[first].kind == LINK_CONTACT &&
        links[first].scheme == SIS_SCHEME_EXACT && !links[first].line) {
        start_exact(&system->links[first], system->k, &work->memory[first], work->free[first],
                    &work->force[first], &work->travel[first]);
        return;
    }
    if (block->count == 1 && network_link_is_impact(&links[first])) {
        start_impact(&system->links[first], system->k, &work->memory[first], work->free[first],
                     sis_link_read(&system->links[first], view, velocity), &work->force[first],
                     &work->travel[first], &work->cost[first]);
        return;
    }
    if (links[first].kind == LINK_CONTACT && links[first].scheme == SIS_SCHEME_ROOT) {
        start_root(&system->links[first], &work->memory[first], work->free[first],
                   &work->force[first], &work->travel[first]);
        return;
    }
    sis_network_start(block, links, system->k, work);
    for (int32_t i = first; i < first + block->count; i++)
        if (links[i].kind == LINK_CONTACT) start_energy(&system->links[i], &work->memory[i]);
}

// d = free + D^-1 push/2.
static void start_bodies(const sis_system* system, state_view* view) {
    body_motion* motion = &view->motion;
    for (int32_t i = 0; i < system->dof_count; i++)
        motion->push[i] = 0;
    for (int32_t i = 0; i < system->link_count; i++)
        sis_link_push(&system->links[i], view, view->work.force[i], motion->push);
    for (int32_t b = 0; b < system->bank_count; b++) {
        const body_bank* bank = &system->banks[b];
        double* moved = motion->room + bank->first;
        bank->kind->admit(bank, motion->push + bank->first, moved);
        for (int32_t i = 0; i < bank->count; i++) {
            int32_t at = bank->first + i;
            motion->d[at] = motion->next[at] + 0.5 * moved[i];
            motion->u[at] += motion->d[at];
        }
    }
}

// All points are awake, and remember what they have been through.
static void start_row(const network_row* row, state_view* view) {
    double* cells = sis_row_cells(row, view);
    for (int32_t j = 0; j < row->count; j++) {
        const contact_memory* m = &view->work.memory[row->first + j];
        const double fields[ROW_FIELDS] = {m->eta,   m->before,     m->E,          m->psi,
                                           m->force, m->phi_before, m->mark_depth, m->mark_phi};
        for (int32_t f = 0; f < ROW_FIELDS; f++)
            cells[(size_t)f * row->plane + (size_t)j] = fields[f];
        view->awake[row->word + j / ROW_WORD] |= (uint64_t)1 << j % ROW_WORD;
    }
}

// Names the strongest contact, spring or bow.
static bool refuse_start(compile_plan* plan, const state_view* view, sis_error* error) {
    const sis_system* system = plan->system;
    double strongest = 0; // N
    for (int32_t g = 0; g < system->group_count; g++) {
        const sis_link_info* info = &system->link_info[g];
        if (plan->object != SIS_NONE && !(view->report[g].max_force > strongest)) continue;
        strongest = view->report[g].max_force;
        plan->object = sis_scene_find(plan->scene, info->kind, info->name);
    }
    sis_kind kind = sis_scene_kind(plan->scene, plan->object);
    const char* key = kind == SIS_KIND_CONTACT ? "K" : kind == SIS_KIND_SPRING ? "K1" : "";
    sis_label label = sis_label_of(kind, sis_scene_name(plan->scene, plan->object));
    if (plan->object == SIS_NONE) label.text[0] = 0;
    return sis_fail_key(
        error, SIS_REFUSED, key,
        "%s%sthe start holds more than 1e150 J: some body begins too deep inside a contact "
        "or spring%s%s%s",
        label.text, *label.text ? ": " : "", *key ? " of this '" : "", key, *key ? "'" : "");
}

bool sis_compile_start(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t links_size = (size_t)system->link_count * sizeof(network_link) + 1;
    network_link* links = sis_arena_take(&plan->arena, links_size, error);
    system->image = sis_arena_take(&system->arena, system->state_size, error);
    if (!links || !system->image) return false;
    memcpy(links, system->links, (size_t)system->link_count * sizeof(network_link));
    state_view view = sis_view(system, system->image);
    for (int32_t i = 0; i < system->dof_count; i++) {
        view.motion.u[i] = plan->position[i];
        view.motion.d[i] = plan->velocity[i]; // a velocity until the bodies have started
        view.motion.F[i] = system->weight[i];
    }
    memcpy((char*)system->image + system->offset[ROW_floor], plan->floor,
           (size_t)system->floor_room * sizeof *plan->floor);
    sis_apply_sources(system, view.motion.F, 0);
    sis_stretch_columns(system, &view);
    for (int32_t l = 0; l < system->link_count; l++) {
        const network_link* link = &system->links[system->link_at[l]];
        view.work.memory[system->link_at[l]].eta =
            link->kind == LINK_STRETCH ? sis_link_read(link, &view, view.motion.u) : plan->eta[l];
    }
    sis_set_bows(system, &view, 0);
    first_row(system, &view);
    for (int32_t i = 0; i < system->dof_count; i++) {
        view.motion.d[i] = plan->velocity[i];
        view.motion.next[i] = 0;
    }
    for (int32_t b = 0; b < system->bank_count; b++)
        system->banks[b].kind->start(&system->banks[b], &view.motion, system->k, system->k);
    for (int32_t i = 0; i < system->link_count; i++)
        view.work.free[i] = sis_link_read(&system->links[i], &view, view.motion.next);
    for (int32_t b = 0; b < system->block_count; b++)
        start_block(system, &system->blocks[b], links, plan->velocity, &view);
    start_bodies(system, &view);
    for (int32_t i = 0; i < system->link_count; i++) {
        sis_count_link(system, &view, i, 0);
        view.work.cost[i] = (contact_cost){0};
    }
    sis_count_groups(system, &view);
    for (int32_t g = 0; g < system->group_count; g++) { // compile may iterate: that is not the run
        view.report[g].iterations = view.report[g].iterated_samples = 0;
        view.report[g].unconverged = 0;
        view.report[g].iterations_max = view.report[g].powers_max = 0;
    }
    for (int32_t r = 0; r < system->row_count; r++)
        start_row(&system->rows[r], &view);
    system->initial = sis_stored_energy(system, &view).total;
    if (system->initial < 1e150) return true; // false also when it is not a number
    return refuse_start(plan, &view, error);
}
