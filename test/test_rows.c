// Rows of contacts along a string: solved one, two, four or eight at a time they give the same
// bits, those of single contacts too; who sleeps has nothing to say; and through the public
// interface a string on several rows, or on none, does what the dense reference does.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "string_reference.h"
#undef PI
#include "step/system.h"
#include "wide/width.h"

#if SANITIZED
enum { ROWS = 60, SAMPLES = 300 };
#else
enum { ROWS = 400, SAMPLES = 1500 };
#endif
enum { MOST_POINTS = 140, WORDS = 3, DOFS = 2 * MOST_POINTS + 2 * STRING_EDGE };
enum { PLANE = MOST_POINTS + 2 * ROW_BEHIND };

// ---------------------------------------------------------------------------- a row by itself

// What one way of solving moves.
typedef struct world {
    double u[DOFS], increment[2][DOFS];
    double cells[ROW_FIELDS * PLANE];
    double force[MOST_POINTS + ROW_BEHIND];
    uint64_t awake[WORDS], near[WORDS]; // bits
    row_tally tally;
} world;

typedef struct trial {
    network_row row;
    network_link link;
    double offset[MOST_POINTS + ROW_BEHIND];
    int32_t below[MOST_POINTS], above[MOST_POINTS]; // -1: at rest
    double weight;            // m, what gravity adds to an increment: into the contact
    double blow[MOST_POINTS]; // m, the same of a blow in this sample
    int turn;
    uint64_t seed;
} trial;

static body_motion motion_of(world* w, int turn) {
    return (body_motion){.u = w->u, .d = w->increment[turn], .next = w->increment[!turn]};
}

// A law, a scheme and a row at random: a string over a bed, under a ceiling or over a string; from
// so soft that nothing stops to so hard that nothing enters.
static trial new_trial(int number) {
    static const double alphas[] = {1, 1.5, 2, 2.5, 3, 1.4, 2.3, 1.1, 5.7};
    static const struct {
        sis_scheme scheme;
        bool release, midpoint;
    } ways[] = {{SIS_SCHEME_LEDGER, false, false},      {SIS_SCHEME_LEDGER, false, true},
                {SIS_SCHEME_NEWTON, false, false},      {SIS_SCHEME_NEWTON, false, true},
                {SIS_SCHEME_QUADRATISED, false, false}, {SIS_SCHEME_QUADRATISED, true, false},
                {SIS_SCHEME_EXACT, false, false}};
    trial t = {.seed = (uint64_t)number + 1};
    network_row* row = &t.row;
    const int sides = (int)(3 * random_unit(&t.seed)), way = number % 7;
    const bool line = ways[way].scheme == SIS_SCHEME_EXACT; // the closed form of alpha = 1
    const double alpha = line ? 1 : alphas[number / 7 % 9];
    row->count = 1 + (int32_t)((number % 6 ? 40 : MOST_POINTS) * random_unit(&t.seed));
    row->first = 0;
    row->plane = PLANE;
    for (int32_t j = 0; j < row->count; j++) {
        t.below[j] = sides == 0 ? -1 : 2 + j;
        t.above[j] = sides == 1 ? -1 : 2 + MOST_POINTS + STRING_EDGE + j;
    }
    row->watch = -1;
    row->give_below = sides == 0 ? 0 : random_log(&t.seed, 1e-7, 1e-3);
    row->give_above = sides == 1 ? 0 : random_log(&t.seed, 1e-7, 1e-3);
    row->G = row->give_below + row->give_above;
    const double stiff = random_log(&t.seed, 1e-4, 1e8); // G f of a depth of 0.1 mm, over the depth
    const double K = stiff / (row->G * pow(1e-4, alpha - 1));
    row->law = sis_power_law_make(SIS_LAW_ONE_SIDED, K, alpha, 0);
    row->scheme = ways[way].scheme;
    row->release = ways[way].release;
    row->midpoint = ways[way].midpoint;
    t.link = (network_link){.kind = LINK_CONTACT,
                            .power = row->law,
                            .scheme = row->scheme,
                            .release = row->release,
                            .midpoint = row->midpoint,
                            .line = line,
                            .G = row->G};
    for (int32_t j = 0; j < row->count; j++)
        t.offset[j] = -1e-3 * random_unit(&t.seed);
    for (int32_t j = row->count; j < row->count + ROW_BEHIND; j++)
        t.offset[j] = -HUGE_VAL;
    t.weight = random_log(&t.seed, 1e-9, 1e-6);
    return t;
}

// The places of its points, as a row has them.
static void set_places(trial* t) {
    t->row.offset = t->offset;
    t->row.below = t->below[0] < 0 ? NULL : t->below;
    t->row.above = t->above[0] < 0 ? NULL : t->above;
}

// One side: a string at rest beyond its last points, under gravity, a blow and a little loss.
static void fly_side(const int32_t* at, int32_t count, double weight, const double* blow,
                     double sign, const body_motion* m) {
    for (int32_t j = 0; j < count; j++) {
        const int32_t i = at[j];
        const double left = j > 0 ? m->u[at[j - 1]] : 0;
        const double right = j + 1 < count ? m->u[at[j + 1]] : 0;
        const double curve = (right - m->u[i]) - (m->u[i] - left);
        m->next[i] = m->d[i] + 0.2 * curve - 0.01 * m->d[i] + sign * (weight + blow[j]);
    }
    for (int32_t j = 0; j < count; j++)
        m->u[at[j]] += m->next[at[j]];
}

static void fly(const trial* t, world* w) {
    const body_motion m = motion_of(w, t->turn);
    const network_row* row = &t->row;
    if (row->below) fly_side(row->below, row->count, t->weight, t->blow, 1, &m);
    if (row->above) fly_side(row->above, row->count, t->weight, t->blow, -1, &m);
}

// Now and then some neighbours get a blow.
static void strike(trial* t) {
    memset(t->blow, 0, sizeof t->blow);
    if (random_unit(&t->seed) > 0.03) return;
    const int32_t count = t->row.count, at = (int32_t)(count * random_unit(&t->seed));
    const int32_t width = 1 + (int32_t)(6 * random_unit(&t->seed));
    const double by = random_log(&t->seed, 1e-7, 1e-3) * (random_unit(&t->seed) < 0.5 ? -1 : 1);
    for (int32_t j = at; j < count && j < at + width; j++)
        t->blow[j] = by;
}

// ---------------------------------------------------------------------------- point by point

static double between(const network_row* row, const double* values, int32_t j) {
    const double below = row->below ? values[row->below[j]] : 0;
    return below - (row->above ? values[row->above[j]] : 0);
}

// Who has to be looked at, said plainly.
static void mark_plainly(const network_row* row, world* w) {
    memset(w->near, 0, sizeof w->near);
    for (int32_t j = 0; j < row->count; j++)
        if (network_row_awake(w->awake, j) || row->offset[j] + between(row, w->u, j) > 0)
            w->near[j / ROW_WORD] |= (uint64_t)1 << j % ROW_WORD;
}

// What a point remembers, as a contact by itself has it.
static contact_memory recall(const world* w, int32_t j) {
    const double* cell = w->cells + j;
#define FIELD(name) cell[ROW_##name * PLANE]
    return (contact_memory){.eta = FIELD(ETA),
                            .before = FIELD(BEFORE),
                            .E = FIELD(ENERGY),
                            .psi = FIELD(PSI),
                            .force = FIELD(FORCE),
                            .phi_before = FIELD(PHI_BEFORE),
                            .mark_depth = FIELD(MARK_DEPTH),
                            .mark_phi = FIELD(MARK_PHI)};
}

static void keep(world* w, int32_t j, const contact_memory* m) {
    double* cell = w->cells + j;
    FIELD(ETA) = m->eta;
    FIELD(BEFORE) = m->before;
    FIELD(ENERGY) = m->E;
    FIELD(PSI) = m->psi;
    FIELD(FORCE) = m->force;
    FIELD(PHI_BEFORE) = m->phi_before;
    FIELD(MARK_DEPTH) = m->mark_depth;
    FIELD(MARK_PHI) = m->mark_phi;
#undef FIELD
}

// A point that slept takes its eta from the bodies.
static void rouse(const network_row* row, const body_motion* m, int32_t j, contact_memory* at) {
    at->eta = (row->offset[j] + between(row, m->u, j)) - between(row, m->next, j);
    at->before = at->eta - between(row, m->d, j);
}

static void tally_point(const contact_memory* at, double force, const contact_cost* cost,
                        row_tally* tally) {
    const double depth = at->before > 0 ? at->before : 0; // already advanced: eta^n
    tally->most = fmax(tally->most, force);
    tally->least = fmin(tally->least, force);
    tally->deepest = fmax(tally->deepest, depth);
    tally->lowest = fmin(tally->lowest, at->E);
    tally->inside += depth > 0;
    if (force == 0 && depth == 0 && at->eta <= 0) tally->held += at->E;
    if (cost->powers > tally->powers) tally->powers = cost->powers;
    if (cost->iterations > tally->iterations) tally->iterations = cost->iterations;
}

// As published, quadratised gives no force while it is open, whatever it holds: it sleeps on it.
static bool may_hold(const network_row* row) {
    return row->scheme == SIS_SCHEME_QUADRATISED && !row->release;
}

// The same problems by the schemes of single contacts.
static void solve_alone(const trial* t, world* w) {
    const network_row* row = &t->row;
    const body_motion m = motion_of(w, t->turn);
    w->tally = (row_tally){0};
    for (int32_t j = 0; j < row->count; j++) {
        if (!network_row_awake(w->near, j)) continue;
        contact_memory here = recall(w, j), *at = &here;
        if (!network_row_awake(w->awake, j)) rouse(row, &m, j, at);
        contact_cost cost = {0};
        double force, travel;
        const double free = between(row, m.next, j) + between(row, m.d, j);
        sis_network_alone(&t->link, 1, at, free, row->G, &cost, &force, &travel);
        const double now = at->eta;
        at->eta = at->before + travel;
        at->before = now;
        w->force[j] = force;
        for (int side = 0; side < 2; side++) {
            const int32_t* at_side = side ? row->above : row->below;
            if (!at_side) continue;
            const double more = side ? row->give_above * force : -(row->give_below * force);
            m.next[at_side[j]] += more;
            m.u[at_side[j]] += more;
        }
        const uint64_t bit = (uint64_t)1 << j % ROW_WORD;
        w->awake[j / ROW_WORD] &= ~bit;
        if (at->eta > 0 || at->before > 0 || force != 0 || (at->E != 0 && !may_hold(row)))
            w->awake[j / ROW_WORD] |= bit;
        tally_point(at, force, &cost, &w->tally);
        keep(w, j, at);
    }
    if (!may_hold(row) || w->tally.held == 0) return;
    w->tally.held = 0; // another one fell asleep on what it holds: all sleepers together
    for (int32_t j = 0; j < row->count; j++)
        if (!network_row_awake(w->awake, j)) w->tally.held += recall(w, j).E;
}

// ---------------------------------------------------------------------------- laws of a sample

// What was met, so that no case passes because nothing happened.
static struct {
    long samples, short_sets, entering, leaving, rebounding, resting, sleeping, flying, awake;
} met;

static bool same(const void* a, const void* b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// Every number that one way of solving leaves.
static bool same_world(const world* a, const world* b, int32_t count) {
    const size_t points = (size_t)count;
    return same(a->u, b->u, sizeof a->u) && same(a->increment, b->increment, sizeof a->increment) &&
           same(a->cells, b->cells, sizeof a->cells) &&
           same(a->force, b->force, points * sizeof a->force[0]) &&
           same(a->awake, b->awake, sizeof a->awake);
}

static bool same_tally(const row_tally* a, const row_tally* b) {
    return a->most == b->most && a->least == b->least && a->deepest == b->deepest &&
           a->lowest == b->lowest && a->held == b->held && a->inside == b->inside &&
           a->powers == b->powers && a->iterations == b->iterations;
}

static int points_near(const world* w) {
    int count = 0;
    for (int32_t j = 0; j < WORDS * ROW_WORD; j++)
        count += network_row_awake(w->near, j);
    return count;
}

// A point that is not near sleeps: outside now and next, no force, no energy to give, and a
// scheme that was asked would give no force either.
static bool sleep_well(const trial* t, world* w) {
    bool well = true;
    const body_motion m = motion_of(w, t->turn);
    for (int32_t j = 0; j < t->row.count; j++) {
        if (network_row_awake(w->near, j)) continue;
        met.sleeping++;
        contact_memory at = recall(w, j);
        const double held = at.E;
        well &=
            !network_row_awake(w->awake, j) && w->force[j] == 0 && (held == 0 || may_hold(&t->row));
        rouse(&t->row, &m, j, &at);
        well &= t->row.offset[j] + between(&t->row, m.u, j) <= 0 && at.eta <= 1e-15;
        contact_cost cost = {0};
        double force, travel;
        const double free = between(&t->row, m.next, j) + between(&t->row, m.d, j);
        sis_network_alone(&t->link, 1, &at, free, t->row.G, &cost, &force, &travel);
        well &= force == 0 && at.E == held;
    }
    return well;
}

static void note_sample(const world* w) {
    const int count = points_near(w);
    met.samples++;
    met.awake += count;
    met.flying += count == 0;
    for (int32_t j = 0; j < WORDS * ROW_WORD; j += 4)
        met.short_sets += (w->near[j / ROW_WORD] >> j % ROW_WORD & 15) % 15 != 0;
    for (int32_t j = 0; j < WORDS * ROW_WORD; j++) {
        if (!network_row_awake(w->near, j)) continue;
        const contact_memory at = recall(w, j);
        const double eta = at.eta, now = at.before, moved = eta - now;
        met.entering += now <= 0 && eta > 0;
        met.leaving += now > 0 && eta <= 0;
        met.rebounding += now > 0 && eta > 0 && moved < 0;
        met.resting += now > 0 && fabs(moved) < 1e-3 * now;
    }
}

// What no tally may say.
static bool sound_tally(const trial* t, const row_tally* tally) {
    const bool ledger = t->row.scheme == SIS_SCHEME_LEDGER;
    const bool pushes = t->row.scheme != SIS_SCHEME_QUADRATISED || t->row.release;
    const uint32_t most = t->row.law.alpha <= 4 ? 5 : 12;
    return (!ledger || tally->powers <= most) &&
           (!pushes || tally->least >= -1e-12 * tally->most) && tally->lowest >= 0 &&
           tally->held >= 0 && tally->deepest >= 0 && (tally->inside > 0) == (tally->deepest > 0) &&
           (t->row.scheme == SIS_SCHEME_NEWTON || tally->iterations == 0);
}

// ---------------------------------------------------------------------------- trials

enum { ALONE, ONE, TWO, FOUR, EIGHT, WORLDS };

static const row_kernel* kernel_of(int which) {
    int32_t lanes = 1 << (which - ONE);
    return lanes <= sis_widest() ? sis_wide(lanes)->row : NULL;
}

static void print_trial(const trial* t, int number, int sample) {
    printf("  trial %d sample %d: scheme %d release %d midpoint %d alpha %g GK %g, %d points, "
           "below %d above %d\n",
           number, sample, (int)t->row.scheme, t->row.release, t->row.midpoint, t->row.law.alpha,
           t->row.G * t->row.law.K, (int)t->row.count, t->row.below != NULL, t->row.above != NULL);
}

// False: it went wrong, and has said where.
static bool one_sample(trial* t, world* worlds, int number, int sample) {
    bool good[6] = {true, true, true, true, true, true};
    strike(t);
    for (int w = 0; w < WORLDS; w++) {
        world* at = &worlds[w];
        if (w != ALONE && !kernel_of(w)) continue;
        fly(t, at);
        if (w == ALONE) {
            mark_plainly(&t->row, at);
            good[0] = sleep_well(t, at);
            solve_alone(t, at);
            good[1] = sound_tally(t, &at->tally);
            continue;
        }
        const body_motion m = motion_of(at, t->turn);
        bool any = kernel_of(w)->wake(&t->row, &m, at->awake, at->near, ROW_LOOKS_ROUND);
        good[2] &=
            same(at->near, worlds[ALONE].near, sizeof at->near) && any == (points_near(at) > 0);
        at->tally = kernel_of(w)->solve(&t->row, &m, at->cells, at->force, at->awake, at->near);
        good[3] &= same_tally(&at->tally, &worlds[ALONE].tally);
        good[4] &= same_world(at, &worlds[ALONE], t->row.count);
        if (w > ONE) good[5] &= same_world(at, &worlds[ONE], t->row.count);
    }
    note_sample(&worlds[ALONE]);
    t->turn = !t->turn;
    bool all = true;
    for (int i = 0; i < 6; i++) {
        CHECK(good[i]);
        if (!good[i])
            printf("  %s\n", (const char*[]){"a sleeper is not asleep", "tally", "who is awake",
                                             "tally of the row", "bits of single contacts",
                                             "bits of one lane"}[i]);
        all &= good[i];
    }
    if (!all) print_trial(t, number, sample);
    return all;
}

static void rows_have_the_same_bits_at_every_width_and_those_of_single_contacts(void) {
    static world worlds[WORLDS];
    for (int number = 0; number < ROWS; number++) {
        trial t = new_trial(number);
        set_places(&t);
        memset(worlds, 0, sizeof worlds);
        for (int n = 0; n < SAMPLES; n++)
            if (!one_sample(&t, worlds, number, n)) break;
    }
    printf("  %d rows, %ld samples, %ld awake points (%ld asleep), %ld of sets not full; entering "
           "%ld, leaving %ld, rebounding %ld, resting %ld, nobody near %ld\n",
           ROWS, met.samples, met.awake, met.sleeping, met.short_sets, met.entering, met.leaving,
           met.rebounding, met.resting, met.flying);
    CHECK(met.entering > ROWS && met.leaving > ROWS && met.rebounding > ROWS && met.resting > ROWS);
    CHECK(met.flying > ROWS && met.sleeping > ROWS && met.short_sets > ROWS);
}

// ---------------------------------------------------------------------------- whole strings

static const double push_peak = 4, push_width = 1.5e-3, push_start = 0.4e-3;

// A barrier under [from, to], or at every second node; which rows that makes.
typedef enum bed_kind { ONE_BED, TWO_BEDS, SECOND_NODES, BED_KINDS } bed_kind;

static void add_contact(sis_scene* scene, sis_id string, const sis_barrier_def* bed, double K,
                        double alpha, int32_t order, const method* how) {
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = put(scene, SIS_KIND_BARRIER, bed);
    contact.K = K;
    contact.alpha = alpha;
    contact.interpolation = order;
    contact.scheme = how->scheme;
    contact.release = how->release;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
}

static sis_system* string_on(bed_kind kind, const sis_string_def* def, double alpha,
                             const method* how) {
    static double nodes[REF_DOFS];
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    sis_barrier_def bed = sis_barrier_default();
    bed.height = -2e-4;
    if (kind == ONE_BED) add_contact(scene, string, &bed, 1e8, alpha, 3, how);
    if (kind == TWO_BEDS) {
        bed.from = 0;
        bed.to = 0.31 * def->length;
        add_contact(scene, string, &bed, 1e8, alpha, 3, how);
        bed.from = 0.33 * def->length;
        bed.to = def->length;
        add_contact(scene, string, &bed, 3e9, alpha, 3, how);
    }
    if (kind == SECOND_NODES) {
        for (int i = 0; 2 * i + 1 < def->segments; i++)
            nodes[i] = def->length * (2 * i + 1) / def->segments;
        bed.at = (sis_list){nodes, def->segments / 2};
        add_contact(scene, string, &bed, 1e6, alpha, 0, how);
    }
    put_push(scene, string, 0.17, push_peak, push_width, push_start);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    return compiled(scene, SHORT_RATE);
}

static ref* reference_on(bed_kind kind, const sis_string_def* def, double alpha, const method* how,
                         const sis_system* system) {
    const sis_body_info used = sis_system_body(system, 0);
    ref* r = ref_new(SHORT_RATE, how->scheme, how->potential == SIS_POTENTIAL_MIDPOINT);
    const double L = def->length, level = -2e-4;
    const int body = ref_string(r, def, &used);
    ref_push(r, body, 0.17);
    if (kind == ONE_BED) ref_bed(r, body, 0, L, NULL, level, 1e8, alpha);
    if (kind == TWO_BEDS) {
        ref_bed(r, body, 0, 0.31 * L, NULL, level, 1e8, alpha);
        ref_bed(r, body, 0.33 * L, L, NULL, level, 3e9, alpha);
    }
    for (int i = 0; kind == SECOND_NODES && 2 * i + 1 < def->segments; i++) {
        const int c = ref_contact(r, 1e6, alpha, level);
        ref_read(r, body, L * (2 * i + 1) / def->segments, 0, -1, r->col[c]);
    }
    return r;
}

static double shown_apart(const run* r, const ref* other, const ref* twin, const real* row, int n,
                          double* shaken) {
    real at = 0, beside = 0;
    for (int j = 0; j < other->dofs; j++) {
        at += row[j] * (n ? other->u[j] : other->before[j]);
        beside += row[j] * (n ? twin->u[j] : twin->before[j]);
    }
    *shaken = fmax(*shaken, fabs((double)(beside - at)));
    return fabs(run_at(r, n, 0) - (double)at);
}

// The program from the reference, over what a push that is off by its last bit would change (see
// test_string_reference.c).
static void string_against_reference(bed_kind kind, double alpha, const method* how) {
    enum { FRAMES = 120 };
    sis_string_def def = string_as(string_short(), &string_kinds[FD]);
    def.segments = 24;
    sis_system* system = string_on(kind, &def, alpha, how);
    CHECK(system->row_count == (kind == ONE_BED ? 1 : kind == TWO_BEDS ? 2 : 0));
    ref *other = reference_on(kind, &def, alpha, how, system), *twin = malloc(sizeof *twin);
    if (!twin) exit(1);
    memcpy(twin, other, sizeof *twin);
    real row[REF_DOFS] = {0};
    ref_read(other, 0, 0.411, 3, 1, row);
    run r = run_system(system, FRAMES, 17);
    double worst = 0, shaken = 0, reach = 0;
    ref_start(other, push_at(push_peak, push_width, push_start, 0));
    ref_start(twin, push_at(push_peak, push_width, push_start, 0));
    for (int n = 0; n < FRAMES; n++) {
        const double F = push_at(push_peak, push_width, push_start, n * other->k);
        const double off = shown_apart(&r, other, twin, row, n, &shaken);
        if (!(off <= worst)) worst = off;
        reach = fmax(reach, fabs(run_at(&r, n, 0)));
        if (n) ref_step(other, F);
        if (n) ref_step(twin, F * (1 + 0x1p-52));
    }
    CHECK_NEAR(worst / reach, 0, 1e-12 + 1000 * shaken / reach);
    CHECK_NEAR(shaken / reach, 0, 1e-6); // else the case proves nothing
    for (int32_t i = 0; i < sis_system_link_count(r.system); i++)
        CHECK(sis_state_link(r.system, r.state, i).max_penetration > 0);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
    free(other);
    free(twin);
}

static void strings_on_rows_and_beside_them_agree_with_the_dense_reference(void) {
    static const method hows[] = {
        {"newton", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MEAN},
        {"newton mid", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MIDPOINT},
        {"quadratised", SIS_SCHEME_QUADRATISED, false, SIS_POTENTIAL_MEAN}};
    static const double alphas[] = {1, 1.4, 1.5, 2, 2.3, 2.5, 3};
    for (int kind = 0; kind < BED_KINDS; kind++)
        for (int how = 0; how < 3; how++)
            for (int a = 0; a < 7; a++)
                string_against_reference((bed_kind)kind, alphas[a], &hows[how]);
}

// ledger is not the reference's scheme: its books must close, and what it does is what newton does
// but for the little it leaves of the root.
static void ledger_on_rows_balances_and_stays_with_newton(void) {
    enum { FRAMES = 120 };
    static const method ledger = {"ledger", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MEAN};
    static const method newton = {"newton", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MEAN};
    sis_string_def def = string_as(string_short(), &string_kinds[FD]);
    def.segments = 24;
    for (int kind = 0; kind < BED_KINDS; kind++) {
        run a = run_system(string_on((bed_kind)kind, &def, 1.4, &ledger), FRAMES, 17);
        run b = run_system(string_on((bed_kind)kind, &def, 1.4, &newton), FRAMES, 64);
        double worst = 0, reach = 0;
        for (int n = 0; n < FRAMES; n++) {
            worst = fmax(worst, fabs(run_at(&a, n, 0) - run_at(&b, n, 0)));
            reach = fmax(reach, fabs(run_at(&b, n, 0)));
        }
        CHECK_NEAR(run_residual(&a), 0, 1e-12);
        CHECK_NEAR(worst / reach, 0, 1e-5);
        printf("  ledger is %.1e from newton\n", worst / reach);
        run_free(&a);
        run_free(&b);
    }
}

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The depth that ledger finds for a contact that closes in one step (or, `strong`, is pressed from
// a depth to many times that), against the converged one.
static double entry_error(double alpha, double stiff, bool strong, uint64_t* seed) {
    const double w = (strong ? 1 : -1) * random_log(seed, 1e-8, 1e-4), G = 1e-3;
    const double ahead = strong ? w * random_log(seed, 3, 50) : random_log(seed, 1e-8, 1e-4);
    const power_law law =
        sis_power_law_make(SIS_LAW_ONE_SIDED, stiff / (G * pow(1e-4, alpha - 1)), alpha, 0);
    const contact_problem p = {.now = strong ? 3 * w : -1,
                               .before = w,
                               .free = ahead - w,
                               .G = G,
                               .phi_before = power_phi(&law, strong ? w : 0)};
    contact_memory a = {0}, b = {0};
    contact_cost cost = {0};
    const double z = w + sis_ledger_root(&law, &p, &a, &cost).travel;
    return fabs(z / (w + sis_newton_root(&law, &p, &b, &cost).travel) - 1);
}

static void entering_contacts_are_near_the_root_however_stiff(void) {
    enum { TRIALS = 2000 };
    static const double alphas[] = {1, 1.4, 1.5, 2.3, 3, 5};
    static double off[TRIALS];
    uint64_t seed = 11;
    for (int strong = 0; strong < 2; strong++) {
        double often = 0, worst = 0;
        for (int a = 0; a < 6; a++)
            for (double stiff = 1e-4; stiff < 1e13; stiff *= 100) {
                for (int i = 0; i < TRIALS; i++)
                    off[i] = entry_error(alphas[a], stiff, strong, &seed);
                qsort(off, TRIALS, sizeof off[0], by_size);
                CHECK_NEAR(off[TRIALS * 99 / 100], 0, 1e-3);
                CHECK_NEAR(off[TRIALS - 1], 0, 0.01);
                often = fmax(often, off[TRIALS * 99 / 100]);
                worst = fmax(worst, off[TRIALS - 1]);
            }
        printf("  %s: depth off by at most %.1e in 99 of 100, %.1e in all\n",
               strong ? "pressed" : "closing", often, worst);
    }
}

// The force that ledger finds for a soft contact, which takes one step to the root: inside, moving
// by up to half its depth, or as it enters; against the converged one.
static double soft_error(double alpha, bool enters, uint64_t* seed) {
    const double w = (enters ? -1 : 1) * random_log(seed, 1e-6, 1e-4), G = 1e-3;
    const double zf = enters ? random_log(seed, 1e-6, 1e-4) : w * (0.5 + random_unit(seed));
    const double soft = random_log(seed, 1e-6, 1e-2); // G f over the depth
    const power_law law =
        sis_power_law_make(SIS_LAW_ONE_SIDED, soft / (G * pow(zf, alpha - 1)), alpha, 0);
    const double now = 0.5 * (w + zf), last = power_depth(&law, now);
    const contact_problem p = {.now = now,
                               .before = w,
                               .free = zf - w,
                               .G = G,
                               .phi_before = power_phi(&law, power_depth(&law, w)),
                               .force_before = power_force(&law, last, power_phi(&law, last))};
    contact_memory a = {0}, b = {0};
    contact_cost cost = {0};
    const double f = sis_ledger_root(&law, &p, &a, &cost).force;
    return fabs(f / sis_newton_root(&law, &p, &b, &cost).force - 1);
}

static void soft_contacts_need_one_step(void) {
    enum { TRIALS = 20000 };
    static const double alphas[] = {1, 1.4, 1.5, 2.3, 3};
    uint64_t seed = 5;
    double worst[2] = {0, 0};
    for (int a = 0; a < 5; a++)
        for (int i = 0; i < TRIALS; i++)
            for (int enters = 0; enters < 2; enters++) {
                const double off = soft_error(alphas[a], enters, &seed);
                if (!(off <= worst[enters])) worst[enters] = off;
            }
    printf("  force off by at most %.1e inside, %.1e entering\n", worst[0], worst[1]);
    CHECK_NEAR(worst[0], 0, 5e-12);
    CHECK_NEAR(worst[1], 0, 2e-7);
}

// A string that watches its floor does what one does whose rows look every time: while a force
// acts, and after it has ended.
static void watching_strings_have_the_bits_of_others(void) {
    static const method ledger = {"ledger", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MEAN};
    sis_string_def def = string_as(string_short(), &string_kinds[FD]);
    def.segments = 30;
    for (int kind = 0; kind < BED_KINDS; kind++) {
        sis_system* a = string_on((bed_kind)kind, &def, 1.4, &ledger);
        sis_system* b = string_on((bed_kind)kind, &def, 1.4, &ledger);
        const size_t size = sis_state_size(a);
        char *at = aligned_alloc(64, size), *other = aligned_alloc(64, size);
        sis_state_init(a, at);
        sis_state_init(b, other);
        int watched = 0;
        for (int32_t r = 0; r < b->row_count; r++) {
            watched += b->rows[r].watch >= 0;
            b->rows[r].watch = -1;
        }
        CHECK(watched == b->row_count && (watched > 0 || kind == SECOND_NODES));
        for (int n = 0; n < 40; n++) {
            sis_step(a, (sis_state*)at, &(sis_block){.frames = 37});
            sis_step(b, (sis_state*)other, &(sis_block){.frames = 37});
            CHECK(memcmp(at, other, size) == 0);
        }
        CHECK(sis_state_link(a, (sis_state*)at, 0).contact_samples > 0);
        free(at);
        free(other);
        sis_system_free(a);
        sis_system_free(b);
    }
}

int main(void) {
    RUN(rows_have_the_same_bits_at_every_width_and_those_of_single_contacts);
    RUN(strings_on_rows_and_beside_them_agree_with_the_dense_reference);
    RUN(ledger_on_rows_balances_and_stays_with_newton);
    RUN(entering_contacts_are_near_the_root_however_stiff);
    RUN(soft_contacts_need_one_step);
    RUN(watching_strings_have_the_bits_of_others);
    return CHECK_REPORT();
}
