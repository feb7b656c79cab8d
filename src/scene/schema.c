#include "base/base.h"

#include <math.h>
#include <string.h>

#define AT(word, member) offsetof(sis_##word##_def, member)
#define NUMBER(KIND, word, key, member, unit, min, max, fallback, doc)                             \
    {SIS_KIND_##KIND,                                                                              \
     #key,                                                                                         \
     SIS_FIELD_NUMBER,                                                                             \
     AT(word, member),                                                                             \
     false,                                                                                        \
     fallback,                                                                                     \
     min,                                                                                          \
     max,                                                                                          \
     unit,                                                                                         \
     "",                                                                                           \
     doc},
#define NEEDED(KIND, word, key, member, unit, min, max, doc)                                       \
    {SIS_KIND_##KIND, #key, SIS_FIELD_NUMBER, AT(word, member), true, NAN, min, max, unit, "", doc},
#define INTEGER(KIND, word, key, member, min, max, fallback, doc)                                  \
    {SIS_KIND_##KIND,                                                                              \
     #key,                                                                                         \
     SIS_FIELD_INTEGER,                                                                            \
     AT(word, member),                                                                             \
     false,                                                                                        \
     fallback,                                                                                     \
     min,                                                                                          \
     max,                                                                                          \
     "",                                                                                           \
     "",                                                                                           \
     doc},
#define FLAG(KIND, word, key, member, fallback, doc)                                               \
    {SIS_KIND_##KIND, #key, SIS_FIELD_FLAG, AT(word, member), false, fallback, 0, 1, "", "", doc},
#define WORD(KIND, word, key, member, words, fallback, doc)                                        \
    {SIS_KIND_##KIND, #key, SIS_FIELD_WORD, AT(word, member), false, fallback, 0, 0, "",           \
     words,           doc},
#define TEXT(KIND, word, key, member, doc)                                                         \
    {SIS_KIND_##KIND, #key, SIS_FIELD_TEXT, AT(word, member), false, NAN, 0, 0, "", "", doc},
#define OBJECT(KIND, word, key, member, doc)                                                       \
    {SIS_KIND_##KIND, #key, SIS_FIELD_OBJECT, AT(word, member), true, NAN, 0, 0, "", "", doc},
#define ENVELOPE(KIND, word, key, member, unit, min, max, doc)                                     \
    {SIS_KIND_##KIND,                                                                              \
     #key,                                                                                         \
     SIS_FIELD_ENVELOPE,                                                                           \
     AT(word, member),                                                                             \
     false,                                                                                        \
     NAN,                                                                                          \
     min,                                                                                          \
     max,                                                                                          \
     unit,                                                                                         \
     "",                                                                                           \
     doc},

#define LIST(KIND, word, key, member, unit, min, max, doc)                                         \
    {SIS_KIND_##KIND, #key, SIS_FIELD_LIST, AT(word, member), false, NAN, min, max, unit, "", doc},
#define OBJECTS(KIND, word, key, member, doc)                                                      \
    {SIS_KIND_##KIND, #key, SIS_FIELD_OBJECTS, AT(word, member), false, NAN, 0, 0, "", "", doc},
#define PROFILE(KIND, word, key, member, unit, min, max, doc)                                      \
    {SIS_KIND_##KIND,                                                                              \
     #key,                                                                                         \
     SIS_FIELD_PROFILE,                                                                            \
     AT(word, member),                                                                             \
     false,                                                                                        \
     NAN,                                                                                          \
     min,                                                                                          \
     max,                                                                                          \
     unit,                                                                                         \
     "",                                                                                           \
     doc},

static const sis_field schema[] = {
#include "scene/schema.def"
};

const sis_field* sis_schema(int32_t* count) {
    *count = (int32_t)(sizeof schema / sizeof *schema);
    return schema;
}

static const struct kind_row {
    const char* word;
    size_t size;
} kinds[SIS_KIND_COUNT] = {
    [SIS_KIND_MASS] = {"mass", sizeof(sis_mass_def)},
    [SIS_KIND_STRING] = {"string", sizeof(sis_string_def)},
    [SIS_KIND_PLATE] = {"plate", sizeof(sis_plate_def)},
    [SIS_KIND_MODAL] = {"modal", sizeof(sis_modal_def)},
    [SIS_KIND_BARRIER] = {"barrier", sizeof(sis_barrier_def)},
    [SIS_KIND_CONTACT] = {"contact", sizeof(sis_contact_def)},
    [SIS_KIND_SPRING] = {"spring", sizeof(sis_spring_def)},
    [SIS_KIND_BOW] = {"bow", sizeof(sis_bow_def)},
    [SIS_KIND_FORCE] = {"force", sizeof(sis_force_def)},
    [SIS_KIND_PLUCK] = {"pluck", sizeof(sis_pluck_def)},
    [SIS_KIND_GRAVITY] = {"gravity", sizeof(sis_gravity_def)},
    [SIS_KIND_PROBE] = {"probe", sizeof(sis_probe_def)},
    [SIS_KIND_RENDER] = {"render", sizeof(sis_render_def)},
};

static bool known(sis_kind kind) {
    return (unsigned)kind < SIS_KIND_COUNT;
}

const char* sis_kind_word(sis_kind kind) {
    return known(kind) ? kinds[kind].word : "";
}

const char* sis_scheme_word(sis_scheme scheme) {
    static const char* const words[SIS_SCHEME_COUNT] = {
        [SIS_SCHEME_LEDGER] = "ledger", [SIS_SCHEME_QUADRATISED] = "quadratised",
        [SIS_SCHEME_NEWTON] = "newton", [SIS_SCHEME_EXACT] = "exact",
        [SIS_SCHEME_ROOT] = "root",     [SIS_SCHEME_AM1] = "am1",
        [SIS_SCHEME_VERLET] = "verlet", [SIS_SCHEME_HEUN] = "heun",
        [SIS_SCHEME_RK4] = "rk4",       [SIS_SCHEME_INVARIANT] = "invariant",
    };
    return scheme >= 0 && scheme < SIS_SCHEME_COUNT ? words[scheme] : "";
}

size_t sis_def_size(sis_kind kind) {
    return known(kind) ? kinds[kind].size : 0;
}

static void put_default(const sis_field* field, void* at) {
    switch (field->type) {
    case SIS_FIELD_NUMBER:
        *(double*)at = field->fallback;
        break;
    case SIS_FIELD_INTEGER:
        *(int32_t*)at = (int32_t)field->fallback;
        break;
    case SIS_FIELD_FLAG:
        *(bool*)at = field->fallback != 0;
        break;
    // Every enum of the interface has the size of an int.
    case SIS_FIELD_WORD:
        *(int*)at = (int)field->fallback;
        break;
    case SIS_FIELD_TEXT:
        *(const char**)at = NULL;
        break;
    case SIS_FIELD_OBJECT:
        *(sis_id*)at = SIS_NONE;
        break;
    case SIS_FIELD_ENVELOPE:
        *(sis_envelope*)at = (sis_envelope){NULL, 0};
        break;
    case SIS_FIELD_LIST:
        *(sis_list*)at = (sis_list){NULL, 0};
        break;
    case SIS_FIELD_PROFILE:
        *(sis_profile*)at = (sis_profile){NULL, NULL, NULL};
        break;
    case SIS_FIELD_OBJECTS:
        *(sis_objects*)at = (sis_objects){NULL, 0};
        break;
    }
}

void sis_def_default(sis_kind kind, void* def) {
    memset(def, 0, sis_def_size(kind));
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        if (schema[i].kind == kind) put_default(&schema[i], (char*)def + schema[i].offset);
}

#define DEFAULT(KIND, word)                                                                        \
    sis_##word##_def sis_##word##_default(void) {                                                  \
        sis_##word##_def def;                                                                      \
        sis_def_default(SIS_KIND_##KIND, &def);                                                    \
        return def;                                                                                \
    }
DEFAULT(MASS, mass)
DEFAULT(STRING, string)
DEFAULT(PLATE, plate)
DEFAULT(MODAL, modal)
DEFAULT(BARRIER, barrier)
DEFAULT(CONTACT, contact)
DEFAULT(SPRING, spring)
DEFAULT(BOW, bow)
DEFAULT(FORCE, force)
DEFAULT(PLUCK, pluck)
DEFAULT(GRAVITY, gravity)
DEFAULT(PROBE, probe)
DEFAULT(RENDER, render)
