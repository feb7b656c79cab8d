/** @file wave_file.h
 * WAV and RF64 files, byte for byte as libsndfile writes them, without it: for the program and for
 * the page, which has no libsndfile. Private to out/; sound_file.h makes the samples.
 *
 * One thing differs: an RF64 file of floats has no PEAK chunk, which would hold the time of writing.
 */
#ifndef SISTRUM_OUT_WAVE_FILE_H
#define SISTRUM_OUT_WAVE_FILE_H

#include "sound_file.h"

typedef struct sis_wave {
    int descriptor;
    sis_sound_bits bits;
    size_t channels;
    uint64_t data; // bytes of all frames that are to come
} sis_wave;

/** Writes the header of a file of spec->frames frames. */
bool sis_wave_open(sis_wave* wave, int descriptor, const sis_sound_spec* spec, sis_fault* fault);

/** Writes frames: floats, or whole numbers in the upper bits of 32. Their memory is used up. */
bool sis_wave_write(const sis_wave* wave, void* samples, size_t frames, sis_fault* fault);

/** After the last frame. The descriptor stays open. */
bool sis_wave_close(const sis_wave* wave, sis_fault* fault);

#endif
