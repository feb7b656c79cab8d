// Kirchhoff plate or membrane on a grid, rho H u'' = T lap u - D lap lap u - 2 rho H (s0 - s1 lap)
// u', all edges at rest. Rows hold the points between their edges, and places that stay 0; the rows
// of the other two edges are there too, and 0. With lap u = dxx u + ratio dyy u in units of 1/hx^2:
//
//   d* = keep d + (pull lap u - bend lap lap u + 2 s1k lap d)/(1 + s0k), keep = 1 - drop
//   H  = rho H hx hy/2 (|v|^2 - s1k |grad v|^2) + u.K u-/2
//   stable while 1 - k s1 Q - k^2/4 (kappa^2 Q^2 + c^2 Q) > 0, Q = 4/hx^2 + 4/hy^2
//
// The sweep that advances it is in plate_lanes.h, its losses are in plate_books_lanes.h.
//
// A tuned plate has plate_cross (body.h) in place of pull lap u and of bend lap u, and a ratio that
// is not quite (hx/hy)^2: compile/plate_tuning.c.
//
// Edges: lap u = 0 there (supported: the ghost is -u) or twice the neighbour (clamped: it is u).
#include "body/plate.h"

// The half of the squares of lap u on clamped edges.
static double bends_of_edges(const plate_bank* p, const double* u, const double* d) {
    int32_t nx = p->nx, ny = p->ny;
    double sum = 0;
    for (int32_t j = 1; j < ny; j++) {
        int32_t a = plate_place(nx, 1, j), b = plate_place(nx, nx - 1, j);
        sum += 2 * (u[a] * (u[a] - d[a]) + u[b] * (u[b] - d[b]));
    }
    for (int32_t i = 1; i < nx; i++) {
        int32_t a = plate_place(nx, i, 1), b = plate_place(nx, i, ny - 1);
        sum += 2 * p->ratio * p->ratio * (u[a] * (u[a] - d[a]) + u[b] * (u[b] - d[b]));
    }
    return sum;
}

void sis_plate_admit(const body_bank* bank, const double* force, double* out) {
    const plate_bank* p = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = 0;
    for (int32_t i = 1; i < p->nx; i++) {
        const int32_t column = plate_place(p->nx, i, 0);
        for (int32_t at = column + p->stride; at < p->ny * p->stride; at += p->stride)
            out[at] = p->step.give * force[at];
    }
}

void sis_plate_give(const body_bank* bank, const body_motion* motion, int32_t first,
                    int32_t count) {
    const plate_bank* p = bank->data;
    body_give(bank, motion, p->step.give, first, count);
}

void sis_plate_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                      double* elastic) {
    const plate_bank* p = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    plate_shape h = p->books->shape(p, u, d);
    if (p->clamped && !p->tuned) h.bends += bends_of_edges(p, u, d);
    *kinetic += 0.5 * p->mass * p->inverse_k * p->inverse_k * (h.squares - p->s1k * h.steps);
    *elastic += 0.5 * (p->tension * h.slopes + p->stiffness * h.bends);
}

// Four at a time is the widest: one rung of a row.
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

const plate_books* sis_plate_books(int32_t width) {
    return SIS_AT_WIDTH(width, sis_plate_books);
}
