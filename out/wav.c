#include "wav.h"

#include "files.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 1024 // frames converted at a time

struct sis_wav {
    SNDFILE* file;
    int scratch; // -1: written at once
    sis_wav_spec spec;
    double peak;
    double gain;
    uint64_t frames;
    float* narrow; // [ROOM][channels]
};

#define RIFF_MAX    4294967295.0 // sizes are 32-bit
#define HEADER_ROOM 512.0        // more than the chunks before the samples, without the title

bool sis_wav_check(const sis_wav_spec* spec, sis_fault* fault) {
    double frame = 4.0 * spec->channels;
    if (round(spec->rate) < 1)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a WAV file cannot have a rate of %g Hz: 1 Hz is the least; write "
                             "--data instead",
                             spec->rate);
    if (round(spec->rate) > 2147483647.0 || round(spec->rate) * frame > RIFF_MAX)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a WAV file with %d channels cannot have a rate of %g Hz: %.0f Hz is "
                             "the most; write --data instead",
                             (int)spec->channels, spec->rate, floor(RIFF_MAX / frame));
    double title = spec->title ? (double)strlen(spec->title) : 0;
    double size = frame * (double)spec->frames + HEADER_ROOM + title;
    if (size > RIFF_MAX)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "the WAV file would be %.1f GiB: 4 GiB is the most, %.0f s at this "
                             "rate; shorten it or write --data instead",
                             size / 1073741824.0,
                             floor((RIFF_MAX - HEADER_ROOM - title) / frame / spec->rate));
    return true;
}

static bool failed(sis_wav* wav, sis_fault* fault) {
    const char* why = sf_strerror(wav->file);
    if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO) why = strerror(errno);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the sound: %s", why);
}

static bool start_file(sis_wav* wav, int descriptor, sis_fault* fault) {
    SF_INFO info = {.samplerate = (int)round(wav->spec.rate),
                    .channels = wav->spec.channels,
                    .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    wav->file = sf_open_fd(descriptor, SFM_WRITE, &info, SF_FALSE);
    if (!wav->file) return failed(wav, fault);
    // The PEAK chunk carries the time of writing: two runs would give two files.
    sf_command(wav->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (wav->spec.title && *wav->spec.title)
        sf_set_string(wav->file, SF_STR_TITLE, wav->spec.title);
    return true;
}

sis_wav* sis_wav_open(int descriptor, int scratch, const sis_wav_spec* spec, sis_fault* fault) {
    if (!sis_wav_check(spec, fault)) return NULL;
    sis_wav* wav = calloc(1, sizeof *wav);
    float* narrow = malloc((size_t)spec->channels * ROOM * sizeof *narrow);
    if (!wav || !narrow) {
        free(wav);
        free(narrow);
        sis_fault_no_memory(fault);
        return NULL;
    }
    *wav = (sis_wav){.scratch = spec->normalise ? scratch : -1, .spec = *spec, .gain = 1};
    wav->narrow = narrow;
    if (start_file(wav, descriptor, fault)) return wav;
    sis_wav_free(wav);
    return NULL;
}

/** Scales, rounds to float and writes at most ROOM frames. */
static bool put(sis_wav* wav, const double* frames, size_t count, sis_fault* fault) {
    size_t values = count * (size_t)wav->spec.channels;
    for (size_t i = 0; i < values; i++) {
        wav->narrow[i] = (float)(wav->gain * frames[i]);
        if (!isfinite(wav->narrow[i]))
            return sis_fault_set(fault, SIS_FAULT_RUN,
                                 "the sound reaches %.3g, beyond what a 32-bit float can hold: "
                                 "lower the gain of the probe or set normalise in render{}",
                                 frames[i]);
    }
    errno = 0;
    return sf_writef_float(wav->file, wav->narrow, (sf_count_t)count) == (sf_count_t)count ||
           failed(wav, fault);
}

bool sis_wav_take(void* self, const double* frames, int32_t count, sis_fault* fault) {
    sis_wav* wav = self;
    size_t channels = (size_t)wav->spec.channels;
    size_t left = (size_t)count;
    for (size_t i = 0; i < left * channels; i++)
        if (fabs(frames[i]) > wav->peak) wav->peak = fabs(frames[i]);
    wav->frames += left;
    if (wav->scratch >= 0)
        return sis_files_put(wav->scratch, frames, left * channels * sizeof *frames, fault);
    while (left) {
        size_t now = left < ROOM ? left : ROOM;
        if (!put(wav, frames, now, fault)) return false;
        frames += now * channels;
        left -= now;
    }
    return true;
}

/** The second pass of normalising: now that the peak is known, what was put aside is written. */
static bool write_scaled(sis_wav* wav, sis_fault* fault) {
    size_t frame = (size_t)wav->spec.channels * sizeof(double);
    double* wide = malloc(ROOM * frame);
    if (!wide) return sis_fault_no_memory(fault);
    double level = pow(10, -1.0 / 20); // -1 dBFS
    if (wav->peak > 0 && isfinite(level / wav->peak)) wav->gain = level / wav->peak;
    bool fine = lseek(wav->scratch, 0, SEEK_SET) == 0;
    for (uint64_t left = wav->frames; fine && left;) {
        size_t now = left < ROOM ? (size_t)left : ROOM;
        fine =
            sis_files_fetch(wav->scratch, wide, now * frame, fault) && put(wav, wide, now, fault);
        left -= now;
    }
    free(wide);
    return fine;
}

bool sis_wav_close(sis_wav* wav, double* peak, sis_fault* fault) {
    if (!wav) return true;
    bool fine = wav->scratch < 0 || write_scaled(wav, fault);
    if (fine && wav->frames != wav->spec.frames)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "%llu frames of sound came, not %llu",
                             (unsigned long long)wav->frames, (unsigned long long)wav->spec.frames);
    errno = 0;
    int error = sf_close(wav->file);
    wav->file = NULL;
    if (fine && (error || errno == ENOSPC || errno == EFBIG))
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the sound: %s",
                             errno ? strerror(errno) : sf_error_number(error));
    if (peak) *peak = wav->peak;
    sis_wav_free(wav);
    return fine;
}

void sis_wav_free(sis_wav* wav) {
    if (!wav) return;
    if (wav->file) sf_close(wav->file);
    free(wav->narrow);
    free(wav);
}
