/** @file desk.h
 * Where the controllers of all channels stand while a song goes on. Private to music/.
 *
 * A note hears its own channel and, in an MPE zone, the master: bends of both add up, of pressures
 * the larger one counts, and a controller of its own channel hides that of the master.
 */
#ifndef SISTRUM_MUSIC_DESK_H
#define SISTRUM_MUSIC_DESK_H

#include "midi.h"
#include "script.h"

typedef struct sis_desk_channel {
    double wheel;                     // -1 .. 1
    double range;                     // semitones; NaN: as the scene has it
    double pressure;                  // 0 .. 1; NaN: none came yet
    int16_t cc[SIS_PLAY_CONTROLLERS]; // 0 .. 127; -1: none came yet
    uint8_t program;
} sis_desk_channel;

typedef struct sis_desk {
    sis_desk_channel channels[SIS_CHANNELS];
} sis_desk;

void sis_desk_open(sis_desk* desk);

/** What the event of a song changes. [any] */
void sis_desk_take(sis_desk* desk, const sis_song_event* event);

/** Semitones that a note of this channel and master is bent by; `range` is that of the scene. */
double sis_desk_bend(const sis_desk* desk, int channel, int master, double range);

/** 0 .. 1; NaN: there was no pressure yet. */
double sis_desk_pressure(const sis_desk* desk, int channel, int master);

/** 0 .. 1; NaN: the controller has not been moved yet. */
double sis_desk_control(const sis_desk* desk, int channel, int master, int number);

/** Whether sis_song_event RESET takes this controller back, as MIDI RP-015 lists them. */
bool sis_desk_resets(int number);

#endif
