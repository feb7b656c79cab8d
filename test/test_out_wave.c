// WAV and RF64 files have the bytes that libsndfile gives them.

#include "check.h"
#include "wave_file.h"

#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAMES_MOST = 64, CHANNELS_MOST = 9 };

static void make_samples(void* samples, const sis_sound_spec* spec) {
    uint32_t seed = 1;
    for (size_t i = 0; i < (size_t)spec->frames * (size_t)spec->channels; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (spec->bits == SIS_SOUND_32F)
            ((float*)samples)[i] = (float)(int32_t)seed / 1e9f;
        else
            ((int*)samples)[i] =
                (int)(seed & (spec->bits == SIS_SOUND_16 ? 0xffff0000u : 0xffffff00u));
    }
}

static void write_theirs(int descriptor, const sis_sound_spec* spec, const void* samples) {
    static const int codes[] = {SF_FORMAT_FLOAT, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24};
    SF_INFO info = {.samplerate = (int)round(spec->rate),
                    .channels = spec->channels,
                    .format = (spec->format == SIS_SOUND_RF64 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) |
                              codes[spec->bits]};
    SNDFILE* file = sf_open_fd(descriptor, SFM_WRITE, &info, SF_FALSE);
    CHECK(file != NULL);
    sf_command(file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (spec->title && *spec->title) sf_set_string(file, SF_STR_TITLE, spec->title);
    if (spec->bits == SIS_SOUND_32F)
        sf_writef_float(file, samples, (sf_count_t)spec->frames);
    else
        sf_writef_int(file, samples, (sf_count_t)spec->frames);
    CHECK(sf_close(file) == 0);
}

static void write_ours(int descriptor, const sis_sound_spec* spec, void* samples) {
    sis_wave wave;
    sis_fault fault;
    CHECK(sis_wave_open(&wave, descriptor, spec, &fault));
    CHECK(sis_wave_write(&wave, samples, (size_t)spec->frames, &fault));
    CHECK(sis_wave_close(&wave, &fault));
}

/** All bytes of an open file; free() them. */
static unsigned char* bytes_of(FILE* file, size_t* size) {
    long end = (fseek(file, 0, SEEK_END), ftell(file));
    *size = (size_t)end;
    unsigned char* bytes = calloc(*size + 1, 1);
    rewind(file);
    CHECK(bytes && fread(bytes, 1, *size, file) == *size);
    return bytes;
}

static void compare(const sis_sound_spec* spec) {
    uint32_t samples[FRAMES_MOST * CHANNELS_MOST];
    FILE *theirs = tmpfile(), *ours = tmpfile();
    if (!theirs || !ours) exit(1);
    make_samples(samples, spec);
    write_theirs(fileno(theirs), spec, samples);
    write_ours(fileno(ours), spec, samples);
    size_t size, own;
    unsigned char *expected = bytes_of(theirs, &size), *bytes = bytes_of(ours, &own);
    bool same = own == size && !memcmp(bytes, expected, size);
    CHECK(same);
    if (!same)
        printf("  %d channels, %d frames, bits %d, format %d, title '%.20s'\n", (int)spec->channels,
               (int)spec->frames, (int)spec->bits, (int)spec->format, spec->title);
    free(expected);
    free(bytes);
    fclose(theirs);
    fclose(ours);
}

// ---------------------------------------------------------------------------- laws

static void wave_files_have_the_bytes_of_libsndfile(void) {
    static const char* const titles[] = {
        "",
        "A",
        "Two",
        "Tanpura",
        "A title of an odd length",
        "Glöckchen \"mit\" Umlaut",
        "A title longer than what libsndfile leaves room for, at nine channels and more",
    };
    for (int32_t channels = 1; channels <= CHANNELS_MOST; channels++)
        for (int bits = SIS_SOUND_32F; bits <= SIS_SOUND_24; bits++)
            for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
                for (uint64_t frames = 1; frames <= 64; frames += 21)
                    compare(&(sis_sound_spec){.rate = 44100.4,
                                              .channels = channels,
                                              .frames = frames,
                                              .title = titles[t],
                                              .bits = (sis_sound_bits)bits});
}

static void long_titles_are_kept_whole(void) {
    char title[5000];
    memset(title, 'x', sizeof title);
    title[sizeof title - 1] = '\0';
    compare(&(sis_sound_spec){.rate = 48000, .channels = 2, .frames = 5, .title = title});
}

// Those of floats have a PEAK chunk with the time of writing by libsndfile.
static void rf64_files_of_whole_numbers_have_the_bytes_of_libsndfile(void) {
    for (int32_t channels = 1; channels <= CHANNELS_MOST; channels++)
        for (int bits = SIS_SOUND_16; bits <= SIS_SOUND_24; bits++)
            for (uint64_t frames = 7; frames <= 8; frames++)
                compare(&(sis_sound_spec){.rate = 96000,
                                          .channels = channels,
                                          .frames = frames,
                                          .title = frames % 2 ? "Bell" : NULL,
                                          .format = SIS_SOUND_RF64,
                                          .bits = (sis_sound_bits)bits});
}

static void rf64_files_of_floats_read_back_and_hold_no_time(void) {
    sis_sound_spec spec = {.rate = 96000, .channels = 2, .frames = 9, .format = SIS_SOUND_RF64};
    uint32_t samples[FRAMES_MOST * CHANNELS_MOST];
    float read[FRAMES_MOST * CHANNELS_MOST], expected[FRAMES_MOST * CHANNELS_MOST];
    FILE* file = tmpfile();
    if (!file) exit(1);
    make_samples(samples, &spec);
    memcpy(expected, samples, sizeof expected);
    write_ours(fileno(file), &spec, samples);
    size_t size;
    unsigned char* bytes = bytes_of(file, &size);
    for (size_t i = 0; i + 4 <= size; i++)
        CHECK(memcmp(bytes + i, "PEAK", 4) != 0);
    lseek(fileno(file), 0, SEEK_SET);
    SF_INFO info = {0};
    SNDFILE* sound = sf_open_fd(fileno(file), SFM_READ, &info, SF_FALSE);
    CHECK(sound && info.frames == 9 && info.channels == 2 && info.samplerate == 96000);
    CHECK(sf_readf_float(sound, read, 9) == 9);
    CHECK(!memcmp(read, expected, 9 * 2 * sizeof *read));
    sf_close(sound);
    fclose(file);
    free(bytes);
}

int main(void) {
    RUN(wave_files_have_the_bytes_of_libsndfile);
    RUN(long_titles_are_kept_whole);
    RUN(rf64_files_of_whole_numbers_have_the_bytes_of_libsndfile);
    RUN(rf64_files_of_floats_read_back_and_hold_no_time);
    return CHECK_REPORT();
}
