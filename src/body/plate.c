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

// g on the edges of a clamped plate, by the mirror: at both ends of row j, and along a whole edge
// beside the row u.
SIS_INLINE void clamp_ends(const plate_bank* p, const double* u, double* g) {
    double x = -2 * p->bend;
    g[0] = x * u[1];
    g[p->nx] = x * u[p->nx - 1];
}

SIS_INLINE void clamp_edge(const plate_bank* p, const double* restrict u, double* restrict g) {
    double y = -2 * p->bend * p->ratio;
    for (int32_t i = 1; i < p->nx; i++)
        g[i] = y * u[i];
}

// d* of one row of inner points: lap g, and what s0 takes from d.
SIS_INLINE void fly_row(const plate_bank* p, const double* restrict g, const double* restrict d,
                        double* restrict next) {
    double scale = 1 / (1 + p->s0k), drop = 2 * p->s0k * scale, ratio = p->ratio;
    double centre = 2 + 2 * ratio;
    const double *up = g + p->stride, *down = g - p->stride;
    for (int32_t i = 1; i < p->nx; i++) {
        double lap = ((g[i - 1] + g[i + 1]) + ratio * (up[i] + down[i])) - centre * g[i];
        next[i] = d[i] + (scale * lap - drop * d[i]);
    }
}

// The tension of a membrane.
SIS_INLINE void pull_row(const plate_bank* p, const double* restrict u, double* restrict next) {
    const double *up = u + p->stride, *down = u - p->stride;
    double pull = p->pull / (1 + p->s0k), ratio = p->ratio;
    for (int32_t i = 1; i < p->nx; i++)
        next[i] += pull * (((u[i - 1] - u[i]) + (u[i + 1] - u[i])) +
                           ratio * ((up[i] - u[i]) + (down[i] - u[i])));
}

SIS_INLINE void push_row(const plate_bank* p, const double* restrict F, double* restrict next) {
    double push = p->admittance / (1 + p->s0k);
    for (int32_t i = 1; i < p->nx; i++)
        next[i] += push * F[i];
}

SIS_INLINE void move_row(const plate_bank* p, const double* restrict next, double* restrict u) {
    for (int32_t i = 1; i < p->nx; i++)
        u[i] += next[i];
}

// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead, and
// when the plate `moves` a row of u goes on as soon as no other row needs what it was.
SIS_INLINE void sweep(const body_bank* bank, const body_motion* motion, bool moves) {
    const plate_bank* p = bank->data;
    int32_t stride = p->stride;
    double *u = motion->u + bank->first, *next = motion->next + bank->first;
    const double *d = motion->d + bank->first, *F = motion->F + bank->first;
    double* g = motion->room + bank->first;
    for (int32_t j = 0; j < p->ny; j++) {
        int32_t at = j * stride, ahead = at + stride;
        if (j + 1 < p->ny) {
            bend_row(p, u + ahead, d + ahead, g + ahead);
            if (p->clamped) clamp_ends(p, u + ahead, g + ahead);
        } else if (p->clamped) {
            clamp_edge(p, u + at, g + ahead);
        }
        if (j == 0) {
            if (p->clamped) clamp_edge(p, u + ahead, g);
            continue;
        }
        fly_row(p, g + at, d + at, next + at);
        if (p->pull > 0) pull_row(p, u + at, next + at);
        if (at + stride > bank->forced_first && at < bank->forced_first + bank->forced_count)
            push_row(p, F + at, next + at);
        if (moves && j > 1) move_row(p, next + at - stride, u + at - stride);
    }
    if (moves) move_row(p, next + (p->ny - 1) * stride, u + (p->ny - 1) * stride);
}

// sum |grad v|^2 over the intervals left of and below a row, in units of 1/hx^2.
SIS_INLINE double slopes_of_row(const plate_bank* p, const double* v) {
    return sis_apart(v + 1, v, p->nx) + p->ratio * sis_apart(v + 1, v + 1 - p->stride, p->nx);
}

// Along one row, with t = d + next the travel of a sample: sum loss0 t^2 + loss1 |grad t|^2, the
// slopes towards the left and the row below. One pass: the plate does not fit beside itself in the
// cache.
SIS_INLINE double lost_in_row(const plate_bank* p, const double* d, const double* next) {
    const double *below = d - p->stride, *below_next = next - p->stride;
    double squared = p->loss0, along = p->loss1, across = p->loss1 * p->ratio, sum;
#define TRAVEL(AT, j) (AT(d + i + (j)) + AT(next + i + (j)))
#define ALONG(AT)     (TRAVEL(AT, 1) - TRAVEL(AT, 0))
#define ACROSS(AT)    (TRAVEL(AT, 1) - (AT(below + i + 1) + AT(below_next + i + 1)))
#define TERM(AT)                                                                                   \
    (squared * (TRAVEL(AT, 1) * TRAVEL(AT, 1)) + along * (ALONG(AT) * ALONG(AT)) +                 \
     across * (ACROSS(AT) * ACROSS(AT)))
    SIS_SUM(sum, p->nx, TERM);
#undef TERM
#undef ACROSS
#undef ALONG
#undef TRAVEL
    return sum;
}

SIS_INLINE body_work work_by(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    const double *d = motion->d + bank->first, *next = motion->next + bank->first;
    body_work done = {body_supplied(bank, motion), 0};
    for (int32_t j = 1; j <= p->ny && (p->loss0 > 0 || p->loss1 > 0); j++)
        done.dissipated += lost_in_row(p, d + j * p->stride, next + j * p->stride);
    return done;
}

// lap of a shape and of the one before at the inner points of row j, multiplied and summed.
SIS_INLINE double bends_of_row(const plate_bank* p, const double* u, const double* d) {
    const double *uu = u + p->stride, *ud = u - p->stride, *du = d + p->stride, *dd = d - p->stride;
    double ratio = p->ratio, sum;
#define LAP(AT, v, up, down)                                                                       \
    (((AT(v + i) - AT(v + i + 1)) + (AT(v + i + 2) - AT(v + i + 1))) +                             \
     ratio * ((AT(up + i + 1) - AT(v + i + 1)) + (AT(down + i + 1) - AT(v + i + 1))))
#define TERM(AT) (LAP(AT, u, uu, ud) * (LAP(AT, u, uu, ud) - LAP(AT, d, du, dd)))
    SIS_SUM(sum, p->nx - 1, TERM);
#undef TERM
#undef LAP
    return sum;
}

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
    sweep(bank, motion, true);
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const plate_bank* p = bank->data;
    body_give(bank, motion, p->admittance / (1 + p->s0k), first, count);
}

static body_work work(const body_bank* bank, const body_motion* motion) {
    return work_by(bank, motion);
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k, (void)time;
    sweep(bank, motion, false);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}

static void energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                   double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}

static const body_kind narrow = {advance, give, work, energy, admit, true, false, NULL, start};

#if SIS_HAS_AVX2
SIS_AVX2 static void advance_avx2(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    sweep(bank, motion, true);
}

SIS_AVX2 static body_work work_avx2(const body_bank* bank, const body_motion* motion) {
    return work_by(bank, motion);
}

SIS_AVX2 static void energy_avx2(const body_bank* bank, const body_motion* motion, double* kinetic,
                                 double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}

static const body_kind wide = {advance_avx2, give,  work_avx2, energy_avx2, admit,
                               true,         false, NULL,      start};

const body_kind* sis_plate_kind(int32_t lanes) {
    return lanes == 4 ? &wide : &narrow;
}
#else
const body_kind* sis_plate_kind(int32_t lanes) {
    (void)lanes;
    return &narrow;
}
#endif
