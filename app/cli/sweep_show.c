// sistrum sweep show and merge: what a database of a study holds.

#include "studies.h"

#ifdef SISTRUM_SWEEP

#include "files.h"
#include "say.h"
#include "sweep_base.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_USUAL = 10, NAMES_MOST = TABLE_COLUMNS - 2 };

// ---------------------------------------------------------------------------- files

int studies_export(const char* database, const char* csv) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    sis_base* base = sis_base_read(database, &fault);
    sis_files* files = base ? sis_files_new() : NULL;
    bool fine = base && (files || sis_fault_no_memory(&fault));
    if (fine) sis_files_protect(files, database, "database");
    int descriptor = fine ? sis_files_add(files, csv, &fault) : -1;
    FILE* stream = descriptor >= 0 ? sis_files_stream(descriptor, &fault) : NULL;
    fine = stream && sis_base_csv(base, stream, &fault);
    if (stream && !sis_files_close_stream(stream, fine ? &fault : NULL)) fine = false;
    fine = fine && sis_files_commit(files, &fault);
    sis_files_free(files);
    sis_base_close(base, NULL);
    if (fine) return EXIT_DONE;
    return sis_path_is_standard(csv) ? complain_output(&fault) : complain_fault(&fault);
}

int studies_check(const options* o, const char* typed, const char* const* taken) {
    for (int32_t i = 0; i < o->given_count; i++) {
        const char* const* one = taken;
        while (*one && strcmp(*one, o->given[i]) != 0)
            one++;
        if (!*one)
            return complain(EXIT_USAGE, "%s is for a run: %s takes a database as it is",
                            o->given[i], typed);
    }
    return EXIT_DONE;
}

/** Of a fit nobody knows how many there will be. */
static void tell_merged(sis_base* base, const char* path, double runs) {
    bool fit = *sis_base_manifest(base, "fit") != '\0';
    fprintf(say_stream(), "%s: %.0f%s%s runs\n", path, runs, fit ? "" : " of ",
            fit ? "" : sis_base_manifest(base, "count"));
}

/** Refuses a CSV file that is the database or one of the parts. */
static bool is_written_beside(const options* o, sis_fault* fault) {
    bool fine = true;
    for (int32_t i = 1; fine && o->csv && i < o->word_count; i++) {
        sis_files* files = sis_files_new();
        if (!files) return sis_fault_no_memory(fault);
        sis_files_protect(files, o->words[i], i == 1 ? "database" : "part");
        fine = sis_files_add(files, o->csv, fault) >= 0;
        sis_files_free(files);
    }
    return fine;
}

int studies_merge(const options* o) {
    static const char* const taken[] = {"--csv", "--quiet", NULL};
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    if (studies_check(o, "sistrum sweep merge", taken)) return EXIT_USAGE;
    if (o->word_count < 3)
        return complain(EXIT_USAGE,
                        "sweep merge needs a database and parts: sistrum sweep merge study.db "
                        "study-1-of-2.db study-2-of-2.db");
    if (!is_written_beside(o, &fault)) return complain_fault(&fault);
    if (!sis_base_merge(o->words[1], o->words + 2, o->word_count - 2, &fault))
        return complain_fault(&fault);
    sis_base* base = sis_base_read(o->words[1], &fault);
    if (!base) return complain_fault(&fault);
    double runs = sis_base_number(base, "SELECT count(*) FROM runs");
    if (!o->quiet) tell_merged(base, o->words[1], runs);
    sis_base_close(base, NULL);
    return o->csv ? studies_export(o->words[1], o->csv) : EXIT_DONE;
}

// ---------------------------------------------------------------------------- what is shown

enum { QUOTED = 2 * SIS_COLUMN_NAME + 3, QUERY = 5 * QUOTED + 128 };

/** The name of a column in the quotes of SQL. */
static const char* quoted(const sis_base* base, int32_t i, char text[QUOTED]) {
    const char* name = sis_base_column(base, i);
    size_t used = 0;
    text[used++] = '"';
    for (; *name; name++) {
        if (*name == '"') text[used++] = '"';
        text[used++] = *name;
    }
    text[used++] = '"';
    text[used] = '\0';
    return text;
}

static void show_counts(sis_base* base, const char* path) {
    double runs = sis_base_number(base, "SELECT count(*) FROM runs");
    double failed = sis_base_number(base, "SELECT count(*) FROM runs WHERE error <> ''");
    bool fit = *sis_base_manifest(base, "fit") != '\0';
    printf("%s: %s, ", path, sis_base_manifest(base, "scene_name"));
    if (fit)
        printf("a fit, %.0f runs", runs);
    else
        printf("%.0f of %s runs", runs, sis_base_manifest(base, "count"));
    if (failed > 0) printf(", %.0f failed", failed);
    printf("\n");
    printf("  sistrum %s", sis_base_manifest(base, "version"));
    printf(", begun %s", sis_base_manifest(base, "started"));
    printf(" on %s\n", sis_base_manifest(base, "host"));
    printf("  %s\n\n", sis_base_manifest(base, "command"));
}

/** Text of a number for a table: 6 digits are enough to look at. */
static void cell_number(table* t, int column, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    table_cell(t, column, "%s", isnan(value) ? "-" : text);
}

static void take_ranges(void* self, int32_t count, const char* const* values) {
    table* t = self;
    int32_t column = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i % 5 == 0) {
            table_row(t);
            table_cell(t, 0, "%s", values[i]);
            column = 1;
            continue;
        }
        cell_number(t, column++, *values[i] ? strtod(values[i], NULL) : (double)NAN);
    }
}

/** All columns in one pass over the rows. */
static char* ranges_query(const sis_base* base) {
    char *sql = NULL, text[QUOTED];
    size_t size = 0;
    FILE* out = open_memstream(&sql, &size);
    if (!out) return NULL;
    fputs("SELECT ", out);
    for (int32_t i = 0; i < sis_base_columns(base); i++) {
        const char* name = quoted(base, i, text);
        fprintf(out, "%s'", i ? ", " : "");
        for (const char* c = sis_base_column(base, i); *c; c++)
            fputs(*c == '\'' ? "''" : (char[]){*c, 0}, out);
        fprintf(out, "', min(%s), avg(%s), max(%s), count(%s)", name, name, name, name);
    }
    fputs(" FROM runs", out);
    bool lost = ferror(out) != 0;
    if (fclose(out) == 0 && !lost) return sql;
    free(sql);
    return NULL;
}

static bool show_ranges(sis_base* base, sis_fault* fault) {
    table t = {.rows = NULL};
    static const char* const heading[] = {"", "lowest", "mean", "highest", "runs"};
    char* sql = ranges_query(base);
    if (!sql) return sis_fault_no_memory(fault);
    table_row(&t);
    for (int i = 0; i < 5; i++)
        table_cell(&t, i, "%s", heading[i]);
    bool fine = sis_base_query(base, sql, take_ranges, &t, fault);
    free(sql);
    table_print(&t, NULL);
    printf("\n");
    return fine;
}

/** A table of rows, with as many columns as fit. */
typedef struct listing {
    table t;
    int32_t first, count; // columns
    int32_t sorted;       // the one they are sorted by, if it is beyond those; -1
} listing;

static bool list_row(void* self, const sis_row* row) {
    listing* l = self;
    table_row(&l->t);
    table_cell(&l->t, 0, "%llu", (unsigned long long)row->index);
    for (int32_t i = 0; i < l->count; i++)
        cell_number(&l->t, i + 1, row->values[i]);
    if (l->sorted >= 0) cell_number(&l->t, l->count + 1, row->values[l->sorted]);
    return true;
}

static bool show_rows(sis_base* base, const options* o, int32_t sorted, sis_fault* fault) {
    listing l = {.count = sis_base_columns(base), .sorted = -1};
    char query[QUERY], text[QUOTED];
    double most = isnan(o->row_count) ? ROWS_USUAL : o->row_count;
    if (l.count > NAMES_MOST) l.count = NAMES_MOST;
    if (sorted >= l.count) l.sorted = sorted;
    if (sorted < 0)
        snprintf(query, sizeof query, "ORDER BY idx LIMIT %.0f", most);
    else
        snprintf(query, sizeof query, "WHERE %s IS NOT NULL ORDER BY %s%s, idx LIMIT %.0f",
                 quoted(base, sorted, text), text, o->lowest ? "" : " DESC", most);
    table_row(&l.t);
    table_cell(&l.t, 0, "index");
    for (int32_t i = 0; i < l.count; i++)
        table_cell(&l.t, i + 1, "%s", sis_base_column(base, i));
    if (l.sorted >= 0) table_cell(&l.t, l.count + 1, "%s", sis_base_column(base, sorted));
    bool fine = sis_base_each(base, query, list_row, &l, fault);
    if (sorted >= 0)
        printf("%s %s\n", o->lowest ? "lowest" : "highest", sis_base_column(base, sorted));
    table_print(&l.t, NULL);
    return fine;
}

static void list_failure(void* self, int32_t count, const char* const* values) {
    (void)self;
    if (count == 3) printf("  %s (index %s on): %s\n", values[0], values[1], values[2]);
}

static bool show_failures(sis_base* base, sis_fault* fault) {
    double failed = sis_base_number(base, "SELECT count(*) FROM runs WHERE error <> ''");
    if (!(failed > 0)) return true;
    printf("\nfailures, by their sentences\n");
    return sis_base_query(base,
                          "SELECT count(*), min(idx), error FROM runs WHERE error <> '' GROUP BY "
                          "error ORDER BY count(*) DESC, min(idx) LIMIT 10",
                          list_failure, NULL, fault);
}

static int no_such_column(const sis_base* base, const char* name) {
    const char* names[SIS_AXES_MOST + SIS_MEASURES_MOST];
    int count = 0;
    for (int32_t i = 0; i < sis_base_columns(base); i++)
        names[count++] = sis_base_column(base, i);
    const char* guess = closest(name, names, count);
    if (guess)
        return complain(EXIT_USAGE, "--best: the study has no '%s' (did you mean '%s'?)", name,
                        guess);
    return complain(EXIT_USAGE, "--best: the study has no '%s'", name);
}

static int show_all(sis_base* base, const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    int32_t sorted = o->best ? sis_base_find(base, o->best) : -1;
    if (o->best && sorted < 0) return no_such_column(base, o->best);
    options closest_first = *o;
    if (!o->best && *sis_base_manifest(base, "fit")) { // its distance
        sorted = sis_base_params(base);
        closest_first.lowest = true;
        o = &closest_first;
    }
    show_counts(base, o->words[1]);
    if (!show_ranges(base, &fault) || !show_rows(base, o, sorted, &fault) ||
        !show_failures(base, &fault))
        return complain_fault(&fault);
    return finish_output();
}

int studies_show(const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    static const char* const taken[] = {"--best", "--lowest", "--rows", "--csv", "--quiet", NULL};
    if (studies_check(o, "sistrum sweep show", taken)) return EXIT_USAGE;
    if (o->word_count != 2)
        return complain(EXIT_USAGE, "sweep show needs a database: sistrum sweep show study.db");
    if (o->lowest && !o->best) return complain(EXIT_USAGE, "--lowest goes with --best NAME");
    if (o->csv) return studies_export(o->words[1], o->csv);
    sis_base* base = sis_base_read(o->words[1], &fault);
    if (!base) return complain_fault(&fault);
    int code = show_all(base, o);
    sis_base_close(base, NULL);
    return code;
}

#endif
