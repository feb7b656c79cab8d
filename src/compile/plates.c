// Plates of a scene: modes, constants, points and plucks. Their grids are in plate_tuning.c.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MODES = 20000 };

// ---------------------------------------------------------------------------- the definition

static bool check(const void* given, const char* object, sis_error* error) {
    const sis_plate_def* def = given;
    bool modal = def->model == SIS_PLATE_MODAL;
    const sis_rule rules[] = {
        {def->youngs == 0 && def->tension == 0, SIS_REFUSED,
         "without 'youngs' (Pa) or 'tension' (N/m) nothing brings it back"},
        {!modal && def->modes, SIS_REFUSED, "'modes' belongs to model = \"modal\""},
        {modal && def->edge == SIS_ENDS_CLAMPED, SIS_REFUSED,
         "'edge': the modes of model = \"modal\" have supported edges: clamp an fd plate"},
        {(def->segments_x > 0) != (def->segments_y > 0), SIS_REFUSED,
         "'segments' takes two numbers {nx, ny}"},
        {0}};
    return sis_follow(rules, object, error);
}

static body_size size(const void* given) {
    const sis_plate_def* def = given;
    return (body_size){.length = def->length, .width = def->width};
}

static bool check_mode(const void* given, const sis_pluck_def* pluck, const char* object,
                       sis_error* error) {
    (void)pluck;
    const sis_plate_def* def = given;
    return !(def->youngs > 0 && def->edge == SIS_ENDS_CLAMPED) ||
           sis_refuse(error, SIS_REFUSED, object,
                      "the modes of a clamped plate have no closed form: give shape = "
                      "function(x, y), \"raised-cosine\" or \"triangle\"");
}

// ---------------------------------------------------------------------------- modes

static double frequency_of(const plate_spec* f, int32_t m, int32_t l) {
    double x = m * PI / f->length, y = l * PI / f->width, beta2 = x * x + y * y;
    return sqrt(beta2 * (f->tension + f->stiffness * beta2) / f->density);
}

// Keeps the `room` lowest modes in order of frequency: insertion into a heap with the highest on
// top, then out again.
typedef struct mode_heap {
    plate_mode* modes;
    int32_t count, room;
} mode_heap;

static void sink(mode_heap* heap, int32_t i) {
    for (;;) {
        int32_t top = i;
        for (int32_t child = 2 * i + 1; child <= 2 * i + 2 && child < heap->count; child++)
            if (heap->modes[child].w > heap->modes[top].w) top = child;
        if (top == i) return;
        plate_mode swap = heap->modes[i];
        heap->modes[i] = heap->modes[top];
        heap->modes[top] = swap;
        i = top;
    }
}

static void offer(mode_heap* heap, plate_mode mode) {
    if (heap->count < heap->room) {
        int32_t i = heap->count++;
        while (i > 0 && heap->modes[(i - 1) / 2].w < mode.w) {
            heap->modes[i] = heap->modes[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        heap->modes[i] = mode;
    } else if (mode.w < heap->modes[0].w) {
        heap->modes[0] = mode;
        sink(heap, 0);
    }
}

static void in_order(mode_heap* heap) {
    int32_t all = heap->count;
    while (heap->count > 1) {
        plate_mode last = heap->modes[0];
        heap->modes[0] = heap->modes[--heap->count];
        sink(heap, 0);
        heap->modes[heap->count] = last;
    }
    heap->count = all;
}

// All modes below `limit`, the lowest `room` of them.
static int32_t list_modes(const plate_spec* f, double limit, int32_t room, plate_mode* modes) {
    mode_heap heap = {modes, 0, room};
    for (int32_t m = 1; m <= PLATE_SIDE && frequency_of(f, m, 1) < limit; m++)
        for (int32_t l = 1; l <= PLATE_SIDE; l++) {
            double w = frequency_of(f, m, l);
            if (!(w < limit)) break;
            offer(&heap, (plate_mode){w, m, l});
        }
    in_order(&heap);
    return heap.count;
}

// A limit above the one asked for last: the modes of a square of so many are more than enough.
int32_t sis_plate_modes(const plate_spec* f, int32_t room, plate_mode* modes) {
    double limit = fmin(frequency_of(f, room + 1, 1), frequency_of(f, 1, room + 1));
    return list_modes(f, limit * (1 + 1e-9), room, modes);
}

static bool choose_modes(compile_plan* plan, const sis_plate_def* def, plate_spec* f,
                         sis_error* error) {
    double rate = plan->system->rate;
    f->list = sis_arena_take(&plan->system->arena, (size_t)MOST_MODES * sizeof(plate_mode), error);
    if (!f->list) return false;
    int32_t stable = list_modes(f, 0.95 * PI * rate, MOST_MODES, f->list);
    f->modes = def->modes ? def->modes : stable;
    if (f->modes > 0 && f->modes <= stable) {
        double turn = sis_sin(0.5 * f->list[f->modes - 1].w / rate);
        f->margin = 1 - turn * turn;
        return true;
    }
    return sis_modes_refuse(def->modes, stable, frequency_of(f, 1, 1), rate, error);
}

// The most half waves of its modes along x and y.
static void highest(const plate_spec* f, int32_t* m, int32_t* l) {
    *m = *l = 1;
    for (int32_t i = 0; i < f->modes; i++) {
        if (f->list[i].m > *m) *m = f->list[i].m;
        if (f->list[i].l > *l) *l = f->list[i].l;
    }
}

// Where a modal plate touches along an area, and what pictures show: four points to a wave of its
// highest modes. More would move with the others and only make blocks larger.
static void fit_grid_to_modes(plate_spec* f) {
    int32_t most_m, most_l;
    highest(f, &most_m, &most_l);
    int32_t nx = most_m < 8 ? 16 : 2 * most_m, ny = most_l < 8 ? 16 : 2 * most_l;
    if (nx < f->nx) f->nx = nx;
    if (ny < f->ny) f->ny = ny;
}

// Where an input takes the tension.
static bool read_range(const compile_plan* plan, plate_spec* f, sis_error* error) {
    const sis_binding* b = sis_scene_bound(plan->scene, f->spec.id, "tension");
    f->live = b != NULL;
    f->low = b ? b->low : f->tension;
    f->top = b ? b->high : f->tension;
    if (!b || f->low > 0 || f->stiffness > 0) return true;
    return sis_fail_key(error, SIS_REFUSED, "tension",
                        "'tension' reaches %g N/m, where nothing brings a membrane back: begin its "
                        "range above that, at %.3g say, or give 'youngs' (Pa)",
                        f->low, 1e-3 * f->top);
}

// From the highest tension of its range to the one it begins with.
static bool slacken(compile_plan* plan, plate_spec* f, sis_error* error) {
    if (f->model == SIS_PLATE_FD) return sis_plate_retune(plan, f, f->tension, &f->tuning, error);
    // In the same order: all rise with m^2/lx^2 + l^2/ly^2.
    list_modes(f, 0.95 * PI * plan->system->rate, MOST_MODES, f->list);
    return true;
}

static bool plan_plate(compile_plan* plan, body_spec* spec, const void* given, sis_error* error) {
    const sis_plate_def* def = given;
    plate_spec* f = (plate_spec*)spec;
    *f = (plate_spec){.spec = *spec,
                      .model = def->model,
                      .edge = def->youngs > 0 ? def->edge : SIS_ENDS_SUPPORTED,
                      .length = def->length,
                      .width = def->width,
                      .tension = def->tension,
                      .density = def->material_density * def->thickness,
                      .s0 = def->sigma0,
                      .s1 = def->sigma1};
    f->stiffness = def->youngs * def->thickness * def->thickness * def->thickness /
                   (12 * (1 - def->poisson * def->poisson));
    bool modal = f->model == SIS_PLATE_MODAL;
    if (!read_range(plan, f, error)) return false;
    f->tension = f->top; // for which it must be stable
    if (!sis_plate_grid(plan, def, f, error) || (modal && !choose_modes(plan, def, f, error)))
        return false;
    if (modal && !def->segments_x) fit_grid_to_modes(f);
    f->tension = def->tension;
    if (f->live && !slacken(plan, f, error)) return false;
    spec->meet = modal;
    spec->count = modal ? f->modes : plate_stride(f->nx) * (f->ny + 1);
    spec->before = modal ? 0 : 1; // rows begin on cache lines, none at 0
    spec->behind = modal ? 0 : plate_extra(f->nx, f->ny);
    spec->modes = f->modes;
    spec->nx = f->nx;
    spec->ny = f->ny;
    spec->length = f->length;
    spec->width = f->width;
    return true;
}

// ---------------------------------------------------------------------------- constants

// s0 k near the one asked for, of which 1 - drop, drop = 2 s0k/(1 + s0k), is a number: what the
// sweep multiplies by then is not wrong in the same way in every sample. So little of it that
// products with it would round with d itself is none.
static double exact_damping(double s0k, double* keep) {
    double drop = 2 * s0k / (1 + s0k);
    if (drop < 1e-14) drop = 0;
    *keep = 1 - drop;
    if (drop > 0.5) return s0k; // there it always is
    drop = 1 - *keep;
    return drop / (2 - drop);
}

// What a sample does, but for what follows from the tension. On an edge lap u is the neighbour within, of which the mirror makes 0 or
// twice that.
static plate_pull step_of(const plate_group* p, double keep) {
    double scale = 1 / (1 + p->s0k), bend = p->bend * scale;
    return (plate_pull){.late = 2 * p->s1k * scale,
                        .keep = keep,
                        .admittance = scale / (p->mass * p->inverse_k * p->inverse_k),
                        .bend = bend,
                        .edge = p->clamped ? -2 * bend : 0};
}

// For a travel t a sample loses `still` |t|^2 + `slopes` |grad t|^2, N/m. With t = 0 on all edges
// the sum of (t - t_left)^2 is that of 2 t (t - t_left).
static void set_losses(plate_group* p, double still, double slopes) {
    p->loss = still + 2 * slopes * (1 + p->ratio);
    p->loss_along = slopes > 0 ? 2 * slopes / p->loss : 0;
    p->loss_across = p->ratio * p->loss_along;
}

static bool build_grid(compile_plan* plan, plate_spec* f, sis_error* error) {
    sis_system* system = plan->system;
    plate_group* p = sis_arena_take(&system->arena, sizeof *p, error);
    int32_t nx = f->nx, ny = f->ny;
    const plate_tuning* t = &f->tuning;
    if (!p) return false;
    double k = system->k, hx = f->length / nx, hy = f->width / ny, r = f->density, keep;
    double s0k = exact_damping(f->s0 * k, &keep);
    *p = (plate_group){.nx = nx,
                       .ny = ny,
                       .stride = plate_stride(nx),
                       .clamped = f->edge == SIS_ENDS_CLAMPED,
                       .tuned = f->tuned,
                       .mirror = f->edge == SIS_ENDS_CLAMPED ? 1 : -1,
                       .ratio = t->ay * hx * hx / (t->ax * hy * hy),
                       .bend = f->stiffness * k * k / (r * hx * hx * hx * hx),
                       .s0k = s0k,
                       .s1k = t->ax * f->s1 * k / (hx * hx),
                       .mass = r * hx * hy,
                       .inverse_k = system->rate,
                       .stiffness = f->stiffness * hy / (hx * hx * hx),
                       .sweep = sis_wide(system->lanes)->plate};
    if (f->tuned) p->stiffness = 1; // the crosses have it
    set_losses(p, p->mass * s0k / (2 * k * k), t->ax * r * hy * f->s1 / (2 * k * hx));
    p->step = step_of(p, keep);
    sis_plate_tighten(f, f->tension, t, p);
    system->body_groups[f->spec.group].kind = &sis_plate_kind;
    system->body_groups[f->spec.group].deferred = sis_plate_deferred;
    system->body_groups[f->spec.group].data = p;
    return true;
}

static bool build_modes(compile_plan* plan, plate_spec* f, sis_error* error) {
    mass_group* m = sis_modes_take(plan, f->spec.group, false, error);
    if (!m) return false;
    for (int32_t i = 0; i < f->modes; i++) {
        double x = f->list[i].m * PI / f->length, y = f->list[i].l * PI / f->width;
        sis_modes_set(m, i, 0.25 * f->density * f->length * f->width, f->list[i].w,
                      f->s0 + f->s1 * (x * x + y * y), plan->system->k, true);
    }
    return true;
}

static bool build(compile_plan* plan, body_spec* spec, const void* def, sis_body_info* info,
                  sis_error* error) {
    (void)def;
    plate_spec* f = (plate_spec*)spec;
    info->frequency = f->edge == SIS_ENDS_SUPPORTED ? frequency_of(f, 1, 1) / (2 * PI) : 0;
    info->margin = f->margin;
    info->h_over_hmin = f->model == SIS_PLATE_FD ? sis_plate_slack(f, plan->system->k) : 1;
    info->tuned = f->tuned || (f->model == SIS_PLATE_MODAL);
    info->plate_model = f->model;
    info->ends = f->edge;
    info->tension = f->tension;
    info->density = f->density;
    info->stiffness = info->used = f->stiffness;
    info->sigma0 = f->s0;
    info->sigma1 = f->s1;
    return f->model == SIS_PLATE_MODAL ? build_modes(plan, f, error) : build_grid(plan, f, error);
}

// ---------------------------------------------------------------------------- partials

static double model_partial(const sis_system* system, const plate_spec* f, plate_mode mode) {
    if (f->model == SIS_PLATE_MODAL) return mode.w;
    double x = 2 * f->nx / f->length * sis_sin(0.5 * mode.m * PI / f->nx);
    double y = 2 * f->ny / f->width * sis_sin(0.5 * mode.l * PI / f->ny);
    double S = sis_plate_eigenvalue(&f->tuning, x * x, y * y);
    return 2 * system->rate * sis_asin(fmin(1, 0.5 * system->k * sqrt(S)));
}

static bool partial(const sis_system* system, const body_spec* spec, int32_t p, double* rings,
                    double* exact) {
    const plate_spec* f = (const plate_spec*)spec;
    enum { LOWEST = 64 };
    plate_mode modes[LOWEST];
    if (f->edge != SIS_ENDS_SUPPORTED || p < 1 || p > LOWEST) return false;
    if (f->model == SIS_PLATE_MODAL && p > f->modes) return false;
    if (sis_plate_modes(f, p, modes) < p) return false;
    if (f->model == SIS_PLATE_FD && (modes[p - 1].m >= f->nx || modes[p - 1].l >= f->ny))
        return false;
    *rings = model_partial(system, f, modes[p - 1]) / (2 * PI);
    *exact = modes[p - 1].w / (2 * PI);
    return true;
}

static bool has_mode(const plate_spec* f, plate_mode mode) {
    if (f->model == SIS_PLATE_FD) return mode.m < f->nx && mode.l < f->ny;
    for (int32_t i = 0; i < f->modes; i++)
        if (f->list[i].m == mode.m && f->list[i].l == mode.l) return true;
    return false;
}

// The p-th lowest mode of a supported plate, or for l > 0 that with p and l half waves. False: it
// has none, or there is no memory.
static bool mode_of(compile_plan* plan, const plate_spec* f, int32_t p, int32_t l,
                    plate_mode* mode) {
    *mode = (plate_mode){0, p, l};
    if (l > 0) return has_mode(f, *mode);
    plate_mode* modes = sis_arena_take(&plan->arena, (size_t)p * sizeof *modes, NULL);
    // A limit above the p-th: those of at most `along` by `across` half waves are p or more.
    double along = fmax(1, fmin(p, ceil(sqrt(p * f->length / f->width)))), across = ceil(p / along);
    double limit = frequency_of(f, (int32_t)along, (int32_t)across);
    if (!modes || list_modes(f, limit * (1 + 1e-9), p, modes) < p) return false;
    *mode = modes[p - 1];
    return has_mode(f, *mode);
}

// ---------------------------------------------------------------------------- points

static bool point_of_grid(compile_plan* plan, const plate_spec* f, sis_place at, int32_t order,
                          network_end* end, sis_error* error) {
    enum { MOST = STENCIL * STENCIL };
    double weights[MOST];
    int32_t places[MOST];
    const size_t n = (size_t)sis_plate_weigh(&f->spec, at, order, weights, places);
    const int32_t first = plan->system->body_groups[f->spec.group].first;
    if (n == 1 && weights[0] == 1) { // a point of the grid
        *end = (network_end){.first = first + places[0], .count = 1};
        return true;
    }
    double* weight = sis_arena_take(&plan->system->arena, n * sizeof *weight + 1, error);
    int32_t* index = sis_arena_take(&plan->system->arena, n * sizeof *index + 1, error);
    if (!weight || !index) return false;
    memcpy(weight, weights, n * sizeof *weight);
    memcpy(index, places, n * sizeof *index);
    *end = (network_end){.first = first, .count = (int32_t)n, .weight = weight, .index = index};
    return true;
}

static bool point(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                  network_end* end, sis_error* error) {
    const plate_spec* f = (const plate_spec*)spec;
    return f->model == SIS_PLATE_FD ? point_of_grid(plan, f, at, order, end, error)
                                    : sis_modes_point(plan, spec, at, sis_plate_weight, end, error);
}

static void pull(compile_plan* plan, const body_spec* spec, const void* def, double g) {
    (void)def;
    const plate_spec* f = (const plate_spec*)spec;
    double* weight = plan->system->weight + sis_spec_dof(plan->system->body_groups, spec, 0);
    double all = f->density * f->length * f->width * g, each = all / ((double)f->nx * f->ny);
    for (int32_t i = 0; i < f->modes && f->model == SIS_PLATE_MODAL; i++)
        weight[i] -= all * sis_sine_mean(f->list[i].m) * sis_sine_mean(f->list[i].l);
    if (f->model == SIS_PLATE_MODAL) return;
    for (int32_t j = 1; j < f->ny; j++)
        for (int32_t i = 1; i < f->nx; i++)
            weight[plate_place(f->nx, i, j)] -= each;
    sis_force_all(plan->system, spec);
}

// ---------------------------------------------------------------------------- plucks

// First along x, row by row, then along y; rows are as few as modes allow.
static bool project(const start_field* s, sis_error* error) {
    compile_plan* plan = s->plan;
    const plate_spec* f = (const plate_spec*)s->spec;
    int32_t high_x, high_y;
    highest(f, &high_x, &high_y);
    filon along, across;
    if (!sis_filon_make(plan, high_x, 4, 128, 4096, &along, error) ||
        !sis_filon_make(plan, high_y, 4, 128, 4096, &across, error))
        return false;
    int32_t nx = along.n, ny = across.n;
    size_t wide = (size_t)high_x, rows = (size_t)ny + 1;
    double* row = sis_arena_take(&plan->arena, ((size_t)nx + 1) * sizeof *row, error);
    double* half = sis_arena_take(&plan->arena, wide * rows * sizeof *half, error); // [m][row]
    if (!row || !half) return false;
    for (int32_t j = 0; j <= ny; j++) {
        for (int32_t i = 0; i <= nx; i++) {
            sis_place at = {f->length * i / nx, f->width * j / ny};
            if (!sis_start_value(s, at, &row[i], error)) return false;
        }
        for (int32_t m = 1; m <= high_x; m++)
            half[(size_t)(m - 1) * rows + (size_t)j] = sis_filon_project(&along, row, m);
    }
    for (int32_t i = 0; i < f->modes; i++)
        s->out[i] +=
            sis_filon_project(&across, half + (size_t)(f->list[i].m - 1) * rows, f->list[i].l);
    return true;
}

static double mode_at(const start_field* s, sis_place at) {
    const plate_mode* mode = s->mode;
    return s->def->height * sis_sin(mode->m * PI * at.x / s->spec->length) *
           sis_sin(mode->l * PI * at.y / s->spec->width);
}

static bool start_modes(const start_field* s, sis_error* error) {
    const plate_spec* f = (const plate_spec*)s->spec;
    const plate_mode* mode = s->mode;
    if (s->profile || !(s->velocity || sis_start_is_mode(s))) return project(s, error);
    for (int32_t i = 0; i < f->modes; i++) {
        plate_mode own = f->list[i];
        if (s->velocity)
            s->out[i] += s->def->velocity * sis_sine_flat(own.m) * sis_sine_flat(own.l);
        else if (own.m == mode->m && own.l == mode->l)
            s->out[i] += s->def->height;
    }
    return true;
}

static bool refuse_mode(const start_field* s, sis_error* error) {
    const sis_pluck_def* def = s->def;
    char mode[32];
    snprintf(mode, sizeof mode, def->mode_y ? "{%d, %d}" : "%d", (int)def->mode, (int)def->mode_y);
    return sis_fail(error, SIS_REFUSED,
                    "%s: 'mode' = %s: plate '%s' has no such mode at this rate: take a lower one",
                    sis_label_of(SIS_KIND_PLUCK, def->name).text, mode,
                    sis_scene_name(s->plan->scene, s->spec->id));
}

static int32_t node(const body_group* bodies, int32_t i, int32_t j) {
    const plate_group* p = bodies->data;
    return plate_place(p->nx, i, j);
}

static bool pluck(start_field* s, sis_error* error) {
    const plate_spec* f = (const plate_spec*)s->spec;
    plate_mode mode;
    s->mode = &mode;
    s->mode_at = mode_at;
    if (sis_start_is_mode(s) && !mode_of(s->plan, f, s->def->mode, s->def->mode_y, &mode))
        return refuse_mode(s, error);
    return f->model == SIS_PLATE_MODAL ? start_modes(s, error) : sis_start_grid(s, node, error);
}

const body_class sis_plate_class = {.called = "plate",
                                    .places = SIS_PLACES_AREA,
                                    .check = check,
                                    .size = size,
                                    .check_mode = check_mode,
                                    .spec_size = sizeof(plate_spec),
                                    .plan = plan_plate,
                                    .build = build,
                                    .point = point,
                                    .weigh = sis_plate_weigh,
                                    .pull = pull,
                                    .pluck = pluck,
                                    .partial = partial,
                                    .shape = sis_plate_shape};
