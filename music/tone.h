/** @file tone.h
 * Tones: the scene compiled for one pitch and velocity. Notes that sound alike share one.
 *
 * Compiling allocates and takes its time; a tone that is compiled does not change any more, so that
 * voices in any thread may play it.
 */
#ifndef SISTRUM_MUSIC_TONE_H
#define SISTRUM_MUSIC_TONE_H

#include "fault.h"
#include "script.h"
#include "touch.h"

/** A scene, and how it is compiled. */
typedef struct sis_recipe {
    const char* text; // of the scene, so that all tones are of one scene
    size_t size;
    const char* name;            // stands for the file in sentences
    const sis_script* script;    // the same scene, loaded: its play{} and params
    const sis_setting* settings; // [setting_count], of params that notes do not set
    int32_t setting_count;
    double gain;      // factor; 0: 1
    double step_rate; // steps per second
    sis_scheme scheme;
    bool audited;
    int32_t fingers; // that touch the scene at rest; 0: it is played as it is
} sis_recipe;

typedef struct sis_tone {
    double hz, velocity; // NaN: the scene's own
    sis_system* system;  // NULL: not compiled yet
    int32_t probe_count, input_count;
    double* gain;      // [probes][2]: what of a probe is heard left and right
    sis_gestures play; // of this very scene; inputs may depend on the pitch
    sis_course courses[SIS_PLAY_MOST_COURSES]; // that `play` points to
    sis_touch* touch;                          // what fingers touch; NULL: there are none
    void* start;                               // its state at rest, with fingers
    sis_fault fault;                           // why there is no system, and
    int32_t line;                              // of the scene; 0: none in particular
    char note[64]; // that asked first: "note A3 at 1.5 s"; "": the scene
    // while it is played
    int32_t place;     // in the table of its seat
    int32_t users;     // voices
    uint64_t last_use; // counted
    size_t size;       // bytes that it holds
    size_t room;       // bytes that a voice of it needs: sis_voice_room
} sis_tone;

/** A tone that is not compiled yet. NULL: no memory. [setup] */
sis_tone* sis_tone_new(double hz, double velocity, const char* note);

/** Compiles it, or says in its fault why not. Tones may be compiled in several threads, each in one.
 * [setup] */
void sis_tone_compile(const sis_recipe* recipe, sis_tone* tone);

/** NULL is fine. [setup] */
void sis_tone_free(sis_tone* tone);

#endif
