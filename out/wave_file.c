#include "wave_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool put(int descriptor, const void* bytes, size_t size, sis_fault* fault) {
    const char* at = bytes;
    while (size) {
        ssize_t done = write(descriptor, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0)
            return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the sound: %s",
                                 strerror(done ? errno : ENOSPC));
        at += done;
        size -= (size_t)done;
    }
    return true;
}

// ---------------------------------------------------------------------------- the header

/** Bytes on their way into the file. */
typedef struct header {
    unsigned char* bytes;
    size_t size;
} header;

static void put_mark(header* h, const char* mark) {
    memcpy(h->bytes + h->size, mark, 4);
    h->size += 4;
}

/** A whole number, its low byte first. */
static void put_whole(header* h, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        h->bytes[h->size++] = (unsigned char)(value >> (8 * i));
}

static void put_zeros(header* h, size_t count) {
    memset(h->bytes + h->size, 0, count);
    h->size += count;
}

/** With the 0 at its end, and another where that makes it even. */
static size_t title_bytes(const char* title) {
    return (strlen(title) + 2) / 2 * 2;
}

static void put_title(header* h, const char* title) {
    size_t length = title_bytes(title), used = strlen(title);
    put_mark(h, "LIST");
    put_whole(h, 12 + length, 4);
    put_mark(h, "INFO");
    put_mark(h, "INAM");
    put_whole(h, length, 4);
    memcpy(h->bytes + h->size, title, used);
    h->size += used;
    put_zeros(h, length - used);
}

static uint64_t bytes_of(sis_sound_bits bits) {
    return bits == SIS_SOUND_16 ? 2 : bits == SIS_SOUND_24 ? 3 : 4;
}

/** What both kinds of files say of their samples. */
static void put_shape(header* h, const sis_sound_spec* spec, unsigned tag) {
    uint64_t rate = (uint64_t)round(spec->rate), bytes = bytes_of(spec->bits);
    put_whole(h, tag, 2);
    put_whole(h, (uint64_t)spec->channels, 2);
    put_whole(h, rate, 4);
    put_whole(h, rate * bytes * (uint64_t)spec->channels, 4);
    put_whole(h, bytes * (uint64_t)spec->channels, 2);
    put_whole(h, 8 * bytes, 2);
}

enum { TAG_WHOLE = 1, TAG_FLOAT = 3, TAG_WIDE = 0xfffe };

static unsigned tag_of(const sis_sound_spec* spec) {
    return spec->bits == SIS_SOUND_32F ? TAG_FLOAT : TAG_WHOLE;
}

/** libsndfile leaves room for a PEAK chunk before it hears that there is to be none. */
static void put_padding(header* h, const sis_sound_spec* spec) {
    size_t with_peak = 72 + 8 * (size_t)spec->channels, used = h->size + 16;
    if (spec->bits != SIS_SOUND_32F || used >= with_peak) return;
    put_mark(h, "PAD ");
    put_whole(h, with_peak - used, 4);
    put_zeros(h, with_peak - used);
}

static void put_wav(header* h, const sis_sound_spec* spec, uint64_t data) {
    put_mark(h, "RIFF");
    put_whole(h, 0, 4); // its length, when it is known
    put_mark(h, "WAVE");
    put_mark(h, "fmt ");
    put_whole(h, 16, 4);
    put_shape(h, spec, tag_of(spec));
    if (spec->bits == SIS_SOUND_32F) {
        put_mark(h, "fact");
        put_whole(h, 4, 4);
        put_whole(h, spec->frames, 4);
    }
    if (spec->title && *spec->title) put_title(h, spec->title);
    put_padding(h, spec);
    put_mark(h, "data");
    put_whole(h, data, 4);
    size_t end = h->size;
    h->size = 4;
    put_whole(h, end + data + (data & 1) - 8, 4);
    h->size = end;
}

/** Which loudspeakers the channels are for. */
static unsigned speakers(int32_t channels) {
    switch (channels) {
    case 1:
        return 0x4;
    case 2:
        return 0x3;
    case 4:
        return 0x33;
    case 6:
        return 0x3f;
    case 8:
        return 0xff;
    default:
        return 0;
    }
}

static void put_rf64(header* h, const sis_sound_spec* spec, uint64_t data) {
    put_mark(h, "RF64");
    put_whole(h, 0xffffffffu, 4);
    put_mark(h, "WAVE");
    put_mark(h, "ds64");
    put_whole(h, 28, 4);
    put_whole(h, 0, 8); // its length, when it is known
    put_whole(h, data, 8);
    put_whole(h, spec->frames, 8);
    put_whole(h, 0, 4);
    put_mark(h, "fmt ");
    put_whole(h, 40, 4);
    put_shape(h, spec, TAG_WIDE);
    put_whole(h, 22, 2);
    put_whole(h, 8 * bytes_of(spec->bits), 2);
    put_whole(h, speakers(spec->channels), 4);
    put_whole(h, tag_of(spec), 4);
    memcpy(h->bytes + h->size, "\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 12);
    h->size += 12;
    if (spec->title && *spec->title) put_title(h, spec->title);
    put_mark(h, "data");
    put_whole(h, 0xffffffffu, 4);
    size_t end = h->size;
    h->size = 20;
    put_whole(h, end + data + (data & 1) - 8, 8);
    h->size = end;
}

enum { HEADER_MOST = 256 }; // without title and padding

bool sis_wave_open(sis_wave* wave, int descriptor, const sis_sound_spec* spec, sis_fault* fault) {
    size_t channels = (size_t)spec->channels;
    *wave = (sis_wave){descriptor, spec->bits, channels,
                       bytes_of(spec->bits) * channels * spec->frames};
    size_t title = spec->title ? title_bytes(spec->title) : 0;
    header h = {.bytes = malloc(HEADER_MOST + title + 8 * channels)};
    if (!h.bytes) return sis_fault_no_memory(fault);
    if (sis_sound_file_format(spec) == SIS_SOUND_RF64)
        put_rf64(&h, spec, wave->data);
    else
        put_wav(&h, spec, wave->data);
    bool fine = put(descriptor, h.bytes, h.size, fault);
    free(h.bytes);
    return fine;
}

// ---------------------------------------------------------------------------- samples

/** Low bytes first, in place: `bytes` of each number, the upper ones. */
static size_t pack(void* samples, size_t count, size_t bytes) {
    unsigned char* to = samples;
    const uint32_t* from = samples;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = from[i] >> (8 * (4 - bytes)); // read before its place is written
        for (size_t k = 0; k < bytes; k++)
            *to++ = (unsigned char)(bits >> (8 * k));
    }
    return count * bytes;
}

bool sis_wave_write(const sis_wave* wave, void* samples, size_t frames, sis_fault* fault) {
    size_t size = pack(samples, frames * wave->channels, (size_t)bytes_of(wave->bits));
    return put(wave->descriptor, samples, size, fault);
}

bool sis_wave_close(const sis_wave* wave, sis_fault* fault) {
    return wave->data % 2 == 0 || put(wave->descriptor, "", 1, fault);
}
