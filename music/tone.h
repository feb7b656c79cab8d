/** @file tone.h
 * Tones: the scene compiled for one pitch and velocity. Notes that sound alike share one. Private
 * to music/.
 */
#ifndef SISTRUM_MUSIC_TONE_H
#define SISTRUM_MUSIC_TONE_H

#include "gesture.h"
#include "perform.h"

typedef struct sis_tone {
    double hz, velocity; // NaN: the scene's own
    sis_system* system;  // NULL: not compiled yet
    double* gain;        // [probes][2]: what of a probe is heard left and right
    sis_gestures play;   // of this very scene; inputs may depend on the pitch
    sis_course courses[SIS_PLAY_MOST_COURSES]; // that `play` points to
    int32_t users;                             // voices
    uint64_t last_use;                         // counted
    sis_fault fault;                           // why there is no system
    char note[64];                             // the first that asked for it: "note A3 at 1.5 s"
} sis_tone;

typedef struct sis_tones {
    const sis_performance* performance;
    sis_instrument scene;
    char* text; // of the scene: read once, so that all tones are of one scene
    size_t size;
    sis_tone** list; // [count]
    int32_t count, room;
    uint64_t uses;
    int32_t compiled;
} sis_tones;

/** Those of the i-th scene of a performance. */
bool sis_tones_open(sis_tones* tones, const sis_performance* p, int32_t i, sis_fault* fault);
void sis_tones_close(sis_tones* tones);

/** The tone of that pitch and velocity, one user more; it may not be compiled yet. NULL: no memory.
 */
sis_tone* sis_tones_take(sis_tones* tones, double hz, double velocity, const char* note);

/** One user less. Of tones that nobody uses the latest are kept, some dozens. */
void sis_tones_give_back(sis_tones* tones, sis_tone* tone);

/** Compiles a tone that is not. Tones may be compiled in several threads, each in one. */
void sis_tone_compile(const sis_tones* tones, sis_tone* tone);

#endif
