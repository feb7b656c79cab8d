/** @file sweep_target.h
 * What a fit goes towards: a sound, values of measures, or both; and how far a run is from it, in dB.
 *
 * Sounds: the root mean square difference of log-magnitude spectrograms of four window lengths (about
 * 3, 12, 46 and 186 ms: powers of two samples; Hann windows that overlap by half, the first of them
 * centred at the start; the mean of the channels). Levels are taken down to 60 dB below the loudest one. Bins from the
 * third on count, up to 20 kHz and to 0.45 of either rate. The mean difference is taken out, so that a
 * gain does not matter, unless the level is to count.
 *
 * Measures: the root mean square of 20 log10(value/goal), of LUFS their differences. Of both a sound
 * and measures: the root of the sum of the squares.
 */
#ifndef SISTRUM_SWEEP_TARGET_H
#define SISTRUM_SWEEP_TARGET_H

#include "sweep_measure.h"
#include "sweep_sound.h"

/** As it is asked for. */
typedef struct sis_fit_spec {
    sis_heard sound; // frames NULL: none
    const char* sound_name;
    const char* goals; // "centroid=1200,t60=1.5"; NULL: none
    bool level;        // that of the sound counts
} sis_fit_spec;

enum { SIS_WINDOWS = 4 };

/** A target as runs are compared with it. Read only. Begins as {0}. */
typedef struct sis_target {
    double* levels; // [level_count], dB: of each window length, window and bin; NULL: no sound
    size_t level_count;
    double peak;   // power of the loudest bin
    uint64_t rows; // of the sound, at the rate of the runs
    double rate;
    size_t sizes[SIS_WINDOWS], frames[SIS_WINDOWS], bins[SIS_WINDOWS];
    bool level;
    double goals[SIS_MEASURES_MOST]; // [goal_count]: of the measures after the first
    bool decibel[SIS_MEASURES_MOST]; // which of them are levels already
    int32_t goal_count;
} sis_target;

void sis_target_free(sis_target* target);

/** Adds "distance" and the measures of the goals to the list, which has none yet. */
bool sis_target_goals(sis_target* target, const sis_fit_spec* fit, sis_measures* measures,
                      const sis_functions* own, sis_fault* fault);

/** Takes the first `rows` of the sound at `rate`, to which it is resampled. */
bool sis_target_hear(sis_target* target, const sis_fit_spec* fit, double rate, uint64_t rows,
                     sis_fault* fault);

/** The sound at another rate, by a windowed sinc of 32 zero crossings to each side that is cut off
 * at the lower of both. [to_count]. */
void sis_resample(const double* from, uint64_t count, double rate, double* to, uint64_t to_count,
                  double to_rate);

/** How far the sound is in ear->mono (by sis_ear_hear), dB; NaN: it is silent. False: no memory. */
bool sis_target_sound(const sis_target* target, sis_ear* ear, const sis_heard* heard, double* db,
                      sis_fault* fault);

/** How far the values of its measures are, dB; NaN: one of them is. [any] */
double sis_target_measures(const sis_target* target, const double* values);

#endif
