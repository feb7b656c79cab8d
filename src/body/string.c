// Stiff lossy string on a grid, rho u'' = T u_xx - EI u_xxxx - 2 rho (s0 - s1 d_xx) u'. The
// explicit scheme takes the s1 term backward in time:
//
//   d* = d + (P u + 2 s1k dxx d - 2 s0k d + F admittance)/(1 + s0k)
//   H  = rho h/2 (|v|^2 - s1k |v_l - v_{l-1}|^2) + u.K u-/2,     stable while pull + 4 s1k + 4 bend
//   <= 1
//
// Ends: u = 0, and u_xx = 0 (supported: the ghost is -u_1) or u_x = 0 (clamped: the ghost is u_1).
#include "body/string.h"

#include <string.h>

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

static void fly(const body_bank* bank, const body_motion* motion, double* taken) {
    const string_bank* s = bank->data;
    const string_pull* f = &s->step;
    const double* floor = bank->watches ? motion->floor + bank->first : NULL;
    bool below = s->kernel->fly(f, bank->count, motion->u + bank->first, motion->d + bank->first,
                                motion->next + bank->first, floor, taken);
    if (floor) motion->fallen[bank->number] = below;
    if (motion->unforced) return;
    for (int32_t i = bank->first + bank->forced_first, n = bank->forced_count; n > 0; n--, i++) {
        motion->next[i] += f->give * motion->F[i];
        motion->u[i] += f->give * motion->F[i];
    }
}

// A sample loses t.(1 - M) t/4 give, where t = d + next was its travel and (1 - M) d is what losses
// take from d. 1 - M is symmetric: that is d.(1 - M) d + 2 next.(1 - M) d + next.(1 - M) next, and
// the last of these is the first of the sample before. All samples together have each twice, but
// for the very first and the last: a sweep books 2 (d + next).(1 - M) d, half of what it needs is
// in its registers, and the two ends come apart, by `opening` and by `work`.
static double lost_by(const string_bank* s, double taken) {
    return s->step.worth * taken;
}

static bool loses(const string_bank* s) {
    return s->loss0 > 0 || s->loss1 != 0;
}

static double taken_by(const body_bank* bank, const body_motion* motion, double share) {
    const string_bank* s = bank->data;
    if (!loses(s)) return 0;
    return lost_by(s, s->kernel->taken(&s->step, bank->count, motion->d + bank->first,
                                       motion->next + bank->first, share));
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    fly(bank, motion, NULL);
}

// The same, and what the books gain by the sample before.
double sis_string_late(const body_bank* bank, const body_motion* motion, double time) {
    const string_bank* s = bank->data;
    double taken = 0;
    (void)time;
    fly(bank, motion, loses(s) ? &taken : NULL);
    return 2 * lost_by(s, taken);
}

double sis_string_opening(const body_bank* bank, const body_motion* motion) {
    return taken_by(bank, motion, 0);
}

static body_work work(const body_bank* bank, const body_motion* motion) {
    return (body_work){body_supplied(bank, motion), taken_by(bank, motion, 2)};
}

body_work sis_string_work(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    body_work done = {body_supplied(bank, motion), 0};
    if (!loses(s)) return done;
    string_travels t =
        s->kernel->travels(bank->count, motion->d + bank->first, motion->next + bank->first);
    done.dissipated = s->loss0 * t.squares + 2 * s->loss1 * (t.squares - t.products);
    return done;
}

void sis_string_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                       double* elastic) {
    const string_bank* s = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    const int32_t last = bank->count - 1;
    string_shape h = s->kernel->shape(bank->count, u, d, s->half);
    // Elastic: shapes `now` and `was`, one step apart, or both the middle of the step.
    const double late = 1 - 2 * s->half, now = u[last] - s->half * d[last];
    h.slopes += now * (now - late * d[last]);
    h.differences += d[last] * d[last];
    if (s->clamped) {
        const double first = u[0] - s->half * d[0];
        h.bends += 2 * (first * (first - late * d[0]) + now * (now - late * d[last]));
    }
    const double speeds = h.squares + s->cross * h.differences;
    *kinetic += 0.5 * s->mass * s->inverse_k * s->inverse_k * speeds;
    *elastic += 0.5 * (s->tension * h.slopes + s->stiffness * h.bends);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = s->step.give * force[i];
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
    body_give(bank, motion, s->step.give, first, count);
}

// From rest: half of a full step, and u stays.
static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k;
    size_t size = (size_t)bank->count * sizeof(double);
    memcpy(motion->room + bank->first, motion->u + bank->first, size);
    advance(bank, motion, time);
    memcpy(motion->u + bank->first, motion->room + bank->first, size);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}

const body_kind sis_string_kind = {
    advance, give, work, sis_string_energy, admit, true, true, sis_string_stretch, start};

const string_kernel* sis_string_kernel(int32_t width) {
    return SIS_AT_WIDTH(width, sis_string_kernel);
}
