// A state knows its system: another one does not move it, read it or write beyond it. The same
// scene compiled again is the same system.
#include "check.h"
#include "examples.h"

enum { SYSTEMS = 30, FRAMES = 40 };

static sis_system* make(int i, double rate) {
    char name[64];
    sis_error error = {0};
    return example_system(example_named(i, name), rate, &error);
}

static void another_system_does_not_move_a_state(void) {
    sis_system* systems[SYSTEMS];
    int count = 0, all = EXAMPLE_MASSES + EXAMPLE_STRINGS + EXAMPLE_BODIES;
    for (int i = 0; i < all && count < SYSTEMS; i += all / SYSTEMS)
        if ((systems[count] = make(i, 44100))) count++;
    CHECK(count > SYSTEMS / 2);
    for (int i = 0; i < count; i++) {
        size_t size = sis_state_size(systems[i]);
        sis_state* state = example_state(systems[i]);
        void* before = malloc(size);
        sis_step(systems[i], state, &(sis_block){FRAMES, NULL, NULL, NULL});
        for (int j = 0; j < count; j++) {
            if (i == j) continue;
            int32_t probes = sis_system_probe_count(systems[j]);
            double* rows = calloc((size_t)FRAMES * (size_t)probes + 1, sizeof *rows);
            sis_energy energy[FRAMES];
            uint64_t refused = sis_state_refused(state);
            memcpy(before, state, size);
            rows[0] = 1;
            sis_step(systems[j], state, &(sis_block){FRAMES, rows, energy, NULL});
            CHECK(sis_state_refused(state) == refused + 1 && sis_state_samples(state) == FRAMES);
            CHECK(memcmp((char*)before + 64, (char*)state + 64, size - 64) == 0);
            CHECK(isnan(energy[0].total) && isnan(sis_state_energy(systems[j], state).total));
            CHECK(probes == 0 || rows[0] == 0);
            CHECK(sis_state_foreign(systems[j], state) != NULL);
            CHECK(sis_state_link(systems[j], state, 0).max_force == 0);
            sis_state_contact(systems[j], state, 0, rows, NULL);
            free(rows);
        }
        CHECK(sis_state_foreign(systems[i], state) == NULL);
        free(before);
        free(state);
    }
    for (int i = 0; i < count; i++)
        sis_system_free(systems[i]);
}

static void the_same_scene_is_the_same_system(void) {
    for (int i = 0; i < EXAMPLE_MASSES + EXAMPLE_STRINGS + EXAMPLE_BODIES; i += 11) {
        sis_system *a = make(i, 48000), *b = make(i, 48000), *c = make(i, 44100);
        if (a && b && c) {
            sis_state* state = example_state(a);
            CHECK(sis_state_foreign(b, state) == NULL && sis_state_foreign(c, state) != NULL);
            sis_step(b, state, &(sis_block){FRAMES, NULL, NULL, NULL});
            CHECK(sis_state_samples(state) == FRAMES && sis_state_refused(state) == 0);
            free(state);
        }
        sis_system_free(a), sis_system_free(b), sis_system_free(c);
    }
}

static void one_number_more_or_less_is_another_system(void) {
    static const double alpha[] = {1.5, 2.5};
    sis_system* systems[2];
    for (int i = 0; i < 2; i++) {
        sis_error error = {0};
        systems[i] = example_system(
            example_swing(example_schemes[0], alpha[i], SIS_LAW_ONE_SIDED, 0), 44100, &error);
    }
    CHECK(sis_state_size(systems[0]) == sis_state_size(systems[1])); // the layout is the same
    sis_state* state = example_state(systems[0]);
    CHECK_TEXT(sis_state_foreign(systems[1], state), "another system");
    free(state);
    sis_system_free(systems[0]), sis_system_free(systems[1]);
}

static void what_is_no_memory_is_named(void) {
    sis_system* system = make(0, 44100);
    char* memory = aligned_alloc(64, sis_state_size(system) + 64);
    CHECK_TEXT(sis_state_wrong(system, NULL), "NULL");
    CHECK_TEXT(sis_state_wrong(NULL, memory), "NULL");
    CHECK_TEXT(sis_state_wrong(system, memory + 8), "aligned");
    CHECK(!sis_state_wrong(system, memory) && !sis_state_init(system, memory + 8));
    CHECK(!sis_state_init(system, NULL) && !sis_state_init(NULL, memory));
    memset(memory, 0, sis_state_size(system));
    CHECK_TEXT(sis_state_foreign(system, memory), "never initialised");
    sis_step(system, NULL, &(sis_block){1, NULL, NULL, NULL});
    sis_step(NULL, (sis_state*)memory, &(sis_block){1, NULL, NULL, NULL});
    CHECK(isnan(sis_state_energy(system, NULL).total));
    free(memory);
    sis_system_free(system);
}

static void null_in_a_batch_is_passed_over(void) {
    CHECK(sis_state_refused(NULL) == 0);
    sis_system* system = make(0, 44100);
    sis_state *one = example_state(system), *two = example_state(system);
    const sis_system* const systems[] = {system, NULL, system, system};
    sis_state* const states[] = {one, one, NULL, two};
    const sis_block blocks[] = {
        {3, NULL, NULL, NULL}, {5, NULL, NULL, NULL}, {5, NULL, NULL, NULL}, {7, NULL, NULL, NULL}};
    sis_step_batch(NULL, NULL, NULL, 3);
    sis_step_batch(NULL, states, blocks, 4);
    sis_step_batch(systems, NULL, blocks, 4);
    sis_step_batch(systems, states, NULL, 4);
    CHECK(sis_state_samples(one) == 0 && sis_state_samples(two) == 0);
    sis_step_batch(systems, states, blocks, 4);
    CHECK(sis_state_samples(one) == 3 && sis_state_samples(two) == 7);
    CHECK(sis_state_refused(one) == 0 && sis_state_refused(two) == 0);
    free(one), free(two);
    sis_system_free(system);
}

static void impacts_that_cannot_happen_have_no_answer(void) {
    static const sis_impact good = {.mass = 0.01, .K = 1e7, .alpha = 1.5, .mu = 0.1, .speed = 1};
    static const double wrong[] = {(double)NAN, INFINITY, -INFINITY, -1, 1e308};
    CHECK(sis_impact_duration(&good) > 0 && sis_impact_restitution(&good) < 1);
    for (int field = 0; field < 5; field++)
        for (int k = 0; k < 5; k++) {
            sis_impact i = good;
            double* const fields[] = {&i.mass, &i.K, &i.alpha, &i.mu, &i.speed};
            *fields[field] = wrong[k];
            CHECK(isnan(sis_impact_duration(&i)) && isnan(sis_impact_max_depth(&i)));
            CHECK(isnan(sis_impact_exit_speed(&i)) && isnan(sis_impact_exit_speed_fit(&i)));
            CHECK(isnan(sis_impact_restitution(&i)) && isnan(sis_impact_depth(&i, 0)));
        }
    sis_impact resting = good, sticky = good, slow = good;
    resting.speed = 0, sticky.mu = 1e16, slow.speed = 1e-200;
    CHECK(isnan(sis_impact_restitution(&resting)) && isnan(sis_impact_exit_speed(&resting)));
    CHECK(isnan(sis_impact_duration(&resting)) && isnan(sis_impact_depth(&resting, 0)));
    CHECK(isnan(sis_impact_max_depth(&sticky)) && isnan(sis_impact_exit_speed(&sticky)));
    CHECK(isnan(sis_impact_max_depth(&slow)) && isnan(sis_impact_duration(&slow)));
    CHECK(isnan(sis_impact_depth(&good, 2)) && isnan(sis_impact_depth(&good, (double)NAN)));
    CHECK(isnan(sis_impact_duration(NULL)));
}

int main(void) {
    RUN(another_system_does_not_move_a_state);
    RUN(the_same_scene_is_the_same_system);
    RUN(one_number_more_or_less_is_another_system);
    RUN(what_is_no_memory_is_named);
    RUN(null_in_a_batch_is_passed_over);
    RUN(impacts_that_cannot_happen_have_no_answer);
    return CHECK_REPORT();
}
