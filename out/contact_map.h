/** @file contact_map.h
 * Where along a string and when a contact of several points is closed, with the force as colour.
 * Points on plates and modal bodies have no order along a line: they are counted. Private to out/.
 */
#ifndef SISTRUM_OUT_CONTACT_MAP_H
#define SISTRUM_OUT_CONTACT_MAP_H

#include "canvas.h"
#include "run.h"

typedef struct sis_contact_map {
    int32_t link;
    sis_link_info info;
    bool counted;     // the axis has the numbers of the points: nothing is along a string
    char string[128]; // name of the string whose places are shown
    sis_window window;
    int32_t columns, rows;
    double low, high;  // m or numbers, ends of the rows
    double shown_from; // the same, ends of the axis
    double shown_to;
    int32_t* first_row;        // [points]: rows that a point covers
    int32_t* last_row;         // [points]
    double *penetration, *now; // [points], m and N at the last step
    float* force;              // [rows][columns], N; the largest of a pixel, < 0: open
    float most;                // N
} sis_contact_map;

/** Prepares for a run through the window. False: no memory. sis_contact_map_close in any case. */
bool sis_contact_map_open(sis_contact_map* map, const sis_system* system, int32_t link,
                          const sis_window* window, int32_t columns);

/** Takes the step that the state has just done; it must be in the window. */
void sis_contact_map_take(sis_contact_map* map, const sis_system* system, const sis_state* state,
                          uint64_t step);

/** Draws into the panel that was placed last. */
void sis_contact_map_draw(const sis_contact_map* map, const sis_system* system,
                          const sis_canvas* canvas, double rate, bool lowest);

void sis_contact_map_close(sis_contact_map* map);

#endif
