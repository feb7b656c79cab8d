#include "csv.h"

#include "files.h"

#include <errno.h>
#include <string.h>

static bool wrote(int printed, sis_fault* fault) {
    return printed > 0 ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the energies: %s", strerror(errno));
}

// Eight numbers of 24 characters at most, such as -1.2345678901234567e-100, and what follows each.
#define ROW_MOST (8 * 25.0)

double sis_csv_bytes(const sis_plan* plan) {
    return ROW_MOST * ((double)plan->rows + 1);
}

bool sis_csv_open(sis_csv* csv, int descriptor, const sis_plan* plan, sis_fault* fault) {
    *csv = (sis_csv){.plan = *plan};
    csv->stream = sis_files_stream(descriptor, fault);
    return csv->stream &&
           wrote(fprintf(csv->stream,
                         "time,kinetic,elastic,contact,supplied,dissipated,total,residual\n"),
                 fault);
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_csv* csv = self;
    uint64_t o = (uint64_t)csv->plan.oversample;
    for (int32_t n = 0; n < frames->count; n++) {
        uint64_t step = frames->first + (uint64_t)n;
        if (step % o != (o - 1) / 2) continue;
        const sis_energy* e = &frames->energy[n];
        double time = ((double)step + 0.5) / sis_plan_step_rate(&csv->plan);
        if (!wrote(fprintf(csv->stream, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", time,
                           e->kinetic, e->elastic, e->contact, e->supplied, e->dissipated, e->total,
                           e->residual),
                   fault))
            return false;
    }
    return true;
}

sis_sink sis_csv_sink(sis_csv* csv) {
    return (sis_sink){.self = csv, .take = take};
}

bool sis_csv_keep(sis_csv* csv, sis_store* store, sis_fault* fault) {
    return sis_store_stream(store, csv->stream, fault);
}

bool sis_csv_close(sis_csv* csv, sis_fault* fault) {
    FILE* stream = csv->stream;
    csv->stream = NULL;
    return !stream || sis_files_close_stream(stream, fault);
}
