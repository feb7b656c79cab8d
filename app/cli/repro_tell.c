#include "repro_tell.h"

#include "study_report.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

void tell_catalogue(const sis_catalogue* catalogue, const bool* wanted) {
    table t = {0};
    for (int32_t i = 0; i < catalogue->count; i++) {
        const sis_study_entry* e = &catalogue->entries[i];
        if (!wanted[i]) continue;
        table_row(&t);
        table_cell(&t, 0, "%s/%s", e->paper, e->item);
        table_cell(&t, 1, "%s", e->place);
        table_cell(&t, 2, "%s", e->alone ? "alone" : e->slow ? "slow" : "");
        table_rest(&t, "%s", e->title);
        if (!e->alone && !e->slow) table_cell(&t, 2, " "); // keeps the titles below each other
    }
    table_print(&t, NULL);
}

// ---------------------------------------------------------------------------- tables of sentences

/** A column: what stands above it, what it shows, and how wide it may get. */
typedef struct column {
    const char* title;
    const char* key;
    int most; // characters
} column;

#define COLUMNS_MAX 4
#define GAP         2
#define INDENT      2

/** Characters, not bytes. */
static int width(const char* text, size_t bytes) {
    int characters = 0;
    for (size_t i = 0; i < bytes; i++)
        characters += ((unsigned char)text[i] & 0xc0) != 0x80;
    return characters;
}

/** Bytes of the first line of `text` when it may be `most` characters wide: whole words, or a part
 *  of the first one when it does not fit by itself. */
static size_t line_length(const char* text, int most) {
    size_t fits = 0, bytes = 0;
    for (int characters = 0; text[bytes]; characters++) {
        if (characters == most) return fits ? fits : bytes;
        bytes++;
        while (((unsigned char)text[bytes] & 0xc0) == 0x80)
            bytes++;
        if (text[bytes] == ' ' || !text[bytes]) fits = bytes;
    }
    return bytes;
}

/** Prints the next line of every cell and moves on behind it; false: all are at their end. */
static bool print_line(const char** cells, const int* wide, int count) {
    bool any = false;
    int owed = INDENT; // spaces before the next text: a line has none at its end
    for (int c = 0; c < count; c++) {
        size_t bytes = line_length(cells[c], wide[c]);
        if (bytes) {
            printf("%*s%.*s", owed, "", (int)bytes, cells[c]);
            owed = 0;
            any = true;
        }
        owed += wide[c] - width(cells[c], bytes) + GAP;
        cells[c] += bytes;
        cells[c] += strspn(cells[c], " ");
    }
    if (any) printf("\n");
    return any;
}

static void print_row(const char** cells, const int* wide, int count) {
    while (print_line(cells, wide, count)) {
    }
}

/** A sentence below a row. */
static void print_remark(const char* text) {
    const char* cells[] = {"", text};
    const int wide[] = {GAP, TABLE_WIDTH - INDENT - 2 * GAP};
    print_row(cells, wide, 2);
}

/** Prints the entries, those with "published" or those without it when `ours` says so. */
static void print_table(const json_t* entries, int ours, const column* columns, int count) {
    int wide[COLUMNS_MAX] = {0};
    const char* cells[COLUMNS_MAX];
    bool begun = false;
    size_t i;
    json_t* entry;
    for (int pass = 0; pass < 2; pass++) // measures, then prints
        json_array_foreach(entries, i, entry) {
            bool is_ours = !*sis_report_text(entry, "published");
            if (ours >= 0 && is_ours != (ours == 1)) continue;
            for (int c = 0; c < count && pass == 0; c++) {
                const char* text = sis_report_text(entry, columns[c].key);
                int needs = width(text, strlen(text)), title = (int)strlen(columns[c].title);
                if (needs < title) needs = title;
                if (needs > columns[c].most) needs = columns[c].most;
                if (needs > wide[c]) wide[c] = needs;
            }
            if (pass == 0) continue;
            for (int c = 0; c < count; c++)
                cells[c] = columns[c].title;
            if (!begun) print_row(cells, wide, count);
            begun = true;
            for (int c = 0; c < count; c++)
                cells[c] = sis_report_text(entry, columns[c].key);
            print_row(cells, wide, count);
            if (ours >= 0) print_remark(sis_report_text(entry, "why"));
        }
    if (begun) printf("\n");
}

void tell_item(const json_t* item) {
    static const column claims[] = {{"claim", "text", 46},
                                    {"published", "published", 22},
                                    {"measured", "measured", 22},
                                    {"verdict", "verdict", 26}};
    static const column findings[] = {{"finding", "text", 70}, {"measured", "measured", 46}};
    static const column choices[] = {
        {"left unsaid", "what", 30}, {"taken", "taken", 30}, {"otherwise", "otherwise", 54}};
    static const column misprints[] = {{"misprint", "place", 24},
                                       {"measure", "measure", 48},
                                       {"printed gives", "printed_gives", 20},
                                       {"right gives", "right_gives", 20}};
    const char* verdict = sis_report_text(item, "verdict");
    printf("%s/%s  %s: %s\n", sis_report_text(item, "paper"), sis_report_text(item, "item"),
           sis_report_text(item, "place"), sis_report_text(item, "title"));
    if (*verdict) printf("  %s\n", verdict);
    printf("\n");
    print_table(json_object_get(item, "claims"), 0, claims, 4);
    print_table(json_object_get(item, "claims"), 1, findings, 2);
    print_table(json_object_get(item, "choices"), -1, choices, 3);
    print_table(json_object_get(item, "misprints"), -1, misprints, 4);
}

void tell_counts(const json_t* results) {
    sis_report_counts n = sis_report_count(results, NULL);
    sis_report_counts beyond = sis_report_count(results, "beyond");
    int items = n.items + beyond.items;
    printf("%d %s", items, sis_plural((uint64_t)items, "item", "items"));
    if (n.failed + beyond.failed) printf(", %d failed", n.failed + beyond.failed);
    printf("; claims: %d reproduced, %d with correction, %d not reproduced; misprints: %d\n",
           n.verdicts[0], n.verdicts[1], n.verdicts[2], n.misprints);
}
