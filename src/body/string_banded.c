// Strings whose new shape is the solution of a banded system (Bilbao 2014, corrected), factored
// once:
//
//   A d+ = A d + P u - 2 M d + admittance F,    M = s0k - s1k dxx
//   A = 1 - gamma/4 dxx + M  (tridiagonal)   or   1 + M - P/4  (trapezoid, pentadiagonal)
//   H = rho h/2 v.L v + u.K u-/2 with L = A - M; for the trapezoid that is
//       rho h/2 |v|^2 + 1/2 m.K m at the middle m of the step: never negative
#include "body/banded.h"

// P u - 2 M d of a point from the five around it and three of d, in first differences: these are
// exact, u is far larger than what bends it. P u = (pull + 3 bend)(r - l) - bend (rr - ll).
typedef struct pull_form {
    double near, far;  // pull + 3 bend, bend
    double late, drop; // 2 s1k, 2 s0k
} pull_form;

#define PULLED(f, u0, u1, u2, u3, u4, d1, d2, d3)                                                  \
    ((((f).near * (((u3) - (u2)) - ((u2) - (u1))) - (f).far * (((u4) - (u3)) - ((u1) - (u0)))) +   \
      (f).late * (((d1) - (d2)) + ((d3) - (d2)))) -                                                \
     (f).drop * (d2))

// The two points at either end: 0 at the end, the mirror behind it. At the right, u, d and out from
// the fourth last point on.
SIS_INLINE void pull_left(const pull_form* f, double mirror, const double* u, const double* d,
                          double* out) {
    double first = PULLED(*f, mirror * u[0], 0, u[0], u[1], u[2], 0, d[0], d[1]);
    double second = PULLED(*f, 0, u[0], u[1], u[2], u[3], d[0], d[1], d[2]);
    out[0] = first;
    out[1] = second;
}

SIS_INLINE void pull_right(const pull_form* f, double mirror, const double* u, const double* d,
                           double* out) {
    double first = PULLED(*f, u[0], u[1], u[2], u[3], 0, d[1], d[2], d[3]);
    double second = PULLED(*f, u[1], u[2], u[3], 0, mirror * u[3], d[2], d[3], 0);
    out[2] = first;
    out[3] = second;
}

// Strings of fewer than four points, where both ends are near.
static void pull_short(const pull_form* f, double mirror, int32_t count, const double* u,
                       const double* d, double* out) {
    double v[8] = {0}, e[5] = {0};
    for (int32_t i = 0; i < count; i++) {
        v[i + 2] = u[i];
        e[i + 1] = d[i];
    }
    v[0] = mirror * u[0];
    v[count + 3] = mirror * u[count - 1];
    for (int32_t i = 0; i < count; i++)
        out[i] = PULLED(*f, v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], e[i], e[i + 1], e[i + 2]);
}

// out = P u - 2 M d + admittance F
SIS_INLINE void pull(const body_bank* bank, const body_motion* motion, double* restrict out) {
    const string_bank* s = bank->data;
    int32_t n = bank->count;
    const double* restrict u = motion->u + bank->first, * restrict d = motion->d + bank->first;
    const double* restrict F = motion->F + bank->first;
    const pull_form f = {s->pull + 3 * s->bend, s->bend, 2 * s->s1k, 2 * s->s0k};
    double mirror = s->clamped ? 1 : -1, push = s->admittance;
    if (n < 4) {
        pull_short(&f, mirror, n, u, d, out);
    } else {
        pull_left(&f, mirror, u, d, out);
        pull_right(&f, mirror, u + n - 4, d + n - 4, out + n - 4);
    }
    for (int32_t i = 2; i < n - 2; i++)
        out[i] = PULLED(f, u[i - 2], u[i - 1], u[i], u[i + 1], u[i + 2], d[i - 1], d[i], d[i + 1]);
    for (int32_t i = bank->forced_first; i < bank->forced_first + bank->forced_count; i++)
        out[i] += push * F[i];
}

static void solve(const body_bank* bank, double* x) {
    const banded_string* whole = bank->data;
    sis_banded_solve(&whole->band, x);
}

// next = d + A^-1 (P u - 2 M d + admittance F)
static void fly(const body_bank* bank, const body_motion* motion) {
    const double* d = motion->d + bank->first;
    double* next = motion->next + bank->first;
    pull(bank, motion, next);
    solve(bank, next);
    for (int32_t i = 0; i < bank->count; i++)
        next[i] += d[i];
}

SIS_INLINE void advance_by(const body_bank* bank, const body_motion* motion) {
    double* restrict u = motion->u + bank->first;
    double* restrict next = motion->next + bank->first;
    const double* restrict d = motion->d + bank->first;
    pull(bank, motion, next);
    solve(bank, next);
    for (int32_t i = 0; i < bank->count; i++) {
        next[i] += d[i];
        u[i] += next[i];
    }
}

#if SIS_HAS_AVX2
SIS_AVX2 static void advance_avx2(const body_bank* bank, const body_motion* motion) {
    advance_by(bank, motion);
}
#endif

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
#if SIS_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        advance_avx2(bank, motion);
        return;
    }
#endif
    advance_by(bank, motion);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = s->admittance * force[i];
    solve(bank, out);
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

const body_kind sis_banded_kind = {advance, give,  sis_string_work, sis_string_energy,
                                   admit,   false, false,           sis_string_stretch,
                                   start};
