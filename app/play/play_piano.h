/** @file play_piano.h
 * The keyboard of the computer as a piano: two rows of keys, two octaves and more. Terminals that
 * tell of no key-up end a note after a time, or when its key is struck again.
 */
#ifndef SISTRUM_PLAY_PIANO_H
#define SISTRUM_PLAY_PIANO_H

#include "play_keys.h"

/** When notes end. */
typedef enum play_piano_mode {
    PLAY_PIANO_HOLD,   // after a time; by key-up where the terminal tells
    PLAY_PIANO_TOGGLE, // when the key is struck again
    PLAY_PIANO_MODES
} play_piano_mode;

enum { PLAY_PIANO_KEYS = 29 };

/** The key caps in the order of pitch, from C on. */
extern const char play_piano_caps[PLAY_PIANO_KEYS + 1];

typedef struct play_piano {
    int32_t octave;   // of the lowest C: C3 is octave 3
    int32_t velocity; // 1 .. 127
    double hold;      // s
    play_piano_mode mode;
    bool key_up; // the terminal tells of key-ups
    bool pedal;
    int32_t sounding[PLAY_PIANO_KEYS]; // MIDI key of each that is down; -1: up
    double struck[PLAY_PIANO_KEYS];    // s, when its last character came
    double since[PLAY_PIANO_KEYS];     // s, when it began
    void (*send)(void* self, const uint8_t* bytes, size_t size);
    void* self;
} play_piano;

play_piano play_piano_default(void (*send)(void* self, const uint8_t* bytes, size_t size),
                              void* self);

/** Whether the key is one of the piano; if so it was played. */
bool play_piano_take(play_piano* piano, const play_key* key, double now);

/** Ends notes whose time is over. */
void play_piano_tick(play_piano* piano, double now);

/** Ends all of them. */
void play_piano_up(play_piano* piano);

void play_piano_pedal(play_piano* piano, bool down);

/** The MIDI key of the i-th key cap; -1: beyond the keys. */
int32_t play_piano_key(const play_piano* piano, int i);

#endif
