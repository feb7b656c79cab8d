// Point mass, u'' + R u' + w0^2 u = F/M with s0 = R/2:
//
//   H = M/2 (d/k)^2 + M w0^2/2 u u-,    Q = M R (delta_t. u)^2,    stable while w0 k < 2
#include "body/body.h"

// An increment no instrument makes, m: a mass that would is stopped, so that nothing ever
// overflows.
static const double FARTHEST = 1e50;

// d + change with the rounding error of the sum kept for the next sample (Knuth's two-sum): a
// steady kick far smaller than d would otherwise round the same way every time and drift.
static double add_keeping(double d, double change, double* rest) {
    double next = d + change, part = next - d;
    *rest = (d - (next - part)) + (change - part);
    if (next < FARTHEST && next > -FARTHEST) return next;
    return *rest = 0;
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    const mass_bank* m = bank->data;
    double *u = motion->u + bank->first, *next = motion->next + bank->first;
    const double *d = motion->d + bank->first, *F = motion->F + bank->first;
    double* rest = motion->rest + bank->first;
    for (int32_t i = 0; i < bank->count; i++) {
        double kick = m->Dinv[i] * (F[i] - m->stiffness[i] * u[i]) - m->drop[i] * d[i];
        next[i] = add_keeping(d[i], kick + rest[i], &rest[i]);
        u[i] += next[i];
    }
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const mass_bank* m = bank->data;
    double *u = motion->u + bank->first, *next = motion->next + bank->first;
    double *rest = motion->rest + bank->first, *push = motion->push + bank->first;
    for (int32_t i = first; i < first + count; i++) {
        if (push[i] == 0) continue;
        double before = next[i];
        next[i] = add_keeping(before, m->Dinv[i] * push[i] + rest[i], &rest[i]);
        u[i] += next[i] - before;
    }
}

static body_work work(const body_bank* bank, const body_motion* motion) {
    const mass_bank* m = bank->data;
    const double *d = motion->d + bank->first, *next = motion->next + bank->first;
    const double* F = motion->F + bank->first;
    body_work done = {0, 0};
    for (int32_t i = 0; i < bank->count; i++) {
        double travel = next[i] + d[i];
        done.supplied += 0.5 * F[i] * travel;
        done.dissipated += m->loss[i] * travel * travel;
    }
    return done;
}

static void energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                   double* elastic) {
    const mass_bank* m = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    for (int32_t i = 0; i < bank->count; i++) {
        double v = d[i] * m->inverse_k;
        *kinetic += 0.5 * m->mass[i] * v * v;
        *elastic += 0.5 * m->stiffness[i] * u[i] * (u[i] - d[i]);
    }
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const mass_bank* m = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = m->Dinv[i] * force[i];
}

// Modes of a string: S = sum L/2 beta^2 q^2 is the integral of u_x^2.
static void stretch(const body_bank* bank, const body_motion* motion) {
    const mass_bank* m = bank->data;
    for (int32_t i = 0; i < bank->count && m->stretch; i++)
        motion->column[bank->first + i] = m->stretch[i] * motion->u[bank->first + i];
}

// u^1 = u^0 + k v^0 + k^2/2 u''(0), with the damping taken at the middle of the step: half the
// Dinv.
static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)time;
    const mass_bank* m = bank->data;
    for (int32_t i = 0; i < bank->count; i++) {
        int32_t at = bank->first + i;
        double damped = 1 - 0.5 * m->drop[i]; // 1/(1 + s0 k)
        motion->next[at] = 0.5 * m->Dinv[i] * (motion->F[at] - m->stiffness[i] * motion->u[at]) +
                           damped * k * motion->d[at];
    }
}

const body_kind sis_mass_kind = {advance, give, work, energy, admit, true, false, stretch, start};
