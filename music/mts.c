#include "mts.h"

#include "sistrum/elementary.h"

enum { UNIVERSAL = 0x7E, REAL_TIME = 0x7F, TUNING = 8, DUMP_NAME = 16 };

// A key and 14 bits of a semitone above it, to Hz. 7F 7F 7F: no change.
static void read_pitch(const uint8_t* at, double* hz) {
    if (at[0] == 0x7F && at[1] == 0x7F && at[2] == 0x7F) return;
    double key = at[0] + (at[1] << 7 | at[2]) / 16384.0;
    *hz = 440 * sis_exp2((key - SIS_KEY_A4) / 12);
}

static bool take_dump(const uint8_t* at, size_t size, sis_tuning* tuning) {
    if (size < 1 + DUMP_NAME + 3 * SIS_KEYS) return false;
    at += 1 + DUMP_NAME;
    for (int key = 0; key < SIS_KEYS; key++)
        read_pitch(at + 3 * key, &tuning->hz[key]);
    return true;
}

static bool take_notes(const uint8_t* at, size_t size, sis_tuning* tuning) {
    if (size < 1 || size < 1 + 4 * (size_t)at[0]) return false;
    for (int i = 0; i < at[0]; i++)
        read_pitch(at + 1 + 4 * i + 1, &tuning->hz[at[1 + 4 * i]]);
    return true;
}

// Cents of the twelve notes of every octave, in one byte or two each, after three of channels.
static bool take_octave(const uint8_t* at, size_t size, bool two, sis_tuning* tuning) {
    if (size < 3 + (two ? 24u : 12u)) return false;
    for (int key = 0; key < SIS_KEYS; key++) {
        const uint8_t* of = at + 3 + (two ? 2 : 1) * (key % 12);
        double cents = two ? ((of[0] << 7 | of[1]) - 8192) * (100 / 8192.0) : of[0] - 64;
        tuning->hz[key] = 440 * sis_exp2((100.0 * (key - SIS_KEY_A4) + cents) / 1200);
    }
    return true;
}

bool sis_mts_take(const uint8_t* data, size_t size, sis_tuning* tuning, bool* now) {
    if (size && data[0] == 0xF0) data++, size--;
    if (size && data[size - 1] == 0xF7) size--;
    *now = size > 0 && data[0] == REAL_TIME;
    if (size < 4 || (data[0] != UNIVERSAL && data[0] != REAL_TIME) || data[2] != TUNING)
        return false;
    for (size_t i = 0; i < size; i++)
        if (data[i] > 0x7F) return false;
    const uint8_t* rest = data + 4;
    size -= 4;
    switch (data[3]) {
    case 1:
        return take_dump(rest, size, tuning);
    case 2: // program, count, notes
        return size > 1 && take_notes(rest + 1, size - 1, tuning);
    case 7: // bank, program, count, notes
        return size > 2 && take_notes(rest + 2, size - 2, tuning);
    case 8:
        return take_octave(rest, size, false, tuning);
    case 9:
        return take_octave(rest, size, true, tuning);
    }
    return false;
}
