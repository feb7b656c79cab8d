/** @file play_session.h
 * One session of playing: the instrument, its driver, and what happens while it sounds. Private to
 * app/play; app/cli uses play.h.
 */
#ifndef SISTRUM_PLAY_SESSION_H
#define SISTRUM_PLAY_SESSION_H

#include "play.h"
#include "play_driver.h"

#include <sys/stat.h>

/** A file that is looked at now and then. */
typedef struct play_watch {
    struct stat known;  // as it was loaded
    struct stat looked; // as it was at the last look
} play_watch;

typedef struct play_session {
    const play_ask* ask;
    sis_live* live;
    play_engine* engine;
    play_recorder* recorder; // NULL: none
    play_driver* driver;     // NULL: lost, and awaited
    const play_driver_class* kind;
    play_driver_state state; // of the driver
    int32_t frames_max;
    double next_try; // s, when the driver is looked for again
    double next_look;
    char title[128];
    char name[128]; // of the scene's file
    play_watch watch;
    uint32_t troubles;
    char unfit[1024];       // what was said of the rate that the scene cannot be played at
    uint64_t xruns_before;  // of drivers that are gone
    double seconds_before;  // played at rates that are gone
    uint64_t frames_before; // of them
    int32_t preset;         // that was taken last; -1: none
    int32_t velocity;       // that keys are prepared for; 0: none
    bool quit;
    bool failed;                       // a command was wrong
    bool idle;                         // no command came, and without one no time passes
    double peak[2], load_max, limited; // largest that `silence` has read and `status` has not told
    /** Shows a sentence; `bad`: something is wrong. */
    void (*say)(void* self, bool bad, const char* text);
    void* say_self;
} play_session;

/** Seconds of a clock that only goes on. */
double play_now(void);

/** Shows a sentence where the player looks. */
void play_say(play_session* s, bool bad, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** Looks after the driver, the scene's file and the worker; many times a second. */
void play_tend(play_session* s);

/** Lets go of the driver while `stand` stops the program, and takes it again: a sound server makes all
 * its clients wait for one that does not answer. */
void play_stand_still(play_session* s, void (*stand)(void));

/** Says what failed in the worker since it was last asked. */
void play_tell_troubles(play_session* s);

/** Seconds that were played, at all rates. */
double play_seconds(const play_session* s);

/** Loads the scene's file again. */
void play_reload(play_session* s);

/** What hands do. */
void play_send(void* session, const uint8_t* bytes, size_t size);
void play_prepare(play_session* s, int32_t velocity);
void play_turn(play_session* s, int32_t knob, double value);
bool play_take_preset(play_session* s, int32_t preset);

// ---------------------------------------------------------------------------- knobs

/** Where a value lies between the ends of a knob, 0 .. 1, and back. */
double play_knob_share(const sis_live_knob* knob, double value);
double play_knob_at(const sis_live_knob* knob, double share);

// ---------------------------------------------------------------------------- the two hands

/** Plays until the end, with a view on the terminal, or by lines of commands. */
void play_with_view(play_session* s);
void play_with_lines(play_session* s);

#endif
