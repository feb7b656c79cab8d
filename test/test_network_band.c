// Contacts of implicit and trapezoid strings, solved in the shape of the string: random strings,
// barriers, frets, hammers and springs. Each sample is solved twice from the same state, by the
// band and by the dense block, which have nothing in common but the laws.
#include "check.h"
#include "reference.h"

#include "step/system.h"
#include "wide/width.h"

#include <float.h>

enum { PROBES = 6, SAMPLES = SANITIZED ? 60 : 240 };

// What else is on the string.
typedef struct extras {
    bool hammer, spring, second;
    bool stiff; // contacts that yield as little as 1e-9 of what the string does
} extras;

typedef struct trial {
    uint64_t seed;
    double rate;
    sis_scheme scheme;
    sis_potential potential;
    extras with;
    double length;
    bool frets;
    sis_error error;
    char words[160]; // what it is, for failures
} trial;

static double unit(trial* t) {
    return random_unit(&t->seed);
}

static bool coin(trial* t) {
    return unit(t) < 0.5;
}

static double between(trial* t, double low, double high) {
    return random_log(&t->seed, low, high);
}

static sis_id added(const trial* t, sis_id id) {
    if (id == SIS_NONE) printf("%s\n", t->error.text);
    CHECK(id != SIS_NONE);
    return id;
}

static sis_id random_string(trial* t, sis_scene* scene) {
    sis_string_def def = sis_string_default();
    t->length = def.length = between(t, 0.3, 2);
    def.tension = between(t, 5, 300);
    def.density = between(t, 1e-3, 2e-2);
    if (unit(t) < 0.8) {
        def.radius = between(t, 5e-5, 8e-4);
        def.youngs = 2e11;
    }
    def.sigma0 = coin(t) ? between(t, 0.1, 10) : 0;
    def.sigma1 = coin(t) ? between(t, 1e-5, 1e-3) : 0;
    def.model = coin(t) ? SIS_STRING_IMPLICIT : SIS_STRING_TRAPEZOID;
    def.tuned = coin(t);
    def.ends = coin(t) ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
    if (def.model == SIS_STRING_TRAPEZOID) def.segments = 20 + (int)(unit(t) * 60);
    snprintf(t->words, sizeof t->words, "%s%s %s", def.tuned ? "tuned " : "",
             def.model == SIS_STRING_IMPLICIT ? "implicit" : "trapezoid",
             def.ends == SIS_ENDS_CLAMPED ? "clamped" : "supported");
    return added(t, sis_scene_add_string(scene, &def, &t->error));
}

static bool parabola(void* data, double x, double* out, sis_error* error) {
    const double* p = data;
    (void)error;
    *out = p[0] + p[1] * (x - p[2]) * (x - p[2]);
    return true;
}

// A barrier or frets just below the string, or pressed a little into it.
static void random_barrier(trial* t, sis_scene* scene, sis_id string, double* numbers,
                           double* places) {
    sis_barrier_def def = sis_barrier_default();
    sis_contact_def contact = sis_contact_default();
    t->frets = unit(t) < 0.35;
    if (t->frets) {
        const int count = 6 + (int)(unit(t) * 14);
        for (int i = 0; i < count; i++)
            places[i] = t->length * (0.05 + 0.9 * (i + 0.8 * unit(t)) / count);
        def.at = (sis_list){places, count};
    } else if (coin(t)) {
        def.from = t->length * 0.4 * unit(t);
        def.to = def.from + t->length * (0.3 + 0.3 * unit(t));
    }
    if (coin(t)) {
        def.height = -1e-4 * unit(t);
    } else {
        numbers[0] = -2e-5;
        numbers[1] = -between(t, 1e-5, 1e-2);
        numbers[2] = t->length * unit(t);
        def.profile = (sis_profile){.value = parabola, .context = numbers};
    }
    contact.above = string;
    contact.below = added(t, sis_scene_add_barrier(scene, &def, &t->error));
    contact.K = between(t, 1e5, 1e12);
    contact.alpha = unit(t) < 0.3 ? 1 : unit(t) < 0.3 ? 1.5 : 1 + 2 * unit(t);
    contact.damping = unit(t) < 0.4 ? between(t, 1e-3, 3) : 0;
    if (t->with.stiff) {
        contact.K = between(t, 1e12, 1e14);
        contact.alpha = 1;
        contact.damping = 0;
    }
    contact.gap = unit(t) < 0.3 ? -between(t, 1e-7, 1e-5) : 0;
    contact.scheme = t->scheme;
    contact.potential = t->potential;
    if (unit(t) < 0.1) contact.law = SIS_LAW_TWO_SIDED;
    snprintf(t->words + strlen(t->words), sizeof t->words - strlen(t->words),
             ", %s, K %.1e alpha %.2f mu %.1e law %d", t->frets ? "frets" : "barrier", contact.K,
             contact.alpha, contact.damping, (int)contact.law);
    added(t, sis_scene_add_contact(scene, &contact, &t->error));
}

static sis_id random_mass(trial* t, sis_scene* scene, double position, double velocity) {
    sis_mass_def def = sis_mass_default();
    def.mass = between(t, 1e-4, 2e-2);
    def.position = position;
    def.velocity = velocity;
    return added(t, sis_scene_add_mass(scene, &def, &t->error));
}

static void random_extras(trial* t, sis_scene* scene, sis_id string, double* place) {
    for (int i = 0; i < t->with.hammer + t->with.second; i++) {
        sis_contact_def felt = sis_contact_default();
        felt.above = string;
        felt.below = random_mass(t, scene, -1e-6, between(t, 0.1, 3));
        place[i] = t->length * (0.1 + 0.8 * unit(t));
        felt.at_above = (sis_list){&place[i], 1};
        felt.K = between(t, 1e6, 1e10);
        felt.alpha = 1 + 2 * unit(t);
        felt.damping = coin(t) ? 0.1 : 0;
        felt.scheme = t->scheme;
        added(t, sis_scene_add_contact(scene, &felt, &t->error));
    }
    if (!t->with.spring) return;
    sis_spring_def spring = sis_spring_default();
    spring.a = string;
    spring.b = random_mass(t, scene, 0, 0);
    spring.at_a = t->length * (0.1 + 0.8 * unit(t));
    spring.K1 = between(t, 1e3, 1e7);
    spring.damping = coin(t) ? 0.1 : 0;
    added(t, sis_scene_add_spring(scene, &spring, &t->error));
}

static sis_system* random_system(trial* t, int32_t lanes) {
    double numbers[3], places[32], place[2];
    sis_scene* scene = sis_scene_new();
    sis_error error = {0};
    sis_id string = random_string(t, scene);
    random_barrier(t, scene, string, numbers, places);
    random_extras(t, scene, string, place);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.shape = SIS_PLUCK_TRIANGLE;
    pluck.at = t->length * (0.2 + 0.6 * unit(t));
    pluck.height = (coin(t) ? -1 : 1) * between(t, 1e-5, 1e-3);
    added(t, sis_scene_add_pluck(scene, &pluck, &t->error));
    for (int i = 0; i < PROBES; i++) {
        sis_probe_def probe = sis_probe_default();
        probe.on = string;
        probe.at = t->length * (i + 0.5) / PROBES;
        probe.quantity = SIS_QUANTITY_VELOCITY;
        added(t, sis_scene_add_probe(scene, &probe, &t->error));
    }
    sis_options options = sis_options_default(scene);
    options.rate = t->rate;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) snprintf(t->words, sizeof t->words, "%.150s", error.text);
    sis_scene_free(scene);
    return system;
}

static trial make_trial(uint64_t seed, extras with, sis_scheme scheme) {
    trial t = {.seed = 977 * seed + 5, .scheme = scheme, .with = with};
    t.rate = coin(&t) ? 44100 : 96000;
    return t;
}

// Every set goes by the band, also where the dense solve would be faster; false: it has none.
static bool always_banded(const sis_system* system, network_band* band, network_block** block) {
    for (int32_t b = 0; b < system->block_count; b++) {
        if (!system->blocks[b].band) continue;
        *band = *system->blocks[b].band;
        band->node_cost = 0;
        *block = &system->blocks[b];
        (*block)->band = band;
        return true;
    }
    return false;
}

static sis_state* start_of(const sis_system* system) {
    return sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
}

// ---------------------------------------------------------------------------- laws

// How far two states are from each other after one sample: forces and travels of links.
typedef struct distance {
    double force, eta;
    int32_t acting;
} distance;

static distance apart(const sis_system* system, const sis_state* one, const sis_state* other) {
    const state_view a = sis_view(system, one), b = sis_view(system, other);
    double most = 0, off = 0, wide = 0, far = 0;
    distance d = {0, 0, 0};
    for (int32_t i = 0; i < system->link_count; i++) {
        most = fmax(most, fabs(b.work.force[i]));
        off = fmax(off, fabs(a.work.force[i] - b.work.force[i]));
        wide = fmax(wide, fmax(fabs(b.work.memory.eta[i]), fabs(b.work.free[i])));
        far = fmax(far, fabs(a.work.memory.eta[i] - b.work.memory.eta[i]));
        d.acting += b.work.force[i] != 0;
    }
    d.force = most > 0 ? off / most : 0;
    d.eta = wide > 0 ? far / wide : 0;
    return d;
}

typedef struct tally {
    int ran, acting;
    double force, eta, residual;
} tally;

// Steps by the band; each sample also by the dense block, from a copy.
static void compare(trial* t, int32_t lanes, tally* all) {
    network_band band;
    network_block* block = NULL;
    sis_system* system = random_system(t, lanes);
    if (!system || !always_banded(system, &band, &block)) {
        sis_system_free(system);
        return;
    }
    sis_state *state = start_of(system), *copy = start_of(system);
    sis_energy energy;
    double row[PROBES], size = 0, flowed = 0;
    distance worst = {0, 0, 0};
    for (int n = 0; n < SAMPLES; n++) {
        memcpy(copy, state, sis_state_size(system));
        sis_step(system, state, &(sis_block){1, row, &energy, NULL});
        block->band = NULL;
        sis_step(system, copy, &(sis_block){1, row, NULL, NULL});
        block->band = &band;
        const distance d = apart(system, state, copy);
        worst.force = fmax(worst.force, d.force);
        worst.eta = fmax(worst.eta, d.eta);
        all->acting += d.acting > 1;
        flowed = fmax(flowed, fmax(energy.total, energy.supplied));
        size = fmax(size, fabs(energy.residual));
    }
    const sis_link_report report = sis_state_link(system, state, 0);
    const bool good = worst.force <= 1e-9 && worst.eta <= 1e-11 && size <= 1e-12 * flowed &&
                      report.unconverged == 0;
    if (!good)
        printf("  %s: force %.1e, eta %.1e, residual %.1e, unconverged %d\n", t->words, worst.force,
               worst.eta, size / flowed, (int)report.unconverged);
    CHECK(good);
    if (!strstr(t->words, "law 1")) CHECK(report.min_force >= 0);
    all->ran++;
    all->force = fmax(all->force, worst.force);
    all->eta = fmax(all->eta, worst.eta);
    all->residual = fmax(all->residual, size / flowed);
    free(state);
    free(copy);
    sis_system_free(system);
}

static void compare_many(int trials, extras with, sis_scheme scheme, bool middle) {
    tally all = {0};
    for (int i = 0; i < trials; i++) {
        trial t = make_trial((uint64_t)i, with, scheme);
        if (middle) t.potential = SIS_POTENTIAL_MIDPOINT;
        compare(&t, 0, &all);
    }
    printf("  %d strings, %d samples with several points: force %.1e, eta %.1e, residual %.1e\n",
           all.ran, all.acting, all.force, all.eta, all.residual);
    CHECK(all.ran > trials / 2 && all.acting > SAMPLES / 24 * trials);
}

static void contacts_of_a_string_are_those_of_the_dense_block(void) {
    compare_many(check_count(60, 3000), (extras){.hammer = false}, SIS_SCHEME_LEDGER, false);
}

static void newton_and_the_midpoint_too(void) {
    compare_many(check_count(20, 600), (extras){.hammer = false}, SIS_SCHEME_NEWTON, false);
    compare_many(check_count(20, 600), (extras){.hammer = false}, SIS_SCHEME_LEDGER, true);
}

static void stiff_ones_too(void) {
    compare_many(check_count(40, 1000), (extras){.stiff = true}, SIS_SCHEME_LEDGER, false);
}

static void so_are_those_with_a_hammer_on_top(void) {
    compare_many(check_count(30, 1500), (extras){.hammer = true}, SIS_SCHEME_LEDGER, false);
}

static void so_are_those_with_hammers_and_a_spring(void) {
    compare_many(check_count(20, 1000), (extras){.hammer = true, .spring = true, .second = true},
                 SIS_SCHEME_LEDGER, false);
    compare_many(check_count(20, 1000), (extras){.spring = true}, SIS_SCHEME_LEDGER, false);
}

// Ledger and newton find the same motion by themselves, over many samples.
static void ledger_and_newton_move_alike(void) {
    double worst = 0;
    for (int i = 0; i < check_count(20, 400); i++) {
        double row[2][PROBES], most = 0, off = 0;
        trial one = make_trial((uint64_t)i, (extras){.hammer = true}, SIS_SCHEME_LEDGER), two = one;
        two.scheme = SIS_SCHEME_NEWTON;
        sis_system* systems[2] = {random_system(&one, 0), random_system(&two, 0)};
        if (!systems[0] || !systems[1]) continue;
        sis_state* states[2] = {start_of(systems[0]), start_of(systems[1])};
        for (int n = 0; n < SAMPLES; n++) {
            for (int s = 0; s < 2; s++)
                sis_step(systems[s], states[s], &(sis_block){1, row[s], NULL, NULL});
            for (int p = 0; p < PROBES; p++) {
                most = fmax(most, fabs(row[1][p]));
                off = fmax(off, fabs(row[0][p] - row[1][p]));
            }
        }
        if (off > 1e-9 * most) printf("  %s: %.1e\n", one.words, off / most);
        CHECK(off <= 1e-9 * most);
        worst = fmax(worst, off / most);
        for (int s = 0; s < 2; s++) {
            free(states[s]);
            sis_system_free(systems[s]);
        }
    }
    printf("  at most %.1e apart after %d samples\n", worst, (int)SAMPLES);
}

// ---------------------------------------------------------------------------- bits

static uint64_t hash_of(uint64_t seed, int32_t lanes, int32_t frames) {
    trial t = make_trial(seed, (extras){.hammer = seed % 3 == 0, .spring = seed % 5 == 0},
                         SIS_SCHEME_LEDGER);
    network_band band;
    network_block* block;
    sis_system* system = random_system(&t, lanes);
    uint64_t hash = 1469598103934665603u;
    if (!system || !always_banded(system, &band, &block)) {
        sis_system_free(system);
        return 0;
    }
    sis_state* state = start_of(system);
    double rows[SAMPLES * PROBES];
    sis_energy energy[SAMPLES];
    for (int32_t n = 0; n < SAMPLES; n += frames)
        sis_step(system, state,
                 &(sis_block){n + frames < SAMPLES ? frames : SAMPLES - n, rows + n * PROBES,
                              energy + n, NULL});
    const unsigned char* bytes[2] = {(unsigned char*)rows, (unsigned char*)energy};
    const size_t sizes[2] = {sizeof rows, sizeof energy};
    for (int part = 0; part < 2; part++)
        for (size_t i = 0; i < sizes[part]; i++)
            hash = (hash ^ bytes[part][i]) * 1099511628211u;
    free(state);
    sis_system_free(system);
    return hash;
}

static void all_widths_and_block_sizes_give_the_same_bits(void) {
    for (uint64_t seed = 0; seed < (uint64_t)check_count(20, 400); seed++) {
        const uint64_t one = hash_of(seed, 1, SAMPLES);
        if (!one) continue;
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2)
            CHECK(hash_of(seed, lanes, SAMPLES) == one);
        CHECK(hash_of(seed, 0, 1) == one);
        CHECK(hash_of(seed, 0, 17) == one);
    }
}

int main(void) {
    RUN(contacts_of_a_string_are_those_of_the_dense_block);
    RUN(newton_and_the_midpoint_too);
    RUN(stiff_ones_too);
    RUN(so_are_those_with_a_hammer_on_top);
    RUN(so_are_those_with_hammers_and_a_spring);
    RUN(ledger_and_newton_move_alike);
    RUN(all_widths_and_block_sizes_give_the_same_bits);
    return CHECK_REPORT();
}
