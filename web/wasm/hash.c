// SHA-256 of the samples of a scene, as bench/scene_samples.c writes them: what docs/hashes.md has.
#include "page.h"
#include "samples.h"
#include "sha256.h"

#include <stdlib.h>

static bool hash_bytes(void* self, const void* bytes, size_t size) {
    sis_sha256_add(self, bytes, size);
    return true;
}

/** The hash of a scene in page_text; 0: the sentence. */
int EXPORT(page_hash)(const char* text, size_t size, const char* name) {
    sis_script_error wrong;
    sis_error error = {.text = ""};
    sis_script* script = sis_script_load_text(text, size, name, NULL, 0, &wrong);
    if (!script) return page_fail(wrong.text, wrong.line), 0;
    sis_sha256 hash;
    sis_sha256_begin(&hash);
    const char* why = samples_of(script, 0, hash_bytes, &hash, &error);
    sis_script_free(script);
    if (why) return page_fail(why, 0), 0;
    char hex[65];
    sis_sha256_end(&hash, hex);
    page_say_begin();
    page_say("%s", hex);
    return 1;
}
