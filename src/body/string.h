// Strings on a grid: what every kernel of explicit strings shares.
#ifndef SIS_STRING_H
#define SIS_STRING_H

#include "body/body.h"

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
    return (string_detection){motion->lower_bound + bodies->floor,
                              motion->candidate + bodies->floor};
}

#endif
