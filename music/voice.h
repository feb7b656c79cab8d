/** @file voice.h
 * Voices: one note, from its start until it has rung out. Private to music/.
 */
#ifndef SISTRUM_MUSIC_VOICE_H
#define SISTRUM_MUSIC_VOICE_H

#include "tone.h"

#define SIS_NEVER UINT64_MAX

typedef struct sis_voice {
    sis_tone* tone;
    sis_state* state;    // NULL: it has not begun
    uint64_t start, off; // rows of the song: when the key goes down, and up
    uint64_t cut;        // row from which it is faded out; SIS_NEVER: not yet known
    double* heard;       // [rows of a block * oversample][2]: the block just played
    int32_t first;       // step of that block at which it begins
    // what it has been through
    double most, stored;      // J: largest stored energy, and the present one
    double sum[2], square[2]; // of what was heard in this window, and
    uint64_t counted;         // over how many steps
    double loudest;           // largest variance of a window
    int32_t quiet;            // windows in a row that are far below it
    double rest[2];           // what its first step gave, and
    bool begun, sounded;      // whether there was one, and another than it
    double seconds;           // of CPU time in the last block
    bool failed;
    sis_fault fault;
} sis_voice;

/** What a voice needs to know of the song. */
typedef struct sis_block_plan {
    uint64_t row; // the first of the block
    int32_t rows; // of a block
    int32_t oversample;
    double rate;    // rows per second
    double release; // s; NaN: notes ring on
    uint64_t fade;  // rows of a fade
    uint64_t hope;  // rows after which a voice that never sounded ends
} sis_block_plan;

/** Plays one block into `heard`. Each voice in one thread. */
void sis_voice_play(sis_voice* voice, const sis_block_plan* block);

/** After the block: has it rung out, `tail` dB below its most? */
bool sis_voice_rung_out(sis_voice* voice, const sis_block_plan* block, double tail);

/** Frees what the voice itself holds. */
void sis_voice_end(sis_voice* voice);

#endif
