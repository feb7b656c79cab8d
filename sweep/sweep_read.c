// Reading the database: rows, numbers, CSV.

#include "sweep_base_inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

sis_base* sis_base_read(const char* path, sis_fault* fault) {
    sis_base* base = calloc(1, sizeof *base);
    if (!base) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    if (sis_base_attach(base, path, false, false, fault) && sis_base_learn(base, fault))
        return base;
    sis_base_drop(base);
    return NULL;
}

int32_t sis_base_columns(const sis_base* base) {
    return base->column_count;
}

int32_t sis_base_params(const sis_base* base) {
    return base->param_count;
}

const char* sis_base_column(const sis_base* base, int32_t i) {
    return i >= 0 && i < base->column_count ? base->columns[i] : NULL;
}

int32_t sis_base_find(const sis_base* base, const char* name) {
    for (int32_t i = 0; i < base->column_count; i++)
        if (!strcasecmp(base->columns[i], name)) return i;
    return -1;
}

// ---------------------------------------------------------------------------- queries

double sis_base_number(sis_base* base, const char* sql) {
    sqlite3_stmt* get = NULL;
    double value = (double)NAN;
    if (sqlite3_prepare_v2(base->db, sql, -1, &get, NULL) == SQLITE_OK &&
        sqlite3_step(get) == SQLITE_ROW && sqlite3_column_type(get, 0) != SQLITE_NULL)
        value = sqlite3_column_double(get, 0);
    sqlite3_finalize(get);
    return value;
}

bool sis_base_query(sis_base* base, const char* sql,
                    void (*line)(void* self, int32_t count, const char* const* values), void* self,
                    sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    const char* values[32];
    if (sqlite3_prepare_v2(base->db, sql, -1, &get, NULL) != SQLITE_OK)
        return sis_base_fail(base, fault);
    int step;
    while ((step = sqlite3_step(get)) == SQLITE_ROW) {
        int count = sqlite3_column_count(get);
        if (count > 32) count = 32;
        for (int i = 0; i < count; i++) {
            values[i] = (const char*)sqlite3_column_text(get, i);
            if (!values[i]) values[i] = "";
        }
        line(self, count, values);
    }
    bool fine = step == SQLITE_DONE || sis_base_fail(base, fault);
    sqlite3_finalize(get);
    return fine;
}

static void read_row(sqlite3_stmt* get, int32_t columns, sis_row* row) {
    row->index = (uint64_t)sqlite3_column_int64(get, 0);
    for (int32_t i = 0; i < columns; i++)
        row->values[i] = sqlite3_column_type(get, i + 1) == SQLITE_NULL
                             ? (double)NAN
                             : sqlite3_column_double(get, i + 1);
    const char* error = (const char*)sqlite3_column_text(get, columns + 1);
    snprintf(row->error, sizeof row->error, "%s", error ? error : "");
    row->failed = row->error[0] != '\0';
}

bool sis_base_each(sis_base* base, const char* query, bool (*row)(void* self, const sis_row* row),
                   void* self, sis_fault* fault) {
    char sql[4096];
    sqlite3_stmt* get = NULL;
    sis_row now = {.index = 0};
    snprintf(sql, sizeof sql, "SELECT * FROM runs %s", *query ? query : "ORDER BY idx");
    if (sqlite3_prepare_v2(base->db, sql, -1, &get, NULL) != SQLITE_OK)
        return sis_base_fail(base, fault);
    int step;
    bool goes_on = true;
    while (goes_on && (step = sqlite3_step(get)) == SQLITE_ROW) {
        read_row(get, base->column_count, &now);
        goes_on = row(self, &now);
    }
    bool fine = goes_on && (step == SQLITE_DONE || sis_base_fail(base, fault));
    sqlite3_finalize(get);
    return fine;
}

// ---------------------------------------------------------------------------- CSV

typedef struct csv {
    FILE* stream;
    int32_t columns;
} csv;

static bool put_row(void* self, const sis_row* row) {
    const csv* to = self;
    char text[SIS_DECIMAL];
    fprintf(to->stream, "%llu", (unsigned long long)row->index);
    for (int32_t i = 0; i < to->columns; i++)
        fprintf(to->stream, ",%s", sis_decimal(row->values[i], text));
    fputc(',', to->stream);
    sis_csv_field(to->stream, row->error);
    fputc('\n', to->stream);
    return !ferror(to->stream);
}

bool sis_base_csv(sis_base* base, FILE* stream, sis_fault* fault) {
    csv to = {.stream = stream, .columns = base->column_count};
    fputs("index", stream);
    for (int32_t i = 0; i < base->column_count; i++) {
        fputc(',', stream);
        sis_csv_field(stream, base->columns[i]);
    }
    fputs(",error\n", stream);
    if (sis_base_each(base, "", put_row, &to, fault)) return true;
    return ferror(stream) ? sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the CSV file")
                          : false;
}

// ---------------------------------------------------------------------------- merging

/** The whole database of the first part, when there is none to merge into. */
static bool copy_first(const char* path, const char* part, sis_fault* fault) {
    sis_base* from = sis_base_read(part, fault);
    if (!from) return false;
    sis_base to = {.lock = -1};
    bool fine = sis_base_attach(&to, path, true, true, fault);
    if (fine) {
        sqlite3_backup* copy = sqlite3_backup_init(to.db, "main", from->db, "main");
        if (copy) sqlite3_backup_step(copy, -1);
        if (copy) sqlite3_backup_finish(copy);
        fine = sqlite3_errcode(to.db) == SQLITE_OK || sis_base_fail(&to, fault);
    }
    sqlite3_close(to.db);
    free(to.path);
    sis_base_close(from, NULL);
    return fine;
}

/** Whether the part that is attached is of this study. One whose maker was killed before it had
 * tables is empty. */
static bool is_of_study(sis_base* base, const char* part, bool* empty, sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    bool same = false;
    *empty = sis_base_number(base, "SELECT count(*) FROM part.sqlite_master") == 0;
    if (*empty) return true;
    if (sqlite3_prepare_v2(base->db,
                           "SELECT (SELECT value FROM part.manifest WHERE key = 'hash') = (SELECT "
                           "value FROM main.manifest WHERE key = 'hash')",
                           -1, &get, NULL) == SQLITE_OK)
        same = sqlite3_step(get) == SQLITE_ROW && sqlite3_column_int(get, 0) == 1;
    else if (sqlite3_errcode(base->db) != SQLITE_ERROR)
        return sis_base_fail(base, fault);
    sqlite3_finalize(get);
    return same || sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' holds another study than '%s'",
                                 part, base->path);
}

/** Attached for writing, so that what a killed writer left is put in order. */
static bool attach(sis_base* base, const char* part, sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    bool fine = (sqlite3_prepare_v2(base->db, "ATTACH ? AS part", -1, &get, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(get, 1, part, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(get) == SQLITE_DONE);
    if (!fine && sqlite3_errcode(base->db) == SQLITE_NOTADB)
        sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is no database of a study", part);
    else if (!fine)
        sis_base_fail(base, fault);
    sqlite3_finalize(get);
    return fine;
}

static bool add_part(sis_base* base, const char* part, sis_fault* fault) {
    struct stat found;
    bool empty = false;
    if (stat(part, &found) != 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read '%s': %s", part,
                             strerror(errno));
    if (!attach(base, part, fault)) return false;
    bool fine = is_of_study(base, part, &empty, fault);
    if (fine && !empty)
        fine = sis_base_do(base,
                           "BEGIN; INSERT OR IGNORE INTO main.runs SELECT * FROM part.runs;"
                           "INSERT INTO main.sessions (command, version, host, machine, started,"
                           " finished) SELECT command, version, host, machine, started, finished"
                           " FROM part.sessions; COMMIT;",
                           fault);
    if (!sqlite3_get_autocommit(base->db)) sqlite3_exec(base->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(base->db, "DETACH part", NULL, NULL, NULL);
    return fine;
}

bool sis_base_take(sis_base* base, const char* const* parts, int32_t count, sis_fault* fault) {
    bool fine = sis_base_commit(base, fault);
    for (int32_t i = 0; fine && i < count; i++)
        fine = add_part(base, parts[i], fault);
    return fine && sis_base_do(base, "PRAGMA wal_checkpoint(TRUNCATE)", fault) &&
           sis_base_count_done(base, fault);
}

bool sis_base_merge(const char* path, const char* const* parts, int32_t count, sis_fault* fault) {
    sis_base there = {.lock = -1};
    struct stat found;
    bool exists = stat(path, &found) == 0 && found.st_size > 0;
    int32_t from = exists ? 0 : 1;
    if (!exists && !copy_first(path, parts[0], fault)) return false;
    bool fine = sis_base_attach(&there, path, true, false, fault) && sis_base_learn(&there, fault);
    for (int32_t i = from; fine && i < count; i++)
        fine = add_part(&there, parts[i], fault);
    sqlite3_close(there.db);
    free(there.path);
    free(there.manifest);
    return fine;
}
