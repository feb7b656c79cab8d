// Strings whose new shape is the solution of a banded system (Bilbao 2014, corrected), factored
// once:
//
//   A d+ = A d + P u - 2 M d + admittance F,    M = s0k - s1k dxx
//   A = 1 - gamma/4 dxx + M  (tridiagonal)   or   1 + M - P/4  (trapezoid, pentadiagonal)
//   H = rho h/2 v.L v + u.K u-/2 with L = A - M; for the trapezoid that is
//       rho h/2 |v|^2 + 1/2 m.K m at the middle m of the step: never negative
#include "body/body.h"

// x <- A^-1 x
static void solve(const string_bank* s, int32_t n, double* x) {
    const double *a = s->up1, *b = s->up2, *inverse = s->inverse;
    if (s->width < 2) {
        for (int32_t i = 1; i < n; i++)
            x[i] -= a[i - 1] * x[i - 1];
        x[n - 1] *= inverse[n - 1];
        for (int32_t i = n - 2; i >= 0; i--)
            x[i] = x[i] * inverse[i] - a[i] * x[i + 1];
        return;
    }
    if (n > 1) x[1] -= a[0] * x[0];
    for (int32_t i = 2; i < n; i++)
        x[i] -= a[i - 1] * x[i - 1] + b[i - 2] * x[i - 2];
    x[n - 1] *= inverse[n - 1];
    if (n > 1) x[n - 2] = x[n - 2] * inverse[n - 2] - a[n - 2] * x[n - 1];
    for (int32_t i = n - 3; i >= 0; i--)
        x[i] = x[i] * inverse[i] - (a[i] * x[i + 1] + b[i] * x[i + 2]);
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    const string_bank* s = bank->data;
    int32_t n = bank->count;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    const double* F = motion->F + bank->first;
    double* kick = motion->kick + bank->first;
    sis_string_restore(s, n, u, motion->travel + bank->first, kick);
    for (int32_t i = 0; i < n; i++) {
        double left = i ? d[i - 1] : 0, right = i < n - 1 ? d[i + 1] : 0;
        double curve = (left - d[i]) + (right - d[i]);
        kick[i] += s->admittance * F[i] - 2 * (s->s0k * d[i] - s->s1k * curve);
    }
    solve(s, n, kick);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = s->admittance * force[i];
    solve(s, bank->count, out);
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    int32_t n = bank->count;
    double *u = motion->u + bank->first, *d = motion->d + bank->first;
    double *travel = motion->travel + bank->first, *kick = motion->kick + bank->first;
    const double* push = motion->push + bank->first;
    bool pushed = false;
    for (int32_t i = 0; i < n; i++)
        pushed = pushed || push[i] != 0;
    if (pushed) {
        admit(bank, push, travel);
        for (int32_t i = 0; i < n; i++)
            kick[i] += travel[i];
    }
    for (int32_t i = 0; i < n; i++) {
        double next = d[i] + kick[i];
        travel[i] = next + d[i];
        d[i] = next;
        u[i] += next;
    }
    if (!motion->audit) return (body_work){0, 0};
    return (body_work){sis_string_supplied(bank, motion), sis_string_dissipated(s, n, travel)};
}

const body_kind sis_banded_kind = {
    advance, accept, sis_string_energy, admit, false, sis_string_stretch, sis_string_start};
