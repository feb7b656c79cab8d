// Sums over the points of strings on a grid: what they hold and lose, and what bends them. Included
// by string_lanes.h. Explicit strings lie folded, others in order (string_span).
#include "base/lanes.h"
#include "body/string.h"

// A place beyond the first or the last rung of a folded string: at a fold its other side, at the
// ends 0.
static double beyond(const double* v, int32_t rungs, int32_t place) {
    int32_t side = (place + STRING_SIDES) % STRING_SIDES;
    if (place >= 0) return v[STRING_SIDES * (rungs - 1) + (side ^ 1)];
    return side == 1 || side == 2 ? v[3 - side] : 0;
}

// The numbers from a place on, some of which may lie beyond.
static lanes around(const double* v, int32_t rungs, int32_t at) {
    double values[LANES];
    for (int32_t i = 0; i < LANES; i++) {
        int32_t place = at + i;
        bool within = place >= 0 && place < STRING_SIDES * rungs;
        values[i] = within ? v[place] : beyond(v, rungs, place);
    }
    return lanes_load(values);
}

// The numbers of a set, and those beside it along the string.
typedef struct lanes_beside {
    lanes left, here, right;
} lanes_beside;

LANES_FN lanes_beside beside(const double* v, const string_span* s, int32_t at, bool plain) {
    int32_t step = s->rungs ? STRING_SIDES : 1;
    if (plain || !s->rungs) // in order, the places around it are 0
        return (lanes_beside){lanes_load(v + at - step), lanes_load(v + at),
                              lanes_load(v + at + step)};
    return (lanes_beside){around(v, s->rungs, at - step), lanes_load(v + at),
                          around(v, s->rungs, at + step)};
}

// Which places from `at` on are points of the string, as bits.
LANES_FN unsigned points_at(const string_span* s, int32_t at, bool plain) {
    unsigned bits = 0;
    if (plain) return (1u << LANES) - 1;
    for (int32_t i = 0; i < LANES; i++)
        if (at + i < s->places && (s->rungs ? string_point(s->rungs, at + i) : at + i) < s->points)
            bits |= 1u << i;
    return bits;
}

// The terms of these places, 0 of the others.
LANES_FN lanes only(unsigned bits, lanes terms) {
    if (bits == (1u << LANES) - 1) return terms;
    return lanes_pick(lanes_from_which(bits), terms, lanes_all(0));
}

// Whether all of the eight places are points and none is at a fold.
LANES_FN bool is_plain(const string_span* s, int32_t at) {
    if (!s->rungs) return at + 8 <= s->places;
    return at >= 8 && at >= STRING_SIDES * (s->places - s->points) && at + 16 <= s->places;
}

typedef struct lanes_shape {
    lanes_sums squares, differences, slopes, bends;
} lanes_shape;

// The set at i. Differences are those to the rung before; at the fold there the second side has the
// one that the third has too.
LANES_FN void add_shape(const string_span* s, const double* u, const double* d, double half,
                        int32_t i, bool plain, lanes_shape* sums) {
    lanes_beside v = beside(u, s, i, plain), e = beside(d, s, i, plain);
    lanes a = v.here - v.left, b = e.here - e.left;
    lanes c = (v.right - v.here) - a, f = (e.right - e.here) - b;
    lanes slope = a - half * b, bend = c - half * f;
    unsigned points = points_at(s, i, plain), apart = points;
    if (!plain && s->rungs && i < 2) apart &= ~(2u >> i);
    lanes_sums_add(&sums->squares, i, only(points, e.here * e.here));
    lanes_sums_add(&sums->differences, i, only(apart, b * b));
    lanes_sums_add(&sums->slopes, i, only(apart, slope * (slope - (1 - 2 * half) * b)));
    lanes_sums_add(&sums->bends, i, only(points, bend * (bend - (1 - 2 * half) * f)));
}

static string_shape shape_of(const string_span* s, const double* u, const double* d, double half) {
    const lanes_sums none = lanes_sums_none();
    lanes_shape sums = {none, none, none, none};
    for (int32_t i = 0; i < s->places; i += 8)
        if (is_plain(s, i))
            for (int32_t j = 0; j < 8; j += LANES)
                add_shape(s, u, d, half, i + j, true, &sums);
        else
            for (int32_t j = 0; j < 8; j += LANES)
                add_shape(s, u, d, half, i + j, false, &sums);
    return (string_shape){lanes_sums_total(&sums.squares), lanes_sums_total(&sums.differences),
                          lanes_sums_total(&sums.slopes), lanes_sums_total(&sums.bends)};
}

// What losses leave of the increments d.
LANES_FN lanes lanes_kept(lanes keep, lanes late, lanes left, lanes d, lanes right) {
    return keep * d + late * lanes_plus(left, right);
}

// What losses take from d times d + share next; at places that are no points both are 0.
LANES_FN void add_taken(const string_span* s, const string_pull* f, const double* d,
                        const double* next, double share, int32_t i, bool plain, lanes_sums* sum) {
    lanes_beside e = beside(d, s, i, plain);
    lanes left = lanes_kept(lanes_all(f->keep), lanes_all(f->late), e.left, e.here, e.right);
    lanes_sums_add(sum, i, (e.here - left) * (e.here + share * lanes_load(next + i)));
}

static double taken_from(const string_span* s, const string_pull* f, const double* d,
                         const double* next, double share) {
    lanes_sums sum = lanes_sums_none();
    for (int32_t i = 0; i < s->places; i += 8)
        if (is_plain(s, i))
            for (int32_t j = 0; j < 8; j += LANES)
                add_taken(s, f, d, next, share, i + j, true, &sum);
        else
            for (int32_t j = 0; j < 8; j += LANES)
                add_taken(s, f, d, next, share, i + j, false, &sum);
    return lanes_sums_total(&sum);
}

// scale times the second differences of u.
static void bends_of(const string_span* s, const double* u, double scale, double* out) {
    for (int32_t i = 0; i < s->places; i += 8)
        for (int32_t j = 0; j < 8; j += LANES) {
            bool plain = is_plain(s, i);
            lanes_beside v = beside(u, s, i + j, plain);
            lanes bend = scale * ((v.left - v.here) + (v.right - v.here));
            lanes_store(out + i + j, only(points_at(s, i + j, plain), bend));
        }
}
