#include "play_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void* play_library_open(const char* const* names, const play_symbol* symbols, size_t count,
                        void* table) {
    void* library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < count; i++) {
        void* address = dlsym(library, symbols[i].name);
        if (!address) return NULL;
        memcpy((char*)table + symbols[i].offset, &address, sizeof address);
    }
    return library;
}

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
