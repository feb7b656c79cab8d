#include "cast.h"

#include "find.h"
#include "notes.h"
#include "say.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One item: who plays, and what. */
typedef struct item {
    int16_t* place; // in the performance
    char word[512]; // the scene as typed
} item;

static int malformed(const char* text, size_t length) {
    return complain(EXIT_USAGE,
                    "--instrument needs CHANNEL=SCENE or program:NUMBER=SCENE, channels 1 .. 16, "
                    "programs 1 .. 128, separated by commas, not '%.*s'",
                    length < 200 ? (int)length : 200, text);
}

/** Reads an item of `length` characters. */
static int read_item(const char* text, size_t length, sis_performance* p, item* made) {
    static const char program[] = "program:";
    char number[64];
    size_t equals = strcspn(text, "=");
    bool is_program = !strncmp(text, program, sizeof program - 1);
    size_t skip = is_program ? sizeof program - 1 : 0;
    long value = 0;
    if (equals >= length || equals < skip || equals - skip >= sizeof number ||
        length - equals - 1 >= sizeof made->word || length - equals < 2)
        return malformed(text, length);
    snprintf(number, sizeof number, "%.*s", (int)(equals - skip), text + skip);
    snprintf(made->word, sizeof made->word, "%.*s", (int)(length - equals - 1), text + equals + 1);
    if (!sis_text_whole(number, 1, is_program ? 128 : 16, &value)) return malformed(text, length);
    made->place = is_program ? &p->of_program[value - 1] : &p->of_channel[value - 1];
    if (*made->place)
        return complain(EXIT_USAGE, "--instrument gives '%.*s' two scenes", (int)equals, text);
    return EXIT_DONE;
}

char* cast_first(const char* instruments) {
    size_t equals = strcspn(instruments, "="), end = strcspn(instruments, ",");
    if (equals + 1 >= end) return NULL;
    return strndup(instruments + equals + 1, end - equals - 1);
}

/** Of --set what this scene has; the others are the first scene's. */
static sis_setting* pick_settings(const sis_script* script, const options* o, int32_t* count) {
    sis_setting* picked = calloc((size_t)o->setting_count + 1, sizeof *picked);
    *count = 0;
    for (int32_t i = 0; picked && i < o->setting_count; i++) {
        bool known = false;
        for (int32_t k = 0; k < sis_script_param_count(script) && !known; k++)
            known = !strcmp(sis_script_param(script, k).name, o->settings[i].name);
        for (int32_t k = 0; k < sis_script_input_count(script) && !known; k++)
            known = !strcmp(sis_script_input(script, k).name, o->settings[i].name);
        if (known) picked[(*count)++] = o->settings[i];
    }
    return picked;
}

/** Loads the scene at cast->paths[i]. */
static int load(cast* all, int32_t i, const options* o) {
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    sis_instrument* scene = &all->others[i];
    sis_script* bare = sis_script_load(all->paths[i], NULL, 0, &error);
    if (!bare) return complain_script(&error);
    sis_setting* settings = pick_settings(bare, o, &scene->setting_count);
    sis_script_free(bare);
    all->settings[i] = settings;
    if (!settings) return complain(EXIT_RUN, "out of memory");
    all->scripts[i] = sis_script_load(all->paths[i], settings, scene->setting_count, &error);
    if (!all->scripts[i]) return complain_script(&error);
    scene->scene = all->paths[i];
    scene->script = all->scripts[i];
    scene->settings = settings;
    if (notes_taken(scene->script)) return EXIT_DONE;
    return complain(EXIT_SCENE,
                    "%s: the scene does not say how notes play it: add play{ pitch = \"NAME\", "
                    "velocity = \"NAME\" } with the names of params",
                    sis_script_name(scene->script));
}

/** The number of the scene, 1 the first; it is loaded where it is a new one. */
static int find_or_load(cast* all, const options* o, const char* word, int16_t* number) {
    bool lost = false;
    char* path = find_scene(word, &lost);
    if (lost) return complain(EXIT_RUN, "out of memory");
    if (!path) return find_complain(word);
    *number = !strcmp(path, o->scene) ? 1 : 0;
    for (int32_t i = 0; i < all->count && !*number; i++)
        if (!strcmp(path, all->paths[i])) *number = (int16_t)(i + 2);
    if (*number || all->count == CAST_MOST) free(path);
    if (*number) return EXIT_DONE;
    if (all->count == CAST_MOST)
        return complain(EXIT_USAGE, "--instrument: at most %d scenes beside the first", CAST_MOST);
    all->paths[all->count] = path;
    *number = (int16_t)(all->count + 2);
    return load(all, all->count++, o);
}

int cast_open(cast* all, const options* o, sis_performance* p) {
    const char* rest = o->instruments;
    while (rest) {
        item one;
        size_t length = strcspn(rest, ",");
        int code = read_item(rest, length, p, &one);
        if (!code) code = find_or_load(all, o, one.word, one.place);
        if (code) return code;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    p->others = all->others;
    p->other_count = all->count;
    p->strict = o->no_scene;
    return EXIT_DONE;
}

const char* cast_names(const cast* all, char* text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (int32_t i = 0; i < all->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 sis_script_name(all->scripts[i]));
    return text;
}

void cast_close(cast* all) {
    for (int32_t i = 0; i < all->count; i++) {
        sis_script_free(all->scripts[i]);
        free(all->settings[i]);
        free(all->paths[i]);
    }
}
