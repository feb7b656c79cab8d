/** @file stage.h
 * A song while it is played: its scenes, its voices, and what has happened so far. Private to
 * music/.
 */
#ifndef SISTRUM_MUSIC_STAGE_H
#define SISTRUM_MUSIC_STAGE_H

#include "crew.h"
#include "cue.h"
#include "desk.h"
#include "voice.h"

/** One scene. */
typedef struct sis_seat {
    const sis_play* play;
    const sis_gestures* gestures;
    sis_tones tones;
    bool fed; // a hand may give it energy for as long as a key is down
} sis_seat;

typedef struct sis_stage {
    sis_performance* p;
    sis_seat* seats; // [seat_count]
    int32_t seat_count;
    sis_block_plan block;
    sis_voice* voices; // [count], by start
    int32_t count;
    int32_t last_id;
    sis_cue* cues; // [cue_count]
    int32_t cue_count, next;
    int32_t to_come;   // notes that have not begun
    int32_t* voice_of; // [notes]: id of the voice that plays it; 0: none
    int32_t* below;    // [notes]: mono, the key that went down before it and is still down; -1
    int32_t* above;    // and the one after it
    bool used[SIS_CHANNELS];      // there are notes
    uint8_t player[SIS_CHANNELS]; // master of the channel
    sis_desk desk;
    sis_tone** waiting; // [waiting_count]: tones to compile
    int32_t waiting_count;
    double* mix;  // [steps of a block][2]
    uint64_t end; // row after the last that is heard
    sis_crew* crew;
} sis_stage;

/** Does what the next cue says. False: no memory. [setup] */
bool sis_stage_take(sis_stage* stage, const sis_cue* cue);

/** What the i-th voice held is left, its tone given back. */
void sis_stage_end_voice(sis_stage* stage, int32_t i);

/** Whether a key of the voice is down. */
bool sis_voice_is_held(const sis_voice* voice);

/** "note A3 at 1.5 s" */
void sis_note_title(const sis_song_note* note, char* text, size_t size);

#endif
