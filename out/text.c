#include "text.h"

#include <sistrum/sistrum.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char* sis_text_clean(const char* text) {
    size_t size = sis_clean(text, NULL, 0) + 1;
    char* clean = malloc(size);
    if (clean) sis_clean(text, clean, size);
    return clean;
}

// ---------------------------------------------------------------------------- numbers

static const char* skip_digits(const char* text) {
    return text + strspn(text, "0123456789");
}

bool sis_text_number(const char* text, double* value) {
    const char* first = text + (*text == '+' || *text == '-');
    const char* whole = skip_digits(first);
    const char* end = *whole == '.' ? skip_digits(whole + 1) : whole;
    if (end - first - (*whole == '.') < 1) return false; // no digit
    if (*end == 'e' || *end == 'E') {
        const char* power = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(power);
        if (end == power) return false;
    }
    *value = strtod(text, NULL);
    return *end == '\0' && isfinite(*value);
}

bool sis_text_whole(const char* text, long min, long max, long* value) {
    double number = 0;
    const char* digits = text + (*text == '+' || *text == '-');
    if (!*digits || *skip_digits(digits) || !sis_text_number(text, &number)) return false;
    *value = number >= (double)min && number <= (double)max ? (long)number : min;
    return number >= (double)min && number <= (double)max;
}

// ---------------------------------------------------------------------------- names and units

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
