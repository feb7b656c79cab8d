/** @file voice.h
 * Voices: one state, from its first note until it has rung out. Private to music/.
 */
#ifndef SISTRUM_MUSIC_VOICE_H
#define SISTRUM_MUSIC_VOICE_H

#include "tone.h"

#define SIS_NEVER UINT64_MAX

/** What one note plays of a voice: all of it, or a course. */
typedef struct sis_part {
    int32_t note;    // of the song, the last that played it; -1: none did
    int32_t held;    // keys that are down
    uint64_t since;  // row at which that last changed
    double hz;       // before bends; NaN: it has none
    double pressure; // of the key, 0 .. 1; NaN: none came
    uint8_t channel, master, key;
} sis_part;

typedef struct sis_voice {
    sis_tone* tone;
    sis_state* state; // NULL: it has not begun
    int32_t id;       // 1, 2, ...
    int32_t seat;     // which scene
    sis_part* parts;  // [part_count]
    int32_t part_count;
    int32_t top;     // mono: the note that sounds, whose keys are down; -1: none
    sis_move* moves; // [move_count], by row: in the block to come
    int32_t move_count, move_room, move_next;
    uint64_t start, off; // rows of the song: when the first key goes down, and the last up
    uint64_t last;       // row of the last thing that a key did
    uint64_t cut;        // row from which it is faded out; SIS_NEVER: not yet known
    double release;      // s; NaN: notes ring on
    uint64_t lift;       // row at which it was struck again while it faded, and
    double dim;          // how far it had: 1 not at all
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
    double rate;   // rows per second
    uint64_t fade; // rows of a fade
    uint64_t hope; // rows after which a voice that never sounded ends
} sis_block_plan;

/** Lets something move in the block to come; of two at one row the later one counts. False: no
 * memory. */
bool sis_voice_move(sis_voice* voice, sis_move move);

/** Struck again at that row: what has rung out or faded so far does not count. */
void sis_voice_again(sis_voice* voice, const sis_block_plan* block, uint64_t row);

/** Plays one block into `heard`. Each voice in one thread. */
void sis_voice_play(sis_voice* voice, const sis_block_plan* block);

/** After the block: has it rung out, `tail` dB below its most? */
bool sis_voice_rung_out(sis_voice* voice, const sis_block_plan* block, double tail);

/** Frees what the voice itself holds. */
void sis_voice_end(sis_voice* voice);

#endif
