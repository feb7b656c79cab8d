/** @file note.h
 * Notes by name, MIDI key or frequency, and where a note falls in the params of a scene.
 *
 * A4 is MIDI key 69, middle C is C4, key 60. Nothing here prints; failures are one sentence in a
 * sis_fault.
 */
#ifndef SISTRUM_MUSIC_NOTE_H
#define SISTRUM_MUSIC_NOTE_H

#include "fault.h"
#include "gesture.h"
#include "script.h"
#include "text.h" // sis_note_name

#include <stdint.h>

enum { SIS_KEYS = 128, SIS_KEY_A4 = 69 };

/** What each MIDI key sounds at, Hz; NaN: the key is silent. */
typedef struct sis_tuning {
    double hz[SIS_KEYS];
} sis_tuning;

/** Twelve equal steps to the octave, A4 at `a4` Hz. [any] */
sis_tuning sis_tuning_equal(double a4);

/** A note as a user writes it: "A3", "C#4", "Bb2", a MIDI key "57", or a frequency "220Hz". */
typedef struct sis_note_text {
    int32_t key; // 0 .. 127; -1: a frequency was given
    double hz;   // then; else NaN: the tuning says it
} sis_note_text;

/** Reads one; a sentence with what would work when it is none. [any] */
bool sis_note_read(const char* text, sis_note_text* note, sis_fault* fault);

/** The value of a param at velocity 0 .. 1, from its min to its max along its scale. [any] */
double sis_note_velocity(const sis_param* param, double velocity);

/** Is *hz in the range of the param of pitch? If not, a sentence with that range, in Hz and in
 * names of notes of the tuning. `what` begins it: "--note C8". Whoever writes max = 2093 means C7,
 * 2093.0045 Hz: what is beyond by less than 0.1 cent is taken to the end of the range. [any] */
bool sis_note_in_range(const sis_param* param, double* hz, const sis_tuning* tuning,
                       const char* what, sis_fault_kind kind, sis_fault* fault);

/** The range of the pitch as that of a param, though it may be an input, of a course (0: there are
 * none). False: the scene has no pitch. [any] */
bool sis_note_range(const sis_script* script, int32_t course, sis_param* range);

/** The settings that a note makes of a scene: at most two. `names` is room for their names. */
typedef struct sis_note_settings {
    sis_setting settings[2];
    int32_t count;
    char names[2][64];
} sis_note_settings;

/** What a note of that frequency and velocity sets; NaN: leaves it to the scene. Inputs start there;
 * triggers, gates and everything else of sis_gestures are not settings. [any] */
void sis_note_set(const sis_script* script, double hz, double velocity, sis_note_settings* made);

#endif
