/** @file times.h
 * When snapshots are taken. Private to out/.
 */
#ifndef SISTRUM_OUT_TIMES_H
#define SISTRUM_OUT_TIMES_H

#include "picture.h"

typedef struct sis_times {
    double rate; // steps per second
    int32_t count;
    uint64_t step[SIS_SNAPSHOTS_MAX]; // increasing
} sis_times;

/** The times that the picture names, or six in the first period of the slowest body of a kind: from
 *  the start of the picture, or from when the first of those bodies begins to move. */
bool sis_times_choose(sis_times* times, const sis_picture* picture, sis_kind kind,
                      sis_fault* fault);

/** The first step > `step` that must begin a block, so that a block ends with each time. */
uint64_t sis_times_cut(const sis_times* times, uint64_t step);

/** Which time the block ends with; -1: none. */
int32_t sis_times_at_end(const sis_times* times, const sis_frames* frames);

/** Runs as far as the last time. */
bool sis_times_run(const sis_times* times, const sis_picture* picture, sis_sink sink,
                   sis_fault* fault);

/** "t = 12.5 ms", in one unit for all times. Returns `text`. */
const char* sis_times_print(const sis_times* times, int32_t i, char* text, size_t size);

#endif
