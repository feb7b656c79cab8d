/** @file play_keys.h
 * Bytes of a terminal to keys: characters, arrows and the like, and with the keyboard protocol of
 * kitty also when keys go up.
 */
#ifndef SISTRUM_PLAY_KEYS_H
#define SISTRUM_PLAY_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Keys that are no character, beyond all of Unicode. */
enum {
    PLAY_KEY_UP = 0x110000,
    PLAY_KEY_DOWN,
    PLAY_KEY_LEFT,
    PLAY_KEY_RIGHT,
    PLAY_KEY_HOME,
    PLAY_KEY_END,
    PLAY_KEY_PAGE_UP,
    PLAY_KEY_PAGE_DOWN,
    PLAY_KEY_DELETE,
    PLAY_KEY_F1,
    PLAY_KEY_ANSWER, // the terminal knows kitty's protocol
    PLAY_KEY_NONE,   // nothing of use
    PLAY_KEY_TAB = 9,
    PLAY_KEY_ENTER = 13,
    PLAY_KEY_ESCAPE = 27,
    PLAY_KEY_BACKSPACE = 127
};

typedef struct play_key {
    int32_t code;  // a character, as typed, or one of the above
    int32_t place; // the character that stands there on a US keyboard; 0: not known
    bool shift, ctrl, alt;
    bool repeat, up; // held down; let go
} play_key;

typedef struct play_keys {
    uint8_t bytes[256];
    size_t used;
} play_keys;

/** Adds what was read; what does not fit is left out. */
void play_keys_feed(play_keys* keys, const uint8_t* bytes, size_t size);

/** The next key; false: there is none yet. `late`: no more bytes came for a while, so that an
 * escape by itself is the key of that name. */
bool play_keys_next(play_keys* keys, bool late, play_key* key);

#endif
