// What each field of a definition must satisfy by itself: the type and range of its row of the
// schema.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

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

static bool check_number(const sis_field* field, const void* at, const char* object,
                         sis_error* error) {
    return check_value(field, *(const double*)at, object, error);
}

static bool check_integer(const sis_field* field, const void* at, const char* object,
                          sis_error* error) {
    int32_t value = *(const int32_t*)at;
    return value == (int32_t)field->fallback || check_value(field, value, object, error);
}

static bool check_word(const sis_field* field, const void* at, const char* object,
                       sis_error* error) {
    int count = 1, value = *(const int*)at;
    for (const char* c = field->words; *c; c++)
        count += *c == '|';
    return (value >= 0 && value < count) ||
           sis_fail_key(error, SIS_BAD_VALUE, field->key,
                        "%s: '%s' must be one of %s, got number %d", object, field->key,
                        field->words, value);
}

static bool check_object(const sis_field* field, const void* at, const char* object,
                         sis_error* error) {
    return *(const sis_id*)at != SIS_NONE ||
           sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s' is missing: %s", object,
                        field->key, field->doc);
}

static bool check_envelope(const sis_field* field, const void* at, const char* object,
                           sis_error* error) {
    const sis_envelope curve = *(const sis_envelope*)at;
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

static bool check_list(const sis_field* field, const void* at, const char* object,
                       sis_error* error) {
    const sis_list list = *(const sis_list*)at;
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

bool sis_check_fields(sis_kind kind, const void* def, sis_error* error) {
    static bool (*const checks[])(const sis_field*, const void*, const char*,
                                  sis_error*) = {[SIS_FIELD_NUMBER] = check_number,
                                                 [SIS_FIELD_INTEGER] = check_integer,
                                                 [SIS_FIELD_WORD] = check_word,
                                                 [SIS_FIELD_OBJECT] = check_object,
                                                 [SIS_FIELD_ENVELOPE] = check_envelope,
                                                 [SIS_FIELD_LIST] = check_list,
                                                 [SIS_FIELD_OBJECTS] = NULL}; // the last type
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) // texts first: the label needs a good name
        if (fields[i].kind == kind && fields[i].type == SIS_FIELD_TEXT &&
            !check_text(&fields[i], *(const char* const*)((const char*)def + fields[i].offset),
                        error))
            return false;
    sis_label label = sis_label_of(kind, *(const char* const*)def);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* field = &fields[i];
        if (field->kind != kind) continue;
        if (!check_count(field, sis_field_array(field, def), label.text, error)) return false;
        if (checks[field->type] &&
            !checks[field->type](field, (const char*)def + field->offset, label.text, error))
            return false;
    }
    return true;
}
