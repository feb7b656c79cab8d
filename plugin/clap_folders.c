// Where scenes lie, in this order; the first of a name counts:
//   $SISTRUM_SCENES     folders, ':' between them (Windows: ';')
//   beside the plugin   scenes/, and share/sistrum/scenes or a source tree (scenes/ and repro/) in a folder above it
//   $SISTRUM_DATA       its scenes/
//   the system          sistrum/scenes of $XDG_DATA_DIRS (/usr/local/share, /usr/share; Windows: %ProgramData%)
//   the plugin itself   what it was built with
//   the user            sistrum/scenes of $XDG_DATA_HOME (~/.local/share; Windows: %APPDATA%), with ids of their own
#include "clap_scenes.h"

#include "scene_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#define BETWEEN     ";"
#define SYSTEM_DATA "ProgramData"
#define SYSTEM_ELSE "C:\\ProgramData"
#define USER_DATA   "APPDATA"
#define is_slash(c) ((c) == '/' || (c) == '\\')
#else
#define BETWEEN     ":"
#define SYSTEM_DATA "XDG_DATA_DIRS"
#define SYSTEM_ELSE "/usr/local/share:/usr/share"
#define USER_DATA   "XDG_DATA_HOME"
#define is_slash(c) ((c) == '/')
#endif

enum { PATH_ROOM = 4096 };

static bool is_folder(const char* path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

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
        fprintf(stderr, "sistrum.clap: %s\n", why);
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

/** The folders of a list, with `below` behind each. */
static void add_list(clap_scenes* scenes, const char* list, const char* below) {
    while (list && *list) {
        size_t length = strcspn(list, BETWEEN);
        char folder[PATH_ROOM];
        int used = snprintf(folder, sizeof folder, "%.*s%s", (int)length, list, below);
        if (length && used > 0 && used < PATH_ROOM) add_folder(scenes, "org.sistrum.", folder);
        list += length;
        if (*list) list++;
    }
}

static bool go_up(char* path) {
    size_t end = strlen(path);
    while (end && !is_slash(path[end - 1]))
        end--;
    while (end && is_slash(path[end - 1]))
        end--;
    path[end] = 0;
    return end > 0;
}

/** What lies beside the plugin, and in the folders above it. */
static void add_beside(clap_scenes* scenes, const char* plugin_path) {
    char path[PATH_ROOM], near[PATH_ROOM + 32], repro[PATH_ROOM + 32];
    int used = snprintf(path, sizeof path, "%s", plugin_path ? plugin_path : "");
    if (used <= 0 || used >= PATH_ROOM) return;
    for (int up = 0; up < 6 && go_up(path); up++) {
        snprintf(near, sizeof near, "%s/scenes", path);
        snprintf(repro, sizeof repro, "%s/repro", path);
        if (up == 0 || is_folder(repro)) add_folder(scenes, "org.sistrum.", near);
        snprintf(near, sizeof near, "%s/share/sistrum/scenes", path);
        add_folder(scenes, "org.sistrum.", near);
    }
}

static void add_users(clap_scenes* scenes) {
    const char *data = getenv(USER_DATA), *home = getenv("HOME");
    char folder[PATH_ROOM];
    int used = -1;
    if (data && *data)
        used = snprintf(folder, sizeof folder, "%s/sistrum/scenes", data);
    else if (home && *home)
        used = snprintf(folder, sizeof folder, "%s/.local/share/sistrum/scenes", home);
    if (used > 0 && used < PATH_ROOM) add_folder(scenes, "org.sistrum.user.", folder);
}

void clap_scenes_find(clap_scenes* scenes, const char* plugin_path) {
    add_list(scenes, getenv("SISTRUM_SCENES"), "");
    add_beside(scenes, plugin_path);
    const char *data = getenv("SISTRUM_DATA"), *system = getenv(SYSTEM_DATA);
    add_list(scenes, data, "/scenes");
    add_list(scenes, system && *system ? system : SYSTEM_ELSE, "/sistrum/scenes");
    for (const clap_scene_text* built = clap_scene_texts; built->name; built++)
        clap_scenes_add(scenes, "org.sistrum.", built->name, built->text, strlen(built->text));
    add_users(scenes);
}
