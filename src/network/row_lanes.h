// The kernel of rows over lanes. Included by row_1.c, row_2.c and row_4.c.
#include "network/row.h"
#include "scheme/line_lanes.h"
#include "scheme/newton_lanes.h"
#include "scheme/quadratised_lanes.h"

#include <stddef.h>

// eta > 0 at LANES points from i on: eta = offset + below - above has the sign of what it compares.
// A side at rest is NULL.
LANES_FN lanes_mask inside_from(const double* offset, const double* below, const double* above,
                                int32_t i) {
    lanes at = lanes_load(offset + i);
    if (!below) return lanes_less(lanes_load(above + i), at);
    if (!above) return lanes_less(-at, lanes_load(below + i));
    return lanes_less(lanes_all(0), at + (lanes_load(below + i) - lanes_load(above + i)));
}

static double difference(const network_row* row, const double* values, int32_t j) {
    return (row->below >= 0 ? values[row->below + j] : 0) -
           (row->above >= 0 ? values[row->above + j] : 0);
}

// A point that slept remembers nothing: where it is and was follows from the bodies.
static void rouse(const network_row* row, const body_motion* motion, int32_t j, contact_memory* m) {
    m->eta = network_row_eta(row, motion->u, j) - difference(row, motion->next, j);
    m->before = m->eta - difference(row, motion->d, j);
}

static int32_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int32_t place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

// Nearly all points sleep on in nearly all samples, and which do not is hard to foresee: a bit for
// each of them without a branch, then only those that are set.
LANES_FN int32_t wake_sides(const network_row* row, const body_motion* motion, const double* below,
                            const double* above, const uint64_t* awake, contact_memory* memory,
                            int32_t* list) {
    int32_t found = 0;
    for (int32_t from = 0; from < row->count; from += ROW_WORD, awake++) {
        int32_t points = row->count - from < ROW_WORD ? row->count - from : ROW_WORD;
        uint64_t inside = 0;
        for (int32_t i = 0; i < points; i += LANES)
            inside |= (uint64_t)lanes_which(inside_from(row->offset, below, above, from + i)) << i;
        for (uint64_t fresh = inside & ~*awake; fresh; fresh &= fresh - 1) {
            int32_t j = from + lowest_bit(fresh);
            rouse(row, motion, j, &memory[j]);
        }
        for (uint64_t chosen = inside | *awake; chosen; chosen &= chosen - 1)
            list[found++] = from + lowest_bit(chosen);
    }
    return found;
}

// A side at rest is not looked at. By themselves, so that no loop asks which it is.
LANES_ONCE int32_t wake_above(const network_row* row, const body_motion* motion,
                              const uint64_t* awake, contact_memory* memory, int32_t* list) {
    return wake_sides(row, motion, NULL, motion->u + row->above, awake, memory, list);
}

LANES_ONCE int32_t wake_below(const network_row* row, const body_motion* motion,
                              const uint64_t* awake, contact_memory* memory, int32_t* list) {
    return wake_sides(row, motion, motion->u + row->below, NULL, awake, memory, list);
}

LANES_ONCE int32_t wake_both(const network_row* row, const body_motion* motion,
                             const uint64_t* awake, contact_memory* memory, int32_t* list) {
    return wake_sides(row, motion, motion->u + row->below, motion->u + row->above, awake, memory,
                      list);
}

static int32_t wake(const network_row* row, const body_motion* motion, const uint64_t* awake,
                    contact_memory* memory, int32_t* list) {
    return (row->below < 0   ? wake_above
            : row->above < 0 ? wake_below
                             : wake_both)(row, motion, awake, memory, list);
}

// Points that are solved side by side. The last set of a list may be short: it then repeats its
// last point, whose result is the same in each of its lanes.
typedef struct row_set {
    int32_t at[LANES];
    int32_t count;
    bool together; // the points are neighbours
} row_set;

static row_set take_set(const int32_t* list, int32_t left) {
    row_set set = {.count = left < LANES ? left : LANES};
    for (int32_t i = 0; i < LANES; i++)
        set.at[i] = list[i < set.count ? i : set.count - 1];
    set.together = set.count == LANES && set.at[LANES - 1] - set.at[0] == LANES - 1;
    return set;
}

// The leading numbers of a memory, in its order.
typedef enum row_field {
    ETA,
    BEFORE,
    ENERGY,
    PSI,
    FORCE,
    PHI_BEFORE,
    MARK_DEPTH,
    MARK_PHI,
    ROW_FIELDS
} row_field;

_Static_assert(offsetof(contact_memory, mark_phi) == MARK_PHI * sizeof(double), "eight doubles");

LANES_FN void gather(const contact_memory* memory, const row_set* set, lanes* fields) {
    for (int block = 0; block < ROW_FIELDS; block += LANES) {
        for (int32_t i = 0; i < LANES; i++)
            fields[block + i] = lanes_load((const double*)&memory[set->at[i]] + block);
        lanes_transpose(fields + block);
    }
}

// Lanes that repeat the last point write the same once more.
LANES_FN void scatter(const row_set* set, const lanes* fields, contact_memory* memory) {
    for (int block = 0; block < ROW_FIELDS; block += LANES) {
        lanes points[LANES];
        for (int32_t i = 0; i < LANES; i++)
            points[i] = fields[block + i];
        lanes_transpose(points);
        for (int32_t i = 0; i < LANES; i++)
            lanes_store((double*)&memory[set->at[i]] + block, points[i]);
    }
}

LANES_FN lanes travel_of(const network_row* row, const body_motion* motion, const row_set* set) {
    if (set->together) {
        int32_t below = row->below + set->at[0], above = row->above + set->at[0];
        if (row->below < 0)
            return (0 - lanes_load(motion->next + above)) + (0 - lanes_load(motion->d + above));
        lanes travel = lanes_load(motion->next + below);
        lanes last = lanes_load(motion->d + below);
        if (row->above < 0) return travel + last;
        return (travel - lanes_load(motion->next + above)) + (last - lanes_load(motion->d + above));
    }
    double values[LANES];
    for (int32_t i = 0; i < LANES; i++)
        values[i] =
            difference(row, motion->next, set->at[i]) + difference(row, motion->d, set->at[i]);
    return lanes_load(values);
}

// One set on its way through the parts of `solve`.
typedef struct row_pass {
    row_set set;
    lanes now, before, free;
    lanes psi, steps;
    lanes push, after; // what came out: f^n and eta^{n+1}
    lanes_contact c;
    lanes_ledger ledger;
} row_pass;

// Its points as they are. Number by number: an initialiser would clear all of it first.
LANES_FN void begin_pass(const network_row* row, const lanes_law* law, const body_motion* motion,
                         const contact_memory* memory, row_pass* p) {
    lanes fields[ROW_FIELDS], zero = lanes_all(0);
    lanes_contact* c = &p->c;
    gather(memory, &p->set, fields);
    p->now = c->now = fields[ETA];
    p->before = c->before = fields[BEFORE];
    p->free = c->free = travel_of(row, motion, &p->set);
    p->psi = fields[PSI];
    p->steps = zero;
    c->G = lanes_all(row->G);
    c->phi_now = zero;
    c->phi_before = fields[PHI_BEFORE];
    c->force_before = fields[FORCE];
    c->E = fields[ENERGY];
    c->mark_depth = fields[MARK_DEPTH];
    c->mark_phi = fields[MARK_PHI];
    c->powers = zero;
    lanes_mask all = lanes_equal(c->G, c->G);
    if (!row->midpoint) {
        c->phi_now = lanes_contact_phi(law, c, c->now, all);
    } else {
        // The same scheme in half variables, in which eta^n plays no part.
        c->before = 0.5 * (c->now + c->before);
        c->phi_before = lanes_contact_phi(law, c, c->before, all);
        c->now = lanes_all(-HUGE_VAL);
        c->free = 0.5 * c->free;
        c->G = 0.5 * c->G;
        c->E = 0.5 * c->E;
    }
}

// Its forces; E, psi and the marks are updated.
LANES_FN lanes end_pass(const network_row* row, const lanes_law* law, row_pass* p) {
    lanes_contact* c = &p->c;
    lanes_mask all = lanes_equal(c->G, c->G);
    lanes force;
    switch (row->scheme) {
    case SIS_SCHEME_NEWTON:
        force = lanes_newton_force(law, c, all, &p->steps);
        break;
    case SIS_SCHEME_QUADRATISED:
        force = lanes_quadratised_force(law, c, row->release, &p->psi);
        break;
    case SIS_SCHEME_EXACT:
        force = lanes_line_force(law, c);
        break;
    default:
        force = lanes_ledger_end(c, &p->ledger);
        break;
    }
    if (row->midpoint) c->E = c->E / 0.5;
    return force;
}

// u and next of one side move by `more` at the points of the set.
LANES_FN void move_side(double* u, double* next, const row_set* set, lanes more) {
    if (set->together) {
        lanes_store(next + set->at[0], lanes_load(next + set->at[0]) + more);
        lanes_store(u + set->at[0], lanes_load(u + set->at[0]) + more);
        return;
    }
    double values[LANES];
    lanes_store(values, more);
    for (int32_t i = 0; i < set->count; i++) {
        next[set->at[i]] += values[i];
        u[set->at[i]] += values[i];
    }
}

LANES_FN void show(const row_set* set, lanes push, double* force) {
    double values[LANES];
    if (set->together) {
        lanes_store(force + set->at[0], push);
        return;
    }
    lanes_store(values, push);
    for (int32_t i = 0; i < set->count; i++)
        force[set->at[i]] = values[i];
}

// Largest and least over the sets so far; lanes that repeat a point change nothing.
typedef struct row_extremes {
    lanes most, least, deepest, lowest, powers, iterations;
} row_extremes;

static const uint8_t bit_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

// Sets the bits of those points of a set that stay awake.
static void stay_awake(const row_set* set, unsigned stays, uint64_t* awake) {
    if (set->together) {
        int32_t shift = set->at[0] % ROW_WORD;
        uint64_t* word = awake + set->at[0] / ROW_WORD;
        word[0] |= (uint64_t)stays << shift;
        if (shift + LANES > ROW_WORD) word[1] |= (uint64_t)stays >> (ROW_WORD - shift);
        return;
    }
    for (int32_t i = 0; i < set->count; i++)
        awake[set->at[i] / ROW_WORD] |= (uint64_t)(stays >> i & 1) << set->at[i] % ROW_WORD;
}

// Who stays awake, and what open points hold that give no force. As published, quadratised gives
// none while it is open, whatever it holds (`holds`): it may sleep on it.
LANES_FN void count_set(const row_pass* p, bool holds, uint64_t* awake, row_tally* tally) {
    const row_set* set = &p->set;
    lanes zero = lanes_all(0), eta = p->after, E = p->c.E;
    lanes_mask inside = lanes_less(zero, p->now), coming = lanes_less(zero, eta);
    lanes_mask full = ~lanes_equal(E, zero), pushing = ~lanes_equal(p->push, zero);
    lanes_mask busy = inside | coming | pushing;
    unsigned filled = (1u << set->count) - 1;
    unsigned in = lanes_which(inside) & filled, held = lanes_which(full & ~busy) & filled;
    stay_awake(set, (lanes_which(busy) & filled) | (holds ? 0 : held), awake);
    tally->inside += bit_counts[in];
    if (!held) return;
    double energies[LANES];
    lanes_store(energies, E);
    for (int32_t i = 0; i < set->count; i++)
        if (held >> i & 1) tally->held += energies[i];
}

// All that sleeping points hold: it grows only when another one falls asleep.
static double held_asleep(const network_row* row, const contact_memory* memory,
                          const uint64_t* awake) {
    double held = 0;
    for (int32_t j = 0; j < row->count; j++)
        if (!network_row_awake(awake, j)) held += memory[j].E;
    return held;
}

static double largest_of(lanes x) {
    double values[LANES], most = 0;
    lanes_store(values, x);
    for (int32_t i = 0; i < LANES; i++)
        if (values[i] > most) most = values[i];
    return most;
}

// A force that is not a number, or beyond every instrument, is none: nothing of it reaches the
// bodies.
LANES_FN void refuse_absurd(lanes* push, lanes* E, lanes* psi) {
    lanes_mask good = lanes_less(lanes_abs(*push), lanes_all(1e150));
    if (!lanes_any(~good)) return;
    *push = lanes_pick(good, *push, lanes_all(0));
    *E = lanes_pick(good, *E, lanes_all(0));
    *psi = lanes_pick(good, *psi, lanes_all(0));
}

// Writes a set back, moves the bodies, tells who stays awake.
LANES_FN void write_pass(const network_row* row, const body_motion* motion, row_pass* p,
                         contact_memory* memory, double* force) {
    lanes fields[ROW_FIELDS];
    refuse_absurd(&p->push, &p->c.E, &p->psi);
    lanes push = p->push;
    fields[ETA] = p->after = p->before + (p->free - row->G * push);
    fields[BEFORE] = p->now;
    fields[ENERGY] = p->c.E;
    fields[PSI] = p->psi;
    fields[FORCE] = push;
    fields[PHI_BEFORE] = row->midpoint ? lanes_all(0) : p->c.phi_now;
    fields[MARK_DEPTH] = p->c.mark_depth;
    fields[MARK_PHI] = p->c.mark_phi;
    scatter(&p->set, fields, memory);
    show(&p->set, push, force);
    if (row->below >= 0)
        move_side(motion->u + row->below, motion->next + row->below, &p->set,
                  -(row->give_below * push));
    if (row->above >= 0)
        move_side(motion->u + row->above, motion->next + row->above, &p->set,
                  row->give_above * push);
}

enum { PASSES = 8 }; // sets that go through each part together

static row_tally solve(const network_row* row, const body_motion* motion, contact_memory* memory,
                       double* force, uint64_t* awake, const int32_t* list, int32_t count) {
    lanes_law law;
    lanes_law_set(&row->law, &law);
    const bool holds = row->scheme == SIS_SCHEME_QUADRATISED && !row->release;
    row_tally tally = {0};
    lanes zero = lanes_all(0);
    row_extremes x = {zero, zero, zero, zero, zero, zero};
    for (int32_t i = 0; i < network_row_words(row->count); i++)
        awake[i] = 0; // all who are awake are in the list
    row_pass passes[PASSES];
    for (int32_t n = 0; n < count;) {
        int32_t filled = 0;
        for (; filled < PASSES && n < count; n += LANES, filled++) {
            passes[filled].set = take_set(list + n, count - n);
            begin_pass(row, &law, motion, memory, &passes[filled]);
        }
        if (row->scheme == SIS_SCHEME_LEDGER) {
            for (row_pass* p = passes; p < passes + filled; p++)
                lanes_ledger_begin(&law, &p->c, lanes_equal(p->c.G, p->c.G), &p->ledger);
            for (row_pass* p = passes; p < passes + filled; p++)
                lanes_search_look(&law, &p->c, &p->ledger.search);
            for (row_pass* p = passes; p < passes + filled; p++)
                lanes_search_see(&law, &p->c, &p->ledger.search);
            for (row_pass* p = passes; p < passes + filled; p++)
                lanes_search_step(&law, &p->c, &p->ledger.search);
            for (row_pass* p = passes; p < passes + filled; p++)
                lanes_ledger_find(&law, &p->c, &p->ledger);
        }
        for (row_pass* p = passes; p < passes + filled; p++) {
            p->push = end_pass(row, &law, p);
            write_pass(row, motion, p, memory, force);
            count_set(p, holds, awake, &tally);
            x = (row_extremes){lanes_max(x.most, p->push),       lanes_min(x.least, p->push),
                               lanes_max(x.deepest, p->now),     lanes_min(x.lowest, p->c.E),
                               lanes_max(x.powers, p->c.powers), lanes_max(x.iterations, p->steps)};
        }
    }
    if (holds && tally.held > 0) tally.held = held_asleep(row, memory, awake);
    tally.most = largest_of(x.most);
    tally.least = -largest_of(-x.least);
    tally.deepest = largest_of(x.deepest);
    tally.lowest = -largest_of(-x.lowest);
    tally.powers = (uint32_t)largest_of(x.powers);
    tally.iterations = (uint32_t)largest_of(x.iterations);
    return tally;
}
