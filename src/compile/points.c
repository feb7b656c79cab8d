// Points of bodies: the weights with which a place is read and written, and the shapes strings
// begin with.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- a place between
// nodes

// Weights on nodes base - 1 .. base + 2 of a grid, about the place base + a.
static void lagrange(double a, int32_t order, double* w) {
    memset(w, 0, 4 * sizeof *w);
    if (order == 0) {
        w[a < 0.5 ? 1 : 2] = 1;
    } else if (order == 1) {
        w[1] = 1 - a;
        w[2] = a;
    } else {
        w[0] = -a * (a - 1) * (a - 2) / 6;
        w[1] = (a - 1) * (a + 1) * (a - 2) / 2;
        w[2] = -a * (a + 1) * (a - 2) / 2;
        w[3] = a * (a + 1) * (a - 1) / 6;
    }
}

enum { STENCIL = 8 };

// A run of nodes with weights.
typedef struct stencil {
    int32_t first, count; // nodes 1 .. N - 1
    double weight[STENCIL];
} stencil;

// Beyond its ends a string (or a row of a plate) continues as the mirror of itself: odd where
// supported, even where clamped.
static stencil stencil_at(double length, int32_t N, sis_ends ends, double at, int32_t order) {
    double place = at / length * N, near = floor(place + 0.5);
    if (fabs(place - near) < 1e-9) place = near;
    int32_t base = (int32_t)floor(place);
    double w[4], ghost = ends == SIS_ENDS_CLAMPED ? 1 : -1;
    lagrange(place - base, order, w);
    int32_t low = base - 1 < 1 ? 1 : base - 1;
    if (low > N - 1) low = N - 1;
    stencil s = {low, 0, {0}};
    for (int32_t j = 0; j < 4; j++) {
        int32_t node = base - 1 + j;
        double weight = w[j];
        if (node < 0 || node > N) weight *= ghost;
        if (node < 0) node = -node;
        if (node > N) node = 2 * N - node;
        if (weight == 0 || node <= 0 || node >= N) continue;
        s.weight[node - s.first] += weight;
        if (node - s.first + 1 > s.count) s.count = node - s.first + 1;
    }
    while (s.count && s.weight[0] == 0) { // begin with the first node that counts
        memmove(s.weight, s.weight + 1, (STENCIL - 1) * sizeof *s.weight);
        s.first++;
        s.count--;
    }
    return s;
}

// The mass of an implicit string is L = 1 - gamma/4 dxx, so that what is written and read at its
// points answers as L^-1, off by order h^2. A tuned one is written and read through
// R = 1 - gamma/8 dxx, whose square is L to order h^4: R L^-1 R is 1 to that order, and since both
// ways have the same weights, work given is work taken and source and listener may change places.
// Here R i of the weights i.
static void through_root(const string_form* f, stencil* s) {
    double beside = -f->root, centre = 1 + 2 * f->root;
    int32_t left = s->first > 1, n = s->count, last = s->first + n - 1 < f->segments - 1;
    double in[STENCIL + 2] = {0}, out[STENCIL] = {0};
    memcpy(in + 1 + left, s->weight, (size_t)n * sizeof *in);
    n += left + last;
    for (int32_t i = 0; i < n; i++)
        out[i] = centre * in[i + 1] + beside * (in[i] + in[i + 2]);
    s->first -= left;
    s->count = n;
    memcpy(s->weight, out, sizeof out);
}

static bool keep(compile_plan* plan, const double* weight, int32_t count, network_end* end,
                 sis_error* error) {
    double* copy = sis_arena_take(&plan->system->arena, (size_t)count * sizeof *copy, error);
    if (!copy) return false;
    memcpy(copy, weight, (size_t)count * sizeof *copy);
    end->weight = copy;
    return true;
}

// All modes of a bank.
static network_end modes_end(const compile_plan* plan, int32_t bank, int32_t modes,
                             const double* weight) {
    return (network_end){
        .first = plan->system->banks[bank].first, .count = modes, .weight = weight, .apart = 1};
}

static bool modal_end(compile_plan* plan, const string_form* f, double at, network_end* end,
                      sis_error* error) {
    double* weight = sis_arena_take(&plan->system->arena, (size_t)f->modes * sizeof *weight, error);
    if (!weight) return false;
    for (int32_t p = 0; p < f->modes; p++)
        weight[p] = f->mode ? sis_mode_at(&f->mode[p], at) : sin((p + 1) * PI * at / f->length);
    *end = modes_end(plan, f->bank, f->modes, weight);
    return true;
}

// Where the points of an end lie, from p on: equally far apart, unless there is a fold between
// them.
static bool lay_out(compile_plan* plan, const body_bank* bank, int32_t p, network_end* end,
                    sis_error* error) {
    bool even = true;
    int32_t apart = end->count > 1 ? body_point(bank, p + 1) - end->first : 1;
    int32_t* index =
        sis_arena_take(&plan->system->arena, (size_t)end->count * sizeof *index, error);
    if (!index) return false;
    for (int32_t i = 0; i < end->count; i++) {
        index[i] = body_point(bank, p + i) - end->first;
        even = even && index[i] == i * apart;
    }
    end->apart = even ? apart : 0;
    if (!even) end->index = index;
    return true;
}

static bool string_end(compile_plan* plan, const string_form* f, double at, int32_t order,
                       network_end* end, sis_error* error) {
    if (f->model == SIS_STRING_MODAL) return modal_end(plan, f, at, end, error);
    stencil s = stencil_at(f->length, f->segments, f->ends, at, order);
    if (f->root != 0 && s.count) through_root(f, &s);
    const body_bank* bank = &plan->system->banks[f->bank];
    *end = (network_end){.first = body_point(bank, s.first - 1), .count = s.count};
    if (s.count == 0 || (s.count == 1 && s.weight[0] == 1)) return true;
    return keep(plan, s.weight, s.count, end, error) &&
           lay_out(plan, bank, s.first - 1, end, error);
}

// Every point of one stencil with every point of the other.
static bool grid_end(compile_plan* plan, const plate_form* f, sis_place at, int32_t order,
                     network_end* end, sis_error* error) {
    stencil x = stencil_at(f->length, f->nx, f->edge, at.x, order);
    stencil y = stencil_at(f->width, f->ny, f->edge, at.y, order);
    int32_t count = x.count * y.count, n = 0;
    double* weight =
        sis_arena_take(&plan->system->arena, (size_t)count * sizeof *weight + 1, error);
    int32_t* index = sis_arena_take(&plan->system->arena, (size_t)count * sizeof *index + 1, error);
    if (!weight || !index) return false;
    for (int32_t j = 0; j < y.count; j++)
        for (int32_t i = 0; i < x.count; i++) {
            if (x.weight[i] * y.weight[j] == 0) continue;
            weight[n] = x.weight[i] * y.weight[j];
            index[n++] = plate_place(f->nx, x.first + i, y.first + j);
        }
    *end = (network_end){
        .first = plan->system->banks[f->bank].first, .count = n, .weight = weight, .index = index};
    return true;
}

static bool plate_end(compile_plan* plan, const plate_form* f, sis_place at, int32_t order,
                      network_end* end, sis_error* error) {
    if (f->model == SIS_PLATE_FD) return grid_end(plan, f, at, order, end, error);
    double* weight = sis_arena_take(&plan->system->arena, (size_t)f->modes * sizeof *weight, error);
    if (!weight) return false;
    for (int32_t i = 0; i < f->modes; i++)
        weight[i] =
            sin(f->list[i].m * PI * at.x / f->length) * sin(f->list[i].l * PI * at.y / f->width);
    *end = modes_end(plan, f->bank, f->modes, weight);
    return true;
}

bool sis_compile_end(compile_plan* plan, sis_id id, sis_place at, int32_t order, network_end* end,
                     sis_error* error) {
    *end = (network_end){0};
    if (id < 0) return true;
    const sis_system* system = plan->system;
    int32_t form = plan->form[id];
    switch (plan->scene->objects[id].kind) {
    case SIS_KIND_STRING:
        return isnan(at.x) || string_end(plan, &system->strings[form], at.x, order, end, error);
    case SIS_KIND_PLATE:
        return isnan(at.x) || plate_end(plan, &system->plates[form], at, order, end, error);
    case SIS_KIND_MODAL: {
        const modal_form* f = &system->modals[form];
        size_t place = isnan(at.x) ? 0 : (size_t)at.x - 1;
        *end = modes_end(plan, f->bank, f->modes, f->shape + place * (size_t)f->modes);
        return true;
    }
    default:
        if (plan->dof[id] >= 0) *end = (network_end){.first = plan->dof[id], .count = 1};
        return true;
    }
}

// ---------------------------------------------------------------------------- initial shapes

// The height of a pluck at x; `mode` is the one it asks for.
static double shape_at(const sis_pluck_def* def, const string_form* f, const string_mode* mode,
                       double x) {
    double away = fabs(x - def->at);
    switch (def->shape) {
    case SIS_PLUCK_TRIANGLE:
        return def->height * (x < def->at ? x / def->at : (f->length - x) / (f->length - def->at));
    case SIS_PLUCK_RAISED_COSINE:
        if (away >= 0.5 * def->width) return 0;
        return 0.5 * def->height * (1 + cos(2 * PI * away / def->width));
    default:
        return def->height * sis_mode_at(mode, x);
    }
}

// Its projection on mode p, (2/L) int shape sin(p pi x/L) dx.
static double shape_mode(const sis_pluck_def* def, const string_form* f, int32_t p) {
    double L = f->length, beta = p * PI / L, a = def->at, w = def->width;
    switch (def->shape) {
    case SIS_PLUCK_TRIANGLE:
        return 2 * def->height * sin(beta * a) / (beta * beta * a * (L - a));
    case SIS_PLUCK_RAISED_COSINE: {
        double kappa = 2 * PI / w, apart = kappa * kappa - beta * beta;
        double part = fabs(apart) < 1e-9 * kappa * kappa
                          ? 0.25 * w
                          : sin(0.5 * beta * w) * kappa * kappa / (beta * apart);
        return 2 / L * def->height * sin(beta * a) * part;
    }
    default:
        return p == def->mode ? def->height : 0;
    }
}

// The same of a clamped string, by Gauss's rule: panels as short as the waves of the mode, and
// shorter ones where it bends away from its clamps; kinks of the pluck are between panels.
static double clamped_share(const sis_pluck_def* def, const string_form* f, int32_t p) {
    static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                  0.8650633666889845, 0.9739065285171717};
    static const double part[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                  0.1494513491505806, 0.0666713443086881};
    if (def->shape == SIS_PLUCK_MODE) return p == def->mode ? def->height : 0;
    const string_mode* mode = &f->mode[p - 1];
    double L = f->length, layer = fmin(1 / mode->k2, L / 40), sum = 0;
    double width = def->shape == SIS_PLUCK_RAISED_COSINE ? 0.5 * def->width : 0;
    double place[11] = {0,       2 * layer,       6 * layer,      18 * layer,    def->at - width,
                        def->at, def->at + width, L - 18 * layer, L - 6 * layer, L - 2 * layer,
                        L};
    for (int i = 1; i < 11; i++) { // in order
        double x = fmin(L, fmax(0, place[i]));
        int at = i;
        for (; at > 0 && place[at - 1] > x; at--)
            place[at] = place[at - 1];
        place[at] = x;
    }
    for (int i = 1; i < 11; i++) {
        double from = place[i - 1], long_ = place[i] - from;
        int32_t panels = (int32_t)ceil(long_ * (mode->k1 / PI + 4 / L));
        double half = panels ? 0.5 * long_ / panels : 0;
        for (int32_t n = 0; n < panels; n++)
            for (int g = -5; g < 5; g++) {
                int at = g < 0 ? -1 - g : g;
                double x = from + half * (2 * n + 1 + (g < 0 ? -node[at] : node[at]));
                sum += half * part[at] * shape_at(def, f, NULL, x) * sis_mode_at(mode, x);
            }
    }
    return sum / sis_mode_square(mode);
}

static bool add_pluck(compile_plan* plan, const sis_pluck_def* def, sis_error* error) {
    const string_form* f = &plan->system->strings[plan->form[def->on]];
    const body_bank* bank = &plan->system->banks[f->bank];
    bool modal = f->model == SIS_STRING_MODAL;
    const int32_t count = sis_string_modes(f);
    if (def->shape == SIS_PLUCK_MODE && def->mode > count) {
        sis_label label = sis_label_of(SIS_KIND_PLUCK, def->name);
        sis_fail(error, SIS_REFUSED, "%s: 'mode' = %d: string '%s' has %d modes at this rate",
                 label.text, (int)def->mode, sis_scene_name(plan->scene, def->on), (int)count);
        return false;
    }
    double peak = 1;
    string_mode mode = sis_string_mode_of(f, def->shape == SIS_PLUCK_MODE ? def->mode : 1);
    if (def->shape == SIS_PLUCK_MODE && mode.clamped) { // these are not sines
        peak = 0;
        for (int32_t i = 1; i < f->segments; i++)
            peak = fmax(peak, fabs(sis_mode_at(&mode, i * f->h)));
    }
    bool felt = def->height == 0;
    for (int32_t i = 0; i < count; i++) {
        double u = !modal    ? shape_at(def, f, &mode, (i + 1) * f->h)
                   : f->mode ? clamped_share(def, f, i + 1)
                             : shape_mode(def, f, i + 1);
        u /= peak;
        plan->position[body_point(bank, i)] += u;
        felt = felt || u != 0;
    }
    if (felt) return true;
    sis_label label = sis_label_of(SIS_KIND_PLUCK, def->name);
    sis_fail(
        error, SIS_REFUSED,
        "%s: 'width' = %g m lies between two points of the string, which are %g m apart: make it "
        "wider",
        label.text, def->width, f->h);
    return false;
}

// u of a string whose points read R u (see through_root): R^-1 of the shape, by elimination from
// its first point on.
static bool undo_root(compile_plan* plan, const string_form* f, sis_error* error) {
    int32_t n = f->segments - 1;
    double* u = plan->position + plan->system->banks[f->bank].first; // these lie in order
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
    for (sis_id id = 0; id < plan->scene->count; id++)
        if (plan->scene->objects[id].kind == SIS_KIND_PLUCK &&
            !add_pluck(plan, sis_scene_def(plan->scene, id), error))
            return false;
    for (int32_t i = 0; i < plan->system->string_count; i++)
        if (plan->system->strings[i].root != 0 &&
            !undo_root(plan, &plan->system->strings[i], error))
            return false;
    return true;
}
