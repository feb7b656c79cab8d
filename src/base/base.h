// What every room may use: error sentences and an arena.
#ifndef SIS_BASE_H
#define SIS_BASE_H

#include "sistrum/sistrum.h"

// The same bits from every compiler: gcc does not contract in ISO mode, clang needs to be told.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

// Writes one sentence into `error` (may be NULL).
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
void sis_fail(sis_error* error, sis_status status, const char* format, ...);

// Memory that is freed all at once, zero-filled, each piece aligned to 16 bytes.
typedef struct sis_arena {
    struct sis_arena_chunk* newest;
    size_t used; // bytes handed out
} sis_arena;

void* sis_arena_take(sis_arena* arena, size_t size, sis_error* error); // NULL: no memory
void sis_arena_free(sis_arena* arena);

// A copy of `text` in the arena; NULL stays NULL.
char* sis_arena_text(sis_arena* arena, const char* text, sis_error* error);

// sum a_i b_i, in four sums so that the additions overlap; the order is fixed.
static inline double sis_dot(const double* a, const double* b, int32_t count) {
    double s[4] = {0, 0, 0, 0};
    int32_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int32_t j = 0; j < 4; j++)
            s[j] += a[i + j] * b[i + j];
    for (; i < count; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

#endif
