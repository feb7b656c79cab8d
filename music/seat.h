/** @file seat.h
 * A scene among those that play: its play{}, and a table of its tones by key and velocity. Whoever
 * plays owns it; tones are compiled elsewhere and put into it.
 */
#ifndef SISTRUM_MUSIC_SEAT_H
#define SISTRUM_MUSIC_SEAT_H

#include "note.h"
#include "tone.h"

typedef struct sis_seat {
    sis_play play;
    sis_gestures gestures;
    sis_course courses[SIS_PLAY_MOST_COURSES]; // that `gestures` points to
    bool plain;               // no play{}: a note begins it as it is, with all its triggers
    bool fed;                 // a hand may give it energy for as long as a key is down
    double least;             // of its largest energy: a voice that is below has rung out
    uint64_t hope;            // rows after which a voice that never sounded ends
    int32_t keys, velocities; // of the table: SIS_KEYS or 1 where notes do not set the param
    sis_tone** tones;         // [keys * velocities]; NULL: not there
    uint8_t* asked;           // [keys * velocities]: somebody compiles it
    size_t bytes;             // of all tones in it
    uint64_t uses;
    int32_t users;  // voices
    double* knobs;  // [input_count]: where a hand has put an input; NaN: as the scene has it
    bool* triggers; // [input_count]
    int32_t input_count;
    sis_fingers* fingers; // that touch its one state; NULL: notes play it
    void* owner;          // of whoever made it
} sis_seat;

/** A seat without tones. With `fingers` no note plays it: its one state is there for ever. A scene
 * without play{} is started by any key. `tail` dB, not > 0: as play{}
 * says; `hope` rows. NULL: no memory. [setup] */
sis_seat* sis_seat_new(const sis_script* script, double tail, uint64_t hope, sis_fingers* fingers);

/** With its tones; NULL is fine. [setup] */
void sis_seat_free(sis_seat* seat);

/** Where the tone of a key and a velocity 0 .. 127 stands. [any] */
int32_t sis_seat_place(const sis_seat* seat, int32_t key, int32_t velocity);

/** The tone of that place if it sounds at `hz`, else NULL. [audio] */
sis_tone* sis_seat_tone(sis_seat* seat, int32_t place, double hz);

/** A new tone of that key and velocity with what the tuning says, not in the table yet. NULL: no
 * memory. [setup] */
sis_tone* sis_seat_tone_new(const sis_seat* seat, const sis_tuning* tuning, int32_t key,
                            int32_t velocity, const char* note);

/** Puts a compiled tone where it belongs; returns the one that stood there, NULL: none. [audio] */
sis_tone* sis_seat_put(sis_seat* seat, sis_tone* tone);

/** Takes the tone out that has been idle longest if all of them hold more than so many bytes. NULL:
 * they do not, or all are in use. [audio] */
sis_tone* sis_seat_evict(sis_seat* seat, size_t bytes);

/** Takes the tone of a place out, if nobody plays it; NULL: there is none, or somebody does. */
sis_tone* sis_seat_take_out(sis_seat* seat, int32_t place);

#endif
