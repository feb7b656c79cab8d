// The samples of a scene as raw little-endian doubles on standard output, to be hashed:
//
//   scene_samples SCENE.lua [LANES]
//
// Two seconds, its triggers struck once at the start; of a scene with more than 192000 steps a second, its own duration. Every probe at
// every step, block by block, and the sound of an oversampled scene after its filter behind each
// block. It needs the core, the loader and Lua, and no more: the same program is built for other
// processors and for WebAssembly (tools/hashes.sh).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "sistrum/downsample.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

enum { BLOCK = 512, SECONDS = 2, FAST = 192000 };

static int fail(const char* why) {
    fprintf(stderr, "scene_samples: %s\n", why);
    return 1;
}

static void strike(const sis_system* system, sis_state* state) {
    for (int32_t i = 0; i < sis_system_input_count(system); i++)
        if (sis_system_input(system, i).trigger) sis_state_input_set(system, state, i, 1);
}

static int write_samples(const sis_system* system, sis_render_def run) {
    int32_t oversample = run.oversample;
    int32_t probes = sis_system_probe_count(system);
    size_t wide = (size_t)BLOCK * (size_t)(probes + 1);
    double* steps = calloc(2 * wide, sizeof *steps);
    double* rows = steps ? steps + wide : NULL;
    size_t size = sis_downsampler_size(oversample, probes > 0 ? probes : 1);
    sis_state* state =
        sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
    sis_downsampler* filter = sis_downsampler_init(oversample, probes, malloc(size));
    if (!steps || !state || !filter) return fail("out of memory, or more than 64 probes");
    strike(system, state);
    double rate = sis_system_rate(system), seconds = rate > FAST ? run.duration : SECONDS;
    uint64_t left = (uint64_t)(seconds * rate);
    for (int32_t count; left > 0; left -= (uint64_t)count) {
        count = left < BLOCK ? (int32_t)left : BLOCK;
        sis_step(system, state, &(sis_block){count, steps, NULL, NULL});
        fwrite(steps, sizeof *steps, (size_t)count * (size_t)probes, stdout);
        if (oversample == 1) continue;
        int32_t made = sis_downsampler_run(filter, steps, count, rows);
        fwrite(rows, sizeof *rows, (size_t)made * (size_t)probes, stdout);
    }
    free(filter);
    free(state);
    free(steps);
    return fflush(stdout) ? fail("cannot write") : 0;
}

int main(int argc, char** argv) {
#ifdef _WIN32
    _setmode(_fileno(stdout), _O_BINARY); // samples are no text
#endif
    if (argc < 2) return fail("usage: scene_samples SCENE.lua [LANES]");
    static sis_script_error wrong;
    sis_script* script = sis_script_load(argv[1], NULL, 0, &wrong);
    if (!script) return fail(wrong.text);
    sis_scene* scene = sis_script_scene(script);
    sis_options options = sis_options_default(scene);
    if (argc > 2) options.lanes = (int32_t)strtol(argv[2], NULL, 10);
    sis_error error = {0};
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) return fail(error.text);
    sis_render_def run = sis_scene_render(scene);
    sis_script_free(script);
    int code = write_samples(system, run);
    sis_system_free(system);
    return code;
}
