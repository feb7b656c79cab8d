// Studies: the work of sistrum sweep in one call.

#include "data.h"

#ifdef SISTRUM_SWEEP

#include "decimal_point.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folder(const char* path, sis_fault* fault) {
    if (!path || mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot make the folder '%s': %s", path,
                         strerror(errno));
}

static bool work_on(const sis_sweep* sweep, const sis_data_job* job, sis_work_progress* progress,
                    sis_fault* fault) {
    sis_base* base = sis_base_open(job->database, sweep, job->command, fault);
    if (!base) return false;
    sis_work work = {.sweep = sweep,
                     .base = base,
                     .shards = job->shards,
                     .threads = job->threads,
                     .part = job->part,
                     .parts = job->parts,
                     .told = job->told,
                     .told_self = job->self,
                     .stop = job->stop,
                     .stop_self = job->self};
    bool done = sis_work_go(&work, fault);
    sis_fault closing;
    bool closed = sis_base_close(base, done ? fault : &closing);
    *progress = work.progress;
    return done && closed;
}

bool sis_data_sweep(const sis_sweep_spec* spec, const sis_data_job* job,
                    sis_work_progress* progress, sis_fault* fault) {
    sis_decimal_point point = sis_decimal_point_begin();
    sis_sweep* sweep = sis_sweep_new(spec, fault);
    bool fine = sweep && make_folder(job->shards, fault) && work_on(sweep, job, progress, fault);
    sis_sweep_free(sweep);
    sis_decimal_point_end(point);
    return fine;
}

bool sis_data_csv(const char* database, int descriptor, sis_fault* fault) {
    sis_decimal_point point = sis_decimal_point_begin();
    sis_base* base = sis_base_read(database, fault);
    FILE* stream = base ? fdopen(descriptor, "w") : NULL;
    bool fine = stream != NULL;
    if (base && !stream) sis_fault_set(fault, SIS_FAULT_RUN, "%s", strerror(errno));
    if (!stream) close(descriptor);
    fine = fine && sis_base_csv(base, stream, fault);
    if (stream && fclose(stream) != 0 && fine)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the CSV: %s", strerror(errno));
    sis_base_close(base, NULL);
    sis_decimal_point_end(point);
    return fine;
}

bool sis_data_merge(const char* database, const char* const* parts, int32_t count,
                    sis_fault* fault) {
    sis_decimal_point point = sis_decimal_point_begin();
    bool fine = sis_base_merge(database, parts, count, fault);
    sis_decimal_point_end(point);
    return fine;
}

#endif
