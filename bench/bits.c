// Hashes every bit that long runs of all examples write: probes, energies and reports. Two builds
// with the same output have the same sound. Used by test/compilers.sh, and by hand before and after
// a change that should move nothing:  bits > before; ...; bits | diff before -
#include "examples.h"

enum { SAMPLES = 8820, BLOCK = 441 };

/** Runs one example and prints its line; false when it is refused or leaves the finite numbers. */
static bool run(int i) {
    char name[64];
    sis_error error = {0};
    sis_system* system = example_system(example_named(i, name), 44100, &error);
    if (!system) {
        // What cannot work must be refused by every build with the same sentence.
        uint64_t hash = example_hash(EXAMPLE_HASH_START, error.text, strlen(error.text));
        printf("%-44s refused %016llx\n", name, (unsigned long long)hash);
        return example_may_refuse(i);
    }
    sis_state* state = example_state(system);
    int32_t columns = sis_system_probe_count(system);
    double* probes = calloc((size_t)BLOCK * (size_t)columns, sizeof *probes);
    static sis_energy energy[BLOCK];
    uint64_t hash = EXAMPLE_HASH_START;
    bool finite = true;
    if (!probes) exit(1);
    for (int n = 0; n < SAMPLES; n += BLOCK) {
        sis_step(system, state, &(sis_block){BLOCK, probes, energy, NULL});
        hash = example_hash(hash, probes, (size_t)BLOCK * (size_t)columns * sizeof *probes);
        hash = example_hash(hash, energy, sizeof energy);
        for (int row = 0; row < BLOCK; row++)
            finite = finite && isfinite(energy[row].total);
    }
    uint64_t inside = 0;
    for (int32_t l = 0; l < sis_system_link_count(system); l++) {
        sis_link_report report = sis_state_link(system, state, l);
        // Field by field: padding is nobody's result.
        hash = example_hash(hash, &report.max_penetration, sizeof report.max_penetration);
        hash = example_hash(hash, &report.max_force, sizeof report.max_force);
        hash = example_hash(hash, &report.min_force, sizeof report.min_force);
        hash = example_hash(hash, &report.trapped_max, sizeof report.trapped_max);
        hash = example_hash(hash, &report.contact_samples, sizeof report.contact_samples);
        hash = example_hash(hash, &report.iterations, sizeof report.iterations);
        hash = example_hash(hash, &report.iterations_max, sizeof report.iterations_max);
        inside += report.contact_samples;
    }
    // A run that never touches proves nothing about contacts.
    printf("%-44s %016llx%s%s\n", name, (unsigned long long)hash, finite ? "" : " NOT FINITE",
           inside ? "" : " NO CONTACT");
    free(probes);
    free(state);
    sis_system_free(system);
    return finite && inside;
}

int main(void) {
    bool good = true;
    for (int i = 0; i < example_count(); i++)
        good = run(i) && good;
    return good ? 0 : 1;
}
