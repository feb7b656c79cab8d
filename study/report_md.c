// The reports in Markdown.

#include "study_report.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

// ---------------------------------------------------------------------------- cells

/** Code: only the bar has a meaning in a table. */
static void print_code(FILE* f, const char* text, size_t length) {
    putc('`', f);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '|') putc('\\', f);
        putc(text[i] == '\n' ? ' ' : text[i], f);
    }
    putc('`', f);
}

/** Whether Markdown would take this character for more than itself. */
static bool has_meaning(const char* text, size_t i) {
    char before = i ? text[i - 1] : ' ', here = text[i], after = text[i + 1];
    switch (here) {
    case '|':
    case '\\':
    case '~':
    case '$':
    case '`':
        return true;
    case '*': // alone between spaces it is a star
        return !(before == ' ' && after == ' ');
    case '_': // inside a name it is itself
        return !(isalnum((unsigned char)before) && isalnum((unsigned char)after));
    case '(': // [...](...) is a link
        return before == ']';
    default:
        return false;
    }
}

/** A text as one cell, or part of one. What stands between backticks is code. */
static void print_text(FILE* f, const char* text) {
    for (size_t i = 0; text[i]; i++) {
        const char* end = text[i] == '`' ? strchr(text + i + 1, '`') : NULL;
        if (end) {
            print_code(f, text + i + 1, (size_t)(end - (text + i + 1)));
            i = (size_t)(end - text);
        } else if (text[i] == '<') {
            fputs("&lt;", f);
        } else if (text[i] == '>') {
            fputs("&gt;", f);
        } else if (text[i] == '&') {
            fputs("&amp;", f);
        } else {
            if (has_meaning(text, i)) putc('\\', f);
            putc(text[i] == '\n' ? ' ' : text[i], f);
        }
    }
}

static void print_cell(FILE* f, const json_t* object, const char* key) {
    const char* text = sis_report_text(object, key);
    fputs(" ", f);
    print_text(f, text);
    fputs(*text ? " |" : "|", f);
}

static void print_formula_cell(FILE* f, const json_t* object, const char* key) {
    const char* text = sis_report_text(object, key);
    if (!sis_report_is_formula(text)) {
        print_cell(f, object, key);
        return;
    }
    putc(' ', f);
    print_code(f, text, strlen(text));
    fputs(" |", f);
}

static void begin_row(FILE* f, const json_t* item) {
    fprintf(f, "| `%s` |", sis_report_text(item, "item"));
}

/** "does not reproduce: because"; the good case in plain letters, the others bold. */
static void print_verdict(FILE* f, const char* verdict, const char* why) {
    bool plain = !*verdict || !strcmp(verdict, sis_report_verdict(0));
    if (*verdict) fprintf(f, "%s%s%s", plain ? "" : "**", verdict, plain ? "" : "**");
    if (*verdict && *why) fputs(": ", f);
    print_text(f, why);
}

// ---------------------------------------------------------------------------- tables

/** Which items of a paper a document tells all about. */
typedef struct scope {
    const json_t* results;
    const char* paper;
    bool timed; // those that measure time, instead of those that do not
    bool both;
} scope;

static bool is_in(const scope* s, const json_t* item) {
    return sis_report_is_of(item, s->paper) &&
           (s->both || json_is_true(json_object_get(item, "alone")) == s->timed);
}

typedef void row_writer(FILE* f, const json_t* item, const json_t* entry);

/** One table of all entries of a list of the items, with `head` before its first row. `ours`: of
 * the claims only what the paper does not say; 0: only what it does. */
static void print_table(FILE* f, const scope* s, const char* list, int ours, const char* head,
                        row_writer* row) {
    bool begun = false;
    size_t i, k;
    json_t *item, *entry;
    json_array_foreach(s->results, i, item) {
        if (!is_in(s, item)) continue;
        json_array_foreach(json_object_get(item, list), k, entry) {
            bool is_ours = !*sis_report_text(entry, "published");
            if (!strcmp(list, "claims") && is_ours != (ours != 0)) continue;
            if (!begun) fputs(head, f);
            begun = true;
            row(f, item, entry);
            putc('\n', f);
        }
    }
    if (begun) putc('\n', f);
}

static void claim_row(FILE* f, const json_t* item, const json_t* claim) {
    begin_row(f, item);
    print_cell(f, claim, "text");
    print_cell(f, claim, "published");
    print_cell(f, claim, "measured");
    putc(' ', f);
    print_verdict(f, sis_report_text(claim, "verdict"), sis_report_text(claim, "why"));
    fputs(" |", f);
}

static void finding_row(FILE* f, const json_t* item, const json_t* claim) {
    begin_row(f, item);
    putc(' ', f);
    print_text(f, sis_report_text(claim, "text"));
    if (*sis_report_text(claim, "why")) fputs("; ", f);
    print_text(f, sis_report_text(claim, "why"));
    fputs(" |", f);
    print_cell(f, claim, "measured");
}

static void choice_row(FILE* f, const json_t* item, const json_t* choice) {
    begin_row(f, item);
    print_cell(f, choice, "what");
    print_cell(f, choice, "taken");
    print_cell(f, choice, "why");
    print_cell(f, choice, "otherwise");
}

static void misprint_row(FILE* f, const json_t* item, const json_t* misprint) {
    const char* measure = sis_report_text(misprint, "measure");
    const char* note = sis_report_text(misprint, "note");
    (void)item; // the place says more
    putc('|', f);
    print_cell(f, misprint, "place");
    print_formula_cell(f, misprint, "printed");
    print_formula_cell(f, misprint, "right");
    putc(' ', f);
    print_text(f, measure);
    fputs(*measure && *note ? "; " : "", f);
    print_text(f, note);
    fputs(*measure || *note ? " |" : "|", f);
    print_cell(f, misprint, "printed_gives");
    print_cell(f, misprint, "right_gives");
}

/** Whether there is anything to say about how an item came out. */
static bool has_outcome(const json_t* item) {
    return *sis_report_text(item, "verdict") || *sis_report_text(item, "failed") ||
           json_array_size(json_object_get(item, "misprints"));
}

static void print_outcome(FILE* f, const json_t* item, const char* elsewhere) {
    const char* failed = sis_report_text(item, "failed");
    putc(' ', f);
    int misprints = (int)json_array_size(json_object_get(item, "misprints"));
    const char* verdict = sis_report_text(item, "verdict");
    print_verdict(f, *failed ? "failed" : verdict, failed);
    if (misprints && !*failed)
        fprintf(f, "%s%d %s", *verdict ? ", " : "", misprints,
                sis_plural((uint64_t)misprints, "misprint or gap", "misprints and gaps"));
    bool moved = *elsewhere && !*failed && json_is_true(json_object_get(item, "alone"));
    if (moved) fprintf(f, " (times: [%s](%s))", elsewhere, elsewhere);
    fputs(" |", f);
}

/** The items of a paper; those that measure time are told `elsewhere`. */
static void print_items(FILE* f, const scope* s, const char* elsewhere) {
    scope all = *s;
    all.both = s->both || *elsewhere;
    size_t i;
    json_t* item;
    bool judged = false; // what lies beyond the papers has no verdicts
    json_array_foreach(s->results, i, item) {
        judged = judged || (is_in(&all, item) && has_outcome(item));
    }
    fputs(judged ? "| item | place | shows | verdict |\n|---|---|---|---|\n"
                 : "| item | place | shows |\n|---|---|---|\n",
          f);
    json_array_foreach(s->results, i, item) {
        if (!is_in(&all, item)) continue;
        begin_row(f, item);
        print_cell(f, item, "place");
        print_cell(f, item, "title");
        if (judged) print_outcome(f, item, elsewhere);
        putc('\n', f);
    }
    putc('\n', f);
}

static void print_findings(FILE* f, const scope* s, const char* heading) {
    char head[160];
    snprintf(head, sizeof head, "### %s\n\n| item | finding | measured |\n|---|---|---|\n",
             heading);
    print_table(f, s, "claims", 0,
                "### Published and measured\n\n"
                "| item | claim | published | measured | verdict |\n|---|---|---|---|---|\n",
                claim_row);
    print_table(
        f, s, "choices", 0,
        "### Left unsaid\n\n"
        "| item | left unsaid | taken | why | with other choices |\n|---|---|---|---|---|\n",
        choice_row);
    print_table(f, s, "misprints", 0,
                "### Misprints and gaps\n\n"
                "| where | printed | right | measure | printed gives | right gives |\n"
                "|---|---|---|---|---|---|\n",
                misprint_row);
    print_table(f, s, "claims", 1, head, finding_row);
}

// ---------------------------------------------------------------------------- documents

static void print_counts(FILE* f, const char* name, const sis_report_counts* n) {
    fprintf(f, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, n->items, n->claims,
            n->verdicts[0], n->verdicts[1], n->verdicts[2], n->choices, n->misprints);
}

static void print_summary(FILE* f, const json_t* results) {
    fputs("| paper | items | claims | reproduced | with correction | not reproduced | choices | "
          "misprints and gaps |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
          f);
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        sis_report_counts n = sis_report_count(results, paper->folder);
        if (n.items && strcmp(paper->folder, "beyond") != 0) print_counts(f, paper->citation, &n);
    }
    sis_report_counts all = sis_report_count(results, NULL);
    print_counts(f, "all", &all);
    putc('\n', f);
}

void sis_report_papers(FILE* f, const json_t* results) {
    fputs("# The papers, reproduced\n\n"
          "Written by `sistrum repro all --docs docs`; every number below was computed by that "
          "run. `sistrum repro PAPER/ITEM`\nruns one item and draws its figure, and "
          "`repro/PAPER/ITEM.lua` is the script that says how.\n\n"
          "*Published* is what the paper says, *measured* what comes out here. A claim is "
          "**reproduced** when it holds as published,\n**reproduced with correction** when it "
          "holds once a misprint or an omission is mended, and **does not reproduce** when\n"
          "it does not hold; the last two say why. Where a paper leaves a parameter unsaid, the "
          "one taken is listed with what others\nwould have given. Numbers around 1e-13 and "
          "below are rounding.\n\n",
          f);
    print_summary(f, results);
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        scope s = {.results = results, .paper = paper->folder};
        bool beyond = !strcmp(paper->folder, "beyond");
        if (beyond || !sis_report_count(results, paper->folder).items) continue;
        fprintf(f, "## %s\n\n%s.\n\n", paper->citation, paper->full);
        print_items(f, &s, "beyond.md");
        print_findings(f, &s, "Beside the paper");
    }
}

/** Whether any item of a paper measures time. */
static bool has_timed(const json_t* results, const char* paper) {
    size_t i;
    json_t* item;
    json_array_foreach(results, i, item) {
        if (sis_report_is_of(item, paper) && json_is_true(json_object_get(item, "alone")))
            return true;
    }
    return false;
}

/** The pictures of what lies beyond the papers, from the folder beside the page. */
static void print_pictures(FILE* f, const json_t* results) {
    size_t i, k;
    json_t *item, *figure;
    json_array_foreach(results, i, item) {
        if (!sis_report_is_of(item, "beyond") || !json_is_true(json_object_get(item, "drawn")))
            continue;
        json_array_foreach(json_object_get(item, "figures"), k, figure) {
            fprintf(f, "### %s\n\n![%s](beyond/%s.png)\n\n", sis_report_text(item, "title"),
                    sis_report_text(item, "title"), sis_report_text(figure, "name"));
            if (*sis_report_text(figure, "caption"))
                fprintf(f, "%s\n\n", sis_report_text(figure, "caption"));
        }
    }
}

void sis_report_beyond(FILE* f, const json_t* results) {
    fputs("# Beyond the papers\n\n"
          "Written by `sistrum repro all --docs docs`. What the default scheme, `ledger`, does "
          "beside the published ones, and every\nmeasurement of time, which is another on every "
          "machine and in every run.\n\n",
          f);
    if (sis_report_count(results, "beyond").items) {
        scope s = {.results = results, .paper = "beyond", .both = true};
        fputs("## Schemes compared\n\n", f);
        print_items(f, &s, "");
        print_pictures(f, results);
        print_findings(f, &s, "Findings");
    }
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        scope s = {.results = results, .paper = paper->folder, .timed = true};
        if (!strcmp(paper->folder, "beyond") || !has_timed(results, paper->folder)) continue;
        fprintf(f, "## Times: %s\n\n", paper->citation);
        print_items(f, &s, "");
        print_findings(f, &s, "Beside the paper");
    }
}
