#include "tables.h"

#include "example_parts.h"

#include "sistrum/sistrum.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/** Room for one more of `size` bytes, or the end of the program. */
static void* grown(void* array, int count, int* room, size_t size) {
    if (count < *room) return array;
    *room = *room ? 2 * *room : 16;
    array = realloc(array, (size_t)*room * size);
    if (!array) example_starve();
    return array;
}

static report_table* last_table(bench_report* r) {
    return &r->tables[r->table_count - 1];
}

void report_begin(bench_report* r, const char* title, const char* headings) {
    r->tables = grown(r->tables, r->table_count, &r->table_room, sizeof *r->tables);
    report_table* t = &r->tables[r->table_count++];
    *t = (report_table){.title = title};
    for (const char* h = headings; h && t->head.count < REPORT_COLUMNS;) {
        size_t length = strcspn(h, "|");
        snprintf(t->head.cells[t->head.count++], REPORT_CELL, "%.*s", (int)length, h);
        h = h[length] ? h + length + 1 : NULL;
    }
}

void report_row(bench_report* r) {
    report_table* t = last_table(r);
    t->rows = grown(t->rows, t->count, &t->room, sizeof *t->rows);
    t->rows[t->count++].count = 0;
}

void report_text(bench_report* r, const char* format, ...) {
    report_table* t = last_table(r);
    report_line* row = &t->rows[t->count - 1];
    if (row->count == REPORT_COLUMNS) return;
    va_list list;
    va_start(list, format);
    vsnprintf(row->cells[row->count++], REPORT_CELL, format, list);
    va_end(list);
}

void report_number(bench_report* r, double value, int digits, const char* unit) {
    if (isfinite(value))
        report_text(r, "%.*f%s", digits, value, unit);
    else
        report_text(r, "-");
}

void report_end(bench_report* r, bool briefly, const char* note) {
    report_table* t = last_table(r);
    t->note = note;
    t->briefly = briefly;
    if (r->silent) return;
    report_print_table(t, stdout);
    fflush(stdout);
}

void report_keep(bench_report* r, double value, const char* format, ...) {
    r->values = grown(r->values, r->value_count, &r->value_room, sizeof *r->values);
    report_value* v = &r->values[r->value_count++];
    v->value = value;
    va_list list;
    va_start(list, format);
    vsnprintf(v->name, sizeof v->name, format, list);
    va_end(list);
}

double report_value_of(const bench_report* r, const char* format, ...) {
    char name[REPORT_NAME];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    for (int i = 0; i < r->value_count; i++)
        if (strcmp(r->values[i].name, name) == 0) return r->values[i].value;
    return (double)NAN;
}

// ---------------------------------------------------------------------------- writing

/** Words stand left, numbers right; what stands first is a word. */
static bool is_number(const char* cell) {
    return (cell[0] >= '0' && cell[0] <= '9') || cell[0] == '-';
}

static bool stands_right(const report_table* t, int column) {
    if (column == 0) return false;
    for (int i = 0; i < t->count; i++)
        if (column < t->rows[i].count && !is_number(t->rows[i].cells[column])) return false;
    return true;
}

static void print_line(const report_table* t, const report_line* line, const int* width,
                       FILE* file) {
    for (int c = 0; c < line->count; c++) {
        bool last = c == line->count - 1, right = stands_right(t, c);
        fprintf(file, "%s%*s", c ? "  " : "",
                right  ? width[c]
                : last ? 0
                       : -width[c],
                line->cells[c]);
    }
    fprintf(file, "\n");
}

void report_print_table(const report_table* t, FILE* file) {
    int width[REPORT_COLUMNS] = {0};
    for (int i = -1; i < t->count; i++) {
        const report_line* line = i < 0 ? &t->head : &t->rows[i];
        for (int c = 0; c < line->count; c++) {
            int length = (int)strlen(line->cells[c]);
            if (length > width[c]) width[c] = length;
        }
    }
    fprintf(file, "\n%s\n\n", t->title);
    print_line(t, &t->head, width, file);
    for (int i = 0; i < t->count; i++)
        print_line(t, &t->rows[i], width, file);
    if (t->note) fprintf(file, "\n%s\n", t->note);
}

void report_print_markdown(const bench_report* r, FILE* file) {
    for (int n = 0; n < r->table_count; n++) {
        const report_table* t = &r->tables[n];
        if (!t->briefly) continue;
        fprintf(file, "### %s\n\n", t->title);
        for (int i = -1; i < t->count; i++) {
            const report_line* line = i < 0 ? &t->head : &t->rows[i];
            for (int c = 0; c < line->count; c++)
                fprintf(file, "| %s ", line->cells[c]);
            fprintf(file, "|\n");
            for (int c = 0; i < 0 && c < line->count; c++)
                fprintf(file, "|%s", stands_right(t, c) ? "--:" : "---");
            if (i < 0) fprintf(file, "|\n");
        }
        fprintf(file, "\n%s%s", t->note ? t->note : "", t->note ? "\n\n" : "");
    }
}

static void print_json_text(const char* text, FILE* file) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('"', file);
}

static void print_json_cells(const report_line* line, FILE* file) {
    fprintf(file, "[");
    for (int c = 0; c < line->count; c++) {
        if (c) fprintf(file, ", ");
        print_json_text(line->cells[c], file);
    }
    fprintf(file, "]");
}

void report_print_json(const bench_report* r, const char* machine, FILE* file) {
    fprintf(file, "{\n  \"version\": \"%s\",\n  \"machine\": ", sis_version());
    print_json_text(machine, file);
    fprintf(file, ",\n  \"values\": {");
    for (int i = 0; i < r->value_count; i++) {
        fprintf(file, "%s\n    ", i ? "," : "");
        print_json_text(r->values[i].name, file);
        if (isfinite(r->values[i].value))
            fprintf(file, ": %.6g", r->values[i].value);
        else
            fprintf(file, ": null");
    }
    fprintf(file, "\n  },\n  \"tables\": [");
    for (int n = 0; n < r->table_count; n++) {
        const report_table* t = &r->tables[n];
        fprintf(file, "%s\n    {\"title\": ", n ? "," : "");
        print_json_text(t->title, file);
        fprintf(file, ",\n     \"columns\": ");
        print_json_cells(&t->head, file);
        fprintf(file, ",\n     \"rows\": [");
        for (int i = 0; i < t->count; i++) {
            fprintf(file, "%s\n       ", i ? "," : "");
            print_json_cells(&t->rows[i], file);
        }
        fprintf(file, "],\n     \"note\": ");
        print_json_text(t->note ? t->note : "", file);
        fprintf(file, "}");
    }
    fprintf(file, "\n  ]\n}\n");
}

void report_free(bench_report* r) {
    for (int i = 0; i < r->table_count; i++)
        free(r->tables[i].rows);
    free(r->tables);
    free(r->values);
    *r = (bench_report){0};
}
