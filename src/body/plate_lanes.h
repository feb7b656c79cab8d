// The sweep of a plate over lanes: the equations are in plate.c.
//
// A row of the grid begins on a multiple of eight numbers and is as long as one, so that stores are
// whole and nothing is left over. What a row holds on its edges and behind them is 0: kernels run
// over all of it, and write those zeros again. ROWS rows are taken at a time, because a sweep costs
// what it has instructions, and neighbouring rows share loads and differences.
//
// To be included in a .c file that has defined LANES.
#include "base/lanes.h"
#include "body/plate.h"

enum { ROWS = 4, SLOTS = ROWS + 2, LINE = 8 };

LANES_FN plate_sweep sweep_of(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    bool down = motion->d > motion->next;
    ptrdiff_t first = bank->first + (down ? (ptrdiff_t)p->ny * p->stride : 0);
    return (plate_sweep){.p = p,
                         .width = p->stride,
                         .step = down ? -p->stride : p->stride,
                         .u = motion->u + first,
                         .next = motion->next + first,
                         .g = motion->room + bank->first,
                         .d = motion->d + first};
}

// g of row j: only SLOTS of its rows are needed at a time, and these stay in the first cache.
LANES_FN double* slot(const plate_sweep* w, int32_t j) {
    return w->g + j % SLOTS * w->width;
}

// g along edge j beside row `inner`: 0 or, on a clamped plate, what the mirror makes of it.
LANES_FN const double* edge_row(const plate_sweep* w, int32_t j, int32_t inner) {
    const double* u = w->u + inner * w->step;
    double *g = slot(w, j), y = -2 * w->p->step.bend * w->p->ratio;
    if (!w->p->clamped) return w->u + j * w->step; // u is 0 there too
    for (ptrdiff_t i = 0; i < w->width; i++)
        g[i] = y * u[i];
    return g;
}

// g = late d - bend lap u on `rows` rows from j on. lap u is made of differences, which are exact:
// u is far larger than what bends it. `pulls`: next receives what tension does.
LANES_FN void bend_rows(const plate_sweep* w, int32_t j, const int rows, const bool pulls) {
    const ptrdiff_t s = w->step, from = j * s;
    const double *u = w->u + from, *d = w->d + from, *along = w->p->step.along;
    double *next = w->next + from, *g[ROWS + 1];
    lanes ratio = lanes_all(w->p->ratio), late = lanes_all(w->p->step.late);
    lanes pull = lanes_all(w->p->step.pull);
    UNROLLED
    for (int r = 0; r < rows; r++)
        g[r] = slot(w, j + r);
    for (ptrdiff_t i = 0; i < w->width; i += LANES) {
        lanes here = lanes_load(u + i), rise = here - lanes_load(u - s + i);
        lanes bend = lanes_load(along + i);
        UNROLLED
        for (int r = 0; r < rows; r++) {
            ptrdiff_t at = r * s + i;
            lanes up = lanes_load(u + at + s), more = up - here;
            lanes lap = ratio * (more - rise) -
                        ((here - lanes_load(u + at - 1)) + (here - lanes_load(u + at + 1)));
            lanes_store(g[r] + i, late * lanes_load(d + at) - bend * lap);
            if (pulls) lanes_store(next + at, pull * lap);
            here = up;
            rise = more;
        }
    }
}

// Neighbours of a set along its row. Of two sets in a cache line, one has its left neighbours, the
// other its right ones across the end of the line, and a load across costs two: there both are
// made of one seam, which holds the last two numbers before the end and the first two behind it.
typedef struct lanes_beside {
    lanes left, right;
} lanes_beside;

// The seam between the numbers `here` and those at `behind`.
LANES_FN lanes seam_of(lanes here, const double* behind) {
#if LANES == 4
    return (lanes)_mm256_permute2f128_pd((__m256d)here, (__m256d)lanes_load(behind), 0x21);
#else
    (void)behind;
    return here;
#endif
}

// `here` are the numbers at v, the set with number `set` in its line. Needs the seam before the
// line with the first set, makes the one behind it with the last.
LANES_FN lanes_beside beside(const double* v, lanes here, const int set, lanes* seam) {
#if LANES == 4
    if (set == 0)
        return (lanes_beside){(lanes)_mm256_shuffle_pd((__m256d)*seam, (__m256d)here, 5),
                              lanes_load(v + 1)};
    *seam = seam_of(here, v + LANES);
    return (lanes_beside){lanes_load(v - 1),
                          (lanes)_mm256_shuffle_pd((__m256d)here, (__m256d)*seam, 5)};
#else
    (void)here, (void)set, (void)seam;
    return (lanes_beside){lanes_load(v - 1), lanes_load(v + 1)};
#endif
}

// What a group of rows flies by.
typedef struct lanes_flight {
    const double* g[ROWS + 2]; // of the rows, of the one before and of the one behind them
    ptrdiff_t at[ROWS];        // one index for all arrays: pointers to each row would be too many
    lanes seam[ROWS];          // of g
    lanes ratio, keep, centre;
} lanes_flight;

// d* on the columns of a line, from i on: lap g, what s0 leaves of d, and what tension does.
// `moves`: u goes there. `edge`: some of the columns stay 0.
LANES_FN void fly_line(const plate_sweep* w, lanes_flight* f, ptrdiff_t i, const int rows,
                       const bool pulls, const bool moves, const bool edge) {
    UNROLLED
    for (int set = 0; set < LINE / LANES; set++, i += LANES) {
        lanes below = lanes_load(f->g[0] + i), here = lanes_load(f->g[1] + i);
        UNROLLED
        for (int r = 0; r < rows; r++) {
            ptrdiff_t at = f->at[r];
            f->at[r] += LANES;
            lanes above = lanes_load(f->g[r + 2] + i);
            lanes_beside g = beside(f->g[r + 1] + i, here, set, &f->seam[r]);
            lanes lap = ((g.left + g.right) + f->ratio * (above + below)) - f->centre * here;
            lanes now = f->keep * lanes_load(w->d + at) + lap;
            if (pulls) now += lanes_load(w->next + at);
            if (edge) now *= lanes_load(w->p->step.inside + i);
            lanes_store(w->next + at, now);
            if (moves) lanes_store(w->u + at, lanes_load(w->u + at) + now);
            below = here;
            here = above;
        }
    }
}

// All columns of `rows` rows from j on; the first line and the last have edges.
LANES_FN void fly_rows(const plate_sweep* w, int32_t j, const int rows, const bool pulls,
                       const bool moves) {
    const plate_sweep sweep = *w; // where no store can change it
    lanes_flight f;
    f.ratio = lanes_all(w->p->ratio);
    f.keep = lanes_all(w->p->step.keep);
    f.centre = lanes_all(2 + 2 * w->p->ratio);
    UNROLLED
    for (int r = 0; r < rows + 2; r++)
        f.g[r] = slot(w, j + r - 1);
    if (j == 1) f.g[0] = edge_row(w, 0, 1);
    if (j + rows == w->p->ny) f.g[rows + 1] = edge_row(w, j + rows, j + rows - 1);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        f.at[r] = (j + r) * w->step;
        f.seam[r] = seam_of(lanes_all(0), f.g[r + 1]);
    }
    const ptrdiff_t last = w->width - LINE;
    fly_line(&sweep, &f, 0, rows, pulls, moves, true);
    for (ptrdiff_t i = LINE; i < last; i += LINE)
        fly_line(&sweep, &f, i, rows, pulls, moves, false);
    if (last > 0) fly_line(&sweep, &f, last, rows, pulls, moves, true);
}

// How many rows to take at once when there are `left`: rather 3 and 2 than 4 and 1.
LANES_FN int32_t at_once(int32_t left) {
    return left >= 2 * ROWS || left == ROWS ? ROWS : left > ROWS ? (left + 1) / 2 : left;
}

// Makes g on 0 .. ROWS + 1 rows from j on, and books them first if there are `sums`.
LANES_FN void prepare_rows(const plate_sweep* w, int32_t j, int32_t rows, const bool pulls,
                           double* sums) {
    if (sums && rows) w->p->books->rows(w, j, rows, sums);
    if (rows == 1)
        bend_rows(w, j, 1, pulls);
    else if (rows == 2)
        bend_rows(w, j, 2, pulls);
    else if (rows == 3)
        bend_rows(w, j, 3, pulls);
    else if (rows == ROWS)
        bend_rows(w, j, ROWS, pulls);
    else if (rows == ROWS + 1)
        bend_rows(w, j, ROWS + 1, pulls);
}

// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead, and u
// moves as soon as no other row needs what it was.
LANES_FN void sweep_rows(const plate_sweep* w, const bool pulls, const bool moves, double* sums) {
    int32_t ny = w->p->ny, made = 0;
    for (int32_t j = 1, rows; j < ny; j += rows) {
        rows = at_once(ny - j);
        int32_t need = j + rows < ny ? j + rows : ny - 1;
        prepare_rows(w, made + 1, need - made, pulls, sums);
        made = need;
        if (rows == 1)
            fly_rows(w, j, 1, pulls, moves);
        else if (rows == 2)
            fly_rows(w, j, 2, pulls, moves);
        else if (rows == 3)
            fly_rows(w, j, 3, pulls, moves);
        else
            fly_rows(w, j, ROWS, pulls, moves);
    }
}

// External forces, where they act.
LANES_FN void push_points(const body_bank* bank, const body_motion* motion, bool moves) {
    const plate_bank* p = bank->data;
    int32_t at = bank->first + bank->forced_first;
    for (int32_t i = at; i < at + bank->forced_count && !motion->unforced; i++) {
        double more = p->step.give * motion->F[i];
        motion->next[i] += more;
        if (moves) motion->u[i] += more;
    }
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)time;
    if (w.p->step.pull > 0)
        sweep_rows(&w, true, true, NULL);
    else
        sweep_rows(&w, false, true, NULL);
    push_points(bank, motion, true);
}

static double advance_late(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    double sums[PLATE_SUMS] = {0};
    if (!(w.p->loss > 0)) {
        advance(bank, motion, time);
        return 0;
    }
    if (w.p->step.pull > 0)
        sweep_rows(&w, true, true, sums);
    else
        sweep_rows(&w, false, true, sums);
    push_points(bank, motion, true);
    return plate_lost(w.p, sums);
}

// The same sum by itself, of the sample just made.
static body_work work(const body_bank* bank, const body_motion* motion) {
    plate_sweep w = sweep_of(bank, motion);
    double sums[PLATE_SUMS] = {0};
    body_work done = {body_supplied(bank, motion), 0};
    if (!(w.p->loss > 0)) return done;
    for (int32_t j = 1; j < w.p->ny; j++)
        w.p->books->rows(&w, j, 1, sums);
    done.dissipated = plate_lost(w.p, sums);
    return done;
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)k, (void)time;
    sweep_rows(&w, w.p->step.pull > 0, false, NULL);
    push_points(bank, motion, false);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}

const plate_width LANES_NAME(sis_plate) = {
    {advance, sis_plate_give, work, sis_plate_energy, sis_plate_admit, true, false, NULL, start},
    advance_late};
