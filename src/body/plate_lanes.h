// The sweep of a plate over lanes: the equations are in plate.c.
//
// A row of the grid begins on a multiple of four numbers and is as long as one, so that stores are
// whole and nothing is left over. What a row holds on its edges and behind them is 0: kernels run
// over all of it, and write those zeros again. ROWS rows are taken at a time, because a sweep is
// limited by how many numbers it loads, and neighbouring rows share them.
//
// To be included in a .c file that has defined LANES.
#include "base/lanes.h"
#include "body/plate.h"

enum { ROWS = 4, SLOTS = 8, PARTS = 4 / LANES };

// Before a loop over the rows that are taken at once: written out, so that what belongs to a row is
// in registers from -O2 on.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define UNROLLED _Pragma("GCC unroll 6")
#else
#define UNROLLED
#endif

// The numbers of one sweep.
typedef struct plate_sweep {
    const plate_bank* p;
    int32_t stride;
    double *u, *next, *g;
    const double* d;
    double ratio, bend, late, pull, drop, centre; // bend, late and pull over 1 + s0 k
} plate_sweep;

LANES_FN plate_sweep sweep_of(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    double scale = 1 / (1 + p->s0k);
    return (plate_sweep){.p = p,
                         .stride = p->stride,
                         .u = motion->u + bank->first,
                         .next = motion->next + bank->first,
                         .g = motion->room + bank->first,
                         .d = motion->d + bank->first,
                         .ratio = p->ratio,
                         .bend = p->bend * scale,
                         .late = 2 * p->s1k * scale,
                         .pull = p->pull * scale,
                         .drop = 2 * p->s0k * scale,
                         .centre = 2 + 2 * p->ratio};
}

// g of row j: only ROWS + 2 of its rows are needed at a time, and these stay in the first cache.
LANES_FN double* slot(const plate_sweep* w, int32_t j) {
    return w->g + (j % SLOTS) * w->stride;
}

// The numbers one place before `here` in a row.
LANES_FN lanes one_back(lanes before, lanes here) {
#if LANES == 4
    lanes seam = (lanes)_mm256_permute2f128_pd((__m256d)before, (__m256d)here, 0x21);
    return (lanes)_mm256_shuffle_pd((__m256d)seam, (__m256d)here, 5);
#elif LANES == 2
    return (lanes){before[1], here[0]};
#else
    (void)here;
    return before;
#endif
}

// Squares of the travel t of a sample and of its slopes along and across.
typedef struct plate_squares {
    lanes travel, along, across;
} plate_squares;

// Column i is added up in the sum i mod 4, whatever the width.
typedef struct plate_sums {
    plate_squares part[PARTS];
} plate_sums;

LANES_FN lanes travel_at(const plate_sweep* w, int32_t at) {
    return lanes_load(w->d + at) + lanes_load(w->next + at);
}

// Books the travels `here`: the slopes from the numbers before and to the row above.
LANES_FN void book(plate_squares* sum, lanes before, lanes here, lanes above) {
    lanes along = here - one_back(before, here), across = above - here;
    sum->travel += here * here;
    sum->along += along * along;
    sum->across += across * across;
}

// g on both edges of a row, which is 0 or, on a clamped plate, what the mirror makes of it.
LANES_FN void end_row(const plate_sweep* w, int32_t j) {
    const double* u = w->u + j * w->stride;
    double *g = slot(w, j), x = w->p->clamped ? -2 * w->bend : 0;
    g[0] = x * u[1];
    g[w->p->nx] = x * u[w->p->nx - 1];
}

// g along a whole edge j beside row `inner`.
LANES_FN void edge_row(const plate_sweep* w, int32_t j, int32_t inner) {
    const double* u = w->u + inner * w->stride;
    double *g = slot(w, j), y = w->p->clamped ? -2 * w->bend * w->ratio : 0;
    for (int32_t i = 0; i < w->stride; i++)
        g[i] = y * u[i];
}

// g = late d - bend lap u on `rows` rows from j on. lap u is made of differences, which are exact:
// u is far larger than what bends it. `pulls`: next receives what tension does. Before next is
// overwritten its sample is booked, if there are `sums`; row 1 books the slopes down to the edge
// too.
LANES_FN void bend_rows(const plate_sweep* w, int32_t j, const int rows, const bool pulls,
                        plate_sums* sums) {
    int32_t s = w->stride, from = j * s;
    const double *u = w->u + from, *d = w->d + from;
    double *next = w->next + from, *g[ROWS];
    lanes ratio = lanes_all(w->ratio), bend = lanes_all(w->bend), late = lanes_all(w->late);
    lanes pull = lanes_all(w->pull), before[ROWS], t[ROWS + 1];
    plate_sums sum = {0};
    if (sums) sum = *sums;
    UNROLLED
    for (int r = 0; r < rows; r++) {
        g[r] = slot(w, j + r);
        before[r] = lanes_all(0);
    }
    for (int32_t i = 0; i < s; i += LANES) {
        plate_squares* part = &sum.part[i / LANES % PARTS];
        lanes here = lanes_load(u + i), rise = here - lanes_load(u - s + i);
        UNROLLED
        for (int r = 0; r <= rows && sums; r++)
            t[r] = travel_at(w, from + r * s + i);
        if (sums && rows == 1 && j == 1) part->across += t[0] * t[0]; // row 1 comes by itself
        UNROLLED
        for (int r = 0; r < rows; r++) {
            int32_t at = r * s + i;
            lanes up = lanes_load(u + at + s), more = up - here;
            lanes lap = ratio * (more - rise) -
                        ((here - lanes_load(u + at - 1)) + (here - lanes_load(u + at + 1)));
            if (sums) book(part, before[r], t[r], t[r + 1]);
            if (sums) before[r] = t[r];
            lanes_store(g[r] + i, late * lanes_load(d + at) - bend * lap);
            if (pulls) lanes_store(next + at, pull * lap);
            here = up;
            rise = more;
        }
    }
    if (sums) *sums = sum;
    for (int r = 0; r < rows; r++)
        end_row(w, j + r);
}

// What a row holds on its edges and behind them: at most four numbers at its end.
LANES_FN void end_zeros(double* row, int32_t nx, int32_t stride) {
    row[0] = row[nx] = row[stride - 1] = 0;
    row[nx + 1 < stride ? nx + 1 : nx] = row[nx + 2 < stride ? nx + 2 : nx] = 0;
}

// d* on `rows` rows from j on: lap g, what s0 takes from d, and what tension does. `moves`: u goes
// there.
LANES_FN void fly_rows(const plate_sweep* w, int32_t j, const int rows, const bool pulls,
                       const bool moves) {
    int32_t s = w->stride;
    const double *d = w->d + j * s, *g[ROWS + 2];
    double *u = w->u + j * s, *next = w->next + j * s;
    lanes ratio = lanes_all(w->ratio), drop = lanes_all(w->drop);
    lanes centre = lanes_all(w->centre);
    UNROLLED
    for (int r = 0; r < rows + 2; r++)
        g[r] = slot(w, j + r - 1);
    for (int32_t i = 0; i < s; i += LANES) {
        lanes down = lanes_load(g[0] + i), here = lanes_load(g[1] + i);
        UNROLLED
        for (int r = 0; r < rows; r++) {
            int32_t at = r * s + i;
            const double* beside = g[r + 1] + i;
            lanes up = lanes_load(g[r + 2] + i), last = lanes_load(d + at);
            lanes lap = ((lanes_load(beside - 1) + lanes_load(beside + 1)) + ratio * (up + down)) -
                        centre * here;
            lanes now = last + (lap - drop * last);
            if (pulls) now += lanes_load(next + at);
            lanes_store(next + at, now);
            if (moves) lanes_store(u + at, lanes_load(u + at) + now);
            down = here;
            here = up;
        }
    }
    for (int r = 0; r < rows; r++) {
        end_zeros(next + r * s, w->p->nx, s);
        if (moves) end_zeros(u + r * s, w->p->nx, s);
    }
}

// How many rows to take at once when there are `left`.
LANES_FN int32_t at_once(int32_t left, const int most) {
    return left >= most ? most : left >= 2 ? 2 : left;
}

// Makes g on `count` rows from j on. Booked, more than two at a time need more registers than there
// are.
LANES_FN void prepare_rows(const plate_sweep* w, int32_t j, int32_t count, const bool pulls,
                           plate_sums* sums) {
    for (int32_t rows; (rows = at_once(count, sums ? 2 : ROWS)) > 0; j += rows, count -= rows)
        if (rows == 1)
            bend_rows(w, j, 1, pulls, sums);
        else if (rows == 2)
            bend_rows(w, j, 2, pulls, sums);
        else
            bend_rows(w, j, ROWS, pulls, NULL);
}

// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead, and u
// moves as soon as no other row needs what it was.
LANES_FN void sweep_rows(const plate_sweep* w, const bool pulls, const bool moves,
                         plate_sums* sums) {
    int32_t ny = w->p->ny;
    edge_row(w, 0, 1);
    prepare_rows(w, 1, 1, pulls, sums);
    for (int32_t j = 1, rows; j < ny; j += rows) {
        rows = at_once(ny - j, ROWS);
        prepare_rows(w, j + 1, j + rows < ny ? rows : rows - 1, pulls, sums);
        if (j + rows == ny) edge_row(w, ny, ny - 1);
        if (rows == 1)
            fly_rows(w, j, 1, pulls, moves);
        else if (rows == 2)
            fly_rows(w, j, 2, pulls, moves);
        else
            fly_rows(w, j, ROWS, pulls, moves);
    }
}

// External forces, where they act.
LANES_FN void push_points(const body_bank* bank, const body_motion* motion, bool moves) {
    const plate_bank* p = bank->data;
    double push = p->admittance / (1 + p->s0k);
    int32_t at = bank->first + bank->forced_first;
    for (int32_t i = at; i < at + bank->forced_count && !motion->unforced; i++) {
        double more = push * motion->F[i];
        motion->next[i] += more;
        if (moves) motion->u[i] += more;
    }
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)time;
    if (w.pull > 0)
        sweep_rows(&w, true, true, NULL);
    else
        sweep_rows(&w, false, true, NULL);
    push_points(bank, motion, true);
}

// The sums as what the sample lost, J.
LANES_FN double lost_by(const plate_bank* p, const plate_sums* sums) {
    double travel[4], along[4], across[4];
    for (int i = 0; i < PARTS; i++) {
        lanes_store(travel + i * LANES, sums->part[i].travel);
        lanes_store(along + i * LANES, sums->part[i].along);
        lanes_store(across + i * LANES, sums->part[i].across);
    }
#define TOTAL(four) (((four)[0] + (four)[1]) + ((four)[2] + (four)[3]))
    return p->loss0 * TOTAL(travel) + p->loss1 * (TOTAL(along) + p->ratio * TOTAL(across));
#undef TOTAL
}

static double advance_late(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    plate_sums sums = {0};
    if (!(w.p->loss0 > 0 || w.p->loss1 > 0)) {
        advance(bank, motion, time);
        return 0;
    }
    if (w.pull > 0)
        sweep_rows(&w, true, true, &sums);
    else
        sweep_rows(&w, false, true, &sums);
    push_points(bank, motion, true);
    return lost_by(w.p, &sums);
}

// The same sums by themselves, of the sample just made.
static body_work work(const body_bank* bank, const body_motion* motion) {
    plate_sweep w = sweep_of(bank, motion);
    plate_sums sums = {0};
    int32_t s = w.stride;
    body_work done = {body_supplied(bank, motion), 0};
    if (!(w.p->loss0 > 0 || w.p->loss1 > 0)) return done;
    for (int32_t j = 0; j < w.p->ny; j++) {
        lanes before = lanes_all(0), here;
        for (int32_t i = 0; i < s; i += LANES, before = here) {
            here = travel_at(&w, j * s + i);
            book(&sums.part[i / LANES % PARTS], before, here, travel_at(&w, j * s + s + i));
        }
    }
    done.dissipated = lost_by(w.p, &sums);
    return done;
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)k, (void)time;
    sweep_rows(&w, w.pull > 0, false, NULL);
    push_points(bank, motion, false);
    for (int32_t i = bank->first; i < bank->first + bank->count; i++)
        motion->next[i] *= 0.5;
}
