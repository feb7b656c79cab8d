// Reading the database: rows, numbers, CSV.

#include "sweep_base_inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    if (sqlite3_errcode(base->db) == SQLITE_NOMEM) base->starved = true;
    sqlite3_finalize(get);
    return value;
}

enum { QUERY_VALUES = 5 * (SIS_AXES_MOST + SIS_MEASURES_MOST) }; // of a line

bool sis_base_query(sis_base* base, const char* sql,
                    void (*line)(void* self, int32_t count, const char* const* values), void* self,
                    sis_fault* fault) {
    sqlite3_stmt* get = NULL;
    const char* values[QUERY_VALUES];
    if (sqlite3_prepare_v2(base->db, sql, -1, &get, NULL) != SQLITE_OK)
        return sis_base_fail(base, fault);
    int step;
    while ((step = sqlite3_step(get)) == SQLITE_ROW) {
        int count = sqlite3_column_count(get);
        if (count > QUERY_VALUES) count = QUERY_VALUES;
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
    int why; // errno; 0: all was written
} csv;

static bool put_row(void* self, const sis_row* row) {
    csv* to = self;
    char text[SIS_DECIMAL];
    errno = 0;
    fprintf(to->stream, "%llu", (unsigned long long)row->index);
    for (int32_t i = 0; i < to->columns; i++)
        fprintf(to->stream, ",%s", sis_decimal(row->values[i], text));
    fputc(',', to->stream);
    sis_csv_field(to->stream, row->error);
    fputc('\n', to->stream);
    if (!ferror(to->stream)) return true;
    to->why = errno;
    return false;
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
    return ferror(stream) ? sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the CSV file: %s",
                                          strerror(to.why ? to.why : EIO))
                          : false;
}
