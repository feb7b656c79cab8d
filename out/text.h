/** @file text.h
 * Words and numbers for people: names that can be printed anywhere, and engineering units.
 */
#ifndef SISTRUM_OUT_TEXT_H
#define SISTRUM_OUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A copy of `text` as sis_clean makes it. The caller frees it; NULL: no memory. */
char* sis_text_clean(const char* text);

/** The whole text is a finite decimal number, such as 440, -0.5 or 1e-3: no spaces, no hex, no inf.
 */
bool sis_text_number(const char* text, double* value);

/** The whole text is a whole number from min to max, in digits. */
bool sis_text_whole(const char* text, long min, long max, long* value);

/** The file name at the end of a path. */
const char* sis_text_file(const char* path);

/** A unit that fits the size of a number. */
typedef struct sis_unit {
    double factor; // how much of the SI unit one of it is
    char text[48]; // "mm", "µs", "m/s"; "" for pure numbers
} sis_unit;

/** The unit with a prefix, such that `largest` (in SI) is between 1 and 1000 of it. */
sis_unit sis_unit_pick(double largest, const char* si);

/** The unit for places along a string of which `largest` is the last one: m or cm. */
sis_unit sis_unit_place(double largest);

/** "1.234 mm": a quantity with `digits` significant digits. Returns `text`. */
const char* sis_unit_print(char* text, size_t size, double value, const char* si, int digits);

/** `one` when the count is 1, else `many`: "%d %s", n, sis_plural(n, "note", "notes"). */
const char* sis_plural(uint64_t count, const char* one, const char* many);

/** "C#4" of a MIDI key 0 .. 127. Returns `text`. */
const char* sis_note_name(int32_t key, char text[16]);

#endif
