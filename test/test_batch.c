// Many states in one call: whatever is stepped side by side has the bits of single stepping, down
// to the last byte of its state.
#include "check.h"
#include "examples.h"

#include "step/batch.h"

/** Numbers that are the same everywhere (Numerical Recipes' LCG). */
static uint64_t seed;

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

static int pick(int count) {
    return (int)uniform(0, count);
}

static double log_uniform(double low, double high) {
    return low * exp(uniform(0, log(high / low)));
}

// ---------------------------------------------------------------------------- scenes

/** How a scene is built; the numbers come from the generator. */
typedef struct build {
    int masses;
    int contacts; // bit i: mass i has one, with the next mass (bit 8 + i) or a barrier
    bool gravity, forces, unaudited;
    example_scheme scheme;
    bool midpoint, lossy;
    int exponent; // of exponents[]
    int probes;   // bits
    double hardest, fastest;
} build;

static const double exponents[] = {1, 1.5, 2, 2.5, 3, 0}; // 0: any

static sis_id add_contact(sis_scene* scene, const build* b, sis_id above, sis_id below) {
    sis_error error = {0};
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = below;
    def.alpha = exponents[b->exponent] > 0 ? exponents[b->exponent] : uniform(1.01, 3.9);
    def.K = log_uniform(1e3, b->hardest);
    def.gap = uniform(-1e-4, 1e-3);
    def.damping = b->lossy ? log_uniform(1e-3, 10) : 0;
    def.scheme = b->scheme.scheme;
    def.release = b->scheme.release;
    def.potential = b->midpoint ? SIS_POTENTIAL_MIDPOINT : SIS_POTENTIAL_MEAN;
    return example_added(sis_scene_add_contact(scene, &def, &error), &error);
}

static sis_system* make(const build* b) {
    sis_scene* scene = sis_scene_new();
    sis_error error = {0};
    sis_id mass[8], contact = SIS_NONE;
    sis_id floor = example_barrier(scene, uniform(-1e-3, 0));
    for (int i = 0; i < b->masses; i++) { // drawn one after another: the same for every compiler
        double kg = log_uniform(1e-3, 1), frequency = pick(2) ? uniform(10, 400) : 0;
        double damping = pick(2) ? uniform(0, 5) : 0, position = uniform(1e-4, 2e-3);
        double velocity = -log_uniform(0.01, b->fastest);
        mass[i] = example_mass(scene, kg, frequency, damping, position, velocity);
    }
    for (int i = 0; i < b->masses; i++) {
        if (!(b->contacts >> i & 1)) continue;
        bool pair = (b->contacts >> (8 + i) & 1) && i + 1 < b->masses;
        contact = add_contact(scene, b, mass[i], pair ? mass[i + 1] : floor);
        i += pair;
    }
    if (b->gravity) example_gravity(scene, uniform(1, 20));
    if (b->forces) {
        example_force(scene, mass[0], SIS_FORCE_RAISED_COSINE, uniform(-10, 10), 3e-3, 1e-3);
        example_force(scene, mass[b->masses - 1], SIS_FORCE_CONSTANT, uniform(-1, 1), 0, 0);
    }
    for (int q = 0; q < 2; q++)
        for (int i = 0; i < b->masses; i++)
            if (b->probes >> (2 * i + q) & 1)
                example_probe(scene, mass[i],
                              q ? SIS_QUANTITY_VELOCITY : SIS_QUANTITY_DISPLACEMENT);
    if (contact != SIS_NONE) {
        example_probe(scene, contact, SIS_QUANTITY_FORCE);
        example_probe(scene, contact, SIS_QUANTITY_PENETRATION);
        example_probe(scene, floor, SIS_QUANTITY_FORCE);
        example_probe(scene, floor, SIS_QUANTITY_DISPLACEMENT);
    }
    sis_options options = {
        .rate = pick(2) ? 44100 : 96000, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = b->unaudited};
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) printf("%s\n", error.text);
    return system;
}

static build random_build(void) {
    build b = {.hardest = 1e11, .fastest = 10};
    b.masses = 1 + pick(5);
    b.contacts = pick(1 << 14);
    b.gravity = pick(2);
    b.forces = pick(4) == 0;
    b.unaudited = pick(3) == 0;
    b.scheme = example_schemes[pick(4)];
    b.lossy = pick(2);
    b.exponent = pick(6);
    b.probes = pick(1 << 10);
    b.midpoint = b.scheme.scheme != SIS_SCHEME_QUADRATISED && pick(2);
    return b;
}

// ---------------------------------------------------------------------------- comparing

enum { MOST_VOICES = 64, MOST_FRAMES = 512 };

/** A state and what it wrote. */
typedef struct voice {
    sis_state* state;
    double* probes;
    sis_energy* energy;
} voice;

static voice voice_new(const sis_system* system) {
    size_t probes = (size_t)sis_system_probe_count(system) + 1;
    return (voice){example_state(system), calloc(MOST_FRAMES * probes, sizeof(double)),
                   calloc(MOST_FRAMES, sizeof(sis_energy))};
}

static void voice_free(voice* v) {
    free(v->state);
    free(v->probes);
    free(v->energy);
}

static sis_block block_of(const sis_system* system, const voice* v, int32_t frame, int32_t frames) {
    size_t probes = (size_t)sis_system_probe_count(system);
    return (sis_block){frames, v->probes ? v->probes + (size_t)frame * probes : NULL,
                       v->energy ? v->energy + frame : NULL};
}

static bool same_bytes(const void* a, const void* b, size_t size) {
    return memcmp(a, b, size) == 0;
}

static bool voice_same(const sis_system* system, const voice* a, const voice* b, int32_t frames) {
    size_t rows = (size_t)frames, probes = (size_t)sis_system_probe_count(system);
    bool same = same_bytes(a->state, b->state, sis_state_size(system));
    if (a->probes && b->probes)
        same = same && same_bytes(a->probes, b->probes, rows * probes * sizeof(double));
    if (a->energy && b->energy)
        same = same && same_bytes(a->energy, b->energy, rows * sizeof(sis_energy));
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_report r = sis_state_link(system, a->state, i);
        sis_link_report s = sis_state_link(system, b->state, i);
        same = same && r.max_force == s.max_force && r.contact_samples == s.contact_samples &&
               r.iterations == s.iterations && r.powers_max == s.powers_max &&
               r.trapped_max == s.trapped_max;
    }
    return same;
}

/** Steps systems side by side in blocks of `size` and one by one in one go, and compares. Returns
 * how many were in contact. */
static int compare(sis_system* const* systems, int32_t count, int32_t frames, int32_t size) {
    voice single[MOST_VOICES], wide[MOST_VOICES];
    sis_state* states[MOST_VOICES];
    sis_block blocks[MOST_VOICES];
    int touched = 0;
    for (int32_t i = 0; i < count; i++) {
        single[i] = voice_new(systems[i]);
        wide[i] = voice_new(systems[i]);
        states[i] = wide[i].state;
        sis_block whole = block_of(systems[i], &single[i], 0, frames);
        sis_step(systems[i], single[i].state, &whole);
    }
    for (int32_t n = 0; n < frames; n += size) {
        for (int32_t i = 0; i < count; i++)
            blocks[i] = block_of(systems[i], &wide[i], n, frames - n < size ? frames - n : size);
        sis_step_batch((const sis_system* const*)systems, states, blocks, count);
    }
    for (int32_t i = 0; i < count; i++) {
        CHECK(voice_same(systems[i], &single[i], &wide[i], frames));
        if (sis_system_link_count(systems[i]))
            touched += sis_state_link(systems[i], wide[i].state, 0).contact_samples > 0;
        voice_free(&single[i]);
        voice_free(&wide[i]);
    }
    return touched;
}

static void free_all(sis_system** systems, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        sis_system_free(systems[i]);
}

// ---------------------------------------------------------------------------- laws

static void every_scheme_and_exponent_has_the_bits_of_single_stepping(void) {
    sis_system* systems[MOST_VOICES];
    int touched = 0, twins = 0;
    seed = 1;
    for (int s = 0; s < 4; s++)
        for (int e = 0; e < 6; e++)
            for (int kind = 0; kind < 8; kind++) {
                build b = {.masses = 1,
                           .contacts = 1,
                           .scheme = example_schemes[s],
                           .exponent = e,
                           .gravity = kind & 1,
                           .lossy = kind >> 1 & 1,
                           .midpoint = kind >> 2 & 1,
                           .unaudited = pick(2),
                           .probes = 3,
                           .hardest = 1e11,
                           .fastest = 10};
                if (b.midpoint && b.scheme.scheme == SIS_SCHEME_QUADRATISED) continue;
                int32_t count = SANITIZED ? 9 : 31;
                for (int32_t i = 0; i < count; i++) {
                    systems[i] = make(&b);
                    twins += systems[i]->build_count > 0;
                }
                touched += compare(systems, count, 400, 64);
                free_all(systems, count);
            }
    CHECK(touched > 1000 || SANITIZED);
    CHECK(twins > 1000 || SANITIZED);
    printf("        %d runs side by side, %d of them in contact\n", twins, touched);
}

static void random_networks_have_the_bits_of_single_stepping(void) {
    sis_system* systems[MOST_VOICES];
    int touched = 0, twins = 0;
    seed = 2;
    for (int round = 0; round < (SANITIZED ? 15 : 200); round++) {
        int32_t count = 1 + pick(11);
        build b = random_build();
        for (int32_t i = 0; i < count; i++) {
            systems[i] = make(&b);
            twins += systems[i]->build_count > 0;
            if (pick(5) == 0) b = random_build();
        }
        touched += compare(systems, count, 300, 1 + pick(100));
        free_all(systems, count);
    }
    CHECK(touched > 300 || SANITIZED);
    printf("        %d could go side by side, %d were in contact\n", twins, touched);
}

static void what_no_double_can_hold_falls_the_same_way(void) {
    sis_system* systems[MOST_VOICES];
    seed = 3;
    int made = 0;
    for (int s = 0; s < 4; s++)
        for (int kind = 0; kind < 4; kind++) {
            build b = {.masses = 2,
                       .contacts = 3,
                       .scheme = example_schemes[s],
                       .exponent = pick(6),
                       .lossy = kind & 1,
                       .midpoint = kind >> 1 && s != 1 && s != 2,
                       .probes = 15,
                       .hardest = 1e30,
                       .fastest = 1e6};
            int32_t count = 0;
            while (count < 24) {
                systems[count] = make(&b);
                count += systems[count] != NULL;
            }
            compare(systems, count, 200, 50);
            made += count;
            free_all(systems, count);
        }
    CHECK(made > 0);
}

/** States that no run reaches: the last net of single stepping holds the same way. */
static void broken_states_are_caught_the_same_way(void) {
    static const double huge[] = {1e20, -1e20, 1e49, -1e49, 1e60, -1e60, 1e120, 1e160, -1e160};
    sis_system* systems[7];
    voice single[7], wide[7];
    sis_state* states[7];
    sis_block blocks[7];
    int caught = 0;
    seed = 6;
    for (int round = 0; round < 400; round++) {
        build b = random_build();
        b.contacts |= 1;
        for (int i = 0; i < 7; i++) {
            systems[i] = make(&b);
            single[i] = voice_new(systems[i]);
            wide[i] = voice_new(systems[i]);
            sis_step(systems[i], single[i].state, &(sis_block){100, NULL, NULL});
            state_view view = sis_view(systems[i], single[i].state);
            contact_memory* m = view.work.memory;
            double* fields[] = {view.motion.u, view.motion.d, &m->eta,   &m->before,
                                &m->E,         &m->psi,       &m->force, &m->phi_before};
            m->shown = 1; // the net lets go of it
            for (int n = pick(3); n > 0; n--) {
                double value = huge[pick(9)];
                int field = pick(8);
                *fields[field] = field == 4 || field == 7 ? fabs(value) : value;
            }
            memcpy(wide[i].state, single[i].state, sis_state_size(systems[i]));
            states[i] = wide[i].state;
            blocks[i] = block_of(systems[i], &wide[i], 0, 20);
            sis_block own = block_of(systems[i], &single[i], 0, 20);
            sis_step(systems[i], single[i].state, &own);
            caught += m->shown == 0;
        }
        sis_step_batch((const sis_system* const*)systems, states, blocks, 7);
        for (int i = 0; i < 7; i++) {
            CHECK(voice_same(systems[i], &single[i], &wide[i], 20));
            voice_free(&single[i]);
            voice_free(&wide[i]);
        }
        free_all(systems, 7);
    }
    CHECK(caught > 20);
    printf("        %d were caught\n", caught);
}

/** Rates of change that are told apart by the build: exact is none of ours, a string neither. */
static void mixed_builds_are_stepped_as_they_come(void) {
    sis_system* systems[16];
    sis_error error = {0};
    int32_t count = 0;
    for (int i = 0; i < 3; i++) // the last scheme is exact, which takes no loss
        for (int s = 0; s < EXAMPLE_SCHEMES; s++)
            systems[count++] =
                example_system(example_swing(example_schemes[s], 1.3,
                                             i == 2 ? SIS_LAW_TWO_SIDED : SIS_LAW_ONE_SIDED,
                                             s < EXAMPLE_SCHEMES - 1 ? 0.1 * i : 0),
                               44100, &error);
    compare(systems, count, 300, 33);
    CHECK(systems[0]->build_count > 0);
    CHECK(systems[4]->build_count == 0); // exact
    free_all(systems, count);
    count = 0;
    for (int i = 0; i < 5; i++) {
        systems[count++] =
            example_system(example_forces(example_schemes[i % 4], 1.5), 44100, &error);
        systems[count++] =
            example_system(example_row(example_schemes[i % 4], 3, 1e-5, 1.3, 0), 44100, &error);
        systems[count++] = example_system(example_pressed(example_schemes[0], 1.5), 44100, &error);
    }
    compare(systems, count, 300, 300);
    free_all(systems, count);
}

/** One system, many states: some begin later, some want no probes, one is named twice. */
static void states_of_one_system_may_do_as_they_like(void) {
    sis_error error = {0};
    sis_system* system =
        example_system(example_marble(example_schemes[0], 1.3, 0.2), 44100, &error);
    enum { COUNT = 13, FRAMES = 100 };
    voice single[COUNT], wide[COUNT];
    const sis_system* systems[COUNT + 1];
    sis_state* states[COUNT + 1];
    sis_block blocks[COUNT + 1];
    for (int i = 0; i < COUNT; i++) {
        single[i] = voice_new(system);
        wide[i] = voice_new(system);
        sis_block late = {i % 5 * 37, NULL, NULL};
        sis_step(system, single[i].state, &late);
        sis_step(system, wide[i].state, &late);
        systems[i] = system;
        states[i] = wide[i].state;
        blocks[i] = block_of(system, &wide[i], 0, i == 6 ? 0 : i == 8 ? 1 : FRAMES);
        if (i % 3 == 0) blocks[i].probes = NULL;
        if (i % 4 == 0) blocks[i].energy = NULL;
        sis_block own = block_of(system, &single[i], 0, blocks[i].frames);
        if (i % 3 == 0) own.probes = NULL;
        if (i % 4 == 0) own.energy = NULL;
        sis_step(system, single[i].state, &own);
    }
    systems[COUNT] = system;
    states[COUNT] = states[COUNT - 1]; // again
    blocks[COUNT] = (sis_block){50, NULL, NULL};
    sis_step(system, single[COUNT - 1].state, &blocks[COUNT]);
    sis_step_batch(systems, states, blocks, COUNT + 1);
    for (int i = 0; i < COUNT; i++) {
        CHECK(voice_same(system, &single[i], &wide[i], FRAMES));
        voice_free(&single[i]);
        voice_free(&wide[i]);
    }
    sis_step_batch(systems, states, blocks, 0);
    sis_system_free(system);
}

/** `count` twins by one kernel, 250 samples after the first. */
static void compare_kernel(const batch_kernel* kernel, sis_system* const* systems, int32_t count) {
    batch_voice voices[BATCH_MOST] = {0};
    voice single[BATCH_MOST], wide[BATCH_MOST];
    for (int i = 0; i < count; i++) {
        single[i] = voice_new(systems[i]);
        wide[i] = voice_new(systems[i]);
        sis_block row = block_of(systems[i], &wide[i], 0, 1);
        sis_step(systems[i], wide[i].state, &row);
        sis_block rest = block_of(systems[i], &wide[i], 1, 250);
        voices[i] = (batch_voice){systems[i], wide[i].state, rest.probes, rest.energy};
        sis_block whole = block_of(systems[i], &single[i], 0, 251);
        sis_step(systems[i], single[i].state, &whole);
    }
    kernel->step(voices, count, 250);
    for (int i = 0; i < count; i++) {
        CHECK(voice_same(systems[i], &single[i], &wide[i], 251));
        voice_free(&single[i]);
        voice_free(&wide[i]);
    }
}

/** One set of lanes and several, full and not. */
static void every_width_has_the_same_bits(void) {
    sis_system* systems[BATCH_MOST];
    int together = 0;
    seed = 4;
    for (int round = 0; round < (SANITIZED ? 5 : 40); round++) {
        build b = random_build();
        b.masses = b.masses > 3 ? 3 : b.masses;
        for (int i = 0; i < BATCH_MOST; i++)
            systems[i] = make(&b);
        for (int32_t w = 2; w <= sis_widest() && systems[0]->build_count; w *= 2) {
            const batch_kernel* kernel = sis_batch_kernel(w);
            int32_t sets = sis_batch_sets(kernel, systems[0]), most = w * sets;
            CHECK(sets >= 1 && sets <= BATCH_SETS);
            for (int32_t count = 1; count <= w; count++)
                compare_kernel(kernel, systems, count);
            for (int32_t count = w + 1; count < most; count += w / 2 + pick(w))
                compare_kernel(kernel, systems, count);
            compare_kernel(kernel, systems, most);
            together += sets == BATCH_SETS;
        }
        free_all(systems, BATCH_MOST);
    }
    CHECK(together > 0);
}

/** Most that twins may have: fewer lanes, so that their numbers fit on the stack. */
static void large_twins_have_the_bits_of_single_stepping(void) {
    sis_system* systems[MOST_VOICES];
    seed = 7;
    for (int32_t masses = TWIN_MOST / 4; masses <= TWIN_MOST; masses *= 2) {
        int32_t count = 11;
        for (int32_t i = 0; i < count; i++) {
            sis_scene* scene = sis_scene_new();
            sis_error error = {0};
            sis_id floor = example_barrier(scene, 0);
            for (int32_t m = 0; m < masses; m++) {
                sis_id mass = example_mass(scene, 0.01, 100, 0, 0, -log_uniform(0.1, 10));
                sis_id contact = example_contact(scene, mass, floor, example_schemes[m % 4], 1e7,
                                                 1.3, SIS_LAW_ONE_SIDED, 0, 0);
                example_probe(scene, contact, SIS_QUANTITY_FORCE);
            }
            systems[i] = example_system(scene, 44100, &error);
            CHECK(systems[i]->build_count > 0);
        }
        CHECK(compare(systems, count, 300, 77) == count);
        free_all(systems, count);
    }
}

/** What `sistrum bench --only batches` times. */
static void a_sweep_has_the_bits_of_single_stepping(void) {
    sis_system* systems[MOST_VOICES];
    sis_error error = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < MOST_VOICES; i++)
            systems[i] = example_system(example_sweep(example_schemes[s], s ? 1.3 : 1.5, i, 64),
                                        44100, &error);
        CHECK(compare(systems, MOST_VOICES, MOST_FRAMES, MOST_FRAMES) == MOST_VOICES);
        free_all(systems, MOST_VOICES);
    }
}

int main(void) {
    RUN(every_scheme_and_exponent_has_the_bits_of_single_stepping);
    RUN(random_networks_have_the_bits_of_single_stepping);
    RUN(what_no_double_can_hold_falls_the_same_way);
    RUN(broken_states_are_caught_the_same_way);
    RUN(mixed_builds_are_stepped_as_they_come);
    RUN(states_of_one_system_may_do_as_they_like);
    RUN(every_width_has_the_same_bits);
    RUN(large_twins_have_the_bits_of_single_stepping);
    RUN(a_sweep_has_the_bits_of_single_stepping);
    return CHECK_REPORT();
}
