// Kirchhoff plate or membrane on a grid, rho H u'' = T lap u - D lap lap u - 2 rho H (s0 - s1 lap)
// u', all edges at rest. The grid holds the edges too, so that every row is one run; what is on an
// edge stays 0. With lap u = dxx u + ratio dyy u in units of 1/hx^2:
//
//   d* = d + (pull lap u - bend lap lap u + 2 s1k lap d)/(1 + s0k) - drop d
//   H  = rho H hx hy/2 (|v|^2 - s1k |grad v|^2) + u.K u-/2
//   stable while 1 - k s1 Q - k^2/4 (kappa^2 Q^2 + c^2 Q) > 0, Q = 4/hx^2 + 4/hy^2
//
// Edges: lap u = 0 there (supported: the ghost is -u) or twice the neighbour (clamped: it is u).
#include "body/body.h"

// Inner points of one row of g = late d - bend lap u. lap u is made of differences, which are
// exact: u is far larger than what bends it.
SIS_INLINE void bend_row(const plate_bank* p, const double* restrict u, const double* restrict d,
                         double* restrict g) {
    const double *up = u + p->stride, *down = u - p->stride;
    double ratio = p->ratio, bend = p->bend, late = 2 * p->s1k;
    for (int32_t i = 1; i < p->nx; i++) {
        double lap =
            ((u[i - 1] - u[i]) + (u[i + 1] - u[i])) + ratio * ((up[i] - u[i]) + (down[i] - u[i]));
        g[i] = late * d[i] - bend * lap;
    }
}

// g on the edges of a clamped plate, by the mirror.
static void clamp_edges(const plate_bank* p, const double* u, double* g) {
    int32_t nx = p->nx, ny = p->ny, stride = p->stride;
    double x = -2 * p->bend, y = -2 * p->bend * p->ratio;
    for (int32_t j = 1; j < ny; j++) {
        g[j * stride] = x * u[j * stride + 1];
        g[j * stride + nx] = x * u[j * stride + nx - 1];
    }
    for (int32_t i = 1; i < nx; i++) {
        g[i] = y * u[stride + i];
        g[ny * stride + i] = y * u[(ny - 1) * stride + i];
    }
}

// kick of one row of inner points: lap g, and what s0 takes from d.
SIS_INLINE void kick_row(const plate_bank* p, const double* restrict g, const double* restrict d,
                         double* restrict kick) {
    double scale = 1 / (1 + p->s0k), drop = 2 * p->s0k * scale, ratio = p->ratio;
    double centre = 2 + 2 * ratio;
    const double *up = g + p->stride, *down = g - p->stride;
    for (int32_t i = 1; i < p->nx; i++) {
        double lap = ((g[i - 1] + g[i + 1]) + ratio * (up[i] + down[i])) - centre * g[i];
        kick[i] = scale * lap - drop * d[i];
    }
}

// The tension of a membrane.
SIS_INLINE void pull_row(const plate_bank* p, const double* restrict u, double* restrict kick) {
    const double *up = u + p->stride, *down = u - p->stride;
    double pull = p->pull / (1 + p->s0k), ratio = p->ratio;
    for (int32_t i = 1; i < p->nx; i++)
        kick[i] += pull * (((u[i - 1] - u[i]) + (u[i + 1] - u[i])) +
                           ratio * ((up[i] - u[i]) + (down[i] - u[i])));
}

SIS_INLINE void advance_by(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    double *g = motion->travel + bank->first, *kick = motion->kick + bank->first;
    for (int32_t j = 1; j < p->ny; j++)
        bend_row(p, u + j * p->stride, d + j * p->stride, g + j * p->stride);
    if (p->clamped) clamp_edges(p, u, g);
    for (int32_t j = 1; j < p->ny; j++)
        kick_row(p, g + j * p->stride, d + j * p->stride, kick + j * p->stride);
    for (int32_t j = 1; j < p->ny && p->pull > 0; j++)
        pull_row(p, u + j * p->stride, kick + j * p->stride);
    if (!p->forced) return;
    double push = p->admittance / (1 + p->s0k);
    const double* F = motion->F + bank->first;
    for (int32_t i = 0; i < bank->count; i++)
        kick[i] += push * F[i];
}

// sum |grad v|^2 over the intervals left of and below a row, in units of 1/hx^2.
SIS_INLINE double slopes_of_row(const plate_bank* p, const double* v) {
    return sis_apart(v + 1, v, p->nx) + p->ratio * sis_apart(v + 1, v + 1 - p->stride, p->nx);
}

SIS_INLINE body_work accept_by(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    double* travel = motion->travel + bank->first;
    body_take(bank, motion, p->admittance / (1 + p->s0k));
    if (p->clamped) // g was put there
        for (int32_t i = 0; i < p->edge_count; i++)
            travel[p->edge[i]] = 0;
    if (!motion->audit) return (body_work){0, 0};
    double squares = p->loss0 > 0 ? sis_dot(travel, travel, bank->count) : 0, slopes = 0;
    for (int32_t j = 1; j <= p->ny && p->loss1 > 0; j++)
        slopes += slopes_of_row(p, travel + j * p->stride);
    double supplied = p->forced ? 0.5 * sis_dot(motion->F + bank->first, travel, bank->count) : 0;
    return (body_work){supplied, p->loss0 * squares + p->loss1 * slopes};
}

// lap of a shape and of the one before at the inner points of row j, multiplied and summed, four at
// a time.
#define LAP(v, up, down, i)                                                                        \
    (((AT(v, (i)-1) - AT(v, i)) + (AT(v, (i) + 1) - AT(v, i))) +                                   \
     ratio * ((AT(up, i) - AT(v, i)) + (AT(down, i) - AT(v, i))))
SIS_INLINE double bends_of_row(const plate_bank* p, const double* u, const double* d) {
    const double *uu = u + p->stride, *ud = u - p->stride, *du = d + p->stride, *dd = d - p->stride;
    double ratio = p->ratio, rest = 0;
    int32_t i = 1;
#if defined(__GNUC__)
    sis_wide s = {0, 0, 0, 0};
#define AT(v, i) SIS_WIDE_AT((v) + (i))
    for (; i + 4 <= p->nx; i += 4) {
        sis_wide now = LAP(u, uu, ud, i), step = LAP(d, du, dd, i);
        s += now * (now - step);
    }
#undef AT
#define AT(v, i) ((v)[i])
#else
#define AT(v, i) ((v)[i])
    double s[4] = {0, 0, 0, 0};
    for (; i + 4 <= p->nx; i += 4)
        for (int32_t j = i; j < i + 4; j++) {
            double now = LAP(u, uu, ud, j), step = LAP(d, du, dd, j);
            s[j - i] += now * (now - step);
        }
#endif
    for (; i < p->nx; i++) {
        double now = LAP(u, uu, ud, i), step = LAP(d, du, dd, i);
        rest += now * (now - step);
    }
#undef AT
    return ((s[0] + s[1]) + (s[2] + s[3])) + rest;
}
#undef LAP

// The half of the squares of lap u on clamped edges.
static double bends_of_edges(const plate_bank* p, const double* u, const double* d) {
    int32_t nx = p->nx, ny = p->ny, stride = p->stride;
    double sum = 0;
    for (int32_t j = 1; j < ny; j++) {
        int32_t a = j * stride + 1, b = j * stride + nx - 1;
        sum += 2 * (u[a] * (u[a] - d[a]) + u[b] * (u[b] - d[b]));
    }
    for (int32_t i = 1; i < nx; i++) {
        int32_t a = stride + i, b = (ny - 1) * stride + i;
        sum += 2 * p->ratio * p->ratio * (u[a] * (u[a] - d[a]) + u[b] * (u[b] - d[b]));
    }
    return sum;
}

static double slopes_now(const plate_bank* p, const double* u, const double* d) {
    double x = 0, y = 0;
    const double *below = u - p->stride, *dbelow = d - p->stride;
    for (int32_t i = 1; i <= p->nx; i++) {
        double across = u[i] - u[i - 1], along = u[i] - below[i];
        x += across * (across - (d[i] - d[i - 1]));
        y += along * (along - (d[i] - dbelow[i]));
    }
    return x + p->ratio * y;
}

SIS_INLINE void energy_by(const body_bank* bank, const body_motion* motion, double* kinetic,
                          double* elastic) {
    const plate_bank* p = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    double squares = sis_dot(d, d, bank->count), steps = 0, slopes = 0, bends = 0;
    for (int32_t j = 1; j <= p->ny; j++) {
        int32_t at = j * p->stride;
        if (p->s1k > 0) steps += slopes_of_row(p, d + at);
        if (p->tension > 0) slopes += slopes_now(p, u + at, d + at);
        if (j < p->ny) bends += bends_of_row(p, u + at, d + at);
    }
    if (p->clamped) bends += bends_of_edges(p, u, d);
    *kinetic += 0.5 * p->mass * p->inverse_k * p->inverse_k * (squares - p->s1k * steps);
    *elastic += 0.5 * (p->tension * slopes + p->stiffness * bends);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const plate_bank* p = bank->data;
    double D = p->admittance / (1 + p->s0k);
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = D * force[i];
    for (int32_t i = 0; i < p->edge_count; i++)
        out[p->edge[i]] = 0;
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    return accept_by(bank, motion);
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k;
    advance(bank, motion, time);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->kick[i] *= 0.5;
}

static void energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                   double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}

static const body_kind narrow = {advance, accept, energy, admit, true, NULL, start};

#if SIS_HAS_AVX2
SIS_AVX2 static void advance_avx2(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    advance_by(bank, motion);
}

SIS_AVX2 static body_work accept_avx2(const body_bank* bank, const body_motion* motion) {
    return accept_by(bank, motion);
}

SIS_AVX2 static void energy_avx2(const body_bank* bank, const body_motion* motion, double* kinetic,
                                 double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}

static const body_kind wide = {advance_avx2, accept_avx2, energy_avx2, admit, true, NULL, start};

const body_kind* sis_plate_kind(void) {
    return __builtin_cpu_supports("avx2") ? &wide : &narrow;
}
#else
const body_kind* sis_plate_kind(void) {
    return &narrow;
}
#endif
