// Opening, making and filling the database.

#include "sweep_base_inside.h"

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- SQLite

bool sis_base_fail(const sis_base* base, sis_fault* fault) {
    int code = base->db ? sqlite3_errcode(base->db) : SQLITE_NOMEM;
    int why = base->db ? sqlite3_system_errno(base->db) : 0;
    const char* path = base->path;
    if (code == SQLITE_NOMEM) return sis_fault_no_memory(fault);
    if (code == SQLITE_FULL || why == ENOSPC || why == EDQUOT)
        return sis_fault_set(
            fault, SIS_FAULT_RUN,
            "cannot write '%s': the disk is full; what is in it is kept: make room "
            "and run the same command again",
            path);
    if (code == SQLITE_NOTADB)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no database of a study", path);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return sis_fault_set(fault, SIS_FAULT_RUN, "another program is writing '%s'", path);
    if (code == SQLITE_READONLY)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': it is read only", path);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot %s '%s': %s%s%s",
                         base->writes ? "write" : "read", path, sqlite3_errmsg(base->db),
                         why ? ": " : "", why ? strerror(why) : "");
}

bool sis_base_do(sis_base* base, const char* sql, sis_fault* fault) {
    return sqlite3_exec(base->db, sql, NULL, NULL, NULL) == SQLITE_OK || sis_base_fail(base, fault);
}

void sis_base_drop(sis_base* base) {
    if (!base) return;
    sqlite3_finalize(base->insert);
    sqlite3_close(base->db);
    if (base->lock >= 0) close(base->lock); // after SQLite: its locks would go with it
    free(base->bits);
    free(base->manifest);
    free(base->path);
    free(base);
}

/** Why a file cannot be made or opened, better than SQLite says it. */
static bool check_place(const char* path, bool create, sis_fault* fault) {
    struct stat found;
    bool exists = stat(path, &found) == 0;
    if (!exists && !create)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read '%s': %s", path,
                             strerror(errno));
    if (exists && !S_ISREG(found.st_mode))
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no database: it is no file", path);
    char* folder = sis_path_folder(path);
    if (!folder) return sis_fault_no_memory(fault);
    bool may = !create || access(folder, W_OK | X_OK) == 0;
    if (!may) sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
    free(folder);
    return may;
}

char* sis_base_file(const char* path) {
    bool read_otherwise = *path == ':' || !strncmp(path, "file:", 5);
    size_t room = strlen(path) + 3;
    char* file = malloc(room);
    if (file) snprintf(file, room, "%s%s", read_otherwise ? "./" : "", path);
    return file;
}

bool sis_base_attach(sis_base* base, const char* path, bool writes, bool create, sis_fault* fault) {
    int flags = writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    base->lock = -1;
    base->writes = writes;
    base->path = strdup(path);
    if (!base->path) return sis_fault_no_memory(fault);
    if (!check_place(path, create, fault)) return false;
    if (create) flags |= SQLITE_OPEN_CREATE;
    char* file = sis_base_file(path);
    int opened = file ? sqlite3_open_v2(file, &base->db, flags, NULL) : SQLITE_NOMEM;
    free(file);
    if (opened != SQLITE_OK) return sis_base_fail(base, fault);
    sqlite3_busy_timeout(base->db, 10000);
    if (writes && sqlite3_db_readonly(base->db, "main") == 1)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': it is read only", path);
    return true;
}

// ---------------------------------------------------------------------------- the disk

/** A write-ahead log needs memory that all readers share: not so where several machines see the
 * file. */
static bool is_network(const char* path) {
    static const unsigned long kinds[] = {
        0x6969,     0x517b,     0xff534d42, 0xfe534d42, // NFS, SMB
        0x0bd00bd0, 0x47504653, 0x00c36400, 0x65735546, // Lustre, GPFS, Ceph, FUSE
        0x01021997, 0x5346414f, 0x19830326, 0xaad7aaea, // 9p, AFS, BeeGFS, PanFS
        0x7461636f, 0x01161970};                        // OCFS2, GFS2
    struct statfs disk;
    if (statfs(path, &disk) != 0) return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (((unsigned long)disk.f_type & 0xffffffffu) == kinds[i]) return true;
    return false;
}

bool sis_base_lock(sis_base* base, sis_fault* fault) {
    if (is_network(base->path))
        return sis_base_do(base, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE;",
                           fault);
    if (base->lock < 0) base->lock = open(base->path, O_RDONLY | O_CLOEXEC);
    if (base->lock < 0 || flock(base->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return sis_fault_set(fault, SIS_FAULT_RUN, "another program is writing '%s'", base->path);
}

static bool set_journal(sis_base* base, sis_fault* fault) {
    return is_network(base->path) ||
           sis_base_do(base, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", fault);
}

// ---------------------------------------------------------------------------- the manifest

bool sis_base_note(sis_base* base, const char* key, const char* value, size_t size,
                   sis_fault* fault) {
    sqlite3_stmt* put = NULL;
    bool fine = sqlite3_prepare_v2(base->db, "INSERT OR REPLACE INTO manifest VALUES (?, ?)", -1,
                                   &put, NULL) == SQLITE_OK &&
                sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_bind_text64(put, 2, value, size, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK &&
                sqlite3_step(put) == SQLITE_DONE;
    if (!fine) sis_base_fail(base, fault);
    sqlite3_finalize(put);
    return fine;
}

const char* sis_base_manifest(sis_base* base, const char* key) {
    sqlite3_stmt* get = NULL;
    free(base->manifest);
    base->manifest = NULL;
    if (sqlite3_prepare_v2(base->db, "SELECT value FROM manifest WHERE key = ?", -1, &get, NULL) ==
            SQLITE_OK &&
        sqlite3_bind_text(get, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(get) == SQLITE_ROW && sqlite3_column_text(get, 0)) {
        base->manifest = strdup((const char*)sqlite3_column_text(get, 0));
        base->starved = base->starved || !base->manifest;
    }
    if (sqlite3_errcode(base->db) == SQLITE_NOMEM) base->starved = true;
    sqlite3_finalize(get);
    return base->manifest ? base->manifest : "";
}

static void utc_now(char text[32]) {
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static bool note_text(sis_base* base, const char* key, const char* text, sis_fault* fault) {
    return sis_base_note(base, key, text, strlen(text), fault);
}

static bool note_count(sis_base* base, const char* key, uint64_t count, sis_fault* fault) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    return note_text(base, key, text, fault);
}

static bool fill_manifest(sis_base* base, const sis_sweep* s, const char* command,
                          sis_fault* fault) {
    char now[32];
    struct utsname machine = {.nodename = ""};
    uname(&machine);
    utc_now(now);
    return note_text(base, "format", "1", fault) &&
           note_text(base, "version", sis_version(), fault) &&
           note_text(base, "hash", s->hash, fault) && note_text(base, "spec", s->text, fault) &&
           note_text(base, "command", command, fault) &&
           note_text(base, "scene_name", s->spec.scene_name, fault) &&
           sis_base_note(base, "scene", s->spec.scene, s->spec.scene_size, fault) &&
           note_text(base, "scene_hash", s->scene_hash, fault) &&
           note_count(base, "count", s->points.count, fault) &&
           (!s->spec.fit || note_text(base, "fit", "yes", fault)) &&
           note_count(base, "params", (uint64_t)s->points.axis_count, fault) &&
           note_count(base, "seed", s->spec.seed, fault) &&
           note_text(base, "sounds", sis_sounds_word(s->spec.sounds), fault) &&
           note_count(base, "block", s->block, fault) &&
           note_text(base, "host", machine.nodename, fault) &&
           note_text(base, "machine", machine.machine, fault) &&
           note_text(base, "started", now, fault);
}

// ---------------------------------------------------------------------------- tables

/** A name in SQL's quotes. */
static void put_name(FILE* out, const char* name) {
    fputc('"', out);
    for (; *name; name++) {
        if (*name == '"') fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

static void put_schema(FILE* out, const sis_sweep* s) {
    fputs("CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
          "CREATE TABLE sessions (id INTEGER PRIMARY KEY, command TEXT, version TEXT, host TEXT, "
          "machine TEXT, started TEXT, finished TEXT);"
          "CREATE TABLE runs (idx INTEGER PRIMARY KEY",
          out);
    for (int32_t i = 0; i < s->column_count; i++) {
        fputs(", ", out);
        put_name(out, s->columns[i]);
        fputs(" REAL", out);
    }
    fputs(", error TEXT NOT NULL);"
          "CREATE VIEW study AS SELECT idx AS \"index\"",
          out);
    for (int32_t i = 0; i < s->column_count; i++) {
        fputs(", ", out);
        put_name(out, s->columns[i]);
    }
    fputs(", error FROM runs;"
          "CREATE VIEW good AS SELECT * FROM study WHERE error = '';"
          "CREATE VIEW failures AS SELECT * FROM study WHERE error <> '';",
          out);
}

static bool make_tables(sis_base* base, const sis_sweep* s, const char* command, sis_fault* fault) {
    char* sql = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&sql, &size);
    if (!out) return sis_fault_no_memory(fault);
    put_schema(out, s);
    bool lost = ferror(out) != 0;
    lost = fclose(out) != 0 || lost;
    // All of it or nothing: whoever is killed here leaves an empty file.
    bool fine =
        lost ? sis_fault_no_memory(fault)
             : sis_base_do(base, "BEGIN IMMEDIATE", fault) && sis_base_do(base, sql, fault) &&
                   fill_manifest(base, s, command, fault) && sis_base_do(base, "COMMIT", fault);
    free(sql);
    return fine;
}

/** Whether there is nothing in the file yet. */
static bool is_empty(sis_base* base) {
    return sis_base_number(base, "SELECT count(*) FROM sqlite_master") == 0;
}

bool sis_base_learn(sis_base* base, sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    bool known = sis_base_number(base, "SELECT count(*) FROM sqlite_master WHERE name IN ('runs', "
                                       "'manifest', 'sessions')") == 3;
    if (!known && sqlite3_errcode(base->db) != SQLITE_OK &&
        sqlite3_errcode(base->db) != SQLITE_DONE && sqlite3_errcode(base->db) != SQLITE_ROW)
        return sis_base_fail(base, fault);
    bool ours = known && !strcmp(sis_base_manifest(base, "format"), "1");
    if (base->starved) return sis_fault_no_memory(fault);
    if (!ours)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no database of a study",
                             base->path);
    base->param_count = (int32_t)strtol(sis_base_manifest(base, "params"), NULL, 10);
    base->count = strtoull(sis_base_manifest(base, "count"), NULL, 10);
    if (base->starved) return sis_fault_no_memory(fault);
    if (sqlite3_prepare_v2(base->db, "SELECT name FROM pragma_table_info('runs') ORDER BY cid", -1,
                           &get, NULL) != SQLITE_OK)
        return sis_base_fail(base, fault);
    base->column_count = 0;
    while (sqlite3_step(get) == SQLITE_ROW &&
           base->column_count < SIS_AXES_MOST + SIS_MEASURES_MOST) {
        const char* name = (const char*)sqlite3_column_text(get, 0);
        if (!name || !strcmp(name, "idx") || !strcmp(name, "error")) continue;
        snprintf(base->columns[base->column_count++], SIS_COLUMN_NAME, "%.127s", name);
    }
    bool fine = sqlite3_errcode(base->db) != SQLITE_NOMEM || sis_fault_no_memory(fault);
    sqlite3_finalize(get);
    return fine;
}

// ---------------------------------------------------------------------------- the same study?

/** Whether a line of that length is among those of the text. */
static bool has_line(const char* text, const char* line, size_t length) {
    while (*text) {
        size_t now = strcspn(text, "\n");
        if (now == length && !strncmp(text, line, length)) return true;
        text += now + (text[now] != '\0');
    }
    return false;
}

/** The first line that differs, of both texts. */
static bool refuse_other(sis_base* base, const sis_sweep* s, sis_fault* fault) {
    const char *old = sis_base_manifest(base, "spec"), *now = s->text;
    size_t a = strcspn(old, "\n"), b = strcspn(now, "\n");
    while (a == b && !strncmp(old, now, a) && old[a] && now[b]) {
        old += a + 1;
        now += b + 1;
        a = strcspn(old, "\n");
        b = strcspn(now, "\n");
    }
    if (!strncmp(old, "scene ", 6) && !strncmp(now, "scene ", 6))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "the scene has changed since '%s' was begun: give another -o, or take "
                             "the old scene (it is in the manifest)",
                             base->path);
    if (!strncmp(old, "sistrum ", 8) && !strncmp(now, "sistrum ", 8))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%s' was begun by %.*s and this is %.*s, whose numbers may differ: "
                             "give another -o",
                             base->path, (int)a, old, (int)b, now);
    int x = a > 200 ? 200 : (int)a, y = b > 200 ? 200 : (int)b;
    if (b && (!a || has_line(now, old, a)))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%s' holds another study: this one has '%.*s', which it lacks",
                             base->path, y, now);
    if (a && (!b || has_line(old, now, b)))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%s' holds another study: it has '%.*s', which this one lacks",
                             base->path, x, old);
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "'%s' holds another study: it has '%.*s' where this one has '%.*s'",
                         base->path, x, old, y, now);
}

bool sis_base_count_done(sis_base* base, sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    free(base->bits);
    base->done = base->known = 0;
    double last = sis_base_number(base, "SELECT max(idx) FROM runs");
    if (base->starved) return sis_fault_no_memory(fault);
    if (last >= 0) base->known = last + 1 < (double)base->count ? (uint64_t)last + 1 : base->count;
    base->bits = calloc((size_t)(base->known / 8 + 1), 1);
    if (!base->bits) return sis_fault_no_memory(fault);
    if (sqlite3_prepare_v2(base->db, "SELECT idx FROM runs", -1, &get, NULL) != SQLITE_OK)
        return sis_base_fail(base, fault);
    int step;
    while ((step = sqlite3_step(get)) == SQLITE_ROW) {
        uint64_t index = (uint64_t)sqlite3_column_int64(get, 0);
        if (index >= base->known) continue;
        base->bits[index / 8] |= (uint8_t)(1u << index % 8);
        base->done++;
    }
    bool fine = step == SQLITE_DONE || sis_base_fail(base, fault);
    sqlite3_finalize(get);
    return fine;
}

static bool begin_session(sis_base* base, const char* command, sis_fault* fault) {
    sqlite3_stmt* put = NULL;
    char now[32];
    struct utsname machine = {.nodename = ""};
    uname(&machine);
    utc_now(now);
    const char* values[] = {command, sis_version(), machine.nodename, machine.machine, now};
    bool fine = sqlite3_prepare_v2(base->db,
                                   "INSERT INTO sessions (command, version, host, machine, started)"
                                   " VALUES (?, ?, ?, ?, ?)",
                                   -1, &put, NULL) == SQLITE_OK;
    for (int i = 0; fine && i < 5; i++)
        fine = sqlite3_bind_text(put, i + 1, values[i], -1, SQLITE_TRANSIENT) == SQLITE_OK;
    fine = (fine && sqlite3_step(put) == SQLITE_DONE) || sis_base_fail(base, fault);
    sqlite3_finalize(put);
    base->session = sqlite3_last_insert_rowid(base->db);
    return fine;
}

static bool prepare_insert(sis_base* base, sis_fault* fault) {
    char sql[64 + 3 * (SIS_AXES_MOST + SIS_MEASURES_MOST)] =
        "INSERT OR REPLACE INTO runs VALUES (?";
    size_t used = strlen(sql);
    for (int32_t i = 0; i <= base->column_count; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, ",?");
    snprintf(sql + used, sizeof sql - used, ")");
    return sqlite3_prepare_v2(base->db, sql, -1, &base->insert, NULL) == SQLITE_OK ||
           sis_base_fail(base, fault);
}

static bool open_study(sis_base* base, const char* path, const sis_sweep* s, const char* command,
                       sis_fault* fault) {
    if (!sis_base_attach(base, path, true, true, fault) || !sis_base_lock(base, fault))
        return false;
    bool empty = is_empty(base);
    if (base->starved) return sis_fault_no_memory(fault);
    if (empty && !make_tables(base, s, command, fault)) return false;
    if (!sis_base_learn(base, fault)) return false;
    bool same = !strcmp(sis_base_manifest(base, "hash"), s->hash);
    if (base->starved) return sis_fault_no_memory(fault);
    if (!same) return refuse_other(base, s, fault);
    return set_journal(base, fault) && sis_base_count_done(base, fault) &&
           begin_session(base, command, fault) && prepare_insert(base, fault);
}

sis_base* sis_base_open(const char* path, const sis_sweep* sweep, const char* command,
                        sis_fault* fault) {
    sis_base* base = calloc(1, sizeof *base);
    if (!base) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    if (open_study(base, path, sweep, command, fault)) return base;
    sis_base_drop(base);
    return NULL;
}

// ---------------------------------------------------------------------------- rows

bool sis_base_has(const sis_base* base, uint64_t index) {
    return index < base->known && (base->bits[index / 8] >> index % 8 & 1);
}

uint64_t sis_base_known(const sis_base* base) {
    return base->known;
}

uint64_t sis_base_done(const sis_base* base) {
    return base->done;
}

uint64_t sis_base_failed(sis_base* base) {
    double count = sis_base_number(base, "SELECT count(*) FROM runs WHERE error <> ''");
    return count > 0 ? (uint64_t)count : 0;
}

bool sis_base_put(sis_base* base, const sis_row* row, sis_fault* fault) {
    if (!base->pending && !sis_base_do(base, "BEGIN", fault)) return false;
    base->pending = true;
    sqlite3_stmt* put = base->insert;
    bool fine = sqlite3_bind_int64(put, 1, (sqlite3_int64)row->index) == SQLITE_OK;
    for (int32_t i = 0; fine && i < base->column_count; i++)
        fine = (isfinite(row->values[i]) ? sqlite3_bind_double(put, i + 2, row->values[i])
                                         : sqlite3_bind_null(put, i + 2)) == SQLITE_OK;
    fine = fine &&
           sqlite3_bind_text(put, base->column_count + 2, row->error, -1, SQLITE_TRANSIENT) ==
               SQLITE_OK &&
           sqlite3_step(put) == SQLITE_DONE;
    if (!fine) sis_base_fail(base, fault);
    sqlite3_reset(put);
    if (fine && !sis_base_has(base, row->index)) base->done++;
    return fine;
}

bool sis_base_commit(sis_base* base, sis_fault* fault) {
    if (!base->pending) return true;
    if (!sis_base_do(base, "COMMIT", fault)) return false;
    base->pending = false;
    return true;
}

static bool end_session(sis_base* base, sis_fault* fault) {
    char now[32], sql[256];
    utc_now(now);
    snprintf(sql, sizeof sql, "UPDATE sessions SET finished = '%s' WHERE id = %lld", now,
             (long long)base->session);
    return sis_base_do(base, sql, fault);
}

bool sis_base_close(sis_base* base, sis_fault* fault) {
    if (!base) return true;
    bool fine = true;
    if (base->writes && base->insert) {
        fine = sis_base_commit(base, fault) && end_session(base, fault);
        sqlite3_finalize(base->insert);
        base->insert = NULL;
        // Others may be reading: then the log stays beside the file until the next one closes it.
        sqlite3_busy_timeout(base->db, 1000);
        sqlite3_exec(base->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sis_base_drop(base);
    return fine;
}
