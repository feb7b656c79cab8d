// The report as one HTML file that needs nothing beside it: styles and pictures are inside.

#include "study_report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- text

static void print_letter(FILE* f, char letter) {
    switch (letter) {
    case '&':
        fputs("&amp;", f);
        break;
    case '<':
        fputs("&lt;", f);
        break;
    case '>':
        fputs("&gt;", f);
        break;
    case '"':
        fputs("&quot;", f);
        break;
    default: // control characters are not allowed in HTML
        if ((unsigned char)letter >= ' ' || letter == '\n' || letter == '\t') putc(letter, f);
    }
}

/** As it is, for attributes and code. */
static void print_plain(FILE* f, const char* text) {
    for (; *text; text++)
        print_letter(f, *text);
}

/** What stands between backticks is code. */
static void print_text(FILE* f, const char* text) {
    bool code = false;
    for (; *text; text++) {
        if (*text == '`' && (code || strchr(text + 1, '`'))) {
            fputs(code ? "</code>" : "<code>", f);
            code = !code;
        } else {
            print_letter(f, *text);
        }
    }
}

/** The name of a place in the file: letters, digits and dashes. */
static void print_anchor(FILE* f, const char* before, const char* text) {
    fputs(before, f);
    for (; *text; text++) {
        bool fine = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                    (*text >= '0' && *text <= '9') || *text == '_';
        putc(fine ? *text : '-', f);
    }
}

static void item_path(const json_t* item, char* path, size_t room) {
    snprintf(path, room, "%.120s/%.120s", sis_report_text(item, "paper"),
             sis_report_text(item, "item"));
}

/** The verdict as a coloured word; nothing when there is none. */
static void print_badge(FILE* f, const char* verdict) {
    static const char* const classes[] = {"good", "mended", "bad"};
    const char* look = "bad";
    if (!*verdict) return;
    for (int i = 0; i < SIS_VERDICTS; i++)
        if (!strcmp(verdict, sis_report_verdict(i))) look = classes[i];
    fprintf(f, "<span class=\"badge %s\">%s</span>", look, verdict);
}

static void print_item_badge(FILE* f, const json_t* item) {
    bool failed = json_object_get(item, "failed") != NULL;
    bool surprised = json_array_size(json_object_get(item, "surprises")) > 0;
    print_badge(f, failed ? "failed" : sis_report_text(item, "verdict"));
    if (surprised) fputs(" <span class=\"badge bad\">not as expected</span>", f);
}

// ---------------------------------------------------------------------------- files inside

static void print_base64(FILE* f, FILE* source) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    size_t count;
    while ((count = fread(bytes, 1, 3, source)) > 0) {
        for (size_t i = count; i < 3; i++)
            bytes[i] = 0;
        putc(digits[bytes[0] >> 2], f);
        putc(digits[(bytes[0] & 3) << 4 | bytes[1] >> 4], f);
        putc(count > 1 ? digits[(bytes[1] & 15) << 2 | bytes[2] >> 6] : '=', f);
        putc(count > 2 ? digits[bytes[2] & 63] : '=', f);
    }
}

/** Width and height stand right after the signature and the name of the first chunk. */
static bool read_size(FILE* picture, unsigned* width, unsigned* height) {
    unsigned char head[24];
    bool fine = fread(head, 1, sizeof head, picture) == sizeof head &&
                memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0;
    rewind(picture);
    if (!fine) return false;
    *width =
        (unsigned)head[16] << 24 | (unsigned)head[17] << 16 | (unsigned)head[18] << 8 | head[19];
    *height =
        (unsigned)head[20] << 24 | (unsigned)head[21] << 16 | (unsigned)head[22] << 8 | head[23];
    return true;
}

static FILE* open_file(const char* folder, const char* name, const char* ending) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
}

/** The text of a Lua file below root, folded away under its name. */
static void print_source(FILE* f, const char* root, const char* name, const char* anchor,
                         const char* what) {
    FILE* source = open_file(root, name, ".lua");
    print_anchor(f, "<details id=\"", anchor);
    fprintf(f, "\"><summary>%s <code>", what);
    print_plain(f, name);
    fputs(".lua</code></summary>\n<pre><code>", f);
    for (int letter; source && (letter = getc(source)) != EOF;)
        print_letter(f, (char)letter);
    if (source)
        fclose(source);
    else
        fputs("It cannot be read.", f);
    fputs("</code></pre></details>\n", f);
}

// ---------------------------------------------------------------------------- an item

static void print_figure(FILE* f, const json_t* item, const json_t* figure, const char* out) {
    char name[256];
    unsigned width = 0, height = 0;
    const char* caption = sis_report_text(figure, "caption");
    snprintf(name, sizeof name, "%s/%s", sis_report_text(item, "paper"),
             sis_report_text(figure, "name"));
    FILE* picture = open_file(out, name, ".png");
    fputs("<figure>\n", f);
    if (picture && read_size(picture, &width, &height)) {
        // Drawn for print: twice as fine as a screen.
        fprintf(f, "<img width=\"%u\" height=\"%u\" alt=\"", width / 2, height / 2);
        print_plain(f, sis_report_text(item, "place"));
        fputs(": ", f);
        print_plain(f, sis_report_text(item, "title"));
        fputs(". The numbers are in the CSV file.\" src=\"data:image/png;base64,", f);
        print_base64(f, picture);
        fputs("\">\n", f);
    } else {
        fputs("<p>The picture is missing.</p>\n", f);
    }
    if (picture) fclose(picture);
    fputs("<figcaption>", f);
    print_text(f, *caption ? caption : sis_report_text(item, "title"));
    fputs(*caption && strchr(".!?", caption[strlen(caption) - 1]) ? "" : ".", f);
    for (int i = 0; i < 3; i++) {
        static const char* const endings[] = {"png", "svg", "csv"};
        fputs(" <a href=\"", f);
        print_plain(f, name);
        fprintf(f, ".%s\">%s</a>", endings[i], endings[i]);
    }
    fputs("</figcaption>\n</figure>\n", f);
}

#define COLUMNS_MAX 7

typedef struct column {
    const char* title;
    const char* key;
    bool formula; // may be one
} column;

static void print_cell(FILE* f, const json_t* entry, const column* c) {
    const char* text = sis_report_text(entry, c->key);
    fputs("<td>", f);
    if (!strcmp(c->key, "verdict")) {
        print_badge(f, text);
        fputs(*text ? " " : "", f);
        print_text(f, sis_report_text(entry, "why"));
    } else if (c->formula && sis_report_is_formula(text)) {
        fputs("<code>", f);
        print_plain(f, text);
        fputs("</code>", f);
    } else {
        print_text(f, text);
    }
    fputs("</td>", f);
}

/** Whether a column has anything to show. */
static bool is_used(const json_t* entries, bool (*wanted)(const json_t*), const column* c) {
    size_t i;
    json_t* entry;
    json_array_foreach(entries, i, entry) {
        if ((!wanted || wanted(entry)) && *sis_report_text(entry, c->key)) return true;
    }
    return false;
}

/** A table of the entries that `wanted` (NULL: all) is true of; nothing when there are none. */
static void print_table(FILE* f, const json_t* entries, bool (*wanted)(const json_t*),
                        const char* caption, const column* columns, int count) {
    bool used[COLUMNS_MAX], begun = false;
    for (int c = 0; c < count; c++)
        used[c] = is_used(entries, wanted, &columns[c]);
    size_t i;
    json_t* entry;
    json_array_foreach(entries, i, entry) {
        if (wanted && !wanted(entry)) continue;
        if (!begun) {
            fprintf(f, "<div class=\"wide\"><table><caption>%s</caption>\n<thead><tr>", caption);
            for (int c = 0; c < count; c++)
                if (used[c]) fprintf(f, "<th scope=\"col\">%s</th>", columns[c].title);
            fputs("</tr></thead>\n<tbody>\n", f);
        }
        begun = true;
        fputs("<tr>", f);
        for (int c = 0; c < count; c++)
            if (used[c]) print_cell(f, entry, &columns[c]);
        fputs("</tr>\n", f);
    }
    if (begun) fputs("</tbody></table></div>\n", f);
}

static bool is_published(const json_t* claim) {
    return *sis_report_text(claim, "published") != 0;
}

static bool is_ours(const json_t* claim) {
    return !is_published(claim);
}

static void print_tables(FILE* f, const json_t* item) {
    static const column claims[] = {{"claim", "text", false},
                                    {"published", "published", false},
                                    {"measured", "measured", false},
                                    {"verdict", "verdict", false}};
    static const column findings[] = {
        {"finding", "text", false}, {"measured", "measured", false}, {"remark", "why", false}};
    static const column choices[] = {{"left unsaid", "what", false},
                                     {"taken", "taken", false},
                                     {"why", "why", false},
                                     {"with other choices", "otherwise", false}};
    static const column misprints[] = {{"where", "place", false},
                                       {"printed", "printed", true},
                                       {"right", "right", true},
                                       {"measure", "measure", false},
                                       {"printed gives", "printed_gives", false},
                                       {"right gives", "right_gives", false},
                                       {"note", "note", false}};
    const json_t* claimed = json_object_get(item, "claims");
    print_table(f, claimed, is_published, "Published and measured", claims, 4);
    print_table(f, json_object_get(item, "choices"), NULL, "Left unsaid by the paper", choices, 4);
    print_table(f, json_object_get(item, "misprints"), NULL, "Misprints and gaps", misprints, 7);
    print_table(f, claimed, is_ours,
                sis_report_is_of(item, "beyond") ? "Findings" : "Beside the paper", findings, 3);
}

/** How to run it again, its script and links to its scenes. */
static void print_origin(FILE* f, const json_t* item, const char* root) {
    char path[256], name[300];
    item_path(item, path, sizeof path);
    snprintf(name, sizeof name, "repro/%s", path);
    fprintf(f, "<p class=\"origin\"><kbd>sistrum repro %s</kbd>", path);
    double seconds = json_number_value(json_object_get(item, "seconds"));
    if (isfinite(seconds) && seconds > 0) fprintf(f, " (%.1f s)", seconds);
    size_t i;
    json_t *scene, *scenes = json_object_get(item, "scenes");
    bool inside = json_is_true(json_object_get(item, "inside")), named = json_array_size(scenes);
    json_array_foreach(scenes, i, scene) {
        const char* scene_name = json_string_value(scene);
        if (!scene_name) continue;
        fputs(i ? ", " : "; scenes: ", f);
        print_anchor(f, "<a href=\"#scene-", scene_name);
        fputs("\"><code>", f);
        print_plain(f, scene_name);
        fputs("</code></a>", f);
    }
    if (inside) fputs(named ? ", and inside the script" : "; scene inside the script", f);
    fputs("</p>\n", f);
    print_source(f, root, name, name, "Script");
}

static void print_item(FILE* f, const json_t* item, const char* root, const char* out) {
    char path[256];
    item_path(item, path, sizeof path);
    print_anchor(f, "<article id=\"", path);
    fputs("\">\n<h3>", f);
    print_text(f, sis_report_text(item, "place"));
    fputs(": ", f);
    print_text(f, sis_report_text(item, "title"));
    putc(' ', f);
    print_item_badge(f, item);
    fputs("</h3>\n", f);
    if (*sis_report_text(item, "failed")) {
        fputs("<p class=\"alarm\">", f);
        print_text(f, sis_report_text(item, "failed"));
        fputs("</p>\n", f);
    }
    size_t i;
    json_t *surprise, *figure;
    json_array_foreach(json_object_get(item, "surprises"), i, surprise) {
        fputs("<p class=\"alarm\">Not as expected: ", f);
        print_text(f, json_string_value(surprise));
        fputs("</p>\n", f);
    }
    json_array_foreach(json_object_get(item, "figures"), i, figure) {
        print_figure(f, item, figure, out);
    }
    print_tables(f, item);
    print_origin(f, item, root);
    fputs("</article>\n", f);
}

// ---------------------------------------------------------------------------- the whole

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>The papers, reproduced</title>\n<style>\n"
    ":root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #5b6470;\n"
    "  --line: #d5dae0; --band: #f4f6f8; --link: #0b57a4; --good: #17693a; --mended: #7a5300;\n"
    "  --bad: #a1221b; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --paper: #14171b;\n"
    "  --faint: #9aa5b1; --line: #363d46; --band: #1d2127; --link: #7db8f5; --good: #6fd197;\n"
    "  --mended: #e5b95c; --bad: #ff8f86; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 68rem; color: var(--ink);\n"
    "  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.9rem; margin: 1rem 0 .5rem; }\n"
    "h2 { font-size: 1.45rem; margin: 3rem 0 .25rem; border-bottom: 2px solid var(--line); }\n"
    "h3 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }\n"
    "a { color: var(--link); } .origin, .cited, figcaption { color: var(--faint); }\n"
    ".origin { font-size: .9rem; }\n"
    "code, kbd, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: .88em; "
    "}\n"
    "kbd, td code { overflow-wrap: anywhere; }\n"
    "kbd { background: var(--band); border: 1px solid var(--line); border-radius: 4px;\n"
    "  padding: .1em .4em; }\n"
    "pre { background: var(--band); border: 1px solid var(--line); border-radius: 6px;\n"
    "  padding: .8rem 1rem; overflow-x: auto; line-height: 1.4; }\n"
    "figure { margin: 1rem 0; } figcaption { font-size: .9rem; margin-top: .4rem; }\n"
    "img { max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line);\n"
    "  border-radius: 6px; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; margin: .75rem 0 1rem; font-size: .9rem; width: 100%; }\n"
    "caption { text-align: left; font-weight: 600; padding: .25rem 0; }\n"
    "th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;\n"
    "  border-bottom: 1px solid var(--line); }\n"
    "th { background: var(--band); font-weight: 600; white-space: nowrap; }\n"
    "td { min-width: 6rem; } td:first-child { min-width: 10rem; } td.n { text-align: right; "
    "min-width: 0; }\n"
    ".badge { display: inline-block; font-size: .78rem; font-weight: 600; white-space: nowrap;\n"
    "  border: 1px solid currentColor; border-radius: 1em; padding: 0 .6em; }\n"
    ".good { color: var(--good); } .mended { color: var(--mended); } .bad { color: var(--bad); }\n"
    ".alarm { color: var(--bad); border-left: 4px solid currentColor; padding-left: .8rem; }\n"
    "nav ul { list-style: none; padding: 0; margin: .25rem 0 1rem; columns: 24rem; }\n"
    "nav li { break-inside: avoid; padding: .1rem 0; } nav a { text-decoration: none; }\n"
    "nav a:hover, nav a:focus { text-decoration: underline; }\n"
    "summary { cursor: pointer; } details { margin: .4rem 0; }\n"
    "@media print { body { max-width: none; font-size: 10pt; } .wide { overflow: visible; }\n"
    "  article, figure, tr { break-inside: avoid; } article { break-inside: auto; } }\n"
    "</style>\n</head>\n<body>\n";

// A link to a scene that is folded away opens it.
static const char tail[] =
    "<script>\nfunction unfold() {\n"
    "  const target = document.getElementById(location.hash.slice(1));\n"
    "  if (target instanceof HTMLDetailsElement) target.open = true;\n}\n"
    "addEventListener('hashchange', unfold);\nunfold();\n</script>\n</body>\n</html>\n";

static void print_summary(FILE* f, const json_t* results) {
    static const char* const titles[] = {
        "items",          "claims",  "reproduced",        "with correction",
        "not reproduced", "choices", "misprints and gaps"};
    fputs("<div class=\"wide\"><table><caption>Claims by verdict</caption>\n"
          "<thead><tr><th scope=\"col\">paper</th>",
          f);
    for (int i = 0; i < 7; i++)
        fprintf(f, "<th scope=\"col\">%s</th>", titles[i]);
    fputs("</tr></thead>\n<tbody>\n", f);
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        sis_report_counts n = sis_report_count(results, paper->folder);
        if (!n.items) continue;
        const int numbers[] = {n.items,       n.claims,  n.verdicts[0], n.verdicts[1],
                               n.verdicts[2], n.choices, n.misprints};
        fprintf(f, "<tr><td><a href=\"#%s\">%s</a></td>", paper->folder, paper->citation);
        for (int k = 0; k < 7; k++)
            fprintf(f, "<td class=\"n\">%d</td>", numbers[k]);
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table></div>\n", f);
}

static void print_contents(FILE* f, const json_t* results) {
    char path[256];
    const sis_paper* paper;
    fputs("<nav aria-label=\"Contents\">\n", f);
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        if (!sis_report_count(results, paper->folder).items) continue;
        fprintf(f, "<p><a href=\"#%s\"><b>%s</b></a></p>\n<ul>\n", paper->folder, paper->citation);
        size_t k;
        json_t* item;
        json_array_foreach(results, k, item) {
            if (!sis_report_is_of(item, paper->folder)) continue;
            item_path(item, path, sizeof path);
            print_anchor(f, "<li><a href=\"#", path);
            fputs("\">", f);
            print_text(f, sis_report_text(item, "place"));
            fputs(": ", f);
            print_text(f, sis_report_text(item, "title"));
            fputs("</a> ", f);
            print_item_badge(f, item);
            fputs("</li>\n", f);
        }
        fputs("</ul>\n", f);
    }
    fputs("</nav>\n", f);
}

/** Adds a name to a list that has each once. */
static void add_once(json_t* names, const char* name) {
    size_t i;
    json_t* known;
    json_array_foreach(names, i, known) {
        if (!strcmp(json_string_value(known), name)) return;
    }
    json_array_append_new(names, json_string(name));
}

/** Adds what a script takes from others: every `use "lib/NAME"`. */
static void add_used(json_t* names, const char* root, const char* script) {
    FILE* source = open_file(root, script, ".lua");
    char line[1024], name[128], path[160];
    while (source && fgets(line, sizeof line, source))
        for (const char* word = line; (word = strstr(word, "use")); word += 3)
            if (sscanf(word, "use%*[ (]\"%100[a-zA-Z0-9_/]", name) == 1) {
                snprintf(path, sizeof path, "repro/%s", name);
                add_once(names, path);
            }
    if (source) fclose(source);
}

static void print_sources(FILE* f, const json_t* names, const char* root, const char* id,
                          const char* heading, const char* what) {
    size_t i;
    json_t* name;
    if (!json_array_size(names)) return;
    fprintf(f, "<section id=\"%s\">\n<h2>%s</h2>\n", id, heading);
    json_array_foreach(names, i, name) {
        const char* path = json_string_value(name);
        bool scene = !strncmp(path, "scenes/", 7);
        char anchor[300];
        snprintf(anchor, sizeof anchor, "%s%s", scene ? "scene-" : "", scene ? path + 7 : path);
        print_source(f, root, path, anchor, what);
    }
    fputs("</section>\n", f);
}

/** Every scene that was run and every script that others use, once, in the order of first use. */
static void print_shared(FILE* f, const json_t* results, const char* root) {
    json_t *scenes = json_array(), *used = json_array();
    size_t i, k;
    json_t *item, *scene;
    char path[256], name[300];
    json_array_foreach(results, i, item) {
        item_path(item, path, sizeof path);
        snprintf(name, sizeof name, "repro/%s", path);
        add_used(used, root, name);
        json_array_foreach(json_object_get(item, "scenes"), k, scene) {
            const char* text = json_string_value(scene);
            snprintf(name, sizeof name, "scenes/%s", text ? text : "");
            if (text) add_once(scenes, name);
        }
    }
    for (i = 0; i < json_array_size(used); i++) // grows when these use others
        add_used(used, root, json_string_value(json_array_get(used, i)));
    print_sources(f, used, root, "shared", "Used by several scripts", "Script");
    print_sources(f, scenes, root, "scenes", "Scenes", "Scene");
    json_decref(used);
    json_decref(scenes);
}

void sis_report_html(FILE* f, const json_t* results, const char* root, const char* out) {
    fputs(head, f);
    fputs("<header>\n<h1>The papers, reproduced</h1>\n"
          "<p>Written by <kbd>sistrum repro</kbd>. <em>Published</em> is what a paper says, "
          "<em>measured</em> what came out of this run. A claim is <b>reproduced</b> when it holds "
          "as published, <b>reproduced with correction</b> when it holds once a misprint or an "
          "omission is mended, and <b>does not reproduce</b> when it does not hold.</p>\n",
          f);
    print_summary(f, results);
    fputs("</header>\n", f);
    print_contents(f, results);
    fputs("<main>\n", f);
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++) {
        if (!sis_report_count(results, paper->folder).items) continue;
        fprintf(f, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"cited\">%s.</p>\n", paper->folder,
                paper->citation, paper->full);
        size_t k;
        json_t* item;
        json_array_foreach(results, k, item) {
            if (sis_report_is_of(item, paper->folder)) print_item(f, item, root, out);
        }
        fputs("</section>\n", f);
    }
    print_shared(f, results, root);
    fputs("</main>\n", f);
    fputs(tail, f);
}
