// Places of bodies: metres along a string, x and y on a plate, the number of a modal body's place.
#include "scene/scene.h"

#include <math.h>

static bool check_along(const char* called, const char* name, double length, double at, bool ends,
                        const char* object, const char* key, sis_error* error) {
    if (isnan(at))
        return sis_fail_key(error, SIS_BAD_VALUE, key,
                            "%s: '%s\' (m) is missing: the place along %s '%s', 0 to %g m", object,
                            key, called, name, length);
    if (ends ? at <= length : at > 0 && at < length) return true;
    return sis_fail_key(error, SIS_BAD_VALUE, key,
                        "%s: '%s\' = %g m is %s %s '%s', which is %g m long", object, key, at,
                        at == 0 || at == length ? "the end of" : "outside", called, name, length);
}

static bool check_over(const char* called, const char* name, body_size size, sis_place at,
                       bool ends, const char* object, const char* key, sis_error* error) {
    if (isnan(at.x) || isnan(at.y))
        return sis_fail_key(
            error, SIS_BAD_VALUE, key,
            "%s: '%s\' = {x, y} (m) is missing: the place on %s '%s', which is %g m by %g m",
            object, key, called, name, size.length, size.width);
    bool on = ends ? at.x <= size.length && at.y <= size.width
                   : at.x > 0 && at.x < size.length && at.y > 0 && at.y < size.width;
    if (on) return true;
    return sis_fail_key(error, SIS_BAD_VALUE, key,
                        "%s: '%s\' = {%g, %g} m is off %s '%s' or on its edge; it is %g m by %g m",
                        object, key, at.x, at.y, called, name, size.length, size.width);
}

bool sis_check_place(const sis_scene* scene, sis_id id, sis_place at, bool ends, const char* object,
                     const char* key, sis_error* error) {
    const body_class* class = sis_class_at(scene, id);
    sis_places places = sis_places_of(scene, id);
    body_size size = sis_size_of(scene, id);
    const char* name = id >= 0 ? sis_scene_name(scene, id) : "ground";
    if (places != SIS_PLACES_AREA && !isnan(at.y))
        return sis_fail_key(error, SIS_REFUSED, key,
                            "%s: '%s\' = {x, y} is a place on a plate, and '%s' is none", object,
                            key, name);
    if (places == SIS_PLACES_LINE)
        return check_along(class->called, name, size.length, at.x, ends, object, key, error);
    if (places == SIS_PLACES_AREA)
        return check_over(class->called, name, size, at, ends, object, key, error);
    if (isnan(at.x) && (places == SIS_PLACES_NONE || size.points == 1)) return true;
    if (places == SIS_PLACES_NONE)
        return sis_fail_key(error, SIS_REFUSED, key,
                            "%s: '%s\' is a place along a string or on a plate, and '%s' is none",
                            object, key, name);
    if (at.x >= 1 && at.x <= size.points && at.x == floor(at.x)) return true;
    return sis_fail_key(error, SIS_BAD_VALUE, key,
                        "%s: '%s\' must be one of the places 1 to %d of %s '%s', got %g", object,
                        key, (int)size.points, class->called, name, at.x);
}

// ---------------------------------------------------------------------------- of a contact

static sis_list places_of(const sis_scene* scene, const sis_contact_def* def, bool above) {
    sis_list own = above ? def->at_above : def->at_below, none = {NULL, 0};
    sis_places places = sis_places_of(scene, above ? def->above : def->below);
    const sis_barrier_def* barrier = sis_as_barrier(scene, above ? def->below : def->above);
    if (places == SIS_PLACES_NONE) return none;
    if (own.count) return own;
    if (def->at.count) return def->at;
    return barrier && places == SIS_PLACES_LINE ? barrier->at : none;
}

static bool is_area(const sis_scene* scene, const sis_contact_def* def, bool above) {
    return sis_places_of(scene, above ? def->above : def->below) == SIS_PLACES_AREA;
}

int32_t sis_contact_place_count(const sis_scene* scene, const sis_contact_def* def, bool above) {
    return places_of(scene, def, above).count / (is_area(scene, def, above) ? 2 : 1);
}

sis_place sis_contact_place(const sis_scene* scene, const sis_contact_def* def, bool above,
                            int32_t j) {
    sis_list list = places_of(scene, def, above);
    bool area = is_area(scene, def, above);
    if (area && 2 * j + 1 < list.count)
        return (sis_place){list.values[2 * j], list.values[2 * j + 1]};
    if (!area && j < list.count) return (sis_place){list.values[j], NAN};
    return (sis_place){NAN, NAN};
}

static bool has_range(const sis_barrier_def* barrier) {
    return !isnan(barrier->from) || !isnan(barrier->to) || !isnan(barrier->from_y) ||
           !isnan(barrier->to_y);
}

// A barrier under a plate has corners, and the area between them is on it.
static bool check_area(const sis_scene* scene, const sis_barrier_def* barrier, sis_id side,
                       const char* object, const char* key, sis_error* error) {
    body_size size = sis_size_of(scene, side);
    const char *called = sis_class_at(scene, side)->called, *name = sis_scene_name(scene, side);
    if (isnan(barrier->from) != isnan(barrier->from_y) ||
        isnan(barrier->to) != isnan(barrier->to_y))
        return sis_fail_key(error, SIS_BAD_VALUE, key,
                            "%s: '%s': under %s '%s' from and to of barrier '%s' must be corners "
                            "{x, y} (m)",
                            object, key, called, name, barrier->name);
    sis_place from = {isnan(barrier->from) ? 0 : barrier->from,
                      isnan(barrier->from_y) ? 0 : barrier->from_y};
    sis_place to = {isnan(barrier->to) ? size.length : barrier->to,
                    isnan(barrier->to_y) ? size.width : barrier->to_y};
    if (from.x < size.length && from.y < size.width && to.x <= size.length && to.y <= size.width)
        return true;
    return sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': barrier '%s' from {%g, %g} to {%g, %g} m is not under %s '%s', which is "
        "%g m by %g m",
        object, key, barrier->name, from.x, from.y, to.x, to.y, called, name, size.length,
        size.width);
}

// A barrier along a string is within it.
static bool check_range(const sis_scene* scene, const sis_barrier_def* barrier, sis_id side,
                        const char* object, const char* key, sis_error* error) {
    double length = sis_size_of(scene, side).length,
           from = isnan(barrier->from) ? 0 : barrier->from;
    const char* name = sis_scene_name(scene, side);
    if (!isnan(barrier->from_y) || !isnan(barrier->to_y))
        return sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': corners {x, y} of barrier '%s' are places under a plate, and '%s' is none",
            object, key, barrier->name, name);
    if (from < length && !(barrier->to > length)) return true;
    return sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': barrier '%s' from %g to %g m is not along %s '%s', which is %g m long", object,
        key, barrier->name, from, isnan(barrier->to) ? length : barrier->to,
        sis_class_at(scene, side)->called, name, length);
}

// What a barrier says of places must suit the body on it.
static bool check_barrier(const sis_scene* scene, const sis_barrier_def* barrier, sis_id side,
                          const char* object, const char* key, sis_error* error) {
    sis_places places = sis_places_of(scene, side);
    bool line = places == SIS_PLACES_LINE, area = places == SIS_PLACES_AREA;
    bool profile = sis_profile_given(&barrier->profile);
    const char* name = sis_scene_name(scene, side);
    if (area && barrier->at.count)
        return sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': at of barrier '%s' are places along a string, and '%s' is a %s: give "
            "at to the contact, or from and to to the barrier",
            object, key, barrier->name, name, sis_class_at(scene, side)->called);
    if (!line && !area && (barrier->at.count || has_range(barrier) || profile))
        return sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': barrier '%s' has places along a string or under a plate; '%s' is none",
            object, key, barrier->name, name);
    if (!profile || (line ? barrier->profile.value != NULL : barrier->profile.over != NULL))
        return true;
    return sis_fail_key(
        error, SIS_BAD_VALUE, key,
        "%s: '%s': height of barrier '%s' must be a number or a function of %s for %s '%s'", object,
        key, barrier->name, line ? "x" : "x and y", sis_class_at(scene, side)->called, name);
}

// The places of one side of a contact.
static bool check_side(const sis_scene* scene, const sis_contact_def* def, bool above,
                       const char* object, sis_error* error) {
    sis_id side = above ? def->above : def->below, other = above ? def->below : def->above;
    sis_list own = above ? def->at_above : def->at_below;
    const char *own_key = above ? "at_above" : "at_below", *key = own.count ? own_key : "at";
    const sis_barrier_def* barrier = sis_as_barrier(scene, other);
    sis_places places = sis_places_of(scene, side);
    int32_t count = sis_contact_place_count(scene, def, above);
    bool placed_barrier = barrier && (barrier->at.count || has_range(barrier));
    if (own.count && def->at.count)
        return refuse(error, SIS_REFUSED, object, "give 'at' or 'at_above' and 'at_below'");
    if (places == SIS_PLACES_NONE && own.count) // says that it has no places
        return sis_check_place(scene, side, (sis_place){own.values[0], NAN}, false, object, own_key,
                               error);
    const char* barrier_key = above ? "below" : "above";
    if (barrier && !check_barrier(scene, barrier, side, object, barrier_key, error)) return false;
    if (places == SIS_PLACES_NONE) return true;
    if (placed_barrier && (own.count || def->at.count))
        return refuse(error, SIS_REFUSED, object,
                      "'at': the places are given twice, by the barrier and by the contact");
    if (places == SIS_PLACES_AREA && places_of(scene, def, above).count % 2)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'at': a place on a plate has two numbers, {x, y}");
    for (int32_t j = 0; j < count; j++)
        if (!sis_check_place(scene, side, sis_contact_place(scene, def, above, j), false, object,
                             key, error))
            return false;
    if (count) return true;
    if (places == SIS_PLACES_LINE && barrier)
        return check_range(scene, barrier, side, object, barrier_key, error);
    if (places == SIS_PLACES_AREA && barrier)
        return check_area(scene, barrier, side, object, barrier_key, error);
    if (places == SIS_PLACES_LINE && sis_places_of(scene, other) == SIS_PLACES_LINE &&
        side != other && !sis_contact_place_count(scene, def, !above))
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
    sis_places on_above = sis_places_of(scene, def->above);
    sis_places on_below = sis_places_of(scene, def->below);
    int32_t above = sis_contact_place_count(scene, def, true);
    int32_t below = sis_contact_place_count(scene, def, false);
    if (def->at.count && on_above == SIS_PLACES_NONE && on_below == SIS_PLACES_NONE)
        return sis_check_place(scene, def->above, (sis_place){def->at.values[0], NAN}, false,
                               object, "at", error);
    if (def->at.count && on_above != SIS_PLACES_NONE && on_below != SIS_PLACES_NONE &&
        on_above != on_below)
        return refuse(error, SIS_REFUSED, object,
                      "its bodies have places of different kinds: give 'at_above' and 'at_below'");
    if (above && below && above != below)
        return refuse(error, SIS_REFUSED, object,
                      "'at_above' and 'at_below' must have as many places each");
    if (def->interpolation == 2)
        return refuse(error, SIS_BAD_VALUE, object, "'interpolation' must be 0, 1 or 3, got 2");
    return true;
}
