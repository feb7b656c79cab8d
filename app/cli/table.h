/** @file table.h
 * Columns of text on standard output, as wide as their contents.
 */
#ifndef SISTRUM_CLI_TABLE_H
#define SISTRUM_CLI_TABLE_H

#include <stdbool.h>

#define TABLE_COLUMNS 12
#define TABLE_WIDTH   120 // characters, of sentences that are wrapped

typedef struct table_line {
    char* cells[TABLE_COLUMNS];
    char* rest; // a sentence after the cells, over all columns that are left
} table_line;

typedef struct table {
    int count, room;
    table_line* rows;
    bool lost; // out of memory
} table;

/** Starts a row; further cells come with table_cell. */
void table_row(table* t);

/** Sets a cell of the last row. */
void table_cell(table* t, int column, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** Sets the sentence that fills the last row after its cells. */
void table_rest(table* t, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** Prints the rows, the first after `heading` and all indented by it, and empties the table. NULL:
 * no heading and no indent. */
void table_print(table* t, const char* heading);

/** Empties the table without printing it. */
void table_free(table* t);

#endif
