/** @file sound_file.h
 * Sound files: WAV, RF64 and FLAC, written as the sound comes; the same bytes for the same sound.
 *
 *   frames --peak--> scratch --gain, fade--> samples --dither, rounding--> file
 *
 * 32-bit float is never clipped. Whole numbers of 16 and 24 bits get triangular dither of one step
 * (TPDF), from a generator that starts alike in every file.
 */
#ifndef SISTRUM_OUT_SOUND_FILE_H
#define SISTRUM_OUT_SOUND_FILE_H

#include "decimate.h"

#include <stdint.h>

typedef struct sis_sound_file sis_sound_file;

typedef enum sis_sound_format { SIS_SOUND_WAV, SIS_SOUND_RF64, SIS_SOUND_FLAC } sis_sound_format;
typedef enum sis_sound_bits { SIS_SOUND_32F, SIS_SOUND_16, SIS_SOUND_24 } sis_sound_bits;

/** The length of the fade, s, and how far below the reference an end is silent, as a factor. */
#define SIS_SOUND_FADE_SECONDS 0.02
#define SIS_SOUND_SILENCE      1e-4 // -80 dB

typedef struct sis_sound_spec {
    double rate; // Hz; the header holds whole numbers, so it is rounded there
    int32_t channels;
    uint64_t frames;         // how many will come
    const char* title;       // NULL or "": no tag
    sis_sound_format format; // a WAV that its header cannot hold becomes RF64
    sis_sound_bits bits;
    bool normalise;   // one gain for all channels so that the reference is at -1 dBFS, and a fade
    double reference; // to normalise: what is at -1 dBFS; 0: the peak of this sound
    double gain_db;   // dB, on top of it
    bool kept;        // all of it waits in the scratch file, for sis_sound_file_keep
} sis_sound_spec;

/** What became of the levels. */
typedef struct sis_sound_level {
    double raw_peak;  // largest absolute value that came
    double gain;      // the factor it was multiplied by
    double peak;      // largest absolute value after it; 1 is full scale
    bool faded;       // the end sounded
    uint64_t clipped; // samples beyond full scale, of 16 and 24 bits
} sis_sound_level;

/** Can such a file exist? A sentence when rate, channels or bits are beyond the format. */
bool sis_sound_file_check(const sis_sound_spec* spec, sis_fault* fault);

/** The format that is written: RF64 for a WAV of 4 GiB and more. */
sis_sound_format sis_sound_file_format(const sis_sound_spec* spec);

/** Bytes that the file takes at most: a FLAC file may be much smaller. */
double sis_sound_file_bytes(const sis_sound_spec* spec);

/** "wav", "rf64" or "flac"; "16", "24" or "32f". */
const char* sis_sound_format_word(sis_sound_format format);
const char* sis_sound_bits_word(sis_sound_bits bits);

/** Starts a file on a descriptor of sis_files_add. To normalise, the unscaled sound waits in
 *  memory up to 128 MiB, then in `scratch` (a descriptor of sis_files_scratch, else -1), so that
 *  memory does not grow with duration for ever. */
sis_sound_file* sis_sound_file_open(int descriptor, int scratch, const sis_sound_spec* spec,
                                    sis_fault* fault);

/** Takes [count][channels] values; `file` is a sis_sound_file: this is a sis_emit. */
bool sis_sound_file_take(void* file, const double* frames, int32_t count, sis_fault* fault);

/** Puts down what it knows of the sound so far, or takes it up and goes on. Of a kept one. */
bool sis_sound_file_keep(sis_sound_file* file, sis_store* store, sis_fault* fault);

/** Completes the file. Frees `file` in any case; NULL is fine. `level` may be NULL. */
bool sis_sound_file_close(sis_sound_file* file, sis_sound_level* level, sis_fault* fault);

/** Gives up: frees without completing; NULL is fine. */
void sis_sound_file_free(sis_sound_file* file);

#endif
