// Places of bodies: metres along a string, x and y on a plate, the number of a modal body's place.
#include "scene/scene.h"

#include <math.h>

int32_t sis_place_size(sis_kind kind) {
    if (kind == SIS_KIND_PLATE) return 2;
    return kind == SIS_KIND_STRING || kind == SIS_KIND_MODAL ? 1 : 0;
}

static bool check_along(const sis_string_def* string, double at, bool ends, const char* object,
                        const char* key, sis_error* error) {
    if (isnan(at)) {
        sis_fail_key(error, SIS_BAD_VALUE, key,
                     "%s: '%s\' (m) is missing: the place along string '%s', 0 to %g m", object,
                     key, string->name, string->length);
        return false;
    }
    if (ends ? at <= string->length : at > 0 && at < string->length) return true;
    sis_fail_key(error, SIS_BAD_VALUE, key,
                 "%s: '%s\' = %g m is %s string '%s', which is %g m long", object, key, at,
                 at == 0 || at == string->length ? "the end of" : "outside", string->name,
                 string->length);
    return false;
}

static bool check_on_plate(const sis_plate_def* plate, sis_place at, bool ends, const char* object,
                           const char* key, sis_error* error) {
    if (isnan(at.x) || isnan(at.y)) {
        sis_fail_key(
            error, SIS_BAD_VALUE, key,
            "%s: '%s\' = {x, y} (m) is missing: the place on plate '%s', which is %g m by %g m",
            object, key, plate->name, plate->length, plate->width);
        return false;
    }
    bool on = ends ? at.x <= plate->length && at.y <= plate->width
                   : at.x > 0 && at.x < plate->length && at.y > 0 && at.y < plate->width;
    if (on) return true;
    sis_fail_key(error, SIS_BAD_VALUE, key,
                 "%s: '%s\' = {%g, %g} m is off plate '%s' or on its edge; it is %g m by "
                 "%g m",
                 object, key, at.x, at.y, plate->name, plate->length, plate->width);
    return false;
}

static bool check_number(const sis_modal_def* body, double at, const char* object, const char* key,
                         sis_error* error) {
    if (isnan(at) && body->points == 1) return true;
    if (at >= 1 && at <= body->points && at == floor(at)) return true;
    sis_fail_key(error, SIS_BAD_VALUE, key,
                 "%s: '%s\' must be one of the places 1 to %d of modal body '%s', got %g", object,
                 key, (int)body->points, body->name, at);
    return false;
}

bool sis_check_place(const sis_scene* scene, sis_id id, sis_place at, bool ends, const char* object,
                     const char* key, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, id);
    if (sis_place_size(kind) < 2 && !isnan(at.y)) {
        sis_fail_key(error, SIS_REFUSED, key,
                     "%s: '%s\' = {x, y} is a place on a plate, and '%s' is none", object, key,
                     id >= 0 ? sis_scene_name(scene, id) : "ground");
        return false;
    }
    if (kind == SIS_KIND_STRING)
        return check_along(sis_scene_def(scene, id), at.x, ends, object, key, error);
    if (kind == SIS_KIND_PLATE)
        return check_on_plate(sis_scene_def(scene, id), at, ends, object, key, error);
    if (kind == SIS_KIND_MODAL)
        return check_number(sis_scene_def(scene, id), at.x, object, key, error);
    if (isnan(at.x)) return true;
    sis_fail_key(error, SIS_REFUSED, key,
                 "%s: '%s\' is a place along a string or on a plate, and '%s' is none", object, key,
                 id >= 0 ? sis_scene_name(scene, id) : "ground");
    return false;
}

// ---------------------------------------------------------------------------- of a contact

static const sis_barrier_def* as_barrier(const sis_scene* scene, sis_id id) {
    return sis_scene_kind(scene, id) == SIS_KIND_BARRIER ? sis_scene_def(scene, id) : NULL;
}

static sis_list places_of(const sis_scene* scene, const sis_contact_def* def, bool above) {
    sis_list own = above ? def->at_above : def->at_below, none = {NULL, 0};
    sis_kind kind = sis_scene_kind(scene, above ? def->above : def->below);
    const sis_barrier_def* barrier = as_barrier(scene, above ? def->below : def->above);
    if (sis_place_size(kind) == 0) return none;
    if (own.count) return own;
    if (def->at.count) return def->at;
    return barrier && kind == SIS_KIND_STRING ? barrier->at : none;
}

int32_t sis_contact_place_count(const sis_scene* scene, const sis_contact_def* def, bool above) {
    sis_kind kind = sis_scene_kind(scene, above ? def->above : def->below);
    return places_of(scene, def, above).count / (kind == SIS_KIND_PLATE ? 2 : 1);
}

sis_place sis_contact_place(const sis_scene* scene, const sis_contact_def* def, bool above,
                            int32_t j) {
    sis_list list = places_of(scene, def, above);
    bool plate = sis_scene_kind(scene, above ? def->above : def->below) == SIS_KIND_PLATE;
    if (plate && 2 * j + 1 < list.count)
        return (sis_place){list.values[2 * j], list.values[2 * j + 1]};
    if (!plate && j < list.count) return (sis_place){list.values[j], NAN};
    return (sis_place){NAN, NAN};
}

// A barrier under a plate has corners, and the area between them is on it.
static bool check_area(const sis_barrier_def* barrier, const sis_plate_def* plate,
                       const char* object, const char* key, sis_error* error) {
    if (isnan(barrier->from) != isnan(barrier->from_y) ||
        isnan(barrier->to) != isnan(barrier->to_y)) {
        sis_fail_key(error, SIS_BAD_VALUE, key,
                     "%s: '%s': under plate '%s' from and to of barrier '%s' must be corners "
                     "{x, y} (m)",
                     object, key, plate->name, barrier->name);
        return false;
    }
    sis_place from = {isnan(barrier->from) ? 0 : barrier->from,
                      isnan(barrier->from_y) ? 0 : barrier->from_y};
    sis_place to = {isnan(barrier->to) ? plate->length : barrier->to,
                    isnan(barrier->to_y) ? plate->width : barrier->to_y};
    if (from.x < plate->length && from.y < plate->width && to.x <= plate->length &&
        to.y <= plate->width)
        return true;
    sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': barrier '%s' from {%g, %g} to {%g, %g} m is not under plate '%s', which is "
        "%g m by %g m",
        object, key, barrier->name, from.x, from.y, to.x, to.y, plate->name, plate->length,
        plate->width);
    return false;
}

// A barrier along a string is within it.
static bool check_range(const sis_barrier_def* barrier, const sis_string_def* string,
                        const char* object, const char* key, sis_error* error) {
    if (!isnan(barrier->from_y) || !isnan(barrier->to_y)) {
        sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': corners {x, y} of barrier '%s' are places under a plate, and '%s' is none",
            object, key, barrier->name, string->name);
        return false;
    }
    double from = isnan(barrier->from) ? 0 : barrier->from;
    if (from < string->length && !(barrier->to > string->length)) return true;
    sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': barrier '%s' from %g to %g m is not along string '%s', which is %g m long",
        object, key, barrier->name, from, isnan(barrier->to) ? string->length : barrier->to,
        string->name, string->length);
    return false;
}

// What a barrier says of places must suit the body on it.
static bool check_barrier(const sis_scene* scene, const sis_barrier_def* barrier, sis_id side,
                          const char* object, const char* key, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, side);
    bool string = kind == SIS_KIND_STRING, plate = kind == SIS_KIND_PLATE;
    bool range = !isnan(barrier->from) || !isnan(barrier->to) || !isnan(barrier->from_y) ||
                 !isnan(barrier->to_y);
    bool profile = sis_profile_given(&barrier->profile);
    if (plate && barrier->at.count) {
        sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': at of barrier '%s' are places along a string, and '%s' is a plate: give "
            "at to the contact, or from and to to the barrier",
            object, key, barrier->name, sis_scene_name(scene, side));
        return false;
    }
    if (!string && !plate && (barrier->at.count || range || profile)) {
        sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': barrier '%s' has places along a string or under a plate; '%s' is none",
            object, key, barrier->name, sis_scene_name(scene, side));
        return false;
    }
    if (!profile || (string ? barrier->profile.value != NULL : barrier->profile.over != NULL))
        return true;
    sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': height of barrier '%s' must be a number or a function of %s for %s '%s'", object,
        key, barrier->name, string ? "x" : "x and y", sis_kind_word(kind),
        sis_scene_name(scene, side));
    return false;
}

// The places of one side of a contact.
static bool check_side(const sis_scene* scene, const sis_contact_def* def, bool above,
                       const char* object, sis_error* error) {
    sis_id side = above ? def->above : def->below, other = above ? def->below : def->above;
    sis_list own = above ? def->at_above : def->at_below;
    const char *own_key = above ? "at_above" : "at_below", *key = own.count ? own_key : "at";
    const sis_barrier_def* barrier = as_barrier(scene, other);
    sis_kind kind = sis_scene_kind(scene, side), other_kind = sis_scene_kind(scene, other);
    int32_t count = sis_contact_place_count(scene, def, above);
    bool placed_barrier =
        barrier && (barrier->at.count || !isnan(barrier->from) || !isnan(barrier->to) ||
                    !isnan(barrier->from_y) || !isnan(barrier->to_y));
    if (own.count && def->at.count)
        return refuse(error, SIS_REFUSED, object, "give 'at' or 'at_above' and 'at_below'");
    if (sis_place_size(kind) == 0 && own.count) // says that it has no places
        return sis_check_place(scene, side, (sis_place){own.values[0], NAN}, false, object, own_key,
                               error);
    const char* barrier_key = above ? "below" : "above";
    if (barrier && !check_barrier(scene, barrier, side, object, barrier_key, error)) return false;
    if (sis_place_size(kind) == 0) return true;
    if (placed_barrier && (own.count || def->at.count))
        return refuse(error, SIS_REFUSED, object,
                      "'at': the places are given twice, by the barrier and by the contact");
    if (kind == SIS_KIND_PLATE && places_of(scene, def, above).count % 2)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'at': a place on a plate has two numbers, {x, y}");
    for (int32_t j = 0; j < count; j++)
        if (!sis_check_place(scene, side, sis_contact_place(scene, def, above, j), false, object,
                             key, error))
            return false;
    if (count) return true;
    if (kind == SIS_KIND_STRING && barrier)
        return check_range(barrier, sis_scene_def(scene, side), object, barrier_key, error);
    if (kind == SIS_KIND_PLATE && barrier)
        return check_area(barrier, sis_scene_def(scene, side), object, barrier_key, error);
    if (kind == SIS_KIND_STRING && other_kind == SIS_KIND_STRING && side != other &&
        !sis_contact_place_count(scene, def, !above))
        return true;
    return sis_check_place(scene, side, (sis_place){NAN, NAN}, false, object, own_key, error);
}

// The same point of one body on both sides would touch itself for ever.
static bool check_apart(const sis_scene* scene, const sis_contact_def* def, const char* object,
                        sis_error* error) {
    if (def->above != def->below) return true;
    for (int32_t j = 0; j < sis_contact_place_count(scene, def, true); j++) {
        sis_place a = sis_contact_place(scene, def, true, j),
                  b = sis_contact_place(scene, def, false, j);
        if (a.x == b.x && (a.y == b.y || isnan(a.y)))
            return refuse(error, SIS_REFUSED, object,
                          "'above' and 'below' are the same point of the same body");
    }
    return true;
}

bool sis_check_places(const sis_scene* scene, const sis_contact_def* def, const char* object,
                      sis_error* error) {
    if (!check_side(scene, def, true, object, error) ||
        !check_side(scene, def, false, object, error) || !check_apart(scene, def, object, error))
        return false;
    int32_t above_size = sis_place_size(sis_scene_kind(scene, def->above));
    int32_t below_size = sis_place_size(sis_scene_kind(scene, def->below));
    int32_t above = sis_contact_place_count(scene, def, true);
    int32_t below = sis_contact_place_count(scene, def, false);
    if (def->at.count && !above_size && !below_size)
        return sis_check_place(scene, def->above, (sis_place){def->at.values[0], NAN}, false,
                               object, "at", error);
    if (def->at.count && above_size && below_size && def->above != def->below &&
        sis_scene_kind(scene, def->above) != sis_scene_kind(scene, def->below))
        return refuse(error, SIS_REFUSED, object,
                      "its bodies have places of different kinds: give 'at_above' and 'at_below'");
    if (above && below && above != below)
        return refuse(error, SIS_REFUSED, object,
                      "'at_above' and 'at_below' must have as many places each");
    if (def->interpolation == 2)
        return refuse(error, SIS_BAD_VALUE, object, "'interpolation' must be 0, 1 or 3, got 2");
    return true;
}
