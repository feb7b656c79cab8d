// Gravity: a constant force towards -u on every degree of freedom of the bodies it pulls.
#include "compile/plan.h"

#include <math.h>

void sis_force_all(sis_system* system, const body_spec* spec) {
    body_group* bodies = &system->body_groups[spec->group];
    bodies->forced_first = 0;
    bodies->forced_count = bodies->count;
    bodies->pulled = true;
    system->forced_until = UINT64_MAX / 2;
}

static void pull(compile_plan* plan, sis_id id, double g) {
    const body_spec* spec = plan->spec[id];
    if (g == 0 || !spec || !spec->class->pull) return;
    spec->class->pull(plan, spec, sis_scene_def(plan->scene, id), g);
}

// The bodies of one gravity{}. `pulled` is the last gravity, by id, that has pulled each of them.
static bool add_gravity(compile_plan* plan, sis_id gravity, sis_id* pulled, sis_error* error) {
    const sis_gravity_def* def = sis_scene_def(plan->scene, gravity);
    bool all = def->on.count && def->on.ids[0] == SIS_ALL;
    for (sis_id id = 0; id < plan->scene->count && (all || !def->on.count); id++)
        if (all || sis_places_of(plan->scene, id) == SIS_PLACES_NONE) pull(plan, id, def->g);
    for (int32_t i = 0; i < def->on.count && !all; i++) {
        sis_id id = def->on.ids[i];
        if (pulled[id] == gravity + 1) {
            sis_label label = sis_label_of(SIS_KIND_GRAVITY, def->name);
            return sis_fail(error, SIS_REFUSED, "%s: 'on' names '%s' twice: name each body once",
                            label.text, sis_scene_name(plan->scene, id));
        }
        pulled[id] = gravity + 1;
        pull(plan, id, def->g);
    }
    return true;
}

bool sis_compile_gravity(compile_plan* plan, sis_error* error) {
    sis_id* pulled =
        sis_arena_take(&plan->arena, (size_t)plan->scene->count * sizeof *pulled, error);
    if (!pulled) return false;
    for (sis_id id = 0; id < plan->scene->count; id++) {
        plan->object = id;
        if (plan->scene->objects[id].kind == SIS_KIND_GRAVITY &&
            !add_gravity(plan, id, pulled, error))
            return false;
    }
    plan->object = SIS_NONE;
    return true;
}
