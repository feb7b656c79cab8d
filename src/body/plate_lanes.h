// The update of a plate over lanes, one or eight (the equations: body/plate.c). Included by
// src/wide.
//
// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead (of a
// tuned plate two), and u moves as soon as no other row needs what it was. g is kept of PLATE_G
// rows only.
#include "base/lanes.h"
#include "body/kernels.h"

typedef struct lanes_cross {
    lanes x, x2, y, y2;
} lanes_cross;

LANES_FN lanes_cross all_of(const plate_cross* c, double sign) {
    return (lanes_cross){lanes_all(sign * c->x), lanes_all(sign * c->x2), lanes_all(sign * c->y),
                         lanes_all(sign * c->y2)};
}

LANES_FN lanes cross_of(const lanes_cross* c, lanes dxx, lanes dxx2, lanes dyy, lanes dyy2) {
    return (c->y * dyy + c->y2 * dyy2) + (c->x * dxx + c->x2 * dxx2);
}

// A sweep: where it works, and its numbers. Differences are taken with the other sign, u less its
// neighbours, and so are `pull` and `pulls`.
typedef struct plate_pass {
    const plate_group* p;
    double *u, *next, *travel, *image, *g[PLATE_G];
    const double* d;
    lanes ratio, centre, keep, late, bend, pull, along, across;
    lanes_cross bends, pulls;
    lanes_sums lost;
} plate_pass;

LANES_FN plate_pass begin_sweep(const body_group* bodies, const body_motion* motion) {
    const plate_group* p = bodies->data;
    plate_pass w = {.p = p,
                    .u = motion->u + bodies->first,
                    .next = motion->next + bodies->first,
                    .d = motion->d + bodies->first,
                    .travel = plate_scratch(bodies, motion, PLATE_TRAVELS),
                    .image = plate_scratch(bodies, motion, PLATE_IMAGES),
                    .ratio = lanes_all(p->ratio),
                    .centre = lanes_all(2 + 2 * p->ratio),
                    .keep = lanes_all(p->step.keep),
                    .late = lanes_all(p->step.late),
                    .bend = lanes_all(p->step.bend),
                    .pull = lanes_all(-p->step.pull),
                    .along = lanes_all(p->loss_along),
                    .across = lanes_all(p->loss_across),
                    .bends = all_of(&p->step.bends, 1),
                    .pulls = all_of(&p->step.pulls, -1),
                    .lost = lanes_sums_none()};
    for (int32_t k = 0; k < PLATE_G; k++)
        w.g[k] = plate_scratch(bodies, motion, k);
    return w;
}

LANES_FN double* g_of(const plate_pass* w, int32_t j) {
    return w->g[(uint32_t)j % PLATE_G];
}

// All sets of a row, PLATE_SUMS points at a time. What they compute behind the last point is
// cleared after, or not used.
#define EACH_SET(count)                                                                            \
    LANES_UNROLL                                                                                   \
    for (ptrdiff_t first = 0; first < (count); first += PLATE_SUMS)                                \
        for (ptrdiff_t k = 0, i = first; k < PLATE_SUMS; k += LANES, i += LANES)

// In units of loss, the travels t = d + next of the sample before lost t^2 less `along` and
// `across` of its products with its neighbours: the squares of t and of its slopes, multiplied out.
LANES_FN lanes lost_of(const plate_pass* w, lanes t, lanes right, lanes below) {
    return t * (t - w->along * right - w->across * below);
}

// g = late d - bend lap u, and of a plate under tension next = pull lap u. Tuned: the same with
// plate_cross, and beyond the edges of the row u counts as 0. lap u is made of differences, which
// are exact: u is far larger than what bends it.
LANES_FN void bend_points(plate_pass* w, int32_t j, const bool tuned, const bool pulls,
                          const bool audit) {
    const plate_group* p = w->p;
    const ptrdiff_t s = p->stride, at = j * s;
    const int32_t count = p->nx - 1;
    const double *row = w->u + at, *d = w->d + at, *below2 = NULL, *above2 = NULL;
    const double* travel_below = j > 1 ? w->travel : w->u; // the edge: 0
    double *next = w->next + at, *g = g_of(w, j), *travel = w->travel;
    if (tuned) {
        below2 = plate_two_away(p, row, j, -1, w->image);
        above2 = plate_two_away(p, row, j, 1, w->image);
    }
    EACH_SET(count) {
        const double* u = row + i;
        const lanes here = lanes_load(u), last = lanes_load(d + i);
        const lanes dxx = (here - lanes_load(u + 1)) + (here - lanes_load(u - 1));
        const lanes dyy = (here - lanes_load(u + s)) + (here - lanes_load(u - s));
        lanes bent, pulled;
        if (tuned) {
            const lanes dxx2 = (here - lanes_load(u + 2)) + (here - lanes_load(u - 2));
            const lanes dyy2 = (here - lanes_load(above2 + i)) + (here - lanes_load(below2 + i));
            bent = cross_of(&w->bends, dxx, dxx2, dyy, dyy2);
            pulled = cross_of(&w->pulls, dxx, dxx2, dyy, dyy2);
        } else {
            bent = w->bend * (w->ratio * dyy + dxx);
            pulled = w->pull * (w->ratio * dyy + dxx);
        }
        if (audit) {
            const lanes t = last + lanes_load(next + i);
            const lanes right = lanes_load(d + i + 1) + lanes_load(next + i + 1);
            lanes_sums_add(&w->lost, k, lost_of(w, t, right, lanes_load(travel_below + i)));
            lanes_store(travel + i, t);
        }
        lanes_store(g + i, w->late * last + bent);
        if (pulls) lanes_store(next + i, pulled);
    }
}

// g on a clamped edge of a tuned plate beside point `at`; `then` is the point after it.
LANES_FN double tuned_edge(const plate_group* p, const double* u, int32_t at, int32_t then) {
    return -2 * (p->step.bends.x * u[at] + p->step.bends.x2 * u[then]);
}

// What the pass over a row leaves out: g on its edges, 0 or what the mirror makes of u; and of a
// tuned plate the mirror images beyond them.
LANES_FN void bend_ends(const plate_pass* w, int32_t j, const bool tuned, const bool pulls) {
    const plate_group* p = w->p;
    const int32_t last = p->nx - 2;
    const double* u = w->u + (ptrdiff_t)j * p->stride;
    double *g = g_of(w, j), *next = w->next + (ptrdiff_t)j * p->stride;
    g[-1] = p->step.edge * u[0];
    g[last + 1] = p->step.edge * u[last];
    if (!tuned) return;
    g[0] -= p->step.bends.x2 * (p->mirror * u[0]);
    g[last] -= p->step.bends.x2 * (p->mirror * u[last]);
    if (pulls) {
        next[0] += p->step.pulls.x2 * (p->mirror * u[0]);
        next[last] += p->step.pulls.x2 * (p->mirror * u[last]);
    }
    if (!p->clamped) return;
    g[-1] = tuned_edge(p, u, 0, 1);
    g[last + 1] = tuned_edge(p, u, last, last - 1);
}

// g along edge j, where the next row lies `way` on: 0 or, on a clamped plate, what the mirror makes
// of it.
LANES_FN void bend_edge(const plate_pass* w, int32_t j, ptrdiff_t way) {
    const plate_group* p = w->p;
    const double *u = w->u + (ptrdiff_t)j * p->stride + way, y = p->step.edge * p->ratio;
    const double near = -2 * p->step.bends.y, far = -2 * p->step.bends.y2;
    double* g = g_of(w, j);
    if (!p->clamped) memset(g, 0, (size_t)p->stride * sizeof *g);
    for (int32_t i = 0; i < p->stride && p->clamped; i++)
        g[i] = p->tuned ? near * u[i] + far * u[way + i] : y * u[i];
}

// next = keep d + lap g, under tension + next, and u on by it.
LANES_FN void fly_points(const plate_pass* w, int32_t j, const bool pulls) {
    const plate_group* p = w->p;
    const ptrdiff_t at = (ptrdiff_t)j * p->stride;
    const int32_t count = p->nx - 1;
    const double *d = w->d + at, *g = g_of(w, j);
    const double *g_below = g_of(w, j - 1), *g_above = g_of(w, j + 1);
    double *u = w->u + at, *next = w->next + at;
    EACH_SET(count) {
        const lanes beside = lanes_load(g + i + 1) + lanes_load(g + i - 1);
        const lanes beyond = lanes_load(g_above + i) + lanes_load(g_below + i);
        lanes now = w->keep * lanes_load(d + i) +
                    ((beside + w->ratio * beyond) - w->centre * lanes_load(g + i));
        if (pulls) now += lanes_load(next + i);
        lanes_store(next + i, now);
        lanes_store(u + i, lanes_load(u + i) + now);
    }
    for (ptrdiff_t i = count; i % PLATE_SUMS; i++)
        u[i] = next[i] = 0;
}

LANES_FN void sweep_rows(const body_group* bodies, const body_motion* motion, double* lost,
                         const bool tuned, const bool pulls, const bool audit) {
    plate_pass w = begin_sweep(bodies, motion);
    const int32_t ny = w.p->ny, ahead = tuned ? 2 : 1;
    bend_edge(&w, 0, w.p->stride);
    for (int32_t j = 1 - ahead; j < ny; j++) {
        if (j + ahead < ny) {
            bend_points(&w, j + ahead, tuned, pulls, audit);
            bend_ends(&w, j + ahead, tuned, pulls);
        }
        if (j + ahead == ny) bend_edge(&w, ny, -w.p->stride);
        if (j > 0) fly_points(&w, j, pulls);
    }
    if (audit) lanes_sums_keep(&w.lost, lost);
}

LANES_FN void sweep_plain_or_tuned(const body_group* bodies, const body_motion* motion,
                                   double* lost, const bool pulls, const bool audit) {
    const plate_group* p = bodies->data;
    p->tuned ? sweep_rows(bodies, motion, lost, true, pulls, audit)
             : sweep_rows(bodies, motion, lost, false, pulls, audit);
}

static void sweep_plate(const body_group* bodies, const body_motion* motion, double* lost) {
    const plate_group* p = bodies->data;
    if (p->step.pull > 0)
        lost ? sweep_plain_or_tuned(bodies, motion, lost, true, true)
             : sweep_plain_or_tuned(bodies, motion, lost, true, false);
    else
        lost ? sweep_plain_or_tuned(bodies, motion, lost, false, true)
             : sweep_plain_or_tuned(bodies, motion, lost, false, false);
}
