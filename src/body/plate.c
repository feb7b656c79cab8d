// Kirchhoff plate or membrane on a grid, rho H u'' = T lap u - D lap lap u - 2 rho H (s0 - s1 lap)
// u', all edges at rest. Rows hold the points between their edges, and places that stay 0; the rows
// of the other two edges are there too, and 0. With lap u = dxx u + ratio dyy u in units of 1/hx^2:
//
//   d* = keep d + (pull lap u - bend lap lap u + 2 s1k lap d)/(1 + s0k), keep = 1 - drop
//   H  = rho H hx hy/2 (|v|^2 - s1k |grad v|^2) + u.K u-/2
//   stable while 1 - k s1 Q - k^2/4 (kappa^2 Q^2 + c^2 Q) > 0, Q = 4/hx^2 + 4/hy^2
//
// As computed, with the numbers of plate_pull: g = late d - bend lap u, then
//
//   d* = keep d + lap g + pull lap u
//
// Edges: lap u = 0 there (supported: the ghost is -u) or twice the neighbour (clamped: it is u).
//
// A tuned plate has plate_cross (body.h) in place of pull lap u and of bend lap u, and a ratio that
// is not quite (hx/hy)^2: compile/plate_tuning.c.
#include "body/kernels.h"

#include <string.h>

// ---------------------------------------------------------------------------- update

// The sweep over the points is that of a width (body/plate_lanes.h); then external forces.
static void move(const body_group* bodies, const body_motion* motion, double* lost) {
    const plate_group* p = bodies->data;
    p->sweep(bodies, motion, lost);
    for (int32_t i = bodies->first + bodies->forced_first, n = bodies->forced_count;
         n > 0 && !motion->unforced; n--, i++)
        body_push(bodies, motion, i, p->step.admittance * motion->F[i]);
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    (void)time;
    move(bodies, motion, NULL);
}

// ---------------------------------------------------------------------------- losses

static double advance_audited(const body_group* bodies, const body_motion* motion, double time) {
    const plate_group* p = bodies->data;
    double lost[PLATE_SUMS] = {0};
    (void)time;
    move(bodies, motion, p->loss > 0 ? lost : NULL);
    return p->loss * sis_sum_of_eight(lost);
}

// The same sum by itself, of the sample just made. Edges are at rest.
static body_work work(const body_group* bodies, const body_motion* motion) {
    const plate_group* p = bodies->data;
    const double *d = motion->d + bodies->first, *next = motion->next + bodies->first;
    double lost[PLATE_SUMS] = {0};
    for (int32_t j = 1; j < p->ny && p->loss > 0; j++) {
        d += p->stride;
        next += p->stride;
        for (int32_t i = 0; i < p->nx - 1; i++) {
            double t = d[i] + next[i], right = d[i + 1] + next[i + 1];
            double below = d[i - p->stride] + next[i - p->stride];
            lost[i % PLATE_SUMS] += t * (t - p->loss_along * right - p->loss_across * below);
        }
    }
    return (body_work){body_supplied(bodies, motion), p->loss * sis_sum_of_eight(lost)};
}

// ---------------------------------------------------------------------------- energy
//
// In units of 1/hx^2: sums of v^2 and |grad v|^2, and of the products of grad u and of lap u with
// those of the shape before. Of a tuned plate u.P u- and lap u.B u-, with P and B of `pulls` and
// `bends`, which are in N/m.

#define BACK(AT, v)  (AT((v) + i) - AT((v) + i - 1))
#define AHEAD(AT, v) (AT((v) + i) - AT((v) + i + 1))
#define DOWN(AT, v)  (AT((v) + i) - AT((v) + i - s))
#define UP(AT, v)    (AT((v) + i) - AT((v) + i + s))
#define LAP(AT, v)   ((BACK(AT, v) + AHEAD(AT, v)) + ratio * (DOWN(AT, v) + UP(AT, v)))

static double speeds_of_row(const plate_group* p, const double* d) {
    const ptrdiff_t s = p->stride;
    const double ratio = p->ratio, last = d[p->nx - 2];
    double sum;
#define TERM(AT)                                                                                   \
    (AT(d + i) * AT(d + i) -                                                                       \
     p->s1k * (BACK(AT, d) * BACK(AT, d) + ratio * (DOWN(AT, d) * DOWN(AT, d))))
    SIS_SUM(sum, p->nx - 1, TERM);
#undef TERM
    return sum - p->s1k * (last * last);
}

// The products of slopes, `x` and `y` each, of row j and to the row below.
static double slopes_of_row(const plate_group* p, const double* u, const double* d, double x,
                            double y) {
    const ptrdiff_t s = p->stride;
    const int32_t last = p->nx - 2;
    double sum;
#define TERM(AT)                                                                                   \
    (x * (BACK(AT, u) * (BACK(AT, u) - BACK(AT, d))) +                                             \
     y * (DOWN(AT, u) * (DOWN(AT, u) - DOWN(AT, d))))
    SIS_SUM(sum, p->nx - 1, TERM);
#undef TERM
    return sum + x * (u[last] * (u[last] - d[last]));
}

static double bends_of_row(const plate_group* p, const double* u, const double* d) {
    const ptrdiff_t s = p->stride;
    const double ratio = p->ratio;
    double sum;
#define TERM(AT) (LAP(AT, u) * (LAP(AT, u) - LAP(AT, d)))
    SIS_SUM(sum, p->nx - 1, TERM);
#undef TERM
    return sum;
}

// The half of the squares of lap u on clamped edges.
static double bends_of_edges(const plate_group* p, const double* u, const double* d) {
    const int32_t nx = p->nx, ny = p->ny;
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

// lap u.B u- of row j, and what `pulls` has beyond slopes. What lies beyond the ends of the row
// counts as 0 at first, then its mirror image is added.
static double tuned_bends_of_row(const body_group* bodies, const body_motion* motion,
                                 const double* u, const double* d, int32_t j) {
    const plate_group* p = bodies->data;
    double* u_image = plate_scratch(bodies, motion, PLATE_IMAGES);
    double* d_image = plate_scratch(bodies, motion, PLATE_TRAVELS);
    const plate_cross b = p->bends, c = p->pulls;
    const double ratio = p->ratio;
    const ptrdiff_t s = p->stride;
    const double *u_down = plate_two_away(p, u, j, -1, u_image),
                 *u_up = plate_two_away(p, u, j, 1, u_image);
    const double *d_down = plate_two_away(p, d, j, -1, d_image),
                 *d_up = plate_two_away(p, d, j, 1, d_image);
    double sum;
#define X(AT, v)    (BACK(AT, v) + AHEAD(AT, v))
#define Y(AT, v)    (DOWN(AT, v) + UP(AT, v))
#define X2(AT, v)   ((AT((v) + i) - AT((v) + i - 2)) + (AT((v) + i) - AT((v) + i + 2)))
#define Y2(AT, v)   ((AT((v) + i) - AT(v##_down + i)) + (AT((v) + i) - AT(v##_up + i)))
#define BENT(AT, v) ((b.y * Y(AT, v) + b.y2 * Y2(AT, v)) + (b.x * X(AT, v) + b.x2 * X2(AT, v)))
#define TERM(AT)                                                                                   \
    (LAP(AT, u) * (BENT(AT, u) - BENT(AT, d)) -                                                    \
     (c.x2 * (X(AT, u) * (X(AT, u) - X(AT, d))) + c.y2 * (Y(AT, u) * (Y(AT, u) - Y(AT, d)))))
    SIS_SUM(sum, p->nx - 1, TERM);
    for (int32_t end = 0, i = 0; end < 2; i = p->nx - 2, end++)
        sum -= b.x2 * p->mirror * (LAP(SIS_ONE_AT, u) * (u[i] - d[i]));
#undef TERM
#undef BENT
#undef Y2
#undef X2
#undef Y
#undef X
    return sum;
}

// What lies on clamped edges: half of it belongs to the plate. `inner` is the way to the point
// after the one beside the edge.
static double tuned_edge_of(double lap, double c, double c2, double pull, const double* u,
                            const double* d, ptrdiff_t inner) {
    const double was = *u - *d, then = u[inner] - d[inner];
    return 2 * *u * (lap * (c * was + c2 * then) - pull * was);
}

static double tuned_edges(const plate_group* p, const double* u, const double* d) {
    const plate_cross *b = &p->bends, *c = &p->pulls;
    const ptrdiff_t s = p->stride, top = (p->ny - 1) * s, last = p->nx - 2;
    double sum = 0;
    for (ptrdiff_t at = s; at <= top; at += s)
        sum += tuned_edge_of(1, b->x, b->x2, c->x2, u + at, d + at, 1) +
               tuned_edge_of(1, b->x, b->x2, c->x2, u + at + last, d + at + last, -1);
    for (ptrdiff_t i = 0; i <= last; i++)
        sum += tuned_edge_of(p->ratio, b->y, b->y2, c->y2, u + s + i, d + s + i, s) +
               tuned_edge_of(p->ratio, b->y, b->y2, c->y2, u + top + i, d + top + i, -s);
    return sum;
}

static void energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                   double* elastic) {
    const plate_group* p = bodies->data;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    const double x = p->tuned ? p->pulls.x + 4 * p->pulls.x2 : 1;
    const double y = p->tuned ? p->pulls.y + 4 * p->pulls.y2 : p->ratio;
    double speeds = 0, slopes = 0, bends = 0;
    for (ptrdiff_t j = 1, at = p->stride; j < p->ny; j++, at += p->stride) {
        speeds += speeds_of_row(p, d + at);
        if (p->tension > 0) slopes += slopes_of_row(p, u + at, d + at, x, y);
        bends += p->tuned ? tuned_bends_of_row(bodies, motion, u + at, d + at, (int32_t)j)
                          : bends_of_row(p, u + at, d + at);
    }
    const double *v = u + (ptrdiff_t)(p->ny - 1) * p->stride, *e = d + (v - u);
    for (int32_t i = 0; i < p->nx - 1; i++) { // from the last row to the edge
        speeds -= p->s1k * (p->ratio * (e[i] * e[i]));
        slopes += y * (v[i] * (v[i] - e[i]));
    }
    if (p->clamped) bends += p->tuned ? tuned_edges(p, u, d) : bends_of_edges(p, u, d);
    *kinetic += 0.5 * p->mass * p->inverse_k * p->inverse_k * speeds;
    *elastic += 0.5 * (p->tension * slopes + p->stiffness * bends);
}

double sis_plate_tightened(const body_group* bodies, const body_motion* motion,
                           const plate_group* more) {
    body_group changed = *bodies;
    double kinetic = 0, elastic = 0;
    changed.data = more;
    energy(&changed, motion, &kinetic, &elastic);
    return elastic;
}

// ---------------------------------------------------------------------------- the kind

static void admit(const body_group* bodies, const double* force, double* out) {
    const plate_group* p = bodies->data;
    memset(out, 0, (size_t)bodies->count * sizeof *out);
    for (int32_t j = 1; j < p->ny; j++)
        for (int32_t i = 1; i < p->nx; i++)
            out[plate_place(p->nx, i, j)] = p->step.admittance * force[plate_place(p->nx, i, j)];
}

static void apply(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count) {
    const plate_group* p = bodies->data;
    body_apply(bodies, motion, p->step.admittance, first, count);
}

// As a string: u stays, and what moves is a copy of it.
static void start(const body_group* bodies, const body_motion* motion, double k, double time) {
    const size_t size = (size_t)bodies->count * sizeof(double);
    body_motion moving = *motion;
    moving.u = motion->link_force;
    body_throw(bodies, motion, k);
    memcpy(moving.u + bodies->first, motion->u + bodies->first, size);
    advance(bodies, &moving, time);
    memset(moving.u + bodies->first, 0, size);
    body_halve(bodies, motion);
}

const body_kind sis_plate_kind = {advance, apply, work, energy, admit, true, false, NULL, start};
const body_deferred sis_plate_deferred = advance_audited;
