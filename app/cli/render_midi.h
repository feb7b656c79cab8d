/** @file render_midi.h
 * sistrum render --midi: a song.
 */
#ifndef SISTRUM_CLI_RENDER_MIDI_H
#define SISTRUM_CLI_RENDER_MIDI_H

#include "options.h"

/** Plays the song of the options. Returns the exit code. */
int render_midi(const options* o);

#endif
