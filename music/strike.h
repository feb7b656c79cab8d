/** @file strike.h
 * What a note does to the inputs of a scene in a run that is planned: curves of its gate and the
 * blow of its trigger, for sis_input_curves_fill.
 */
#ifndef SISTRUM_MUSIC_STRIKE_H
#define SISTRUM_MUSIC_STRIKE_H

#include "curves.h"
#include "script.h"

/** The inputs of a scene, all of them where the scene starts them. [setup] What `gestures` held is
 * freed. */
bool sis_strike_open(const sis_script* script, sis_input_curves* gestures, sis_fault* fault);

/** One note of that frequency and velocity (NaN: as the scene has it): its key goes down at the
 * start of a run with `rate` steps a second and up after `hold` s; NaN: never. Inputs that have
 * curves of their own keep them. [setup] */
bool sis_strike_note(const sis_script* script, double rate, double hz, double velocity, double hold,
                     sis_input_curves* gestures, sis_fault* fault);

/** A run without a note: the blows of sis_script_strikes. [setup] */
bool sis_strike_plain(const sis_script* script, double rate, sis_input_curves* gestures,
                      sis_fault* fault);

/** Replaces whatever input i does by one blow of that value at the start. [setup] */
bool sis_strike_blow(double rate, double value, sis_input_curve* curve, sis_fault* fault);

#endif
