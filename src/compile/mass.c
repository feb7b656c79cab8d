// Masses, and bodies that are sums of modes: each mode is a mass on a spring, so that both live in
// a mass_group. And barriers, which have no degrees of freedom.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- groups of modes

mass_group* sis_modes_take(compile_plan* plan, int32_t bodies, bool modulated, sis_error* error) {
    sis_system* system = plan->system;
    body_group* b = &system->body_groups[bodies];
    size_t n = (size_t)b->count, rows = modulated ? 7 : 6;
    mass_group* m = sis_arena_take(&system->arena, sizeof *m, error);
    double* row = sis_arena_take(&system->arena, n * rows * sizeof(double) + 1, error);
    if (!m || !row) return NULL;
    *m = (mass_group){.mass = row,
                      .stiffness = row + n,
                      .Dinv = row + 2 * n,
                      .drop = row + 3 * n,
                      .loss = row + 4 * n,
                      .swing = row + 5 * n,
                      .modulation = modulated ? row + 6 * n : NULL,
                      .inverse_k = system->rate};
    b->kind = sis_mass_kind(b->count, sis_wide(system->lanes)->mass);
    b->data = m;
    return m;
}

// u(k) of a mode that starts at 0 with u' = 1: e^(-s k) sin(w_d k)/w_d, s.
static double exact_swing(double w, double s, double k) {
    double turn = w * w - s * s, a = sqrt(fabs(turn));
    if (a * k < 1e-9) return k * sis_exp(-s * k);
    if (turn > 0) return sis_exp(-s * k) * sis_sin(a * k) / a;
    return sis_exp((a - s) * k) * (1 - sis_exp(-2 * a * k)) /
           (2 * a); // overdamped: sinh without overflow
}

void sis_modes_set(const mass_group* m, int32_t i, double mass, double w, double s, double k,
                   bool exact) {
    double w2 = w * w, swing = exact_swing(w, s, k);
    if (exact) {
        double turn = w2 - s * s;
        if (turn < 0) { // overdamped: cosh/cosh without overflow
            double a = sqrt(-turn) * k, b = s * k;
            double ratio = sis_exp(a - b) * (1 + sis_exp(-2 * a)) / (1 + sis_exp(-2 * b));
            w2 = 2 / (k * k) * (1 - ratio);
        } else { // 1 - cos cancels for a slow mode, 2 sin^2 of half the angle does not
            double half = sis_sin(0.5 * sqrt(turn) * k), loss = sis_sinh(0.5 * s * k);
            w2 = 4 / (k * k) * (half * half + loss * loss) / sis_cosh(s * k);
        }
        s = sis_tanh(s * k) / k;
    }
    m->mass[i] = mass;
    m->stiffness[i] = mass * w2;
    m->Dinv[i] = k * k / (mass * (1 + s * k));
    m->drop[i] = 2 * s * k / (1 + s * k);
    m->swing[i] = exact ? swing : (1 - 0.5 * m->drop[i]) * k;
    m->loss[i] = mass * s / (2 * k);
}

bool sis_modes_point(compile_plan* plan, const body_spec* spec, sis_place at,
                     double (*weight)(const body_spec* spec, int32_t i, sis_place at),
                     network_end* end, sis_error* error) {
    double* w = sis_arena_take(&plan->system->arena, (size_t)spec->count * sizeof *w, error);
    if (!w) return false;
    for (int32_t i = 0; i < spec->count; i++)
        w[i] = weight(spec, i, at);
    *end = (network_end){.first = sis_spec_dof(plan->system->body_groups, spec, 0),
                         .count = spec->count,
                         .weight = w};
    return true;
}

bool sis_modes_refuse(int32_t asked, int32_t stable, double first, double rate, sis_error* error) {
    if (stable == 0)
        return sis_fail(error, SIS_REFUSED,
                        "'modes': its first mode, %g Hz, is too high for %g steps per second: "
                        "raise 'rate'",
                        first / (2 * PI), rate);
    return sis_fail(error, SIS_REFUSED,
                    "'modes' = %d: at most %d are stable at %g steps per second", (int)asked,
                    (int)stable, rate);
}

// ---------------------------------------------------------------------------- mass{}

// Free masses share one group of bodies, those driven along a path another.
static bool check_mass(const void* given, const char* object, sis_error* error) {
    const sis_mass_def* def = given;
    bool driven = def->path.count > 0, f = !isnan(def->frequency), K = !isnan(def->stiffness);
    bool moves = def->damping != 0 || def->position != 0 || def->velocity != 0;
    const sis_rule rules[] = {
        {driven && (f || K || moves), SIS_REFUSED,
         "it is driven along 'path', so frequency, stiffness, damping, position and velocity have "
         "no meaning: leave them out"},
        {!driven && isnan(def->mass), SIS_BAD_VALUE,
         "'mass' (kg) is missing (or drive it by 'path')"},
        {f && K, SIS_REFUSED, "give 'frequency' or 'stiffness', not both"},
        {0}};
    return sis_follow(rules, object, error);
}

static bool is_driven(const void* def) {
    return ((const sis_mass_def*)def)->path.count > 0;
}

static double frequency_of(const sis_mass_def* def) {
    if (def->path.count) return 0;
    if (!isnan(def->frequency)) return def->frequency;
    return isnan(def->stiffness) ? 0 : sqrt(def->stiffness / def->mass) / (2 * PI);
}

static bool plan_mass(compile_plan* plan, body_spec* spec, const void* def, sis_error* error) {
    (void)error;
    spec->group = is_driven(def) ? GROUP_DRIVEN : GROUP_MASS;
    spec->first = plan->shared[spec->group]++;
    return true;
}

// Which driven masses follow inputs, and hands, which all do.
static bool make_live(compile_plan* plan, driven_group* paths, int32_t first, int32_t driven,
                      sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    paths->rate = system->rate;
    if (!system->input_count) return true;
    live_number* live = sis_arena_take(&system->arena, (size_t)driven * sizeof *live + 1, error);
    int32_t* trigger = sis_arena_take(&system->arena, (size_t)driven * sizeof *trigger + 1, error);
    if (!live || !trigger) return false;
    for (int32_t i = 0; i < driven; i++) {
        live[i] = (live_number){-1, 0, 0};
        trigger[i] = -1;
    }
    for (int32_t i = 0; i < scene->binding_count; i++) {
        const sis_binding* b = &scene->bindings[i];
        const int32_t hand = plan->hand_of[b->object];
        if (!sis_needs_hand(b)) continue; // other keys of the contact
        live[hand] = sis_live_field(plan, b->object, b->key, 0);
        if (sis_hand_lowers(plan, b->object))
            live[hand] = (live_number){live[hand].input, -live[hand].scale, -live[hand].offset};
        plan->position[first + hand] = sis_live_start(plan, live[hand]);
    }
    for (sis_id id = 0; id < scene->count; id++) {
        const sis_mass_def* def = scene->objects[id].def;
        if (scene->objects[id].kind != SIS_KIND_MASS || !def->path.count) continue;
        live[plan->spec[id]->first] = sis_live_field(plan, id, "path", 0);
        trigger[plan->spec[id]->first] = sis_trigger_of(plan, def->trigger);
    }
    paths->live = live;
    paths->trigger = trigger;
    return true;
}

bool sis_mass_groups(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    int32_t masses = plan->shared[GROUP_MASS], driven = plan->shared[GROUP_DRIVEN];
    size_t curves = (size_t)driven * sizeof(sis_envelope) + 1;
    driven_group* paths = sis_arena_take(&system->arena, sizeof *paths, error);
    if (!paths || !(paths->path = sis_arena_take(&system->arena, curves, error))) return false;
    system->body_groups[GROUP_MASS] = (body_group){.count = masses};
    system->body_groups[GROUP_DRIVEN] =
        (body_group){.kind = &sis_driven_kind, .first = masses, .count = driven, .data = paths};
    system->timed = driven > 0;
    if (!make_live(plan, paths, masses, driven, error)) return false;
    return sis_modes_take(plan, GROUP_MASS, false, error) != NULL;
}

// H >= 0 for all states if and only if 1 - (w k/2)^2 >= 0; on the limit itself z = -1 is a double
// root.
static bool prove_margin(const sis_mass_def* def, double rate, double* margin, sis_error* error) {
    double f = frequency_of(def), half = PI * f / rate;
    const char* key = isnan(def->frequency) ? "stiffness" : "frequency";
    *margin = 1 - half * half;
    if (*margin > 1e-9) return true;
    return sis_fail_key(error, SIS_REFUSED, key,
                        "the spring of '%s', %g Hz, cannot be stable at %g steps per second: "
                        "needs a rate above %.6g Hz (pi times the frequency), raise 'rate' or "
                        "'oversample'",
                        key, f, rate, PI * f * (1 + 1e-6));
}

static bool build_driven(compile_plan* plan, const sis_mass_def* def, const body_spec* spec,
                         int32_t at, sis_error* error) {
    sis_system* system = plan->system;
    const driven_group* paths = system->body_groups[GROUP_DRIVEN].data;
    sis_envelope* path = &paths->path[spec->first];
    if (paths->live && paths->live[spec->first].input >= 0) {
        plan->position[at] = sis_live_start(plan, paths->live[spec->first]);
        return true;
    }
    if (!sis_keep_curve(plan, def->path, NAN, path, error)) return false;
    if (def->trigger != SIS_NONE) return true; // at 0 until the first blow
    plan->position[at] = sis_envelope_at(*path, 0);
    plan->velocity[at] =
        (sis_envelope_at(*path, system->k) - sis_envelope_at(*path, 0)) / system->k;
    return true;
}

static bool build_mass(compile_plan* plan, body_spec* spec, const void* given, sis_body_info* info,
                       sis_error* error) {
    sis_system* system = plan->system;
    const sis_mass_def* def = given;
    const mass_group* bodies = system->body_groups[GROUP_MASS].data;
    int32_t at = sis_spec_dof(system->body_groups, spec, 0);
    double w = 2 * PI * frequency_of(def);
    info->frequency = frequency_of(def);
    info->driven = is_driven(def);
    if (info->driven) return build_driven(plan, def, spec, at, error);
    if (!prove_margin(def, system->rate, &info->margin, error)) return false;
    sis_modes_set(bodies, at, def->mass, w, 0.5 * def->damping, system->k, false);
    bodies->stiffness[at] = !isnan(def->stiffness) ? def->stiffness : def->mass * w * w;
    plan->position[at] = def->position;
    plan->velocity[at] = def->velocity;
    return true;
}

static bool point_of_mass(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                          network_end* end, sis_error* error) {
    (void)at, (void)order, (void)error;
    *end = (network_end){.first = sis_spec_dof(plan->system->body_groups, spec, 0), .count = 1};
    return true;
}

static void pull_mass(compile_plan* plan, const body_spec* spec, const void* def, double g) {
    if (is_driven(def)) return;
    plan->system->weight[sis_spec_dof(plan->system->body_groups, spec, 0)] -=
        ((const sis_mass_def*)def)->mass * g;
}

const body_class sis_mass_class = {.called = "mass",
                                   .check = check_mass,
                                   .driven = is_driven,
                                   .spec_size = sizeof(body_spec),
                                   .plan = plan_mass,
                                   .build = build_mass,
                                   .point = point_of_mass,
                                   .pull = pull_mass,
                                   .shape = sis_mass_shape};

// ---------------------------------------------------------------------------- modal{}

static bool check_modal(const void* given, const char* object, sis_error* error) {
    const sis_modal_def* def = given;
    int32_t modes = def->frequency.count, shapes = def->shape.count;
    const sis_rule rules[] = {
        {modes == 0, SIS_BAD_VALUE,
         "it has no modes: 'modes' needs at least one {frequency, t60, mass, shape}"},
        {def->mass.count != modes || (def->sigma.count && def->sigma.count != modes), SIS_BAD_VALUE,
         "'frequency', 'sigma' and 'mass' must have one number for each mode"},
        {shapes ? (double)shapes != (double)modes * def->points : def->points != 1, SIS_BAD_VALUE,
         "'shape' must have one number for each place of each mode"},
        {0}};
    if (!sis_follow(rules, object, error)) return false;
    for (int32_t p = 0; p < def->points && def->shape.count; p++) {
        bool moves = false;
        for (int32_t m = 0; m < modes; m++)
            moves = moves || def->shape.values[m * def->points + p] != 0;
        if (moves) continue;
        return sis_fail(error, SIS_REFUSED,
                        "%s: 'modes': no mode moves at place %d: its shapes are all 0", object,
                        (int)p + 1);
    }
    return true;
}

static body_size size_of_modal(const void* def) {
    return (body_size){.points = ((const sis_modal_def*)def)->points};
}

static bool check_mode(const void* def, const sis_pluck_def* pluck, const char* object,
                       sis_error* error) {
    const sis_modal_def* modal = def;
    if (pluck->mode <= modal->frequency.count) return true;
    return sis_fail(error, SIS_BAD_VALUE, "%s: 'mode' = %d: modal body '%s' has %d modes", object,
                    (int)pluck->mode, modal->name, (int)modal->frequency.count);
}

static bool plan_modal(compile_plan* plan, body_spec* spec, const void* given, sis_error* error) {
    const sis_modal_def* def = given;
    modal_spec* f = (modal_spec*)spec;
    double rate = plan->system->rate;
    f->modes = spec->count = spec->modes = def->frequency.count;
    f->points = def->points;
    spec->meet = true;
    for (int32_t i = 0; i < f->modes; i++) {
        if (def->frequency.values[i] < 0.475 * rate) continue;
        return sis_fail_key(error, SIS_REFUSED, "frequency",
                            "'modes': mode %d, %g Hz, is too high for %g steps per second: needs a "
                            "rate above %.6g Hz, or leave the mode out",
                            (int)i + 1, def->frequency.values[i], rate,
                            def->frequency.values[i] / 0.475 * (1 + 1e-6));
    }
    size_t modes = (size_t)f->modes, points = (size_t)f->points;
    double* shape = sis_arena_take(&plan->system->arena, modes * points * sizeof *shape, error);
    double* frequency = sis_arena_take(&plan->system->arena, modes * sizeof *frequency, error);
    if (!shape || !frequency) return false;
    memcpy(frequency, def->frequency.values, modes * sizeof *frequency);
    f->frequency = frequency;
    // Place by place, so that the shapes at one place lie side by side.
    for (size_t p = 0; p < points; p++)
        for (size_t i = 0; i < modes; i++)
            shape[p * modes + i] = def->shape.count ? def->shape.values[i * points + p] : 1;
    f->shape = shape;
    return true;
}

static bool build_modal(compile_plan* plan, body_spec* spec, const void* given, sis_body_info* info,
                        sis_error* error) {
    sis_system* system = plan->system;
    const sis_modal_def* def = given;
    const modal_spec* f = (const modal_spec*)spec;
    mass_group* m = sis_modes_take(plan, spec->group, false, error);
    if (!m) return false;
    double lowest = HUGE_VAL, highest = 0;
    for (int32_t i = 0; i < f->modes; i++) {
        double hertz = def->frequency.values[i], s = def->sigma.count ? def->sigma.values[i] : 0;
        sis_modes_set(m, i, def->mass.values[i], 2 * PI * hertz, s, system->k, true);
        lowest = fmin(lowest, hertz);
        highest = fmax(highest, hertz);
    }
    double turn = sis_sin(PI * highest / system->rate);
    info->frequency = lowest;
    info->margin = 1 - turn * turn;
    info->points = f->points;
    return true;
}

static double weight_of_modal(const body_spec* spec, int32_t i, sis_place at) {
    const modal_spec* f = (const modal_spec*)spec;
    return f->shape[((size_t)at.x - 1) * (size_t)f->modes + (size_t)i];
}

static bool point_of_modal(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                           network_end* end, sis_error* error) {
    (void)order;
    return sis_modes_point(plan, spec, at, weight_of_modal, end, error);
}

// The place that moves most is as high as the pluck says.
static bool pluck_modal(start_field* start, sis_error* error) {
    (void)error;
    const modal_spec* f = (const modal_spec*)start->spec;
    const sis_pluck_def* def = start->def;
    double peak = 0;
    for (int32_t p = 0; p < f->points; p++)
        peak = fmax(peak, fabs(f->shape[(size_t)p * (size_t)f->modes + (size_t)def->mode - 1]));
    if (peak > 0) start->out[def->mode - 1] += def->height / peak;
    return true;
}

static bool partial_of_modal(const sis_system* system, const body_spec* spec, int32_t p,
                             double* rings, double* exact) {
    (void)system;
    const modal_spec* f = (const modal_spec*)spec;
    if (p < 1 || p > f->modes) return false;
    *rings = *exact = f->frequency[p - 1];
    return true;
}

const body_class sis_modal_class = {.called = "modal body",
                                    .places = SIS_PLACES_NUMBER,
                                    .check = check_modal,
                                    .size = size_of_modal,
                                    .check_mode = check_mode,
                                    .spec_size = sizeof(modal_spec),
                                    .plan = plan_modal,
                                    .build = build_modal,
                                    .point = point_of_modal,
                                    .pluck = pluck_modal,
                                    .partial = partial_of_modal,
                                    .shape = sis_modal_shape};

// ---------------------------------------------------------------------------- barrier{}

// Nothing moves a barrier; contacts ask for its height (links.c).
static bool check_barrier(const void* given, const char* object, sis_error* error) {
    const sis_barrier_def* def = given;
    bool range = !isnan(def->from) || !isnan(def->to) || !isnan(def->from_y) || !isnan(def->to_y);
    bool profile = sis_profile_given(&def->profile);
    const sis_rule rules[] = {
        {isnan(def->height) && !profile, SIS_BAD_VALUE, "'height' (m) is missing"},
        {!isnan(def->height) && profile, SIS_BAD_VALUE, "give 'height' or a profile, not both"},
        {def->at.count && range, SIS_REFUSED,
         "'at' makes points, 'from' and 'to' a range: give one of the two"},
        {def->to <= def->from || def->to_y <= def->from_y, SIS_BAD_VALUE,
         "'from' must be less than 'to'"},
        {0}};
    return sis_follow(rules, object, error);
}

const body_class sis_barrier_class = {
    .called = "barrier", .fixed = true, .check = check_barrier, .spec_size = sizeof(body_spec)};
