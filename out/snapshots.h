/** @file snapshots.h
 * Shapes of strings at some times, with what they touch. Private to out/.
 */
#ifndef SISTRUM_OUT_SNAPSHOTS_H
#define SISTRUM_OUT_SNAPSHOTS_H

#include "picture.h"
#include "times.h"

/** One string. */
typedef struct sis_shape {
    int32_t body;
    sis_body_info info;
    int32_t group; // strings that touch each other are one group
    double offset; // m, where it rests in the picture: below another by the gap between them
    double *x, *u; // m, [points] and [times][points]
} sis_shape;

/** One contact of a string with a barrier or another body. */
typedef struct sis_touch {
    int32_t link;
    sis_link_info info;
    int32_t shape;       // of the string
    bool above;          // the string is
    int32_t other;       // the body it meets; -1: a barrier
    double gap;          // m
    double *x, *edge;    // m, [points]: places and, of a barrier, where the string meets it
    double* penetration; // m, [points]
    double* force;       // N, [times][points]
    double* u;           // m, [times][points]: of the other body
} sis_touch;

typedef struct sis_snapshots {
    const sis_system* system;
    sis_times times;
    int32_t shape_count, touch_count, group_count;
    sis_shape* shapes;
    sis_touch* touches;
    double* scratch; // m, room for the shape of any body
} sis_snapshots;

/** Runs as far as the last time. sis_snapshots_close in any case. */
bool sis_snapshots_take(sis_snapshots* s, const sis_picture* picture, sis_fault* fault);

void sis_snapshots_close(sis_snapshots* s);

/** The displacement of a string at a place, linear between its points. */
double sis_shape_at(const sis_shape* shape, int32_t time, double x);

#endif
