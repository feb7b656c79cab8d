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

static void add_value(sis_tally_probe* probe, double value, bool first) {
    if (first || value < probe->min) probe->min = value;
    if (first || value > probe->max) probe->max = value;
    double size = fabs(value);
    if (size > probe->largest) {
        double shrink = probe->largest / size;
        probe->squares = probe->squares * shrink * shrink + 1;
        probe->largest = size;
    } else if (size > 0) {
        probe->squares += (size / probe->largest) * (size / probe->largest);
    }
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_tally* tally = self;
    sis_balance_add(&tally->balance, frames->energy, frames->energies);
    for (int32_t n = 0; n < frames->count; n++) {
        if ((frames->first + (uint64_t)n) % (uint64_t)tally->oversample) continue;
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        for (int32_t p = 0; p < frames->probe_count; p++)
            add_value(&tally->probes[p], row[p], tally->rows == 0);
        tally->rows++;
    }
    if (frames->energies) tally->last = frames->energy[frames->energies - 1];
    return true;
}

sis_sink sis_tally_sink(sis_tally* tally) {
    return (sis_sink){.self = tally, .take = take};
}

double sis_tally_rms(const sis_tally* tally, int32_t probe) {
    const sis_tally_probe* p = &tally->probes[probe];
    return tally->rows ? p->largest * sqrt(p->squares / (double)tally->rows) : 0;
}

double sis_tally_share(const sis_tally* tally, double joules) {
    return tally->balance.highest > 0 ? joules / tally->balance.highest : 0;
}

void sis_tally_close(sis_tally* tally) {
    free(tally->probes);
    tally->probes = NULL;
}
