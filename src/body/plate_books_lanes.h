// The books of a plate over lanes: what the sample before has lost, while its increments are still
// there, and what it holds. Apart from the sweep (plate_lanes.h), because here eight lanes are
// faster than four.
//
// To be included in a .c file that has defined LANES.
#include "base/lanes.h"
#include "body/plate.h"

LANES_FN lanes travel_at(const plate_sweep* w, ptrdiff_t at) {
    return lanes_load(w->d + at) + lanes_load(w->next + at);
}

// What the travels t lose, in units of loss: the squares of t and of its slopes along and across,
// multiplied out. All edges are at rest, so each slope is counted once, from where it ends. What
// comes out of a shuffle is subtracted last: until then the rest is done.
LANES_FN lanes lost_at(const plate_bank* p, lanes before, lanes t, lanes above) {
    lanes along = lanes_all(p->loss_along), across = lanes_all(p->loss_across);
    return t * ((t - across * above) - along * lanes_one_back(before, t));
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
    lanes_sums sum = lanes_sums_from(sums);
    UNROLLED
    for (int r = 0; r < rows; r++)
        before[r] = lanes_all(0);
    for (ptrdiff_t first = 0; first < w->width; first += PLATE_SUMS) {
        UNROLLED // each sum in its own register
            for (ptrdiff_t i = 0; i < PLATE_SUMS; i += LANES)
                book_set(w, j * w->step + first + i, i, rows, before, &sum);
    }
    lanes_sums_keep(&sum, sums);
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

typedef struct lanes_shape {
    lanes_sums squares, steps, slopes, bends;
} lanes_shape;

// v at a point less its neighbours before and behind it in a row, and in the rows beside.
typedef struct lanes_slopes {
    lanes left, right, down, up;
} lanes_slopes;

LANES_FN lanes_slopes slopes_at(const double* v, ptrdiff_t stride) {
    lanes here = lanes_load(v);
    return (lanes_slopes){here - lanes_load(v - 1), here - lanes_load(v + 1),
                          here - lanes_load(v - stride), here - lanes_load(v + stride)};
}

// The columns from i on of a row. What lies behind an edge is 0; on edges lap u is not summed.
LANES_FN void add_shape(const plate_bank* p, const double* u, const double* d, ptrdiff_t i,
                        const bool pulls, lanes_shape* sums) {
    const lanes_slopes a = slopes_at(u + i, p->stride), b = slopes_at(d + i, p->stride);
    const lanes last = lanes_load(d + i);
    lanes lap = (a.left + a.right) + p->ratio * (a.down + a.up);
    lanes less = (b.left + b.right) + p->ratio * (b.down + b.up);
    lanes bend = lanes_load(p->step.inside + i) * (lap * (lap - less));
    ptrdiff_t place = i % PLATE_SUMS;
    lanes_sums_add(&sums->squares, place, last * last);
    lanes_sums_add(&sums->steps, place, b.left * b.left + p->ratio * (b.down * b.down));
    lanes_sums_add(&sums->bends, place, bend);
    if (pulls)
        lanes_sums_add(&sums->slopes, place,
                       a.left * (a.left - b.left) + p->ratio * (a.down * (a.down - b.down)));
}

// Rows 1 .. ny - 1, and the slopes from the last of them to the edge.
LANES_FN plate_shape shape_with(const plate_bank* p, const double* u, const double* d,
                                const bool pulls) {
    const lanes_sums none = lanes_sums_none();
    lanes_shape sums = {none, none, none, none};
    for (ptrdiff_t j = 1; j < p->ny; j++)
        for (ptrdiff_t first = 0; first < p->stride; first += PLATE_SUMS) {
            UNROLLED // each sum in its own register
                for (ptrdiff_t i = 0; i < PLATE_SUMS; i += LANES)
                    add_shape(p, u + j * p->stride, d + j * p->stride, first + i, pulls, &sums);
        }
    const double *v = u + (p->ny - 1) * (ptrdiff_t)p->stride, *e = d + (v - u);
    for (ptrdiff_t i = 0; i < p->stride; i += LANES) {
        lanes rise = lanes_load(v + i), more = lanes_load(e + i);
        lanes_sums_add(&sums.steps, i % PLATE_SUMS, p->ratio * (more * more));
        lanes_sums_add(&sums.slopes, i % PLATE_SUMS, p->ratio * (rise * (rise - more)));
    }
    return (plate_shape){lanes_sums_total(&sums.squares), lanes_sums_total(&sums.steps),
                         lanes_sums_total(&sums.slopes), lanes_sums_total(&sums.bends)};
}

static plate_shape shape(const plate_bank* p, const double* u, const double* d) {
    return p->tension > 0 ? shape_with(p, u, d, true) : shape_with(p, u, d, false);
}

const plate_books LANES_NAME(sis_plate_books) = {book, shape};
