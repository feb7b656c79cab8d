// What the updates of every width share, and their energy: masses, strings, plates.
#ifndef SIS_BODY_KERNELS_H
#define SIS_BODY_KERNELS_H

#include "body/body.h"

// ---------------------------------------------------------------------------- masses and modes

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
void sis_mass_modulation(const body_group* bodies, const body_motion* motion);
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

// The kind with these three functions.
#define MASS_KIND(advance, apply, work)                                                            \
    {                                                                                              \
        advance, apply, work, sis_mass_energy, sis_mass_admit, true, false, sis_mass_modulation,   \
            sis_mass_start                                                                         \
    }

extern const body_kind sis_mass_kind_1; // one at a time

// ---------------------------------------------------------------------------- strings on a grid

// What losses leave of the increment d of point i.
SIS_INLINE double string_kept(const string_pull* f, const double* d, int32_t i) {
    return f->keep * d[i] + f->late * (d[i - 1] + d[i + 1]);
}

// What bends point i. All is made of first differences, which are exact: u is far larger than what
// bends it.
SIS_INLINE double string_bent(const string_pull* f, const double* u, int32_t i) {
    double near = (u[i - 1] - u[i]) - (u[i] - u[i + 1]);
    double far = (u[i - 2] - u[i - 1]) - (u[i + 1] - u[i + 2]);
    return f->near * near - f->far * far;
}

// Sets the points beyond the ends.
SIS_INLINE void string_mirror(const string_pull* f, double* u, int32_t count) {
    u[-2] = f->mirror * u[0];
    u[count + 1] = f->mirror * u[count - 1];
}

// Sums over points add up point i in the sum i mod STRING_SUMS, whatever the width.
enum { STRING_SUMS = 8 };

// Contact detection is fused into the update: STRING_CHUNK points at a time are compared with the
// highest of what lies below them. NULL: nothing does.
typedef struct string_detection {
    const double* height; // of each chunk, m
    uint8_t* candidate;   // which chunks are below?
} string_detection;

static inline string_detection string_detection_of(const body_group* bodies,
                                                   const body_motion* motion) {
    if (!bodies->detects) return (string_detection){NULL, NULL};
    return (string_detection){motion->lower_bound + bodies->first_bound,
                              motion->candidate + bodies->first_bound};
}

// ---------------------------------------------------------------------------- plates

// Sums over points add up column i in the sum i mod PLATE_SUMS, whatever the width.
enum { PLATE_SUMS = 8 };

// Rows of scratch: g of so many rows, which stay in the first cache; travels; mirror images.
enum { PLATE_G = 4, PLATE_TRAVELS = PLATE_G, PLATE_IMAGES };

static inline double* plate_scratch(const body_group* bodies, const body_motion* motion,
                                    int32_t k) {
    const plate_group* p = bodies->data;
    return motion->scratch + bodies->first + PLATE_GAP + k * (p->stride + PLATE_GAP);
}

// The values two rows away from those of row j. Beyond an edge they are the mirror image, which is
// made in `image`.
static inline const double* plate_two_away(const plate_group* p, const double* row, int32_t j,
                                           int32_t way, double* image) {
    if (j + 2 * way >= 0 && j + 2 * way <= p->ny) return row + 2 * way * (ptrdiff_t)p->stride;
    for (int32_t i = 0; i < p->stride; i++)
        image[i] = p->mirror * row[i];
    return image;
}

#endif
