/** @file lv2_help.h
 * A host in a few lines, for tests of the LV2 plugin: numbers for URIs, buffers for ports, sequences
 * of events, a state that is kept in memory. One thread.
 */
#ifndef SISTRUM_TEST_LV2_HELP_H
#define SISTRUM_TEST_LV2_HELP_H

#include "lv2_ports.h"

#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_WORDS = 512, HOST_PORTS = 200, HOST_BYTES = 1 << 16, HOST_STORED = 8 };

/** A number that a plugin stored. */
typedef struct host_value {
    uint32_t key, type, flags;
    size_t size;
    void* bytes;
} host_value;

/** A plugin in its host. */
typedef struct host {
    char* words[HOST_WORDS]; // URID is the place + 1
    uint32_t word_count;
    const LV2_Descriptor* descriptor;
    LV2_Handle handle;
    LV2_URID_Map map;
    LV2_URID_Unmap unmap;
    LV2_Log_Log log;
    int32_t longest, raw;
    LV2_Options_Option options[3];
    LV2_Feature offered[3];
    const LV2_Feature* features[4];
    float controls[HOST_PORTS];
    float *left, *right; // [room]
    uint32_t room;
    bool in_place; // sound comes in by the buffers that it goes out by
    union {
        uint8_t bytes[HOST_BYTES];
        LV2_Atom_Sequence sequence;
        double aligned;
    } events, answers;
    host_value stored[HOST_STORED];
    int stored_count;
    char said[1024]; // last line of the log
} host;

static inline LV2_URID host_map(LV2_URID_Map_Handle handle, const char* uri) {
    host* h = handle;
    for (uint32_t i = 0; i < h->word_count; i++)
        if (!strcmp(h->words[i], uri)) return i + 1;
    if (h->word_count == HOST_WORDS) return 0;
    h->words[h->word_count++] = strdup(uri);
    return h->word_count;
}

static inline const char* host_unmap(LV2_URID_Unmap_Handle handle, LV2_URID word) {
    const host* h = handle;
    return word > 0 && word <= h->word_count ? h->words[word - 1] : NULL;
}

static inline int host_log(LV2_Log_Handle handle, LV2_URID type, const char* format, va_list list) {
    host* h = handle;
    (void)type;
    return vsnprintf(h->said, sizeof h->said, format, list);
}

__attribute__((format(printf, 3, 4))) static inline int
host_printf(LV2_Log_Handle handle, LV2_URID type, const char* format, ...) {
    va_list list;
    va_start(list, format);
    int size = host_log(handle, type, format, list);
    va_end(list);
    return size;
}

// ---------------------------------------------------------------------------- events

static inline void host_clear(host* h) {
    h->events.sequence.atom.type = host_map(h, LV2_ATOM__Sequence);
    h->events.sequence.atom.size = sizeof(LV2_Atom_Sequence_Body);
    h->events.sequence.body.unit = 0;
    h->events.sequence.body.pad = 0;
}

/** Adds bytes as an atom of some type; false: it does not fit. */
static inline bool host_add(host* h, int64_t frame, LV2_URID type, const void* bytes,
                            uint32_t size) {
    union {
        uint8_t bytes[1024];
        LV2_Atom_Event event;
    } all = {.bytes = {0}};
    if (sizeof(LV2_Atom_Event) + size > sizeof all) return false;
    all.event.time.frames = frame;
    all.event.body.type = type;
    all.event.body.size = size;
    memcpy(&all.event + 1, bytes, size);
    return lv2_atom_sequence_append_event(
               &h->events.sequence, HOST_BYTES - sizeof(LV2_Atom_Sequence), &all.event) != NULL;
}

static inline bool host_midi(host* h, int64_t frame, int a, int b, int c) {
    const uint8_t bytes[3] = {(uint8_t)a, (uint8_t)b, (uint8_t)c};
    return host_add(h, frame, host_map(h, LV2_MIDI__MidiEvent), bytes, sizeof bytes);
}

/** patch:Set of a property; patch:Get where `value` is NULL, of all where `property` is 0. */
static inline bool host_patch(host* h, int64_t frame, LV2_URID property, const float* value) {
    union {
        uint8_t bytes[256];
        LV2_Atom atom;
    } all = {.bytes = {0}};
    LV2_URID_Map map = {h, host_map};
    LV2_Atom_Forge forge;
    LV2_Atom_Forge_Frame object;
    lv2_atom_forge_init(&forge, &map);
    lv2_atom_forge_set_buffer(&forge, all.bytes, sizeof all.bytes);
    lv2_atom_forge_object(&forge, &object, 0, host_map(h, value ? LV2_PATCH__Set : LV2_PATCH__Get));
    if (property) {
        lv2_atom_forge_key(&forge, host_map(h, LV2_PATCH__property));
        lv2_atom_forge_urid(&forge, property);
    }
    if (value) {
        lv2_atom_forge_key(&forge, host_map(h, LV2_PATCH__value));
        lv2_atom_forge_float(&forge, *value);
    }
    lv2_atom_forge_pop(&forge, &object);
    return host_add(h, frame, all.atom.type, &all.atom + 1, all.atom.size);
}

// ---------------------------------------------------------------------------- life

/** What the host offers to an instance; `raw` asks for the probes as they are. */
static inline void host_prepare(host* h, int32_t longest, bool raw) {
    const LV2_URID whole = host_map(h, LV2_ATOM__Int), truth = host_map(h, LV2_ATOM__Bool);
    h->longest = longest;
    h->raw = raw;
    h->map = (LV2_URID_Map){h, host_map};
    h->unmap = (LV2_URID_Unmap){h, host_unmap};
    h->log = (LV2_Log_Log){h, host_printf, host_log};
    h->options[0] =
        (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0,     host_map(h, LV2_BUF_SIZE__maxBlockLength),
                             sizeof h->longest,    whole, &h->longest};
    h->options[1] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0,     host_map(h, URI_RAW),
                                         sizeof h->raw,        truth, &h->raw};
    h->offered[0] = (LV2_Feature){LV2_URID__map, &h->map};
    h->offered[1] = (LV2_Feature){LV2_LOG__log, &h->log};
    h->offered[2] = (LV2_Feature){LV2_OPTIONS__options, h->options};
    for (int i = 0; i < 3; i++)
        h->features[i] = &h->offered[i];
}

static inline bool host_open(host* h, const LV2_Descriptor* descriptor, const char* bundle,
                             double rate, int32_t longest, bool raw) {
    host_prepare(h, longest, raw);
    h->descriptor = descriptor;
    h->handle = descriptor->instantiate(descriptor, rate, bundle, h->features);
    return h->handle != NULL;
}

static inline void host_close(host* h) {
    if (h->handle) h->descriptor->cleanup(h->handle);
    h->handle = NULL;
}

/** Forgets everything, also what was stored. */
static inline void host_free(host* h) {
    host_close(h);
    for (int i = 0; i < h->stored_count; i++)
        free(h->stored[i].bytes);
    for (uint32_t i = 0; i < h->word_count; i++)
        free(h->words[i]);
    free(h->left);
    free(h->right);
    free(h);
}

/** Gives every port a place; `room` frames of sound. */
static inline void host_connect(host* h, uint32_t ports, uint32_t room) {
    free(h->left);
    free(h->right);
    h->left = calloc(room + 1, sizeof *h->left);
    h->right = calloc(room + 1, sizeof *h->right);
    h->room = room;
    for (uint32_t i = 0; i < ports && i < HOST_PORTS; i++)
        h->descriptor->connect_port(h->handle, i, &h->controls[i]);
    h->descriptor->connect_port(h->handle, PORT_CONTROL, &h->events);
    h->descriptor->connect_port(h->handle, PORT_NOTIFY, &h->answers);
    h->descriptor->connect_port(h->handle, PORT_LEFT, h->left);
    h->descriptor->connect_port(h->handle, PORT_RIGHT, h->right);
    h->controls[PORT_LIMITER] = h->controls[PORT_DC] = h->controls[PORT_GUARD] = 1;
    h->controls[PORT_GAIN] = 0;
    host_clear(h);
}

static inline void host_run(host* h, uint32_t frames) {
    h->answers.sequence.atom.size = HOST_BYTES - sizeof(LV2_Atom);
    h->answers.sequence.atom.type = host_map(h, LV2_ATOM__Chunk);
    h->descriptor->run(h->handle, frames);
}

// ---------------------------------------------------------------------------- state

static inline LV2_State_Status host_store(LV2_State_Handle handle, uint32_t key, const void* value,
                                          size_t size, uint32_t type, uint32_t flags) {
    host* h = handle;
    if (h->stored_count == HOST_STORED) return LV2_STATE_ERR_NO_SPACE;
    host_value* v = &h->stored[h->stored_count++];
    *v = (host_value){key, type, flags, size, malloc(size)};
    memcpy(v->bytes, value, size);
    return LV2_STATE_SUCCESS;
}

static inline const void* host_retrieve(LV2_State_Handle handle, uint32_t key, size_t* size,
                                        uint32_t* type, uint32_t* flags) {
    host* h = handle;
    for (int i = 0; i < h->stored_count; i++) {
        const host_value* v = &h->stored[i];
        if (v->key != key) continue;
        *size = v->size;
        *type = v->type;
        *flags = v->flags;
        return v->bytes;
    }
    return NULL;
}

static inline void host_forget(host* h) {
    for (int i = 0; i < h->stored_count; i++)
        free(h->stored[i].bytes);
    h->stored_count = 0;
}

static inline const LV2_State_Interface* host_state(const host* h) {
    return h->descriptor->extension_data(LV2_STATE__interface);
}

static inline LV2_State_Status host_save(host* h) {
    host_forget(h);
    return host_state(h)->save(h->handle, host_store, h, LV2_STATE_IS_POD, NULL);
}

static inline LV2_State_Status host_restore(host* h) {
    return host_state(h)->restore(h->handle, host_retrieve, h, 0, NULL);
}

// ---------------------------------------------------------------------------- a song

/** One message of it, at a frame of 48 kHz. */
typedef struct song_event {
    int64_t frame;
    uint8_t bytes[3];
} song_event;

/** Notes, a chord, a bend, pressure, a pedal, a wheel. Frames are multiples of 50, ticks of a MIDI
 * file with 480 of them in half a second. */
static const song_event host_song[] = {
    {0, {0x90, 52, 100}},    {4800, {0x90, 55, 70}},  {7200, {0x90, 59, 127}},
    {9600, {0x80, 52, 0}},   {9600, {0xe0, 0, 80}},   {12000, {0xe0, 0, 64}},
    {12000, {0xd0, 90, 0}},  {14400, {0xb0, 1, 80}},  {16800, {0xb0, 64, 127}},
    {19200, {0x80, 55, 0}},  {19200, {0x80, 59, 0}},  {21600, {0x90, 64, 40}},
    {24000, {0xb0, 64, 0}},  {26400, {0x80, 64, 0}},  {28800, {0x90, 47, 110}},
    {28800, {0x90, 54, 90}}, {31200, {0xd0, 0, 0}},   {36000, {0xb0, 1, 0}},
    {40800, {0x80, 47, 64}}, {40800, {0x80, 54, 64}},
};
enum { SONG_EVENTS = sizeof host_song / sizeof *host_song, SONG_FRAMES = 60000 };

/** Sound from outside: bursts of noise. */
static inline float host_noise(uint32_t frame) {
    uint32_t dice = frame * 2654435761u;
    dice = (dice ^ (dice >> 15)) * 2246822519u;
    return frame % 9600 < 1200 ? (float)(int32_t)dice / 8e9f : 0;
}

/** Plays the song into `sound`, [SONG_FRAMES][2], in blocks as `cut` says: of so many frames, or of
 * random ones where it is 0. */
static inline void host_play(host* h, float* sound, uint32_t cut, uint32_t seed) {
    int next = 0;
    for (uint32_t at = 0; at < SONG_FRAMES;) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t frames = cut ? cut : (seed >> 8) % (h->room + 1);
        if (frames > h->room) frames = h->room;
        if (frames > SONG_FRAMES - at) frames = SONG_FRAMES - at;
        host_clear(h);
        // An effect has its sound; controllers would move it, too.
        for (; !h->in_place && next < SONG_EVENTS && host_song[next].frame < (int64_t)at + frames;
             next++) {
            const song_event* e = &host_song[next];
            uint32_t size = (e->bytes[0] & 0xe0) == 0xc0 ? 2 : 3;
            host_add(h, e->frame - at, host_map(h, LV2_MIDI__MidiEvent), e->bytes, size);
        }
        for (uint32_t i = 0; h->in_place && i < frames; i++)
            h->left[i] = h->right[i] = host_noise(at + i);
        host_run(h, frames);
        for (uint32_t i = 0; i < frames; i++) {
            sound[2 * (at + i)] = h->left[i];
            sound[2 * (at + i) + 1] = h->right[i];
        }
        at += frames;
    }
}

#endif
