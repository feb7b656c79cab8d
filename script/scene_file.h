// Not installed.
#ifndef SISTRUM_SCENE_FILE_H
#define SISTRUM_SCENE_FILE_H

#include <stdbool.h>
#include <stddef.h>

// The content of a file, `*size` bytes; the caller frees it. NULL: `why` (of `room` bytes) says
// why, and errno is ENOMEM where there was no memory for it.
char* sis_file_read(const char* path, size_t* size, char* why, size_t room);

#endif
