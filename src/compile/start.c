// The first step, u^1 from u^0 and v^0 to second order with every force in it, and row 0 of the
// outputs.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

// What is given: displacement, velocity, forces at t = 0, eta^0.
static state_view put_given(const compile_plan* plan) {
    const sis_system* system = plan->system;
    state_view view = sis_view(system, system->image);
    for (int32_t i = 0; i < system->dof_count; i++) {
        view.motion.u[i] = plan->position[i];
        view.motion.d[i] = plan->velocity[i]; // a velocity until the bodies have started
    }
    for (int32_t i = 0; i < system->input_count; i++)
        view.motion.inputs[i] =
            (input_state){.target = system->inputs[i].start, .value = system->inputs[i].start};
    for (int32_t i = 0; i < system->live_count; i++)
        view.applied[i] = live_at(system->live[i].number, view.motion.inputs);
    for (int32_t i = 0; i < system->dof_count; i++)
        view.motion.F[i] = sis_weight_at(system, &view, i);
    memcpy((char*)system->image + system->offset[ROW_motion_lower_bound], plan->lower_bound,
           (size_t)system->bound_size * sizeof *plan->lower_bound);
    sis_move_bounds(system, &view);
    sis_apply_sources(system, &view, 0);
    sis_modulation_columns(system, &view);
    sis_set_bows(system, &view, 0);
    for (int32_t l = 0; l < system->link_count; l++) {
        const network_link* link = &system->links[system->link_at[l]];
        view.work.memory.eta[system->link_at[l]] =
            link->class->modulation ? sis_link_read(link, &view, view.motion.u) : plan->eta[l];
    }
    return view;
}

// Row 0: the given displacement and velocity, and the force of each link at t = 0.
static void first_row(const sis_system* system, state_view* view) {
    for (int32_t i = 0; i < system->link_count; i++) {
        const network_link* link = &system->links[i];
        double speed = sis_link_read(link, view, view->motion.d);
        view->work.force[i] = link->class->first_force(link, system->k, i, speed, &view->work);
    }
    for (int32_t i = 0; i < system->dof_count; i++) // v at t = 0 as a travel over two steps
        view->motion.next[i] = view->motion.d[i] *= system->k;
    for (int32_t i = 0; i < system->probe_count; i++)
        system->first_row[i] = sis_probe_before(system, &system->readers[i], view) +
                               sis_probe_after(system, &system->readers[i], view);
}

// ---------------------------------------------------------------------------- the first step

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

// The contact's energy at the first half sample: the potential its scheme holds there. (E is the
// mean of phi.)
static void start_energy(const contact_law* law, const contact_memory* m, int32_t i) {
    if (law->scheme == SIS_SCHEME_QUADRATISED) {
        m->psi[i] = first_psi(&law->power, m->before[i], m->eta[i], m->E[i]);
        if (law->power.both) m->E[i] = 0.5 * m->psi[i] * m->psi[i];
    }
    if (!law->midpoint) return;
    m->E[i] = power_phi(&law->power, power_depth(&law->power, 0.5 * (m->eta[i] + m->before[i])));
}

// exact: the flow itself makes the first step, and its energy is what the flow conserves.
static contact_push start_exact(const contact_law* law, double k, const contact_memory* m,
                                int32_t i, double free, double G) {
    contact_cost cost = {0};
    double eta = m->eta[i], mass = k * k / G, speed = free / k;
    double phi = power_phi(&law->power, power_depth(&law->power, eta));
    exact_point end = sis_exact_flow(&law->power, law->table, mass, eta, speed, phi, k, &cost);
    bool flies = end.phi == 0 && phi == 0 && end.speed == speed;
    double r = flies ? free : end.eta - eta, force = 2 * (free - r) / G;
    if (!law->power.both && force < 0) force = 0; // rounding of a soft contact
    double E = flies ? 0 : 0.5 * mass * (speed * speed - r * r / (k * k)) + phi;
    m->E[i] = E > 0 ? E : 0;
    m->phi_before[i] = phi;
    m->speed[i] = end.speed;
    m->mark_depth[i] = power_depth(&law->power, end.eta);
    m->mark_phi[i] = end.phi;
    return (contact_push){force, r, 0};
}

// The integrators of an impact make the first step themselves.
static contact_push start_impact(const contact_law* law, double k, const contact_memory* m,
                                 int32_t i, double free, double G, double speed,
                                 contact_cost* cost) {
    double kick, eta = m->eta[i];
    impact_problem problem = sis_contact_impact(law, k, G, 2 * (free - k * speed) / (k * k), &kick);
    impact_state from = {eta, speed, sis_impact_law(&problem, eta, speed, cost), 0, 0, false};
    from.v += 0.5 * kick; // half a kick: the start is the middle of its sample
    impact_state end = sis_impact_step(&problem, from, cost);
    m->shown[i] = from.force;
    m->E[i] = sis_impact_stored(&problem, eta, end, power_phi(&law->power, end.x));
    m->speed[i] = end.v;
    m->law_force[i] = end.force;
    m->entry[i] = end.entry;
    return (contact_push){2 * (free - (end.x - eta)) / G, end.x - eta, 0};
}

// root: the force at eta^0, as published, and P between the first two samples.
static contact_push start_root(const contact_law* law, const contact_memory* m, int32_t i,
                               double free, double G) {
    double x = power_depth(&law->power, m->eta[i]), phi = power_phi(&law->power, x);
    double slope = power_force(&law->power, x, phi), curve = power_curve(&law->power, x, slope);
    if (law->power.both && m->eta[i] < 0) slope = -slope;
    double step = free - 0.5 * G * slope;
    m->E[i] = phi + law->s * step * (slope + 0.5 * curve * step);
    return (contact_push){slope, step, 0};
}

// Schemes that make the first step by themselves; they are alone in their block.
static void start_flow(const sis_system* system, int32_t i, const double* velocity,
                       state_view* view) {
    const network_link* link = &system->links[i];
    const contact_law* law = link->contact;
    const contact_memory* m = &view->work.memory;
    double free = view->work.free[i], k = system->k;
    contact_push push;
    if (law->scheme == SIS_SCHEME_ROOT)
        push = start_root(law, m, i, free, link->G);
    else if (law->scheme == SIS_SCHEME_EXACT)
        push = start_exact(law, k, m, i, free, link->G);
    else
        push = start_impact(law, k, m, i, free, link->G, sis_link_read(link, view, velocity),
                            &view->work.cost[i]);
    m->force[i] = view->work.force[i] = push.force;
    view->work.travel[i] = push.travel;
    m->before[i] = m->eta[i];
    m->eta[i] += push.travel;
}

// `links` have the laws of a start.
static void start_block(const sis_system* system, const network_block* block,
                        const network_link* links, const double* velocity, state_view* view) {
    const contact_law* first = system->links[block->first].contact;
    if (first && contact_flows(first)) {
        start_flow(system, block->first, velocity, view);
        return;
    }
    sis_network_start(block, links, system->k, &view->work);
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const contact_law* law = system->links[i].contact;
        if (law) start_energy(law, &view->work.memory, i);
    }
}

// d = free + D^-1 link_force/2.
static void start_bodies(const sis_system* system, state_view* view) {
    body_motion* motion = &view->motion;
    for (int32_t i = 0; i < system->dof_count; i++)
        motion->link_force[i] = 0;
    for (int32_t i = 0; i < system->link_count; i++)
        sis_link_add_force(&system->links[i], view, view->work.force[i], motion->link_force);
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        double* moved = motion->scratch + bodies->first;
        bodies->kind->admit(bodies, motion->link_force + bodies->first, moved);
        for (int32_t i = 0; i < bodies->count; i++) {
            int32_t at = bodies->first + i;
            motion->d[at] = motion->next[at] + 0.5 * moved[i];
            motion->u[at] += motion->d[at];
        }
    }
}

// Links with the laws of the first step.
static network_link* start_links(compile_plan* plan, sis_error* error) {
    const sis_system* system = plan->system;
    size_t count = (size_t)system->link_count, groups = (size_t)system->group_count;
    network_link* links = sis_arena_take(&plan->arena, count * sizeof *links + 1, error);
    contact_law* laws = sis_arena_take(&plan->arena, groups * sizeof *laws + 1, error);
    if (!links || !laws) return NULL;
    for (size_t g = 0; g < groups; g++)
        laws[g] = sis_network_start_law(&system->contacts[g], system->k);
    for (size_t i = 0; i < count; i++) {
        links[i] = system->links[i];
        if (links[i].contact) links[i].contact = &laws[links[i].contact - system->contacts];
    }
    return links;
}

// From u^0 and v^0 to u^1.
static void first_step(const compile_plan* plan, const network_link* links, state_view* view) {
    const sis_system* system = plan->system;
    for (int32_t i = 0; i < system->dof_count; i++) {
        view->motion.d[i] = plan->velocity[i];
        view->motion.next[i] = 0;
    }
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        bodies->kind->start(bodies, &view->motion, system->k, system->k);
    }
    for (int32_t i = 0; i < system->link_count; i++)
        view->work.free[i] = sis_link_read(&system->links[i], view, view->motion.next);
    for (int32_t b = 0; b < system->block_count; b++)
        start_block(system, &system->blocks[b], links, plan->velocity, view);
    start_bodies(system, view);
}

// Counts the first sample, and wakes all points.
static void begin_counts(const sis_system* system, state_view* view) {
    for (int32_t i = 0; i < system->link_count; i++) {
        sis_count_link(system, view, i, 0);
        view->work.cost[i] = (contact_cost){0};
    }
    sis_count_groups(system, view);
    for (int32_t g = 0; g < system->group_count; g++) { // compile may iterate: that is not the run
        sis_link_report* report = &view->report[g];
        report->iterations = report->iterated_samples = 0;
        report->unconverged = 0;
        report->iterations_max = report->powers_max = 0;
    }
    for (int32_t l = 0; l < system->line_count; l++) {
        const contact_line* line = &system->lines[l];
        for (int32_t j = 0; j < line->count; j++)
            view->awake[line->word + j / LINE_WORD] |= (uint64_t)1 << j % LINE_WORD;
        view->lines[l].awake = line->count;
    }
    for (int32_t b = 0; b < system->block_count; b++)
        view->blocks[b].awake = 1;
}

// Names the strongest contact, spring or bow.
static bool refuse_start(compile_plan* plan, const state_view* view, sis_error* error) {
    const sis_system* system = plan->system;
    double strongest = 0; // N
    for (int32_t g = 0; g < system->group_count; g++) {
        if (plan->object != SIS_NONE && !(view->report[g].max_force > strongest)) continue;
        strongest = view->report[g].max_force;
        plan->object = plan->linked[g];
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
    system->image = sis_arena_take(&system->arena, system->state_size, error);
    const network_link* links = start_links(plan, error);
    if (!links || !system->image) return false;
    state_view view = put_given(plan);
    first_row(system, &view);
    first_step(plan, links, &view);
    begin_counts(system, &view);
    sis_spread_parts(system, &view);
    system->initial = sis_stored_energy(system, &view).total;
    if (system->initial < 1e150) return true; // false also when it is not a number
    return refuse_start(plan, &view, error);
}
