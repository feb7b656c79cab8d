// What of a line is drawn. Print resolves a fraction of what a run has: of each column of pixels
// the first, lowest, highest and last value are kept, so that no peak is lost (trace.h does this
// for signals; here x need not be even, and there are gaps).

#include "chart_inside.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define COLUMNS_MM 12.0  // columns to the mm: 300 to the inch
#define NEAR       0.04  // mm, half a pixel
#define CELLS_MM   10.0  // points on the same tenth of a mm are one
#define MANY       10000 // points of a line that may go the same way often
#define WAYS       (1u << 20)
#define BREAKS     2 // gaps that are kept within a column

typedef struct picker {
    const sis_chart_line* line;
    double x_factor, y_factor;
    const sis_ruler *x, *y;
    sis_picked* picked;
    bool failed;
} picker;

static void pick(picker* p, size_t index) {
    sis_picked* to = p->picked;
    // Neither a gap at the start nor two in a row.
    if (index == SIS_GAP && (!to->count || to->index[to->count - 1] == SIS_GAP)) return;
    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 1024;
        size_t* more = realloc(to->index, room * sizeof *more);
        if (!more) {
            p->failed = true;
            return;
        }
        to->index = more;
        to->room = room;
    }
    to->index[to->count++] = index;
}

/** Where point k is, as shares of the axes. False: it is a gap. */
static bool where(const picker* p, size_t k, double* x, double* y) {
    *x = sis_ruler_share(p->x, p->x_factor * p->line->x[k]);
    *y = sis_ruler_share(p->y, p->y_factor * p->line->y[k]);
    return isfinite(*x) && isfinite(*y);
}

static bool runs_forward(const picker* p) {
    double last = -INFINITY, x, y;
    for (size_t k = 0; k < p->line->count; k++) {
        if (!where(p, k, &x, &y)) continue;
        double at = p->x_factor * p->line->x[k];
        if (at < last) return false;
        last = at;
    }
    return true;
}

// ---------------------------------------------------------------------------- columns

typedef struct column {
    double number;
    size_t first, low, high, last;
    double least, most;
    bool filled;
    int breaks;
} column;

static void flush(picker* p, column* c) {
    if (!c->filled) return;
    size_t order[4] = {c->first, c->low, c->high, c->last};
    if (c->low > c->high) {
        order[1] = c->high;
        order[2] = c->low;
    }
    for (int i = 0; i < 4; i++)
        if (i == 0 || order[i] != order[i - 1]) pick(p, order[i]);
    c->filled = false;
}

static void pick_columns(picker* p, double columns) {
    column c = {.number = -INFINITY};
    bool right = p->x->to > p->x->from;
    size_t before = SIS_GAP; // the last point that was left out on the near side
    bool beyond = false;
    for (size_t k = 0; k < p->line->count && !beyond; k++) {
        double x, y;
        if (!where(p, k, &x, &y)) {
            before = SIS_GAP;
            if (!c.filled || c.breaks++ >= BREAKS) continue;
            flush(p, &c);
            pick(p, SIS_GAP);
            continue;
        }
        // Outside of the picture only the nearest points matter: the line enters from there.
        if (right ? x < 0 : x > 1) {
            before = k;
            continue;
        }
        if (before != SIS_GAP) pick(p, before);
        before = SIS_GAP;
        beyond = right ? x > 1 : x < 0;
        double number = floor(x * columns);
        if (number != c.number) {
            flush(p, &c);
            c.breaks = 0;
        }
        if (!c.filled) c = (column){number, k, k, k, k, y, y, true, c.breaks};
        if (y < c.least) {
            c.least = y;
            c.low = k;
        }
        if (y > c.most) {
            c.most = y;
            c.high = k;
        }
        c.last = k;
    }
    flush(p, &c);
}

// ---------------------------------------------------------------------------- anything else

/** Pairs of places that a line was drawn between, so that a round that was made is not drawn again.
 */
typedef struct rounds {
    uint64_t* taken; // [mask + 1], 0: free
    uint64_t mask;
    uint64_t filled;
} rounds;

static uint64_t place_code(double x, double y, const sis_box* box) {
    double across = x * box->width / NEAR / 2 + 16384, up = y * box->height / NEAR / 2 + 16384;
    return (uint64_t)fmin(65535, fmax(0, across)) << 16 | (uint64_t)fmin(65535, fmax(0, up));
}

/** Whether the way between two places is new; then it is noted. */
static bool is_new(rounds* r, uint64_t from, uint64_t to) {
    if (!r->taken || 2 * r->filled > r->mask) return true;
    uint64_t way = from < to ? from << 32 | to : to << 32 | from;
    uint64_t at = (way * 0x9e3779b97f4a7c15u) >> 20;
    for (at &= r->mask; r->taken[at]; at = (at + 1) & r->mask)
        if (r->taken[at] == way) return false;
    r->taken[at] = way;
    r->filled++;
    return true;
}

/** What a line that turns back has drawn so far. */
typedef struct pencil {
    const sis_box* box;
    rounds rounds;
    double x, y; // of the last point that counts
    size_t last; // its number; SIS_GAP: none
    bool down;   // it was drawn
} pencil;

static void go(picker* p, pencil* pen, size_t k, double x, double y) {
    uint64_t from = place_code(pen->x, pen->y, pen->box), to = place_code(x, y, pen->box);
    bool draws = pen->last == SIS_GAP || is_new(&pen->rounds, from, to);
    if (draws && pen->last != SIS_GAP && !pen->down) {
        pick(p, SIS_GAP);
        pick(p, pen->last);
    }
    if (draws) pick(p, k);
    pen->x = x;
    pen->y = y;
    pen->last = k;
    pen->down = draws;
}

/** A line that turns back: a point counts when it is away from the last one. */
static void pick_turns(picker* p, const sis_box* box) {
    pencil pen = {.box = box, .last = SIS_GAP};
    if (p->line->count > MANY && p->line->stroke.curve != SIS_CURVE_FILL)
        pen.rounds = (rounds){.taken = calloc(WAYS, sizeof(uint64_t)), .mask = WAYS - 1};
    size_t skipped = SIS_GAP;
    double x, y, skipped_x = 0, skipped_y = 0;
    for (size_t k = 0; k <= p->line->count; k++) {
        if (k == p->line->count || !where(p, k, &x, &y)) {
            if (skipped != SIS_GAP) go(p, &pen, skipped, skipped_x, skipped_y);
            pick(p, SIS_GAP);
            skipped = pen.last = SIS_GAP;
            continue;
        }
        bool near = pen.last != SIS_GAP && fabs(x - pen.x) * box->width < NEAR &&
                    fabs(y - pen.y) * box->height < NEAR;
        skipped = near ? k : SIS_GAP;
        skipped_x = x;
        skipped_y = y;
        if (!near) go(p, &pen, k, x, y);
    }
    free(pen.rounds.taken);
}

/** Points: one in each cell. */
static bool pick_points(picker* p, const sis_box* box) {
    size_t wide = (size_t)(box->width * CELLS_MM) + 1, high = (size_t)(box->height * CELLS_MM) + 1;
    uint8_t* taken = calloc(wide, high);
    if (!taken) return false;
    double x, y;
    for (size_t k = 0; k < p->line->count; k++) {
        if (!where(p, k, &x, &y) || x < 0 || x > 1 || y < 0 || y > 1) continue;
        size_t cell = (size_t)(y * (double)(high - 1)) * wide + (size_t)(x * (double)(wide - 1));
        if (!taken[cell]) pick(p, k);
        taken[cell] = 1;
    }
    free(taken);
    return true;
}

bool sis_pick(const sis_chart_panel* panel, const sis_chart_line* line, const sis_ruler* x,
              const sis_ruler* y, const sis_box* box, sis_picked* picked) {
    picker p = {.line = line,
                .x_factor = panel->x.factor,
                .y_factor = panel->y.factor,
                .x = x,
                .y = y,
                .picked = picked};
    picked->count = 0;
    if (line->stroke.curve == SIS_CURVE_POINTS) return pick_points(&p, box) && !p.failed;
    if (runs_forward(&p))
        pick_columns(&p, box->width * COLUMNS_MM);
    else
        pick_turns(&p, box);
    return !p.failed;
}
