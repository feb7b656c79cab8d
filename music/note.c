#include "note.h"

#include "sistrum/elementary.h"
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

sis_tuning sis_tuning_equal(double a4) {
    sis_tuning tuning;
    for (int key = 0; key < SIS_KEYS; key++)
        tuning.hz[key] = a4 * sis_exp2((key - SIS_KEY_A4) / 12.0);
    return tuning;
}

// ---------------------------------------------------------------------------- names

// A letter, sharps or flats, an octave: C-1 is key 0, G9 is key 127.
static bool read_name(const char* text, long* key) {
    static const int steps[] = {9, 11, 0, 2, 4, 5, 7}; // of a, b, c, ...
    int letter = tolower((unsigned char)*text);
    if (letter < 'a' || letter > 'g') return false;
    long step = steps[letter - 'a'];
    for (text++; *text == '#' || *text == 'b'; text++)
        step += *text == '#' ? 1 : -1;
    size_t digits = strspn(*text == '-' ? text + 1 : text, "0123456789");
    if (digits < 1 || digits > 3) return false;
    long octave = 0;
    if (!sis_text_whole(text, -999, 999, &octave)) return false;
    *key = step + 12 * (octave + 1);
    return true;
}

static bool read_hz(const char* text, double* hz) {
    size_t length = strspn(text, "0123456789."); // no exponents, no hex
    const char* unit = text + length + strspn(text + length, " ");
    char digits[64];
    if (length == 0 || length >= sizeof digits || strcasecmp(unit, "Hz") != 0) return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    return sis_text_number(digits, hz);
}

bool sis_note_read(const char* text, sis_note_text* note, sis_fault* fault) {
    long key = 0;
    double hz = 0;
    bool number = *text && strlen(text) <= 4 && text[strspn(text, "0123456789")] == '\0';
    *note = (sis_note_text){.key = -1, .hz = (double)NAN};
    if (read_hz(text, &hz)) {
        if (!(hz >= 1e-3 && hz <= 1e6))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%.60s' is no frequency of a note: it must be from 0.001 to "
                                 "1e6 Hz",
                                 text);
        note->hz = hz;
        return true;
    }
    if (number) sis_text_whole(text, 0, 9999, &key);
    if (!number && !read_name(text, &key))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%.60s' is not a note: write a name such as A3, C#4 or Bb2, a MIDI "
                             "key 0 .. 127, or a frequency such as 220Hz",
                             text);
    if (number && key >= SIS_KEYS)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%.60s' is beyond the MIDI keys 0 .. 127 (did you mean '%ldHz'?)",
                             text, key);
    if (key < 0 || key >= SIS_KEYS)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%.60s' is beyond the MIDI keys 0 .. 127, C-1 .. G9; a frequency "
                             "such as 13289.75Hz may be any",
                             text);
    note->key = (int32_t)key;
    return true;
}

// ---------------------------------------------------------------------------- params

double sis_note_velocity(const sis_param* param, double velocity) {
    double v = fmin(fmax(velocity, 0), 1);
    double value = param->logarithmic ? param->min * sis_power(param->max / param->min, v)
                                      : param->min + (param->max - param->min) * v;
    return fmin(fmax(value, param->min), param->max); // rounding must not leave the range
}

// In the range, or beyond it by less than a rounding of its ends: 0.1 cent.
static bool nearly_inside(const sis_param* param, double hz) {
    static const double rounding = 1.0000577622; // 2^(0.1/1200)
    return hz * rounding >= param->min && hz <= param->max * rounding;
}

// The lowest and the highest key of the tuning whose sound is in the range; false: there is none.
static bool keys_inside(const sis_param* param, const sis_tuning* tuning, int* low, int* high) {
    *low = *high = -1;
    for (int key = 0; key < SIS_KEYS; key++) {
        if (!nearly_inside(param, tuning->hz[key])) continue;
        if (*low < 0 || tuning->hz[key] < tuning->hz[*low]) *low = key;
        if (*high < 0 || tuning->hz[key] > tuning->hz[*high]) *high = key;
    }
    return *low >= 0;
}

bool sis_note_in_range(const sis_param* param, double* hz, const sis_tuning* tuning,
                       const char* what, sis_fault_kind kind, sis_fault* fault) {
    if (nearly_inside(param, *hz)) {
        *hz = fmin(fmax(*hz, param->min), param->max);
        return true;
    }
    char low_name[16], high_name[16], names[64] = "no note of the tuning";
    int low, high;
    if (keys_inside(param, tuning, &low, &high))
        snprintf(names, sizeof names, "notes %s .. %s", sis_note_name(low, low_name),
                 sis_note_name(high, high_name));
    return sis_fault_set(fault, kind, "%s (%.6g Hz) is outside the range of '%s': %g .. %g Hz, %s",
                         what, *hz, param->name, param->min, param->max, names);
}

static void set(sis_note_settings* made, const char* name, double value) {
    int32_t i = made->count++;
    snprintf(made->names[i], sizeof made->names[i], "%s", name);
    made->settings[i] = (sis_setting){.name = made->names[i], .value = value};
}

bool sis_note_range(const sis_script* script, int32_t course, sis_param* range) {
    const sis_play* play = sis_script_play(script);
    const sis_gestures* g = sis_script_gestures(script);
    int32_t input = play ? sis_gesture_input(g, SIS_ACT_PITCH, course) : -1;
    sis_input of = sis_script_input(script, input);
    *range = (sis_param){.name = of.name, .min = of.min, .max = of.max};
    if (play && play->pitch >= 0) *range = sis_script_param(script, play->pitch);
    return range->name != NULL;
}

// Of an input, as of a param.
static double input_velocity(const sis_input* input, double velocity) {
    sis_param as = {.min = input->min, .max = input->max};
    return sis_note_velocity(&as, velocity);
}

static void set_velocity(sis_note_settings* made, const sis_script* script, int32_t course,
                         double velocity) {
    int32_t which = sis_script_play(script)->velocity;
    sis_param param = sis_script_param(script, which);
    int32_t i = sis_gesture_input(sis_script_gestures(script), SIS_ACT_VELOCITY, course);
    sis_input input = sis_script_input(script, i);
    if (which >= 0)
        set(made, param.name, sis_note_velocity(&param, velocity));
    else if (i >= 0 && !input.trigger)
        set(made, input.name, input_velocity(&input, velocity));
}

void sis_note_set(const sis_script* script, double hz, double velocity, sis_note_settings* made) {
    sis_param range;
    made->count = 0;
    if (!sis_script_play(script)) return;
    int32_t course = sis_gesture_course_at(sis_script_gestures(script), hz);
    if (!isnan(hz) && sis_note_range(script, course, &range)) {
        bool inside = nearly_inside(&range, hz); // if not, the scene will say so
        set(made, range.name, inside ? fmin(fmax(hz, range.min), range.max) : hz);
    }
    if (!isnan(velocity)) set_velocity(made, script, course, velocity);
}
