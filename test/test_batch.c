// Many states in one call: sis_step_batch gives the bits of one sis_step for each state in the
// order of the list, whatever their systems and blocks are.
#include "check.h"
#include "examples.h"

enum { SYSTEMS = 24, STATES = 3 * SYSTEMS, FRAMES = 300, BATCHES = 5 };

/** A state and what it wrote. */
typedef struct voice {
    const sis_system* system;
    sis_state* state;
    double* probes;
    sis_energy* energy;
    int32_t done; // frames
} voice;

static voice voice_new(const sis_system* system) {
    size_t probes = (size_t)sis_system_probe_count(system) + 1;
    voice v = {system, example_state(system), calloc(FRAMES * probes, sizeof *v.probes),
               calloc(FRAMES, sizeof *v.energy), 0};
    if (!v.probes || !v.energy) exit(1);
    return v;
}

static void voice_free(voice* v) {
    free(v->state);
    free(v->probes);
    free(v->energy);
}

/** The next `frames` of a voice. Some ask for no probes, some for no energies. */
static sis_block voice_block(voice* v, int32_t frames, int i) {
    size_t probes = (size_t)sis_system_probe_count(v->system);
    sis_block block = {frames, v->probes + (size_t)v->done * probes, v->energy + v->done, NULL};
    if (i % 3 == 1) block.probes = NULL;
    if (i % 4 == 1) block.energy = NULL;
    v->done += frames;
    return block;
}

static bool voice_same(const voice* a, const voice* b) {
    size_t probes = (size_t)sis_system_probe_count(a->system);
    return a->done == b->done && memcmp(a->state, b->state, sis_state_size(a->system)) == 0 &&
           memcmp(a->probes, b->probes, FRAMES * probes * sizeof *a->probes) == 0 &&
           memcmp(a->energy, b->energy, FRAMES * sizeof *a->energy) == 0;
}

/** As many scenes of masses, of strings and of other bodies, with all their schemes, at two rates.
 */
static void systems_make(sis_system** systems) {
    static const int first[] = {0, EXAMPLE_MASSES, EXAMPLE_MASSES + EXAMPLE_STRINGS};
    static const int count[] = {EXAMPLE_MASSES, EXAMPLE_STRINGS, EXAMPLE_BODIES};
    char name[64];
    int made = 0;
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0, end = made + SYSTEMS / 3; i < count[kind] && made < end; i += 7) {
            sis_error error = {0};
            sis_scene* scene = example_named(first[kind] + i * 5 % count[kind], name);
            systems[made] = example_system(scene, made % 2 ? 48000 : 44100, &error);
            made += systems[made] != NULL;
        }
    CHECK(made == SYSTEMS);
    if (made < SYSTEMS) exit(1);
}

static bool touched(const voice* v) {
    for (int32_t i = 0; i < sis_system_link_count(v->system); i++)
        if (sis_state_link(v->system, v->state, i).contact_samples > 0) return true;
    return false;
}

/** Neighbours in the list are of one system or of different ones, each block has its own length,
 * 0 among them, and the same states go on in the next batch. */
static void mixed_systems_have_the_bits_of_single_stepping(void) {
    sis_system* made[SYSTEMS];
    const sis_system* systems[STATES];
    voice single[STATES], batch[STATES];
    sis_state* states[STATES];
    sis_block blocks[STATES];
    int in_contact = 0;
    systems_make(made);
    for (int i = 0; i < STATES; i++) {
        systems[i] = made[i < STATES / 2 ? i / 2 % SYSTEMS : i % SYSTEMS];
        single[i] = voice_new(systems[i]);
        batch[i] = voice_new(systems[i]);
        states[i] = batch[i].state;
    }
    for (int n = 0; n < BATCHES; n++) {
        for (int i = 0; i < STATES; i++) {
            int32_t frames = (i * 7 + n * 23) % (FRAMES / BATCHES + 1);
            blocks[i] = voice_block(&batch[i], frames, i);
            sis_block own = voice_block(&single[i], frames, i);
            sis_step(systems[i], single[i].state, &own);
        }
        sis_step_batch(systems, states, blocks, STATES);
    }
    for (int i = 0; i < STATES; i++) {
        CHECK(voice_same(&single[i], &batch[i]));
        CHECK(sis_state_samples(batch[i].state) == (uint64_t)batch[i].done);
        in_contact += touched(&batch[i]);
        voice_free(&single[i]);
        voice_free(&batch[i]);
    }
    CHECK(in_contact > STATES / 4);
    printf("        %d states, %d of them in contact\n", STATES, in_contact);
    for (int i = 0; i < SYSTEMS; i++)
        sis_system_free(made[i]);
}

static void any_block_size_gives_the_same_bits(void) {
    static const int32_t sizes[] = {1, 7, 64, 299};
    sis_system* made[SYSTEMS];
    voice whole[SYSTEMS], cut[SYSTEMS];
    sis_state* states[SYSTEMS];
    sis_block blocks[SYSTEMS];
    systems_make(made);
    for (int i = 0; i < SYSTEMS; i++) {
        whole[i] = voice_new(made[i]);
        sis_block all = voice_block(&whole[i], FRAMES, i);
        sis_step(made[i], whole[i].state, &all);
    }
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int i = 0; i < SYSTEMS; i++) {
            cut[i] = voice_new(made[i]);
            states[i] = cut[i].state;
        }
        for (int32_t n = 0; n < FRAMES; n += sizes[s]) {
            for (int i = 0; i < SYSTEMS; i++)
                blocks[i] = voice_block(&cut[i], FRAMES - n < sizes[s] ? FRAMES - n : sizes[s], i);
            sis_step_batch((const sis_system* const*)made, states, blocks, SYSTEMS);
        }
        for (int i = 0; i < SYSTEMS; i++) {
            CHECK(voice_same(&whole[i], &cut[i]));
            voice_free(&cut[i]);
        }
    }
    for (int i = 0; i < SYSTEMS; i++) {
        voice_free(&whole[i]);
        sis_system_free(made[i]);
    }
}

static void a_state_named_twice_advances_twice_in_order(void) {
    sis_error error = {0};
    sis_system* system =
        example_system(example_marble(example_schemes[0], 1.3, 0.2), 44100, &error);
    voice single = voice_new(system), batch = voice_new(system);
    const sis_system* systems[] = {system, system};
    sis_state* states[] = {batch.state, batch.state};
    sis_block blocks[2];
    for (int i = 0; i < 2; i++) {
        blocks[i] = voice_block(&batch, 100, 0);
        sis_block own = voice_block(&single, 100, 0);
        sis_step(system, single.state, &own);
    }
    sis_step_batch(systems, states, blocks, 2);
    CHECK(voice_same(&single, &batch));
    sis_step_batch(systems, states, blocks, 0); // an empty list
    CHECK(voice_same(&single, &batch));
    voice_free(&single);
    voice_free(&batch);
    sis_system_free(system);
}

int main(void) {
    RUN(mixed_systems_have_the_bits_of_single_stepping);
    RUN(any_block_size_gives_the_same_bits);
    RUN(a_state_named_twice_advances_twice_in_order);
    return CHECK_REPORT();
}
