// Constants of contacts, springs and bows that follow inputs: which can, and what a call copies
// for them.
#include "compile/plan.h"
#include "step/live.h"

#include <string.h>

// The contact, spring or bow that an object became.
static int32_t group_of(const compile_plan* plan, sis_id object) {
    int32_t g = 0;
    while (plan->linked[g] != object)
        g++;
    return g;
}

static sis_label label_of(const compile_plan* plan, const sis_binding* b) {
    return sis_label_of(sis_scene_kind(plan->scene, b->object),
                        sis_scene_name(plan->scene, b->object));
}

// ---------------------------------------------------------------------------- contacts, springs

// Other laws are not linear in their K.
bool sis_make_live_K(compile_plan* plan, const sis_binding* binding, live_binding* b,
                     sis_error* error) {
    sis_system* system = plan->system;
    b->class = &sis_live_K;
    b->target = group_of(plan, binding->object);
    system->copies.laws = true;
    return system->contacts[b->target].power.class != LAW_TABLE ||
           sis_fail_key(error, SIS_REFUSED, "K",
                        "%s: 'K' follows an input only in laws of powers of the depth, not in this "
                        "'law'",
                        label_of(plan, binding).text);
}

bool sis_make_live_damping(compile_plan* plan, const sis_binding* binding, live_binding* b,
                           sis_error* error) {
    sis_system* system = plan->system;
    const sis_contact_def* def = sis_scene_def(plan->scene, binding->object);
    (void)error;
    b->class = &sis_live_damping;
    b->target = group_of(plan, binding->object);
    b->side = sis_contact_owes(plan, def, system->contacts[b->target].scheme);
    system->copies.laws = true;
    return true;
}

// Dampers of hands and keys are slack most of the time: a block of nothing else is then skipped.
static void mark_springs(const sis_system* system, network_block* block) {
    block->springs = true;
    for (int32_t i = block->first; i < block->first + block->count; i++)
        block->springs = block->springs && system->links[i].class == &sis_spring_class;
}

bool sis_make_live_spring(compile_plan* plan, const sis_binding* binding, live_binding* b,
                          sis_error* error) {
    sis_system* system = plan->system;
    const sis_spring_def* def = sis_scene_def(plan->scene, binding->object);
    const link_group* group = &system->groups[group_of(plan, binding->object)];
    b->class = &sis_live_spring;
    b->target = system->link_at[group->first];
    b->side = strcmp(binding->key, "K1") == 0   ? SPRING_K1
              : strcmp(binding->key, "K3") == 0 ? SPRING_K3
                                                : SPRING_DAMPING;
    system->copies.links = true;
    mark_springs(system, &system->blocks[system->block_of[b->target]]);
    return !def->rigid || sis_fail_key(error, SIS_REFUSED, binding->key,
                                       "%s: 'rigid' has no '%s' that could follow an input",
                                       label_of(plan, binding).text, binding->key);
}

// ---------------------------------------------------------------------------- blocks

static void take_band(sis_system* system, live_block* at) {
    const network_band* band = system->blocks[at->block].band;
    at->band = sis_live_room(system, sizeof *band);
    at->runs = sis_live_room(system, (size_t)band->run_count * sizeof *band->runs);
}

static void take_G(sis_system* system, live_block* at) {
    const network_block* block = &system->blocks[at->block];
    const int32_t last = block->count - 1, side = network_square_side(block->count);
    const size_t pad = block->wide ? PROFILE_PAD : 0;
    const size_t size = block->start[last] + (size_t)(last - block->row[last] + 1) + pad;
    at->G_size = size * sizeof(double);
    at->G = sis_live_room(system, at->G_size);
    if (!block->square) return;
    at->square_size = (size_t)side * (size_t)side * sizeof(double);
    at->square = sis_live_room(system, at->square_size);
}

bool sis_live_blocks(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const size_t count = (size_t)system->block_count;
    system->live_blocks =
        sis_arena_take(&system->arena, count * sizeof *system->live_blocks + 1, error);
    if (!system->live_blocks) return false;
    for (int32_t b = 0; b < system->block_count && system->copies.blocks; b++) {
        live_block at = {.block = b};
        if (system->copies.laws && system->blocks[b].band) take_band(system, &at);
        if (sis_block_slides(system, &system->blocks[b])) take_G(system, &at);
        if (at.band || at.G) system->live_blocks[system->live_block_count++] = at;
    }
    return true;
}
