// Banks of masses and modes over lanes (see mass.c), LANES of them at a time; what is left over
// goes one by one. Included by mass_2.c, mass_4.c and mass_8.c.
#include "body/mass.h"
#include "body/mass_keeping.h"

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    const mass_bank* m = bank->data;
    double *u = motion->u + bank->first, *next = motion->next + bank->first;
    const double *d = motion->d + bank->first, *F = motion->F + bank->first;
    double* kept = motion->rest + bank->first;
    int32_t i = 0;
    for (; i + LANES <= bank->count; i += LANES) {
        lanes here = lanes_load(u + i), last = lanes_load(d + i), rest = lanes_load(kept + i);
        lanes kick =
            lanes_load(m->Dinv + i) * (lanes_load(F + i) - lanes_load(m->stiffness + i) * here) -
            lanes_load(m->drop + i) * last;
        lanes more = lanes_add_keeping(last, kick + rest, &rest);
        lanes_store(kept + i, rest);
        lanes_store(next + i, more);
        lanes_store(u + i, here + more);
    }
    if (i < bank->count) sis_mass_advance(bank, motion, i);
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const mass_bank* m = bank->data;
    double *u = motion->u + bank->first, *next = motion->next + bank->first;
    double *kept = motion->rest + bank->first, *push = motion->push + bank->first;
    int32_t i = first, end = first + count;
    for (; i + LANES <= end; i += LANES) {
        lanes here = lanes_load(u + i), before = lanes_load(next + i), rest = lanes_load(kept + i);
        lanes by = lanes_load(push + i), left = rest;
        lanes_mask none = lanes_equal(by, lanes_all(0));
        lanes more = lanes_add_keeping(before, lanes_load(m->Dinv + i) * by + rest, &left);
        lanes_store(kept + i, lanes_pick(none, rest, left));
        lanes_store(next + i, lanes_pick(none, before, more));
        lanes_store(u + i, lanes_pick(none, here, here + (more - before)));
    }
    if (i < end) sis_mass_give(bank, motion, i, end - i);
}

static body_work work(const body_bank* bank, const body_motion* motion) {
    return mass_work(bank, motion);
}

const body_kind LANES_NAME(sis_mass_kind) = {advance,        give, work,  sis_mass_energy,
                                             sis_mass_admit, true, false, sis_mass_stretch,
                                             sis_mass_start};
