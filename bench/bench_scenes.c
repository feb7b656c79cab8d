#include "bench_scenes.h"

#include "example_parts.h"
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A copy of the text without every line that begins with one of the words. */
static char* without_lines(const char* text, const char* const* words) {
    char* copy = malloc(strlen(text) + 1);
    if (!copy) example_starve();
    char* to = copy;
    for (const char* line = text; *line;) {
        const char* end = strchr(line, '\n');
        size_t size = end ? (size_t)(end - line) + 1 : strlen(line);
        bool cut = false;
        for (int i = 0; words && words[i]; i++)
            cut = cut || strncmp(line, words[i], strlen(words[i])) == 0;
        if (!cut) {
            memcpy(to, line, size);
            to += size;
        }
        line += size;
    }
    *to = '\0';
    return copy;
}

static sis_system* compiled(const sis_scene* scene, double rate, sis_scheme scheme,
                            scene_audit audit, const char* says) {
    sis_error error = {0};
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.scheme = scheme;
    options.unaudited = audit == UNAUDITED;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system && error.status == SIS_NO_MEMORY) example_starve();
    if (!system && says) fprintf(stderr, "bench: %s: %s\n", says, error.text);
    return system;
}

sis_system* scene_system(const char* name, const char* const* without, double times,
                         sis_scheme scheme, scene_audit audit, bool says) {
    const scene_text* from = bench_scene_texts;
    while (from->name && strcmp(from->name, name) != 0)
        from++;
    if (!from->name) {
        fprintf(stderr, "bench: no scene '%s'\n", name);
        return NULL;
    }
    char* text = without_lines(from->text, without);
    sis_script_error wrong = {0};
    sis_script* script = sis_script_load_text(text, strlen(text), name, NULL, 0, &wrong);
    free(text);
    if (!script && wrong.status == SIS_SCRIPT_NO_MEMORY) example_starve();
    if (!script) {
        fprintf(stderr, "bench: %s\n", wrong.text);
        return NULL;
    }
    sis_scene* scene = sis_script_scene(script);
    sis_render_def run = sis_scene_render(scene);
    double rate = run.rate * run.oversample * times;
    sis_system* system = compiled(scene, rate, scheme, audit, says ? name : NULL);
    sis_script_free(script);
    return system;
}

sis_system* scene_compiled(sis_scene* scene, double rate, sis_scheme scheme, scene_audit audit,
                           bool says) {
    sis_system* system = compiled(scene, rate, scheme, audit, says ? "a scene" : NULL);
    sis_scene_free(scene);
    return system;
}
