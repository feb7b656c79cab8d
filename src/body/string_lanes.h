// The update of an explicit string and the passes of a banded one over lanes (the equations and the
// scalar forms: body/string.c, body/string_banded.c), for LANES >= 2.
#include "base/lanes.h"
#include "body/kernels.h"

// A pass over the points. Each difference e_i = u_i - u_{i+1} is computed once, a set ahead of the
// points that move, so that u may be overwritten behind.
typedef struct string_pass {
    lanes near, far, late, keep;
    double *u, *next;
    const double* d;
    lanes back, slope, here; // of the set at hand: e two places before it, e, u
    lanes_sums taken;
} string_pass;

// The set from point i on, which begins at place k of its chunk; returns where it is now. Of its
// places only those in `points` are points, the others stay 0: all of them, unless it is the last.
LANES_FN lanes move_set(string_pass* p, ptrdiff_t i, int32_t k, const bool audit, const bool last,
                        lanes_mask points) {
    const double *u = p->u + i + LANES, *d = p->d + i;
    const lanes on = lanes_load(u), ahead = on - lanes_load(u + 1);
    const lanes back = LANES_FROM(p->slope, ahead, LANES - 2);
    const lanes near = LANES_BETWEEN(p->back, p->slope) - p->slope;
    const lanes far = p->back - LANES_FROM(p->slope, ahead, 1);
    const lanes step = lanes_load(d);
    const lanes kept = p->keep * step + p->late * (lanes_load(d - 1) + lanes_load(d + 1));
    if (audit) lanes_sums_add(&p->taken, k, (step - kept) * (step + lanes_load(p->next + i)));
    lanes more = kept + (p->near * near - p->far * far), there = p->here + more;
    if (last) {
        more = lanes_pick(points, more, lanes_all(0));
        there = lanes_pick(points, there, lanes_all(0));
    }
    lanes_store(p->next + i, more);
    lanes_store(p->u + i, there);
    p->back = back;
    p->slope = ahead;
    p->here = on;
    return last ? lanes_pick(points, there, lanes_all(HUGE_VAL)) : there;
}

// The mask of the points from i on.
LANES_FN lanes_mask points_from(ptrdiff_t i, int32_t count) {
    const ptrdiff_t left = count - i < LANES ? count - i : LANES;
    return lanes_from_which(left > 0 ? (1u << left) - 1 : 0);
}

// The points of a chunk; notes whether any is below what lies under them.
LANES_FN unsigned move_chunk(string_pass* p, ptrdiff_t chunk, int32_t count, const bool audit,
                             const bool detects, const bool last, string_detection detection) {
    const ptrdiff_t i = chunk * STRING_CHUNK;
    lanes low = move_set(p, i, 0, audit, last, points_from(last ? i : 0, last ? count : LANES));
    for (int32_t k = LANES; k < STRING_CHUNK; k += LANES) {
        const lanes_mask points = points_from(last ? i + k : 0, last ? count : LANES);
        low = lanes_min(low, move_set(p, i + k, k, audit, last, points));
    }
    if (!detects) return 0;
    const unsigned below = lanes_which(lanes_less(low, lanes_all(detection.height[chunk])));
    detection.candidate[chunk] = below != 0;
    return below;
}

LANES_FN double advance_points(const body_group* bodies, const body_motion* motion,
                               const bool audit, const bool detects) {
    const string_group* s = bodies->data;
    const string_pull* f = &s->step;
    const string_detection detection = string_detection_of(bodies, motion);
    const int32_t count = bodies->count;
    const ptrdiff_t whole = count / STRING_CHUNK;
    string_pass p = {.near = lanes_all(f->near),
                     .far = lanes_all(f->far),
                     .late = lanes_all(f->late),
                     .keep = lanes_all(f->keep),
                     .u = motion->u + bodies->first,
                     .next = motion->next + bodies->first,
                     .d = motion->d + bodies->first,
                     .taken = lanes_sums_none()};
    double taken[STRING_SUMS];
    unsigned below = 0;
    string_mirror(f, p.u, count);
    p.here = lanes_load(p.u);
    p.back = lanes_load(p.u - 2) - lanes_load(p.u - 1);
    p.slope = p.here - lanes_load(p.u + 1);
    LANES_UNROLL
    for (ptrdiff_t chunk = 0; chunk < whole; chunk++)
        below |= move_chunk(&p, chunk, count, audit, detects, false, detection);
    if (count % STRING_CHUNK)
        below |= move_chunk(&p, whole, count, audit, detects, true, detection);
    p.u[-2] = p.u[count + 1] = 0;
    if (detects) motion->has_candidate[bodies->number] = below != 0;
    if (!audit) return 0;
    lanes_sums_keep(&p.taken, taken);
    return sis_sum_of_eight(taken);
}

static double advance_string(const body_group* bodies, const body_motion* motion, bool audit) {
    if (bodies->detects)
        return audit ? advance_points(bodies, motion, true, true)
                     : advance_points(bodies, motion, false, true);
    return audit ? advance_points(bodies, motion, true, false)
                 : advance_points(bodies, motion, false, false);
}

// ---------------------------------------------------------------------------- banded strings

static void pull_banded(const string_group* s, const double* u, const double* d, int32_t count,
                        double* out) {
    const lanes near = lanes_all(s->pull + 3 * s->bend), far = lanes_all(s->bend);
    const lanes late = lanes_all(2 * s->s1k), drop = lanes_all(2 * s->s0k);
    int32_t i = 0;
    LANES_UNROLL
    for (; i + LANES <= count; i += LANES) {
        const lanes left = lanes_load(u + i - 1), here = lanes_load(u + i);
        const lanes right = lanes_load(u + i + 1), step = lanes_load(d + i);
        const lanes bent = near * ((right - here) - (here - left)) -
                           far * ((lanes_load(u + i + 2) - right) - (left - lanes_load(u + i - 2)));
        const lanes slower = (lanes_load(d + i - 1) - step) + (lanes_load(d + i + 1) - step);
        lanes_store(out + i, (bent + late * slower) - drop * step);
    }
    if (i < count) sis_banded_passes.pull(s, u + i, d + i, count - i, out + i);
}

static void move_banded(const double* d, double* u, double* next, int32_t count) {
    int32_t i = 0;
    LANES_UNROLL
    for (; i + LANES <= count; i += LANES) {
        const lanes more = lanes_load(next + i) + lanes_load(d + i);
        lanes_store(next + i, more);
        lanes_store(u + i, lanes_load(u + i) + more);
    }
    if (i < count) sis_banded_passes.move(d + i, u + i, next + i, count - i);
}

static const banded_passes banded_string_passes = {pull_banded, move_banded};
