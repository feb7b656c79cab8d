/** @file plates.h
 * Shapes of plates at some times, and where other things touch them. Private to out/.
 */
#ifndef SISTRUM_OUT_PLATES_H
#define SISTRUM_OUT_PLATES_H

#include "picture.h"
#include "times.h"

/** One plate. */
typedef struct sis_sheet {
    int32_t body;
    sis_body_info info;
    double* u; // m, [times][points]
} sis_sheet;

/** One point of a plate where a contact, a spring or a bow acts. */
typedef struct sis_spot {
    int32_t sheet, link, point;
    sis_kind kind; // of the link
    const char* name;
    double x, y; // m
    bool first;  // of its link on this plate
    bool acts[SIS_SNAPSHOTS_MAX];
} sis_spot;

typedef struct sis_plates {
    const sis_system* system;
    sis_times times;
    int32_t sheet_count, spot_count;
    sis_sheet* sheets;
    sis_spot* spots;
    double* force; // N, room for the points of any link
    double most;   // m, the largest displacement of all plates at all times
} sis_plates;

/** Runs as far as the last time. sis_plates_close in any case. */
bool sis_plates_take(sis_plates* p, const sis_picture* picture, sis_fault* fault);

void sis_plates_close(sis_plates* p);

#endif
