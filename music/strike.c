#include "strike.h"

#include "gesture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool sis_strike_open(const sis_script* script, sis_input_curves* gestures, sis_fault* fault) {
    int32_t count = sis_script_input_count(script);
    sis_input_curves_close(gestures);
    if (!sis_input_curves_open(gestures, count, fault)) return false;
    for (int32_t i = 0; i < count; i++) {
        sis_input input = sis_script_input(script, i);
        sis_input_curve* curve = &gestures->curves[i];
        snprintf(curve->name, sizeof curve->name, "%s", input.name);
        curve->trigger = input.trigger;
        curve->held = input.value;
    }
    return true;
}

static bool add_point(sis_input_curve* curve, double time, double value, sis_fault* fault) {
    double* more = realloc(curve->points, 2 * (curve->count + 1) * sizeof *more);
    if (!more) return sis_fault_no_memory(fault);
    more[2 * curve->count] = time;
    more[2 * curve->count + 1] = value;
    curve->points = more;
    curve->room = ++curve->count;
    return true;
}

// The first step of a run is as the scene has it: what a note moves begins with the second.
bool sis_strike_blow(double rate, double value, sis_input_curve* curve, sis_fault* fault) {
    curve->count = 0;
    return add_point(curve, 1 / rate, value, fault);
}

static bool strike(const sis_script* script, double rate, int32_t i, double velocity,
                   sis_input_curve* curve, sis_fault* fault) {
    sis_input input = sis_script_input(script, i);
    sis_input_info info = {.value = 1, .min = input.min, .max = input.max, .trigger = true};
    double blow = sis_gesture_value(sis_script_gestures(script), &info, SIS_ACT_VELOCITY, velocity);
    return add_point(curve, 1 / rate, blow, fault);
}

static bool open_gate(double rate, double hold, sis_input_curve* curve, sis_fault* fault) {
    double step = 1 / rate;
    if (!add_point(curve, 0, curve->held, fault) || !add_point(curve, step, 1, fault)) return false;
    if (isnan(hold)) return true;
    double up = fmax(hold, 3 * step);
    return add_point(curve, up - step, 1, fault) && add_point(curve, up, 0, fault);
}

static bool provide(const sis_script* script, sis_input_curves* gestures, sis_fault* fault) {
    return gestures->count || sis_strike_open(script, gestures, fault);
}

bool sis_strike_note(const sis_script* script, double rate, double hz, double velocity, double hold,
                     sis_input_curves* gestures, sis_fault* fault) {
    const sis_gestures* g = sis_script_gestures(script);
    int32_t course = sis_gesture_course_at(g, hz);
    int32_t gate = sis_gesture_input(g, SIS_ACT_GATE, course);
    int32_t blow = sis_gesture_input(g, SIS_ACT_VELOCITY, course);
    if (blow >= 0 && !sis_script_input(script, blow).trigger) blow = -1;
    if (gate < 0 && blow < 0) return true;
    if (!provide(script, gestures, fault)) return false;
    sis_input_curve* curves = gestures->curves;
    if (gate >= 0 && !curves[gate].count && !open_gate(rate, hold, &curves[gate], fault))
        return false;
    return blow < 0 || curves[blow].given ||
           strike(script, rate, blow, velocity, &curves[blow], fault);
}

bool sis_strike_plain(const sis_script* script, double rate, sis_input_curves* gestures,
                      sis_fault* fault) {
    for (int32_t i = 0; i < sis_script_input_count(script); i++) {
        if (!sis_script_strikes(script, i)) continue;
        if (!provide(script, gestures, fault)) return false;
        sis_input_curve* curve = &gestures->curves[i];
        if (!curve->given && !strike(script, rate, i, (double)NAN, curve, fault)) return false;
    }
    return true;
}
