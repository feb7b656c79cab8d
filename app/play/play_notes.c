#include "play_notes.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
    DIVISION_MOST = 32767,
    DELTA_MOST = 0x0fffffff,
    HEADER = 22,       // bytes before the events: MThd, its 6, MTrk, its length
    LENGTH_AT = 18,    // of the track
    EVENT_ROOM = 1100, // bytes of a delta, a length and the longest message
    SYSEX = 0xf0
};

// ---------------------------------------------------------------------------- time

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** A tick is division/tempo of a microsecond: where the rate allows it, exactly one frame; else a
 * quarter of one or less, and a reader that rounds finds the frame. */
static void choose_ticks(play_notes* n) {
    int64_t rate = (int64_t)n->rate, million = 1000000;
    int64_t common = rate > 0 ? common_divisor(rate, million) : 1;
    int64_t division = rate / common, tempo = million / common;
    if ((double)rate == n->rate && division <= DIVISION_MOST) {
        int64_t times = 500000 / tempo; // at best two quarters a second
        if (times > DIVISION_MOST / division) times = DIVISION_MOST / division;
        if (times < 1) times = 1;
        n->division = (int32_t)(division * times);
        n->tempo = (int32_t)(tempo * times);
        return;
    }
    n->division = DIVISION_MOST;
    n->tempo = (int32_t)floor(DIVISION_MOST * 1e6 / (4 * n->rate));
}

static uint64_t tick_at(const play_notes* n, uint64_t frame) {
    double ticks = (double)frame / n->rate * (n->division * 1e6 / n->tempo);
    return (uint64_t)round(ticks);
}

// ---------------------------------------------------------------------------- bytes

static bool failed(sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot record the notes: %s", strerror(errno));
}

static bool put_at(const play_notes* n, const uint8_t* bytes, size_t size, uint64_t at,
                   sis_fault* fault) {
    while (size) {
        ssize_t done = pwrite(n->descriptor, bytes, size, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return failed(fault);
        bytes += done;
        at += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

static bool flush(play_notes* n, sis_fault* fault) {
    if (!put_at(n, n->buffer, n->used, n->end, fault)) return false;
    n->end += n->used;
    n->used = 0;
    return true;
}

static void put_byte(play_notes* n, unsigned value) {
    n->buffer[n->used++] = (uint8_t)value;
}

/** Seven bits a byte, the highest first. */
static void put_length(play_notes* n, uint32_t value) {
    for (int shift = 21; shift > 0; shift -= 7)
        if (value >> shift) put_byte(n, 0x80u | (value >> shift & 0x7fu));
    put_byte(n, value & 0x7fu);
}

/** The time since the last event; a text without words where it is longer than a delta can be. */
static bool put_time(play_notes* n, uint64_t tick, sis_fault* fault) {
    uint64_t delta = tick > n->tick ? tick - n->tick : 0;
    n->tick += delta;
    for (; delta > DELTA_MOST; delta -= DELTA_MOST) {
        put_length(n, DELTA_MOST);
        put_byte(n, 0xff), put_byte(n, 1), put_byte(n, 0);
        if (n->used + EVENT_ROOM > sizeof n->buffer && !flush(n, fault)) return false;
    }
    put_length(n, (uint32_t)delta);
    return true;
}

static void put_big(uint8_t* at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
}

// ---------------------------------------------------------------------------- the file

bool play_notes_begin(play_notes* n, int descriptor, double rate, sis_fault* fault) {
    *n = (play_notes){.descriptor = descriptor, .rate = rate};
    choose_ticks(n);
    uint8_t header[HEADER] = "MThd\0\0\0\6\0\0\0\1\0\0MTrk";
    put_big(header + 12, (uint32_t)n->division, 2);
    if (!put_at(n, header, HEADER, 0, fault)) return false;
    n->end = HEADER;
    uint8_t tempo[7] = {0, 0xff, 0x51, 3};
    put_big(tempo + 4, (uint32_t)n->tempo, 3);
    memcpy(n->buffer, tempo, sizeof tempo);
    n->used = sizeof tempo;
    return play_notes_save(n, 0, fault);
}

bool play_notes_add(play_notes* n, uint64_t frame, const uint8_t* bytes, size_t size,
                    sis_fault* fault) {
    if (size + 64 > EVENT_ROOM) return true;
    if (n->used + 2 * EVENT_ROOM > sizeof n->buffer && !flush(n, fault)) return false;
    if (!put_time(n, tick_at(n, frame), fault)) return false;
    if (bytes[0] == SYSEX) {
        put_byte(n, SYSEX);
        put_length(n, (uint32_t)size - 1);
        bytes++, size--;
    }
    memcpy(n->buffer + n->used, bytes, size);
    n->used += size;
    n->count++;
    return true;
}

bool play_notes_save(play_notes* n, uint64_t frame, sis_fault* fault) {
    if (!flush(n, fault)) return false;
    uint64_t before = n->tick, end = n->end;
    bool fine = put_time(n, tick_at(n, frame), fault);
    put_byte(n, 0xff), put_byte(n, 0x2f), put_byte(n, 0);
    // Written behind the events, and written over by the next of them.
    fine = fine && flush(n, fault);
    uint8_t length[4];
    put_big(length, (uint32_t)(n->end - HEADER), 4);
    n->tick = before;
    n->end = end;
    return fine && put_at(n, length, 4, LENGTH_AT, fault);
}

void play_notes_end(play_notes* n) {
    static const uint8_t end[4] = {0, 0xff, 0x2f, 0};
    sis_fault ignored;
    uint8_t length[4];
    put_big(length, (uint32_t)(n->end + sizeof end - HEADER), 4);
    if (put_at(n, end, sizeof end, n->end, &ignored) &&
        ftruncate(n->descriptor, (off_t)(n->end + sizeof end)) == 0)
        put_at(n, length, 4, LENGTH_AT, &ignored);
}
