// Parts of a study into one database.

#include "sweep_base_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_plain(sis_base* base) {
    sqlite3_close(base->db);
    free(base->path);
    free(base->manifest);
}

/** Copies one database into a new file; no journal: the file is not yet anybody's. */
static bool copy_into(const char* path, sis_base* from, sis_fault* fault) {
    sis_base to = {.lock = -1};
    bool fine = sis_base_attach(&to, path, true, true, fault) &&
                sis_base_do(&to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL;", fault);
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

/** The whole database of the first part, when there is none to merge into: under a temporary name
 * until it is complete. */
static bool copy_first(const char* path, const char* part, sis_fault* fault) {
    sis_base* from = sis_base_read(part, fault);
    size_t room = strlen(path) + 8;
    char* temporary = from ? malloc(room) : NULL;
    if (!temporary) {
        sis_base_close(from, NULL);
        return from ? sis_fault_no_memory(fault) : false;
    }
    snprintf(temporary, room, "%s.tmp", path);
    unlink(temporary);
    bool fine = copy_into(temporary, from, fault);
    if (fine && rename(temporary, path) != 0)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
    if (!fine) unlink(temporary);
    free(temporary);
    sis_base_close(from, NULL);
    return fine;
}

/** Whether a part is of the study with that hash. */
static bool is_part(const sis_base* base, const char* hash, const char* part, sis_fault* fault) {
    sis_base* from = sis_base_read(part, fault);
    if (!from) return false;
    bool same = !strcmp(sis_base_manifest(from, "hash"), hash), starved = from->starved;
    sis_base_close(from, NULL);
    if (starved) return sis_fault_no_memory(fault);
    return same || sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' holds another study than '%s'",
                                 part, base->path);
}

static bool attach_part(sis_base* base, const char* part, sis_fault* fault) {
    sqlite3_stmt* attach = NULL;
    bool fine = sqlite3_prepare_v2(base->db, "ATTACH ? AS part", -1, &attach, NULL) == SQLITE_OK &&
                sqlite3_bind_text(attach, 1, part, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_step(attach) == SQLITE_DONE;
    if (!fine) sis_base_fail(base, fault);
    sqlite3_finalize(attach);
    return fine;
}

static bool add_part(sis_base* base, const char* hash, const char* part, sis_fault* fault) {
    return is_part(base, hash, part, fault) && attach_part(base, part, fault) &&
           sis_base_do(base,
                       "BEGIN; INSERT OR IGNORE INTO main.runs SELECT * FROM part.runs;"
                       "INSERT INTO main.sessions (command, version, host, machine, started,"
                       " finished) SELECT command, version, host, machine, started, finished"
                       " FROM part.sessions; COMMIT; DETACH part;",
                       fault);
}

bool sis_base_merge(const char* path, const char* const* parts, int32_t count, sis_fault* fault) {
    sis_base there = {.lock = -1};
    struct stat found;
    bool exists = stat(path, &found) == 0 && found.st_size > 0;
    if (!exists && !copy_first(path, parts[0], fault)) return false;
    char hash[SIS_SHA256] = "";
    bool fine = sis_base_attach(&there, path, true, false, fault) && sis_base_learn(&there, fault);
    if (fine) snprintf(hash, sizeof hash, "%s", sis_base_manifest(&there, "hash"));
    if (fine && there.starved) fine = sis_fault_no_memory(fault);
    for (int32_t i = exists ? 0 : 1; fine && i < count; i++)
        fine = add_part(&there, hash, parts[i], fault);
    close_plain(&there);
    return fine;
}
