/** @file live_watch.h
 * Memory and locks that a thread takes while it is watched. Once in a program; locks are counted
 * where it is linked with --wrap=pthread_mutex_lock.
 */
#ifndef SISTRUM_TEST_LIVE_WATCH_H
#define SISTRUM_TEST_LIVE_WATCH_H

#include "check.h"

#include <pthread.h>
#include <stdbool.h>

static _Thread_local bool watched; // this thread may call none of these
static _Thread_local long watched_calls;

#if SANITIZED
// Of the sanitizers' own header, which gcc does not bring along.
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void*, size_t),
                                              void (*given)(const volatile void*));

static void watch_malloc(const volatile void* memory, size_t size) {
    (void)memory;
    (void)size;
    watched_calls += watched;
}
static void watch_free(const volatile void* memory) {
    (void)memory;
    watched_calls += watched;
}
/** False: nobody counts here. */
static inline bool watch_begin(void) {
    return __sanitizer_install_malloc_and_free_hooks(watch_malloc, watch_free) > 0;
}

#elif defined(__GLIBC__)
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
void* memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
    watched_calls += watched;
    return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    watched_calls += watched;
    return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    watched_calls += watched;
    return __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
    watched_calls += watched;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    watched_calls += watched;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
    watched_calls += watched;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12; // ENOMEM
}
void free(void* memory) {
    watched_calls += watched;
    __libc_free(memory);
}
static inline bool watch_begin(void) {
    return true;
}

#else
static inline bool watch_begin(void) {
    return false;
}
#endif

int __real_pthread_mutex_lock(pthread_mutex_t* mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t* mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t* mutex) {
    watched_calls += watched;
    return __real_pthread_mutex_lock(mutex);
}

#endif
