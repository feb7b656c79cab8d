#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 10

void table_row(table* t) {
    if (t->count == t->room) {
        int room = t->room ? 2 * t->room : 16;
        void* rows = realloc(t->rows, (size_t)room * sizeof *t->rows);
        if (!rows) {
            t->lost = true;
            return;
        }
        t->rows = rows;
        t->room = room;
    }
    memset(t->rows[t->count++], 0, sizeof *t->rows);
}

void table_cell(table* t, int column, const char* format, ...) {
    if (t->lost || !t->count) return;
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    free(t->rows[t->count - 1][column]);
    t->rows[t->count - 1][column] = strdup(text);
}

/** Characters, not bytes: names may be in any script. */
static int width(const char* text) {
    int characters = 0;
    for (; text && *text; text++)
        characters += ((unsigned char)*text & 0xc0) != 0x80;
    return characters;
}

void table_print(table* t, const char* heading) {
    int wide[TABLE_COLUMNS] = {0};
    for (int i = 0; i < t->count; i++)
        for (int c = 0; c < TABLE_COLUMNS; c++)
            if (width(t->rows[i][c]) > wide[c]) wide[c] = width(t->rows[i][c]);
    for (int i = 0; i < t->count; i++) {
        printf("%-*s", INDENT, i ? "" : heading);
        int owed = 0; // spaces before the next text: a line has none at its end
        for (int c = 0; c < TABLE_COLUMNS; c++) {
            const char* text = t->rows[i][c];
            if (text && *text) {
                printf("%*s%s", owed, "", text);
                owed = 0;
            }
            owed += wide[c] - width(text) + (wide[c] ? 2 : 0);
        }
        printf("\n");
    }
    for (int i = 0; i < t->count; i++)
        for (int c = 0; c < TABLE_COLUMNS; c++)
            free(t->rows[i][c]);
    free(t->rows);
    *t = (table){0};
}
