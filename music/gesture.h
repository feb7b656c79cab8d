/** @file gesture.h
 * What a note and a controller do to the inputs of a scene that sounds: play{} says which, and here
 * is by how much.
 *
 *   key down, wheel, pressure --sis_move--> which input of sis_gestures, which value of its range
 */
#ifndef SISTRUM_MUSIC_GESTURE_H
#define SISTRUM_MUSIC_GESTURE_H

#include "script.h"

/** What is moved. */
typedef enum sis_act {
    SIS_ACT_PITCH,    // value: Hz
    SIS_ACT_VELOCITY, // 0 .. 1
    SIS_ACT_GATE,     // 1 down, 0 up
    SIS_ACT_PRESSURE, // 0 .. 1
    SIS_ACT_BEND,     // semitones
    SIS_ACT_CONTROL   // 0 .. 1
} sis_act;

/** One motion. Its value NaN: back to where the scene starts it. */
typedef struct sis_move {
    uint64_t row; // of the song
    double value;
    uint8_t act;
    uint8_t number; // controller; of pitch, velocity and gate the course
} sis_move;

/** The input that it moves; -1: the scene has none for it. [any] */
int32_t sis_gesture_input(const sis_gestures* gestures, sis_act act, int32_t number);

/** Where it takes that input. Pressure, controllers and velocity go linearly from its min to its
 * max. A bend of s semitones is the factor 2^(s/12) where the input is a plain number with 0 < min
 * <= 1 <= max, s where its unit is "semitones" and 100 s where it is "cents"; else the wheel at
 * rest is where the input starts, and its ends are min and max. All are held to the range. [any] */
double sis_gesture_value(const sis_gestures* gestures, const sis_input_info* input, sis_act act,
                         double value);

/** Moves the input of a state from the next sample on. [audio] */
void sis_gesture_give(const sis_gestures* gestures, const sis_system* system, sis_state* state,
                      const sis_move* move);

/** The course for a key, of those that `busy` (NULL: none) leaves free; -1: none reaches it. It is
 * the one whose lowest note is nearest below the key; of equal ones the one that has been free
 * longest, `since` (NULL: the first). [any] */
int32_t sis_gesture_course(const sis_gestures* gestures, int32_t key, const bool* busy,
                           const uint64_t* since);

/** The course for a frequency, by the nearest key at 440 Hz; NaN: that of middle C. 0 where there are
 * no courses or none reaches it. [any] */
int32_t sis_gesture_course_at(const sis_gestures* gestures, double hz);

/** Those of a scene without play{}: notes move nothing. [any] */
sis_gestures sis_gestures_none(void);

/** Whether notes set or move a pitch at all. [any] */
bool sis_play_is_pitched(const sis_play* play, const sis_gestures* gestures);

/** Gives a state before its first sample what a note of that frequency (NaN: none) and velocity 0
 * .. 1 (NaN: as the scene has it, a trigger once with 1) moves; its key is down. [audio] */
void sis_gesture_begin(const sis_gestures* gestures, const sis_system* system, sis_state* state,
                       double hz, double velocity);

/** Strikes every trigger once with 1, or the nearest value of its range: what begins a scene without
 * play{}. [audio] */
void sis_gesture_strike_all(const sis_system* system, sis_state* state);

#endif
