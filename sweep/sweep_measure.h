/** @file sweep_measure.h
 * What a study measures of each run, by name.
 */
#ifndef SISTRUM_SWEEP_MEASURE_H
#define SISTRUM_SWEEP_MEASURE_H

#include "fault.h"
#include "functions.h"

#include <stdint.h>

enum { SIS_MEASURES_MOST = 64 };

typedef enum sis_measure_kind {
    SIS_MEASURE_CENTROID,
    SIS_MEASURE_PITCH,
    SIS_MEASURE_T60,
    SIS_MEASURE_PEAK,
    SIS_MEASURE_RMS,
    SIS_MEASURE_LOUDNESS,
    SIS_MEASURE_CONTACT_TIME,    ///< s, in which a contact is touched; the longest of all
    SIS_MEASURE_EXIT_SPEED,      ///< m/s, of the body that collides when it leaves first
    SIS_MEASURE_MAX_PENETRATION, ///< m, of any point
    SIS_MEASURE_MAX_FORCE,       ///< N, of any point
    SIS_MEASURE_RESIDUAL,        ///< of the energy balance, relative
    SIS_MEASURE_ENERGY,          ///< J, stored at a time
    SIS_MEASURE_OWN,             ///< a function of the user
    SIS_MEASURE_DISTANCE,        ///< dB, of a fit from its target
    SIS_MEASURE_CALLER,          ///< made by whoever makes the study
} sis_measure_kind;

typedef struct sis_measure {
    sis_measure_kind kind;
    char name[96]; // as it was written: a column of the study
    char of[64];   // contacts: the one that was named; "": all
    double time;   // s, of energy@T
} sis_measure;

typedef struct sis_measures {
    sis_measure list[SIS_MEASURES_MOST];
    int32_t count;
} sis_measures;

/** The words there are, NULL after the last; and what they say, with its unit. [any] */
const char* sis_measure_word(int32_t i);
const char* sis_measure_doc(int32_t i);

/** Reads "centroid,max_force@hit,energy@0.5,mine"; names of `own` (NULL: none) are taken too. */
bool sis_measures_read(sis_measures* measures, const char* list, const sis_functions* own,
                       sis_fault* fault);

/** Adds one that the caller makes. */
bool sis_measures_add(sis_measures* measures, const char* name, sis_fault* fault);

/** Whether it is made of the samples of the sound. [any] */
bool sis_measure_hears(const sis_measure* measure);

/** Whether any is made of the mean of all channels. [any] */
bool sis_measures_mix(const sis_measures* measures);

/** Whether any has that kind. [any] */
bool sis_measures_have(const sis_measures* measures, sis_measure_kind kind);

#endif
