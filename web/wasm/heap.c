// Where the heap of this memory ends. libc asks the machine how large the memory is; here the answer
// is kept in the memory itself, so that a copy of it in a larger one goes on where the heap really
// ends, and instances that are used again and again do not grow.
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "page.h"

#define WASM_PAGE 65536u

static uintptr_t top; // 0: not asked yet

void* sbrk(intptr_t more) {
    if (!top) top = (uintptr_t)__builtin_wasm_memory_size(0) * WASM_PAGE;
    uintptr_t before = top, after = top + (uintptr_t)more;
    if (more == 0) return (void*)before;
    if (more < 0 || after < before) {
        errno = ENOMEM;
        return (void*)-1;
    }
    uintptr_t size = (uintptr_t)__builtin_wasm_memory_size(0) * WASM_PAGE;
    if (after > size &&
        __builtin_wasm_memory_grow(0, (after - size + WASM_PAGE - 1) / WASM_PAGE) == SIZE_MAX) {
        errno = ENOMEM;
        return (void*)-1;
    }
    top = after;
    return (void*)before;
}

/** How much of the memory is in use: what a copy must have. */
size_t EXPORT(page_used)(void) {
    return (size_t)sbrk(0);
}
