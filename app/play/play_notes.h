/** @file play_notes.h
 * A MIDI file that grows while it is played, with a tick for every frame, so that
 * `sistrum render --midi` plays every note at its very frame. Between two calls the file is
 * complete: who kills the program loses what came after the last play_notes_save.
 */
#ifndef SISTRUM_PLAY_NOTES_H
#define SISTRUM_PLAY_NOTES_H

#include "fault.h"

#include <stdint.h>

typedef struct play_notes {
    int descriptor;
    double rate;      // Hz
    int32_t division; // ticks a quarter
    int32_t tempo;    // microseconds a quarter
    uint64_t tick;    // of the last event
    uint64_t end;     // bytes, without the end of the track
    uint64_t count;   // of events
    uint8_t buffer[4096];
    size_t used;
} play_notes;

/** Begins a file on an open descriptor, which stays the caller's. */
bool play_notes_begin(play_notes* notes, int descriptor, double rate, sis_fault* fault);

/** One message at that frame: a channel message, or a system message that begins with F0. */
bool play_notes_add(play_notes* notes, uint64_t frame, const uint8_t* bytes, size_t size,
                    sis_fault* fault);

/** Makes the file complete up to that frame. */
bool play_notes_save(play_notes* notes, uint64_t frame, sis_fault* fault);

/** Ends the file behind what reached the disk, where play_notes_save found no room. */
void play_notes_end(play_notes* notes);

#endif
