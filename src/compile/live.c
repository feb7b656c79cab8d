// Inputs of a scene, and what follows them.
//
// Forces, bows, gravity, gains and driven masses read their inputs themselves. Gaps and heights
// are moved by hands: driven degrees of freedom that the contacts hold on to, so that the work of
// the player is that of any driven mass. All other constants move by the classes of step/live.c.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- inputs

static bool add_input(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    const sis_input_def* def = given;
    const int32_t i = system->input_count++;
    const char *unit = def->unit ? def->unit : "", *label = def->label ? def->label : "";
    const double start = def->trigger ? 0 : def->value;
    plan->input_of[id] = i;
    system->inputs[i] = (input_spec){.start = start,
                                     .min = def->min,
                                     .max = def->max,
                                     .steps = (uint64_t)ceil(def->smooth * system->rate - 1e-9),
                                     .trigger = def->trigger};
    system->inputs[i].direct = !def->trigger && !system->inputs[i].steps;
    sis_input_info* info = &system->input_info[i];
    *info = (sis_input_info){.name = sis_keep_name(plan, id, error),
                             .unit = sis_arena_text(&system->arena, unit, error),
                             .label = sis_arena_text(&system->arena, label, error),
                             .value = start,
                             .min = def->min,
                             .max = def->max,
                             .smooth = def->smooth,
                             .trigger = def->trigger};
    return info->name && info->unit && info->label;
}

bool sis_needs_hand(const sis_binding* b) {
    return strcmp(b->key, "gap") == 0 || strcmp(b->key, "height") == 0;
}

bool sis_compile_inputs(compile_plan* plan, sis_error* error) {
    static const object_adder add[SIS_KIND_COUNT] = {[SIS_KIND_INPUT] = add_input};
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    const size_t count = (size_t)scene->kind_count[SIS_KIND_INPUT], all = (size_t)scene->count;
    if (!count) return true;
    system->inputs = sis_arena_take(&system->arena, count * sizeof *system->inputs, error);
    system->input_info = sis_arena_take(&system->arena, count * sizeof *system->input_info, error);
    plan->input_of = sis_arena_take(&plan->arena, all * sizeof *plan->input_of, error);
    plan->hand_of = sis_arena_take(&plan->arena, all * sizeof *plan->hand_of, error);
    const size_t places = 2 * (size_t)scene->binding_count;
    plan->places = sis_arena_take(&plan->arena, places * sizeof *plan->places + 1, error);
    if (!system->inputs || !system->input_info || !plan->input_of || !plan->hand_of ||
        !plan->places || !sis_add_objects(plan, add, error))
        return false;
    for (size_t i = 0; i < all; i++)
        plan->hand_of[i] = -1;
    for (int32_t i = 0; i < scene->binding_count; i++)
        if (sis_needs_hand(&scene->bindings[i]))
            plan->hand_of[scene->bindings[i].object] = plan->shared[GROUP_DRIVEN]++;
    return true;
}

live_number sis_live_field(const compile_plan* plan, sis_id object, const char* key,
                           double constant) {
    const sis_binding* b = sis_scene_bound(plan->scene, object, key);
    if (!b) return (live_number){-1, 0, constant};
    return (live_number){plan->input_of[b->input], b->scale, b->offset};
}

int32_t sis_trigger_of(const compile_plan* plan, sis_id input) {
    return input == SIS_NONE ? -1 : plan->input_of[input];
}

double sis_live_start(const compile_plan* plan, live_number number) {
    if (number.input < 0) return number.offset;
    return number.offset + number.scale * plan->system->inputs[number.input].start;
}

// A barrier below that nothing else moves can go down where the gap grows: its points then hold on
// to the hand alone.
bool sis_hand_lowers(const compile_plan* plan, sis_id object) {
    const sis_scene* scene = plan->scene;
    if (sis_scene_kind(scene, object) != SIS_KIND_CONTACT) return false;
    const sis_contact_def* def = scene->objects[object].def;
    return sis_as_barrier(scene, def->below) && plan->hand_of[def->below] < 0;
}

bool sis_hold_by_hand(compile_plan* plan, sis_id object, double weight, network_end* end,
                      sis_error* error) {
    sis_system* system = plan->system;
    if (!plan->hand_of || plan->hand_of[object] < 0) return true;
    const int32_t hand = system->body_groups[GROUP_DRIVEN].first + plan->hand_of[object];
    if (!end->count && weight == 1) {
        *end = (network_end){.first = hand, .count = 1};
        return true;
    }
    const size_t count = (size_t)end->count + 1;
    double* weights = sis_arena_take(&system->arena, count * sizeof *weights, error);
    int32_t* index = sis_arena_take(&system->arena, count * sizeof *index, error);
    if (!weights || !index) return false;
    const int32_t first = end->count ? end->first : hand;
    for (int32_t i = 0; i < end->count; i++) {
        weights[i] = end->weight ? end->weight[i] : 1;
        index[i] = network_dof(end, i) - first;
    }
    weights[end->count] = weight;
    index[end->count] = hand - first;
    *end =
        (network_end){.first = first, .count = (int32_t)count, .weight = weights, .index = index};
    return true;
}

// ---------------------------------------------------------------------------- constants

// How a constant of an object comes to follow its input. Adds to plan->system->live.
typedef struct live_maker {
    sis_kind kind;
    const char* key;
    live_make make;
} live_maker;

static const live_maker makers[] = {
    {SIS_KIND_STRING, "tension", sis_make_string_live},
    {SIS_KIND_STRING, "bend", sis_make_string_live},
    {SIS_KIND_PLATE, "tension", sis_make_plate_live},
    {SIS_KIND_CONTACT, "K", sis_make_live_K},
    {SIS_KIND_CONTACT, "damping", sis_make_live_damping},
    {SIS_KIND_CONTACT, "at", sis_make_live_place},
    {SIS_KIND_CONTACT, "at_y", sis_make_live_place},
    {SIS_KIND_CONTACT, "at_above", sis_make_live_place},
    {SIS_KIND_CONTACT, "at_above_y", sis_make_live_place},
    {SIS_KIND_CONTACT, "at_below", sis_make_live_place},
    {SIS_KIND_CONTACT, "at_below_y", sis_make_live_place},
    {SIS_KIND_BOW, "at", sis_make_live_place},
    {SIS_KIND_BOW, "at_y", sis_make_live_place},
    {SIS_KIND_PROBE, "at", sis_make_live_place},
    {SIS_KIND_PROBE, "at_y", sis_make_live_place},
    {SIS_KIND_SPRING, "K1", sis_make_live_spring},
    {SIS_KIND_SPRING, "K3", sis_make_live_spring},
    {SIS_KIND_SPRING, "damping", sis_make_live_spring},
    // These read their inputs themselves.
    {SIS_KIND_FORCE, "peak", NULL},
    {SIS_KIND_MASS, "path", NULL},
    {SIS_KIND_BOW, "force", NULL},
    {SIS_KIND_BOW, "velocity", NULL},
    {SIS_KIND_CONTACT, "gap", NULL},
    {SIS_KIND_BARRIER, "height", NULL},
    {SIS_KIND_GRAVITY, "g", NULL},
    {SIS_KIND_PROBE, "gain", NULL},
};

static const live_maker* maker_of(const compile_plan* plan, const sis_binding* b) {
    const sis_kind kind = sis_scene_kind(plan->scene, b->object);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].kind == kind && strcmp(makers[i].key, b->key) == 0) return &makers[i];
    return NULL;
}

// Bytes of the copies from here on.
size_t sis_live_room(sis_system* system, size_t size) {
    const size_t at = system->live_room;
    system->live_room += (size + 63) / 64 * 64;
    return at;
}

static void place_copies(sis_system* system) {
    live_copies* c = &system->copies;
    for (int32_t b = 0; c->laws && b < system->block_count; b++)
        c->blocks = c->blocks || system->blocks[b].band; // its runs have laws
    if (c->laws || c->blocks) c->links = true;
    const size_t links = (size_t)system->link_count, lines = (size_t)system->line_count;
    if (c->bodies)
        c->body_groups =
            sis_live_room(system, (size_t)system->body_group_count * sizeof(body_group));
    if (c->laws)
        c->contacts = sis_live_room(system, (size_t)system->group_count * sizeof(contact_law));
    if (c->links) {
        c->network = sis_live_room(system, links * sizeof(network_link));
        c->compliance = sis_live_room(system, (size_t)system->padded * sizeof(double));
        c->lines = sis_live_room(system, lines * sizeof(contact_line));
    }
    if (c->blocks)
        c->block_list = sis_live_room(system, (size_t)system->block_count * sizeof(network_block));
    if (c->readers)
        c->reader_list = sis_live_room(system, (size_t)system->probe_count * sizeof(probe_reader));
}

bool sis_compile_live(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    const size_t most = (size_t)scene->binding_count;
    if (!most) return true;
    system->live = sis_arena_take(&system->arena, most * sizeof *system->live, error);
    if (!system->live) return false;
    sis_live_room(system, sizeof *system); // its copy comes first
    for (size_t i = 0; i < most; i++) {
        const sis_binding* binding = &scene->bindings[i];
        const live_maker* maker = maker_of(plan, binding);
        plan->object = binding->object;
        if (!maker) // a row of schema.def without one here
            return sis_fail_key(error, SIS_REFUSED, binding->key, "'%s' cannot follow an input",
                                binding->key);
        if (!maker->make) continue;
        live_binding* b = &system->live[system->live_count];
        *b = (live_binding){.number = sis_live_field(plan, binding->object, binding->key, 0),
                            .low = binding->low,
                            .high = binding->high,
                            .target = -1};
        plan->object = binding->object;
        if (!maker->make(plan, binding, b, error)) return false;
        system->live_count++;
    }
    plan->object = SIS_NONE;
    if (!system->live_count) {
        system->live_room = 0;
        return true;
    }
    place_copies(system);
    return sis_live_blocks(plan, error);
}

// States that are where inputs start share one copy.
bool sis_compile_started(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    if (!system->live_count) return true;
    state_view view = sis_view(system, system->image);
    char* room = sis_arena_take(&system->arena, system->live_room + SIS_STATE_ALIGN, error);
    if (!room) return false;
    const size_t over = (uintptr_t)room % SIS_STATE_ALIGN;
    view.room = room + (over ? SIS_STATE_ALIGN - over : 0);
    system->started = sis_live_copy(system, &view);
    return true;
}

// ---------------------------------------------------------------------------- what a system tells

int32_t sis_system_input_count(const sis_system* system) {
    return system ? system->input_count : 0;
}

sis_input_info sis_system_input(const sis_system* system, int32_t i) {
    return system && i >= 0 && i < system->input_count ? system->input_info[i]
                                                       : (sis_input_info){0};
}

int32_t sis_system_input_find(const sis_system* system, const char* name) {
    for (int32_t i = 0; system && name && i < system->input_count; i++)
        if (strcmp(system->input_info[i].name, name) == 0) return i;
    return -1;
}
