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
SIS_INLINE void second_difference(const double* restrict u, int32_t count, double* restrict out) {
    if (count == 1) {
        out[0] = -2 * u[0];
        return;
    }
    out[0] = u[1] - 2 * u[0];
    for (int32_t i = 1; i < count - 1; i++)
        out[i] = (u[i - 1] - u[i]) + (u[i + 1] - u[i]);
    out[count - 1] = u[count - 2] - 2 * u[count - 1];
}

// P u into out; w is room for dxx u.
SIS_INLINE void restore_by(const string_bank* s, int32_t count, const double* u, double* restrict w,
                           double* restrict out) {
    double pull = s->pull, bend = s->bend;
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

void sis_string_restore(const string_bank* s, int32_t count, const double* u, double* w,
                        double* out) {
    restore_by(s, count, u, w, out);
}

SIS_INLINE void advance_by(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    int32_t count = bank->count;
    const double *u = motion->u + bank->first, *restrict d = motion->d + bank->first;
    const double* restrict F = motion->F + bank->first;
    double* restrict kick = motion->kick + bank->first;
    double* restrict room = motion->travel + bank->first;
    double scale = 1 / (1 + s->s0k), drop = 2 * s->s0k * scale, push = s->admittance * scale;
    double late = 2 * s->s1k;
    restore_by(s, count, u, room, kick);
    if (late > 0) {
        second_difference(d, count, room);
        for (int32_t i = 0; i < count; i++)
            kick[i] += late * room[i];
    }
    if (s->s0k > 0)
        for (int32_t i = 0; i < count; i++)
            kick[i] = scale * kick[i] - drop * d[i];
    if (s->forced)
        for (int32_t i = 0; i < count; i++)
            kick[i] += push * F[i];
}

// sum (v_i - v_{i-1})^2 with 0 beyond both ends.
static double steps_squared(const double* v, int32_t count) {
    return (v[0] * v[0] + v[count - 1] * v[count - 1]) + sis_apart(v + 1, v, count - 1);
}

double sis_string_dissipated(const string_bank* s, int32_t count, const double* travel) {
    double lost = 0;
    if (s->loss0 > 0) lost += s->loss0 * sis_dot(travel, travel, count);
    if (s->loss1 != 0) lost += s->loss1 * steps_squared(travel, count);
    return lost;
}

double sis_string_supplied(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    if (!s->forced) return 0;
    return 0.5 * sis_dot(motion->F + bank->first, motion->travel + bank->first, bank->count);
}

SIS_INLINE body_work accept_by(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double* travel = motion->travel + bank->first;
    body_take(bank, motion, s->admittance / (1 + s->s0k));
    if (!motion->audit) return (body_work){0, 0};
    return (body_work){sis_string_supplied(bank, motion),
                       sis_string_dissipated(s, bank->count, travel)};
}

void sis_string_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                       double* elastic) {
    const string_bank* s = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    int32_t last = bank->count - 1;
    double squares = sis_dot(d, d, bank->count), late = 1 - 2 * s->half;
    double differences = s->cross != 0 ? steps_squared(d, bank->count) : 0;
    double slopes = 0, bends = 0, before = 0, before_was = 0;
    // Elastic: shapes `now` and `was`, one step apart, or both the middle of the step.
    double now = u[0] - s->half * d[0], was = now - late * d[0];
    if (s->clamped) bends += 2 * now * was;
    for (int32_t i = 0; i <= last; i++) {
        double next = i < last ? u[i + 1] - s->half * d[i + 1] : 0;
        double next_was = i < last ? next - late * d[i + 1] : 0;
        double left = now - before, left_was = was - before_was;
        slopes += left * left_was;
        bends += ((next - now) - left) * ((next_was - was) - left_was);
        if (i == last) {
            slopes += now * was;
            if (s->clamped) bends += 2 * now * was;
        }
        before = now;
        before_was = was;
        now = next;
        was = next_was;
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
        motion->kick[i] *= 0.5;
}

void sis_string_stretch(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double* column = motion->column + bank->first;
    second_difference(motion->u + bank->first, bank->count, column);
    for (int32_t i = 0; i < bank->count; i++)
        column[i] *= -s->inverse_h;
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    return accept_by(bank, motion);
}

static const body_kind narrow = {
    advance, accept, sis_string_energy, admit, true, sis_string_stretch, sis_string_start};

#if SIS_HAS_AVX2
SIS_AVX2 static void advance_avx2(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

SIS_AVX2 static body_work accept_avx2(const body_bank* bank, const body_motion* motion) {
    return accept_by(bank, motion);
}

static const body_kind wide = {advance_avx2, accept_avx2,        sis_string_energy, admit,
                               true,         sis_string_stretch, sis_string_start};

const body_kind* sis_string_kind(void) {
    return __builtin_cpu_supports("avx2") ? &wide : &narrow;
}
#else
const body_kind* sis_string_kind(void) {
    return &narrow;
}
#endif
