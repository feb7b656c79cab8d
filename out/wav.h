/** @file wav.h
 * 32-bit float WAV, written as it comes: never clipped, and the same bytes for the same sound.
 */
#ifndef SISTRUM_OUT_WAV_H
#define SISTRUM_OUT_WAV_H

#include "decimate.h"

#include <stdint.h>

typedef struct sis_wav sis_wav;

typedef struct sis_wav_spec {
    double rate; // Hz; the header holds whole numbers, so it is rounded there
    int32_t channels;
    uint64_t frames;   // how many will come
    const char* title; // NULL or "": no tag
    bool normalise;    // one gain for all channels so that the peak is -1 dBFS
} sis_wav_spec;

/** Can such a file exist? A sentence when the rate or the size is beyond the format. */
bool sis_wav_check(const sis_wav_spec* spec, sis_fault* fault);

/** Starts a file on a descriptor of sis_files_add. To normalise, the unscaled sound waits in
 *  `scratch` (a descriptor of sis_files_scratch, else -1), so memory does not grow with duration.
 */
sis_wav* sis_wav_open(int descriptor, int scratch, const sis_wav_spec* spec, sis_fault* fault);

/** Takes [count][channels] values; `wav` is a sis_wav: this is a sis_emit. */
bool sis_wav_take(void* wav, const double* frames, int32_t count, sis_fault* fault);

/** Completes the file. *peak receives the largest absolute value before any normalising. Frees
 *  `wav` in any case; NULL is fine. */
bool sis_wav_close(sis_wav* wav, double* peak, sis_fault* fault);

/** Gives up: frees without completing; NULL is fine. */
void sis_wav_free(sis_wav* wav);

#endif
