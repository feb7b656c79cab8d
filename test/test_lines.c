// Contact lines: their points, solved one, two, four or eight at a time, have the same bits, those
// of single contacts too, with loss and without; each exchanges energy as its law says, touches
// nothing but its own, and who sleeps has nothing to say. (Strings and plates over lines of the
// public interface: test_lines_scenes.c.)
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference.h"
#undef PI
#include "step/system.h"
#include "wide/width.h"

#define LANES 1
#include "contact/schemes_lanes.h"

#if SANITIZED
enum { LINES = 126, SAMPLES = 150 };
#else
enum { LINES = 504, SAMPLES = 700 };
#endif
enum { MOST_POINTS = 140, MOST_BEFORE = 12, OTHERS = 16, WORDS = 3, WEIGHTS = 4 };
enum { PLACES = MOST_BEFORE + MOST_POINTS + OTHERS, DOFS = 2 * WEIGHTS * MOST_POINTS };
enum { MEMORIES = 12 };

static const double step = 1 / 48000.0; // s

// ---------------------------------------------------------------------------- a line by itself

// What one way of solving moves.
typedef struct world {
    double u[DOFS], increment[2][DOFS], push[DOFS];
    double memory[MEMORIES][PLACES], force[PLACES];
    uint64_t awake[WORDS], near[WORDS]; // bits
    sleep_state state;
    line_tally tally;
} world;

// A line, and the numbers it points to.
typedef struct trial {
    contact_line line;
    contact_law law;
    network_link links[PLACES];
    double G[PLACES], offset[PLACES];
    double weights[2][MOST_POINTS][WEIGHTS];
    int32_t apart[2][WEIGHTS];                 // where the degrees of freedom of an end lie
    int32_t dof[2][MOST_POINTS + LINE_BEHIND]; // of sides with one each
    double admit[DOFS];                        // m/N, D^-1 of each degree of freedom
    int32_t side_first[2], side_count[2];      // degrees of freedom
    double weight;                             // m, what gravity adds to an increment
    double blow[DOFS];                         // m, the same of a blow in this sample
    int turn;
    uint64_t seed;
} trial;

static body_motion motion_of(world* w, int turn) {
    return (body_motion){
        .u = w->u, .d = w->increment[turn], .next = w->increment[!turn], .link_force = w->push};
}

static contact_memory memory_of(world* w) {
    return (contact_memory){w->memory[0], w->memory[1], w->memory[2],  w->memory[3],
                            w->memory[4], w->memory[5], w->memory[6],  w->memory[7],
                            w->memory[8], w->memory[9], w->memory[10], w->memory[11]};
}

static bool gives(const network_end* end) {
    return end->admittance != 0;
}

// How the weighted degrees of freedom of an end lie: side by side or anywhere.
enum { ONE_DOF, NEIGHBOURS, ANYWHERE, LAYOUTS };

static network_end new_end(trial* t, int side, int32_t j, int layout) {
    const int32_t count = t->line.count;
    network_end end = {.first = t->side_first[side], .count = WEIGHTS};
    double sum = 0, *w = t->weights[side][j];
    if (layout == ONE_DOF) { // one side the other way round
        end.first += side ? count - 1 - j : j;
        end.count = 1;
        t->dof[side][j] = end.first;
        return end;
    }
    for (int i = 0; i < WEIGHTS; i++)
        sum += w[i] = 1.3 * random_unit(&t->seed) - 0.3;
    for (int i = 0; i < WEIGHTS; i++)
        w[i] += (1 - sum) / WEIGHTS;
    end.weight = w;
    end.first += layout == NEIGHBOURS ? WEIGHTS * j : j;
    for (int i = 0; i < WEIGHTS; i++)
        t->apart[side][i] = (i * 3 + 2) % WEIGHTS * count;
    if (layout == ANYWHERE) end.index = t->apart[side];
    return end;
}

// A side of a line. Forces on it move it at once (give) or are gathered in motion->link_force.
static void new_side(trial* t, int side, int layout) {
    line_side* s = side ? &t->line.above : &t->line.below;
    const bool give = random_unit(&t->seed) < 0.5, alike = give && layout == ONE_DOF;
    const double admit = random_log(&t->seed, 1e-7, 1e-3);
    t->side_first[side] = side * WEIGHTS * MOST_POINTS;
    t->side_count[side] = (layout == ONE_DOF ? 1 : WEIGHTS) * t->line.count;
    *s = (line_side){.ends = layout != ONE_DOF,
                     .group = side,
                     .admittance = alike ? admit : 0,
                     .run = alike && side == 0}; // the other one is not in order
    t->line.ends = t->line.ends || s->ends;
    for (int32_t j = 0; j < t->line.count; j++) {
        network_link* link = &t->links[t->line.first + j];
        network_end end = new_end(t, side, j, layout);
        const double own = alike ? admit : admit * random_log(&t->seed, 0.2, 5);
        double square = 0, reach = 0;
        for (int32_t i = 0; i < end.count; i++) {
            const double w = end.weight ? end.weight[i] : 1;
            t->admit[network_dof(&end, i)] = own;
            square += w * w;
            reach += fabs(w);
        }
        if (give) end.admittance = own;
        t->line.bound.group[side] = side;
        t->line.bound.reach[side] = fmax(t->line.bound.reach[side], reach);
        t->G[t->line.first + j] += own * square;
        *(side ? &link->above : &link->below) = end;
    }
    for (int32_t j = 0; j < LINE_BEHIND; j++)
        t->dof[side][t->line.count + j] = t->dof[side][0];
}

// A law and a scheme: from so soft that nothing stops to so hard that nothing enters, half of them
// with loss.
static void new_law(trial* t, int number) {
    static const double alphas[] = {1, 1.5, 2, 2.5, 3, 1.4, 2.3, 1.1, 5.7};
    static const struct {
        sis_scheme scheme;
        bool release, midpoint;
    } ways[] = {{SIS_SCHEME_LEDGER, false, false},      {SIS_SCHEME_LEDGER, false, true},
                {SIS_SCHEME_NEWTON, false, false},      {SIS_SCHEME_NEWTON, false, true},
                {SIS_SCHEME_QUADRATISED, false, false}, {SIS_SCHEME_QUADRATISED, true, false},
                {SIS_SCHEME_EXACT, false, false}};
    const int way = number % 7;
    const bool closed = ways[way].scheme == SIS_SCHEME_EXACT; // the closed form of alpha = 1
    const bool lossy = !closed && number / 7 % 2;
    const double alpha = closed ? 1 : alphas[number / 14 % 9], G = t->G[t->line.first];
    const double stiff =
        random_log(&t->seed, 1e-4, 1e8); // G f of a depth of 0.1 mm, over the depth
    contact_law* law = &t->law;
    *law = (contact_law){.scheme = ways[way].scheme,
                         .release = ways[way].release,
                         .midpoint = ways[way].midpoint,
                         .closed = closed,
                         .nu = lossy ? random_log(&t->seed, 1, 1e5) : 0};
    law->power =
        sis_power_law_make(SIS_LAW_ONE_SIDED, stiff / (G * pow(1e-4, alpha - 1)), alpha, 0);
    law->mu = 2 * step * law->nu;
    law->restitution =
        lossy && law->scheme == SIS_SCHEME_LEDGER && !law->midpoint && random_unit(&t->seed) < 0.5;
}

// A line at random: over a bed, under a ceiling or between two bodies. Places before and behind it
// belong to others, who are deep inside.
static void new_trial(int number, trial* t) {
    memset(t, 0, sizeof *t);
    t->seed = (uint64_t)number + 1;
    contact_line* line = &t->line;
    const int sides = (int)(3 * random_unit(&t->seed));
    line->count = 1 + (int32_t)((number % 6 ? 40 : MOST_POINTS) * random_unit(&t->seed));
    line->first = (int32_t)(MOST_BEFORE * random_unit(&t->seed));
    line->below.group = line->above.group = -1;
    for (int32_t i = 0; i < PLACES; i++)
        t->offset[i] = 1;
    for (int side = 0; side < 2; side++)
        if (sides == 2 || sides == side)
            new_side(t, side, (int)(LAYOUTS * random_unit(&t->seed) * random_unit(&t->seed)));
    new_law(t, number);
    for (int32_t j = 0; j < line->count; j++)
        t->offset[line->first + j] = -1e-3 * random_unit(&t->seed);
    t->weight = random_log(&t->seed, 1e-9, 1e-6);
    line->watch = LINE_LOOKS;
    line->law = &t->law;
    line->links = t->links + line->first;
    line->G = t->G + line->first;
    line->offset = t->offset + line->first;
    line->below.dof = line->below.group < 0 || line->below.ends ? NULL : t->dof[0];
    line->above.dof = line->above.group < 0 || line->above.ends ? NULL : t->dof[1];
}

// Nothing has moved; what others remember are any numbers.
static void new_world(const trial* t, world* w) {
    uint64_t seed = t->seed;
    memset(w, 0, sizeof *w);
    for (int32_t i = 0; i < PLACES; i++) {
        const bool own = i >= t->line.first && i < t->line.first + t->line.count;
        for (int m = 0; m < MEMORIES && !own; m++)
            w->memory[m][i] = random_unit(&seed) - 0.5;
        if (!own) w->force[i] = random_unit(&seed);
    }
}

// One side: a string at rest beyond its last points, under gravity, a blow and a little loss.
static void fly_side(const trial* t, int side, const body_motion* m) {
    const int32_t first = t->side_first[side], end = first + t->side_count[side];
    for (int32_t i = first; i < end; i++) {
        const double left = i > first ? m->u[i - 1] : 0, right = i + 1 < end ? m->u[i + 1] : 0;
        const double curve = (right - m->u[i]) - (m->u[i] - left), more = t->weight + t->blow[i];
        m->next[i] = m->d[i] + 0.2 * curve - 0.01 * m->d[i] + (side ? -more : more);
    }
    for (int32_t i = first; i < end; i++)
        m->u[i] += m->next[i];
}

static void fly(const trial* t, world* w) {
    const body_motion m = motion_of(w, t->turn);
    for (int side = 0; side < 2; side++)
        fly_side(t, side, &m);
}

// Now and then some neighbours get a blow.
static void strike(trial* t) {
    memset(t->blow, 0, sizeof t->blow);
    if (random_unit(&t->seed) > 0.03) return;
    const double at = random_unit(&t->seed), width = 1 + 6 * random_unit(&t->seed);
    const double by = random_log(&t->seed, 1e-7, 1e-3) * (random_unit(&t->seed) < 0.5 ? -1 : 1);
    for (int side = 0; side < 2; side++)
        for (int32_t i = (int32_t)(at * t->side_count[side]), j = 0;
             i < t->side_count[side] && j < width; i++, j++)
            t->blow[t->side_first[side] + i] = by;
}

// The bodies apply what is in the force accumulator.
static void apply_forces(const trial* t, world* w) {
    const body_motion m = motion_of(w, t->turn);
    for (int32_t i = 0; i < DOFS; i++) {
        if (m.link_force[i] == 0) continue;
        m.next[i] += t->admit[i] * m.link_force[i];
        m.u[i] += t->admit[i] * m.link_force[i];
        m.link_force[i] = 0;
    }
}

// ---------------------------------------------------------------------------- point by point

// Who has to be looked at, said plainly; and how far the nearest of the others is away.
static double mark_plainly(const trial* t, world* w) {
    double nearest = -HUGE_VAL;
    memset(w->near, 0, sizeof w->near);
    for (int32_t j = 0; j < t->line.count; j++) {
        const double eta = line_eta(&t->line, w->u, j);
        const bool near = line_awake(w->awake, j) || eta > 0;
        w->near[j / LINE_WORD] |= (uint64_t)near << j % LINE_WORD;
        if (!near) nearest = fmax(nearest, eta);
    }
    return -nearest;
}

// A point that slept takes its eta from the bodies.
static void rouse(const trial* t, const body_motion* motion, int32_t j, const contact_memory* m) {
    const int32_t i = t->line.first + j;
    m->eta[i] = line_eta(&t->line, motion->u, j) - network_apart(&t->line.links[j], motion->next);
    m->before[i] = m->eta[i] - network_apart(&t->line.links[j], motion->d);
}

// The closed form has no other way to be solved than lanes: here one.
static contact_push closed_push(const contact_law* law, const contact_memory* m, int32_t i,
                                double free, double G, contact_cost* cost) {
    lanes_law room;
    const lanes_law* l = lanes_law_at(&law->power, &room);
    const double phi = sis_contact_phi(&law->power, m, i, m->eta[i], cost);
    lanes_contact c = {.now = m->eta[i],
                       .before = m->before[i],
                       .free = free,
                       .G = G,
                       .phi_now = phi,
                       .E = m->E[i]};
    const double force = lanes_closed_force(l, &c);
    m->E[i] = c.E;
    m->phi_before[i] = phi;
    m->force[i] = force;
    return (contact_push){force, free - G * force, 0};
}

// What was met, so that no case passes because nothing happened.
static struct {
    long samples, short_sets, entering, leaving, rebounding, resting, sleeping, flying, awake;
    long lossy, owed, accumulated, skipped;
    double unbalanced[2], powers[2]; // worst, without and with loss
} met;

// N, the largest force of the law itself between eta^{n-1} and eta^{n+1}.
static double steepest(const power_law* law, const contact_memory* m, int32_t i, double travel) {
    const double after = m->before[i] + travel;
    const double depth = power_depth(law, fmax(fmax(m->before[i], m->eta[i]), after));
    return power_force(law, depth, power_phi(law, depth));
}

// A point alone: E+ = E + r F/2 with r (f - F)/2 lost, which is no less than nothing; no pull.
static contact_push push_alone(const trial* t, const body_motion* motion, int32_t j,
                               const contact_memory* m, contact_cost* cost) {
    const contact_law* law = &t->law;
    const int32_t i = t->line.first + j;
    const double free = network_apart(&t->line.links[j], motion->next) +
                        network_apart(&t->line.links[j], motion->d);
    const double E = m->E[i], G = t->line.G[j];
    const contact_push push = law->closed ? closed_push(law, m, i, free, G, cost)
                                          : sis_contact_alone(law, step, m, i, free, G, cost);
    const double f = push.force, off = (m->E[i] - E) - (0.5 * push.travel * f - push.lost);
    // Newton's E is the potential at eta, which is known to the rounding of its travel.
    const double most = law->scheme == SIS_SCHEME_NEWTON
                            ? fmax(fabs(f), steepest(&law->power, m, i, push.travel))
                            : fabs(f);
    const double size = E + m->E[i] + most * (fabs(m->before[i]) + fabs(m->eta[i]) + fabs(free));
    const double part = size > 0 ? fabs(off) / size : off;
    const bool pushes = law->scheme != SIS_SCHEME_QUADRATISED || law->release;
    CHECK_NEAR(part, 0, 1e-13);
    CHECK(push.lost >= 0 && (push.lost == 0 || law->nu > 0) && m->E[i] >= 0);
    if (law->scheme == SIS_SCHEME_LEDGER) CHECK(f >= 0);
    if (pushes) CHECK(f >= -1e-12 * fabs(free) / G);
    met.unbalanced[law->nu > 0] = fmax(met.unbalanced[law->nu > 0], part);
    return push;
}

static void tally_point(const contact_memory* m, int32_t i, contact_push push,
                        const contact_cost* cost, line_tally* tally) {
    const double depth = fmax(m->before[i], 0); // already advanced: eta^n
    tally->most = fmax(tally->most, push.force);
    tally->least = fmin(tally->least, push.force);
    tally->deepest = fmax(tally->deepest, depth);
    tally->lowest = fmin(tally->lowest, m->E[i]);
    tally->lost += push.lost;
    tally->inside += depth > 0;
    if (push.force == 0 && depth == 0 && m->eta[i] <= 0) tally->held += m->E[i];
    if (cost->powers > tally->powers) tally->powers = cost->powers;
    if (cost->iterations > tally->iterations) tally->iterations = cost->iterations;
    tally->unsolved |= cost->unsolved;
    tally->solved++;
}

// Its force on both sides; true: some is in motion->link_force.
static bool move_ends(const trial* t, int32_t j, double force, const body_motion* motion) {
    const network_link* link = &t->line.links[j];
    bool accumulated = false;
    if (force == 0) return false;
    for (int side = 0; side < 2; side++) {
        const network_end* end = side ? &link->above : &link->below;
        for (int32_t i = 0; i < end->count; i++) {
            const int32_t at = network_dof(end, i);
            const double f = side ? force : -force, part = end->weight ? f * end->weight[i] : f;
            accumulated |= !gives(end);
            if (!gives(end)) motion->link_force[at] += part;
            if (!gives(end)) continue;
            motion->next[at] += end->admittance * part;
            motion->u[at] += end->admittance * part;
        }
    }
    return accumulated;
}

// The same problems one after the other.
static void solve_alone(const trial* t, world* w) {
    const contact_line* line = &t->line;
    const body_motion motion = motion_of(w, t->turn);
    const contact_memory memory = memory_of(w), *m = &memory;
    const bool holds = contact_holds_open(&t->law);
    w->tally = (line_tally){0};
    for (int32_t j = 0; j < line->count; j++) {
        if (!line_awake(w->near, j)) continue;
        const int32_t i = line->first + j;
        const uint64_t bit = (uint64_t)1 << j % LINE_WORD;
        contact_cost cost = {0};
        if (!line_awake(w->awake, j)) rouse(t, &motion, j, m);
        const contact_push push = push_alone(t, &motion, j, m, &cost);
        const double now = m->eta[i];
        m->eta[i] = m->before[i] + push.travel;
        m->before[i] = now;
        w->force[i] = push.force;
        w->tally.accumulated |= move_ends(t, j, push.force, &motion);
        const bool stays = m->eta[i] > 0 || now > 0 || push.force != 0 || (m->E[i] != 0 && !holds);
        w->awake[j / LINE_WORD] &= ~bit;
        if (stays) w->awake[j / LINE_WORD] |= bit;
        w->tally.awake += stays;
        tally_point(m, i, push, &cost, &w->tally);
    }
    if (!holds || w->tally.held == 0) return;
    w->tally.held = 0; // another one fell asleep on what it holds: all sleepers together
    for (int32_t j = 0; j < line->count; j++)
        if (!line_awake(w->awake, j)) w->tally.held += m->E[line->first + j];
}

// ---------------------------------------------------------------------------- laws of a sample

static bool same(const void* a, const void* b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// Every number that one way of solving leaves, those of other lines too.
static bool same_world(const trial* t, const world* a, const world* b) {
    bool equal = same(a->memory, b->memory, sizeof a->memory) &&
                 same(a->force, b->force, sizeof a->force) &&
                 same(a->awake, b->awake, sizeof a->awake);
    for (int side = 0; side < 2; side++) {
        const int32_t first = t->side_first[side];
        const size_t size = (size_t)t->side_count[side] * sizeof(double);
        equal = equal && same(a->u + first, b->u + first, size);
        for (int turn = 0; turn < 2; turn++)
            equal = equal && same(a->increment[turn] + first, b->increment[turn] + first, size);
    }
    return equal;
}

static bool same_tally(const line_tally* a, const line_tally* b) {
    return a->most == b->most && a->least == b->least && a->deepest == b->deepest &&
           a->lowest == b->lowest && a->held == b->held && a->lost == b->lost &&
           a->inside == b->inside && a->powers == b->powers && a->iterations == b->iterations &&
           a->solved == b->solved && a->awake == b->awake && a->unsolved == b->unsolved &&
           a->accumulated == b->accumulated;
}

static int points_in(const uint64_t* bits) {
    int count = 0;
    for (int32_t j = 0; j < WORDS * LINE_WORD; j++)
        count += line_awake(bits, j);
    return count;
}

// A point that is not near sleeps: outside now and next, no force, no energy to give, and a
// scheme that was asked would give no force either.
static bool sleep_well(const trial* t, world* w) {
    bool well = true;
    const body_motion motion = motion_of(w, t->turn);
    const contact_memory memory = memory_of(w), *m = &memory;
    for (int32_t j = 0; j < t->line.count; j++) {
        const int32_t i = t->line.first + j;
        if (line_awake(w->near, j)) continue;
        double kept[MEMORIES];
        for (int f = 0; f < MEMORIES; f++)
            kept[f] = w->memory[f][i];
        const double held = m->E[i];
        met.sleeping++;
        well &= !line_awake(w->awake, j) && w->force[i] == 0;
        well &= held == 0 || contact_holds_open(&t->law);
        rouse(t, &motion, j, m);
        well &= line_eta(&t->line, motion.u, j) <= 0 && m->eta[i] <= 1e-15;
        contact_cost cost = {0};
        well &= push_alone(t, &motion, j, m, &cost).force == 0 && m->E[i] == held;
        for (int f = 0; f < MEMORIES; f++)
            w->memory[f][i] = kept[f];
    }
    return well;
}

static void note_sample(const trial* t, world* w) {
    const int count = points_in(w->near);
    const contact_memory memory = memory_of(w), *m = &memory;
    met.samples++;
    met.awake += count;
    met.flying += count == 0;
    met.lossy += w->tally.lost > 0;
    met.accumulated += w->tally.accumulated;
    for (int32_t j = 0; j < WORDS * LINE_WORD; j += 4)
        met.short_sets += (w->near[j / LINE_WORD] >> j % LINE_WORD & 15) % 15 != 0;
    for (int32_t j = 0; j < t->line.count; j++) {
        if (!line_awake(w->near, j)) continue;
        const int32_t i = t->line.first + j;
        const double eta = m->eta[i], now = m->before[i], moved = eta - now;
        met.entering += now <= 0 && eta > 0;
        met.leaving += now > 0 && eta <= 0;
        met.rebounding += now > 0 && eta > 0 && moved < 0;
        met.resting += now > 0 && fabs(moved) < 1e-3 * now;
        met.owed += t->law.restitution && m->psi[i] != 0;
    }
}

// What no tally may say.
static bool sound_tally(const trial* t, const line_tally* tally) {
    const contact_law* law = &t->law;
    const bool ledger = law->scheme == SIS_SCHEME_LEDGER;
    const uint32_t most = law->power.alpha <= 4 ? 5 : 12;
    if (ledger) met.powers[law->nu > 0] = fmax(met.powers[law->nu > 0], tally->powers);
    return (!ledger || tally->powers <= most) && !tally->unsolved && tally->lowest >= 0 &&
           tally->held >= 0 && tally->lost >= 0 && tally->deepest >= 0 &&
           (tally->inside > 0) == (tally->deepest > 0) &&
           (law->scheme == SIS_SCHEME_NEWTON || tally->iterations == 0);
}

// ---------------------------------------------------------------------------- trials

// CLEAR: as wide as may be, and it looks only when its bodies have moved far enough.
enum { ALONE, ONE, TWO, FOUR, EIGHT, CLEAR, WORLDS };

static const line_kernel* kernel_of(int which) {
    if (which == CLEAR) return sis_wide(sis_widest())->line;
    const int32_t width = 1 << (which - ONE);
    return width <= sis_widest() ? sis_wide(width)->line : NULL;
}

enum { SLEEP, SOUND, WAKE, TALLY, BITS, LAWS };
static const char* const law_names[LAWS] = {"a sleeper is not asleep", "tally", "who is awake",
                                            "tally of the line", "bits of single contacts"};

static void print_trial(const trial* t, int number, int sample) {
    const contact_law* law = &t->law;
    printf("  trial %d sample %d: scheme %d release %d midpoint %d restitution %d alpha %g GK %g "
           "nu %g, %d points from %d, below %d ends %d above %d ends %d\n",
           number, sample, (int)law->scheme, law->release, law->midpoint, law->restitution,
           law->power.alpha, t->line.G[0] * law->power.K, law->nu, (int)t->line.count,
           (int)t->line.first, t->line.below.group >= 0, t->line.below.ends,
           t->line.above.group >= 0, t->line.above.ends);
}

// Who may touch, as the world `which` finds it; false: nobody.
static bool wake_world(const trial* t, const contact_line* line, world* w, int which, double clear,
                       bool* good) {
    const body_motion motion = motion_of(w, t->turn);
    const contact_memory memory = memory_of(w);
    const line_place place = {&motion, &memory, w->force, w->awake, w->near};
    if (which == CLEAR) {
        double fastest[2] = {0};
        for (int side = 0; side < 2; side++)
            fastest[side] =
                line->kernel->largest(motion.next + t->side_first[side], t->side_count[side]);
        const double before = w->state.clear;
        const bool any = sis_line_wake(line, &w->state, fastest, false, &place);
        met.skipped += !any && w->state.clear < before;
        return any;
    }
    double found = NAN;
    const bool any = line->kernel->wake(line, &place, &found);
    *good &= found == clear;
    return any;
}

// One world through one sample, after that of single contacts.
static void one_world(const trial* t, world* worlds, int which, double clear, bool* good) {
    world *w = &worlds[which], *alone = &worlds[ALONE];
    contact_line line = t->line;
    line.kernel = kernel_of(which);
    if (which == CLEAR) line.watch = LINE_CLEAR;
    fly(t, w);
    const bool any = wake_world(t, &line, w, which, clear, &good[WAKE]);
    good[WAKE] &=
        any == (points_in(alone->near) > 0) && (!any || same(w->near, alone->near, sizeof w->near));
    w->tally = (line_tally){0};
    if (any) {
        const body_motion motion = motion_of(w, t->turn);
        const contact_memory memory = memory_of(w);
        const line_place place = {&motion, &memory, w->force, w->awake, w->near};
        w->tally = sis_line_solve(&line, &w->state, &place);
        good[TALLY] &= w->state.awake == w->tally.awake;
    }
    good[TALLY] &= same_tally(&w->tally, &alone->tally);
    apply_forces(t, w);
    good[BITS] &= same_world(t, w, alone);
}

// False: it went wrong, and has said where.
static bool one_sample(trial* t, world* worlds, int number, int sample) {
    bool good[LAWS] = {true, true, true, true, true};
    const long failures = check_now.failures;
    world* alone = &worlds[ALONE];
    strike(t);
    fly(t, alone);
    const double clear = mark_plainly(t, alone);
    good[SLEEP] = sleep_well(t, alone);
    solve_alone(t, alone);
    good[SOUND] = sound_tally(t, &alone->tally);
    apply_forces(t, alone);
    for (int which = ONE; which < WORLDS; which++)
        if (kernel_of(which)) one_world(t, worlds, which, clear, good);
    note_sample(t, alone);
    t->turn = !t->turn;
    for (int i = 0; i < LAWS; i++) {
        CHECK(good[i]);
        if (!good[i]) printf("  %s\n", law_names[i]);
    }
    if (check_now.failures == failures) return true;
    print_trial(t, number, sample);
    return false;
}

static void lines_have_the_bits_and_laws_of_single_contacts_at_every_width(void) {
    static world worlds[WORLDS];
    static trial t;
    for (int number = 0; number < LINES; number++) {
        new_trial(number, &t);
        for (int w = 0; w < WORLDS; w++)
            new_world(&t, &worlds[w]);
        for (int n = 0; n < SAMPLES; n++)
            if (!one_sample(&t, worlds, number, n)) break;
    }
    printf("  %d lines, %ld samples, %ld awake points (%ld asleep), %ld of sets not full; entering "
           "%ld, leaving %ld, rebounding %ld, resting %ld, nobody near %ld\n",
           LINES, met.samples, met.awake, met.sleeping, met.short_sets, met.entering, met.leaving,
           met.rebounding, met.resting, met.flying);
    printf("  samples with loss %ld, points that owe %ld, samples that push %ld, clear and not "
           "looked at %ld\n",
           met.lossy, met.owed, met.accumulated, met.skipped);
    printf("  E+ - E - r F/2: at most %.1e of what flows, %.1e with loss; powers of ledger %g, %g "
           "with loss\n",
           met.unbalanced[0], met.unbalanced[1], met.powers[0], met.powers[1]);
    CHECK(met.entering > LINES && met.leaving > LINES && met.rebounding > LINES &&
          met.resting > LINES);
    CHECK(met.flying > LINES && met.sleeping > LINES && met.short_sets > LINES);
    CHECK(met.lossy > LINES && met.owed > LINES && met.accumulated > LINES && met.skipped > LINES);
}

int main(void) {
    RUN(lines_have_the_bits_and_laws_of_single_contacts_at_every_width);
    return CHECK_REPORT();
}
