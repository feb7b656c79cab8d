// The flat state: pointers into it, what its bodies and links hold, and how links read and push
// them.
#include "step/system.h"

#include <math.h>
#include <string.h>

size_t sis_state_size(const sis_system* system) {
    return system->state_size;
}

const char* sis_state_wrong(const sis_system* system, const void* memory) {
    if (!system) return "there is no system (it is NULL)";
    if (!memory) return "there is no memory for the state (it is NULL)";
    if ((uintptr_t)memory % SIS_STATE_ALIGN)
        return "the memory of the state is not aligned to 64 bytes: take aligned_alloc(64, size)";
    return NULL;
}

const char* sis_state_foreign(const sis_system* system, const void* memory) {
    const char* wrong = sis_state_wrong(system, memory);
    if (wrong || ((const sis_state*)memory)->mark == system->mark) return wrong;
    return "the state belongs to another system: another scene, rate or version, or it was never "
           "initialised";
}

uint64_t sis_state_refused(const sis_state* state) {
    return state ? state->refused : 0;
}

sis_state* sis_state_init(const sis_system* system, void* memory) {
    if (sis_state_wrong(system, memory)) return NULL;
    memcpy(memory, system->image, system->state_size);
    return memory;
}

uint64_t sis_state_samples(const sis_state* state) {
    return state->samples;
}

state_view sis_view(const sis_system* system, const sis_state* state) {
    char* base = (char*)(uintptr_t)state;
    state_view view = {0};
#define AT(name) (void*)(base + system->offset[ROW_##name])
    view.motion = (body_motion){.u = AT(u),
                                .d = AT(even),
                                .next = AT(odd),
                                .rest = AT(rest),
                                .F = AT(F),
                                .link_force = AT(link_force),
                                .scratch = AT(scratch),
                                .column = AT(column),
                                .lower_bound = AT(lower_bound),
                                .has_candidate = AT(has_candidate),
                                .candidate = AT(candidate)};
    if (state->turn) sis_view_turn(&view);
    view.work = (network_work){.memory = {.eta = AT(eta),
                                          .before = AT(before),
                                          .E = AT(E),
                                          .psi = AT(psi),
                                          .force = AT(last_force),
                                          .phi_before = AT(phi_before),
                                          .mark_depth = AT(mark_depth),
                                          .mark_phi = AT(mark_phi),
                                          .speed = AT(speed),
                                          .law_force = AT(law_force),
                                          .shown = AT(shown),
                                          .entry = AT(entry)},
                               .bow = AT(bow),
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
                               .panel = AT(panel),
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
    view.near = AT(near);
    view.lines = AT(lines);
    view.blocks = AT(blocks);
    view.fastest = AT(fastest);
    view.sample = AT(sample);
    view.largest = AT(largest);
    view.pushed = true;
#undef AT
    return view;
}

// Only quadratised, as published, sleeps on what it holds.
static double line_energy(const contact_line* line, const state_view* view, int32_t awake) {
    const double* E = view->work.memory.E + line->first;
    double sum;
    if (line->kernel && awake == 0 && !contact_holds_open(line->law)) return 0;
#define TERM(AT) AT(E + i)
    SIS_SUM(sum, line->count, TERM);
#undef TERM
    return sum;
}

sis_energy sis_stored_energy(const sis_system* system, const state_view* view) {
    sis_energy e = {0};
    for (int32_t b = 0; b < system->body_group_count; b++)
        system->body_groups[b].kind->energy(&system->body_groups[b], &view->motion, &e.kinetic,
                                            &e.elastic);
    for (int32_t l = 0; l < system->line_count; l++)
        e.contact += line_energy(&system->lines[l], view, view->lines[l].awake);
    for (int32_t b = 0; b < system->other_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            const network_link* link = &system->links[i];
            if (link->class->energy)
                link->class->energy(link, &view->work.memory, i, &e.contact, &e.elastic);
        }
    }
    e.total = e.kinetic + e.elastic + e.contact;
    return e;
}

void sis_stretch_columns(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->stretch_count; i++) {
        const network_link* link = &system->links[system->stretches[i]];
        for (int32_t b = GROUP_STRING; b < system->body_group_count; b++) {
            const body_group* bodies = &system->body_groups[b];
            if (bodies->first != link->below.first || !bodies->kind->stretch) continue;
            bodies->kind->stretch(bodies, &view->motion);
            bodies->kind->admit(bodies, view->motion.column + bodies->first,
                                view->work.response + bodies->first);
        }
    }
}

void sis_set_bows(const sis_system* system, const state_view* view, double time) {
    for (int32_t i = 0; i < system->bow_count; i++) {
        bow_memory* m = &view->work.bow[i];
        m->force = sis_envelope_at(system->bows[i].force, time);
        m->velocity = sis_envelope_at(system->bows[i].velocity, time);
    }
}

// relative velocity = (u^n - u^{n-1})/k less the bow's velocity in this sample.
void sis_move_linear_bows(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->bow_count; i++) {
        const network_link* link = &system->links[system->bows[i].link];
        bow_memory* m = &view->work.bow[i];
        if (!link->friction->linear) continue;
        m->relative_velocity =
            network_read(&link->below, view->motion.d) * system->rate - m->velocity;
    }
}

double sis_link_read(const network_link* link, const state_view* view, const double* values) {
    if (!link->class->stretch)
        return network_read(&link->below, values) - network_read(&link->above, values);
    network_end end = link->below;
    end.weight = view->motion.column + end.first;
    return network_read(&end, values);
}

void sis_link_push(const network_link* link, const state_view* view, double f, double* push) {
    network_end below = link->below;
    if (link->class->stretch) below.weight = view->motion.column + below.first;
    network_write(&below, -f, push);
    network_write(&link->above, f, push);
}

bool sis_link_apply(const network_link* link, const state_view* view, double f) {
    const network_end *below = &link->below, *above = &link->above;
    const body_motion* motion = &view->motion;
    if (below->admittance == 0 && above->admittance == 0) {
        sis_link_push(link, view, f, motion->link_force);
        return true;
    }
    if (below->admittance != 0)
        network_apply(below, -f, motion->u, motion->next);
    else
        network_write(below, -f, motion->link_force);
    if (above->admittance != 0)
        network_apply(above, f, motion->u, motion->next);
    else
        network_write(above, f, motion->link_force);
    return below->admittance == 0 || above->admittance == 0;
}
