// What the plates of every width share, and the kind of each.
#ifndef SIS_BODY_PLATE_H
#define SIS_BODY_PLATE_H

#include "body/body.h"

// Before a loop over the rows that are taken at once: written out, so that what belongs to a row is
// in registers from -O2 on.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define UNROLLED _Pragma("GCC unroll 6")
#else
#define UNROLLED
#endif

// The numbers of one sweep. Sweeps go up and down by turns: what was used last is still in the
// first cache. Row j is counted from where a sweep begins, `step` is the way to the next.
typedef struct plate_sweep {
    const plate_bank* p;
    ptrdiff_t width, step; // numbers in a row
    double *u, *next, *g;
    const double* d;
} plate_sweep;

// g on a clamped edge beside point `at` of a row of a tuned plate; `then` is the point after it.
static inline double sis_plate_edge(const plate_bank* p, const double* u, int32_t at,
                                    int32_t then) {
    return -2 * (p->step.bends.x * u[at] + p->step.bends.x2 * u[then]);
}

// What a sample lost: column i is added up in the sum i mod PLATE_SUMS, whatever the width.
enum { PLATE_SUMS = 8 };

// The sums as J.
static inline double plate_lost(const plate_bank* p, const double* s) {
    return p->loss * (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
}

// What the energy of a plate is made of, in units of 1/hx^2: sums of d^2 and |grad d|^2, and of the
// products of grad u and of lap u with those of the shape before. Of a tuned plate `slopes` and
// `bends` are twice energies, J: u.P u- and lap u.B u-, with P and B of `pulls` and `bends`.
typedef struct plate_shape {
    double squares, steps, slopes, bends;
} plate_shape;

struct plate_books {
    // Books what `rows` rows from j on lost in the sample before, into PLATE_SUMS sums.
    void (*rows)(const plate_sweep* w, int32_t j, int32_t rows, double* sums);
    // Edges that are clamped have half of a square more.
    plate_shape (*shape)(const plate_bank* p, const double* u, const double* d);
};

// Plain C, the same at every width.
void sis_plate_give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count);
void sis_plate_admit(const body_bank* bank, const double* force, double* out);
void sis_plate_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                      double* elastic);

// A kind, and how its banks advance when their losses are booked late.
typedef struct plate_width {
    body_kind kind;
    body_late late;
} plate_width;

extern const plate_width sis_plate_1, sis_plate_2, sis_plate_4;
extern const plate_books sis_plate_books_1, sis_plate_books_2, sis_plate_books_4, sis_plate_books_8;

#endif
