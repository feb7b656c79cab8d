// What every folder may use: error sentences and an arena.
#ifndef SIS_BASE_H
#define SIS_BASE_H

#include "base/wide.h"
#include "sistrum/sistrum.h"

// Writes one sentence into `error` (may be NULL) and returns false. The first key that stands in
// quotes in `format` itself is the key it is about; sis_fail_key is told it. Of the object see
// sis_compile.
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
bool sis_fail(sis_error* error, sis_status status, const char* format, ...);
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
bool sis_fail_key(sis_error* error, sis_status status, const char* key, const char* format, ...);

// "%s: sentence" of an object; the first key in quotes in the sentence is the key. Returns false.
bool sis_refuse(sis_error* error, sis_status status, const char* object, const char* sentence);

// Memory that is freed all at once, zero-filled, each piece aligned to 16 bytes.
typedef struct sis_arena {
    struct sis_arena_chunk* newest;
    size_t used; // bytes handed out
} sis_arena;

void* sis_arena_take(sis_arena* arena, size_t size, sis_error* error); // NULL: no memory
void sis_arena_free(sis_arena* arena);

// A copy of `text` in the arena; NULL stays NULL.
char* sis_arena_text(sis_arena* arena, const char* text, sis_error* error);

#endif
