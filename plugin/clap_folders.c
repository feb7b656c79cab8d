// Scenes of the folders that sis_scene_folders knows, then those that the plugin was built with, then
// those of the user, which have ids of their own. The first of a name counts.
#include "clap_scenes.h"

#include "scene_file.h"
#include "scene_folders.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096 };

static bool is_file(const char* path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/** Ids have letters, digits and these; other names a host may not keep. */
static bool is_name(const char* name, size_t length) {
    if (!length || length > 100) return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!plain && c != '_' && c != '-' && c != '+') return false;
    }
    return true;
}

static void add_file(clap_scenes* scenes, const char* prefix, const char* folder,
                     const char* file) {
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".lua") != 0) return;
    char name[128], path[PATH_ROOM], why[512];
    if (!is_name(file, length - 4)) {
        if (file[0] != '.')
            fprintf(stderr, "sistrum.clap: %s: a name may have letters, digits, _, - and +\n",
                    file);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), file);
    int used = snprintf(path, sizeof path, "%s/%s", folder, file);
    if (used < 0 || used >= PATH_ROOM || !is_file(path)) return;
    size_t size = 0;
    char* text = sis_file_read(path, &size, why, sizeof why);
    if (text)
        clap_scenes_add(scenes, prefix, name, text, size);
    else
        fprintf(stderr, "sistrum.clap: %s: cannot read the scene: %s\n", path, why);
    free(text);
}

static void add_folder(clap_scenes* scenes, const char* prefix, const char* folder) {
    DIR* stream = opendir(folder);
    if (!stream) return;
    const struct dirent* entry;
    while ((entry = readdir(stream)))
        add_file(scenes, prefix, folder, entry->d_name);
    closedir(stream);
}

/** What sis_scene_folders shows, of the user or of all others. */
typedef struct search {
    clap_scenes* scenes;
    bool user;
} search;

static void visit(void* self, const char* folder, sis_folder_kind kind) {
    const search* s = self;
    if ((kind == SIS_FOLDER_USER) != s->user) return;
    add_folder(s->scenes, s->user ? "org.sistrum.user." : "org.sistrum.", folder);
}

static bool is_slash(char c) {
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/** The folder of the plugin; NULL: unknown. */
static const char* folder_of(const char* plugin_path, char* folder) {
    int used = snprintf(folder, PATH_ROOM, "%s", plugin_path ? plugin_path : "");
    if (used <= 0 || used >= PATH_ROOM) return NULL;
    size_t end = (size_t)used;
    while (end && !is_slash(folder[end - 1]))
        end--;
    while (end && is_slash(folder[end - 1]))
        end--;
    folder[end] = 0;
    return end ? folder : NULL;
}

void clap_scenes_find(clap_scenes* scenes, const char* plugin_path) {
    char folder[PATH_ROOM];
    const char* start = folder_of(plugin_path, folder);
    sis_scene_folders(start, visit, &(search){scenes, false});
    for (const clap_scene_text* built = clap_scene_texts; built->name; built++)
        clap_scenes_add(scenes, "org.sistrum.", built->name, built->text, strlen(built->text));
    sis_scene_folders(start, visit, &(search){scenes, true});
}
