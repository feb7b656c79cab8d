/** @file report.h
 * The JSON report of a run. Its keys are a contract with programs that read it.
 */
#ifndef SISTRUM_OUT_REPORT_H
#define SISTRUM_OUT_REPORT_H

#include "run.h"
#include "sound_file.h"
#include "tally.h"

/** A parameter of the scene as it was in the run. */
typedef struct sis_report_param {
    const char* name;
    const char* label;
    const char* unit;
    double value, fallback, min, max;
} sis_report_param;

typedef struct sis_report {
    const char* scene; // file name
    const char* title; // NULL: none
    sis_plan plan;
    const sis_system* system;
    const sis_state* state; // at the end of the run
    const sis_tally* tally;
    bool driven; // something may supply energy after the start
    const sis_report_param* params;
    int32_t param_count;
    const sis_sound_spec* sound; // NULL: no sound was written
    const sis_sound_level* level;
    double seconds; // spent stepping
    double slept;   // s, when the state fell asleep; 0: it did not
} sis_report;

/** Writes the report to a descriptor of sis_files_add. Every number is finite, every double reads
 *  back as the same double. */
bool sis_report_write(const sis_report* report, int descriptor, sis_fault* fault);

#endif
