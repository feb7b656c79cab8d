// What a definition must satisfy before it enters a scene: the ranges of the schema, then what the
// words mean together. One sentence per failure: object, key, value, unit, what would work.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sis_label sis_label_of(sis_kind kind, const char* name) {
    sis_label label;
    if (name)
        snprintf(label.text, sizeof label.text, "%s '%s'", sis_kind_word(kind), name);
    else
        snprintf(label.text, sizeof label.text, "%s", sis_kind_word(kind));
    return label;
}

static bool refuse(sis_error* error, sis_status status, const char* object, const char* sentence) {
    sis_fail(error, status, "%s: %s", object, sentence);
    return false;
}

static bool check_number(const sis_field* field, double value, const char* object,
                         sis_error* error) {
    const char* space = *field->unit ? " " : "";
    if (isnan(value) && isnan(field->fallback)) {
        if (!field->required) return true;
        sis_fail(error, SIS_BAD_VALUE, "%s: '%s'%s%s%s is missing: %s", object, field->key,
                 *field->unit ? " (" : "", field->unit, *field->unit ? ")" : "", field->doc);
        return false;
    }
    if (value >= field->min && value <= field->max) return true;
    sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must be between %g and %g%s%s, got %g", object,
             field->key, field->min, field->max, space, field->unit, value);
    return false;
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
    sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must be one of %s, got number %d", object, field->key,
             field->words, value);
    return false;
}

static bool check_text(const sis_field* field, const char* text, sis_kind kind, sis_error* error) {
    if (!text) return true;
    const char* word = sis_kind_word(kind);
    bool name = strcmp(field->key, "name") == 0;
    size_t most = name ? SIS_NAME_MAX : 255;
    if (strlen(text) > most || (name && !*text)) {
        sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must have 1 to %zu bytes, got %zu", word,
                 field->key, most, strlen(text));
        return false;
    }
    for (const char* c = text; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127) {
            sis_fail(error, SIS_BAD_VALUE, "%s: '%s' has a control character at byte %d", word,
                     field->key, (int)(c - text) + 1);
            return false;
        }
    return true;
}

static bool check_envelope(const sis_field* field, sis_envelope curve, const char* object,
                           sis_error* error) {
    if (curve.count == 0) return true;
    if (curve.count < 0 || curve.count > SIS_ENVELOPE_MAX || !curve.points) {
        sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must have 1 to %d points, got %d", object,
                 field->key, SIS_ENVELOPE_MAX, (int)curve.count);
        return false;
    }
    for (int32_t i = 0; i < curve.count; i++) {
        double t = curve.points[2 * i], v = curve.points[2 * i + 1];
        if (!(fabs(t) <= 1e12) || (i && !(t > curve.points[2 * i - 2]))) {
            sis_fail(error, SIS_BAD_VALUE, "%s: times of '%s' must increase, point %d is at %g s",
                     object, field->key, (int)i + 1, t);
            return false;
        }
        if (!(v >= field->min && v <= field->max)) {
            sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must be between %g and %g %s, point %d is %g",
                     object, field->key, field->min, field->max, field->unit, (int)i + 1, v);
            return false;
        }
    }
    return true;
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
                sis_fail(error, SIS_BAD_VALUE, "%s: '%s' is missing: %s", label.text, field->key,
                         field->doc);
                good = false;
            }
            break;
        case SIS_FIELD_TEXT:
        case SIS_FIELD_FLAG:
            break;
        }
        if (!good) return false;
    }
    return true;
}

// Is `id` an object of one of the kinds in the list (a bit per kind)?
static bool refers(const sis_scene* scene, sis_id id, unsigned kinds, const char* object,
                   const char* key, const char* wanted, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, id);
    if (kind != SIS_KIND_COUNT && (kinds >> kind & 1)) return true;
    sis_fail(error, SIS_BAD_VALUE, "%s: '%s' must be %s, got %s", object, key, wanted,
             kind == SIS_KIND_COUNT ? "something that is not in the scene" : sis_kind_word(kind));
    return false;
}

enum {
    MASS = 1u << SIS_KIND_MASS,
    BARRIER = 1u << SIS_KIND_BARRIER,
    CONTACT = 1u << SIS_KIND_CONTACT,
    SPRING = 1u << SIS_KIND_SPRING
};

// Can a force move it? Not a barrier, nor a mass driven along a path.
static bool can_move(const sis_scene* scene, sis_id id) {
    return sis_scene_kind(scene, id) == SIS_KIND_MASS &&
           ((const sis_mass_def*)sis_scene_def(scene, id))->path.count == 0;
}

static bool check_mass(const sis_mass_def* def, const char* object, sis_error* error) {
    if (def->path.count) {
        if (!isnan(def->frequency) || !isnan(def->stiffness) || def->damping != 0 ||
            def->position != 0 || def->velocity != 0)
            return refuse(
                error, SIS_REFUSED, object,
                "it is driven along 'path', so frequency, stiffness, damping, position and "
                "velocity have no meaning: leave them out");
        return true;
    }
    if (isnan(def->mass))
        return refuse(error, SIS_BAD_VALUE, object,
                      "'mass' (kg) is missing (or drive it by 'path')");
    if (!isnan(def->frequency) && !isnan(def->stiffness))
        return refuse(error, SIS_REFUSED, object, "give 'frequency' or 'stiffness', not both");
    return true;
}

static bool check_contact(const sis_scene* scene, const sis_contact_def* def, const char* object,
                          sis_error* error) {
    if (!refers(scene, def->above, MASS | BARRIER, object, "above", "a mass or a barrier", error) ||
        !refers(scene, def->below, MASS | BARRIER, object, "below", "a mass or a barrier", error))
        return false;
    if (def->above == def->below)
        return refuse(error, SIS_REFUSED, object, "'above' and 'below' are the same body");
    if (!can_move(scene, def->above) && !can_move(scene, def->below))
        return refuse(
            error, SIS_REFUSED, object,
            "'above' and 'below' are barriers or driven: a force must be able to move one of them");
    if (def->law == SIS_LAW_CENTRE_LIMITED && def->gap < 0)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'gap' of a centre-limited contact is half its free play and must be >= 0 m");
    if (def->release && def->scheme != SIS_SCHEME_QUADRATISED)
        return refuse(error, SIS_REFUSED, object,
                      "'release' belongs to scheme = \"quadratised\"; the other schemes need none");
    if ((def->s != 0.5 || def->clamp) && def->scheme != SIS_SCHEME_ROOT)
        return refuse(error, SIS_REFUSED, object, "'s' and 'clamp' belong to scheme = \"root\"");
    bool correctable = def->scheme >= SIS_SCHEME_AM1 && def->scheme <= SIS_SCHEME_RK4;
    if (def->corrected && !correctable)
        return refuse(
            error, SIS_REFUSED, object,
            "'corrected' belongs to the schemes am1, verlet, heun and rk4, of a mass on a wall");
    return true;
}

static bool check_spring(const sis_scene* scene, const sis_spring_def* def, const char* object,
                         sis_error* error) {
    const char* wanted = "a mass or \"ground\"";
    if ((def->a != SIS_GROUND && !refers(scene, def->a, MASS, object, "between", wanted, error)) ||
        (def->b != SIS_GROUND && !refers(scene, def->b, MASS, object, "between", wanted, error)))
        return false;
    if (def->a == def->b)
        return refuse(error, SIS_REFUSED, object, "its two ends are the same: 'between' needs two");
    if (!can_move(scene, def->a) && !can_move(scene, def->b))
        return refuse(error, SIS_REFUSED, object, "neither of its ends is free to move");
    return true;
}

static bool check_force(const sis_scene* scene, const sis_force_def* def, const char* object,
                        sis_error* error) {
    if (!refers(scene, def->on, MASS, object, "on", "a mass", error)) return false;
    const sis_mass_def* mass = sis_scene_def(scene, def->on);
    if (mass->path.count)
        return refuse(error, SIS_REFUSED, object,
                      "its mass is driven along a path: a force cannot move it");
    if ((def->shape == SIS_FORCE_ENVELOPE) != (def->envelope.count > 0))
        return refuse(error, SIS_BAD_VALUE, object,
                      "shape \"envelope\" and the points of 'envelope' go together");
    if (def->shape != SIS_FORCE_ENVELOPE && isnan(def->peak))
        return refuse(error, SIS_BAD_VALUE, object, "'peak' (N; an impulse: N s) is missing");
    if ((def->shape == SIS_FORCE_RAISED_COSINE || def->shape == SIS_FORCE_HALF_COSINE) &&
        isnan(def->width))
        return refuse(error, SIS_BAD_VALUE, object, "'width' (s) of a cosine force is missing");
    return true;
}

static bool check_probe(const sis_scene* scene, const sis_probe_def* def, const char* object,
                        sis_error* error) {
    if (!refers(scene, def->on, MASS | BARRIER | CONTACT | SPRING, object, "on",
                "a mass, a barrier, a contact or a spring", error))
        return false;
    sis_kind kind = sis_scene_kind(scene, def->on);
    if ((kind == SIS_KIND_CONTACT || kind == SIS_KIND_SPRING) &&
        def->quantity <= SIS_QUANTITY_VELOCITY) {
        sis_fail(error, SIS_REFUSED,
                 "%s: a %s has a force and a penetration, no displacement or velocity", object,
                 sis_kind_word(kind));
        return false;
    }
    return true;
}

bool sis_check_object(const sis_scene* scene, sis_kind kind, const void* def, sis_error* error) {
    const char* name = *(const char* const*)def;
    sis_label label = sis_label_of(kind, name);
    if (name && sis_scene_find(scene, kind, name) != SIS_NONE)
        return refuse(error, SIS_REFUSED, label.text, "that name is taken by an earlier one");
    switch (kind) {
    case SIS_KIND_MASS:
        return check_mass(def, label.text, error);
    case SIS_KIND_CONTACT:
        return check_contact(scene, def, label.text, error);
    case SIS_KIND_SPRING:
        return check_spring(scene, def, label.text, error);
    case SIS_KIND_FORCE:
        return check_force(scene, def, label.text, error);
    case SIS_KIND_PROBE:
        return check_probe(scene, def, label.text, error);
    case SIS_KIND_GRAVITY:
    case SIS_KIND_RENDER:
        if (scene->kind_count[kind])
            return refuse(error, SIS_REFUSED, label.text, "given twice: a scene has one");
        return true;
    default:
        return true;
    }
}
