/** @file play_midi.h
 * MIDI inputs beside a driver that has none of its own: a thread hears them and gives the bytes to
 * the engine. The ALSA sequencer, or RtMidi where that is not built in.
 */
#ifndef SISTRUM_PLAY_MIDI_H
#define SISTRUM_PLAY_MIDI_H

#include "play_engine.h"

#include <stdio.h>

typedef struct play_midi play_midi;

/** Which library hears: "ALSA sequencer", "RtMidi", or "" when none is built in. */
const char* play_midi_about(void);

/** Hears the inputs whose names contain `wanted` (NULL: those of the hardware). NULL: there is no
 * MIDI here, and `why` says what is missing. [main] */
play_midi* play_midi_open(play_engine* engine, const char* wanted, bool connect, char* why,
                          size_t room);

/** NULL is fine. [main] */
void play_midi_close(play_midi* midi);

/** Joins inputs that have come since; how many are joined. [main] */
int play_midi_tend(play_midi* midi);

/** The inputs that there are, a line each. [main] */
void play_midi_list(FILE* to);

#endif
