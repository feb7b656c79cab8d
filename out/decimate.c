#include "decimate.h"

#include "sistrum/downsample.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 256 // rows taken from the filter at a time

struct sis_decimator {
    sis_downsampler* filter;
    int32_t factor, channels;
    uint64_t skip; // rows of the time before the start still to come
    uint64_t left; // rows still to come
    bool started;
    sis_emit emit;
    void* self;
    double* rows; // [ROOM + 1][channels]
    double* last; // [channels], the step fed last
};

sis_decimator* sis_decimator_new(int32_t factor, int32_t channels, uint64_t rows, sis_emit emit,
                                 void* self, sis_fault* fault) {
    sis_decimator* d = calloc(1, sizeof *d);
    size_t size = sis_downsampler_size(factor, channels);
    void* memory = size ? malloc(size) : NULL;
    if (!d || !memory) {
        free(d);
        free(memory);
        sis_fault_no_memory(fault);
        return NULL;
    }
    *d = (sis_decimator){.filter = sis_downsampler_init(factor, channels, memory),
                         .factor = factor,
                         .channels = channels,
                         .left = rows,
                         .emit = emit,
                         .self = self,
                         .rows = malloc((size_t)channels * (ROOM + 1) * sizeof *d->rows),
                         .last = malloc((size_t)channels * sizeof *d->last)};
    d->skip = (uint64_t)sis_downsampler_delay(d->filter);
    if (d->rows && d->last) return d;
    sis_decimator_free(d);
    sis_fault_no_memory(fault);
    return NULL;
}

void sis_decimator_free(sis_decimator* d) {
    if (!d) return;
    free(d->filter);
    free(d->rows);
    free(d->last);
    free(d);
}

static bool emit_rows(sis_decimator* d, uint64_t count, sis_fault* fault) {
    uint64_t skipped = count < d->skip ? count : d->skip;
    d->skip -= skipped;
    count -= skipped;
    if (count > d->left) count = d->left;
    d->left -= count;
    const double* rows = d->rows + (size_t)skipped * (size_t)d->channels;
    return count == 0 || d->emit(d->self, rows, (int32_t)count, fault);
}

bool sis_decimator_feed(sis_decimator* d, const double* steps, int32_t count, sis_fault* fault) {
    if (count < 1) return true;
    size_t channels = (size_t)d->channels;
    memcpy(d->last, steps + (size_t)(count - 1) * channels, channels * sizeof *d->last);
    d->started = true;
    while (count > 0) {
        int64_t most = (int64_t)ROOM * d->factor;
        int32_t now = count < most ? count : (int32_t)most;
        int32_t made = sis_downsampler_run(d->filter, steps, now, d->rows);
        if (!emit_rows(d, (uint64_t)made, fault)) return false;
        steps += (size_t)now * channels;
        count -= now;
    }
    return true;
}

void sis_decimator_keep(sis_decimator* d, sis_store* store) {
    sis_store_walk(store, d->filter, sis_downsampler_size(d->factor, d->channels));
    sis_store_walk(store, d->last, (size_t)d->channels * sizeof *d->last);
    sis_store_walk(store, &d->skip, sizeof d->skip);
    sis_store_walk(store, &d->left, sizeof d->left);
    sis_store_walk(store, &d->started, sizeof d->started);
}

bool sis_decimator_finish(sis_decimator* d, sis_fault* fault) {
    while (d->started && d->left) {
        int32_t made = sis_downsampler_run(d->filter, d->last, 1, d->rows);
        if (!emit_rows(d, (uint64_t)made, fault)) return false;
    }
    return true;
}
