/** @file scala.h
 * Tunings as the program Scala writes them: a scale (.scl) and a keyboard map (.kbm).
 *
 * A scale is a list of pitches above its first, in cents or as ratios; the last one is the interval
 * at which it repeats. A keyboard map says which MIDI key plays which degree, and the frequency of
 * one key. Texts of any content end with a tuning or a sentence with the line.
 */
#ifndef SISTRUM_MUSIC_SCALA_H
#define SISTRUM_MUSIC_SCALA_H

#include "note.h"

#include <stddef.h>

enum { SIS_SCALE_MOST = 4096, SIS_KEYMAP_MOST = 4096 };

typedef struct sis_scale {
    int32_t count;
    double cents[SIS_SCALE_MOST]; // [count], above degree 0; the last one is where it repeats
} sis_scale;

typedef struct sis_keymap {
    int32_t size;        // keys after which it repeats; 0: degree after degree, key after key
    int32_t first, last; // keys that it retunes; all others stay equal tempered
    int32_t middle;      // key of its first entry
    int32_t reference;   // key whose frequency is given
    double frequency;    // Hz
    int32_t octave;      // degrees by which a repetition of the map is higher; 0: the whole scale
    int32_t degree[SIS_KEYMAP_MOST]; // [size]; -1: silent
} sis_keymap;

/** Degree 0 on middle C and so on; A4 at `a4` Hz. [any] */
sis_keymap sis_keymap_linear(double a4);

/** Read a text of `size` bytes; `name` stands for the file in sentences. [any] */
bool sis_scale_read(const char* text, size_t size, const char* name, sis_scale* scale,
                    sis_fault* fault);
bool sis_keymap_read(const char* text, size_t size, const char* name, sis_keymap* map,
                     sis_fault* fault);

/** The sound of every key. `name` is that of the map, or of the scale when there is none. [any] */
bool sis_tuning_scala(const sis_scale* scale, const sis_keymap* map, const char* name,
                      sis_tuning* tuning, sis_fault* fault);

/** The tuning that the options of the program ask for: files that are NULL are not given, `a4` NaN
 * neither. [setup] */
bool sis_tuning_open(const char* scale_path, const char* keys_path, double a4, sis_tuning* tuning,
                     sis_fault* fault);

#endif
