/** @file store.h
 * What a run remembers, as bytes, so that it can go on in another process: one walk over the parts
 * of a thing puts it down or takes it up again, so that the two cannot differ.
 */
#ifndef SISTRUM_OUT_STORE_H
#define SISTRUM_OUT_STORE_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sis_store {
    char* bytes; // [size] of [room], owned
    size_t size, room;
    size_t at;    // reading: the next byte
    bool reading; // takes up what `bytes` hold
    bool starved; // there was no memory
    bool short_;  // reading: there were not enough bytes
} sis_store;

/** Puts down `size` bytes of `value`, or takes them up. What cannot be taken up stays as it is. */
void sis_store_walk(sis_store* store, void* value, size_t size);

/** Where a stream is: puts it down after everything was written, or goes there, and cuts off what
 *  came after it. */
bool sis_store_stream(sis_store* store, FILE* stream, sis_fault* fault);

/** Whether a file is at least that long; less of it was lost. */
bool sis_store_reaches(int descriptor, uint64_t size, sis_fault* fault);

/** Whether all of it worked so far. */
bool sis_store_fine(const sis_store* store, sis_fault* fault);

void sis_store_free(sis_store* store);

#endif
