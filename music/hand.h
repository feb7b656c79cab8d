/** @file hand.h
 * From MIDI events, one after the other, to notes and controllers: who ends whom, what pedals hold,
 * bend ranges and MPE zones. For songs and for live playing alike. sis_hand_take and what follows it
 * are [audio] where the sink is.
 */
#ifndef SISTRUM_MUSIC_HAND_H
#define SISTRUM_MUSIC_HAND_H

#include "midi.h"
#include "stage.h"

/** Who hears of it. Notes have places, which they keep until they have ended. */
typedef struct sis_hand_sink {
    void* self;
    /** A key goes down; returns the place of the note, or -1: there is none, it is left out. */
    int32_t (*on)(void* self, const sis_played* played);
    /** The key is up, and sostenuto does not hold it. */
    void (*up)(void* self, int32_t note);
    /** The sustain pedal does not hold it either: after `up`. */
    void (*end)(void* self, int32_t note);
    /** Anything else; time and order are not set. False ends sis_hand_take with false. */
    bool (*event)(void* self, const sis_song_event* event);
} sis_hand_sink;

typedef struct sis_hand sis_hand;

/** For so many places of notes. NULL: no memory. [setup] */
sis_hand* sis_hand_new(int32_t notes, const sis_hand_sink* sink);
void sis_hand_free(sis_hand* hand);

/** Takes the next event. */
bool sis_hand_take(sis_hand* hand, const sis_midi_event* event);

/** A key with a velocity that is not one of 127. False: there was no place. */
bool sis_hand_on(sis_hand* hand, int channel, int key, double velocity, int32_t id);

/** The key of the note in that place comes up, if it is down. */
void sis_hand_off(sis_hand* hand, int channel, int key, int32_t note);

/** The channel of the player: that of its zone, or the channel itself. */
int sis_hand_master(const sis_hand* hand, int channel);

/** Every key and pedal comes up. */
void sis_hand_let_all_go(sis_hand* hand);

/** Forgets keys, pedals and wheels without telling. Ranges, zones and programs stay: instruments
 * send them once. */
void sis_hand_lift(sis_hand* hand);

#endif
