// What each field of a definition must satisfy by itself: the type and range of its row of the
// schema.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static bool check_number(const sis_field* field, double value, const char* object,
                         sis_error* error) {
    const char* space = *field->unit ? " " : "";
    if (isnan(value) && isnan(field->fallback)) {
        if (!field->required) return true;
        return sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s'%s%s%s is missing: %s",
                            object, field->key, *field->unit ? " (" : "", field->unit,
                            *field->unit ? ")" : "", field->doc);
    }
    if (value >= field->min && value <= field->max) return true;
    return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                        "%s: '%s' must be between %g and %g%s%s, got %g", object, field->key,
                        field->min, field->max, space, field->unit, value);
}

static bool check_integer(const sis_field* field, int32_t value, const char* object,
                          sis_error* error) {
    if (value == (int32_t)field->fallback) return true;
    return check_number(field, value, object, error);
}

static bool check_word(const sis_field* field, int value, const char* object, sis_error* error) {
    int count = 1;
    for (const char* c = field->words; *c; c++)
        count += *c == '|';
    if (value >= 0 && value < count) return true;
    return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                        "%s: '%s' must be one of %s, got number %d", object, field->key,
                        field->words, value);
}

static bool check_text(const sis_field* field, const char* text, sis_kind kind, sis_error* error) {
    if (!text) return true;
    const char* word = sis_kind_word(kind);
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

static bool check_envelope(const sis_field* field, sis_envelope curve, const char* object,
                           sis_error* error) {
    if (curve.count == 0) return true;
    if (curve.count < 0 || curve.count > SIS_ENVELOPE_MAX || !curve.points)
        return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                            "%s: '%s' must have 1 to %d points, got %d", object, field->key,
                            SIS_ENVELOPE_MAX, (int)curve.count);
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
    if (list.count == 0) return true;
    if (list.count < 0 || list.count > SIS_LIST_MAX || !list.values)
        return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                            "%s: '%s' must have 1 to %d numbers, got %d", object, field->key,
                            SIS_LIST_MAX, (int)list.count);
    for (int32_t i = 0; i < list.count; i++)
        if (!(list.values[i] >= field->min && list.values[i] <= field->max))
            return sis_fail_key(error, SIS_BAD_VALUE, field->key,
                                "%s: '%s': number %d must be between %g and %g %s, got %g", object,
                                field->key, (int)i + 1, field->min, field->max, field->unit,
                                list.values[i]);
    return true;
}

static bool check_objects(const sis_field* field, sis_objects objects, const char* object,
                          sis_error* error) {
    if (objects.count == 0) return true;
    if (objects.count > 0 && objects.count <= SIS_LIST_MAX && objects.ids) return true;
    return sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must have 1 to %d objects, got %d", object,
                    field->key, SIS_LIST_MAX, (int)objects.count);
}

bool sis_check_fields(sis_kind kind, const void* def, sis_error* error) {
    int32_t count;
    const sis_field* fields = sis_schema(&count);
    const char* name = *(const char* const*)def;
    for (int32_t i = 0; i < count; i++) // texts first: the label needs a good name
        if (fields[i].kind == kind && fields[i].type == SIS_FIELD_TEXT &&
            !check_text(&fields[i], *(const char* const*)((const char*)def + fields[i].offset),
                        kind, error))
            return false;
    sis_label label = sis_label_of(kind, name);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* field = &fields[i];
        const void* at = (const char*)def + field->offset;
        bool good = true;
        if (field->kind != kind) continue;
        switch (field->type) {
        case SIS_FIELD_NUMBER:
            good = check_number(field, *(const double*)at, label.text, error);
            break;
        case SIS_FIELD_INTEGER:
            good = check_integer(field, *(const int32_t*)at, label.text, error);
            break;
        case SIS_FIELD_WORD:
            good = check_word(field, *(const int*)at, label.text, error);
            break;
        case SIS_FIELD_ENVELOPE:
            good = check_envelope(field, *(const sis_envelope*)at, label.text, error);
            break;
        case SIS_FIELD_OBJECT:
            if (*(const sis_id*)at == SIS_NONE) {
                sis_fail_key(error, SIS_BAD_VALUE, field->key, "%s: '%s' is missing: %s",
                             label.text, field->key, field->doc);
                good = false;
            }
            break;
        case SIS_FIELD_LIST:
            good = check_list(field, *(const sis_list*)at, label.text, error);
            break;
        case SIS_FIELD_OBJECTS:
            good = check_objects(field, *(const sis_objects*)at, label.text, error);
            break;
        case SIS_FIELD_TEXT:
        case SIS_FIELD_FLAG:
        case SIS_FIELD_PROFILE:
            break;
        }
        if (!good) return false;
    }
    return true;
}
