/** @file play_wave.h
 * A WAV file of 32-bit floats in stereo that grows while it is played. Between two calls of
 * play_wave_save it is a complete file; beyond 4 GiB it becomes RF64, for which room is kept.
 */
#ifndef SISTRUM_PLAY_WAVE_H
#define SISTRUM_PLAY_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct play_wave {
    int descriptor;
    double rate; // Hz
    uint64_t frames;
} play_wave;

/** Begins a file on an open descriptor, which stays the caller's. False: see errno, as below. */
bool play_wave_begin(play_wave* wave, int descriptor, double rate);

/** Takes [count][2] values. */
bool play_wave_add(play_wave* wave, const float* frames, size_t count);

/** Makes the header say how long it is. */
bool play_wave_save(const play_wave* wave);

/** Likewise, of a file whose last frames found no room. */
void play_wave_end(const play_wave* wave);

#endif
