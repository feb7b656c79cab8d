#include "pd_find.h"

#include "scene_folders.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/** A scene that is looked for, until it is found. */
typedef struct search {
    const char *name, *ending;
    char* path;
    size_t room;
    bool found;
} search;

static bool is_file(const char* path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/** A sis_scene_folders visitor. */
static void visit(void* self, const char* folder, sis_folder_kind kind) {
    search* s = self;
    (void)kind;
    if (s->found) return;
    int used = snprintf(s->path, s->room, "%s/%s%s", folder, s->name, s->ending);
    s->found = used > 0 && (size_t)used < s->room && is_file(s->path);
}

/** Beside the patch and where Pd looks. */
static bool find_near(const search* s, t_canvas* canvas) {
    char folder[MAXPDSTRING], *file = NULL;
    int descriptor = canvas_open(canvas, s->name, s->ending, folder, &file, MAXPDSTRING, 1);
    if (descriptor < 0) return false;
    sys_close(descriptor);
    int used = snprintf(s->path, s->room, "%s/%s", folder, file);
    return used > 0 && (size_t)used < s->room && is_file(s->path);
}

bool pd_find_scene(t_canvas* canvas, const char* own, const char* name, char* path, size_t room) {
    size_t length = strlen(name);
    const char* ending = length > 4 && !strcmp(name + length - 4, ".lua") ? "" : ".lua";
    search s = {name, ending, path, room, false};
    if (find_near(&s, canvas)) return true;
    if (!strchr(name, '/')) sis_scene_folders(own, visit, &s);
    return s.found;
}
