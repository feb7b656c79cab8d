#include "scala.h"

#include "scene_file.h"
#include "sistrum/elementary.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- lines

enum { LONGEST = 256 }; // bytes of a line that count: what follows a value is a comment

/** A text, line by line. */
typedef struct lines {
    const char *at, *end;
    const char* name; // of the file
    int number;       // of the line in `text`
    char text[LONGEST];
} lines;

static bool fail(const lines* l, sis_fault* fault, const char* why) {
    return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s:%d: %s", l->name, l->number, why);
}

static bool ended(const lines* l, sis_fault* fault, const char* wanted) {
    return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: it ends before %s", l->name, wanted);
}

// The next line that is no comment; false at the end.
static bool next_line(lines* l) {
    while (l->at < l->end) {
        size_t left = (size_t)(l->end - l->at), length = 0;
        while (length < left && l->at[length] != '\n' && l->at[length] != '\r')
            length++;
        size_t kept = length < LONGEST - 1 ? length : LONGEST - 1;
        memcpy(l->text, l->at, kept);
        l->text[kept] = '\0';
        l->number++;
        l->at += length;
        bool both = left - length >= 2 && l->at[0] == '\r' && l->at[1] == '\n';
        if (l->at < l->end) l->at += both ? 2 : 1;
        if (l->text[0] != '!') return true;
    }
    return false;
}

// The first word of the line; "" when it has none. Cuts the line there.
static const char* first_word(lines* l) {
    char* word = l->text + strspn(l->text, " \t");
    word[strcspn(word, " \t")] = '\0';
    return word;
}

static bool open_text(lines* l, const char* text, size_t size, const char* name, sis_fault* fault) {
    *l = (lines){.at = text, .end = text + size, .name = name};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) l->at += 3;
    if (!size || !memchr(text, '\0', size)) return true;
    return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: there is a zero byte; it is no text",
                         name);
}

// A whole number from min to max.
static bool read_whole(lines* l, const char* what, long min, long max, int32_t* value,
                       sis_fault* fault) {
    if (!next_line(l)) return ended(l, fault, what);
    const char* word = first_word(l);
    long number = 0;
    if (!sis_text_whole(word, min, max, &number)) {
        char why[320];
        snprintf(why, sizeof why, "%s must be a whole number from %ld to %ld, not '%.60s'", what,
                 min, max, word);
        return fail(l, fault, why);
    }
    *value = (int32_t)number;
    return true;
}

// ---------------------------------------------------------------------------- scales

// Digits only: a sign, a point or a power is no part of a ratio.
static bool read_digits(const char* text, double* value) {
    return strlen(text) <= 40 && !text[strspn(text, "0123456789")] &&
           sis_text_number(text, value) && *value > 0;
}

// "701.955" is in cents because of its point, "3/2" and "2" are ratios.
static bool read_pitch(const char* word, double* cents) {
    if (strchr(word, '.')) {
        if (word[strspn(word, "+-.0123456789")]) return false; // no powers of ten
        return sis_text_number(word, cents) && fabs(*cents) <= 1e5;
    }
    double above = 1, below = 1;
    char cut[LONGEST]; // so that the digits end at the slash
    snprintf(cut, sizeof cut, "%s", word);
    char* slash = strchr(cut, '/');
    if (slash) *slash = '\0';
    if (!read_digits(cut, &above) || !read_digits(slash ? slash + 1 : "1", &below)) return false;
    *cents = 1200 * sis_log2(above / below);
    return fabs(*cents) <= 1e5;
}

bool sis_scale_read(const char* text, size_t size, const char* name, sis_scale* scale,
                    sis_fault* fault) {
    lines l;
    if (!open_text(&l, text, size, name, fault)) return false;
    if (!next_line(&l)) return ended(&l, fault, "its title");
    if (!read_whole(&l, "the number of notes", 1, SIS_SCALE_MOST, &scale->count, fault))
        return false;
    for (int32_t i = 0; i < scale->count; i++) {
        if (!next_line(&l)) {
            char wanted[64];
            snprintf(wanted, sizeof wanted, "note %d of %d", (int)i + 1, (int)scale->count);
            return ended(&l, fault, wanted);
        }
        const char* word = first_word(&l);
        if (read_pitch(word, &scale->cents[i])) continue;
        char why[256];
        snprintf(why, sizeof why,
                 "'%.60s' is not a pitch: write cents with a point (701.955) or a ratio (3/2)",
                 word);
        return fail(&l, fault, why);
    }
    return true;
}

// ---------------------------------------------------------------------------- keyboard maps

sis_keymap sis_keymap_linear(double a4) {
    return (sis_keymap){.size = 0,
                        .first = 0,
                        .last = SIS_KEYS - 1,
                        .middle = 60,
                        .reference = SIS_KEY_A4,
                        .frequency = a4};
}

static bool read_frequency(lines* l, double* hz, sis_fault* fault) {
    if (!next_line(l)) return ended(l, fault, "the reference frequency");
    const char* word = first_word(l);
    if (sis_text_number(word, hz) && *hz >= 1e-3 && *hz <= 1e6) return true;
    char why[256];
    snprintf(why, sizeof why, "the reference frequency must be from 0.001 to 1e6 Hz, not '%.60s'",
             word);
    return fail(l, fault, why);
}

// The entries of the map; those at its end may be left out, and are silent then.
static bool read_degrees(lines* l, sis_keymap* map, sis_fault* fault) {
    for (int32_t i = 0; i < map->size; i++)
        map->degree[i] = -1;
    for (int32_t i = 0; i < map->size && next_line(l); i++) {
        const char* word = first_word(l);
        if (!*word || strcmp(word, "x") == 0 || strcmp(word, "X") == 0) continue;
        long degree = 0;
        if (!sis_text_whole(word, 0, SIS_SCALE_MOST, &degree)) {
            char why[256];
            snprintf(why, sizeof why,
                     "'%.60s' is not a degree of the scale: write 0 .. %d, or x for a silent key",
                     word, SIS_SCALE_MOST);
            return fail(l, fault, why);
        }
        map->degree[i] = (int32_t)degree;
    }
    return true;
}

bool sis_keymap_read(const char* text, size_t size, const char* name, sis_keymap* map,
                     sis_fault* fault) {
    lines l;
    if (!open_text(&l, text, size, name, fault)) return false;
    bool fine = read_whole(&l, "the size of the map", 0, SIS_KEYMAP_MOST, &map->size, fault) &&
                read_whole(&l, "the first key", 0, SIS_KEYS - 1, &map->first, fault) &&
                read_whole(&l, "the last key", 0, SIS_KEYS - 1, &map->last, fault) &&
                read_whole(&l, "the middle key", 0, SIS_KEYS - 1, &map->middle, fault) &&
                read_whole(&l, "the reference key", 0, SIS_KEYS - 1, &map->reference, fault) &&
                read_frequency(&l, &map->frequency, fault) &&
                read_whole(&l, "the degree of the octave", 0, SIS_SCALE_MOST, &map->octave, fault);
    return fine && read_degrees(&l, map, fault);
}

// ---------------------------------------------------------------------------- tunings

static long floor_div(long a, long b) {
    return a / b - (a % b < 0);
}

// Cents of any degree: the scale repeats at its last note.
static double degree_cents(const sis_scale* scale, long degree) {
    long turn = floor_div(degree, scale->count), rest = degree - turn * scale->count;
    return (double)turn * scale->cents[scale->count - 1] + (rest ? scale->cents[rest - 1] : 0);
}

// Cents of a key above degree 0 on the middle key; NaN: silent.
static double key_cents(const sis_scale* scale, const sis_keymap* map, long key) {
    long from = key - map->middle;
    if (map->size == 0) return degree_cents(scale, from);
    long turn = floor_div(from, map->size), degree = map->degree[from - turn * map->size];
    long octave = map->octave ? map->octave : scale->count;
    return degree < 0 ? (double)NAN
                      : degree_cents(scale, degree) + (double)turn * degree_cents(scale, octave);
}

bool sis_tuning_scala(const sis_scale* scale, const sis_keymap* map, const char* name,
                      sis_tuning* tuning, sis_fault* fault) {
    double reference = key_cents(scale, map, map->reference);
    if (isnan(reference))
        return sis_fault_set(
            fault, SIS_FAULT_SCENE,
            "%.300s: its reference key %d is silent in the map, so that %g Hz says "
            "nothing: give the frequency of a key that plays",
            name, (int)map->reference, map->frequency);
    *tuning = sis_tuning_equal(440);
    for (int key = map->first; key <= map->last; key++) {
        double cents = key_cents(scale, map, key) - reference;
        double hz = map->frequency * sis_exp2(cents / 1200);
        tuning->hz[key] = hz >= 1e-3 && hz <= 1e6 ? hz : (double)NAN;
    }
    return true;
}

// ---------------------------------------------------------------------------- files

typedef bool (*text_reader)(const char* text, size_t size, const char* name, void* into,
                            sis_fault* fault);

static bool read_scale(const char* text, size_t size, const char* name, void* into,
                       sis_fault* fault) {
    return sis_scale_read(text, size, name, into, fault);
}

static bool read_keymap(const char* text, size_t size, const char* name, void* into,
                        sis_fault* fault) {
    return sis_keymap_read(text, size, name, into, fault);
}

static bool read_path(const char* path, const char* what, text_reader read, void* into,
                      sis_fault* fault) {
    char why[256];
    size_t size = 0;
    char* text = sis_file_read(path, &size, why, sizeof why);
    if (!text && errno == ENOMEM) return sis_fault_no_memory(fault);
    if (!text)
        return sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: cannot read the %s: %s", path, what,
                             why);
    bool fine = read(text, size, path, into, fault);
    free(text);
    return fine;
}

bool sis_tuning_open(const char* scale_path, const char* keys_path, double a4, sis_tuning* tuning,
                     sis_fault* fault) {
    *tuning = sis_tuning_equal(isnan(a4) ? 440 : a4);
    if (!scale_path && !keys_path) return true;
    if (keys_path && !isnan(a4))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--a4 and --keys both give a reference frequency: give one of them");
    sis_scale* scale = calloc(1, sizeof *scale);
    sis_keymap* map = malloc(sizeof *map);
    bool fine = scale && map;
    if (!fine) {
        sis_fault_no_memory(fault);
    } else {
        *map = sis_keymap_linear(isnan(a4) ? 440 : a4);
        scale->count = 12; // a map alone is one of equal steps
        for (int i = 0; i < 12; i++)
            scale->cents[i] = 100.0 * (i + 1);
    }
    fine = fine && (!scale_path || read_path(scale_path, "scale", read_scale, scale, fault)) &&
           (!keys_path || read_path(keys_path, "keyboard map", read_keymap, map, fault)) &&
           sis_tuning_scala(scale, map, keys_path ? keys_path : scale_path, tuning, fault);
    free(scale);
    free(map);
    return fine;
}
