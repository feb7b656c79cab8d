/** @file curves.h
 * What the inputs of a scene do over time, read from CSV files: numbers along curves, triggers by
 * blows. Gives the rows of inputs of a run.
 *
 * A file for one input has a line `time,value` a point; a file for several has `time,name,value`,
 * which is what sis_record writes. Times (s) of an input increase; between two points its value
 * goes along a straight line, before the first and after the last it is held. Each point of a
 * trigger is one blow at the nearest step. Empty lines and lines that begin with # are passed
 * over; the first other line may name the columns.
 */
#ifndef SISTRUM_OUT_CURVES_H
#define SISTRUM_OUT_CURVES_H

#include "outside.h"
#include "run.h"

/** One input. */
typedef struct sis_input_curve {
    char name[64];
    bool trigger;
    bool given;         // a file said what it does, be it nothing
    double held;        // its value where there are no points; 0 of a trigger
    double* points;     // [count][2]: time s, value
    size_t count, room; // of points
    size_t next;        // the first point after the last row that was filled
} sis_input_curve;

/** All inputs of a scene, in its order. */
typedef struct sis_input_curves {
    sis_input_curve* curves; // [count]
    int32_t count;
    double rate;        // Hz, of the steps
    sis_outside* sound; // from outside, for the inputs it moves; owned; NULL: none
} sis_input_curves;

/** `count` inputs without points; the caller fills in name, trigger, held and rate. */
bool sis_input_curves_open(sis_input_curves* gestures, int32_t count, sis_fault* fault);

void sis_input_curves_close(sis_input_curves* gestures);

/** Reads points of input `which`, or with -1 those of the inputs that the lines name. */
bool sis_input_curves_read(sis_input_curves* gestures, int32_t which, const char* path,
                           sis_fault* fault);

/** Whether any input has points or follows a sound. */
bool sis_input_curves_move(const sis_input_curves* gestures);

/** The value of a curve that has points, at a time. */
double sis_input_curve_at(const sis_input_curve* curve, double time);

/** For sis_run: `self` is the gestures. Rows of the steps `first` and after; blocks come in their
 * order. */
void sis_input_curves_fill(void* self, uint64_t first, int32_t count, double* rows);

#endif
