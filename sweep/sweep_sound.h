/** @file sweep_sound.h
 * Measures of a sound. The same bits on every machine: elementary functions are those of the core.
 *
 * Where a sound has no such number (the pitch of noise, the decay of silence) the result is NaN and
 * `why` is a clause that says so, static text.
 */
#ifndef SISTRUM_SWEEP_SOUND_H
#define SISTRUM_SWEEP_SOUND_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

/** A sound as it is measured: values of its channels, before any normalising. */
typedef struct sis_heard {
    const double* frames; // [rows][channels]
    uint64_t rows;
    int32_t channels;
    double rate; // Hz
} sis_heard;

/** Memory for measuring, kept from sound to sound. Begins as {0}. */
typedef struct sis_ear {
    double* mono; // [mono_room]: mean of the channels
    size_t mono_room;
    double *re, *im; // [fourier_room]
    size_t fourier_room;
    double *cosine, *sine; // [turns_room/2]: of 2 pi k/turns
    size_t turns, turns_room;
    double* taper; // [taper_size]
    size_t taper_size, taper_room;
    double* levels; // [level_room]: of a spectrogram
    size_t level_room;
} sis_ear;

void sis_ear_free(sis_ear* ear);

/** The mean of the channels into ear->mono, for the measures below that say "mono". */
bool sis_ear_hear(sis_ear* ear, const sis_heard* heard, sis_fault* fault);

/** The largest absolute value, and the root mean square, of all channels. */
double sis_heard_peak(const sis_heard* heard);
double sis_heard_rms(const sis_heard* heard);

/** Spectral centroid of the mono sound, Hz: the mean frequency, weighted by the magnitude of its mean
 * power spectrum (Hann windows of 4096 rows that overlap by half, the mean of the sound taken out).
 * False: no memory. */
bool sis_heard_centroid(sis_ear* ear, const sis_heard* heard, double* hz, const char** why,
                        sis_fault* fault);

/** Pitch of the mono sound, Hz: the period by the normalised autocorrelation (McLeod and Wyvill
 * 2005) of up to 2^15 rows after the attack, then the frequency of the first partial by the turn of
 * its phase. */
bool sis_heard_pitch(sis_ear* ear, const sis_heard* heard, double* hz, const char** why,
                     sis_fault* fault);

/** Time in which the mono sound falls by 60 dB, s: a straight line through its levels in windows of
 * 25 ms, from the loudest one until 60 dB below it or the end. */
double sis_heard_t60(const sis_ear* ear, const sis_heard* heard, const char** why);

/** Integrated loudness with gates, LUFS (ITU-R BS.1770-4), all channels with weight 1; full scale
 * is 1. A sound shorter than 400 ms is one block. */
bool sis_heard_loudness(sis_ear* ear, const sis_heard* heard, double* lufs, const char** why,
                        sis_fault* fault);

/** Room for `size` numbers in ear->re and ear->im; what was there is lost. */
bool sis_ear_room(sis_ear* ear, size_t size, sis_fault* fault);

/** Fills ear->taper with a Hann window of `size` rows. */
bool sis_ear_hann(sis_ear* ear, size_t size, sis_fault* fault);

/** X_k = sum x_n e^{-2 pi i k n/size} of ear->re and ear->im, in place; size is a power of two. */
bool sis_ear_fourier(sis_ear* ear, size_t size, sis_fault* fault);

#endif
