// sistrum new: a scene to start from, written once and never over anything.

#include "files.h"
#include "find.h"
#include "job.h"
#include "say.h"
#include "scene_file.h"
#include "starter.h"
#include "table.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENDING  ".lua"
#define LONGEST 60 // characters: a title as well

/** Checks the name and makes a path of it: "NAME.lua". */
static int make_path(const char* name, char* path, size_t room) {
    const char* file = sis_text_file(name);
    size_t length = strlen(file), ending = strlen(ENDING);
    bool ended = length > ending && !strcmp(file + length - ending, ENDING);
    if (ended) length -= ending;
    bool fine = length > 0 && length <= LONGEST && isalpha((unsigned char)file[0]);
    for (size_t i = 0; i < length && fine; i++)
        fine = isalnum((unsigned char)file[i]) || file[i] == '_' || file[i] == '-';
    if (!fine)
        return complain(EXIT_USAGE,
                        "a scene is named by at most %d letters, digits, '_' and '-', the first a "
                        "letter, not '%s'",
                        LONGEST, file);
    int size = snprintf(path, room, "%s%s", name, ended ? "" : ENDING);
    if (size < 0 || (size_t)size >= room)
        return complain(EXIT_USAGE, "the name '%s' is too long", name);
    struct stat found;
    if (lstat(path, &found) == 0)
        return complain(EXIT_RUN, "'%s' exists already; choose another name or remove it", path);
    return EXIT_DONE;
}

/** The text of the starter with the name in the place of every NAME. */
static char* write_starter(const char* name, size_t* size) {
    char* text = NULL;
    FILE* stream = open_memstream(&text, size);
    if (!stream) return NULL;
    const char* rest = starter_text;
    for (const char* mark; (mark = strstr(rest, "NAME")); rest = mark + 4) {
        fwrite(rest, 1, (size_t)(mark - rest), stream);
        fputs(name, stream);
    }
    fputs(rest, stream);
    bool lost = ferror(stream) != 0;
    if (fclose(stream) == 0 && !lost) return text;
    free(text);
    return NULL;
}

/** The text of another scene, which must be one: it is loaded to see. */
static int copy_scene(const char* model, char** text, size_t* size) {
    bool lost = false;
    char* path = find_scene(model, &lost);
    if (lost) return complain(EXIT_RUN, "out of memory");
    if (!path && find_is_lost(model)) return find_complain(model);
    const char* file = path ? path : model;
    char why[200];
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    int code = EXIT_DONE;
    *text = sis_file_read(file, size, why, sizeof why);
    if (!*text) {
        code = errno == ENOMEM ? complain(EXIT_RUN, "out of memory")
                               : complain(EXIT_SCENE, "%s: %s", file, why);
    } else {
        sis_script* script = sis_script_load_text(*text, *size, file, NULL, 0, &error);
        if (!script) code = complain_script(&error);
        sis_script_free(script);
    }
    free(path);
    return code;
}

static bool write_file(const char* path, const char* text, size_t size, sis_fault* fault) {
    sis_files* files = sis_files_new();
    if (!files) return sis_fault_no_memory(fault);
    int descriptor = sis_files_add(files, path, fault);
    FILE* stream = descriptor >= 0 ? sis_files_stream(descriptor, fault) : NULL;
    bool fine = stream != NULL;
    if (stream) {
        fwrite(text, 1, size, stream);
        fine = sis_files_close_stream(stream, fault);
    }
    fine = fine && sis_files_commit(files, fault);
    sis_files_free(files);
    return fine;
}

/** What can be done next: made before the file is, so that there is memory for it. */
static table next_steps(const char* path, const char* name) {
    table t = {0};
    table_row(&t);
    table_cell(&t, 0, "  sistrum render %s -o %s.wav", path, name);
    table_cell(&t, 1, "hear it");
    table_row(&t);
    table_cell(&t, 0, "  sistrum params %s", path);
    table_cell(&t, 1, "what --set NAME=VALUE can change");
    table_row(&t);
    table_cell(&t, 0, "  sistrum plot %s -o %s.png", path, name);
    table_cell(&t, 1, "see its energy");
    return t;
}

static int tell(const char* path, const char* model, table* next) {
    char file[1024], from[1024];
    sis_clean(path, file, sizeof file);
    sis_clean(model ? model : "", from, sizeof from);
    if (model)
        printf("%s: a copy of %s. Next:\n", file, from);
    else
        printf("%s: a struck string on a curved bridge. Next:\n", file);
    table_print(next, NULL);
    return finish_output();
}

int command_new(const options* o) {
    char path[PATH_MAX], name[LONGEST + 1], *text = NULL;
    size_t size = 0;
    if (!o->scene) return complain(EXIT_USAGE, "new needs a name: sistrum new NAME");
    int code = make_path(o->scene, path, sizeof path);
    if (code) return code;
    const char* file = sis_text_file(path);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(ENDING)), file);
    if (o->model)
        code = copy_scene(o->model, &text, &size);
    else if (!(text = write_starter(name, &size)))
        code = complain(EXIT_RUN, "out of memory");
    sis_fault fault;
    table next = next_steps(path, name);
    if (!code && next.lost) code = complain(EXIT_RUN, "out of memory");
    if (!code && !write_file(path, text, size, &fault)) code = complain_fault(&fault);
    free(text);
    if (!code && !o->quiet) code = tell(path, o->model, &next);
    table_free(&next);
    return code;
}
