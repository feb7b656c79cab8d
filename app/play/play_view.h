/** @file play_view.h
 * The view on the terminal: what it shows, and what its keys do. Private to app/play.
 */
#ifndef SISTRUM_PLAY_VIEW_H
#define SISTRUM_PLAY_VIEW_H

#include "play_piano.h"
#include "play_screen.h"
#include "play_session.h"

/** The largest value of a second, and until when it is shown. */
typedef struct play_held {
    double value, until; // s
} play_held;

typedef struct play_view {
    play_session* session;
    play_screen screen;
    play_piano piano;
    int32_t chosen; // knob
    int32_t first;  // knob on the list
    bool help;      // instead of the rest
    bool typing;    // a number
    char typed[40];
    char message[1024];
    bool message_bad;
    double message_until; // s
    play_held peak[2], load;
    uint64_t random;
    sis_live_status status;
} play_view;

/** Draws all of it on the screen, and shows it. */
void play_view_draw(play_view* view);

/** Does what a key asks for. */
void play_view_key(play_view* view, const play_key* key);

#endif
