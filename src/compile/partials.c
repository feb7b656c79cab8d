// Partials of strings: what the string rings at, and what its model rings at. Losses are left out.
#include "compile/plan.h"

#include <math.h>

// Wave numbers of a stiff string at w: k1 of the wave, k2 of the decay from a clamp.
static void wave_numbers(const string_form* f, double w, double* k1, double* k2) {
    double T = f->tension, B = 2 * f->stiffness;
    double root = sqrt(T * T + 2 * B * f->density * w * w);
    *k1 = sqrt(2 * f->density * w * w / (T + root)); // (root - T)/B without cancellation
    *k2 = sqrt((T + root) / B);
}

// Clamped at both ends, about the middle: odd p are even shapes with k1 tan(k1 L/2) + k2 tanh(k2
// L/2) = 0, even p odd shapes with k2 tan(k1 L/2) - k1 tanh(k2 L/2) = 0. The branch of k1 L/2 is
// between (p - 1) pi/2 and (p + 1) pi/2, past its middle.
static double clamped_residual(const string_form* f, int32_t p, double w) {
    double k1, k2, half = 0.5 * f->length;
    wave_numbers(f, w, &k1, &k2);
    double sine = sin(k1 * half), cosine = cos(k1 * half), decay = tanh(k2 * half);
    double value = p % 2 ? k1 * sine + k2 * decay * cosine : k2 * sine - k1 * decay * cosine;
    return (p % 4 == 1 || p % 4 == 2) ? value : -value;
}

static double frequency_of_wave(const string_form* f, double k1) {
    return k1 * sqrt((f->tension + f->stiffness * k1 * k1) / f->density);
}

double sis_string_partial(const string_form* f, int32_t p) {
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

double sis_string_mode(const string_form* f, int32_t p, double x) {
    if (f->ends == SIS_ENDS_SUPPORTED) return sin(p * PI * x / f->length);
    double k1, k2, half = 0.5 * f->length, y = x - half;
    wave_numbers(f, sis_string_partial(f, p), &k1, &k2);
    // cosh(k2 y)/cosh(k2 L/2) and sinh/sinh without overflow
    double near = exp(k2 * (fabs(y) - half)), far = exp(-k2 * (fabs(y) + half));
    double full = exp(-2 * k2 * half);
    if (p % 2) return cos(k1 * y) - cos(k1 * half) * (near + far) / (1 + full);
    double odd = (near - far) / (1 - full);
    return sin(k1 * y) - sin(k1 * half) * (y < 0 ? -odd : odd);
}

// ---------------------------------------------------------------------------- of the models

// How many eigenvalues of K x = lambda L x are below lambda, by the signs of the pivots of K -
// lambda L. In units of rho h/k^2: K = -pull dxx + bend dxxxx, L = 1 - cross dxx or 1 + K/4.
static int32_t below(const string_bank* s, int32_t n, double lambda) {
    double k_part = 1 - lambda * s->half * s->half, cross = s->half > 0 ? 0 : s->cross;
    double d1 = 0, d2 = 0, a1 = 0, b1 = 0, b2 = 0; // pivots and rows above
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        double edge = (i == 0) + (i == n - 1), centre = 6 + (s->clamped ? edge : -edge);
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

// lambda of the p-th mode of a grid, losses left out.
static double eigenvalue(const string_form* f, string_bank s, int32_t p) {
    s.cross = f->model == SIS_STRING_IMPLICIT ? 0.25 * f->gamma : 0;
    if (f->ends == SIS_ENDS_SUPPORTED) {
        double x = 4 * square(sin(0.5 * p * PI / f->segments));
        double K = s.pull * x + s.bend * x * x;
        return K / (1 + s.cross * x + s.half * s.half * K);
    }
    double low = 0, high = 4.0001;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (below(&s, f->segments - 1, middle) >= p)
            high = middle;
        else
            low = middle;
    }
    return low;
}

// What the first mode of a grid rings at with its losses, rad per step: with K = lambda L and M its
// loss, (L + M) z^2 - (2 L - K) z + (L - M) = 0. The loss sigma1 of explicit strings is in L too.
double sis_string_first_turn(const string_form* f, const string_bank* s) {
    double lambda = eigenvalue(f, *s, 1), k1 = PI / f->length, k2;
    double w = sis_string_partial(f, 1);
    if (f->ends != SIS_ENDS_SUPPORTED) wave_numbers(f, w, &k1, &k2);
    double x = 4 * square(sin(0.5 * k1 * f->h)), M = s->s0k + s->s1k * x;
    double L = 1, scale = 1; // of lambda: L without losses
    if (f->model == SIS_STRING_IMPLICIT) scale = L = 1 + 0.25 * f->gamma * x;
    if (f->model == SIS_STRING_FD) L = 1 - s->s1k * x;
    if (f->model == SIS_STRING_TRAPEZOID) scale = L = 1 / (1 - s->half * s->half * lambda);
    double turn = (2 * L - lambda * scale) / (2 * sqrt(fmax(L * L - M * M, 1e-300)));
    return acos(fmax(-1, fmin(1, turn)));
}

// sin^2(w k/2) = lambda/4 for the two-step scheme; the trapezoid has its K/4 in L.
static double model_partial(const sis_system* system, const string_form* f, int32_t p) {
    const body_bank* bank = &system->banks[f->bank];
    if (f->model == SIS_STRING_MODAL) {
        if (f->tuned) return sis_string_partial(f, p);
        const mass_bank* m = bank->data;
        return 2 * system->rate *
               asin(fmin(1, 0.5 * system->k * sqrt(m->stiffness[p - 1] / m->mass[p - 1])));
    }
    double lambda = eigenvalue(f, *(const string_bank*)bank->data, p);
    return 2 * system->rate * asin(fmin(1, 0.5 * sqrt(lambda)));
}

bool sis_system_partial(const sis_system* system, int32_t body, int32_t p, double* rings,
                        double* exact) {
    for (int32_t i = 0; i < system->string_count; i++) {
        const string_form* f = &system->strings[i];
        if (f->body != body || p < 1 || p > sis_string_modes(f)) continue;
        *rings = model_partial(system, f, p) / (2 * PI);
        *exact = sis_string_partial(f, p) / (2 * PI);
        return true;
    }
    for (int32_t i = 0; i < system->plate_count; i++)
        if (system->plates[i].body == body)
            return sis_plate_partial(system, &system->plates[i], p, rings, exact);
    for (int32_t i = 0; i < system->modal_count; i++) {
        const modal_form* f = &system->modals[i];
        if (f->body != body || p < 1 || p > f->modes) continue;
        *rings = *exact = f->frequency[p - 1];
        return true;
    }
    return false;
}
