// Point mass, u'' + R u' + w0^2 u = F/M with s0 = R/2:
//
//   H = M/2 (d/k)^2 + M w0^2/2 u u-,    Q = M R (delta_t. u)^2,    stable while w0 k < 2
#include "body/body.h"

// An increment no instrument makes, m: a mass that would is stopped, so that nothing ever
// overflows.
static const double FARTHEST = 1e50;

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    const mass_bank* m = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    const double* F = motion->F + bank->first;
    double* kick = motion->kick + bank->first;
    for (int32_t i = 0; i < bank->count; i++)
        kick[i] = m->Dinv[i] * (F[i] - m->stiffness[i] * u[i]) - m->drop[i] * d[i];
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    const mass_bank* m = bank->data;
    double *u = motion->u + bank->first, *d = motion->d + bank->first;
    double* travel = motion->travel + bank->first;
    const double *F = motion->F + bank->first, *kick = motion->kick + bank->first;
    const double* push = motion->push + bank->first;
    double* rest = motion->rest + bank->first;
    body_work work = {0, 0};
    for (int32_t i = 0; i < bank->count; i++) {
        // d + change, with the rounding error of the sum kept for the next sample (Knuth's
        // two-sum): a steady kick far smaller than d would otherwise round the same way every time
        // and drift.
        double change = kick[i] + m->Dinv[i] * push[i] + rest[i];
        double next = d[i] + change, part = next - d[i];
        rest[i] = (d[i] - (next - part)) + (change - part);
        if (!(next < FARTHEST && next > -FARTHEST)) next = rest[i] = 0;
        travel[i] = next + d[i];
        d[i] = next;
        u[i] += next;
        work.supplied += 0.5 * F[i] * travel[i];
        work.dissipated += m->loss[i] * travel[i] * travel[i];
    }
    return work;
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
        motion->kick[at] = 0.5 * m->Dinv[i] * (motion->F[at] - m->stiffness[i] * motion->u[at]) +
                           damped * k * motion->d[at];
    }
}

const body_kind sis_mass_kind = {advance, accept, energy, admit, true, stretch, start};
