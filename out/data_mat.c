// Matlab files of version 5, which scipy, Octave and Matlab read. They are written here and not by
// libmatio, which takes each variable as a whole, from memory.
//
// A file is a header of 128 bytes and elements: type and size as 32 bits each, then the bytes, filled
// up to a multiple of 8. A variable is an element of elements: flags, sizes, name, contents. Numbers
// of a matrix come column by column.

#include "data_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MI_INT8 = 1, MI_UTF16 = 17, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { MI_UTF8 = 16, MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };

/** What is built up before it is written. */
typedef struct bytes {
    sis_store store;
} bytes;

static void put(bytes* b, const void* from, size_t size) {
    sis_store_walk(&b->store, (void*)(uintptr_t)from, size);
}

static void put_whole(bytes* b, uint64_t value, int size) {
    unsigned char low_first[8];
    for (int i = 0; i < size; i++)
        low_first[i] = (unsigned char)(value >> (8 * i));
    put(b, low_first, (size_t)size);
}

static void put_double(bytes* b, double value) {
    uint64_t bits = sis_low_byte_first(value);
    put(b, &bits, sizeof bits);
}

static void put_tag(bytes* b, uint32_t type, uint64_t size) {
    put_whole(b, type, 4);
    put_whole(b, size, 4);
}

static void fill_up(bytes* b) {
    put(b, "\0\0\0\0\0\0\0", (8 - b->store.size % 8) % 8);
}

/** Begins a variable; end_variable says how large it is, with `more` bytes that come later. */
static size_t begin_variable(bytes* b, const char* name, uint32_t class, uint64_t rows,
                             uint64_t columns) {
    put_tag(b, MI_MATRIX, 0);
    size_t begin = b->store.size;
    put_tag(b, MI_UINT32, 8);
    put_whole(b, class, 4);
    put_whole(b, 0, 4);
    put_tag(b, MI_INT32, 8);
    put_whole(b, rows, 4);
    put_whole(b, columns, 4);
    put_tag(b, MI_INT8, strlen(name));
    put(b, name, strlen(name));
    fill_up(b);
    return begin;
}

static void end_variable(bytes* b, size_t begin, uint64_t more) {
    if (b->store.starved) return;
    uint64_t size = b->store.size - begin + more;
    for (int i = 0; i < 4; i++)
        b->store.bytes[begin - 4 + (size_t)i] = (char)(size >> (8 * i));
}

static bool is_ascii(const char* text) {
    for (; *text; text++)
        if ((unsigned char)*text > 127) return false;
    return true;
}

/** The next character of UTF-8 that is well formed, as every text of a scene is. */
static uint32_t next_character(const unsigned char** at) {
    uint32_t first = *(*at)++;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    uint32_t character = more ? first & (0x3fu >> more) : first;
    while (more-- && (**at & 0xc0) == 0x80)
        character = (character << 6) | (*(*at)++ & 0x3fu);
    return character;
}

/** As 16-bit units; returns how many, and puts them where `b` is not NULL. A character of two units
 *  would be one to scipy and two to Matlab, and scipy then refuses the file. */
static size_t put_units(bytes* b, const char* text) {
    size_t count = 0;
    const unsigned char* at = (const unsigned char*)text;
    for (; *at; count++) {
        uint32_t c = next_character(&at);
        if (b) put_whole(b, c > 0xffff ? 0xfffd : c, 2);
    }
    return count;
}

/** A row of characters. ASCII is kept as bytes: every reader takes that. */
static void put_text(bytes* b, const char* name, const char* text) {
    size_t count = put_units(NULL, text);
    size_t begin = begin_variable(b, name, MX_CHAR, count ? 1 : 0, count);
    bool ascii = is_ascii(text);
    put_tag(b, ascii ? MI_UTF8 : MI_UTF16, ascii ? count : 2 * count);
    if (ascii)
        put(b, text, count);
    else
        put_units(b, text);
    fill_up(b);
    end_variable(b, begin, 0);
}

/** A column of texts. */
static void put_list(bytes* b, const char* name, const char* const* texts, int32_t count) {
    size_t begin = begin_variable(b, name, MX_CELL, (uint64_t)count, 1);
    for (int32_t i = 0; i < count; i++)
        put_text(b, "", texts[i]);
    end_variable(b, begin, 0);
}

static void put_number(bytes* b, const char* name, double value) {
    size_t begin = begin_variable(b, name, MX_DOUBLE, 1, 1);
    put_tag(b, MI_DOUBLE, 8);
    put_double(b, value);
    end_variable(b, begin, 0);
}

/** scipy takes the first four bytes for a number of an older version if one of them is 0. */
static void put_header(bytes* b) {
    char text[117];
    snprintf(text, sizeof text, "%-116s", "MATLAB 5.0 MAT-file, written by sistrum " SIS_VERSION);
    put(b, text, 116);
    put_whole(b, 0, 8);
    put_whole(b, 0x0100, 2);
    put(b, "IM", 2); // low bytes first
}

bool sis_mat_layout(int descriptor, const sis_data_about* about, uint64_t* base, sis_fault* fault) {
    bytes b = {.store = {.bytes = NULL}};
    uint64_t size = 8 * about->rows * (uint64_t)about->columns;
    put_header(&b);
    put_list(&b, "names", about->names, about->columns);
    put_list(&b, "units", about->units, about->columns);
    put_number(&b, "rate", about->rate);
    put_number(&b, "start", about->start);
    put_number(&b, "oversample", about->oversample);
    put_text(&b, "scene", about->scene);
    put_text(&b, "title", about->title);
    put_text(&b, "version", SIS_VERSION);
    size_t begin = begin_variable(&b, "data", MX_DOUBLE, about->rows, (uint64_t)about->columns);
    put_tag(&b, MI_DOUBLE, size);
    end_variable(&b, begin, size);
    bool fine = sis_store_fine(&b.store, fault) &&
                sis_data_put_at(descriptor, b.store.bytes, b.store.size, 0, fault);
    *base = b.store.size;
    sis_store_free(&b.store);
    return fine;
}
