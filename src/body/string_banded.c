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

// next = d + A^-1 (P u - 2 M d + admittance F)
static void fly(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    int32_t n = bank->count;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    const double* F = motion->F + bank->first;
    double* next = motion->next + bank->first;
    sis_string_restore(s, n, u, motion->room + bank->first, next);
    for (int32_t i = 0; i < n; i++) {
        double left = i ? d[i - 1] : 0, right = i < n - 1 ? d[i + 1] : 0;
        double curve = (left - d[i]) + (right - d[i]);
        next[i] += s->admittance * F[i] - 2 * (s->s0k * d[i] - s->s1k * curve);
    }
    solve(s, n, next);
    for (int32_t i = 0; i < n; i++)
        next[i] += d[i];
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    fly(bank, motion);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->u[i] += motion->next[i];
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = s->admittance * force[i];
    solve(s, bank->count, out);
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const double* push = motion->push + bank->first;
    double* room = motion->room + bank->first;
    bool pushed = false;
    for (int32_t i = first; i < first + count; i++)
        pushed = pushed || push[i] != 0;
    if (!pushed) return;
    admit(bank, push, room);
    for (int32_t i = 0; i < bank->count; i++) {
        motion->next[bank->first + i] += room[i];
        motion->u[bank->first + i] += room[i];
    }
}

// From rest: half of a full step.
static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k, (void)time;
    fly(bank, motion);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}

const body_kind sis_banded_kind = {advance, give,  sis_string_work,    sis_string_energy,
                                   admit,   false, sis_string_stretch, start};
