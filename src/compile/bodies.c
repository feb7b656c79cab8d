// Bodies of a scene, each by its class: degrees of freedom, constants, stability margins, points.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 2000000 };

// ---------------------------------------------------------------------------- degrees of freedom

// "string 'A': " before what its class says of it.
static bool named(const compile_plan* plan, sis_error* error) {
    sis_kind kind = sis_scene_kind(plan->scene, plan->object);
    sis_label label = sis_label_of(kind, sis_scene_name(plan->scene, plan->object));
    if (!error || error->status == SIS_NO_MEMORY) return false;
    sis_error said = *error;
    return sis_fail_key(error, said.status, said.key, "%s: %s", label.text, said.text);
}

// What each body asks for, in order of appearance.
static bool plan_bodies(compile_plan* plan, sis_error* error) {
    const sis_scene* scene = plan->scene;
    int32_t body = 0;
    for (sis_id id = 0; id < scene->count; id++) {
        const body_class* class = sis_class_at(scene, id);
        if (!class) continue;
        body_spec* spec = sis_arena_take(&plan->system->arena, class->spec_size, error);
        if (!spec) return false;
        *spec = (body_spec){.class = class, .id = id, .group = -1};
        plan->spec[id] = plan->system->bodies[body++] = spec;
        plan->object = id;
        if (class->plan && !class->plan(plan, spec, scene->objects[id].def, error))
            return named(plan, error);
        spec->hx = spec->nx ? spec->length / spec->nx : 0;
        spec->hy = spec->ny ? spec->width / spec->ny : 0;
    }
    plan->object = SIS_NONE;
    return true;
}

const char* sis_keep_name(compile_plan* plan, sis_id id, sis_error* error) {
    return sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, id), error);
}

// One group of bodies for a body that asks for degrees of freedom.
static bool make_group(sis_system* system, body_spec* spec, double* points, sis_error* error) {
    if (spec->before) *points = 8 * ceil((*points + spec->before) / 8); // begins a cache line
    spec->group = system->body_group_count++;
    system->body_groups[spec->group] =
        (body_group){.first = (int32_t)*points, .count = spec->count, .meet = spec->meet};
    if (spec->modulated) system->modulation_size = -1;
    *points += spec->count + spec->behind;
    return *points <= MOST_POINTS ||
           sis_fail(error, SIS_REFUSED,
                    "the bodies have more than %d points together: lower the rate or give "
                    "'segments'",
                    MOST_POINTS);
}

// One group of bodies of masses, one of driven masses, then one a body, kind by kind.
static bool make_groups(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t most = (size_t)system->body_count + GROUP_STRING;
    double points = plan->shared[GROUP_MASS] + plan->shared[GROUP_DRIVEN];
    system->body_groups = sis_arena_take(&system->arena, most * sizeof(body_group), error);
    system->alive = sis_arena_take(&system->arena, most * sizeof *system->alive, error);
    if (!system->body_groups || !system->alive) return false;
    system->body_group_count = GROUP_STRING;
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++)
        for (int32_t i = 0; i < system->body_count; i++) {
            body_spec* spec = system->bodies[i];
            if (plan->scene->objects[spec->id].kind != (sis_kind)kind || !spec->count) continue;
            if (!make_group(system, spec, &points, error)) return false;
        }
    system->dof_count = (int32_t)points;
    if (system->modulation_size) system->modulation_size = system->dof_count;
    size_t size = (size_t)system->dof_count * sizeof(double) + 1;
    system->weight = sis_arena_take(&system->arena, size, error);
    plan->position = sis_arena_take(&plan->arena, size, error);
    plan->velocity = sis_arena_take(&plan->arena, size, error);
    if (!system->weight || !plan->position || !plan->velocity || !sis_mass_groups(plan, error))
        return false;
    for (int32_t b = 0; b < system->body_group_count; b++)
        if (system->body_groups[b].count) system->alive[system->alive_count++] = b;
    return true;
}

static bool build_bodies(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    for (int32_t i = 0; i < system->body_count; i++) {
        body_spec* spec = system->bodies[i];
        sis_body_info* info = &system->body_info[i];
        plan->object = spec->id;
        *info = (sis_body_info){.kind = plan->scene->objects[spec->id].kind,
                                .margin = 1,
                                .points = spec->class->fixed ? 0 : (spec->nx + 1) * (spec->ny + 1),
                                .length = spec->length,
                                .width = spec->width,
                                .segments = spec->nx,
                                .segments_y = spec->ny,
                                .modes = spec->modes,
                                .name = sis_keep_name(plan, spec->id, error)};
        if (!info->name) return false;
        const void* def = plan->scene->objects[spec->id].def;
        if (spec->class->build && !spec->class->build(plan, spec, def, info, error))
            return named(plan, error);
    }
    plan->object = SIS_NONE;
    return true;
}

// How each group of bodies flies, and D^-1 of diagonal bodies, one number a degree of freedom.
static bool finish_groups(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t size = (size_t)system->dof_count * sizeof(double);
    plan->Dinv = sis_arena_take(&plan->arena, size, error);
    double* ones = sis_arena_take(&plan->arena, size, error);
    if (!plan->Dinv || !ones) return false;
    for (int32_t i = 0; i < system->dof_count; i++)
        ones[i] = 1;
    system->all_deferred = true;
    for (int32_t b = 0; b < system->body_group_count; b++) {
        body_group* bodies = &system->body_groups[b];
        bodies->number = b;
        if (!bodies->advance) bodies->advance = bodies->kind->advance;
        if (bodies->count && bodies->kind->diagonal)
            bodies->kind->admit(bodies, ones, plan->Dinv + bodies->first);
        system->all_deferred = system->all_deferred && (bodies->deferred || !bodies->count);
    }
    return true;
}

// ---------------------------------------------------------------------------- points

bool sis_compile_end(compile_plan* plan, sis_id id, sis_place at, int32_t order, network_end* end,
                     sis_error* error) {
    const body_spec* spec = id >= 0 ? plan->spec[id] : NULL;
    *end = (network_end){0};
    if (!spec || !spec->class->point) return true;
    if (spec->class->places >= SIS_PLACES_LINE && isnan(at.x)) return true;
    if (isnan(at.x)) at.x = 1; // the first of its numbers
    return spec->class->point(plan, spec, at, order, end, error);
}

// ---------------------------------------------------------------------------- all of them

bool sis_compile_bodies(compile_plan* plan, sis_error* error) {
    const sis_scene* scene = plan->scene;
    sis_system* system = plan->system;
    int32_t moving = 0;
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++) {
        const body_class* class = sis_class_of((sis_kind)kind);
        if (class) system->body_count += scene->kind_count[kind];
        if (class && !class->fixed) moving += scene->kind_count[kind];
    }
    if (moving == 0)
        return sis_fail(error, SIS_REFUSED,
                        "the scene has nothing that moves: add a mass or a string");
    size_t bodies = (size_t)system->body_count;
    system->body_info = sis_arena_take(&system->arena, bodies * sizeof(sis_body_info), error);
    system->bodies = sis_arena_take(&system->arena, bodies * sizeof *system->bodies, error);
    plan->spec = sis_arena_take(&plan->arena, (size_t)scene->count * sizeof *plan->spec, error);
    return system->body_info && system->bodies && plan->spec && plan_bodies(plan, error) &&
           make_groups(plan, error) && build_bodies(plan, error) && finish_groups(plan, error);
}
