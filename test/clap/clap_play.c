// Plays events through a CLAP plugin, offline and with nothing behind the instrument, into a file of raw floats:
//   clap_play PLUGIN ID RATE BLOCK FRAMES OUT <EVENTS
// Every line of EVENTS: frame and three bytes of MIDI, or "frame set NAME VALUE" of a param by its name.
#include "clap_host.h"

#include <stdlib.h>
#include <string.h>

static clap_file file;
static clap_host_rack rack;

typedef struct line {
    uint32_t frame;
    unsigned bytes[3];
    char name[128]; // "": MIDI
    double value;
} line;

static bool read_line(line* next) {
    char text[256];
    while (fgets(text, sizeof text, stdin)) {
        *next = (line){0};
        if (sscanf(text, "%u set \"%127[^\"]\" %lf", &next->frame, next->name, &next->value) == 3)
            return true;
        next->name[0] = 0;
        if (sscanf(text, "%u %x %x %x", &next->frame, &next->bytes[0], &next->bytes[1],
                   &next->bytes[2]) == 4)
            return true;
    }
    return false;
}

static void add(const line* next, uint32_t time) {
    clap_param_info_t info;
    if (!next->name[0])
        rack_midi(&rack, time, (int)next->bytes[0], (int)next->bytes[1], (int)next->bytes[2]);
    else if (rack_find(&rack, next->name, &info))
        rack_param(&rack, time, &info, next->value);
    else
        fprintf(stderr, "no param '%s'\n", next->name);
}

/** As hosts do, it leaves out the frames by which the plugin is late. */
static bool play(uint32_t block, uint32_t frames, FILE* out) {
    line next;
    bool more = read_line(&next);
    uint32_t late = rack.latency->get(rack.plugin);
    frames += late;
    for (uint32_t at = 0; at < frames; at += block) {
        uint32_t length = block < frames - at ? block : frames - at;
        for (; more && next.frame < at + length; more = read_line(&next))
            add(&next, next.frame - at);
        rack_process(&rack, length);
        for (uint32_t i = at < late ? late - at : 0; i < length; i++) {
            float pair[2] = {rack.out[0][i], rack.out[1][i]};
            if (fwrite(pair, sizeof pair, 1, out) != 1) return false;
        }
    }
    return true;
}

int main(int count, char** words) {
    if (count != 7) {
        fprintf(stderr, "usage: clap_play PLUGIN ID RATE BLOCK FRAMES OUT <EVENTS\n");
        return 2;
    }
    uint32_t block = (uint32_t)atoi(words[4]), frames = (uint32_t)atoi(words[5]);
    FILE* out = fopen(words[6], "wb");
    bool fine = out && block > 0 && block <= HOST_FRAMES && clap_file_open(&file, words[1]) &&
                rack_open(&rack, &file, words[2]) && rack_make_plain(&rack) &&
                rack_activate(&rack, atof(words[3]), block) && play(block, frames, out);
    rack_close(&rack);
    clap_file_close(&file);
    fine = out && fclose(out) == 0 && fine;
    return fine ? 0 : 1;
}
