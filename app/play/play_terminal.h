/** @file play_terminal.h
 * The terminal while the view is on it, and the signals while the program plays. However the
 * program ends, the terminal is as it was.
 */
#ifndef SISTRUM_PLAY_TERMINAL_H
#define SISTRUM_PLAY_TERMINAL_H

#include <stdbool.h>

/** Whether there is a terminal that can show a view: both ends, and not a dumb one. */
bool play_terminal_is_there(void);

/** Colours unless NO_COLOR is set; block characters where the locale has UTF-8. */
bool play_terminal_has_colour(void);
bool play_terminal_has_unicode(void);

/** Takes the terminal: keys one by one, another screen. False: it does not let itself be set. */
bool play_terminal_open(void);

/** Gives it back. Async-signal-safe; twice is fine. */
void play_terminal_close(void);

/** The keyboard protocol of kitty, which tells when keys go up: asks for it, or uses it. */
void play_terminal_ask_keys(void);
void play_terminal_use_keys(void);

void play_terminal_size(int* columns, int* rows);

/** Gives the terminal back, stops as Ctrl-Z does, and takes it again. */
void play_terminal_stop(void);

// ---------------------------------------------------------------------------- signals

/** Signals that end the program are only noted; the second one ends it at once. `view`: a stop is
 * noted too. */
void play_signals_begin(bool view);

/** The signal that asked for the end; 0: none did. */
int play_signals_ending(void);

/** Whether the size has changed, and whether a stop was asked for, since the last call. */
bool play_signals_resized(void);
bool play_signals_stop(void);

/** Ends the program as that signal would have. */
void play_signals_end_by(int number);

#endif
