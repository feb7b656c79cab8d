#include "sound_file.h"

#include "aside.h"
#include "flac_file.h"
#include "sistrum/elementary.h"
#include "wave_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 32768 // numbers written at a time: many small pieces cost the system more

struct sis_sound_file {
    sis_flac* flac; // NULL: a wave
    sis_wave wave;
    bool waits; // until its peak is known; else written at once
    sis_aside aside;
    sis_sound_spec spec;
    sis_sound_level level;
    uint64_t came, written; // frames; written: or in `samples`
    uint64_t fade;          // frames of the fade
    double tail;            // largest absolute value of these, and
    double faded_peak;      // of the whole sound if they fade
    uint64_t random;        // state of the dither
    size_t chunk, filled;   // frames in `samples`: room for, and waiting there to be written
    void* samples;          // [chunk][channels] of float or int, which have one size
};

// ---------------------------------------------------------------------------- formats

#define RIFF_MAX    4294967295.0 // sizes are 32-bit
#define HEADER_ROOM 512.0        // more than the chunks before the samples, without the title

static double bytes_of(sis_sound_bits bits) {
    return bits == SIS_SOUND_16 ? 2 : bits == SIS_SOUND_24 ? 3 : 4;
}

// FLAC keeps what does not shrink as it is, in frames with a header and a check sum each.
#define FLAC_FRAME 1024.0  // samples at least
#define FLAC_ROOM  65536.0 // headers, title, padding, table of seek points

double sis_sound_file_bytes(const sis_sound_spec* spec) {
    double title = spec->title ? (double)strlen(spec->title) : 0;
    double frames = (double)spec->frames;
    double size = bytes_of(spec->bits) * spec->channels * frames + title + HEADER_ROOM;
    if (spec->format != SIS_SOUND_FLAC) return size;
    return size + FLAC_ROOM + (frames / FLAC_FRAME + 1) * (18 + spec->channels);
}

sis_sound_format sis_sound_file_format(const sis_sound_spec* spec) {
    double title = spec->title ? (double)strlen(spec->title) : 0;
    double size = bytes_of(spec->bits) * spec->channels * (double)spec->frames;
    bool wide = size + HEADER_ROOM + title > RIFF_MAX;
    return spec->format == SIS_SOUND_WAV && wide ? SIS_SOUND_RF64 : spec->format;
}

const char* sis_sound_format_word(sis_sound_format format) {
    return format == SIS_SOUND_FLAC ? "flac" : format == SIS_SOUND_RF64 ? "rf64" : "wav";
}

const char* sis_sound_bits_word(sis_sound_bits bits) {
    return bits == SIS_SOUND_16 ? "16" : bits == SIS_SOUND_24 ? "24" : "32f";
}

#define FLAC_CHANNELS 8
#define FLAC_RATE     655350.0
#define FLAC_ANY_RATE 65535.0 // beyond it only multiples of 10 fit the header of a frame

static bool check_flac(const sis_sound_spec* spec, sis_fault* fault) {
    double rate = round(spec->rate);
    if (spec->bits == SIS_SOUND_32F)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a FLAC file holds whole numbers, not 32f: take --bits 24 or 16, or "
                             "write a .wav");
    if (spec->channels > FLAC_CHANNELS)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a FLAC file cannot have %d channels: %d is the most; write a .wav",
                             (int)spec->channels, FLAC_CHANNELS);
    if (rate > FLAC_RATE || (rate > FLAC_ANY_RATE && fmod(rate, 10) != 0))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a FLAC file cannot have a rate of %g Hz: up to %.0f Hz any will do, "
                             "up to %.0f Hz multiples of 10; write a .wav",
                             rate, FLAC_ANY_RATE, FLAC_RATE);
    return true;
}

bool sis_sound_file_check(const sis_sound_spec* spec, sis_fault* fault) {
    double frame = bytes_of(spec->bits) * spec->channels;
    if (!(spec->rate >= 1))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a sound file cannot have a rate of %g Hz: 1 Hz is the least; write "
                             "--data instead",
                             spec->rate);
    if (spec->format == SIS_SOUND_FLAC) return check_flac(spec, fault);
    if (round(spec->rate) > 2147483647.0 || round(spec->rate) * frame > RIFF_MAX)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a WAV file with %d channels cannot have a rate of %g Hz: %.0f Hz is "
                             "the most; write --data instead",
                             (int)spec->channels, spec->rate, floor(RIFF_MAX / frame));
    return true;
}

// ---------------------------------------------------------------------------- opening

static bool start_file(sis_sound_file* s, int descriptor, sis_fault* fault) {
    if (s->spec.format != SIS_SOUND_FLAC)
        return sis_wave_open(&s->wave, descriptor, &s->spec, fault);
    s->flac = sis_flac_open(descriptor, &s->spec, fault);
    return s->flac != NULL;
}

sis_sound_file* sis_sound_file_open(int descriptor, int scratch, const sis_sound_spec* spec,
                                    sis_fault* fault) {
    if (!sis_sound_file_check(spec, fault)) return NULL;
    sis_sound_file* s = calloc(1, sizeof *s);
    size_t channels = (size_t)spec->channels, chunk = channels < CHUNK ? CHUNK / channels : 1;
    void* samples = malloc(chunk * channels * sizeof(float));
    if (!s || !samples) {
        free(s);
        free(samples);
        sis_fault_no_memory(fault);
        return NULL;
    }
    double fade = fmin(round(SIS_SOUND_FADE_SECONDS * spec->rate), (double)(spec->frames / 2));
    *s = (sis_sound_file){.waits = (spec->normalise || spec->kept) && scratch >= 0,
                          .aside = {.scratch = scratch, .kept = spec->kept},
                          .spec = *spec,
                          .level.gain = sis_power(10, spec->gain_db / 20),
                          .fade = (uint64_t)fade,
                          .chunk = chunk,
                          .samples = samples};
    if (start_file(s, descriptor, fault)) return s;
    sis_sound_file_free(s);
    return NULL;
}

// ---------------------------------------------------------------------------- samples

/** Uniform on 64 bits: splitmix64, whose state only counts on. */
static uint64_t draw(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/** The sum of two uniform numbers less 1: triangular between -1 and 1. */
static double triangular(uint64_t* state) {
    uint64_t bits = draw(state);
    return ((double)(bits >> 32) + (double)(bits & 0xffffffffu)) / 4294967296.0 - 1;
}

/** A sample of so many bits, in the upper ones of 32. */
static int whole_sample(sis_sound_file* s, double value, int bits) {
    double scale = (double)(1 << (bits - 1));
    s->level.clipped += value < -1 || value > 1 - 1 / scale;
    double rounded = floor(value * scale + triangular(&s->random) + 0.5);
    return (int)fmin(fmax(rounded, -scale), scale - 1) * (1 << (32 - bits));
}

static bool too_large(double value, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN,
                         "the sound reaches %.3g, beyond what a 32-bit float can hold: lower the "
                         "gain of the probe or --gain, or set normalise in render{}",
                         value);
}

/** The largest absolute value: four that need not wait for each other. */
static double largest(const double* values, size_t count) {
    double most = 0, second = 0, third = 0, fourth = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        double a = fabs(values[i]), b = fabs(values[i + 1]);
        double c = fabs(values[i + 2]), d = fabs(values[i + 3]);
        most = a > most ? a : most;
        second = b > second ? b : second;
        third = c > third ? c : third;
        fourth = d > fourth ? d : fourth;
    }
    for (; i < count; i++) {
        double size = fabs(values[i]);
        most = size > most ? size : most;
    }
    return fmax(fmax(most, second), fmax(third, fourth));
}

/** Scaled floats; false: one of them is too large. Without a branch a value. */
static bool narrowed(sis_sound_file* s, const double* frames, size_t count, float* to) {
    const double gain = s->level.gain;
    uint32_t lost = 0;
    for (size_t i = 0; i < count; i++)
        to[i] = (float)(gain * frames[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &to[i], sizeof bits);
        lost |= (bits & 0x7f800000u) == 0x7f800000u; // infinite, or not a number
    }
    return !lost;
}

/** The same as whole numbers. */
static bool rounded(sis_sound_file* s, const double* frames, size_t count, int* to) {
    int bits = s->spec.bits == SIS_SOUND_16 ? 16 : 24;
    for (size_t i = 0; i < count; i++) {
        double value = s->level.gain * frames[i];
        to[i] = whole_sample(s, value, bits);
        if (!isfinite((float)value)) return false;
    }
    return true;
}

/** Writes the samples that wait. */
static bool flush(sis_sound_file* s, sis_fault* fault) {
    size_t count = s->filled;
    s->filled = 0;
    return s->flac ? sis_flac_write(s->flac, s->samples, count, fault)
                   : sis_wave_write(&s->wave, s->samples, count, fault);
}

/** Scales and rounds frames into the room that is left for samples. */
static bool convert(sis_sound_file* s, const double* frames, size_t count, sis_fault* fault) {
    size_t channels = (size_t)s->spec.channels, values = count * channels, i = 0;
    bool fine = s->spec.bits == SIS_SOUND_32F
                    ? narrowed(s, frames, values, (float*)s->samples + s->filled * channels)
                    : rounded(s, frames, values, (int*)s->samples + s->filled * channels);
    s->filled += count;
    s->written += count;
    if (fine) return true;
    while (i + 1 < values && isfinite((float)(s->level.gain * frames[i])))
        i++;
    return too_large(frames[i], fault);
}

/** Frames that have their full length, on their way into the file. */
static bool put(sis_sound_file* s, const double* frames, size_t count, sis_fault* fault) {
    while (count) {
        size_t room = s->chunk - s->filled, now = count < room ? count : room;
        if (!convert(s, frames, now, fault)) return false;
        if (s->filled == s->chunk && !flush(s, fault)) return false;
        frames += now * (size_t)s->spec.channels;
        count -= now;
    }
    return true;
}

/** Half a cosine over the last frames, 0 at the very last; 1 before. */
static double fade_at(const sis_sound_file* s, uint64_t frame) {
    uint64_t left = frame < s->spec.frames ? s->spec.frames - 1 - frame : 0;
    if (left >= s->fade) return 1;
    return 0.5 * (1 - sis_cos(3.14159265358979323846 * (double)left / (double)s->fade));
}

/** The peaks of a block, as it is and as it would be with the fade. */
static void measure(sis_sound_file* s, const double* frames, size_t count) {
    size_t channels = (size_t)s->spec.channels;
    // All but the last frames are as loud with the fade as without.
    uint64_t tail = s->spec.frames - s->fade, whole = tail > s->came ? tail - s->came : 0;
    if (whole > count) whole = count;
    double loudest = largest(frames, (size_t)whole * channels);
    s->level.raw_peak = fmax(s->level.raw_peak, loudest);
    s->faded_peak = fmax(s->faded_peak, loudest);
    for (size_t n = (size_t)whole; n < count; n++) {
        double most = largest(frames + n * channels, channels);
        double level = fade_at(s, s->came + n);
        s->level.raw_peak = fmax(s->level.raw_peak, most);
        s->faded_peak = fmax(s->faded_peak, level * most);
        if (level < 1) s->tail = fmax(s->tail, most);
    }
    s->came += count;
}

bool sis_sound_file_take(void* self, const double* frames, int32_t count, sis_fault* fault) {
    sis_sound_file* s = self;
    size_t channels = (size_t)s->spec.channels;
    measure(s, frames, (size_t)count);
    if (!s->waits) return put(s, frames, (size_t)count, fault);
    return sis_aside_put(&s->aside, frames, (size_t)count * channels * sizeof *frames, fault);
}

// ---------------------------------------------------------------------------- normalising

/** Now that the peaks are known: does the end fade, and what is the gain? */
static void decide(sis_sound_file* s) {
    bool own = !(s->spec.reference > 0);
    double reference = own ? s->level.raw_peak : s->spec.reference;
    s->level.faded = s->tail > SIS_SOUND_SILENCE * reference && s->faded_peak > 0;
    if (own && s->level.faded) reference = s->faded_peak;
    double gain = sis_power(10, -1.0 / 20) / reference; // -1 dBFS
    if (reference > 0 && isfinite(gain)) s->level.gain *= gain;
}

/** The second pass: what was put aside is written. */
static bool write_scaled(sis_sound_file* s, sis_fault* fault) {
    size_t channels = (size_t)s->spec.channels, frame = channels * sizeof(double);
    double* wide = malloc(s->chunk * frame);
    if (!wide) return sis_fault_no_memory(fault);
    if (s->spec.normalise) decide(s);
    bool fine = true;
    for (uint64_t left = s->came; fine && left;) {
        size_t now = left < s->chunk ? (size_t)left : s->chunk;
        fine = sis_aside_fetch(&s->aside, wide, now * frame, fault);
        for (size_t n = 0; fine && s->level.faded && n < now; n++) {
            double level = fade_at(s, s->written + n);
            for (size_t c = 0; level < 1 && c < channels; c++)
                wide[n * channels + c] *= level;
        }
        fine = fine && put(s, wide, now, fault);
        left -= now;
    }
    free(wide);
    return fine;
}

bool sis_sound_file_keep(sis_sound_file* s, sis_store* store, sis_fault* fault) {
    sis_store_walk(store, &s->level.raw_peak, sizeof s->level.raw_peak);
    sis_store_walk(store, &s->faded_peak, sizeof s->faded_peak);
    sis_store_walk(store, &s->tail, sizeof s->tail);
    sis_store_walk(store, &s->came, sizeof s->came);
    return sis_aside_keep(&s->aside, store, fault);
}

bool sis_sound_file_close(sis_sound_file* s, sis_sound_level* level, sis_fault* fault) {
    if (!s) return true;
    bool fine = (!s->waits || write_scaled(s, fault)) && flush(s, fault);
    // Rounding keeps the order: the largest sample is that of the largest number.
    s->level.peak = fabs(s->level.gain * (s->level.faded ? s->faded_peak : s->level.raw_peak));
    if (fine && s->came != s->spec.frames)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "%llu frames of sound came, not %llu",
                             (unsigned long long)s->came, (unsigned long long)s->spec.frames);
    if (!s->flac) fine = fine && sis_wave_close(&s->wave, fault);
    sis_fault other;
    if (s->flac && !sis_flac_close(s->flac, fine ? fault : &other)) fine = false;
    s->flac = NULL;
    if (level) *level = s->level;
    sis_sound_file_free(s);
    return fine;
}

void sis_sound_file_free(sis_sound_file* s) {
    if (!s) return;
    sis_fault given_up;
    if (s->flac) sis_flac_close(s->flac, &given_up);
    sis_aside_free(&s->aside);
    free(s->samples);
    free(s);
}
