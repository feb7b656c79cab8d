#include "play_screen.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool play_screen_resize(play_screen* s, int columns, int rows) {
    size_t count = (size_t)columns * (size_t)rows + 1;
    play_cell* cells = calloc(count, sizeof *cells);
    play_cell* shown = calloc(count, sizeof *shown);
    if (!cells || !shown) {
        free(cells);
        free(shown);
        return false;
    }
    play_screen_free(s);
    s->columns = columns;
    s->rows = rows;
    s->cells = cells;
    s->shown = shown;
    play_screen_clear(s);
    return true;
}

void play_screen_free(play_screen* s) {
    free(s->cells);
    free(s->shown);
    s->cells = s->shown = NULL;
}

void play_screen_clear(play_screen* s) {
    for (int i = 0; i < s->columns * s->rows; i++)
        s->cells[i] = (play_cell){.code = ' '};
}

// ---------------------------------------------------------------------------- putting

static void set(play_screen* s, int row, int column, play_style style, int32_t code) {
    if (row < 0 || row >= s->rows || column < 0 || column >= s->columns) return;
    s->cells[row * s->columns + column] = (play_cell){.code = code, .style = (uint8_t)style};
}

void play_screen_cell(play_screen* s, int row, int column, play_style style, int32_t code,
                      char plain) {
    set(s, row, column, style, s->unicode ? code : plain);
}

/** The next character of UTF-8; what would take no column or two of them is a question mark. */
static const char* next_code(const char* text, int32_t* code) {
    unsigned char c = (unsigned char)*text++;
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    *code = more ? c & (0x3f >> more) : c;
    for (; more && ((unsigned char)*text & 0xc0) == 0x80; more--)
        *code = *code << 6 | (*text++ & 0x3f);
    bool odd = *code < 32 || (*code >= 0x7f && *code < 0xa0) || (*code >= 0x300 && *code < 0x370) ||
               (*code >= 0x1100 && *code < 0x2010) || *code >= 0x2e80;
    if (odd) *code = '?';
    return text;
}

const char* play_screen_after(const char* text, int columns) {
    int32_t code;
    for (; *text && columns > 0; columns--)
        text = next_code(text, &code);
    return text;
}

int play_screen_width(const char* text) {
    int32_t code;
    int columns = 0;
    for (; *text; columns++)
        text = next_code(text, &code);
    return columns;
}

int play_screen_put(play_screen* s, int row, int column, play_style style, const char* format,
                    ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (const char* at = text; *at; column++) {
        int32_t code;
        at = next_code(at, &code);
        set(s, row, column, style, s->unicode || code < 127 ? code : '?');
    }
    return column;
}

void play_screen_bar(play_screen* s, int row, int column, int width, double share,
                     play_style style) {
    double full = fmin(fmax(share, 0), 1) * width;
    for (int i = 0; i < width; i++) {
        double part = full - i; // of this column
        if (part >= 1)
            play_screen_cell(s, row, column + i, style, 0x2588, '#');
        else if (part >= 0.125) // eighths
            play_screen_cell(s, row, column + i, style, 0x2590 - (int32_t)(part * 8),
                             part >= 0.5 ? '=' : '-');
        else
            play_screen_cell(s, row, column + i, PLAY_DIM, 0x00b7, '.');
    }
}

// ---------------------------------------------------------------------------- showing

/** Bytes on their way to the terminal. */
typedef struct stream {
    char bytes[4096];
    size_t used;
} stream;

static void flush(stream* o) {
    size_t sent = 0;
    while (sent < o->used) {
        ssize_t done = write(STDOUT_FILENO, o->bytes + sent, o->used - sent);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) break;
        sent += (size_t)done;
    }
    o->used = 0;
}

static void send(stream* o, const char* text) {
    size_t size = strlen(text);
    if (o->used + size > sizeof o->bytes) flush(o);
    memcpy(o->bytes + o->used, text, size);
    o->used += size;
}

static void send_code(stream* o, int32_t code) {
    char text[5] = {0};
    if (code < 0x80) {
        text[0] = (char)code;
    } else if (code < 0x800) {
        text[0] = (char)(0xc0 | code >> 6);
        text[1] = (char)(0x80 | (code & 0x3f));
    } else {
        text[0] = (char)(0xe0 | code >> 12);
        text[1] = (char)(0x80 | (code >> 6 & 0x3f));
        text[2] = (char)(0x80 | (code & 0x3f));
    }
    send(o, text);
}

static const char* style_text(bool colour, uint8_t style) {
    static const char* const coloured[] = {
        "\033[0m",    "\033[0;2m",  "\033[0;1m",  "\033[0;32m",
        "\033[0;33m", "\033[0;31m", "\033[0;36m", "\033[0;1;7m",
    };
    static const char* const plain[] = {
        "\033[0m",   "\033[0;2m",   "\033[0;1m", "\033[0m",
        "\033[0;1m", "\033[0;1;7m", "\033[0m",   "\033[0;1;7m",
    };
    return colour ? coloured[style] : plain[style];
}

static bool same(play_cell a, play_cell b) {
    return a.code == b.code && a.style == b.style;
}

void play_screen_show(play_screen* s) {
    stream o = {.used = 0};
    int at = -1, style = -1; // where the cursor is, and what it writes
    send(&o, "\033[?2026h"); // terminals that know it show the rest at once
    for (int i = 0; i < s->columns * s->rows; i++) {
        if (same(s->cells[i], s->shown[i])) continue;
        char text[32];
        snprintf(text, sizeof text, "\033[%d;%dH", i / s->columns + 1, i % s->columns + 1);
        if (at != i || i % s->columns == 0) send(&o, text);
        if (style != s->cells[i].style) send(&o, style_text(s->colour, s->cells[i].style));
        send_code(&o, s->cells[i].code);
        style = s->cells[i].style;
        s->shown[i] = s->cells[i];
        at = i + 1;
    }
    send(&o, "\033[0m\033[?2026l");
    if (style >= 0) flush(&o);
}
