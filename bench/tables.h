/** @file tables.h
 * What a run of the bench found: tables to read, and named values from which claims are judged and
 * the history is written. Written as text while it runs, afterwards as JSON or as Markdown.
 */
#ifndef SISTRUM_BENCH_TABLES_H
#define SISTRUM_BENCH_TABLES_H

#include <stdbool.h>
#include <stdio.h>

enum { REPORT_COLUMNS = 16, REPORT_CELL = 96, REPORT_NAME = 64 };

typedef struct report_line {
    char cells[REPORT_COLUMNS][REPORT_CELL];
    int count;
} report_line;

typedef struct report_table {
    const char* title; // static text
    const char* note;  // static text below it, or NULL
    bool briefly;      // belongs into the docs
    report_line head;
    report_line* rows;
    int count, room;
} report_table;

typedef struct report_value {
    char name[REPORT_NAME];
    double value;
} report_value;

typedef struct bench_report {
    report_table* tables;
    int table_count, table_room;
    report_value* values;
    int value_count, value_room;
    bool silent; // nothing is printed while it runs
} bench_report;

/** Starts a table: "heading|heading|..." . */
void report_begin(bench_report* r, const char* title, const char* headings);

/** Starts a row; the cells follow from left to right. */
void report_row(bench_report* r);
void report_text(bench_report* r, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** A number and its unit, "x" or " %"; a dash for what is not a number. */
void report_number(bench_report* r, double value, int digits, const char* unit);

/** Ends and prints the table. `briefly`: it goes into the docs as well. */
void report_end(bench_report* r, bool briefly, const char* note);

/** Keeps a value under "what/how". */
void report_keep(bench_report* r, double value, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** The value of that name; NaN: it was not measured. */
double report_value_of(const bench_report* r, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

void report_print_table(const report_table* t, FILE* file);
void report_print_markdown(const bench_report* r, FILE* file);
void report_print_json(const bench_report* r, const char* machine, FILE* file);
void report_free(bench_report* r);

#endif
