// Partials of strings: what their models ring at.
#include "compile/plan.h"

#include <math.h>

// ---------------------------------------------------------------------------- of the models

// How many eigenvalues of K x = lambda L x are below lambda, by the signs of the pivots of K -
// lambda L. In units of rho h/k^2: K = -pull dxx + bend dxxxx, L = 1 - cross dxx or 1 + K/4.
int32_t sis_string_below(const string_group* s, int32_t n, double lambda) {
    double k_part = 1 - lambda * s->half * s->half, cross = s->half > 0 ? 0 : s->cross;
    double d1 = 0, d2 = 0, a1 = 0, b1 = 0, b2 = 0; // pivots and rows above
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        double edge = (i == 0) + (i == n - 1), centre = 6 + s->mirror * edge;
        double main = k_part * (2 * s->pull + centre * s->bend) - lambda * (1 + 2 * cross);
        double next = k_part * (-s->pull - 4 * s->bend) + lambda * cross, far = k_part * s->bend;
        double pivot = main - a1 * a1 * d1 - b2 * b2 * d2;
        double row = next - a1 * d1 * b1;
        if (pivot == 0) pivot = 1e-300;
        count += pivot < 0;
        b2 = b1;
        d2 = d1;
        d1 = pivot;
        a1 = row / pivot;
        b1 = far / pivot;
    }
    return count;
}

// lambda of the p-th mode of a grid. Losses are left out, but for what the late sigma1 of an
// explicit string adds to its mass.
static double eigenvalue(const string_spec* f, const string_group* s, int32_t p) {
    if (f->ends == SIS_ENDS_SUPPORTED) {
        double x = 4 * square(sis_sin(0.5 * p * PI / f->segments));
        double K = s->pull * x + s->bend * x * x;
        return K / (1 + s->cross * x + s->half * s->half * K);
    }
    double low = 0, high = 4.0001;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (sis_string_below(s, f->segments - 1, middle) >= p)
            high = middle;
        else
            low = middle;
    }
    return low;
}

// What the first mode of a grid rings at with its losses, rad per step: with K = lambda L and M its
// loss, (L + M) z^2 - (2 L - K) z + (L - M) = 0.
double sis_string_first_turn(const string_spec* f, const string_group* s) {
    double lambda = eigenvalue(f, s, 1);
    double x = 4 * square(sis_sin(0.5 * sis_string_mode_of(f, 1).k1 * f->h)),
           M = s->s0k + s->s1k * x;
    double L = s->half > 0 ? 1 / (1 - 0.25 * lambda) : 1 + s->cross * x;
    double turn = (1 - 0.5 * lambda) / sqrt(fmax(1 - square(M / L), 1e-300));
    return sis_acos(fmax(-1, fmin(1, turn)));
}

// sin^2(w k/2) = lambda/4 for the two-step scheme; the trapezoid has its K/4 in L.
static double model_partial(const sis_system* system, const string_spec* f, int32_t p) {
    const body_group* bodies = &system->body_groups[f->spec.group];
    if (f->model == SIS_STRING_MODAL) {
        if (f->tuned) return sis_string_partial(f, p);
        const mass_group* m = bodies->data;
        return 2 * system->rate *
               sis_asin(fmin(1, 0.5 * system->k * sqrt(m->stiffness[p - 1] / m->mass[p - 1])));
    }
    double lambda = eigenvalue(f, bodies->data, p);
    return 2 * system->rate * sis_asin(fmin(1, 0.5 * sqrt(lambda)));
}

bool sis_string_partials(const sis_system* system, const body_spec* spec, int32_t p, double* rings,
                         double* exact) {
    const string_spec* f = (const string_spec*)spec;
    if (p < 1 || p > sis_string_modes(f)) return false;
    *rings = model_partial(system, f, p) / (2 * PI);
    *exact = sis_string_partial(f, p) / (2 * PI);
    return true;
}
