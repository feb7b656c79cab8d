// From events in ticks to a song in seconds: their order and the tempo map.
#include "hand.h"
#include "midi.h"
#include "scene_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 128 };

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

// What never ended ends with the file.
static void close_notes(sis_song* song, double end) {
    for (int32_t i = 0; i < song->count; i++) {
        if (isnan(song->notes[i].up)) song->notes[i].up = end;
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

static placed* in_order(const sis_midi_file* file) {
    placed* order = malloc(((size_t)file->count + 1) * sizeof *order);
    for (int32_t i = 0; order && i < file->count; i++)
        order[i] = (placed){.tick = file->events[i].tick, .place = i};
    if (order) qsort(order, (size_t)file->count, sizeof *order, by_tick);
    return order;
}

// ---------------------------------------------------------------------------- what the hand does

/** A song that is written down, at a place of the file. */
typedef struct scribe {
    sis_song* song;
    const unsigned char* bytes; // of the file
    int32_t event_room;
    size_t data_room;
    double now;    // s
    int32_t order; // of what the hand does
} scribe;

static int32_t write_on(void* self, const sis_played* played) {
    scribe* w = self;
    int32_t i = w->song->count++;
    w->song->notes[i] = (sis_song_note){.start = w->now,
                                        .up = (double)NAN,
                                        .end = (double)NAN,
                                        .began = w->order++,
                                        .up_order = INT32_MAX,
                                        .end_order = INT32_MAX,
                                        .channel = played->channel,
                                        .master = played->master,
                                        .key = played->key,
                                        .velocity = (uint8_t)round(127 * played->velocity),
                                        .program = played->program};
    return i;
}

static void write_up(void* self, int32_t note) {
    scribe* w = self;
    w->song->notes[note].up = w->now;
    w->song->notes[note].up_order = w->order++;
}

static void write_end(void* self, int32_t note) {
    scribe* w = self;
    w->song->notes[note].end = w->now;
    w->song->notes[note].end_order = w->order++;
}

static bool write_event(void* self, const sis_song_event* event) {
    scribe* w = self;
    sis_song* song = w->song;
    // One change of a range may bend a whole zone: what no hand does is not kept without end.
    if (event->implied && song->event_count >= SIS_SONG_MOST_EVENTS) return true;
    if (song->event_count == w->event_room) {
        int32_t room = w->event_room ? 2 * w->event_room : 256;
        sis_song_event* events = realloc(song->events, (size_t)room * sizeof *events);
        if (!events) return false;
        song->events = events;
        w->event_room = room;
    }
    sis_song_event* last = &song->events[song->event_count++];
    *last = *event;
    last->time = w->now;
    last->order = w->order++;
    return true;
}

static bool write_tuning(scribe* w, const sis_midi_event* e) {
    sis_song* song = w->song;
    if (song->data_size + e->size > w->data_room) {
        size_t room = 2 * (song->data_size + e->size);
        uint8_t* data = realloc(song->data, room);
        if (!data) return false;
        song->data = data;
        w->data_room = room;
    }
    memcpy(song->data + song->data_size, w->bytes + e->value, e->size);
    const sis_song_event event = {
        .kind = SIS_SONG_TUNING, .value = (double)song->data_size, .size = e->size};
    song->data_size += e->size;
    return write_event(w, &event);
}

// Plays the file through: every event at its time.
static bool go_through(const sis_midi_file* file, const placed* order, sis_hand* hand, scribe* w) {
    clock_hand c = {.file = file, .tempo = 500000};
    for (int32_t i = 0; i < file->count; i++) {
        const sis_midi_event* e = &file->events[order[i].place];
        turn_to(&c, e->tick);
        w->now = c.seconds;
        if (e->act == SIS_MIDI_TEMPO)
            c.tempo = e->value;
        else if (e->act == SIS_MIDI_TUNING ? !write_tuning(w, e) : !sis_hand_take(hand, e))
            return false;
    }
    turn_to(&c, file->end > c.tick ? file->end : c.tick);
    close_notes(w->song, c.seconds);
    return true;
}

static bool merge(const sis_midi_file* file, const unsigned char* bytes, sis_song* song,
                  sis_fault* fault) {
    song->notes = calloc((size_t)file->notes + 1, sizeof *song->notes);
    placed* order = in_order(file);
    scribe w = {.song = song, .bytes = bytes};
    const sis_hand_sink sink = {&w, write_on, write_up, write_end, write_event};
    sis_hand* hand = song->notes ? sis_hand_new(file->notes, &sink) : NULL;
    bool fine = order && hand && go_through(file, order, hand, &w);
    free(order);
    sis_hand_free(hand);
    return fine || sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- public

bool sis_song_read(const unsigned char* bytes, size_t size, const char* name, sis_song* song,
                   sis_fault* fault) {
    *song = (sis_song){.notes = NULL};
    sis_midi_file file;
    bool fine = sis_midi_parse(bytes, size, name, &file, fault) && merge(&file, bytes, song, fault);
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
    bool used[SIS_CHANNELS] = {false};
    char list[80] = "";
    for (int32_t i = 0; i < song->count; i++)
        used[song->notes[i].channel] = true;
    for (int c = 0; c < SIS_CHANNELS; c++) {
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
    if (!song) return;
    free(song->notes);
    free(song->events);
    free(song->data);
}
