/** @file midi_bytes.h
 * Writes standard MIDI files in memory, event by event, for the tests that read them.
 */
#ifndef SISTRUM_TEST_MIDI_BYTES_H
#define SISTRUM_TEST_MIDI_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct midi_bytes {
    unsigned char data[1 << 16];
    size_t size, track; // track: where the open one begins
} midi_bytes;

static inline void midi_put(midi_bytes* m, const void* bytes, size_t count) {
    if (m->size + count > sizeof m->data) return;
    memcpy(m->data + m->size, bytes, count);
    m->size += count;
}

static inline void midi_number(midi_bytes* m, uint32_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--)
        midi_put(m, &(unsigned char){(unsigned char)(value >> (8 * i))}, 1);
}

static inline void midi_head(midi_bytes* m, int format, int tracks, int division) {
    m->size = 0;
    midi_put(m, "MThd", 4);
    midi_number(m, 6, 4);
    midi_number(m, (uint32_t)format, 2);
    midi_number(m, (uint32_t)tracks, 2);
    midi_number(m, (uint32_t)division, 2);
}

static inline void midi_begin(midi_bytes* m) {
    midi_put(m, "MTrk\0\0\0\0", 8);
    m->track = m->size;
}

static inline void midi_delta(midi_bytes* m, uint32_t ticks) {
    for (int shift = 21; shift > 0; shift -= 7)
        if (ticks >> shift)
            midi_put(m, &(unsigned char){(unsigned char)(0x80 | (ticks >> shift & 0x7F))}, 1);
    midi_put(m, &(unsigned char){(unsigned char)(ticks & 0x7F)}, 1);
}

/** An event of `count` bytes, `ticks` after the one before. */
static inline void midi_event(midi_bytes* m, uint32_t ticks, const char* bytes, size_t count) {
    midi_delta(m, ticks);
    midi_put(m, bytes, count);
}

#define MIDI(m, ticks, bytes) midi_event(m, ticks, bytes, sizeof(bytes) - 1)

/** Writes the length of the track, after an end-of-track event. */
static inline void midi_end(midi_bytes* m) {
    MIDI(m, 0, "\xFF\x2F\x00");
    uint32_t length = (uint32_t)(m->size - m->track);
    for (int i = 0; i < 4; i++)
        m->data[m->track - 4 + (size_t)i] = (unsigned char)(length >> (8 * (3 - i)));
}

#endif
