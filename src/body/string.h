// Explicit strings: what is the same at every width.
#ifndef SIS_STRING_H
#define SIS_STRING_H

#include "body/body.h"

// How the points of a string lie: folded, in as many rungs; in order, if there are none.
typedef struct string_span {
    int32_t points, places, rungs;
} string_span;

static inline string_span string_span_of(const body_bank* bank) {
    const string_bank* s = bank->data;
    return (string_span){s->points, bank->count, bank->rungs};
}

// What the energy of a string is made of: with v the last increments and w the shape `half` an
// increment back, sums of v^2, of the squares of its differences, and of the products of the first
// and of the second differences of w with those of its twin, 1 - 2 half increments further back.
// Differences are counted between a point and the one before it, of folded strings the rung before
// it: string.c adds what is missing.
typedef struct string_shape {
    double squares, differences, slopes, bends;
} string_shape;

// What a string watches: the highest floor on each side of each four rungs; NULL: nothing. And
// where it notes for which of them it is below, as bits of the sides.
typedef struct string_floor {
    const double* height;
    uint8_t* fell;
} string_floor;

static inline string_floor string_floor_of(const body_bank* bank, const body_motion* motion,
                                           bool watches) {
    if (!watches) return (string_floor){NULL, NULL};
    return (string_floor){motion->floor + bank->floor, motion->fell + bank->floor / STRING_SIDES};
}

// What external forces do to a string that has flown.
void sis_string_force(const body_bank* bank, const body_motion* motion);
// What losses took from d times d + next, over the points and the samples since it was booked last,
// is kept in eight sums: to add them up in every sample would take as long as ten points.
double sis_string_book(const body_bank* bank, const body_motion* motion);
static inline double* string_taken(const body_bank* bank, const body_motion* motion) {
    return motion->taken + 8 * (ptrdiff_t)bank->number;
}

// The passes over the points of a string. Of strings in order, u, d and next are 0 just before and
// behind them.
struct string_kernel {
    // Flights of folded strings of at least STRING_PADDED rungs: [with losses][over a floor].
    string_flight flights[2][2];
    string_shape (*shape)(const string_span* s, const double* u, const double* d, double half);
    // What losses take from d, times d + share next, over the points.
    double (*taken)(const string_span* s, const string_pull* f, const double* d, const double* next,
                    double share);
    // out = scale times the second differences of u.
    void (*bends)(const string_span* s, const double* u, double scale, double* out);
};

// At every width; all give the same bits.
extern const string_kernel sis_string_kernel_1, sis_string_kernel_2, sis_string_kernel_4,
    sis_string_kernel_8;

#endif
