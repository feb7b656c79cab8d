// Sound files from steps, as the program writes them.

#include "data.h"

#include <stdlib.h>
#include <string.h>

struct sis_data_sound {
    sis_sound_file* file;
    sis_decimator* decimator; // NULL: a step is a frame
};

const char* sis_data_version(void) {
    return SIS_VERSION;
}

bool sis_data_sweeps(void) {
#ifdef SISTRUM_SWEEP
    return true;
#else
    return false;
#endif
}

sis_data_sound* sis_data_sound_open(int descriptor, int scratch, const sis_sound_spec* spec,
                                    int32_t oversample, sis_fault* fault) {
    sis_data_sound* s = calloc(1, sizeof *s);
    if (!s) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    s->file = sis_sound_file_open(descriptor, scratch, spec, fault);
    bool fine = s->file != NULL;
    if (fine && oversample > 1) {
        s->decimator = sis_decimator_new(oversample, spec->channels, spec->frames,
                                         sis_sound_file_take, s->file, fault);
        fine = s->decimator != NULL;
    }
    if (fine) return s;
    sis_data_sound_free(s);
    return NULL;
}

bool sis_data_sound_take(sis_data_sound* s, const double* steps, int32_t count, sis_fault* fault) {
    if (s->decimator) return sis_decimator_feed(s->decimator, steps, count, fault);
    return sis_sound_file_take(s->file, steps, count, fault);
}

bool sis_data_sound_close(sis_data_sound* s, sis_sound_level* level, sis_fault* fault) {
    bool fine = !s->decimator || sis_decimator_finish(s->decimator, fault);
    if (fine) {
        fine = sis_sound_file_close(s->file, level, fault);
        s->file = NULL;
    }
    sis_data_sound_free(s);
    return fine;
}

void sis_data_sound_free(sis_data_sound* s) {
    if (!s) return;
    sis_decimator_free(s->decimator);
    sis_sound_file_free(s->file);
    free(s);
}

// ---------------------------------------------------------------------------- rows

typedef struct row_list {
    double* next;
    size_t channels;
} row_list;

static bool keep(void* self, const double* frames, int32_t count, sis_fault* fault) {
    row_list* to = self;
    size_t numbers = (size_t)count * to->channels;
    (void)fault;
    memcpy(to->next, frames, numbers * sizeof *frames);
    to->next += numbers;
    return true;
}

enum { STEPS = 4096 };

bool sis_data_decimate(const double* steps, uint64_t rows, int32_t oversample, int32_t channels,
                       double* sound, sis_fault* fault) {
    row_list to = {sound, (size_t)channels};
    sis_decimator* d = sis_decimator_new(oversample, channels, rows, keep, &to, fault);
    bool fine = d != NULL;
    for (uint64_t left = rows * (uint64_t)oversample; fine && left;) {
        int32_t now = left < STEPS ? (int32_t)left : STEPS;
        fine = sis_decimator_feed(d, steps, now, fault);
        steps += (size_t)now * (size_t)channels;
        left -= (uint64_t)now;
    }
    fine = fine && sis_decimator_finish(d, fault);
    sis_decimator_free(d);
    return fine;
}
