// From events in ticks to notes in seconds: the tempo map, who ends whom, and the pedal.
#include "midi.h"

#include "scene_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 16, KEYS = 128 };

/** Notes whose key is down, first come first ended, and those that only the pedal holds. */
typedef struct hand {
    int32_t first[CHANNELS][KEYS], last[CHANNELS][KEYS]; // -1: none
    int32_t held[CHANNELS];                              // by the pedal; -1: none
    bool pedal[CHANNELS];
    int32_t* next; // [notes] in one of these lists; -1: the last
    sis_song* song;
} hand;

// ---------------------------------------------------------------------------- time

/** A place in the tempo map. */
typedef struct clock_hand {
    const sis_midi_file* file;
    uint64_t tick;
    double seconds;
    double tempo; // microseconds a quarter
} clock_hand;

static double seconds_at(const clock_hand* c, uint64_t tick) {
    double ticks = (double)(tick - c->tick);
    if (c->file->division == 0) return c->seconds + ticks / c->file->ticks_a_second;
    return c->seconds + ticks * c->tempo / (1e6 * c->file->division);
}

static void turn_to(clock_hand* c, uint64_t tick) {
    c->seconds = seconds_at(c, tick);
    c->tick = tick;
}

// ---------------------------------------------------------------------------- notes

static void note_on(hand* h, const sis_midi_event* e, double now) {
    sis_song* song = h->song;
    int32_t i = song->count++;
    song->notes[i] = (sis_song_note){.start = now,
                                     .end = (double)NAN,
                                     .channel = e->channel,
                                     .key = e->key,
                                     .velocity = (uint8_t)e->value};
    h->next[i] = -1;
    int32_t* last = &h->last[e->channel][e->key];
    if (*last >= 0)
        h->next[*last] = i;
    else
        h->first[e->channel][e->key] = i;
    *last = i;
}

// The note that is down longest on this key; an off without one means nothing.
static void note_off(hand* h, int channel, int key, double now) {
    int32_t i = h->first[channel][key];
    if (i < 0) return;
    h->first[channel][key] = h->next[i];
    if (h->next[i] < 0) h->last[channel][key] = -1;
    if (h->pedal[channel]) {
        h->next[i] = h->held[channel];
        h->held[channel] = i;
    } else {
        h->song->notes[i].end = now;
    }
}

static void pedal(hand* h, int channel, bool down, double now) {
    h->pedal[channel] = down;
    if (down) return;
    for (int32_t i = h->held[channel]; i >= 0; i = h->next[i])
        h->song->notes[i].end = now;
    h->held[channel] = -1;
}

// Keys come up, and the pedal still holds their notes; with `held` it does not.
static void silence(hand* h, int channel, bool held, double now) {
    bool down = h->pedal[channel];
    for (int key = 0; key < KEYS; key++)
        while (h->first[channel][key] >= 0)
            note_off(h, channel, key, now);
    if (!held) return;
    pedal(h, channel, false, now);
    h->pedal[channel] = down; // for the notes to come
}

static void take(hand* h, clock_hand* c, const sis_midi_event* e) {
    turn_to(c, e->tick);
    switch ((sis_midi_act)e->act) {
    case SIS_MIDI_ON:
        note_on(h, e, c->seconds);
        break;
    case SIS_MIDI_OFF:
        note_off(h, e->channel, e->key, c->seconds);
        break;
    case SIS_MIDI_PEDAL:
        pedal(h, e->channel, e->value != 0, c->seconds);
        break;
    case SIS_MIDI_SILENCE:
        silence(h, e->channel, e->value != 0, c->seconds);
        break;
    case SIS_MIDI_TEMPO:
        c->tempo = e->value;
        break;
    }
}

// What never ended ends with the file.
static void close_notes(sis_song* song, double end) {
    for (int32_t i = 0; i < song->count; i++) {
        if (isnan(song->notes[i].end)) song->notes[i].end = end;
        song->seconds = fmax(song->seconds, song->notes[i].end);
    }
}

// ---------------------------------------------------------------------------- order

/** An event and where it stood in the file. */
typedef struct placed {
    uint64_t tick;
    int32_t place;
} placed;

static int by_tick(const void* a, const void* b) {
    const placed *x = a, *y = b;
    if (x->tick != y->tick) return x->tick < y->tick ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool merge(const sis_midi_file* file, sis_song* song, sis_fault* fault) {
    size_t count = (size_t)file->count, notes = (size_t)file->notes;
    placed* order = malloc((count + 1) * sizeof *order);
    hand* h = malloc(sizeof *h);
    int32_t* next = malloc((notes + 1) * sizeof *next);
    song->notes = calloc(notes + 1, sizeof *song->notes);
    bool room = order && h && next && song->notes;
    if (!room) {
        sis_fault_no_memory(fault);
    } else {
        memset(h, 0xFF, sizeof *h); // every list is empty
        memset(h->pedal, 0, sizeof h->pedal);
        h->next = next;
        h->song = song;
        for (size_t i = 0; i < count; i++)
            order[i] = (placed){.tick = file->events[i].tick, .place = (int32_t)i};
        qsort(order, count, sizeof *order, by_tick);
        clock_hand c = {.file = file, .tempo = 500000};
        for (size_t i = 0; i < count; i++)
            take(h, &c, &file->events[order[i].place]);
        turn_to(&c, file->end > c.tick ? file->end : c.tick);
        close_notes(song, c.seconds);
    }
    free(order);
    free(h);
    free(next);
    return room;
}

// ---------------------------------------------------------------------------- public

bool sis_song_read(const unsigned char* bytes, size_t size, const char* name, sis_song* song,
                   sis_fault* fault) {
    *song = (sis_song){.notes = NULL};
    sis_midi_file file;
    bool fine = sis_midi_parse(bytes, size, name, &file, fault) && merge(&file, song, fault);
    song->bends = file.bends;
    free(file.events);
    if (!fine) return false;
    if (song->count == 0)
        return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: there is no note in it", name);
    if (!(song->seconds <= SIS_SONG_MOST_SECONDS))
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "%.300s: it lasts %.4g h; at most %d h can be played", name,
                             song->seconds / 3600, SIS_SONG_MOST_SECONDS / 3600);
    return true;
}

bool sis_song_open(const char* path, sis_song* song, sis_fault* fault) {
    *song = (sis_song){.notes = NULL};
    char why[256];
    size_t size = 0;
    char* bytes = sis_file_read(path, &size, why, sizeof why);
    if (!bytes && errno == ENOMEM) return sis_fault_no_memory(fault);
    if (!bytes)
        return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: cannot read the song: %s", path, why);
    bool fine = sis_song_read((const unsigned char*)bytes, size, path, song, fault);
    free(bytes);
    return fine;
}

// ---------------------------------------------------------------------------- a part of it

int32_t sis_song_drop(sis_song* song, bool (*stays)(const void* self, sis_song_note* note),
                      const void* self) {
    int32_t kept = 0, all = song->count;
    song->seconds = 0;
    for (int32_t i = 0; i < all; i++) {
        sis_song_note note = song->notes[i];
        if (!stays(self, &note)) continue;
        song->notes[kept++] = note;
        song->seconds = fmax(song->seconds, note.end);
    }
    song->count = kept;
    return all - kept;
}

static bool is_of_channel(const void* self, sis_song_note* note) {
    return note->channel == *(const int32_t*)self;
}

bool sis_song_keep_channel(sis_song* song, int32_t channel, const char* name, sis_fault* fault) {
    bool used[CHANNELS] = {false};
    char list[80] = "";
    for (int32_t i = 0; i < song->count; i++)
        used[song->notes[i].channel] = true;
    for (int c = 0; c < CHANNELS; c++) {
        size_t end = strlen(list);
        if (used[c]) snprintf(list + end, sizeof list - end, "%s%d", end ? ", " : "", c + 1);
    }
    sis_song_drop(song, is_of_channel, &channel);
    return song->count > 0 ||
           sis_fault_set(fault, SIS_FAULT_SCENE,
                         "%.300s: there is no note on channel %d; there are some on %s", name,
                         (int)channel + 1, list);
}

static bool is_moved(const void* self, sis_song_note* note) {
    int32_t key = note->key + *(const int32_t*)self;
    if (key < 0 || key >= KEYS) return false;
    note->key = (uint8_t)key;
    return true;
}

int32_t sis_song_transpose(sis_song* song, int32_t semitones) {
    return sis_song_drop(song, is_moved, &semitones);
}

void sis_song_free(sis_song* song) {
    if (song) free(song->notes);
}
