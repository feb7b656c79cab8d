// Strings as body_groups of degrees of freedom: the constants of each model, its points, its class.
#include "body/banded.h"
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- the definition

static bool check(const void* given, const char* object, sis_error* error) {
    const sis_string_def* def = given;
    bool implicit = def->model == SIS_STRING_IMPLICIT, modal = def->model == SIS_STRING_MODAL;
    bool tension = !isnan(def->tension), frequency = !isnan(def->frequency);
    bool density = !isnan(def->density), material = !isnan(def->material_density);
    bool radius = !isnan(def->radius), gamma = !isnan(def->gamma);
    bool sigma = !isnan(def->sigma0) || !isnan(def->sigma1);
    const sis_rule rules[] = {
        {!tension && !frequency, SIS_BAD_VALUE,
         "'tension' (N) is missing, or 'frequency' (Hz) of its fundamental"},
        {tension && frequency, SIS_REFUSED, "give 'tension' or 'frequency', not both"},
        {!density && !material, SIS_REFUSED,
         "'density' (kg/m) is missing, or 'material_density' (kg/m^3) with 'radius' (m)"},
        {density && material, SIS_REFUSED, "give 'density' or 'material_density', not both"},
        {material && !radius, SIS_REFUSED, "'material_density' needs 'radius' (m)"},
        {def->youngs > 0 && !radius, SIS_REFUSED, "'youngs' needs 'radius' (m)"},
        {def->tension == 0 && !(def->youngs > 0), SIS_REFUSED,
         "without 'tension' (N) or 'youngs' (Pa) nothing brings it back"},
        {def->t60.count && sigma, SIS_REFUSED, "give 't60' or 'sigma0' and 'sigma1', not both"},
        {def->t60.count > 2, SIS_REFUSED, "'t60' takes one or two pairs {frequency, seconds}"},
        {!implicit && (gamma || def->gamma_rule != SIS_GAMMA_OPTIMAL), SIS_REFUSED,
         "'gamma' belongs to model = \"implicit\""},
        {def->gamma_rule == SIS_GAMMA_TUNED && !gamma && !def->tuned, SIS_REFUSED,
         "'gamma' = \"tuned\" needs tuned = true: take gamma = \"optimal\" or a number"},
        {!modal && def->modes, SIS_REFUSED, "'modes' belongs to model = \"modal\""},
        {def->nonlinear && !(def->youngs > 0), SIS_REFUSED,
         "'nonlinear' = \"kirchhoff-carrier\" needs 'youngs' (Pa) and 'radius' (m): they stretch"},
        {0}};
    return sis_follow(rules, object, error);
}

static body_size size(const void* def) {
    return (body_size){.length = ((const sis_string_def*)def)->length};
}

// ---------------------------------------------------------------------------- constants

// Puts the string beside the factor of its band.
static bool factor_band(compile_plan* plan, const string_spec* f, string_group* s, int32_t n,
                        sis_error* error) {
    sis_arena* arena = &plan->system->arena;
    int32_t width = f->model == SIS_STRING_TRAPEZOID ? 2 : 1;
    size_t points = (size_t)n, steps = (size_t)sis_banded_steps(n, width) + 1;
    double* diagonal = sis_arena_take(arena, 3 * points * sizeof *diagonal, error);
    banded_string* whole = sis_arena_take(arena, sizeof *whole, error);
    banded_step* step = sis_arena_take(arena, steps * sizeof *step, error);
    banded_tie* tie = sis_arena_take(arena, steps * sizeof *tie, error);
    if (!diagonal || !whole || !step || !tie) return false;
    for (int32_t i = 0; i < n; i++)
        for (int off = 0; off < 3; off++)
            diagonal[(size_t)off * points + (size_t)i] = sis_string_band(f, s, i, n, off);
    whole->string = *s;
    sis_banded_factor(n, width, diagonal, diagonal + points, diagonal + 2 * points, step, tie,
                      &whole->band);
    plan->system->body_groups[f->spec.group].data = whole;
    return true;
}

// The nearest number that 1 can be taken from without rounding.
static double on_grid(double part) {
    return round(part * 0x1p52) * 0x1p-52;
}

// What an explicit string does in one step. 1 - drop - 2 late is exact, and the losses become those
// of drop and late, so that what is lost is what is recorded: they move by 1e-16 of a point's
// speed.
static string_pull explicit_step(string_group* s) {
    double drop = on_grid(2 * s->s0k / (1 + s->s0k)), scale = 1 - 0.5 * drop;
    double late = on_grid(2 * s->s1k * scale);
    s->s0k = 0.5 * drop / scale;
    s->s1k = 0.5 * late / scale;
    return (string_pull){.near = scale * (s->pull + 3 * s->bend),
                         .far = scale * s->bend,
                         .late = late,
                         .keep = (1 - drop) - 2 * late,
                         .mirror = s->mirror,
                         .admittance = s->admittance * scale,
                         .worth = 0.25 / (s->admittance * scale),
                         .scale = scale};
}

string_group sis_string_constants(const string_spec* f, double k, double rate) {
    double r = f->density, h = f->h;
    string_group s = {.mirror = f->mirror,
                      .s0k = f->s0_used * k,
                      .s1k = f->s1_used * k / (h * h),
                      .admittance = k * k / (r * h),
                      .mass = r * h,
                      .inverse_k = rate,
                      .inverse_h = 1 / h,
                      .smooth = f->tuned,
                      .through = 2 * f->root};
    sis_string_tighten(f, f->tension, f->used, k, &s);
    if (f->courant) s.pull = 1;
    if (f->model == SIS_STRING_FD) s.step = explicit_step(&s);
    s.cross = f->model == SIS_STRING_FD ? -s.s1k : 0.25 * f->gamma;
    s.half = f->model == SIS_STRING_TRAPEZOID ? 0.5 : 0;
    s.loss0 = 0.5 * s.mass * s.inverse_k * s.inverse_k * s.s0k;
    s.loss1 = 0.5 * s.mass * s.inverse_k * s.inverse_k * s.s1k;
    return s;
}

static bool build_grid(compile_plan* plan, string_spec* f, sis_error* error) {
    sis_system* system = plan->system;
    string_group* s = sis_arena_take(&system->arena, sizeof *s, error);
    if (!s) return false;
    *s = sis_string_constants(f, system->k, system->rate);
    bool explicit = f->model == SIS_STRING_FD;
    body_group* bodies = &system->body_groups[f->spec.group];
    s->advance = sis_wide(system->lanes)->string;
    s->passes = sis_wide(system->lanes)->banded;
    bodies->kind = explicit ? &sis_string_kind : &sis_banded_kind;
    bodies->data = s;
    bodies->retuned = f->key && f->model == SIS_STRING_TRAPEZOID;
    if (explicit) {
        bodies->deferred = sis_string_deferred;
        bodies->opening = sis_string_opening;
    }
    return explicit || factor_band(plan, f, s, bodies->count, error);
}

// sin(pi j/N) of supported ends, and what is at the points of clamped ones.
static bool shapes_of_modes(compile_plan* plan, string_spec* f, sis_error* error) {
    sis_arena* arena = &plan->system->arena;
    size_t N = (size_t)f->segments;
    if (f->ends == SIS_ENDS_CLAMPED) {
        f->mode = sis_arena_take(arena, (size_t)f->modes * sizeof *f->mode, error);
        for (int32_t i = 0; f->mode && i < f->modes; i++)
            f->mode[i] = sis_string_mode_of(f, i + 1);
        return f->mode != NULL;
    }
    f->sine = sis_arena_take(arena, 2 * N * sizeof(double), error);
    for (size_t j = 0; f->sine && j < 2 * N; j++)
        f->sine[j] = j == 0 || j == N ? 0 : sis_sin(PI * (double)j / (double)N);
    return f->sine != NULL;
}

// How many modes change the tension of the string: of a tuned one those below a quarter of the
// rate, for the reason that grids have a filter (body/string.c).
static int32_t count_modulating(const string_spec* f, double rate) {
    string_spec tight = *f;
    int32_t count = 0;
    tight.tension = f->top;
    while (count < f->modes &&
           (!f->tuned || sis_string_partial(&tight, count + 1) < 0.5 * PI * rate))
        count++;
    return count;
}

static bool modulate_modes(compile_plan* plan, const string_spec* f, mass_group* m,
                           sis_error* error) {
    int32_t count = count_modulating(f, plan->system->rate);
    m->modulated = count;
    for (int32_t i = 0; i < f->modes && !f->mode; i++)
        m->modulation[i] = i < count ? 0.5 * f->length * square((i + 1) * PI / f->length) : 0;
    if (!f->mode) return true;
    size_t size = (size_t)count * (size_t)count * sizeof(double) + 1;
    m->slopes = sis_arena_take(&plan->system->arena, size, error);
    if (!m->slopes) return false;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            m->slopes[(size_t)i * (size_t)count + (size_t)j] =
                sis_mode_slopes(&f->mode[i], &f->mode[j]);
    return true;
}

static bool build_modes(compile_plan* plan, string_spec* f, sis_error* error) {
    mass_group* m = sis_modes_take(plan, f->spec.group, f->nonlinear, error);
    if (!m || !shapes_of_modes(plan, f, error)) return false;
    for (int32_t i = 0; i < f->modes; i++) {
        string_mode mode = f->mode ? f->mode[i] : sis_string_mode_of(f, i + 1);
        double square_of = sis_mode_square(&mode);
        double weight = sis_mode_slopes(&mode, &mode) / square_of;
        sis_modes_set(m, i, f->density * square_of, mode.w, f->s0 + f->s1 * weight, plan->system->k,
                      f->tuned);
    }
    return !f->nonlinear || modulate_modes(plan, f, m, error);
}

static bool build(compile_plan* plan, body_spec* spec, const void* def, sis_body_info* info,
                  sis_error* error) {
    (void)def;
    string_spec* f = (string_spec*)spec;
    bool modal = f->model == SIS_STRING_MODAL;
    info->frequency = sis_string_partial(f, 1) / (2 * PI);
    info->margin = f->margin;
    info->model = f->model;
    info->ends = f->ends;
    info->nonlinear = f->nonlinear;
    info->tuned = f->tuned;
    info->h_over_hmin = f->h / f->h_min;
    info->gamma = f->gamma;
    info->tension = f->tension;
    info->density = f->density;
    info->stiffness = f->stiffness;
    info->used = modal ? f->stiffness : f->used;
    info->sigma0 = f->s0;
    info->sigma1 = f->s1;
    info->mirror = f->mirror;
    info->sigma0_used = f->s0_used;
    info->sigma1_used = f->s1_used;
    return modal ? build_modes(plan, f, error) : build_grid(plan, f, error);
}

// ---------------------------------------------------------------------------- points

static bool point(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                  network_end* end, sis_error* error) {
    const string_spec* f = (const string_spec*)spec;
    if (f->model == SIS_STRING_MODAL)
        return sis_modes_point(plan, spec, at, sis_string_weight, end, error);
    grid_stencil s = sis_string_stencil(f, at.x, order);
    const body_group* bodies = &plan->system->body_groups[spec->group];
    *end = (network_end){.first = bodies->first + s.first - 1, .count = s.count};
    if (s.count == 0 || (s.count == 1 && s.weight[0] == 1)) return true;
    double* weight = sis_arena_take(&plan->system->arena, (size_t)s.count * sizeof *weight, error);
    if (!weight) return false;
    memcpy(weight, s.weight, (size_t)s.count * sizeof *weight);
    end->weight = weight;
    return true;
}

// Each point of a grid carries its length. A tuned implicit string is written through the root of
// its mass operator, whose rows sum to 1 but next to the ends.
static void pull(compile_plan* plan, const body_spec* spec, const void* def, double g) {
    (void)def;
    const string_spec* f = (const string_spec*)spec;
    const body_group* bodies = &plan->system->body_groups[spec->group];
    bool modal = f->model == SIS_STRING_MODAL;
    int32_t count = sis_string_modes(f);
    for (int32_t i = 0; i < count; i++) {
        double part = !modal    ? f->h * (1 + f->root * ((i == 0) + (i == count - 1)))
                      : f->mode ? sis_mode_flat(&f->mode[i])
                                : f->length * sis_sine_mean(i + 1);
        plan->system->weight[bodies->first + i] -= f->density * part * g;
    }
    if (!modal) sis_force_all(plan->system, spec);
}

// ---------------------------------------------------------------------------- plucks

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

// What one velocity or a word gives to mode i.
static double part_of_mode(const start_field* s, const string_spec* f, int32_t i) {
    const sis_pluck_def* def = s->def;
    const string_mode* mode = f->mode ? &f->mode[i] : NULL; // clamped
    if (!mode) return s->velocity ? def->velocity * sis_sine_flat(i + 1) : word_mode(def, f, i + 1);
    double square_of = sis_mode_square(mode);
    if (s->velocity) return def->velocity * (sis_mode_flat(mode) / square_of);
    if (def->shape == SIS_PLUCK_MODE)
        return mode->p == def->mode ? def->height / ((const mode_shape*)s->mode)->peak : 0;
    double part = def->shape == SIS_PLUCK_TRIANGLE ? sis_mode_tent(mode, def->at)
                                                   : sis_mode_bump(mode, def->at, def->width);
    return def->height * part / square_of;
}

static bool start_modes(const start_field* s, sis_error* error) {
    const string_spec* f = (const string_spec*)s->spec;
    if (s->profile) return project(s, error);
    for (int32_t i = 0; i < f->modes; i++)
        s->out[i] += part_of_mode(s, f, i);
    return true;
}

// ---------------------------------------------------------------------------- of its class

static int32_t node(const body_group* bodies, int32_t i, int32_t j) {
    (void)bodies, (void)j;
    return i - 1;
}

static bool pluck(start_field* s, sis_error* error) {
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

static bool started(compile_plan* plan, const body_spec* spec, sis_error* error) {
    const string_spec* f = (const string_spec*)spec;
    return f->root == 0 ||
           (undo_root(plan, f, plan->position, error) && undo_root(plan, f, plan->velocity, error));
}

const body_class sis_string_class = {.called = "string",
                                     .places = SIS_PLACES_LINE,
                                     .check = check,
                                     .size = size,
                                     .spec_size = sizeof(string_spec),
                                     .plan = sis_string_plan,
                                     .build = build,
                                     .point = point,
                                     .weigh = sis_string_weigh,
                                     .pull = pull,
                                     .pluck = pluck,
                                     .started = started,
                                     .partial = sis_string_partials,
                                     .shape = sis_string_shape};
