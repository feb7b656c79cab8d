#include "play_engine.h"

#include "play_ring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    EVENTS_MOST = 4096, // of one block
    SYSEX_MOST = 1024,  // bytes of a system message from a ring: a dump of a tuning has 408
    SYSEX_ROOM = 65536, // of all of them in one block
    MESSAGES = 1 << 16, // bytes of each ring
    STATUS = 0x80,
    SYSEX = 0xf0
};

/** What the main thread asks for. */
typedef struct message {
    uint8_t kind; // of sis_live_kind: MIDI, KNOB or PANIC
    uint8_t size;
    uint8_t bytes[3];
    int32_t index;
    double value;
} message;

struct play_engine {
    sis_live* live;
    play_recorder* recorder;
    int32_t frames_max;
    play_ring* asked; // from the main thread: messages
    play_ring* heard; // from the thread that listens: uint32_t size, then bytes
    atomic_bool held, running, offline;
    atomic_ullong frames;
    atomic_uint last;  // bytes of the last message
    atomic_uint count; // of messages
    int32_t event_count;
    sis_live_event events[EVENTS_MOST];
    size_t data_used;
    uint8_t data[SYSEX_ROOM];
};

play_engine* play_engine_new(sis_live* live, int32_t frames_max, play_recorder* recorder) {
    play_engine* e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->live = live;
    e->recorder = recorder;
    e->frames_max = frames_max;
    e->asked = play_ring_new(MESSAGES);
    e->heard = play_ring_new(MESSAGES);
    if (e->asked && e->heard) return e;
    play_engine_free(e);
    return NULL;
}

void play_engine_free(play_engine* e) {
    if (!e) return;
    play_ring_free(e->asked);
    play_ring_free(e->heard);
    free(e);
}

// ---------------------------------------------------------------------------- events

static sis_live_event* add_event(play_engine* e, int32_t frame, sis_live_kind kind) {
    if (e->event_count == EVENTS_MOST) return NULL;
    sis_live_event* event = &e->events[e->event_count++];
    *event = (sis_live_event){.frame = frame, .kind = (uint8_t)kind, .note = -1};
    return event;
}

static void note_last(play_engine* e, const uint8_t* bytes, size_t size) {
    unsigned packed = 0;
    for (size_t i = 0; i < size && i < 3; i++)
        packed |= (unsigned)bytes[i] << (8 * i);
    atomic_store_explicit(&e->last, packed, memory_order_relaxed);
    atomic_fetch_add_explicit(&e->count, 1, memory_order_relaxed);
}

void play_engine_midi(play_engine* e, int32_t frame, const uint8_t* bytes, size_t size) {
    bool channel = size >= 1 && size <= 3 && bytes[0] >= STATUS && bytes[0] < SYSEX;
    bool system = size > 1 && bytes[0] == SYSEX;
    sis_live_event* event = NULL;
    if (channel && (event = add_event(e, frame, SIS_LIVE_MIDI))) {
        memcpy(event->bytes, bytes, size);
        note_last(e, bytes, size);
    } else if (system && (event = add_event(e, frame, SIS_LIVE_SYSEX))) {
        event->data = bytes;
        event->size = size;
    }
}

static void take_asked(play_engine* e) {
    message m;
    while (e->event_count < EVENTS_MOST && play_ring_read(e->asked, &m, sizeof m)) {
        if (m.kind == SIS_LIVE_MIDI) {
            play_engine_midi(e, 0, m.bytes, m.size);
            continue;
        }
        sis_live_event* event = add_event(e, 0, (sis_live_kind)m.kind);
        event->index = m.index;
        event->value = m.value;
    }
}

static void take_heard(play_engine* e) {
    uint32_t size;
    while (e->event_count < EVENTS_MOST && SYSEX_ROOM - e->data_used >= SYSEX_MOST &&
           play_ring_read(e->heard, &size, sizeof size)) {
        uint8_t* bytes = e->data + e->data_used;
        play_ring_read(e->heard, bytes, size);
        play_engine_midi(e, 0, bytes, size);
        if (*bytes == SYSEX) e->data_used += size;
    }
}

void play_engine_begin(play_engine* e) {
    e->event_count = 0;
    e->data_used = 0;
    if (atomic_load(&e->held)) return;
    take_asked(e);
    take_heard(e);
}

// ---------------------------------------------------------------------------- sound

static void silence(int32_t frames, float* const out[2]) {
    for (int c = 0; c < 2; c++)
        if (out[c]) memset(out[c], 0, (size_t)frames * sizeof(float));
}

static const float* at(const float* channel, int32_t frame) {
    return channel ? channel + frame : NULL;
}

/** One part of the block, from `from` on, with the events that belong there. */
static int32_t run_part(play_engine* e, int32_t from, int32_t frames, int32_t first,
                        float* const out[2], const float* const in[2]) {
    int32_t count = 0;
    while (first + count < e->event_count && e->events[first + count].frame < from + frames)
        e->events[first + count++].frame -= from;
    sis_live_block block = {.frames = frames,
                            .out = {out[0] ? out[0] + from : NULL, out[1] ? out[1] + from : NULL},
                            .in = {at(in[0], from), at(in[1], from)},
                            .events = e->events + first,
                            .event_count = count};
    sis_live_run(e->live, &block);
    if (e->recorder)
        play_recorder_take(e->recorder, &block, atomic_load(&e->frames), atomic_load(&e->offline));
    atomic_fetch_add(&e->frames, (unsigned long long)frames);
    return first + count;
}

void play_engine_run(play_engine* e, int32_t frames, float* const out[2],
                     const float* const in[2]) {
    atomic_store(&e->running, true);
    if (atomic_load(&e->held)) {
        silence(frames, out);
    } else {
        int32_t first = 0;
        for (int32_t from = 0; from < frames; from += e->frames_max) {
            int32_t part = frames - from < e->frames_max ? frames - from : e->frames_max;
            first = run_part(e, from, part, first, out, in);
        }
    }
    atomic_store(&e->running, false);
}

// ---------------------------------------------------------------------------- other threads

bool play_engine_has_room(const play_engine* e) {
    return play_ring_room(e->asked) >= sizeof(message);
}

static bool ask(play_engine* e, const message* m) {
    return play_ring_write(e->asked, m, sizeof *m);
}

bool play_engine_send(play_engine* e, const uint8_t* bytes, size_t size) {
    message m = {.kind = SIS_LIVE_MIDI, .size = (uint8_t)size};
    if (size < 1 || size > sizeof m.bytes) return false;
    memcpy(m.bytes, bytes, size);
    return ask(e, &m);
}

bool play_engine_knob(play_engine* e, int32_t index, double value) {
    return ask(e, &(message){.kind = SIS_LIVE_KNOB, .index = index, .value = value});
}

bool play_engine_panic(play_engine* e) {
    return ask(e, &(message){.kind = SIS_LIVE_PANIC});
}

bool play_engine_hear(play_engine* e, const uint8_t* bytes, size_t size) {
    uint32_t length = (uint32_t)size;
    uint8_t whole[sizeof length + SYSEX_MOST]; // one write: a size never comes without its bytes
    if (size < 1 || size > SYSEX_MOST) return false;
    memcpy(whole, &length, sizeof length);
    memcpy(whole + sizeof length, bytes, size);
    return play_ring_write(e->heard, whole, size + sizeof length);
}

void play_engine_hold(play_engine* e) {
    atomic_store(&e->held, true);
}

void play_engine_wait(const play_engine* e) {
    while (atomic_load(&e->running))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

void play_engine_release(play_engine* e) {
    atomic_store(&e->held, false);
}

bool play_engine_is_held(const play_engine* e) {
    return atomic_load(&e->held);
}

void play_engine_offline(play_engine* e, bool offline) {
    atomic_store(&e->offline, offline);
    sis_live_offline(e->live, offline);
}

bool play_engine_is_offline(const play_engine* e) {
    return atomic_load(&e->offline);
}

uint64_t play_engine_frames(const play_engine* e) {
    return atomic_load(&e->frames);
}

uint32_t play_engine_last(const play_engine* e, uint8_t bytes[3]) {
    unsigned packed = atomic_load_explicit(&e->last, memory_order_relaxed);
    for (int i = 0; i < 3; i++)
        bytes[i] = (uint8_t)(packed >> (8 * i));
    return atomic_load_explicit(&e->count, memory_order_relaxed);
}
