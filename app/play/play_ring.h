/** @file play_ring.h
 * Bytes from one thread to another without locks: one writer, one reader.
 */
#ifndef SISTRUM_PLAY_RING_H
#define SISTRUM_PLAY_RING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct play_ring play_ring;

/** Room for at least so many bytes. NULL: no memory. [main] */
play_ring* play_ring_new(size_t bytes);

/** NULL is fine. [main] */
void play_ring_free(play_ring* ring);

/** All of it or nothing; false: there is no room. [audio] */
bool play_ring_write(play_ring* ring, const void* bytes, size_t size);

/** All of it or nothing; false: there is not so much. [audio] */
bool play_ring_read(play_ring* ring, void* bytes, size_t size);

/** What waits to be read. [audio] */
size_t play_ring_filled(const play_ring* ring);

/** What may be written. [audio] */
size_t play_ring_room(const play_ring* ring);

#endif
