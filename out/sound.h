/** @file sound.h
 * From probes to channels: gains, sums per channel, and decimation when there is oversampling.
 */
#ifndef SISTRUM_OUT_SOUND_H
#define SISTRUM_OUT_SOUND_H

#include "decimate.h"
#include "run.h"

typedef struct sis_sound sis_sound;

/** Channels of a system: the largest channel number of its probes; 0: nothing to hear. */
int32_t sis_sound_channels(const sis_system* system);

/** Sends the `plan->rows` rows of [channels] values to `emit`. */
sis_sound* sis_sound_new(const sis_system* system, const sis_plan* plan, sis_emit emit, void* self,
                         sis_fault* fault);

/** The sink. */
sis_sink sis_sound_sink(sis_sound* sound);

/** Emits what the filter still holds. */
bool sis_sound_finish(sis_sound* sound, sis_fault* fault);

/** Puts down what the filter remembers, or takes it up. */
void sis_sound_keep(sis_sound* sound, sis_store* store);

/** NULL is fine. */
void sis_sound_free(sis_sound* sound);

#endif
