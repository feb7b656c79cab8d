#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* sis_version(void) {
    return SIS_VERSION;
}

// ---------------------------------------------------------------------------- errors

// The first word in quotes of a sentence, such as "length" of "give 'length' (m)"; "": none.
static void find_key(const char* sentence, char* key, size_t room) {
    key[0] = 0;
    for (const char* c = strchr(sentence, '\''); c; c = strchr(c + 1, '\'')) {
        size_t length =
            strspn(c + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        if (length == 0 || length >= room || c[length + 1] != '\'') continue;
        memcpy(key, c + 1, length);
        key[length] = 0;
        return;
    }
}

static void write_error(sis_error* error, sis_status status, const char* format, va_list list) {
    char raw[2 * sizeof error->text];
    vsnprintf(raw, sizeof raw, format, list);
    sis_clean(raw, error->text, sizeof error->text);
    error->status = status;
    error->object = SIS_NONE;
}

bool sis_fail(sis_error* error, sis_status status, const char* format, ...) {
    if (!error) return false;
    va_list list;
    va_start(list, format);
    write_error(error, status, format, list);
    va_end(list);
    find_key(format, error->key, sizeof error->key);
    return false;
}

bool sis_fail_key(sis_error* error, sis_status status, const char* key, const char* format, ...) {
    if (!error) return false;
    va_list list;
    va_start(list, format);
    write_error(error, status, format, list);
    va_end(list);
    sis_clean(key, error->key, sizeof error->key);
    return false;
}

bool sis_refuse(sis_error* error, sis_status status, const char* object, const char* sentence) {
    sis_fail(error, status, "%s: %s", object, sentence);
    if (error) find_key(sentence, error->key, sizeof error->key);
    return false;
}

// ---------------------------------------------------------------------------- memory

enum { CHUNK = 1 << 16, ALIGN = 16 };

struct sis_arena_chunk {
    struct sis_arena_chunk* older;
    size_t used, size;
    _Alignas(ALIGN) unsigned char bytes[];
};

void* sis_arena_take(sis_arena* arena, size_t size, sis_error* error) {
    size_t need = (size + ALIGN - 1) / ALIGN * ALIGN;
    struct sis_arena_chunk* chunk = arena->newest;
    if (need < size || need > SIZE_MAX / 2)
        chunk = NULL;
    else if (!chunk || chunk->size - chunk->used < need) {
        size_t room = need > CHUNK ? need : CHUNK;
        chunk = calloc(1, sizeof *chunk + room);
        if (chunk) {
            chunk->size = room;
            chunk->older = arena->newest;
            arena->newest = chunk;
        }
    }
    if (!chunk) {
        sis_fail(error, SIS_NO_MEMORY, "no memory for %zu bytes", size);
        return NULL;
    }
    void* piece = chunk->bytes + chunk->used;
    chunk->used += need;
    arena->used += need;
    return piece;
}

void sis_arena_free(sis_arena* arena) {
    while (arena->newest) {
        struct sis_arena_chunk* older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    arena->used = 0;
}

char* sis_arena_text(sis_arena* arena, const char* text, sis_error* error) {
    if (!text) return NULL;
    size_t size = strlen(text) + 1;
    char* copy = sis_arena_take(arena, size, error);
    if (copy) memcpy(copy, text, size);
    return copy;
}

// ---------------------------------------------------------------------------- text
//
// Text that can be printed anywhere: on a terminal, into a file, a picture or a report.

// The UTF-8 character at `s` and its bytes; 0: it is broken (overlong forms and surrogates too).
static size_t read_character(const unsigned char* s, uint32_t* code) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    *code = length == 1 ? s[0] : s[0] & (0x7Fu >> length);
    if (length == 0 || s[0] > 0xF4) return 0;
    for (size_t i = 1; i < length; i++) { // the NUL at the end is no continuation
        if ((s[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code >= smallest[length] && *code <= 0x10FFFF && !surrogate ? length : 0;
}

static bool is_break(uint32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

// What no reader sees, but a terminal or the order of the letters obeys.
static bool is_hidden(uint32_t code) {
    static const uint32_t ranges[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},       {0x061C, 0x061C}, // controls; Arabic letter mark
        {0x180E, 0x180E}, {0x200B, 0x200F},   {0x202A, 0x202E}, // no width; marks; embeddings
        {0x2060, 0x206F}, {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB}, // isolates; byte order mark
        {0xAD, 0xAD},     {0xE0000, 0xE0FFF},                   // soft hyphen; tags
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
    return (code & 0xFFFE) == 0xFFFE; // no characters at all, which XML refuses
}

size_t sis_clean(const char* text, char* clean, size_t room) {
    const unsigned char* from = (const unsigned char*)text;
    size_t all = 0, used = 0;
    bool fits = room > 0;
    while (*from) {
        uint32_t code = 0;
        size_t length = read_character(from, &code), size = length;
        const char* letter = (const char*)from;
        if (length && is_break(code)) {
            letter = " ";
            size = 1;
        } else if (!length || is_hidden(code)) {
            letter = "\xEF\xBF\xBD";
            size = 3;
        }
        fits = fits && used + size < room;
        if (fits) {
            memcpy(clean + used, letter, size);
            used += size;
        }
        all += size;
        from += length ? length : 1;
    }
    if (room) clean[used] = 0;
    return all;
}
