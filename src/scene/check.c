// What the words of a definition mean together, before it enters a scene. One sentence per failure:
// object, key, value, unit, what would work.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sis_label sis_label_of(sis_kind kind, const char* name) {
    sis_label label;
    snprintf(label.text, sizeof label.text, name ? "%s '%s'" : "%s", sis_kind_word(kind), name);
    return label;
}

sis_label sis_place_text(sis_place at) {
    sis_label text;
    snprintf(text.text, sizeof text.text, isnan(at.y) ? "%g" : "{%g, %g}", at.x, at.y);
    return text;
}

// "string 's'" of a body, and how large it is.
static sis_label body_text(const sis_scene* scene, sis_id id) {
    sis_label text;
    const body_class* class = sis_class_at(scene, id);
    snprintf(text.text, sizeof text.text, "%s '%s'", class ? class->called : "",
             sis_scene_name(scene, id));
    return text;
}

static sis_label size_text(body_size size) {
    sis_label text;
    snprintf(text.text, sizeof text.text, size.width > 0 ? "%g m by %g m" : "%g m long",
             size.length, size.width);
    return text;
}

bool sis_follow(const sis_rule* rules, const char* object, sis_error* error) {
    for (; rules->sentence; rules++)
        if (rules->broken) return sis_refuse(error, rules->status, object, rules->sentence);
    return true;
}

// ---------------------------------------------------------------------------- references

typedef enum ability { ANY_BODY, CAN_MOVE, CAN_START, HAS_WEIGHT } ability;

static bool is_able(const body_class* class, ability what) {
    return (what != CAN_MOVE || !class->fixed) && (what != CAN_START || class->pluck) &&
           (what != HAS_WEIGHT || class->pull);
}

// What a key may name: bodies that are able to do so, and these words.
typedef struct reference {
    ability body;
    const char* words[4]; // up to NULL
    const char* end;      // of the sentence
} reference;

// "a mass, string, plate or modal body"
static void list_words(const reference* wanted, char* text, size_t room) {
    const char* words[SIS_KIND_COUNT + 4];
    int count = 0, length = 0;
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++) {
        const body_class* class = sis_class_of((sis_kind)kind);
        if (class && is_able(class, wanted->body)) words[count++] = class->called;
    }
    for (int i = 0; i < 4 && wanted->words[i]; i++)
        words[count++] = wanted->words[i];
    for (int i = 0; i < count && length >= 0 && (size_t)length < room; i++)
        length += snprintf(text + length, room - (size_t)length, "%s%s",
                           i == 0           ? "a "
                           : i == count - 1 ? " or "
                                            : ", ",
                           words[i]);
}

static bool refers(const sis_scene* scene, sis_id id, const reference* wanted, const char* object,
                   const char* key, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, id);
    const body_class* class = sis_class_of(kind);
    char list[200];
    if (class && is_able(class, wanted->body)) return true;
    for (int i = 0; i < 4 && wanted->words[i] && kind != SIS_KIND_COUNT; i++)
        if (strcmp(wanted->words[i], sis_kind_word(kind)) == 0) return true;
    list_words(wanted, list, sizeof list);
    return sis_fail_key(error, SIS_BAD_VALUE, key, "%s: '%s' must be %s%s, got %s", object, key,
                        list, wanted->end ? wanted->end : "",
                        kind == SIS_KIND_COUNT ? "something that is not in the scene"
                                               : sis_kind_word(kind));
}

static const reference movable = {CAN_MOVE, {NULL}, NULL};

// Can a force move it? Not a barrier, nor what is driven along a path.
static bool is_free(const sis_scene* scene, sis_id id) {
    const body_class* class = sis_class_at(scene, id);
    return class && !class->fixed && !(class->driven && class->driven(sis_scene_def(scene, id)));
}

// A bow or a force on a body.
static bool check_on(const sis_scene* scene, sis_id on, sis_place at, const char* driven,
                     const char* object, sis_error* error) {
    return refers(scene, on, &movable, object, "on", error) &&
           sis_check_place(scene, on, at, false, object, "at", error) &&
           (is_free(scene, on) || sis_refuse(error, SIS_REFUSED, object, driven));
}

// ---------------------------------------------------------------------------- places of bodies

// Metres along a string, x and y on a plate, the number of a modal body's place.
bool sis_check_place(const sis_scene* scene, sis_id id, sis_place at, bool ends, const char* object,
                     const char* key, sis_error* error) {
    sis_places places = sis_places_of(scene, id);
    bool line = places == SIS_PLACES_LINE, area = places == SIS_PLACES_AREA;
    body_size size = sis_size_of(scene, id);
    const char* name = sis_scene_name(scene, id); // "ground" too
    if (!area && !isnan(at.y))
        return sis_fail_key(error, SIS_REFUSED, key,
                            "%s: '%s\' = {x, y} is a place on a plate, and '%s' is none", object,
                            key, name);
    if (line && isnan(at.x))
        return sis_fail_key(error, SIS_BAD_VALUE, key,
                            "%s: '%s\' (m) is missing: the place along %s, 0 to %g m", object, key,
                            body_text(scene, id).text, size.length);
    if (area && (isnan(at.x) || isnan(at.y)))
        return sis_fail_key(error, SIS_BAD_VALUE, key,
                            "%s: '%s\' = {x, y} (m) is missing: the place on %s, which is %s",
                            object, key, body_text(scene, id).text, size_text(size).text);
    bool inside = ends ? at.x <= size.length && !(at.y > size.width)
                       : at.x > 0 && at.x < size.length && !(at.y <= 0 || at.y >= size.width);
    if ((line || area) && inside) return true;
    if (line)
        return sis_fail_key(error, SIS_BAD_VALUE, key, "%s: '%s\' = %g m is %s %s, which is %s",
                            object, key, at.x,
                            at.x == 0 || at.x == size.length ? "the end of" : "outside",
                            body_text(scene, id).text, size_text(size).text);
    if (area)
        return sis_fail_key(
            error, SIS_BAD_VALUE, key, "%s: '%s\' = %s m is off %s or on its edge; it is %s",
            object, key, sis_place_text(at).text, body_text(scene, id).text, size_text(size).text);
    if (isnan(at.x) && (places == SIS_PLACES_NONE || size.points == 1)) return true;
    if (places == SIS_PLACES_NONE)
        return sis_fail_key(error, SIS_REFUSED, key,
                            "%s: '%s\' is a place along a string or on a plate, and '%s' is none",
                            object, key, name);
    if (at.x >= 1 && at.x <= size.points && at.x == floor(at.x)) return true;
    if (isnan(at.x))
        return sis_fail_key(error, SIS_BAD_VALUE, key,
                            "%s: '%s\' is missing: a place of %s, 1 to %d", object, key,
                            body_text(scene, id).text, (int)size.points);
    return sis_fail_key(error, SIS_BAD_VALUE, key,
                        "%s: '%s\' must be one of the places 1 to %d of %s, got %g", object, key,
                        (int)size.points, body_text(scene, id).text, at.x);
}

// ---------------------------------------------------------------------------- places of a contact

static sis_list places_of(const sis_scene* scene, const sis_contact_def* def, bool above) {
    sis_list own = above ? def->at_above : def->at_below, none = {NULL, 0};
    sis_places places = sis_places_of(scene, above ? def->above : def->below);
    const sis_barrier_def* barrier = sis_as_barrier(scene, above ? def->below : def->above);
    if (places == SIS_PLACES_NONE) return none;
    if (own.count) return own;
    if (def->at.count) return def->at;
    return barrier && places == SIS_PLACES_LINE ? barrier->at : none;
}

int32_t sis_contact_place_count(const sis_scene* scene, const sis_contact_def* def, bool above) {
    bool area = sis_places_of(scene, above ? def->above : def->below) == SIS_PLACES_AREA;
    return places_of(scene, def, above).count / (area ? 2 : 1);
}

sis_place sis_contact_place(const sis_scene* scene, const sis_contact_def* def, bool above,
                            int32_t j) {
    sis_list list = places_of(scene, def, above);
    bool area = sis_places_of(scene, above ? def->above : def->below) == SIS_PLACES_AREA;
    if (area && 2 * j + 1 < list.count)
        return (sis_place){list.values[2 * j], list.values[2 * j + 1]};
    if (!area && j < list.count) return (sis_place){list.values[j], NAN};
    return (sis_place){NAN, NAN};
}

static bool has_range(const sis_barrier_def* barrier) {
    return !isnan(barrier->from) || !isnan(barrier->to) || !isnan(barrier->from_y) ||
           !isnan(barrier->to_y);
}

static double or_else(double value, double other) {
    return isnan(value) ? other : value;
}

// A barrier is along its string; or it has corners, and the area between them is on its plate.
static bool check_range(const sis_scene* scene, const sis_barrier_def* barrier, sis_id side,
                        const char* object, const char* key, sis_error* error) {
    bool area = sis_places_of(scene, side) == SIS_PLACES_AREA;
    body_size size = sis_size_of(scene, side);
    if (area && (isnan(barrier->from) != isnan(barrier->from_y) ||
                 isnan(barrier->to) != isnan(barrier->to_y)))
        return sis_fail_key(
            error, SIS_BAD_VALUE, key,
            "%s: '%s': under %s from and to of barrier '%s' must be corners {x, y} (m)", object,
            key, body_text(scene, side).text, barrier->name);
    if (!area && !(isnan(barrier->from_y) && isnan(barrier->to_y)))
        return sis_fail_key(
            error, SIS_REFUSED, key,
            "%s: '%s': corners {x, y} of barrier '%s' are places under a plate, and '%s' is none",
            object, key, barrier->name, sis_scene_name(scene, side));
    sis_place from = {or_else(barrier->from, 0), NAN},
              to = {or_else(barrier->to, size.length), NAN};
    if (area) from.y = or_else(barrier->from_y, 0);
    if (area) to.y = or_else(barrier->to_y, size.width);
    if (from.x < size.length && to.x <= size.length &&
        (!area || (from.y < size.width && to.y <= size.width)))
        return true;
    return sis_fail_key(error, SIS_BAD_VALUE, key,
                        "%s: '%s': barrier '%s' from %s to %s m is not %s %s, which is %s", object,
                        key, barrier->name, sis_place_text(from).text, sis_place_text(to).text,
                        area ? "under" : "along", body_text(scene, side).text,
                        size_text(size).text);
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
        "%s: '%s': height of barrier '%s' must be a number or a function of %s for %s", object, key,
        barrier->name, line ? "x" : "x and y", body_text(scene, side).text);
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
    if (own.count && def->at.count)
        return sis_refuse(error, SIS_REFUSED, object, "give 'at' or 'at_above' and 'at_below'");
    if (places == SIS_PLACES_NONE && own.count) // says that it has no places
        return sis_check_place(scene, side, (sis_place){own.values[0], NAN}, false, object, own_key,
                               error);
    const char* barrier_key = above ? "below" : "above";
    if (barrier && !check_barrier(scene, barrier, side, object, barrier_key, error)) return false;
    if (places == SIS_PLACES_NONE) return true;
    if (barrier && (barrier->at.count || has_range(barrier)) && (own.count || def->at.count))
        return sis_refuse(error, SIS_REFUSED, object,
                          "'at': the places are given twice, by the barrier and by the contact");
    if (places == SIS_PLACES_AREA && places_of(scene, def, above).count % 2)
        return sis_refuse(error, SIS_BAD_VALUE, object,
                          "'at': a place on a plate has two numbers, {x, y}");
    for (int32_t j = 0; j < count; j++)
        if (!sis_check_place(scene, side, sis_contact_place(scene, def, above, j), false, object,
                             key, error))
            return false;
    if (count) return true;
    if (barrier && places != SIS_PLACES_NUMBER)
        return check_range(scene, barrier, side, object, barrier_key, error);
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
            return sis_refuse(error, SIS_REFUSED, object,
                              "'above' and 'below' are the same point of the same body");
    }
    return true;
}

static bool check_places(const sis_scene* scene, const sis_contact_def* def, const char* object,
                         sis_error* error) {
    if (!check_side(scene, def, true, object, error) ||
        !check_side(scene, def, false, object, error) || !check_apart(scene, def, object, error))
        return false;
    sis_places on_above = sis_places_of(scene, def->above);
    sis_places on_below = sis_places_of(scene, def->below);
    int32_t above = sis_contact_place_count(scene, def, true);
    int32_t below = sis_contact_place_count(scene, def, false);
    bool both = on_above != SIS_PLACES_NONE && on_below != SIS_PLACES_NONE;
    if (def->at.count && on_above == SIS_PLACES_NONE && on_below == SIS_PLACES_NONE)
        return sis_check_place(scene, def->above, (sis_place){def->at.values[0], NAN}, false,
                               object, "at", error);
    const sis_rule rules[] = {
        {def->at.count && both && on_above != on_below, SIS_REFUSED,
         "its bodies have places of different kinds: give 'at_above' and 'at_below'"},
        {above && below && above != below, SIS_REFUSED,
         "'at_above' and 'at_below' must have as many places each"},
        {def->interpolation == 2, SIS_BAD_VALUE, "'interpolation' must be 0, 1 or 3, got 2"},
        {0}};
    return sis_follow(rules, object, error);
}

// ---------------------------------------------------------------------------- what joins and moves

static bool check_bow(const sis_scene* scene, const void* given, const char* object,
                      sis_error* error) {
    const sis_bow_def* def = given;
    const sis_rule rules[] = {
        {isnan(def->force) == !def->force_curve.count, SIS_BAD_VALUE,
         "'force' (N) is missing: a number or a curve, and one of the two"},
        {isnan(def->velocity) == !def->velocity_curve.count, SIS_BAD_VALUE,
         "'velocity' (m/s) is missing: a number or a curve, and one of the two"},
        {0}};
    return check_on(scene, def->on, (sis_place){def->at, def->at_y},
                    "'on': its mass is driven along a path: a bow cannot move it", object, error) &&
           sis_follow(rules, object, error) &&
           sis_check_trigger(scene, def->trigger, true, object, error);
}

static bool check_contact(const sis_scene* scene, const void* given, const char* object,
                          sis_error* error) {
    const sis_contact_def* def = given;
    const reference body = {ANY_BODY, {NULL}, NULL};
    if (!refers(scene, def->above, &body, object, "above", error) ||
        !refers(scene, def->below, &body, object, "below", error))
        return false;
    bool correctable = def->scheme >= SIS_SCHEME_AM1 && def->scheme <= SIS_SCHEME_RK4;
    const sis_rule bodies[] = {
        {def->above == def->below && !sis_contact_place_count(scene, def, true), SIS_REFUSED,
         "'above' and 'below' are the same body"},
        {!is_free(scene, def->above) && !is_free(scene, def->below), SIS_REFUSED,
         "'above' and 'below' are barriers or driven: a force must be able to move one of them"},
        {0}};
    const sis_rule rules[] = {
        {sis_law_sides(def->law) == SIS_LAW_CENTRE_LIMITED && def->gap < 0, SIS_BAD_VALUE,
         "'gap' of a centre-limited contact is half its free play and must be >= 0 m"},
        {def->release && def->scheme != SIS_SCHEME_QUADRATISED, SIS_REFUSED,
         "'release' belongs to scheme = \"quadratised\"; the other schemes need none"},
        {(def->s != 0.5 || def->clamp) && def->scheme != SIS_SCHEME_ROOT, SIS_REFUSED,
         "'s' and 'clamp' belong to scheme = \"root\""},
        {def->corrected && !correctable, SIS_REFUSED,
         "'corrected' belongs to the schemes am1, verlet, heun and rk4, of a mass on a wall"},
        {0}};
    return sis_follow(bodies, object, error) && check_places(scene, def, object, error) &&
           sis_follow(rules, object, error);
}

static bool check_spring(const sis_scene* scene, const void* given, const char* object,
                         sis_error* error) {
    const sis_spring_def* def = given;
    const reference end = {CAN_MOVE, {"\"ground\""}, NULL};
    sis_place at_a = {def->at_a, def->at_a_y}, at_b = {def->at_b, def->at_b_y};
    bool apart = at_a.x != at_b.x || (at_a.y != at_b.y && !isnan(at_a.y));
    const sis_rule rules[] = {
        {def->rigid && (def->K1 != 0 || def->K3 != 0 || def->damping != 0), SIS_REFUSED,
         "it is 'rigid', so K1, K3 and damping have no meaning: leave them out"},
        {def->a == def->b && !(apart && !isnan(def->at_a)), SIS_REFUSED,
         "its two ends are the same: 'between' needs two"},
        {!is_free(scene, def->a) && !is_free(scene, def->b), SIS_REFUSED,
         "'between': neither of its ends is free to move"},
        {0}};
    return (def->a == SIS_GROUND || refers(scene, def->a, &end, object, "between", error)) &&
           (def->b == SIS_GROUND || refers(scene, def->b, &end, object, "between", error)) &&
           sis_check_place(scene, def->a, at_a, false, object, "at_a", error) &&
           sis_check_place(scene, def->b, at_b, false, object, "at_b", error) &&
           sis_follow(rules, object, error);
}

static bool check_force(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_force_def* def = given;
    bool curve = def->shape == SIS_FORCE_ENVELOPE;
    bool cosine = def->shape == SIS_FORCE_RAISED_COSINE || def->shape == SIS_FORCE_HALF_COSINE;
    const sis_rule rules[] = {
        {curve != (def->envelope.count > 0), SIS_BAD_VALUE,
         "shape \"envelope\" and the points of 'envelope' go together"},
        {!curve && isnan(def->peak), SIS_BAD_VALUE, "'peak' (N; an impulse: N s) is missing"},
        {cosine && isnan(def->width), SIS_BAD_VALUE, "'width' (s) of a cosine force is missing"},
        {0}};
    return check_on(scene, def->on, (sis_place){def->at, def->at_y},
                    "'on': its mass is driven along a path: a force cannot move it", object,
                    error) &&
           sis_follow(rules, object, error) &&
           sis_check_trigger(scene, def->trigger, true, object, error);
}

// ---------------------------------------------------------------------------- how a body starts

// A function of x belongs to a line, one of x and y to an area.
static bool check_function(const sis_scene* scene, sis_id on, const sis_profile* profile,
                           const char* object, const char* key, sis_error* error) {
    bool line = sis_places_of(scene, on) == SIS_PLACES_LINE;
    if (!sis_profile_given(profile) || (line ? profile->value != NULL : profile->over != NULL))
        return true;
    return sis_fail(error, SIS_BAD_VALUE, "%s: '%s' is a function of %s, and %s needs one of %s",
                    object, key, profile->over ? "x and y" : "x", body_text(scene, on).text,
                    profile->over ? "x" : "x and y");
}

// Only bodies that have places in metres start with a shape over them; others in a mode.
static bool has_metres(const sis_scene* scene, sis_id id) {
    return sis_places_of(scene, id) >= SIS_PLACES_LINE;
}

static bool check_velocity(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                           sis_error* error) {
    bool number = !isnan(def->velocity), drawn = sis_profile_given(&def->velocity_profile);
    const sis_rule rules[] = {
        {number && drawn, SIS_REFUSED, "give 'velocity' as a number or as a function, not both"},
        {(number || drawn) && !has_metres(scene, def->on), SIS_REFUSED,
         "'velocity' is for strings and plates: give a body of modes a blow, "
         "force{ shape = \"impulse\" }"},
        {0}};
    return sis_follow(rules, object, error) &&
           check_function(scene, def->on, &def->velocity_profile, object, "velocity", error);
}

// Everything that belongs to the words of `shape`.
static bool has_word(const sis_pluck_def* def) {
    return def->shape != SIS_PLUCK_TRIANGLE || !isnan(def->at) || !isnan(def->at_y) ||
           !isnan(def->width) || def->mode || def->mode_y;
}

// A start without a word: a function, or flat with a velocity.
static bool check_wordless(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                           sis_error* error) {
    bool thrown = !isnan(def->velocity) || sis_profile_given(&def->velocity_profile);
    bool drawn = sis_profile_given(&def->profile), word = has_word(def);
    const sis_rule rules[] = {
        {drawn && (!isnan(def->height) || word), SIS_REFUSED,
         "a function is the whole shape: leave 'height', 'at', 'width' and 'mode' out"},
        {drawn && !has_metres(scene, def->on), SIS_REFUSED,
         "a function is the shape of a string or plate: a body of modes takes shape = \"mode\""},
        {!drawn && !thrown, SIS_BAD_VALUE,
         "'height' (m) is missing (or give 'velocity' (m/s), or a function as 'shape')"},
        {!drawn && word, SIS_BAD_VALUE,
         "'height' (m) of its shape is missing; to start flat leave 'shape', 'at', 'width' and "
         "'mode' out"},
        {0}};
    return sis_follow(rules, object, error) &&
           check_function(scene, def->on, &def->profile, object, "shape", error);
}

static bool check_mode_shape(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                             sis_error* error) {
    const body_class* class = sis_class_at(scene, def->on);
    bool metres = has_metres(scene, def->on);
    if (def->mode < 1)
        return sis_refuse(error, SIS_BAD_VALUE, object, "'mode' (1, 2, ...) is missing");
    if (!isnan(def->at) || !isnan(def->at_y) || !isnan(def->width))
        return sis_fail(error, SIS_REFUSED,
                        "%s: a mode shape fills the whole %s: leave 'at' and 'width' out", object,
                        metres ? class->called : "body");
    if (def->mode_y && class->places != SIS_PLACES_AREA)
        return sis_refuse(error, SIS_REFUSED, object, "'mode' = {m, n} is a mode of a plate");
    return !class->check_mode ||
           class->check_mode(sis_scene_def(scene, def->on), def, object, error);
}

// A raised cosine fits its body along one axis.
static bool check_fit(const sis_scene* scene, const sis_pluck_def* def, double at, double length,
                      const char* axis, const char* object, sis_error* error) {
    double from = at - 0.5 * def->width, to = at + 0.5 * def->width;
    if (from >= -1e-9 * length && to <= (1 + 1e-9) * length) return true;
    return sis_fail(error, SIS_BAD_VALUE,
                    "%s: a raised cosine from %g to %g m does not fit %s, which is %g m %s: "
                    "needs a 'width' of at most %g m here",
                    object, from, to, body_text(scene, def->on).text, length, axis,
                    2 * fmin(at, length - at));
}

static bool check_peak(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                       sis_error* error) {
    bool line = sis_places_of(scene, def->on) == SIS_PLACES_LINE;
    bool triangle = def->shape == SIS_PLUCK_TRIANGLE;
    body_size size = sis_size_of(scene, def->on);
    const sis_rule words[] = {
        {def->mode || def->mode_y, SIS_REFUSED, "'mode' belongs to shape = \"mode\""},
        {!has_metres(scene, def->on), SIS_REFUSED,
         "a body of modes starts in one of them: shape = \"mode\" with 'mode' and 'height'"},
        {0}};
    const sis_rule widths[] = {
        {triangle && !isnan(def->width), SIS_REFUSED,
         line ? "a triangle reaches both ends: leave 'width' out"
              : "a triangle reaches all edges: leave 'width' out"},
        {!triangle && isnan(def->width), SIS_BAD_VALUE, "'width' (m) is missing"},
        {0}};
    if (!sis_follow(words, object, error) ||
        !sis_check_place(scene, def->on, (sis_place){def->at, def->at_y}, false, object, "at",
                         error) ||
        !sis_follow(widths, object, error))
        return false;
    const char* axis = line ? "long" : "along x";
    return triangle ||
           (check_fit(scene, def, def->at, size.length, axis, object, error) &&
            (line || check_fit(scene, def, def->at_y, size.width, "along y", object, error)));
}

static bool check_pluck(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_pluck_def* def = given;
    const reference body = {CAN_START, {NULL}, NULL};
    if (!refers(scene, def->on, &body, object, "on", error) ||
        !check_velocity(scene, def, object, error))
        return false;
    if (isnan(def->height) || sis_profile_given(&def->profile))
        return check_wordless(scene, def, object, error);
    return def->shape == SIS_PLUCK_MODE ? check_mode_shape(scene, def, object, error)
                                        : check_peak(scene, def, object, error);
}

// ---------------------------------------------------------------------------- gravity, probes

// Bodies that gravity pulls; a list of one may be SIS_ALL.
static bool check_gravity(const sis_scene* scene, const void* given, const char* object,
                          sis_error* error) {
    const sis_gravity_def* def = given;
    const reference body = {HAS_WEIGHT, {NULL}, ", a list of them, or \"all\""};
    for (int32_t i = 0; i < def->on.count; i++) {
        sis_id id = def->on.ids[i];
        if (id == SIS_ALL && def->on.count == 1) return true;
        if (id == SIS_ALL)
            return sis_refuse(error, SIS_BAD_VALUE, object,
                              "'on' must be \"all\" or a list of bodies, got both");
        const body_class* class = sis_class_at(scene, id);
        if (class && !class->fixed && !class->pull)
            return sis_fail(error, SIS_REFUSED,
                            "%s: 'on': the modes of %s do not tell how gravity pulls them: take "
                            "masses, strings or plates",
                            object, body_text(scene, id).text);
        if (!refers(scene, id, &body, object, "on", error)) return false;
    }
    return true;
}

static bool check_probe(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_probe_def* def = given;
    const reference readable = {ANY_BODY, {"contact", "spring", "bow"}, NULL};
    if (!refers(scene, def->on, &readable, object, "on", error)) return false;
    sis_kind kind = sis_scene_kind(scene, def->on);
    bool moving = def->quantity <= SIS_QUANTITY_VELOCITY,
         placed = sis_places_of(scene, def->on) != SIS_PLACES_NONE;
    const sis_barrier_def* barrier = sis_as_barrier(scene, def->on);
    const sis_rule rules[] = {
        {barrier && sis_profile_given(&barrier->profile) && moving, SIS_REFUSED,
         "'quantity': a barrier with a profile has no one height: read its contact or its string"},
        {placed && !moving && !isnan(def->at), SIS_REFUSED,
         "force and penetration are over all contacts of a body: leave 'at' out"},
        {0}};
    if (!sis_follow(rules, object, error)) return false;
    if ((!placed || moving) && !sis_check_place(scene, def->on, (sis_place){def->at, def->at_y},
                                                true, object, "at", error))
        return false;
    bool still = def->quantity == SIS_QUANTITY_DISPLACEMENT;
    if (kind == SIS_KIND_BOW && (still || def->quantity == SIS_QUANTITY_PENETRATION))
        return sis_fail(error, SIS_REFUSED,
                        "%s: 'quantity': a bow has a force and a (relative) velocity, no %s",
                        object, still ? "displacement" : "penetration");
    if ((kind == SIS_KIND_CONTACT || kind == SIS_KIND_SPRING) && moving)
        return sis_fail(
            error, SIS_REFUSED,
            "%s: 'quantity': a %s has a force and a penetration, no displacement or velocity",
            object, sis_kind_word(kind));
    return true;
}

static bool (*const checks[SIS_KIND_COUNT])(const sis_scene*, const void*, const char*,
                                            sis_error*) = {
    [SIS_KIND_CONTACT] = check_contact, [SIS_KIND_SPRING] = check_spring,
    [SIS_KIND_BOW] = check_bow,         [SIS_KIND_FORCE] = check_force,
    [SIS_KIND_PLUCK] = check_pluck,     [SIS_KIND_GRAVITY] = check_gravity,
    [SIS_KIND_PROBE] = check_probe,     [SIS_KIND_INPUT] = sis_check_input,
};

bool sis_check_object(const sis_scene* scene, sis_kind kind, const void* def, sis_error* error) {
    const char* name = *(const char* const*)def;
    sis_label label = sis_label_of(kind, name);
    char clean[SIS_NAME_MAX + 1]; // as it will be kept
    if (name) sis_clean(name, clean, sizeof clean);
    if (name && sis_scene_find(scene, kind, clean) != SIS_NONE)
        return sis_refuse(error, SIS_REFUSED, label.text, "that 'name' is taken by an earlier one");
    if (kind == SIS_KIND_RENDER && scene->kind_count[kind])
        return sis_refuse(error, SIS_REFUSED, label.text, "given twice: a scene has one");
    if (kind == SIS_KIND_MASS) {
        const sis_mass_def* mass = def;
        if (!sis_check_trigger(scene, mass->trigger, mass->path.count, label.text, error))
            return false;
    }
    const body_class* class = sis_class_of(kind);
    if (class) return !class->check || class->check(def, label.text, error);
    return !checks[kind] || checks[kind](scene, def, label.text, error);
}
