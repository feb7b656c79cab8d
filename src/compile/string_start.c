// What strings start with: a pluck on the points of a grid, or its projections on modes.
#include "compile/plan.h"

#include <math.h>

// The mode that a pluck asks for, and its highest point as it is computed.
typedef struct mode_shape {
    string_mode mode;
    double peak;
} mode_shape;

static double mode_at(const start_field* s, sis_place at) {
    const mode_shape* shape = s->mode;
    return s->def->height * sis_mode_at(&shape->mode, at.x) / shape->peak;
}

static bool find_mode(const start_field* s, mode_shape* shape, sis_error* error) {
    const string_spec* f = (const string_spec*)s->spec;
    int32_t count = sis_string_modes(f), mode = s->def->mode;
    if (mode > count)
        return sis_fail(error, SIS_REFUSED,
                        "%s: 'mode' = %d: string '%s' has %d modes at this rate",
                        sis_label_of(SIS_KIND_PLUCK, s->def->name).text, (int)mode,
                        sis_scene_name(s->plan->scene, s->spec->id), (int)count);
    *shape = (mode_shape){sis_string_mode_of(f, mode), 1};
    if (f->ends != SIS_ENDS_CLAMPED) return true;
    shape->peak = 0; // these are not sines
    for (int32_t i = 1; i < f->segments; i++)
        shape->peak = fmax(shape->peak, fabs(sis_mode_at(&shape->mode, i * f->h)));
    return true;
}

// ---------------------------------------------------------------------------- projections

// The same as sis_filon_project of a clamped string, whose modes are not sines.
static double project_clamped(const string_mode* mode, const double* f, int32_t n) {
    double weight[3];
    sis_filon_weights(2 * mode->half * mode->k1 / n, weight);
    return sis_mode_samples(mode, f, n, weight) / sis_mode_square(mode);
}

static bool project(const start_field* s, sis_error* error) {
    const string_spec* f = (const string_spec*)s->spec;
    filon rule;
    if (!sis_filon_make(s->plan, f->modes, 8, 1024, 65536, &rule, error)) return false;
    int32_t n = rule.n;
    double* sampled = sis_arena_take(&s->plan->arena, (size_t)(n + 1) * sizeof *sampled, error);
    if (!sampled) return false;
    for (int32_t j = 0; j <= n; j++)
        if (!sis_start_value(s, (sis_place){f->length * j / n, (double)NAN}, &sampled[j], error))
            return false;
    for (int32_t p = 1; p <= f->modes; p++)
        s->out[p - 1] += f->mode ? project_clamped(&f->mode[p - 1], sampled, n)
                                 : sis_filon_project(&rule, sampled, p);
    return true;
}

// What one velocity and the words are on a clamped mode.
static double flat_clamped(const string_mode* mode) {
    return sis_mode_flat(mode) / sis_mode_square(mode);
}

static double word_clamped(const start_field* s, const string_mode* mode) {
    const sis_pluck_def* def = s->def;
    const mode_shape* shape = s->mode;
    if (def->shape == SIS_PLUCK_MODE) return mode->p == def->mode ? def->height / shape->peak : 0;
    double part = def->shape == SIS_PLUCK_TRIANGLE ? sis_mode_tent(mode, def->at)
                                                   : sis_mode_bump(mode, def->at, def->width);
    return def->height * part / sis_mode_square(mode);
}

// Projections of the words on mode p of a string.
static double word_mode(const sis_pluck_def* def, const string_spec* f, int32_t p) {
    double L = f->length, beta = p * PI / L, a = def->at, w = def->width;
    switch (def->shape) {
    case SIS_PLUCK_TRIANGLE:
        return 2 * def->height * sis_sin(beta * a) / (beta * beta * a * (L - a));
    case SIS_PLUCK_RAISED_COSINE: {
        double kappa = 2 * PI / w, apart = kappa * kappa - beta * beta;
        double part = fabs(apart) < 1e-9 * kappa * kappa
                          ? 0.25 * w
                          : sis_sin(0.5 * beta * w) * kappa * kappa / (beta * apart);
        return 2 / L * def->height * sis_sin(beta * a) * part;
    }
    default:
        return p == def->mode ? def->height : 0;
    }
}

static bool start_modes(const start_field* s, sis_error* error) {
    const string_spec* f = (const string_spec*)s->spec;
    if (s->profile) return project(s, error);
    for (int32_t i = 0; i < f->modes && f->mode; i++)
        s->out[i] += s->velocity ? s->def->velocity * flat_clamped(&f->mode[i])
                                 : word_clamped(s, &f->mode[i]);
    for (int32_t p = 1; p <= f->modes && !f->mode; p++)
        s->out[p - 1] +=
            s->velocity ? s->def->velocity * sis_sine_flat(p) : word_mode(s->def, f, p);
    return true;
}

// ---------------------------------------------------------------------------- of its class

static int32_t node(const body_group* bodies, int32_t i, int32_t j) {
    (void)bodies, (void)j;
    return i - 1;
}

bool sis_string_pluck(start_field* s, sis_error* error) {
    mode_shape shape;
    s->mode = &shape;
    s->mode_at = mode_at;
    if (sis_start_is_mode(s) && !find_mode(s, &shape, error)) return false;
    bool modal = ((const string_spec*)s->spec)->model == SIS_STRING_MODAL;
    return modal ? start_modes(s, error) : sis_start_grid(s, node, error);
}

// u of a string whose points read R u (through_root in string_build.c): R^-1 of what is given, by
// elimination from its first point on.
static bool undo_root(compile_plan* plan, const string_spec* f, double* values, sis_error* error) {
    int32_t n = f->segments - 1;
    double* u = values + plan->system->body_groups[f->spec.group].first; // these lie in order
    double* ratio = sis_arena_take(&plan->arena, (size_t)n * sizeof *ratio, error);
    if (!ratio) return false;
    double beside = -f->root, centre = 1 + 2 * f->root, carried = 0;
    for (int32_t i = 0; i < n; i++) {
        double pivot = centre - (i ? beside * ratio[i - 1] : 0);
        ratio[i] = beside / pivot;
        carried = u[i] = (u[i] - beside * carried) / pivot;
    }
    for (int32_t i = n - 2; i >= 0; i--)
        u[i] -= ratio[i] * u[i + 1];
    return true;
}

bool sis_string_started(compile_plan* plan, const body_spec* spec, sis_error* error) {
    const string_spec* f = (const string_spec*)spec;
    return f->root == 0 ||
           (undo_root(plan, f, plan->position, error) && undo_root(plan, f, plan->velocity, error));
}
