#include "record.h"

#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool wrote(int printed, sis_fault* fault) {
    return printed > 0 ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the gestures: %s", strerror(errno));
}

bool sis_record_open(sis_record* record, int descriptor, const sis_system* system,
                     sis_fault* fault) {
    size_t count = (size_t)sis_system_input_count(system);
    *record = (sis_record){.system = system, .rate = sis_system_rate(system)};
    record->last = calloc(count + 1, sizeof *record->last);
    record->written = calloc(count + 1, sizeof *record->written);
    if (!record->last || !record->written) return sis_fault_no_memory(fault);
    record->stream = sis_files_stream(descriptor, fault);
    return record->stream && wrote(fprintf(record->stream, "time,name,value\n"), fault);
}

/** The shortest decimals that read back as the same number. */
static const char* digits(double value, char text[32]) {
    for (int count = 15; count <= 17; count++) {
        snprintf(text, 32, "%.*g", count, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

static bool put(const sis_record* r, uint64_t step, const char* name, double value,
                sis_fault* fault) {
    char time[32], number[32];
    digits((double)step / r->rate, time);
    return wrote(fprintf(r->stream, "%s,%s,%s\n", time, name, digits(value, number)), fault);
}

/** A number that changed; where it was held before that, to the step before, too: between two
 *  points it goes along a line. */
static bool put_change(sis_record* r, int32_t i, const char* name, uint64_t step, double value,
                       sis_fault* fault) {
    if (step && value == r->last[i]) return true;
    if (step && r->written[i] < step && !put(r, step - 1, name, r->last[i], fault)) return false;
    r->last[i] = value;
    r->written[i] = step + 1;
    return put(r, step, name, value, fault);
}

static double held(const sis_input_info* info, double value) {
    return value < info->min ? info->min : value > info->max ? info->max : value;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_record* r = self;
    int32_t count = sis_system_input_count(r->system);
    for (int32_t n = 0; n < frames->count; n++) {
        uint64_t step = frames->first + (uint64_t)n;
        const double* row = frames->inputs ? frames->inputs + (size_t)n * (size_t)count : NULL;
        if (!row && step) return true; // nothing moves
        for (int32_t i = 0; i < count; i++) {
            sis_input_info info = sis_system_input(r->system, i);
            double value = row ? row[i] : info.value;
            if (info.trigger ? value != 0 && !put(r, step, info.name, value, fault)
                             : !put_change(r, i, info.name, step, held(&info, value), fault))
                return false;
        }
    }
    return true;
}

sis_sink sis_record_sink(sis_record* record) {
    return (sis_sink){.self = record, .take = take};
}

bool sis_record_keep(sis_record* record, sis_store* store, sis_fault* fault) {
    size_t count = (size_t)sis_system_input_count(record->system);
    sis_store_walk(store, record->last, count * sizeof *record->last);
    sis_store_walk(store, record->written, count * sizeof *record->written);
    return sis_store_stream(store, record->stream, fault);
}

bool sis_record_close(sis_record* record, sis_fault* fault) {
    FILE* stream = record->stream;
    free(record->last);
    free(record->written);
    *record = (sis_record){.stream = NULL};
    return !stream || sis_files_close_stream(stream, fault);
}
