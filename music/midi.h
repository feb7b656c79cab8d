/** @file midi.h
 * Standard MIDI files, formats 0 and 1: bytes to a song, which is a list of notes in seconds.
 *
 *   bytes --chunks, events--> ticks --tempo map, pedal, note-offs--> sis_song
 *
 * Any bytes at all end, soon and in bounded memory, with a song or with one sentence that has the
 * file, the offset of the byte and what is wrong there.
 */
#ifndef SISTRUM_MUSIC_MIDI_H
#define SISTRUM_MUSIC_MIDI_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SIS_SONG_MOST_NOTES = 100000,
    SIS_SONG_MOST_EVENTS = 1000000, // notes, pedals and tempos
    SIS_SONG_MOST_SECONDS = 7200,
};

/** A note. It ends when its key, and the pedal if it was down, came up. */
typedef struct sis_song_note {
    double start, end; // s
    uint8_t channel;   // 0 .. 15
    uint8_t key;       // 0 .. 127
    uint8_t velocity;  // 1 .. 127
} sis_song_note;

typedef struct sis_song {
    sis_song_note* notes; // [count], by start; of equal ones as in the file
    int32_t count;
    double seconds; // when the last note ends
    int32_t bends;  // how many pitch bends were left out
} sis_song;

/** Reads a file in memory; `name` stands for it in sentences. [setup] The caller frees the song in
 * any case. */
bool sis_song_read(const unsigned char* bytes, size_t size, const char* name, sis_song* song,
                   sis_fault* fault);

/** The same from a file, of 4 MB at most. [setup] */
bool sis_song_open(const char* path, sis_song* song, sis_fault* fault);

/** Keeps the notes of one channel, 0 .. 15, alone. False: there are none; a sentence with the
 * channels that have some. [any] */
bool sis_song_keep_channel(sis_song* song, int32_t channel, const char* name, sis_fault* fault);

/** Moves every note by so many keys. Those that leave the keys 0 .. 127 are taken out; how many is
 * returned. [any] */
int32_t sis_song_transpose(sis_song* song, int32_t semitones);

/** Takes notes out: the rest keeps its order, and the song ends with the last of it. Returns how
 * many. [any] */
int32_t sis_song_drop(sis_song* song, bool (*stays)(const void* self, sis_song_note* note),
                      const void* self);

/** NULL is fine. [setup] */
void sis_song_free(sis_song* song);

// ---------------------------------------------------------------------------- between the two
// files

/** What an event of a track does; all others are left out. */
typedef enum sis_midi_act {
    SIS_MIDI_ON,
    SIS_MIDI_OFF,
    SIS_MIDI_PEDAL,   // value: down or up
    SIS_MIDI_SILENCE, // all notes of the channel off; value: those that the pedal holds too
    SIS_MIDI_TEMPO    // value: microseconds a quarter
} sis_midi_act;

typedef struct sis_midi_event {
    uint64_t tick;
    uint32_t value; // velocity, or as above
    uint8_t act, channel, key;
} sis_midi_event;

/** The events of all tracks, in the order of the file. */
typedef struct sis_midi_file {
    sis_midi_event* events; // [count]
    int32_t count, room;
    int32_t division;      // ticks a quarter; 0: time does not depend on tempo, and
    double ticks_a_second; // then
    int32_t notes, bends;  // how many of them there were
    uint64_t end;          // last tick of any track
} sis_midi_file;

/** midi.c: chunks and events. The caller frees `events` in any case. */
bool sis_midi_parse(const unsigned char* bytes, size_t size, const char* name, sis_midi_file* file,
                    sis_fault* fault);

#endif
