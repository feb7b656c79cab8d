// Reads a scene file whole: never more than it may be, and never from what is not a file.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene_file.h"

enum { LARGEST_FILE = 4 << 20 }; // bytes

#ifdef _WIN32
// There are no named pipes among files there, and bytes shall stay as they are.
#define OPEN_FLAGS                  (O_RDONLY | O_BINARY)
#define strerror_r(code, why, room) strerror_s(why, room, code)
#else
// Without O_NONBLOCK the open of a named pipe waits until somebody writes.
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#endif

static bool fail(char* why, size_t room, int code) {
    if (strerror_r(code, why, room) != 0) snprintf(why, room, "error %d", code);
    errno = code;
    return false;
}

// Pipes, terminals and devices may never end, or may never begin.
static bool is_plain(int file, char* why, size_t room) {
    struct stat about;
    if (fstat(file, &about) != 0) return fail(why, room, errno);
    if (S_ISREG(about.st_mode)) return true;
    snprintf(why, room, S_ISDIR(about.st_mode) ? "it is a directory" : "it is not a plain file");
    errno = EINVAL;
    return false;
}

// One byte more than allowed is read, to know that there is more; the size on disk may be a lie.
static bool read_all(int file, char* text, size_t* size, char* why, size_t room) {
    *size = 0;
    while (*size <= LARGEST_FILE) {
        ssize_t got = read(file, text + *size, LARGEST_FILE + 1 - *size);
        if (got == 0) return true;
        if (got < 0 && errno != EINTR) return fail(why, room, errno);
        if (got > 0) *size += (size_t)got;
    }
    snprintf(why, room, "it is larger than %d MB", LARGEST_FILE >> 20);
    errno = EFBIG;
    return false;
}

char* sis_file_read(const char* path, size_t* size, char* why, size_t room) {
    int file = open(path, OPEN_FLAGS);
    if (file < 0) {
        fail(why, room, errno);
        return NULL;
    }
    char* text = NULL;
    bool read = false;
    if (is_plain(file, why, room)) {
        text = malloc(LARGEST_FILE + 1);
        if (text)
            read = read_all(file, text, size, why, room);
        else
            fail(why, room, ENOMEM);
    }
    int code = errno;
    close(file);
    if (read) return text;
    free(text);
    errno = code;
    return NULL;
}
