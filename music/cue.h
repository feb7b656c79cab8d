/** @file cue.h
 * A song as what happens, one after the other, at rows of the sound. Private to music/.
 */
#ifndef SISTRUM_MUSIC_CUE_H
#define SISTRUM_MUSIC_CUE_H

#include "midi.h"

typedef enum sis_cue_kind { SIS_CUE_UP, SIS_CUE_END, SIS_CUE_EVENT, SIS_CUE_ON } sis_cue_kind;

typedef struct sis_cue {
    uint64_t row;
    int32_t order; // in the file
    int32_t index; // of the note or the event
    uint8_t kind;
} sis_cue;

/** All of them by row, then as in the file; `count` receives how many. The caller frees them. NULL:
 * no memory. [setup] */
sis_cue* sis_cues_new(const sis_song* song, double rate, int32_t* count);

#endif
