/** @file sound_read.h
 * A whole sound file in memory: WAV, FLAC and what else libsndfile reads.
 */
#ifndef SISTRUM_OUT_SOUND_READ_H
#define SISTRUM_OUT_SOUND_READ_H

#include "fault.h"

#include <stdint.h>

typedef struct sis_sound_data {
    double* frames; // [rows][channels], full scale is 1
    uint64_t rows;
    int32_t channels;
    double rate; // Hz
} sis_sound_data;

/** Reads at most `seconds` of it. Refuses what is no sound file, has no samples, is silent or holds
 * what is no finite number. Freed by sis_sound_data_free, in any case. [setup] */
bool sis_sound_read(const char* path, double seconds, sis_sound_data* sound, sis_fault* fault);

void sis_sound_data_free(sis_sound_data* sound);

#endif
