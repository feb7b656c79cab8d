#include "decimate.h"

#include <pthread.h>
#include <soxr.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 256 // rows taken from the filter at a time
#define HELD 256 // rows that the first and last value are held: the filter reaches half as far

struct sis_decimator {
    soxr_t filter;
    int32_t factor, channels;
    uint64_t skip; // rows of the time before the start still to come
    uint64_t left; // rows still to come
    bool started;
    sis_emit emit;
    void* self;
    double* rows; // [ROOM][channels]
    double* last; // [channels], the step fed last
};

// The filters of a process share a table of sines that grows with the longest of them; not every
// build of the library guards it.
static pthread_mutex_t sines = PTHREAD_MUTEX_INITIALIZER;

static bool make_filter(sis_decimator* d, sis_fault* fault) {
    // Very high quality: passband to 0.913 of the new Nyquist frequency, 170 dB down from there on.
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT64_I, SOXR_FLOAT64_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, SOXR_ROLLOFF_NONE);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    soxr_error_t error = NULL;
    pthread_mutex_lock(&sines);
    d->filter = soxr_create(d->factor, 1, (unsigned)d->channels, &error, &io, &quality, &runtime);
    pthread_mutex_unlock(&sines);
    return (d->filter && !error) ||
           sis_fault_set(fault, SIS_FAULT_RUN,
                         "cannot make a low-pass filter for oversample %d: %s", (int)d->factor,
                         error ? error : "no reason given");
}

sis_decimator* sis_decimator_new(int32_t factor, int32_t channels, uint64_t rows, sis_emit emit,
                                 void* self, sis_fault* fault) {
    sis_decimator* d = calloc(1, sizeof *d);
    if (!d) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    *d = (sis_decimator){.factor = factor,
                         .channels = channels,
                         .skip = HELD,
                         .left = rows,
                         .emit = emit,
                         .self = self,
                         .rows = malloc((size_t)channels * ROOM * sizeof *d->rows),
                         .last = malloc((size_t)channels * sizeof *d->last)};
    bool room = (d->rows && d->last) || sis_fault_no_memory(fault);
    if (room && make_filter(d, fault)) return d;
    sis_decimator_free(d);
    return NULL;
}

void sis_decimator_free(sis_decimator* d) {
    if (!d) return;
    if (d->filter) {
        pthread_mutex_lock(&sines);
        soxr_delete(d->filter);
        pthread_mutex_unlock(&sines);
    }
    free(d->rows);
    free(d->last);
    free(d);
}

static bool emit_rows(sis_decimator* d, size_t count, sis_fault* fault) {
    size_t skipped = count < d->skip ? count : (size_t)d->skip;
    d->skip -= skipped;
    count -= skipped;
    if (count > d->left) count = (size_t)d->left;
    d->left -= count;
    const double* rows = d->rows + skipped * (size_t)d->channels;
    return count == 0 || d->emit(d->self, rows, (int32_t)count, fault);
}

/** One call of the filter; *used steps went in and *made rows came out. */
static bool process(sis_decimator* d, const double* steps, size_t count, size_t* used, size_t* made,
                    sis_fault* fault) {
    pthread_mutex_lock(&sines);
    soxr_error_t error = soxr_process(d->filter, steps, count, used, d->rows, ROOM, made);
    pthread_mutex_unlock(&sines);
    if (error) return sis_fault_set(fault, SIS_FAULT_RUN, "the low-pass filter failed: %s", error);
    return emit_rows(d, *made, fault);
}

static bool push(sis_decimator* d, const double* steps, size_t count, sis_fault* fault) {
    size_t used = 0, made = 0;
    do {
        if (!process(d, steps, count, &used, &made, fault)) return false;
        steps += used * (size_t)d->channels;
        count -= used;
    } while (count || made == ROOM);
    return true;
}

/** Feeds the value of one step for HELD rows. */
static bool hold(sis_decimator* d, const double* step, sis_fault* fault) {
    for (int64_t i = 0; i < (int64_t)HELD * d->factor; i++)
        if (!push(d, step, 1, fault)) return false;
    return true;
}

bool sis_decimator_feed(sis_decimator* d, const double* steps, int32_t count, sis_fault* fault) {
    if (count < 1) return true;
    if (!d->started && !hold(d, steps, fault)) return false;
    d->started = true;
    size_t channels = (size_t)d->channels;
    memcpy(d->last, steps + (size_t)(count - 1) * channels, channels * sizeof *d->last);
    return push(d, steps, (size_t)count, fault);
}

bool sis_decimator_finish(sis_decimator* d, sis_fault* fault) {
    if (d->started && !hold(d, d->last, fault)) return false;
    size_t made = 0;
    do {
        if (!process(d, NULL, 0, NULL, &made, fault)) return false;
    } while (made && d->left);
    // A filter that kept rows to itself would be a mistake: they are silence, not a short file.
    memset(d->rows, 0, (size_t)d->channels * ROOM * sizeof *d->rows);
    while (d->left)
        if (!emit_rows(d, ROOM, fault)) return false;
    return true;
}
