/** @file play_engine.h
 * What lies between a sound driver and the live library: messages from other threads become events
 * of a block, and what was played goes to the recorder.
 *
 *   keys, commands --ring--+
 *   MIDI thread ----ring---+--> events --sis_live_run--> sound --> driver
 *   driver's MIDI ---------+                               +-----> recorder
 */
#ifndef SISTRUM_PLAY_ENGINE_H
#define SISTRUM_PLAY_ENGINE_H

#include "play_recorder.h"

#include "sistrum/live.h"

typedef struct play_engine play_engine;

/** Plays this instrument, which the caller owns, in blocks of at most `frames_max`; `recorder` may
 * be NULL. NULL: no memory. [main] */
play_engine* play_engine_new(sis_live* live, int32_t frames_max, play_recorder* recorder);

/** No block may be running. NULL is fine. [main] */
void play_engine_free(play_engine* engine);

// ---------------------------------------------------------------------------- one block

/** Begins a block with what came from other threads. [audio] */
void play_engine_begin(play_engine* engine);

/** A MIDI message of the driver in this block; frames do not go back. [audio] */
void play_engine_midi(play_engine* engine, int32_t frame, const uint8_t* bytes, size_t size);

/** Plays it; silence while the engine is held. `out` and `in` as in sis_live_block. [audio] */
void play_engine_run(play_engine* engine, int32_t frames, float* const out[2],
                     const float* const in[2]);

// ---------------------------------------------------------------------------- from other threads

/** Whether the next message finds room. [main] */
bool play_engine_has_room(const play_engine* engine);

/** A message of one, two or three bytes; false: there is no room. One thread, [main]. */
bool play_engine_send(play_engine* engine, const uint8_t* bytes, size_t size);

/** Turns a knob at the next block, panic likewise. [main] */
bool play_engine_knob(play_engine* engine, int32_t index, double value);
bool play_engine_panic(play_engine* engine);

/** A message of any length from the thread that listens to MIDI. */
bool play_engine_hear(play_engine* engine, const uint8_t* bytes, size_t size);

/** Blocks become silent. May be called where a driver tells of another rate. [any] */
void play_engine_hold(play_engine* engine);

/** Waits for the block that runs, then nothing touches the instrument until play_engine_release.
 * [main] */
void play_engine_wait(const play_engine* engine);
void play_engine_release(play_engine* engine);
bool play_engine_is_held(const play_engine* engine);

/** Offline: blocks wait for compiled notes and for the recorder. [any] */
void play_engine_offline(play_engine* engine, bool offline);
bool play_engine_is_offline(const play_engine* engine);

/** Frames played so far. [any] */
uint64_t play_engine_frames(const play_engine* engine);

/** The last channel message, [0] the status; returns how many there were. [any] */
uint32_t play_engine_last(const play_engine* engine, uint8_t bytes[3]);

#endif
