// libsndfile, looked up when the first FLAC file is written: whoever writes none needs none.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stddef.h>

static const char missing[] = "FLAC needs libsndfile, which is not installed";

#define CALLS(CALL)                                                                                \
    CALL(sf_open)                                                                                  \
    CALL(sf_open_fd)                                                                               \
    CALL(sf_close)                                                                                 \
    CALL(sf_command)                                                                               \
    CALL(sf_error_number)                                                                          \
    CALL(sf_readf_float)                                                                           \
    CALL(sf_seek)                                                                                  \
    CALL(sf_set_string)                                                                            \
    CALL(sf_strerror)                                                                              \
    CALL(sf_writef_int)

static struct {
#define POINTER(name) __typeof__(&name) name;
    CALLS(POINTER)
} late;
static bool found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
    void* library = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    found = true;
    // What dlsym returns is an object for the language, and a function here.
#define FIND(name)                                                                                 \
    *(void**)(void*)&late.name = dlsym(library, #name);                                            \
    found = found && late.name;
    CALLS(FIND)
}

static bool ready(void) {
    int before = errno;
    pthread_once(&once, find);
    errno = before;
    return found;
}

SNDFILE* sf_open(const char* path, int mode, SF_INFO* info) {
    return ready() ? late.sf_open(path, mode, info) : NULL;
}

SNDFILE* sf_open_fd(int fd, int mode, SF_INFO* info, int close_desc) {
    return ready() ? late.sf_open_fd(fd, mode, info, close_desc) : NULL;
}

int sf_close(SNDFILE* file) {
    return ready() ? late.sf_close(file) : 0;
}

int sf_command(SNDFILE* file, int command, void* data, int size) {
    return ready() ? late.sf_command(file, command, data, size) : 0;
}

const char* sf_error_number(int number) {
    return ready() ? late.sf_error_number(number) : missing;
}

sf_count_t sf_readf_float(SNDFILE* file, float* to, sf_count_t frames) {
    return ready() ? late.sf_readf_float(file, to, frames) : 0;
}

sf_count_t sf_seek(SNDFILE* file, sf_count_t frames, int whence) {
    return ready() ? late.sf_seek(file, frames, whence) : -1;
}

int sf_set_string(SNDFILE* file, int type, const char* text) {
    return ready() ? late.sf_set_string(file, type, text) : 1;
}

const char* sf_strerror(SNDFILE* file) {
    return ready() ? late.sf_strerror(file) : missing;
}

sf_count_t sf_writef_int(SNDFILE* file, const int* from, sf_count_t frames) {
    return ready() ? late.sf_writef_int(file, from, frames) : 0;
}
