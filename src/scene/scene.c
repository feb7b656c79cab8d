#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sis_scene* sis_scene_new(void) {
    return calloc(1, sizeof(sis_scene));
}

void sis_scene_free(sis_scene* scene) {
    if (!scene) return;
    sis_arena_free(&scene->arena);
    free(scene->objects);
    free(scene->names);
    free(scene->bindings);
    free(scene);
}

int32_t sis_scene_count(const sis_scene* scene) {
    return scene->count;
}

sis_kind sis_scene_kind(const sis_scene* scene, sis_id id) {
    return id >= 0 && id < scene->count ? scene->objects[id].kind : SIS_KIND_COUNT;
}

const void* sis_scene_def(const sis_scene* scene, sis_id id) {
    return scene->objects[id].def;
}

bool sis_profile_given(const sis_profile* profile) {
    return profile->value || profile->over;
}

const body_class* sis_class_at(const sis_scene* scene, sis_id id) {
    return sis_class_of(sis_scene_kind(scene, id));
}

sis_places sis_places_of(const sis_scene* scene, sis_id id) {
    return sis_kind_places(sis_scene_kind(scene, id));
}

body_size sis_size_of(const sis_scene* scene, sis_id id) {
    const body_class* class = sis_class_at(scene, id);
    return class && class->size ? class->size(scene->objects[id].def) : (body_size){0, 0, 0};
}

const sis_barrier_def* sis_as_barrier(const sis_scene* scene, sis_id id) {
    return sis_scene_kind(scene, id) == SIS_KIND_BARRIER ? scene->objects[id].def : NULL;
}

// Every definition begins with its name.
static const char* name_of(const void* def) {
    return *(const char* const*)def;
}

const char* sis_scene_name(const sis_scene* scene, sis_id id) {
    if (id == SIS_GROUND) return "ground";
    return id >= 0 && id < scene->count ? name_of(scene->objects[id].def) : "";
}

bool sis_scene_get(const sis_scene* scene, sis_id id, void* def) {
    if (!scene || !def || id < 0 || id >= scene->count) return false;
    memcpy(def, scene->objects[id].def, sis_def_size(scene->objects[id].kind));
    return true;
}

// The slot of a name in the table: its id, or the free slot where it would go.
static sis_id* slot_of(const sis_scene* scene, sis_kind kind, const char* name) {
    uint32_t hash = 2166136261u + (uint32_t)kind;
    for (const char* c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t mask = (uint32_t)scene->names_room - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        sis_id* slot = &scene->names[i];
        if (*slot == SIS_NONE) return slot;
        const sis_object* object = &scene->objects[*slot];
        if (object->kind == kind && strcmp(name_of(object->def), name) == 0) return slot;
    }
}

sis_id sis_scene_find(const sis_scene* scene, sis_kind kind, const char* name) {
    return scene->names_room ? *slot_of(scene, kind, name) : SIS_NONE;
}

// Room for one more object; the name table stays at most half full.
static bool grow(sis_scene* scene, sis_error* error) {
    if (scene->count >= SIS_OBJECTS_MAX)
        return sis_fail(error, SIS_REFUSED, "a scene holds at most %d objects", SIS_OBJECTS_MAX);
    if (scene->count < scene->room) return true;
    int32_t room = scene->room ? 2 * scene->room : 32;
    sis_object* objects = realloc(scene->objects, (size_t)room * sizeof *objects);
    if (objects) scene->objects = objects;
    sis_id* names = malloc((size_t)room * 2 * sizeof *names);
    if (!objects || !names) {
        free(names);
        return sis_fail(error, SIS_NO_MEMORY, "no memory for %d objects", (int)room);
    }
    free(scene->names);
    scene->names = names;
    scene->names_room = 2 * room;
    scene->room = room;
    for (int32_t i = 0; i < scene->names_room; i++)
        names[i] = SIS_NONE;
    for (sis_id id = 0; id < scene->count; id++)
        *slot_of(scene, scene->objects[id].kind, sis_scene_name(scene, id)) = id;
    return true;
}

// Copies what the definition points to into the scene, so that the caller's memory is free to go.
static bool own(sis_scene* scene, sis_kind kind, void* def, sis_error* error) {
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        void* at = (char*)def + fields[i].offset;
        if (fields[i].kind != kind) continue;
        sis_array array = sis_field_array(&fields[i], def);
        if (fields[i].type == SIS_FIELD_TEXT && *(const char**)at) {
            const char* given = *(const char**)at;
            size_t size = sis_clean(given, NULL, 0) + 1;
            char* copy = sis_arena_take(&scene->arena, size, error);
            if (!copy) return false;
            sis_clean(given, copy, size);
            *(const char**)at = copy;
        }
        if (array.count) {
            size_t size = (size_t)array.count * array.size;
            void* copy = sis_arena_take(&scene->arena, size, error);
            if (!copy) return false;
            memcpy(copy, array.data, size);
            memcpy(at, &copy, sizeof copy);
        }
    }
    return true;
}

// mass1, mass2, ...: the next number whose name is free.
static bool name_it(sis_scene* scene, sis_kind kind, void* def, sis_error* error) {
    char text[SIS_NAME_MAX + 1];
    if (name_of(def)) return true;
    for (int32_t number = scene->kind_count[kind] + 1;; number++) {
        snprintf(text, sizeof text, "%s%d", sis_kind_word(kind), (int)number);
        if (sis_scene_find(scene, kind, text) == SIS_NONE) break;
    }
    return (*(const char**)def = sis_arena_text(&scene->arena, text, error)) != NULL;
}

// Where the range of an input was not given: 0 to 1, and as far as its value.
static void settle_range(sis_input_def* def) {
    if (isnan(def->min)) def->min = fmin(0, def->trigger ? 0 : def->value);
    if (isnan(def->max)) def->max = fmax(1, def->trigger ? 0 : def->value);
}

sis_id sis_scene_add(sis_scene* scene, sis_kind kind, const void* def, sis_error* error) {
    if (!scene || !def || !sis_def_size(kind)) {
        sis_fail(error, SIS_BAD_VALUE, "no scene, no definition or no such kind of object");
        return SIS_NONE;
    }
    if (!sis_check_fields(kind, def, error) || !sis_check_object(scene, kind, def, error))
        return SIS_NONE;
    if (!grow(scene, error)) return SIS_NONE;
    void* copy = sis_arena_take(&scene->arena, sis_def_size(kind), error);
    if (!copy) return SIS_NONE;
    memcpy(copy, def, sis_def_size(kind));
    if (!own(scene, kind, copy, error) || !name_it(scene, kind, copy, error)) return SIS_NONE;
    if (kind == SIS_KIND_INPUT) settle_range(copy);
    sis_id id = scene->count;
    scene->objects[scene->count++] = (sis_object){kind, copy};
    scene->kind_count[kind]++;
    *slot_of(scene, kind, name_of(copy)) = id;
    return id;
}

sis_render_def sis_scene_render(const sis_scene* scene) {
    for (sis_id id = 0; id < scene->count; id++)
        if (scene->objects[id].kind == SIS_KIND_RENDER)
            return *(const sis_render_def*)scene->objects[id].def;
    return sis_render_default();
}

sis_options sis_options_default(const sis_scene* scene) {
    sis_render_def render = sis_scene_render(scene);
    return (sis_options){render.rate * render.oversample, SIS_SCHEME_AS_GIVEN, false, 0};
}
