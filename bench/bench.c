#include "bench.h"

#include "cases.h"
#include "history.h"
#include "sections.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const names[] = {
    "limits",  "workloads",   "contacts", "scaling",  "accuracy", "masses",  "strings", "bodies",
    "renders", "instruments", "threads",  "gestures", "live",     "studies", "claims",  NULL};
static bench_section* const sections[] = {
    section_limits,  section_workloads, section_contacts, section_scaling, section_accuracy,
    section_masses,  section_strings,   section_bodies,   section_renders, section_instruments,
    section_threads, section_gestures,  section_live,     section_studies, section_claims};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

const char* const* bench_sections(void) {
    return names;
}

static bool fail(bench_fault* fault, bool usage, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(bench_fault* fault, bool usage, const char* format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(fault->text, sizeof fault->text, format, list);
    va_end(list);
    fault->usage = usage;
    return false;
}

// ---------------------------------------------------------------------------- docs

#define BEGIN "<!-- bench begin -->"
#define END   "<!-- bench end -->"

/** The whole file; the caller frees it. NULL: errno says why. */
static char* read_all(const char* path) {
    FILE* file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16, got = 1;
    char* text = file ? malloc(room) : NULL;
    while (text && got) {
        if (size + 4096 >= room) {
            char* more = realloc(text, room *= 2);
            if (!more) free(text);
            text = more;
        }
        got = text ? fread(text + size, 1, 4095, file) : 0;
        size += got;
    }
    if (text) text[size] = '\0';
    if (file) fclose(file);
    return text;
}

/** The two places between which the tables go; false: `fault` says why not. */
static bool find_markers(const char* path, char* text, char** begin, char** end,
                         bench_fault* fault) {
    if (!text) return fail(fault, false, "cannot read %s: %s", path, strerror(errno));
    *begin = strstr(text, BEGIN);
    *end = *begin ? strstr(*begin, END) : NULL;
    return *end || fail(fault, true, "%s has no lines '" BEGIN "' and '" END "'", path);
}

static bool write_docs(const bench_report* r, const char* path, bench_fault* fault) {
    char *text = read_all(path), *begin = NULL, *end = NULL;
    bool good = find_markers(path, text, &begin, &end, fault);
    FILE* file = good ? fopen(path, "wb") : NULL;
    if (good && !file) good = fail(fault, false, "cannot write %s: %s", path, strerror(errno));
    if (file) {
        fwrite(text, 1, (size_t)(begin - text), file);
        fprintf(file, BEGIN "\n\nSistrum %s on one core of: %s.\n\n", sis_version(),
                history_machine());
        report_print_markdown(r, file);
        fputs(end, file);
        bool lost = ferror(file) != 0;
        if (fclose(file) != 0 || lost)
            good = fail(fault, false, "cannot write %s: %s", path, strerror(errno));
    }
    free(text);
    return good;
}

// ---------------------------------------------------------------------------- all of it

static bool is_section(const char* name) {
    for (int i = 0; i < SECTIONS; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/** Better told before the run than after it. */
static bool can_write(const bench_request* request, bench_fault* fault) {
    char *begin = NULL, *end = NULL;
    if (request->docs) {
        char* text = read_all(request->docs);
        bool good = find_markers(request->docs, text, &begin, &end, fault);
        free(text);
        if (!good) return false;
    }
    if (!request->history) return true;
    FILE* file = fopen(request->history, "a");
    if (!file) return fail(fault, false, "cannot write %s: %s", request->history, strerror(errno));
    fclose(file);
    return true;
}

bool bench_run(const bench_request* request, bench_fault* fault) {
    if (request->only && !is_section(request->only))
        return fail(fault, true,
                    "no section '%s'; there are limits, workloads, contacts, scaling, accuracy, "
                    "masses, strings, bodies, renders, instruments, threads, gestures, live, "
                    "studies, claims",
                    request->only);
    if (request->only && strcmp(request->only, "renders") == 0 && !request->program)
        return fail(fault, true, "renders needs the program: sistrum bench --only renders");
    if (!can_write(request, fault)) return false;
    bench_report report = {.silent = request->json};
    bench_context context = {&report, request->quick, request->counts, request->program};
    for (int i = 0; i < SECTIONS; i++)
        if (!request->only || strcmp(request->only, names[i]) == 0) sections[i](&context);
    if (request->json) report_print_json(&report, history_machine(), stdout);
    bool good = !request->docs || write_docs(&report, request->docs, fault);
    // Not into the middle of JSON.
    FILE* say = request->json ? stderr : stdout;
    if (good && request->history && history_add(&report, request->history, request->date, say) < 0)
        good = fail(fault, false, "cannot write %s: %s", request->history, strerror(errno));
    report_free(&report);
    return good;
}

// ---------------------------------------------------------------------------- counting

enum { COUNTED = 11025 };
static const sis_scheme counted[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_QUADRATISED, SIS_SCHEME_NEWTON,
                                     SIS_SCHEME_EXACT};

static bool count_one(int i, sis_scheme scheme) {
    sis_system* system = workload_system(i, scheme, UNAUDITED);
    if (!system) return false;
    timed_case* c = case_of_system(system, COUNTED, false);
    case_run(c);
    printf("%d\n", COUNTED);
    cases_end();
    return true;
}

bool bench_count(const char* name, bench_fault* fault) {
    bool list = strcmp(name, "list") == 0;
    for (int i = 0; i < workload_count(); i++)
        for (size_t s = 0; s < sizeof counted / sizeof *counted; s++) {
            char full[REPORT_NAME];
            snprintf(full, sizeof full, "%s/%s", workload_name(i), sis_scheme_word(counted[s]));
            if (list) {
                sis_system* system = workload_system(i, counted[s], UNAUDITED);
                if (system) printf("%s\n", full);
                sis_system_free(system);
            } else if (strcmp(full, name) == 0) {
                return count_one(i, counted[s]) || fail(fault, true, "%s is refused", name);
            }
        }
    return list || fail(fault, true, "no workload '%s'; --count list names them", name);
}
