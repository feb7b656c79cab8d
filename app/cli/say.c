#include "say.h"

#include "run.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local FILE* own_stream;

FILE* say_stream(void) {
    return own_stream ? own_stream : stderr;
}

void say_into(FILE* stream) {
    own_stream = stream;
}

int complain(int code, const char* format, ...) {
    char text[1400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    char* line = sis_text_clean(text); // a file name may hold anything
    fprintf(say_stream(), "sistrum: %s\n", line ? line : text);
    free(line);
    return code;
}

int complain_fault(const sis_fault* fault) {
    return complain((int)fault->kind, "%s", fault->text);
}

int finish_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_DONE;
    return complain(EXIT_RUN, "cannot write to standard output: %s",
                    errno ? strerror(errno) : "it is closed");
}

// ---------------------------------------------------------------------------- suggestions

#define WORD_MAX 32

/** Letters to insert, delete or change to make one word of the other. */
static int distance(const char* a, const char* b) {
    int rows = (int)strlen(a), columns = (int)strlen(b);
    if (rows > WORD_MAX || columns > WORD_MAX) return WORD_MAX;
    int cost[WORD_MAX + 1];
    for (int j = 0; j <= columns; j++)
        cost[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = cost[0];
        cost[0] = i;
        for (int j = 1; j <= columns; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int either = (cost[j] < cost[j - 1] ? cost[j] : cost[j - 1]) + 1;
            diagonal = cost[j];
            cost[j] = change < either ? change : either;
        }
    }
    return cost[columns];
}

const char* closest(const char* wrong, const char* const* words, int count) {
    const char* best = NULL;
    int least = (int)strlen(wrong) / 3 + 2; // a third of the letters may be wrong, and one more
    for (int i = 0; i < count; i++) {
        int d = distance(wrong, words[i]);
        bool begins = strlen(wrong) >= 2 && strncmp(words[i], wrong, strlen(wrong)) == 0;
        if (begins) d = 1;
        if (d < least && d < (int)strlen(words[i])) {
            least = d;
            best = words[i];
        }
    }
    return best;
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
