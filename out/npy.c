#include "npy.h"

#include "data_inside.h"
#include "files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

// NPY 1.0: "\x93NUMPY", version 1.0, length of the text as two bytes (low first), the text. The
// text is padded with spaces and ends in a newline so that the data begin at a multiple of 64
// bytes.
static size_t make_header(char* header, uint64_t rows, int32_t columns) {
    char text[128];
    int length =
        snprintf(text, sizeof text,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRId32 "), }",
                 rows, columns);
    size_t used = 10 + (size_t)length + 1;
    size_t size = (used + 63) / 64 * 64;
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((size - 10) & 255);
    header[9] = (char)((size - 10) >> 8);
    memset(header + 10, ' ', size - 10);
    memcpy(header + 10, text, (size_t)length);
    header[size - 1] = '\n';
    return size;
}

double sis_npy_bytes(uint64_t rows, int32_t columns) {
    return 256 + 8.0 * columns * (double)rows;
}

static bool put(sis_npy* npy, const void* bytes, size_t size, sis_fault* fault) {
    return fwrite(bytes, 1, size, npy->stream) == size ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the data: %s", strerror(errno));
}

bool sis_npy_open(sis_npy* npy, int descriptor, uint64_t rows, int32_t columns, int32_t oversample,
                  sis_fault* fault) {
    *npy = (sis_npy){.columns = columns, .oversample = oversample};
    npy->stream = sis_files_stream(descriptor, fault);
    if (!npy->stream) return false;
    char header[256] = "";
    size_t size = make_header(header, rows, columns);
    return put(npy, header, size, fault);
}

bool sis_npy_open_at(sis_npy* npy, int descriptor, uint64_t offset, int32_t columns,
                     sis_fault* fault) {
    *npy = (sis_npy){.columns = columns, .oversample = 1};
    npy->stream = sis_files_stream(descriptor, fault);
    return npy->stream &&
           (fseeko(npy->stream, (off_t)offset, SEEK_SET) == 0 || sis_data_failed(fault));
}

uint64_t sis_low_byte_first(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    memcpy(&bits, bytes, sizeof bits);
    return bits;
}

bool sis_npy_write(sis_npy* npy, const double* rows, int32_t count, sis_fault* fault) {
    size_t left = (size_t)count * (size_t)npy->columns;
    while (left) {
        uint64_t buffer[512];
        size_t now = left < 512 ? left : 512;
        for (size_t i = 0; i < now; i++)
            buffer[i] = sis_low_byte_first(rows[i]);
        if (!put(npy, buffer, now * sizeof *buffer, fault)) return false;
        rows += now;
        left -= now;
    }
    return true;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_npy* npy = self;
    if (npy->oversample == 1) return sis_npy_write(npy, frames->probes, frames->count, fault);
    for (int32_t n = 0; n < frames->count; n++) {
        if ((frames->first + (uint64_t)n) % (uint64_t)npy->oversample) continue;
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        if (!sis_npy_write(npy, row, 1, fault)) return false;
    }
    return true;
}

sis_sink sis_npy_sink(sis_npy* npy) {
    return (sis_sink){.self = npy, .take = take};
}

bool sis_npy_close(sis_npy* npy, sis_fault* fault) {
    FILE* stream = npy->stream;
    npy->stream = NULL;
    return !stream || sis_files_close_stream(stream, fault);
}
