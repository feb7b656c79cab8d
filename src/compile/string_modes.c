// Modes of a stiff string, exactly. Supported: sines. Clamped, about the middle y = x - a, a = L/2:
//
//   odd p    phi = cos(k1 y) - cos(k1 a) C(y),  C = cosh(k2 y)/cosh(k2 a),  k1 tan(k1 a) + k2 t = 0
//   even p   phi = sin(k1 y) - sin(k1 a) C(y),  C = sinh(k2 y)/sinh(k2 a),  k2 tan(k1 a) - k1 t = 0
//
// with t = tanh(k2 a) and k2^2 - k1^2 = T/EI. Below, e stands for cos(k1 a) or sin(k1 a).
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
