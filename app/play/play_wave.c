#include "play_wave.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 92, FRAME = 8, FLOATS = 3, CHANNELS = 2 };

static bool put_at(int descriptor, const uint8_t* bytes, size_t size, uint64_t at) {
    while (size) {
        ssize_t done = pwrite(descriptor, bytes, size, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        at += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

/** Little end first. */
static uint8_t* put(uint8_t* at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint8_t* put_name(uint8_t* at, const char* name, uint32_t size) {
    memcpy(at, name, 4);
    return put(at + 4, size, 4);
}

bool play_wave_save(const play_wave* w) {
    uint8_t header[HEADER], *at = header;
    uint64_t data = w->frames * FRAME, rate = (uint64_t)llround(w->rate);
    bool large = data + HEADER > UINT32_MAX;
    uint32_t riff = large ? UINT32_MAX : (uint32_t)(data + HEADER - 8);
    at = put_name(at, large ? "RF64" : "RIFF", riff);
    memcpy(at, "WAVE", 4);
    at = put_name(at + 4, large ? "ds64" : "JUNK", 28);
    at = put(at, large ? data + HEADER - 8 : 0, 8);
    at = put(at, large ? data : 0, 8);
    at = put(at, large ? w->frames : 0, 8);
    at = put(at, 0, 4);
    at = put_name(at, "fmt ", 16);
    at = put(put(at, FLOATS, 2), CHANNELS, 2);
    at = put(put(at, rate, 4), rate * FRAME, 4);
    at = put(put(at, FRAME, 2), 32, 2);
    at = put_name(at, "fact", 4);
    at = put(at, large ? UINT32_MAX : w->frames, 4);
    put_name(at, "data", large ? UINT32_MAX : (uint32_t)data);
    return put_at(w->descriptor, header, HEADER, 0);
}

bool play_wave_begin(play_wave* w, int descriptor, double rate) {
    *w = (play_wave){.descriptor = descriptor, .rate = rate};
    return play_wave_save(w);
}

void play_wave_end(const play_wave* w) {
    if (ftruncate(w->descriptor, (off_t)(HEADER + w->frames * FRAME)) == 0) play_wave_save(w);
}

/** Floats in the order of the file, whatever that of the machine is. */
static void put_floats(uint8_t* at, const float* values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        at = put(at, bits, 4);
    }
}

bool play_wave_add(play_wave* w, const float* frames, size_t count) {
    uint8_t bytes[512 * FRAME];
    while (count) {
        size_t now = count < 512 ? count : 512;
        put_floats(bytes, frames, now * CHANNELS);
        if (!put_at(w->descriptor, bytes, now * FRAME, HEADER + w->frames * FRAME)) return false;
        w->frames += now;
        frames += now * CHANNELS;
        count -= now;
    }
    return true;
}
