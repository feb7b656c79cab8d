/** @file data_file.h
 * Rows of numbers as a file, written as they come, whatever the duration: NumPy array, CSV, Matlab
 * file (MAT version 5) or HDF5. The same bytes for the same rows; no file holds a time of writing.
 *
 * All but NPY hold names and units of the columns, the rate, the time of the first row, the
 * oversampling, scene, title and version beside the numbers. Row n is the time start + n/rate.
 *
 * Memory is flat because the number of rows is known: of a Matlab file, whose columns lie behind each
 * other, each has its place from the beginning; of an HDF5 file the library lays out everything but
 * the rows, which then follow in one piece.
 */
#ifndef SISTRUM_OUT_DATA_FILE_H
#define SISTRUM_OUT_DATA_FILE_H

#include "npy.h"
#include "run.h"
#include "store.h"

typedef enum sis_data_kind {
    SIS_DATA_NPY,
    SIS_DATA_CSV,
    SIS_DATA_MAT,
    SIS_DATA_HDF5,
    SIS_DATA_UNKNOWN
} sis_data_kind;

/** What the ending of a path asks for, .npy without one. */
sis_data_kind sis_data_kind_of(const char* path);

/** What is said of the rows. */
typedef struct sis_data_about {
    const char* const* names; // [columns]
    const char* const* units; // [columns]
    int32_t columns;
    uint64_t rows;
    double rate;  // Hz
    double start; // s, of the first row
    int32_t oversample;
    const char* scene; // file name
    const char* title; // "": none
} sis_data_about;

typedef struct sis_data_file {
    sis_data_kind kind;
    int32_t columns, oversample;
    uint64_t rows, row; // of the file; that have come
    double rate, start;
    sis_npy raw;    // NPY and HDF5
    FILE* text;     // CSV
    int descriptor; // MAT
    uint64_t base;  // of the first number: MAT and HDF5
    double* block;  // MAT: [columns][room], what waits
    size_t room, held;
} sis_data_file;

/** Can there be such a file? A sentence when it is not built in, or beyond what it can hold. */
bool sis_data_check(const char* path, uint64_t rows, int32_t columns, sis_fault* fault);

/** Bytes of such a file, at most. */
double sis_data_bytes(const char* path, uint64_t rows, int32_t columns);

/** Begins a file on a descriptor of sis_files_add; `path` says the kind. `begun`: it was begun
 * before, and sis_data_keep says where it goes on. */
bool sis_data_open(sis_data_file* file, int descriptor, const char* path,
                   const sis_data_about* about, bool begun, sis_fault* fault);

/** The probes of a run, every `oversample`-th step as it is, unfiltered. */
bool sis_data_open_probes(sis_data_file* file, int descriptor, const char* path,
                          const sis_system* system, const sis_plan* plan, const char* scene,
                          const char* title, bool begun, sis_fault* fault);

/** Its energies, in any kind but CSV, which is csv.h: the columns of that one without the time. */
bool sis_data_open_energies(sis_data_file* file, int descriptor, const char* path,
                            const sis_plan* plan, const char* scene, const char* title, bool begun,
                            sis_fault* fault);

enum { SIS_DATA_ENERGIES = 7 }; ///< their columns

/** Appends rows of numbers. */
bool sis_data_write(sis_data_file* file, const double* rows, int32_t count, sis_fault* fault);

/** The sinks of both. */
sis_sink sis_data_sink_probes(sis_data_file* file);
sis_sink sis_data_sink_energies(sis_data_file* file);

/** Writes what waits, and puts down or takes up where the file is. */
bool sis_data_keep(sis_data_file* file, sis_store* store, sis_fault* fault);

/** Ends the file; false when not all of it could be written. One that was never opened is fine. */
bool sis_data_close(sis_data_file* file, sis_fault* fault);

#endif
