// Forty strings with a barrier each in one scene, stepped by the threads of the host: no lock.
#include <pthread.h>
#include <sched.h>
#include <sistrum/sistrum.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELPERS = 2, STRINGS = 40, BLOCK = 64 };

typedef struct team {
    void (*work)(void* data, int32_t i);
    void* data;
    int32_t count;
    atomic_int next, ended, round; // the next part, helpers that have ended, blocks so far
} team;

static void share(team* t) {
    for (int32_t i; (i = atomic_fetch_add(&t->next, 1)) < t->count;)
        t->work(t->data, i);
}

static void* help(void* data) { // until round is -1
    team* t = data;
    for (int seen = 0, now; (now = atomic_load(&t->round)) >= 0; seen = now) {
        if (now == seen) {
            sched_yield(); // a host wakes its threads by what its system has for it
            continue;
        }
        share(t);
        atomic_fetch_add(&t->ended, 1);
    }
    return NULL;
}

static void run(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data) {
    team* t = self;
    t->work = work, t->data = data, t->count = count;
    atomic_store(&t->next, 0), atomic_store(&t->ended, 0);
    atomic_fetch_add(&t->round, 1); // all of the above is seen by whoever sees this
    share(t);                       // the audio thread works too
    while (atomic_load(&t->ended) < HELPERS)
        ;
}

static sis_system* forty_strings(void) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < STRINGS; i++) {
        sis_string_def wire = sis_string_default();
        wire.length = 0.7, wire.frequency = 110 + 3 * i, wire.radius = 2e-4;
        wire.material_density = 7850, wire.youngs = 2e11, wire.sigma0 = 1;
        sis_barrier_def bridge = sis_barrier_default();
        bridge.height = -1e-4, bridge.from = 0, bridge.to = 0.1;
        sis_contact_def contact = sis_contact_default();
        contact.above = sis_scene_add_string(scene, &wire, &error);
        contact.below = sis_scene_add_barrier(scene, &bridge, &error);
        contact.K = 1e9, contact.alpha = 1.5;
        sis_pluck_def pluck = sis_pluck_default();
        pluck.on = contact.above, pluck.at = 0.2, pluck.height = 2e-3;
        sis_probe_def ear = sis_probe_default();
        ear.on = contact.above, ear.at = 0.6;
        sis_scene_add_contact(scene, &contact, &error);
        sis_scene_add_pluck(scene, &pluck, &error);
        sis_scene_add_probe(scene, &ear, &error);
    }
    sis_options options = sis_options_default(scene);
    options.rate = 48000;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) fprintf(stderr, "%s\n", error.text), exit(1);
    return system;
}

int main(void) {
    static double alone[BLOCK * STRINGS], together[BLOCK * STRINGS];
    sis_system* system = forty_strings();
    sis_state* a = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    sis_state* b = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    team t = {.count = 0};
    pthread_t helpers[HELPERS];
    for (int i = 0; i < HELPERS; i++)
        if (pthread_create(&helpers[i], NULL, help, &t) != 0) return 1;
    int differ = 0;
    for (int n = 0; n < 4800 / BLOCK; n++) {
        sis_step(system, a, &(sis_block){.frames = BLOCK, .probes = alone});
        sis_step_threads(system, b, &(sis_block){.frames = BLOCK, .probes = together},
                         &(sis_threads){&t, run});
        differ += memcmp(alone, together, sizeof alone) != 0;
    }
    atomic_store(&t.round, -1);
    for (int i = 0; i < HELPERS; i++)
        pthread_join(helpers[i], NULL);
    printf("%d parts in %d threads: %d blocks differ\n", (int)sis_system_parts(system), HELPERS + 1,
           differ);
    free(a);
    free(b);
    sis_system_free(system);
    return 0;
}
