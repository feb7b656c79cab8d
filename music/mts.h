/** @file mts.h
 * Tunings by SysEx: the MIDI Tuning Standard's bulk dump, single note changes and octave scales.
 */
#ifndef SISTRUM_MUSIC_MTS_H
#define SISTRUM_MUSIC_MTS_H

#include "note.h"

#include <stddef.h>

/** Changes the tuning as the message says; F0 and F7 at its ends may be missing. False: it is no
 * tuning, or is malformed, and nothing has changed. *now: what sounds changes too. [audio] */
bool sis_mts_take(const uint8_t* data, size_t size, sis_tuning* tuning, bool* now);

#endif
