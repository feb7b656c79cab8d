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

static sis_cue key_cue(int32_t note, sis_cue_kind kind, uint64_t row, int32_t order) {
    return (sis_cue){.row = row, .order = order, .index = note, .kind = (uint8_t)kind};
}

sis_cue* sis_cues_new(const sis_song* song, double rate, int32_t* count) {
    size_t most = 3 * (size_t)song->count + (size_t)song->event_count;
    sis_cue* cues = malloc((most + 1) * sizeof *cues);
    int32_t n = 0;
    for (int32_t i = 0; cues && i < song->count; i++) {
        const sis_song_note* note = &song->notes[i];
        cues[n++] = key_cue(i, SIS_CUE_ON, row_at(note->start, rate), note->began);
        cues[n++] = key_cue(i, SIS_CUE_UP, row_at(note->up, rate), note->up_order);
        cues[n++] = key_cue(i, SIS_CUE_END, row_at(note->end, rate), note->end_order);
    }
    for (int32_t i = 0; cues && i < song->event_count; i++)
        cues[n++] =
            key_cue(i, SIS_CUE_EVENT, row_at(song->events[i].time, rate), song->events[i].order);
    if (cues) qsort(cues, (size_t)n, sizeof *cues, by_row);
    *count = n;
    return cues;
}
