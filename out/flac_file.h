/** @file flac_file.h
 * FLAC files, by libsndfile. Private to out/; sound_file.h makes the samples.
 */
#ifndef SISTRUM_OUT_FLAC_FILE_H
#define SISTRUM_OUT_FLAC_FILE_H

#include "sound_file.h"

typedef struct sis_flac sis_flac;

/** Starts a file; NULL: the sentence. */
sis_flac* sis_flac_open(int descriptor, const sis_sound_spec* spec, sis_fault* fault);

/** Writes frames of whole numbers in the upper bits of 32. */
bool sis_flac_write(sis_flac* flac, const int* samples, size_t frames, sis_fault* fault);

/** Completes the file and frees `flac` in any case. The descriptor stays open. */
bool sis_flac_close(sis_flac* flac, sis_fault* fault);

#endif
