// Without memory the library says so and gives back what it took: every allocation of building,
// loading and compiling a scene fails in turn, once or from there on.
#include "check.h"
#include "example_parts.h"
#include "script.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- memory on trial

// The linker sends every allocation of the program, of the library and of Lua here
// (test/CMakeLists.txt).
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* block, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* block);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* block, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void* block);

static long asked, failing; // how many so far; which one fails, 0: none
static bool and_all_after;
static long held; // blocks

static bool refuses(void) {
    asked++;
    return failing && (asked == failing || (and_all_after && asked > failing));
}

static void* took(void* block) {
    held += block != NULL;
    return block;
}

void* __wrap_malloc(size_t size) {
    return refuses() ? NULL : took(__real_malloc(size));
}

void* __wrap_calloc(size_t count, size_t size) {
    return refuses() ? NULL : took(__real_calloc(count, size));
}

void* __wrap_realloc(void* block, size_t size) {
    if (refuses()) return NULL;
    void* moved = __real_realloc(block, size);
    held += moved && !block;
    return moved;
}

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
    return refuses() ? NULL : took(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void* block) {
    held -= block != NULL;
    __real_free(block);
}

// ---------------------------------------------------------------------------- what is tried

/** Makes a system, or NULL with `starved` and a sentence: what a trial does with `about`. */
typedef sis_system* (*maker)(const void* about, bool* starved, char* text, size_t room);

static sis_system* compile(const sis_scene* scene, bool* starved, char* text, size_t room) {
    sis_options how = sis_options_default(scene);
    sis_error error = {.status = SIS_OK};
    sis_system* system = sis_compile(scene, &how, &error);
    *starved = !system && error.status == SIS_NO_MEMORY;
    snprintf(text, room, "%s", system ? "" : error.text);
    return system;
}

static sis_system* from_script(const void* path, bool* starved, char* text, size_t room) {
    sis_script_error wrong = {.status = SIS_SCRIPT_OK};
    sis_script* script = sis_script_load(path, NULL, 0, &wrong);
    *starved = !script && wrong.status == SIS_SCRIPT_NO_MEMORY;
    snprintf(text, room, "%s", wrong.text);
    sis_system* system = script ? compile(sis_script_scene(script), starved, text, room) : NULL;
    sis_script_free(script);
    return system;
}

static sis_system* from_text(const void* scene, bool* starved, char* text, size_t room) {
    sis_script_error wrong = {.status = SIS_SCRIPT_OK};
    sis_script* script = sis_script_load_text(scene, strlen(scene), "scene", NULL, 0, &wrong);
    *starved = !script && wrong.status == SIS_SCRIPT_NO_MEMORY;
    snprintf(text, room, "%s", wrong.text);
    sis_system* system = script ? compile(sis_script_scene(script), starved, text, room) : NULL;
    sis_script_free(script);
    return system;
}

static sis_system* from_definitions(const void* about, bool* starved, char* text, size_t room) {
    (void)about;
    sis_error error = {.status = SIS_OK};
    sis_scene* scene = sis_scene_new();
    *starved = !scene;
    snprintf(text, room, "no memory for a scene");
    if (!scene) return NULL;
    sis_id ball = SIS_NONE, last = 0;
    for (int i = 0; i < 40 && last != SIS_NONE; i++) { // more than the scene has room for at first
        sis_mass_def mass = sis_mass_default();
        mass.mass = 0.01;
        mass.position = 0.001 * i;
        last = ball = sis_scene_add_mass(scene, &mass, &error);
    }
    sis_probe_def probe = sis_probe_default();
    probe.on = ball;
    if (last != SIS_NONE) last = sis_scene_add_probe(scene, &probe, &error);
    *starved = error.status == SIS_NO_MEMORY;
    snprintf(text, room, "%s", error.text);
    sis_system* system = last != SIS_NONE ? compile(scene, starved, text, room) : NULL;
    sis_scene_free(scene);
    return system;
}

/** The state after a few samples, as one number. */
static uint64_t sound_of(const sis_system* system) {
    failing = 0;
    sis_state* state = example_state(system);
    sis_step(system, state, &(sis_block){.frames = 16});
    uint64_t hash = example_hash(14695981039346656037u, state, sis_state_size(system));
    free(state);
    return hash;
}

/** One trial: the same system, or none for want of memory; and nothing is kept. */
static void attempt(maker make, const void* about, long n, bool on, uint64_t sound) {
    char text[1024];
    bool starved = false;
    long before = held;
    asked = 0;
    failing = n;
    and_all_after = on;
    sis_system* system = make(about, &starved, text, sizeof text);
    failing = 0;
    CHECK(system || starved);
    if (system)
        CHECK(sound_of(system) == sound);
    else
        CHECK_TEXT(text, "memory");
    sis_system_free(system);
    CHECK(held == before);
}

/** Every allocation, or about `most` of them when there are more. */
static void try_all(maker make, const void* about, long most) {
    char text[1024];
    bool starved = false;
    failing = asked = 0;
    sis_system* system = make(about, &starved, text, sizeof text);
    long count = asked;
    CHECK(system != NULL && count > 0);
    if (!system) return;
    uint64_t sound = sound_of(system);
    sis_system_free(system);
    long stride = count / most + 1;
    for (long n = 1; n <= count; n += stride)
        for (int on = 0; on < 2; on++)
            attempt(make, about, n, on, sound);
}

// ---------------------------------------------------------------------------- laws

static void scenes_of_definitions_fail_whole(void) {
    try_all(from_definitions, NULL, 100000);
}

static void scripts_fail_whole(void) {
    const char* folder = SISTRUM_SOURCE_DIR "/scenes";
    DIR* all = opendir(folder);
    CHECK(all != NULL);
    for (const struct dirent* entry; all && (entry = readdir(all));) {
        char path[1024];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        try_all(from_script, path, SANITIZED ? 6 : 60);
    }
    if (all) closedir(all);
}

// More inputs and followers than there is room for at first.
static void scenes_with_inputs_fail_whole(void) {
    static const char scene[] =
        "local blow = input{ 'blow', trigger = true }\n"
        "local m = mass{ mass = 1 }\n"
        "for i = 1, 20 do\n"
        "  local press = input{ 'press' .. i, 0.5, unit = 'N', smooth = 0.01 }\n"
        "  force{ on = m, width = 1e-3, peak = 2 * press + 0.1, trigger = blow }\n"
        "end\n"
        "local s = string{ length = 1, tension = 100, density = 0.01 }\n"
        "local lift = input{ 'lift', 0, max = 1e-3 }\n"
        "local b = barrier{ height = lift + function(x) return -1e-2 end }\n"
        "contact{ above = s, below = b, K = 1e6, alpha = 1.3 } probe{ on = s, at = 0.3 }";
    try_all(from_text, scene, SANITIZED ? 60 : 100000);
}

int main(void) {
    RUN(scenes_of_definitions_fail_whole);
    RUN(scenes_with_inputs_fail_whole);
    RUN(scripts_fail_whole);
    return CHECK_REPORT();
}
