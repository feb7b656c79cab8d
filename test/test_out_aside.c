// Bytes put aside come back as they were, whether they waited in memory, in a file or in both.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "aside.h"
#include "check.h"

enum { SIZE = 3 * SIS_ASIDE_BLOCK + 12345, PIECE = 70001 };

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

// Puts SIZE bytes aside, with no more memory from `until` on, and reads them back in other pieces.
static void goes_round(size_t until) {
    unsigned char* bytes = malloc(SIZE);
    unsigned char* back = calloc(SIZE, 1);
    sis_aside aside = {.scratch = working_file()};
    sis_fault fault;
    CHECK(bytes && back);
    for (size_t i = 0; bytes && i < SIZE; i++)
        bytes[i] = byte_at(i);
    for (size_t i = 0; i < SIZE; i += PIECE) {
        if (i >= until) aside.full = true;
        CHECK(sis_aside_put(&aside, bytes + i, SIZE - i < PIECE ? SIZE - i : PIECE, &fault));
    }
    for (size_t i = 0; i < SIZE; i += 8191)
        CHECK(sis_aside_fetch(&aside, back + i, SIZE - i < 8191 ? SIZE - i : 8191, &fault));
    CHECK(memcmp(bytes, back, SIZE) == 0);
    CHECK((lseek(aside.scratch, 0, SEEK_END) > 0) == (until < SIZE));
    CHECK(!sis_aside_fetch(&aside, back, SIS_ASIDE_BLOCK, &fault)); // there are no more
    sis_aside_free(&aside);
    close(aside.scratch);
    free(bytes);
    free(back);
}

static void bytes_come_back(void) {
    goes_round(SIZE);
    goes_round(SIS_ASIDE_BLOCK + 1);
    goes_round(0);
}

int main(void) {
    RUN(bytes_come_back);
    return CHECK_REPORT();
}
