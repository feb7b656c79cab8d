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

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    const driven_bank* m = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        motion->kick[bank->first + i] =
            (sis_envelope_at(m->path[i], time) - motion->u[bank->first + i]) -
            motion->d[bank->first + i];
}

static body_work accept(const body_bank* bank, const body_motion* motion) {
    body_work work = {0, 0};
    for (int32_t i = bank->first; i < bank->first + bank->count; i++) {
        double next = motion->d[i] + motion->kick[i];
        motion->travel[i] = next + motion->d[i];
        motion->d[i] = next;
        motion->u[i] += next;
        work.supplied -= 0.5 * motion->push[i] * motion->travel[i];
    }
    return work;
}

static void energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                   double* elastic) {
    (void)bank, (void)motion, (void)kinetic, (void)elastic;
}

static void admit(const body_bank* bank, const double* force, double* out) {
    (void)force;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = 0;
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    (void)k;
    const driven_bank* m = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        motion->kick[bank->first + i] =
            sis_envelope_at(m->path[i], time) - motion->u[bank->first + i];
}

const body_kind sis_driven_kind = {advance, accept, energy, admit, true, NULL, start};
