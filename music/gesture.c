#include "gesture.h"

#include "sistrum/elementary.h"

#include <math.h>
#include <string.h>

sis_gestures sis_gestures_none(void) {
    sis_gestures g = {.mode = SIS_PLAY_VOICES,
                      .pitch = -1,
                      .velocity = -1,
                      .gate = -1,
                      .pressure = -1,
                      .bend = -1};
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        g.cc[i] = -1;
    return g;
}

int32_t sis_gesture_input(const sis_gestures* g, sis_act act, int32_t number) {
    const sis_course* course = number >= 0 && number < g->course_count ? &g->courses[number] : NULL;
    switch (act) {
    case SIS_ACT_PITCH:
        return course ? course->pitch : g->pitch;
    case SIS_ACT_VELOCITY:
        return course ? course->velocity : g->velocity;
    case SIS_ACT_GATE:
        return course ? course->gate : g->gate;
    case SIS_ACT_PRESSURE:
        return g->pressure;
    case SIS_ACT_BEND:
        return g->bend;
    case SIS_ACT_CONTROL:
        break;
    }
    return number >= 0 && number < SIS_PLAY_CONTROLLERS ? g->cc[number] : -1;
}

// ---------------------------------------------------------------------------- values

// From where it rests to its ends along a + b q^wheel, through all three of them: if the ends are as
// many semitones away, as those of a tension or of the place of a stop, so is what lies between.
static double between_ends(const sis_input_info* input, double wheel) {
    double up = input->max - input->value, down = input->value - input->min, q = up / down;
    if (!(up > 0 && down > 0) || fabs(q - 1) < 1e-6)
        return input->value + wheel * (wheel < 0 ? down : up);
    return input->value + up * (sis_power(q, wheel) - 1) / (q - 1);
}

static double bent(const sis_gestures* g, const sis_input_info* input, double semitones) {
    bool plain = !input->unit || !*input->unit;
    if (plain && input->min > 0 && input->min <= 1 && input->max >= 1)
        return sis_exp2(semitones / 12);
    if (!plain && !strcmp(input->unit, "semitones")) return semitones;
    if (!plain && !strcmp(input->unit, "cents")) return 100 * semitones;
    double wheel = g->bend_range > 0 ? fmin(fmax(semitones / g->bend_range, -1), 1) : 0;
    return between_ends(input, wheel);
}

// Of blows whose softest is not 0 equal steps are equal ratios, as with params on a log scale.
static double within(const sis_input_info* input, double part) {
    if (input->trigger && input->min > 0)
        return input->min * sis_power(input->max / input->min, part);
    return input->min + (input->max - input->min) * part;
}

double sis_gesture_value(const sis_gestures* g, const sis_input_info* input, sis_act act,
                         double value) {
    double to = input->value;
    bool as_it_is = act == SIS_ACT_PITCH || act == SIS_ACT_GATE;
    if (!isnan(value))
        to = as_it_is ? value : act == SIS_ACT_BEND ? bent(g, input, value) : within(input, value);
    return fmin(fmax(to, input->min), input->max);
}

void sis_gesture_give(const sis_gestures* g, const sis_system* system, sis_state* state,
                      const sis_move* move) {
    int32_t i = sis_gesture_input(g, (sis_act)move->act, move->number);
    if (i < 0 || i >= sis_system_input_count(system)) return;
    sis_input_info input = sis_system_input(system, i);
    sis_state_input_set(system, state, i,
                        sis_gesture_value(g, &input, (sis_act)move->act, move->value));
}

// ---------------------------------------------------------------------------- courses

static bool is_better(const sis_gestures* g, int32_t one, int32_t other, const uint64_t* since) {
    if (other < 0 || g->courses[one].lowest != g->courses[other].lowest)
        return other < 0 || g->courses[one].lowest > g->courses[other].lowest;
    return since && since[one] < since[other];
}

int32_t sis_gesture_course(const sis_gestures* g, int32_t key, const bool* busy,
                           const uint64_t* since) {
    int32_t best = -1;
    for (int32_t i = 0; i < g->course_count; i++) {
        bool reached = key >= g->courses[i].lowest && key <= g->courses[i].highest;
        if (reached && !(busy && busy[i]) && is_better(g, i, best, since)) best = i;
    }
    return best;
}

int32_t sis_gesture_course_at(const sis_gestures* g, double hz) {
    double near = hz > 0 ? round(69 + 12 * sis_log2(hz / 440)) : 60;
    int32_t key = (int32_t)fmin(fmax(near, -1000), 1000);
    int32_t course = g->course_count ? sis_gesture_course(g, key, NULL, NULL) : 0;
    return course < 0 ? 0 : course;
}

bool sis_play_is_pitched(const sis_play* play, const sis_gestures* g) {
    for (int32_t i = 0; i < g->course_count; i++)
        if (g->courses[i].pitch >= 0) return true;
    return play->pitch >= 0 || g->pitch >= 0;
}

void sis_gesture_begin(const sis_gestures* g, const sis_system* system, sis_state* state, double hz,
                       double velocity) {
    int32_t course = sis_gesture_course_at(g, hz);
    const sis_move moves[] = {{.act = SIS_ACT_PITCH, .value = hz},
                              {.act = SIS_ACT_VELOCITY, .value = velocity},
                              {.act = SIS_ACT_GATE, .value = 1}};
    for (int i = 0; i < 3; i++) {
        sis_move move = moves[i];
        move.number = (uint8_t)course;
        if (!isnan(move.value)) sis_gesture_give(g, system, state, &move);
    }
    int32_t blow = sis_gesture_input(g, SIS_ACT_VELOCITY, course);
    if (isnan(velocity) && blow >= 0 && sis_system_input(system, blow).trigger)
        sis_state_input_set(system, state, blow, 1); // the shape as the scene has it
}

void sis_gesture_strike_all(const sis_system* system, sis_state* state) {
    for (int32_t i = 0; i < sis_system_input_count(system); i++) {
        sis_input_info input = sis_system_input(system, i);
        if (input.trigger)
            sis_state_input_set(system, state, i, fmin(fmax(1, input.min), input.max));
    }
}
