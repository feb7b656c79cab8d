/** @file trace.h
 * A signal of any length as a line of bounded length that looks the same.
 *
 * The picture has a number of columns. Of each column the first, lowest, highest and last value are
 * kept, each at its own time: a line through them covers the same pixels as a line through all
 * values, so no peak is lost and nothing is smoothed. A column of four values or fewer keeps all.
 */
#ifndef SISTRUM_OUT_TRACE_H
#define SISTRUM_OUT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/** The steps that a picture shows. */
typedef struct sis_window {
    uint64_t first; // step
    uint64_t count; // steps, at least 1
} sis_window;

typedef struct sis_point {
    double step; // counted from the start of the run
    double value;
} sis_point;

typedef struct sis_trace {
    sis_window window;
    int32_t columns;
    double min, max; // of all values
    int32_t point_count;
    sis_point* points; // [4 columns]
    // the column being filled
    int32_t column;
    uint64_t held;
    sis_point head[4]; // its first values
    sis_point low, high, last;
} sis_trace;

/** The column of a step, 0 .. columns - 1; the step must be in the window. */
int32_t sis_window_column(const sis_window* window, int32_t columns, uint64_t step);

/** The first step of a column. */
uint64_t sis_window_step(const sis_window* window, int32_t columns, int32_t column);

bool sis_window_has(const sis_window* window, uint64_t step);

/** An empty trace. False: no memory. */
bool sis_trace_open(sis_trace* trace, const sis_window* window, int32_t columns);

/** Adds the value of a step; steps come in order, those outside of the window are ignored. */
void sis_trace_add(sis_trace* trace, uint64_t step, double value);

/** Completes the last column. */
void sis_trace_finish(sis_trace* trace);

void sis_trace_close(sis_trace* trace);

#endif
