/** @file data_inside.h
 * What the kinds of data files share. Private to out/.
 */
#ifndef SISTRUM_OUT_DATA_INSIDE_H
#define SISTRUM_OUT_DATA_INSIDE_H

#include "data_file.h"

/** Writes everything but the numbers to a descriptor; *base is where those begin. */
bool sis_mat_layout(int descriptor, const sis_data_about* about, uint64_t* base, sis_fault* fault);
bool sis_hdf5_layout(int descriptor, const sis_data_about* about, uint64_t* base, sis_fault* fault);

/** Whether HDF5 files can be written; `path` is for the sentence. */
bool sis_hdf5_ready(const char* path, sis_fault* fault);

/** Writes `size` bytes at a place of a file. */
bool sis_data_put_at(int descriptor, const void* bytes, size_t size, uint64_t at, sis_fault* fault);

/** The sentence for what errno is. */
bool sis_data_failed(sis_fault* fault);

/** The bytes of a number, low byte first. */
uint64_t sis_low_byte_first(double value);

#endif
