// What the words of a definition mean together, before it enters a scene. One sentence per failure:
// object, key, value, unit, what would work.
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

// ---------------------------------------------------------------------------- references

static bool any_body(const body_class* class) {
    return class != NULL;
}

static bool can_move(const body_class* class) {
    return !class->fixed;
}

static bool can_start(const body_class* class) {
    return class->pluck != NULL;
}

static bool has_weight(const body_class* class) {
    return class->pull != NULL;
}

// What a key may name: bodies that pass a test, and these words.
typedef struct reference {
    bool (*body)(const body_class* class);
    const char* words[4]; // up to NULL
    const char* end;      // of the sentence
} reference;

// "a mass, string, plate or modal body"
static void list_words(const reference* wanted, char* text, size_t room) {
    const char* words[SIS_KIND_COUNT + 4];
    int count = 0, length = 0;
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++) {
        const body_class* class = sis_class_of((sis_kind)kind);
        if (class && wanted->body(class)) words[count++] = class->called;
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
    if (class && wanted->body(class)) return true;
    for (int i = 0; i < 4 && wanted->words[i] && kind != SIS_KIND_COUNT; i++)
        if (strcmp(wanted->words[i], sis_kind_word(kind)) == 0) return true;
    list_words(wanted, list, sizeof list);
    return sis_fail_key(error, SIS_BAD_VALUE, key, "%s: '%s' must be %s%s, got %s", object, key,
                        list, wanted->end ? wanted->end : "",
                        kind == SIS_KIND_COUNT ? "something that is not in the scene"
                                               : sis_kind_word(kind));
}

static const reference movable = {can_move, {NULL}, NULL};

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
           (is_free(scene, on) || refuse(error, SIS_REFUSED, object, driven));
}

// ---------------------------------------------------------------------------- what joins and moves

static bool check_bow(const sis_scene* scene, const void* given, const char* object,
                      sis_error* error) {
    const sis_bow_def* def = given;
    if (!check_on(scene, def->on, (sis_place){def->at, def->at_y},
                  "'on': its mass is driven along a path: a bow cannot move it", object, error))
        return false;
    if (isnan(def->force) == !def->force_curve.count)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'force' (N) is missing: a number or a curve, and one of the two");
    if (isnan(def->velocity) == !def->velocity_curve.count)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'velocity' (m/s) is missing: a number or a curve, and one of the two");
    return true;
}

static bool check_contact(const sis_scene* scene, const void* given, const char* object,
                          sis_error* error) {
    const sis_contact_def* def = given;
    const reference body = {any_body, {NULL}, NULL};
    if (!refers(scene, def->above, &body, object, "above", error) ||
        !refers(scene, def->below, &body, object, "below", error))
        return false;
    if (def->above == def->below && !sis_contact_place_count(scene, def, true))
        return refuse(error, SIS_REFUSED, object, "'above' and 'below' are the same body");
    if (!is_free(scene, def->above) && !is_free(scene, def->below))
        return refuse(
            error, SIS_REFUSED, object,
            "'above' and 'below' are barriers or driven: a force must be able to move one of them");
    if (!sis_check_places(scene, def, object, error)) return false;
    if (sis_law_sides(def->law) == SIS_LAW_CENTRE_LIMITED && def->gap < 0)
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

static bool check_spring(const sis_scene* scene, const void* given, const char* object,
                         sis_error* error) {
    const sis_spring_def* def = given;
    const reference end = {can_move, {"\"ground\""}, NULL};
    sis_place at_a = {def->at_a, def->at_a_y}, at_b = {def->at_b, def->at_b_y};
    if ((def->a != SIS_GROUND && !refers(scene, def->a, &end, object, "between", error)) ||
        (def->b != SIS_GROUND && !refers(scene, def->b, &end, object, "between", error)) ||
        !sis_check_place(scene, def->a, at_a, false, object, "at_a", error) ||
        !sis_check_place(scene, def->b, at_b, false, object, "at_b", error))
        return false;
    bool apart = def->at_a != def->at_b || (def->at_a_y != def->at_b_y && !isnan(def->at_a_y));
    if (def->rigid && (def->K1 != 0 || def->K3 != 0 || def->damping != 0))
        return refuse(error, SIS_REFUSED, object,
                      "it is 'rigid', so K1, K3 and damping have no meaning: leave them out");
    if (def->a == def->b && !(apart && !isnan(def->at_a)))
        return refuse(error, SIS_REFUSED, object, "its two ends are the same: 'between' needs two");
    if (!is_free(scene, def->a) && !is_free(scene, def->b))
        return refuse(error, SIS_REFUSED, object, "'between': neither of its ends is free to move");
    return true;
}

static bool check_force(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_force_def* def = given;
    if (!check_on(scene, def->on, (sis_place){def->at, def->at_y},
                  "'on': its mass is driven along a path: a force cannot move it", object, error))
        return false;
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

// ---------------------------------------------------------------------------- how a body starts

// A function of x belongs to a line, one of x and y to an area.
static bool check_function(const sis_scene* scene, sis_id on, const sis_profile* profile,
                           const char* object, const char* key, sis_error* error) {
    bool line = sis_places_of(scene, on) == SIS_PLACES_LINE;
    if (!sis_profile_given(profile) || (line ? profile->value != NULL : profile->over != NULL))
        return true;
    return sis_fail(error, SIS_BAD_VALUE,
                    "%s: '%s' is a function of %s, and %s '%s' needs one of %s", object, key,
                    profile->over ? "x and y" : "x", sis_class_at(scene, on)->called,
                    sis_scene_name(scene, on), profile->over ? "x" : "x and y");
}

// Only bodies that have places in metres start with a shape over them; others in a mode.
static bool has_metres(const sis_scene* scene, sis_id id) {
    return sis_places_of(scene, id) >= SIS_PLACES_LINE;
}

static bool check_velocity(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                           sis_error* error) {
    bool number = !isnan(def->velocity), drawn = sis_profile_given(&def->velocity_profile);
    if (number && drawn)
        return refuse(error, SIS_REFUSED, object,
                      "give 'velocity' as a number or as a function, not both");
    if ((number || drawn) && !has_metres(scene, def->on))
        return refuse(error, SIS_REFUSED, object,
                      "'velocity' is for strings and plates: give a body of modes a blow, "
                      "force{ shape = \"impulse\" }");
    return check_function(scene, def->on, &def->velocity_profile, object, "velocity", error);
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
    if (sis_profile_given(&def->profile)) {
        if (!isnan(def->height) || has_word(def))
            return refuse(error, SIS_REFUSED, object,
                          "a function is the whole shape: leave 'height', 'at', 'width' and 'mode' "
                          "out");
        if (!has_metres(scene, def->on))
            return refuse(error, SIS_REFUSED, object,
                          "a function is the shape of a string or plate: a body of modes takes "
                          "shape = \"mode\"");
        return check_function(scene, def->on, &def->profile, object, "shape", error);
    }
    if (!thrown)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'height' (m) is missing (or give 'velocity' (m/s), or a function as "
                      "'shape')");
    if (has_word(def))
        return refuse(error, SIS_BAD_VALUE, object,
                      "'height' (m) of its shape is missing; to start flat leave 'shape', 'at', "
                      "'width' and 'mode' out");
    return true;
}

static bool check_mode_shape(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                             sis_error* error) {
    const body_class* class = sis_class_at(scene, def->on);
    if (def->mode < 1) return refuse(error, SIS_BAD_VALUE, object, "'mode' (1, 2, ...) is missing");
    if (!isnan(def->at) || !isnan(def->at_y) || !isnan(def->width))
        return sis_fail(error, SIS_REFUSED,
                        "%s: a mode shape fills the whole %s: leave 'at' and 'width' out", object,
                        has_metres(scene, def->on) ? class->called : "body");
    if (def->mode_y && class->places != SIS_PLACES_AREA)
        return refuse(error, SIS_REFUSED, object, "'mode' = {m, n} is a mode of a plate");
    return !class->check_mode ||
           class->check_mode(sis_scene_def(scene, def->on), def, object, error);
}

// A raised cosine fits its body along one axis.
static bool check_fit(const sis_scene* scene, const sis_pluck_def* def, double at, double length,
                      const char* axis, const char* object, sis_error* error) {
    double from = at - 0.5 * def->width, to = at + 0.5 * def->width;
    if (from >= -1e-9 * length && to <= (1 + 1e-9) * length) return true;
    return sis_fail(error, SIS_BAD_VALUE,
                    "%s: a raised cosine from %g to %g m does not fit %s '%s', which is %g m %s: "
                    "needs a 'width' of at most %g m here",
                    object, from, to, sis_class_at(scene, def->on)->called,
                    sis_scene_name(scene, def->on), length, axis, 2 * fmin(at, length - at));
}

static bool check_peak(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                       sis_error* error) {
    bool line = sis_places_of(scene, def->on) == SIS_PLACES_LINE;
    body_size size = sis_size_of(scene, def->on);
    if (def->mode || def->mode_y)
        return refuse(error, SIS_REFUSED, object, "'mode' belongs to shape = \"mode\"");
    if (!has_metres(scene, def->on))
        return refuse(error, SIS_REFUSED, object,
                      "a body of modes starts in one of them: shape = \"mode\" with 'mode' and "
                      "'height'");
    if (!sis_check_place(scene, def->on, (sis_place){def->at, def->at_y}, false, object, "at",
                         error))
        return false;
    if (def->shape == SIS_PLUCK_TRIANGLE) {
        if (isnan(def->width)) return true;
        return refuse(error, SIS_REFUSED, object,
                      line ? "a triangle reaches both ends: leave 'width' out"
                           : "a triangle reaches all edges: leave 'width' out");
    }
    if (isnan(def->width)) return refuse(error, SIS_BAD_VALUE, object, "'width' (m) is missing");
    const char* axis = line ? "long" : "along x";
    return check_fit(scene, def, def->at, size.length, axis, object, error) &&
           (line || check_fit(scene, def, def->at_y, size.width, "along y", object, error));
}

static bool check_pluck(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_pluck_def* def = given;
    const reference body = {can_start, {NULL}, NULL};
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
    const reference body = {has_weight, {NULL}, ", a list of them, or \"all\""};
    for (int32_t i = 0; i < def->on.count; i++) {
        sis_id id = def->on.ids[i];
        if (id == SIS_ALL && def->on.count == 1) return true;
        if (id == SIS_ALL)
            return refuse(error, SIS_BAD_VALUE, object,
                          "'on' must be \"all\" or a list of bodies, got both");
        const body_class* class = sis_class_at(scene, id);
        if (class && !class->fixed && !class->pull)
            return sis_fail(error, SIS_REFUSED,
                            "%s: 'on': the modes of %s '%s' do not tell how gravity pulls them: "
                            "take masses, strings or plates",
                            object, class->called, sis_scene_name(scene, id));
        if (!refers(scene, id, &body, object, "on", error)) return false;
    }
    return true;
}

static bool check_probe(const sis_scene* scene, const void* given, const char* object,
                        sis_error* error) {
    const sis_probe_def* def = given;
    const reference readable = {any_body, {"contact", "spring", "bow"}, NULL};
    if (!refers(scene, def->on, &readable, object, "on", error)) return false;
    sis_kind kind = sis_scene_kind(scene, def->on);
    bool moving = def->quantity <= SIS_QUANTITY_VELOCITY,
         placed = sis_places_of(scene, def->on) != SIS_PLACES_NONE;
    const sis_barrier_def* barrier = sis_as_barrier(scene, def->on);
    if (barrier && sis_profile_given(&barrier->profile) && moving)
        return refuse(error, SIS_REFUSED, object,
                      "'quantity': a barrier with a profile has no one height: read its contact or "
                      "its string");
    if (placed && !moving && !isnan(def->at))
        return refuse(error, SIS_REFUSED, object,
                      "force and penetration are over all contacts of a body: leave 'at' out");
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
    [SIS_KIND_PROBE] = check_probe,
};

bool sis_check_object(const sis_scene* scene, sis_kind kind, const void* def, sis_error* error) {
    const char* name = *(const char* const*)def;
    sis_label label = sis_label_of(kind, name);
    char clean[SIS_NAME_MAX + 1]; // as it will be kept
    if (name) sis_clean(name, clean, sizeof clean);
    if (name && sis_scene_find(scene, kind, clean) != SIS_NONE)
        return refuse(error, SIS_REFUSED, label.text, "that 'name' is taken by an earlier one");
    if (kind == SIS_KIND_RENDER && scene->kind_count[kind])
        return refuse(error, SIS_REFUSED, label.text, "given twice: a scene has one");
    const body_class* class = sis_class_of(kind);
    if (class) return !class->check || class->check(def, label.text, error);
    return !checks[kind] || checks[kind](scene, def, label.text, error);
}
