// Strings whose new shape is the solution of a banded system (Bilbao 2014, corrected), factored
// once:
//
//   A d+ = A d + P u - 2 M d + admittance F,    M = s0k - s1k dxx
//   A = 1 - gamma/4 dxx + M  (tridiagonal)   or   1 + M - P/4  (trapezoid, pentadiagonal)
//   H = rho h/2 v.L v + u.K u-/2 with L = A - M; for the trapezoid that is
//       rho h/2 |v|^2 + 1/2 m.K m at the middle m of the step: never negative
#include "body/banded.h"

// out = P u - 2 M d. All is made of first differences, which are exact: u is far larger than what
// bends it. P u = (pull + 3 bend)(r - l) - bend (rr - ll). body/string_lanes.h does the same over
// lanes.
static void pull_points(const string_group* s, const double* restrict u, const double* restrict d,
                        int32_t count, double* restrict out) {
    const double near = s->pull + 3 * s->bend, far = s->bend;
    const double late = 2 * s->s1k, drop = 2 * s->s0k;
    for (int32_t i = 0; i < count; i++) {
        double bent = near * ((u[i + 1] - u[i]) - (u[i] - u[i - 1])) -
                      far * ((u[i + 2] - u[i + 1]) - (u[i - 1] - u[i - 2]));
        out[i] = (bent + late * ((d[i - 1] - d[i]) + (d[i + 1] - d[i]))) - drop * d[i];
    }
}

static void move_points(const double* restrict d, double* restrict u, double* restrict next,
                        int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        next[i] += d[i];
        u[i] += next[i];
    }
}

const banded_passes sis_banded_passes = {pull_points, move_points};

// out = P u - 2 M d + admittance F. Just before and behind the string u and d are 0; the points
// beyond are mirror images, while this lasts.
static void pull(const body_group* bodies, const body_motion* motion, double* out) {
    const string_group* s = bodies->data;
    const int32_t n = bodies->count;
    double* u = motion->u + bodies->first;
    u[-2] = s->mirror * u[0];
    u[n + 1] = s->mirror * u[n - 1];
    s->passes->pull(s, u, motion->d + bodies->first, n, out);
    u[-2] = u[n + 1] = 0;
    int32_t forced = motion->unforced ? 0 : bodies->forced_count;
    for (int32_t i = bodies->forced_first; i < bodies->forced_first + forced; i++)
        out[i] += s->admittance * motion->F[bodies->first + i];
}

static void solve(const body_group* bodies, double* x) {
    const banded_string* whole = bodies->data;
    sis_banded_solve(&whole->band, x);
}

// next = d + A^-1 (P u - 2 M d + admittance F)
static void fly(const body_group* bodies, const body_motion* motion) {
    const double* d = motion->d + bodies->first;
    double* next = motion->next + bodies->first;
    pull(bodies, motion, next);
    solve(bodies, next);
    for (int32_t i = 0; i < bodies->count; i++)
        next[i] += d[i];
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    const string_group* s = bodies->data;
    double* next = motion->next + bodies->first;
    (void)time;
    pull(bodies, motion, next);
    solve(bodies, next);
    s->passes->move(motion->d + bodies->first, motion->u + bodies->first, next, bodies->count);
}

static void admit(const body_group* bodies, const double* force, double* out) {
    const string_group* s = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++)
        out[i] = s->admittance * force[i];
    solve(bodies, out);
}

static void apply(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count) {
    const double* force = motion->link_force + bodies->first;
    double* scratch = motion->scratch + bodies->first;
    bool any = false;
    for (int32_t i = first; i < first + count; i++)
        any = any || force[i] != 0;
    if (!any) return;
    admit(bodies, force, scratch);
    for (int32_t i = 0; i < bodies->count; i++) {
        motion->next[bodies->first + i] += scratch[i];
        motion->u[bodies->first + i] += scratch[i];
    }
}

// A sample loses loss0 |t|^2 + loss1 |t_l - t_{l-1}|^2, where t = d + next is its travel, 0 at both
// ends: the sum of t_l ((loss0 + 2 loss1) t_l - 2 loss1 t_{l+1}), in one pass and one sum. (The
// place behind the last point is the string's own, and 0.)
static double lost_by(const string_group* s, int32_t count, const double* d, const double* next) {
    const double beside = 2 * s->loss1, here = s->loss0 + beside;
    double lost;
    if (s->loss0 == 0 && s->loss1 == 0) return 0;
#define TRAVEL(AT, j) (AT(d + i + (j)) + AT(next + i + (j)))
#define TERM(AT)      (TRAVEL(AT, 0) * (here * TRAVEL(AT, 0) - beside * TRAVEL(AT, 1)))
    SIS_SUM(lost, count, TERM);
#undef TERM
#undef TRAVEL
    return lost;
}

static body_work work(const body_group* bodies, const body_motion* motion) {
    return (body_work){body_supplied(bodies, motion),
                       lost_by(bodies->data, bodies->count, motion->d + bodies->first,
                               motion->next + bodies->first)};
}

// As an explicit string.
static void start(const body_group* bodies, const body_motion* motion, double k, double time) {
    (void)time;
    body_throw(bodies, motion, k);
    fly(bodies, motion);
    body_halve(bodies, motion);
}

const body_kind sis_banded_kind = {
    advance, apply, work, sis_string_energy, admit, false, false, sis_string_modulation, start};
