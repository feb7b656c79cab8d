// What bodies start with: shapes and velocities. Grids take the values at their moving points,
// modes take projections; what several plucks give to one body adds up.
#include "compile/plan.h"

#include <math.h>

// A shape in m, or a velocity in m/s, of one pluck.
typedef struct start_field {
    compile_plan* plan;
    const sis_pluck_def* def;
    bool velocity;              // else the shape
    const sis_profile* profile; // NULL: a word, or one velocity for all points
    const string_form* string;  // one of these is there
    const plate_form* plate;
    plate_mode mode;   // of a plate
    string_mode shape; // of a string
    double peak;       // of the shape of a clamped string, as it is computed
} start_field;

static profile_name name_of(const start_field* s) {
    return s->velocity ? (profile_name){SIS_KIND_PLUCK, s->def->name, "velocity", "m/s", 1e6}
                       : (profile_name){SIS_KIND_PLUCK, s->def->name, "shape", "m", 1e3};
}

// 1 at `at`, 0 at both ends, straight between.
static double tent(double x, double at, double length) {
    return x < at ? x / at : (length - x) / (length - at);
}

// The words of `shape`. On a plate a triangle is a pyramid: straight lines from its peak to all
// edges.
static double word_at(const start_field* s, sis_place p) {
    const sis_pluck_def* def = s->def;
    double across = s->plate ? p.y - def->at_y : 0, along = p.x - def->at;
    double away = sqrt(along * along + across * across);
    switch (def->shape) {
    case SIS_PLUCK_TRIANGLE:
        if (s->string) return def->height * tent(p.x, def->at, s->string->length);
        return def->height *
               fmin(tent(p.x, def->at, s->plate->length), tent(p.y, def->at_y, s->plate->width));
    case SIS_PLUCK_RAISED_COSINE:
        if (away >= 0.5 * def->width) return 0;
        return 0.5 * def->height * (1 + sis_cos(2 * PI * away / def->width));
    default:
        if (s->string) return def->height * sis_mode_at(&s->shape, p.x) / s->peak;
        return def->height * sis_sin(s->mode.m * PI * p.x / s->plate->length) *
               sis_sin(s->mode.l * PI * p.y / s->plate->width);
    }
}

static bool value_at(const start_field* s, sis_place p, double* value, sis_error* error) {
    if (s->profile) return sis_profile_value(s->profile, p, name_of(s), value, error);
    *value = s->velocity ? s->def->velocity : word_at(s, p);
    return true;
}

// Where it goes.
static double* target_of(const start_field* s, int32_t bank) {
    const sis_system* system = s->plan->system;
    return (s->velocity ? s->plan->velocity : s->plan->position) + system->banks[bank].first;
}

// ---------------------------------------------------------------------------- grids

static bool refuse_width(const start_field* s, double apart, sis_error* error) {
    sis_label label = sis_label_of(SIS_KIND_PLUCK, s->def->name);
    sis_fail(
        error, SIS_REFUSED,
        "%s: 'width' = %g m lies between two points of the %s, which are %g m apart: make it wider",
        label.text, s->def->width, s->string ? "string" : "plate", apart);
    return false;
}

// Whether it may be 0 at all points of a grid.
static bool may_vanish(const start_field* s) {
    return s->velocity || s->profile || s->def->height == 0;
}

static bool sample_string(const start_field* s, sis_error* error) {
    const string_form* f = s->string;
    double *out = target_of(s, f->bank), value;
    bool felt = may_vanish(s);
    for (int32_t i = 0; i < f->segments - 1; i++) {
        if (!value_at(s, (sis_place){(i + 1) * f->h, (double)NAN}, &value, error)) return false;
        out[i] += value;
        felt = felt || value != 0;
    }
    return felt ? true : refuse_width(s, f->h, error);
}

static bool sample_plate(const start_field* s, sis_error* error) {
    const plate_form* f = s->plate;
    double *out = target_of(s, f->bank), hx = f->length / f->nx, hy = f->width / f->ny, value;
    bool felt = may_vanish(s);
    for (int32_t j = 1; j < f->ny; j++)
        for (int32_t i = 1; i < f->nx; i++) {
            if (!value_at(s, (sis_place){i * hx, j * hy}, &value, error)) return false;
            out[plate_place(f->nx, i, j)] += value;
            felt = felt || value != 0;
        }
    return felt ? true : refuse_width(s, fmax(hx, hy), error);
}

// ---------------------------------------------------------------------------- projections

// What (2/L) int f sin(p pi x/L) dx makes of samples of f at 0, L/n, .. L: parabolas through three
// of them each, times the sine, integrated exactly (Filon).
typedef struct filon {
    int32_t n;          // even
    const double* sine; // sin(pi j/n) for j < 2 n
} filon;

static bool filon_make(compile_plan* plan, int32_t n, filon* rule, sis_error* error) {
    double* sine = sis_arena_take(&plan->arena, (size_t)n * 2 * sizeof *sine, error);
    if (!sine) return false;
    for (int32_t j = 0; j < 2 * n; j++)
        sine[j] = sis_sin(j * PI / n);
    *rule = (filon){n, sine};
    return true;
}

// Weights of the ends, of even and of odd samples, for waves that turn by t from one to the next.
static void filon_weights(double t, double weight[3]) {
    double t2 = t * t, s = sis_sin(t), c = sis_cos(t);
    bool small = t < 0.1; // where the closed forms cancel
    weight[0] = small ? t * t2 * (2.0 / 45 - t2 * (2.0 / 315 - t2 * 2 / 4725))
                      : (t2 + t * s * c - 2 * s * s) / (t * t2);
    weight[1] = small ? 2.0 / 3 + t2 * (2.0 / 15 - t2 * (4.0 / 105 - t2 * 2 / 567))
                      : 2 * (t * (1 + c * c) - 2 * s * c) / (t * t2);
    weight[2] = small ? 4.0 / 3 - t2 * (2.0 / 15 - t2 * (1.0 / 210 - t2 / 11340))
                      : 4 * (s - t * c) / (t * t2);
}

static double filon_project(const filon* rule, const double* f, int32_t p) {
    const int32_t n = rule->n;
    double weight[3], sums[2] = {0, 0};
    filon_weights(p * PI / n, weight);
    for (int64_t j = 1; j < n; j++)
        sums[j % 2] += f[j] * rule->sine[p * j % (2 * n)];
    double last = f[n] * (p % 2 ? -1 : 1);
    return 2.0 / n * (weight[0] * (f[0] - last) + weight[1] * sums[0] + weight[2] * sums[1]);
}

// How many intervals: some for each half wave of the highest mode.
static int32_t intervals(int32_t highest, int32_t each, int32_t least, int32_t most) {
    int32_t n = highest < most / each ? each * highest : most;
    return n < least ? least : n;
}

// The same of a clamped string, whose modes are not sines.
static double project_clamped(const string_mode* mode, const double* f, int32_t n) {
    double weight[3];
    filon_weights(2 * mode->half * mode->k1 / n, weight);
    return sis_mode_samples(mode, f, n, weight) / sis_mode_square(mode);
}

static bool project_string(const start_field* s, sis_error* error) {
    compile_plan* plan = s->plan;
    const string_form* f = s->string;
    double* out = target_of(s, f->bank);
    filon rule;
    int32_t n = intervals(f->modes, 8, 1024, 65536);
    double* sampled = sis_arena_take(&plan->arena, (size_t)(n + 1) * sizeof *sampled, error);
    if (!sampled || !filon_make(plan, n, &rule, error)) return false;
    for (int32_t j = 0; j <= n; j++)
        if (!value_at(s, (sis_place){f->length * j / n, (double)NAN}, &sampled[j], error))
            return false;
    for (int32_t p = 1; p <= f->modes; p++)
        out[p - 1] += f->mode ? project_clamped(&f->mode[p - 1], sampled, n)
                              : filon_project(&rule, sampled, p);
    return true;
}

// First along x, row by row, then along y; rows are as few as modes allow.
static bool project_plate(const start_field* s, sis_error* error) {
    compile_plan* plan = s->plan;
    const plate_form* f = s->plate;
    int32_t high_x = 1, high_y = 1;
    for (int32_t i = 0; i < f->modes; i++) {
        if (f->list[i].m > high_x) high_x = f->list[i].m;
        if (f->list[i].l > high_y) high_y = f->list[i].l;
    }
    filon along, across;
    int32_t nx = intervals(high_x, 4, 128, 4096), ny = intervals(high_y, 4, 128, 4096);
    size_t wide = (size_t)high_x, rows = (size_t)ny + 1;
    double* row = sis_arena_take(&plan->arena, ((size_t)nx + 1) * sizeof *row, error);
    double* half = sis_arena_take(&plan->arena, wide * rows * sizeof *half, error); // [m][row]
    if (!row || !half || !filon_make(plan, nx, &along, error) ||
        !filon_make(plan, ny, &across, error))
        return false;
    for (int32_t j = 0; j <= ny; j++) {
        for (int32_t i = 0; i <= nx; i++)
            if (!value_at(s, (sis_place){f->length * i / nx, f->width * j / ny}, &row[i], error))
                return false;
        for (int32_t m = 1; m <= high_x; m++)
            half[(size_t)(m - 1) * rows + (size_t)j] = filon_project(&along, row, m);
    }
    double* out = target_of(s, f->bank);
    for (int32_t i = 0; i < f->modes; i++)
        out[i] += filon_project(&across, half + (size_t)(f->list[i].m - 1) * rows, f->list[i].l);
    return true;
}

// (2/L) int sin(p pi x/L) dx
static double flat_mode(int32_t p) {
    return p % 2 ? 4 / (p * PI) : 0;
}

// What one velocity and the words are on a clamped mode.
static double flat_clamped(const string_mode* mode) {
    return sis_mode_flat(mode) / sis_mode_square(mode);
}

static double word_clamped(const start_field* s, const string_mode* mode) {
    const sis_pluck_def* def = s->def;
    if (def->shape == SIS_PLUCK_MODE) return mode->p == def->mode ? def->height / s->peak : 0;
    double part = def->shape == SIS_PLUCK_TRIANGLE ? sis_mode_tent(mode, def->at)
                                                   : sis_mode_bump(mode, def->at, def->width);
    return def->height * part / sis_mode_square(mode);
}

// Projections of the words on mode p of a string.
static double word_mode(const sis_pluck_def* def, const string_form* f, int32_t p) {
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

static bool start_modal_string(const start_field* s, sis_error* error) {
    const string_form* f = s->string;
    double* out = target_of(s, f->bank);
    if (s->profile) return project_string(s, error);
    for (int32_t i = 0; i < f->modes && f->mode; i++)
        out[i] += s->velocity ? s->def->velocity * flat_clamped(&f->mode[i])
                              : word_clamped(s, &f->mode[i]);
    for (int32_t p = 1; p <= f->modes && !f->mode; p++)
        out[p - 1] += s->velocity ? s->def->velocity * flat_mode(p) : word_mode(s->def, f, p);
    return true;
}

static bool start_modal_plate(const start_field* s, sis_error* error) {
    const plate_form* f = s->plate;
    double* out = target_of(s, f->bank);
    bool mode = !s->velocity && s->def->shape == SIS_PLUCK_MODE;
    if (s->profile || (!s->velocity && !mode)) return project_plate(s, error);
    for (int32_t i = 0; i < f->modes; i++) {
        plate_mode own = f->list[i];
        if (s->velocity)
            out[i] += s->def->velocity * flat_mode(own.m) * flat_mode(own.l);
        else if (own.m == s->mode.m && own.l == s->mode.l)
            out[i] += s->def->height;
    }
    return true;
}

// ---------------------------------------------------------------------------- a pluck

static bool find_mode(start_field* s, sis_error* error) {
    const sis_pluck_def* def = s->def;
    sis_label label = sis_label_of(SIS_KIND_PLUCK, def->name);
    const char* name = sis_scene_name(s->plan->scene, def->on);
    const string_form* f = s->string;
    int32_t count = f ? sis_string_modes(f) : 0;
    if (s->plate && sis_plate_mode(s->plan, s->plate, def->mode, def->mode_y, &s->mode))
        return true;
    if (s->plate && def->mode_y)
        sis_fail(error, SIS_REFUSED,
                 "%s: 'mode' = {%d, %d}: plate '%s' has no such mode at this "
                 "rate: take a lower one",
                 label.text, (int)def->mode, (int)def->mode_y, name);
    else if (s->plate)
        sis_fail(error, SIS_REFUSED,
                 "%s: 'mode' = %d: plate '%s' has no such mode at this rate: "
                 "take a lower one",
                 label.text, (int)def->mode, name);
    else if (def->mode > count)
        sis_fail(error, SIS_REFUSED, "%s: 'mode' = %d: string '%s' has %d modes at this rate",
                 label.text, (int)def->mode, name, (int)count);
    if (s->plate || def->mode > count) return false;
    s->shape = sis_string_mode_of(f, def->mode);
    if (f->ends != SIS_ENDS_CLAMPED) return true;
    s->peak = 0; // these are not sines
    for (int32_t i = 1; i < f->segments; i++)
        s->peak = fmax(s->peak, fabs(sis_mode_at(&s->shape, i * f->h)));
    return true;
}

static bool start_body(start_field* s, sis_error* error) {
    bool word = !s->velocity && !s->profile;
    if (word && s->def->shape == SIS_PLUCK_MODE && !find_mode(s, error)) return false;
    if (s->string)
        return s->string->model == SIS_STRING_MODAL ? start_modal_string(s, error)
                                                    : sample_string(s, error);
    return s->plate->model == SIS_PLATE_MODAL ? start_modal_plate(s, error)
                                              : sample_plate(s, error);
}

// A body of modes: the place that moves most is as high as it says.
static void start_modal_body(compile_plan* plan, const sis_pluck_def* def) {
    const modal_form* f = &plan->system->modals[plan->form[def->on]];
    double peak = 0;
    for (int32_t p = 0; p < f->points; p++)
        peak = fmax(peak, fabs(f->shape[(size_t)p * (size_t)f->modes + (size_t)def->mode - 1]));
    if (peak > 0)
        plan->position[plan->system->banks[f->bank].first + def->mode - 1] += def->height / peak;
}

static bool add_pluck(compile_plan* plan, const sis_pluck_def* def, sis_error* error) {
    sis_kind kind = plan->scene->objects[def->on].kind;
    int32_t form = plan->form[def->on];
    if (kind == SIS_KIND_MODAL) {
        start_modal_body(plan, def);
        return true;
    }
    start_field s = {.plan = plan, .def = def, .peak = 1};
    if (kind == SIS_KIND_STRING)
        s.string = &plan->system->strings[form];
    else
        s.plate = &plan->system->plates[form];
    s.profile = sis_profile_given(&def->profile) ? &def->profile : NULL;
    if ((s.profile || !isnan(def->height)) && !start_body(&s, error)) return false;
    s.velocity = true;
    s.profile = sis_profile_given(&def->velocity_profile) ? &def->velocity_profile : NULL;
    return (s.profile || !isnan(def->velocity)) ? start_body(&s, error) : true;
}

// u of a string whose points read R u (through_root in points.c): R^-1 of what is given, by
// elimination from its first point on.
static bool undo_root(compile_plan* plan, const string_form* f, double* values, sis_error* error) {
    int32_t n = f->segments - 1;
    double* u = values + plan->system->banks[f->bank].first; // these lie in order
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

bool sis_compile_plucks(compile_plan* plan, sis_error* error) {
    for (sis_id id = 0; id < plan->scene->count; id++) {
        plan->object = id;
        if (plan->scene->objects[id].kind == SIS_KIND_PLUCK &&
            !add_pluck(plan, sis_scene_def(plan->scene, id), error))
            return false;
    }
    plan->object = SIS_NONE;
    for (int32_t i = 0; i < plan->system->string_count; i++) {
        const string_form* f = &plan->system->strings[i];
        if (f->root != 0 && (!undo_root(plan, f, plan->position, error) ||
                             !undo_root(plan, f, plan->velocity, error)))
            return false;
    }
    return true;
}
