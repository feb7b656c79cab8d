/** @file npy.h
 * The rows of a run as a NumPy array: float64, little endian, [row][probe], written as they come.
 */
#ifndef SISTRUM_OUT_NPY_H
#define SISTRUM_OUT_NPY_H

#include "run.h"

#include <stdio.h>

typedef struct sis_npy {
    FILE* stream;
    int32_t columns;
    int32_t oversample;
} sis_npy;

/** Writes the header for `rows` rows to a descriptor of sis_files_add. */
bool sis_npy_open(sis_npy* npy, int descriptor, uint64_t rows, int32_t columns, int32_t oversample,
                  sis_fault* fault);

/** The same numbers into a file of another kind, from that place on. */
bool sis_npy_open_at(sis_npy* npy, int descriptor, uint64_t offset, int32_t columns,
                     sis_fault* fault);

/** Bytes of such a file. */
double sis_npy_bytes(uint64_t rows, int32_t columns);

/** Appends rows of `columns` numbers. */
bool sis_npy_write(sis_npy* npy, const double* rows, int32_t count, sis_fault* fault);

/** The sink that writes every `oversample`-th step as it is, unfiltered. */
sis_sink sis_npy_sink(sis_npy* npy);

/** Ends the file; false when not all of it could be written. */
bool sis_npy_close(sis_npy* npy, sis_fault* fault);

#endif
