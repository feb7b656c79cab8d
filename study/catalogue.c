// What there is to reproduce: the papers, and the scripts that lie in their folders.

#include "study.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const sis_paper papers[] = {
    {"ducceschi2017", "Ducceschi 2017",
     "M. Ducceschi, A numerical scheme for various nonlinear forces, including collisions, which "
     "does not require an iterative root finder, Proceedings of the 20th International Conference "
     "on Digital Audio Effects (DAFx-17), 2017"},
    {"bilbao2014", "Bilbao 2014",
     "S. Bilbao, Numerical modeling of string/barrier collisions, Proceedings of the International "
     "Symposium on Musical Acoustics (ISMA), 2014"},
    {"ducceschi2019", "Ducceschi and Bilbao 2019",
     "M. Ducceschi and S. Bilbao, Non-iterative solvers for nonlinear problems: the case of "
     "collisions, Proceedings of the 22nd International Conference on Digital Audio Effects "
     "(DAFx-19), 2019"},
    {"willemsen2019", "Willemsen 2019",
     "S. Willemsen, Collisions: non-linearities without the use of iterative solvers, April 2019"},
    {"papetti2011", "Papetti, Avanzini and Rocchesso 2011",
     "S. Papetti, F. Avanzini and D. Rocchesso, Numerical methods for a nonlinear impact model: a "
     "comparative study with closed-form corrections, 2011"},
    {"beyond", "Beyond the papers",
     "The default scheme, ledger, measured beside the published ones"},
};

#define PAPER_COUNT ((int32_t)(sizeof papers / sizeof *papers))

const sis_paper* sis_study_paper(int32_t i) {
    return i >= 0 && i < PAPER_COUNT ? &papers[i] : NULL;
}

// ---------------------------------------------------------------------------- where it lies

static bool is_folder(const char* root, const char* name) {
    char path[PATH_MAX];
    struct stat found;
    int length = snprintf(path, sizeof path, "%s/%s", root, name);
    return length > 0 && (size_t)length < sizeof path && stat(path, &found) == 0 &&
           S_ISDIR(found.st_mode);
}

static bool is_root(const char* folder) {
    return is_folder(folder, "repro") && is_folder(folder, "scenes");
}

static bool keep_root(char* root, size_t room, const char* folder, sis_fault* fault) {
    int length = snprintf(root, room, "%s", folder);
    return (length >= 0 && (size_t)length < room) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "the name of the folder %s is too long", folder);
}

/** Cuts the last name off a path; false: there is nothing left above it. */
static bool go_up(char* path) {
    char* slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = 0;
    return true;
}

/** Goes up from `path`, which it changes, to a folder that has both. */
static bool climb(char* path) {
    do
        if (is_root(path)) return true;
    while (go_up(path));
    return false;
}

bool sis_study_root(char* root, size_t room, sis_fault* fault) {
    const char* given = getenv("SISTRUM_DATA");
    if (given && *given) {
        if (is_root(given)) return keep_root(root, room, given, fault);
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "SISTRUM_DATA names %s, which does not hold repro/ and scenes/",
                             given);
    }
    char program[PATH_MAX] = "", shared[PATH_MAX + 32], above[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    go_up(program);
    snprintf(shared, sizeof shared, "%s/../share/sistrum", program);
    if (is_root(shared)) return keep_root(root, room, shared, fault);
    snprintf(above, sizeof above, "%s", program);
    if (climb(above)) return keep_root(root, room, above, fault);
    // A program that was built outside of the source tree is started inside of it.
    if (getcwd(above, sizeof above) && climb(above)) return keep_root(root, room, above, fault);
    return sis_fault_set(fault, SIS_FAULT_RUN,
                         "no folder with repro/ and scenes/ was found: neither %s nor any folder "
                         "above %s or above the current one has them; set SISTRUM_DATA",
                         shared, program);
}

// ---------------------------------------------------------------------------- their order

/** Figures, tables, equations, appendices, sections, the rest, misprints. */
static int rank(const char* item) {
    static const char* const kinds[] = {"fig", "table", "eq", "sec", "app"};
    for (int i = 0; i < 5; i++)
        if (!strncmp(item, kinds[i], strlen(kinds[i]))) return i;
    return strcmp(item, "misprints") == 0 ? 6 : 5;
}

/** Numbers inside names count as numbers: fig2 comes before fig10. */
static int compare_names(const char* a, const char* b) {
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *after_a, *after_b;
            unsigned long first = strtoul(a, &after_a, 10), second = strtoul(b, &after_b, 10);
            if (first != second) return first < second ? -1 : 1;
            a = after_a;
            b = after_b;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

static int by_place(const void* a, const void* b) {
    const sis_study_entry *first = a, *second = b;
    int before = rank(first->item) - rank(second->item);
    return before ? before : compare_names(first->item, second->item);
}

// ---------------------------------------------------------------------------- reading

/** A script as the catalogue tells it. One that cannot be read stays in it with the reason for a
 *  title: it fails by itself when it is run. */
static void describe(sis_study_entry* entry, const char* root) {
    sis_study study = {
        .root = root, .paper = entry->paper, .item = entry->item, .only_about = true};
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    json_t* about = sis_study_run(&study, &fault);
    const char* place = json_string_value(json_object_get(about, "place"));
    const char* title = json_string_value(json_object_get(about, "title"));
    snprintf(entry->place, sizeof entry->place, "%s", place ? place : "");
    snprintf(entry->title, sizeof entry->title, "%.*s", (int)sizeof entry->title - 1,
             title ? title : fault.text);
    entry->slow = json_is_true(json_object_get(about, "slow"));
    entry->alone = json_is_true(json_object_get(about, "alone"));
    json_decref(about);
}

static bool add(sis_catalogue* catalogue, const char* paper, const char* item, sis_fault* fault) {
    void* more =
        realloc(catalogue->entries, ((size_t)catalogue->count + 1) * sizeof *catalogue->entries);
    if (!more) return sis_fault_no_memory(fault);
    catalogue->entries = more;
    sis_study_entry* entry = &catalogue->entries[catalogue->count++];
    *entry = (sis_study_entry){.slow = false};
    snprintf(entry->paper, sizeof entry->paper, "%s", paper);
    snprintf(entry->item, sizeof entry->item, "%s", item);
    return true;
}

/** The name of a script without ".lua"; false: the file is none. */
static bool script_name(const char* file, char* item, size_t room) {
    size_t length = strlen(file);
    bool is_script =
        length > 4 && length - 4 < room && file[0] != '.' && strcmp(file + length - 4, ".lua") == 0;
    if (is_script) snprintf(item, room, "%.*s", (int)(length - 4), file);
    return is_script;
}

static bool read_paper(sis_catalogue* catalogue, const char* root, const char* paper,
                       sis_fault* fault) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/repro/%s", root, paper);
    DIR* folder = opendir(path);
    if (!folder)
        return sis_fault_set(fault, SIS_FAULT_RUN, "repro/%s cannot be read in %s: %s", paper, root,
                             strerror(errno));
    int32_t first = catalogue->count;
    bool fine = true;
    char item[sizeof catalogue->entries->item];
    for (const struct dirent* file; fine && (file = readdir(folder));)
        if (script_name(file->d_name, item, sizeof item)) fine = add(catalogue, paper, item, fault);
    closedir(folder);
    if (!fine) return false;
    if (catalogue->count == first)
        return sis_fault_set(fault, SIS_FAULT_RUN, "repro/%s has no scripts in %s", paper, root);
    size_t count = (size_t)(catalogue->count - first);
    qsort(catalogue->entries + first, count, sizeof *catalogue->entries, by_place);
    for (int32_t i = first; i < catalogue->count; i++)
        describe(&catalogue->entries[i], root);
    return true;
}

// A missing paper does not hide the others: what there is can be listed and run by name.
bool sis_catalogue_read(sis_catalogue* catalogue, const char* root, sis_fault* fault) {
    *catalogue = (sis_catalogue){.count = 0};
    bool fine = true;
    for (int32_t i = 0; i < PAPER_COUNT; i++)
        fine &= read_paper(catalogue, root, papers[i].folder, fine ? fault : NULL);
    return fine;
}

void sis_catalogue_free(sis_catalogue* catalogue) {
    free(catalogue->entries);
    *catalogue = (sis_catalogue){.count = 0};
}
