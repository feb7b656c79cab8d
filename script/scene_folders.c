#include "scene_folders.h"

#include <stdbool.h>
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

typedef struct guide {
    void (*visit)(void* self, const char* folder, sis_folder_kind kind);
    void* self;
} guide;

/** "FOLDER/BELOW"; false: it is too long. */
static bool join(char* path, const char* folder, size_t length, const char* below) {
    int used = snprintf(path, PATH_ROOM, "%.*s%s", (int)length, folder, below);
    return length && length < PATH_ROOM && used > 0 && used < PATH_ROOM;
}

static bool is_folder(const char* path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool has(const char* folder, const char* below) {
    char path[PATH_ROOM];
    return join(path, folder, strlen(folder), below) && is_folder(path);
}

static void show(const guide* g, const char* folder, size_t length, const char* below,
                 sis_folder_kind kind) {
    char path[PATH_ROOM];
    if (join(path, folder, length, below)) g->visit(g->self, path, kind);
}

/** The folders of a list, with `below` behind each. */
static void show_list(const guide* g, const char* list, const char* below, sis_folder_kind kind) {
    while (list && *list) {
        size_t length = strcspn(list, BETWEEN);
        show(g, list, length, below, kind);
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

static void show_beside(const guide* g, const char* start) {
    char path[PATH_ROOM];
    if (!join(path, start, strlen(start), "")) return;
    if (has(path, "/scenes")) show(g, path, strlen(path), "/scenes", SIS_FOLDER_BESIDE);
    do
        if (has(path, "/share/sistrum/scenes"))
            show(g, path, strlen(path), "/share/sistrum/scenes", SIS_FOLDER_BESIDE);
    while (go_up(path));
}

static void show_data(const guide* g, const char* start) {
    const char* data = getenv("SISTRUM_DATA");
    char path[PATH_ROOM];
    if (data && *data) {
        show(g, data, strlen(data), "/scenes", SIS_FOLDER_DATA);
        return;
    }
    if (!start || !join(path, start, strlen(start), "")) return;
    do {
        if (!has(path, "/scenes") || !has(path, "/repro")) continue;
        show(g, path, strlen(path), "/scenes", SIS_FOLDER_DATA);
        return;
    } while (go_up(path));
}

void sis_scene_folders(const char* start,
                       void (*visit)(void* self, const char* folder, sis_folder_kind kind),
                       void* self) {
    const guide g = {visit, self};
    show_list(&g, getenv("SISTRUM_SCENES"), "", SIS_FOLDER_NAMED);
    if (start) show_beside(&g, start);
    show_data(&g, start);
    const char *system = getenv(SYSTEM_DATA), *user = getenv(USER_DATA), *home = getenv("HOME");
    show_list(&g, system && *system ? system : SYSTEM_ELSE, "/sistrum/scenes", SIS_FOLDER_SYSTEM);
    if (user && *user)
        show(&g, user, strlen(user), "/sistrum/scenes", SIS_FOLDER_USER);
    else if (home && *home)
        show(&g, home, strlen(home), "/.local/share/sistrum/scenes", SIS_FOLDER_USER);
}
