// The passes over a row of a plate over lanes (the equations and the scalar form: body/plate.c),
// for LANES >= 2.
#include "base/lanes.h"
#include "body/plate.h"

// Audited: what the sample before lost.
LANES_FN void audit_set(const plate_row* r, ptrdiff_t i, ptrdiff_t k, lanes d, lanes along,
                        lanes across, lanes_sums* lost) {
    const lanes t = d + lanes_load(r->next + i);
    const lanes right = lanes_load(r->d + i + 1) + lanes_load(r->next + i + 1);
    const lanes kept = t - along * right - across * lanes_load(r->travel_below + i);
    lanes_sums_add(lost, k, t * kept);
    lanes_store(r->travel + i, t);
}

// All sets of a row, PLATE_SUMS points at a time. In each pass what is constant stands before the
// loop, where no store can change it.
#define EACH_SET(count)                                                                            \
    LANES_UNROLL                                                                                   \
    for (ptrdiff_t first = 0; first < (count); first += PLATE_SUMS)                                \
        for (ptrdiff_t k = 0, i = first; k < PLATE_SUMS; k += LANES, i += LANES)

LANES_FN void bend_row(const plate_row* row, const bool pulls, const bool audit) {
    const plate_row r = *row;
    const plate_group* p = r.plate;
    const int32_t count = p->nx - 1;
    const ptrdiff_t s = p->stride;
    const lanes ratio = lanes_all(p->ratio), late = lanes_all(p->step.late);
    const lanes bend = lanes_all(p->step.bend), minus_pull = lanes_all(-p->step.pull);
    const lanes along = lanes_all(p->loss_along), across = lanes_all(p->loss_across);
    lanes_sums lost = audit ? lanes_sums_from(r.lost) : lanes_sums_none();
    EACH_SET(count) {
        const double* u = r.u + i;
        const lanes here = lanes_load(u), d = lanes_load(r.d + i);
        const lanes dxx = (here - lanes_load(u + 1)) + (here - lanes_load(u - 1));
        const lanes dyy = (here - lanes_load(u + s)) + (here - lanes_load(u - s));
        const lanes lap = ratio * dyy + dxx;
        if (audit) audit_set(&r, i, k, d, along, across, &lost);
        lanes_store(r.g + i, late * d + bend * lap);
        if (pulls) lanes_store(r.next + i, minus_pull * lap);
    }
    if (audit) lanes_sums_keep(&lost, r.lost);
}

typedef struct lanes_cross {
    lanes x, x2, y, y2;
} lanes_cross;

LANES_FN lanes_cross all_of(const plate_cross* c, const double sign) {
    return (lanes_cross){lanes_all(sign * c->x), lanes_all(sign * c->x2), lanes_all(sign * c->y),
                         lanes_all(sign * c->y2)};
}

LANES_FN lanes cross_of(const lanes_cross* c, lanes dxx, lanes dxx2, lanes dyy, lanes dyy2) {
    return (c->y * dyy + c->y2 * dyy2) + (c->x * dxx + c->x2 * dxx2);
}

LANES_FN void bend_tuned_row(const plate_row* row, const bool pulls, const bool audit) {
    const plate_row r = *row;
    const plate_group* p = r.plate;
    const int32_t count = p->nx - 1;
    const ptrdiff_t s = p->stride;
    const lanes_cross bends = all_of(&p->step.bends, 1), minus_pull = all_of(&p->step.pulls, -1);
    const lanes late = lanes_all(p->step.late);
    const lanes along = lanes_all(p->loss_along), across = lanes_all(p->loss_across);
    lanes_sums lost = audit ? lanes_sums_from(r.lost) : lanes_sums_none();
    EACH_SET(count) {
        const double* u = r.u + i;
        const lanes here = lanes_load(u), d = lanes_load(r.d + i);
        const lanes dxx = (here - lanes_load(u + 1)) + (here - lanes_load(u - 1));
        const lanes dxx2 = (here - lanes_load(u + 2)) + (here - lanes_load(u - 2));
        const lanes dyy = (here - lanes_load(u + s)) + (here - lanes_load(u - s));
        const lanes dyy2 = (here - lanes_load(r.above2 + i)) + (here - lanes_load(r.below2 + i));
        if (audit) audit_set(&r, i, k, d, along, across, &lost);
        lanes_store(r.g + i, late * d + cross_of(&bends, dxx, dxx2, dyy, dyy2));
        if (pulls) lanes_store(r.next + i, cross_of(&minus_pull, dxx, dxx2, dyy, dyy2));
    }
    if (audit) lanes_sums_keep(&lost, r.lost);
}

// What sets have behind the last point is 0.
LANES_FN void clear_behind(double* v, int32_t count) {
    for (int32_t i = count / LANES * LANES; i % PLATE_SUMS || i < count; i += LANES) {
        const lanes_mask points = lanes_from_which(i < count ? (1u << (count - i)) - 1 : 0);
        lanes_store(v + i, lanes_pick(points, lanes_load(v + i), lanes_all(0)));
    }
}

LANES_FN void fly_row(const plate_row* row, const bool pulls) {
    const plate_row r = *row;
    const plate_group* p = r.plate;
    const int32_t count = p->nx - 1;
    const lanes ratio = lanes_all(p->ratio), keep = lanes_all(p->step.keep);
    const lanes centre = lanes_all(2 + 2 * p->ratio);
    EACH_SET(count) {
        const double* g = r.g + i;
        const lanes beside = lanes_load(g + 1) + lanes_load(g - 1);
        const lanes across = lanes_load(r.g_above + i) + lanes_load(r.g_below + i);
        lanes now =
            keep * lanes_load(r.d + i) + ((beside + ratio * across) - centre * lanes_load(g));
        if (pulls) now += lanes_load(r.next + i);
        lanes_store(r.next + i, now);
        lanes_store(r.u + i, lanes_load(r.u + i) + now);
    }
    clear_behind(r.next, count);
    clear_behind(r.u, count);
}

static void plate_bend(const plate_row* r) {
    const bool pulls = r->plate->step.pull > 0;
    if (r->travel)
        pulls ? bend_row(r, true, true) : bend_row(r, false, true);
    else
        pulls ? bend_row(r, true, false) : bend_row(r, false, false);
}

static void plate_bend_tuned(const plate_row* r) {
    const bool pulls = r->plate->step.pull > 0;
    if (r->travel)
        pulls ? bend_tuned_row(r, true, true) : bend_tuned_row(r, false, true);
    else
        pulls ? bend_tuned_row(r, true, false) : bend_tuned_row(r, false, false);
}

static void plate_fly(const plate_row* r) {
    r->plate->step.pull > 0 ? fly_row(r, true) : fly_row(r, false);
}

static const plate_kernel plate_passes = {plate_bend, plate_bend_tuned, plate_fly};
