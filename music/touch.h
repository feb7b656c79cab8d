/** @file touch.h
 * Fingers on the bodies of a scene: what is added to it, and how a finger moves.
 *
 * A finger is a driven mass with a soft tip, a contact whose place follows an input (on a string two,
 * from above and from below): pressing displaces the body, sliding moves the place, lifting lets go at once, which is a pluck. Of a mass
 * it takes hold by a spring and a damper, whose constants follow an input. A contact belongs to one
 * body, so each finger has one for each body; those that are lifted are open and sleep.
 *
 *   scene --at rest, with fingers--> system, sis_touch --settled--> start
 *   what a hand wants --sis_fingers_turn, every SIS_TOUCH_STEPS steps--> inputs of the state
 */
#ifndef SISTRUM_MUSIC_TOUCH_H
#define SISTRUM_MUSIC_TOUCH_H

#include "sistrum/sistrum.h"

enum {
    SIS_FINGERS_MOST = 8,
    SIS_TOUCH_STEPS = 64,       // between two motions of a finger, along straight lines
    SIS_TOUCH_PLACES_MOST = 32, // of a modal body
    SIS_TOUCH_WINDOWS_MOST = 8
};

/** How a body is touched. */
typedef enum sis_touch_kind {
    SIS_TOUCH_NONE,   // it is driven, or a barrier
    SIS_TOUCH_LINE,   // anywhere along it
    SIS_TOUCH_AREA,   // anywhere on it
    SIS_TOUCH_PLACES, // at its places 1, 2, ...
    SIS_TOUCH_HOLD    // as a whole
} sis_touch_kind;

typedef struct sis_touch_body {
    sis_touch_kind kind;
    int32_t first;          // input of the first finger
    int32_t each;           // inputs of a finger
    int32_t places;         // of a modal body
    double low[2], high[2]; // m, where it may be touched
    int32_t windows;        // of a string, in which tips slide; low and high of each:
    double from[SIS_TOUCH_WINDOWS_MOST], to[SIS_TOUCH_WINDOWS_MOST];
    double press; // m, furthest
    double away;  // m, where a lifted tip is
    double clear; // m above the body, from which a tip comes down
    int32_t points, segments[2];
    double size[2]; // m
    double* rest;   // [points] u at rest
} sis_touch_body;

/** What was added to a scene. */
typedef struct sis_touch {
    int32_t fingers;
    int32_t body_count, link_count; // of the scene itself
    sis_touch_body* bodies;         // [body_count]
    double* shape;                  // [points of the largest]: scratch
    double seconds;                 // of SIS_TOUCH_STEPS
} sis_touch;

/** The scene at rest with so many fingers, compiled: its state at rest in `start` (sis_state_size
 * bytes). [setup] The caller frees all three. NULL: `error` says why. */
sis_system* sis_touch_compile(const sis_scene* scene, const sis_options* options, int32_t fingers,
                              sis_touch** touch, void** start, sis_error* error);
/** NULL is fine. [setup] */
void sis_touch_free(sis_touch* touch);

// ---------------------------------------------------------------------------- while it sounds

/** Where a finger is to be; `press` NaN: lifted; < 0: a string is pulled up. */
typedef struct sis_finger {
    int32_t body;
    double x, y, press;
} sis_finger;

/** A place that goes back to where it started, now that its tip is away: constants that are where
 * they started cost nothing (step/live.c). */
typedef struct sis_home_way {
    int32_t body; // -1: none
    int32_t window;
    bool ready; // the tip is away
} sis_home_way;

/** Fingers of one state. */
typedef struct sis_fingers {
    sis_finger want[SIS_FINGERS_MOST];
    sis_finger now[SIS_FINGERS_MOST]; // body -1: lifted; press: where the tip is, u in m
    int32_t
        place[SIS_FINGERS_MOST]; // of a modal body; 2 window + 1 below a string; of a mass, turns
    sis_home_way home[SIS_FINGERS_MOST];
    int32_t idle; // turns since any of them did anything
} sis_fingers;

/** All lifted; what is wanted stays. [audio] */
void sis_fingers_begin(sis_fingers* fingers);

/** Wants all of them lifted. [audio] */
void sis_fingers_lift(sis_fingers* fingers);

/** Whether any of them touches or is to touch. [audio] */
bool sis_fingers_busy(const sis_touch* touch, const sis_fingers* fingers);

/** Moves the inputs of a state, whose next step is a multiple of SIS_TOUCH_STEPS, towards what is
 * wanted. [audio] */
void sis_fingers_turn(const sis_touch* touch, sis_fingers* fingers, const sis_system* system,
                      sis_state* state);

#endif
