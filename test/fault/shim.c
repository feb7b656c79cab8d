// Preloaded into a program on trial, it makes what hardly ever fails fail: the n-th allocation, the
// n-th call that touches the file system, or a signal just before that call. Counting begins with
// main. Environment:
//
//   SISTRUM_FAULT_ALLOC   "N": allocation N fails; "N+": and all that follow
//   SISTRUM_FAULT_FROM    only allocations that an object file with this in its name asks for
//   SISTRUM_FAULT_CALL    "N:ERRNO": file call N fails with that error; "N+:ERRNO": all that follow
//   SISTRUM_FAULT_SIGNAL  "N:SIGNAL": the signal comes before file call N
//   SISTRUM_FAULT_LATER   nothing fails before sistrum_fault_arm is called
//   SISTRUM_FAULT_REPORT  a file for "ALLOCATIONS CALLS" at the end
//   SISTRUM_FAULT_WHO     a file for the object file that asked for the first one that failed
//
// Children of the program run without it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/** The N-th of something, and perhaps all after it. */
typedef struct turn {
    long first; // 0: never
    int on;     // 1: all that follow, too
    int what;   // an error or a signal
} turn;

static turn alloc_turn, call_turn, signal_turn;
static char from[256], report[PATH_MAX], who[PATH_MAX];
static atomic_long allocations, calls;
static atomic_int active;

#define NEXT(name) next_of((void**)&next_##name, #name)

static void next_of(void** function, const char* name) {
    if (!*function) *function = dlsym(RTLD_NEXT, name);
}

static int is_turn(const turn* t, long n) {
    return t->first && (n == t->first || (t->on && n > t->first));
}

// ---------------------------------------------------------------------------- memory

static void* (*next_malloc)(size_t);
static void* (*next_calloc)(size_t, size_t);
static void* (*next_realloc)(void*, size_t);
static void* (*next_aligned_alloc)(size_t, size_t);
static int (*next_posix_memalign)(void**, size_t, size_t);
static void (*next_free)(void*);

// What is asked for while dlsym looks for the allocator.
static char early[1 << 14];
static size_t early_used;
static atomic_int looking;

static void* take_early(size_t size) {
    size_t start = (early_used + 15) / 16 * 16;
    if (start + size > sizeof early) return NULL;
    early_used = start + size;
    return early + start;
}

static int is_early(const void* block) {
    return (const char*)block >= early && (const char*)block < early + sizeof early;
}

static int look(void) {
    if (next_free) return 1;
    if (atomic_exchange(&looking, 1)) return 0;
    NEXT(malloc), NEXT(calloc), NEXT(realloc), NEXT(aligned_alloc), NEXT(posix_memalign);
    NEXT(free);
    atomic_store(&looking, 0);
    return 1;
}

static int is_from(const void* caller) {
    Dl_info info;
    return !*from || (dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, from));
}

static void tell_who(const void* caller) {
    Dl_info info;
    if (!*who || !dladdr(caller, &info) || !info.dli_fname) return;
    long file = syscall(SYS_openat, AT_FDCWD, who, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, info.dli_fname, strlen(info.dli_fname));
    syscall(SYS_close, file);
}

static _Thread_local int spared;

// AddressSanitizer asks for it when a thread begins, and gives up where there is no memory.
int pthread_getattr_np(pthread_t thread, pthread_attr_t* about) {
    static int (*next_pthread_getattr_np)(pthread_t, pthread_attr_t*);
    NEXT(pthread_getattr_np);
    spared++;
    int result = next_pthread_getattr_np(thread, about);
    spared--;
    return result;
}

static int refuses(const void* caller) {
    if (!active || spared || !is_from(caller)) return 0;
    if (!is_turn(&alloc_turn, atomic_fetch_add(&allocations, 1) + 1)) return 0;
    tell_who(caller);
    errno = ENOMEM;
    return 1;
}

#define REFUSES() refuses(__builtin_return_address(0))

void* malloc(size_t size) {
    if (!look()) return take_early(size);
    return REFUSES() ? NULL : next_malloc(size);
}

void* calloc(size_t count, size_t size) {
    if (!look()) return take_early(count * size);
    return REFUSES() ? NULL : next_calloc(count, size);
}

void* realloc(void* block, size_t size) {
    if (!look() || is_early(block)) {
        void* moved = malloc(size);
        if (moved && block) memcpy(moved, block, size);
        return moved;
    }
    return REFUSES() ? NULL : next_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    return !look() || REFUSES() ? NULL : next_aligned_alloc(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
    return !look() || REFUSES() ? ENOMEM : next_posix_memalign(block, alignment, size);
}

void free(void* block) {
    if (!block || is_early(block) || !look()) return;
    next_free(block);
}

// ---------------------------------------------------------------------------- files

/** Counts a call; sends the signal that is due, and says whether the call fails. */
static int fails(void) {
    if (!active) return 0;
    long n = atomic_fetch_add(&calls, 1) + 1;
    if (is_turn(&signal_turn, n)) kill(getpid(), signal_turn.what);
    if (!is_turn(&call_turn, n)) return 0;
    errno = call_turn.what;
    return 1;
}

#define FILE_CALL(type, name, parameters, arguments)                                               \
    type name parameters {                                                                         \
        static type(*next_##name) parameters;                                                      \
        NEXT(name);                                                                                \
        return fails() ? -1 : next_##name arguments;                                               \
    }

FILE_CALL(int, rename, (const char* a, const char* b), (a, b))
FILE_CALL(int, renameat, (int f, const char* a, int g, const char* b), (f, a, g, b))
FILE_CALL(int, link, (const char* a, const char* b), (a, b))
FILE_CALL(int, unlink, (const char* a), (a))
FILE_CALL(int, unlinkat, (int f, const char* a, int how), (f, a, how))
FILE_CALL(int, mkdir, (const char* a, mode_t mode), (a, mode))
FILE_CALL(int, rmdir, (const char* a), (a))
FILE_CALL(int, flock, (int f, int how), (f, how))
FILE_CALL(int, fchmod, (int f, mode_t mode), (f, mode))
FILE_CALL(int, dup, (int f), (f))
FILE_CALL(ssize_t, write, (int f, const void* bytes, size_t size), (f, bytes, size))
FILE_CALL(ssize_t, read, (int f, void* bytes, size_t size), (f, bytes, size))
FILE_CALL(off_t, lseek, (int f, off_t at, int from_where), (f, at, from_where))

int open(const char* path, int how, ...) {
    static int (*next_open)(const char*, int, ...);
    NEXT(open);
    va_list rest;
    va_start(rest, how);
    mode_t mode = how & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails() ? -1 : next_open(path, how, mode);
}

// ---------------------------------------------------------------------------- main

static void read_turn(const char* name, turn* t) {
    const char* text = getenv(name);
    if (!text) return;
    char* end = NULL;
    t->first = strtol(text, &end, 10);
    t->on = *end == '+';
    end += t->on;
    if (*end == ':') t->what = (int)strtol(end + 1, NULL, 10);
    unsetenv(name);
}

static void read_text(const char* name, char* text, size_t room) {
    const char* value = getenv(name);
    if (value) snprintf(text, room, "%s", value);
    unsetenv(name);
}

/** For a process that does many trials: from now on allocation `n` fails, and all after it if `on`.
 */
void sistrum_fault_arm(long n, int on) {
    atomic_store(&allocations, 0);
    alloc_turn = (turn){.first = n, .on = on};
    active = 1;
}

/** Nothing fails any more; how many allocations there were. */
long sistrum_fault_disarm(void) {
    active = 0;
    return atomic_load(&allocations);
}

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
    read_turn("SISTRUM_FAULT_ALLOC", &alloc_turn);
    read_turn("SISTRUM_FAULT_CALL", &call_turn);
    read_turn("SISTRUM_FAULT_SIGNAL", &signal_turn);
    read_text("SISTRUM_FAULT_FROM", from, sizeof from);
    read_text("SISTRUM_FAULT_REPORT", report, sizeof report);
    read_text("SISTRUM_FAULT_WHO", who, sizeof who);
    unsetenv("LD_PRELOAD");
    active = getenv("SISTRUM_FAULT_LATER") == NULL;
    return real_main(argc, argv, environment);
}

__attribute__((destructor)) static void end(void) {
    active = 0;
    if (!*report) return;
    char text[64];
    int size = snprintf(text, sizeof text, "%ld %ld\n", (long)allocations, (long)calls);
    long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) syscall(SYS_write, file, text, size);
}

typedef int (*main_function)(int, char**, char**);

int __libc_start_main(main_function main, int argc, char** argv, main_function init,
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
    static int (*next)(main_function, int, char**, main_function, void (*)(void), void (*)(void),
                       void*);
    next_of((void**)&next, "__libc_start_main");
    real_main = main;
    return next(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
