#include "table.h"

#include "say.h"
#include "text.h"

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
    t->rows[t->count++] = (table_line){0};
}

static char* print(const char* format, va_list values) {
    char text[1200];
    vsnprintf(text, sizeof text, format, values);
    return sis_text_clean(text);
}

void table_cell(table* t, int column, const char* format, ...) {
    if (t->lost || !t->count) return;
    char** cell = &t->rows[t->count - 1].cells[column];
    va_list values;
    va_start(values, format);
    free(*cell);
    *cell = print(format, values);
    t->lost = !*cell;
    va_end(values);
}

void table_rest(table* t, const char* format, ...) {
    if (t->lost || !t->count) return;
    table_line* line = &t->rows[t->count - 1];
    va_list values;
    va_start(values, format);
    free(line->rest);
    line->rest = print(format, values);
    t->lost = !line->rest;
    va_end(values);
}

/** Characters, not bytes: names may be in any script. */
static int width(const char* text) {
    int characters = 0;
    for (; text && *text; text++)
        characters += ((unsigned char)*text & 0xc0) != 0x80;
    return characters;
}

/** Prints a sentence from column `at` on, its further lines below its first. */
static void print_rest(const char* text, int at, int owed) {
    printf("%*s", owed, "");
    int used = at;
    while (*text) {
        char word[1200];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
        if (used > at && used + 1 + width(word) > TABLE_WIDTH) {
            printf("\n%*s", at, "");
            used = at;
        } else if (used > at) {
            printf(" ");
            used++;
        }
        printf("%s", word);
        used += width(word);
        text += strlen(word);
        text += strspn(text, " ");
    }
}

static void print_line(const table_line* line, const int* wide, int indent) {
    int owed = 0, at = indent; // spaces before the next text: a line has none at its end
    int filled = TABLE_COLUMNS;
    while (filled > 0 && !(line->cells[filled - 1] && *line->cells[filled - 1]))
        filled--;
    for (int c = 0; c < TABLE_COLUMNS; c++) {
        const char* text = line->cells[c];
        if (line->rest && c == filled) {
            print_rest(line->rest, at, owed);
            break;
        }
        if (text && *text) {
            printf("%*s%s", owed, "", text);
            owed = 0;
        }
        int room = wide[c] + (wide[c] ? 2 : 0);
        owed += room - width(text);
        at += room;
    }
    printf("\n");
}

static void free_line(table_line* line) {
    for (int c = 0; c < TABLE_COLUMNS; c++)
        free(line->cells[c]);
    free(line->rest);
}

void table_free(table* t) {
    for (int i = 0; i < t->count; i++)
        free_line(&t->rows[i]);
    free(t->rows);
    *t = (table){0};
}

void table_print(table* t, const char* heading) {
    int wide[TABLE_COLUMNS] = {0};
    for (int i = 0; i < t->count; i++)
        for (int c = 0; c < TABLE_COLUMNS; c++)
            if (width(t->rows[i].cells[c]) > wide[c]) wide[c] = width(t->rows[i].cells[c]);
    if (t->lost) output_lost();
    for (int i = 0; i < t->count; i++) {
        if (heading && !t->lost) printf("%-*s", INDENT, i ? "" : heading);
        if (!t->lost) print_line(&t->rows[i], wide, heading ? INDENT : 0);
    }
    table_free(t);
}
