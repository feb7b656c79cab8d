// The kernel of contact lines over lanes. Included by src/wide.
//
// A set is LANES neighbouring points from one that is near on: what they remember lies side by
// side, so that nothing has to be gathered. Those of its points that sleep are computed along and
// not used.
#include "contact/schemes_lanes.h"
#include "network/line.h"

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

static double largest_of(lanes x) {
    double values[LANES], most = 0;
    lanes_store(values, x);
    for (int32_t i = 0; i < LANES; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

enum { ALL = (1u << LANES) - 1 }; // bits of a whole set

// The bits of a set from point `at` on that are points of the line.
LANES_FN unsigned points_of(const contact_line* line, int32_t at) {
    int32_t left = line->count - at;
    return left >= LANES ? ALL : (1u << left) - 1;
}

// A number of one side at the points of a set, each of one degree of freedom.
LANES_FN lanes read_side(const line_side* side, const double* values, uint32_t at) {
    if (side->run) return lanes_load(values + side->dof[at]);
    return lanes_gather(values, side->dof + at);
}

// A number of one side at the points `bits` of a set, each of several degrees of freedom.
LANES_ONCE lanes read_ends(const contact_line* line, bool above, const double* values, uint32_t at,
                           unsigned bits) {
    double read[LANES] = {0};
    for (uint32_t i = 0; i < LANES; i++) {
        const network_link* link = &line->links[at + i];
        if (bits >> i & 1) read[i] = network_read(above ? &link->above : &link->below, values);
    }
    return lanes_load(read);
}

// What they contribute to the difference below - above.
LANES_FN lanes apart(const contact_line* line, const double* values, uint32_t at, unsigned bits) {
    const line_side *below = &line->below, *above = &line->above;
    if (line->ends)
        return read_ends(line, false, values, at, bits) - read_ends(line, true, values, at, bits);
    if (!below->dof) return 0 - read_side(above, values, at);
    if (!above->dof) return read_side(below, values, at);
    return read_side(below, values, at) - read_side(above, values, at);
}

// Of the candidates that the update of the string found, those that are near: points of the
// chunks that are below, which a hand may hold.
LANES_FN bool find_near(const contact_line* line, const line_place* place, const bool held) {
    const line_detection* f = &line->detection;
    const body_motion* motion = place->motion;
    uint64_t *near = place->near, any = 0;
    const int32_t words = line_words(line->count);
    const int32_t last = (f->start + line->count - 1) / STRING_CHUNK;
    for (int32_t word = 0; word < words; word++)
        near[word] = place->awake[word];
    for (int32_t chunk = f->start / STRING_CHUNK; chunk <= last; chunk++) {
        if (!motion->candidate[f->candidate + chunk]) continue;
        const int32_t first = chunk * STRING_CHUNK - f->start, end = first + STRING_CHUNK;
        for (int32_t j = first < 0 ? 0 : first; j < end && j < line->count; j += LANES) {
            const unsigned points = points_of(line, j);
            const lanes offset = lanes_load(line->offset + j);
            const lanes_mask inside =
                held
                    ? lanes_less(lanes_all(0), offset + apart(line, motion->u, (uint32_t)j, points))
                    : lanes_less(lanes_load(motion->u + line->above.dof[j]), offset);
            const uint64_t bits = lanes_which(inside) & points;
            const int32_t word = j / LINE_WORD, shift = j % LINE_WORD;
            near[word] |= bits << shift;
            if (shift > LINE_WORD - LANES) near[word + 1] |= bits >> (LINE_WORD - shift);
        }
    }
    for (int32_t word = 0; word < words; word++)
        any |= near[word];
    return any != 0;
}

static bool wake_candidates(const contact_line* line, const line_place* place) {
    return line->below.dof ? find_near(line, place, true) : find_near(line, place, false);
}

static bool wake(const contact_line* line, const line_place* place, double* clear) {
    uint64_t any = 0;
    lanes nearest = lanes_all(-HUGE_VAL);
    const int32_t words = line_words(line->count);
    for (int32_t word = 0; word < words; word++)
        place->near[word] = place->awake[word];
    for (int32_t i = 0; i < line->count; i += LANES) {
        const unsigned points = points_of(line, i);
        const unsigned awake = (unsigned)(place->awake[i / LINE_WORD] >> i % LINE_WORD) & ALL;
        lanes eta =
            lanes_load(line->offset + i) + apart(line, place->motion->u, (uint32_t)i, points);
        const unsigned inside = lanes_which(lanes_less(lanes_all(0), eta)) & points;
        const unsigned asleep = points & ~(inside | awake);
        if (asleep != ALL) eta = lanes_pick(lanes_from_which(asleep), eta, lanes_all(-HUGE_VAL));
        nearest = lanes_max(nearest, eta);
        if (inside) place->near[i / LINE_WORD] |= (uint64_t)inside << i % LINE_WORD;
    }
    double etas[LANES], most = -HUGE_VAL;
    lanes_store(etas, nearest);
    for (int32_t i = 0; i < LANES; i++)
        most = etas[i] > most ? etas[i] : most;
    *clear = -most;
    for (int32_t word = 0; word < words; word++)
        any |= place->near[word];
    return any != 0;
}

static double largest(const double* values, int32_t count) {
    lanes one = lanes_all(0), two = one;
    int32_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        one = lanes_max(lanes_abs(lanes_load(values + i)), one);
        two = lanes_max(lanes_abs(lanes_load(values + i + LANES)), two);
    }
    double most = largest_of(lanes_max(one, two));
    for (; i < count; i++)
        most = fabs(values[i]) > most ? fabs(values[i]) : most;
    return most;
}

// One set on its way through the parts of `solve`.
typedef struct line_pass {
    uint32_t at; // its first point; those whose bits are in the next word are not its own
    lanes now, before, free, G;
    lanes_mask used; // which of its points are solved: as a mask,
    unsigned bits;   // .. and a bit each
    lanes psi, steps, lost;
    lanes push, after; // what came out: f^n and eta^{n+1}
    lanes_contact c;
    lanes_ledger ledger;
} line_pass;

// Its points as they are; those that slept remember nothing, where they are and were follows from
// the bodies. Number by number: an initialiser would clear all of it first.
LANES_FN void begin_pass(const contact_line* line, const lanes_law* law, const line_place* place,
                         bool lossy, unsigned slept, line_pass* p) {
    const contact_memory* m = place->memory;
    const body_motion* motion = place->motion;
    const int32_t at = line->first + (int32_t)p->at;
    lanes zero = lanes_all(0), last = apart(line, motion->d, p->at, p->bits);
    lanes flown = apart(line, motion->next, p->at, p->bits);
    lanes_contact* c = &p->c;
    p->now = lanes_load(m->eta + at);
    p->before = lanes_load(m->before + at);
    if (slept) {
        lanes_mask fresh = lanes_from_which(slept);
        lanes eta =
            (lanes_load(line->offset + p->at) + apart(line, motion->u, p->at, slept)) - flown;
        p->now = lanes_pick(fresh, eta, p->now);
        p->before = lanes_pick(fresh, eta - last, p->before);
    }
    c->now = p->now;
    c->before = p->before;
    p->free = c->free = flown + last;
    if (line->law->scheme == SIS_SCHEME_QUADRATISED || line->law->restitution)
        p->psi = lanes_load(m->psi + at);
    p->G = c->G = lanes_load(line->G + p->at);
    if (lossy) {
        p->lost = zero;
        c->nu = lanes_all(line->law->midpoint ? 2 * line->law->nu : line->law->nu);
    }
    c->phi_now = zero;
    c->phi_before = lanes_load(m->phi_before + at);
    c->force_before = lanes_load(m->force + at);
    c->E = lanes_load(m->E + at);
    c->mark_depth = lanes_load(m->mark_depth + at);
    c->mark_phi = lanes_load(m->mark_phi + at);
    c->powers = c->unsolved = zero;
    if (!line->law->midpoint) {
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

// What contacts between masses owe, one after the other: few lines have more than one point.
LANES_FN contact_problem problem_of(const line_pass* p, const double* at, int32_t i) {
    (void)p;
    return (contact_problem){.now = at[i],
                             .before = at[LANES + i],
                             .free = at[2 * LANES + i],
                             .G = at[3 * LANES + i],
                             .nu = at[4 * LANES + i]};
}

LANES_FN void spread_problem(const lanes_contact* c, double* at) {
    const lanes numbers[5] = {c->now, c->before, c->free, c->G, c->nu};
    for (int32_t n = 0; n < 5; n++)
        lanes_store(at + n * LANES, numbers[n]);
}

LANES_ONCE void owe_begin(line_pass* p) {
    double at[5 * LANES], payable[LANES], force[LANES], owed[LANES];
    spread_problem(&p->c, at);
    lanes_store(payable, p->ledger.payable);
    lanes_store(force, p->ledger.force);
    lanes_store(owed, p->psi);
    for (int32_t i = 0; i < LANES; i++) {
        const contact_problem problem = problem_of(p, at, i);
        bool leaves = lanes_which(p->ledger.leaves) >> i & 1;
        if (p->bits >> i & 1)
            sis_restitution_begin(&problem, leaves, payable[i], &force[i], &owed[i]);
    }
    p->ledger.force = lanes_load(force);
    p->psi = lanes_load(owed);
}

LANES_ONCE void owe_end(line_pass* p) {
    double at[5 * LANES], force[LANES], owed[LANES];
    spread_problem(&p->c, at);
    lanes_store(force, p->push);
    lanes_store(owed, p->psi);
    for (int32_t i = 0; i < LANES; i++) {
        const contact_problem problem = problem_of(p, at, i);
        bool solved = (lanes_which(p->ledger.solved) & p->bits) >> i & 1;
        if (solved)
            sis_restitution_end(&problem, force[i], problem.free - problem.G * force[i], &owed[i]);
    }
    p->psi = lanes_load(owed);
}

// Its forces; E, psi, the marks and what is lost are updated.
LANES_FN lanes end_pass(const contact_law* law, const lanes_law* l, bool lossy, line_pass* p) {
    lanes_contact* c = &p->c;
    switch (law->scheme) {
    case SIS_SCHEME_NEWTON:
        p->steps = lanes_all(0);
        p->push = lanes_newton_force(l, c, p->used, lossy, &p->steps, &p->lost);
        break;
    case SIS_SCHEME_QUADRATISED:
        p->push = lossy ? lanes_quadratised_lossy(l, c, law->release, &p->psi, &p->lost)
                        : lanes_quadratised_force(l, c, law->release, &p->psi);
        break;
    case SIS_SCHEME_EXACT:
        p->push = lanes_closed_force(l, c);
        break;
    default:
        p->push = lossy ? lanes_ledger_end_lossy(l, c, p->used, &p->ledger, &p->lost)
                        : lanes_ledger_end(c, &p->ledger);
        if (law->restitution) owe_end(p);
        break;
    }
    if (law->midpoint) {
        c->E = c->E / 0.5;
        if (lossy) p->lost = 2 * p->lost;
    }
    return p->push;
}

// u and next of neighbours that only this line moves; -0 changes no number.
LANES_FN void move_run(const body_motion* motion, int32_t at, lanes_mask used, lanes more) {
    more = lanes_pick(used, more, lanes_all(-0.0));
    lanes_store(motion->next + at, lanes_load(motion->next + at) + more);
    lanes_store(motion->u + at, lanes_load(motion->u + at) + more);
}

// The force on one side of a set. True: some is in motion->link_force.
LANES_FN bool move_side(const contact_line* line, const line_side* side, bool above,
                        const body_motion* motion, const line_pass* p, lanes push) {
    if (!side->dof && !side->ends) return false;
    if (side->run) {
        move_run(motion, side->dof[p->at], p->used, side->admittance * push);
        return false;
    }
    double force[LANES];
    bool accumulated = false;
    lanes_store(force, push);
    for (uint32_t i = 0; i < LANES; i++) {
        const network_link* link = &line->links[p->at + i];
        if (!(p->bits >> i & 1) || force[i] == 0) continue;
        accumulated |= line_move(above ? &link->above : &link->below, motion, force[i]);
    }
    return accumulated;
}

// A number of a set where it was solved.
LANES_FN void put(double* to, lanes_mask used, lanes value) {
    lanes_store(to, lanes_pick(used, value, lanes_load(to)));
}

// A force that is not a number, or beyond every instrument, is none: nothing of it reaches the
// bodies.
LANES_FN void refuse_absurd(line_pass* p, bool keeps_psi) {
    lanes zero = lanes_all(0);
    lanes_mask bad = p->used & ~lanes_less(lanes_abs(p->push), lanes_all(1e150));
    if (!lanes_any_rarely(bad)) return;
    p->push = lanes_pick(bad, zero, p->push);
    p->c.E = lanes_pick(bad, zero, p->c.E);
    if (keeps_psi) p->psi = lanes_pick(bad, zero, p->psi);
}

// Writes a set back and moves the bodies. True: some of it is in motion->link_force.
LANES_FN bool write_pass(const contact_line* line, const line_place* place, line_pass* p) {
    const contact_memory* m = place->memory;
    const int32_t at = line->first + (int32_t)p->at;
    const bool keeps_psi = line->law->scheme == SIS_SCHEME_QUADRATISED || line->law->restitution;
    lanes_mask used = p->used;
    refuse_absurd(p, keeps_psi);
    lanes push = p->push = lanes_pick(used, p->push, lanes_all(0));
    p->after = p->before + (p->free - p->G * push);
    put(m->eta + at, used, p->after);
    put(m->before + at, used, p->now);
    put(m->E + at, used, p->c.E);
    if (keeps_psi) put(m->psi + at, used, p->psi);
    put(m->force + at, used, push);
    put(m->phi_before + at, used, line->law->midpoint ? lanes_all(0) : p->c.phi_now);
    put(m->mark_depth + at, used, p->c.mark_depth);
    put(m->mark_phi + at, used, p->c.mark_phi);
    put(place->force + at, used, push);
    bool below = move_side(line, &line->below, false, place->motion, p, -push);
    return move_side(line, &line->above, true, place->motion, p, push) || below;
}

// Of a set, without a branch for each.
LANES_FN uint32_t bits_in(unsigned bits) {
    static const uint8_t of_four[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return of_four[bits & 15] + (LANES > 4 ? of_four[bits >> 4 & 15] : 0u);
}

// The sum of those whose bits are set goes on, point by point: the same at every width.
LANES_FN void add_each(lanes values, unsigned bits, double* sum) {
    double each[LANES];
    lanes_store(each, values);
    for (int32_t i = 0; i < LANES; i++)
        if (bits >> i & 1) *sum += each[i];
}

// Who stays awake, and what open points hold that give no force. As published, quadratised gives
// none while it is open, whatever it holds (`holds`): it may sleep on it.
LANES_FN void count_set(const line_pass* p, bool holds, uint64_t* awake, line_tally* tally) {
    lanes zero = lanes_all(0), eta = p->after, E = p->c.E;
    lanes_mask inside = lanes_less(zero, p->now), coming = lanes_less(zero, eta);
    lanes_mask full = ~lanes_equal(E, zero), pushing = ~lanes_equal(p->push, zero);
    lanes_mask busy = inside | coming | pushing;
    unsigned in = lanes_which(inside) & p->bits, held = lanes_which(full & ~busy) & p->bits;
    unsigned stay = (lanes_which(busy) & p->bits) | (holds ? 0 : held);
    awake[p->at / LINE_WORD] |= (uint64_t)stay << p->at % LINE_WORD;
    tally->inside += bits_in(in);
    tally->solved += (int32_t)bits_in(p->bits);
    tally->awake += (int32_t)bits_in(stay);
    if (held) add_each(E, held, &tally->held);
}

// All that sleeping points hold: it grows only when another one falls asleep.
static double held_asleep(const contact_line* line, const line_place* place) {
    double held = 0;
    for (int32_t j = 0; j < line->count; j++)
        if (!line_awake(place->awake, j)) held += place->memory->E[line->first + j];
    return held;
}

// Largest and least over the sets so far.
typedef struct line_extremes {
    lanes most, least, deepest, lowest, powers, iterations;
} line_extremes;

LANES_FN void note_extremes(const line_pass* p, sis_scheme scheme, line_extremes* x,
                            line_tally* tally) {
    lanes zero = lanes_all(0), deep = lanes_pick(p->used, p->now, zero);
    x->most = lanes_max(x->most, p->push);
    x->deepest = lanes_max(x->deepest, deep);
    x->powers = lanes_max(x->powers, p->c.powers);
    if (lanes_any_rarely(lanes_less(zero, p->c.unsolved))) tally->unsolved = true;
    if (scheme == SIS_SCHEME_LEDGER) return; // it never pulls, and holds no less than nothing
    x->least = lanes_min(x->least, p->push);
    x->lowest = lanes_min(x->lowest, lanes_pick(p->used, p->c.E, zero));
    if (scheme == SIS_SCHEME_NEWTON) x->iterations = lanes_max(x->iterations, p->steps);
}

LANES_FN void tell_extremes(const line_extremes* x, line_tally* tally) {
    tally->most = largest_of(x->most);
    tally->least = -largest_of(-x->least);
    tally->deepest = largest_of(x->deepest);
    tally->lowest = -largest_of(-x->lowest);
    tally->powers = (uint32_t)largest_of(x->powers);
    tally->iterations = (uint32_t)largest_of(x->iterations);
}

enum { PASSES = LANES == 1 ? 2 : 8 }; // sets that go through each part together

// The parts of the search that ledger makes, of all sets before the next part.
LANES_FN void search(const lanes_law* law, bool lossy, bool restitution, line_pass* first,
                     line_pass* end) {
    for (line_pass* p = first; p < end; p++) {
        lanes_ledger_begin(law, &p->c, p->used, lossy, &p->ledger);
        if (restitution) owe_begin(p);
    }
    for (line_pass* p = first; p < end; p++)
        lanes_search_look(law, &p->c, &p->ledger.search);
    for (line_pass* p = first; p < end; p++)
        lanes_search_see(law, &p->c, &p->ledger.search);
    for (line_pass* p = first; p < end; p++)
        lanes_search_step(law, &p->c, lossy, &p->ledger.search);
    for (line_pass* p = first; p < end; p++)
        lanes_ledger_find(law, &p->c, lossy, &p->ledger);
}

// The next set, which begins with a point near; its bits are cleared. False: there is none.
LANES_FN bool next_set(uint32_t* word, uint32_t words, uint64_t* near, line_pass* p) {
    while (!near[*word])
        if (++*word == words) return false;
    const uint32_t shift = (uint32_t)lowest_bit(near[*word]);
    p->at = *word * LINE_WORD + shift;
    p->bits = (unsigned)(near[*word] >> shift) & ALL;
    p->used = lanes_from_which(p->bits);
    near[*word] ^= (uint64_t)p->bits << shift;
    return true;
}

// A string over a barrier, by ledger: most points of most scenes.
LANES_FN bool is_over_barrier(const contact_line* line) {
    const contact_law* law = line->law;
    return law->scheme == SIS_SCHEME_LEDGER && !law->midpoint && !law->restitution && !line->ends &&
           !line->below.dof && line->above.run;
}

// `over_barrier`: what is known of such a line then is known to the compiler.
LANES_FN line_tally solve_line(const contact_line* whole, const line_place* place, bool lossy,
                               const bool over_barrier) {
    contact_law own = *whole->law;
    contact_line copy = *whole;
    const contact_law* law = &own;
    const contact_line* line = &copy;
    copy.law = law;
    if (over_barrier) {
        own.scheme = SIS_SCHEME_LEDGER;
        own.midpoint = own.restitution = false;
        copy.ends = copy.below.ends = copy.above.ends = false;
        copy.below.dof = NULL;
        copy.above.run = true;
    }
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(&law->power, &scratch);
    const bool holds = contact_holds_open(law);
    line_tally tally = {0};
    lanes zero = lanes_all(0);
    line_extremes x = {zero, zero, zero, zero, zero, zero};
    uint32_t word = 0, words = (uint32_t)line_words(line->count);
    line_pass passes[PASSES], *end;
    do {
        for (end = passes; end < passes + PASSES && next_set(&word, words, place->near, end);
             end++) {
            const uint32_t shift = end->at % LINE_WORD;
            unsigned were = (unsigned)(place->awake[word] >> shift) & end->bits;
            begin_pass(line, l, place, lossy, end->bits & ~were, end);
            place->awake[word] ^= (uint64_t)were << shift; // until it has been solved
        }
        if (law->scheme == SIS_SCHEME_LEDGER) search(l, lossy, law->restitution, passes, end);
        for (line_pass* p = passes; p < end; p++) {
            end_pass(law, l, lossy, p);
            tally.accumulated |= write_pass(line, place, p);
            count_set(p, holds, place->awake, &tally);
            note_extremes(p, law->scheme, &x, &tally);
            if (lossy)
                add_each(p->lost, p->bits & lanes_which(lanes_less(zero, p->lost)), &tally.lost);
        }
    } while (end == passes + PASSES);
    if (holds && tally.held > 0) tally.held = held_asleep(whole, place);
    tell_extremes(&x, &tally);
    return tally;
}

LANES_ONCE line_tally solve_over_barrier(const contact_line* line, const line_place* place) {
    return solve_line(line, place, false, true);
}

LANES_ONCE line_tally solve_lossless(const contact_line* line, const line_place* place) {
    return solve_line(line, place, false, false);
}

LANES_ONCE line_tally solve_lossy(const contact_line* line, const line_place* place) {
    return solve_line(line, place, true, false);
}

static line_tally solve(const contact_line* line, const line_place* place) {
    if (line->law->nu > 0) return solve_lossy(line, place);
    return is_over_barrier(line) ? solve_over_barrier(line, place) : solve_lossless(line, place);
}

// The registers of this width may be wider than those of the core: the sums are the same.
static network_pair dots(const double* weight, const double* a, const double* b, int32_t count) {
    network_pair sum;
#define TERM_A(AT) (AT(weight + i) * AT(a + i))
#define TERM_B(AT) (AT(weight + i) * AT(b + i))
    SIS_SUM(sum.a, count, TERM_A);
    SIS_SUM(sum.b, count, TERM_B);
#undef TERM_A
#undef TERM_B
    return sum;
}

static const line_kernel line_passes = {wake, wake_candidates, solve, largest, dots};
