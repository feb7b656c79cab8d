#include "parts.h"

#ifdef SISTRUM_SWEEP

#include "sweep_shard.h"
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- names

bool part_list_add(part_list* list, const char* path) {
    if (list->count == list->room) {
        int32_t room = list->room ? 2 * list->room : 16;
        char** more = realloc(list->paths, (size_t)room * sizeof *more);
        if (!more) return false;
        list->paths = more;
        list->room = room;
    }
    char* copy = strdup(path);
    if (copy) list->paths[list->count++] = copy;
    return copy != NULL;
}

void part_list_free(part_list* list) {
    for (int32_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (part_list){0};
}

char* parts_folder(const char* database) {
    size_t room = strlen(database) + sizeof ".parts";
    char* path = malloc(room);
    if (path) snprintf(path, room, "%s.parts", database);
    return path;
}

char* parts_path(const char* folder, int rank, int32_t number) {
    char name[64];
    snprintf(name, sizeof name, "rank-%05d-%05d.db", rank, (int)number);
    return sis_path_join(folder, name);
}

static bool ends_in(const char* name, const char* ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && !strcmp(name + length - tail, ending);
}

static bool fail(sis_fault* fault, const char* what, const char* path) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot %s '%s': %s", what, path, strerror(errno));
}

// ---------------------------------------------------------------------------- folders

bool parts_make_folder(const char* folder, sis_fault* fault) {
    return mkdir(folder, 0777) == 0 || errno == EEXIST || fail(fault, "make the folder", folder);
}

/** Calls `each` with the path of every file whose name ends so. */
static bool for_each(const char* folder, const char* ending,
                     bool (*each)(void* self, const char* path, const char* name, sis_fault* fault),
                     void* self, sis_fault* fault) {
    DIR* stream = opendir(folder);
    if (!stream) return errno == ENOENT || fail(fault, "read the folder", folder);
    bool fine = true;
    const struct dirent* entry;
    while (fine && (entry = readdir(stream))) {
        if (!ends_in(entry->d_name, ending)) continue;
        char* path = sis_path_join(folder, entry->d_name);
        fine = path ? each(self, path, entry->d_name, fault) : sis_fault_no_memory(fault);
        free(path);
    }
    closedir(stream);
    return fine;
}

static bool note_path(void* self, const char* path, const char* name, sis_fault* fault) {
    (void)name;
    return part_list_add(self, path) || sis_fault_no_memory(fault);
}

static bool remove_file(void* self, const char* path, const char* name, sis_fault* fault) {
    (void)self, (void)name, (void)fault;
    unlink(path);
    return true;
}

bool parts_left(const char* folder, part_list* list, sis_fault* fault) {
    sis_fault none;
    for_each(folder, ".db.tmp", remove_file, NULL, &none);
    return for_each(folder, ".db", note_path, list, fault);
}

/** With what SQLite has beside it, of a writer that was killed. */
static void remove_database(const char* path) {
    static const char* const endings[] = {"-wal", "-shm", "-journal"};
    size_t room = strlen(path) + 16;
    char* beside = malloc(room);
    for (int i = 0; beside && i < 3; i++) {
        snprintf(beside, room, "%s%s", path, endings[i]);
        unlink(beside);
    }
    free(beside);
    unlink(path);
}

void parts_remove(const char* folder, const part_list* list) {
    for (int32_t i = 0; i < list->count; i++)
        remove_database(list->paths[i]);
    rmdir(folder);
}

char* parts_make_local(const char* local, sis_fault* fault) {
    char* own = sis_path_join(local, "sistrum-XXXXXX");
    char* shards = NULL;
    bool fine = own != NULL || sis_fault_no_memory(fault);
    if (fine && !mkdtemp(own)) {
        fine = fail(fault, "make a folder in", local);
        *own = '\0';
    }
    if (fine) {
        shards = sis_path_join(own, "shards");
        fine = shards ? parts_make_folder(shards, fault) : sis_fault_no_memory(fault);
    }
    free(shards);
    if (fine) return own;
    free(own);
    return NULL;
}

static void empty_folder(const char* folder) {
    sis_fault none;
    for_each(folder, "", remove_file, NULL, &none);
    rmdir(folder);
}

void parts_remove_local(const char* own) {
    char* shards = sis_path_join(own, "shards");
    if (shards) empty_folder(shards);
    free(shards);
    empty_folder(own);
}

sis_base* parts_open(const char* database, const char* folder, const sis_sweep* sweep,
                     const char* command, sis_fault* fault) {
    part_list left = {0};
    sis_base* base = sis_base_open(database, sweep, command, fault);
    bool fine = base && parts_left(folder, &left, fault) &&
                sis_base_take(base, (const char* const*)left.paths, left.count, fault);
    if (fine) parts_remove(folder, &left);
    part_list_free(&left);
    if (fine) return base;
    sis_fault second;
    sis_base_close(base, &second);
    return NULL;
}

// ---------------------------------------------------------------------------- copies

static bool copy_bytes(int from, int to) {
    enum { ROOM = 1 << 20 };
    char* bytes = malloc(ROOM);
    ssize_t size = -1;
    while (bytes && (size = read(from, bytes, ROOM)) != 0) {
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 || !sis_write_all(to, bytes, (size_t)size)) break;
    }
    free(bytes);
    return bytes && size == 0;
}

static bool copy_to(const char* from, const char* temporary) {
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool fine = out >= 0 && copy_bytes(in, out) && fsync(out) == 0;
    if (out >= 0 && close(out) != 0) fine = false;
    if (in >= 0) close(in);
    return fine;
}

bool parts_bring(const char* from, const char* to, sis_fault* fault) {
    size_t room = strlen(to) + sizeof ".tmp";
    char* temporary = malloc(room);
    if (!temporary) return sis_fault_no_memory(fault);
    snprintf(temporary, room, "%s.tmp", to);
    bool is_shard = strlen(to) > 4 && strcmp(to + strlen(to) - 4, ".tar") == 0;
    bool fine = copy_to(from, temporary);
    if (!fine)
        fail(fault, "write", to);
    else if (is_shard)
        fine = sis_shard_place(temporary, to, fault);
    else
        fine = rename(temporary, to) == 0 || fail(fault, "write", to);
    if (fine) {
        sis_shard_settle(to);
        unlink(from);
    } else {
        unlink(temporary);
    }
    free(temporary);
    return fine;
}

static bool bring_one(void* self, const char* path, const char* name, sis_fault* fault) {
    char* to = sis_path_join(self, name);
    bool fine = to ? parts_bring(path, to, fault) : sis_fault_no_memory(fault);
    free(to);
    return fine;
}

bool parts_bring_all(const char* from, const char* to, const char* ending, sis_fault* fault) {
    return for_each(from, ending, bring_one, (void*)to, fault);
}

#endif
