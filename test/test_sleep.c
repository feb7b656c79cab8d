// A state that has died away may sleep: what it held is dissipated, and the balance stays closed.
#include "check.h"
#include "reference.h"

#include <sistrum/sistrum.h>

enum { FRAMES = 256 };
static const double rate = 44100;

/** What may keep a scene awake. */
typedef enum waker { NOTHING, LATE_FORCE, BOW, GRAVITY, HAND, WAKERS } waker;

static sis_system* plucked(uint64_t* seed, int strings, waker who) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_id string = SIS_NONE;
    for (int i = 0; i < strings; i++) {
        sis_string_def s = sis_string_default();
        s.length = 0.7;
        s.frequency = random_log(seed, 150, 400);
        s.material_density = 7850;
        s.radius = 2e-4;
        s.youngs = 2e11;
        s.sigma0 = random_log(seed, 60, 100);
        string = sis_scene_add_string(scene, &s, &error);
        sis_barrier_def b = sis_barrier_default();
        b.height = -random_log(seed, 1e-5, 1e-3);
        b.from = 0.1;
        b.to = 0.6;
        sis_contact_def c = sis_contact_default();
        c.above = string;
        c.below = sis_scene_add_barrier(scene, &b, &error);
        c.K = 1e9;
        c.alpha = 1.5;
        sis_scene_add_contact(scene, &c, &error);
        sis_pluck_def p = sis_pluck_default();
        p.on = string;
        p.at = 0.2;
        p.height = 2e-3;
        sis_scene_add_pluck(scene, &p, &error);
        sis_probe_def probe = sis_probe_default();
        probe.on = string;
        probe.at = 0.1;
        sis_scene_add_probe(scene, &probe, &error);
    }
    sis_force_def f = sis_force_default();
    f.on = string;
    f.at = 0.3;
    f.shape = SIS_FORCE_RAISED_COSINE;
    f.peak = 1;
    f.width = 1e-3;
    f.start = who == LATE_FORCE ? 100 : 0.001;
    sis_scene_add_force(scene, &f, &error);
    sis_bow_def bow = sis_bow_default();
    bow.on = string;
    bow.at = 0.1;
    bow.force = 1e-6;
    bow.velocity = 0;
    if (who == BOW) sis_scene_add_bow(scene, &bow, &error);
    double path[] = {0, 1, 50, 2};
    sis_mass_def mass = sis_mass_default();
    mass.mass = 0.01;
    if (who == HAND) mass.path = (sis_envelope){path, 2};
    sis_scene_add_mass(scene, &mass, &error);
    sis_gravity_def gravity = sis_gravity_default();
    gravity.g = 1e-9;
    if (who == GRAVITY) sis_scene_add_gravity(scene, &gravity, &error);
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) printf("%s\n", error.text);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

static sis_state* state_of(const sis_system* system) {
    return sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
}

// Runs until it sleeps; false: it did not within so many blocks. Its last energy awake.
static bool until_asleep(const sis_system* system, sis_state* state, double below, int blocks,
                         sis_energy* awake) {
    for (int i = 0; i < blocks; i++) {
        sis_step(system, state, &(sis_block){FRAMES, NULL, NULL, NULL});
        *awake = sis_state_energy(system, state);
        if (sis_state_sleep(system, state, below)) return true;
    }
    return false;
}

static void what_it_held_is_dissipated(void) {
    uint64_t seed = 11;
    for (int trial = 0; trial < 12; trial++) {
        int strings = trial % 3 == 2 ? 20 : 1; // one part, and several
        sis_system* system = plucked(&seed, strings, NOTHING);
        sis_state* state = state_of(system);
        double first = sis_state_energy(system, state).total, below = 1e-6 * first;
        sis_energy awake = {0}, asleep, rows[FRAMES];
        double probes[FRAMES * 20];
        CHECK(!sis_state_sleep(system, state, 2 * first)); // a force is to come
        CHECK(until_asleep(system, state, below, 2000, &awake));
        CHECK(sis_state_sleeps(state));
        CHECK(awake.total > 0 && awake.total <= below);
        asleep = sis_state_energy(system, state);
        CHECK(asleep.total == 0 && asleep.kinetic == 0 && asleep.elastic == 0);
        CHECK(asleep.supplied == awake.supplied);
        CHECK_NEAR(asleep.dissipated, awake.dissipated + awake.total, 1e-15 * first);
        CHECK(fabs(asleep.residual) < 1e-12 * first);
        uint64_t before = sis_state_samples(state);
        for (int i = 0; i < FRAMES * strings; i++)
            probes[i] = 1;
        sis_step(system, state, &(sis_block){FRAMES, probes, rows, NULL});
        CHECK(sis_state_samples(state) == before + FRAMES);
        for (int i = 0; i < FRAMES * strings; i++)
            CHECK(probes[i] == 0);
        CHECK(memcmp(&rows[FRAMES - 1], &asleep, sizeof asleep) == 0);
        sis_state_init(system, state);
        CHECK(!sis_state_sleeps(state));
        free(state);
        sis_system_free(system);
    }
}

static void nothing_sleeps_that_may_be_moved_again(void) {
    uint64_t seed = 12;
    for (waker who = LATE_FORCE; who < WAKERS; who++) {
        sis_system* system = plucked(&seed, 1, who);
        sis_state* state = state_of(system);
        sis_energy awake = {0};
        CHECK(!until_asleep(system, state, HUGE_VAL, 50, &awake));
        CHECK(!sis_state_sleeps(state));
        free(state);
        sis_system_free(system);
    }
    CHECK(!sis_state_sleeps(NULL));
    CHECK(!sis_state_sleep(NULL, NULL, 1));
}

int main(void) {
    RUN(what_it_held_is_dissipated);
    RUN(nothing_sleeps_that_may_be_moved_again);
    return CHECK_REPORT();
}
