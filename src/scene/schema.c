// The rows of schema.def as tables: fields, kinds, laws, schemes; defaults, and what each field
// must satisfy by itself.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

// "|one-sided|two-sided|...", "|ledger|quadratised|..."
static const char law_words[] =
#define LAW(NAME, name, word) "|" word
#include "scene/schema.def"
#undef LAW
    ;
static const char scheme_words[] =
#define SCHEME(NAME, word) "|" word
#include "scene/schema.def"
#undef SCHEME
    ;

#define LAWS    (law_words + 1)
#define SCHEMES (scheme_words + 1)

#define ROW(KIND, word, key, member, TYPE, needed, fallback, min, max, unit, words, doc)           \
    {SIS_KIND_##KIND,                                                                              \
     #key,                                                                                         \
     SIS_FIELD_##TYPE,                                                                             \
     offsetof(sis_##word##_def, member),                                                           \
     needed,                                                                                       \
     fallback,                                                                                     \
     min,                                                                                          \
     max,                                                                                          \
     unit,                                                                                         \
     words,                                                                                        \
     doc},
#define NUMBER(KIND, word, key, member, unit, min, max, fallback, doc)                             \
    ROW(KIND, word, key, member, NUMBER, false, fallback, min, max, unit, "", doc)
#define NEEDED(KIND, word, key, member, unit, min, max, doc)                                       \
    ROW(KIND, word, key, member, NUMBER, true, NAN, min, max, unit, "", doc)
#define INTEGER(KIND, word, key, member, min, max, fallback, doc)                                  \
    ROW(KIND, word, key, member, INTEGER, false, fallback, min, max, "", "", doc)
#define FLAG(KIND, word, key, member, fallback, doc)                                               \
    ROW(KIND, word, key, member, FLAG, false, fallback, 0, 1, "", "", doc)
#define WORD(KIND, word, key, member, words, fallback, doc)                                        \
    ROW(KIND, word, key, member, WORD, false, fallback, 0, 0, "", words, doc)
#define TEXT(KIND, word, key, member, doc)                                                         \
    ROW(KIND, word, key, member, TEXT, false, NAN, 0, 0, "", "", doc)
#define OBJECT(KIND, word, key, member, doc)                                                       \
    ROW(KIND, word, key, member, OBJECT, true, NAN, 0, 0, "", "", doc)
#define INPUT(KIND, word, key, member, doc)                                                        \
    ROW(KIND, word, key, member, OBJECT, false, NAN, 0, 0, "", "", doc)
#define OBJECTS(KIND, word, key, member, doc)                                                      \
    ROW(KIND, word, key, member, OBJECTS, false, NAN, 0, 0, "", "", doc)
#define ENVELOPE(KIND, word, key, member, unit, min, max, doc)                                     \
    ROW(KIND, word, key, member, ENVELOPE, false, NAN, min, max, unit, "", doc)
#define LIST(KIND, word, key, member, unit, min, max, doc)                                         \
    ROW(KIND, word, key, member, LIST, false, NAN, min, max, unit, "", doc)
#define PROFILE(KIND, word, key, member, unit, min, max, doc)                                      \
    ROW(KIND, word, key, member, PROFILE, false, NAN, min, max, unit, "", doc)

static const sis_field schema[] = {
#include "scene/schema.def"
};

#undef NUMBER

const sis_field* sis_schema(int32_t* count) {
    *count = (int32_t)(sizeof schema / sizeof *schema);
    return schema;
}

bool sis_field_live(const sis_field* field) {
    static const struct {
        sis_kind kind;
        const char* key;
    } live[] = {
#define LIVE(KIND, key) {SIS_KIND_##KIND, #key},
#include "scene/schema.def"
#undef LIVE
    };
    for (size_t i = 0; field && i < sizeof live / sizeof *live; i++)
        if (live[i].kind == field->kind && strcmp(live[i].key, field->key) == 0) return true;
    return false;
}

// ---------------------------------------------------------------------------- laws

#define LAW(NAME, name, word) extern const law_class sis_##name##_law;
#include "scene/schema.def"
#undef LAW

const law_class* sis_law_class(sis_law law) {
    static const law_class* const laws[] = {
#define LAW(NAME, name, word) [SIS_LAW_##NAME] = &sis_##name##_law,
#include "scene/schema.def"
#undef LAW
    };
    return (unsigned)law < sizeof laws / sizeof *laws ? laws[law] : laws[0];
}

sis_law sis_law_sides(sis_law law) {
    return sis_law_class(law)->sides;
}

// ---------------------------------------------------------------------------- kinds

#define BODY(KIND, word) extern const body_class sis_##word##_class;
#define KIND(KIND, word)
#include "scene/schema.def"
#undef BODY
#undef KIND

static const struct kind_row {
    const char* word;
    size_t size;
    const body_class* body;
} kinds[SIS_KIND_COUNT] = {
#define BODY(KIND, word) [SIS_KIND_##KIND] = {#word, sizeof(sis_##word##_def), &sis_##word##_class},
#define KIND(KIND, word) [SIS_KIND_##KIND] = {#word, sizeof(sis_##word##_def), NULL},
#include "scene/schema.def"
#undef BODY
#undef KIND
};

const char* sis_kind_word(sis_kind kind) {
    return (unsigned)kind < SIS_KIND_COUNT ? kinds[kind].word : "";
}

const body_class* sis_class_of(sis_kind kind) {
    return (unsigned)kind < SIS_KIND_COUNT ? kinds[kind].body : NULL;
}

bool sis_kind_moves(sis_kind kind) {
    const body_class* class = sis_class_of(kind);
    return class && !class->fixed;
}

sis_places sis_kind_places(sis_kind kind) {
    const body_class* class = sis_class_of(kind);
    return class ? class->places : SIS_PLACES_NONE;
}

size_t sis_def_size(sis_kind kind) {
    return (unsigned)kind < SIS_KIND_COUNT ? kinds[kind].size : 0;
}

const char* sis_scheme_word(sis_scheme scheme) {
    static const char* const words[SIS_SCHEME_COUNT] = {
#define SCHEME(NAME, word) [SIS_SCHEME_##NAME] = word,
#include "scene/schema.def"
#undef SCHEME
    };
    return scheme >= 0 && scheme < SIS_SCHEME_COUNT ? words[scheme] : "";
}

// ---------------------------------------------------------------------------- fields

// An envelope, a list and a list of objects all begin with their pointer; their count follows.
_Static_assert(offsetof(sis_envelope, count) == offsetof(sis_list, count) &&
                   offsetof(sis_list, count) == offsetof(sis_objects, count) &&
                   offsetof(sis_list, count) == sizeof(void*),
               "arrays of definitions are alike");

sis_array sis_field_array(const sis_field* field, const void* def) {
    const char* at = (const char*)def + field->offset;
    sis_array array = {.size = field->type == SIS_FIELD_ENVELOPE  ? 2 * sizeof(double)
                               : field->type == SIS_FIELD_LIST    ? sizeof(double)
                               : field->type == SIS_FIELD_OBJECTS ? sizeof(sis_id)
                                                                  : 0};
    if (!array.size) return array;
    memcpy(&array.data, at, sizeof array.data);
    memcpy(&array.count, at + offsetof(sis_list, count), sizeof array.count);
    return array;
}

// What is not set here is 0: no text, no array, no function.
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
    case SIS_FIELD_WORD: // every enum of the interface has the size of an int
        *(int*)at = (int)field->fallback;
        break;
    case SIS_FIELD_OBJECT:
        *(sis_id*)at = SIS_NONE;
        break;
    default:
        break;
    }
}

void sis_def_default(sis_kind kind, void* def) {
    memset(def, 0, sis_def_size(kind));
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        if (schema[i].kind == kind) put_default(&schema[i], (char*)def + schema[i].offset);
}

// ---------------------------------------------------------------------------- checks of one field

static bool check_value(const sis_field* field, double value, const char* object,
                        sis_error* error) {
    const char* space = *field->unit ? " " : "";
    if (isnan(value) && isnan(field->fallback))
        return !field->required ||
               sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s'%s%s%s is missing: %s",
                            object, field->key, *field->unit ? " (" : "", field->unit,
                            *field->unit ? ")" : "", field->doc);
    return (value >= field->min && value <= field->max) ||
           sis_fail_key(error, SIS_BAD_VALUE, field->key,
                        "%s: '%s' must be between %g and %g%s%s, got %g", object, field->key,
                        field->min, field->max, space, field->unit, value);
}

static bool check_envelope(const sis_field* field, sis_envelope curve, const char* object,
                           sis_error* error) {
    for (int32_t i = 0; i < curve.count; i++) {
        double t = curve.points[2 * i], v = curve.points[2 * i + 1];
        if (!(fabs(t) <= 1e12) || (i && !(t > curve.points[2 * i - 2])))
            return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                                "%s: times of '%s' must increase, point %d is at %g s", object,
                                field->key, (int)i + 1, t);
        if (!(v >= field->min && v <= field->max))
            return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                                "%s: '%s' must be between %g and %g %s, point %d is %g", object,
                                field->key, field->min, field->max, field->unit, (int)i + 1, v);
    }
    return true;
}

static bool check_list(const sis_field* field, sis_list list, const char* object,
                       sis_error* error) {
    for (int32_t i = 0; i < list.count; i++)
        if (!(list.values[i] >= field->min && list.values[i] <= field->max))
            return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                                "%s: '%s': number %d must be between %g and %g %s, got %g", object,
                                field->key, (int)i + 1, field->min, field->max, field->unit,
                                list.values[i]);
    return true;
}

// Of an envelope, a list or objects.
static bool check_count(const sis_field* field, sis_array array, const char* object,
                        sis_error* error) {
    bool curve = field->type == SIS_FIELD_ENVELOPE;
    int32_t most = curve ? SIS_ENVELOPE_MAX : SIS_LIST_MAX;
    return array.count == 0 || (array.count > 0 && array.count <= most && array.data) ||
           sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s' must have 1 to %d %s, got %d",
                        object, field->key, (int)most,
                        curve                           ? "points"
                        : field->type == SIS_FIELD_LIST ? "numbers"
                                                        : "objects",
                        (int)array.count);
}

static bool check_text(const sis_field* field, const char* text, sis_error* error) {
    if (!text) return true;
    const char* word = sis_kind_word(field->kind);
    bool name = strcmp(field->key, "name") == 0;
    size_t most = name ? SIS_NAME_MAX : 255;
    if (strlen(text) > most || sis_clean(text, NULL, 0) > most || (name && !*text))
        return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                            "%s: '%s' must have 1 to %zu bytes, got %zu", word, field->key, most,
                            sis_clean(text, NULL, 0));
    for (const char* c = text; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                                "%s: '%s' has a control character at byte %d", word, field->key,
                                (int)(c - text) + 1);
    return true;
}

static bool check_field(const sis_field* field, const void* at, const char* object,
                        sis_error* error) {
    int number = 0, words = 1;
    switch (field->type) {
    case SIS_FIELD_NUMBER:
        return check_value(field, *(const double*)at, object, error);
    case SIS_FIELD_INTEGER:
        number = *(const int32_t*)at;
        return number == (int)field->fallback || check_value(field, number, object, error);
    case SIS_FIELD_WORD:
        number = *(const int*)at;
        for (const char* c = field->words; *c; c++)
            words += *c == '|';
        return (number >= 0 && number < words) ||
               sis_fail_key(error, SIS_BAD_VALUE, field->key,
                            "%s: '%s' must be one of %s, got number %d", object, field->key,
                            field->words, number);
    case SIS_FIELD_OBJECT:
        return *(const sis_id*)at != SIS_NONE || !field->required ||
               sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s' is missing: %s", object,
                            field->key, field->doc);
    case SIS_FIELD_ENVELOPE:
        return check_envelope(field, *(const sis_envelope*)at, object, error);
    case SIS_FIELD_LIST:
        return check_list(field, *(const sis_list*)at, object, error);
    default:
        return true;
    }
}

bool sis_check_fields(sis_kind kind, const void* def, sis_error* error) {
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) // texts first: the label needs a good name
        if (fields[i].kind == kind && fields[i].type == SIS_FIELD_TEXT &&
            !check_text(&fields[i], *(const char* const*)((const char*)def + fields[i].offset),
                        error))
            return false;
    sis_label label = sis_label_of(kind, *(const char* const*)def);
    for (int32_t i = 0; i < count; i++)
        if (fields[i].kind == kind &&
            (!check_count(&fields[i], sis_field_array(&fields[i], def), label.text, error) ||
             !check_field(&fields[i], (const char*)def + fields[i].offset, label.text, error)))
            return false;
    return true;
}

// ---------------------------------------------------------------------------- one function a kind

// sis_mass_default, sis_scene_add_mass, ...
#define KIND(KIND, word)                                                                           \
    sis_##word##_def sis_##word##_default(void) {                                                  \
        sis_##word##_def def;                                                                      \
        sis_def_default(SIS_KIND_##KIND, &def);                                                    \
        return def;                                                                                \
    }                                                                                              \
    sis_id sis_scene_add_##word(sis_scene* scene, const sis_##word##_def* def, sis_error* error) { \
        return sis_scene_add(scene, SIS_KIND_##KIND, def, error);                                  \
    }
#define BODY KIND
#include "scene/schema.def"
