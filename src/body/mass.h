// What body_groups of masses and modes of every width share, and the kind of each.
#ifndef SIS_BODY_MASS_H
#define SIS_BODY_MASS_H

#include "body/body.h"

// An increment no instrument makes, m: a mass that would is stopped, so that nothing ever
// overflows.
#define MASS_FARTHEST 1e50

enum { MASS_FEW = 4 }; // for fewer wide registers are no use

// d + change with the rounding error of the sum kept for the next sample (Knuth's two-sum): a
// steady kick far smaller than d would otherwise round the same way every time and drift.
static inline double mass_add_keeping(double d, double change, double* rest) {
    double next = d + change, part = next - d;
    bool near = next < MASS_FARTHEST && -MASS_FARTHEST < next;
    *rest = near ? (d - (next - part)) + (change - part) : 0;
    return near ? next : 0;
}

// One after the other: a group of bodies from its degree of freedom `first` on, and a range of it.
void sis_mass_advance(const body_group* bodies, const body_motion* motion, int32_t first);
void sis_mass_apply(const body_group* bodies, const body_motion* motion, int32_t first,
                    int32_t count);

// The same at every width.
void sis_mass_energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                     double* elastic);
void sis_mass_admit(const body_group* bodies, const double* force, double* out);
void sis_mass_stretch(const body_group* bodies, const body_motion* motion);
void sis_mass_start(const body_group* bodies, const body_motion* motion, double k, double time);

// To be compiled once more for wider registers.
SIS_INLINE body_work mass_work(const body_group* bodies, const body_motion* motion) {
    const mass_group* m = bodies->data;
    const double *d = motion->d + bodies->first, *next = motion->next + bodies->first;
    const double *F = motion->F + bodies->first, *loss = m->loss;
    body_work done;
#define TRAVEL(AT) (AT(next + i) + AT(d + i))
#define TERM(AT)   (0.5 * AT(F + i) * TRAVEL(AT))
    SIS_SUM(done.supplied, bodies->count, TERM);
#undef TERM
#define TERM(AT) (AT(loss + i) * TRAVEL(AT) * TRAVEL(AT))
    SIS_SUM(done.dissipated, bodies->count, TERM);
#undef TERM
#undef TRAVEL
    return done;
}

extern const body_kind sis_mass_kind_1; // one at a time

#endif
