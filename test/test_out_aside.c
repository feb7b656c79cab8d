// Bytes put aside come back as they were, whether they waited in memory, in a file or in both.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "aside.h"
#include "check.h"

enum { SIZE = 3 * SIS_ASIDE_BLOCK + 12345, PIECE = 70001 };
#define ALL_BLOCKS ((size_t)SIS_ASIDE_BLOCKS * SIS_ASIDE_BLOCK)

static int working_file(void) {
    char path[] = "/tmp/sistrum-aside-XXXXXX";
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    unlink(path);
    return descriptor;
}

static unsigned char byte_at(size_t i) {
    return (unsigned char)(i * 2654435761u >> 13);
}

// Puts bytes aside, with no more memory from `until` on, and reads them back in other pieces.
static void goes_round(size_t size, size_t until) {
    unsigned char* bytes = malloc(size);
    unsigned char* back = calloc(size, 1);
    sis_aside aside = {.scratch = working_file()};
    sis_fault fault;
    CHECK(bytes && back);
    for (size_t i = 0; bytes && i < size; i++)
        bytes[i] = byte_at(i);
    for (size_t i = 0; i < size; i += PIECE) {
        if (i >= until) aside.full = true;
        CHECK(sis_aside_put(&aside, bytes + i, size - i < PIECE ? size - i : PIECE, &fault));
    }
    for (size_t i = 0; i < size; i += 8191)
        CHECK(sis_aside_fetch(&aside, back + i, size - i < 8191 ? size - i : 8191, &fault));
    CHECK(memcmp(bytes, back, size) == 0);
    CHECK((lseek(aside.scratch, 0, SEEK_END) > 0) == (until < size || size > ALL_BLOCKS));
    CHECK(!sis_aside_fetch(&aside, back, SIS_ASIDE_BLOCK, &fault)); // there are no more
    sis_aside_free(&aside);
    close(aside.scratch);
    free(bytes);
    free(back);
}

static void bytes_come_back(void) {
    goes_round(SIZE, SIZE);
    goes_round(SIZE, SIS_ASIDE_BLOCK + 1);
    goes_round(SIZE, SIZE - 1000000); // in the last block: it is read back through itself
    goes_round(SIZE, 0);
}

// Where blocks end, and with all of them in use.
static void sizes_at_the_edges(void) {
    for (size_t blocks = 1; blocks < 4; blocks++)
        for (size_t more = 0; more < 3; more++) {
            goes_round(blocks * SIS_ASIDE_BLOCK + more - 1, SIZE * 2);
            goes_round(blocks * SIS_ASIDE_BLOCK + more - 1, SIS_ASIDE_BLOCK / 2);
        }
    goes_round(ALL_BLOCKS + SIS_ASIDE_BLOCK + 1, 2 * ALL_BLOCKS);
}

// Numbers of the size of a block of samples go into the file in large pieces.
static void the_file_is_written_in_blocks(void) {
    sis_aside aside = {.scratch = working_file(), .full = false};
    static const char piece[2048];
    sis_fault fault;
    for (size_t i = 0; i < ALL_BLOCKS + SIS_ASIDE_BLOCK / 2; i += sizeof piece)
        CHECK(sis_aside_put(&aside, piece, sizeof piece, &fault));
    off_t filed = lseek(aside.scratch, 0, SEEK_END);
    CHECK(filed > 0 && filed % SIS_ASIDE_BLOCK == 0);
    sis_aside_free(&aside);
    close(aside.scratch);
}

int main(void) {
    RUN(bytes_come_back);
    RUN(sizes_at_the_edges);
    RUN(the_file_is_written_in_blocks);
    return CHECK_REPORT();
}
