// Points of bodies: the weights with which a place is read and written.
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
        weight[p] = f->mode ? sis_mode_at(&f->mode[p], at) : sis_sin((p + 1) * PI * at / f->length);
    *end = modes_end(plan, f->bank, f->modes, weight);
    return true;
}

static bool string_end(compile_plan* plan, const string_form* f, double at, int32_t order,
                       network_end* end, sis_error* error) {
    if (f->model == SIS_STRING_MODAL) return modal_end(plan, f, at, end, error);
    stencil s = stencil_at(f->length, f->segments, f->ends, at, order);
    if (f->root != 0 && s.count) through_root(f, &s);
    const body_bank* bank = &plan->system->banks[f->bank];
    *end = (network_end){.first = bank->first + s.first - 1, .count = s.count, .apart = 1};
    return s.count == 0 || (s.count == 1 && s.weight[0] == 1) ||
           keep(plan, s.weight, s.count, end, error);
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
    if (n == 1 && weight[0] == 1) { // a point of the grid
        *end = (network_end){.first = plan->system->banks[f->bank].first + index[0], .count = 1};
        return true;
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
        weight[i] = sis_sin(f->list[i].m * PI * at.x / f->length) *
                    sis_sin(f->list[i].l * PI * at.y / f->width);
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
