// The samples of a scene as raw little-endian doubles on standard output, to be hashed (samples.h):
//
//   scene_samples SCENE.lua [LANES]
//
// It needs the core, the loader and Lua, and no more: the same program is built for other processors
// and for WebAssembly (tools/hashes.sh).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

static int fail(const char* why) {
    fprintf(stderr, "scene_samples: %s\n", why);
    return 1;
}

static bool put(void* self, const void* bytes, size_t size) {
    (void)self;
    return fwrite(bytes, 1, size, stdout) == size;
}

int main(int argc, char** argv) {
#ifdef _WIN32
    _setmode(_fileno(stdout), _O_BINARY); // samples are no text
#endif
    if (argc < 2) return fail("usage: scene_samples SCENE.lua [LANES]");
    static sis_script_error wrong;
    sis_script* script = sis_script_load(argv[1], NULL, 0, &wrong);
    if (!script) return fail(wrong.text);
    int32_t lanes = argc > 2 ? (int32_t)strtol(argv[2], NULL, 10) : 0;
    sis_error error = {0};
    const char* why = samples_of(script, lanes, put, NULL, &error);
    sis_script_free(script);
    if (why) return fail(why);
    return fflush(stdout) ? fail("cannot write") : 0;
}
