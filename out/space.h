/** @file space.h
 * Is there room for what a run will write? Asked before it starts, for each file system: what the
 * outputs take at most, and the working files beside them. A file that is replaced stays until the
 * new one is complete, so it makes no room.
 */
#ifndef SISTRUM_OUT_SPACE_H
#define SISTRUM_OUT_SPACE_H

#include "fault.h"

#include <sys/types.h>

#define SIS_SPACE_MAX 8 // file systems of one run: outputs, working files, TMPDIR

/** What a run does to one file system, in bytes. */
typedef struct sis_space_part {
    dev_t device;
    char folder[512]; // one of its folders, for the sentence
    double written;   // outputs
    double working;   // files that go with the run
    double replaced;  // old files that outputs take the place of
} sis_space_part;

typedef struct sis_space {
    sis_space_part parts[SIS_SPACE_MAX];
    int count;
} sis_space;

/** Adds an output that takes `bytes` at most; "-", devices and pipes wait in a working file. What
 *  cannot be written at all is left out: whoever opens it says why. */
void sis_space_output(sis_space* space, const char* path, double bytes);

/** Adds a working file beside that output. */
void sis_space_working(sis_space* space, const char* path, double bytes);

/** Adds runs [count] of which `threads` at most go on at a time: the others are not begun yet, or
 *  have freed their working files and what they replaced. */
void sis_space_join(sis_space* all, const sis_space* runs, int count, int threads);

/** Is it free? If not, a sentence with both numbers. */
bool sis_space_check(const sis_space* space, sis_fault* fault);

#endif
