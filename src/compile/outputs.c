// What a system tells: its probes, which read numbers of the state, and what `sistrum check`
// prints.
#include "compile/plan.h"

#include <math.h>

// ---------------------------------------------------------------------------- probes

static const char* const units[] = {"m", "m/s", "N", "m"};

// The links a probe sums or compares: itself, or the contacts of its body.
static bool list_links(compile_plan* plan, const sis_probe_def* def, probe_reader* reader,
                       sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    bool bow = scene->objects[def->on].kind == SIS_KIND_BOW;
    if (def->quantity != SIS_QUANTITY_FORCE && def->quantity != SIS_QUANTITY_PENETRATION && !bow)
        return true;
    for (int pass = 0; pass < 2; pass++) { // count, then fill
        int32_t* links = (int32_t*)reader->links;
        int32_t count = 0;
        for (int32_t g = 0; g < system->group_count; g++) {
            const sis_object* object = &scene->objects[plan->linked[g]];
            const sis_contact_def* contact = object->kind == SIS_KIND_CONTACT ? object->def : NULL;
            bool touched = contact && (contact->above == def->on || contact->below == def->on);
            if (plan->linked[g] != def->on && !touched) continue;
            for (int32_t j = 0; j < system->groups[g].count; j++, count++)
                if (pass) links[count] = system->link_at[system->groups[g].first + j];
        }
        reader->link_count = count;
        if (pass) break;
        reader->links = sis_arena_take(&system->arena, (size_t)count * sizeof *links + 1, error);
        if (!reader->links) return false;
    }
    return true;
}

// What is heard of links, or of masses, has no place.
static bool compile_place(compile_plan* plan, sis_id id, const sis_probe_def* def, network_end* end,
                          sis_error* error) {
    const sis_place at = {def->at, def->at_y};
    if (!plan->spec[def->on]) return sis_compile_end(plan, def->on, at, 3, end, error);
    return sis_compile_place(plan, id, false, def->on, at, 3, SIS_SOUNDING_NONE, end, error);
}

static bool add_probe(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    const sis_probe_def* def = given;
    const sis_barrier_def* barrier = sis_as_barrier(plan->scene, def->on);
    int32_t first = system->probe_count == 0 ? 1 : 0; // its channel, when none is given
    probe_reader* reader = &system->readers[system->probe_count];
    sis_probe_info* info = &system->probe_info[system->probe_count++];
    reader->quantity = def->quantity;
    reader->gain = sis_live_field(plan, id, "gain", 0);
    if (barrier) reader->height = barrier->height;
    *info = (sis_probe_info){.quantity = def->quantity,
                             .unit = units[def->quantity],
                             .gain = reader->gain.input < 0 ? def->gain : 1,
                             .channel = def->channel ? def->channel : first,
                             .name = sis_keep_name(plan, id, error),
                             .on = sis_keep_name(plan, def->on, error)};
    if (!info->name || !info->on || !list_links(plan, def, reader, error) ||
        !compile_place(plan, id, def, &reader->end, error))
        return false;
    if (barrier && !sis_hold_by_hand(plan, def->on, 1, &reader->end, error)) return false;
    if (def->quantity != SIS_QUANTITY_PENETRATION || reader->link_count) return true;
    return sis_fail(error, SIS_REFUSED,
                    "probe '%s': 'quantity': '%s' has no contact, so it has no penetration",
                    info->name, info->on);
}

bool sis_compile_probes(compile_plan* plan, sis_error* error) {
    static const object_adder add[SIS_KIND_COUNT] = {[SIS_KIND_PROBE] = add_probe};
    sis_system* system = plan->system;
    size_t count = (size_t)plan->scene->kind_count[SIS_KIND_PROBE];
    system->readers = sis_arena_take(&system->arena, count * sizeof(probe_reader) + 1, error);
    system->probe_info = sis_arena_take(&system->arena, count * sizeof(sis_probe_info) + 1, error);
    system->first_row = sis_arena_take(&system->arena, count * sizeof(double) + 1, error);
    return system->readers && system->probe_info && system->first_row &&
           sis_add_objects(plan, add, error);
}

// ---------------------------------------------------------------------------- the compiled system

double sis_system_rate(const sis_system* system) {
    return system->rate;
}

size_t sis_system_size(const sis_system* system) {
    return sizeof *system + system->arena.used;
}

int32_t sis_system_probe_count(const sis_system* system) {
    return system->probe_count;
}

sis_probe_info sis_system_probe(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->probe_count ? system->probe_info[i] : (sis_probe_info){0};
}

int32_t sis_system_body_count(const sis_system* system) {
    return system->body_count;
}

sis_body_info sis_system_body(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->body_count ? system->body_info[i] : (sis_body_info){0};
}

int32_t sis_system_link_count(const sis_system* system) {
    return system->group_count;
}

sis_link_info sis_system_link(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->group_count ? system->link_info[i] : (sis_link_info){0};
}

static const body_spec* body_at(const sis_system* system, int32_t body) {
    return body >= 0 && body < system->body_count ? system->bodies[body] : NULL;
}

double sis_system_place(const sis_system* system, int32_t body, int32_t j) {
    const body_spec* spec = body_at(system, body);
    if (!spec || !spec->nx || j < 0) return 0;
    if (spec->ny) return j % (spec->nx + 1) * spec->length / spec->nx;
    return j > spec->nx ? 0 : j == spec->nx ? spec->length : j * spec->hx;
}

bool sis_system_partial(const sis_system* system, int32_t body, int32_t p, double* rings,
                        double* exact) {
    const body_spec* spec = body_at(system, body);
    return spec && spec->class->partial && spec->class->partial(system, spec, p, rings, exact);
}

sis_contact_point sis_system_contact_point(const sis_system* system, int32_t link, int32_t j) {
    if (link < 0 || link >= system->group_count || j < 0 || j >= system->groups[link].count)
        return (sis_contact_point){0, 0, 0, 0, 0};
    return system->groups[link].points[j];
}
