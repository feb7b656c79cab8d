// Gestures: inputs that move while it sounds, and the constants that follow them.
//
// A gesture is a change of constants between two samples at a fixed state. Before sample n the
// constants become those of the time of sample n, and what that does to the stored energy is
// recorded as supplied:
//
//   supplied += H(state; c^n) - H(state; c^{n-1}),     then sample n with c^n
//
// Sample n closes its balance with constants c^n, whatever they are, so the sum of all samples
// does too. Compile proves H >= 0 for the whole range of each input.
//
// The system is constant and shared. Where constants move, each call makes a copy of the lists that
// they are in, inside the state, with the values that the state has; the copy lasts for the call.
#include "step/system.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- inputs

// A new value: held to its range, reached along a straight line.
static void aim(const input_spec* spec, input_state* input, double value) {
    const double held = value < spec->min ? spec->min : value > spec->max ? spec->max : value;
    if (!(value >= spec->min && value <= spec->max)) input->clamped++;
    if (isnan(value) || held == input->target) return; // on its way there already
    input->target = held;
    input->left = spec->steps;
    if (!spec->steps)
        input->value = held;
    else
        input->slope = (held - input->value) / (double)spec->steps;
}

static void move_on(input_state* input) {
    if (--input->left)
        input->value += input->slope;
    else
        input->value = input->target;
}

// A blow; one before the first step begins with it.
static void strike(const input_spec* spec, input_state* input, double value, uint64_t n) {
    const double held = value < spec->min ? spec->min : value > spec->max ? spec->max : value;
    if (!(value >= spec->min && value <= spec->max)) input->clamped++;
    if (isnan(value)) return;
    input->value = held;
    input->left = n;
}

// One input in sample n. True: it has moved.
SIS_APART static bool take_one(const input_spec* spec, input_state* input, double given,
                               uint64_t n) {
    if (spec->trigger) {
        const double blow = given != 0 ? given : input->waiting;
        if (blow != 0) strike(spec, input, blow, n);
        input->waiting = 0;
        return false;
    }
    const double before = input->value;
    if (given != input->target) aim(spec, input, given);
    if (n == 0) input->left = 1; // where it starts: nothing sounds yet that would jump
    if (input->left) move_on(input);
    return input->value != before;
}

// Without a row each is where it was going.
SIS_APART static bool take_none(const sis_system* system, input_state* inputs, uint64_t n) {
    bool moved = false;
    for (int32_t i = 0; i < system->input_count; i++) {
        const input_spec* spec = &system->inputs[i];
        moved |= take_one(spec, &inputs[i], spec->trigger ? 0 : inputs[i].target, n);
    }
    return moved;
}

// The values of inputs in sample n, from a row of them.
static inline bool take_row(const sis_system* system, input_state* input, const double* row,
                            uint64_t n) {
    bool moved = false;
    for (const input_spec *spec = system->inputs, *end = spec + system->input_count; spec < end;
         spec++, input++, row++) {
        const double value = *row;
        if (spec->direct && !input->left && value >= spec->min && value <= spec->max) {
            moved |= value != input->value; // the short way of take_one
            input->target = input->value = value;
        } else {
            moved |= take_one(spec, input, value, n);
        }
    }
    return moved;
}

// Whether any input moves by itself: it is on its way, or a blow waits.
bool sis_inputs_move(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->input_count; i++) {
        const input_state* input = &view->motion.inputs[i];
        if (system->inputs[i].trigger ? input->waiting != 0 : input->left > 0) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------- the interface

static bool is_input(const sis_system* system, const sis_state* state, int32_t i) {
    return sis_belongs(system, state) && i >= 0 && i < system->input_count;
}

double sis_state_input(const sis_system* system, const sis_state* state, int32_t i) {
    if (!is_input(system, state, i) || system->inputs[i].trigger) return 0;
    return sis_view(system, state).motion.inputs[i].target;
}

void sis_state_input_set(const sis_system* system, sis_state* state, int32_t i, double value) {
    if (!is_input(system, state, i)) return;
    input_state* input = &sis_view(system, state).motion.inputs[i];
    if (system->inputs[i].trigger) {
        input->waiting = value;
    } else if (value != input->target) {
        const double before = input->value;
        aim(&system->inputs[i], input, value);
        if (system->inputs[i].steps && sis_state_samples(state) > 0) return;
        // In the next sample it gets there, which moves what follows it. Before the first one there is
        // no way to go.
        input->value = before;
        input->left = 1;
    }
}

uint64_t sis_state_input_clamped(const sis_system* system, const sis_state* state, int32_t i) {
    return is_input(system, state, i) ? sis_view(system, state).motion.inputs[i].clamped : 0;
}

// ---------------------------------------------------------------------------- constants

static void copy(char* room, size_t at, const void* from, size_t size) {
    memcpy(room + at, from, size);
}

// A band whose runs have the laws of the call.
static network_band* copy_band(const sis_system* system, const sis_system* live,
                               const live_block* at, char* room) {
    const network_band* from = system->blocks[at->block].band;
    network_band* band = (network_band*)(void*)(room + at->band);
    band_run* runs = (band_run*)(void*)(room + at->runs);
    *band = *from;
    band->runs = runs;
    for (int32_t r = 0; r < from->run_count; r++) {
        runs[r] = from->runs[r];
        runs[r].law = live->contacts + (from->runs[r].law - system->contacts);
    }
    return band;
}

static void copy_block(const sis_system* system, const sis_system* live, const live_block* at,
                       char* room) {
    network_block* block = &live->blocks[at->block];
    if (at->band) block->band = copy_band(system, live, at, room);
    if (at->G) {
        copy(room, at->G, block->G, at->G_size);
        block->G = (const double*)(void*)(room + at->G);
    }
    if (at->square) {
        copy(room, at->square, block->square, at->square_size);
        block->square = (const double*)(void*)(room + at->square);
    }
}

// Points of contacts hold on to copies of links and laws.
static void copy_network(const sis_system* system, sis_system* live, char* room) {
    const live_copies* c = &system->copies;
    const size_t links = (size_t)system->link_count, lines = (size_t)system->line_count;
    if (c->laws) {
        live->contacts = (contact_law*)(void*)(room + c->contacts);
        copy(room, c->contacts, system->contacts,
             (size_t)system->group_count * sizeof(contact_law));
    }
    live->links = (network_link*)(void*)(room + c->network);
    copy(room, c->network, system->links, links * sizeof(network_link));
    live->compliance = (double*)(void*)(room + c->compliance);
    copy(room, c->compliance, system->compliance, (size_t)system->padded * sizeof(double));
    live->lines = (contact_line*)(void*)(room + c->lines);
    copy(room, c->lines, system->lines, lines * sizeof(contact_line));
    for (size_t i = 0; i < links && c->laws; i++)
        if (live->links[i].contact)
            live->links[i].contact = live->contacts + (live->links[i].contact - system->contacts);
    for (size_t l = 0; l < lines; l++) {
        contact_line* line = &live->lines[l];
        line->links = live->links + line->first;
        line->law = live->links[line->first].contact;
        line->G = live->compliance + line->first;
    }
    if (!c->blocks) return;
    live->blocks = (network_block*)(void*)(room + c->block_list);
    copy(room, c->block_list, system->blocks, (size_t)system->block_count * sizeof(network_block));
    for (int32_t i = 0; i < system->live_block_count; i++)
        copy_block(system, live, &system->live_blocks[i], room);
}

// Whether all constants are those of the values that inputs start with.
static bool is_as_started(const sis_system* system, const state_view* view) {
    const char* image = system->image;
    const double* start = (const double*)(const void*)(image + system->offset[ROW_view_applied]);
    for (int32_t i = 0; i < system->live_count; i++)
        if (view->applied[i] != start[i]) return false;
    return true;
}

const sis_system* sis_live_system(const sis_system* system, const state_view* view) {
    if (!system->live_count) return system;
    return is_as_started(system, view) ? system->started : sis_live_copy(system, view);
}

// Bodies whose answer to forces moves are made one after the other with what holds on to them.
static void set_all(const sis_system* system, sis_system* live, const state_view* view) {
    const bool together = !system->copies.bodies;
    for (int32_t i = 0; i < system->live_count; i++) {
        const live_binding* b = &system->live[i];
        b->class->set(live, b, view->applied[i]);
        if (!together && b->class->finish) b->class->finish(live, b, false);
    }
    for (int32_t i = 0; together && i < system->live_count; i++)
        if (system->live[i].class->finish)
            system->live[i].class->finish(live, &system->live[i], true);
}

// ---------------------------------------------------------------------------- from where inputs start

// What points into the copies of one room points to the same place of another.
typedef struct carrier {
    const char* from;
    char* to;
    size_t size;
} carrier;

static inline void* carried(const carrier* c, const void* pointer) {
    const size_t at = (size_t)((uintptr_t)pointer - (uintptr_t)c->from);
    return at < c->size ? (void*)(c->to + at) : (void*)(uintptr_t)pointer;
}

static void carry_end(const carrier* c, network_end* end) {
    end->weight = carried(c, end->weight);
    end->index = carried(c, end->index);
}

static void carry_blocks(const carrier* c, sis_system* live) {
    live->blocks = carried(c, live->blocks);
    for (int32_t i = 0; i < live->live_block_count; i++) {
        const live_block* at = &live->live_blocks[i];
        network_block* block = &live->blocks[at->block];
        block->G = carried(c, block->G);
        block->square = carried(c, block->square);
        if (!at->band) continue;
        network_band* band = carried(c, block->band);
        band_run* runs = carried(c, band->runs);
        for (int32_t r = 0; r < band->run_count; r++)
            runs[r].law = carried(c, runs[r].law);
        band->runs = runs;
        block->band = band;
    }
}

static void carry_network(const carrier* c, sis_system* live) {
    live->contacts = carried(c, live->contacts);
    live->links = carried(c, live->links);
    live->compliance = carried(c, live->compliance);
    live->lines = carried(c, live->lines);
    for (int32_t i = 0; i < live->link_count; i++) {
        network_link* link = &live->links[i];
        carry_end(c, &link->below);
        carry_end(c, &link->above);
        link->contact = carried(c, link->contact);
    }
    for (int32_t l = 0; l < live->line_count; l++) {
        contact_line* line = &live->lines[l];
        line->links = live->links + line->first;
        line->law = live->links[line->first].contact;
        line->G = live->compliance + line->first;
    }
    if (live->copies.blocks) carry_blocks(c, live);
}

// Most inputs of a scene with fingers are where they started: what these move is copied from
// `started`, and only the others are set, to the very numbers that setting all of them gives.
static void set_moved(const sis_system* system, sis_system* live, const state_view* view) {
    const char* image = system->image;
    const double* start = (const double*)(const void*)(image + system->offset[ROW_view_applied]);
    for (int32_t i = 0; i < live->live_count; i++)
        if (live->live[i].class->body || view->applied[i] != start[i])
            live->live[i].class->set(live, &live->live[i], view->applied[i]);
    for (int32_t i = 0; i < live->live_count; i++)
        if (live->live[i].class->finish && view->applied[i] != start[i])
            live->live[i].class->finish(live, &live->live[i], false);
}

static sis_system* copy_started(const sis_system* system, const state_view* view) {
    const sis_system* started = system->started;
    const carrier c = {(const char*)started, view->room, system->live_room};
    sis_system* live = (sis_system*)(void*)view->room;
    memcpy(view->room, started, system->live_room);
    if (system->copies.bodies) {
        live->body_groups = carried(&c, live->body_groups);
        copy(view->room, system->copies.body_groups, system->body_groups,
             (size_t)system->body_group_count * sizeof(body_group));
    }
    if (system->copies.links) carry_network(&c, live);
    if (system->copies.readers) {
        live->readers = carried(&c, live->readers);
        for (int32_t i = 0; i < live->probe_count; i++)
            carry_end(&c, &live->readers[i].end);
    }
    set_moved(system, live, view);
    return live;
}

sis_system* sis_live_copy(const sis_system* system, const state_view* view) {
    if (!system->live_count) return (sis_system*)(uintptr_t)system;
    const live_copies* c = &system->copies;
    if (system->started && !c->whole) return copy_started(system, view);
    char* room = view->room;
    sis_system* live = (sis_system*)(void*)room;
    *live = *system;
    if (c->bodies) {
        live->body_groups = (body_group*)(void*)(room + c->body_groups);
        copy(room, c->body_groups, system->body_groups,
             (size_t)system->body_group_count * sizeof(body_group));
    }
    if (c->links) copy_network(system, live, room);
    if (c->readers) {
        live->readers = (probe_reader*)(void*)(room + c->reader_list);
        copy(room, c->reader_list, system->readers,
             (size_t)system->probe_count * sizeof(probe_reader));
    }
    set_all(system, live, view);
    return live;
}

void sis_live_done(const sis_system* live, const state_view* view) {
    if ((const char*)live == view->room) memset(view->room, 0, live->live_room);
}

// Gravity on all that it pulls; external forces are added where they act.
static void pull(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->gravity_count; i++)
        for (int32_t dof = 0; dof < system->dof_count; dof++)
            if (system->gravities[i].weight[dof] != 0)
                view->motion.F[dof] = sis_weight_at(system, view, dof);
}

static inline double move_constants(sis_system* live, state_view* view) {
    const live_binding *b = live->live, *end = b + live->live_count;
    double *applied = view->applied, supplied = 0;
    if (live->gravity_count) pull(live, view);
    for (; b < end; b++, applied++) {
        const double value =
            b->number.offset + b->number.scale * view->motion.inputs[b->number.input].value;
        if (value == *applied || (b->every && view->samples % LIVE_HOLD)) continue;
        *applied = value;
        supplied += b->class->move(live, b, value, view);
    }
    return supplied;
}

double sis_move_constants(sis_system* live, state_view* view) {
    return move_constants(live, view);
}

void sis_move_bounds(const sis_system* system, const state_view* view) {
    double* bound = (double*)(uintptr_t)view->motion.lower_bound;
    for (int32_t i = 0; i < system->hand_bound_count; i++) {
        const hand_bound* b = &system->hand_bounds[i];
        for (int32_t c = b->first; c < b->first + b->count; c++)
            bound[c] = system->still_bound[c];
    }
    for (int32_t i = 0; i < system->hand_bound_count; i++) {
        const hand_bound* b = &system->hand_bounds[i];
        const double hand = live_at(b->place, view->motion.inputs);
        for (int32_t c = 0; c < b->count; c++) {
            const double high = b->highest[c] + hand;
            if (high > bound[b->first + c]) bound[b->first + c] = high;
        }
    }
}

// Row 0 is the given state: constants move from sample 1 on, and the first that does makes the
// state a copy of its own.
const sis_system* sis_gesture(const sis_system* still, const sis_system* part, state_view* view,
                              const double* row, double* supplied) {
    const uint64_t n = view->samples;
    const bool moved =
        row ? take_row(part, view->motion.inputs, row, n) : take_none(part, view->motion.inputs, n);
    view->moved = moved || n <= 1;
    if (!view->moved && !(part->copies.held && n % LIVE_HOLD == 0)) return part;
    if (part->hand_bound_count) sis_move_bounds(part, view);
    if (n == 0 || (!part->live_count && !part->gravity_count)) return part;
    sis_system* live = (sis_system*)(void*)view->room;
    if (part != live) live = sis_live_copy(still, view);
    *supplied = move_constants(live, view);
    return live;
}
