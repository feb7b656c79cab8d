// Progress and signals of studies.

#include "watch.h"

#ifdef SISTRUM_SWEEP

#include "files.h"
#include "say.h"
#include "text.h"

#include <math.h>
#include <unistd.h>

watch watch_begin(const options* o) {
    return (watch){.quiet = o->quiet, .terminal = isatty(STDERR_FILENO)};
}

static const double log_seconds = 30;

void watch_show(void* self, const sis_work_progress* p) {
    watch* v = self;
    if (v->quiet) return;
    if (!v->terminal && p->seconds - v->told < log_seconds) return;
    v->told = p->seconds;
    double rate = p->seconds > 0 ? (double)p->made / p->seconds : 0;
    double left = rate > 0 ? (double)(p->count - p->done) / rate : 0;
    char line[160];
    snprintf(line, sizeof line, "%llu of %llu runs, %.3g a second, %.0f s left",
             (unsigned long long)p->done, (unsigned long long)p->count, rate, left);
    if (!v->terminal) {
        fprintf(stderr, "%s: %s%s\n", say_name(), line, p->failed ? ", some failed" : "");
        return;
    }
    char cells[21];
    double share = p->count ? (double)p->done / (double)p->count : 1;
    for (int i = 0; i < 20; i++)
        cells[i] = i < 20 * share ? '#' : '.';
    cells[20] = 0;
    fprintf(stderr, "\r[%s] %-56.56s", cells, line);
    fflush(stderr);
    v->drawn = true;
}

void watch_end(watch* v) {
    if (v->drawn) fprintf(stderr, "\r%79s\r", "");
    v->drawn = false;
}

/** Whether a signal that ends the program waits for being let through. */
bool watch_is_ending(void* self) {
    const sigset_t* held = self;
    sigset_t pending;
    if (sigpending(&pending) != 0) return false;
    for (int i = 0; sis_ending_signals[i]; i++)
        if (sigismember(&pending, sis_ending_signals[i]) == 1 &&
            sigismember(held, sis_ending_signals[i]) == 1)
            return true;
    return false;
}

sigset_t watch_signals(void) {
    sigset_t ending;
    sigemptyset(&ending);
    for (int i = 0; sis_ending_signals[i]; i++) {
        struct sigaction now;
        if (sigaction(sis_ending_signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&ending, sis_ending_signals[i]);
    }
    return ending;
}

void watch_tell(const char* database, const sis_work_progress* p, uint64_t failed) {
    fprintf(say_stream(), "%s: %llu %s", database, (unsigned long long)p->done,
            sis_plural(p->done, "run", "runs"));
    if (failed)
        fprintf(say_stream(), ", %llu failed (sistrum sweep show %s)", (unsigned long long)failed,
                database);
    if (p->made)
        fprintf(say_stream(), "; %llu in %.3g s, %.3g a second", (unsigned long long)p->made,
                p->seconds, (double)p->made / fmax(p->seconds, 1e-9));
    fprintf(say_stream(), "\n");
}

#endif
