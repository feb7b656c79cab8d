/** @file stage.h
 * Scenes while they are played: voices, and what notes and controllers do to them. The program's
 * songs and the live library stand on it, so that both give the same bits.
 *
 *   begin a block
 *     notes, events at rows --> voices play up to that row, then begin, move, end
 *   end the block: all voices have played, `mix` is their sum in the order in which they began
 *
 * All but open and close is [audio]: it takes no memory, no lock and makes no system call. Results
 * do not depend on how the rows are cut into blocks.
 */
#ifndef SISTRUM_MUSIC_STAGE_H
#define SISTRUM_MUSIC_STAGE_H

#include "desk.h"
#include "midi.h"
#include "seat.h"
#include "voice.h"

enum { SIS_FADING_MOST = 32 }; // voices that may be fading out at a time; more end at once

/** What a scene has no input for. */
typedef struct sis_left_out {
    int32_t bends, pressures, controllers, programs;
    bool numbers[SIS_PLAY_CONTROLLERS]; // of those controllers
} sis_left_out;

/** A key that goes down. */
typedef struct sis_played {
    double velocity; // 0 .. 1
    int32_t id;      // the host's number of the note; -1: none
    uint8_t channel; // 0 .. 15
    uint8_t master;  // channel of the player: that of its MPE zone, or `channel`
    uint8_t key;     // 0 .. 127
    uint8_t program; // 0 .. 127, or SIS_NO_PROGRAM
} sis_played;

typedef struct sis_stage sis_stage;

/** What a stage asks of whoever owns it. */
typedef struct sis_stage_host {
    void* self;
    /** Which scene plays notes of a player's channel and program; NULL: none. */
    sis_seat* (*cast)(void* self, int channel, int program);
    /** Whether a program change of that player's channel chooses a scene; NULL: none does. */
    bool (*knows_program)(void* self, int channel, int program);
    /** A voice waits for this tone; asked once. NULL: tones are always there. */
    void (*ask)(void* self, sis_seat* seat, int32_t key, int32_t velocity);
    /** Memory for a voice, of so many bytes at least; NULL: none is free now. */
    void* (*lend)(void* self, size_t bytes, size_t* got);
    void (*give_back)(void* self, void* memory, size_t bytes);
    /** Calls work(data, i) for every i < count, in any threads; NULL: the caller does it. */
    void (*run)(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data);
    /** A voice ends; NULL: nobody wants to know. */
    void (*over)(void* self, const sis_voice* voice);
    /** Seconds of some clock; NULL: there is none. */
    double (*clock)(void* self);
} sis_stage_host;

/** What has happened so far. */
typedef struct sis_stage_counts {
    int32_t played;     // notes that sounded
    int32_t silent;     // notes on keys that the tuning leaves silent
    int32_t voices_max; // that sounded at a time
    int32_t stolen;     // voices that were faded for a later note
    int32_t capped;     // voices that still rang after SIS_VOICE_MOST_SECONDS
    int32_t failed;     // voices that gave no finite number
    int32_t late;       // notes that began late
    uint64_t late_rows; // by how much the last of them was late
    double left;        // J, that voices held when they ended
    double seconds;     // of the clock spent in voices
    sis_left_out left_out;
} sis_stage_counts;

struct sis_stage {
    sis_stage_host host;
    sis_block_plan block;
    sis_tuning tuning;
    sis_voice* slots;   // [slot_count]
    sis_voice** voices; // [count], by start; then the free slots
    int32_t slot_count, count;
    int32_t last_id;
    int32_t note_room;
    int32_t* voice_of; // [note_room]: id of the voice that plays a note; 0: none
    int32_t* below;    // [note_room]: mono, the key that went down before it and is still down; -1
    int32_t* above;    // and the one after it
    uint64_t* began;   // [note_room]: row
    sis_played* notes; // [note_room]
    bool used[SIS_CHANNELS];      // there were notes
    uint8_t player[SIS_CHANNELS]; // master of the channel
    sis_desk desk;
    int32_t listens_to; // channel that last moved what sounds without notes; -1: none has
    float outside[2];   // last row of the sound from outside
    double* mix;        // [steps of a block][2]
    double* probes;     // [steps of a block][probe_count], or NULL
    int32_t probe_count;
    int32_t summed; // steps of it
    uint64_t end;   // row after the last that is heard of voices that have ended
    uint64_t until; // row to which voices play: for `run`
    sis_stage_counts counts;
};

typedef struct sis_stage_options {
    double rate;
    int32_t oversample, rows; // longest block
    int32_t voices;           // that may sound at a time, of all scenes
    int32_t notes;            // places of notes
    int32_t probes;           // of a scene that are wanted by themselves; 0: only the sum
    const sis_tuning* tuning;
} sis_stage_options;

/** False: no memory; close it in any case. [setup] */
bool sis_stage_open(sis_stage* stage, const sis_stage_options* options, const sis_stage_host* host);
void sis_stage_close(sis_stage* stage);

/** Begins a block of that many rows, after the one before; `sound` (rows of two sides, each may be
 * NULL) comes from outside. */
void sis_stage_begin(sis_stage* stage, int32_t rows, const float* const* sound);

/** Ends it: `mix` has [rows * oversample][2]. */
void sis_stage_end(sis_stage* stage);

/** Whether the blocks to come add up probes too: `probes` then has [rows * oversample][probe_count],
 * each the sum over the voices in its own unit, faded as the sound is. Not with `run` of the host. */
void sis_stage_want_probes(sis_stage* stage, bool wanted);

// ---------------------------------------------------------------------------- what happens

/** The key of a note goes down, and later up. `note` is a place < note_room that no other note whose
 * key is down has. Where the scene has the pedal itself a note ends with sis_stage_up, else with
 * sis_stage_finish; both are called. Rows are of this block, in order. */
void sis_stage_on(sis_stage* stage, uint64_t row, int32_t note, const sis_played* played);
void sis_stage_up(sis_stage* stage, uint64_t row, int32_t note);
void sis_stage_finish(sis_stage* stage, uint64_t row, int32_t note);

/** Anything else of a channel. */
void sis_stage_event(sis_stage* stage, uint64_t row, const sis_song_event* event);

/** Notes by what a host knows of them; -1: any. */
typedef struct sis_which {
    int32_t channel, key, id;
} sis_which;

/** What of a single note moves: SIS_ACT_BEND (semitones beside the wheel), PRESSURE, CONTROL (74). */
void sis_stage_express(sis_stage* stage, uint64_t row, const sis_which* which, sis_act act,
                       double value);

/** Ends the sound of such notes at once. */
void sis_stage_choke(sis_stage* stage, uint64_t row, const sis_which* which);

/** A hand moves an input of a scene: in all its voices, and in those to come. Blows of a trigger
 * strike what sounds, and begin a voice where a scene sounds without notes. */
void sis_stage_input(sis_stage* stage, uint64_t row, sis_seat* seat, int32_t input, double value);

/** Every voice fades, every key is forgotten; controllers stay. */
void sis_stage_silence(sis_stage* stage, uint64_t row);

/** Fades the quietest voice of a scene (NULL: of any) that is not fading; false: there is none. */
bool sis_stage_steal(sis_stage* stage, uint64_t row, const sis_seat* seat, uint64_t rows);

/** A scene that sounds without notes begins. */
void sis_stage_start(sis_stage* stage, uint64_t row, sis_seat* seat);

/** Voices that wait begin where their tone is there now. */
void sis_stage_begin_waiting(sis_stage* stage, uint64_t row);

/** Voices of `before` go on in `after`, the same scene with other params or another scene: states
 * are adopted where their layouts agree; else they fade in `rows`, and notes whose keys are down
 * begin in `after`. */
void sis_stage_replace(sis_stage* stage, uint64_t row, sis_seat* before, sis_seat* after,
                       uint64_t rows);

/** Keys that sound are taken to the tuning of now, as far as the scene can bend them. */
void sis_stage_retune(sis_stage* stage, uint64_t row);

/** The i-th voice ends here: its tone and memory are given back. */
void sis_stage_end_voice(sis_stage* stage, int32_t i);

/** Voices that sound and do not fade, those that wait among them. */
int32_t sis_stage_sounding(const sis_stage* stage, const sis_seat* seat);

#endif
