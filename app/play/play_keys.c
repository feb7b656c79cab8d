#include "play_keys.h"

#include <string.h>

enum { ESC = 27, NUMBERS = 6, PARTS = 3, SHIFT = 1, ALT = 2, CTRL = 4 };

void play_keys_feed(play_keys* k, const uint8_t* bytes, size_t size) {
    if (size > sizeof k->bytes - k->used) size = sizeof k->bytes - k->used;
    memcpy(k->bytes + k->used, bytes, size);
    k->used += size;
}

static void drop(play_keys* k, size_t size) {
    memmove(k->bytes, k->bytes + size, k->used - size);
    k->used -= size;
}

// ---------------------------------------------------------------------------- sequences

/** ESC [ ? 1:2:3;4:5 u */
typedef struct sequence {
    int32_t numbers[NUMBERS][PARTS]; // 0: not given
    char private, final;
} sequence;

/** How many bytes it has; 0: not all of them are here. */
static size_t read_sequence(const uint8_t* bytes, size_t size, sequence* s) {
    int number = 0, part = 0;
    *s = (sequence){.final = 0};
    for (size_t i = 2; i < size; i++) {
        uint8_t c = bytes[i];
        if (c >= '0' && c <= '9') {
            int32_t* at = &s->numbers[number][part];
            if (*at < 10000000) *at = 10 * *at + (c - '0');
        } else if (c == ';') {
            if (number < NUMBERS - 1) number++;
            part = 0;
        } else if (c == ':') {
            if (part < PARTS - 1) part++;
        } else if (c >= '<' && c <= '?') {
            s->private = (char)c;
        } else if (c >= 0x40 && c <= 0x7e) {
            s->final = (char)c;
            return i + 1;
        }
    }
    return 0;
}

static int32_t named_key(const sequence* s) {
    switch (s->final) {
    case 'A':
        return PLAY_KEY_UP;
    case 'B':
        return PLAY_KEY_DOWN;
    case 'C':
        return PLAY_KEY_RIGHT;
    case 'D':
        return PLAY_KEY_LEFT;
    case 'H':
        return PLAY_KEY_HOME;
    case 'F':
        return PLAY_KEY_END;
    case 'P':
        return PLAY_KEY_F1;
    case 'Z': // shift and tab
        return PLAY_KEY_TAB;
    default:
        break;
    }
    static const int32_t numbered[][2] = {
        {1, PLAY_KEY_HOME},      {3, PLAY_KEY_DELETE}, {4, PLAY_KEY_END}, {5, PLAY_KEY_PAGE_UP},
        {6, PLAY_KEY_PAGE_DOWN}, {7, PLAY_KEY_HOME},   {8, PLAY_KEY_END}, {11, PLAY_KEY_F1},
    };
    for (size_t i = 0; s->final == '~' && i < sizeof numbered / sizeof *numbered; i++)
        if (numbered[i][0] == s->numbers[0][0]) return numbered[i][1];
    return PLAY_KEY_NONE;
}

static play_key key_of(const sequence* s) {
    if (s->private) {
        bool answer = s->private == '?' && s->final == 'u';
        return (play_key){.code = answer ? PLAY_KEY_ANSWER : PLAY_KEY_NONE};
    }
    play_key key = {.code = named_key(s)};
    int32_t modifiers = s->numbers[1][0] ? s->numbers[1][0] - 1 : 0;
    key.shift = modifiers & SHIFT;
    key.alt = modifiers & ALT;
    key.ctrl = modifiers & CTRL;
    key.repeat = s->numbers[1][1] == 2;
    key.up = s->numbers[1][1] == 3;
    if (s->final != 'u') return key;
    const int32_t* code = s->numbers[0];
    key.code = key.shift && code[1] ? code[1] : code[0];
    key.place = code[2] ? code[2] : code[0];
    // The keypad and keys that play no part lie in a private area of Unicode.
    if (code[0] >= 57344 && code[0] <= 63743) key.code = PLAY_KEY_NONE;
    if (code[0] == 57414) key.code = PLAY_KEY_ENTER;
    return key;
}

// ---------------------------------------------------------------------------- characters

/** A character of UTF-8, and how many bytes it has; 0: not all of them are here. */
static size_t read_character(const uint8_t* bytes, size_t size, int32_t* code) {
    uint8_t c = bytes[0];
    size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (size < length) return 0;
    *code = length == 1 ? c : c & (0xff >> (length + 1));
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | (bytes[i] & 0x3f);
    return length;
}

static bool take_character(play_keys* k, play_key* key) {
    int32_t code;
    size_t size = read_character(k->bytes, k->used, &code);
    if (!size) return false;
    drop(k, size);
    *key = (play_key){.code = code};
    if (code == 8) key->code = PLAY_KEY_BACKSPACE;
    if (code == 10) key->code = PLAY_KEY_ENTER;
    bool named = key->code == PLAY_KEY_TAB || key->code == PLAY_KEY_ENTER;
    if (key->code < 27 && !named) { // Ctrl and a letter
        key->ctrl = true;
        key->code = code + 'a' - 1;
    }
    return true;
}

bool play_keys_next(play_keys* k, bool late, play_key* key) {
    if (!k->used) return false;
    if (k->bytes[0] != ESC) return take_character(k, key);
    if (k->used >= 2 && (k->bytes[1] == '[' || k->bytes[1] == 'O')) {
        sequence s;
        size_t size = read_sequence(k->bytes, k->used, &s);
        if (!size && !late && k->used < sizeof k->bytes) return false;
        if (size) {
            drop(k, size);
            *key = key_of(&s);
            return true;
        }
        k->used = 0; // half a sequence
        return false;
    }
    if (k->used == 1 && !late) return false;
    drop(k, 1);
    if (!k->used || k->bytes[0] == ESC) {
        *key = (play_key){.code = PLAY_KEY_ESCAPE};
        return true;
    }
    if (!take_character(k, key)) return false;
    key->alt = true;
    return true;
}
