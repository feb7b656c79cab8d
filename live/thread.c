#include "thread.h"

#include <stdatomic.h>
#include <stdlib.h>

#if defined(SIS_NO_THREADS)

#include <time.h>

struct sis_lock {
    atomic_int claims;
};

sis_lock* sis_lock_new(void) {
    return calloc(1, sizeof(sis_lock));
}
void sis_lock_free(sis_lock* lock) {
    free(lock);
}
void sis_lock_take(sis_lock* lock) {
    (void)lock;
}
void sis_lock_leave(sis_lock* lock) {
    (void)lock;
}
sis_thread* sis_thread_start(void (*work)(void* self), void* self) {
    (void)work;
    (void)self;
    return NULL;
}
void sis_thread_join(sis_thread* thread) {
    (void)thread;
}
void sis_thread_sleep(double seconds) {
    (void)seconds;
}
double sis_thread_clock(void) {
#if defined(__wasi__)
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) ? 0
                                                : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    return 0;
#endif
}

#elif defined(_WIN32)

#include <windows.h>

struct sis_lock {
    CRITICAL_SECTION section;
    atomic_int claims;
};

struct sis_thread {
    HANDLE handle;
    void (*work)(void* self);
    void* self;
};

sis_lock* sis_lock_new(void) {
    sis_lock* lock = calloc(1, sizeof *lock);
    if (lock) InitializeCriticalSection(&lock->section);
    return lock;
}
void sis_lock_free(sis_lock* lock) {
    if (!lock) return;
    DeleteCriticalSection(&lock->section);
    free(lock);
}
void sis_lock_take(sis_lock* lock) {
    EnterCriticalSection(&lock->section);
}
void sis_lock_leave(sis_lock* lock) {
    LeaveCriticalSection(&lock->section);
}

static DWORD WINAPI begin(void* data) {
    sis_thread* thread = data;
    thread->work(thread->self);
    return 0;
}

sis_thread* sis_thread_start(void (*work)(void* self), void* self) {
    sis_thread* thread = calloc(1, sizeof *thread);
    if (!thread) return NULL;
    *thread = (sis_thread){.work = work, .self = self};
    thread->handle = CreateThread(NULL, 1 << 20, begin, thread, 0, NULL);
    if (thread->handle) return thread;
    free(thread);
    return NULL;
}
void sis_thread_join(sis_thread* thread) {
    if (!thread) return;
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}
void sis_thread_sleep(double seconds) {
    Sleep((DWORD)(1000 * seconds + 0.5));
}
double sis_thread_clock(void) {
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

#else

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { STACK = 1 << 21 }; // bytes: scenes nest a little, kernels without optimisation are large

struct sis_lock {
    pthread_mutex_t mutex;
    atomic_int claims;
};

struct sis_thread {
    pthread_t id;
    void (*work)(void* self);
    void* self;
};

sis_lock* sis_lock_new(void) {
    sis_lock* lock = calloc(1, sizeof *lock);
    if (lock && pthread_mutex_init(&lock->mutex, NULL) == 0) return lock;
    free(lock);
    return NULL;
}
void sis_lock_free(sis_lock* lock) {
    if (!lock) return;
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}
void sis_lock_take(sis_lock* lock) {
    pthread_mutex_lock(&lock->mutex);
}
void sis_lock_leave(sis_lock* lock) {
    pthread_mutex_unlock(&lock->mutex);
}

static void* begin(void* data) {
    sis_thread* thread = data;
    thread->work(thread->self);
    return NULL;
}

static bool start(sis_thread* thread) {
    pthread_attr_t how;
    sigset_t all, before;
    if (pthread_attr_init(&how) != 0) return false;
    pthread_attr_setstacksize(&how, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool fine = pthread_create(&thread->id, &how, begin, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return fine;
}

sis_thread* sis_thread_start(void (*work)(void* self), void* self) {
    sis_thread* thread = calloc(1, sizeof *thread);
    if (!thread) return NULL;
    *thread = (sis_thread){.work = work, .self = self};
    if (start(thread)) return thread;
    free(thread);
    return NULL;
}
void sis_thread_join(sis_thread* thread) {
    if (!thread) return;
    pthread_join(thread->id, NULL);
    free(thread);
}
void sis_thread_sleep(double seconds) {
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}
double sis_thread_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

void sis_lock_claim(sis_lock* lock) {
    atomic_fetch_add(&lock->claims, 1);
    sis_lock_take(lock);
    atomic_fetch_sub(&lock->claims, 1);
}

bool sis_lock_is_claimed(sis_lock* lock) {
    return atomic_load(&lock->claims) > 0;
}
