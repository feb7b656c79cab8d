// Plates: the passes over one row, which kernels of every width have.
#ifndef SIS_BODY_PLATE_H
#define SIS_BODY_PLATE_H

#include "body/body.h"

// Sums over points add up column i in the sum i mod PLATE_SUMS, whatever the width.
enum { PLATE_SUMS = 8 };

// What a pass over a row needs. Pointers are to its first point; rows beside it lie plate->stride
// before and behind it.
typedef struct plate_row {
    const plate_group* plate;
    double *u, *next;
    const double* d;
    double* g;
    const double *g_below, *g_above; // of the rows beside it
    const double *below2, *above2;   // tuned: u two rows away
    const double* travel_below;      // audited: d + next of the sample before, of the row below,
    double* travel;                  // .. and of this row; NULL: not audited
    double* lost;                    // PLATE_SUMS sums, m^2
} plate_row;

// Kernels may compute places behind the last point of a row; u, next and the travels stay 0 there.
struct plate_kernel {
    // g = late d - bend lap u, and of a plate under tension next = pull lap u. Audited, what the
    // sample before lost is added to `lost`.
    void (*bend)(const plate_row* row);
    // The same with plate_cross. Beyond the edges of a row u counts as 0.
    void (*bend_tuned)(const plate_row* row);
    // next = keep d + lap g, under tension + next, and u on by it.
    void (*fly)(const plate_row* row);
};
extern const plate_kernel sis_plate_kernel; // one point at a time

#endif
