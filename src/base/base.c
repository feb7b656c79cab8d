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
