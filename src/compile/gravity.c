// Gravity: a constant force towards -u on every degree of freedom of the bodies it pulls.
#include "compile/plan.h"

#include <math.h>

// The integral of sin(p pi x/L) over 0 .. L is this much of L.
static double mean_of_mode(int32_t p) {
    return p % 2 ? 2 / (p * PI) : 0;
}

// External forces act on all of the bank in all samples.
static void force_all(sis_system* system, body_bank* bank) {
    bank->forced_first = 0;
    bank->forced_count = bank->count;
    bank->pulled = true;
    system->forced_until = UINT64_MAX / 2;
}

// Each point of a grid carries its length. A tuned implicit string is written through the root of
// its mass operator (sis_compile_end), whose rows sum to 1 but next to the ends.
static void pull_string(sis_system* system, const string_form* f, double g) {
    body_bank* bank = &system->banks[f->bank];
    bool modal = f->model == SIS_STRING_MODAL;
    int32_t count = sis_string_modes(f);
    for (int32_t i = 0; i < count; i++) {
        double part = !modal    ? f->h * (1 + f->root * ((i == 0) + (i == count - 1)))
                      : f->mode ? sis_mode_flat(&f->mode[i])
                                : f->length * mean_of_mode(i + 1);
        system->weight[bank->first + i] -= f->density * part * g;
    }
    if (!modal) force_all(system, bank);
}

static void pull_plate(sis_system* system, const plate_form* f, double g) {
    body_bank* bank = &system->banks[f->bank];
    double* weight = system->weight + bank->first;
    double all = f->density * f->length * f->width * g, each = all / ((double)f->nx * f->ny);
    for (int32_t i = 0; i < f->modes && f->model == SIS_PLATE_MODAL; i++)
        weight[i] -= all * mean_of_mode(f->list[i].m) * mean_of_mode(f->list[i].l);
    if (f->model == SIS_PLATE_MODAL) return;
    for (int32_t j = 1; j < f->ny; j++)
        for (int32_t i = 1; i < f->nx; i++)
            weight[plate_place(f->nx, i, j)] -= each;
    force_all(system, bank);
}

// Driven masses and bodies of modes stay as they are.
static void pull(compile_plan* plan, sis_id id, double g) {
    sis_system* system = plan->system;
    const sis_mass_def* mass;
    if (g == 0) return;
    switch (plan->scene->objects[id].kind) {
    case SIS_KIND_MASS:
        mass = sis_scene_def(plan->scene, id);
        if (!mass->path.count) system->weight[plan->dof[id]] -= mass->mass * g;
        break;
    case SIS_KIND_STRING:
        pull_string(system, &system->strings[plan->form[id]], g);
        break;
    case SIS_KIND_PLATE:
        pull_plate(system, &system->plates[plan->form[id]], g);
        break;
    default:
        break;
    }
}

// The bodies of one gravity{}. `pulled` is the last gravity, by id, that has pulled each of them.
static bool add_gravity(compile_plan* plan, sis_id gravity, sis_id* pulled, sis_error* error) {
    const sis_gravity_def* def = sis_scene_def(plan->scene, gravity);
    bool all = def->on.count && def->on.ids[0] == SIS_ALL;
    for (sis_id id = 0; id < plan->scene->count && (all || !def->on.count); id++)
        if (all || plan->scene->objects[id].kind == SIS_KIND_MASS) pull(plan, id, def->g);
    for (int32_t i = 0; i < def->on.count && !all; i++) {
        sis_id id = def->on.ids[i];
        if (pulled[id] == gravity + 1) {
            sis_label label = sis_label_of(SIS_KIND_GRAVITY, def->name);
            sis_fail(error, SIS_REFUSED, "%s: 'on' names '%s' twice: name each body once",
                     label.text, sis_scene_name(plan->scene, id));
            return false;
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
