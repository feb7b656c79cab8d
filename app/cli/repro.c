// sistrum repro: runs the scripts of repro/ and writes what came of them.

#include "canvas.h"
#include "files.h"
#include "job.h"
#include "pool.h"
#include "repro_tell.h"
#include "say.h"
#include "study_report.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUT_DEFAULT "repro-out"
#define PICTURE     ".png"

/** What was asked for. */
typedef struct request {
    const options* o;
    char root[PATH_MAX];
    sis_catalogue catalogue;
    sis_fault incomplete; // SIS_FAULT_NONE: every paper is there
    bool* wanted;         // [catalogue.count]
    const char* out;      // NULL: no folder
    // The tasks are the wanted entries, in their order.
    int32_t count;
    sis_task* tasks;
    sis_study_entry* entries;  // of the tasks
    char (*folders)[PATH_MAX]; // of their figures
    int width;                 // of the longest name of an item
    json_t* results;
} request;

// ---------------------------------------------------------------------------- which items

static bool is_named(const sis_study_entry* e, const char* word) {
    char name[160];
    snprintf(name, sizeof name, "%s/%s", e->paper, e->item);
    return !strcmp(word, "all") || !strcmp(word, e->paper) || !strcmp(word, name);
}

/** What the user may have meant: an item, a paper, or an item whose paper was left out. */
static const char* suggest(const request* r, const char* word, char (*names)[160],
                           const char** words) {
    int count = 0;
    const sis_paper* paper;
    for (int32_t i = 0; (paper = sis_study_paper(i)); i++)
        words[count++] = paper->folder;
    words[count++] = "all";
    words[count++] = "list";
    for (int32_t i = 0; i < r->catalogue.count; i++) {
        const sis_study_entry* e = &r->catalogue.entries[i];
        snprintf(names[i], sizeof names[i], "%s/%s", e->paper, e->item);
        if (!strcmp(word, e->item)) return names[i];
        if (strchr(word, '/')) words[count++] = names[i];
    }
    return closest(word, words, count);
}

static int unknown(const request* r, const char* word) {
    if (r->incomplete.kind) return complain_fault(&r->incomplete);
    size_t count = (size_t)r->catalogue.count;
    char(*names)[160] = calloc(count + 1, sizeof *names);
    const char** words = calloc(count + 16, sizeof *words);
    const char* guess = names && words ? suggest(r, word, names, words) : NULL;
    if (guess)
        complain(EXIT_USAGE, "unknown paper or item '%s' (did you mean '%s'?)", word, guess);
    else
        complain(EXIT_USAGE, "unknown paper or item '%s'; sistrum repro list shows them all", word);
    free(words);
    free(names);
    return EXIT_USAGE;
}

/** Marks what the words from `first` on name. */
static int choose(request* r, int32_t first) {
    const options* o = r->o;
    for (int32_t w = first; w < o->word_count; w++) {
        bool found = false;
        for (int32_t i = 0; i < r->catalogue.count; i++)
            if (is_named(&r->catalogue.entries[i], o->words[w])) r->wanted[i] = found = true;
        if (!found) return unknown(r, o->words[w]);
    }
    for (int32_t i = 0; i < r->catalogue.count; i++) {
        const sis_study_entry* e = &r->catalogue.entries[i];
        if (o->quick && (e->slow || e->alone)) r->wanted[i] = false;
        r->count += r->wanted[i];
    }
    return EXIT_DONE;
}

static bool is_asked(const options* o, const char* word) {
    for (int32_t w = 0; w < o->word_count; w++)
        if (!strcmp(o->words[w], word)) return true;
    return false;
}

/** What can be refused before anything runs. */
static int check_request(const request* r) {
    const options* o = r->o;
    sis_fault fault;
    if (is_asked(o, "all") && r->incomplete.kind) return complain_fault(&r->incomplete);
    if (o->docs && o->numbers)
        return complain(EXIT_USAGE, "--docs needs the pictures that --numbers leaves out");
    if (o->docs && (!is_asked(o, "all") || o->quick))
        return complain(EXIT_USAGE, "--docs describes every item: it needs all, without --quick");
    if (!r->count) return complain(EXIT_USAGE, "--quick leaves nothing of what was named");
    if (!o->numbers && !sis_canvas_available(&fault)) return complain_fault(&fault);
    return EXIT_DONE;
}

static int list(request* r) {
    const options* o = r->o;
    int code = choose(r, o->word_count ? 1 : 0);
    if (code) return code;
    for (int32_t i = 0; i < r->catalogue.count && o->word_count < 2; i++)
        r->wanted[i] =
            !o->quick || !(r->catalogue.entries[i].slow || r->catalogue.entries[i].alone);
    tell_catalogue(&r->catalogue, r->wanted);
    if (!o->word_count)
        printf("\nsistrum repro all runs everything, sistrum repro PAPER/ITEM one of them.\n");
    code = finish_output();
    return !code && r->incomplete.kind ? complain_fault(&r->incomplete) : code;
}

// ---------------------------------------------------------------------------- running

/** Makes a folder and those above it. */
static bool make_folder(const char* path, sis_fault* fault) {
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return sis_fault_set(fault, SIS_FAULT_RUN, "the name of the folder %s is too long", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0) continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        struct stat found;
        if (mkdir(part, 0777) == 0) {
            sis_files_new_folder(part);
            continue;
        }
        int error = errno;
        if (stat(part, &found) == 0 && S_ISDIR(found.st_mode)) continue;
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot make the folder %s: %s", part,
                             strerror(error));
    }
    return true;
}

static int prepare(request* r) {
    sis_fault fault;
    const options* o = r->o;
    r->out = o->out ? o->out : o->numbers ? NULL : OUT_DEFAULT;
    r->tasks = calloc((size_t)r->count, sizeof *r->tasks);
    r->entries = calloc((size_t)r->count, sizeof *r->entries);
    r->folders = calloc((size_t)r->count, sizeof *r->folders);
    r->results = json_array();
    if (!r->tasks || !r->entries || !r->folders || !r->results)
        return complain(EXIT_RUN, "out of memory");
    if (r->out && !make_folder(r->out, &fault)) return complain_fault(&fault);
    if (o->docs && !make_folder(o->docs, &fault)) return complain_fault(&fault);
    int32_t n = 0;
    for (int32_t i = 0; i < r->catalogue.count; i++) {
        const sis_study_entry* e = &r->catalogue.entries[i];
        if (!r->wanted[i]) continue;
        char* folder = r->folders[n];
        int width = (int)(strlen(e->paper) + strlen(e->item)) + 1;
        if (width > r->width) r->width = width;
        r->entries[n] = *e;
        sis_task* task = &r->tasks[n++];
        *task = (sis_task){.study = {.root = r->root, .paper = e->paper, .item = e->item},
                           .slow = e->slow,
                           .alone = e->alone};
        if (o->numbers) continue;
        if (snprintf(folder, sizeof *r->folders, "%s/%s", r->out, e->paper) >=
            (int)sizeof *r->folders)
            return complain(EXIT_RUN, "the name of the folder %s is too long", r->out);
        if (!make_folder(folder, &fault)) return complain_fault(&fault);
        task->study.out = folder;
    }
    return EXIT_DONE;
}

/** What is shown while items run. */
typedef struct show {
    const request* r;
    progress bar;
    bool lines;    // one an item, where there is no bar
    int32_t shown; // tables of so many items
} show;

static const char* verdict_of(const sis_task* task) {
    if (!task->result) return "failed";
    if (json_array_size(json_object_get(task->result, "surprises"))) return "not as expected";
    const char* verdict = sis_report_text(task->result, "verdict");
    return *verdict ? verdict : "done";
}

static void show_bar(progress* bar, int32_t done, int32_t count, const sis_task* running) {
    double now = sis_run_clock();
    if (!bar->wanted || now - bar->shown < 0.1) return;
    bar->shown = now;
    char cells[21], name[160] = "";
    for (int i = 0; i < 20; i++)
        cells[i] = i * count < 20 * done ? '#' : '.';
    cells[20] = 0;
    if (running) snprintf(name, sizeof name, "%s/%s", running->study.paper, running->study.item);
    fprintf(stderr, "\r[%s] %d/%d %-30.30s", cells, (int)done, (int)count, name);
    fflush(stderr);
}

static void told(void* self, int32_t done, int32_t running, int32_t ended) {
    show* s = self;
    const request* r = s->r;
    if (ended >= 0 && s->lines) {
        const sis_task* task = &r->tasks[ended];
        char name[160];
        snprintf(name, sizeof name, "%s/%s", task->study.paper, task->study.item);
        printf("%-*s  %-26s  %.1f s\n", r->width, name, verdict_of(task), task->seconds);
        fflush(stdout);
    }
    // Tables come in the order of the catalogue, as soon as all before them are there.
    for (; r->o->numbers && !r->o->quiet && s->shown < r->count; s->shown++) {
        const sis_task* task = &r->tasks[s->shown];
        if (!task->result && !task->fault.kind) break;
        if (s->bar.wanted) fprintf(stderr, "\r%60s\r", "");
        if (task->result)
            tell_item(task->result);
        else
            printf("%s/%s  failed\n\n", task->study.paper, task->study.item);
        fflush(stdout);
    }
    show_bar(&s->bar, done, r->count, running >= 0 ? &r->tasks[running] : NULL);
}

static int run(request* r) {
    const options* o = r->o;
    show s = {.r = r, .bar = progress_begin(o->quiet)};
    s.lines = !o->quiet && !o->numbers && !s.bar.wanted;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    sis_pool pool = {.tasks = r->tasks, .count = r->count, .told = told, .self = &s};
    pool.workers = isnan(o->jobs) ? (int32_t)(cores > 0 ? cores : 1) : (int32_t)o->jobs;
    sis_fault fault;
    bool fine = sis_pool_run(&pool, &fault);
    progress_end(&s.bar);
    return fine ? EXIT_DONE : complain_fault(&fault);
}

// ---------------------------------------------------------------------------- results

/** What the reports tell about an item that failed. */
static json_t* failure(const sis_study_entry* e, const sis_fault* fault) {
    char* clean = sis_text_clean(fault->text);
    if (!clean) return NULL;
    // Without a place the title is the reason why the script cannot be read.
    json_t* result =
        json_pack("{ss ss ss ss sb sb ss}", "paper", e->paper, "item", e->item, "place",
                  *e->place ? e->place : e->item, "title", *e->place ? e->title : "", "slow",
                  e->slow, "alone", e->alone, "failed", clean);
    free(clean);
    return result;
}

/** Gathers what the tasks found; *code is EXIT_RUN after a sentence for each that failed or
 *  surprised. False: there is no memory for the results. */
static bool gather(request* r, bool* failed, int* code) {
    for (int32_t i = 0; i < r->count; i++) {
        sis_task* task = &r->tasks[i];
        if (!task->result) {
            *failed = true;
            *code = complain(EXIT_RUN, "%s", task->fault.text);
            task->result = failure(&r->entries[i], &task->fault);
        }
        if (!task->result || json_array_append(r->results, task->result) != 0) return false;
        size_t k;
        json_t* surprise;
        json_array_foreach(json_object_get(task->result, "surprises"), k, surprise) {
            *code = complain(EXIT_RUN, "%s/%s: %s", task->study.paper, task->study.item,
                             json_string_value(surprise));
        }
    }
    return true;
}

typedef enum document { PAPERS, BEYOND, HTML, RESULTS } document;

static bool write_file(const request* r, sis_files* files, const char* folder, const char* name,
                       document what, sis_fault* fault) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return sis_fault_set(fault, SIS_FAULT_RUN, "the name of the folder %s is too long", folder);
    int descriptor = sis_files_add(files, path, fault);
    FILE* file = descriptor >= 0 ? sis_files_stream(descriptor, fault) : NULL;
    if (!file) return false;
    bool fine = true;
    switch (what) {
    case PAPERS:
        sis_report_papers(file, r->results);
        break;
    case BEYOND:
        sis_report_beyond(file, r->results);
        break;
    case HTML:
        sis_report_html(file, r->results, r->root, r->out);
        break;
    case RESULTS:
        fine = json_dumpf(r->results, file, JSON_INDENT(1)) == 0 && putc('\n', file) != EOF;
        break;
    }
    if (!sis_files_close_stream(file, fault)) return false;
    return fine || sis_fault_no_memory(fault);
}

static bool copy_file(sis_files* files, const char* from, const char* to, sis_fault* fault) {
    FILE* source = fopen(from, "rb");
    if (!source)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot read %s: %s", from, strerror(errno));
    int descriptor = sis_files_add(files, to, fault);
    FILE* target = descriptor >= 0 ? sis_files_stream(descriptor, fault) : NULL;
    char bytes[1 << 14];
    for (size_t n; target && (n = fread(bytes, 1, sizeof bytes, source)) > 0;)
        fwrite(bytes, 1, n, target);
    bool read = !ferror(source); // a folder can be opened but not be read
    int error = errno;
    fclose(source);
    if (!read) sis_fault_set(fault, SIS_FAULT_RUN, "cannot read %s: %s", from, strerror(error));
    return target && sis_files_close_stream(target, read ? fault : NULL) && read;
}

/** The pictures of beyond.md, into a folder beside it. */
static bool copy_pictures(const request* r, sis_files* files, const char* docs, sis_fault* fault) {
    char from[PATH_MAX], to[PATH_MAX];
    size_t i, k;
    json_t *item, *figure;
    snprintf(to, sizeof to, "%s/beyond", docs);
    if (!make_folder(to, fault)) return false;
    json_array_foreach(r->results, i, item) {
        if (!sis_report_is_of(item, "beyond") || !json_is_true(json_object_get(item, "drawn")))
            continue;
        json_array_foreach(json_object_get(item, "figures"), k, figure) {
            const char* name = sis_report_text(figure, "name");
            if (snprintf(from, sizeof from, "%s/beyond/%s.png", r->out, name) >= PATH_MAX ||
                snprintf(to, sizeof to, "%s/beyond/%s.png", docs, name) >= PATH_MAX)
                return sis_fault_set(fault, SIS_FAULT_RUN, "the name of %s is too long", name);
            if (!copy_file(files, from, to, fault)) return false;
        }
    }
    return true;
}

/** Whether a file is a picture of a figure of this run. */
static bool is_drawn(const request* r, const char* file) {
    size_t i, k, length = strlen(file) - strlen(PICTURE);
    json_t *item, *figure;
    json_array_foreach(r->results, i, item) {
        if (!sis_report_is_of(item, "beyond")) continue;
        json_array_foreach(json_object_get(item, "figures"), k, figure) {
            const char* name = sis_report_text(figure, "name");
            if (strlen(name) == length && !strncmp(name, file, length)) return true;
        }
    }
    return false;
}

/** Removes pictures beside beyond.md that it no longer shows: of items that went or have got
 *  another name. */
static void remove_old_pictures(const request* r, const char* docs) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/beyond", docs);
    DIR* folder = opendir(path);
    for (const struct dirent* entry; folder && (entry = readdir(folder));) {
        const char* file = entry->d_name;
        size_t length = strlen(file);
        if (length <= strlen(PICTURE) || strcmp(file + length - strlen(PICTURE), PICTURE) != 0)
            continue;
        if (!is_drawn(r, file)) unlinkat(dirfd(folder), file, 0);
    }
    if (folder) closedir(folder);
}

/** Whether anything belongs into beyond.md. */
static bool has_beyond(const request* r) {
    for (int32_t i = 0; i < r->count; i++)
        if (r->entries[i].alone || !strcmp(r->entries[i].paper, "beyond")) return true;
    return false;
}

/** Writes the reports; those for the docs only when every item ran. */
static bool write_reports(const request* r, bool failed, sis_fault* fault) {
    sis_files* files = sis_files_new();
    if (!files) return sis_fault_no_memory(fault);
    const char* docs = failed ? NULL : r->o->docs;
    bool fine = true;
    if (r->out)
        fine = write_file(r, files, r->out, "reproduction.md", PAPERS, fault) &&
               (!has_beyond(r) || write_file(r, files, r->out, "beyond.md", BEYOND, fault)) &&
               write_file(r, files, r->out, "results.json", RESULTS, fault) &&
               (r->o->numbers || write_file(r, files, r->out, "report.html", HTML, fault));
    if (fine && docs)
        fine = write_file(r, files, docs, "reproduction.md", PAPERS, fault) &&
               write_file(r, files, docs, "beyond.md", BEYOND, fault) &&
               copy_pictures(r, files, docs, fault);
    fine = fine && sis_files_commit(files, fault);
    if (fine && docs) remove_old_pictures(r, docs);
    sis_files_free(files);
    return fine;
}

static void tell(const request* r) {
    if (r->o->quiet) return;
    if (r->count == 1 && !r->o->numbers && !json_object_get(r->tasks->result, "failed"))
        tell_item(r->tasks->result);
    tell_counts(r->results);
    if (r->out) printf("%s/%s\n", r->out, r->o->numbers ? "reproduction.md" : "report.html");
}

static int work(request* r) {
    if (is_asked(r->o, "list"))
        return complain(EXIT_USAGE, "list comes first: sistrum repro list [PAPER]");
    int code = choose(r, 0);
    if (!code) code = check_request(r);
    if (!code) code = prepare(r);
    if (!code) code = run(r);
    if (code) return code;
    bool failed = false;
    sis_fault fault;
    bool silent = !r->out && !r->o->docs;
    bool fine = gather(r, &failed, &code) || sis_fault_no_memory(&fault);
    fine = fine && (silent || write_reports(r, failed, &fault));
    // Who was told that an item had no memory need not hear it again of its report.
    if (!fine) return code && fault.starved ? code : complain_fault(&fault);
    tell(r);
    int printed = finish_output();
    return code ? code : printed;
}

int command_repro(const options* o) {
    request r = {.o = o};
    sis_fault fault;
    if (!sis_study_root(r.root, sizeof r.root, &fault)) return complain_fault(&fault);
    if (!sis_catalogue_read(&r.catalogue, r.root, &r.incomplete) && !r.incomplete.kind)
        r.incomplete.kind = SIS_FAULT_RUN;
    int code = EXIT_RUN;
    r.wanted = calloc((size_t)r.catalogue.count + 1, sizeof *r.wanted);
    if (!r.wanted)
        complain(EXIT_RUN, "out of memory");
    else
        code = !o->word_count || !strcmp(o->words[0], "list") ? list(&r) : work(&r);
    for (int32_t i = 0; r.tasks && i < r.count; i++)
        json_decref(r.tasks[i].result);
    json_decref(r.results);
    free(r.tasks);
    free(r.entries);
    free(r.folders);
    free(r.wanted);
    sis_catalogue_free(&r.catalogue);
    if (code) sis_files_abandon(); // folders that were made for nothing
    return code;
}
