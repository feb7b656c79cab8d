// One pass over an explicit string (see string.c): next = d*, u on by it, LANES places at a time.
// Included by string_1.c, string_2.c, string_4.c and string_8.c.
//
// The string lies folded (body.h): the points beside those of a set are sets themselves, a rung on
// or back, and nothing is shifted. All is made of first differences along the rungs, e_i = u_i -
// u_{i+1}, which are exact: u is far larger than what bends it. Each is computed once and slides
// through the registers, ahead of the points that move, so that u may be overwritten behind. Every
// other quarter runs the other way, where e has the other sign; what is made of it has the same
// bits.
//
//   d*_i = kept d + near (e_{i-1} - e_i) - far (e_{i-2} - e_{i+1})
#include "body/fold_lanes.h"
#include "body/string_books_lanes.h"

// A set is LANES places of one rung, or with eight lanes two rungs; narrow ones go along a part of
// the rungs, then along the next. STEP: from a set to the next.
enum { PARTS = LANES < STRING_SIDES ? STRING_SIDES / LANES : 1 };
enum { STEP = LANES < STRING_SIDES ? STRING_SIDES : LANES };

// What begins a rung after `here`, where `ahead` is the set after it.
LANES_FN lanes rung_on(lanes here, lanes ahead) {
#if LANES == 8
    return (lanes)_mm512_shuffle_f64x2((__m512d)here, (__m512d)ahead, 0x4e);
#else
    (void)here;
    return ahead;
#endif
}

// Along a string: e two rungs back, one back and here, and u of the next set.
typedef struct string_trail {
    lanes two, one, here, ahead;
} string_trail;

// From the set before the first one, and for narrow sets the one before that.
LANES_FN string_trail trail_from(lanes two, lanes one, lanes first, lanes second) {
#if LANES == 8
    (void)two;
    lanes before = one - rung_on(one, first), here = first - rung_on(first, second);
    return (string_trail){before, rung_on(before, here), here, second};
#else
    return (string_trail){two - one, one - first, first - second, second};
#endif
}

// What bends the set; u of the set after the next one is `after`. The trail goes on.
LANES_FN lanes bend(string_trail* t, lanes near, lanes far, lanes after) {
    lanes ahead = t->ahead - rung_on(t->ahead, after), on = rung_on(t->here, ahead);
    lanes pulled = near * (t->one - t->here) - far * (t->two - on);
#if LANES == 8
    *t = (string_trail){t->here, on, ahead, after};
#else
    *t = (string_trail){t->one, t->here, ahead, after};
#endif
    return pulled;
}

// What lies beyond the first and the last set. Of narrow sets, the two rungs there; of eight lanes,
// one set.
typedef struct string_folds {
    lanes two_before, before, behind, two_behind; // of u
    lanes d_before, d_behind;                     // a rung before the first set, behind the last
} string_folds;

#if LANES < 4
LANES_FN void find_folds(const string_bank* s, int32_t places, const double* u, const double* d,
                         bool lossy, double mirror, string_folds* folds) {
    const double two[STRING_SIDES] = {s->step.mirror * u[0], 0, 0, s->mirror_at == -5 ? mirror : 0};
    const double one[STRING_SIDES] = {0, 0, 0, s->mirror_at == -1 ? mirror : 0};
    (void)lossy;
    for (int32_t part = 0; part < STRING_SIDES; part += LANES)
        folds[part / LANES] = (string_folds){fold_before(u + 4, lanes_load(two + part), part),
                                             fold_before(u, lanes_load(one + part), part),
                                             fold_behind(u + places - 4, part),
                                             fold_behind(u + places - 8, part),
                                             fold_before(d, lanes_all(0), part),
                                             fold_behind(d + places - 4, part)};
}
#elif LANES == 4
LANES_FN void find_folds(const string_bank* s, int32_t places, const double* u, const double* d,
                         bool lossy, double mirror, string_folds* folds) {
    lanes ends = s->step.mirror * lanes_load(u);
    ends[3] = s->mirror_at == -5 ? mirror : 0;
    folds->two_before = fold_before(u + 4, ends, 0);
    folds->before = fold_before(u, (lanes){0, 0, 0, s->mirror_at == -1 ? mirror : 0}, 0);
    folds->behind = fold_behind(u + places - 4, 0);
    folds->two_behind = fold_behind(u + places - 8, 0);
    folds->d_before = lossy ? fold_before(d, lanes_all(0), 0) : lanes_all(0);
    folds->d_behind = lossy ? fold_behind(d + places - 4, 0) : lanes_all(0);
}
#else
// The same for two rungs at once, which change places.
LANES_FN lanes before_set(lanes set, lanes ends) {
    const __m512i from = _mm512_setr_epi64(0, 6, 5, 0, 0, 2, 1, 0);
    return lanes_pick(0x99, ends, (lanes)_mm512_permutexvar_pd(from, (__m512d)set));
}

LANES_FN lanes behind_set(lanes set) {
    const __m512i from = _mm512_setr_epi64(5, 4, 7, 6, 1, 0, 3, 2);
    return (lanes)_mm512_permutexvar_pd(from, (__m512d)set);
}

LANES_FN void find_folds(const string_bank* s, int32_t places, const double* u, const double* d,
                         bool lossy, double mirror, string_folds* folds) {
    lanes first = lanes_load(u), none = lanes_all(0);
    lanes ends = {s->step.mirror * u[0],          0, 0, s->mirror_at == -5 ? mirror : 0, 0, 0, 0,
                  s->mirror_at == -1 ? mirror : 0};
    folds->two_before = none;
    folds->before = before_set(first, ends);
    folds->behind = folds->two_behind = behind_set(lanes_load(u + places - 8));
    lanes d_first = lossy ? lanes_load(d) : none,
          d_last = lossy ? lanes_load(d + places - 8) : none;
    folds->d_before = rung_on(before_set(d_first, none), d_first);
    folds->d_behind = rung_on(d_last, behind_set(d_last));
}
#endif

// The numbers of string_pull, where no store can change them.
typedef struct lanes_pull {
    lanes near, far, late, keep;
} lanes_pull;

// Where a pass is: along one part of the rungs.
typedef struct string_pass {
    lanes_pull f;
    double *u, *next;
    const double* d;
    bool lossy;
    string_trail trail;
    lanes_sums* taken; // NULL: not asked for
} string_pass;

// The set at a place, the i-th of its group; `after` is u of the set after the next, d is `left` a
// rung before and `right` a rung behind it. Those of its places that are none of the string stay at
// rest, as `inside` says, if it is not NULL. Returns where the set is now.
LANES_FN lanes move(string_pass* p, int32_t at, int32_t i, lanes after, lanes left, lanes right,
                    const double* inside) {
    lanes last = lanes_load(p->d + at), here = lanes_load(p->u + at);
    lanes pulled = bend(&p->trail, p->f.near, p->f.far, after), more;
    if (p->lossy) {
        lanes rest = lanes_kept(p->f.keep, p->f.late, left, last, right);
        if (p->taken)
            lanes_sums_add(p->taken, i, (last - rest) * (last + lanes_load(p->next + at)));
        more = lanes_plus(rest, pulled);
    } else {
        more = lanes_plus(last, pulled);
    }
    if (inside) more = lanes_from_bits(lanes_to_bits(more) & lanes_to_bits(lanes_load(inside)));
    lanes there = here + more;
    lanes_store(p->next + at, more);
    lanes_store(p->u + at, there);
    return there;
}

// A set between others.
LANES_FN lanes move_on(string_pass* p, int32_t at, int32_t i, const double* inside) {
    at += i;
    lanes left = lanes_load(p->d + at - STRING_SIDES), right = lanes_load(p->d + at + STRING_SIDES);
    return move(p, at, i, lanes_load(p->u + at + 2 * STEP), left, right, inside);
}

// The set at a place, with the mirror of the last point where that is one of its lanes.
LANES_FN lanes with_mirror(const string_bank* s, int32_t at, lanes set, double mirror) {
    int32_t lane = s->mirror_at - at;
    if (lane < 0 || lane >= LANES) return set;
    return lanes_pick(lanes_from_which(1u << lane), lanes_all(mirror), set);
}

// A set of the first rungs, whose fourth side may begin with places that are none of the string.
LANES_FN lanes move_first(string_pass* p, const string_bank* s, int32_t at, int32_t i, lanes left,
                          double mirror) {
    at += i;
    lanes after = lanes_load(p->u + at + 2 * STEP);
    if (s->mirror_at >= 2 * STEP) after = with_mirror(s, at + 2 * STEP, after, mirror);
    return move(p, at, i, after, left, lanes_load(p->d + at + STRING_SIDES), s->inside + at);
}

// Notes which sides of four rungs are below their floor, where the lowest of them are `low`; on to
// the next four. Into `fallen`: any.
LANES_FN void look_down(string_floor* floor, int32_t part, lanes low, unsigned* fallen) {
    if (!floor->height) return;
    const double* height = floor->height + part;
#if LANES == 8
    lanes_mask under = lanes_less(low, (lanes)_mm512_broadcast_f64x4(_mm256_loadu_pd(height)));
    unsigned sides = (lanes_which(under) | lanes_which(under) >> STRING_SIDES) & 15;
#else
    unsigned sides = lanes_which(lanes_less(low, lanes_load(height))) << part;
#endif
    *floor->fell = (uint8_t)(part ? *floor->fell | sides : sides);
    *fallen |= sides;
    floor->height += STRING_SIDES;
    floor->fell++;
}

// The first rungs, with places that are none of the string; returns where the others begin.
LANES_FN int32_t fly_first(string_pass* p, const string_bank* s, int32_t part, int32_t last,
                           lanes left, double mirror, string_floor* floor, unsigned* fallen) {
    int32_t at = 0;
    for (; at < STRING_SIDES * s->pads && at + STRING_GROUP <= last; at += STRING_GROUP) {
        lanes low = move_first(p, s, at, part, left, mirror);
        for (int32_t i = part + STEP; i < part + STRING_GROUP; i += STEP)
            low = lanes_min(
                low, move_first(p, s, at, i, lanes_load(p->d + at + i - STRING_SIDES), mirror));
        look_down(floor, part, low, fallen);
        left = lanes_load(p->d + at + STRING_GROUP + part - STRING_SIDES);
    }
    if (at > 0) return at;
    lanes low = move(p, part, part, lanes_load(p->u + part + 2 * STEP), left,
                     lanes_load(p->d + part + STRING_SIDES), NULL);
    for (int32_t i = part + STEP; i < part + STRING_GROUP; i += STEP)
        low = lanes_min(low, move_on(p, 0, i, NULL));
    look_down(floor, part, low, fallen);
    return STRING_GROUP;
}

// The rungs before the folds behind, fewer than two groups. Short strings may have places among
// them that are no points.
LANES_FN void fly_last(string_pass* p, const string_bank* s, int32_t part, int32_t at, int32_t last,
                       const string_folds* folds, string_floor* floor, unsigned* fallen) {
    enum { PLAIN = STRING_SIDES * STRING_PADDED };
    const double* inside = s->inside + (at < PLAIN ? at : PLAIN) + part;
    const int32_t group = at;
    lanes low = lanes_all(HUGE_VAL);
    for (; at < last; at += 2 * STRING_SIDES)
        for (int32_t i = part; i < 2 * STRING_SIDES; i += STEP, inside += STEP)
            low = lanes_min(low, move_on(p, at, i, inside));
    at += part;
    low = lanes_min(low, move(p, at, part, folds->behind, lanes_load(p->d + at - STRING_SIDES),
                              lanes_load(p->d + at + STRING_SIDES), inside));
    at += STEP;
    low =
        lanes_min(low, move(p, at, part + STEP, folds->two_behind,
                            lanes_load(p->d + at - STRING_SIDES), folds->d_behind, inside + STEP));
    look_down(floor, part, low, fallen);
    if (LANES == 8 && at >= group + STRING_GROUP)
        look_down(floor, part, low, fallen); // a third set
}

// One part of the rungs, places `part`, part + STEP, ...
LANES_FN void fly_part(string_pass* p, const string_bank* s, int32_t part, int32_t places,
                       const string_folds* folds, double mirror, string_floor floor,
                       unsigned* fallen) {
    const int32_t last = places - 2 * STEP; // the two sets before the folds are apart
    lanes first = with_mirror(s, part, lanes_load(p->u + part), mirror);
    lanes second = with_mirror(s, part + STEP, lanes_load(p->u + part + STEP), mirror);
    p->trail = trail_from(folds->two_before, folds->before, first, second);
    int32_t at = fly_first(p, s, part, last, folds->d_before, mirror, &floor, fallen);
    for (; at + STRING_GROUP <= last; at += STRING_GROUP) {
        lanes low = move_on(p, at, part, NULL);
        for (int32_t i = part + STEP; i < part + STRING_GROUP; i += STEP)
            low = lanes_min(low, move_on(p, at, i, NULL));
        look_down(&floor, part, low, fallen);
    }
    fly_last(p, s, part, at, last, folds, &floor, fallen);
}

// A whole pass. With books: also what losses take from d times d + next, with next as it was
// before, over the points. Losses that are 0 are left out: they would change no bit.
LANES_FN void fly(const body_bank* bank, const body_motion* motion, bool lossy, bool watches,
                  bool books) {
    const string_bank* s = bank->data;
    const string_pull* f = &s->step;
    unsigned fallen = 0;
    lanes_sums sum;
    if (books) sum = lanes_sums_from(string_taken(bank, motion));
    string_pass p = {
        .f = {lanes_all(f->near), lanes_all(f->far), lanes_all(f->late), lanes_all(f->keep)},
        .u = motion->u + bank->first,
        .next = motion->next + bank->first,
        .d = motion->d + bank->first,
        .lossy = lossy,
        .taken = books ? &sum : NULL};
    const string_floor floor = string_floor_of(bank, motion, watches);
    const double mirror = f->mirror * p.u[s->last];
    string_folds folds[PARTS];
    find_folds(s, bank->count, p.u, p.d, lossy, mirror, folds);
    for (int32_t part = 0; part < PARTS; part++)
        fly_part(&p, s, part * LANES, bank->count, &folds[part], mirror, floor, &fallen);
    if (watches) motion->fallen[bank->number] = fallen != 0;
    if (books) lanes_sums_keep(&sum, string_taken(bank, motion));
    if (!motion->unforced) sis_string_force(bank, motion);
}

// A pass for each string that needs no more: the numbers of others would take registers.
#define FLIGHT(name, lossy, watches)                                                               \
    static void advance_##name(const body_bank* bank, const body_motion* motion, double time) {    \
        (void)time;                                                                                \
        fly(bank, motion, (lossy), (watches), false);                                              \
    }                                                                                              \
    static double late_##name(const body_bank* bank, const body_motion* motion, double time) {     \
        (void)time;                                                                                \
        fly(bank, motion, (lossy), (watches), (lossy));                                            \
        return (lossy) && motion->due ? sis_string_book(bank, motion) : 0;                         \
    }
#if LANES == 1
// One at a time is for comparison: a pass for all is enough.
FLIGHT(any, true, bank->watches)
#else
FLIGHT(free, false, false)
FLIGHT(watching, false, true)
FLIGHT(lossy, true, false)
FLIGHT(lossy_watching, true, true)
#endif

const string_kernel LANES_NAME(sis_string_kernel) = {
#if LANES == 1
    {{{advance_any, late_any}, {advance_any, late_any}},
     {{advance_any, late_any}, {advance_any, late_any}}},
#else
    {{{advance_free, late_free}, {advance_watching, late_watching}},
     {{advance_lossy, late_lossy}, {advance_lossy_watching, late_lossy_watching}}},
#endif
    shape_of,
    taken_from,
    bends_of};
