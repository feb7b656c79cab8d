#include "clap_scenes.h"

#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- what a list says

/** "-- Name: one line" at the top of a scene, as text that any host can show. */
static void read_head(clap_scene* scene) {
    const char *at = scene->text, *end = scene->text + scene->size;
    char line[512];
    if (end - at >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3)) at += 3;
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    if (end - at < 2 || at[0] != '-' || at[1] != '-') return;
    while (at < end && (*at == '-' || *at == ' '))
        at++;
    size_t length = 0;
    while (at + length < end && at[length] != '\n' && at[length] != '\r')
        length++;
    snprintf(line, sizeof line, "%.*s", (int)(length < 500 ? length : 500), at);
    char* colon = strstr(line, ": ");
    bool named = colon && colon - line < 40;
    if (named) {
        *colon = 0;
        sis_clean(line, scene->name, sizeof scene->name);
    }
    sis_clean(named ? colon + 2 : line, scene->about, sizeof scene->about);
}

/** Hosts sort by these: what takes sound is an effect, what notes play is an instrument. */
static void set_features(clap_scene* scene, const sis_script* script) {
    const sis_play* play = sis_script_play(script);
    const sis_gestures* gestures = sis_script_gestures(script);
    bool courses = gestures && gestures->course_count > 0;
    bool sound = gestures && gestures->sound_count > 0;
    bool pitched = play && (play->pitch >= 0 || gestures->pitch >= 0 || courses);
    bool struck = play && (play->velocity >= 0 || gestures->velocity >= 0 || gestures->gate >= 0);
    int n = 0;
    if (sound) scene->features[n++] = CLAP_PLUGIN_FEATURE_AUDIO_EFFECT;
    if (pitched || struck || !sound) {
        scene->features[n++] = CLAP_PLUGIN_FEATURE_INSTRUMENT;
        scene->features[n++] = pitched ? CLAP_PLUGIN_FEATURE_SYNTHESIZER : CLAP_PLUGIN_FEATURE_DRUM;
    }
    scene->features[n++] = CLAP_PLUGIN_FEATURE_STEREO;
    scene->features[n] = NULL;
}

/** Spaces for underscores, a capital in front. */
static void name_after_file(clap_scene* scene, const char* name) {
    snprintf(scene->name, sizeof scene->name, "%s", name);
    for (char* at = scene->name; *at; at++)
        if (*at == '_') *at = ' ';
    if (scene->name[0] >= 'a' && scene->name[0] <= 'z') scene->name[0] -= 'a' - 'A';
}

/** Hosts would list it, and then it would not start. */
static bool is_heard(const sis_scene* scene) {
    for (sis_id i = 0; i < sis_scene_count(scene); i++)
        if (sis_scene_kind(scene, i) == SIS_KIND_PROBE) return true;
    return false;
}

static bool describe(clap_scene* scene, const char* name) {
    sis_script_error error = {.status = SIS_SCRIPT_OK};
    sis_script* script =
        sis_script_load_text(scene->text, scene->size, scene->file, NULL, 0, &error);
    if (!script) {
        fprintf(stderr, "sistrum.clap: %s\n", error.text);
        return false;
    }
    if (!is_heard(sis_script_scene(script))) {
        fprintf(stderr, "sistrum.clap: %s: the scene has no sound: it has no probe\n", scene->file);
        sis_script_free(script);
        return false;
    }
    name_after_file(scene, name);
    read_head(scene);
    sis_render_def render = sis_scene_render(sis_script_scene(script));
    if (render.title && *render.title) sis_clean(render.title, scene->name, sizeof scene->name);
    set_features(scene, script);
    sis_script_free(script);
    scene->descriptor = (clap_plugin_descriptor_t){
        .clap_version = CLAP_VERSION_INIT,
        .id = scene->id,
        .name = scene->name,
        .vendor = "Sistrum",
        .url = "",
        .manual_url = "",
        .support_url = "",
        .version = SIS_VERSION,
        .description = scene->about,
        .features = scene->features,
    };
    return true;
}

// ---------------------------------------------------------------------------- the list

static void scene_free(clap_scene* scene) {
    if (scene) free(scene->text);
    free(scene);
}

static bool make_room(clap_scenes* scenes) {
    if (scenes->count < scenes->room) return true;
    int32_t room = scenes->room ? 2 * scenes->room : 64;
    clap_scene** more = realloc(scenes->all, (size_t)room * sizeof *more);
    if (!more) return false;
    scenes->all = more;
    scenes->room = room;
    return true;
}

/** Where the id stands, or would stand. */
static int32_t place_of(const clap_scenes* scenes, const char* id) {
    int32_t from = 0, to = scenes->count;
    while (from < to) {
        int32_t middle = (from + to) / 2;
        if (strcmp(scenes->all[middle]->id, id) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

const clap_scene* clap_scenes_get(const clap_scenes* scenes, const char* id) {
    int32_t i = place_of(scenes, id);
    return i < scenes->count && !strcmp(scenes->all[i]->id, id) ? scenes->all[i] : NULL;
}

static char* copy_text(const char* text, size_t size) {
    char* copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

void clap_scenes_add(clap_scenes* scenes, const char* prefix, const char* name, const char* text,
                     size_t size) {
    clap_scene* scene = calloc(1, sizeof *scene);
    if (!scene) return;
    snprintf(scene->id, sizeof scene->id, "%s%s", prefix, name);
    snprintf(scene->file, sizeof scene->file, "%s.lua", name);
    bool wanted = !clap_scenes_get(scenes, scene->id) && make_room(scenes);
    if (wanted) {
        scene->text = copy_text(text, size);
        scene->size = size;
    }
    if (!scene->text || !describe(scene, name)) {
        scene_free(scene);
        return;
    }
    int32_t at = place_of(scenes, scene->id);
    memmove(&scenes->all[at + 1], &scenes->all[at],
            (size_t)(scenes->count - at) * sizeof(clap_scene*));
    scenes->all[at] = scene;
    scenes->count++;
}

void clap_scenes_free(clap_scenes* scenes) {
    for (int32_t i = 0; i < scenes->count; i++)
        scene_free(scenes->all[i]);
    free(scenes->all);
    *scenes = (clap_scenes){0};
}
