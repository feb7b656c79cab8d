/** @file play_screen.h
 * A screen of characters: what is put on it is shown at once, and only what has changed is sent.
 */
#ifndef SISTRUM_PLAY_SCREEN_H
#define SISTRUM_PLAY_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

typedef enum play_style {
    PLAY_PLAIN,
    PLAY_DIM,
    PLAY_BOLD,
    PLAY_GOOD,
    PLAY_WARN,
    PLAY_BAD,
    PLAY_ACCENT,
    PLAY_DOWN, // a key that is down, a line that is chosen
} play_style;

typedef struct play_cell {
    int32_t code;
    uint8_t style;
} play_cell;

typedef struct play_screen {
    int columns, rows;
    bool colour, unicode;
    play_cell* cells; // [rows][columns]: as it is to be
    play_cell* shown; // as it is; code 0: not known
} play_screen;

/** Makes it that large; what is shown is not known any more. False: no memory. */
bool play_screen_resize(play_screen* screen, int columns, int rows);
void play_screen_free(play_screen* screen);

/** Blanks everywhere. */
void play_screen_clear(play_screen* screen);

/** Text in UTF-8 from there on, cut at the right edge. Returns the column behind it. */
int play_screen_put(play_screen* screen, int row, int column, play_style style, const char* format,
                    ...) __attribute__((format(printf, 5, 6)));

/** Behind so many characters of the text, or at its end. */
const char* play_screen_after(const char* text, int columns);

/** How many columns it takes. */
int play_screen_width(const char* text);

/** One character; `plain` where there is no UTF-8. */
void play_screen_cell(play_screen* screen, int row, int column, play_style style, int32_t code,
                      char plain);

/** A bar of `width` columns, filled to `share` 0 .. 1. */
void play_screen_bar(play_screen* screen, int row, int column, int width, double share,
                     play_style style);

/** Sends what has changed to standard output. */
void play_screen_show(play_screen* screen);

#endif
