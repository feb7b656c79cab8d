/** @file ring.h
 * A ring of messages from one thread to another, without locks. One thread puts, one takes.
 */
#ifndef SISTRUM_LIVE_RING_H
#define SISTRUM_LIVE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIS_RING_ROOM = 4096 }; // messages, a power of 2

/** What the worker tells the audio thread, and the other way round. */
typedef enum sis_message_kind {
    // to the audio thread
    SIS_TO_ENGINE, // a: engine that plays from now on
    SIS_TO_SEAT,   // a: seat with other params, b: its engine
    SIS_TO_TONE,   // a: tone, b: its seat
    SIS_TO_ROOM,   // a: memory for a voice, size, b: its engine
    SIS_TO_REFUSE, // b: seat, i: place that cannot be compiled
    SIS_TO_TUNING, // a: sis_tuning
    // to the worker
    SIS_ASK_TONE,    // b: seat, i: key, j: velocity, x: Hz
    SIS_TELL_PITCH,  // i: key, x: Hz, by MIDI tuning
    SIS_FREE_TONE,   // a
    SIS_FREE_SEAT,   // a
    SIS_FREE_ENGINE, // a
    SIS_FREE_MEMORY, // a
} sis_message_kind;

typedef struct sis_message {
    int32_t kind, i, j;
    void *a, *b;
    size_t size;
    double x;
} sis_message;

typedef struct sis_ring {
    _Atomic uint32_t put, taken;
    sis_message list[SIS_RING_ROOM];
} sis_ring;

/** False: it is full. */
static inline bool sis_ring_put(sis_ring* ring, const sis_message* message) {
    uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);
    uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
    if (put - taken == SIS_RING_ROOM) return false;
    ring->list[put % SIS_RING_ROOM] = *message;
    atomic_store_explicit(&ring->put, put + 1, memory_order_release);
    return true;
}

/** False: it is empty. */
static inline bool sis_ring_take(sis_ring* ring, sis_message* message) {
    uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    uint32_t put = atomic_load_explicit(&ring->put, memory_order_acquire);
    if (put == taken) return false;
    *message = ring->list[taken % SIS_RING_ROOM];
    atomic_store_explicit(&ring->taken, taken + 1, memory_order_release);
    return true;
}

/** How many may be put, at least. */
static inline uint32_t sis_ring_room(sis_ring* ring) {
    return SIS_RING_ROOM - (atomic_load_explicit(&ring->put, memory_order_relaxed) -
                            atomic_load_explicit(&ring->taken, memory_order_acquire));
}

#endif
