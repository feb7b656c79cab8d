// sistrum sweep: many runs of one scene into a database.

#include "find.h"
#include "job.h"
#include "say.h"

#ifndef SISTRUM_SWEEP

int command_sweep(const options* o) {
    (void)o;
    return complain(EXIT_RUN, "this program was built without SQLite, which sweep needs");
}

#else

#include "parts.h"
#include "request.h"
#include "slurm.h"
#include "studies.h"
#include "watch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int32_t thread_count(const options* o) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return isnan(o->threads) ? (int32_t)fmin(cores > 0 ? (double)cores : 1, 1024)
                             : (int32_t)o->threads;
}

static int work_with(const request* r, const options* o, sis_base* base, sigset_t* held) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    watch w = watch_begin(o);
    sis_work work = {.sweep = r->sweep,
                     .base = base,
                     .shards = r->shards,
                     .threads = thread_count(o),
                     .part = (uint64_t)r->part - 1,
                     .parts = (uint64_t)r->parts,
                     .told = watch_show,
                     .told_self = &w,
                     .stop = watch_is_ending,
                     .stop_self = held};
    bool done = sis_work_go(&work, &fault);
    watch_end(&w);
    uint64_t failed = done ? sis_base_failed(base) : 0;
    sis_fault closing;
    bool closed = sis_base_close(base, done ? &fault : &closing);
    if (watch_is_ending(held)) return EXIT_RUN; // the signal says the rest
    if (!done || !closed) return complain_fault(&fault);
    if (!o->quiet) watch_tell(r->database, &work.progress, failed);
    request_tell_lost(r);
    return EXIT_DONE;
}

static int work_on(const request* r, const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    sigset_t held = watch_signals(), before;
    pthread_sigmask(SIG_BLOCK, &held, &before);
    char* folder = parts_folder(r->database);
    bool fine = folder != NULL || sis_fault_no_memory(&fault);
    sis_base* base = fine ? parts_open(r->database, folder, r->sweep, r->command, &fault) : NULL;
    free(folder);
    if (!base) request_leave_folder(r);
    int code = base ? work_with(r, o, base, &held) : complain_fault(&fault);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static int sweep_scene(const options* o) {
    request r = {.part = 1};
    int code = request_open(&r, o, "sistrum sweep");
    if (!code && o->slurm) {
        code = slurm_array(&r, o);
        request_close(&r);
        return code;
    }
    if (!code) code = request_outputs(&r, o);
    if (!code) code = request_folder(&r);
    if (!code) code = work_on(&r, o);
    if (!code && o->csv) code = studies_export(r.database, o->csv);
    request_close(&r);
    return code;
}

int command_sweep(const options* o) {
    if (o->word_count && !strcmp(o->words[0], "show")) return studies_show(o);
    if (o->word_count && !strcmp(o->words[0], "merge")) return studies_merge(o);
    int code = request_check(o);
    if (code) return code;
    bool lost = false;
    char* path = find_scene(o->scene, &lost);
    options found = *o;
    if (path) found.scene = path;
    code = lost ? complain(EXIT_RUN, "out of memory") : sweep_scene(&found);
    free(path);
    return code;
}

#endif
