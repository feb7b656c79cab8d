#include "sound.h"

#include <stdlib.h>
#include <string.h>

struct sis_sound {
    int32_t channels;
    int32_t probe_count;
    int32_t* channel;         // [probe_count], 1, 2, ...; 0: not heard
    double* gain;             // [probe_count]
    bool* is_first;           // [probe_count], of its channel
    bool gaps;                // some channel has no probe
    double* mixed;            // [SIS_FRAMES_MAX][channels]
    sis_decimator* decimator; // NULL: a step is a row
    sis_emit emit;
    void* self;
};

int32_t sis_sound_channels(const sis_system* system) {
    int32_t channels = 0;
    for (int32_t p = 0; p < sis_system_probe_count(system); p++) {
        int32_t channel = sis_system_probe(system, p).channel;
        if (channel > channels) channels = channel;
    }
    return channels;
}

static bool allocate(sis_sound* s, sis_fault* fault) {
    size_t probes = (size_t)s->probe_count;
    s->channel = calloc(probes, sizeof *s->channel);
    s->gain = calloc(probes, sizeof *s->gain);
    s->is_first = calloc(probes, sizeof *s->is_first);
    s->mixed = malloc((size_t)s->channels * SIS_FRAMES_MAX * sizeof *s->mixed);
    return (s->channel && s->gain && s->is_first && s->mixed) || sis_fault_no_memory(fault);
}

sis_sound* sis_sound_new(const sis_system* system, const sis_plan* plan, sis_emit emit, void* self,
                         sis_fault* fault) {
    int32_t channels = sis_sound_channels(system);
    if (channels < 1) {
        sis_fault_set(fault, SIS_FAULT_SCENE,
                      "the scene has no sound: no probe has a channel; add probe{ on = ..., "
                      "channel = 1 }");
        return NULL;
    }
    sis_sound* s = calloc(1, sizeof *s);
    if (!s) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    *s = (sis_sound){.channels = channels, .emit = emit, .self = self};
    s->probe_count = sis_system_probe_count(system);
    bool fine = allocate(s, fault);
    int32_t used = 0; // channels
    for (int32_t p = 0; fine && p < s->probe_count; p++) {
        sis_probe_info info = sis_system_probe(system, p);
        s->channel[p] = info.channel;
        s->gain[p] = info.gain;
        s->is_first[p] = info.channel > 0;
        for (int32_t q = 0; q < p; q++)
            if (s->channel[q] == info.channel) s->is_first[p] = false;
        used += s->is_first[p];
    }
    s->gaps = used < channels;
    if (fine && plan->oversample > 1) {
        s->decimator = sis_decimator_new(plan->oversample, channels, plan->rows, emit, self, fault);
        fine = s->decimator != NULL;
    }
    if (fine) return s;
    sis_sound_free(s);
    return NULL;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_sound* s = self;
    size_t channels = (size_t)s->channels;
    size_t count = (size_t)frames->count, columns = (size_t)frames->probe_count;
    if (s->gaps) memset(s->mixed, 0, count * channels * sizeof *s->mixed);
    for (int32_t p = 0; p < s->probe_count; p++) {
        if (!s->channel[p]) continue;
        const double *from = frames->probes + p, gain = s->gain[p];
        double* to = s->mixed + s->channel[p] - 1;
        if (s->is_first[p])
            for (size_t n = 0; n < count; n++)
                to[n * channels] = 0 + gain * from[n * columns]; // 0: not -0
        else
            for (size_t n = 0; n < count; n++)
                to[n * channels] += gain * from[n * columns];
    }
    if (s->decimator) return sis_decimator_feed(s->decimator, s->mixed, frames->count, fault);
    return s->emit(s->self, s->mixed, frames->count, fault);
}

sis_sink sis_sound_sink(sis_sound* sound) {
    return (sis_sink){.self = sound, .take = take};
}

bool sis_sound_finish(sis_sound* sound, sis_fault* fault) {
    return !sound->decimator || sis_decimator_finish(sound->decimator, fault);
}

void sis_sound_keep(sis_sound* sound, sis_store* store) {
    if (sound->decimator) sis_decimator_keep(sound->decimator, store);
}

void sis_sound_free(sis_sound* sound) {
    if (!sound) return;
    sis_decimator_free(sound->decimator);
    free(sound->channel);
    free(sound->gain);
    free(sound->is_first);
    free(sound->mixed);
    free(sound);
}
