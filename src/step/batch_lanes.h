// Twins over lanes, a state a lane. Included by batch_2.c, batch_4.c and batch_8.c. Every operation
// of step.c, body/mass.c and network/alone.c is done here in the same order on each lane.
//
// Several sets of LANES twins go through each sample together (batch_contact_lanes.h says why).
#include "body/mass_keeping.h"
#include "step/batch_state_lanes.h"

// ---------------------------------------------------------------------------- masses

LANES_FN void advance(lanes_mass* m) {
    lanes kick = m->Dinv * (m->F - m->stiffness * m->u) - m->drop * m->d;
    m->next = lanes_add_keeping(m->d, kick + m->rest, &m->rest);
    m->u += m->next;
}

LANES_FN void give(lanes_mass* m, lanes push, lanes_mask pushed) {
    lanes before = m->next, rest = m->rest;
    m->push = lanes_pick(pushed, push, lanes_all(0));
    if (!lanes_any(pushed)) return;
    lanes next = lanes_add_keeping(before, m->Dinv * push + rest, &rest);
    m->rest = lanes_pick(pushed, rest, m->rest);
    m->next = lanes_pick(pushed, next, before);
    m->u = lanes_pick(pushed, m->u + (next - before), m->u);
}

LANES_FN void turn(lanes_mass* m) {
    lanes last = m->d;
    m->d = m->next;
    m->next = last;
}

// ---------------------------------------------------------------------------- contacts

enum { PASSES = 4 }; // sets that go through each part together

// What the link reads of its two masses.
#define APART(set, link, member)                                                                   \
    (((link)->below >= 0 ? (set)->masses[(link)->below].member : lanes_all(0)) -                   \
     ((link)->above >= 0 ? (set)->masses[(link)->above].member : lanes_all(0)))

LANES_FN void push_masses(const lanes_set* set, const lanes_link* link) {
    lanes_mask pushes = ~lanes_equal(link->force, lanes_all(0));
    if (link->below >= 0) give(&set->masses[link->below], -link->force, pushes);
    if (link->above >= 0) give(&set->masses[link->above], link->force, pushes);
}

// Adds with the rounding error kept in `rest`.
LANES_FN void add_to(lanes* sum, lanes* rest, lanes value) {
    lanes total = *sum + value, taken = total - *sum;
    *rest += (*sum - (total - taken)) + (value - taken);
    *sum = total;
}

// No mass has two contacts, so that all contacts of all sets are independent.
LANES_FN void solve_links(lanes_batch* b) {
    const int32_t links = b->system->block_count, count = b->set_count * links;
    lanes_pass passes[PASSES];
    lanes_set* from[PASSES];
    for (int32_t next = 0; next < count;) {
        lanes_pass* end = passes;
        for (; end < passes + PASSES && next < count; next++) {
            lanes_set* set = &b->sets[next / links];
            lanes_link* link = &b->links[next];
            link->free = APART(set, link, next) + APART(set, link, d);
            lanes_mask used = link_active(link);
            if (lanes_any(used)) {
                from[end - passes] = set;
                pass_begin(link, set->k, used, end++);
            } else {
                link_rests(link);
                push_masses(set, link);
            }
        }
        solve_passes(passes, end);
        for (lanes_pass* p = passes; p < end; p++) {
            lanes_set* set = from[p - passes];
            if (b->system->audit) add_to(&set->dissipated, &set->dissipated_rest, p->lost);
            push_masses(set, p->link);
        }
    }
}

// ---------------------------------------------------------------------------- one sample

LANES_FN void book(lanes_set* set, int32_t dof_count) {
    lanes work[5], loss[5]; // summed as SIS_SUM does: four by turns, and what is left over
    for (int part = 0; part < 5; part++)
        work[part] = loss[part] = lanes_all(0);
    for (int32_t i = 0; i < dof_count; i++) {
        const lanes_mass* m = &set->masses[i];
        lanes travel = m->next + m->d;
        int part = i < dof_count / 4 * 4 ? i % 4 : 4;
        work[part] += 0.5 * m->F * travel;
        loss[part] += m->loss * travel * travel;
    }
#define SUM(x) ((((x)[0] + (x)[1]) + ((x)[2] + (x)[3])) + (x)[4])
    add_to(&set->supplied, &set->supplied_rest, SUM(work));
    add_to(&set->dissipated, &set->dissipated_rest, SUM(loss));
#undef SUM
}

LANES_FN void step_sample(lanes_batch* b) {
    const sis_system* system = b->system;
    const int32_t masses = b->set_count * system->dof_count;
    for (int32_t i = 0; i < masses; i++)
        advance(&b->masses[i]);
    solve_links(b);
    for (int32_t s = 0; s < b->set_count && system->audit; s++)
        book(&b->sets[s], system->dof_count);
}

// External forces of a sample, lane by lane: they seldom have time courses in common.
static void apply_sources(lanes_set* set, int lane, int32_t frame) {
    const sis_system* system = set->voices[lane].system;
    uint64_t n = set->voices[lane].state->samples + (uint64_t)frame;
    for (int32_t i = 0; i < system->dof_count; i++)
        put(&set->masses[i].F, lane, system->weight[i]);
    for (int32_t i = 0; i < system->source_count; i++) {
        const force_source* source = &system->sources[i];
        if (source->end.count)
            *lane_of(&set->masses[source->end.first].F, lane) +=
                sis_source_value(source, n, system->rate);
    }
}

// ---------------------------------------------------------------------------- probes, energies

// What a probe reads before the step of its sample, and what it adds after it.
LANES_FN lanes probe_before(const lanes_batch* b, const lanes_set* set, int32_t p) {
    const probe_reader* probe = &b->system->readers[p];
    if (probe->quantity == SIS_QUANTITY_DISPLACEMENT)
        return probe->end.count ? set->masses[probe->end.first].u : set->probes[p].height;
    if (probe->quantity != SIS_QUANTITY_PENETRATION) return lanes_all(0);
    lanes deepest = lanes_all(-HUGE_VAL);
    for (int32_t i = 0; i < probe->link_count; i++)
        deepest = lanes_max(set->links[b->order[probe->links[i]]].eta, deepest);
    return deepest;
}

LANES_FN lanes probe_after(const lanes_batch* b, const lanes_set* set, int32_t p) {
    const probe_reader* probe = &b->system->readers[p];
    lanes sum = lanes_all(0);
    if (probe->quantity == SIS_QUANTITY_VELOCITY && probe->end.count) {
        const lanes_mass* m = &set->masses[probe->end.first];
        sum = (m->next + m->d) / (2 * set->k);
    }
    for (int32_t i = 0; i < probe->link_count && probe->quantity == SIS_QUANTITY_FORCE; i++)
        sum += set->links[b->order[probe->links[i]]].force;
    return set->probes[p].value + sum;
}

// The numbers in the tile go to the voices that want them.
LANES_FN void write_tile(const lanes_set* set, size_t written, int32_t filled) {
    for (int32_t v = 0; v < set->count; v++) {
        if (!set->voices[v].probes) continue;
        double* to = set->voices[v].probes + written;
        for (int32_t i = 0; i < filled; i++)
            to[i] = ((const double*)&set->tile[i])[v];
    }
}

// Full tiles by themselves, so that the compiler knows how long they are.
static void write_tiles(lanes_batch* b) {
    const lanes_set* end = b->sets + b->set_count;
    for (lanes_set* set = b->sets; set < end && b->filled == LANES; set++)
        write_tile(set, b->written, LANES);
    for (lanes_set* set = b->sets; set < end && b->filled < LANES; set++)
        write_tile(set, b->written, b->filled);
    b->written += (size_t)b->filled;
    b->filled = 0;
}

LANES_FN void probes_before(lanes_batch* b) {
    for (int32_t p = 0; p < b->system->probe_count; p++)
        for (int32_t s = 0; s < b->set_count; s++)
            b->sets[s].probes[p].value = probe_before(b, &b->sets[s], p);
}

LANES_FN void probes_after(lanes_batch* b) {
    for (int32_t p = 0; p < b->system->probe_count; p++) {
        for (int32_t s = 0; s < b->set_count; s++)
            b->sets[s].tile[b->filled] = probe_after(b, &b->sets[s], p);
        if (++b->filled == LANES) write_tiles(b);
    }
}

// At the half sample after the frame.
static void write_energy(const lanes_batch* b, const lanes_set* set, int32_t frame) {
    const sis_system* first = b->system;
    const batch_voice* voices = set->voices;
    lanes kinetic = lanes_all(0), elastic = lanes_all(0), contact = lanes_all(0);
    for (int32_t i = 0; i < first->dof_count; i++) {
        const lanes_mass* m = &set->masses[i];
        lanes v = m->d * set->inverse_k;
        kinetic += 0.5 * m->mass * v * v;
        elastic += 0.5 * m->stiffness * m->u * (m->u - m->d);
    }
    for (int32_t l = 0; l < first->block_count; l++)
        contact += set->links[l].E;
    lanes supplied = set->supplied + set->supplied_rest;
    lanes dissipated = set->dissipated + set->dissipated_rest;
    for (int32_t v = 0; v < set->count; v++) {
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

// ---------------------------------------------------------------------------- all frames

static void step_voices(const batch_voice* voices, int32_t count, int32_t frames) {
    lanes_batch b;
    read_voices(voices, count, &b);
    const sis_system* system = b.system;
    const int32_t masses = b.set_count * system->dof_count;
    lanes_set *first = b.sets, *end = b.sets + b.set_count;
    for (int32_t frame = 0; frame < frames; frame++) {
        for (int32_t v = 0; v < count && system->source_count; v++)
            apply_sources(&b.sets[v / LANES], v % LANES, frame);
        if (b.probes) probes_before(&b);
        step_sample(&b);
        if (b.probes) probes_after(&b);
        for (int32_t i = 0; i < masses; i++)
            turn(&b.masses[i]);
        for (lanes_set* set = first; set < end && b.energy; set++)
            write_energy(&b, set, frame);
    }
    write_tiles(&b);
    lanes_leave_wide();
    write_voices(frames, &b);
}

const batch_kernel LANES_NAME(sis_batch_kernel) = {LANES, BATCH_ROOM, step_voices};
