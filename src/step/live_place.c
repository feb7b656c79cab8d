// Places that move: points of contacts, bows and probes along their bodies.
//
// Sample n reads and writes with the weights w of the place at its time, r = w.(u+ - u-). A contact
// that holds energy is made anew: eta at both levels is read with the new weights,
//
//   eta' = offset + w'.u,     E' = (phi(eta'^n) + phi(eta'^{n-1}))/2,     supplied += E' - E
//
// and its row of G = B^T D^-1 B with it. Of two links whose places move the later one answers for
// the entry between them, so that it has the same bits whichever moved last.
#include "step/live.h"

#include <string.h>

// ---------------------------------------------------------------------------- responses

static const body_group* group_of(const sis_system* system, int32_t dof) {
    return body_group_of(system->body_groups, system->body_group_count, dof);
}

// A body with a banded D moves all over.
static void respond_all(const body_group* bodies, bool clear, double* force, double* response) {
    const size_t size = (size_t)bodies->count * sizeof(double);
    force += bodies->first;
    response += bodies->first;
    if (!clear) {
        bodies->kind->admit(bodies, force, response);
        return;
    }
    memset(force, 0, size);
    memset(response, 0, size);
}

void sis_link_respond(const sis_system* system, const double* Dinv, const network_link* link,
                      bool clear, double* force, double* response) {
    const network_end* ends[2] = {&link->below, &link->above};
    for (int side = 0; side < 2 && !clear; side++)
        network_write(ends[side], side ? -1 : 1, force);
    for (int side = 0; side < 2; side++) {
        const network_end* end = ends[side];
        if (!end->count) continue;
        const body_group* bodies = group_of(system, end->first);
        for (int32_t i = 0; bodies->kind->diagonal && i < end->count; i++) {
            const int32_t dof = network_dof(end, i);
            response[dof] = clear ? 0 : Dinv[dof] * force[dof];
        }
        for (int32_t i = 0; clear && i < end->count; i++)
            force[network_dof(end, i)] = 0;
        if (!bodies->kind->diagonal) respond_all(bodies, clear, force, response);
    }
}

// ---------------------------------------------------------------------------- G

static void put_entry(const network_block* block, int32_t one, int32_t other, double value) {
    const int32_t high = one > other ? one : other, low = one > other ? other : one;
    if (low < block->row[high]) return;
    double* G = (double*)(uintptr_t)block->G; // the copy of this call
    G[block->start[high] + (size_t)(low - block->row[high])] = value;
    if (!block->square) return;
    double* square = (double*)(uintptr_t)block->square;
    const int32_t side = network_square_side(block->count);
    square[high * side + low] = square[low * side + high] = value;
}

// The entries for which link i answers: all, or that with `only`.
static void make_row(const sis_system* system, const live_place* p, int32_t i, int32_t only) {
    const network_block* block = &system->blocks[system->block_of[i]];
    double* force = (double*)(void*)((char*)(uintptr_t)system + p->scratch);
    double* response = force + system->dof_count;
    network_link* links = system->links;
    sis_link_respond(system, p->Dinv, &links[i], false, force, response);
    for (int32_t j = block->first; j < block->first + block->count; j++) {
        if (links[j].class->modulation || (links[j].slides && j > i)) continue;
        if (only >= 0 && j != only) continue;
        const double value = network_apart(&links[j], response);
        put_entry(block, i - block->first, j - block->first, value);
        if (j == i) links[i].G = system->compliance[i] = value;
    }
    sis_link_respond(system, p->Dinv, &links[i], true, force, response);
}

static void make_rows(const sis_system* system, const live_place* p) {
    const network_block* block = &system->blocks[system->block_of[p->link]];
    make_row(system, p, p->link, -1);
    for (int32_t j = p->link + 1; j < block->first + block->count; j++)
        if (system->links[j].slides) make_row(system, p, j, p->link);
}

// ---------------------------------------------------------------------------- weights

static network_end* end_of(const sis_system* system, const live_place* p) {
    if (p->link < 0) return &system->readers[p->probe].end;
    return p->above ? &system->links[p->link].above : &system->links[p->link].below;
}

static void weigh(sis_system* system, const live_place* p) {
    place_room* room = (place_room*)(void*)((char*)system + p->room);
    double* weight = (double*)(void*)(room + 1);
    int32_t* index = (int32_t*)(void*)(weight + p->most);
    const int32_t first = sis_spec_dof(system->body_groups, p->body, 0);
    sis_place at = room->at;
    at.x = sis_stop_place(p->body, at.x, p->order, p->sounding);
    int32_t count = p->body->class->weigh(p->body, at, p->order, weight, index);
    if (p->hand >= 0) {
        weight[count] = p->hand_weight;
        index[count++] = p->hand - first;
    }
    network_end* end = end_of(system, p);
    end->first = first;
    end->count = count;
    end->weight = weight;
    end->index = index;
}

// One of its two numbers.
static void put_place(sis_system* system, const live_place* p, bool across, double value) {
    place_room* room = (place_room*)(void*)((char*)system + p->room);
    if (!p->live_x) room->at.x = p->at.x;
    if (!p->live_y) room->at.y = p->at.y;
    *(across ? &room->at.y : &room->at.x) = value;
    weigh(system, p);
}

static void set_place(sis_system* system, const live_binding* b, double value) {
    const live_axis* axis = b->spec;
    for (int side = 0; side < 2 && axis->place[side]; side++)
        put_place(system, axis->place[side], axis->across, value);
}

// Where all places are set, each makes the entries for which it answers, once.
static void finish_place(sis_system* system, const live_binding* b, bool all) {
    const live_axis* axis = b->spec;
    const live_place* p = axis->place[0];
    if (p->link < 0 || (all && axis->across && p->live_x)) return;
    if (all)
        make_row(system, p, p->link, -1);
    else
        make_rows(system, p);
}

// ---------------------------------------------------------------------------- contacts

static void read_eta(const sis_system* system, const state_view* view, int32_t i) {
    const contact_memory* m = &view->work.memory;
    const network_link* link = &system->links[i];
    m->eta[i] = system->line_offset[i] + network_apart(link, view->motion.u);
    m->before[i] = m->eta[i] - network_apart(link, view->motion.d);
}

// All of a block or line in which it slept.
static void wake(const sis_system* system, state_view* view, int32_t i) {
    const int32_t l = system->line_of[i], b = system->block_of[i];
    const network_block* block = &system->blocks[b];
    if (l >= 0) {
        const int32_t j = i - system->lines[l].first;
        view->awake[system->lines[l].word + j / LINE_WORD] |= (uint64_t)1 << j % LINE_WORD;
        view->lines[l].awake++;
        return;
    }
    for (int32_t j = block->first; j < block->first + block->count; j++)
        read_eta(system, view, j);
    view->blocks[b].awake = 1;
}

// Its energy where it is now. One that sleeps goes on to sleep while it is open.
static double remake(const sis_system* system, state_view* view, int32_t i) {
    const contact_memory* m = &view->work.memory;
    const contact_law* law = system->links[i].contact;
    const bool slept = sis_link_sleeps(system, view, i);
    read_eta(system, view, i);
    const bool inside =
        power_depth(&law->power, m->eta[i]) > 0 || power_depth(&law->power, m->before[i]) > 0;
    if (slept && !inside && m->E[i] == 0) return 0;
    if (slept && inside) wake(system, view, i);
    return sis_remake_energy(law, m, i);
}

static double move_place(sis_system* system, const live_binding* b, double value,
                         state_view* view) {
    const live_axis* axis = b->spec;
    const int32_t link = axis->place[0]->link;
    set_place(system, b, value);
    finish_place(system, b, false);
    if (link < 0 || !system->links[link].contact) return 0;
    return remake(system, view, link);
}

const live_class sis_live_place = {set_place, move_place, finish_place, false};
