#include "cue.h"

#include <math.h>
#include <stdlib.h>

static int by_row(const void* a, const void* b) {
    const sis_cue *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint64_t row_at(double seconds, double rate) {
    double row = fmin(round(seconds * rate), 4e18); // controllers may come long after the last note
    return row > 0 ? (uint64_t)row : 0;
}

sis_cue* sis_cues_new(const sis_song* song, double rate,
                      bool (*by_key)(const void* self, const sis_song_note* note), const void* self,
                      int32_t* count) {
    size_t most = 2 * (size_t)song->count + (size_t)song->event_count;
    sis_cue* cues = malloc((most + 1) * sizeof *cues);
    int32_t n = 0;
    for (int32_t i = 0; cues && i < song->count; i++) {
        const sis_song_note* note = &song->notes[i];
        bool key = by_key(self, note);
        uint64_t on = row_at(note->start, rate), off = row_at(key ? note->up : note->end, rate);
        cues[n++] = (sis_cue){.row = on, .order = note->began, .index = i, .kind = SIS_CUE_ON};
        cues[n++] = (sis_cue){.row = off > on ? off : on + 1,
                              .order = key ? note->up_order : note->end_order,
                              .index = i,
                              .kind = SIS_CUE_OFF};
    }
    for (int32_t i = 0; cues && i < song->event_count; i++)
        cues[n++] = (sis_cue){.row = row_at(song->events[i].time, rate),
                              .order = song->events[i].order,
                              .index = i,
                              .kind = SIS_CUE_EVENT};
    if (cues) qsort(cues, (size_t)n, sizeof *cues, by_row);
    *count = n;
    return cues;
}
