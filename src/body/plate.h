// Plates: what the update of every width (body/plate_lanes.h) and their energy share.
#ifndef SIS_BODY_PLATE_H
#define SIS_BODY_PLATE_H

#include "body/body.h"

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
