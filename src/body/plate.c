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
#include "body/plate.h"

#include <string.h>

// ---------------------------------------------------------------------------- passes over a row

// In units of loss, the travels t = d + next lose t^2 less `along` and `across` of its products
// with its neighbours: the squares of t and of its slopes, multiplied out.
static void audit_point(const plate_row* r, int32_t i) {
    const plate_group* p = r->plate;
    double t = r->d[i] + r->next[i], right = r->d[i + 1] + r->next[i + 1];
    r->lost[i % PLATE_SUMS] +=
        t * (t - p->loss_along * right - p->loss_across * r->travel_below[i]);
    r->travel[i] = t;
}

// lap u is made of differences, which are exact: u is far larger than what bends it. All of them,
// and lap u, are computed with the other sign: u less its neighbours.
static void bend(const plate_row* r) {
    const plate_group* p = r->plate;
    const plate_pull* f = &p->step;
    for (int32_t i = 0; i < p->nx - 1; i++) {
        const double *u = r->u + i, here = *u;
        double across = (here - u[p->stride]) + (here - u[-p->stride]);
        double lap = p->ratio * across + ((here - u[1]) + (here - u[-1]));
        if (r->travel) audit_point(r, i);
        r->g[i] = f->late * r->d[i] + f->bend * lap;
        if (f->pull > 0) r->next[i] = -f->pull * lap;
    }
}

static double cross_of(const plate_cross* c, double dxx, double dxx2, double dyy, double dyy2) {
    return (c->y * dyy + c->y2 * dyy2) + (c->x * dxx + c->x2 * dxx2);
}

static void bend_tuned(const plate_row* r) {
    const plate_group* p = r->plate;
    const plate_pull* f = &p->step;
    for (int32_t i = 0; i < p->nx - 1; i++) {
        const double *u = r->u + i, here = *u;
        double dxx = (here - u[1]) + (here - u[-1]), dxx2 = (here - u[2]) + (here - u[-2]);
        double dyy = (here - u[p->stride]) + (here - u[-p->stride]);
        double dyy2 = (here - r->above2[i]) + (here - r->below2[i]);
        if (r->travel) audit_point(r, i);
        r->g[i] = f->late * r->d[i] + cross_of(&f->bends, dxx, dxx2, dyy, dyy2);
        if (f->pull > 0) r->next[i] = -cross_of(&f->pulls, dxx, dxx2, dyy, dyy2);
    }
}

static void fly(const plate_row* r) {
    const plate_group* p = r->plate;
    const double centre = 2 + 2 * p->ratio;
    for (int32_t i = 0; i < p->nx - 1; i++) {
        const double* g = r->g + i;
        double lap = ((g[1] + g[-1]) + p->ratio * (r->g_above[i] + r->g_below[i])) - centre * *g;
        double now = p->step.keep * r->d[i] + lap;
        if (p->step.pull > 0) now += r->next[i];
        r->next[i] = now;
        r->u[i] += now;
    }
}

const plate_kernel sis_plate_kernel = {bend, bend_tuned, fly};

// ---------------------------------------------------------------------------- update

// g is kept of G_ROWS rows only, which stay in the first cache; two more rows of scratch are the
// travels and mirror images.
enum { G_ROWS = 4, TRAVELS = G_ROWS, IMAGES };

typedef struct plate_sweep {
    const plate_group* p;
    const body_motion* motion;
    int32_t first;
    double* lost; // NULL: not audited
} plate_sweep;

static double* scratch(const plate_sweep* w, int32_t k) {
    return w->motion->scratch + w->first + PLATE_GAP + k * (w->p->stride + PLATE_GAP);
}

static double* g_of(const plate_sweep* w, int32_t j) {
    return scratch(w, j % G_ROWS);
}

static plate_row row_of(const plate_sweep* w, int32_t j) {
    const ptrdiff_t at = w->first + (ptrdiff_t)j * w->p->stride;
    return (plate_row){.plate = w->p,
                       .u = w->motion->u + at,
                       .next = w->motion->next + at,
                       .d = w->motion->d + at,
                       .g = g_of(w, j)};
}

// g on a clamped edge of a tuned plate beside point `at`; `then` is the point after it.
static double tuned_edge(const plate_group* p, const double* u, int32_t at, int32_t then) {
    return -2 * (p->step.bends.x * u[at] + p->step.bends.x2 * u[then]);
}

// What the pass over a row leaves out: g on its edges, 0 or what the mirror makes of u; and of a
// tuned plate the mirror images beyond them.
static void bend_ends(const plate_row* r) {
    const plate_group* p = r->plate;
    const int32_t last = p->nx - 2;
    const double* u = r->u;
    r->g[-1] = p->step.edge * u[0];
    r->g[last + 1] = p->step.edge * u[last];
    if (!p->tuned) return;
    r->g[0] -= p->step.bends.x2 * (p->mirror * u[0]);
    r->g[last] -= p->step.bends.x2 * (p->mirror * u[last]);
    if (p->step.pull > 0) {
        r->next[0] += p->step.pulls.x2 * (p->mirror * u[0]);
        r->next[last] += p->step.pulls.x2 * (p->mirror * u[last]);
    }
    if (!p->clamped) return;
    r->g[-1] = tuned_edge(p, u, 0, 1);
    r->g[last + 1] = tuned_edge(p, u, last, last - 1);
}

// The values two rows away from those of row j. Beyond an edge they are the mirror image, which is
// made in a row of scratch.
static const double* two_away(const plate_sweep* w, const double* row, int32_t j, int32_t way,
                              int32_t k) {
    const plate_group* p = w->p;
    double* image = scratch(w, k);
    if (j + 2 * way >= 0 && j + 2 * way <= p->ny) return row + 2 * way * (ptrdiff_t)p->stride;
    for (int32_t i = 0; i < p->stride; i++)
        image[i] = p->mirror * row[i];
    return image;
}

static void bend_row(const plate_sweep* w, int32_t j) {
    const plate_group* p = w->p;
    plate_row row = row_of(w, j);
    if (w->lost) {
        row.lost = w->lost;
        row.travel = scratch(w, TRAVELS);
        row.travel_below = j > 1 ? row.travel : row.u - p->stride; // the edge: 0
    }
    if (p->tuned) {
        row.below2 = two_away(w, row.u, j, -1, IMAGES);
        row.above2 = two_away(w, row.u, j, 1, IMAGES);
        p->kernel->bend_tuned(&row);
    } else {
        p->kernel->bend(&row);
    }
    bend_ends(&row);
}

// g along edge j, where the next row lies `way` on: 0 or, on a clamped plate, what the mirror makes
// of it.
static void bend_edge(const plate_sweep* w, int32_t j, ptrdiff_t way) {
    const plate_group* p = w->p;
    const double *u = row_of(w, j).u + way, y = p->step.edge * p->ratio;
    const double near = -2 * p->step.bends.y, far = -2 * p->step.bends.y2;
    double* g = g_of(w, j);
    if (!p->clamped) memset(g, 0, (size_t)p->stride * sizeof *g);
    for (int32_t i = 0; i < p->stride && p->clamped; i++)
        g[i] = p->tuned ? near * u[i] + far * u[way + i] : y * u[i];
}

static void fly_row(const plate_sweep* w, int32_t j) {
    plate_row row = row_of(w, j);
    row.g_below = g_of(w, j - 1);
    row.g_above = g_of(w, j + 1);
    w->p->kernel->fly(&row);
}

// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead (of a
// tuned plate two), and u moves as soon as no other row needs what it was.
static void sweep(const body_group* bodies, const body_motion* motion, double* lost) {
    const plate_sweep w = {bodies->data, motion, bodies->first, lost};
    const int32_t ny = w.p->ny, ahead = w.p->tuned ? 2 : 1;
    bend_edge(&w, 0, w.p->stride);
    for (int32_t j = 1 - ahead; j < ny; j++) {
        if (j + ahead < ny) bend_row(&w, j + ahead);
        if (j + ahead == ny) bend_edge(&w, ny, -w.p->stride);
        if (j > 0) fly_row(&w, j);
    }
    for (int32_t i = bodies->first + bodies->forced_first, n = bodies->forced_count;
         n > 0 && !motion->unforced; n--, i++)
        body_push(bodies, motion, i, w.p->step.admittance * motion->F[i]);
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    (void)time;
    sweep(bodies, motion, NULL);
}

// ---------------------------------------------------------------------------- losses

static double advance_audited(const body_group* bodies, const body_motion* motion, double time) {
    const plate_group* p = bodies->data;
    double lost[PLATE_SUMS] = {0};
    (void)time;
    sweep(bodies, motion, p->loss > 0 ? lost : NULL);
    return p->loss * sis_sum_of_eight(lost);
}

// The same sum by itself, of the sample just made.
static body_work work(const body_group* bodies, const body_motion* motion) {
    const plate_sweep w = {bodies->data, motion, bodies->first, NULL};
    double lost[PLATE_SUMS] = {0};
    for (int32_t j = 1; j < w.p->ny && w.p->loss > 0; j++) {
        plate_row row = row_of(&w, j);
        row.lost = lost;
        row.travel = scratch(&w, TRAVELS);
        row.travel_below = j > 1 ? row.travel : row.u - w.p->stride;
        for (int32_t i = 0; i < w.p->nx - 1; i++)
            audit_point(&row, i);
    }
    return (body_work){body_supplied(bodies, motion), w.p->loss * sis_sum_of_eight(lost)};
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
static double tuned_bends_of_row(const plate_sweep* w, const double* u, const double* d,
                                 int32_t j) {
    const plate_group* p = w->p;
    const plate_cross b = p->bends, c = p->pulls;
    const double ratio = p->ratio;
    const ptrdiff_t s = p->stride;
    const double *u_down = two_away(w, u, j, -1, IMAGES), *u_up = two_away(w, u, j, 1, IMAGES);
    const double *d_down = two_away(w, d, j, -1, TRAVELS), *d_up = two_away(w, d, j, 1, TRAVELS);
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
    const plate_sweep w = {bodies->data, motion, bodies->first, NULL};
    const plate_group* p = w.p;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    const double x = p->tuned ? p->pulls.x + 4 * p->pulls.x2 : 1;
    const double y = p->tuned ? p->pulls.y + 4 * p->pulls.y2 : p->ratio;
    double speeds = 0, slopes = 0, bends = 0;
    for (ptrdiff_t j = 1, at = p->stride; j < p->ny; j++, at += p->stride) {
        speeds += speeds_of_row(p, d + at);
        if (p->tension > 0) slopes += slopes_of_row(p, u + at, d + at, x, y);
        bends += p->tuned ? tuned_bends_of_row(&w, u + at, d + at, (int32_t)j)
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
