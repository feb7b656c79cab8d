// Contact lines through the public interface: a string on one line or several does what the dense
// reference does; lines that watch, by a floor or by how far bodies have moved, do what those do
// that look in every sample; and how near ledger comes to the root in one sample.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "string_reference.h"
#undef PI
#include "step/system.h"

#if SANITIZED
enum { SCENES = 3, BLOCKS = 20 };
#else
enum { SCENES = 16, BLOCKS = 60 };
#endif

// ---------------------------------------------------------------------------- whole strings

static const double push_peak = 4, push_width = 1.5e-3, push_start = 0.4e-3;

// A barrier under [from, to], or at every second node; which lines that makes.
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
    CHECK(system->line_count == (kind == TWO_BEDS ? 2 : 1) && system->other_count == 0);
    CHECK(system->lines[0].watch == (kind == SECOND_NODES ? LINE_CLEAR : LINE_DETECTED));
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

static void strings_on_lines_agree_with_the_dense_reference(void) {
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
static void ledger_on_lines_balances_and_stays_with_newton(void) {
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
        CHECK_NEAR(worst / reach, 0, 1e-12);
        printf("  ledger is %.1e from newton\n", worst / reach);
        run_free(&a);
        run_free(&b);
    }
}

// ---------------------------------------------------------------------------- single samples

// What one point remembers: nothing yet.
typedef struct memory_room {
    double at[12];
} memory_room;

static contact_memory memory_in(memory_room* room) {
    double* at = room->at;
    return (contact_memory){at,     at + 1, at + 2, at + 3, at + 4,  at + 5,
                            at + 6, at + 7, at + 8, at + 9, at + 10, at + 11};
}

// Travel and force of a problem, by ledger or by newton.
static contact_root root_of(sis_scheme scheme, const power_law* law, const contact_problem* p) {
    memory_room room = {{0}};
    const contact_memory memory = memory_in(&room);
    contact_cost cost = {0};
    return scheme == SIS_SCHEME_LEDGER ? sis_ledger_root(law, p, &memory, 0, &cost)
                                       : sis_newton_root(law, p, &memory, 0, &cost);
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
    const double z = w + root_of(SIS_SCHEME_LEDGER, &law, &p).travel;
    return fabs(z / (w + root_of(SIS_SCHEME_NEWTON, &law, &p).travel) - 1);
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
                CHECK_NEAR(off[TRIALS * 99 / 100], 0, 1e-8);
                CHECK_NEAR(off[TRIALS - 1], 0, 1e-7);
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
    const double f = root_of(SIS_SCHEME_LEDGER, &law, &p).force;
    return fabs(f / root_of(SIS_SCHEME_NEWTON, &law, &p).force - 1);
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
    CHECK_NEAR(worst[1], 0, 5e-12);
}

// ---------------------------------------------------------------------------- lines that watch

// What was met, so that no case passes because nothing happened.
static struct { long clear, closed, lines; } met;

// A state of one system, and room for a copy of it.
typedef struct player {
    sis_system* system;
    sis_state* state;
    sis_state* copy;
    double* rows;
} player;

enum { CUT = 37 }; // frames of a block

static player new_player(sis_system* system) {
    const size_t size = (sis_state_size(system) + 63) / 64 * 64;
    player p = {.system = system,
                .state = aligned_alloc(64, size),
                .copy = aligned_alloc(64, size),
                .rows = calloc((size_t)system->probe_count * CUT, sizeof(double))};
    if (!p.state || !p.copy || !p.rows) exit(1);
    sis_state_init(system, p.state);
    return p;
}

static void end_player(player* p) {
    free(p->state);
    free(p->copy);
    free(p->rows);
    sis_system_free(p->system);
}

// The next frames, then a copy of the state that does not say how clear lines are.
static void play(player* p) {
    sis_step(p->system, p->state, &(sis_block){.frames = CUT, .probes = p->rows});
    memcpy(p->copy, p->state, sis_state_size(p->system));
    const state_view view = sis_view(p->system, p->copy);
    for (int32_t l = 0; l < p->system->line_count; l++)
        view.lines[l].clear = 0;
}

// Every number of `a`, whose lines watch as `watch`, is that of `b`, which is the same but for its
// lines: they look in every sample.
static void watching_changes_nothing(sis_system* a, sis_system* b, line_watch watch, int blocks) {
    player one = new_player(a), two = new_player(b);
    const size_t size = sis_state_size(a);
    const size_t rows = (size_t)a->probe_count * CUT * sizeof(double);
    int watched = 0;
    for (int32_t l = 0; l < b->line_count; l++) {
        watched += b->lines[l].watch == watch;
        b->lines[l].watch = LINE_LOOKS;
    }
    CHECK(watched > 0 && watched == b->line_count);
    met.lines += watched;
    for (int n = 0; n < blocks; n++) {
        play(&one);
        play(&two);
        CHECK(memcmp(one.rows, two.rows, rows) == 0);
        CHECK(memcmp(one.copy, two.copy, size) == 0);
        const state_view view = sis_view(a, one.state);
        for (int32_t l = 0; l < a->line_count; l++)
            met.clear += view.lines[l].clear > 0 && view.lines[l].awake == 0;
    }
    for (int32_t i = 0; i < sis_system_link_count(a); i++)
        met.closed += (long)sis_state_link(a, one.state, i).contact_samples;
    end_player(&one);
    end_player(&two);
}

// While a force acts, and after it has ended.
static void watching_strings_have_the_bits_of_others(void) {
    static const method ledger = {"ledger", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MEAN};
    sis_string_def def = string_as(string_short(), &string_kinds[FD]);
    def.segments = 30;
    for (int kind = 0; kind < BED_KINDS; kind++) {
        const long closed = met.closed;
        watching_changes_nothing(string_on((bed_kind)kind, &def, 1.4, &ledger),
                                 string_on((bed_kind)kind, &def, 1.4, &ledger),
                                 kind == SECOND_NODES ? LINE_CLEAR : LINE_DETECTED, 40);
        CHECK(met.closed > closed);
    }
}

// A law, a scheme and a loss at random.
static sis_id put_random_contact(sis_scene* scene, sis_contact_def contact, double K,
                                 uint64_t* seed) {
    static const double alphas[] = {1, 1.5, 2.3};
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED};
    contact.alpha = alphas[(int)(3 * random_unit(seed))];
    contact.K = K * pow(1e4, contact.alpha - 1) * random_log(seed, 0.1, 100);
    contact.scheme = schemes[(int)(4 * random_unit(seed))];
    contact.release = contact.scheme == SIS_SCHEME_QUADRATISED && random_unit(seed) < 0.5;
    contact.damping = random_unit(seed) < 0.5 ? 0 : random_log(seed, 0.01, 1);
    return put(scene, SIS_KIND_CONTACT, &contact);
}

enum { FRETS = 8 };

// A string over frets, or (`two`) over another string at such places; each is pushed at random.
static sis_system* string_over_frets(int number, bool two) {
    uint64_t seed = (uint64_t)number + 7;
    double at[FRETS];
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_as(string_2019(), &string_kinds[number % 2 ? FD : FD_PLAIN]);
    def.sigma0 = 5 * random_unit(&seed);
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    sis_contact_def contact = sis_contact_default();
    sis_barrier_def frets = sis_barrier_default();
    contact.above = string;
    for (int i = 0; i < FRETS; i++)
        at[i] = def.length * (i + 0.2 + 0.6 * random_unit(&seed)) / FRETS;
    if (two) {
        def.tension *= random_log(&seed, 0.5, 1);
        contact.below = put(scene, SIS_KIND_STRING, &def);
        contact.at = (sis_list){at, FRETS};
        contact.gap = random_log(&seed, 1e-5, 1e-3);
        put_push(scene, contact.below, random_unit(&seed), 5 * random_unit(&seed) - 2, 1e-3, 2e-3);
    } else {
        frets.height = -random_log(&seed, 1e-5, 1e-3);
        frets.at = (sis_list){at, FRETS};
        contact.below = put(scene, SIS_KIND_BARRIER, &frets);
    }
    const sis_id touch = put_random_contact(scene, contact, 1e5, &seed);
    put_push(scene, string, 0.05 + 0.9 * random_unit(&seed), -10 * random_unit(&seed), 2e-3, 1e-4);
    put_push(scene, string, 0.05 + 0.9 * random_unit(&seed), 6 * random_unit(&seed) - 3, 1e-3,
             9e-3);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    put_pickup(scene, string, 0.83, SIS_QUANTITY_VELOCITY);
    put_probe(scene, touch, SIS_QUANTITY_FORCE);
    return compiled(scene, 44100);
}

// A plate or membrane thrown at a barrier under a part of it.
static sis_system* plate_over_area(int number) {
    uint64_t seed = (uint64_t)number + 99;
    sis_scene* scene = sis_scene_new();
    sis_plate_def def = sis_plate_default();
    const bool membrane = number % 2;
    def.length = 0.3;
    def.width = 0.22;
    def.thickness = membrane ? 3e-4 : 1e-3;
    def.material_density = 1200;
    def.youngs = membrane ? 0 : 4e9;
    def.tension = membrane ? 800 : 0;
    def.sigma0 = 5 * random_unit(&seed);
    sis_contact_def contact = sis_contact_default();
    contact.above = put(scene, SIS_KIND_PLATE, &def);
    sis_barrier_def bed = sis_barrier_default();
    bed.height = -random_log(&seed, 1e-5, 3e-4);
    bed.from = 0.3 * def.length * random_unit(&seed);
    bed.to = bed.from + def.length * (0.3 + 0.3 * random_unit(&seed));
    bed.from_y = 0.3 * def.width * random_unit(&seed);
    bed.to_y = bed.from_y + def.width * (0.3 + 0.3 * random_unit(&seed));
    contact.below = put(scene, SIS_KIND_BARRIER, &bed);
    const sis_id touch = put_random_contact(scene, contact, 1e8, &seed);
    sis_pluck_def thrown = sis_pluck_default();
    thrown.on = contact.above;
    thrown.velocity = random_unit(&seed) - 0.6;
    put(scene, SIS_KIND_PLUCK, &thrown);
    sis_probe_def spot = sis_probe_default();
    spot.on = contact.above;
    spot.at = 0.41 * def.length;
    spot.at_y = 0.37 * def.width;
    spot.quantity = SIS_QUANTITY_DISPLACEMENT;
    put(scene, SIS_KIND_PROBE, &spot);
    put_probe(scene, touch, SIS_QUANTITY_FORCE);
    return compiled(scene, 44100);
}

// Not before bodies have moved as far as the nearest point was away can one touch.
static void clear_lines_have_the_bits_of_those_that_look(void) {
    memset(&met, 0, sizeof met);
    for (int number = 0; number < SCENES; number++) {
        for (int two = 0; two < 2; two++)
            watching_changes_nothing(string_over_frets(number, two), string_over_frets(number, two),
                                     LINE_CLEAR, BLOCKS);
        watching_changes_nothing(plate_over_area(number), plate_over_area(number), LINE_CLEAR,
                                 BLOCKS);
    }
    printf("  %ld lines; asleep and clear at the end of %ld blocks of %d, %ld samples of contact\n",
           met.lines, met.clear, CUT, met.closed);
    CHECK(met.clear > met.lines && met.closed > 10 * met.lines);
}

int main(void) {
    RUN(strings_on_lines_agree_with_the_dense_reference);
    RUN(ledger_on_lines_balances_and_stays_with_newton);
    RUN(entering_contacts_are_near_the_root_however_stiff);
    RUN(soft_contacts_need_one_step);
    RUN(watching_strings_have_the_bits_of_others);
    RUN(clear_lines_have_the_bits_of_those_that_look);
    return CHECK_REPORT();
}
