// What the live library plays, as raw floats on standard output: to be held against the page's engine (web/test/).
//
//   live_samples SCENE.lua BLOCKS [BLOCK,WORD,NUMBER...]...
//
// Blocks of 128 frames at 48000 Hz, offline: 128 floats left, 128 right. Before a block come its words: on,KEY,VELOCITY
// off,KEY  bytes,B0,B1,B2  knob,INDEX,VALUE  finger,I,BODY,X,Y,PRESS  lift,I. With a finger among them the scene is touched,
// else it is played by notes. Of the scene's sound 1 is full scale.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sistrum/live.h"

enum { FRAMES = 128, EVENTS = 64 };

typedef struct act {
    long block;
    char word[16];
    double numbers[5];
} act;

static int fail(const char* why) {
    fprintf(stderr, "live_samples: %s\n", why);
    return 1;
}

static char* read_file(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    char* text = file ? malloc(1 << 22) : NULL;
    *size = text ? fread(text, 1, 1 << 22, file) : 0;
    if (file) fclose(file);
    return text;
}

static act read_act(char* text) {
    act a = {.block = strtol(text, &text, 10)};
    char* word = strtok(text, ",");
    snprintf(a.word, sizeof a.word, "%s", word ? word : "");
    for (int i = 0; i < 5; i++) {
        char* number = strtok(NULL, ",");
        a.numbers[i] = number ? strtod(number, NULL) : 0;
    }
    return a;
}

/** One that is no event is done at once: false. */
static bool event_of(sis_live* live, const act* a, sis_live_event* e) {
    const double* n = a->numbers;
    *e = (sis_live_event){.note = -1, .key = (int16_t)n[0], .value = n[1]};
    if (!strcmp(a->word, "on")) return e->kind = SIS_LIVE_NOTE_ON, true;
    if (!strcmp(a->word, "off")) return e->kind = SIS_LIVE_NOTE_OFF, true;
    if (!strcmp(a->word, "bytes")) {
        e->kind = SIS_LIVE_MIDI;
        for (int i = 0; i < 3; i++)
            e->bytes[i] = (uint8_t)n[i];
        return true;
    }
    if (!strcmp(a->word, "knob")) sis_live_knob_set(live, (int32_t)n[0], n[1]);
    if (!strcmp(a->word, "lift")) sis_live_finger(live, (int32_t)n[0], 0, 0, 0, (double)NAN);
    if (!strcmp(a->word, "finger"))
        sis_live_finger(live, (int32_t)n[0], (int32_t)n[1], n[2], n[3], n[4]);
    return false;
}

static void play(sis_live* live, long blocks, const act* acts, int count) {
    for (long block = 0; block < blocks; block++) {
        float out[2][FRAMES];
        sis_live_event events[EVENTS];
        int32_t event_count = 0;
        for (int i = 0; i < count && event_count < EVENTS; i++)
            if (acts[i].block == block)
                event_count += event_of(live, &acts[i], &events[event_count]);
        sis_live_run(live, &(sis_live_block){.frames = FRAMES,
                                             .out = {out[0], out[1]},
                                             .events = events,
                                             .event_count = event_count});
        fwrite(out, sizeof out, 1, stdout);
    }
}

int main(int argc, char** argv) {
    if (argc < 3) return fail("usage: live_samples SCENE.lua BLOCKS [BLOCK,WORD,NUMBER...]...");
    size_t size;
    char* text = read_file(argv[1], &size);
    act* acts = calloc((size_t)argc, sizeof *acts);
    if (!text || !acts) return fail("cannot read the scene");
    bool touched = false;
    for (int i = 3; i < argc; i++) {
        acts[i - 3] = read_act(argv[i]);
        touched = touched || !strcmp(acts[i - 3].word, "finger");
    }
    sis_live_options options = sis_live_options_default();
    sis_live_error error = {.text = ""};
    options.frames_max = FRAMES;
    options.worker = false;
    options.audit = true;
    options.peak = 1;
    options.fingers = touched ? 4 : 0;
    sis_live* live = sis_live_new(&options, &error);
    if (!live || !sis_live_load(live, text, size, "scene.lua", NULL, 0, &error))
        return fail(error.text);
    sis_live_offline(live, true);
    play(live, strtol(argv[2], NULL, 10), acts, argc - 3);
    sis_live_free(live);
    free(acts);
    free(text);
    return fflush(stdout) ? fail("cannot write") : 0;
}
