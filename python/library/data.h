/** @file data.h
 * What libsistrum-data exports: sound files and studies, for the Python package. Structures of
 * out/ and sweep/ are used as they are.
 */
#ifndef SISTRUM_PYTHON_DATA_H
#define SISTRUM_PYTHON_DATA_H

#include "decimate.h"
#include "sound_file.h"
#ifdef SISTRUM_SWEEP
#include "sweep_work.h"
#endif

/** The version this library was built with. [any] */
const char* sis_data_version(void);

// ---------------------------------------------------------------------------- sounds

/** A sound on its way into a file. */
typedef struct sis_data_sound sis_data_sound;

/** Opens a sound file of `spec` on a descriptor, fed by steps of which `oversample` make a frame.
 * `scratch`: a descriptor of an empty file for sounds that are normalised and very long. [setup]
 * NULL: `fault` says why. */
sis_data_sound* sis_data_sound_open(int descriptor, int scratch, const sis_sound_spec* spec,
                                    int32_t oversample, sis_fault* fault);

/** Takes [count][channels] steps. [setup] */
bool sis_data_sound_take(sis_data_sound* sound, const double* steps, int32_t count,
                         sis_fault* fault);

/** Completes the file and frees the sound; `level` may be NULL. [setup] */
bool sis_data_sound_close(sis_data_sound* sound, sis_sound_level* level, sis_fault* fault);

/** Gives it up; NULL is fine. [setup] */
void sis_data_sound_free(sis_data_sound* sound);

/** Brings oversampled steps to rows: [rows oversample][channels] to [rows][channels]. [setup] */
bool sis_data_decimate(const double* steps, uint64_t rows, int32_t oversample, int32_t channels,
                       double* sound, sis_fault* fault);

// ---------------------------------------------------------------------------- studies

/** Whether this library makes studies. [any] */
bool sis_data_sweeps(void);

#ifdef SISTRUM_SWEEP

/** How a study is worked on. */
typedef struct sis_data_job {
    const char *database, *shards; // shards: NULL where there are no sounds
    const char* command;           // kept in the manifest
    int32_t threads;
    uint64_t part, parts;
    void (*told)(void* self, const sis_work_progress* progress); // NULL: nobody is told
    bool (*stop)(void* self);                                    // NULL: never
    void* self;
} sis_data_job;

/** Makes the runs that the database lacks.
 * [setup] */
bool sis_data_sweep(const sis_sweep_spec* spec, const sis_data_job* job,
                    sis_work_progress* progress, sis_fault* fault);

/** Writes the rows of a database as CSV into a descriptor, which it closes. [setup] */
bool sis_data_csv(const char* database, int descriptor, sis_fault* fault);

/** Puts parts of a study together. [setup] */
bool sis_data_merge(const char* database, const char* const* parts, int32_t count,
                    sis_fault* fault);

#endif

#endif
