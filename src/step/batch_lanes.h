// Twins over lanes, a state a lane. Included by batch_2.c, batch_4.c and batch_8.c. Every operation
// of step.c, body/mass.c and network/alone.c is done here in the same order on each lane.
#include "body/mass_keeping.h"
#include "scheme/newton_lanes.h"
#include "scheme/quadratised_lanes.h"
#include "step/batch.h"

// A mass of each twin (body/mass.c).
typedef struct lanes_mass {
    lanes u, d, next, rest, F, push;
    lanes mass, stiffness, Dinv, drop, loss;
} lanes_mass;

// A contact of each twin: what is constant, what it remembers, its sample, its report.
typedef struct lanes_link {
    int32_t below, above; // masses; -1: at rest
    sis_scheme scheme;
    bool release, midpoint, lossy;
    lanes_law law;
    lanes G, mu;
    lanes eta, before, E, psi, kept, phi_before, mark_depth, mark_phi;
    lanes free, force, travel;
    lanes max_force, min_force, deepest, trapped, lowest;
    lanes inside, iterations, iterated; // counted in this block
    lanes most_iterations, most_powers;
    lanes_mask fell; // was beyond double precision in some sample
} lanes_link;

typedef struct lanes_probe {
    sis_quantity quantity;
    int32_t mass; // -1: at rest
    int32_t link_count;
    int32_t links[TWIN_MOST]; // in the order of lanes_batch
    lanes height;
    lanes value;
} lanes_probe;

typedef struct lanes_batch {
    lanes_mass masses[TWIN_MOST];
    lanes_link links[TWIN_MOST];
    lanes_probe probes[TWIN_MOST];
    lanes k, inverse_k;
    lanes supplied, supplied_rest, dissipated, dissipated_rest;
} lanes_batch;

// The number of one lane.
LANES_FN double* lane_of(lanes* x, int lane) {
    return (double*)x + lane;
}

LANES_FN void put(lanes* x, int lane, double value) {
    *lane_of(x, lane) = value;
}

// ---------------------------------------------------------------------------- masses

LANES_FN void advance(lanes_mass* m) {
    lanes kick = m->Dinv * (m->F - m->stiffness * m->u) - m->drop * m->d;
    m->next = lanes_add_keeping(m->d, kick + m->rest, &m->rest);
    m->u += m->next;
}

LANES_FN void give(lanes_mass* m, lanes push, lanes_mask pushed) {
    lanes before = m->next, rest = m->rest;
    m->push = lanes_pick(pushed, push, lanes_all(0));
    lanes next = lanes_add_keeping(before, m->Dinv * push + rest, &rest);
    m->rest = lanes_pick(pushed, rest, m->rest);
    m->next = lanes_pick(pushed, next, before);
    m->u = lanes_pick(pushed, m->u + (next - before), m->u);
}

// ---------------------------------------------------------------------------- contacts

// lanes_quadratised_force, but a contact that would pull keeps its E as well as its psi.
LANES_FN lanes psi_force(const lanes_link* link, lanes_contact* c, lanes* psi) {
    lanes held = c->E, was = *psi;
    lanes g = lanes_quadratised_g(&link->law, c, was, link->release);
    lanes a = 0.25 * g * g,
          at = lanes_pick(lanes_equal(g, lanes_all(0)), lanes_all(0), -4 * was / g);
    lanes under = 1 + c->G * a, force = a * (c->free - at) / under;
    *psi = was + 0.5 * g * (c->free + c->G * a * at) / under;
    c->E = 0.5 * *psi * *psi;
    if (!link->release) return force;
    lanes_mask pulls = lanes_less(force, lanes_all(0));
    *psi = lanes_pick(pulls, was, *psi);
    c->E = lanes_pick(pulls, held, c->E);
    return lanes_pick(pulls, lanes_all(0), force);
}

// What one sample of a contact finds out.
typedef struct lanes_found {
    lanes_contact c; // E, marks and powers
    lanes psi, iterations;
    lanes force; // the conservative one
} lanes_found;

// The conservative force under r = free - G f; `found` has the marks and counts so far.
LANES_FN void solve_contact(const lanes_link* link, lanes phi, lanes free, lanes G, lanes_mask used,
                            lanes_found* found) {
    lanes_contact* c = &found->c;
    c->now = link->eta;
    c->before = link->before;
    c->free = free;
    c->G = G;
    c->phi_now = phi;
    c->phi_before = link->phi_before;
    c->force_before = link->kept;
    c->E = link->E;
    found->psi = link->psi;
    if (link->midpoint) {
        // The same scheme in half variables, in which eta^n plays no part.
        c->now = lanes_all(-HUGE_VAL);
        c->before = 0.5 * (link->eta + link->before);
        c->free = 0.5 * free;
        c->G = 0.5 * G;
        c->phi_now = lanes_all(0);
        c->phi_before = phi;
        c->E = 0.5 * link->E;
    }
    found->force = link->scheme == SIS_SCHEME_LEDGER ? lanes_ledger_force(&link->law, c, used)
                   : link->scheme == SIS_SCHEME_NEWTON
                       ? lanes_newton_force(&link->law, c, used, &found->iterations)
                       : psi_force(link, c, &found->psi);
    if (link->midpoint) c->E = c->E / 0.5;
}

// The slope of the Hunt-Crossley loss, mu phi'(eta^n)/(2k).
LANES_FN lanes loss_of(const lanes_link* link, lanes k, lanes phi, lanes_mask used,
                       lanes_contact* c) {
    lanes_mask inside = lanes_less(lanes_all(0), link->eta);
    if (link->midpoint &&
        lanes_any(used & inside)) { // phi is the midpoint's: the loss takes its own
        phi = lanes_phi(&link->law, link->eta);
        c->powers = lanes_pick(used & inside, c->powers + 1, c->powers);
    }
    lanes loss = link->mu * lanes_force(&link->law, link->eta, phi) / (2 * k);
    loss = lanes_pick(lanes_less(loss, lanes_all(1e100)), loss, lanes_all(1e100));
    return lanes_pick(inside, loss, lanes_all(0));
}

LANES_FN lanes_found pick_found(lanes_mask m, const lanes_found* a, const lanes_found* b) {
    lanes_found out = *b;
    out.c.E = lanes_pick(m, a->c.E, b->c.E);
    out.c.mark_depth = lanes_pick(m, a->c.mark_depth, b->c.mark_depth);
    out.c.mark_phi = lanes_pick(m, a->c.mark_phi, b->c.mark_phi);
    out.c.powers = lanes_pick(m, a->c.powers, b->c.powers);
    out.psi = lanes_pick(m, a->psi, b->psi);
    out.iterations = lanes_pick(m, a->iterations, b->iterations);
    out.force = lanes_pick(m, a->force, b->force);
    return out;
}

// The active lanes of a contact with loss: f = F + loss r changes what the conservative part sees,
// r = free' - G' F. Returns what is lost, J; link->force and travel are set.
LANES_FN lanes solve_lossy(lanes_link* link, lanes k, lanes phi, lanes_mask used,
                           lanes_found* found) {
    lanes free = link->free, G = link->G, zero = lanes_all(0);
    lanes loss = loss_of(link, k, phi, used, &found->c), under = 1 + G * loss;
    lanes_found first = *found;
    solve_contact(link, phi, free / under, G / under, used, found);
    lanes r = (free - G * found->force) / under;
    lanes_mask damps = lanes_less(zero, loss);
    lanes_mask pulls = used & damps & lanes_less(found->force + loss * r, zero);
    if (lanes_any(pulls)) { // parting faster than the loss can follow: without loss
        first.c.powers = found->c.powers;
        first.iterations = found->iterations;
        solve_contact(link, phi, free, G, pulls, &first);
        *found = pick_found(pulls, &first, found);
        r = lanes_pick(pulls, free - G * found->force, r);
        loss = lanes_pick(pulls, zero, loss);
        damps &= ~pulls;
    }
    link->force = lanes_pick(damps, (found->force + loss * free) / under, found->force);
    link->travel = r;
    return 0.5 * loss * r * r;
}

// Which lanes could give a force in this sample.
LANES_FN lanes_mask active(const lanes_link* link) {
    lanes zero = lanes_all(0);
    lanes_mask inside = lanes_less(zero, link->eta);
    if (link->scheme == SIS_SCHEME_QUADRATISED && !link->release) return inside;
    return inside | ~lanes_equal(link->E, zero) | lanes_less(zero, link->before + link->free);
}

// The last net: lanes whose force and travel are no numbers to work with give no force.
LANES_FN void catch_fall(lanes_link* link, lanes* lost) {
    lanes zero = lanes_all(0), far = lanes_all(1e52);
    lanes_mask good = lanes_less(lanes_abs(link->force), lanes_all(1e150)) &
                      lanes_less(lanes_abs(link->travel), far) &
                      lanes_less(*lost, lanes_all(1e250));
    lanes_mask bad = ~good;
    if (!lanes_any(bad)) return;
    lanes near = lanes_pick(lanes_less(lanes_abs(link->free), far), link->free, zero);
    link->force = lanes_pick(bad, zero, link->force);
    link->travel = lanes_pick(bad, near, link->travel);
    link->kept = lanes_pick(bad, zero, link->kept);
    link->phi_before = lanes_pick(bad, zero, link->phi_before);
    link->E = lanes_pick(bad & ~lanes_less(link->E, lanes_all(1e200)), zero, link->E);
    link->psi =
        lanes_pick(bad & ~lanes_less(lanes_abs(link->psi), lanes_all(1e100)), zero, link->psi);
    link->mark_depth = lanes_pick(bad, zero, link->mark_depth);
    link->mark_phi = lanes_pick(bad, zero, link->mark_phi);
    link->fell |= bad;
    *lost = lanes_pick(bad, zero, *lost);
}

// What the sample was, for the report; eta has moved on.
LANES_FN void count_link(lanes_link* link, lanes powers, lanes iterations) {
    lanes zero = lanes_all(0), one = lanes_all(1);
    lanes_mask inside = lanes_less(zero, link->before);
    lanes depth = lanes_pick(inside, link->before, zero);
    link->max_force = lanes_max(link->force, link->max_force);
    link->min_force = lanes_min(link->force, link->min_force);
    link->deepest = lanes_max(depth, link->deepest);
    link->lowest = lanes_min(link->E, link->lowest);
    link->inside += lanes_pick(inside, one, zero);
    lanes_mask holds = lanes_equal(link->force, zero) & ~inside & ~lanes_less(zero, link->eta);
    link->trapped = lanes_max(lanes_pick(holds, link->E, zero), link->trapped);
    link->most_powers = lanes_max(powers, link->most_powers);
    link->most_iterations = lanes_max(iterations, link->most_iterations);
    link->iterations += iterations;
    link->iterated += lanes_pick(lanes_less(zero, iterations), one, zero);
}

// The force of one sample, and what the contact remembers of it. Returns what is lost, J.
LANES_FN lanes solve_link(lanes_link* link, lanes k) {
    lanes zero = lanes_all(0), lost = zero;
    lanes_mask used = active(link);
    lanes_found found = {.c = {.mark_depth = link->mark_depth, .mark_phi = link->mark_phi}};
    link->force = zero;
    link->travel = link->free;
    if (lanes_any(used)) {
        lanes at = link->eta;
        if (link->midpoint) at = 0.5 * (link->eta + link->before);
        lanes phi = lanes_contact_phi(&link->law, &found.c, at, used);
        if (link->lossy) {
            lost = lanes_pick(used, solve_lossy(link, k, phi, used, &found), zero);
        } else {
            solve_contact(link, phi, link->free, link->G, used, &found);
            link->force = found.force;
            link->travel = link->free - link->G * found.force;
        }
        link->force = lanes_pick(used, link->force, zero);
        link->travel = lanes_pick(used, link->travel, link->free);
        link->E = lanes_pick(used, found.c.E, link->E);
        link->psi = lanes_pick(used, found.psi, link->psi);
        link->mark_depth = lanes_pick(used, found.c.mark_depth, link->mark_depth);
        link->mark_phi = lanes_pick(used, found.c.mark_phi, link->mark_phi);
        link->kept = lanes_pick(used, found.force, zero);
        link->phi_before = lanes_pick(used, phi, zero);
        if (link->midpoint) link->phi_before = zero;
    } else {
        link->kept = link->phi_before = zero;
    }
    catch_fall(link, &lost);
    lanes next = link->before + link->travel;
    link->before = link->eta;
    link->eta = next;
    count_link(link, found.c.powers, found.iterations);
    return lost;
}

// ---------------------------------------------------------------------------- one sample

// What the link reads of its two masses.
#define APART(b, link, member)                                                                     \
    (((link)->below >= 0 ? (b)->masses[(link)->below].member : lanes_all(0)) -                     \
     ((link)->above >= 0 ? (b)->masses[(link)->above].member : lanes_all(0)))

// Adds with the rounding error kept in `rest` (Neumaier).
LANES_FN void add_to(lanes* sum, lanes* rest, lanes value) {
    lanes total = *sum + value;
    lanes_mask larger = lanes_at_most(lanes_abs(value), lanes_abs(*sum));
    *rest += lanes_pick(larger, (*sum - total) + value, (value - total) + *sum);
    *sum = total;
}

LANES_FN void step_sample(lanes_batch* b, const sis_system* system) {
    lanes supplied = lanes_all(0), dissipated = lanes_all(0);
    for (int32_t i = 0; i < system->dof_count; i++)
        advance(&b->masses[i]);
    for (int32_t l = 0; l < system->block_count; l++) {
        lanes_link* link = &b->links[l];
        link->free = APART(b, link, next) + APART(b, link, d);
        dissipated += solve_link(link, b->k);
        lanes_mask pushes = ~lanes_equal(link->force, lanes_all(0));
        if (link->below >= 0) give(&b->masses[link->below], -link->force, pushes);
        if (link->above >= 0) give(&b->masses[link->above], link->force, pushes);
    }
    if (!system->audit) return;
    lanes work[5], loss[5]; // summed as SIS_SUM does: four by turns, and what is left over
    for (int part = 0; part < 5; part++)
        work[part] = loss[part] = lanes_all(0);
    for (int32_t i = 0; i < system->dof_count; i++) {
        const lanes_mass* m = &b->masses[i];
        lanes travel = m->next + m->d;
        int part = i < system->dof_count / 4 * 4 ? i % 4 : 4;
        work[part] += 0.5 * m->F * travel;
        loss[part] += m->loss * travel * travel;
    }
#define SUM(x) ((((x)[0] + (x)[1]) + ((x)[2] + (x)[3])) + (x)[4])
    add_to(&b->supplied, &b->supplied_rest, supplied + SUM(work));
    add_to(&b->dissipated, &b->dissipated_rest, dissipated + SUM(loss));
#undef SUM
}

LANES_FN void turn(lanes_batch* b, const sis_system* system) {
    for (int32_t i = 0; i < system->dof_count; i++) {
        lanes_mass* m = &b->masses[i];
        lanes last = m->d;
        m->d = m->next;
        m->next = last;
    }
}

// External forces of a sample, lane by lane: they seldom have time courses in common.
static void apply_sources(lanes_batch* b, const batch_voice* voices, int lane, uint64_t n) {
    const sis_system* system = voices[lane].system;
    for (int32_t i = 0; i < system->dof_count && system->source_count; i++)
        put(&b->masses[i].F, lane, system->weight[i]);
    for (int32_t i = 0; i < system->source_count; i++) {
        const force_source* source = &system->sources[i];
        if (source->end.count)
            *lane_of(&b->masses[source->end.first].F, lane) +=
                sis_source_value(source, n, system->rate);
    }
}

// ---------------------------------------------------------------------------- probes, energies

LANES_FN void probe_before(lanes_batch* b, lanes_probe* probe) {
    probe->value = lanes_all(0);
    if (probe->quantity == SIS_QUANTITY_DISPLACEMENT)
        probe->value = probe->mass >= 0 ? b->masses[probe->mass].u : probe->height;
    if (probe->quantity != SIS_QUANTITY_PENETRATION) return;
    probe->value = lanes_all(-HUGE_VAL);
    for (int32_t i = 0; i < probe->link_count; i++)
        probe->value = lanes_max(b->links[probe->links[i]].eta, probe->value);
}

LANES_FN lanes probe_after(const lanes_batch* b, const lanes_probe* probe) {
    lanes sum = lanes_all(0);
    if (probe->quantity == SIS_QUANTITY_VELOCITY) {
        lanes next = probe->mass >= 0 ? b->masses[probe->mass].next : sum;
        lanes last = probe->mass >= 0 ? b->masses[probe->mass].d : sum;
        sum = (next + last) / (2 * b->k);
    }
    for (int32_t i = 0; i < probe->link_count && probe->quantity == SIS_QUANTITY_FORCE; i++)
        sum += b->links[probe->links[i]].force;
    return probe->value + sum;
}

static void write_probes(const lanes_batch* b, const batch_voice* voices, int32_t count,
                         int32_t frame) {
    int32_t probes = voices->system->probe_count;
    for (int32_t p = 0; p < probes; p++) {
        double value[LANES];
        lanes_store(value, probe_after(b, &b->probes[p]));
        for (int32_t v = 0; v < count; v++)
            if (voices[v].probes)
                voices[v].probes[(size_t)frame * (size_t)probes + (size_t)p] = value[v];
    }
}

// At the half sample after the frame.
static void write_energy(lanes_batch* b, const batch_voice* voices, int32_t count, int32_t frame) {
    const sis_system* first = voices->system;
    lanes kinetic = lanes_all(0), elastic = lanes_all(0), contact = lanes_all(0);
    for (int32_t i = 0; i < first->dof_count; i++) {
        const lanes_mass* m = &b->masses[i];
        lanes v = m->d * b->inverse_k;
        kinetic += 0.5 * m->mass * v * v;
        elastic += 0.5 * m->stiffness * m->u * (m->u - m->d);
    }
    for (int32_t l = 0; l < first->block_count; l++)
        contact += b->links[l].E;
    lanes supplied = b->supplied + b->supplied_rest;
    lanes dissipated = b->dissipated + b->dissipated_rest;
    for (int32_t v = 0; v < count; v++) {
        if (!voices[v].energy) continue;
        sis_energy e = {.kinetic = *lane_of(&kinetic, v),
                        .elastic = *lane_of(&elastic, v),
                        .contact = *lane_of(&contact, v),
                        .supplied = *lane_of(&supplied, v),
                        .dissipated = *lane_of(&dissipated, v)};
        e.total = e.kinetic + e.elastic + e.contact;
        if (!first->audit) e.supplied = e.dissipated = (double)NAN;
        e.residual = ((e.total - voices[v].system->initial) - e.supplied) + e.dissipated;
        voices[v].energy[frame] = e;
    }
}

// ---------------------------------------------------------------------------- states

static void read_masses(const sis_system* system, const state_view* view, int lane,
                        lanes_batch* b) {
    const mass_bank* bank = system->banks[BANK_MASS].data;
    for (int32_t i = 0; i < system->dof_count; i++) {
        lanes_mass* m = &b->masses[i];
        put(&m->u, lane, view->motion.u[i]);
        put(&m->d, lane, view->motion.d[i]);
        put(&m->next, lane, view->motion.next[i]);
        put(&m->rest, lane, view->motion.rest[i]);
        put(&m->F, lane, view->motion.F[i]);
        put(&m->push, lane, view->motion.push[i]);
        put(&m->mass, lane, bank->mass[i]);
        put(&m->stiffness, lane, bank->stiffness[i]);
        put(&m->Dinv, lane, bank->Dinv[i]);
        put(&m->drop, lane, bank->drop[i]);
        put(&m->loss, lane, bank->loss[i]);
    }
}

static void read_law(const power_law* law, int lane, lanes_law* out) {
    out->class = law->class;
    put(&out->alpha, lane, law->alpha);
    put(&out->t, lane, law->t);
    put(&out->K_over_t, lane, law->K_over_t);
    put(&out->inverse_t, lane, law->inverse_t);
    put(&out->rebound1, lane, law->rebound1);
    put(&out->rebound2, lane, law->rebound2);
    for (int i = 0; i < POWER_GROW; i++)
        put(&out->grow[i], lane, law->grow[i]);
}

static void read_link(const sis_system* system, const state_view* view, const network_block* block,
                      int lane, lanes_link* out) {
    const network_link* link = &system->links[block->first];
    const contact_memory* m = &view->work.memory[block->first];
    const sis_link_report* report = &view->report[system->owner[block->first]];
    out->below = block->below;
    out->above = block->above;
    out->scheme = link->scheme;
    out->release = link->release;
    out->midpoint = link->midpoint;
    out->lossy = link->mu != 0;
    read_law(&link->power, lane, &out->law);
    put(&out->G, lane, link->G);
    put(&out->mu, lane, link->mu);
    put(&out->eta, lane, m->eta);
    put(&out->before, lane, m->before);
    put(&out->E, lane, m->E);
    put(&out->psi, lane, m->psi);
    put(&out->kept, lane, m->force);
    put(&out->phi_before, lane, m->phi_before);
    put(&out->mark_depth, lane, m->mark_depth);
    put(&out->mark_phi, lane, m->mark_phi);
    put(&out->max_force, lane, report->max_force);
    put(&out->min_force, lane, report->min_force);
    put(&out->deepest, lane, report->max_penetration);
    put(&out->trapped, lane, report->trapped_max);
    put(&out->lowest, lane, report->lowest);
    put(&out->most_iterations, lane, report->iterations_max);
    put(&out->most_powers, lane, report->powers_max);
}

// Probes name links by position; here they are in the order they are solved in.
static int32_t order_of(const sis_system* system, int32_t link) {
    int32_t l = 0;
    while (system->blocks[system->others[l]].first != link)
        l++;
    return l;
}

static void read_probes(const sis_system* system, int lane, lanes_batch* b) {
    for (int32_t p = 0; p < system->probe_count; p++) {
        const probe_reader* probe = &system->readers[p];
        lanes_probe* out = &b->probes[p];
        out->quantity = probe->quantity;
        out->mass = probe->end.count ? probe->end.first : -1;
        put(&out->height, lane, probe->height);
        out->link_count = probe->link_count;
        for (int32_t i = 0; i < probe->link_count && lane == 0; i++)
            out->links[i] = order_of(system, probe->links[i]);
    }
}

static void read_voice(const batch_voice* voice, int lane, lanes_batch* b) {
    const sis_system* system = voice->system;
    const state_view view = sis_view(system, voice->state);
    read_masses(system, &view, lane, b);
    for (int32_t l = 0; l < system->block_count; l++)
        read_link(system, &view, &system->blocks[system->others[l]], lane, &b->links[l]);
    read_probes(system, lane, b);
    put(&b->k, lane, system->k);
    put(&b->inverse_k, lane, ((const mass_bank*)system->banks[BANK_MASS].data)->inverse_k);
    put(&b->supplied, lane, voice->state->supplied);
    put(&b->supplied_rest, lane, voice->state->supplied_rest);
    put(&b->dissipated, lane, voice->state->dissipated);
    put(&b->dissipated_rest, lane, voice->state->dissipated_rest);
}

static void write_link(const sis_system* system, const state_view* view, int32_t at, int lane,
                       lanes_link* link) {
    contact_memory* m = &view->work.memory[at];
    sis_link_report* report = &view->report[system->owner[at]];
    uint64_t inside = (uint64_t)*lane_of(&link->inside, lane);
    m->eta = *lane_of(&link->eta, lane);
    m->before = *lane_of(&link->before, lane);
    m->E = *lane_of(&link->E, lane);
    m->psi = *lane_of(&link->psi, lane);
    m->force = *lane_of(&link->kept, lane);
    m->phi_before = *lane_of(&link->phi_before, lane);
    m->mark_depth = *lane_of(&link->mark_depth, lane);
    m->mark_phi = *lane_of(&link->mark_phi, lane);
    if (lanes_which(link->fell) >> lane & 1) m->law_force = m->shown = m->entry = 0;
    view->work.free[at] = *lane_of(&link->free, lane);
    view->work.force[at] = *lane_of(&link->force, lane);
    view->work.travel[at] = *lane_of(&link->travel, lane);
    report->max_force = *lane_of(&link->max_force, lane);
    report->min_force = *lane_of(&link->min_force, lane);
    report->max_penetration = *lane_of(&link->deepest, lane);
    report->trapped_max = *lane_of(&link->trapped, lane);
    report->lowest = *lane_of(&link->lowest, lane);
    report->contact_samples += inside;
    if (inside && !report->points_max) report->points_max = 1;
    report->iterations += (uint64_t)*lane_of(&link->iterations, lane);
    report->iterated_samples += (uint64_t)*lane_of(&link->iterated, lane);
    report->iterations_max = (uint32_t)*lane_of(&link->most_iterations, lane);
    report->powers_max = (uint32_t)*lane_of(&link->most_powers, lane);
}

static void write_voice(const batch_voice* voice, int lane, int32_t frames, lanes_batch* b) {
    const sis_system* system = voice->system;
    sis_state* state = voice->state;
    state->samples += (uint64_t)frames;
    state->turn ^= (uint64_t)frames & 1;
    state->supplied = *lane_of(&b->supplied, lane);
    state->supplied_rest = *lane_of(&b->supplied_rest, lane);
    state->dissipated = *lane_of(&b->dissipated, lane);
    state->dissipated_rest = *lane_of(&b->dissipated_rest, lane);
    const state_view view = sis_view(system, state);
    for (int32_t i = 0; i < system->dof_count; i++) {
        lanes_mass* m = &b->masses[i];
        view.motion.u[i] = *lane_of(&m->u, lane);
        view.motion.d[i] = *lane_of(&m->d, lane);
        view.motion.next[i] = *lane_of(&m->next, lane);
        view.motion.rest[i] = *lane_of(&m->rest, lane);
        view.motion.F[i] = *lane_of(&m->F, lane);
        view.motion.push[i] = *lane_of(&m->push, lane);
    }
    for (int32_t l = 0; l < system->block_count; l++)
        write_link(system, &view, system->blocks[system->others[l]].first, lane, &b->links[l]);
}

static void step_voices(const batch_voice* voices, int32_t count, int32_t frames) {
    const sis_system* system = voices->system;
    bool probes = false, energy = false;
    lanes_batch b;
    for (int32_t l = 0; l < system->block_count; l++) {
        b.links[l].inside = b.links[l].iterations = b.links[l].iterated = lanes_all(0);
        b.links[l].fell = lanes_less(lanes_all(0), lanes_all(0));
    }
    for (int32_t v = 0; v < LANES; v++) // lanes without a voice do what the first does
        read_voice(&voices[v < count ? v : 0], v, &b);
    for (int32_t v = 0; v < count; v++) {
        probes = probes || voices[v].probes;
        energy = energy || voices[v].energy;
    }
    for (int32_t frame = 0; frame < frames; frame++) {
        for (int32_t v = 0; v < count && system->source_count; v++)
            apply_sources(&b, voices, v, voices[v].state->samples + (uint64_t)frame);
        for (int32_t p = 0; p < system->probe_count && probes; p++)
            probe_before(&b, &b.probes[p]);
        step_sample(&b, system);
        if (probes) write_probes(&b, voices, count, frame);
        turn(&b, system);
        if (energy) write_energy(&b, voices, count, frame);
    }
    for (int32_t v = 0; v < count; v++)
        write_voice(&voices[v], v, frames, &b);
}

const batch_kernel LANES_NAME(sis_batch_kernel) = {LANES, step_voices};
