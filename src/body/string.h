// Explicit strings: what is the same at every width.
#ifndef SIS_STRING_H
#define SIS_STRING_H

#include "body/body.h"

// Sums over the travels t = d + next of a sample: t^2, and t times that of the next point. The
// squares of all differences, those from and to the ends included, are 2 (squares - products).
typedef struct string_travels {
    double squares, products;
} string_travels;

// next = d* and u on by it. u, d and next are 0 just before and behind the string, and the place
// after that is its own: the mirror's u is there during a pass. `taken`, if it is not NULL: what
// losses take from d, times d + next with next as it was before, over the points.
typedef void string_flight(const string_pull* f, int32_t count, double* u, const double* d,
                           double* next, double* taken);

// What losses take from d, times d + share next, over the points.
typedef double string_taken(const string_pull* f, int32_t count, const double* d,
                            const double* next, double share);

// The travels of a sample, by d and next.
typedef string_travels string_sum(int32_t count, const double* d, const double* next);

// At 1, 2 and 4 lanes; all give the same bits. Without such registers the next narrower one.
string_flight sis_string_fly_1, sis_string_fly_2;
string_flight sis_string_fly_4;
string_sum sis_string_travels_1, sis_string_travels_2, sis_string_travels_4;
string_taken sis_string_taken_1, sis_string_taken_2, sis_string_taken_4;

#endif
