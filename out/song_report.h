/** @file song_report.h
 * The JSON report of a song. Its keys are a contract with programs that read it.
 */
#ifndef SISTRUM_OUT_SONG_REPORT_H
#define SISTRUM_OUT_SONG_REPORT_H

#include "run.h"
#include "sound_file.h"

typedef struct sis_song_report {
    const char* scene; // file names
    const char* song;
    const char* title; // NULL: none
    sis_plan plan;     // rate and oversampling
    uint64_t rows;     // of the sound
    int32_t notes;     // of the song, and of those:
    int32_t played, silent, skipped;
    int32_t voices, voices_max, stolen, capped;
    int32_t systems; // compiled
    int32_t bends;   // left out, and so are
    int32_t pressures, controllers, programs;
    double left;                 // J, that voices held when they ended
    const sis_sound_spec* sound; // NULL: no sound was written
    const sis_sound_level* level;
    double seconds; // spent stepping
} sis_song_report;

/** Writes the report to a descriptor of sis_files_add. */
bool sis_song_report_write(const sis_song_report* report, int descriptor, sis_fault* fault);

#endif
