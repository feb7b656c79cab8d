// What a grid is given so that it rings and decays as its string does: losses, and clamps.
#include "base/power.h"
#include "compile/plan.h"

#include <math.h>

// ---------------------------------------------------------------------------- losses

// Asked for: sigma = s0 + s1 beta^2. With X = -dxx of the grid, L its mass and M = s0' + s1' X a
// partial decays by tanh(sigma k) = k M/L in each step; the explicit string, whose s1 is late, by
// exp(-2 sigma k) = (1 - k s0' - 2 k s1' X)/(1 + k s0'). L is 1 + gamma h^2 X/4, of the trapezoid
// 1/cos^2(w k/2).
typedef struct loss_point {
    double x, m; // M = s0' + s1' x must be m
} loss_point;

static loss_point loss_at(const string_spec* f, double frequency, double t60, double k,
                          double held) {
    double w = 2 * PI * frequency, sigma = 3 * sis_log(10) / t60, r = f->density, T = f->tension;
    double beta2 = 2 * r * w * w / (T + sqrt(T * T + 4 * f->stiffness * r * w * w));
    double X = held * 4 * square(sis_sin(0.5 * fmin(sqrt(beta2) * f->h, PI)) / f->h);
    loss_point p = {X, sis_tanh(sigma * k) / k};
    if (f->model == SIS_STRING_FD) p.x *= 2 / (1 + sis_exp(-2 * sigma * k));
    if (f->model == SIS_STRING_IMPLICIT) p.m *= 1 + 0.25 * f->gamma * square(f->h) * X;
    if (f->model == SIS_STRING_TRAPEZOID) p.m /= square(sis_cos(0.5 * fmin(w * k, 0.9 * PI)));
    return p;
}

void sis_string_losses(string_spec* f, const sis_string_def* def, double k, double own,
                       double held) {
    f->s0_used = f->s0;
    f->s1_used = f->s1;
    if (!f->tuned || f->model == SIS_STRING_MODAL) return;
    // To first order in X: s0 is to be s0 L. (M is not negative on any mode, since gamma > -1.)
    double mass = f->model == SIS_STRING_TRAPEZOID ? 0.25 * f->tension / f->density * k * k
                                                   : 0.25 * f->gamma * square(f->h);
    f->s1_used = f->s1 * own / held + mass * f->s0;
    if (def->t60.count < 2) return;
    // Exactly where it was asked for, if the grid has waves like that.
    const double* pair = def->t60.points;
    loss_point a = loss_at(f, pair[0], pair[1], k, held), b = loss_at(f, pair[2], pair[3], k, held);
    double most = 0.9 * 4 / square(f->h), s1 = (b.m - a.m) / (b.x - a.x), s0 = a.m - s1 * a.x;
    bool late = f->model == SIS_STRING_FD && s1 < 0;
    if (!(a.x < most && b.x < most && s0 >= 0 && s0 + 4 * s1 / square(f->h) >= 0) || late) return;
    f->s0_used = s0;
    f->s1_used = s1;
}

// ---------------------------------------------------------------------------- clamps

// A mode of a grid: with lambda = 2 - 2 cos(turn) sqrt(1 - (M/L)^2) it has K u = lambda L u, so
// that it is made of waves with bend x^2 + (pull - lambda cross) x = lambda (trapezoid: lambda/(1 -
// lambda/4)): x = 4 sin^2(a/2) and x = -4 sinh^2(b/2). The first one is even about the middle and 0
// at both ends,
//   u_j = cos(a (j - N/2)) - cos(a N/2) cosh(b (j - N/2))/cosh(b N/2).
typedef struct grid_mode {
    double a, b, middle, edge;
} grid_mode;

// 2 asinh(sqrt(x)/2)
static double decay_of(double x) {
    double half = 0.5 * sqrt(x);
    return 2 * sis_log1p(half + half * half / (1 + sqrt(1 + half * half)));
}

static grid_mode mode_with(const string_group* s, int32_t segments, double lambda) {
    double cross = s->half > 0 ? 0 : s->cross, K = lambda / (1 - lambda * s->half * s->half);
    double slope = s->pull - lambda * cross, root = sqrt(slope * slope + 4 * s->bend * K);
    double wave = 2 * K / (slope + root), decay = (slope + root) / (2 * s->bend);
    grid_mode m = {2 * sis_asin(0.5 * sqrt(wave)), decay_of(decay), 0.5 * segments, 0};
    m.edge = sis_cos(m.a * m.middle);
    return m;
}

static double mode_point(const grid_mode* m, double j) {
    double y = fabs(j - m->middle), full = sis_exp(-2 * m->b * m->middle);
    double layer = sis_exp(m->b * (y - m->middle)) * (1 + sis_exp(-2 * m->b * y)) / (1 + full);
    return sis_cos(m->a * y) - m->edge * layer;
}

// How it weighs sigma1: |u_j - u_{j-1}|^2/|u|^2.
static double mode_weight(const grid_mode* m, int32_t segments) {
    double before = 0, slopes = 0, squares = 0;
    for (int32_t j = 1; j <= segments; j++) {
        double here = j == segments ? 0 : mode_point(m, j);
        slopes += square(here - before);
        squares += here * here;
        before = here;
    }
    return slopes / squares;
}

// u beyond the clamp is mirror u_1: a spring at the first point, which is how a clamp feels to a
// grid whose segments are longer than it reaches. The published clamp has mirror = 1, which is off
// by order h^2 and more where EI' is not EI. The mirror for which the first partial is right
// follows from its shape: u_-1/u_1. Ends are the same to other partials, which are right too, as
// far as the grid has them.
bool sis_string_clamp(string_spec* f, const sis_string_def* def, double k, double rate) {
    string_mode first = sis_string_mode_of(f, 1);
    int32_t n = f->segments;
    double slopes = sis_mode_slopes(&first, &first) / sis_mode_square(&first);
    double sigma = f->s0 + f->s1 * slopes;
    double turn = sqrt(fmax(0, square(first.w) - sigma * sigma)) * k;
    double x = 4 * square(sis_sin(0.5 * first.k1 * f->h)), weight = x, lossy = 0;
    string_group s = sis_string_constants(f, k, rate);
    if (!(f->used > 0 && turn < PI)) return false;
    for (int i = 0; i < 4; i++) {
        // 2 - 2 cos(turn) (1 - lossy), without cancellation
        double lambda = 4 * square(sis_sin(0.5 * turn)) + 2 * sis_cos(turn) * lossy;
        grid_mode mode = mode_with(&s, n, lambda);
        f->mirror = mode_point(&mode, -1) / mode_point(&mode, 1);
        weight = mode_weight(&mode, n);
        sis_string_losses(f, def, k, slopes / square(first.k1), weight / x);
        s = sis_string_constants(f, k, rate);
        double L = 1 + s.cross * weight, M = s.s0k + s.s1k * weight;
        if (s.half > 0) L = 1 / (1 - 0.25 * lambda);
        lossy = square(M / L) / (1 + sqrt(fmax(0, 1 - square(M / L))));
        if (!(f->mirror > -1 && isfinite(f->mirror) && M < L)) return false;
    }
    // Is the energy positive for every shape? As many modes are below 4 as there are points.
    if (s.half > 0) return true;
    return sis_string_below(&s, n - 1, 4 * (1 - LEAST_MARGIN)) == n - 1;
}
