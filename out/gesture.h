/** @file gesture.h
 * What the inputs of a scene do over time, read from CSV files: numbers along curves, triggers by
 * blows. Gives the rows of inputs of a run.
 *
 * A file for one input has a line `time,value` a point; a file for several has `time,name,value`,
 * which is what sis_record writes. Times (s) of an input increase; between two points its value
 * goes along a straight line, before the first and after the last it is held. Each point of a
 * trigger is one blow at the nearest step. Empty lines and lines that begin with # are passed
 * over; the first other line may name the columns.
 */
#ifndef SISTRUM_OUT_GESTURE_H
#define SISTRUM_OUT_GESTURE_H

#include "run.h"

/** One input. */
typedef struct sis_gesture {
    char name[64];
    bool trigger;
    double held;        // its value where there are no points; 0 of a trigger
    double* points;     // [count][2]: time s, value
    size_t count, room; // of points
    size_t next;        // the first point after the last row that was filled
} sis_gesture;

/** All inputs of a scene, in its order. */
typedef struct sis_gestures {
    sis_gesture* curves; // [count]
    int32_t count;
    double rate; // Hz, of the steps
} sis_gestures;

/** `count` inputs without points; the caller fills in name, trigger, held and rate. */
bool sis_gestures_open(sis_gestures* gestures, int32_t count, sis_fault* fault);

void sis_gestures_close(sis_gestures* gestures);

/** Reads points of input `which`, or with -1 those of the inputs that the lines name. */
bool sis_gestures_read(sis_gestures* gestures, int32_t which, const char* path, sis_fault* fault);

/** Whether any input has points. */
bool sis_gestures_move(const sis_gestures* gestures);

/** The value of a curve that has points, at a time. */
double sis_gesture_at(const sis_gesture* curve, double time);

/** For sis_run: `self` is the gestures. Rows of the steps `first` and after; blocks come in their
 * order. */
void sis_gestures_fill(void* self, uint64_t first, int32_t count, double* rows);

#endif
