/** @file sweep_points.h
 * What a study varies: axes, lists, pairs and draws, and the values of every index of it.
 *
 * An index counts all combinations: lines of the file of pairs are slowest, then come the axes in
 * the order in which they were given, the draws are fastest. Values follow from the index alone.
 */
#ifndef SISTRUM_SWEEP_POINTS_H
#define SISTRUM_SWEEP_POINTS_H

#include "fault.h"
#include "script.h"
#include "sweep_draw.h"

enum { SIS_AXES_MOST = 64 };

/** What an axis sets in a run. */
typedef enum sis_axis_kind {
    SIS_AXIS_PARAM,
    SIS_AXIS_INPUT,    ///< where an input starts
    SIS_AXIS_BLOW,     ///< the blow that a trigger gets at the start
    SIS_AXIS_NOTE,     ///< MIDI key, also between the keys
    SIS_AXIS_VELOCITY, ///< of the note, 0 .. 1
} sis_axis_kind;

/** Where its values come from. */
typedef enum sis_axis_form {
    SIS_AXIS_LIST,   ///< values[count]
    SIS_AXIS_STEPS,  ///< count values from `from` to `to`
    SIS_AXIS_DRAWN,  ///< anything between `from` and `to`
    SIS_AXIS_PAIRED, ///< a column of the pairs
} sis_axis_form;

/** One column of a study. */
typedef struct sis_axis {
    char name[64], unit[32];
    sis_axis_kind kind;
    sis_axis_form form;
    double min, max; // what the scene allows
    bool logarithmic;
    double from, to;
    uint64_t count;
    double* values;
    int32_t column; // of the draws or of the pairs
} sis_axis;

typedef struct sis_points {
    sis_axis axes[SIS_AXES_MOST];
    int32_t axis_count;
    double* pairs; // [pair_count][pair_columns]
    uint64_t pair_count;
    int32_t pair_columns;
    uint64_t random; // draws for each combination; 0: none
    int32_t drawn;   // axes that are drawn
    uint64_t seed;
    sis_draw draw;
    double a4;             // Hz, of notes
    uint64_t count;        // of all indices; from sis_points_finish
    const double* sought;  // of a fit, shares [][drawn] of the ranges of drawn axes; NULL: none
    uint64_t sought_first; // index of the first of them
} sis_points;

/** Nothing yet: {.a4 = 440} or whatever A4 is. Frees what it holds. */
void sis_points_close(sis_points* points);

/** Adds "NAME=from:to:count", "NAME=from:to:log:count", "NAME=a,b,c", or for draws "NAME=from:to"
 * and "NAME=from:to:log". NAME is a param or an input of the scene, "note" or "velocity". */
bool sis_points_axis(sis_points* points, const char* text, const sis_script* script,
                     sis_fault* fault);

/** Adds the columns of a CSV text, whose first line names them; `name` is that of the file. */
bool sis_points_pairs(sis_points* points, const char* text, const char* name,
                      const sis_script* script, sis_fault* fault);

/** Draws the named params ("a,b,c") over their whole range; NULL: all that have a range, are not set
 * by `settings` and have no axis. */
bool sis_points_free(sis_points* points, const char* names, const sis_setting* settings,
                     int32_t setting_count, const sis_script* script, sis_fault* fault);

/** Checks that it fits together, and counts. */
bool sis_points_finish(sis_points* points, sis_fault* fault);

/** The values [axis_count] of an index < count. [any] */
void sis_points_at(const sis_points* points, uint64_t index, double* values);

/** Hz of a key of axis "note". [any] */
double sis_points_hz(const sis_points* points, double key);

#endif
