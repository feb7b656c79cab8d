// Plays a scene written in Lua:  embed_lua SCENE [NAME VALUE]...  sets its params and prints what
// came out.
#include <math.h>
#include <sistrum/script.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    if (argc < 2 || argc % 2) return fprintf(stderr, "usage: embed_lua SCENE [NAME VALUE]...\n"), 2;
    sis_setting settings[16];
    int count = 0;
    for (int i = 2; i < argc && count < 16; i += 2)
        settings[count++] = (sis_setting){argv[i], strtod(argv[i + 1], NULL)};

    sis_script_error wrong = {0};
    sis_script* script = sis_script_load(argv[1], settings, count, &wrong);
    if (!script)
        return fprintf(stderr, "%s\n", wrong.text), wrong.status == SIS_SCRIPT_SETTING ? 2 : 3;
    for (int i = 0; i < sis_script_param_count(script); i++) {
        sis_param p = sis_script_param(script, i); // what a host makes its knobs from
        printf("%s = %g %s (%g to %g)\n", p.label, p.value, p.unit, p.min, p.max);
    }

    sis_error error = {0};
    sis_scene* scene = sis_script_scene(script);
    sis_options options = sis_options_default(scene);
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) sis_script_locate(script, &error, &wrong); // file and line
    sis_script_free(script);                                // systems do not need it any more
    if (!system) return fprintf(stderr, "%s\n", wrong.text), 3;
    sis_state* voice = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));

    int probes = sis_system_probe_count(system);
    double* block = calloc((size_t)(probes ? probes : 1) * 64, sizeof *block);
    double loudest = 0;
    for (int n = 0; n < (int)sis_system_rate(system) / 64; n++) { // one second
        sis_step(system, voice, &(sis_block){.frames = 64, .probes = block});
        for (int i = 0; probes && i < 64; i++)
            loudest = fmax(loudest, fabs(block[i * probes]));
    }
    printf("loudest %.9g at %g steps per second\n", loudest, sis_system_rate(system));
    free(block);
    free(voice);
    sis_system_free(system);
    return 0;
}
