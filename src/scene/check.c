// What the words of a definition mean together, before it enters a scene. One sentence per failure:
// object, key, value, unit, what would work.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>

sis_label sis_label_of(sis_kind kind, const char* name) {
    sis_label label;
    if (name)
        snprintf(label.text, sizeof label.text, "%s '%s'", sis_kind_word(kind), name);
    else
        snprintf(label.text, sizeof label.text, "%s", sis_kind_word(kind));
    return label;
}

// Is `id` an object of one of the kinds in the list (a bit per kind)?
static bool refers(const sis_scene* scene, sis_id id, unsigned kinds, const char* object,
                   const char* key, const char* wanted, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, id);
    if (kind != SIS_KIND_COUNT && (kinds >> kind & 1)) return true;
    sis_fail_key(error, SIS_BAD_VALUE, key, "%s: '%s' must be %s, got %s", object, key, wanted,
                 kind == SIS_KIND_COUNT ? "something that is not in the scene"
                                        : sis_kind_word(kind));
    return false;
}

enum {
    MASS = 1u << SIS_KIND_MASS,
    BARRIER = 1u << SIS_KIND_BARRIER,
    CONTACT = 1u << SIS_KIND_CONTACT,
    SPRING = 1u << SIS_KIND_SPRING,
    BOW = 1u << SIS_KIND_BOW,
    STRING = 1u << SIS_KIND_STRING,
    BODIES = MASS | STRING | 1u << SIS_KIND_PLATE | 1u << SIS_KIND_MODAL
};

// Can a force move it? Not a barrier, nor a mass driven along a path.
static bool can_move(const sis_scene* scene, sis_id id) {
    sis_kind kind = sis_scene_kind(scene, id);
    if (kind == SIS_KIND_COUNT || !(BODIES >> kind & 1)) return false;
    return kind != SIS_KIND_MASS ||
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

static bool check_string(const sis_string_def* def, const char* object, sis_error* error) {
    const char* why = NULL;
    bool implicit = def->model == SIS_STRING_IMPLICIT, modal = def->model == SIS_STRING_MODAL;
    if (isnan(def->tension) && isnan(def->frequency))
        return refuse(error, SIS_BAD_VALUE, object,
                      "'tension' (N) is missing, or 'frequency' (Hz) of its fundamental");
    if (!isnan(def->tension) && !isnan(def->frequency))
        why = "give 'tension' or 'frequency', not both";
    else if (isnan(def->density) && isnan(def->material_density))
        why = "'density' (kg/m) is missing, or 'material_density' (kg/m^3) with 'radius' (m)";
    else if (!isnan(def->density) && !isnan(def->material_density))
        why = "give 'density' or 'material_density', not both";
    else if (!isnan(def->material_density) && isnan(def->radius))
        why = "'material_density' needs 'radius' (m)";
    else if (def->youngs > 0 && isnan(def->radius))
        why = "'youngs' needs 'radius' (m)";
    else if (def->tension == 0 && !(def->youngs > 0))
        why = "without 'tension' (N) or 'youngs' (Pa) nothing brings it back";
    else if (def->t60.count && (!isnan(def->sigma0) || !isnan(def->sigma1)))
        why = "give 't60' or 'sigma0' and 'sigma1', not both";
    else if (def->t60.count > 2)
        why = "'t60' takes one or two pairs {frequency, seconds}";
    else if (!implicit && (!isnan(def->gamma) || def->gamma_rule != SIS_GAMMA_OPTIMAL))
        why = "'gamma' belongs to model = \"implicit\"";
    else if (def->gamma_rule == SIS_GAMMA_TUNED && isnan(def->gamma) && !def->tuned)
        why = "'gamma' = \"tuned\" needs tuned = true: take gamma = \"optimal\" or a number";
    else if (!modal && def->modes)
        why = "'modes' belongs to model = \"modal\"";
    else if (def->nonlinear && !(def->youngs > 0))
        why = "'nonlinear' = \"kirchhoff-carrier\" needs 'youngs' (Pa) and 'radius' (m): they "
              "stretch";
    return why ? refuse(error, SIS_REFUSED, object, why) : true;
}

static bool check_barrier(const sis_barrier_def* def, const char* object, sis_error* error) {
    bool range = !isnan(def->from) || !isnan(def->to) || !isnan(def->from_y) || !isnan(def->to_y);
    bool profile = sis_profile_given(&def->profile);
    if (isnan(def->height) == !profile)
        return refuse(error, SIS_BAD_VALUE, object,
                      profile ? "give 'height' or a profile, not both" : "'height' (m) is missing");
    if (def->at.count && range)
        return refuse(error, SIS_REFUSED, object,
                      "'at' makes points, 'from' and 'to' a range: give one of the two");
    if (def->to <= def->from || def->to_y <= def->from_y)
        return refuse(error, SIS_BAD_VALUE, object, "'from' must be less than 'to'");
    return true;
}

static bool check_plate(const sis_plate_def* def, const char* object, sis_error* error) {
    const char* why = NULL;
    if (def->youngs == 0 && def->tension == 0)
        why = "without 'youngs' (Pa) or 'tension' (N/m) nothing brings it back";
    else if (def->model != SIS_PLATE_MODAL && def->modes)
        why = "'modes' belongs to model = \"modal\"";
    else if (def->model == SIS_PLATE_MODAL && def->edge == SIS_ENDS_CLAMPED)
        why = "'edge': the modes of model = \"modal\" have supported edges: clamp an fd plate";
    else if ((def->segments_x > 0) != (def->segments_y > 0))
        why = "'segments' takes two numbers {nx, ny}";
    return why ? refuse(error, SIS_REFUSED, object, why) : true;
}

static bool check_modal(const sis_modal_def* def, const char* object, sis_error* error) {
    int32_t modes = def->frequency.count;
    if (modes == 0)
        return refuse(error, SIS_BAD_VALUE, object,
                      "it has no modes: 'modes' needs at least one {frequency, t60, mass, shape}");
    if (def->mass.count != modes || (def->sigma.count && def->sigma.count != modes))
        return refuse(error, SIS_BAD_VALUE, object,
                      "'frequency', 'sigma' and 'mass' must have one number for each mode");
    bool shaped = def->shape.count == 0 ? def->points == 1
                                        : (double)def->shape.count == (double)modes * def->points;
    if (!shaped)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'shape' must have one number for each place of each mode");
    for (int32_t p = 0; p < def->points && def->shape.count; p++) {
        bool moves = false;
        for (int32_t m = 0; m < modes; m++)
            moves = moves || def->shape.values[m * def->points + p] != 0;
        if (moves) continue;
        sis_fail(error, SIS_REFUSED, "%s: 'modes': no mode moves at place %d: its shapes are all 0",
                 object, (int)p + 1);
        return false;
    }
    return true;
}

static bool check_bow(const sis_scene* scene, const sis_bow_def* def, const char* object,
                      sis_error* error) {
    if (!refers(scene, def->on, BODIES, object, "on", "a string, a plate, a modal body or a mass",
                error) ||
        !sis_check_place(scene, def->on, (sis_place){def->at, def->at_y}, false, object, "at",
                         error))
        return false;
    if (!can_move(scene, def->on))
        return refuse(error, SIS_REFUSED, object,
                      "'on': its mass is driven along a path: a bow cannot move it");
    if (isnan(def->force) == !def->force_curve.count)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'force' (N) is missing: a number or a curve, and one of the two");
    if (isnan(def->velocity) == !def->velocity_curve.count)
        return refuse(error, SIS_BAD_VALUE, object,
                      "'velocity' (m/s) is missing: a number or a curve, and one of the two");
    return true;
}

static bool check_contact(const sis_scene* scene, const sis_contact_def* def, const char* object,
                          sis_error* error) {
    const char* wanted = "a mass, string, plate, modal body or barrier";
    if (!refers(scene, def->above, BODIES | BARRIER, object, "above", wanted, error) ||
        !refers(scene, def->below, BODIES | BARRIER, object, "below", wanted, error))
        return false;
    if (def->above == def->below && !sis_contact_place_count(scene, def, true))
        return refuse(error, SIS_REFUSED, object, "'above' and 'below' are the same body");
    if (!can_move(scene, def->above) && !can_move(scene, def->below))
        return refuse(
            error, SIS_REFUSED, object,
            "'above' and 'below' are barriers or driven: a force must be able to move one of them");
    if (!sis_check_places(scene, def, object, error)) return false;
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
    const char* wanted = "a mass, string, plate, modal body or \"ground\"";
    unsigned kinds = BODIES;
    sis_place at_a = {def->at_a, def->at_a_y}, at_b = {def->at_b, def->at_b_y};
    if ((def->a != SIS_GROUND && !refers(scene, def->a, kinds, object, "between", wanted, error)) ||
        (def->b != SIS_GROUND && !refers(scene, def->b, kinds, object, "between", wanted, error)) ||
        !sis_check_place(scene, def->a, at_a, false, object, "at_a", error) ||
        !sis_check_place(scene, def->b, at_b, false, object, "at_b", error))
        return false;
    bool apart = def->at_a != def->at_b || (def->at_a_y != def->at_b_y && !isnan(def->at_a_y));
    if (def->rigid && (def->K1 != 0 || def->K3 != 0 || def->damping != 0))
        return refuse(error, SIS_REFUSED, object,
                      "it is 'rigid', so K1, K3 and damping have no meaning: leave them out");
    if (def->a == def->b && !(apart && !isnan(def->at_a)))
        return refuse(error, SIS_REFUSED, object, "its two ends are the same: 'between' needs two");
    if (!can_move(scene, def->a) && !can_move(scene, def->b))
        return refuse(error, SIS_REFUSED, object, "'between': neither of its ends is free to move");
    return true;
}

static bool check_force(const sis_scene* scene, const sis_force_def* def, const char* object,
                        sis_error* error) {
    if (!refers(scene, def->on, BODIES, object, "on", "a mass, string, plate or modal body",
                error) ||
        !sis_check_place(scene, def->on, (sis_place){def->at, def->at_y}, false, object, "at",
                         error))
        return false;
    if (!can_move(scene, def->on))
        return refuse(error, SIS_REFUSED, object,
                      "'on': its mass is driven along a path: a force cannot move it");
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

// A function of x belongs to a string, one of x and y to a plate.
static bool check_function(const sis_scene* scene, sis_id on, const sis_profile* profile,
                           const char* object, const char* key, sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, on);
    if (!sis_profile_given(profile)) return true;
    if (kind == SIS_KIND_STRING ? profile->value != NULL : profile->over != NULL) return true;
    sis_fail(error, SIS_BAD_VALUE, "%s: '%s' is a function of %s, and %s '%s' needs one of %s",
             object, key, profile->over ? "x and y" : "x", sis_kind_word(kind),
             sis_scene_name(scene, on), profile->over ? "x" : "x and y");
    return false;
}

static bool check_velocity(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                           sis_error* error) {
    bool number = !isnan(def->velocity), drawn = sis_profile_given(&def->velocity_profile);
    if (number && drawn)
        return refuse(error, SIS_REFUSED, object,
                      "give 'velocity' as a number or as a function, not both");
    if ((number || drawn) && sis_scene_kind(scene, def->on) == SIS_KIND_MODAL)
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
        if (sis_scene_kind(scene, def->on) == SIS_KIND_MODAL)
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
    sis_kind kind = sis_scene_kind(scene, def->on);
    const void* body = sis_scene_def(scene, def->on);
    if (def->mode < 1) return refuse(error, SIS_BAD_VALUE, object, "'mode' (1, 2, ...) is missing");
    if (!isnan(def->at) || !isnan(def->at_y) || !isnan(def->width)) {
        sis_fail(error, SIS_REFUSED,
                 "%s: a mode shape fills the whole %s: leave 'at' and 'width' out", object,
                 kind == SIS_KIND_MODAL ? "body" : sis_kind_word(kind));
        return false;
    }
    if (def->mode_y && kind != SIS_KIND_PLATE)
        return refuse(error, SIS_REFUSED, object, "'mode' = {m, n} is a mode of a plate");
    const sis_plate_def* plate = body;
    if (kind == SIS_KIND_PLATE && plate->youngs > 0 && plate->edge == SIS_ENDS_CLAMPED)
        return refuse(error, SIS_REFUSED, object,
                      "the modes of a clamped plate have no closed form: give shape = "
                      "function(x, y), \"raised-cosine\" or \"triangle\"");
    const sis_modal_def* modal = body;
    if (kind != SIS_KIND_MODAL || def->mode <= modal->frequency.count) return true;
    sis_fail(error, SIS_BAD_VALUE, "%s: 'mode' = %d: modal body '%s' has %d modes", object,
             (int)def->mode, modal->name, (int)modal->frequency.count);
    return false;
}

// A raised cosine fits its body along one axis.
static bool check_fit(const sis_scene* scene, const sis_pluck_def* def, double at, double length,
                      const char* axis, const char* object, sis_error* error) {
    double from = at - 0.5 * def->width, to = at + 0.5 * def->width;
    if (from >= -1e-9 * length && to <= (1 + 1e-9) * length) return true;
    sis_fail(error, SIS_BAD_VALUE,
             "%s: a raised cosine from %g to %g m does not fit %s '%s', which is %g m %s: "
             "needs a 'width' of at most %g m here",
             object, from, to, sis_kind_word(sis_scene_kind(scene, def->on)),
             sis_scene_name(scene, def->on), length, axis, 2 * fmin(at, length - at));
    return false;
}

static bool check_peak(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                       sis_error* error) {
    sis_kind kind = sis_scene_kind(scene, def->on);
    if (def->mode || def->mode_y)
        return refuse(error, SIS_REFUSED, object, "'mode' belongs to shape = \"mode\"");
    if (kind == SIS_KIND_MODAL)
        return refuse(error, SIS_REFUSED, object,
                      "a body of modes starts in one of them: shape = \"mode\" with 'mode' and "
                      "'height'");
    if (!sis_check_place(scene, def->on, (sis_place){def->at, def->at_y}, false, object, "at",
                         error))
        return false;
    if (def->shape == SIS_PLUCK_TRIANGLE) {
        if (isnan(def->width)) return true;
        return refuse(error, SIS_REFUSED, object,
                      kind == SIS_KIND_PLATE ? "a triangle reaches all edges: leave 'width' out"
                                             : "a triangle reaches both ends: leave 'width' out");
    }
    if (isnan(def->width)) return refuse(error, SIS_BAD_VALUE, object, "'width' (m) is missing");
    if (kind == SIS_KIND_STRING) {
        const sis_string_def* string = sis_scene_def(scene, def->on);
        return check_fit(scene, def, def->at, string->length, "long", object, error);
    }
    const sis_plate_def* plate = sis_scene_def(scene, def->on);
    return check_fit(scene, def, def->at, plate->length, "along x", object, error) &&
           check_fit(scene, def, def->at_y, plate->width, "along y", object, error);
}

static bool check_pluck(const sis_scene* scene, const sis_pluck_def* def, const char* object,
                        sis_error* error) {
    if (!refers(scene, def->on, BODIES & ~(unsigned)MASS, object, "on",
                "a string, plate or modal body", error) ||
        !check_velocity(scene, def, object, error))
        return false;
    if (isnan(def->height) || sis_profile_given(&def->profile))
        return check_wordless(scene, def, object, error);
    return def->shape == SIS_PLUCK_MODE ? check_mode_shape(scene, def, object, error)
                                        : check_peak(scene, def, object, error);
}

// Masses, strings and plates; a list of one may be SIS_ALL.
static bool check_gravity(const sis_scene* scene, const sis_gravity_def* def, const char* object,
                          sis_error* error) {
    for (int32_t i = 0; i < def->on.count; i++) {
        sis_id id = def->on.ids[i];
        if (id == SIS_ALL && def->on.count == 1) return true;
        if (id == SIS_ALL)
            return refuse(error, SIS_BAD_VALUE, object,
                          "'on' must be \"all\" or a list of bodies, got both");
        if (sis_scene_kind(scene, id) == SIS_KIND_MODAL) {
            sis_fail(error, SIS_REFUSED,
                     "%s: 'on': the modes of modal body '%s' do not tell how gravity pulls them: "
                     "take masses, strings or plates",
                     object, sis_scene_name(scene, id));
            return false;
        }
        if (!refers(scene, id, BODIES, object, "on",
                    "a mass, string or plate, a list of them, or \"all\"", error))
            return false;
    }
    return true;
}

static bool check_probe(const sis_scene* scene, const sis_probe_def* def, const char* object,
                        sis_error* error) {
    if (!refers(scene, def->on, BODIES | BARRIER | CONTACT | SPRING | BOW, object, "on",
                "a mass, string, plate, modal body, barrier, contact, spring or bow", error))
        return false;
    sis_kind kind = sis_scene_kind(scene, def->on);
    bool moving = def->quantity <= SIS_QUANTITY_VELOCITY, placed = sis_place_size(kind) > 0;
    const sis_barrier_def* barrier =
        kind == SIS_KIND_BARRIER ? sis_scene_def(scene, def->on) : NULL;
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
    if (kind == SIS_KIND_BOW && def->quantity == SIS_QUANTITY_PENETRATION)
        return refuse(error, SIS_REFUSED, object,
                      "'quantity': a bow has a force and a (relative) velocity, no penetration");
    if (kind == SIS_KIND_BOW && def->quantity == SIS_QUANTITY_DISPLACEMENT)
        return refuse(error, SIS_REFUSED, object,
                      "'quantity': a bow has a force and a (relative) velocity, no displacement");
    if ((kind == SIS_KIND_CONTACT || kind == SIS_KIND_SPRING) && moving) {
        sis_fail(error, SIS_REFUSED,
                 "%s: 'quantity': a %s has a force and a penetration, no displacement or velocity",
                 object, sis_kind_word(kind));
        return false;
    }
    return true;
}

bool sis_check_object(const sis_scene* scene, sis_kind kind, const void* def, sis_error* error) {
    const char* name = *(const char* const*)def;
    sis_label label = sis_label_of(kind, name);
    char clean[SIS_NAME_MAX + 1]; // as it will be kept
    if (name) sis_clean(name, clean, sizeof clean);
    if (name && sis_scene_find(scene, kind, clean) != SIS_NONE)
        return refuse(error, SIS_REFUSED, label.text, "that 'name' is taken by an earlier one");
    switch (kind) {
    case SIS_KIND_MASS:
        return check_mass(def, label.text, error);
    case SIS_KIND_STRING:
        return check_string(def, label.text, error);
    case SIS_KIND_PLATE:
        return check_plate(def, label.text, error);
    case SIS_KIND_MODAL:
        return check_modal(def, label.text, error);
    case SIS_KIND_BOW:
        return check_bow(scene, def, label.text, error);
    case SIS_KIND_BARRIER:
        return check_barrier(def, label.text, error);
    case SIS_KIND_PLUCK:
        return check_pluck(scene, def, label.text, error);
    case SIS_KIND_CONTACT:
        return check_contact(scene, def, label.text, error);
    case SIS_KIND_SPRING:
        return check_spring(scene, def, label.text, error);
    case SIS_KIND_FORCE:
        return check_force(scene, def, label.text, error);
    case SIS_KIND_PROBE:
        return check_probe(scene, def, label.text, error);
    case SIS_KIND_GRAVITY:
        return check_gravity(scene, def, label.text, error);
    case SIS_KIND_RENDER:
        if (scene->kind_count[kind])
            return refuse(error, SIS_REFUSED, label.text, "given twice: a scene has one");
        return true;
    default:
        return true;
    }
}
