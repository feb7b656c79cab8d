#include "say.h"

#include "run.h"
#include "suggest.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local FILE* own_stream;
static _Thread_local bool own_lost, own_starved;

static const char* program_name = "sistrum";

void say_as(const char* program) {
    program_name = program;
}

const char* say_name(void) {
    return program_name;
}

FILE* say_stream(void) {
    return own_stream ? own_stream : stderr;
}

void say_into(FILE* stream) {
    own_stream = stream;
    own_lost = own_starved = false;
}

void say_starve(void) {
    own_starved = true;
}

bool say_starved(void) {
    return own_starved;
}

bool say_lost(void) {
    return own_lost;
}

int complain(int code, const char* format, ...) {
    char text[4096];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    char* line = sis_text_clean(text); // a file name may hold anything
    int printed = fprintf(say_stream(), "%s: %s\n", program_name, line ? line : text);
    own_lost = own_lost || printed < 0;
    free(line);
    return code;
}

int complain_script(const sis_script_error* error) {
    int code = error->status == SIS_SCRIPT_SETTING     ? EXIT_USAGE
               : error->status == SIS_SCRIPT_NO_MEMORY ? EXIT_RUN
                                                       : EXIT_SCENE;
    if (error->status == SIS_SCRIPT_NO_MEMORY) say_starve();
    return complain(code, "%s", error->text);
}

int complain_fault(const sis_fault* fault) {
    if (fault->starved) say_starve();
    return complain((int)fault->kind, "%s", fault->text);
}

/** Whether standard output is a pipe whose reader has gone: it has seen what it wanted. */
static bool reader_has_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

static bool lost; // some of standard output, for want of memory

void output_lost(void) {
    lost = true;
}

int finish_output(void) {
    if (lost) return complain(EXIT_RUN, "out of memory");
    int why = ferror(stdout) ? errno : 0; // of a write before, which may have left nothing to flush
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_DONE;
    if (errno) why = errno;
    if (reader_has_gone()) return EXIT_DONE;
    return complain(EXIT_RUN, "cannot write to standard output: %s",
                    why && why != EBADF ? strerror(why) : "it is closed");
}

int complain_output(const sis_fault* fault) {
    return reader_has_gone() ? EXIT_DONE : complain_fault(fault);
}

// ---------------------------------------------------------------------------- suggestions

const char* closest(const char* wrong, const char* const* words, int count) {
    sis_suggestion suggestion = sis_suggest(wrong);
    for (int i = 0; i < count; i++)
        sis_suggest_from(&suggestion, words[i]);
    return suggestion.best;
}

// ---------------------------------------------------------------------------- progress

progress progress_begin(bool quiet) {
    double now = sis_run_clock();
    bool wanted = !quiet && !own_stream && isatty(STDERR_FILENO);
    return (progress){.wanted = wanted, .start = now, .shown = now + 0.2};
}

void progress_show(void* self, uint64_t done, uint64_t steps) {
    progress* bar = self;
    if (!bar->wanted) return;
    double now = sis_run_clock();
    if (now - bar->shown < 0.1) return;
    bar->shown = now;
    double share = (double)done / (double)steps;
    char cells[31];
    for (int i = 0; i < 30; i++)
        cells[i] = i < 30 * share ? '#' : '.';
    cells[30] = 0;
    fprintf(stderr, "\r[%s] %3.0f %%, %.0f s left ", cells, 100 * share,
            share > 0 ? (now - bar->start) * (1 - share) / share : 0);
    fflush(stderr);
}

void progress_end(progress* bar) {
    if (bar->wanted && bar->shown > bar->start + 0.2) fprintf(stderr, "\r%60s\r", "");
    bar->wanted = false;
}
