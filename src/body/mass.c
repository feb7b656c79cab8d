// Point mass, u'' + R u' + w0^2 u = F/M with s0 = R/2:
//
//   H = M/2 (d/k)^2 + M w0^2/2 u u-,    Q = M R (delta_t. u)^2,    stable while w0 k < 2
#include "body/kernels.h"

void sis_mass_advance(const body_group* bodies, const body_motion* motion, int32_t first) {
    const mass_group* m = bodies->data;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    const double *d = motion->d + bodies->first, *F = motion->F + bodies->first;
    double* rest = motion->rest + bodies->first;
    for (int32_t i = first; i < bodies->count; i++) {
        double kick = m->Dinv[i] * (F[i] - m->stiffness[i] * u[i]) - m->drop[i] * d[i];
        next[i] = mass_add_keeping(d[i], kick + rest[i], &rest[i]);
        u[i] += next[i];
    }
}

void sis_mass_apply(const body_group* bodies, const body_motion* motion, int32_t first,
                    int32_t count) {
    const mass_group* m = bodies->data;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    double *rest = motion->rest + bodies->first, *force = motion->link_force + bodies->first;
    for (int32_t i = first; i < first + count; i++) {
        if (force[i] == 0) continue;
        double before = next[i];
        next[i] = mass_add_keeping(before, m->Dinv[i] * force[i] + rest[i], &rest[i]);
        u[i] += next[i] - before;
    }
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    (void)time;
    sis_mass_advance(bodies, motion, 0);
}

static body_work work(const body_group* bodies, const body_motion* motion) {
    return mass_work(bodies, motion);
}

// The same for fewer than MASS_FEW: all of it is what the sums leave over. Most lose nothing, and
// then leave by a way of their own: a pair that has only one way out is packed into a register by
// gcc 12 and taken apart again through memory, and the audit of a lone mass waits for that.
static body_work work_few(const body_group* bodies, const body_motion* motion) {
    const mass_group* m = bodies->data;
    const double *d = motion->d + bodies->first, *next = motion->next + bodies->first;
    const double* F = motion->F + bodies->first;
    double supplied = 0, dissipated = 0;
    for (int32_t i = 0; i < bodies->count; i++) {
        double travel = next[i] + d[i];
        supplied += 0.5 * F[i] * travel;
        if (m->loss[i] != 0) dissipated += m->loss[i] * travel * travel;
    }
    if (dissipated != 0) return (body_work){supplied, dissipated};
    return (body_work){supplied, 0};
}

// The same for one.
static body_work work_one(const body_group* bodies, const body_motion* motion) {
    const mass_group* m = bodies->data;
    const int32_t at = bodies->first;
    double travel = motion->next[at] + motion->d[at], supplied = 0.5 * motion->F[at] * travel;
    if (m->loss[0] != 0) return (body_work){supplied, m->loss[0] * travel * travel};
    return (body_work){supplied, 0};
}

void sis_mass_energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                     double* elastic) {
    const mass_group* m = bodies->data;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    for (int32_t i = 0; i < bodies->count; i++) {
        double v = d[i] * m->inverse_k;
        *kinetic += 0.5 * m->mass[i] * v * v;
        *elastic += 0.5 * m->stiffness[i] * u[i] * (u[i] - d[i]);
    }
}

void sis_mass_admit(const body_group* bodies, const double* force, double* out) {
    const mass_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++)
        out[i] = m->Dinv[i] * force[i];
}

// Modes of a clamped string are not orthogonal in their slopes, but those that are even about the
// middle are to those that are odd.
static void modulate_clamped(const mass_group* m, const double* q, int32_t count, double* column) {
    for (int32_t i = 0; i < count; i++) {
        const double* row = m->slopes + (ptrdiff_t)i * m->modulated;
        double sum = 0;
        for (int32_t j = i % 2; i < m->modulated && j < m->modulated; j += 2)
            sum += row[j] * q[j];
        column[i] = sum;
    }
}

// Modes of a string: S = sum L/2 beta^2 q^2 is the integral of u_x^2.
void sis_mass_modulation(const body_group* bodies, const body_motion* motion) {
    const mass_group* m = bodies->data;
    if (m->slopes) {
        modulate_clamped(m, motion->u + bodies->first, bodies->count,
                         motion->column + bodies->first);
        return;
    }
    for (int32_t i = 0; i < bodies->count && m->modulation; i++)
        motion->column[bodies->first + i] = m->modulation[i] * motion->u[bodies->first + i];
}

// u^1 = u^0 + k v^0 + k^2/2 u''(0), with the damping taken at the middle of the step: half the
// Dinv, and a swing of k/(1 + s0 k). Modes that ring exactly go as far as they really would.
void sis_mass_start(const body_group* bodies, const body_motion* motion, double k, double time) {
    (void)k, (void)time;
    const mass_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++) {
        int32_t at = bodies->first + i;
        motion->next[at] = 0.5 * m->Dinv[i] * (motion->F[at] - m->stiffness[i] * motion->u[at]) +
                           m->swing[i] * motion->d[at];
    }
}

const body_kind sis_mass_kind_1 = MASS_KIND(advance, sis_mass_apply, work);
static const body_kind few = MASS_KIND(advance, sis_mass_apply, work_few);
static const body_kind one = MASS_KIND(advance, sis_mass_apply, work_one);

bool sis_is_mass_kind(const body_kind* kind) {
    return kind->energy == sis_mass_energy;
}

const body_kind* sis_mass_kind(int32_t count, const body_kind* many) {
    if (count == 1) return &one;
    return count < MASS_FEW ? &few : many;
}

// ---------------------------------------------------------------------------- driven masses
//
// A mass driven along a path: its motion is given, so no force moves it (compliance 0), and the
// driver supplies whatever work the links take from it.

double sis_envelope_at(sis_envelope curve, double time) {
    const double* p = curve.points;
    int32_t low = 0, high = curve.count - 1;
    if (!(time > p[0])) return p[1];
    if (time >= p[2 * high]) return p[2 * high + 1];
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (time < p[2 * middle])
            high = middle;
        else
            low = middle;
    }
    double part = (time - p[2 * low]) / (p[2 * high] - p[2 * low]);
    return p[2 * low + 1] + part * (p[2 * high + 1] - p[2 * low + 1]);
}

// Where it is at a time. One that follows an input is there a sample after the row that says so.
static double place_at(const driven_group* m, int32_t i, const input_state* inputs, double time) {
    if (!m->live) return sis_envelope_at(m->path[i], time);
    if (!m->path[i].count) return live_at(m->live[i], inputs);
    if (m->trigger[i] < 0) return sis_envelope_at(m->path[i], time);
    const live_start start = live_since(m->trigger[i], inputs, 0);
    if (start.blow == 0) return 0;
    return start.blow *
           sis_envelope_at(m->path[i], time - (double)inputs[m->trigger[i]].left / m->rate);
}

static void drive(const body_group* bodies, const body_motion* motion, double time) {
    const driven_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++) {
        int32_t at = bodies->first + i;
        motion->next[at] = place_at(m, i, motion->inputs, time) - motion->u[at];
        motion->u[at] += motion->next[at];
    }
}

static void no_apply(const body_group* bodies, const body_motion* motion, int32_t first,
                     int32_t count) {
    (void)bodies, (void)motion, (void)first, (void)count;
}

static body_work work_of_driver(const body_group* bodies, const body_motion* motion) {
    body_work done = {0, 0};
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++)
        done.supplied -= 0.5 * motion->link_force[i] * (motion->next[i] + motion->d[i]);
    return done;
}

static void no_energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                      double* elastic) {
    (void)bodies, (void)motion, (void)kinetic, (void)elastic;
}

static void no_admittance(const body_group* bodies, const double* force, double* out) {
    (void)force;
    for (int32_t i = 0; i < bodies->count; i++)
        out[i] = 0;
}

static void start_driven(const body_group* bodies, const body_motion* motion, double k,
                         double time) {
    (void)k;
    const driven_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++)
        motion->next[bodies->first + i] =
            place_at(m, i, motion->inputs, time) - motion->u[bodies->first + i];
}

const body_kind sis_driven_kind = {drive, no_apply, work_of_driver, no_energy,   no_admittance,
                                   true,  false,    NULL,           start_driven};
