#include "tally.h"

#include <math.h>
#include <stdlib.h>

bool sis_tally_open(sis_tally* tally, const sis_system* system, const sis_state* state,
                    int32_t oversample, sis_fault* fault) {
    *tally = (sis_tally){.oversample = oversample, .probe_count = sis_system_probe_count(system)};
    tally->probes = calloc((size_t)tally->probe_count + 1, sizeof *tally->probes);
    if (!tally->probes) return sis_fault_no_memory(fault);
    tally->last = sis_state_energy(system, state);
    tally->initial = tally->last.total;
    sis_balance_add(&tally->balance, &tally->last, 1);
    return true;
}

/** The largest value is now `largest`. Powers of two change no digit of what was summed so far, so
 * that the sum does not depend on where blocks end. */
static void grow(sis_tally_probe* probe, double largest) {
    int exponent = 0;
    probe->largest = largest;
    frexp(largest, &exponent);
    double scale = ldexp(1, exponent > -1000 ? -exponent : 1000);
    if (scale == probe->scale) return;
    double shrink = probe->scale > 0 ? scale / probe->scale : 0;
    probe->squares *= shrink * shrink;
    probe->scale = scale;
}

/** Adds `count` values of a probe, `stride` numbers apart. */
static void add_values(sis_tally_probe* probe, const double* values, size_t count, size_t stride) {
    double min = probe->min, max = probe->max;
    for (size_t n = 0; n < count; n++) {
        double value = values[n * stride];
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
    probe->min = min;
    probe->max = max;
    double largest = -min > max ? -min : max;
    if (largest > probe->largest) grow(probe, largest);
    double scale = probe->scale, squares = probe->squares;
    for (size_t n = 0; n < count; n++) {
        double value = scale * values[n * stride];
        squares += value * value;
    }
    probe->squares = squares;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_tally* tally = self;
    sis_balance_add(&tally->balance, frames->energy, frames->energies);
    if (frames->energies) tally->last = frames->energy[frames->energies - 1];
    uint64_t every = (uint64_t)tally->oversample, past = frames->first % every;
    uint64_t skip = past ? every - past : 0, frame_count = (uint64_t)frames->count;
    if (skip >= frame_count) return true;
    size_t columns = (size_t)frames->probe_count,
           rows = (size_t)((frame_count - skip - 1) / every) + 1;
    for (size_t p = 0; p < columns; p++) {
        const double* values = frames->probes + (size_t)skip * columns + p;
        sis_tally_probe* probe = &tally->probes[p];
        if (!tally->rows) probe->min = probe->max = values[0];
        add_values(probe, values, rows, (size_t)every * columns);
    }
    tally->rows += rows;
    return true;
}

sis_sink sis_tally_sink(sis_tally* tally) {
    return (sis_sink){.self = tally, .take = take};
}

double sis_tally_rms(const sis_tally* tally, int32_t probe) {
    const sis_tally_probe* p = &tally->probes[probe];
    return p->scale > 0 ? sqrt(p->squares / (double)tally->rows) / p->scale : 0;
}

double sis_tally_share(const sis_tally* tally, double joules) {
    return tally->balance.highest > 0 ? joules / tally->balance.highest : 0;
}

void sis_tally_close(sis_tally* tally) {
    free(tally->probes);
    tally->probes = NULL;
}
