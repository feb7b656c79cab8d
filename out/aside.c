#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // madvise, fallocate
#endif
#include "aside.h"

#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#if !defined(__wasi__)
#include <sys/mman.h>
#endif
#include <unistd.h>

/** Blocks that one sound may have: not more than a thirty-second part of the machine's memory. */
static size_t most_blocks(void) {
    double size = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double most = size / 32 / SIS_ASIDE_BLOCK;
    return most < SIS_ASIDE_BLOCKS ? (size_t)(most > 1 ? most : 1) : SIS_ASIDE_BLOCKS;
}

/** A block, if some memory is left beside it: what waits here can go to a file, others have no
 *  such choice. */
static char* new_block(void) {
    char* block = aligned_alloc(SIS_ASIDE_BLOCK, SIS_ASIDE_BLOCK);
    void* others = block ? malloc(SIS_ASIDE_SPARED) : NULL;
    free(others);
    if (others) return block;
    free(block);
    return NULL;
}

/** One block more, if there may be one; what does not get its memory goes to the file. */
static void grow(sis_aside* a) {
    size_t count = (size_t)(a->held / SIS_ASIDE_BLOCK);
    char* block = count < most_blocks() ? new_block() : NULL;
    a->full = !block;
    if (!block) return;
#if defined(MADV_HUGEPAGE)
    madvise(block, SIS_ASIDE_BLOCK, MADV_HUGEPAGE); // a wish: small pages do as well, slower
#endif
    a->blocks[count] = block;
    a->held += SIS_ASIDE_BLOCK;
}

static bool has_buffer(const sis_aside* a) {
    return a->full && a->held;
}

static char* last_block(const sis_aside* a) {
    return a->blocks[a->held / SIS_ASIDE_BLOCK - 1];
}

/** Bytes at `place` that lie in one block, at most `size`; *at is where. 0: there is no memory.
 *  What is not in a block of its own passes through the last one. */
static size_t in_block(const sis_aside* a, uint64_t place, size_t size, char** at) {
    if (!a->held) return 0;
    size_t within = (size_t)(place % SIS_ASIDE_BLOCK), left = SIS_ASIDE_BLOCK - within;
    *at = (place < a->held ? a->blocks[place / SIS_ASIDE_BLOCK] : last_block(a)) + within;
    return size < left ? size : left;
}

/** Where a block begins: another block, or the last one again after it went to the file. */
static bool begin_block(sis_aside* a, sis_fault* fault) {
    if (a->put == a->held && !a->full && !a->kept) grow(a);
    return !has_buffer(a) || !a->put ||
           sis_files_put(a->scratch, last_block(a), SIS_ASIDE_BLOCK, fault);
}

bool sis_aside_put(sis_aside* a, const void* bytes, size_t size, sis_fault* fault) {
    const char* from = bytes;
    while (size) {
        if (a->put % SIS_ASIDE_BLOCK == 0 && !begin_block(a, fault)) return false;
        char* at = NULL;
        size_t now = in_block(a, a->put, size, &at);
        if (now)
            memcpy(at, from, now);
        else if (!sis_files_put(a->scratch, from, now = size, fault))
            return false;
        a->put += now;
        from += now;
        size -= now;
    }
    return true;
}

/** What the buffer still holds follows the rest into the file, which is read from its start. */
static bool turn_round(sis_aside* a, sis_fault* fault) {
    size_t tail = a->put ? (size_t)((a->put - 1) % SIS_ASIDE_BLOCK) + 1 : 0;
    if (has_buffer(a) && !sis_files_put(a->scratch, last_block(a), tail, fault)) return false;
    return lseek(a->scratch, 0, SEEK_SET) == 0 ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file back");
}

/** Gives back what has been read: what is written meanwhile may take its place, and memory that was
 *  in use just now costs less than memory that nobody has touched. */
static void give_back(sis_aside* a) {
    uint64_t before = a->got / SIS_ASIDE_BLOCK; // blocks
    uint64_t count = a->held / SIS_ASIDE_BLOCK, kept = count - (has_buffer(a) ? 1 : 0);
    if (!before || a->kept) return;
    if (before <= kept) {
        free(a->blocks[before - 1]);
        a->blocks[before - 1] = NULL;
    }
#if defined(FALLOC_FL_PUNCH_HOLE)
    else // a wish as well
        fallocate(a->scratch, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)((before - 1 - kept) * SIS_ASIDE_BLOCK), SIS_ASIDE_BLOCK);
#endif
}

/** Where a block begins: the one before is done with, and the next of the file is read. */
static bool next_block(sis_aside* a, sis_fault* fault) {
    give_back(a);
    if (!has_buffer(a) || a->got + SIS_ASIDE_BLOCK < a->held) return true;
    uint64_t left = a->put - a->got;
    size_t now = left < SIS_ASIDE_BLOCK ? (size_t)left : SIS_ASIDE_BLOCK;
    return sis_files_fetch(a->scratch, last_block(a), now, fault);
}

bool sis_aside_fetch(sis_aside* a, void* bytes, size_t size, sis_fault* fault) {
    char* to = bytes;
    if (a->got == 0 && !turn_round(a, fault)) return false;
    if (size > a->put - a->got)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file back");
    while (size) {
        char* at = NULL;
        if (a->got % SIS_ASIDE_BLOCK == 0 && !next_block(a, fault)) return false;
        size_t now = in_block(a, a->got, size, &at);
        if (now)
            memcpy(to, at, now);
        else if (!sis_files_fetch(a->scratch, to, now = size, fault))
            return false;
        a->got += now;
        to += now;
        size -= now;
    }
    return true;
}

bool sis_aside_keep(sis_aside* a, sis_store* store, sis_fault* fault) {
    sis_store_walk(store, &a->put, sizeof a->put);
    if (!store->reading) return true;
    if (!sis_store_reaches(a->scratch, a->put, fault)) return false;
    return (ftruncate(a->scratch, (off_t)a->put) == 0 &&
            lseek(a->scratch, (off_t)a->put, SEEK_SET) >= 0) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot go on with a working file");
}

void sis_aside_free(sis_aside* a) {
    for (size_t i = 0; i < SIS_ASIDE_BLOCKS; i++) {
        free(a->blocks[i]);
        a->blocks[i] = NULL;
    }
    a->held = 0;
}
