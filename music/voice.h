/** @file voice.h
 * Voices: one state, from its first note until it has rung out. Everything but sis_voice_room is
 * [audio]: it takes no memory, no lock and makes no system call.
 *
 * What a voice decides by itself (has it rung out, how loud is it) it decides at every 256th of its
 * own steps, so that nothing depends on how the time is cut into blocks.
 */
#ifndef SISTRUM_MUSIC_VOICE_H
#define SISTRUM_MUSIC_VOICE_H

#include "gesture.h"
#include "tone.h"

#define SIS_NEVER UINT64_MAX

/** How long a voice may ring, and how long it takes to fade when its place is needed. */
#define SIS_VOICE_MOST_SECONDS 60.0
#define SIS_VOICE_FADE_SECONDS 0.005

struct sis_seat;

/** What one note plays of a voice: all of it, or a course. */
typedef struct sis_part {
    int32_t note;    // place of the note whose key is down; -1: none is
    bool played;     // by any note
    int32_t held;    // keys that are down
    uint64_t since;  // row at which that last changed
    double hz;       // before bends; NaN: it has none
    double pressure; // of the key, 0 .. 1; NaN: none came
    double bend;     // of the note itself, semitones
    double retuned;  // semitones by which a new tuning moves it
    double timbre;   // of the note itself, 0 .. 1; NaN: as its channel has it
    double velocity; // 0 .. 1
    bool blow;       // the velocity waits for the first step of the state
    int32_t id;      // the host's number of the note
    uint8_t channel, master, key;
} sis_part;

typedef struct sis_voice {
    struct sis_seat* seat; // the scene
    sis_tone* tone;        // NULL: it waits for it
    sis_state* state;      // in `memory`; NULL: it has not begun
    void* memory;          // of `room` bytes: state, probes and inputs of a piece
    size_t room;
    double *probes, *inputs;
    int32_t id; // 1, 2, ...
    sis_part parts[SIS_PLAY_MOST_COURSES];
    int32_t part_count;
    int32_t top;              // mono: the note that sounds, whose keys are down; -1: none
    int32_t key, velocity;    // of the note that it began with: which tone
    bool fed;                 // a hand may give it energy for as long as a key is down
    bool endless;             // it sounds for ever, as what is played by sound from outside
    bool still;               // fingers: it is at rest and makes no steps
    double held[2];           // what is heard of it meanwhile
    bool blow;                // one of a part waits for the first step
    uint64_t start, off;      // rows: when it begins, and when the last key came up
    uint64_t last;            // row of the last thing that a key did
    uint64_t cut;             // row from which it is faded out; SIS_NEVER: not yet known
    uint64_t cut_rows;        // how long that takes
    double release;           // s; NaN: notes ring on
    uint64_t lift;            // row at which it was struck again while it faded, and
    uint64_t lift_rows;       // how long it takes to come back
    double dim;               // how far it had faded: 1 not at all
    double* heard;            // [steps of a block][2]
    int32_t step;             // of the block: as far as it has played
    int32_t summed;           // and as far as that has been added up
    uint64_t age;             // steps since it began
    double most, stored;      // J: largest stored energy, and the present one
    double sum[2], square[2]; // of what was heard in this window, and
    uint64_t counted;         // over how many steps
    double loudest;           // largest variance of a window
    int32_t quiet;            // windows in a row that are far below it
    double recent, loudness;  // sum of squares since the last look; mean square before it
    double rest[2];           // what its first step gave, and
    bool begun, sounded;      // whether there was one, and another than it
    bool failed;              // it gave a value that is no finite number
    bool capped;              // it rang for too long
    double seconds;           // of the clock in the last block, where there is one
    double cost;              // s a row: for whoever guards the time
    double residual;          // of its energy balance, when it was last looked at
    int32_t touching;         // points of contacts that touched then
} sis_voice;

/** What a voice needs to know of the time. */
typedef struct sis_block_plan {
    uint64_t row; // the first of the block
    int32_t rows; // of a block
    int32_t oversample;
    double rate;           // rows per second
    uint64_t fade;         // rows of a fade
    const float* sound[2]; // [rows] sound from outside; NULL: silence
    float before[2];       // its last row before the block
    double* probes; // [steps of a block][probe_count]: voices add their probes; NULL: unwanted
    int32_t probe_count;
} sis_block_plan;

/** Bytes that a voice of this tone needs, aligned to 64. [any] */
size_t sis_voice_room(const sis_tone* tone);

/** Begins to play its tone at its row `start`, in its memory. */
void sis_voice_begin(sis_voice* voice);

/** Finds its scratch memory behind the state of its tone. */
void sis_voice_settle_in(sis_voice* voice);

/** Plays up to a row of the block into `heard`. Each voice in one thread. */
void sis_voice_play(sis_voice* voice, const sis_block_plan* block, uint64_t row);

/** Struck again at that row: what has rung out or faded so far does not count. */
void sis_voice_again(sis_voice* voice, const sis_block_plan* block, uint64_t row);

/** Something moves it: it is at rest no more. */
void sis_voice_stir(sis_voice* voice);

/** Fades it out from that row on, unless it does so before. */
void sis_voice_cut(sis_voice* voice, uint64_t row, uint64_t rows);

/** Is it silent from this row on? */
bool sis_voice_is_over(const sis_voice* voice, uint64_t row);

/** Whether a key of the voice is down. */
bool sis_voice_is_held(const sis_voice* voice);

#endif
