// Many states in one call: runs of twins side by side, all others one by one.
#include "step/batch.h"

#include <string.h>

const batch_kernel* sis_batch_kernel(int32_t width) {
#if SIS_HAS_AVX2
    if (width == 8) return &sis_batch_kernel_8;
    if (width == 4) return &sis_batch_kernel_4;
#endif
#if defined(__GNUC__)
    if (width == 2) return &sis_batch_kernel_2;
#endif
    return NULL;
}

int32_t sis_batch_sets(const batch_kernel* kernel, const sis_system* system) {
    int32_t most = system->dof_count > 1 ? system->dof_count : 1;
    if (system->block_count > most) most = system->block_count;
    if (system->probe_count > most) most = system->probe_count;
    return kernel->room / most < BATCH_SETS ? kernel->room / most : BATCH_SETS;
}

// The widest, up to what the system was compiled for, with room for one set. NULL: there is none,
// or the system has no twins.
static const batch_kernel* kernel_for(const sis_system* system) {
    if (system->build_count == 0) return NULL;
    for (int32_t width = system->lanes; width > 1; width /= 2) {
        const batch_kernel* kernel = sis_batch_kernel(width);
        if (kernel && sis_batch_sets(kernel, system) > 0) return kernel;
    }
    return NULL;
}

static bool twins(const sis_system* a, const sis_system* b) {
    if (a == b) return a->build_count > 0;
    return a->build_count > 0 && a->build_count == b->build_count &&
           memcmp(a->build, b->build, (size_t)a->build_count * sizeof *a->build) == 0;
}

// A state that is named twice has to wait for its first turn.
static bool holds(sis_state* const* states, int32_t count, const sis_state* state) {
    for (int32_t i = 0; i < count; i++)
        if (states[i] == state) return true;
    return false;
}

// How many of the first `most` can go side by side.
static int32_t run_length(const sis_system* const* systems, sis_state* const* states,
                          const sis_block* blocks, int32_t most) {
    int32_t run = 1;
    while (run < most && blocks[run].frames == blocks[0].frames &&
           (states[run]->samples == 0) == (states[0]->samples == 0) &&
           twins(systems[0], systems[run]) && !holds(states, run, states[run]))
        run++;
    return run;
}

static void step_twins(const batch_kernel* kernel, const sis_system* const* systems,
                       sis_state* const* states, const sis_block* blocks, int32_t count) {
    batch_voice voices[BATCH_MOST];
    // Row 0 is the given state: the same for all, and no step.
    int32_t given = states[0]->samples == 0 && blocks[0].frames > 0;
    for (int32_t i = 0; i < count; i++) {
        sis_block row = {given, blocks[i].probes, blocks[i].energy};
        sis_step(systems[i], states[i], &row);
        size_t probes = (size_t)given * (size_t)systems[i]->probe_count;
        voices[i] = (batch_voice){systems[i], states[i], row.probes ? row.probes + probes : NULL,
                                  row.energy ? row.energy + given : NULL};
    }
    if (blocks[0].frames > given) kernel->step(voices, count, blocks[0].frames - given);
}

void sis_step_batch(const sis_system* const* systems, sis_state* const* states,
                    const sis_block* blocks, int32_t count) {
    for (int32_t i = 0; i < count;) {
        const batch_kernel* kernel = kernel_for(systems[i]);
        int32_t most = kernel ? kernel->lanes * sis_batch_sets(kernel, systems[i]) : 1;
        if (most > count - i) most = count - i;
        int32_t run = run_length(systems + i, states + i, blocks + i, most);
        if (run > 1)
            step_twins(kernel, systems + i, states + i, blocks + i, run);
        else
            sis_step(systems[i], states[i], &blocks[i]);
        i += run;
    }
}
