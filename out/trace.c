#include "trace.h"

#include <stdlib.h>

// Column c holds the steps with floor(relative columns/count) = c. A run has at most 2^52 steps and
// a picture far fewer than 2^12 columns, so the products fit.

int32_t sis_window_column(const sis_window* window, int32_t columns, uint64_t step) {
    return (int32_t)((step - window->first) * (uint64_t)columns / window->count);
}

uint64_t sis_window_step(const sis_window* window, int32_t columns, int32_t column) {
    uint64_t whole = (uint64_t)columns;
    return window->first + ((uint64_t)column * window->count + whole - 1) / whole;
}

bool sis_window_has(const sis_window* window, uint64_t step) {
    return step >= window->first && step - window->first < window->count;
}

bool sis_trace_open(sis_trace* trace, const sis_window* window, int32_t columns) {
    *trace = (sis_trace){.window = *window, .columns = columns};
    trace->points = malloc(4 * (size_t)columns * sizeof *trace->points);
    return trace->points != NULL;
}

static void emit(sis_trace* trace, sis_point point) {
    if (!trace->points) return;
    sis_point* last = trace->point_count ? &trace->points[trace->point_count - 1] : NULL;
    if (last && last->step >= point.step) return; // one value can be two of the four
    trace->points[trace->point_count++] = point;
}

static void end_column(sis_trace* trace) {
    if (trace->held <= 4) {
        for (uint64_t i = 0; i < trace->held; i++)
            emit(trace, trace->head[i]);
    } else {
        bool low_first = trace->low.step < trace->high.step;
        emit(trace, trace->head[0]);
        emit(trace, low_first ? trace->low : trace->high);
        emit(trace, low_first ? trace->high : trace->low);
        emit(trace, trace->last);
    }
    trace->held = 0;
}

void sis_trace_add(sis_trace* trace, uint64_t step, double value) {
    if (!sis_window_has(&trace->window, step)) return;
    int32_t column = sis_window_column(&trace->window, trace->columns, step);
    if (column != trace->column) end_column(trace);
    sis_point point = {(double)step, value};
    if (trace->held < 4) trace->head[trace->held] = point;
    if (trace->held == 0 || value < trace->low.value) trace->low = point;
    if (trace->held == 0 || value > trace->high.value) trace->high = point;
    bool very_first = trace->held == 0 && trace->point_count == 0;
    if (very_first || value < trace->min) trace->min = value;
    if (very_first || value > trace->max) trace->max = value;
    trace->last = point;
    trace->column = column;
    trace->held++;
}

void sis_trace_finish(sis_trace* trace) {
    end_column(trace);
}

void sis_trace_close(sis_trace* trace) {
    free(trace->points);
    trace->points = NULL;
}
