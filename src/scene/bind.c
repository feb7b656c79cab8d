// Inputs, and fields that follow them while it sounds.
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- inputs

// A trigger has no value to begin with.
bool sis_check_input(const sis_scene* scene, const void* given, const char* object,
                     sis_error* error) {
    const sis_input_def* def = given;
    (void)scene;
    const double least = isnan(def->min) ? fmin(0, def->value) : def->min;
    const double most = isnan(def->max) ? fmax(1, def->value) : def->max;
    const sis_rule rules[] = {
        {!def->name, SIS_BAD_VALUE, "an input needs a name: input{ \"press\", 0.5 }"},
        {!(least < most), SIS_BAD_VALUE, "'min' must be less than 'max'"},
        {!def->trigger && !(def->value >= least && def->value <= most), SIS_BAD_VALUE,
         "its value must be between 'min' and 'max'"},
        {def->trigger && def->smooth > 0, SIS_REFUSED,
         "a trigger gives blows, which 'smooth' would smear: leave it out"},
        {0}};
    return sis_follow(rules, object, error);
}

// An input that is a trigger, where one is named.
bool sis_check_trigger(const sis_scene* scene, sis_id id, bool curve, const char* object,
                       sis_error* error) {
    if (id == SIS_NONE) return true;
    const sis_input_def* input =
        sis_scene_kind(scene, id) == SIS_KIND_INPUT ? sis_scene_def(scene, id) : NULL;
    if (!input || !input->trigger)
        return sis_fail_key(error, SIS_BAD_VALUE, "trigger",
                            "%s: 'trigger' must be an input with trigger = true", object);
    return curve || sis_fail_key(error, SIS_REFUSED, "trigger",
                                 "%s: 'trigger' starts a curve again, and there is none", object);
}

// ---------------------------------------------------------------------------- fields

const sis_binding* sis_scene_bound(const sis_scene* scene, sis_id object, const char* key) {
    for (int32_t i = 0; i < scene->binding_count; i++)
        if (scene->bindings[i].object == object && strcmp(scene->bindings[i].key, key) == 0)
            return &scene->bindings[i];
    return NULL;
}

int32_t sis_scene_bound_count(const sis_scene* scene) {
    return scene ? scene->binding_count : 0;
}

sis_bound sis_scene_bound_at(const sis_scene* scene, int32_t i) {
    if (!scene || i < 0 || i >= scene->binding_count) return (sis_bound){0};
    const sis_binding* b = &scene->bindings[i];
    return (sis_bound){b->object, b->input, b->key, b->scale, b->offset};
}

const sis_envelope* sis_scaled_curve(const sis_scene* scene, sis_id object, const char* key) {
    if (sis_scene_kind(scene, object) != SIS_KIND_BOW) return NULL;
    const sis_bow_def* bow = scene->objects[object].def;
    const sis_envelope* curve = strcmp(key, "force") == 0      ? &bow->force_curve
                                : strcmp(key, "velocity") == 0 ? &bow->velocity_curve
                                                               : NULL;
    return curve && curve->count ? curve : NULL;
}

// A factor from b->low to b->high takes the curve from .. to.
static void scale_range(const sis_envelope* curve, sis_binding* b) {
    const double low = b->low, high = b->high;
    for (int32_t i = 0; i < curve->count; i++) {
        const double v = curve->points[2 * i + 1], one = low * v, other = high * v;
        b->low = i ? fmin(b->low, fmin(one, other)) : fmin(one, other);
        b->high = i ? fmax(b->high, fmax(one, other)) : fmax(one, other);
    }
}

// Second numbers of places on plates have no row of their own in lists.
static const struct {
    const char *key, *row;
    int32_t number;
} components[] = {{"at_y", "at", 1}, {"at_above_y", "at_above", 1}, {"at_below_y", "at_below", 1}};

// The live row of a key, and which number of its list; NULL: there is none.
static const sis_field* row_of(sis_kind kind, const char* key, int32_t* number) {
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    *number = 0;
    for (size_t i = 0; kind == SIS_KIND_CONTACT && i < sizeof components / sizeof *components; i++)
        if (strcmp(key, components[i].key) == 0) {
            key = components[i].row;
            *number = components[i].number;
        }
    for (int32_t i = 0; i < count; i++)
        if (fields[i].kind == kind && strcmp(fields[i].key, key) == 0) return &fields[i];
    return NULL;
}

static bool refuse_key(sis_kind kind, const char* key, const char* object, sis_error* error) {
    char list[160];
    size_t length = 0;
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        if (fields[i].kind != kind || !sis_field_live(&fields[i])) continue;
        const size_t more = strlen(fields[i].key), between = length ? 2 : 0;
        if (length + between + more + 1 > sizeof list) break;
        memcpy(list + length, ", ", between);
        memcpy(list + length + between, fields[i].key, more);
        length += between + more;
    }
    list[length] = 0;
    return sis_fail_key(
        error, SIS_REFUSED, key, "%s: '%s' cannot follow an input while it sounds%s%s%s", object,
        key, length ? "; live keys are " : "", list, length ? "" : ": it has no live key");
}

// Puts a number where the definition has the field. The scene owns its definitions.
static bool put(sis_scene* scene, const sis_field* row, int32_t number, void* def, double value,
                const char* object, sis_error* error) {
    void* at = (char*)def + row->offset;
    if (row->type == SIS_FIELD_NUMBER) {
        // A barrier with a profile has a number beside it only while it follows an input.
        *(double*)at = value;
        return true;
    }
    if (row->type == SIS_FIELD_LIST) {
        sis_list* list = at;
        if (number && list->count == 1)
            return sis_fail_key(error, SIS_REFUSED, row->key,
                                "%s: '%s' has one number: only places on plates have a second one "
                                "that can follow an input",
                                object, row->key);
        if (number >= list->count || list->count > 2)
            return sis_fail_key(error, SIS_REFUSED, row->key,
                                "%s: '%s' follows an input: give it one place, not %d", object,
                                row->key, (int)list->count);
        ((double*)(uintptr_t)list->values)[number] = value; // in the scene's own arena
        return true;
    }
    double* points = sis_arena_take(&scene->arena, 2 * sizeof *points, error);
    if (!points) return false;
    points[1] = value;
    *(sis_envelope*)at = (sis_envelope){points, 1};
    return true;
}

static bool has_room(sis_scene* scene, sis_error* error) {
    if (scene->binding_count < scene->binding_room) return true;
    int32_t room = scene->binding_room ? 2 * scene->binding_room : 16;
    sis_binding* more = realloc(scene->bindings, (size_t)room * sizeof *more);
    if (!more) return sis_fail(error, SIS_NO_MEMORY, "no memory for %d live fields", (int)room);
    scene->bindings = more;
    scene->binding_room = room;
    return true;
}

// What stands against it: one sentence.
static bool check(const sis_scene* scene, sis_id object, const sis_field* row, const sis_binding* b,
                  const char* label, sis_error* error) {
    const sis_input_def* input = scene->objects[b->input].def;
    if (input->trigger)
        return sis_fail_key(error, SIS_REFUSED, b->key,
                            "%s: '%s' follows a number, and input '%s' is a trigger: it may stand "
                            "as 'trigger' of a force, mass or bow, and as play{ velocity }",
                            label, b->key, input->name);
    if (sis_scene_bound(scene, object, b->key))
        return sis_fail_key(error, SIS_REFUSED, b->key, "%s: '%s' follows an input already", label,
                            b->key);
    if (!(fabs(b->scale) <= 1e30) || !(fabs(b->offset) <= 1e30) || !(b->low >= row->min) ||
        !(b->high <= row->max))
        return sis_fail_key(error, SIS_BAD_VALUE, b->key,
                            "%s: '%s' must be between %g and %g%s%s, and input '%s' takes it from "
                            "%g to %g",
                            label, b->key, row->min, row->max, *row->unit ? " " : "", row->unit,
                            input->name, b->low, b->high);
    return true;
}

bool sis_scene_bind(sis_scene* scene, sis_id object, const char* key, sis_id input, double scale,
                    double offset, sis_error* error) {
    if (!scene || !key || sis_scene_kind(scene, object) == SIS_KIND_COUNT ||
        sis_scene_kind(scene, input) != SIS_KIND_INPUT)
        return sis_fail(error, SIS_BAD_VALUE,
                        "no scene, no such object or no such input to follow");
    const sis_kind kind = scene->objects[object].kind;
    const sis_label label = sis_label_of(kind, sis_scene_name(scene, object));
    int32_t number;
    const sis_field* row = row_of(kind, key, &number);
    if (!row || !sis_field_live(row) || strlen(key) >= sizeof((sis_binding*)0)->key)
        return refuse_key(kind, key, label.text, error);
    const sis_input_def* from = scene->objects[input].def;
    const double one = scale * from->min + offset, other = scale * from->max + offset;
    sis_binding b = {.object = object,
                     .input = input,
                     .scale = scale,
                     .offset = offset,
                     .low = fmin(one, other),
                     .high = fmax(one, other),
                     .start = scale * from->value + offset};
    memcpy(b.key, key, strlen(key) + 1);
    const sis_envelope* curve = sis_scaled_curve(scene, object, key);
    if (curve) scale_range(curve, &b);
    if (!check(scene, object, row, &b, label.text, error) || !has_room(scene, error)) return false;
    void* def = (void*)(uintptr_t)scene->objects[object].def; // the scene's own copy
    if (!curve && !put(scene, row, number, def, b.start, label.text, error)) return false;
    scene->bindings[scene->binding_count++] = b;
    return true;
}
