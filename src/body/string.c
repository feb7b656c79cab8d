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

// The first differences of u, two beyond each end: e[i + 2] = u[i + 1] - u[i], 0 at the end, the
// mirror behind it. They are exact: u is far larger than what bends it.
SIS_INLINE void differences(bool clamped, int32_t count, const double* restrict u,
                            double* restrict e) {
    double mirror = clamped ? 1 : -1;
    e[0] = -(mirror * u[0]);
    e[1] = u[0];
    for (int32_t i = 0; i < count - 1; i++)
        e[i + 2] = u[i + 1] - u[i];
    e[count + 1] = -u[count - 1];
    e[count + 2] = mirror * u[count - 1];
}

// P u = (pull + 3 bend)(r - l) - bend (rr - ll) over 1 + s0k, and what s0 takes.
#define PULLED(e, i) (near * (e[(i) + 2] - e[(i) + 1]) - far * (e[(i) + 3] - e[i]))

// next = d*, and u on by it when it `moves`. A term that is 0 for the whole string is left out: it
// would change no bit.
SIS_INLINE void fly(const body_bank* bank, const body_motion* motion, bool moves) {
    const string_bank* s = bank->data;
    int32_t count = bank->count, last = count - 1;
    double* restrict u = motion->u + bank->first, * restrict next = motion->next + bank->first;
    const double* restrict d = motion->d + bank->first;
    double* restrict e = motion->slope + bank->first;
    double scale = 1 / (1 + s->s0k), near = scale * (s->pull + 3 * s->bend), far = scale * s->bend;
    double late = 2 * s->s1k * scale, drop = 2 * s->s0k * scale, move = moves ? 1 : 0;
    differences(s->clamped, count, u, e);
    if (late == 0 && drop == 0) {
        for (int32_t i = 0; i < count; i++) {
            next[i] = d[i] + PULLED(e, i);
            u[i] += move * next[i];
        }
        return;
    }
    double left = 0 - d[0], right = 0 - d[last]; // d is 0 beyond the ends
    if (last > 0) right = (d[last - 1] - d[last]) + right;
    if (last > 0) left += d[1] - d[0];
    next[0] = d[0] + ((PULLED(e, 0) + late * (last > 0 ? left : 2 * left)) - drop * d[0]);
    for (int32_t i = 1; i < last; i++) {
        next[i] =
            d[i] + ((PULLED(e, i) + late * ((d[i - 1] - d[i]) + (d[i + 1] - d[i]))) - drop * d[i]);
        u[i] += move * next[i];
    }
    if (last > 0) {
        next[last] = d[last] + ((PULLED(e, last) + late * right) - drop * d[last]);
        u[last] += move * next[last];
    }
    u[0] += move * next[0];
}

SIS_INLINE void advance_by(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double push = s->admittance / (1 + s->s0k);
    fly(bank, motion, true);
    for (int32_t i = bank->first + bank->forced_first, n = bank->forced_count; n > 0; n--, i++) {
        motion->next[i] += push * motion->F[i];
        motion->u[i] += push * motion->F[i];
    }
}

// sum (v_i - v_{i-1})^2 with 0 beyond both ends.
static double steps_squared(const double* v, int32_t count) {
    return (v[0] * v[0] + v[count - 1] * v[count - 1]) + sis_apart(v + 1, v, count - 1);
}

SIS_INLINE body_work work_by(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    const double *d = motion->d + bank->first, *next = motion->next + bank->first;
    int32_t count = bank->count;
    body_work done = {body_supplied(bank, motion), 0};
    double sum;
    if (s->loss0 > 0) {
#define TERM(AT) ((AT(d + i) + AT(next + i)) * (AT(d + i) + AT(next + i)))
        SIS_SUM(sum, count, TERM);
#undef TERM
        done.dissipated += s->loss0 * sum;
    }
    if (s->loss1 != 0) {
        double first = d[0] + next[0], last = d[count - 1] + next[count - 1];
#define STEP(AT) ((AT(d + i + 1) + AT(next + i + 1)) - (AT(d + i) + AT(next + i)))
#define TERM(AT) (STEP(AT) * STEP(AT))
        SIS_SUM(sum, count - 1, TERM);
#undef TERM
#undef STEP
        done.dissipated += s->loss1 * ((first * first + last * last) + sum);
    }
    return done;
}

body_work sis_string_work(const body_bank* bank, const body_motion* motion) {
    return work_by(bank, motion);
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

void sis_string_stretch(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    double* column = motion->column + bank->first;
    second_difference(motion->u + bank->first, bank->count, column);
    for (int32_t i = 0; i < bank->count; i++)
        column[i] *= -s->inverse_h;
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const string_bank* s = bank->data;
    body_give(bank, motion, s->admittance / (1 + s->s0k), first, count);
}

// From rest: half of a full step.
static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k, (void)time;
    const string_bank* s = bank->data;
    double push = s->admittance / (1 + s->s0k);
    fly(bank, motion, false);
    for (int32_t i = bank->first + bank->forced_first, n = bank->forced_count; n > 0; n--, i++)
        motion->next[i] += push * motion->F[i];
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

static const body_kind narrow = {
    advance, give, sis_string_work, sis_string_energy, admit, true, true, sis_string_stretch,
    start};

#if SIS_HAS_AVX2
SIS_AVX2 static void advance_avx2(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

SIS_AVX2 static body_work work_avx2(const body_bank* bank, const body_motion* motion) {
    return work_by(bank, motion);
}

static const body_kind wide = {
    advance_avx2, give, work_avx2, sis_string_energy, admit, true, true, sis_string_stretch, start};

const body_kind* sis_string_kind(int32_t lanes) {
    return lanes == 4 ? &wide : &narrow;
}
#else
const body_kind* sis_string_kind(int32_t lanes) {
    (void)lanes;
    return &narrow;
}
#endif
