/** @file stage_inside.h
 * Between stage.c and player.c. Private to music/.
 */
#ifndef SISTRUM_MUSIC_STAGE_INSIDE_H
#define SISTRUM_MUSIC_STAGE_INSIDE_H

#include "stage.h"

/** All voices play up to a row, and `mix` is their sum up to there; who is over goes. */
void sis_stage_settle(sis_stage* stage, uint64_t row);

/** A voice that has not begun; NULL: there is no room. */
sis_voice* sis_stage_new_voice(sis_stage* stage, sis_seat* seat, int32_t key, int32_t velocity,
                               uint64_t row);

/** False: its tone or its memory is not there yet. */
bool sis_stage_begin_voice(sis_stage* stage, sis_voice* voice, uint64_t row);

/** Gives a state that has just begun what its keys, its channels and their controllers say. */
void sis_stage_sound_parts(sis_stage* stage, sis_voice* voice, uint64_t row);

/** The key of a note goes down in a scene. Returns its voice; NULL: none. */
sis_voice* sis_stage_key_down(sis_stage* stage, sis_seat* seat, uint64_t row, int32_t note,
                              const sis_played* played);

/** What sounds without notes finds wheel, pressure and controllers where they are. */
void sis_stage_listen(sis_stage* stage, sis_voice* voice);

#endif
