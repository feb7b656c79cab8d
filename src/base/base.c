#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* sis_version(void) {
    return SIS_VERSION;
}

void sis_fail(sis_error* error, sis_status status, const char* format, ...) {
    if (!error) return;
    error->status = status;
    va_list list;
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
}

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
