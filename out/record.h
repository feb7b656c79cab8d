/** @file record.h
 * The gestures of a run as text, time,name,value: every input at step 0 and wherever it changed,
 * held to its range, and every blow. Read back by sis_input_curves_read, at the same rate and
 * oversampling, it makes the same run.
 */
#ifndef SISTRUM_OUT_RECORD_H
#define SISTRUM_OUT_RECORD_H

#include "run.h"
#include "store.h"

#include <stdio.h>

typedef struct sis_record {
    FILE* stream;
    const sis_system* system;
    double* last;      // [input]: the value at the last step
    uint64_t* written; // [input]: the first step that is not written, nor the same as one before
    double rate;       // Hz, of the steps
} sis_record;

/** Writes the heading to a descriptor of sis_files_add. */
bool sis_record_open(sis_record* record, int descriptor, const sis_system* system,
                     sis_fault* fault);

/** The sink. */
sis_sink sis_record_sink(sis_record* record);

/** Puts down what it remembers and where the file is, or goes on there. */
bool sis_record_keep(sis_record* record, sis_store* store, sis_fault* fault);

/** Ends the file; false when not all of it could be written. */
bool sis_record_close(sis_record* record, sis_fault* fault);

#endif
