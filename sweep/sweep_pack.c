// The files of one run as they stand in a shard: headers, contents, padding.

#define _GNU_SOURCE // memfd_create
#include "sweep_shard.h"

#include "sound_file.h"
#include "temporary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TAR_BLOCK = 512 };

void sis_packer_close(sis_packer* packer) {
    if (packer->scratch >= 0) close(packer->scratch);
    if (packer->aside >= 0) close(packer->aside);
    *packer = (sis_packer){-1, -1, 0};
}

// ---------------------------------------------------------------------------- bytes

/** Room for `more` bytes behind those of the row. */
static bool make_room(sis_row* row, size_t more, sis_fault* fault) {
    size_t size = row->file_bytes + more;
    if (size <= row->file_room) return true;
    char* bytes = realloc(row->files, size + size / 4);
    if (!bytes) return sis_fault_no_memory(fault);
    row->files = bytes;
    row->file_room = size + size / 4;
    return true;
}

/** A number in octal digits, as headers have it. */
static void put_octal(char* field, size_t width, uint64_t value) {
    field[--width] = '\0';
    while (width) {
        field[--width] = (char)('0' + value % 8);
        value /= 8;
    }
}

/** A header of ustar without owner or time: the same bytes on every machine. */
static void make_header(char header[TAR_BLOCK], const char* name, uint64_t size) {
    memset(header, 0, TAR_BLOCK);
    snprintf(header, 100, "%.99s", name);
    put_octal(header + 100, 8, 0644);
    put_octal(header + 108, 8, 0);
    put_octal(header + 116, 8, 0);
    put_octal(header + 124, 12, size);
    put_octal(header + 136, 12, 0);
    memset(header + 148, ' ', 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)header[i];
    put_octal(header + 148, 7, sum);
}

/** Begins an entry of `size` bytes: returns where they go; NULL: no memory. */
static char* begin_entry(sis_row* row, const char* ending, size_t size, sis_fault* fault) {
    size_t padded = (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    char name[64];
    if (!make_room(row, TAR_BLOCK + padded, fault)) return NULL;
    snprintf(name, sizeof name, "%09llu.%s", (unsigned long long)row->index, ending);
    char* header = row->files + row->file_bytes;
    make_header(header, name, size);
    memset(header + TAR_BLOCK + size, 0, padded - size);
    row->file_bytes += TAR_BLOCK + padded;
    return header + TAR_BLOCK;
}

// ---------------------------------------------------------------------------- numbers

static void put_columns(FILE* out, const sis_sweep* s, const double* values, int32_t from,
                        int32_t to) {
    char text[SIS_DECIMAL];
    for (int32_t i = from; i < to; i++) {
        fputs(i > from ? ", " : "", out);
        sis_json_quote(out, s->columns[i]);
        fprintf(out, ": %s", isfinite(values[i]) ? sis_decimal(values[i], text) : "null");
    }
}

static bool put_json(const sis_sweep* s, const sis_heard* heard, double gain, sis_row* row,
                     sis_fault* fault) {
    char *text = NULL, number[SIS_DECIMAL];
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out) return sis_fault_no_memory(fault);
    fprintf(out, "{\"index\": %llu, \"rate\": %s, \"channels\": %d, \"samples\": %llu",
            (unsigned long long)row->index, sis_decimal(heard->rate, number), (int)heard->channels,
            (unsigned long long)heard->rows);
    fprintf(out, ", \"gain\": %s, \"params\": {", sis_decimal(gain, number));
    put_columns(out, s, row->values, 0, s->points.axis_count);
    fputs("}, \"measures\": {", out);
    put_columns(out, s, row->values, s->points.axis_count, s->column_count);
    fputs("}}\n", out);
    bool lost = ferror(out) != 0;
    lost = fclose(out) != 0 || lost;
    char* to = lost ? NULL : begin_entry(row, "json", size, fault);
    if (to) memcpy(to, text, size);
    free(text);
    return lost ? sis_fault_no_memory(fault) : to != NULL;
}

// ---------------------------------------------------------------------------- sounds

/** float32, low byte first. */
static void put_floats(char* to, const sis_heard* heard, double gain) {
    size_t count = (size_t)heard->rows * (size_t)heard->channels;
    for (size_t i = 0; i < count; i++) {
        float value = (float)(gain * heard->frames[i]);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        for (int b = 0; b < 4; b++)
            to[4 * i + (size_t)b] = (char)(bits >> 8 * b & 255);
    }
}

static bool put_npy(const sis_heard* heard, double gain, sis_row* row, sis_fault* fault) {
    char header[192];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    int length = snprintf(header + 10, sizeof header - 10,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': (%llu, %d), }",
                          (unsigned long long)heard->rows, (int)heard->channels);
    size_t used = ((size_t)length + 11 + 63) / 64 * 64;
    header[10 + length] = ' '; // where the text ended
    header[used - 1] = '\n';
    header[8] = (char)(used - 10);
    header[9] = 0;
    size_t bytes = 4 * (size_t)heard->rows * (size_t)heard->channels;
    char* to = begin_entry(row, "npy", used + bytes, fault);
    if (!to) return false;
    memcpy(to, header, used);
    put_floats(to + used, heard, gain);
    return true;
}

/** A file in memory; where the system has none, one without a name. */
static bool open_scratch(int* scratch, sis_fault* fault) {
    if (*scratch < 0) *scratch = memfd_create("sistrum", MFD_CLOEXEC);
    if (*scratch < 0) *scratch = sis_temporary_anonymous(sis_path_scratch());
    bool empty = *scratch >= 0 && ftruncate(*scratch, 0) == 0;
    return (empty && lseek(*scratch, 0, SEEK_SET) == 0) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a working file: %s", strerror(errno));
}

static bool write_sound(const sis_packer* p, const sis_sound_spec* spec, const sis_heard* heard,
                        sis_sound_level* level, sis_fault* fault) {
    sis_sound_file* file = sis_sound_file_open(p->scratch, p->aside, spec, fault);
    bool fine = file != NULL;
    for (uint64_t n = 0; fine && n < heard->rows; n += SIS_FRAMES_MAX) {
        uint64_t left = heard->rows - n;
        fine = sis_sound_file_take(file, heard->frames + n * (uint64_t)heard->channels,
                                   (int32_t)(left < SIS_FRAMES_MAX ? left : SIS_FRAMES_MAX), fault);
    }
    if (fine) return sis_sound_file_close(file, level, fault);
    sis_sound_file_free(file);
    return false;
}

/** The bytes of the scratch file as an entry. */
static bool put_scratch(const sis_packer* p, const char* ending, sis_row* row, sis_fault* fault) {
    off_t size = lseek(p->scratch, 0, SEEK_END);
    if (size < 0)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file: %s",
                             strerror(errno));
    char* to = begin_entry(row, ending, (size_t)size, fault);
    if (!to) return false;
    for (off_t at = 0; at < size;) {
        ssize_t got = pread(p->scratch, to + at, (size_t)(size - at), at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file: %s",
                                 strerror(errno));
        at += got;
    }
    return true;
}

bool sis_packer_pack(sis_packer* packer, const sis_sweep* s, const sis_heard* heard,
                     const char* title, sis_row* row, sis_fault* fault) {
    const sis_sweep_spec* spec = &s->spec;
    double peak = sis_heard_peak(heard);
    // -1 dBFS, as of every other sound file
    sis_sound_level level = {.gain = spec->normalise && peak > 0 ? 0.8912509381337456 / peak : 1};
    sis_sound_spec file = {.rate = heard->rate,
                           .channels = heard->channels,
                           .frames = heard->rows,
                           .title = title,
                           .normalise = spec->normalise};
    row->file_bytes = 0;
    packer->clipped = 0;
    if (spec->sounds == SIS_SOUNDS_NPY)
        return put_json(s, heard, level.gain, row, fault) && put_npy(heard, level.gain, row, fault);
    file.format = spec->sounds == SIS_SOUNDS_FLAC ? SIS_SOUND_FLAC : SIS_SOUND_WAV;
    file.bits = spec->sounds == SIS_SOUNDS_FLAC ? SIS_SOUND_24 : SIS_SOUND_32F;
    bool written = sis_sound_file_check(&file, fault) && open_scratch(&packer->scratch, fault) &&
                   (!spec->normalise || open_scratch(&packer->aside, fault)) &&
                   write_sound(packer, &file, heard, &level, fault);
    packer->clipped = level.clipped;
    return written && put_json(s, heard, level.gain, row, fault) &&
           put_scratch(packer, sis_sounds_word(spec->sounds), row, fault);
}
