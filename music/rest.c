#include "rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What holds a mass, and what pulls it.
typedef struct footing {
    bool sprung;
    double below, above; // m, where it touches what is there; NaN: nothing is
    double pull;         // m/s^2, towards -u
} footing;

// What is made of what.
typedef struct resting {
    const sis_scene* scene;
    sis_scene* made;
    double points[2]; // of a curve that is held
    double* begins;   // [objects]: where an input starts instead; NaN: as it does
    footing* masses;  // [objects]
    sis_id* weighty;  // [objects]: what gravity pulls
} resting;

// Room for a definition of any kind.
typedef union any_def {
    sis_mass_def mass;
    sis_string_def string;
    sis_plate_def plate;
    sis_modal_def modal;
    sis_barrier_def barrier;
    sis_contact_def contact;
    sis_spring_def spring;
    sis_bow_def bow;
    sis_force_def force;
    sis_pluck_def pluck;
    sis_gravity_def gravity;
    sis_probe_def probe;
    sis_render_def render;
    sis_input_def input;
    char bytes[1024];
} any_def;

static any_def def_of(const resting* r, sis_id id) {
    any_def def;
    sis_scene_get(r->scene, id, &def);
    return def;
}

// The input that a field follows; SIS_NONE: none.
static sis_id followed(const resting* r, sis_id object, const char* key) {
    for (int32_t i = 0; i < sis_scene_bound_count(r->scene); i++) {
        const sis_bound b = sis_scene_bound_at(r->scene, i);
        if (b.object == object && strcmp(b.key, key) == 0) return b.input;
    }
    return SIS_NONE;
}

// The last or the first value of a curve, for ever. One that a trigger starts waits for it.
static void hold(resting* r, sis_envelope* curve, bool last) {
    r->points[0] = 0;
    r->points[1] = curve->points[last ? 2 * curve->count - 1 : 1];
    *curve = (sis_envelope){r->points, 1};
}

// ---------------------------------------------------------------------------- masses

// One contact: the body above may lie on the one below.
static void find_bearing(const resting* r, const sis_contact_def* c) {
    double high = 0, low = 0; // of the lower and of the upper body
    if (sis_scene_kind(r->scene, c->below) == SIS_KIND_BARRIER)
        high = def_of(r, c->below).barrier.height;
    if (sis_scene_kind(r->scene, c->above) == SIS_KIND_BARRIER)
        low = def_of(r, c->above).barrier.height;
    double* below = &r->masses[c->above].below;
    double* above = &r->masses[c->below].above;
    *below = fmax(*below, (isnan(high) ? 0 : high) - c->gap); // NaN: the other one
    *above = fmin(*above, (isnan(low) ? 0 : low) + c->gap);
}

static void find_spring(const resting* r, const sis_spring_def* s) {
    if (!s->rigid && !(s->K1 > 0) && !(s->K3 > 0)) return;
    if (s->a >= 0) r->masses[s->a].sprung = true;
    if (s->b >= 0) r->masses[s->b].sprung = true;
}

static bool is_listed(const resting* r, const sis_gravity_def* g, sis_id id) {
    const sis_kind kind = sis_scene_kind(r->scene, id);
    if (!g->on.count) return kind == SIS_KIND_MASS;
    if (g->on.ids[0] == SIS_ALL)
        return kind == SIS_KIND_MASS || kind == SIS_KIND_STRING || kind == SIS_KIND_PLATE;
    for (int32_t i = 0; i < g->on.count; i++)
        if (g->on.ids[i] == id) return true;
    return false;
}

static void find_pull(const resting* r, const sis_gravity_def* g) {
    for (sis_id id = 0; id < sis_scene_count(r->scene); id++)
        if (is_listed(r, g, id)) r->masses[id].pull += g->g;
}

static void find_footing(const resting* r, sis_id id) {
    const any_def def = def_of(r, id);
    const sis_kind kind = sis_scene_kind(r->scene, id);
    if (kind == SIS_KIND_CONTACT) find_bearing(r, &def.contact);
    if (kind == SIS_KIND_SPRING) find_spring(r, &def.spring);
    if (kind == SIS_KIND_GRAVITY) find_pull(r, &def.gravity);
    if (kind == SIS_KIND_MASS && (def.mass.frequency > 0 || def.mass.stiffness > 0))
        r->masses[id].sprung = true;
}

// Where it lies when gravity has pulled it there; NaN: nothing bears it.
static double bearing(const footing* f) {
    return f->pull < 0 ? f->above : f->below;
}

static void rest_mass(resting* r, sis_id id, sis_mass_def* m) {
    if (m->path.count) {
        const bool moved = followed(r, id, "path") != SIS_NONE || m->trigger != SIS_NONE;
        if (!moved) hold(r, &m->path, false);
        return;
    }
    const footing* f = &r->masses[id];
    m->velocity = 0;
    if (f->sprung)
        m->position = 0;
    else if (f->pull != 0 && !isnan(bearing(f)))
        m->position = bearing(f);
}

// Without the masses that nothing would stop. `r->weighty` has the others.
static void rest_gravity(const resting* r, sis_gravity_def* g) {
    int32_t count = 0, left_out = 0;
    for (sis_id id = 0; id < sis_scene_count(r->scene); id++) {
        const footing* f = &r->masses[id];
        if (!is_listed(r, g, id)) continue;
        const bool falls = sis_scene_kind(r->scene, id) == SIS_KIND_MASS &&
                           !def_of(r, id).mass.path.count && !f->sprung && isnan(bearing(f));
        if (!falls) r->weighty[count++] = id;
        left_out += falls;
    }
    if (!left_out) return;
    if (count) g->on = (sis_objects){r->weighty, count};
    if (!count) g->g = 0;
}

// ---------------------------------------------------------------------------- what moves bodies

// The value of an input at which a field that follows it is 0; false: it has none.
static bool zero_of(const resting* r, sis_id object, const char* key, sis_id* input,
                    double* value) {
    for (int32_t i = 0; i < sis_scene_bound_count(r->scene); i++) {
        const sis_bound b = sis_scene_bound_at(r->scene, i);
        if (b.object != object || strcmp(b.key, key) != 0 || b.scale == 0) continue;
        const sis_input_def def = def_of(r, b.input).input;
        *input = b.input;
        *value = -b.offset / b.scale;
        return *value >= def.min && *value <= def.max;
    }
    return false;
}

// One that does not move only rubs, as a hand does.
static bool moves(const resting* r, sis_id id, const sis_bow_def* b) {
    return followed(r, id, "velocity") != SIS_NONE || b->velocity_curve.count || b->velocity != 0;
}

static void find_bow(resting* r, sis_id id) {
    const sis_bow_def b = def_of(r, id).bow;
    sis_id input;
    double value;
    if (!moves(r, id, &b) || b.trigger != SIS_NONE || b.force_curve.count) return;
    if (zero_of(r, id, "force", &input, &value) || zero_of(r, id, "velocity", &input, &value))
        r->begins[input] = value;
}

static void rest_bow(resting* r, sis_id id, sis_bow_def* b) {
    if (!moves(r, id, b) || b->trigger != SIS_NONE) return;
    if (b->force_curve.count) {
        static const double lifted[2] = {0, 0};
        b->force_curve = (sis_envelope){lifted, 1};
        if (b->velocity_curve.count) hold(r, &b->velocity_curve, true);
        return;
    }
    if (b->velocity_curve.count) hold(r, &b->velocity_curve, true);
    if (followed(r, id, "force") == SIS_NONE && followed(r, id, "velocity") == SIS_NONE)
        b->force = 0;
}

static void rest_force(const resting* r, sis_id id, sis_force_def* f) {
    if (f->trigger == SIS_NONE && followed(r, id, "peak") == SIS_NONE) f->peak = 0;
}

static void rest_pluck(sis_pluck_def* p) {
    const sis_pluck_def before = *p;
    *p = sis_pluck_default();
    p->name = before.name;
    p->on = before.on;
    p->velocity = 0;
}

static void rest_input(const resting* r, sis_id id, sis_input_def* d) {
    if (!isnan(r->begins[id])) d->value = r->begins[id];
}

// ---------------------------------------------------------------------------- the scene

static void rest_object(resting* r, sis_id id, any_def* def) {
    switch (sis_scene_kind(r->scene, id)) {
    case SIS_KIND_MASS:
        rest_mass(r, id, &def->mass);
        break;
    case SIS_KIND_BARRIER: // a number beside a function is the input's
        if (def->barrier.profile.value || def->barrier.profile.over)
            def->barrier.height = (double)NAN;
        break;
    case SIS_KIND_CONTACT:
        if (def->contact.scheme >= SIS_SCHEME_EXACT) def->contact.scheme = SIS_SCHEME_LEDGER;
        def->contact.clamp = def->contact.corrected = false;
        break;
    case SIS_KIND_BOW:
        rest_bow(r, id, &def->bow);
        break;
    case SIS_KIND_FORCE:
        rest_force(r, id, &def->force);
        break;
    case SIS_KIND_PLUCK:
        rest_pluck(&def->pluck);
        break;
    case SIS_KIND_GRAVITY:
        rest_gravity(r, &def->gravity);
        break;
    case SIS_KIND_INPUT:
        rest_input(r, id, &def->input);
        break;
    default:
        break;
    }
}

static bool copy_objects(resting* r, sis_error* error) {
    for (sis_id id = 0; id < sis_scene_count(r->scene); id++) {
        any_def def = def_of(r, id);
        rest_object(r, id, &def);
        if (sis_scene_add(r->made, sis_scene_kind(r->scene, id), &def, error) != id) return false;
    }
    return true;
}

// Gravity that pulls nothing any more has nothing to follow.
static bool copy_bindings(const resting* r, sis_error* error) {
    for (int32_t i = 0; i < sis_scene_bound_count(r->scene); i++) {
        const sis_bound b = sis_scene_bound_at(r->scene, i);
        sis_gravity_def g = {.g = 1};
        if (sis_scene_kind(r->made, b.object) == SIS_KIND_GRAVITY)
            sis_scene_get(r->made, b.object, &g);
        if (g.g == 0 && def_of(r, b.object).gravity.g != 0) continue;
        if (!sis_scene_bind(r->made, b.object, b.key, b.input, b.scale, b.offset, error))
            return false;
    }
    return true;
}

sis_scene* sis_scene_at_rest(const sis_scene* scene, sis_error* error) {
    const size_t count = (size_t)sis_scene_count(scene);
    resting r = {.scene = scene,
                 .made = sis_scene_new(),
                 .begins = malloc((count + 1) * sizeof *r.begins),
                 .masses = malloc((count + 1) * sizeof *r.masses),
                 .weighty = malloc((count + 1) * sizeof *r.weighty)};
    bool fine = r.made && r.begins && r.masses && r.weighty;
    if (error) *error = (sis_error){.status = SIS_NO_MEMORY, .text = "out of memory"};
    for (size_t i = 0; fine && i < count; i++) {
        r.begins[i] = (double)NAN;
        r.masses[i] = (footing){.below = (double)NAN, .above = (double)NAN};
    }
    for (sis_id id = 0; fine && id < (sis_id)count; id++) {
        find_footing(&r, id);
        if (sis_scene_kind(scene, id) == SIS_KIND_BOW) find_bow(&r, id);
    }
    fine = fine && copy_objects(&r, error) && copy_bindings(&r, error);
    free(r.begins);
    free(r.masses);
    free(r.weighty);
    if (fine) return r.made;
    sis_scene_free(r.made);
    return NULL;
}
