/** @file midi.h
 * Standard MIDI files, formats 0 and 1: bytes to a song, which is a list of notes and one of what
 * controllers do, in seconds.
 *
 *   bytes --chunks, events--> ticks --tempo map, note-offs, pedals, zones--> sis_song
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
    SIS_SONG_MOST_EVENTS = 1000000, // notes, controllers, tempos and tunings
    SIS_SONG_MOST_SECONDS = 7200,
};

enum { SIS_CHANNELS = 16, SIS_NO_PROGRAM = 255 };

/** A note. A key held by sostenuto (controller 66) is not up; a note that the sustain pedal (64)
 * holds has not ended. Of things at the same time, `order` says which came first. */
typedef struct sis_song_note {
    double start, up, end;              // s
    int32_t began, up_order, end_order; // order of start, up and end
    uint8_t channel;                    // 0 .. 15
    uint8_t master;                     // channel of the player: that of its MPE zone, or `channel`
    uint8_t key;                        // 0 .. 127
    uint8_t velocity;                   // 1 .. 127
    uint8_t program;                    // 0 .. 127, or SIS_NO_PROGRAM
} sis_song_note;

/** What else moves. */
typedef enum sis_song_kind {
    SIS_SONG_BEND,         // value -1 .. 1
    SIS_SONG_PRESSURE,     // value 0 .. 127
    SIS_SONG_KEY_PRESSURE, // of the key `number`: value 0 .. 127
    SIS_SONG_CONTROL,      // of the controller `number`: value 0 .. 127
    SIS_SONG_PROGRAM,      // value 0 .. 127
    SIS_SONG_RESET,        // controllers as at the start
    SIS_SONG_SILENCE,      // all sound off
    SIS_SONG_TUNING        // a message of MIDI tuning: its bytes begin at data[value]
} sis_song_kind;

typedef struct sis_song_event {
    double time; // s
    double value;
    double range;  // bends: semitones of the whole wheel; NaN: as the scene has it
    int32_t order; // among things at the same time
    uint32_t size; // tunings: bytes of the message
    uint8_t kind, channel, number;
    bool implied; // a bend that follows from a new range
} sis_song_event;

typedef struct sis_song {
    sis_song_note* notes; // [count], by start; of equal ones as in the file
    int32_t count;
    sis_song_event* events; // [event_count], by time
    int32_t event_count;
    double seconds; // when the last note ends
    uint8_t* data;  // [data_size]: messages of tunings
    size_t data_size;
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

// ---------------------------------------------------------------------------- events

/** What an event of a track does; all others are left out. */
typedef enum sis_midi_act {
    SIS_MIDI_ON,
    SIS_MIDI_OFF,
    SIS_MIDI_KEY_PRESSURE,
    SIS_MIDI_CONTROL, // key: number of the controller
    SIS_MIDI_PROGRAM,
    SIS_MIDI_PRESSURE,
    SIS_MIDI_BEND,  // value: 0 .. 16383, 8192 is the middle
    SIS_MIDI_TEMPO, // value: microseconds a quarter
    SIS_MIDI_TUNING // value: offset in the file of the message without its F0, `size` bytes
} sis_midi_act;

typedef struct sis_midi_event {
    uint64_t tick;
    uint32_t value; // 0 .. 127, or as above
    uint32_t size;
    uint8_t act, channel, key;
} sis_midi_event;

/** The events of all tracks, in the order of the file. */
typedef struct sis_midi_file {
    sis_midi_event* events; // [count]
    int32_t count, room;
    int32_t division;      // ticks a quarter; 0: time does not depend on tempo, and
    double ticks_a_second; // then
    int32_t notes;         // how many of the events
    uint64_t end;          // last tick of any track
} sis_midi_file;

/** midi.c: chunks and events. The caller frees `events` in any case. */
bool sis_midi_parse(const unsigned char* bytes, size_t size, const char* name, sis_midi_file* file,
                    sis_fault* fault);

#endif
