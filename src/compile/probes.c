// Probes of a scene: which numbers of the state each output reads.
#include "compile/plan.h"

#include <math.h>

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
        int32_t count = 0, group = 0;
        int32_t* links = (int32_t*)reader->links;
        for (sis_id id = 0; id < scene->count; id++) {
            sis_kind kind = scene->objects[id].kind;
            if (kind != SIS_KIND_CONTACT && kind != SIS_KIND_SPRING && kind != SIS_KIND_BOW)
                continue;
            const sis_contact_def* contact =
                kind == SIS_KIND_CONTACT ? sis_scene_def(scene, id) : NULL;
            if (id == def->on ||
                (contact && (contact->above == def->on || contact->below == def->on))) {
                const link_group* g = &system->groups[group];
                for (int32_t j = 0; j < g->count; j++, count++)
                    if (pass) links[count] = system->link_at[g->first + j];
            }
            group++;
        }
        reader->link_count = count;
        if (pass) return true;
        reader->links = sis_arena_take(&system->arena, (size_t)count * sizeof *links + 1, error);
        if (!reader->links) return false;
    }
    return true;
}

static bool make_probe(compile_plan* plan, sis_id id, probe_reader* reader, sis_probe_info* info,
                       sis_error* error) {
    const sis_scene* scene = plan->scene;
    const sis_probe_def* def = sis_scene_def(scene, id);
    reader->quantity = def->quantity;
    if (!sis_compile_end(plan, def->on, (sis_place){def->at, def->at_y}, 3, &reader->end, error))
        return false;
    const sis_barrier_def* barrier = sis_as_barrier(scene, def->on);
    if (barrier) reader->height = barrier->height;
    *info = (sis_probe_info){
        .quantity = def->quantity, .unit = units[def->quantity], .gain = def->gain};
    info->channel = def->channel ? def->channel : reader == plan->system->readers ? 1 : 0;
    info->name = sis_arena_text(&plan->system->arena, sis_scene_name(scene, id), error);
    info->on = sis_arena_text(&plan->system->arena, sis_scene_name(scene, def->on), error);
    if (!info->name || !info->on || !list_links(plan, def, reader, error)) return false;
    if (def->quantity != SIS_QUANTITY_PENETRATION || reader->link_count) return true;
    return sis_fail(error, SIS_REFUSED,
                    "probe '%s': 'quantity': '%s' has no contact, so it has no penetration",
                    info->name, info->on);
}

bool sis_compile_probes(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t count = (size_t)plan->scene->kind_count[SIS_KIND_PROBE];
    system->probe_count = (int32_t)count;
    system->readers = sis_arena_take(&system->arena, count * sizeof(probe_reader) + 1, error);
    system->probe_info = sis_arena_take(&system->arena, count * sizeof(sis_probe_info) + 1, error);
    system->first_row = sis_arena_take(&system->arena, count * sizeof(double) + 1, error);
    if (!system->readers || !system->probe_info || !system->first_row) return false;
    int32_t probe = 0;
    for (sis_id id = 0; id < plan->scene->count; id++) {
        if (plan->scene->objects[id].kind != SIS_KIND_PROBE) continue;
        plan->object = id;
        if (!make_probe(plan, id, &system->readers[probe], &system->probe_info[probe], error))
            return false;
        probe++;
    }
    return true;
}
