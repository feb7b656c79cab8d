#ifdef __linux__
#define _GNU_SOURCE // memfd_create, dladdr
#endif
#include "play_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#endif

static void* open_first(const char* const* names) {
    void* library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

static void* fill(void* library, const play_symbol* symbols, size_t count, void* table) {
    for (size_t i = 0; library && i < count; i++) {
        void* address = dlsym(library, symbols[i].name);
        if (!address) return NULL;
        memcpy((char*)table + symbols[i].offset, &address, sizeof address);
    }
    return library;
}

void* play_library_open(const char* const* names, const play_symbol* symbols, size_t count,
                        void* table) {
    return fill(open_first(names), symbols, count, table);
}

#ifdef __linux__
static bool copy_file(int from, int to) {
    struct stat file;
    if (fstat(from, &file) != 0) return false;
    for (off_t at = 0; at < file.st_size;)
        if (sendfile(to, from, &at, (size_t)(file.st_size - at)) <= 0) return false;
    return true;
}

// The loader of programs knows a library by its file: it takes a copy for another one.
void* play_library_again(const char* const* names, const play_symbol* symbols, size_t count,
                         void* table) {
    void* library = fill(open_first(names), symbols, count, table);
    void* some_function = NULL;
    Dl_info found;
    if (!library || !count) return NULL;
    memcpy(&some_function, (char*)table + symbols[0].offset, sizeof some_function);
    if (!dladdr(some_function, &found)) return NULL;
    int from = open(found.dli_fname, O_RDONLY | O_CLOEXEC);
    int copy = memfd_create("library", MFD_CLOEXEC);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
    bool fine = from >= 0 && copy >= 0 && copy_file(from, copy);
    library = fine ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (from >= 0) close(from);
    // The loader takes a second file of the same name for the first: an open copy keeps its number.
    if (copy >= 0 && !library) close(copy);
    return fill(library, symbols, count, table);
}
#else
void* play_library_again(const char* const* names, const play_symbol* symbols, size_t count,
                         void* table) {
    (void)names, (void)symbols, (void)count, (void)table;
    return NULL;
}
#endif

int play_library_quiet(void) {
    fflush(stderr);
    int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (before >= 0 && nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
    return before;
}

void play_library_loud(int before) {
    if (before < 0) return;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
}

bool play_name_has(const char* name, const char* part) {
    size_t length = strlen(part);
    for (; *name; name++)
        if (!strncasecmp(name, part, length)) return true;
    return false;
}
