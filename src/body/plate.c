// Kirchhoff plate or membrane on a grid, rho H u'' = T lap u - D lap lap u - 2 rho H (s0 - s1 lap)
// u', all edges at rest. The grid holds the edges too; what is on an edge, or behind it up to the
// end of a row, stays 0. With lap u = dxx u + ratio dyy u in units of 1/hx^2:
//
//   d* = keep d + (pull lap u - bend lap lap u + 2 s1k lap d)/(1 + s0k), keep = 1 - drop
//   H  = rho H hx hy/2 (|v|^2 - s1k |grad v|^2) + u.K u-/2
//   stable while 1 - k s1 Q - k^2/4 (kappa^2 Q^2 + c^2 Q) > 0, Q = 4/hx^2 + 4/hy^2
//
// The sweep that advances it is in plate_lanes.h, its losses are in plate_books_lanes.h.
//
// Edges: lap u = 0 there (supported: the ghost is -u) or twice the neighbour (clamped: it is u).
#include "body/plate.h"

// sum |grad v|^2 over the intervals left of and below a row, in units of 1/hx^2.
SIS_INLINE double slopes_of_row(const plate_bank* p, const double* v) {
    return sis_apart(v + 1, v, p->nx) + p->ratio * sis_apart(v + 1, v + 1 - p->stride, p->nx);
}

// lap of a shape and of the one before at the inner points of row j, multiplied and summed.
SIS_INLINE double bends_of_row(const plate_bank* p, const double* u, const double* d) {
    const double *uu = u + p->stride, *ud = u - p->stride, *du = d + p->stride, *dd = d - p->stride;
    double ratio = p->ratio, sum;
#define LAP(AT, v, up, down)                                                                       \
    (((AT((v) + i) - AT((v) + i + 1)) + (AT((v) + i + 2) - AT((v) + i + 1))) +                     \
     ratio * ((AT((up) + i + 1) - AT((v) + i + 1)) + (AT((down) + i + 1) - AT((v) + i + 1))))
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

void sis_plate_admit(const body_bank* bank, const double* force, double* out) {
    const plate_bank* p = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = p->step.give * force[i];
    for (int32_t i = 0; i < p->edge_count; i++)
        out[p->edge[i]] = 0;
}

void sis_plate_give(const body_bank* bank, const body_motion* motion, int32_t first,
                    int32_t count) {
    const plate_bank* p = bank->data;
    body_give(bank, motion, p->step.give, first, count);
}

void sis_plate_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                      double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}

#if SIS_HAS_AVX2
SIS_AVX2 void sis_plate_energy_wide(const body_bank* bank, const body_motion* motion,
                                    double* kinetic, double* elastic) {
    energy_by(bank, motion, kinetic, elastic);
}
#endif

// Four at a time is the widest: eight load across lines more often than they save.
static const plate_width* of_width(int32_t width) {
#define sis_plate_8 sis_plate_4
    return SIS_AT_WIDTH(width, sis_plate);
#undef sis_plate_8
}

const body_kind* sis_plate_kind(int32_t width) {
    return &of_width(width)->kind;
}

body_late sis_plate_late(int32_t width) {
    return of_width(width)->late;
}

plate_books sis_plate_books(int32_t width) {
    return *SIS_AT_WIDTH(width, sis_plate_books);
}
