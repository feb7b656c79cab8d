#include "text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Bytes of the UTF-8 character at `s`; 0: it is broken (overlong forms and surrogates too). */
static int utf8_length(const unsigned char* s) {
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xf0 && s[0] <= 0xf4   ? 4
                 : s[0] >= 0xe0 && s[0] <= 0xef ? 3
                 : s[0] >= 0xc2 && s[0] <= 0xdf ? 2
                                                : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    bool control = s[0] == 0xc2 && s[1] < 0xa0;
    return length && !overlong && !beyond && !control ? length : 0;
}

char* sis_text_clean(const char* text) {
    char* clean = malloc(strlen(text) + 1);
    if (!clean) return NULL;
    char* to = clean;
    const unsigned char* from = (const unsigned char*)text;
    while (*from) {
        int length = utf8_length(from);
        if (length == 0) {
            *to++ = '?';
            from++;
        } else if (*from < 0x20 || *from == 0x7f) {
            *to++ = ' ';
            from++;
        } else {
            memcpy(to, from, (size_t)length);
            to += length;
            from += length;
        }
    }
    *to = 0;
    return clean;
}

const char* sis_text_file(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

sis_unit sis_unit_pick(double largest, const char* si) {
    static const char* const prefix[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G"};
    sis_unit unit = {.factor = 1};
    largest = fabs(largest);
    int power = 0;
    if (largest > 0 && isfinite(largest)) {
        power = (int)floor(log10(largest) / 3 + 1e-9);
        // 999.9996 must not become 1000.000 of the smaller unit.
        if (largest / pow(10, 3 * power) >= 999.9995) power++;
    }
    if (!*si) {
        snprintf(unit.text, sizeof unit.text, "%s", "");
    } else if (power >= -5 && power <= 3) {
        unit.factor = pow(10, 3 * power);
        snprintf(unit.text, sizeof unit.text, "%s%s", prefix[power + 5], si);
    } else {
        unit.factor = pow(10, 3 * power);
        snprintf(unit.text, sizeof unit.text, "1e%d %s", 3 * power, si);
    }
    return unit;
}

sis_unit sis_unit_place(double largest) {
    if (largest >= 1 || largest < 0.01) return sis_unit_pick(largest, "m");
    return (sis_unit){.factor = 0.01, .text = "cm"};
}

const char* sis_unit_print(char* text, size_t size, double value, const char* si, int digits) {
    sis_unit unit = sis_unit_pick(value, si);
    double scaled = value / unit.factor;
    // %g would turn 833 with two digits into 8.3e+02.
    int before_point = fabs(scaled) >= 100 ? 3 : fabs(scaled) >= 10 ? 2 : 1;
    if (digits < before_point) digits = before_point;
    snprintf(text, size, "%.*g%s%s", digits, scaled, *unit.text ? " " : "", unit.text);
    return text;
}

const char* sis_plural(uint64_t count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

const char* sis_note_name(int32_t key, char text[16]) {
    static const char* const names[] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
    snprintf(text, 16, "%s%d", names[key % 12], (int)(key / 12) - 1);
    return text;
}
