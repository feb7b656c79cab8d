// Memory of Windows: it has no aligned_alloc, and what _aligned_malloc gives must go to _aligned_free. So all memory of ours is
// of that kind. Included before every file that is built for Windows (tools/windows.sh).
#ifndef SISTRUM_WINDOWS_MEMORY_H
#define SISTRUM_WINDOWS_MEMORY_H

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static inline void* sis_windows_calloc(size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) return NULL;
    size_t bytes = count * size;
    void* memory = _aligned_malloc(bytes > 0 ? bytes : 1, 16);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

static inline char* sis_windows_strdup(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = (char*)_aligned_malloc(size, 16);
    if (copy) memcpy(copy, text, size);
    return copy;
}

// _aligned_realloc to no bytes frees, and _aligned_malloc of none gives something.
#define malloc(size)               _aligned_malloc(size, 16)
#define calloc(count, size)        sis_windows_calloc(count, size)
#define realloc(memory, size)      _aligned_realloc(memory, size, 16)
#define aligned_alloc(align, size) _aligned_malloc(size, align)
#define free(memory)               _aligned_free(memory)
#undef strdup
#define strdup(text)               sis_windows_strdup(text)

#endif
