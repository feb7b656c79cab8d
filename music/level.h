/** @file level.h
 * How loud an instrument can get: the peak of its loudest key at velocity 1.
 *
 * Keys at most half an octave apart are played over the range of pitch (17 at most), then those at
 * both sides of the loudest, twice as near and twice again. Each is played for a second, or until
 * nothing has been near its peak for a quarter of a second; the loudest once more for the whole
 * duration, 10 s at most.
 */
#ifndef SISTRUM_MUSIC_LEVEL_H
#define SISTRUM_MUSIC_LEVEL_H

#include "perform.h"

/** Finds that peak. Of `p` it reads scene, script, settings, plan (rate and oversampling), scheme
 * and threads, whose number changes no bit; `duration` (s) is that of the scene. Keys that the
 * scene refuses count as silent. *peak is 0 when all are silent. [setup] */
bool sis_level_measure(const sis_performance* p, double duration, double* peak, sis_fault* fault);

#endif
