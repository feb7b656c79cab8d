/** @file table.h
 * Columns of text on standard output, as wide as their contents.
 */
#ifndef SISTRUM_CLI_TABLE_H
#define SISTRUM_CLI_TABLE_H

#include <stdbool.h>

#define TABLE_COLUMNS 6

typedef struct table {
    int count, room;
    char* (*rows)[TABLE_COLUMNS];
    bool lost; // out of memory
} table;

/** Starts a row; further cells come with table_cell. */
void table_row(table* t);

/** Sets a cell of the last row. */
void table_cell(table* t, int column, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** Prints the rows, the first after `heading` and all indented by it, and empties the table. */
void table_print(table* t, const char* heading);

#endif
