// What bodies start with: shapes and velocities. Grids take the values at their moving points,
// modes take projections; what several plucks give to one body adds up.
#include "compile/plan.h"

#include <math.h>

// ---------------------------------------------------------------------------- values

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

static bool add_pluck(compile_plan* plan, const sis_pluck_def* def, sis_error* error) {
    start_field s = {.plan = plan, .spec = plan->spec[def->on], .def = def};
    if (!add_field(&s, &def->profile, def->height, plan->position, error)) return false;
    s.velocity = true;
    return add_field(&s, &def->velocity_profile, def->velocity, plan->velocity, error);
}

bool sis_compile_plucks(compile_plan* plan, sis_error* error) {
    for (sis_id id = 0; id < plan->scene->count; id++) {
        plan->object = id;
        if (plan->scene->objects[id].kind == SIS_KIND_PLUCK &&
            !add_pluck(plan, sis_scene_def(plan->scene, id), error))
            return false;
    }
    plan->object = SIS_NONE;
    for (int32_t i = 0; i < plan->system->body_count; i++) {
        const body_spec* spec = plan->system->bodies[i];
        if (spec->class->started && !spec->class->started(plan, spec, error)) return false;
    }
    return true;
}
