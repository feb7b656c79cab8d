// One pass over an explicit string (see string.c): next = d*, u on by it, LANES points at a time.
// Included by string_1.c, string_2.c, string_4.c and string_8.c.
//
// All is made of first differences e_i = u_i - u_{i+1}, which are exact: u is far larger than what
// bends it. (This way round the load of u_{i+1} is part of the subtraction: what a pass costs
// follows the number of its instructions.) Each is computed once and slides through the registers,
// one set ahead of the points that move, so that u may be overwritten behind.
#include "base/lanes.h"
#include "body/string.h"

// The differences that begin two points before a set, and one before it.
typedef struct string_trail {
    lanes two, one;
} string_trail;

// Those of the set after `here`.
LANES_FN string_trail trail_on(string_trail trail, lanes here, lanes ahead) {
#if LANES == 1
    (void)ahead;
    return (string_trail){trail.one, here};
#elif LANES == 2
    (void)trail;
    return (string_trail){here, (lanes){here[1], ahead[0]}};
#elif LANES == 8
    (void)trail;
    __m512i a = (__m512i)here, b = (__m512i)ahead;
    return (string_trail){(lanes)_mm512_alignr_epi64(b, a, 6), (lanes)_mm512_alignr_epi64(b, a, 7)};
#else
    (void)trail;
    __m256d two = _mm256_permute2f128_pd((__m256d)here, (__m256d)ahead, 0x21);
    return (string_trail){(lanes)two, (lanes)_mm256_shuffle_pd(two, (__m256d)ahead, 5)};
#endif
}

// Those of the first set, with e_-2 and e_-1 before it.
LANES_FN string_trail trail_from(double two, double one, lanes first) {
#if LANES == 1
    (void)first;
    return (string_trail){two, one};
#elif LANES == 2
    lanes before = {two, one};
    return trail_on((string_trail){before, before}, before, first);
#elif LANES == 4
    lanes before = {0, 0, two, one};
    return trail_on((string_trail){before, before}, before, first);
#else
    lanes before = {0, 0, 0, 0, 0, 0, two, one};
    return trail_on((string_trail){before, before}, before, first);
#endif
}

// The differences that begin one point after those of `here`.
LANES_FN lanes one_on(lanes here, lanes ahead, string_trail next) {
#if LANES == 1
    (void)here, (void)next;
    return ahead;
#elif LANES == 2
    (void)here, (void)ahead;
    return next.one;
#elif LANES == 8
    (void)next;
    return (lanes)_mm512_alignr_epi64((__m512i)ahead, (__m512i)here, 1);
#else
    (void)ahead;
    return (lanes)_mm256_shuffle_pd((__m256d)here, (__m256d)next.two, 5);
#endif
}

// The numbers of string_pull, where no store can change them.
typedef struct lanes_pull {
    lanes near, far, late, keep;
} lanes_pull;

// Squares of the travels t = d + next, and products with that of the next point.
typedef struct lanes_travels {
    lanes_sums squares, products;
} lanes_travels;

LANES_FN void add_travels(const double* d, const double* next, int32_t i, lanes_travels* sums) {
    lanes here = lanes_load(d + i) + lanes_load(next + i);
    lanes beside = lanes_load(d + i + 1) + lanes_load(next + i + 1);
    lanes_sums_add(&sums->squares, i, here * here);
    lanes_sums_add(&sums->products, i, here * beside);
}

static string_travels travels_of(int32_t count, const double* d, const double* next) {
    lanes_travels sums = {lanes_sums_none(), lanes_sums_none()};
    for (int32_t i = 0; i < count; i += LANES)
        add_travels(d, next, i, &sums);
    return (string_travels){lanes_sums_total(&sums.squares), lanes_sums_total(&sums.products)};
}

typedef struct lanes_shape {
    lanes_sums squares, differences, slopes, bends;
} lanes_shape;

// The set at i; `bits` are its points, if not all.
LANES_FN void add_shape(const double* u, const double* d, int32_t i, double half, unsigned bits,
                        lanes_shape* sums) {
    lanes here = lanes_load(u + i), a = here - lanes_load(u + i - 1);
    lanes last = lanes_load(d + i), b = last - lanes_load(d + i - 1);
    lanes c = (lanes_load(u + i + 1) - here) - a, e = (lanes_load(d + i + 1) - last) - b;
    lanes slope = a - half * b, bend = c - half * e;
    lanes terms[4] = {last * last, b * b, slope * (slope - (1 - 2 * half) * b),
                      bend * (bend - (1 - 2 * half) * e)};
    lanes_mask some = lanes_from_which(bits);
    for (int k = 0; k < 4 && bits != (1u << LANES) - 1; k++)
        terms[k] = lanes_pick(some, terms[k], lanes_all(0));
    lanes_sums_add(&sums->squares, i, terms[0]);
    lanes_sums_add(&sums->differences, i, terms[1]);
    lanes_sums_add(&sums->slopes, i, terms[2]);
    lanes_sums_add(&sums->bends, i, terms[3]);
}

static string_shape shape_of(int32_t count, const double* u, const double* d, double half) {
    const lanes_sums none = lanes_sums_none();
    lanes_shape sums = {none, none, none, none};
    const unsigned all = (1u << LANES) - 1;
    int32_t i = 0;
    for (; i + 8 <= count; i += 8) // each sum in its own register
        for (int32_t j = 0; j < 8; j += LANES)
            add_shape(u, d, i + j, half, all, &sums);
    for (; i < count; i += LANES)
        add_shape(u, d, i, half, count - i < LANES ? (1u << (count - i)) - 1 : all, &sums);
    return (string_shape){lanes_sums_total(&sums.squares), lanes_sums_total(&sums.differences),
                          lanes_sums_total(&sums.slopes), lanes_sums_total(&sums.bends)};
}

// A set of points before it moves: u, e, the differences behind, and the increments of the set
// before it.
typedef struct string_set {
    lanes u, e;
    string_trail trail;
    lanes d_before;
} string_set;

// The increments one place before those of the set at i. A load of eight would cross a line, and
// may wait for two stores of the sample before.
LANES_FN lanes one_before(lanes d_before, lanes here, const double* d, int32_t i) {
    return LANES == 8 ? lanes_one_back(d_before, here) : lanes_load(d + i - 1);
}

// What losses leave of the increments d.
LANES_FN lanes kept(lanes keep, lanes late, lanes left, lanes d, lanes right) {
    return keep * d + late * lanes_plus(left, right);
}

// What losses take from d times d + share next, over the points.
static double taken_from(const string_pull* pull, int32_t count, const double* d,
                         const double* next, double share) {
    lanes keep = lanes_all(pull->keep), late = lanes_all(pull->late);
    lanes_sums sum = lanes_sums_none();
    for (int32_t i = 0; i < count; i += LANES) {
        lanes here = lanes_load(d + i);
        lanes left = kept(keep, late, lanes_load(d + i - 1), here, lanes_load(d + i + 1));
        lanes_sums_add(&sum, i, (here - left) * (here + share * lanes_load(next + i)));
    }
    return lanes_sums_total(&sum);
}

// d* of the set at i, which becomes the set after it. Into `taken`, if it is not NULL: what losses
// take from d, times d + next.
LANES_FN lanes pass(const lanes_pull* f, const double* u, const double* d, const double* next_d,
                    int32_t i, bool lossy, string_set* set, lanes_sums* taken) {
    lanes after = lanes_load(u + i + LANES), e = after - lanes_load(u + i + LANES + 1);
    string_trail next = trail_on(set->trail, set->e, e);
    lanes last = lanes_load(d + i), before = one_before(set->d_before, last, d, i);
    lanes pulled =
        f->near * (set->trail.one - set->e) - f->far * (set->trail.two - one_on(set->e, e, next));
    *set = (string_set){after, e, next, last};
    if (!lossy) return last + pulled;
    lanes left = kept(f->keep, f->late, before, last, lanes_load(d + i + 1));
    if (taken) lanes_sums_add(taken, i, (last - left) * lanes_plus(last, lanes_load(next_d + i)));
    return lanes_plus(left, pulled);
}

LANES_FN lanes_mask move(const lanes_pull* f, double* u, const double* d, double* next, int32_t i,
                         bool lossy, const double* floor, string_set* set, lanes_sums* taken) {
    lanes here = set->u, more = pass(f, u, d, next, i, lossy, set, taken), there = here + more;
    lanes_store(next + i, more);
    lanes_store(u + i, there);
    return lanes_less(there, floor ? lanes_load(floor + i) : there);
}

LANES_FN bool fly_over(const string_pull* pull, int32_t count, double* u, const double* d,
                       double* next, bool lossy, const double* floor, double* taken) {
    lanes_mask below = lanes_less(lanes_all(0), lanes_all(0));
    lanes_sums sum = lanes_sums_none();
    const lanes_pull numbers = {lanes_all(pull->near), lanes_all(pull->far), lanes_all(pull->late),
                                lanes_all(pull->keep)};
    const lanes_pull* f = &numbers;
    lanes first = lanes_load(u), e = first - lanes_load(u + 1);
    string_set set = {first, e, trail_from(pull->mirror * u[0], -u[0], e), lanes_all(0)};
    int32_t i = 0;
    for (; i + LANES < count; i += 2 * LANES) { // by two, so that no register is copied
        below |= move(f, u, d, next, i, lossy, floor, &set, taken ? &sum : NULL);
        below |= move(f, u, d, next, i + LANES, lossy, floor, &set, taken ? &sum : NULL);
    }
    if (i < count) below |= move(f, u, d, next, i, lossy, floor, &set, taken ? &sum : NULL);
    for (i = count; i < count + STRING_CLEARED; i += LANES) { // lanes may lie behind the string
        lanes_store(next + i, lanes_all(0));
        lanes_store(u + i, lanes_all(0));
    }
    if (taken) *taken = lanes_sums_total(&sum);
    return floor && lanes_any(below);
}

// Losses that are 0 are left out: they would change no bit.
LANES_FN bool fly_lossy(const string_pull* f, int32_t count, double* u, const double* d,
                        double* next, const double* floor, double* taken) {
    if (taken) return fly_over(f, count, u, d, next, true, floor, taken);
    if (f->late == 0 && f->keep == 1) return fly_over(f, count, u, d, next, false, floor, NULL);
    return fly_over(f, count, u, d, next, true, floor, NULL);
}

static bool fly(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                const double* floor, double* taken) {
    u[count + 1] = f->mirror * u[count - 1];
    return floor ? fly_lossy(f, count, u, d, next, floor, taken)
                 : fly_lossy(f, count, u, d, next, NULL, taken);
}

const string_kernel LANES_NAME(sis_string_kernel) = {fly, travels_of, shape_of, taken_from};
