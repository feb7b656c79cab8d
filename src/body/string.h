// Explicit strings: what is the same at every width.
#ifndef SIS_STRING_H
#define SIS_STRING_H

#include "body/body.h"

// Sums over the travels t = d + next of a sample: t^2, and t times that of the next point. The
// squares of all differences, those from and to the ends included, are 2 (squares - products).
typedef struct string_travels {
    double squares, products;
} string_travels;

// What the energy of a string is made of: with v the last increments and w the shape `half` an
// increment back, sums of v^2, of the squares of its differences, and of the products of the first
// and of the second differences of w with those of its twin, 1 - 2 half increments further back.
typedef struct string_shape {
    double squares, differences, slopes, bends;
} string_shape;

// The passes over the points of a string.
struct string_kernel {
    // next = d* and u on by it. u, d and next are 0 just before and behind the string, and the
    // place after that is its own: the mirror's u is there during a pass. `taken`, if it is not
    // NULL: what losses take from d, times d + next with next as it was before, over the points.
    // `floor` may be NULL; returns whether u is below it anywhere.
    bool (*fly)(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                const double* floor, double* taken);
    // The travels of a sample, by d and next.
    string_travels (*travels)(int32_t count, const double* d, const double* next);
    // Over the points; the slope behind the last one, and clamped ends, are not in it.
    string_shape (*shape)(int32_t count, const double* u, const double* d, double half);
    // What losses take from d, times d + share next, over the points.
    double (*taken)(const string_pull* f, int32_t count, const double* d, const double* next,
                    double share);
};

// At every width; all give the same bits.
extern const string_kernel sis_string_kernel_1, sis_string_kernel_2, sis_string_kernel_4,
    sis_string_kernel_8;

#endif
