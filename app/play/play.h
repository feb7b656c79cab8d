/** @file play.h
 * A scene as a live instrument: `sistrum play`.
 */
#ifndef SISTRUM_PLAY_H
#define SISTRUM_PLAY_H

#include "play_driver.h"
#include "play_recorder.h"

#include "script.h"

/** What is asked for. Texts live as long as the session. */
typedef struct play_ask {
    const char* scene; // its file
    const sis_setting* settings;
    int32_t setting_count;
    const char* preset; // that the settings begin with, by its name; NULL: none
    const char* title;  // of the scene
    const char* driver; // NULL: the first that works
    play_driver_ask device;
    sis_live_options live;   // rate and longest block are the driver's
    const double* tuning;    // [128] Hz; NULL: as the library has it
    double prepare;          // velocity at which every key is compiled first; NaN: none
    play_record_spec record; // its rate is the driver's
    bool view;               // if there is a terminal
} play_ask;

/** Plays until the player has enough. False: `fault` says why it could not be. A signal that asked
 * for the end is in *ending, else 0. */
bool play_go(const play_ask* ask, int* ending, sis_fault* fault);

#endif
