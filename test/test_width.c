// The kernels of src/wide give the same bits with one, two, four and eight numbers side by side.

#include "check.h"

#include "examples.h"
#include "wide/width.h"

enum { SAMPLES = SANITIZED ? 60 : 400 };

/** Hash of probes and energies of a run; 0: refused. */
static uint64_t hash_of_run(int example, int32_t lanes) {
    char name[64];
    sis_error error = {0};
    static sis_energy energy[SAMPLES];
    sis_scene* scene = example_named(example, name);
    sis_options options = sis_options_default(scene);
    options.rate = 44100;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) return 0;
    sis_state* state = example_state(system);
    size_t columns = (size_t)sis_system_probe_count(system);
    double* probes = calloc(SAMPLES * columns + 1, sizeof *probes);
    sis_step(system, state, &(sis_block){SAMPLES, probes, energy, NULL});
    uint64_t hash = example_hash(EXAMPLE_HASH_START, probes, SAMPLES * columns * sizeof *probes);
    hash = example_hash(hash, energy, sizeof energy);
    free(probes);
    free(state);
    sis_system_free(system);
    return hash;
}

static void all_widths_give_the_same_bits(void) {
    int ran = 0;
    for (int i = 0; i < example_count(); i++) {
        uint64_t one = hash_of_run(i, 1);
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2)
            CHECK(hash_of_run(i, lanes) == one);
        ran += one != 0;
    }
    printf("  %d scenes at 1 .. %d lanes\n", ran, (int)sis_widest());
    CHECK(ran > 500);
}

static void widths_that_are_none_are_refused(void) {
    char name[64];
    for (int32_t lanes = -1; lanes <= 9; lanes++) {
        sis_error error = {0};
        sis_scene* scene = example_named(0, name);
        sis_options options = sis_options_default(scene);
        options.lanes = lanes;
        sis_system* system = sis_compile(scene, &options, &error);
        bool good = lanes == 0 || ((lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8) &&
                                   lanes <= sis_widest());
        CHECK((system != NULL) == good);
        if (!good) CHECK_TEXT(error.text, "lanes must be 1, 2, 4 or 8");
        sis_system_free(system);
        sis_scene_free(scene);
    }
}

int main(void) {
    RUN(all_widths_give_the_same_bits);
    RUN(widths_that_are_none_are_refused);
    return CHECK_REPORT();
}
