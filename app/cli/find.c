#include "find.h"

#include "say.h"
#include "scene_folders.h"
#include "study.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".lua"

static bool ends(const char* word) {
    size_t length = strlen(word);
    return length > strlen(ENDING) && !strcmp(word + length - strlen(ENDING), ENDING);
}

/** A word that can only mean a file, not a name. */
static bool is_path(const char* word) {
    return ends(word) || strchr(word, '/');
}

/** Anything that can be opened but a folder: the loader says what is wrong with a pipe. */
static bool is_file(const char* path) {
    struct stat found;
    return stat(path, &found) == 0 && !S_ISDIR(found.st_mode);
}

/** "FOLDER/WORD.lua"; a part that is NULL is left out with its '/'. The caller frees it. */
static char* join(const char* folder, const char* word, const char* ending) {
    size_t size = (folder ? strlen(folder) + 1 : 0) + strlen(word) + strlen(ending) + 1;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s%s", folder ? folder : "", folder ? "/" : "", word, ending);
    return path;
}

/** The file of that name in a folder (NULL: here), with .lua where the word has it not. */
static char* in_folder(const char* folder, const char* word, bool* lost) {
    char* path = join(folder, word, ends(word) ? "" : ENDING);
    *lost = *lost || !path;
    if (path && is_file(path)) return path;
    free(path);
    return NULL;
}

static char* copy(const char* word, bool* lost) {
    char* path = strdup(word);
    *lost = *lost || !path;
    return path;
}

// ---------------------------------------------------------------------------- where

#define FOLDERS_MAX ((int)(sizeof((found_scenes*)0)->folders / sizeof(char*)))

/** One folder under two names: the installed one, seen from its program and from $SISTRUM_DATA. */
static bool is_same(const char* a, const char* b) {
    struct stat first, second;
    if (stat(a, &first) != 0 || stat(b, &second) != 0) return !strcmp(a, b);
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static void add_folder(found_scenes* all, const char* path, size_t length) {
    if (!length || all->folder_count == FOLDERS_MAX) return;
    char* folder = strndup(path, length);
    if (!folder) {
        all->lost = true;
        return;
    }
    for (int i = 0; i < all->folder_count; i++)
        if (is_same(all->folders[i], folder)) {
            free(folder);
            return;
        }
    all->folders[all->folder_count++] = folder;
}

/** A sis_scene_folders visitor; the program does not look into those of the system and the user. */
static void add_found(void* self, const char* folder, sis_folder_kind kind) {
    if (kind <= SIS_FOLDER_DATA) add_folder(self, folder, strlen(folder));
}

/** The folder of the program; false: unknown. */
static bool own_folder(char* path, size_t room) {
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    path[length > 0 ? length : 0] = 0;
    char* slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash && slash > path;
}

static found_scenes find_folders(void) {
    found_scenes all = {0};
    char own[PATH_MAX], root[PATH_MAX], scenes[PATH_MAX + 16];
    sis_scene_folders(own_folder(own, sizeof own) ? own : NULL, add_found, &all);
    // A program that was built outside of the source tree is started inside of it.
    if (sis_study_root(root, sizeof root, NULL)) {
        snprintf(scenes, sizeof scenes, "%s/scenes", root);
        add_folder(&all, scenes, strlen(scenes));
    }
    return all;
}

void found_free(found_scenes* all) {
    for (int i = 0; i < all->folder_count; i++)
        free(all->folders[i]);
    for (int i = 0; i < all->count; i++) {
        free(all->scenes[i].name);
        free(all->scenes[i].path);
    }
    free(all->scenes);
    *all = (found_scenes){0};
}

// ---------------------------------------------------------------------------- all of them

static void add_scene(found_scenes* all, const char* folder, const char* file) {
    if (all->count == all->room) {
        int room = all->room ? 2 * all->room : 32;
        found_scene* more = realloc(all->scenes, (size_t)room * sizeof *more);
        if (!more) {
            all->lost = true;
            return;
        }
        all->scenes = more;
        all->room = room;
    }
    found_scene scene = {.name = strndup(file, strlen(file) - strlen(ENDING)),
                         .path = join(folder, file, "")};
    if (scene.name && scene.path && is_file(scene.path)) {
        all->scenes[all->count++] = scene;
        return;
    }
    all->lost = all->lost || !scene.name || !scene.path;
    free(scene.name);
    free(scene.path);
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const found_scene*)a)->name, ((const found_scene*)b)->name);
}

/** Adds what is in a folder and not in the `known` ones before, which are sorted. */
static void read_folder(found_scenes* all, const char* folder, int known) {
    DIR* stream = opendir(folder);
    if (!stream && errno == ENOMEM) all->lost = true;
    if (!stream) return;
    const struct dirent* entry;
    while (!all->lost && (entry = readdir(stream))) {
        if (entry->d_name[0] == '.' || !ends(entry->d_name)) continue;
        add_scene(all, folder, entry->d_name);
        found_scene* last = all->count ? &all->scenes[all->count - 1] : NULL;
        if (!last || all->count <= known || !known) continue;
        if (!bsearch(last, all->scenes, (size_t)known, sizeof *last, by_name)) continue;
        free(last->name);
        free(last->path);
        all->count--;
    }
    closedir(stream);
}

found_scenes find_all(void) {
    found_scenes all = find_folders();
    // found_free frees them. NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
    for (int i = 0; i < all.folder_count; i++) {
        read_folder(&all, all.folders[i], all.count);
        if (all.count) qsort(all.scenes, (size_t)all.count, sizeof *all.scenes, by_name);
    }
    return all;
}

// ---------------------------------------------------------------------------- one of them

/** Adds a name to the list of those that are missing, if there is room for it and an end. */
static bool list_missing(int told, const char* folder, char* text, size_t room) {
    const size_t used = strlen(text), end = 64;
    const char* before = told ? ", " : "SISTRUM_SCENES names ";
    if (used + strlen(before) + strlen(folder) + 2 + end > room) return false;
    snprintf(text + used, room - used, "%s'%s'", before, folder);
    return true;
}

const char* find_missing(int most, char* text, size_t room) {
    const char* list = getenv("SISTRUM_SCENES");
    int told = 0, untold = 0;
    *text = 0;
    for (int i = 0; list && *list && i < most;) {
        size_t length = strcspn(list, ":");
        char folder[PATH_MAX];
        struct stat found;
        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        bool is_folder = stat(folder, &found) == 0 && S_ISDIR(found.st_mode);
        if (length && !is_folder) {
            if (!untold && list_missing(told, folder, text, room))
                told++;
            else
                untold++;
        }
        i += length > 0;
        list += length + (list[length] == ':');
    }
    size_t used = strlen(text);
    char more[32] = "";
    if (untold) snprintf(more, sizeof more, " and %d more", untold);
    if (told)
        snprintf(text + used, room - used, "%s, which %s", more,
                 told + untold == 1 ? "is no folder" : "are no folders");
    else if (untold)
        snprintf(text, room, "SISTRUM_SCENES names what is no folder");
    return text;
}

static void warn_of_missing(int most) {
    char text[MISSING_TEXT];
    if (*find_missing(most, text, sizeof text)) complain(EXIT_DONE, "%s", text);
}

char* find_scene(const char* word, bool* lost) {
    // Beside the program `sistrum` is a file, and a scene: without its ending a file comes last.
    if (is_path(word) && is_file(word)) return copy(word, lost);
    if (!*word || strchr(word, '/')) return NULL;
    char* path = in_folder(NULL, word, lost);
    found_scenes all = {0};
    if (!path) all = find_folders();
    *lost = *lost || all.lost;
    for (int i = 0; !path && !*lost && i < all.folder_count; i++)
        if ((path = in_folder(all.folders[i], word, lost))) warn_of_missing(i);
    found_free(&all);
    return path || *lost || !is_file(word) ? path : copy(word, lost);
}

static bool find_word(options* o, const char** word) {
    bool lost = false;
    if (!*word || (is_path(*word) && is_file(*word))) return true;
    char* path = find_scene(*word, &lost);
    if (!path) return !lost;
    char** more = realloc(o->found, ((size_t)o->found_count + 1) * sizeof *more);
    if (!more) {
        free(path);
        return false;
    }
    o->found = more;
    o->found[o->found_count++] = path;
    *word = path;
    return true;
}

bool find_words(options* o) {
    bool room = true;
    for (int32_t i = 0; i < o->word_count; i++)
        room = find_word(o, &o->words[i]) && room;
    if (o->word_count) {
        o->scene = o->words[0];
        return room;
    }
    return find_word(o, &o->scene) && room;
}

bool find_is_lost(const char* word) {
    struct stat found;
    return !strchr(word, '/') && stat(word, &found) != 0;
}

int find_complain(const char* word) {
    found_scenes all = find_all();
    char places[900] = "", name[PATH_MAX], missing[MISSING_TEXT] = "; ";
    const char** names = calloc((size_t)all.count + 1, sizeof *names);
    bool lost = all.lost || !names;
    for (int i = 0; !lost && i < all.count; i++)
        names[i] = all.scenes[i].name;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(word) - (ends(word) ? strlen(ENDING) : 0)),
             word);
    const char* guess = lost ? NULL : closest(name, names, all.count);
    for (int i = 0; i < all.folder_count; i++) {
        size_t used = strlen(places);
        snprintf(places + used, sizeof places - used, ", %s", all.folders[i]);
    }
    if (!*find_missing(FOLDERS_MAX, missing + 2, sizeof missing - 2)) *missing = 0;
    if (lost)
        complain(EXIT_RUN, "out of memory");
    else if (guess)
        complain(EXIT_SCENE, "no scene '%s' (did you mean '%s'?); looked in the current folder%s%s",
                 word, guess, places, missing);
    else
        complain(
            EXIT_SCENE,
            "no scene '%s'; looked in the current folder%s%s; sistrum scenes lists what there is",
            word, places, missing);
    free(names);
    found_free(&all);
    return lost ? EXIT_RUN : EXIT_SCENE;
}
