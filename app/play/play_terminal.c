// A view needs a screen, colours, sizes and key-up events: a few dozen escape sequences, the same
// in all terminals of today. A library (ncurses) would hide the one that tells of key-ups.
#define _DEFAULT_SOURCE // SIGWINCH, TIOCGWINSZ
#include "play_terminal.h"

#include "files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// A handler of signals reaches nothing but what is global.
static struct termios before;
static volatile sig_atomic_t is_open, uses_keys;
static volatile sig_atomic_t ending, resized, stop_wanted;

/** Writes all of it, whatever signals come between. */
static void put(const char* text) {
    size_t left = strlen(text);
    while (left) {
        ssize_t done = write(STDOUT_FILENO, text, left);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return;
        text += done;
        left -= (size_t)done;
    }
}

// ---------------------------------------------------------------------------- what it can do

bool play_terminal_is_there(void) {
    const char* term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
           strcmp(term, "dumb") != 0;
}

bool play_terminal_has_colour(void) {
    const char* none = getenv("NO_COLOR");
    return !none || !*none;
}

bool play_terminal_has_unicode(void) {
    static const char* const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char* value = getenv(names[i]);
        if (!value || !*value) continue;
        const char* code = strchr(value, '.');
        return code && (!strncasecmp(code, ".UTF-8", 6) || !strncasecmp(code, ".UTF8", 5));
    }
    return false;
}

void play_terminal_size(int* columns, int* rows) {
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col ? size.ws_col : 80;
    *rows = known && size.ws_row ? size.ws_row : 24;
}

// ---------------------------------------------------------------------------- taking it

static bool set_raw(void) {
    struct termios raw = before;
    raw.c_iflag &= (tcflag_t) ~(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    raw.c_lflag &= (tcflag_t) ~(ECHO | ICANON | IEXTEN | ISIG);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    return tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

bool play_terminal_open(void) {
    if (!is_open && tcgetattr(STDIN_FILENO, &before) != 0) return false;
    is_open = 1; // before the first change
    if (!set_raw()) return false;
    put("\033[?1049h\033[?25l\033[2J"); // other screen, no cursor, empty
    return true;
}

void play_terminal_close(void) {
    if (!is_open) return;
    if (uses_keys) put("\033[<u");
    uses_keys = 0;
    put("\033[0m\033[?25h\033[?1049l");
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    is_open = 0;
}

void play_terminal_ask_keys(void) {
    put("\033[?u");
}

void play_terminal_use_keys(void) {
    if (!uses_keys) put("\033[>15u"); // all keys, with key-up, shifted and by their place
    uses_keys = 1;
}

void play_terminal_stop(void) {
    bool keys = uses_keys != 0;
    play_terminal_close();
    raise(SIGSTOP); // here it stands until SIGCONT
    play_terminal_open();
    if (keys) play_terminal_use_keys();
    resized = 1; // everything is drawn again
}

// ---------------------------------------------------------------------------- signals

void play_signals_end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

static void take_ending(int number) {
    if (ending) {
        play_terminal_close();
        play_signals_end_by(number);
    }
    ending = number;
}

static void take_crash(int number) {
    play_terminal_close();
    play_signals_end_by(number);
}

static void take_change(int number) {
    if (number == SIGWINCH) resized = 1;
    if (number == SIGTSTP) stop_wanted = 1;
}

static void set_handler(int number, void (*handler)(int)) {
    struct sigaction action = {0}, old;
    sigaction(number, NULL, &old);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (old.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void play_signals_begin(bool view) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, 0};
    for (int i = 0; sis_ending_signals[i]; i++)
        set_handler(sis_ending_signals[i], take_ending);
    for (int i = 0; crashes[i]; i++)
        set_handler(crashes[i], take_crash);
    set_handler(SIGWINCH, take_change);
    if (view) set_handler(SIGTSTP, take_change);
    atexit(play_terminal_close);
}

int play_signals_ending(void) {
    return ending;
}

bool play_signals_resized(void) {
    bool was = resized != 0;
    resized = 0;
    return was;
}

bool play_signals_stop(void) {
    bool was = stop_wanted != 0;
    stop_wanted = 0;
    return was;
}
