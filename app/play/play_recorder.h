/** @file play_recorder.h
 * What was played, as files: the sound, the notes and the knobs. The audio thread fills rings, a
 * thread of its own writes them to disk.
 *
 * Until the end they are called NAME.part.wav and so on, and are complete up to the last second:
 * whoever kills the program finds them there.
 */
#ifndef SISTRUM_PLAY_RECORDER_H
#define SISTRUM_PLAY_RECORDER_H

#include "fault.h"

#include "sistrum/live.h"

#include <stdint.h>

typedef struct play_recorder play_recorder;

typedef struct play_record_spec {
    const char* sound; // .wav or .flac; NULL: none
    const char* notes; // .mid; knobs go into the .csv of the same name; NULL: none
    double rate;       // Hz
} play_record_spec;

/** Whether such files can be: names and rate. [main] */
bool play_recorder_check(const play_record_spec* spec, sis_fault* fault);

/** Opens the files and starts the thread. NULL: `fault` says why. [main] */
play_recorder* play_recorder_open(const play_record_spec* spec, sis_fault* fault);

/** Writes the rest and gives the files their names. Frees the recorder; NULL is fine. [main] */
bool play_recorder_close(play_recorder* recorder, sis_fault* fault);

/** Takes a block that begins at that frame; waits for the disk only when `patient`. [audio] */
void play_recorder_take(play_recorder* recorder, const sis_live_block* block, uint64_t frame,
                        bool patient);

/** Names of the knobs, after every load. [main] */
bool play_recorder_names(play_recorder* recorder, const sis_live* live);

/** Knobs that were turned elsewhere than by events of a block: a preset. [main] */
void play_recorder_knob(play_recorder* recorder, uint64_t frame, int32_t index, double value);

/** From now on nothing is recorded: the rate is another. [main] */
void play_recorder_end(play_recorder* recorder);

/** Whether nothing is recorded any more: another rate, or a disk that failed. [any] */
bool play_recorder_has_ended(const play_recorder* recorder);

/** Seconds recorded so far, and frames that the disk was too slow for. [any] */
double play_recorder_seconds(const play_recorder* recorder);
uint64_t play_recorder_lost(const play_recorder* recorder);

/** The sentence of what failed while recording, once; "": nothing. [main] */
const char* play_recorder_trouble(play_recorder* recorder, char* text, size_t room);

#endif
