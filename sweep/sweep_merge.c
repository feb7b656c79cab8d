// Parts of a study into one database.

#include "sweep_base_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_plain(sis_base* base) {
    sqlite3_close(base->db);
    free(base->path);
    free(base->manifest);
}

/** Copies one database into a new file, which sentences call `name`; no journal: the file is not yet
 * anybody's. */
static bool copy_into(const char* path, const char* name, sis_base* from, sis_fault* fault) {
    sis_base to = {.lock = -1};
    bool fine = sis_base_attach(&to, path, true, true, fault) &&
                sis_base_do(&to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL;", fault);
    char* called = fine ? strdup(name) : NULL;
    fine = fine && (called || sis_fault_no_memory(fault));
    if (called) {
        free(to.path);
        to.path = called;
    }
    sqlite3_backup* copy = fine ? sqlite3_backup_init(to.db, "main", from->db, "main") : NULL;
    if (copy) {
        int step = sqlite3_backup_step(copy, -1), finish = sqlite3_backup_finish(copy);
        fine = (step == SQLITE_DONE && finish == SQLITE_OK) || sis_base_fail(&to, fault);
    } else if (fine) {
        fine = sis_base_fail(&to, fault);
    }
    close_plain(&to);
    return fine;
}

/** A new file that only this process writes; -1: `fault` says why. */
static int lock_new(const char* path, const char* temporary, sis_fault* fault) {
    int lock = open(temporary, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool ours = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    bool empty = ours && ftruncate(lock, 0) == 0;
    if (empty) return lock;
    if (lock >= 0 && !ours)
        sis_fault_set(fault, SIS_FAULT_RUN, "another program is writing '%s'", path);
    else
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
    if (lock >= 0) close(lock);
    return -1;
}

/** The whole database of the first part, when there is none to merge into: under a temporary name
 * until it is complete. *lock stays on it. */
static bool copy_first(const char* path, const char* part, int* lock, sis_fault* fault) {
    sis_base* from = sis_base_read(part, fault);
    size_t room = strlen(path) + 8;
    char* temporary = from ? malloc(room) : NULL;
    if (!temporary) {
        sis_base_close(from, NULL);
        return from ? sis_fault_no_memory(fault) : false;
    }
    snprintf(temporary, room, "%s.tmp", path);
    *lock = lock_new(path, temporary, fault);
    bool fine = *lock >= 0 && copy_into(temporary, path, from, fault);
    if (fine && rename(temporary, path) != 0)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
    if (!fine && *lock >= 0) unlink(temporary);
    free(temporary);
    sis_base_close(from, NULL);
    return fine;
}

/** Whether the part that is attached is of this study. */
static bool is_of_study(sis_base* base, const char* part, sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    const char* sql = "SELECT (SELECT value FROM part.manifest WHERE key = 'hash') = (SELECT value "
                      "FROM main.manifest WHERE key = 'hash')";
    int step = sqlite3_prepare_v2(base->db, sql, -1, &get, NULL);
    if (step == SQLITE_OK) step = sqlite3_step(get);
    bool same = step == SQLITE_ROW && sqlite3_column_int(get, 0) == 1;
    // SQLITE_ERROR: it has other tables.
    if (step != SQLITE_ROW && step != SQLITE_ERROR)
        sis_base_fail(base, fault);
    else if (!same)
        sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' holds another study than '%s'", part,
                      base->path);
    sqlite3_finalize(get);
    return same;
}

/** The sentence on a part that is damaged; the base was read when it was opened. */
static void blame_part(const sis_base* base, const char* part, sis_fault* fault) {
    int why = sqlite3_errcode(base->db) & 0xff;
    if (why == SQLITE_CORRUPT)
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot read '%s': %s", part, sqlite3_errstr(why));
}

/** For writing, so that what a killed writer left is put in order. */
static bool attach_part(sis_base* base, const char* part, sis_fault* fault) {
    sqlite3_stmt* attach = NULL;
    struct stat found;
    if (stat(part, &found) != 0 || !S_ISREG(found.st_mode))
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read '%s': %s", part,
                             errno ? strerror(errno) : "it is no file");
    char* file = sis_base_file(part);
    if (!file) return sis_fault_no_memory(fault);
    bool fine = sqlite3_prepare_v2(base->db, "ATTACH ? AS part", -1, &attach, NULL) == SQLITE_OK &&
                sqlite3_bind_text(attach, 1, file, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_step(attach) == SQLITE_DONE;
    if (!fine && sqlite3_errcode(base->db) == SQLITE_NOTADB)
        sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no database of a study", part);
    else if (!fine && !sis_base_fail(base, fault))
        blame_part(base, part, fault);
    sqlite3_finalize(attach);
    free(file);
    return fine;
}

/** A part whose writer was killed before it had tables is empty: that is fine. */
static bool copy_rows(sis_base* base, const char* part, sis_fault* fault) {
    if (sis_base_number(base, "SELECT count(*) FROM part.sqlite_master") == 0) return true;
    return is_of_study(base, part, fault) &&
           sis_base_do(base,
                       "BEGIN; INSERT OR IGNORE INTO main.runs SELECT * FROM part.runs;"
                       "INSERT INTO main.sessions (command, version, host, machine, started,"
                       " finished) SELECT command, version, host, machine, started, finished"
                       " FROM part.sessions; COMMIT;",
                       fault);
}

/** Whether a part is the database itself, as in `merge all.db *.db`: its rows are there. */
static bool is_itself(const sis_base* base, const char* part) {
    struct stat a, b;
    return stat(base->path, &a) == 0 && stat(part, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static bool add_part(sis_base* base, const char* part, sis_fault* fault) {
    if (is_itself(base, part)) return true;
    errno = 0;
    if (!attach_part(base, part, fault)) return false;
    bool fine = copy_rows(base, part, fault);
    if (!fine) blame_part(base, part, fault);
    if (!sqlite3_get_autocommit(base->db)) sqlite3_exec(base->db, "ROLLBACK", NULL, NULL, NULL);
    if (fine) return sis_base_do(base, "DETACH part", fault);
    sqlite3_exec(base->db, "DETACH part", NULL, NULL, NULL);
    return false;
}

bool sis_base_take(sis_base* base, const char* const* parts, int32_t count, sis_fault* fault) {
    bool fine = sis_base_commit(base, fault);
    for (int32_t i = 0; fine && i < count; i++)
        fine = add_part(base, parts[i], fault);
    return fine && sis_base_do(base, "PRAGMA wal_checkpoint(TRUNCATE)", fault) &&
           sis_base_count_done(base, fault);
}

/** The target for writing, by this process alone; `lock` is one that is on it already, or -1. */
static bool open_target(sis_base* there, const char* path, int lock, sis_fault* fault) {
    bool fine = sis_base_attach(there, path, true, false, fault);
    there->lock = lock;
    return fine && sis_base_lock(there, fault) && sis_base_learn(there, fault);
}

/** Whether a part has no tables yet: its writer was killed before. What cannot be read is not. */
static bool is_empty_part(const char* part) {
    sis_base base = {.lock = -1};
    sis_fault ignored;
    bool empty = sis_base_attach(&base, part, false, false, &ignored) &&
                 sis_base_number(&base, "SELECT count(*) FROM sqlite_master") == 0;
    close_plain(&base);
    return empty;
}

bool sis_base_merge(const char* path, const char* const* parts, int32_t count, sis_fault* fault) {
    sis_base there = {.lock = -1};
    struct stat found;
    int lock = -1;
    bool exists = stat(path, &found) == 0 && found.st_size > 0;
    int32_t first = 0;
    while (!exists && first + 1 < count && is_empty_part(parts[first]))
        first++;
    bool fine = exists || copy_first(path, parts[first], &lock, fault);
    if (fine) {
        fine = open_target(&there, path, lock, fault);
        lock = there.lock;
    }
    for (int32_t i = exists ? 0 : first + 1; fine && i < count; i++)
        fine = add_part(&there, parts[i], fault);
    close_plain(&there);
    if (lock >= 0) close(lock); // after SQLite: its locks would go with it
    return fine;
}
