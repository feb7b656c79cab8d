/** @file samples.h
 * The samples of a scene that are hashed: two seconds, its triggers struck once at the start; of a
 * scene with more than 192000 steps a second, its own duration. Every probe at every step, block by
 * block, and the sound of an oversampled scene after its filter behind each block. It needs the core,
 * the loader and Lua, and no more: other processors and the page include it too.
 */
#ifndef SISTRUM_SAMPLES_H
#define SISTRUM_SAMPLES_H

#include "script.h"
#include "sistrum/downsample.h"

#include <stdlib.h>

enum { SAMPLES_BLOCK = 512, SAMPLES_SECONDS = 2, SAMPLES_FAST = 192000 };

/** Takes bytes: little-endian doubles. False: it cannot. */
typedef bool (*samples_take)(void* self, const void* bytes, size_t size);

static inline void samples_strike(const sis_system* system, sis_state* state) {
    for (int32_t i = 0; i < sis_system_input_count(system); i++)
        if (sis_system_input(system, i).trigger) sis_state_input_set(system, state, i, 1);
}

static inline const char* samples_run(const sis_system* system, sis_render_def run,
                                      samples_take take, void* self) {
    int32_t oversample = run.oversample;
    int32_t probes = sis_system_probe_count(system);
    size_t wide = (size_t)SAMPLES_BLOCK * (size_t)(probes + 1);
    double* steps = calloc(2 * wide, sizeof *steps);
    double* rows = steps ? steps + wide : NULL;
    size_t size = sis_downsampler_size(oversample, probes > 0 ? probes : 1);
    sis_state* state =
        sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
    sis_downsampler* filter = sis_downsampler_init(oversample, probes, malloc(size));
    bool fine = steps && state && filter;
    const char* why = fine ? NULL : "out of memory, or more than 64 probes";
    if (fine) samples_strike(system, state);
    double rate = sis_system_rate(system),
           seconds = rate > SAMPLES_FAST ? run.duration : SAMPLES_SECONDS;
    uint64_t left = (uint64_t)(seconds * rate);
    for (int32_t count; !why && left > 0; left -= (uint64_t)count) {
        count = left < SAMPLES_BLOCK ? (int32_t)left : SAMPLES_BLOCK;
        sis_step(system, state, &(sis_block){count, steps, NULL, NULL});
        fine = take(self, steps, (size_t)count * (size_t)probes * sizeof *steps);
        int32_t made = oversample > 1 ? sis_downsampler_run(filter, steps, count, rows) : 0;
        fine = fine && (!made || take(self, rows, (size_t)made * (size_t)probes * sizeof *rows));
        if (!fine) why = "cannot write";
    }
    free(filter);
    free(state);
    free(steps);
    return why;
}

/** Compiles and runs the scene of a script; NULL, or why it failed, which may be in `error`. */
static inline const char* samples_of(sis_script* script, int32_t lanes, samples_take take,
                                     void* self, sis_error* error) {
    sis_scene* scene = sis_script_scene(script);
    sis_options options = sis_options_default(scene);
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, error);
    if (!system) return error->text;
    const char* why = samples_run(system, sis_scene_render(scene), take, self);
    sis_system_free(system);
    return why;
}

#endif
