// What acts on bodies from outside: forces over time, gravity, and plucks, which give shapes and
// velocities to start with. Of a pluck grids take the values at their moving points, modes take
// projections; what several plucks give to one body adds up.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

bool sis_keep_curve(compile_plan* plan, sis_envelope curve, double constant, sis_envelope* copy,
                    sis_error* error) {
    int32_t count = curve.count ? curve.count : !isnan(constant);
    size_t size = (size_t)count * 2 * sizeof(double);
    *copy = (sis_envelope){NULL, 0};
    if (!count) return true;
    double* points = sis_arena_take(&plan->system->arena, size, error);
    if (!points) return false;
    points[1] = constant;
    if (curve.count) memcpy(points, curve.points, size);
    *copy = (sis_envelope){points, count};
    return true;
}

// ---------------------------------------------------------------------------- forces

// The sample of an impulse: the nearest one, but sample 0 is the given state, so 1 at the earliest.
static uint64_t impulse_sample(double start, double rate) {
    double n = floor(start * rate + 0.5);
    return n < 1 ? 1 : n > 1e18 ? (uint64_t)1e18 : (uint64_t)n;
}

// The group that holds the end of a source is forced there.
static void mark_forced(sis_system* system, const network_end* end) {
    for (int32_t b = 0; b < system->body_group_count; b++) {
        body_group* bodies = &system->body_groups[b];
        for (int32_t i = 0; i < end->count; i++) {
            int32_t at = network_dof(end, i) - bodies->first, last;
            if (at < 0 || at >= bodies->count) continue;
            last = bodies->forced_count ? bodies->forced_first + bodies->forced_count - 1 : at;
            if (!bodies->forced_count || at < bodies->forced_first) bodies->forced_first = at;
            if (at > last) last = at;
            bodies->forced_count = last - bodies->forced_first + 1;
        }
    }
}

static bool add_force(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    const sis_force_def* def = given;
    force_source* source = &system->sources[system->source_count++];
    *source = (force_source){.shape = def->shape,
                             .peak = isnan(def->peak) ? 1 : def->peak,
                             .start = def->start,
                             .width = def->width,
                             .live = sis_live_field(plan, id, "peak", 0),
                             .trigger = sis_trigger_of(plan, def->trigger)};
    if (!sis_compile_end(plan, def->on, (sis_place){def->at, def->at_y}, 3, &source->end, error) ||
        !sis_keep_curve(plan, def->envelope, NAN, &source->envelope, error))
        return false;
    if (def->shape == SIS_FORCE_IMPULSE)
        source->sample = impulse_sample(def->start, plan->system->rate);
    if (source->trigger >= 0 && def->start * system->rate < 0.5)
        source->sample = 0; // of a blow: its own sample
    sis_source_span(source, system->rate);
    if (source->until >= system->forced_until) system->forced_until = source->until + 1;
    mark_forced(system, &source->end);
    return true;
}

// ---------------------------------------------------------------------------- gravity

void sis_force_all(sis_system* system, const body_spec* spec) {
    body_group* bodies = &system->body_groups[spec->group];
    bodies->forced_first = 0;
    bodies->forced_count = bodies->count;
    bodies->pulled = system->pulled = true;
    system->forced_until = UINT64_MAX / 2;
}

// One that follows an input is kept apart: what it pulls with for 1 m/s^2.
static bool make_live_gravity(compile_plan* plan, sis_id id, double** weight, double* g,
                              sis_error* error) {
    sis_system* system = plan->system;
    const live_number number = sis_live_field(plan, id, "g", *g);
    if (number.input < 0) return true;
    live_gravity* gravity = &system->gravities[system->gravity_count++];
    gravity->g = number;
    gravity->weight =
        sis_arena_take(&system->arena, (size_t)system->dof_count * sizeof(double) + 1, error);
    *weight = gravity->weight;
    *g = 1;
    return gravity->weight != NULL;
}

static void pull(compile_plan* plan, sis_id id, double g) {
    const body_spec* spec = plan->spec[id];
    if (g == 0 || !spec || !spec->class->pull) return;
    spec->class->pull(plan, spec, sis_scene_def(plan->scene, id), g);
}

// `pulled` is the last gravity, by id, that has pulled each body.
static bool pull_all(compile_plan* plan, sis_id gravity, const sis_gravity_def* def, double g,
                     sis_error* error) {
    bool all = def->on.count && def->on.ids[0] == SIS_ALL;
    for (sis_id id = 0; id < plan->scene->count && (all || !def->on.count); id++)
        if (all || sis_places_of(plan->scene, id) == SIS_PLACES_NONE) pull(plan, id, g);
    for (int32_t i = 0; i < def->on.count && !all; i++) {
        sis_id id = def->on.ids[i];
        if (plan->pulled[id] == gravity + 1)
            return sis_fail(error, SIS_REFUSED, "%s: 'on' names '%s' twice: name each body once",
                            sis_label_of(SIS_KIND_GRAVITY, def->name).text,
                            sis_scene_name(plan->scene, id));
        plan->pulled[id] = gravity + 1;
        pull(plan, id, g);
    }
    return true;
}

static bool add_gravity(compile_plan* plan, sis_id gravity, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    double g = ((const sis_gravity_def*)given)->g, *still = system->weight, *weight = still;
    if (!make_live_gravity(plan, gravity, &weight, &g, error)) return false;
    system->weight = weight; // what classes pull on
    bool good = pull_all(plan, gravity, given, g, error);
    system->weight = still;
    return good;
}

// ---------------------------------------------------------------------------- functions of a place

bool sis_profile_value(const sis_profile* profile, sis_place at, profile_name called, double* value,
                       sis_error* error) {
    sis_error why = {.status = SIS_OK, .object = SIS_NONE};
    *value = 0;
    bool good = isnan(at.y) ? profile->value(profile->context, at.x, value, &why)
                            : profile->over(profile->context, at.x, at.y, value, &why);
    if (good && fabs(*value) <= called.most) return true;
    if (!good && why.text[0]) return sis_fail_key(error, why.status, called.key, "%s", why.text);
    return sis_fail_key(error, SIS_BAD_VALUE, called.key,
                        "%s: '%s' at %s m must be between %g and %g %s, got %g",
                        sis_label_of(called.kind, called.name).text, called.key,
                        sis_place_text(at).text, -called.most, called.most, called.unit, *value);
}

// ---------------------------------------------------------------------------- values of a pluck

// 1 at `at`, 0 at both ends, straight between.
static double tent(double x, double at, double length) {
    return x < at ? x / at : (length - x) / (length - at);
}

// The words of `shape`. On an area a triangle is a pyramid: straight lines from its peak to all
// edges.
static double word_at(const start_field* s, sis_place p) {
    const sis_pluck_def* def = s->def;
    bool line = s->spec->class->places == SIS_PLACES_LINE;
    double across = line ? 0 : p.y - def->at_y, along = p.x - def->at;
    double away = sqrt(along * along + across * across), peak;
    switch (def->shape) {
    case SIS_PLUCK_TRIANGLE:
        peak = tent(p.x, def->at, s->spec->length);
        return def->height * (line ? peak : fmin(peak, tent(p.y, def->at_y, s->spec->width)));
    case SIS_PLUCK_RAISED_COSINE:
        if (away >= 0.5 * def->width) return 0;
        return 0.5 * def->height * (1 + sis_cos(2 * PI * away / def->width));
    default:
        return s->mode_at(s, p);
    }
}

bool sis_start_value(const start_field* s, sis_place at, double* value, sis_error* error) {
    const profile_name called =
        s->velocity ? (profile_name){SIS_KIND_PLUCK, s->def->name, "velocity", "m/s", 1e6}
                    : (profile_name){SIS_KIND_PLUCK, s->def->name, "shape", "m", 1e3};
    if (s->profile) return sis_profile_value(s->profile, at, called, value, error);
    *value = s->velocity ? s->def->velocity : word_at(s, at);
    return true;
}

bool sis_start_grid(const start_field* s, int32_t (*node)(const body_group*, int32_t, int32_t),
                    sis_error* error) {
    const body_spec* f = s->spec;
    const body_group* bodies = &s->plan->system->body_groups[f->group];
    bool felt = s->velocity || s->profile || s->def->height == 0; // may be 0 at all points
    double value;
    for (int32_t j = 1; j == 1 || j < f->ny; j++)
        for (int32_t i = 1; i < f->nx; i++) {
            sis_place at = {i * f->hx, f->ny ? j * f->hy : (double)NAN};
            if (!sis_start_value(s, at, &value, error)) return false;
            s->out[node(bodies, i, j)] += value;
            felt = felt || value != 0;
        }
    return felt || sis_fail(error, SIS_REFUSED,
                            "%s: 'width' = %g m lies between two points of the %s, which are %g m "
                            "apart: make it wider",
                            sis_label_of(SIS_KIND_PLUCK, s->def->name).text, s->def->width,
                            f->class->called, fmax(f->hx, f->hy));
}

// ---------------------------------------------------------------------------- projections

bool sis_filon_make(compile_plan* plan, int32_t highest, int32_t each, int32_t least, int32_t most,
                    filon* rule, sis_error* error) {
    int32_t n = highest < most / each ? each * highest : most;
    if (n < least) n = least;
    double* sine = sis_arena_take(&plan->arena, (size_t)n * 2 * sizeof *sine, error);
    if (!sine) return false;
    for (int32_t j = 0; j < 2 * n; j++)
        sine[j] = sis_sin(j * PI / n);
    *rule = (filon){n, sine};
    return true;
}

// Weights of the ends, of even and of odd samples, for waves that turn by t from one to the next.
void sis_filon_weights(double t, double weight[3]) {
    double t2 = t * t, s = sis_sin(t), c = sis_cos(t);
    bool small = t < 0.1; // where the closed forms cancel
    weight[0] = small ? t * t2 * (2.0 / 45 - t2 * (2.0 / 315 - t2 * 2 / 4725))
                      : (t2 + t * s * c - 2 * s * s) / (t * t2);
    weight[1] = small ? 2.0 / 3 + t2 * (2.0 / 15 - t2 * (4.0 / 105 - t2 * 2 / 567))
                      : 2 * (t * (1 + c * c) - 2 * s * c) / (t * t2);
    weight[2] = small ? 4.0 / 3 - t2 * (2.0 / 15 - t2 * (1.0 / 210 - t2 / 11340))
                      : 4 * (s - t * c) / (t * t2);
}

double sis_filon_project(const filon* rule, const double* f, int32_t p) {
    const int32_t n = rule->n;
    double weight[3], sums[2] = {0, 0};
    sis_filon_weights(p * PI / n, weight);
    for (int64_t j = 1; j < n; j++)
        sums[j % 2] += f[j] * rule->sine[p * j % (2 * n)];
    double last = f[n] * (p % 2 ? -1 : 1);
    return 2.0 / n * (weight[0] * (f[0] - last) + weight[1] * sums[0] + weight[2] * sums[1]);
}

// ---------------------------------------------------------------------------- a pluck

static bool add_field(start_field* s, const sis_profile* profile, double number, double* all,
                      sis_error* error) {
    s->profile = sis_profile_given(profile) ? profile : NULL;
    if (!s->profile && isnan(number)) return true;
    s->out = all + sis_spec_dof(s->plan->system->body_groups, s->spec, 0);
    return s->spec->class->pluck(s, error);
}

static bool add_pluck(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    (void)id;
    const sis_pluck_def* def = given;
    start_field s = {.plan = plan, .spec = plan->spec[def->on], .def = def};
    if (!add_field(&s, &def->profile, def->height, plan->position, error)) return false;
    s.velocity = true;
    return add_field(&s, &def->velocity_profile, def->velocity, plan->velocity, error);
}

// ---------------------------------------------------------------------------- all of them

bool sis_compile_excitation(compile_plan* plan, sis_error* error) {
    static const object_adder add[SIS_KIND_COUNT] = {[SIS_KIND_FORCE] = add_force,
                                                     [SIS_KIND_GRAVITY] = add_gravity,
                                                     [SIS_KIND_PLUCK] = add_pluck};
    sis_system* system = plan->system;
    size_t sources = (size_t)plan->scene->kind_count[SIS_KIND_FORCE];
    size_t objects = (size_t)plan->scene->count;
    system->sources = sis_arena_take(&system->arena, sources * sizeof(force_source) + 1, error);
    system->gravities = sis_arena_take(
        &system->arena,
        (size_t)plan->scene->kind_count[SIS_KIND_GRAVITY] * sizeof *system->gravities + 1, error);
    plan->pulled = sis_arena_take(&plan->arena, objects * sizeof *plan->pulled, error);
    if (!system->sources || !system->gravities || !plan->pulled ||
        !sis_add_objects(plan, add, error))
        return false;
    for (int32_t i = 0; i < system->body_count; i++) {
        const body_spec* spec = system->bodies[i];
        if (spec->class->started && !spec->class->started(plan, spec, error)) return false;
    }
    return true;
}
