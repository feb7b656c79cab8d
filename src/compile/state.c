// The flat state: pointers into it, its energy, its counters.
#include "compile/system.h"

#include <math.h>

state_view sis_view(const sis_system* system, const sis_state* state) {
    char* base = (char*)(uintptr_t)state;
    state_view view = {0};
#define AT(name) (void*)(base + system->offset[ROW_##name])
    view.motion = (body_motion){AT(u),         AT(d), AT(kick), AT(rest),
                                AT(body_free), AT(F), AT(push), AT(body_travel)};
    view.work = (network_work){.memory = AT(memory),
                               .cost = AT(cost),
                               .free = AT(link_free),
                               .force = AT(force),
                               .travel = AT(travel),
                               .q = AT(q),
                               .a = AT(a),
                               .at = AT(at),
                               .loss = AT(loss),
                               .y = AT(y),
                               .s = AT(s),
                               .step = AT(step),
                               .ref = AT(ref),
                               .stiff = AT(stiff),
                               .g = AT(g),
                               .phi = AT(phi),
                               .old_force = AT(old_force),
                               .old_travel = AT(old_travel),
                               .matrix = AT(matrix)};
    view.report = AT(report);
#undef AT
    return view;
}

sis_energy sis_stored_energy(const sis_system* system, const state_view* view) {
    sis_energy e = {0};
    for (int b = 0; b < BANK_COUNT; b++)
        system->banks[b].kind->energy(&system->banks[b], &view->motion, &e.kinetic, &e.elastic);
    for (int32_t i = 0; i < system->link_count; i++) {
        const contact_memory* m = &view->work.memory[i];
        if (system->links[i].spring)
            e.elastic += spring_energy(&system->links[i].elastic, m->eta, m->before);
        else
            e.contact += m->E;
    }
    e.total = e.kinetic + e.elastic + e.contact;
    return e;
}

void sis_count_link(const network_link* link, const state_view* view, int32_t i, uint64_t sample) {
    const contact_memory* m = &view->work.memory[i];
    const contact_cost* cost = &view->work.cost[i];
    sis_link_report* report = &view->report[i];
    double force = sis_shown_force(link, view, i);
    double depth = link->spring ? fabs(m->before) : power_depth(&link->power, m->before);
    if (force > report->max_force) report->max_force = force;
    if (force < report->min_force) report->min_force = force;
    if (depth > report->max_penetration) report->max_penetration = depth;
    report->contact_samples += depth > 0;
    if (cost->powers > report->powers_max) report->powers_max = cost->powers;
    if (cost->iterations) {
        report->iterations += cost->iterations;
        report->iterated_samples++;
        if (cost->iterations > report->iterations_max) report->iterations_max = cost->iterations;
    }
    if (m->E < report->lowest) report->lowest = m->E;
    if (cost->lowest_bound < report->lowest_bound) report->lowest_bound = cost->lowest_bound;
    if (cost->complex_root && report->complex_roots++ == 0) {
        report->first_complex = sample;
        report->discriminant = cost->discriminant;
    }
    if (cost->impact_ended) {
        report->impacts++;
        report->drift_sum += cost->drift;
        if (fabs(cost->drift) > report->drift_max) report->drift_max = fabs(cost->drift);
    }
    // Held while open and giving no force: energy the motion should have. (A contact shorter than a
    // sample acts between two open samples; what it holds then is on its way back.)
    if (m->E > report->trapped_max && force == 0 && depth == 0 && !link->spring &&
        power_depth(&link->power, m->eta) == 0)
        report->trapped_max = m->E;
}
