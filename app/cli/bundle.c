#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // renameat2
#endif
#include "bundle.h"

#include "lv2_ports.h"
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".sistrum-" // begins the names of hidden folders, then the number of the process

static bool fail(sis_fault* fault, const char* doing, const char* path) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot %s '%s': %s", doing, path, strerror(errno));
}

static bool join(char path[PATH_MAX], const char* folder, const char* name) {
    int size = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return size > 0 && size < PATH_MAX;
}

/** Removes a folder and the files in it; folders in it, which no bundle has, stay. The parts of a
 * bundle go first: for them no memory is needed. */
static void remove_folder(const char* folder, const bundle_part* parts, int count) {
    char known[PATH_MAX];
    for (int i = 0; i < count; i++)
        if (join(known, folder, parts[i].name)) unlink(known);
    if (rmdir(folder) == 0) return;
    DIR* stream = opendir(folder);
    const struct dirent* entry;
    while (stream && (entry = readdir(stream))) {
        char path[PATH_MAX];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (join(path, folder, entry->d_name)) unlink(path);
    }
    if (stream) closedir(stream);
    rmdir(folder);
}

/** Removes what killed runs have left. */
static void remove_stale(const char* folder, const bundle_part* parts, int count) {
    DIR* stream = opendir(folder);
    const struct dirent* entry;
    while (stream && (entry = readdir(stream))) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, MARK, strlen(MARK)) != 0) continue;
        char* end = NULL;
        long process = strtol(entry->d_name + strlen(MARK), &end, 10);
        if (process <= 0 || strcmp(end, ".lv2") != 0) continue;
        bool alive = kill((pid_t)process, 0) == 0 || errno != ESRCH;
        if (!alive && join(path, folder, entry->d_name)) remove_folder(path, parts, count);
    }
    if (stream) closedir(stream);
}

/** Whether a folder holds a bundle of this program, and nothing that would be lost with it. False:
 * errno is ENOMEM where there was no memory to look. */
static bool is_ours(const char* folder) {
    char path[PATH_MAX], begin[sizeof BUNDLE_MAGIC] = "";
    const char* family = "sistrum bundle ";
    int text = join(path, folder, BUNDLE_TEXT) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (text < 0) return false;
    ssize_t got = read(text, begin, sizeof begin - 1);
    close(text);
    bool ours = got >= (ssize_t)strlen(family) && !strncmp(begin, family, strlen(family));
    errno = 0;
    DIR* list = ours ? opendir(folder) : NULL;
    const struct dirent* entry;
    while (ours && list && (entry = readdir(list))) {
        struct stat found;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        ours = join(path, folder, entry->d_name) && lstat(path, &found) == 0 &&
               !S_ISDIR(found.st_mode);
    }
    if (list) closedir(list);
    return ours && list;
}

/** *there: a bundle of ours has the name. False: something else has it. */
static bool look(const char* target, bool* there, sis_fault* fault) {
    struct stat found;
    *there = lstat(target, &found) == 0;
    if (!*there && errno != ENOENT) return fail(fault, "look at", target);
    if (!*there || (S_ISDIR(found.st_mode) && is_ours(target))) return true;
    if (S_ISDIR(found.st_mode) && errno == ENOMEM) return sis_fault_no_memory(fault);
    return sis_fault_set(
        fault, SIS_FAULT_RUN,
        "'%s' exists and is no bundle of sistrum; remove it or take another folder", target);
}

static bool copy_all(int to, const char* from, sis_fault* fault) {
    char bytes[1 << 14];
    int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0) return fail(fault, "read", from);
    ssize_t got = 0;
    bool fine = true;
    while (fine && (got = read(source, bytes, sizeof bytes)) > 0)
        fine = sis_write_all(to, bytes, (size_t)got);
    if (got < 0) fail(fault, "read", from);
    close(source);
    return fine && got == 0;
}

static bool write_part(const char* folder, const bundle_part* part, sis_fault* fault) {
    char path[PATH_MAX];
    if (!join(path, folder, part->name))
        return sis_fault_set(fault, SIS_FAULT_RUN, "the name '%s' is too long", part->name);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to < 0) return fail(fault, "write", path);
    *fault = (sis_fault){0};
    bool fine =
        part->text ? sis_write_all(to, part->text, part->size) : copy_all(to, part->from, fault);
    if (!fine && !fault->kind) fail(fault, "write", path);
    if (close(to) != 0 && fine) fine = fail(fault, "write", path);
    return fine;
}

/** The old bundle and the new one change their names at once where the system can do that; else
 * there is a moment without any. */
static bool exchange(const char* fresh, const char* target, sis_fault* fault) {
#if defined(RENAME_EXCHANGE)
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, target, RENAME_EXCHANGE) == 0) return true;
#endif
    char aside[PATH_MAX];
    int size = snprintf(aside, sizeof aside, "%s.old", fresh);
    if (size < 0 || (size_t)size >= sizeof aside) {
        errno = ENAMETOOLONG;
        return fail(fault, "replace", target);
    }
    if (rename(target, aside) != 0) return fail(fault, "replace", target);
    if (rename(fresh, target) == 0) return rename(aside, fresh) == 0 || true;
    fail(fault, "replace", target);
    rename(aside, target);
    return false;
}

static bool place(const char* fresh, const char* target, bool there, sis_fault* fault) {
    if (there) return exchange(fresh, target, fault);
    return rename(fresh, target) == 0 || fail(fault, "write", target);
}

bool bundle_write(const char* folder, const char* name, const bundle_part* parts, int count,
                  sis_fault* fault) {
    char target[PATH_MAX], fresh[PATH_MAX], hidden[64];
    bool there = false;
    snprintf(hidden, sizeof hidden, MARK "%ld.lv2", (long)getpid());
    if (!join(target, folder, name) || !join(fresh, folder, hidden))
        return sis_fault_set(fault, SIS_FAULT_RUN, "the name of the folder '%s' is too long",
                             folder);
    if (!look(target, &there, fault)) return false;
    sigset_t before;
    sis_hold_signals(&before);
    remove_stale(folder, parts, count);
    bool made = mkdir(fresh, 0777) == 0;
    bool fine = made ? true : fail(fault, "write into the folder", folder);
    for (int i = 0; fine && i < count; i++)
        fine = write_part(fresh, &parts[i], fault);
    fine = fine && place(fresh, target, there, fault);
    // What has the hidden name now is the old bundle, or one that is not whole.
    if (made && (there || !fine)) remove_folder(fresh, parts, count);
    sis_release_signals(&before);
    return fine;
}
