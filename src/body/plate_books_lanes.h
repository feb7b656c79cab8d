// The books of a plate over lanes: what the sample before has lost, while its increments are still
// there. Apart from the sweep (plate_lanes.h), because here eight lanes are faster than four.
//
// To be included in a .c file that has defined LANES.
#include "base/lanes.h"
#include "body/plate.h"

LANES_FN lanes travel_at(const plate_sweep* w, ptrdiff_t at) {
    return lanes_load(w->d + at) + lanes_load(w->next + at);
}

// What the travels t lose, in units of loss: the squares of t and of its slopes along and across,
// multiplied out. All edges are at rest, so each slope is counted once, from where it ends.
LANES_FN lanes lost_at(const plate_bank* p, lanes before, lanes t, lanes above) {
    lanes along = lanes_all(p->loss_along), across = lanes_all(p->loss_across);
    return t * (t - (along * lanes_one_back(before, t) + across * above));
}

enum { BOOKED_MOST = 5 }; // rows at once

// The set of columns from i on in `rows` rows; `before` are the travels of the set before it.
LANES_FN void book_set(const plate_sweep* w, ptrdiff_t at, ptrdiff_t i, const int rows,
                       lanes* before, lanes_sums* sums) {
    lanes t = travel_at(w, at);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        lanes above = travel_at(w, at + r * w->step + w->step);
        lanes_sums_add(sums, i, lost_at(w->p, before[r], t, above));
        before[r] = t;
        t = above;
    }
}

// Books `rows` rows from j on, before their next is overwritten.
LANES_FN void book_rows(const plate_sweep* w, int32_t j, const int rows, double* sums) {
    lanes before[BOOKED_MOST];
    lanes_sums sum;
    for (int part = 0; part < LANES_PARTS; part++)
        sum.part[part] = lanes_load(sums + part * LANES);
    UNROLLED
    for (int r = 0; r < rows; r++)
        before[r] = lanes_all(0);
    for (ptrdiff_t first = 0; first < w->width; first += PLATE_SUMS) {
        UNROLLED // each sum in its own register
            for (ptrdiff_t i = 0; i < PLATE_SUMS; i += LANES)
                book_set(w, j * w->step + first + i, i, rows, before, &sum);
    }
    for (int part = 0; part < LANES_PARTS; part++)
        lanes_store(sums + part * LANES, sum.part[part]);
}

static void book(const plate_sweep* w, int32_t j, int32_t rows, double* sums) {
    if (rows == 1)
        book_rows(w, j, 1, sums);
    else if (rows == 2)
        book_rows(w, j, 2, sums);
    else if (rows == 3)
        book_rows(w, j, 3, sums);
    else if (rows == 4)
        book_rows(w, j, 4, sums);
    else
        book_rows(w, j, 5, sums);
}

const plate_books LANES_NAME(sis_plate_books) = book;
