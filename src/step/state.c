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
    return state->refused;
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
                                .push = AT(push),
                                .room = AT(room),
                                .column = AT(column),
                                .floor = AT(floor),
                                .fallen = AT(fallen),
                                .fell = AT(fell)};
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
    view.near = AT(near);
    view.cells = AT(cells);
    view.sample = AT(sample);
    view.largest = AT(largest);
    view.pushed = true;
#undef AT
    return view;
}

// Only quadratised, as published, sleeps on what it holds.
static double row_energy(const network_row* row, const state_view* view) {
    const double* E = sis_row_cells(row, view) + ROW_ENERGY * row->plane;
    double sum;
    if (row->scheme != SIS_SCHEME_QUADRATISED &&
        !network_row_any(view->awake + row->word, row->count))
        return 0;
#define TERM(AT) AT(E + i)
    SIS_SUM(sum, row->count, TERM);
#undef TERM
    return sum;
}

sis_energy sis_stored_energy(const sis_system* system, const state_view* view) {
    sis_energy e = {0};
    for (int32_t b = 0; b < system->bank_count; b++)
        system->banks[b].kind->energy(&system->banks[b], &view->motion, &e.kinetic, &e.elastic);
    for (int32_t r = 0; r < system->row_count; r++)
        e.contact += row_energy(&system->rows[r], view);
    for (int32_t b = 0; b < system->other_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            const contact_memory* m = &view->work.memory[i];
            if (system->links[i].kind == LINK_CONTACT)
                e.contact += m->E;
            else
                e.elastic += network_elastic_energy(&system->links[i], m);
        }
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

// slide = (u^n - u^{n-1})/k less the bow's velocity in this sample.
void sis_slide_linear_bows(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->bow_count; i++) {
        const network_link* link = &system->links[system->bows[i].link];
        contact_memory* m = &view->work.memory[system->bows[i].link];
        if (!link->friction.linear) continue;
        m->slide = network_read(&link->below, view->motion.d) * system->rate - m->glide;
    }
}

double sis_link_read(const network_link* link, const state_view* view, const double* values) {
    if (link->kind != LINK_STRETCH)
        return network_read(&link->below, values) - network_read(&link->above, values);
    network_end end = link->below;
    end.weight = view->motion.column + end.first;
    return network_read(&end, values);
}

void sis_link_push(const network_link* link, const state_view* view, double f, double* push) {
    network_end below = link->below;
    if (link->kind == LINK_STRETCH) below.weight = view->motion.column + below.first;
    network_write(&below, -f, push);
    network_write(&link->above, f, push);
}

bool sis_link_give(const network_link* link, const state_view* view, double f) {
    const network_end *below = &link->below, *above = &link->above;
    const body_motion* motion = &view->motion;
    if (below->give == 0 && above->give == 0) {
        sis_link_push(link, view, f, motion->push);
        return true;
    }
    if (below->give != 0)
        network_give(below, -f, motion->u, motion->next);
    else
        network_write(below, -f, motion->push);
    if (above->give != 0)
        network_give(above, f, motion->u, motion->next);
    else
        network_write(above, f, motion->push);
    return below->give == 0 || above->give == 0;
}
