// The books of a plate over lanes: what the sample before has lost, while its increments are still
// there, and what it holds. Apart from the sweep (plate_lanes.h), because here eight lanes are
// faster than four.
//
// To be included in a .c file that has defined LANES.
#include "base/lanes.h"
#include "body/plate.h"

enum { SIDES = STRING_SIDES, PAIR = 2 * SIDES, SETS = LANES == 8 ? 1 : 2 };
enum { BOOKED_MOST = 5 }; // rows at once

// ---------------------------------------------------------------------------- losses
//
// In units of loss, the travels t = d + next lose t^2 less `along` and `across` of its products
// with its neighbours: the squares of t and of its slopes, multiplied out. All edges are at rest.
// Each product is counted once, and two of them from where both meet: along a row from the first of
// two rungs, with those before and after it; across from every other row of those that are booked
// together, with those below and above it, and from the last, with the one above. At folds only one
// of two sides counts.

typedef struct lanes_booked {
    lanes left[BOOKED_MOST]; // of each row: the travels of the rung before two
    lanes along, across;
    lanes_sums sums;
} lanes_booked;

LANES_FN lanes travel_at(const plate_sweep* w, ptrdiff_t at) {
    return lanes_load(w->d + at) + lanes_load(w->next + at);
}

// The second of two rungs; of eight lanes it goes where the first was, with 0 after it.
LANES_FN lanes second_rung(const lanes* t) {
#if LANES == 8
    return (lanes)_mm512_shuffle_f64x2((__m512d)*t, (__m512d)lanes_all(0), 0x0e);
#else
    return t[1];
#endif
}

// What is before the first rung of a row: beside side 1 is side 2.
LANES_FN lanes before_first(const plate_sweep* w, ptrdiff_t row, ptrdiff_t part) {
    const double two = part <= 1 && part + LANES > 1 ? w->d[row + 2] + w->next[row + 2] : 0;
#if LANES == 8
    return (lanes){0, two, 0, 0, 0, 0, 0, 0};
#elif LANES == 4
    return (lanes){0, two, 0, 0};
#elif LANES == 2
    return (lanes){0, two};
#else
    return two;
#endif
}

// Products of the last rung, t, with what is behind it: beside sides 0 and 2 are 1 and 3.
LANES_FN lanes join_last(const plate_sweep* w, ptrdiff_t row, ptrdiff_t part, lanes t) {
    (void)w, (void)row, (void)part;
#if LANES == 8
    return (lanes){0, 0, 0, 0, t[0] * t[1], 0, t[2] * t[3], 0}; // where second rungs are summed
#elif LANES == 4
    return t * (lanes)_mm256_shuffle_pd((__m256d)t, _mm256_setzero_pd(), 5);
#elif LANES == 2
    return t * (lanes){t[1], 0};
#else
    const ptrdiff_t beside = row + w->width - SIDES + part + 1;
    return part % 2 == 0 ? t * (w->d[beside] + w->next[beside]) : 0;
#endif
}

// Two rungs of `rows` rows, from place `at` of the first row on.
LANES_FN void book_pair(const plate_sweep* w, lanes_booked* b, ptrdiff_t at, ptrdiff_t part,
                        const int rows) {
    lanes below[SETS], t[SETS], above[SETS], kept[SETS];
    for (int k = 0; k < SETS; k++)
        t[k] = travel_at(w, at + k * SIDES);
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const bool last = r + 1 == rows, odd = r % 2;
        at += w->step;
        for (int k = 0; k < SETS; k++) {
            const ptrdiff_t up = at + k * SIDES;
            kept[k] = t[k];
            if (!last) above[k] = travel_at(w, up);
            if (odd && !last) kept[k] -= b->across * (below[k] + above[k]);
            if (odd && last) // the row above is needed here only
                kept[k] -=
                    b->across * ((below[k] + lanes_load(w->d + up)) + lanes_load(w->next + up));
            if (!odd && last) kept[k] -= b->across * travel_at(w, up);
        }
        const lanes right = second_rung(t);
        lanes_sums_add(&b->sums, part, t[0] * (kept[0] - b->along * (b->left[r] + right)));
        if (SETS == 2) lanes_sums_add(&b->sums, part + SIDES, t[SETS - 1] * kept[SETS - 1]);
        b->left[r] = right;
        for (int k = 0; k < SETS; k++) {
            below[k] = t[k];
            t[k] = above[k];
        }
    }
}

// Books `rows` rows from j on, before their next is overwritten.
LANES_FN void book_rows(const plate_sweep* w, int32_t j, const int rows, double* sums) {
    const plate_sweep sweep = *w;
    const ptrdiff_t from = j * w->step;
    lanes_booked b;
    b.along = lanes_all(w->p->loss_along);
    b.across = lanes_all(w->p->loss_across);
    b.sums = lanes_sums_from(sums);
    UNROLLED
    for (ptrdiff_t part = 0; part < SIDES; part += LANES) {
        UNROLLED
        for (int r = 0; r < rows; r++)
            b.left[r] = before_first(&sweep, from + r * sweep.step, part);
        for (ptrdiff_t i = part; i < sweep.width; i += PAIR)
            book_pair(&sweep, &b, from + i, part, rows);
        UNROLLED
        for (int r = 0; r < rows; r++) {
            lanes joined = join_last(&sweep, from + r * sweep.step, part, b.left[r]);
            lanes_sums_add(&b.sums, LANES == 8 ? 0 : SIDES + part, -(b.along * joined));
        }
    }
    lanes_sums_keep(&b.sums, sums);
}

#define BOOK(n)                                                                                    \
    LANES_ONCE void book_##n(const plate_sweep* w, int32_t j, double* sums) {                      \
        book_rows(w, j, n, sums);                                                                  \
    }
BOOK(1)
BOOK(2)
BOOK(3)
BOOK(4)
BOOK(5)

static void book(const plate_sweep* w, int32_t j, int32_t rows, double* sums) {
    static void (*const of_rows[])(const plate_sweep*, int32_t, double*) = {NULL,   book_1, book_2,
                                                                            book_3, book_4, book_5};
    if (rows > BOOKED_MOST) {
        book_3(w, j, sums);
        j += 3;
        rows -= 3;
    }
    of_rows[rows](w, j, sums);
}

// ---------------------------------------------------------------------------- energies

typedef struct lanes_shape {
    lanes_sums squares, steps, slopes, bends;
} lanes_shape;

// v at a point less its neighbours one rung back and on, and in the rows beside.
typedef struct lanes_slopes {
    lanes back, on, down, up;
} lanes_slopes;

// The numbers of a row from a place on, which may lie beyond its first or its last rung: at a fold
// its other side, at the edges 0.
LANES_FN lanes around(const double* v, ptrdiff_t width, ptrdiff_t at) {
    double set[LANES];
    if (at >= 0 && at + LANES <= width) return lanes_load(v + at);
    for (ptrdiff_t i = 0; i < LANES; i++) {
        ptrdiff_t place = at + i, side = (place + PAIR) % SIDES;
        if (place >= width)
            set[i] = v[2 * width - SIDES - (place - side) + (side ^ 1)];
        else if (place >= 0)
            set[i] = v[place];
        else
            set[i] = side == 1 || side == 2 ? v[-SIDES - (place - side) + 3 - side] : 0;
    }
    return lanes_load(set);
}

LANES_FN lanes_slopes slopes_at(const double* v, ptrdiff_t width, ptrdiff_t i) {
    lanes here = lanes_load(v + i);
    return (lanes_slopes){here - around(v, width, i - SIDES), here - around(v, width, i + SIDES),
                          here - lanes_load(v + i - width), here - lanes_load(v + i + width)};
}

// Which places from i on are points; and which of those are apart from the one a rung back, not
// joined with another side.
LANES_FN unsigned points_at(const plate_bank* p, ptrdiff_t i) {
    unsigned bits = 0;
    for (ptrdiff_t k = i; k < i + LANES; k++)
        if (string_point(p->stride / SIDES, (int32_t)k) < p->nx - 1) bits |= 1u << (k - i);
    return bits;
}

LANES_FN unsigned apart_at(ptrdiff_t i) {
    unsigned bits = (1u << LANES) - 1;
    for (ptrdiff_t k = 1; k <= 2; k++)
        if (k >= i && k < i + LANES) bits &= ~(1u << (k - i));
    return bits;
}

// The terms of some lanes, 0 of the others.
LANES_FN lanes only(unsigned bits, lanes terms) {
    if (bits == (1u << LANES) - 1) return terms;
    return lanes_pick(lanes_from_which(bits), terms, lanes_all(0));
}

// The places from i on of a row.
LANES_FN void add_shape(const plate_bank* p, const double* u, const double* d, ptrdiff_t i,
                        const bool pulls, lanes_shape* sums) {
    const lanes_slopes a = slopes_at(u, p->stride, i), b = slopes_at(d, p->stride, i);
    const lanes last = lanes_load(d + i);
    const unsigned apart = apart_at(i);
    lanes lap = (a.back + a.on) + p->ratio * (a.down + a.up);
    lanes less = (b.back + b.on) + p->ratio * (b.down + b.up);
    ptrdiff_t place = i % PLATE_SUMS;
    lanes_sums_add(&sums->squares, place, last * last);
    lanes_sums_add(&sums->steps, place,
                   only(apart, b.back * b.back) + p->ratio * (b.down * b.down));
    lanes_sums_add(&sums->bends, place, only(points_at(p, i), lap * (lap - less)));
    if (pulls)
        lanes_sums_add(&sums->slopes, place,
                       only(apart, a.back * (a.back - b.back)) +
                           p->ratio * (a.down * (a.down - b.down)));
}

// The slopes between two places that a fold joins.
static void add_join(const double* u, const double* d, ptrdiff_t a, ptrdiff_t b, plate_shape* h) {
    double slope = u[a] - u[b], step = d[a] - d[b];
    h->steps += step * step;
    h->slopes += slope * (slope - step);
}

// ---------------------------------------------------------------------------- tuned plates

// Minus the differences over two places; beyond the edges of a row u counts as 0 (mirror_ends).
typedef struct lanes_bows {
    lanes x, x2, y, y2;
} lanes_bows;

LANES_FN lanes_bows bows_at(const plate_bank* p, const double* v, ptrdiff_t i, ptrdiff_t j,
                            const lanes_slopes* a) {
    const ptrdiff_t width = p->stride;
    const lanes here = lanes_load(v + i), image = p->mirror * here;
    const lanes down = j == 1 ? image : lanes_load(v + i - 2 * width);
    const lanes up = j + 1 == p->ny ? image : lanes_load(v + i + 2 * width);
    return (lanes_bows){a->back + a->on,
                        (here - around(v, width, i - PAIR)) + (here - around(v, width, i + PAIR)),
                        a->down + a->up, (here - down) + (here - up)};
}

LANES_FN lanes bent_by(const plate_cross* c, const lanes_bows* b) {
    return (c->y * b->y + c->y2 * b->y2) + (c->x * b->x + c->x2 * b->x2);
}

LANES_FN void add_tuned_shape(const plate_bank* p, const double* u, const double* d, ptrdiff_t i,
                              ptrdiff_t j, const bool pulls, lanes_shape* sums) {
    const lanes_slopes a = slopes_at(u, p->stride, i), b = slopes_at(d, p->stride, i);
    const lanes_bows v = bows_at(p, u, i, j, &a), e = bows_at(p, d, i, j, &b);
    const lanes last = lanes_load(d + i);
    const unsigned apart = apart_at(i), points = points_at(p, i);
    const plate_cross* c = &p->pulls;
    const ptrdiff_t place = i % PLATE_SUMS;
    lanes_sums_add(&sums->squares, place, last * last);
    lanes_sums_add(&sums->steps, place,
                   only(apart, b.back * b.back) + p->ratio * (b.down * b.down));
    lanes bends = (v.x + p->ratio * v.y) * (bent_by(&p->bends, &v) - bent_by(&p->bends, &e));
    if (pulls) {
        lanes_sums_add(&sums->slopes, place,
                       only(apart, (c->x + 4 * c->x2) * (a.back * (a.back - b.back))) +
                           (c->y + 4 * c->y2) * (a.down * (a.down - b.down)));
        bends -= c->x2 * (v.x * (v.x - e.x)) + c->y2 * (v.y * (v.y - e.y));
    }
    lanes_sums_add(&sums->bends, place, only(points, bends));
}

// What the mirror images beyond both ends of row j add to `bends`, and, of clamped plates, what
// lies on the edges: half of it belongs to the plate.
static double mirror_ends(const plate_bank* p, const double* u, const double* d) {
    const int32_t at[2] = {0, p->last}, then[2] = {p->second, p->before_last};
    const double x2 = p->bends.x2;
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const double *v = u + at[k], *w = u + then[k], was = *v - d[at[k]];
        const double other = p->nx == 2 ? 0 : *w;
        const double lap =
            (*v - other) + *v + p->ratio * ((*v - v[-p->stride]) + (*v - v[p->stride]));
        sum -= x2 * p->mirror * (lap * was);
        if (p->clamped)
            sum += 2 * *v * (p->bends.x * was + x2 * (other - d[then[k]]) - p->pulls.x2 * was);
    }
    return sum;
}

// The same of a clamped edge along x, beside row j; `inner` is the way to the next row.
static double mirror_side(const plate_bank* p, const double* u, const double* d, ptrdiff_t inner) {
    double sum = 0;
    for (ptrdiff_t i = 0; i < p->stride; i++) {
        const double was = u[i] - d[i], then = u[i + inner] - d[i + inner];
        sum += 2 * u[i] * (p->ratio * (p->bends.y * was + p->bends.y2 * then) - p->pulls.y2 * was);
    }
    return sum;
}

LANES_FN void close_shape(const plate_bank* p, const double* u, const double* d, double across,
                          lanes_shape* sums, plate_shape* h) {
    const ptrdiff_t width = p->stride;
    const double *v = u + (p->ny - 1) * width, *e = d + (v - u);
    for (ptrdiff_t i = 0; i < width; i += LANES) {
        lanes rise = lanes_load(v + i), more = lanes_load(e + i);
        lanes_sums_add(&sums->steps, i % PLATE_SUMS, p->ratio * (more * more));
        lanes_sums_add(&sums->slopes, i % PLATE_SUMS, across * (rise * (rise - more)));
    }
    h->squares = lanes_sums_total(&sums->squares);
    h->steps += lanes_sums_total(&sums->steps);
    h->slopes += lanes_sums_total(&sums->slopes);
    h->bends += lanes_sums_total(&sums->bends);
}

LANES_FN plate_shape tuned_shape(const plate_bank* p, const double* u, const double* d,
                                 const bool pulls) {
    const lanes_sums none = lanes_sums_none();
    const ptrdiff_t width = p->stride, last = width - SIDES;
    const double along = p->pulls.x + 4 * p->pulls.x2, across = p->pulls.y + 4 * p->pulls.y2;
    lanes_shape sums = {none, none, none, none};
    plate_shape h = {0}, joins = {0};
    for (ptrdiff_t j = 1; j < p->ny; j++) {
        const double *v = u + j * width, *e = d + j * width;
        for (ptrdiff_t i = 0; i < width; i += LANES)
            add_tuned_shape(p, v, e, i, j, pulls, &sums);
        add_join(v, e, 1, 2, &joins);
        add_join(v, e, last, last + 1, &joins);
        add_join(v, e, last + 2, last + 3, &joins);
        h.bends += mirror_ends(p, v, e);
    }
    h.steps = joins.steps;
    h.slopes = along * joins.slopes;
    if (p->clamped) {
        const ptrdiff_t top = (p->ny - 1) * width;
        h.bends += mirror_side(p, u + width, d + width, width);
        h.bends += mirror_side(p, u + top, d + top, -width);
    }
    close_shape(p, u, d, across, &sums, &h);
    return h;
}

// ---------------------------------------------------------------------------- as published

// Rows 1 .. ny - 1, and the slopes from the last of them to the edge.
LANES_FN plate_shape shape_with(const plate_bank* p, const double* u, const double* d,
                                const bool pulls) {
    const lanes_sums none = lanes_sums_none();
    const ptrdiff_t width = p->stride, last = width - SIDES;
    lanes_shape sums = {none, none, none, none};
    plate_shape h = {0};
    for (ptrdiff_t j = 1; j < p->ny; j++) {
        const double *v = u + j * width, *e = d + j * width;
        for (ptrdiff_t first = 0; first < width; first += PLATE_SUMS) {
            UNROLLED // each sum in its own register
                for (ptrdiff_t i = 0; i < PLATE_SUMS; i += LANES)
                    add_shape(p, v, e, first + i, pulls, &sums);
        }
        add_join(v, e, 1, 2, &h);
        add_join(v, e, last, last + 1, &h);
        add_join(v, e, last + 2, last + 3, &h);
    }
    close_shape(p, u, d, p->ratio, &sums, &h);
    return h;
}

static plate_shape shape(const plate_bank* p, const double* u, const double* d) {
    const bool pulls = p->tension > 0;
    if (p->tuned) return pulls ? tuned_shape(p, u, d, true) : tuned_shape(p, u, d, false);
    return pulls ? shape_with(p, u, d, true) : shape_with(p, u, d, false);
}

const plate_books LANES_NAME(sis_plate_books) = {book, shape};
