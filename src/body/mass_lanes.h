// Masses and modes over lanes (the equations and the scalar form: body/mass.c); what is left over
// goes one by one.
#include "base/lanes.h"
#include "body/kernels.h"

// mass_add_keeping over lanes.
LANES_FN lanes lanes_add_keeping(lanes d, lanes change, lanes* rest) {
    lanes next = d + change, part = next - d, farthest = lanes_all(MASS_FARTHEST);
    lanes_mask near = lanes_less(next, farthest) & lanes_less(-farthest, next);
    *rest = lanes_pick(near, (d - (next - part)) + (change - part), lanes_all(0));
    return lanes_pick(near, next, lanes_all(0));
}

static void advance_masses(const body_group* bodies, const body_motion* motion, double time) {
    (void)time;
    const mass_group* m = bodies->data;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    const double *d = motion->d + bodies->first, *F = motion->F + bodies->first;
    double* kept = motion->rest + bodies->first;
    int32_t i = 0;
    for (; i + LANES <= bodies->count; i += LANES) {
        lanes here = lanes_load(u + i), last = lanes_load(d + i), rest = lanes_load(kept + i);
        lanes kick =
            lanes_load(m->Dinv + i) * (lanes_load(F + i) - lanes_load(m->stiffness + i) * here) -
            lanes_load(m->drop + i) * last;
        lanes more = lanes_add_keeping(last, kick + rest, &rest);
        lanes_store(kept + i, rest);
        lanes_store(next + i, more);
        lanes_store(u + i, here + more);
    }
    if (i < bodies->count) sis_mass_advance(bodies, motion, i);
}

static void apply_masses(const body_group* bodies, const body_motion* motion, int32_t first,
                         int32_t count) {
    const mass_group* m = bodies->data;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    double *kept = motion->rest + bodies->first, *force = motion->link_force + bodies->first;
    int32_t i = first, end = first + count;
    for (; i + LANES <= end; i += LANES) {
        lanes here = lanes_load(u + i), before = lanes_load(next + i), rest = lanes_load(kept + i);
        lanes by = lanes_load(force + i), left = rest;
        lanes_mask none = lanes_equal(by, lanes_all(0));
        lanes more = lanes_add_keeping(before, lanes_load(m->Dinv + i) * by + rest, &left);
        lanes_store(kept + i, lanes_pick(none, rest, left));
        lanes_store(next + i, lanes_pick(none, before, more));
        lanes_store(u + i, lanes_pick(none, here, here + (more - before)));
    }
    if (i < end) sis_mass_apply(bodies, motion, i, end - i);
}

static body_work work_of_masses(const body_group* bodies, const body_motion* motion) {
    return mass_work(bodies, motion);
}

static const body_kind mass_kind = MASS_KIND(advance_masses, apply_masses, work_of_masses);
