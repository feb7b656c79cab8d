// A number that tells systems apart: states carry that of theirs, so that no other system steps
// them. Made from every field of the scene by its row of the schema, names apart, from the options,
// and from the layout and the motion before sample 0, which hold what functions gave. The same
// scene compiled twice has the same number, in another process too.
#include "compile/plan.h"

#include <string.h>

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

static uint64_t add_field(uint64_t mark, const sis_field* field, const void* def) {
    sis_array array = sis_field_array(field, def);
    if (array.size) return add_bytes(mark, array.data, (size_t)array.count * array.size);
    return add_bytes(mark, (const char*)def + field->offset, sizes[field->type]);
}

static uint64_t add_scene(uint64_t mark, const sis_scene* scene) {
    int32_t fields = 0;
    const sis_field* schema = sis_schema(&fields);
    for (int32_t i = 0; i < scene->count; i++) {
        const sis_object* object = &scene->objects[i];
        mark = add_bytes(mark, &object->kind, sizeof object->kind);
        for (int32_t f = 0; f < fields; f++)
            if (schema[f].kind == object->kind) mark = add_field(mark, &schema[f], object->def);
    }
    return mark;
}

uint64_t sis_mark_of(const compile_plan* plan) {
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
