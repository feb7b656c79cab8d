// Bodies of a scene, each by its class: degrees of freedom, constants, stability margins; then the
// forces on them.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 2000000 };

bool sis_keep_curve(compile_plan* plan, sis_envelope curve, sis_envelope* copy, sis_error* error) {
    size_t size = (size_t)curve.count * 2 * sizeof(double);
    *copy = (sis_envelope){NULL, 0};
    if (!curve.count) return true;
    double* points = sis_arena_take(&plan->system->arena, size, error);
    if (!points) return false;
    memcpy(points, curve.points, size);
    *copy = (sis_envelope){points, curve.count};
    return true;
}

// ---------------------------------------------------------------------------- degrees of freedom

// "string 'A': " before what its class says of it.
static bool named(const compile_plan* plan, sis_error* error) {
    sis_kind kind = sis_scene_kind(plan->scene, plan->object);
    sis_label label = sis_label_of(kind, sis_scene_name(plan->scene, plan->object));
    sis_error said;
    if (!error || error->status == SIS_NO_MEMORY) return false;
    said = *error;
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
        if (class->plan && !class->plan(plan, spec, sis_scene_def(scene, id), error))
            return named(plan, error);
        spec->hx = spec->nx ? spec->length / spec->nx : 0;
        spec->hy = spec->ny ? spec->width / spec->ny : 0;
    }
    plan->object = SIS_NONE;
    return true;
}

// One group of bodies for a body that asks for degrees of freedom.
static bool make_group(sis_system* system, body_spec* spec, double* points, sis_error* error) {
    if (spec->before) *points = 8 * ceil((*points + spec->before) / 8); // begins a cache line
    spec->group = system->body_group_count++;
    system->body_groups[spec->group] =
        (body_group){.first = (int32_t)*points, .count = spec->count, .meet = spec->meet};
    if (spec->stretching) system->stretch_size = -1;
    *points += spec->count + spec->behind;
    return *points <= MOST_POINTS ||
           sis_fail(error, SIS_REFUSED,
                    "the bodies have more than %d points together: lower the rate or give "
                    "'segments'",
                    MOST_POINTS);
}

// One group of bodies of masses, one of driven masses, then one a body, kind by kind.
static bool make_banks(compile_plan* plan, sis_error* error) {
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
    if (system->stretch_size) system->stretch_size = system->dof_count;
    size_t size = (size_t)system->dof_count * sizeof(double) + 1;
    system->weight = sis_arena_take(&system->arena, size, error);
    plan->position = sis_arena_take(&plan->arena, size, error);
    plan->velocity = sis_arena_take(&plan->arena, size, error);
    if (!system->weight || !plan->position || !plan->velocity || !sis_mass_banks(plan, error))
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
        info->kind = sis_scene_kind(plan->scene, spec->id);
        info->margin = 1;
        info->points = spec->class->fixed ? 0 : (spec->nx + 1) * (spec->ny + 1);
        info->length = spec->length;
        info->width = spec->width;
        info->segments = spec->nx;
        info->segments_y = spec->ny;
        info->modes = spec->modes;
        info->name = sis_arena_text(&system->arena, sis_scene_name(plan->scene, spec->id), error);
        if (!info->name) return false;
        const void* def = sis_scene_def(plan->scene, spec->id);
        if (spec->class->build && !spec->class->build(plan, spec, def, info, error))
            return named(plan, error);
    }
    plan->object = SIS_NONE;
    return true;
}

// How each group of bodies flies, and D^-1 of diagonal bodies, one number a degree of freedom.
static bool finish_banks(compile_plan* plan, sis_error* error) {
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
        if (bodies->kind->diagonal) bodies->kind->admit(bodies, ones, plan->Dinv + bodies->first);
        system->all_deferred = system->all_deferred && (bodies->deferred || !bodies->count);
    }
    return true;
}

// ---------------------------------------------------------------------------- forces

// The sample of an impulse: the nearest one, but sample 0 is the given state, so 1 at the earliest.
static uint64_t impulse_sample(double start, double rate) {
    double n = floor(start * rate + 0.5);
    return n < 1 ? 1 : n > 1e18 ? (uint64_t)1e18 : (uint64_t)n;
}

static bool add_source(compile_plan* plan, const sis_force_def* def, force_source* source,
                       sis_error* error) {
    double peak = isnan(def->peak) ? 1 : def->peak;
    network_end end;
    if (!sis_compile_end(plan, def->on, (sis_place){def->at, def->at_y}, 3, &end, error))
        return false;
    *source = (force_source){end, def->shape, peak, def->start, def->width, 0, {NULL, 0}, 0, 0};
    if (def->shape == SIS_FORCE_IMPULSE)
        source->sample = impulse_sample(def->start, plan->system->rate);
    return sis_keep_curve(plan, def->envelope, &source->envelope, error);
}

// The group that holds the end of a source is forced there.
static void mark_forced(sis_system* system, const network_end* end) {
    for (int32_t b = 0; b < system->body_group_count; b++) {
        body_group* bodies = &system->body_groups[b];
        for (int32_t i = 0; i < end->count; i++) {
            int32_t at = network_dof(end, i) - bodies->first, last;
            if (at < 0 || at >= bodies->count) continue;
            last = bodies->forced_count ? bodies->forced_first + bodies->forced_count - 1 : at;
            if (!bodies->forced_count || at < bodies->forced_first) bodies->forced_first = at;
            if (at > last) last = at;
            bodies->forced_count = last - bodies->forced_first + 1;
        }
    }
}

static bool add_sources(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    for (sis_id id = 0; id < plan->scene->count; id++) {
        plan->object = id;
        if (plan->scene->objects[id].kind == SIS_KIND_FORCE &&
            !add_source(plan, sis_scene_def(plan->scene, id),
                        &system->sources[system->source_count++], error))
            return false;
    }
    plan->object = SIS_NONE;
    for (int32_t i = 0; i < system->source_count; i++) {
        sis_source_span(&system->sources[i], system->rate);
        uint64_t last = system->sources[i].until + 1;
        if (last > system->forced_until) system->forced_until = last;
        mark_forced(system, &system->sources[i].end);
    }
    return true;
}

bool sis_compile_bodies(compile_plan* plan, sis_error* error) {
    const sis_scene* scene = plan->scene;
    sis_system* system = plan->system;
    int32_t moving = 0;
    for (sis_id id = 0; id < scene->count; id++) {
        const body_class* class = sis_class_at(scene, id);
        system->body_count += class != NULL;
        moving += class && !class->fixed;
    }
    if (moving == 0)
        return sis_fail(error, SIS_REFUSED,
                        "the scene has nothing that moves: add a mass or a string");
    size_t sources = (size_t)scene->kind_count[SIS_KIND_FORCE], bodies = (size_t)system->body_count;
    system->sources = sis_arena_take(&system->arena, sources * sizeof(force_source) + 1, error);
    system->body_info = sis_arena_take(&system->arena, bodies * sizeof(sis_body_info), error);
    system->bodies = sis_arena_take(&system->arena, bodies * sizeof *system->bodies, error);
    plan->spec = sis_arena_take(&plan->arena, (size_t)scene->count * sizeof *plan->spec, error);
    return system->sources && system->body_info && system->bodies && plan->spec &&
           plan_bodies(plan, error) && make_banks(plan, error) && build_bodies(plan, error) &&
           finish_banks(plan, error) && add_sources(plan, error) &&
           sis_compile_gravity(plan, error) && sis_compile_plucks(plan, error);
}
