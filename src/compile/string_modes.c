// Modes of a stiff string; further below those of its grids, and what a grid is given so that it
// rings and decays as its string does.
//
// Modes of the string, exactly. Supported: sines. Clamped, about the middle y = x - a, a = L/2:
//
//   odd p    phi = cos(k1 y) - cos(k1 a) C(y),  C = cosh(k2 y)/cosh(k2 a),  k1 tan(k1 a) + k2 t = 0
//   even p   phi = sin(k1 y) - sin(k1 a) C(y),  C = sinh(k2 y)/sinh(k2 a),  k2 tan(k1 a) - k1 t = 0
//
// with t = tanh(k2 a) and k2^2 - k1^2 = T/EI. Below, e stands for cos(k1 a) or sin(k1 a).
#include "base/power.h"
#include "compile/plan.h"

#include <math.h>

// Wave numbers of a stiff string at w: k1 of the wave, k2 of the decay from a clamp.
static void wave_numbers(const string_spec* f, double w, double* k1, double* k2) {
    double T = f->tension, B = 2 * f->stiffness;
    double root = sqrt(T * T + 2 * B * f->density * w * w);
    *k1 = sqrt(2 * f->density * w * w / (T + root)); // (root - T)/B without cancellation
    *k2 = sqrt((T + root) / B);
}

// 0 at a partial. The branch of k1 a is between (p - 1) pi/2 and (p + 1) pi/2, past its middle.
static double clamped_residual(const string_spec* f, int32_t p, double w) {
    double k1, k2, half = 0.5 * f->length;
    wave_numbers(f, w, &k1, &k2);
    double sine = sis_sin(k1 * half), cosine = sis_cos(k1 * half), decay = sis_tanh(k2 * half);
    double value = p % 2 ? k1 * sine + k2 * decay * cosine : k2 * sine - k1 * decay * cosine;
    return (p % 4 == 1 || p % 4 == 2) ? value : -value;
}

static double frequency_of_wave(const string_spec* f, double k1) {
    return k1 * sqrt((f->tension + f->stiffness * k1 * k1) / f->density);
}

double sis_string_partial(const string_spec* f, int32_t p) {
    if (f->ends == SIS_ENDS_SUPPORTED) return frequency_of_wave(f, p * PI / f->length);
    double low = frequency_of_wave(f, p * PI / f->length);
    double high = frequency_of_wave(f, (p + 1) * PI / f->length);
    double sign = clamped_residual(f, p, low * (1 + 1e-12));
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if ((clamped_residual(f, p, middle) > 0) == (sign > 0))
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Wave number of a wave of w rad/s, squared.
static double wave_square(const string_spec* f, double w) {
    double T = f->tension, r = f->density;
    return 2 * r * w * w / (T + sqrt(T * T + 4 * f->stiffness * r * w * w));
}

string_mode sis_string_mode_of(const string_spec* f, int32_t p) {
    double half = 0.5 * f->length;
    string_mode m = {.p = p, .clamped = f->ends == SIS_ENDS_CLAMPED, .half = half};
    m.w = sis_string_partial(f, p);
    m.k1 = p * PI / f->length;
    if (!m.clamped) return m;
    wave_numbers(f, m.w, &m.k1, &m.k2);
    m.edge = p % 2 ? sis_cos(m.k1 * half) : sis_sin(m.k1 * half);
    return m;
}

// The integral of C_p C_q: 2 (k2p g_p - k2q g_q)/(k2p^2 - k2q^2), g = t or 1/t, without
// cancellation.
static double layers(const string_mode* p, const string_mode* q) {
    double a = p->k2, b = q->k2, half = p->half, apart = fabs(a - b);
    double ea = sis_exp(-2 * a * half), eb = sis_exp(-2 * b * half), sign = p->p % 2 ? 1 : -1;
    double ga = (1 - sign * ea) / (1 + sign * ea), gb = (1 - sign * eb) / (1 + sign * eb);
    // sinh(|a - b| L/2)/|a - b|, over cosh cosh or sinh sinh
    double small = apart * half < 1e-8 ? half : 0.5 * (1 - sis_exp(-2 * apart * half)) / apart;
    double less = fmin(a, b);
    double turn = 4 * small * sis_exp(-2 * less * half) / ((1 + sign * ea) * (1 + sign * eb));
    return sign * turn + (ga + gb) / (a + b);
}

double sis_mode_square(const string_mode* m) {
    if (!m->clamped) return m->half;
    double turn = 0.5 * sis_sin(2 * m->k1 * m->half) / m->k1;
    return m->half + (m->p % 2 ? turn : -turn) + m->edge * m->edge * layers(m, m);
}

// phi'' = -k1^2 phi - e (k1^2 + k2^2) C, and phi_p, phi_q are orthogonal.
double sis_mode_slopes(const string_mode* p, const string_mode* q) {
    if (!p->clamped) return p->p == q->p ? p->half * square(p->k1) : 0;
    if ((p->p + q->p) % 2) return 0;
    double P = square(p->k1) + square(p->k2), Q = square(q->k1) + square(q->k2);
    double bent = p->edge * q->edge * P * (Q / (square(q->k1) + square(p->k2))) * layers(p, q);
    return (p->p == q->p ? square(p->k1) * sis_mode_square(p) : 0) - bent;
}

// ---------------------------------------------------------------------------- projections

// Integrals of g phi between clamps, from that of g with the wave cos(k1 x + phase) and those with
// the two layers, exp(-k2 x) and exp(-k2 (L - x)).
static double phase_of(const string_mode* m) {
    return -m->k1 * m->half - (m->p % 2 ? 0 : 0.5 * PI);
}

static double join(const string_mode* m, double wave, double left, double right) {
    double sign = m->p % 2 ? 1 : -1, full = sis_exp(-2 * m->k2 * m->half);
    return wave - m->edge * (right + sign * left) / (1 + sign * full);
}

double sis_mode_flat(const string_mode* m) {
    double L = 2 * m->half, phase = phase_of(m), layer = (1 - sis_exp(-m->k2 * L)) / m->k2;
    return join(m, (sis_sin(m->k1 * L + phase) - sis_sin(phase)) / m->k1, layer, layer);
}

// Of a tent with its peak 1 at x: slopes 1/x and -1/(L - x).
static double layer_of_tent(const string_mode* m, double x) {
    double L = 2 * m->half, peak = sis_exp(-m->k2 * x), end = sis_exp(-m->k2 * L);
    return ((1 - peak) / x + (end - peak) / (L - x)) / square(m->k2);
}

double sis_mode_tent(const string_mode* m, double x) {
    double L = 2 * m->half, phase = phase_of(m), peak = sis_cos(m->k1 * x + phase);
    double wave = (peak - sis_cos(phase)) / x - (sis_cos(m->k1 * L + phase) - peak) / (L - x);
    return join(m, wave / square(m->k1), layer_of_tent(m, x), layer_of_tent(m, L - x));
}

// Of (1 + cos)/2 about x, this wide.
static double layer_of_bump(const string_mode* m, double x, double width) {
    double kappa2 = square(2 * PI / width), k2 = m->k2;
    double edges = sis_exp(-k2 * (x - 0.5 * width)) - sis_exp(-k2 * (x + 0.5 * width));
    return 0.5 * edges * kappa2 / (k2 * (kappa2 + k2 * k2));
}

double sis_mode_bump(const string_mode* m, double x, double width) {
    double kappa = 2 * PI / width, apart = square(kappa) - square(m->k1);
    double part = fabs(apart) < 1e-9 * square(kappa)
                      ? 0.25 * width
                      : sis_sin(0.5 * m->k1 * width) * square(kappa) / (m->k1 * apart);
    return join(m, sis_cos(m->k1 * x + phase_of(m)) * part, layer_of_bump(m, x, width),
                layer_of_bump(m, 2 * m->half - x, width));
}

// Of samples at 0, L/n, .. L, straight between them; `step`: 1 from the first on, -1 from the last.
static double layer_of_samples(const string_mode* m, const double* g, int32_t n, int32_t step) {
    double h = 2 * m->half / n, t = m->k2 * h, decay = sis_exp(-t), left = 1, sum = 0;
    // integrals of (1 - s) exp(-t s) and of s exp(-t s) over 0 .. 1
    double here = t < 1e-2 ? 0.5 - t / 6 + t * t / 24 : (t - 1 + decay) / (t * t);
    double next = t < 1e-2 ? 0.5 - t / 3 + t * t / 8 : (1 - (1 + t) * decay) / (t * t);
    for (int32_t j = 0; j < n && left > 1e-18; j++, left *= decay, g += step)
        sum += left * (here * g[0] + next * g[step]);
    return h * sum;
}

// The wave by Filon's rule, whose weights the caller has: of the ends, of even and of odd samples.
double sis_mode_samples(const string_mode* m, const double* g, int32_t n, const double weight[3]) {
    double h = 2 * m->half / n, phase = phase_of(m), sums[2] = {0, 0};
    for (int32_t j = 0; j <= n; j++)
        sums[j % 2] += (j == 0 || j == n ? 0.5 : 1) * g[j] * sis_cos(m->k1 * h * j + phase);
    double ends = g[n] * sis_sin(m->k1 * h * n + phase) - g[0] * sis_sin(phase);
    double wave = h * (weight[0] * ends + weight[1] * sums[0] + weight[2] * sums[1]);
    return join(m, wave, layer_of_samples(m, g, n, 1), layer_of_samples(m, g + n, n, -1));
}

// ---------------------------------------------------------------------------- losses

// What sigma1 weighs at w: the integral of phi'^2 over that of phi^2. That is the wave number
// squared between supported ends; clamps change it a little, which is taken from the partials
// around w.
double sis_string_loss_weight(const string_spec* f, double w) {
    double beta2 = wave_square(f, w), part[2], at[2];
    if (f->ends != SIS_ENDS_CLAMPED) return beta2;
    int32_t p = (int32_t)fmin(fmax(sqrt(beta2) * f->length / PI, 1), 1e6);
    if (p > 1 && sis_string_partial(f, p) > w) p--;
    for (int i = 0; i < 2; i++) {
        string_mode m = sis_string_mode_of(f, p + i);
        part[i] = sis_mode_slopes(&m, &m) / sis_mode_square(&m) / square(m.k1);
        at[i] = m.w;
    }
    double on = fmax(0, fmin(1, (w - at[0]) / (at[1] - at[0])));
    return beta2 * (part[0] + on * (part[1] - part[0]));
}

// ---------------------------------------------------------------------------- modes of grids

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

// ---------------------------------------------------------------------------- losses of grids

// Asked for: sigma = s0 + s1 beta^2. With X = -dxx of the grid, L its mass and M = s0' + s1' X a
// partial decays by tanh(sigma k) = k M/L in each step; the explicit string, whose s1 is late, by
// exp(-2 sigma k) = (1 - k s0' - 2 k s1' X)/(1 + k s0'). L is 1 + gamma h^2 X/4, of the trapezoid
// 1/cos^2(w k/2).
typedef struct loss_point {
    double x, m; // M = s0' + s1' x must be m
} loss_point;

static loss_point loss_at(const string_spec* f, double frequency, double t60, double k,
                          double held) {
    double w = 2 * PI * frequency, sigma = 3 * sis_log(10) / t60, beta = sqrt(wave_square(f, w));
    double X = held * 4 * square(sis_sin(0.5 * fmin(beta * f->h, PI)) / f->h);
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

// Is the energy positive for every shape, at every tension of its range? As many modes are below 4
// as there are points. K is linear in T and EI', and EI' is concave in T: between two tensions K is
// at most what the line gives that touches EI' at the lower one.
static bool is_below(const string_spec* f, string_group s, double T, double stiffness, double k) {
    const int32_t n = f->segments - 1;
    sis_string_tighten(f, T, stiffness, k, &s);
    return sis_string_below(&s, n, 4 * (1 - LEAST_MARGIN)) == n;
}

// The piece from `low` on, this long, with the larger mirror of its ends.
static bool holds_between(const string_spec* f, string_group s, double low, double length,
                          double k) {
    enum { PARTS = 4 };
    for (int i = 0; i < PARTS; i++) {
        double part = length / PARTS, T = low + i * part, tiny = 1e-6 * part;
        double here = sis_string_stiffness(f, T, k);
        double slope = (sis_string_stiffness(f, T + tiny, k) - here) / tiny;
        if (!is_below(f, s, T, here, k) || !is_below(f, s, T + part, here + slope * part, k))
            return false;
    }
    return true;
}

static bool holds_clamped(const string_spec* f, string_group s, double k, double rate) {
    double tension[LIVE_NODES], mirror[LIVE_NODES];
    const bool safe = s.half > 0; // whatever its stiffness
    if (!safe && !is_below(f, s, f->tension, f->used, k)) return false;
    const int32_t pieces = f->key ? sis_string_mirrors(f, k, rate, tension, mirror) : 0;
    for (int32_t p = 0; p < pieces && !safe; p++) {
        s.mirror = fmax(mirror[p], mirror[p + 1]);
        if (!holds_between(f, s, tension[p], tension[p + 1] - tension[p], k)) return false;
    }
    return pieces || !f->key;
}

// u beyond the clamp is mirror u_1: a spring at the first point, which is how a clamp feels to a
// grid whose segments are longer than it reaches. The published clamp has mirror = 1, which is off
// by order h^2 and more where EI' is not EI. The mirror for which the first partial is right
// follows from its shape: u_-1/u_1. Ends are the same to other partials, which are right too, as
// far as the grid has them.
// `def`: losses are found as well, NULL: they stay.
static bool find_mirror(string_spec* f, const sis_string_def* def, double k, double rate) {
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
        if (def) sis_string_losses(f, def, k, slopes / square(first.k1), weight / x);
        s = sis_string_constants(f, k, rate);
        double L = 1 + s.cross * weight, M = s.s0k + s.s1k * weight;
        if (s.half > 0) L = 1 / (1 - 0.25 * lambda);
        lossy = square(M / L) / (1 + sqrt(fmax(0, 1 - square(M / L))));
        if (!(f->mirror > -1 && isfinite(f->mirror) && M < L)) return false;
    }
    return true;
}

int32_t sis_string_mirrors(const string_spec* f, double k, double rate, double* tension,
                           double* mirror) {
    const int32_t pieces = sis_tension_pieces(f->low, f->tension, f->top, tension);
    for (int32_t i = 0; i <= pieces; i++) {
        string_spec trial = *f;
        trial.tension = tension[i];
        trial.used = sis_string_stiffness(f, tension[i], k);
        if (!find_mirror(&trial, NULL, k, rate)) return 0;
        mirror[i] = tension[i] == f->tension ? f->mirror : trial.mirror;
    }
    return pieces;
}

bool sis_string_clamp(string_spec* f, const sis_string_def* def, double k, double rate) {
    if (!find_mirror(f, def, k, rate)) return false;
    f->fitted = holds_clamped(f, sis_string_constants(f, k, rate), k, rate);
    return f->fitted;
}
