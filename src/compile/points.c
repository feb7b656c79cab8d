// Points of bodies: the weights with which a place is read and written.
#include "compile/plan.h"

#include <math.h>
#include <string.h>

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

// Beyond its ends a string (or a row of a plate) continues as the mirror of itself: odd where
// supported, even where clamped.
grid_stencil sis_stencil_at(double length, int32_t N, sis_ends ends, double at, int32_t order) {
    double place = at / length * N, near = floor(place + 0.5);
    if (fabs(place - near) < 1e-9) place = near;
    int32_t base = (int32_t)floor(place);
    double w[4], ghost = ends == SIS_ENDS_CLAMPED ? 1 : -1;
    lagrange(place - base, order, w);
    int32_t low = base - 1 < 1 ? 1 : base - 1;
    if (low > N - 1) low = N - 1;
    grid_stencil s = {low, 0, {0}};
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

bool sis_compile_end(compile_plan* plan, sis_id id, sis_place at, int32_t order, network_end* end,
                     sis_error* error) {
    const body_spec* spec = id >= 0 ? plan->spec[id] : NULL;
    *end = (network_end){0};
    if (!spec || !spec->class->point) return true;
    if (spec->class->places >= SIS_PLACES_LINE && isnan(at.x)) return true;
    if (isnan(at.x)) at.x = 1; // the first of its numbers
    return spec->class->point(plan, spec, at, order, end, error);
}
