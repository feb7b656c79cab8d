// A scene: what exists, as plain definitions in order of appearance. No physics yet.
#ifndef SIS_SCENE_H
#define SIS_SCENE_H

#include "scene/body_class.h"
#include "scene/law_class.h"

enum {
    SIS_NAME_MAX = 63,
    SIS_OBJECTS_MAX = 100000,
    SIS_ENVELOPE_MAX = 1000000,
    SIS_LIST_MAX = 100000
};

typedef struct sis_object {
    sis_kind kind;
    const void* def; // sis_mass_def, ... with every text and envelope copied into the scene
} sis_object;

// A field that follows an input: scale * input + offset, or that times its envelope.
typedef struct sis_binding {
    sis_id object, input;
    char key[16];
    double scale, offset;
    double low, high; // of the field, over the range of the input
    double start;     // what it begins with
} sis_binding;

struct sis_scene {
    sis_arena arena;
    sis_binding* bindings;
    int32_t binding_count, binding_room;
    sis_object* objects;
    int32_t count, room;
    int32_t kind_count[SIS_KIND_COUNT];
    sis_id* names; // hash table of the ids by name, open addressing; SIS_NONE: free
    int32_t names_room;
};

const void* sis_scene_def(const sis_scene* scene, sis_id id);
// What a field of an object follows; NULL: no input.
const sis_binding* sis_scene_bound(const sis_scene* scene, sis_id object, const char* key);
// The envelope that an input multiplies: that of a bow's force or velocity; NULL: it has none.
const sis_envelope* sis_scaled_curve(const sis_scene* scene, sis_id object, const char* key);

// What a field of a definition points to: an envelope, a list or objects; size 0: none of these.
typedef struct sis_array {
    const void* data;
    int32_t count;
    size_t size; // bytes of one
} sis_array;
sis_array sis_field_array(const sis_field* field, const void* def);

// What a definition must not be; the first rule that is broken is said. The last has no sentence.
typedef struct sis_rule {
    bool broken;
    sis_status status;
    const char* sentence; // as of sis_refuse
} sis_rule;
bool sis_follow(const sis_rule* rules, const char* object, sis_error* error);

// The checks of one definition against the schema and against the scene so far. false: error says
// why.
bool sis_check_fields(sis_kind kind, const void* def, sis_error* error);
// An input by itself; an input that is named as `trigger`, of an object that has a `curve`.
bool sis_check_input(const sis_scene* scene, const void* def, const char* object, sis_error* error);
bool sis_check_trigger(const sis_scene* scene, sis_id id, bool curve, const char* object,
                       sis_error* error);
bool sis_check_object(const sis_scene* scene, sis_kind kind, const void* def, sis_error* error);

// The class and the places of a body; of anything else NULL and none.
const body_class* sis_class_at(const sis_scene* scene, sis_id id);
sis_places sis_places_of(const sis_scene* scene, sis_id id);
// Its size; 0 of what has none.
body_size sis_size_of(const sis_scene* scene, sis_id id);
// The barrier that it is; NULL: it is none.
const sis_barrier_def* sis_as_barrier(const sis_scene* scene, sis_id id);
// `ends`: the ends or edges themselves will do.
bool sis_check_place(const sis_scene* scene, sis_id id, sis_place at, bool ends, const char* object,
                     const char* key, sis_error* error);
// The places of a contact's points on that side, wherever they were given; none: it is distributed
// or has no places.
int32_t sis_contact_place_count(const sis_scene* scene, const sis_contact_def* def, bool above);
sis_place sis_contact_place(const sis_scene* scene, const sis_contact_def* def, bool above,
                            int32_t j);

bool sis_profile_given(const sis_profile* profile);

// For sentences: "mass 'hammer'" or "mass"; a place, "0.2" or "{0.1, 0.2}".
typedef struct sis_label {
    char text[SIS_NAME_MAX + 24];
} sis_label;
sis_label sis_label_of(sis_kind kind, const char* name);
sis_label sis_place_text(sis_place at);

#endif
