// What a run tells: outputs, contacts, the energy balance.
#include "step/live.h"

#include <math.h>

// ---------------------------------------------------------------------------- outputs
//
// What an output reads before the step of its sample, and after it.

static double read_before(const sis_system* system, const probe_reader* probe,
                          const state_view* view) {
    if (probe->quantity == SIS_QUANTITY_DISPLACEMENT)
        return probe->end.count ? network_read(&probe->end, view->motion.u) : probe->height;
    if (probe->quantity != SIS_QUANTITY_PENETRATION) return 0;
    double largest = -HUGE_VAL;
    for (int32_t i = 0; i < probe->link_count; i++) {
        const contact_law* law = system->links[probe->links[i]].contact;
        double eta = sis_eta_before(system, view, probe->links[i]);
        if (law && law->power.limited) eta = fabs(eta) - law->power.play;
        if (eta > largest) largest = eta;
    }
    return largest;
}

static double read_after(const sis_system* system, const probe_reader* probe,
                         const state_view* view) {
    if (probe->quantity == SIS_QUANTITY_VELOCITY && probe->link_count) // under a bow
        return view->work.travel[*probe->links] / (2 * system->k) -
               view->work.bow[system->links[*probe->links].bow].velocity;
    if (probe->quantity == SIS_QUANTITY_VELOCITY) {
        network_pair moved = sis_read_two(system, &probe->end, view->motion.next, view->motion.d);
        return (moved.a + moved.b) / (2 * system->k);
    }
    if (probe->quantity != SIS_QUANTITY_FORCE) return 0;
    double sum = 0;
    for (int32_t i = 0; i < probe->link_count; i++)
        sum += sis_shown_force(&system->links[probe->links[i]], view, probe->links[i]);
    return sum;
}

double sis_probe_before(const sis_system* system, const probe_reader* probe,
                        const state_view* view) {
    const double value = read_before(system, probe, view);
    return probe->gain.input < 0 ? value : value * live_at(probe->gain, view->motion.inputs);
}

double sis_probe_after(const sis_system* system, const probe_reader* probe,
                       const state_view* view) {
    const double value = read_after(system, probe, view);
    return probe->gain.input < 0 ? value : value * live_at(probe->gain, view->motion.inputs);
}

// ---------------------------------------------------------------------------- links
//
// What contacts, springs and bows do and have done: depth, force, trapped energy, iterations.

bool sis_link_sleeps(const sis_system* system, const state_view* view, int32_t i) {
    int32_t b = system->block_of[i];
    if (system->line_of[i] < 0)
        return (system->blocks[b].sleeps && !view->blocks[b].awake) ||
               (system->blocks[b].springs && network_slack(&system->links[i]));
    const contact_line* line = &system->lines[system->line_of[i]];
    return line->kernel && !line_awake(view->awake + line->word, i - line->first);
}

double sis_eta_before(const sis_system* system, const state_view* view, int32_t i) {
    if (!sis_link_sleeps(system, view, i)) return view->work.memory.eta[i];
    return system->line_offset[i] + network_apart(&system->links[i], view->motion.u);
}

double sis_eta_after(const sis_system* system, const state_view* view, int32_t i) {
    if (!sis_link_sleeps(system, view, i)) return view->work.memory.before[i];
    return sis_eta_before(system, view, i) - network_apart(&system->links[i], view->motion.d);
}

static void count_special(const network_link* link, const contact_cost* cost,
                          sis_link_report* report, uint64_t sample) {
    bool impact = contact_is_impact(link->contact);
    if (cost->lowest_bound < report->lowest_bound) report->lowest_bound = cost->lowest_bound;
    if (impact && cost->complex_root && report->diverged++ == 0) {
        report->first_diverged = sample;
        report->growth = cost->discriminant;
    }
    if (!impact && cost->complex_root && report->complex_roots++ == 0) {
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
    int32_t owner = system->owner[i];
    if (owner < 0) return;
    const network_link* link = &system->links[i];
    const contact_memory* m = &view->work.memory;
    const contact_cost* cost = &view->work.cost[i];
    sis_link_report* report = &view->report[owner];
    group_sample* now = &view->sample[owner];
    double force = sis_shown_force(link, view, i);
    double depth = network_depth(link, m->before[i]);
    if (force > report->max_force) report->max_force = force;
    if (force < report->min_force) report->min_force = force;
    if (depth > report->max_penetration) report->max_penetration = depth;
    if (depth > 0) now->inside++;
    if (cost->powers > now->powers) now->powers = cost->powers;
    if (cost->iterations > now->iterations) now->iterations = cost->iterations;
    now->unsolved += cost->unsolved;
    if (!network_is_contact(link)) return;
    if (m->E[i] < report->lowest) report->lowest = m->E[i];
    if (link->contact->scheme >= SIS_SCHEME_ROOT) count_special(link, cost, report, sample);
    // Held while open and giving no force: energy the motion should have. (A contact shorter than a
    // sample acts between two open samples; what it holds then is on its way back. The integrators
    // show the force of the law at the sample, which is 0 then, but push all the same.)
    bool pushes = force != 0 || view->work.force[i] != 0;
    if (!pushes && depth == 0 && network_depth(link, m->eta[i]) == 0) now->held += m->E[i];
}

void sis_count_line(const contact_line* line, const state_view* view, const line_tally* t) {
    sis_link_report* report = &view->report[line->owner];
    group_sample* now = &view->sample[line->owner];
    if (t->most > report->max_force) report->max_force = t->most;
    if (t->least < report->min_force) report->min_force = t->least;
    if (t->deepest > report->max_penetration) report->max_penetration = t->deepest;
    if (t->lowest < report->lowest) report->lowest = t->lowest;
    now->inside += t->inside;
    now->held += t->held;
    if (t->powers > now->powers) now->powers = t->powers;
    if (t->iterations > now->iterations) now->iterations = t->iterations;
    now->unsolved += t->unsolved;
}

void sis_count_groups(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->counted_count; i++) {
        const int32_t g = system->counted[i];
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
        report->unconverged += now->unsolved > 0;
        *now = (group_sample){0};
    }
}

sis_link_report sis_state_link(const sis_system* system, const sis_state* state, int32_t i) {
    if (!sis_belongs(system, state) || i < 0 || i >= system->group_count)
        return (sis_link_report){0};
    return sis_view(system, state).report[i];
}

void sis_state_contact(const sis_system* system, const sis_state* state, int32_t link,
                       double* penetration, double* force) {
    if (!sis_belongs(system, state) || link < 0 || link >= system->group_count) return;
    const state_view whole = sis_view(system, state);
    const sis_system* part = sis_part(system, system->part_of[link]);
    const state_view view = sis_part_view(part, &whole);
    const sis_system* live = sis_live_system(part, &view);
    const link_group* group = &system->groups[link];
    for (int32_t j = 0; j < group->count; j++) {
        int32_t at = system->link_at[group->first + j];
        if (penetration) penetration[j] = sis_eta_after(live, &view, at);
        if (force) force[j] = sis_shown_force(&live->links[at], &view, at);
    }
    sis_live_done(live, &view);
}

// ---------------------------------------------------------------------------- energy balance
//
// The energy balance of a run: how far stored + dissipated - supplied strays, and what that is
// relative to.

// The larger one, and NaN if one of them is.
static double larger(double a, double b) {
    return isnan(a) || b <= a ? a : b;
}

void sis_balance_add(sis_balance* balance, const sis_energy* energies, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const sis_energy* e = &energies[i];
        balance->highest = larger(balance->highest, e->total);
        balance->flowed = larger(balance->flowed, e->total);
        balance->flowed = larger(balance->flowed, fabs(e->supplied));
        balance->flowed = larger(balance->flowed, e->dissipated);
        balance->off = larger(balance->off, fabs(e->residual));
    }
}

double sis_balance_residual(const sis_balance* balance) {
    return balance->flowed == 0 ? 0 : balance->off / balance->flowed;
}
