/** @file aside.h
 * Bytes that wait to be read back once, in order: the first of them in memory, where a file would
 * cost more than the sound, all others in a working file, so that memory does not grow without end.
 * The last block of memory is then the buffer of the file: the system takes 2 MiB at once for a
 * quarter of what it takes for the same in pieces of a page.
 */
#ifndef SISTRUM_OUT_ASIDE_H
#define SISTRUM_OUT_ASIDE_H

#include "fault.h"
#include "store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIS_ASIDE_BLOCK = 1 << 21,  // bytes: a page, where pages are large
    SIS_ASIDE_BLOCKS = 64,      // at most; fewer where the machine or the process has little memory
    SIS_ASIDE_SPARED = 1 << 22, // bytes of memory that are left to all others
};

typedef struct sis_aside {
    int scratch;       // descriptor of sis_files_scratch
    bool kept;         // all goes to the file and stays there, for another process
    bool full;         // no more blocks: what follows goes to the file, through the last block
    uint64_t put, got; // bytes
    uint64_t held;     // bytes of room in memory; 0 and full: the file has no buffer
    char* blocks[SIS_ASIDE_BLOCKS];
} sis_aside;

/** Puts bytes aside, behind all others. */
bool sis_aside_put(sis_aside* aside, const void* bytes, size_t size, sis_fault* fault);

/** Reads on, from the first byte at first; nothing is put aside from then on. */
bool sis_aside_fetch(sis_aside* aside, void* bytes, size_t size, sis_fault* fault);

/** Of one that is kept: puts down where it is, or goes on there. */
bool sis_aside_keep(sis_aside* aside, sis_store* store, sis_fault* fault);

/** Frees the memory; the working file stays open. */
void sis_aside_free(sis_aside* aside);

#endif
