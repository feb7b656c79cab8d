// Stiff lossy string on a grid, rho u'' = T u_xx - EI u_xxxx - 2 rho (s0 - s1 d_xx) u'. The
// explicit scheme takes the s1 term backward in time:
//
//   d* = d + (P u + 2 s1k dxx d)/(1 + s0k) - drop d + F admittance/(1 + s0k)
//   H  = rho h/2 (|v|^2 - s1k |v_l - v_{l-1}|^2) + u.K u-/2,     stable while pull + 4 s1k + 4 bend
//   <= 1
//
// Ends: u = 0, and u_xx = 0 (supported: the ghost is -u_1) or u_x = 0 (clamped: the ghost is u_1).
#include "body/body.h"

// dxx u into out[0 .. count-1].
static void second_difference(const double* u, int32_t count, double* out) {
    if (count == 1) {
        out[0] = -2 * u[0];
        return;
    }
    out[0] = u[1] - 2 * u[0];
    for (int32_t i = 1; i < count - 1; i++)
        out[i] = (u[i - 1] - u[i]) + (u[i + 1] - u[i]);
    out[count - 1] = u[count - 2] - 2 * u[count - 1];
}

void sis_string_restore(const string_bank* s, int32_t count, const double* u, double* room,
                        double* out) {
    double *w = room, pull = s->pull, bend = s->bend;
    second_difference(u, count, w);
    // dxx u beyond the ends: 0, or 2 u_1 by the mirror.
    double left = s->clamped ? 2 * u[0] : 0, right = s->clamped ? 2 * u[count - 1] : 0;
    if (count == 1) {
        out[0] = pull * w[0] - bend * ((left - w[0]) + (right - w[0]));
        return;
    }
    out[0] = pull * w[0] - bend * ((left - w[0]) + (w[1] - w[0]));
    for (int32_t i = 1; i < count - 1; i++)
        out[i] = pull * w[i] - bend * ((w[i - 1] - w[i]) + (w[i + 1] - w[i]));
    out[count - 1] =
        pull * w[count - 1] - bend * ((w[count - 2] - w[count - 1]) + (right - w[count - 1]));
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    const string_bank* s = bank->data;
    int32_t count = bank->count;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    const double* F = motion->F + bank->first;
    double *free = motion->free + bank->first, *kick = motion->kick + bank->first;
    double* room = motion->travel + bank->first;
    double scale = 1 / (1 + s->s0k), drop = 2 * s->s0k * scale, push = s->admittance * scale;
    double late = 2 * s->s1k;
    sis_string_restore(s, count, u, room, kick);
    if (late > 0) {
        second_difference(d, count, room);
        for (int32_t i = 0; i < count; i++)
            kick[i] += late * room[i];
    }
    for (int32_t i = 0; i < count; i++) {
        kick[i] = scale * kick[i] - drop * d[i] + push * F[i];
        free[i] = d[i] + kick[i];
    }
}

double sis_string_dissipated(const string_bank* s, int32_t count, const double* travel) {
    double squares = 0, differences = travel[0] * travel[0] + travel[count - 1] * travel[count - 1];
    if (s->loss0 == 0 && s->loss1 == 0) return 0;
    for (int32_t i = 0; i < count; i++)
        squares += travel[i] * travel[i];
    for (int32_t i = 1; i < count; i++) {
        double step = travel[i] - travel[i - 1];
        differences += step * step;
    }
    return s->loss0 * squares + s->loss1 * differences;
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double *u = motion->u + bank->first, *d = motion->d + bank->first;
    double* travel = motion->travel + bank->first;
    const double *F = motion->F + bank->first, *kick = motion->kick + bank->first;
    const double* push = motion->push + bank->first;
    double D = s->admittance / (1 + s->s0k), supplied = 0;
    for (int32_t i = 0; i < bank->count; i++) {
        double next = d[i] + (kick[i] + D * push[i]);
        travel[i] = next + d[i];
        d[i] = next;
        u[i] += next;
        supplied += F[i] * travel[i];
    }
    return (body_work){0.5 * supplied, sis_string_dissipated(s, bank->count, travel)};
}

void sis_string_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                       double* elastic) {
    const string_bank* s = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    int32_t last = bank->count - 1;
    double squares = 0, differences = 0, slopes = 0, bends = 0;
    for (int32_t i = 0; i <= last + 1; i++) {
        // Node i and the interval to its left; beyond the ends everything rests.
        double now = i <= last ? u[i] - s->half * d[i] : 0;
        double was = i <= last ? now - (1 - 2 * s->half) * d[i] : 0;
        double before = i ? u[i - 1] - s->half * d[i - 1] : 0;
        double before_was = i ? before - (1 - 2 * s->half) * d[i - 1] : 0;
        double step = (i <= last ? d[i] : 0) - (i ? d[i - 1] : 0);
        squares += i <= last ? d[i] * d[i] : 0;
        differences += step * step;
        slopes += (now - before) * (was - before_was);
        if (i > last) break;
        double next = i < last ? u[i + 1] - s->half * d[i + 1] : 0;
        double next_was = i < last ? next - (1 - 2 * s->half) * d[i + 1] : 0;
        bends += ((before - now) + (next - now)) * ((before_was - was) + (next_was - was));
        if (s->clamped && i == 0) bends += 2 * now * was;
        if (s->clamped && i == last) bends += 2 * now * was;
    }
    *kinetic += 0.5 * s->mass * s->inverse_k * s->inverse_k * (squares + s->cross * differences);
    *elastic += 0.5 * (s->tension * slopes + s->stiffness * bends);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    double D = s->admittance / (1 + s->s0k);
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = D * force[i];
}

// From rest: half the kick of a full step.
void sis_string_start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k;
    bank->kind->advance(bank, motion, time);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->free[i] = 0.5 * motion->kick[i];
}

void sis_string_stretch(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double* column = motion->column + bank->first;
    second_difference(motion->u + bank->first, bank->count, column);
    for (int32_t i = 0; i < bank->count; i++)
        column[i] *= -s->inverse_h;
}

const body_kind sis_string_kind = {
    advance, accept, sis_string_energy, admit, true, sis_string_stretch, sis_string_start};
