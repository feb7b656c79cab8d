// The flat state: pointers into it, its energy, its counters.
#include "compile/system.h"

#include <math.h>

state_view sis_view(const sis_system* system, const sis_state* state) {
    char* base = (char*)(uintptr_t)state;
    state_view view = {0};
#define AT(name) (void*)(base + system->offset[ROW_##name])
    view.motion =
        (body_motion){AT(u), AT(even), AT(odd), AT(rest), AT(F), AT(push), AT(room), AT(column)};
    if (state->turn) sis_view_turn(&view);
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
                               .base = AT(base),
                               .step = AT(step),
                               .ref = AT(ref),
                               .stiff = AT(stiff),
                               .g = AT(g),
                               .phi = AT(phi),
                               .old_force = AT(old_force),
                               .old_travel = AT(old_travel),
                               .matrix = AT(matrix),
                               .gathered = AT(gathered),
                               .set_at = AT(set_at),
                               .set_row = AT(set_row),
                               .set_start = AT(set_start),
                               .set_force = AT(set_force),
                               .set_travel = AT(set_travel),
                               .chosen = AT(chosen),
                               .column = AT(column),
                               .response = AT(response)};
    view.report = AT(report);
    view.awake = AT(awake);
    view.risen = AT(risen);
    view.sample = AT(sample);
#undef AT
    return view;
}

sis_energy sis_stored_energy(const sis_system* system, const state_view* view) {
    sis_energy e = {0};
    for (int32_t b = 0; b < system->bank_count; b++)
        system->banks[b].kind->energy(&system->banks[b], &view->motion, &e.kinetic, &e.elastic);
    for (int32_t i = 0; i < system->link_count; i++) {
        const contact_memory* m = &view->work.memory[i];
        if (system->links[i].kind != LINK_CONTACT)
            e.elastic += network_elastic_energy(&system->links[i], m);
        else
            e.contact += m->E;
    }
    e.total = e.kinetic + e.elastic + e.contact;
    return e;
}

void sis_stretch_columns(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->stretch_count; i++) {
        const network_link* link = &system->links[system->stretches[i]];
        for (int32_t b = BANK_STRING; b < system->bank_count; b++) {
            const body_bank* bank = &system->banks[b];
            if (bank->first != link->below.first || !bank->kind->stretch) continue;
            bank->kind->stretch(bank, &view->motion);
            bank->kind->admit(bank, view->motion.column + bank->first,
                              view->work.response + bank->first);
        }
    }
}

void sis_set_bows(const sis_system* system, const state_view* view, double time) {
    for (int32_t i = 0; i < system->bow_count; i++) {
        contact_memory* m = &view->work.memory[system->bows[i].link];
        m->press = sis_envelope_at(system->bows[i].force, time);
        m->glide = sis_envelope_at(system->bows[i].velocity, time);
    }
}

double sis_link_read(const network_link* link, const state_view* view, const double* values) {
    if (link->kind != LINK_STRETCH)
        return network_read(&link->below, values) - network_read(&link->above, values);
    network_end end = link->below;
    end.weight = view->motion.column + end.first;
    return network_read(&end, values);
}

double sis_link_travel(const network_link* link, const state_view* view) {
    return sis_link_read(link, view, view->motion.next) + sis_link_read(link, view, view->motion.d);
}

void sis_link_push(const network_link* link, const state_view* view, double f, double* push) {
    network_end below = link->below;
    if (link->kind == LINK_STRETCH) below.weight = view->motion.column + below.first;
    network_write(&below, -f, push);
    network_write(&link->above, f, push);
}

double sis_eta_before(const sis_system* system, const state_view* view, int32_t i) {
    if (system->row_of[i] < 0 || view->awake[i]) return view->work.memory[i].eta;
    const network_row* row = &system->rows[system->row_of[i]];
    return network_row_eta(row, view->motion.u, i - row->first);
}

double sis_eta_after(const sis_system* system, const state_view* view, int32_t i) {
    if (system->row_of[i] < 0 || view->awake[i]) return view->work.memory[i].before;
    const network_row* row = &system->rows[system->row_of[i]];
    int32_t j = i - row->first;
    const double *u = view->motion.u, *d = view->motion.d;
    return row->offset[j] + ((row->below >= 0 ? u[row->below + j] - d[row->below + j] : 0) -
                             (row->above >= 0 ? u[row->above + j] - d[row->above + j] : 0));
}

static void count_special(const contact_cost* cost, sis_link_report* report, uint64_t sample) {
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
}

void sis_count_link(const sis_system* system, const state_view* view, int32_t i, uint64_t sample) {
    if (system->owner[i] < 0) return;
    const network_link* link = &system->links[i];
    const contact_memory* m = &view->work.memory[i];
    const contact_cost* cost = &view->work.cost[i];
    sis_link_report* report = &view->report[system->owner[i]];
    group_sample* now = &view->sample[system->owner[i]];
    double force = sis_shown_force(link, view, i);
    double depth = link->kind == LINK_CONTACT  ? power_depth(&link->power, m->before)
                   : link->kind == LINK_SPRING ? fabs(m->before)
                                               : 0;
    if (force > report->max_force) report->max_force = force;
    if (force < report->min_force) report->min_force = force;
    if (depth > report->max_penetration) report->max_penetration = depth;
    now->inside += depth > 0;
    if (cost->powers > now->powers) now->powers = cost->powers;
    if (cost->iterations > now->iterations) now->iterations = cost->iterations;
    if (m->E < report->lowest) report->lowest = m->E;
    count_special(cost, report, sample);
    // Held while open and giving no force: energy the motion should have. (A contact shorter than a
    // sample acts between two open samples; what it holds then is on its way back.)
    if (force == 0 && depth == 0 && link->kind == LINK_CONTACT &&
        power_depth(&link->power, m->eta) == 0)
        now->held += m->E;
}

void sis_count_groups(const sis_system* system, const state_view* view) {
    for (int32_t g = 0; g < system->group_count; g++) {
        sis_link_report* report = &view->report[g];
        group_sample* now = &view->sample[g];
        report->contact_samples += now->inside > 0;
        if (now->inside > report->points_max) report->points_max = now->inside;
        if (now->held > report->trapped_max) report->trapped_max = now->held;
        if (now->powers > report->powers_max) report->powers_max = now->powers;
        if (now->iterations) {
            report->iterations += now->iterations;
            report->iterated_samples++;
            if (now->iterations > report->iterations_max) report->iterations_max = now->iterations;
        }
        *now = (group_sample){0, 0, 0, 0};
    }
}
