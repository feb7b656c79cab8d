// From a scene to a system.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, SMALL = 16, PAGE = 4096, LARGE = 1344 };

// A load waits for a store it does not need when their places in a page agree and the store was a
// moment ago: where u and both increments, which are swept together, begin in a page. No store is
// less than 960 bytes behind a load.
static const size_t phases[] = {0, 1344, 2688};
_Static_assert(ROW_motion_u == 0 && ROW_motion_next == 2, "the rows of these phases");

// Offsets of the rows in the flat block: long ones on a cache line of their own, short ones share.
static bool lay_out(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const struct {
        size_t size;
        double count;
    } rows[ROW_COUNT] = {
#define ROW(where, name, type, count, unit, doc) {sizeof(type), (double)system->count},
#include "step/layout.def"
#undef ROW
    };
    double total = sizeof(sis_state);
    for (int i = 0; i < ROW_COUNT; i++)
        total += (double)rows[i].size * rows[i].count + PAGE;
    if (total >= 8e9)
        return sis_fail(
            error, SIS_NO_MEMORY,
            "the state would take %.3g bytes, more than 8e9: lower the rate or give 'segments'",
            total);
    size_t at = (sizeof(sis_state) + ALIGN - 1) / ALIGN * ALIGN;
    for (int i = 0; i < ROW_COUNT; i++) {
        size_t size = rows[i].size * (size_t)rows[i].count;
        size_t align = size < ALIGN ? SMALL : ALIGN;
        at = (at + align - 1) / align * align;
        if (i <= ROW_motion_next && size > LARGE) at += (PAGE + phases[i] - at % PAGE) % PAGE;
        system->offset[i] = at;
        at += size;
    }
    system->state_size = (at + ALIGN - 1) / ALIGN * ALIGN;
    return true;
}

// ---------------------------------------------------------------------------- which system it is

// A number that tells systems apart: states carry that of theirs, so that no other system steps
// them. Made from every field of the scene by its row of the schema, names apart, from the options,
// and from the layout and the motion before sample 0, which hold what functions gave. The same
// scene compiled twice has the same number, in another process too.

// FNV-1a.
static uint64_t add_bytes(uint64_t mark, const void* bytes, size_t count) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < count; i++)
        mark = (mark ^ at[i]) * 0x100000001b3u;
    return mark;
}

// Bytes of plain fields. Texts are names, and what functions give shows in the start.
static const size_t sizes[] = {
    [SIS_FIELD_NUMBER] = sizeof(double), [SIS_FIELD_FLAG] = sizeof(bool),
    [SIS_FIELD_WORD] = sizeof(int),      [SIS_FIELD_INTEGER] = sizeof(int32_t),
    [SIS_FIELD_OBJECT] = sizeof(sis_id), [SIS_FIELD_OBJECTS] = 0};

static uint64_t add_scene(uint64_t mark, const sis_scene* scene) {
    int32_t fields = 0;
    const sis_field* schema = sis_schema(&fields);
    for (int32_t i = 0; i < scene->count; i++) {
        const sis_object* object = &scene->objects[i];
        mark = add_bytes(mark, &object->kind, sizeof object->kind);
        for (int32_t f = 0; f < fields; f++) {
            if (schema[f].kind != object->kind) continue;
            sis_array array = sis_field_array(&schema[f], object->def);
            if (array.size)
                mark = add_bytes(mark, array.data, (size_t)array.count * array.size);
            else
                mark = add_bytes(mark, (const char*)object->def + schema[f].offset,
                                 sizes[schema[f].type]);
        }
    }
    return mark;
}

static uint64_t mark_of(const compile_plan* plan) {
    const sis_system* system = plan->system;
    const body_motion start = sis_view(system, system->image).motion;
    const size_t dofs = (size_t)system->dof_count * sizeof(double);
    uint64_t mark = add_bytes(0xcbf29ce484222325u, SIS_VERSION, sizeof SIS_VERSION);
    mark = add_scene(mark, plan->scene);
    mark = add_bytes(mark, &plan->options->scheme, sizeof plan->options->scheme);
    mark = add_bytes(mark, &system->rate, sizeof system->rate);
    mark = add_bytes(mark, &system->audit, sizeof system->audit);
    mark = add_bytes(mark, system->offset, sizeof system->offset);
    mark = add_bytes(mark, start.u, dofs);
    mark = add_bytes(mark, start.d, dofs);
    mark = add_bytes(mark, start.F, dofs);
    mark = add_bytes(mark, start.lower_bound, (size_t)system->bound_size * sizeof(double));
    return mark ? mark : 1; // 0 is no state
}

// ---------------------------------------------------------------------------- stages

// The last sample in which anything can supply energy: a force, a driven mass that moves. Bows and
// gravity can for ever.
static uint64_t acts_until(const sis_system* system) {
    const driven_group* hands = system->body_groups[GROUP_DRIVEN].data;
    uint64_t last = system->forced_until;
    for (int32_t i = 0; i < system->dof_count; i++)
        if (system->weight[i] != 0 || system->input_count) return UINT64_MAX;
    for (int32_t i = 0; i < system->body_groups[GROUP_DRIVEN].count; i++) {
        double end = hands->path[i].points[2 * hands->path[i].count - 2] * system->rate;
        if (!(end < 1e15)) return UINT64_MAX;
        if (end + 2 > (double)last) last = (uint64_t)(end + 2);
    }
    return system->bow_count ? UINT64_MAX : last;
}

static bool check_options(const sis_options* options, sis_error* error) {
    if (!(options->rate > 0 && options->rate <= 1e12))
        return sis_fail(error, SIS_BAD_VALUE, "the rate must be between 0 and 1e12 Hz, got %g",
                        options->rate);
    if (options->scheme < SIS_SCHEME_AS_GIVEN || options->scheme >= SIS_SCHEME_COUNT)
        return sis_fail(error, SIS_BAD_VALUE, "there is no scheme number %d", (int)options->scheme);
    int32_t lanes = options->lanes;
    if (lanes != 0 &&
        ((lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8) || lanes > sis_widest()))
        return sis_fail(error, SIS_BAD_VALUE,
                        "lanes must be 1, 2, 4 or 8, and at most %d on this CPU, got %d",
                        (int)sis_widest(), (int)lanes);
    return true;
}

// Which object the error is about, and whether its key is one of that object: what would help may
// be a key of another one.
static void name_object(const compile_plan* plan, sis_error* error) {
    if (error->object == SIS_NONE) error->object = plan->object;
    if (error->object == SIS_NONE) error->key[0] = 0;
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    bool own = false, other = false;
    size_t length = strlen(error->key);
    for (int32_t i = 0; i < count; i++) {
        if (strncmp(fields[i].key, error->key, length) != 0) continue; // segments, segments_x
        own = own || fields[i].kind == sis_scene_kind(plan->scene, error->object);
        other = other || !fields[i].key[length];
    }
    if (other && !own) error->key[0] = 0;
}

bool sis_add_objects(compile_plan* plan, const object_adder add[SIS_KIND_COUNT], sis_error* error) {
    for (sis_id id = 0; id < plan->scene->count; id++) {
        const sis_object* object = &plan->scene->objects[id];
        plan->object = id;
        if (add[object->kind] && !add[object->kind](plan, id, object->def, error)) return false;
    }
    plan->object = SIS_NONE;
    return true;
}

sis_system* sis_compile(const sis_scene* scene, const sis_options* options, sis_error* error) {
    if (!scene || !options) {
        sis_fail(error, SIS_BAD_VALUE, "no scene or no options");
        return NULL;
    }
    if (!check_options(options, error)) return NULL;
    sis_system* system = calloc(1, sizeof *system);
    if (!system) {
        sis_fail(error, SIS_NO_MEMORY, "no memory for a system");
        return NULL;
    }
    system->part_count = 1;
    system->rate = options->rate;
    system->k = 1 / options->rate;
    system->audit = !options->unaudited;
    system->lanes = options->lanes ? options->lanes : sis_widest();
    system->dots = sis_wide(system->lanes)->line->dots;
    bool (*const stages[])(compile_plan*, sis_error*) = {
        sis_compile_inputs, sis_compile_bodies, sis_compile_excitation,
        sis_compile_links,  sis_compile_lines,  sis_compile_probes,
        sis_compile_live,   sis_compile_parts,  lay_out,
        sis_compile_start};
    compile_plan plan = {.scene = scene, .options = options, .system = system};
    bool good = true;
    for (size_t i = 0; good && i < sizeof stages / sizeof *stages; i++) {
        plan.object = SIS_NONE;
        good = stages[i](&plan, error);
    }
    if (!good && error) name_object(&plan, error);
    if (good) system->acts_until = acts_until(system);
    if (good) ((sis_state*)system->image)->mark = system->mark = mark_of(&plan);
    good = good && sis_compile_started(&plan, error);
    sis_arena_free(&plan.arena);
    if (good) return system;
    sis_system_free(system);
    return NULL;
}

void sis_system_free(sis_system* system) {
    if (!system) return;
    sis_arena_free(&system->arena);
    free(system);
}
