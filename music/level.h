/** @file level.h
 * How loud an instrument can get: the peak of its loudest key at velocity 1.
 */
#ifndef SISTRUM_MUSIC_LEVEL_H
#define SISTRUM_MUSIC_LEVEL_H

#include "perform.h"

/** Plays keys over the range of the instrument at velocity 1 and finds their largest absolute
 * value. Of `p` it reads scene, script, settings, plan, scheme and threads; the number of threads
 * changes no bit. Keys that the scene refuses are left out. *peak is 0 when none can be played or
 * all are silent. [setup] */
bool sis_level_measure(const sis_performance* p, double* peak, sis_fault* fault);

#endif
