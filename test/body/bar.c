// A free bar, rho A u_tt = -EI u_xxxx - 2 rho A sigma u_t with nothing that holds its ends: what it
// takes to add a body (docs/architecture.md). Its modes are its way up, its turn about the middle
// y = x - a, a = L/2, and p = 1, 2, ... bends with phi = 1 or -1 at the ends,
//
//   odd p    phi = (cos(b y)/cos(b a) + cosh(b y)/cosh(b a))/2,   tan(b a) = -tanh(b a)
//   even p   phi = (sin(b y)/sin(b a) + sinh(b y)/sinh(b a))/2,   tan(b a) = tanh(b a)
//
// at w = b^2 sqrt(EI/rho A). The integrals of phi^2 are L, L/3 and L/4.
#include "compile/plan.h"

#include <math.h>

enum { RIGID = 2, MOST_BENDS = 100 };

typedef struct bar_spec {
    modal_spec modal; // a body of modes whose places are the points of a grid
    double bend[MOST_BENDS];
} bar_spec;

// ---------------------------------------------------------------------------- the definition

static bool check(const void* given, const char* object, sis_error* error) {
    const sis_bar_def* def = given;
    return def->density > 0 || sis_refuse(error, SIS_BAD_VALUE, object, "'density' (kg/m) is 0");
}

static body_size size(const void* def) {
    return (body_size){.length = ((const sis_bar_def*)def)->length};
}

static bool check_mode(const void* given, const sis_pluck_def* pluck, const char* object,
                       sis_error* error) {
    const sis_bar_def* def = given;
    return pluck->mode <= def->modes ||
           sis_fail(error, SIS_BAD_VALUE, "%s: 'mode' = %d: bar '%s' bends in %d modes", object,
                    (int)pluck->mode, def->name, (int)def->modes);
}

// ---------------------------------------------------------------------------- modes

// b a of the p-th bend, by bisection about (2 p + 1) pi/4.
static double half_turns(int32_t p) {
    double low = (2 * p + 0.2) * 0.25 * PI, high = (2 * p + 1.8) * 0.25 * PI;
    for (int i = 0; i < 100; i++) {
        double b = 0.5 * (low + high), t = p % 2 ? sis_tanh(b) : -sis_tanh(b);
        bool above = sis_sin(b) + t * sis_cos(b) > 0;
        if (above == (p % 4 == 1 || p % 4 == 2))
            low = b;
        else
            high = b;
    }
    return low;
}

static double mode_value(const bar_spec* f, int32_t i, double x) {
    double a = 0.5 * f->modal.spec.length, y = x - a;
    if (i < RIGID) return i ? y / a : 1;
    double b = f->bend[i - RIGID];
    return (i - RIGID) % 2
               ? 0.5 * (sis_sin(b * y) / sis_sin(b * a) + sis_sinh(b * y) / sis_sinh(b * a))
               : 0.5 * (sis_cos(b * y) / sis_cos(b * a) + sis_cosh(b * y) / sis_cosh(b * a));
}

// The integral of phi^2 over L.
static double mode_square(int32_t i) {
    return i == 0 ? 1 : i == 1 ? 1.0 / 3 : 0.25;
}

// ---------------------------------------------------------------------------- set-up

static bool plan_bar(compile_plan* plan, body_spec* spec, const void* given, sis_error* error) {
    const sis_bar_def* def = given;
    bar_spec* f = (bar_spec*)spec;
    int32_t modes = def->modes + RIGID, n = 4 * modes;
    double rate = plan->system->rate, stiff = sqrt(def->stiffness / def->density);
    *spec = (body_spec){.class = spec->class,
                        .id = spec->id,
                        .group = -1,
                        .count = modes,
                        .meet = true,
                        .modes = modes,
                        .nx = n,
                        .length = def->length};
    double* frequency = sis_arena_take(&plan->system->arena, (size_t)modes * sizeof(double), error);
    double* shape = sis_arena_take(&plan->system->arena,
                                   (size_t)(n + 1) * (size_t)modes * sizeof(double), error);
    if (!frequency || !shape) return false;
    for (int32_t i = RIGID; i < modes; i++) {
        double b = f->bend[i - RIGID] = half_turns(i - RIGID + 1) / (0.5 * def->length);
        frequency[i] = b * b * stiff / (2 * PI);
    }
    if (frequency[modes - 1] > 0.475 * rate)
        return sis_fail(error, SIS_REFUSED,
                        "'modes' = %d: the last rings at %g Hz, too high for %g steps per second",
                        (int)def->modes, frequency[modes - 1], rate);
    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i < modes; i++)
            shape[j * modes + i] = mode_value(f, i, j * def->length / n);
    f->modal.modes = modes;
    f->modal.points = n + 1;
    f->modal.frequency = frequency;
    f->modal.shape = shape;
    return true;
}

static bool build(compile_plan* plan, body_spec* spec, const void* given, sis_body_info* info,
                  sis_error* error) {
    const sis_bar_def* def = given;
    const bar_spec* f = (const bar_spec*)spec;
    mass_group* m = sis_modes_take(plan, spec->group, false, error);
    if (!m) return false;
    for (int32_t i = 0; i < f->modal.modes; i++)
        sis_modes_set(m, i, def->density * def->length * mode_square(i),
                      2 * PI * f->modal.frequency[i], i < RIGID ? 0 : def->sigma, plan->system->k,
                      true);
    double turn = sis_sin(PI * f->modal.frequency[f->modal.modes - 1] / plan->system->rate);
    info->frequency = def->modes ? f->modal.frequency[RIGID] : 0;
    info->margin = 1 - turn * turn;
    info->modes = def->modes;
    info->density = def->density;
    info->stiffness = info->used = def->stiffness;
    info->sigma0 = def->sigma;
    return true;
}

static double weight_of(const body_spec* spec, int32_t i, sis_place at) {
    return mode_value((const bar_spec*)spec, i, at.x);
}

static bool point(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                  network_end* end, sis_error* error) {
    (void)order;
    return sis_modes_point(plan, spec, at, weight_of, end, error);
}

// The bends and the turn have no mean.
static void pull(compile_plan* plan, const body_spec* spec, const void* given, double g) {
    const sis_bar_def* def = given;
    plan->system->weight[sis_spec_dof(plan->system->body_groups, spec, 0)] -=
        def->density * def->length * g;
}

static double mode_at(const start_field* s, sis_place at) {
    return s->def->height * mode_value((const bar_spec*)s->spec, RIGID + s->def->mode - 1, at.x);
}

// Projections by the midpoint rule.
static bool pluck(start_field* s, sis_error* error) {
    enum { SAMPLES = 4000 };
    s->mode_at = mode_at;
    for (int32_t j = 0; j < SAMPLES; j++) {
        double x = s->spec->length * (j + 0.5) / SAMPLES, value;
        if (!sis_start_value(s, (sis_place){x, (double)NAN}, &value, error)) return false;
        for (int32_t i = 0; i < s->spec->modes; i++)
            s->out[i] +=
                value * mode_value((const bar_spec*)s->spec, i, x) / (mode_square(i) * SAMPLES);
    }
    return true;
}

static bool partial(const sis_system* system, const body_spec* spec, int32_t p, double* rings,
                    double* exact) {
    (void)system;
    const modal_spec* f = (const modal_spec*)spec;
    if (p < 1 || p + RIGID > f->modes) return false;
    *rings = *exact = f->frequency[p - 1 + RIGID];
    return true;
}

const body_class sis_bar_class = {.called = "bar",
                                  .places = SIS_PLACES_LINE,
                                  .check = check,
                                  .size = size,
                                  .check_mode = check_mode,
                                  .spec_size = sizeof(bar_spec),
                                  .plan = plan_bar,
                                  .build = build,
                                  .point = point,
                                  .pull = pull,
                                  .pluck = pluck,
                                  .partial = partial,
                                  .shape = sis_modal_shape};
