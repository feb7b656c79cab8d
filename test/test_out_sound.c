#define _GNU_SOURCE // memmem

// Sound files: their bytes, levels, fades, dither, and what a format cannot hold.

#include "check.h"
#include "files.h"
#include "out_help.h"
#include "sound_file.h"

#include <stdlib.h>
#include <unistd.h>

typedef double (*sound)(double n, int channel); // of frame n

static double swing(double n, int channel) {
    return sin(0.01 * n + channel) * (channel + 1);
}

/** Writes spec->frames of a sound; false: it was refused or failed, as `fault` says. */
static bool write_sound(const char* path, const sis_sound_spec* spec, sound from, double amplitude,
                        sis_sound_level* level, sis_fault* fault) {
    *level = (sis_sound_level){0};
    sis_files* files = sis_files_new();
    int descriptor = sis_files_add(files, path, fault);
    int scratch = spec->normalise ? sis_files_scratch(files, fault) : -1;
    sis_sound_file* file = sis_sound_file_open(descriptor, scratch, spec, fault);
    bool fine = file != NULL;
    for (uint64_t n = 0; fine && n < spec->frames; n++) {
        double frame[8];
        for (int32_t c = 0; c < spec->channels; c++)
            frame[c] = amplitude * from((double)n, c);
        fine = sis_sound_file_take(file, frame, 1, fault);
    }
    if (fine)
        fine = sis_sound_file_close(file, level, fault) && sis_files_commit(files, fault);
    else
        sis_sound_file_free(file);
    sis_files_free(files);
    if (scratch >= 0) close(scratch);
    return fine;
}

// ---------------------------------------------------------------------------- reading back

typedef struct wave {
    unsigned char* bytes;
    size_t size, data, length; // of the whole, and of the chunk of samples
    int width;                 // bytes of a sample
} wave;

/** The chunk of that name: offset of its data, 0 when there is none. */
static size_t find_chunk(const unsigned char* b, size_t size, const char* name, size_t* length) {
    for (size_t at = 12; at + 8 <= size;) {
        size_t n =
            b[at + 4] | (size_t)b[at + 5] << 8 | (size_t)b[at + 6] << 16 | (size_t)b[at + 7] << 24;
        if (!memcmp(b + at, name, 4)) {
            *length = n;
            return at + 8;
        }
        at += 8 + n + (n & 1);
    }
    return 0;
}

static wave read_wave(const char* name) {
    wave w = {0};
    w.bytes = slurp(in_folder(name), &w.size);
    CHECK(w.bytes && w.size > 44 && !memcmp(w.bytes, "RIFF", 4));
    if (!w.bytes) exit(1);
    size_t length = 0, format = find_chunk(w.bytes, w.size, "fmt ", &length);
    w.width = w.bytes[format + 14] / 8;
    w.data = find_chunk(w.bytes, w.size, "data", &w.length);
    CHECK(w.data && w.data + w.length <= w.size);
    return w;
}

static void forget(wave* w, const char* name) {
    free(w->bytes);
    unlink(in_folder(name));
}

/** Sample i, of all channels in turn: in steps of whole numbers, or as it is in float. */
static double sample(const wave* w, size_t i) {
    const unsigned char* b = w->bytes + w->data + i * (size_t)w->width;
    float value;
    if (w->width == 2) return (int16_t)(b[0] | b[1] << 8);
    if (w->width == 3)
        return (double)(int32_t)((uint32_t)b[0] << 8 | (uint32_t)b[1] << 16 |
                                 (uint32_t)b[2] << 24) /
               256;
    memcpy(&value, b, sizeof value);
    return (double)value;
}

static double peak_of(const wave* w) {
    double peak = 0;
    for (size_t i = 0; i < w->length / (size_t)w->width; i++)
        peak = fmax(peak, fabs(sample(w, i)));
    return peak;
}

static sis_sound_level written(const char* name, const sis_sound_spec* spec, sound from,
                               double amplitude) {
    sis_fault fault = {0};
    sis_sound_level level;
    bool fine = write_sound(in_folder(name), spec, from, amplitude, &level, &fault);
    if (!fine) printf("    %s\n", fault.text);
    CHECK(fine);
    return level;
}

// ---------------------------------------------------------------------------- bytes

static void wav_bytes_are_reproducible(void) {
    sis_sound_spec spec = {.rate = 44100.4, .channels = 2, .frames = 3000, .title = "A title"};
    sis_sound_level level = written("a.wav", &spec, swing, 3);
    sleep(1); // a time stamp would differ
    written("b.wav", &spec, swing, 3);
    wave a = read_wave("a.wav"), b = read_wave("b.wav");
    CHECK(a.size == b.size && !memcmp(a.bytes, b.bytes, a.size));
    size_t length = 0;
    CHECK(find_chunk(a.bytes, a.size, "PEAK", &length) == 0);
    size_t list = find_chunk(a.bytes, a.size, "LIST", &length);
    CHECK(list && !memcmp(a.bytes + list, "INFOINAM", 8) &&
          !memcmp(a.bytes + list + 12, "A title", 7));
    size_t fmt = find_chunk(a.bytes, a.size, "fmt ", &length);
    CHECK(fmt && a.bytes[fmt] == 3 && a.bytes[fmt + 2] == 2); // IEEE float, stereo
    CHECK((a.bytes[fmt + 4] | a.bytes[fmt + 5] << 8 | a.bytes[fmt + 6] << 16) == 44100); // rounded
    CHECK(a.length == 3000 * 2 * 4);
    for (size_t n = 0; n < 3000; n++) // not clipped: up to 6; not faded: off
        for (int c = 0; c < 2; c++)
            CHECK(sample(&a, 2 * n + (size_t)c) == (double)(float)(3 * swing((double)n, c)));
    CHECK(level.gain == 1 && !level.faded && !level.clipped);
    CHECK(level.peak == level.raw_peak && level.peak > 5.9 && level.peak <= 6);
    forget(&a, "a.wav");
    forget(&b, "b.wav");
}

static void a_long_wav_is_rf64(void) {
    sis_fault fault = {0};
    sis_sound_spec spec = {.rate = 44100, .channels = 1, .frames = 1073741824 - 256};
    CHECK(sis_sound_file_check(&spec, &fault) && sis_sound_file_format(&spec) == SIS_SOUND_WAV);
    spec.frames = 1073741824;
    CHECK(sis_sound_file_check(&spec, &fault) && sis_sound_file_format(&spec) == SIS_SOUND_RF64);
    spec.bits = SIS_SOUND_16;
    CHECK(sis_sound_file_format(&spec) == SIS_SOUND_WAV);
    // A short one has the same chunks: the sizes of RIFF are -1, those of ds64 hold.
    spec = (sis_sound_spec){.rate = 96000, .channels = 3, .frames = 500, .title = "Long"};
    spec.format = SIS_SOUND_RF64;
    written("r.wav", &spec, swing, 0.1);
    size_t size = 0, length = 0;
    unsigned char* b = slurp(in_folder("r.wav"), &size);
    CHECK(b && size > 6000 && !memcmp(b, "RF64\xff\xff\xff\xffWAVEds64", 16));
    size_t ds64 = b ? find_chunk(b, size, "ds64", &length) : 0;
    if (!ds64) return;
    uint64_t riff, data, frames;
    memcpy(&riff, b + ds64, 8);
    memcpy(&data, b + ds64 + 8, 8);
    memcpy(&frames, b + ds64 + 16, 8);
    CHECK(riff == size - 8 && data == 6000 && frames == 500);
    size_t at = find_chunk(b, size, "data", &length);
    CHECK(at && length == 0xffffffffu && at + 6000 <= size);
    float value;
    memcpy(&value, b + at + 4 * (3 * 499 + 2), 4);
    CHECK(value == (float)(0.1 * swing(499, 2)));
    CHECK(memmem(b, size, "Long", 4) != NULL);
    free(b);
    unlink(in_folder("r.wav"));
}

static void flac_has_its_rate_and_length(void) {
    sis_sound_spec spec = {.rate = 22050, .channels = 2, .frames = 3000, .title = "A title"};
    spec.format = SIS_SOUND_FLAC;
    spec.bits = SIS_SOUND_24;
    written("a.flac", &spec, swing, 0.3);
    written("b.flac", &spec, swing, 0.3);
    size_t size = 0, other = 0;
    unsigned char *b = slurp(in_folder("a.flac"), &size), *c = slurp(in_folder("b.flac"), &other);
    CHECK(b && c && size == other && !memcmp(b, c, size));
    if (!b || !c) return;
    CHECK(size > 100 && !memcmp(b, "fLaC", 4));
    const unsigned char* info = b + 8 + 10; // STREAMINFO: rate, channels, bits, frames
    CHECK((info[0] << 12 | info[1] << 4 | info[2] >> 4) == 22050);
    CHECK((info[2] >> 1 & 7) == 1 && ((info[2] & 1) << 4 | info[3] >> 4) == 23);
    CHECK((info[5] << 16 | info[6] << 8 | info[7]) == 3000);
    CHECK(memmem(b, size, "A title", 7) != NULL);
    free(b);
    free(c);
    unlink(in_folder("a.flac"));
    unlink(in_folder("b.flac"));
}

static void what_a_format_cannot_hold_is_refused(void) {
    sis_fault fault = {0};
    sis_sound_spec fine = {.rate = 44100, .channels = 1, .frames = 100}, s = fine;
    CHECK(sis_sound_file_check(&fine, &fault));
    s.rate = 0.4;
    CHECK(!sis_sound_file_check(&s, &fault) && fault.kind == SIS_FAULT_REQUEST);
    s.rate = 2e9;
    CHECK(!sis_sound_file_check(&s, &fault));
    CHECK_TEXT(fault.text, "1 channels cannot have a rate of 2e+09 Hz");
    fine.format = SIS_SOUND_FLAC;
    CHECK(!sis_sound_file_check(&fine, &fault));
    CHECK_TEXT(fault.text, "--bits 24");
    fine.bits = SIS_SOUND_24;
    static const double rates[] = {1, 11025, 65535, 65540, 192000, 655350};
    for (int i = 0; i < 6; i++) { // and the library agrees
        fine.rate = rates[i];
        CHECK(sis_sound_file_check(&fine, &fault));
        written("x.flac", &fine, swing, 0.1);
        unlink(in_folder("x.flac"));
    }
    fine.rate = 65536;
    CHECK(!sis_sound_file_check(&fine, &fault));
    CHECK_TEXT(fault.text, "multiples of 10");
    fine.rate = 700000;
    CHECK(!sis_sound_file_check(&fine, &fault));
    fine.rate = 48000;
    fine.channels = 9;
    CHECK(!sis_sound_file_check(&fine, &fault));
    CHECK_TEXT(fault.text, "8 is the most");
}

static void a_sound_beyond_float_is_an_error(void) {
    sis_fault fault = {0};
    sis_sound_level level;
    sis_sound_spec spec = {.rate = 44100, .channels = 1, .frames = 400};
    CHECK(!write_sound(in_folder("f.wav"), &spec, swing, 1e39, &level, &fault));
    CHECK_TEXT(fault.text, "normalise");
    CHECK(access(in_folder("f.wav"), F_OK) != 0);
}

// ---------------------------------------------------------------------------- levels

static void normalised_sound_peaks_at_minus_one_decibel(void) {
    const double amplitudes[] = {1e-30, 0.5, 1e60}; // 1e60 is beyond float before scaling
    for (int i = 0; i < 3; i++) {
        sis_sound_spec spec = {.rate = 48000, .channels = 2, .frames = 5000, .normalise = true};
        sis_sound_level level = written("n.wav", &spec, swing, amplitudes[i]);
        wave w = read_wave("n.wav");
        CHECK_NEAR(20 * log10(peak_of(&w)), -1, 1e-5);
        CHECK_NEAR(20 * log10(level.peak), -1, 1e-12);
        CHECK_NEAR(level.gain * level.raw_peak, level.peak, 1e-3); // the peak is not in the fade
        // One gain for both channels: the second stays twice the first.
        CHECK_NEAR(sample(&w, 601) / sample(&w, 600), 2 * sin(4) / sin(3), 1e-5);
        forget(&w, "n.wav");
    }
}

static double rising(double n, int channel) {
    return n * sin(0.3 * n + channel);
}

static void a_peak_within_the_fade_is_counted_as_it_is_written(void) {
    sis_sound_spec spec = {.rate = 22050, .channels = 1, .frames = 2000, .normalise = true};
    sis_sound_level level = written("n.wav", &spec, rising, 1);
    wave w = read_wave("n.wav");
    CHECK(level.faded && fabs(20 * log10(peak_of(&w)) + 1) < 1e-5);
    forget(&w, "n.wav");
}

static void gain_comes_on_top(void) {
    for (int normalise = 0; normalise < 2; normalise++)
        for (int i = 0; i < 3; i++) {
            double db = (double[]){-17.3, 0, 6.5}[i];
            sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = 4000, .gain_db = db};
            spec.normalise = normalise;
            sis_sound_level level = written("g.wav", &spec, swing, 0.25);
            wave w = read_wave("g.wav");
            double expected = normalise ? -1 : 20 * log10(level.raw_peak);
            CHECK_NEAR(20 * log10(peak_of(&w)), expected + db, 1e-5);
            CHECK_NEAR(20 * log10(level.peak), expected + db, 1e-9);
            forget(&w, "g.wav");
        }
}

static void a_reference_is_a_fixed_gain(void) {
    for (int i = 0; i < 3; i++) {
        double amplitude = (double[]){0.01, 1, 5}[i];
        sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = 4000, .normalise = true};
        spec.reference = 2;
        sis_sound_level level = written("g.wav", &spec, swing, amplitude);
        CHECK_NEAR(20 * log10(level.gain * 2), -1, 1e-12);
        wave w = read_wave("g.wav");
        CHECK_NEAR(sample(&w, 157), amplitude * sin(1.57) / 2 * pow(10, -0.05), 1e-6);
        forget(&w, "g.wav");
    }
}

// ---------------------------------------------------------------------------- fades

static void an_end_that_sounds_fades_over_20_ms(void) {
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int i = 0; i < 4; i++) {
        sis_sound_spec spec = {.rate = rates[i], .channels = 2, .frames = 9001, .normalise = true};
        sis_sound_level level = written("f.wav", &spec, swing, 0.7);
        wave w = read_wave("f.wav");
        CHECK(level.faded && w.length == 9001 * 8);
        size_t fade = (size_t)round(0.02 * rates[i]);
        for (size_t n = 0; n < 9001; n++) {
            double left = (double)(9000 - n), part = left / (double)fade;
            double shape = part >= 1 ? 1 : 0.5 - 0.5 * cos(3.14159265358979 * part);
            for (int c = 0; c < 2; c++)
                CHECK_NEAR(sample(&w, 2 * n + (size_t)c),
                           shape * level.gain * 0.7 * swing((double)n, c), 1e-6);
        }
        CHECK(sample(&w, 18000) == 0 && sample(&w, 18001) == 0);
        forget(&w, "f.wav");
    }
}

static double dying(double n, int channel) {
    return n < 3000 ? swing(n, channel) : 9e-5 * swing(n, channel); // more than 80 dB down
}

static void a_silent_end_is_left_alone(void) {
    sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = 5000, .normalise = true};
    sis_sound_level level = written("s.wav", &spec, dying, 1);
    wave w = read_wave("s.wav");
    CHECK(!level.faded && sample(&w, 4999) == (double)(float)(level.gain * dying(4999, 0)));
    forget(&w, "s.wav");
}

static double late(double n, int channel) {
    (void)channel;
    return n >= 99 ? 1 : 0; // the last of a hundred
}

static void very_short_sounds_are_not_lost(void) {
    for (uint64_t frames = 1; frames < 100; frames += 7) {
        sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = frames, .normalise = true};
        sis_sound_level level = written("s.wav", &spec, swing, 0.3);
        CHECK(frames == 1 || fabs(20 * log10(level.peak) + 1) < 1e-9); // sin 0 is all it has
        unlink(in_folder("s.wav"));
    }
    sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = 100, .normalise = true};
    sis_sound_level level = written("s.wav", &spec, late, 0.3);
    CHECK(!level.faded && fabs(20 * log10(level.peak) + 1) < 1e-9);
    unlink(in_folder("s.wav"));
}

// ---------------------------------------------------------------------------- bits

/** Between two steps, moving slowly: without dither its error would follow it. */
static double slow(double n, int channel) {
    return (0.3 + 1e-4 * n + channel) / 32768;
}

static void dither_makes_the_error_independent_of_the_sound(void) {
    for (int i = 0; i < 2; i++) {
        sis_sound_spec spec = {.rate = 48000, .channels = 2, .frames = 40000};
        spec.bits = i ? SIS_SOUND_24 : SIS_SOUND_16;
        double steps = i ? 8388608 : 32768, scale = 32768 / steps;
        sis_sound_level level = written("d.wav", &spec, slow, scale);
        wave w = read_wave("d.wav");
        CHECK(!level.clipped && w.width == (i ? 3 : 2) && w.length == 80000 * (size_t)w.width);
        // In each tenth of the sound: no mean error, variance 1/12 + 2/12 of a step squared.
        for (size_t part = 0; part < 10; part++) {
            double sum = 0, square = 0, most = 0;
            for (size_t k = 8000 * part; k < 8000 * (part + 1); k++) {
                double off = sample(&w, k) - slow((double)(k / 2), (int)(k % 2)) * 32768;
                sum += off;
                square += off * off;
                most = fmax(most, fabs(off));
            }
            CHECK(fabs(sum / 8000) < 0.025); // 0.5/sqrt(8000) is 0.0056
            CHECK(fabs(square / 8000 - 0.25) < 0.02);
            CHECK(most <= 1.5);
        }
        written("e.wav", &spec, slow, scale);
        wave again = read_wave("e.wav");
        CHECK(again.size == w.size && !memcmp(again.bytes, w.bytes, w.size));
        forget(&again, "e.wav");
        forget(&w, "d.wav");
    }
}

static void beyond_full_scale_is_clipped_and_counted(void) {
    sis_sound_spec spec = {.rate = 48000, .channels = 1, .frames = 6283, .bits = SIS_SOUND_16};
    sis_sound_level level = written("c.wav", &spec, swing, 2); // ten turns: 2/3 of them above 1/2
    wave w = read_wave("c.wav");
    size_t top = 0, bottom = 0;
    for (size_t n = 0; n < 6283; n++) {
        top += sample(&w, n) == 32767;
        bottom += sample(&w, n) == -32768;
    }
    CHECK(level.clipped > 4100 && level.clipped < 4300);
    CHECK(top > 2050 && bottom > 2050 && fabs((double)(top + bottom) - (double)level.clipped) < 10);
    CHECK_NEAR(level.peak, 2, 1e-4);
    forget(&w, "c.wav");
    spec.normalise = true;
    level = written("c.wav", &spec, swing, 2);
    CHECK(!level.clipped);
    unlink(in_folder("c.wav"));
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sistrum-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    RUN(wav_bytes_are_reproducible);
    RUN(a_long_wav_is_rf64);
    RUN(flac_has_its_rate_and_length);
    RUN(what_a_format_cannot_hold_is_refused);
    RUN(a_sound_beyond_float_is_an_error);
    RUN(normalised_sound_peaks_at_minus_one_decibel);
    RUN(a_peak_within_the_fade_is_counted_as_it_is_written);
    RUN(gain_comes_on_top);
    RUN(a_reference_is_a_fixed_gain);
    RUN(an_end_that_sounds_fades_over_20_ms);
    RUN(a_silent_end_is_left_alone);
    RUN(very_short_sounds_are_not_lost);
    RUN(dither_makes_the_error_independent_of_the_sound);
    RUN(beyond_full_scale_is_clipped_and_counted);
    CHECK(rmdir(folder) == 0);
    return CHECK_REPORT();
}
