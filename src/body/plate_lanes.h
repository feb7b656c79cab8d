// The sweep of a plate over lanes: the equations are in plate.c.
//
// Rows lie folded in four (body.h): what is beside a set of places along x is the rung before it
// and the one after it, whole registers. Two rungs are taken at a time, so that one is beside the
// other, and ROWS rows, because neighbouring rows share loads and differences: a sweep costs what
// it has instructions, above all additions. Places that are no points are 0, as edges are: kernels
// run over all of a row, and what then moved that must not is set back.
//
// To be included in a .c file that has defined LANES.
#include "body/fold_lanes.h"
#include "body/plate.h"

enum { ROWS = 4, SLOTS = ROWS + 3, SIDES = STRING_SIDES, PAIR = 2 * SIDES };

LANES_FN plate_sweep sweep_of(const body_bank* bank, const body_motion* motion) {
    const plate_bank* p = bank->data;
    bool down = motion->d > motion->next;
    ptrdiff_t first = bank->first + (down ? (ptrdiff_t)p->ny * p->stride : 0);
    return (plate_sweep){.p = p,
                         .width = p->stride,
                         .step = down ? -p->stride : p->stride,
                         .u = motion->u + first,
                         .next = motion->next + first,
                         .g = motion->room + bank->first + PLATE_FOLDS,
                         .d = motion->d + first};
}

// g of the rows from j on: only SLOTS of them are needed at a time, and these stay in the first
// cache. Between two of them is room for what lies beyond their folds.
LANES_FN void make_slots(const plate_sweep* w, double** slot) {
    double* g = w->g;
    UNROLLED
    for (int i = 0; i < SLOTS; i++, g += w->width + PLATE_FOLDS)
        slot[i] = slot[i + SLOTS] = g;
}

// g along edge j beside row `inner`: 0 or, on a clamped plate, what the mirror makes of it.
LANES_FN const double* edge_row(const plate_sweep* w, int32_t j, int32_t inner, double* g) {
    const double* u = w->u + inner * w->step;
    double y = w->p->step.edge * w->p->ratio;
    if (!w->p->clamped) return w->u + j * w->step; // u is 0 there too
    if (w->p->tuned) {
        const double near = -2 * w->p->step.bends.y, far = -2 * w->p->step.bends.y2;
        const double* v = u + (inner - j) * w->step;
        for (ptrdiff_t i = 0; i < w->width; i++)
            g[i] = near * u[i] + far * v[i];
        return g;
    }
    for (ptrdiff_t i = 0; i < w->width; i++)
        g[i] = y * u[i];
    return g;
}

// What a group of rows is bent by.
typedef struct lanes_bent {
    double* g[ROWS + 1];
    lanes back[ROWS + 1]; // u of the rung before a pair less that of its first
    lanes ratio, late, pull;
} lanes_bent;

// g on a pair of rungs from place i on. `last`: behind them are folds.
LANES_FN void bend_pair(const plate_sweep* w, lanes_bent* b, ptrdiff_t from, ptrdiff_t i,
                        const int rows, const bool pulls, const bool last) {
    const ptrdiff_t s = w->step;
    const double *u = w->u + from + i, *d = w->d + from + i, *along = w->p->step.along + i;
    double* next = w->next + from + i;
    lanes here = lanes_load(u), here2 = lanes_load(u + SIDES);
    lanes rise = here - lanes_load(u - s), rise2 = here2 - lanes_load(u - s + SIDES);
    lanes bend = lanes_load(along), bend2 = lanes_load(along + SIDES);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const ptrdiff_t at = r * s;
        lanes up = lanes_load(u + at + s), more = up - here, between = here - here2;
        lanes lap = b->ratio * (more - rise) - (between - b->back[r]);
        lanes_store(b->g[r] + i, b->late * lanes_load(d + at) - bend * lap);
        if (pulls) lanes_store(next + at, b->pull * lap);
        lanes beyond = last ? fold_behind(u + at + SIDES - i % SIDES, (int32_t)(i % SIDES))
                            : lanes_load(u + at + PAIR);
        lanes up2 = lanes_load(u + at + s + SIDES), more2 = up2 - here2;
        b->back[r] = here2 - beyond;
        lap = b->ratio * (more2 - rise2) - (b->back[r] - between);
        lanes_store(b->g[r] + i + SIDES, b->late * lanes_load(d + at + SIDES) - bend2 * lap);
        if (pulls) lanes_store(next + at + SIDES, b->pull * lap);
        here = up;
        here2 = up2;
        rise = more;
        rise2 = more2;
    }
}

// What lies beyond a row of g, beside its row of u.
LANES_FN void fold_row(const double* u, double* g, ptrdiff_t width, lanes edge) {
    for (int32_t part = 0; part < SIDES; part += LANES) {
        lanes ends = edge * lanes_load(u + part);
        lanes_store(g + part - SIDES, fold_before(g, ends, part));
        lanes_store(g + part + width, fold_behind(g + width - SIDES, part));
    }
}

// g = late d - bend lap u on `rows` rows from j on. lap u is made of differences, which are exact:
// u is far larger than what bends it. `pulls`: next receives what tension does.
LANES_FN void bend_rows(const plate_sweep* w, double* const* g, int32_t j, const int rows,
                        const bool pulls) {
    const plate_sweep sweep = *w; // where no store can change it
    const ptrdiff_t from = j * w->step, last = w->width - PAIR;
    lanes_bent b;
    b.ratio = lanes_all(w->p->ratio);
    b.late = lanes_all(w->p->step.late);
    b.pull = lanes_all(w->p->step.pull);
    UNROLLED
    for (int r = 0; r < rows; r++)
        b.g[r] = g[r];
    for (int32_t part = 0; part < SIDES; part += LANES) {
        ptrdiff_t i = part;
        UNROLLED
        for (int r = 0; r < rows; r++) {
            const double* u = w->u + from + r * w->step;
            b.back[r] = fold_before(u, lanes_all(0), part) - lanes_load(u + part);
        }
        for (; i < last; i += PAIR)
            bend_pair(&sweep, &b, from, i, rows, pulls, false);
        bend_pair(&sweep, &b, from, i, rows, pulls, true);
    }
    const double *u = sweep.u + from, edge = sweep.p->step.edge;
    UNROLLED
    for (int r = 0; r < rows; r++)
        fold_row(u + r * sweep.step, b.g[r], sweep.width, lanes_all(edge));
}

// ---------------------------------------------------------------------------- tuned plates
//
// g = late d - (x dxx u + x2 dxx2 u + y dyy u + y2 dyy2 u), and next = the same of `pulls`. Beyond
// an edge u is its mirror image.

typedef struct lanes_cross {
    lanes x, x2, y, y2;
} lanes_cross;

LANES_FN lanes_cross all_of(const plate_cross* c) {
    return (lanes_cross){lanes_all(c->x), lanes_all(c->x2), lanes_all(c->y), lanes_all(c->y2)};
}

// The four differences of a set.
LANES_FN lanes cross_of(const lanes_cross* c, lanes dxx, lanes dxx2, lanes dyy, lanes dyy2) {
    return (c->y * dyy + c->y2 * dyy2) + (c->x * dxx + c->x2 * dxx2);
}

// What a group of rows is bent by, and which edges are beside it.
typedef struct lanes_tuned {
    double* g[ROWS + 2];
    lanes back[ROWS + 2];                // u of the set before a pair less that of its first
    lanes far[ROWS + 2], far2[ROWS + 2]; // u two sets before, less that of each set of a pair
    lanes_cross bends, pulls;
    lanes late, mirror;
    bool first, last;
} lanes_tuned;

// The differences of one set in a column of rows: to the row before, to the one two before, and
// that of the next row.
typedef struct lanes_column {
    lanes here, up, rise, far, far_up;
} lanes_column;

LANES_FN lanes_column column_at(const lanes_tuned* b, const double* u, ptrdiff_t s) {
    lanes_column c = {.here = lanes_load(u), .up = lanes_load(u + s)};
    const lanes down = lanes_load(u - s);
    c.rise = c.here - down;
    lanes down2 = b->mirror * c.here;
    if (!b->first) down2 = lanes_load(u - 2 * s);
    c.far = c.here - down2;
    c.far_up = c.up - down;
    return c;
}

// dyy and dyy2 of row `at`, and on to the next row.
LANES_FN void climb(lanes_column* c, const double* at, ptrdiff_t s, bool edge, lanes mirror,
                    lanes* dyy, lanes* dyy2) {
    lanes up2 = mirror * c->here;
    if (!edge) up2 = lanes_load(at + 2 * s);
    const lanes more = c->up - c->here, far = up2 - c->here;
    *dyy = more - c->rise;
    *dyy2 = far - c->far;
    c->here = c->up;
    c->up = up2;
    c->rise = more;
    c->far = c->far_up;
    c->far_up = far;
}

LANES_FN void bend_tuned_pair(const plate_sweep* w, lanes_tuned* b, ptrdiff_t from, ptrdiff_t i,
                              const int rows, const bool pulls, const bool last) {
    const ptrdiff_t s = w->step, part = i % SIDES;
    const double *u = w->u + from + i, *d = w->d + from + i;
    double* next = w->next + from + i;
    lanes_column one = column_at(b, u, s), two = column_at(b, u + SIDES, s);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const ptrdiff_t at = r * s;
        const double* v = u + at;
        const lanes here = one.here, here2 = two.here, between = here - here2;
        const lanes on = last ? fold_behind(v + SIDES - part, (int32_t)part) : lanes_load(v + PAIR);
        const lanes on2 =
            last ? fold_behind(v - part, (int32_t)part) : lanes_load(v + PAIR + SIDES);
        const lanes far = here - on, far2 = here2 - on2, back = here2 - on;
        const bool edge = r + 1 == rows && b->last;
        lanes dyy, dyy2, dxx = b->back[r] - between, dxx2 = b->far[r] - far;
        climb(&one, v, s, edge, b->mirror, &dyy, &dyy2);
        lanes_store(b->g[r] + i,
                    b->late * lanes_load(d + at) - cross_of(&b->bends, dxx, dxx2, dyy, dyy2));
        if (pulls) lanes_store(next + at, cross_of(&b->pulls, dxx, dxx2, dyy, dyy2));
        dxx = between - back;
        dxx2 = b->far2[r] - far2;
        climb(&two, v + SIDES, s, edge, b->mirror, &dyy, &dyy2);
        lanes_store(b->g[r] + i + SIDES, b->late * lanes_load(d + at + SIDES) -
                                             cross_of(&b->bends, dxx, dxx2, dyy, dyy2));
        if (pulls) lanes_store(next + at + SIDES, cross_of(&b->pulls, dxx, dxx2, dyy, dyy2));
        b->back[r] = back;
        b->far[r] = far;
        b->far2[r] = far2;
    }
}

// What the pass leaves out: the mirror images beside the points next to an edge, and g on the edge
// and behind it.
LANES_FN void mirror_row(const plate_sweep* w, const double* u, double* g, double* next,
                         const bool pulls) {
    const plate_bank* p = w->p;
    const int32_t end = p->last;
    g[0] -= p->step.bends.x2 * (p->mirror * u[0]);
    g[end] -= p->step.bends.x2 * (p->mirror * u[end]);
    if (pulls) {
        next[0] += p->step.pulls.x2 * (p->mirror * u[0]);
        next[end] += p->step.pulls.x2 * (p->mirror * u[end]);
    }
    if (p->beside > 0) g[p->pad[0]] = p->clamped ? sis_plate_edge(p, u, end, p->before_last) : 0;
    if (p->beside > 1) g[p->pad[1]] = 0;
}

// What lies beyond a row of g: on the edges what the mirror makes of u.
LANES_FN void fold_tuned_row(const plate_bank* p, const double* u, double* g, ptrdiff_t width) {
    double ends[SIDES] = {0};
    if (p->clamped) {
        ends[0] = sis_plate_edge(p, u, 0, p->second);
        ends[SIDES - 1] = p->beside ? 0 : sis_plate_edge(p, u, p->last, p->before_last);
    }
    for (int32_t part = 0; part < SIDES; part += LANES) {
        lanes_store(g + part - SIDES, fold_before(g, lanes_load(ends + part), part));
        lanes_store(g + part + width, fold_behind(g + width - SIDES, part));
    }
}

LANES_FN void bend_tuned_rows(const plate_sweep* w, double* const* g, int32_t j, const int rows,
                              const bool pulls) {
    const plate_sweep sweep = *w; // where no store can change it
    const ptrdiff_t from = j * w->step, last = w->width - PAIR;
    lanes_tuned b;
    b.bends = all_of(&w->p->step.bends);
    b.pulls = all_of(&w->p->step.pulls);
    b.late = lanes_all(w->p->step.late);
    b.mirror = lanes_all(w->p->mirror);
    b.first = j == 1;
    b.last = j + rows == w->p->ny;
    UNROLLED
    for (int r = 0; r < rows; r++)
        b.g[r] = g[r];
    for (int32_t part = 0; part < SIDES; part += LANES) {
        ptrdiff_t i = part;
        UNROLLED
        for (int r = 0; r < rows; r++) {
            const double* u = w->u + from + r * w->step;
            const lanes before = fold_before(u, lanes_all(0), part), one = lanes_load(u + part);
            b.back[r] = before - one;
            b.far[r] = fold_before(u + SIDES, lanes_all(0), part) - one;
            b.far2[r] = before - lanes_load(u + part + SIDES);
        }
        for (; i < last; i += PAIR)
            bend_tuned_pair(&sweep, &b, from, i, rows, pulls, false);
        bend_tuned_pair(&sweep, &b, from, i, rows, pulls, true);
    }
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const ptrdiff_t at = from + r * sweep.step;
        mirror_row(&sweep, sweep.u + at, b.g[r], sweep.next + at, pulls);
    }
    UNROLLED
    for (int r = 0; r < rows; r++)
        fold_tuned_row(sweep.p, sweep.u + from + r * sweep.step, b.g[r], sweep.width);
}

// What a group of rows flies by.
typedef struct lanes_flight {
    const double* g[ROWS + 2]; // of the rows, of the one before and of the one behind them
    lanes ratio, keep, centre;
} lanes_flight;

// d* of a set at a place of u, from lap g, what s0 leaves of d, and what tension does. `moves`: u
// goes there.
LANES_FN void fly_set(const plate_sweep* w, const lanes_flight* f, ptrdiff_t at, lanes lap,
                      const bool pulls, const bool moves) {
    lanes now = f->keep * lanes_load(w->d + at) + lap;
    if (pulls) now += lanes_load(w->next + at);
    lanes_store(w->next + at, now);
    if (moves) lanes_store(w->u + at, lanes_plus(lanes_load(w->u + at), now));
}

// A pair of rungs from place i on.
LANES_FN void fly_pair(const plate_sweep* w, const lanes_flight* f, ptrdiff_t from, ptrdiff_t i,
                       const int rows, const bool pulls, const bool moves) {
    lanes below = lanes_load(f->g[0] + i), below2 = lanes_load(f->g[0] + i + SIDES);
    lanes here = lanes_load(f->g[1] + i), here2 = lanes_load(f->g[1] + i + SIDES);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const ptrdiff_t at = from + r * w->step + i;
        const double* g = f->g[r + 1] + i;
        lanes above = lanes_load(f->g[r + 2] + i), above2 = lanes_load(f->g[r + 2] + i + SIDES);
        lanes lap =
            ((here2 + lanes_load(g - SIDES)) + f->ratio * (above + below)) - f->centre * here;
        fly_set(w, f, at, lap, pulls, moves);
        lap = ((here + lanes_load(g + PAIR)) + f->ratio * (above2 + below2)) - f->centre * here2;
        fly_set(w, f, at + SIDES, lap, pulls, moves);
        below = here;
        below2 = here2;
        here = above;
        here2 = above2;
    }
}

// All of `rows` rows from j on. Of the places that are no points only the edge and the one after it
// have neighbours that are not 0.
LANES_FN void fly_rows(const plate_sweep* w, double* const* g, int32_t j, const int rows,
                       const bool pulls, const bool moves) {
    const plate_sweep sweep = *w; // where no store can change it
    const ptrdiff_t from = j * w->step, width = w->width;
    lanes_flight f;
    f.ratio = lanes_all(w->p->ratio);
    f.keep = lanes_all(w->p->step.keep);
    f.centre = lanes_all(2 + 2 * w->p->ratio);
    UNROLLED
    for (int r = 0; r < rows + 2; r++)
        f.g[r] = g[r];
    if (j == 1) f.g[0] = edge_row(w, 0, 1, g[0]);
    if (j + rows == w->p->ny) f.g[rows + 1] = edge_row(w, j + rows, j + rows - 1, g[rows + 1]);
    for (int32_t part = 0; part < SIDES; part += LANES)
        for (ptrdiff_t i = part; i < width; i += PAIR)
            fly_pair(&sweep, &f, from, i, rows, pulls, moves);
    for (int32_t k = 0; k < w->p->beside; k++) {
        const ptrdiff_t at = from + w->p->pad[k];
        UNROLLED
        for (int r = 0; r < rows; r++) {
            sweep.next[at + r * sweep.step] = 0;
            if (moves) sweep.u[at + r * sweep.step] = 0;
        }
    }
}

// How many rows to take at once when there are `left`: rather 3 and 2 than 4 and 1.
LANES_FN int32_t at_once(int32_t left) {
    return left >= 2 * ROWS || left == ROWS ? ROWS : left > ROWS ? (left + 1) / 2 : left;
}

// A pass over some rows from j on; g are the slots of these, in flight from the row before on. Each
// number of rows has its own: what belongs to them fills all registers.
typedef void (*rows_pass)(const plate_sweep* w, double* const* g, int32_t j);

#define PASS(name, pass, ...)                                                                      \
    LANES_ONCE void name(const plate_sweep* w, double* const* g, int32_t j) {                      \
        pass(w, g, j, __VA_ARGS__);                                                                \
    }
#define PASSES(n)                                                                                  \
    PASS(bend_##n, bend_rows, n, false)                                                            \
    PASS(pull_##n, bend_rows, n, true)                                                             \
    PASS(fly_##n, fly_rows, n, false, true)                                                        \
    PASS(fly_pulled_##n, fly_rows, n, true, true)
PASSES(1)
PASSES(2)
PASSES(3)
PASSES(4)
PASS(bend_5, bend_rows, 5, false)
PASS(pull_5, bend_rows, 5, true)
PASS(start_1, fly_rows, 1, true, false)
#define TUNED_PASSES(n)                                                                            \
    PASS(bend_tuned_##n, bend_tuned_rows, n, false)                                                \
    PASS(pull_tuned_##n, bend_tuned_rows, n, true)
TUNED_PASSES(1)
TUNED_PASSES(2)
TUNED_PASSES(3)
TUNED_PASSES(4)
TUNED_PASSES(5)
TUNED_PASSES(6)

static const rows_pass bends[2][ROWS + 2] = {{NULL, bend_1, bend_2, bend_3, bend_4, bend_5},
                                             {NULL, pull_1, pull_2, pull_3, pull_4, pull_5}};
static const rows_pass tuned_bends[2][ROWS + 3] = {
    {NULL, bend_tuned_1, bend_tuned_2, bend_tuned_3, bend_tuned_4, bend_tuned_5, bend_tuned_6},
    {NULL, pull_tuned_1, pull_tuned_2, pull_tuned_3, pull_tuned_4, pull_tuned_5, pull_tuned_6}};
static const rows_pass flights[2][ROWS + 1] = {
    {NULL, fly_1, fly_2, fly_3, fly_4},
    {NULL, fly_pulled_1, fly_pulled_2, fly_pulled_3, fly_pulled_4}};

// One sweep over the rows, so that the plate passes the cache once: g is made one row ahead (of a
// tuned plate two), and u moves as soon as no other row needs what it was. If there are `sums`,
// rows are booked while they and the one above still have the increments of the sample before:
// until they fly, or under tension until g is made, which puts what that does into next.
static void sweep_rows(const plate_sweep* w, double* sums) {
    const bool pulls = w->p->step.pull > 0;
    const bool tuned = w->p->tuned;
    const rows_pass *bend = tuned ? tuned_bends[pulls] : bends[pulls], *fly = flights[pulls];
    const int32_t ny = w->p->ny, ahead = tuned ? 1 : 0;
    int32_t made = 0;
    double* slot[2 * SLOTS];
    double** first = slot; // of the row before those that fly
    make_slots(w, slot);
    for (int32_t j = 1, rows; j < ny; j += rows) {
        rows = at_once(ny - j);
        int32_t need = j + rows + ahead < ny ? j + rows + ahead : ny - 1, more = need - made;
        if (sums && pulls && more) w->p->books->rows(w, made + 1, more, sums);
        if (more) bend[more](w, first + (made + 2 - j), made + 1);
        if (sums && !pulls) w->p->books->rows(w, j, rows, sums);
        made = need;
        fly[rows](w, first, j);
        first += rows;
        if (first >= slot + SLOTS) first -= SLOTS;
    }
}

// External forces, where they act.
LANES_FN void push_points(const body_bank* bank, const body_motion* motion, bool moves) {
    const plate_bank* p = bank->data;
    int32_t at = bank->first + bank->forced_first;
    for (int32_t i = at; i < at + bank->forced_count && !motion->unforced; i++) {
        double more = p->step.give * motion->F[i];
        if (moves)
            body_push(bank, motion, i, more);
        else
            motion->next[i] += more;
    }
}

static void advance(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)time;
    sweep_rows(&w, NULL);
    push_points(bank, motion, true);
}

static double advance_late(const body_bank* bank, const body_motion* motion, double time) {
    plate_sweep w = sweep_of(bank, motion);
    double sums[PLATE_SUMS] = {0};
    if (!(w.p->loss > 0)) {
        advance(bank, motion, time);
        return 0;
    }
    sweep_rows(&w, sums);
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

// The same, row by row, for the first increment: u stays.
static void start_rows(const plate_sweep* w) {
    const rows_pass pull = w->p->tuned ? pull_tuned_1 : pull_1;
    double* slot[2 * SLOTS];
    make_slots(w, slot);
    for (int32_t j = 0; j < w->p->ny; j++) {
        if (j + 1 < w->p->ny) pull(w, slot + (j + 1) % SLOTS, j + 1);
        if (j > 0) start_1(w, slot + (j - 1) % SLOTS, j);
    }
}

static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    plate_sweep w = sweep_of(bank, motion);
    (void)time;
    body_throw(bank, motion, k);
    start_rows(&w);
    push_points(bank, motion, false);
    body_halve(bank, motion);
}

const plate_width LANES_NAME(sis_plate) = {
    {advance, sis_plate_give, work, sis_plate_energy, sis_plate_admit, true, false, NULL, start},
    advance_late};
