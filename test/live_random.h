/** @file live_random.h
 * Random hands for the tests of the live library: players who mean it, and hosts gone mad.
 */
#ifndef SISTRUM_TEST_LIVE_RANDOM_H
#define SISTRUM_TEST_LIVE_RANDOM_H

#include "live_help.h"

typedef struct dice {
    uint64_t seed;
} dice;

static inline uint32_t dice_bits(dice* d) {
    d->seed = d->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(d->seed >> 33);
}
static inline uint32_t dice_below(dice* d, uint32_t most) {
    return dice_bits(d) % most;
}
static inline double dice_unit(dice* d) {
    return dice_bits(d) / 2147483648.0;
}

// ---------------------------------------------------------------------------- players

/** Keys that are down, so that they come up again. */
typedef struct player {
    dice dice;
    int low, high;
    bool down[16][128];
    int32_t knobs;
} player;

static inline sis_live_event midi_event(int32_t frame, int a, int b, int c) {
    return (sis_live_event){.frame = frame,
                            .kind = SIS_LIVE_MIDI,
                            .bytes = {(uint8_t)a, (uint8_t)b, (uint8_t)c},
                            .note = -1};
}

static inline sis_live_event play_key(player* p, int32_t frame) {
    dice* d = &p->dice;
    int channel = dice_below(d, 4) ? 0 : (int)dice_below(d, 16);
    int key = p->low + (int)dice_below(d, (uint32_t)(p->high - p->low + 1));
    bool* down = &p->down[channel][key];
    *down = !*down;
    return midi_event(frame, (*down ? 0x90 : 0x80) | channel, key, 1 + (int)dice_below(d, 127));
}

/** What a player does next. */
static inline sis_live_event play_something(player* p, int32_t frame) {
    static const int controllers[] = {1, 2, 4, 7, 11, 64, 64, 64, 66, 66, 67, 74, 74, 123};
    dice* d = &p->dice;
    int value = (int)dice_below(d, 128), what = (int)dice_below(d, 64);
    if (what < 32) return play_key(p, frame);
    if (what < 40) return midi_event(frame, 0xE0, (int)dice_below(d, 128), value);
    if (what < 44) return midi_event(frame, 0xD0, value, 0);
    if (what < 48) return midi_event(frame, 0xA0, p->low, value);
    if (what < 58) return midi_event(frame, 0xB0, controllers[dice_below(d, 14)], value);
    if (what < 61 && p->knobs > 0)
        return (sis_live_event){.frame = frame,
                                .kind = SIS_LIVE_KNOB,
                                .index = (int32_t)dice_below(d, (uint32_t)p->knobs),
                                .value = dice_below(d, 2) ? 3 * dice_unit(d) - 1
                                                          : pow(10, 14 * dice_unit(d) - 6)};
    if (what == 62) return midi_event(frame, 0xC0, value, 0);
    return play_key(p, frame);
}

static inline int by_frame(const void* a, const void* b) {
    const sis_live_event *one = a, *other = b;
    return one->frame < other->frame ? -1 : one->frame > other->frame;
}

// ---------------------------------------------------------------------------- madmen

static inline double wild_number(dice* d) {
    switch (dice_below(d, 12)) {
    case 0:
        return (double)NAN;
    case 1:
        return (double)INFINITY;
    case 2:
        return -(double)INFINITY;
    case 3:
        return 0;
    case 4:
        return -1;
    case 5:
        return 1e300;
    case 6:
        return -5e-324;
    case 7:
        return 1e6 * (dice_unit(d) - 0.5);
    default:
        return dice_unit(d);
    }
}

static inline int32_t wild_whole(dice* d, int32_t sensible) {
    switch (dice_below(d, 16)) {
    case 0:
        return INT32_MIN;
    case 1:
        return INT32_MAX;
    case 2:
        return -1;
    case 3:
        return sensible;
    default:
        return (int32_t)dice_below(d, (uint32_t)sensible + 1);
    }
}

enum { SYSEX_MOST = 600 };

/** MIDI tuning of all five kinds, whole, cut or with a byte gone wrong, and anything else. */
static inline size_t wild_sysex(dice* d, uint8_t* data) {
    static const uint8_t kinds[] = {1, 2, 7, 8, 9};
    static const size_t sizes[] = {1 + 16 + 384 + 1, 2 + 4 * 5, 3 + 4 * 5, 3 + 12, 3 + 24};
    uint32_t which = dice_below(d, 5);
    size_t size = 5 + sizes[which];
    for (size_t i = 0; i < SYSEX_MOST; i++)
        data[i] = (uint8_t)dice_below(d, 128);
    if (dice_below(d, 4) == 0) {
        for (size_t i = 0; i < SYSEX_MOST; i++)
            data[i] = (uint8_t)dice_below(d, 256);
        return dice_below(d, SYSEX_MOST);
    }
    const uint8_t head[] = {0xF0, dice_below(d, 2) ? 0x7F : 0x7E, 0x7F, 8, kinds[which]};
    memcpy(data, head, sizeof head);
    if (which == 1) data[6] = 5;
    if (which == 2) data[7] = 5;
    data[size++] = 0xF7;
    if (dice_below(d, 3) == 0) size = dice_below(d, (uint32_t)size);
    if (dice_below(d, 3) == 0) data[dice_below(d, SYSEX_MOST)] = (uint8_t)dice_below(d, 256);
    return size;
}

/** Anything at all; `data` has SYSEX_MOST bytes that live as long as the event. */
static inline sis_live_event wild_event(dice* d, int32_t frames, uint8_t* data) {
    sis_live_event e = {.frame = wild_whole(d, frames),
                        .kind = (uint8_t)(dice_below(d, 16) ? dice_below(d, 10) : dice_bits(d)),
                        .channel = (int16_t)wild_whole(d, 15),
                        .key = (int16_t)wild_whole(d, 127),
                        .note = wild_whole(d, 300),
                        .index = wild_whole(d, 20),
                        .value = wild_number(d)};
    for (int i = 0; i < 3; i++)
        e.bytes[i] = (uint8_t)dice_below(d, 256);
    if (dice_below(d, 2)) e.bytes[0] |= 0x80;
    if (e.kind == SIS_LIVE_PANIC && dice_below(d, 8)) e.kind = SIS_LIVE_MIDI;
    if (e.kind == SIS_LIVE_SYSEX && dice_below(d, 8)) {
        e.size = wild_sysex(d, data);
        e.data = data;
    }
    return e;
}

// ---------------------------------------------------------------------------- what came out

static inline long not_finite(const float* values, int32_t count) {
    long wrong = 0;
    for (int32_t n = 0; n < count; n++)
        wrong += !isfinite(values[n]);
    return wrong;
}

#endif
