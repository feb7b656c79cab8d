/** @file sweep.h
 * A study: a scene, what is varied, what is measured. One study is one value that threads share; a
 * runner makes one run of it at a time and fills a row.
 *
 *   spec --sis_sweep_new--> sweep --sis_runner_run(index)--> row --sis_base_put--> study.db
 *
 * Rows follow from the study and the index alone: not from threads, machines or order.
 */
#ifndef SISTRUM_SWEEP_H
#define SISTRUM_SWEEP_H

#include "curves.h"
#include "run.h"
#include "script.h"
#include "sweep_measure.h"
#include "sweep_number.h"
#include "sweep_points.h"
#include "sweep_target.h"

#include <stdatomic.h>

typedef enum sis_sounds {
    SIS_SOUNDS_NONE,
    SIS_SOUNDS_WAV,  ///< 32-bit float
    SIS_SOUNDS_FLAC, ///< 24 bits
    SIS_SOUNDS_NPY,  ///< float32 [sample][channel]
} sis_sounds;

/** "wav", "flac", "npy"; NULL: none of them. [any] */
const char* sis_sounds_word(sis_sounds sounds);

/** Measures that the caller makes of each sound: a column each, after all others. `make` is called
 * by the threads of the runs with the mean of the channels and fills values[count], NaN where there
 * is no number. False: it ends with the sentence in `why`, [1024]. */
typedef struct sis_caller_measures {
    const char* const* names; // [count]
    int32_t count;            // 0: none
    const char* mark;         // a line that says which functions they are; part of what a study is
    bool (*make)(void* self, uint64_t index, const double* samples, size_t rows, double rate,
                 double* values, char* why);
    void* self;
} sis_caller_measures;

/** What a study is. Everything in it is the caller's, until the sweep is freed. */
typedef struct sis_sweep_spec {
    const char* scene; // text
    size_t scene_size;
    const char* scene_name;
    const sis_setting* settings; // [setting_count]: of --preset and --set
    int32_t setting_count;
    double rate, duration;   // NaN: as the scene has them
    int32_t oversample;      // 0: as the scene has it
    sis_scheme scheme;       // of all contacts; SIS_SCHEME_AS_GIVEN
    const char* const* axes; // [axis_count], as sis_points_axis reads them
    int32_t axis_count;
    const char* pairs;      // text of a CSV file; NULL: none
    const char* pairs_name; // of that file
    uint64_t random;        // draws; 0: none
    uint64_t seed;
    sis_draw draw;
    const char* free;          // what is drawn, "a,b"; NULL: all params
    const char* const* inputs; // [input_count]: curves, NAME=FILE.csv or FILE.csv
    int32_t input_count;
    double hold;           // s, that keys are down; NaN: to the end
    double a4;             // Hz
    const char* measures;  // "a,b,c"; NULL: peak,rms,centroid and all own functions
    const char* functions; // text of a Lua file with own measures; NULL: none
    size_t functions_size; //
    const char* functions_name;
    sis_sounds sounds;
    bool normalise;             // sounds: each to -1 dBFS
    uint64_t shard;             // runs in one file of sounds; 0: 256
    const sis_fit_spec* fit;    // what is sought; NULL: a study of all points
    sis_caller_measures caller; //
} sis_sweep_spec;

enum { SIS_COLUMN_NAME = 128, SIS_FIT_MOST = 1000000 }; // runs of a fit

/** A study. Read only, shared by threads. */
typedef struct sis_sweep {
    sis_sweep_spec spec;
    sis_points points;
    sis_measures measures;
    sis_target target;                                                // of a fit
    char columns[SIS_AXES_MOST + SIS_MEASURES_MOST][SIS_COLUMN_NAME]; // axes, then measures
    int32_t column_count;
    uint64_t block;        // indices of one block, the unit of work that is handed out
    char* text;            // what the study is, a line each; a study goes on where it is the same
    char hash[SIS_SHA256]; // of that text
    char scene_hash[SIS_SHA256];
    sis_script* script;    // of the scene as it is
    sis_setting* settings; // [setting_count]: of the spec, then where curves start
    int32_t setting_count;
    sis_input_curves curves; // those of the spec
    sis_plan plan;           // of the scene as it is
    bool hears;              // the sound is needed
    int32_t channels;
} sis_sweep;

/** Checks everything that can be wrong before the first run. NULL: `fault` says why. [setup] */
sis_sweep* sis_sweep_new(const sis_sweep_spec* spec, sis_fault* fault);

/** NULL is fine. [setup] */
void sis_sweep_free(sis_sweep* sweep);

/** Runs, and blocks of `block` indices each. [any] */
uint64_t sis_sweep_count(const sis_sweep* sweep);
uint64_t sis_sweep_blocks(const sis_sweep* sweep);

/** Fills the text of a study and its hash. [setup] Part of sis_sweep_new. */
bool sis_sweep_describe(sis_sweep* sweep, sis_fault* fault);

// ---------------------------------------------------------------------------- rows

/** What came of one run. Begins as {0}; sis_row_free. */
typedef struct sis_row {
    uint64_t index;
    double values[SIS_AXES_MOST + SIS_MEASURES_MOST]; // of the columns; NaN: there is none
    bool failed;                                      // the run did not end, or a measure is NaN
    char error[1024];                                 // a sentence; "": it did not
    char* files;                                      // of the sound, as they stand in a shard
    size_t file_bytes, file_room;
} sis_row;

void sis_row_free(sis_row* row);

typedef struct sis_runner sis_runner;

/** Whoever makes runs: one for each thread. `stop` (NULL: never) is looked at now and then; where
 * it is true the run ends. [setup] */
sis_runner* sis_runner_new(const sis_sweep* sweep, const atomic_bool* stop, sis_fault* fault);

/** NULL is fine. [setup] */
void sis_runner_free(sis_runner* runner);

/** Makes run `index` and fills the row. A run that fails is a row with a sentence. [setup] False:
 * there is no memory, or `stop` is true: there is no row. */
bool sis_runner_run(sis_runner* runner, uint64_t index, sis_row* row, sis_fault* fault);

#endif
