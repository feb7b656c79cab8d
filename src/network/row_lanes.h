// The kernel of rows over lanes. Included by src/wide.
//
// A set is LANES neighbouring points from one that is near on: what they remember lies side by side
// in the cells of the row, so that nothing has to be gathered. Those of its points that sleep are
// computed along and not used.
#include "network/row.h"
#include "scheme/line_lanes.h"
#include "scheme/newton_lanes.h"
#include "scheme/quadratised_lanes.h"

LANES_FN int32_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int32_t place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

// What a side contributes to the difference below - above. The points of a side are neighbours.
LANES_FN lanes apart(const network_row* row, const double* values, uint32_t at) {
    if (!row->below) return 0 - lanes_load(values + row->above[at]);
    if (!row->above) return lanes_load(values + row->below[at]);
    return lanes_load(values + row->below[at]) - lanes_load(values + row->above[at]);
}

// Of the points of a string that sees itself fall, those that may be near: in the chunks that are
// below.
LANES_FN void wake_fallen(const network_row* row, const body_motion* motion, uint64_t* near) {
    const row_watch* w = &row->watched;
    const int32_t last = (w->start + row->count - 1) / STRING_CHUNK;
    for (int32_t chunk = w->start / STRING_CHUNK; chunk <= last; chunk++) {
        if (!motion->fell[w->fell + chunk]) continue;
        const int32_t first = chunk * STRING_CHUNK - w->start, end = first + STRING_CHUNK;
        for (int32_t j = first < 0 ? 0 : first; j < end && j < row->count; j += LANES) {
            const lanes u = lanes_load(motion->u + row->above[j]);
            const uint64_t bits = lanes_which(lanes_less(u, lanes_load(row->offset + j)));
            const int32_t word = j / ROW_WORD, shift = j % ROW_WORD;
            near[word] |= bits << shift;
            if (shift > ROW_WORD - LANES) near[word + 1] |= bits >> (ROW_WORD - shift);
        }
    }
}

LANES_FN void wake_round(const network_row* row, const double* u, uint64_t* near) {
    for (int32_t i = 0; i < row->count; i += LANES) {
        lanes eta = lanes_load(row->offset + i) + apart(row, u, (uint32_t)i);
        unsigned bits = lanes_which(lanes_less(lanes_all(0), eta));
        near[i / ROW_WORD] |= (uint64_t)bits << i % ROW_WORD;
    }
}

static bool wake(const network_row* row, const body_motion* motion, const uint64_t* awake,
                 uint64_t* near, row_look look) {
    uint64_t any = 0;
    const int32_t words = network_row_words(row->count);
    for (int32_t word = 0; word < words; word++)
        near[word] = awake[word];
    if (look == ROW_LOOKS_DOWN) wake_fallen(row, motion, near);
    if (look == ROW_LOOKS_ROUND) wake_round(row, motion->u, near);
    for (int32_t word = 0; word < words; word++)
        any |= near[word];
    return any != 0;
}

enum { ALL = (1u << LANES) - 1 }; // bits of a whole set

// One set on its way through the parts of `solve`.
typedef struct row_pass {
    uint32_t at; // its first point; those whose bits are in the next word are not its own
    lanes now, before, free;
    lanes_mask used; // which of its points are solved: as a mask,
    unsigned bits;   // .. and a bit each
    lanes psi, steps;
    lanes push, after; // what came out: f^n and eta^{n+1}
    lanes_contact c;
    lanes_ledger ledger;
} row_pass;

// Its points as they are; those that slept remember nothing, where they are and were follows from
// the bodies. Number by number: an initialiser would clear all of it first.
LANES_FN void begin_pass(const network_row* row, const lanes_law* law, const body_motion* motion,
                         const double* cells, unsigned slept, row_pass* p) {
    const double* cell = cells + p->at;
    const size_t plane = row->plane;
    lanes zero = lanes_all(0), last = apart(row, motion->d, p->at);
    lanes flown = apart(row, motion->next, p->at);
    lanes_contact* c = &p->c;
    p->now = lanes_load(cell + ROW_ETA * plane);
    p->before = lanes_load(cell + ROW_BEFORE * plane);
    if (slept) {
        lanes_mask fresh = lanes_from_which(slept);
        lanes eta = (lanes_load(row->offset + p->at) + apart(row, motion->u, p->at)) - flown;
        p->now = lanes_pick(fresh, eta, p->now);
        p->before = lanes_pick(fresh, eta - last, p->before);
    }
    c->now = p->now;
    c->before = p->before;
    p->free = c->free = flown + last;
    if (row->scheme == SIS_SCHEME_QUADRATISED) p->psi = lanes_load(cell + ROW_PSI * plane);
    c->G = lanes_all(row->G);
    c->phi_now = zero;
    c->phi_before = lanes_load(cell + ROW_PHI_BEFORE * plane);
    c->force_before = lanes_load(cell + ROW_FORCE * plane);
    c->E = lanes_load(cell + ROW_ENERGY * plane);
    c->mark_depth = lanes_load(cell + ROW_MARK_DEPTH * plane);
    c->mark_phi = lanes_load(cell + ROW_MARK_PHI * plane);
    c->powers = c->unsolved = zero;
    if (!row->midpoint) {
        c->phi_now = lanes_contact_phi(law, c, c->now, p->used);
    } else {
        // The same scheme in half variables, in which eta^n plays no part.
        c->before = 0.5 * (c->now + c->before);
        c->phi_before = lanes_contact_phi(law, c, c->before, p->used);
        c->now = lanes_all(-HUGE_VAL);
        c->free = 0.5 * c->free;
        c->G = 0.5 * c->G;
        c->E = 0.5 * c->E;
    }
}

// Its forces; E, psi and the marks are updated.
LANES_FN lanes end_pass(const network_row* row, const lanes_law* law, row_pass* p) {
    lanes_contact* c = &p->c;
    lanes force;
    switch (row->scheme) {
    case SIS_SCHEME_NEWTON:
        p->steps = lanes_all(0);
        force = lanes_newton_force(law, c, p->used, &p->steps);
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

// u and next of one side move by `more`; -0 changes no number.
LANES_FN void move_side(const body_motion* motion, int32_t at, lanes_mask used, lanes more) {
    more = lanes_pick(used, more, lanes_all(-0.0));
    lanes_store(motion->next + at, lanes_load(motion->next + at) + more);
    lanes_store(motion->u + at, lanes_load(motion->u + at) + more);
}

// A number of a set where it was solved.
LANES_FN void put(double* to, lanes_mask used, lanes value) {
    lanes_store(to, lanes_pick(used, value, lanes_load(to)));
}

// Largest and least over the sets so far.
typedef struct row_extremes {
    lanes most, least, deepest, lowest, powers, iterations;
} row_extremes;

// Of a set, without a branch for each.
LANES_FN uint32_t bits_in(unsigned bits) {
    static const uint8_t of_four[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return of_four[bits & 15] + (LANES > 4 ? of_four[bits >> 4 & 15] : 0u);
}

// Who stays awake, and what open points hold that give no force. As published, quadratised gives
// none while it is open, whatever it holds (`holds`): it may sleep on it.
LANES_FN void count_set(const row_pass* p, bool holds, uint64_t* awake, row_tally* tally) {
    lanes zero = lanes_all(0), eta = p->after, E = p->c.E;
    lanes_mask inside = lanes_less(zero, p->now), coming = lanes_less(zero, eta);
    lanes_mask full = ~lanes_equal(E, zero), pushing = ~lanes_equal(p->push, zero);
    lanes_mask busy = inside | coming | pushing;
    unsigned in = lanes_which(inside) & p->bits, held = lanes_which(full & ~busy) & p->bits;
    unsigned stay = (lanes_which(busy) & p->bits) | (holds ? 0 : held);
    awake[p->at / ROW_WORD] |= (uint64_t)stay << p->at % ROW_WORD;
    tally->inside += bits_in(in);
    if (!held) return;
    double energies[LANES];
    lanes_store(energies, E);
    for (int32_t i = 0; i < LANES; i++)
        if (held >> i & 1) tally->held += energies[i];
}

// All that sleeping points hold: it grows only when another one falls asleep.
static double held_asleep(const network_row* row, const double* cells, const uint64_t* awake) {
    double held = 0;
    for (int32_t j = 0; j < row->count; j++)
        if (!network_row_awake(awake, j)) held += cells[ROW_ENERGY * row->plane + (size_t)j];
    return held;
}

static double largest_of(lanes x) {
    double values[LANES], most = 0;
    lanes_store(values, x);
    for (int32_t i = 0; i < LANES; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

// A force that is not a number, or beyond every instrument, is none: nothing of it reaches the
// bodies.
LANES_FN void refuse_absurd(row_pass* p, bool quadratised) {
    lanes_mask bad = p->used & ~lanes_less(lanes_abs(p->push), lanes_all(1e150));
    if (!lanes_any_rarely(bad)) return;
    p->push = lanes_pick(bad, lanes_all(0), p->push);
    p->c.E = lanes_pick(bad, lanes_all(0), p->c.E);
    if (quadratised) p->psi = lanes_pick(bad, lanes_all(0), p->psi);
}

// Writes a set back and moves the bodies.
LANES_FN void write_pass(const network_row* row, const body_motion* motion, row_pass* p,
                         double* cells, double* force) {
    double* cell = cells + p->at;
    const size_t plane = row->plane;
    lanes_mask used = p->used;
    refuse_absurd(p, row->scheme == SIS_SCHEME_QUADRATISED);
    lanes push = p->push = lanes_pick(used, p->push, lanes_all(0));
    p->after = p->before + (p->free - row->G * push);
    put(cell + ROW_ETA * plane, used, p->after);
    put(cell + ROW_BEFORE * plane, used, p->now);
    put(cell + ROW_ENERGY * plane, used, p->c.E);
    if (row->scheme == SIS_SCHEME_QUADRATISED) put(cell + ROW_PSI * plane, used, p->psi);
    put(cell + ROW_FORCE * plane, used, push);
    put(cell + ROW_PHI_BEFORE * plane, used, row->midpoint ? lanes_all(0) : p->c.phi_now);
    put(cell + ROW_MARK_DEPTH * plane, used, p->c.mark_depth);
    put(cell + ROW_MARK_PHI * plane, used, p->c.mark_phi);
    put(force + p->at, used, push);
    if (row->below) move_side(motion, row->below[p->at], used, -(row->give_below * push));
    if (row->above) move_side(motion, row->above[p->at], used, row->give_above * push);
}

enum { PASSES = 8 }; // sets that go through each part together

// The parts of the search that ledger makes, of all sets before the next part.
LANES_FN void search(const lanes_law* law, row_pass* first, row_pass* end) {
    for (row_pass* p = first; p < end; p++)
        lanes_ledger_begin(law, &p->c, p->used, &p->ledger);
    for (row_pass* p = first; p < end; p++)
        lanes_search_look(law, &p->c, &p->ledger.search);
    for (row_pass* p = first; p < end; p++)
        lanes_search_see(law, &p->c, &p->ledger.search);
    for (row_pass* p = first; p < end; p++)
        lanes_search_step(law, &p->c, false, &p->ledger.search);
    for (row_pass* p = first; p < end; p++)
        lanes_ledger_find(law, &p->c, &p->ledger);
}

// The next set, which begins with a point near; its bits are cleared. False: there is none.
LANES_FN bool next_set(uint32_t* word, uint32_t words, uint64_t* near, row_pass* p) {
    while (!near[*word])
        if (++*word == words) return false;
    const uint32_t shift = (uint32_t)lowest_bit(near[*word]);
    p->at = *word * ROW_WORD + shift;
    p->bits = (unsigned)(near[*word] >> shift) & ALL;
    p->used = lanes_from_which(p->bits);
    near[*word] ^= (uint64_t)p->bits << shift;
    return true;
}

static row_tally solve(const network_row* row, const body_motion* motion, double* cells,
                       double* force, uint64_t* awake, uint64_t* near) {
    lanes_law law;
    lanes_law_set(&row->law, &law);
    const bool holds = row->scheme == SIS_SCHEME_QUADRATISED && !row->release;
    const bool ledger = row->scheme == SIS_SCHEME_LEDGER;
    row_tally tally = {0};
    lanes zero = lanes_all(0);
    row_extremes x = {zero, zero, zero, zero, zero, zero};
    uint32_t word = 0, words = (uint32_t)network_row_words(row->count);
    row_pass passes[PASSES], *end;
    do {
        for (end = passes; end < passes + PASSES && next_set(&word, words, near, end); end++) {
            const uint32_t shift = end->at % ROW_WORD;
            unsigned were = (unsigned)(awake[word] >> shift) & end->bits;
            begin_pass(row, &law, motion, cells, end->bits & ~were, end);
            awake[word] ^= (uint64_t)were << shift; // until it has been solved
        }
        if (row->scheme == SIS_SCHEME_LEDGER) search(&law, passes, end);
        for (row_pass* p = passes; p < end; p++) {
            p->push = end_pass(row, &law, p);
            write_pass(row, motion, p, cells, force);
            count_set(p, holds, awake, &tally);
            lanes deep = lanes_pick(p->used, p->now, zero);
            x.most = lanes_max(x.most, p->push);
            x.deepest = lanes_max(x.deepest, deep);
            x.powers = lanes_max(x.powers, p->c.powers);
            if (lanes_any_rarely(lanes_less(zero, p->c.unsolved))) tally.unsolved = true;
            if (ledger) continue; // it never pulls, and holds no less than nothing
            x.least = lanes_min(x.least, p->push);
            x.lowest = lanes_min(x.lowest, lanes_pick(p->used, p->c.E, zero));
            if (row->scheme == SIS_SCHEME_NEWTON) x.iterations = lanes_max(x.iterations, p->steps);
        }
    } while (end == passes + PASSES);
    if (holds && tally.held > 0) tally.held = held_asleep(row, cells, awake);
    tally.most = largest_of(x.most);
    tally.least = -largest_of(-x.least);
    tally.deepest = largest_of(x.deepest);
    tally.lowest = -largest_of(-x.lowest);
    tally.powers = (uint32_t)largest_of(x.powers);
    tally.iterations = (uint32_t)largest_of(x.iterations);
    return tally;
}

static const row_kernel row_passes = {wake, solve};
