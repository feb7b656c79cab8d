// Nothing is global: two systems at two rates run in two threads, and one system is stepped by two
// threads with a state each, all with the bits of a serial run. Build with SISTRUM_SANITIZE=thread
// to let the compiler look for races as well.
#include "check.h"
#include "examples.h"

#include <pthread.h>

enum { SAMPLES = 30000, PROBES = 8, BLOCK = 64 };

/** One voice: its system, its state, what it wrote. */
typedef struct voice {
    const sis_system* system;
    sis_state* state;
    double* probes;
    sis_energy* energy;
} voice;

static voice voice_new(const sis_system* system) {
    voice v = {system, example_state(system), calloc((size_t)SAMPLES * PROBES, sizeof *v.probes),
               calloc(SAMPLES, sizeof *v.energy)};
    return v;
}

static void voice_free(voice* v) {
    free(v->state);
    free(v->probes);
    free(v->energy);
}

/** Steps and reads reports between the blocks, as a meter in a host would. */
static void* voice_run(void* data) {
    voice* v = data;
    size_t columns = (size_t)sis_system_probe_count(v->system);
    for (size_t n = 0; n < SAMPLES; n += BLOCK) {
        int32_t frames = (int32_t)(SAMPLES - n < BLOCK ? SAMPLES - n : BLOCK);
        sis_step(v->system, v->state,
                 &(sis_block){frames, v->probes + n * columns, v->energy + n, NULL});
        sis_state_energy(v->system, v->state);
        for (int32_t i = 0; i < sis_system_link_count(v->system); i++)
            sis_state_link(v->system, v->state, i);
    }
    return NULL;
}

static bool voice_same(const voice* a, const voice* b) {
    size_t columns = (size_t)sis_system_probe_count(a->system);
    return memcmp(a->probes, b->probes, SAMPLES * columns * sizeof *a->probes) == 0 &&
           memcmp(a->energy, b->energy, SAMPLES * sizeof *a->energy) == 0;
}

/** Runs both at once. */
static void together(voice* a, voice* b) {
    pthread_t thread[2];
    CHECK(pthread_create(&thread[0], NULL, voice_run, a) == 0);
    CHECK(pthread_create(&thread[1], NULL, voice_run, b) == 0);
    CHECK(pthread_join(thread[0], NULL) == 0);
    CHECK(pthread_join(thread[1], NULL) == 0);
}

static sis_system* system_of(sis_scene* scene, double rate) {
    sis_error error = {0};
    sis_system* system = example_system(scene, rate, &error);
    if (!system) printf("%s\n", error.text);
    CHECK(system != NULL);
    return system;
}

/** `a` and `b` (which may be one system) give the same alone and at once. */
static void compare(const sis_system* a, const sis_system* b) {
    voice alone[2] = {voice_new(a), voice_new(b)};
    voice_run(&alone[0]);
    voice_run(&alone[1]);
    voice both[2] = {voice_new(a), voice_new(b)};
    together(&both[0], &both[1]);
    CHECK(voice_same(&alone[0], &both[0]));
    CHECK(voice_same(&alone[1], &both[1]));
    for (int i = 0; i < 2; i++) {
        CHECK(isfinite(both[i].energy[SAMPLES - 1].total));
        voice_free(&alone[i]);
        voice_free(&both[i]);
    }
}

static void two_systems_at_two_rates_do_not_meet(void) {
    // Exact is for pairs of bodies only, a row of balls is one block: the first four can do both.
    for (int s = 0; s < EXAMPLE_SCHEMES - 1; s++) {
        sis_system* a = system_of(example_row(example_schemes[s], 5, 1e-5, 1.3, 0), 44100);
        sis_system* b = system_of(example_forces(example_schemes[s], 1.5), 96000);
        if (a && b) {
            CHECK(sis_system_rate(a) == 44100 && sis_system_rate(b) == 96000);
            compare(a, b);
        }
        sis_system_free(a);
        sis_system_free(b);
    }
}

static void one_system_serves_two_threads(void) {
    for (int s = 0; s < EXAMPLE_SCHEMES; s++) {
        sis_system* system =
            system_of(example_swing(example_schemes[s], 1.3, SIS_LAW_ONE_SIDED, 0), 48000);
        if (system) compare(system, system);
        sis_system_free(system);
    }
}

/** Set-up is not real-time but it is not global either: two threads may build and compile at once.
 */
typedef struct builder {
    double rate;   // Hz
    double energy; // J, at the end of its last run
    int compiled;
} builder;

static void* builder_run(void* data) {
    builder* b = data;
    sis_error error = {0};
    for (int i = 0; i < 20; i++) {
        sis_scene* scene = example_swing(example_schemes[i % 4], 1.5, SIS_LAW_ONE_SIDED, 0);
        sis_system* system = example_system(scene, b->rate, &error);
        if (!system) continue;
        sis_state* state = example_state(system);
        sis_step(system, state, &(sis_block){2000, NULL, NULL, NULL});
        b->energy = sis_state_energy(system, state).total;
        b->compiled++;
        free(state);
        sis_system_free(system);
    }
    return NULL;
}

static void two_threads_may_compile_at_once(void) {
    builder alone[2] = {{44100, 0, 0}, {22050, 0, 0}}, both[2] = {{44100, 0, 0}, {22050, 0, 0}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        builder_run(&alone[i]);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&thread[i], NULL, builder_run, &both[i]) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(alone[i].compiled == 20 && both[i].compiled == 20);
        CHECK_NEAR(both[i].energy, alone[i].energy, 0);
    }
}

int main(void) {
    RUN(two_systems_at_two_rates_do_not_meet);
    RUN(one_system_serves_two_threads);
    RUN(two_threads_may_compile_at_once);
    return CHECK_REPORT();
}
