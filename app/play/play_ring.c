#include "play_ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct play_ring {
    size_t size; // a power of two
    // Bytes written and read so far; their difference is what waits.
    _Alignas(64) atomic_size_t written;
    _Alignas(64) atomic_size_t taken;
    unsigned char bytes[];
};

play_ring* play_ring_new(size_t bytes) {
    size_t size = 64;
    while (size < bytes && size <= SIZE_MAX / 4)
        size *= 2;
    size_t all = (sizeof(play_ring) + size + 63) / 64 * 64;
    play_ring* ring = aligned_alloc(64, all);
    if (!ring) return NULL;
    memset(ring, 0, all); // pages are there before the audio thread touches them
    ring->size = size;
    return ring;
}

void play_ring_free(play_ring* ring) {
    free(ring);
}

size_t play_ring_filled(const play_ring* ring) {
    size_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
    return atomic_load_explicit(&ring->written, memory_order_acquire) - taken;
}

size_t play_ring_room(const play_ring* ring) {
    return ring->size - play_ring_filled(ring);
}

bool play_ring_write(play_ring* ring, const void* bytes, size_t size) {
    if (play_ring_room(ring) < size) return false;
    size_t at = atomic_load_explicit(&ring->written, memory_order_relaxed);
    size_t from = at & (ring->size - 1), first = ring->size - from;
    if (first > size) first = size;
    memcpy(ring->bytes + from, bytes, first);
    memcpy(ring->bytes, (const unsigned char*)bytes + first, size - first);
    atomic_store_explicit(&ring->written, at + size, memory_order_release);
    return true;
}

bool play_ring_read(play_ring* ring, void* bytes, size_t size) {
    if (play_ring_filled(ring) < size) return false;
    size_t at = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    size_t from = at & (ring->size - 1), first = ring->size - from;
    if (first > size) first = size;
    memcpy(bytes, ring->bytes + from, first);
    memcpy((unsigned char*)bytes + first, ring->bytes, size - first);
    atomic_store_explicit(&ring->taken, at + size, memory_order_release);
    return true;
}
