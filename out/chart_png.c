// gnuplot does not say in a PNG how large it is meant to be. The chunk pHYs does: it follows the
// header, which is always 8 + 25 bytes long.

#include "chart_inside.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER 33
#define CHUNK  21 // length, name, two numbers, unit, checksum

/** The checksum of PNG, bit by bit: the chunk is short. */
static uint32_t checksum(const unsigned char* bytes, size_t count) {
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return sum ^ 0xffffffffu;
}

static void put_number(unsigned char* to, uint32_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static bool read_all(int descriptor, unsigned char* bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t now = pread(descriptor, bytes + done, count - done, (off_t)done);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return false;
        done += (size_t)now;
    }
    return true;
}

static bool write_all(int descriptor, const unsigned char* bytes, size_t count, size_t at) {
    for (size_t done = 0; done < count;) {
        ssize_t now = pwrite(descriptor, bytes + done, count - done, (off_t)(at + done));
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return false;
        done += (size_t)now;
    }
    return true;
}

bool sis_png_resolution(int descriptor, double dpi, sis_fault* fault) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || status.st_size <= HEADER)
        return sis_fault_set(fault, SIS_FAULT_RUN, "the picture is too short for a PNG");
    size_t size = (size_t)status.st_size;
    unsigned char* bytes = malloc(size);
    if (!bytes) return sis_fault_no_memory(fault);
    unsigned char chunk[CHUNK] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    uint32_t per_metre = (uint32_t)lround(dpi / 0.0254);
    put_number(chunk + 8, per_metre);
    put_number(chunk + 12, per_metre);
    chunk[16] = 1; // to the metre
    put_number(chunk + 17, checksum(chunk + 4, 13));
    bool fine = read_all(descriptor, bytes, size) && write_all(descriptor, chunk, CHUNK, HEADER) &&
                write_all(descriptor, bytes + HEADER, size - HEADER, HEADER + CHUNK);
    free(bytes);
    return fine ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the picture: %s", strerror(errno));
}
