// Plays a scene as an instrument:  embed_live SCENE  plays a chord, bends it, turns a knob, and prints
// what came out. A real host calls sis_live_run from its audio callback.
#include <math.h>
#include <sistrum/live.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 128 };

int main(int argc, char** argv) {
    FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "usage: embed_live SCENE\n"), 2;
    char* text = malloc(1 << 20);
    size_t size = text ? fread(text, 1, 1 << 20, file) : 0;
    fclose(file);

    sis_live_options options = sis_live_options_default();
    options.rate = 48000;
    options.frames_max = FRAMES;
    sis_live_error error;
    sis_live* live = sis_live_new(&options, &error);
    if (!live || !sis_live_load(live, text, size, argv[1], NULL, 0, &error))
        return fprintf(stderr, "%s\n", error.text), 3;
    free(text);
    for (int i = 0; i < sis_live_knob_count(live); i++) {
        sis_live_knob knob = sis_live_knob_at(live, i);
        printf("%s: %g to %g%s%s\n", knob.label, knob.min, knob.max, *knob.unit ? " " : "",
               knob.unit);
    }

    sis_live_offline(live, true); // here nobody listens: notes may wait until they are compiled
    const sis_live_event chord[] = {{.frame = 0, .bytes = {0x90, 48, 100}},
                                    {.frame = 0, .bytes = {0x90, 55, 100}},
                                    {.frame = 64, .bytes = {0x90, 64, 100}}};
    float left[FRAMES], right[FRAMES], loudest = 0;
    for (int n = 0; n < 375; n++) { // one second
        sis_live_block block = {.frames = FRAMES, .out = {left, right}};
        if (n == 0) block.events = chord, block.event_count = 3;
        if (n == 100) sis_live_knob_set(live, 0, sis_live_knob_at(live, 0).max);
        sis_live_run(live, &block);
        for (int i = 0; i < FRAMES; i++)
            loudest = fmaxf(loudest, fmaxf(fabsf(left[i]), fabsf(right[i])));
    }
    sis_live_status status;
    sis_live_status_read(live, &status);
    printf("%d voices, %s\n", (int)status.voices, loudest > 0 && loudest < 1 ? "heard" : "silent");
    sis_live_free(live);
    return 0;
}
