// A mass driven along a path: its motion is given, so no force moves it (compliance 0), and the
// driver supplies whatever work the links take from it.
#include "body/body.h"

double sis_envelope_at(sis_envelope curve, double time) {
    const double* p = curve.points;
    int32_t low = 0, high = curve.count - 1;
    if (!(time > p[0])) return p[1];
    if (time >= p[2 * high]) return p[2 * high + 1];
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (time < p[2 * middle])
            high = middle;
        else
            low = middle;
    }
    double part = (time - p[2 * low]) / (p[2 * high] - p[2 * low]);
    return p[2 * low + 1] + part * (p[2 * high + 1] - p[2 * low + 1]);
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    const driven_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++) {
        int32_t at = bodies->first + i;
        motion->next[at] = sis_envelope_at(m->path[i], time) - motion->u[at];
        motion->u[at] += motion->next[at];
    }
}

static void apply(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count) {
    (void)bodies, (void)motion, (void)first, (void)count;
}

static body_work work(const body_group* bodies, const body_motion* motion) {
    body_work done = {0, 0};
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++)
        done.supplied -= 0.5 * motion->link_force[i] * (motion->next[i] + motion->d[i]);
    return done;
}

static void energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                   double* elastic) {
    (void)bodies, (void)motion, (void)kinetic, (void)elastic;
}

static void admit(const body_group* bodies, const double* force, double* out) {
    (void)force;
    for (int32_t i = 0; i < bodies->count; i++)
        out[i] = 0;
}

static void start(const body_group* bodies, const body_motion* motion, double k, double time) {
    (void)k;
    const driven_group* m = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++)
        motion->next[bodies->first + i] =
            sis_envelope_at(m->path[i], time) - motion->u[bodies->first + i];
}

const body_kind sis_driven_kind = {advance, apply, work, energy, admit, true, false, NULL, start};
