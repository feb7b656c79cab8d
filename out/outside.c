#include "outside.h"

#include <errno.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 2, ROOM = 4096 }; // frames read at a time

struct sis_outside {
    SNDFILE* file;
    SF_INFO info;
    char path[512]; // for sentences
    int32_t inputs[CHANNELS], count, oversample;
    double full[CHANNELS];
    double last[CHANNELS], now[CHANNELS]; // rows n - 1 and n
    float frames[ROOM * CHANNELS];
    int32_t held, next; // frames in it, and the next one
    uint64_t read;      // frames so far
    bool broken;        // it ended too early
};

// ---------------------------------------------------------------------------- the file

static bool is_possible(const sis_outside* s, sis_fault* fault) {
    if (s->info.channels > CHANNELS)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%s' has %d channels; sound from outside has one or two", s->path,
                             s->info.channels);
    if (s->info.frames <= 0 || s->info.samplerate <= 0 || !s->info.seekable)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no file with sound in it", s->path);
    return true;
}

sis_outside* sis_outside_open(const char* path, sis_fault* fault) {
    sis_outside* s = calloc(1, sizeof *s);
    if (!s) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    snprintf(s->path, sizeof s->path, "%s", path);
    FILE* there = fopen(path, "rb"); // says why it cannot be opened; libsndfile does not
    if (!there) {
        sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read the sound '%s': %s", path,
                      strerror(errno));
    } else {
        fclose(there);
        s->file = sf_open(path, SFM_READ, &s->info);
        if (!s->file)
            sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read the sound '%s': %s", path,
                          sf_strerror(NULL));
    }
    if (s->file && is_possible(s, fault)) return s;
    sis_outside_close(s);
    return NULL;
}

void sis_outside_close(sis_outside* s) {
    if (s && s->file) sf_close(s->file);
    free(s);
}

double sis_outside_rate(const sis_outside* s) {
    return s->info.samplerate;
}

uint64_t sis_outside_frames(const sis_outside* s) {
    return (uint64_t)s->info.frames;
}

void sis_outside_move(sis_outside* s, const int32_t* inputs, const double* full, int32_t count,
                      int32_t oversample) {
    s->count = count;
    s->oversample = oversample;
    for (int32_t c = 0; c < count && c < CHANNELS; c++) {
        s->inputs[c] = inputs[c];
        s->full[c] = full[c];
    }
}

bool sis_outside_moves(const sis_outside* s, int32_t input) {
    for (int32_t c = 0; s && c < s->count; c++)
        if (s->inputs[c] == input) return true;
    return false;
}

bool sis_outside_fine(const sis_outside* s, sis_fault* fault) {
    return !s || !s->broken ||
           sis_fault_set(fault, SIS_FAULT_RUN,
                         "the sound '%s' breaks off after %llu of %llu frames", s->path,
                         (unsigned long long)s->read, (unsigned long long)s->info.frames);
}

// ---------------------------------------------------------------------------- rows

static void rewind_sound(sis_outside* s) {
    sf_seek(s->file, 0, SEEK_SET);
    s->held = s->next = 0;
    s->read = 0;
    s->broken = false;
    memset(s->last, 0, sizeof s->last);
    memset(s->now, 0, sizeof s->now);
}

/** The next frame of the file; NULL: there is none. */
static const float* next_frame(sis_outside* s) {
    if (s->next == s->held && s->read < (uint64_t)s->info.frames && !s->broken) {
        s->held = (int32_t)sf_readf_float(s->file, s->frames, ROOM);
        s->next = 0;
        s->read += (uint64_t)s->held;
        s->broken = s->held == 0;
    }
    return s->next < s->held ? &s->frames[s->next++ * s->info.channels] : NULL;
}

static void next_row(sis_outside* s) {
    const float* frame = next_frame(s);
    for (int32_t c = 0; c < s->count; c++) {
        bool stereo = s->info.channels > 1;
        double sample = !frame                   ? 0
                        : s->count < 2 && stereo ? 0.5 * ((double)frame[0] + (double)frame[1])
                                                 : (double)frame[stereo ? c : 0];
        s->last[c] = s->now[c];
        s->now[c] = sample;
    }
}

void sis_outside_fill(sis_outside* s, uint64_t first, int32_t count, int32_t columns,
                      double* rows) {
    uint64_t over = (uint64_t)s->oversample;
    if (first == 0) rewind_sound(s);
    for (int32_t n = 0; n < count; n++, rows += columns) {
        int32_t k = (int32_t)((first + (uint64_t)n) % over);
        if (k == 0) next_row(s);
        for (int32_t c = 0; c < s->count; c++) {
            double sample = s->last[c] + (s->now[c] - s->last[c]) * (k + 1) / s->oversample;
            rows[s->inputs[c]] = s->full[c] * sample;
        }
    }
}
