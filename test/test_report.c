// Items in child processes, the order of the catalogue, and reports that say what was found and
// nothing else.

#include "check.h"
#include "pool.h"
#include "study_report.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char root[64]; // a data folder with a script in each paper

static const char* in_root(const char* name) {
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
    return path[turn];
}

static void write_bytes(const char* name, const void* bytes, size_t count) {
    FILE* file = fopen(in_root(name), "wb");
    CHECK(file && fwrite(bytes, 1, count, file) == count);
    if (file) fclose(file);
}

static void write_text(const char* name, const char* text) {
    write_bytes(name, text, strlen(text));
}

static void remove_tree(const char* path) {
    DIR* folder = opendir(path);
    for (const struct dirent* entry; folder && (entry = readdir(folder));) {
        char below[512];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (unlink(below) != 0) remove_tree(below);
    }
    if (folder) closedir(folder);
    rmdir(path);
}

// ---------------------------------------------------------------------------- catalogue

static void the_catalogue_is_in_the_order_of_the_papers(void) {
    static const char* const items[] = {"table2", "fig10", "misprints",
                                        "fig2",   "fig2b", "abstract"};
    static const char* const sorted[] = {"fig2",   "fig2b",    "fig10",
                                         "table2", "abstract", "misprints"};
    sis_catalogue catalogue = {.count = 0};
    sis_fault fault = {.text = ""};
    for (int i = 0; i < 6; i++) {
        char name[64];
        snprintf(name, sizeof name, "repro/bilbao2014/%s.lua", items[i]);
        write_text(name, i ? "about { place = 'p', title = 't' }" : "about { place = 'p' ");
    }
    write_text("repro/bilbao2014/.fig3.lua", "");
    write_text("repro/bilbao2014/fig3.lua~", "");
    CHECK(sis_catalogue_read(&catalogue, root, &fault));
    CHECK(catalogue.count == 5 + 6);
    for (int i = 0; i < 6 && catalogue.count == 11; i++) {
        CHECK_TEXT(catalogue.entries[1 + i].paper, "bilbao2014");
        CHECK(!strcmp(catalogue.entries[1 + i].item, sorted[i]));
    }
    // What cannot be read says why; the others are not hidden by it.
    if (catalogue.count == 11) CHECK_TEXT(catalogue.entries[4].title, "table2.lua:1:");
    sis_catalogue_free(&catalogue);
    CHECK(!catalogue.entries && !catalogue.count);
    remove_tree(in_root("repro/papetti2011"));
    CHECK(!sis_catalogue_read(&catalogue, root, &fault));
    CHECK_TEXT(fault.text, "repro/papetti2011");
    CHECK(catalogue.count == 10);
    sis_catalogue_free(&catalogue);
}

static void the_data_folder_is_found(void) {
    char found[256];
    sis_fault fault = {.text = ""};
    setenv("SISTRUM_DATA", root, 1);
    CHECK(sis_study_root(found, sizeof found, &fault));
    CHECK(!strcmp(found, root));
    CHECK(!sis_study_root(found, 3, &fault));
    setenv("SISTRUM_DATA", "/dev/null", 1);
    CHECK(!sis_study_root(found, sizeof found, &fault));
    CHECK_TEXT(fault.text, "/dev/null");
    unsetenv("SISTRUM_DATA");
    CHECK(!sis_study_paper(-1) && !sis_study_paper(6));
    for (int32_t i = 0; i < 6; i++)
        CHECK(sis_study_paper(i) && *sis_study_paper(i)->full);
}

// ---------------------------------------------------------------------------- pool

/** Files that running items have put into the root. */
static int count_running(void) {
    int count = 0;
    DIR* folder = opendir(root);
    for (const struct dirent* entry; folder && (entry = readdir(folder));)
        count += !strncmp(entry->d_name, "running", 7);
    if (folder) closedir(folder);
    return count;
}

/** What an item does is in its name. */
static json_t* work(const sis_study* study, sis_fault* fault) {
    if (!strcmp(study->item, "killed")) raise(SIGKILL);
    if (!strcmp(study->item, "late")) raise(SIGXCPU);
    if (!strcmp(study->item, "broken"))
        return sis_fault_set(fault, SIS_FAULT_RUN, "half \xc3"), NULL;
    if (!strcmp(study->item, "left")) exit(3);
    if (!strcmp(study->item, "silent")) exit(0);
    if (!strcmp(study->item, "failed")) {
        sis_fault_set(fault, SIS_FAULT_SCENE, "p/failed: \"no\"");
        return NULL;
    }
    if (!strcmp(study->item, "large")) {
        json_t* list = json_array();
        for (int i = 0; i < 200000; i++)
            json_array_append_new(list, json_integer(i));
        return json_pack("{so}", "list", list);
    }
    char name[64];
    snprintf(name, sizeof name, "running%ld", (long)getpid());
    write_text(name, "");
    struct timespec moment = {.tv_nsec = 30000000};
    nanosleep(&moment, NULL);
    int others = count_running() - 1;
    nanosleep(&moment, NULL);
    unlink(in_root(name));
    return json_pack("{si}", "others", others);
}

typedef struct ear {
    int ended[16];
    int32_t done;
} ear;

static void told(void* self, int32_t done, int32_t running, int32_t ended) {
    ear* e = self;
    (void)running;
    if (ended >= 0) e->ended[ended]++;
    CHECK(done >= e->done);
    e->done = done;
}

static void a_child_that_ends_badly_is_one_failure(void) {
    static const char* const items[] = {"fine",  "killed", "left", "silent", "failed",
                                        "large", "fine",   "late", "broken"};
    sis_task tasks[9] = {0};
    ear e = {.done = 0};
    sis_fault fault;
    for (int i = 0; i < 9; i++)
        tasks[i].study = (sis_study){.paper = "p", .item = items[i]};
    sis_pool pool = {
        .tasks = tasks, .count = 9, .workers = 3, .work = work, .told = told, .self = &e};
    CHECK(sis_pool_run(&pool, &fault));
    CHECK(tasks[0].result && tasks[6].result);
    CHECK(!tasks[1].result && !tasks[2].result && !tasks[3].result && !tasks[4].result);
    CHECK_TEXT(tasks[1].fault.text, "p/killed: ended by signal 9");
    CHECK_TEXT(tasks[2].fault.text, "p/left: ended without a result (exit code 3)");
    CHECK_TEXT(tasks[3].fault.text, "p/silent: ended without a result");
    CHECK_TEXT(tasks[4].fault.text, "p/failed: \"no\"");
    CHECK_TEXT(tasks[7].fault.text, "p/late: took more than 300 s of CPU time and was stopped");
    CHECK_TEXT(tasks[8].fault.text, "half \xEF\xBF\xBD");
    CHECK(tasks[4].fault.kind == SIS_FAULT_SCENE);
    CHECK(json_array_size(json_object_get(tasks[5].result, "list")) == 200000);
    CHECK(e.done == 9);
    for (int i = 0; i < 9; i++) {
        CHECK(e.ended[i] == 1);
        CHECK(tasks[i].seconds >= 0 && tasks[i].seconds < 60);
        json_decref(tasks[i].result);
    }
}

static void what_measures_time_runs_alone(void) {
    sis_task tasks[8] = {0};
    sis_fault fault;
    for (int i = 0; i < 8; i++)
        tasks[i] = (sis_task){
            .study = {.paper = "p", .item = "fine"}, .alone = i % 3 == 0, .slow = i == 5};
    sis_pool pool = {.tasks = tasks, .count = 8, .workers = 4, .work = work};
    CHECK(sis_pool_run(&pool, &fault));
    int together = 0;
    for (int i = 0; i < 8; i++) {
        int others = (int)json_integer_value(json_object_get(tasks[i].result, "others"));
        CHECK(tasks[i].result != NULL);
        CHECK(others >= 0 && others < 4);
        if (tasks[i].alone) CHECK(others == 0);
        together += others;
        json_decref(tasks[i].result);
    }
    CHECK(together > 0);
    pool.count = 0;
    CHECK(sis_pool_run(&pool, &fault));
}

// ---------------------------------------------------------------------------- reports

static const char results_text[] =
    "[{'paper': 'bilbao2014', 'item': 'fig1', 'place': 'Fig. 1', 'title': 'A & B', 'slow': false, "
    "'alone': false,"
    "  'seconds': 1.25, 'verdict': 'does not reproduce', 'surprises': ['odd <i>'], 'scenes': "
    "['bilbao2014/s'],"
    "  'figures': [{'name': 'fig1', 'caption': 'x < y'}],"
    "  'claims': [{'text': 'a|b <c> *d* e_f `g|h`', 'published': '1', 'measured': '2', 'verdict':"
    "   'does not reproduce', 'why': 'so'}, {'text': 'ours', 'published': '', 'measured': '3', "
    "'verdict': '',"
    "   'why': ''}],"
    "  'choices': [{'what': 'w', 'taken': 't', 'why': 'y', 'otherwise': 'o'}],"
    "  'misprints': [{'place': 'Eq. 1', 'printed': '|u| = 0', 'right': 'the other way round', "
    "'measure': '',"
    "   'printed_gives': '', 'right_gives': '', 'note': ''}]},"
    " {'paper': 'bilbao2014', 'item': 'cost', 'place': 'Sec. 5', 'title': 'Cost', 'alone': true, "
    "'verdict':"
    "  'reproduced', 'claims': [{'text': 'time', 'published': 'short', 'measured': '17 ns', "
    "'verdict':"
    "  'reproduced', 'why': ''}]},"
    " {'paper': 'papetti2011', 'item': 'fig2', 'place': 'Fig. 2', 'title': 'F', 'failed': 'broke | "
    "off'},"
    " {'paper': 'beyond', 'item': 'speed', 'place': 'speed', 'title': 'S', 'alone': true, "
    "'verdict': '',"
    "  'claims': [{'text': 'step', 'published': '', 'measured': '9 ns', 'verdict': '', 'why': "
    "'fast'}]}]";

static json_t* some_results(void) {
    char text[sizeof results_text];
    json_error_t error;
    strcpy(text, results_text);
    for (char* at = text; *at; at++)
        if (*at == '\'') *at = '"';
    json_t* results = json_loads(text, 0, &error);
    CHECK(results != NULL);
    return results;
}

typedef void writer(FILE* file, const json_t* results);

static void write_html(FILE* file, const json_t* results) {
    sis_report_html(file, results, root, root);
}

/** What a writer writes; the caller frees it. */
static char* written(writer* write, const json_t* results) {
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    write(file, results);
    fclose(file);
    return text;
}

static void reports_in_markdown_say_what_was_found(void) {
    json_t* results = some_results();
    char* text = written(sis_report_papers, results);
    CHECK_TEXT(text, "| Bilbao 2014 | 2 | 2 | 1 | 0 | 1 | 1 | 1 |\n");
    CHECK_TEXT(text, "| all | 3 | 2 | 1 | 0 | 1 | 1 | 1 |\n");
    CHECK_TEXT(
        text,
        "| `fig1` | a\\|b &lt;c&gt; \\*d\\* e_f `g\\|h` | 1 | 2 | **does not reproduce**: so |\n");
    CHECK_TEXT(text, "| `fig1` | ours | 3 |\n");
    CHECK_TEXT(text, "| `fig1` | w | t | y | o |\n");
    CHECK_TEXT(text, "### Misprints and gaps\n");
    CHECK_TEXT(text, "| Eq. 1 | `\\|u\\| = 0` | the other way round | | | |\n");
    CHECK_TEXT(text, "| `cost` | Sec. 5 | Cost | reproduced (times: [beyond.md](beyond.md)) |\n");
    CHECK_TEXT(text, "| `fig2` | Fig. 2 | F | **failed**: broke \\| off |\n");
    CHECK(!strstr(text, "17 ns") && !strstr(text, "9 ns") && !strstr(text, "Willemsen"));
    free(text);
    text = written(sis_report_beyond, results);
    CHECK_TEXT(text, "| `cost` | time | short | 17 ns | reproduced |\n");
    CHECK_TEXT(text, "| `speed` | step; fast | 9 ns |\n");
    CHECK(!strstr(text, "fig1"));
    // What lies beyond the papers has no verdicts; unless an item fails there is no column for
    // them.
    CHECK_TEXT(text, "| item | place | shows |\n|---|---|---|\n| `speed` | speed | S |\n");
    CHECK_TEXT(text, "| `cost` | Sec. 5 | Cost | reproduced |\n");
    free(text);
    json_object_set_new(json_array_get(results, 3), "failed", json_string("broke"));
    text = written(sis_report_beyond, results);
    CHECK_TEXT(text, "| `speed` | speed | S | **failed**: broke |\n");
    free(text);
    json_decref(results);
}

static void the_report_in_html_holds_everything(void) {
    static const unsigned char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\2\x80\0\0\1\xe0\xff";
    mkdir(in_root("bilbao2014"), 0777);
    mkdir(in_root("scenes/bilbao2014"), 0777);
    mkdir(in_root("repro/lib"), 0777);
    write_bytes("bilbao2014/fig1.png", png, sizeof png - 1);
    write_text("scenes/bilbao2014/s.lua", "-- a scene: x < y && z\n");
    write_text("repro/bilbao2014/fig1.lua", "local a, b = use \"lib/one\", use(\"lib/two\")\n");
    write_text("repro/lib/one.lua", "return use \"lib/three\"\n");
    write_text("repro/lib/two.lua", "return 2\n");
    write_text("repro/lib/three.lua", "return '<three>'\n");
    json_t* results = some_results();
    char* text = written(write_html, results);
    CHECK_TEXT(text, "src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAoAAAAHg/w==\"");
    CHECK_TEXT(text, "width=\"320\" height=\"240\" alt=\"Fig. 1: A &amp; B.");
    CHECK_TEXT(text, "a|b &lt;c&gt; *d* e_f <code>g|h</code>");
    CHECK_TEXT(text, "<code>|u| = 0</code>");
    CHECK_TEXT(text, "Not as expected: odd &lt;i&gt;");
    CHECK_TEXT(text, "-- a scene: x &lt; y &amp;&amp; z");
    CHECK_TEXT(text, "<a href=\"#scene-bilbao2014-s\">");
    CHECK_TEXT(text, "<details id=\"scene-bilbao2014-s\">");
    CHECK_TEXT(text, "<details id=\"repro-lib-two\">");
    CHECK_TEXT(text, "return '&lt;three&gt;'");
    CHECK_TEXT(text, "<kbd>sistrum repro bilbao2014/fig1</kbd> (1.2 s)");
    CHECK_TEXT(text, "<caption>Misprints and gaps</caption>");
    CHECK_TEXT(text, "bilbao2014/s</code></a></p>");
    CHECK_TEXT(text, "<kbd>sistrum repro bilbao2014/cost</kbd></p>");
    CHECK_TEXT(text, "broke | off");
    CHECK(!strstr(text, "<i>") && !strstr(text, "http"));
    free(text);
    remove_tree(in_root("bilbao2014"));
    for (size_t i = 0; i < 2; i++) // a scene that is a text of the script
        json_object_set_new(json_array_get(results, i), "inside", json_true());
    text = written(write_html, results);
    CHECK_TEXT(text, "The picture is missing.");
    CHECK_TEXT(text, "bilbao2014/s</code></a>, and inside the script</p>");
    CHECK_TEXT(text, "<kbd>sistrum repro bilbao2014/cost</kbd>; scene inside the script</p>");
    free(text);
    json_decref(results);
}

static void formulas_are_told_from_sentences(void) {
    static const char* const formulas[] = {"u+ = 2 u - u-",  "[eta]_+^alpha",    "-(u - u-)/k",
                                           "4 sigma1 k/h^2", "sqrt(2 phi) >= 0", "mu v_in"};
    static const char* const sentences[] = {"the sign is wrong",
                                            "alpha",
                                            "as it is, with `k` = 2",
                                            "Figure 4",
                                            "divided by the sum = 2 of both sides",
                                            ""};
    for (size_t i = 0; i < 6; i++) {
        CHECK(sis_report_is_formula(formulas[i]));
        CHECK(!sis_report_is_formula(sentences[i]));
    }
}

int main(void) {
    char folder[] = "/tmp/sistrum-report-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    snprintf(root, sizeof root, "%s", folder);
    mkdir(in_root("repro"), 0777);
    mkdir(in_root("scenes"), 0777);
    for (int32_t i = 0; sis_study_paper(i); i++) {
        char name[128];
        snprintf(name, sizeof name, "repro/%s", sis_study_paper(i)->folder);
        mkdir(in_root(name), 0777);
        snprintf(name, sizeof name, "repro/%s/fig1.lua", sis_study_paper(i)->folder);
        FILE* file =
            strcmp(sis_study_paper(i)->folder, "bilbao2014") ? fopen(in_root(name), "w") : NULL;
        if (file) {
            fputs("about { place = 'Fig. 1', title = 't' }\n", file);
            fclose(file);
        }
    }
    RUN(the_catalogue_is_in_the_order_of_the_papers);
    RUN(the_data_folder_is_found);
    RUN(a_child_that_ends_badly_is_one_failure);
    RUN(what_measures_time_runs_alone);
    RUN(reports_in_markdown_say_what_was_found);
    RUN(the_report_in_html_holds_everything);
    RUN(formulas_are_told_from_sentences);
    remove_tree(root);
    return CHECK_REPORT();
}
