// What the audio thread tells of itself: levels, load, voices, energy.
#include "inside.h"

#include <math.h>

static void tell_most(_Atomic double* told, double value) {
    if (value > atomic_load_explicit(told, memory_order_relaxed))
        atomic_store_explicit(told, value, memory_order_relaxed);
}

enum { POINTS_MOST = 1024 }; // of a contact that is looked at

static int32_t count_touching(const sis_voice* v) {
    double depth[POINTS_MOST];
    int32_t touching = 0;
    for (int32_t i = 0; i < sis_system_link_count(v->tone->system); i++) {
        sis_link_info link = sis_system_link(v->tone->system, i);
        if (link.kind != SIS_KIND_CONTACT || link.points > POINTS_MOST) continue;
        sis_state_contact(v->tone->system, v->state, i, depth, NULL);
        for (int32_t j = 0; j < link.points; j++)
            touching += depth[j] > 0;
    }
    return touching;
}

// One voice a block: it is not for nothing.
static void look_at_one(sis_live* live) {
    const sis_stage* s = &live->engine->stage;
    if (s->count == 0) return;
    sis_voice* v = s->voices[live->looked_at++ % (uint32_t)s->count];
    if (!v->state) return;
    sis_energy e = sis_state_energy(v->tone->system, v->state);
    double scale = fmax(fmax(e.total, fabs(e.supplied)), e.dissipated);
    double residual = scale > 0 ? fabs(e.residual) / scale : 0;
    v->residual = isfinite(residual) ? residual : 0;
    v->touching = count_touching(v);
}

// Of the voices that sound, as far as they were looked at.
static void tell_looks(sis_live* live) {
    const sis_stage* s = &live->engine->stage;
    double residual = 0;
    int32_t touching = 0;
    look_at_one(live);
    for (int32_t i = 0; i < s->count; i++) {
        residual = fmax(residual, s->voices[i]->residual);
        touching += s->voices[i]->touching;
    }
    atomic_store(&live->told.residual, residual);
    atomic_store(&live->told.touching, touching);
}

static uint64_t sum_of(const sis_left_out* left) {
    return (uint64_t)(left->bends + left->pressures + left->controllers + left->programs);
}

// Of this engine and of those that have gone.
static void tell_counts(sis_live* live, const sis_stage_counts* now) {
    const sis_stage_counts* past = &live->past;
    sis_told* told = &live->told;
    uint64_t late_rows = now->late ? now->late_rows : past->late_rows;
    atomic_store(&told->stolen, (uint64_t)now->stolen + (uint64_t)past->stolen);
    atomic_store(&told->failed, (uint64_t)now->failed + (uint64_t)past->failed);
    atomic_store(&told->late, (uint64_t)now->late + (uint64_t)past->late);
    atomic_store(&told->late_ms, 1e3 * (double)late_rows / live->options.rate);
    atomic_store(&told->left_out, sum_of(&now->left_out) + sum_of(&past->left_out));
}

// Behind the last voice the filter has something left.
static int32_t count_fading(const sis_engine* e) {
    int32_t fading = e->idle < (uint64_t)e->delay;
    for (int32_t i = 0; i < e->stage.count; i++)
        fading += e->stage.voices[i]->cut != SIS_NEVER;
    return fading;
}

static int32_t count_all_fading(const sis_live* live) {
    int32_t fading = count_fading(live->engine);
    for (int32_t i = 0; i < live->leaving_count; i++)
        fading += count_fading(live->leaving[i]);
    return fading;
}

static void tell_voices(sis_live* live) {
    const sis_stage* s = &live->engine->stage;
    sis_told* told = &live->told;
    int32_t waiting = 0, place = 0;
    double stored = 0;
    for (int32_t i = 0; i < s->count; i++) {
        const sis_voice* v = s->voices[i];
        waiting += !v->state;
        stored += v->stored;
        if (place < SIS_SOUNDING_MOST)
            atomic_store_explicit(&live->sounding[place++], v->key * 128 + v->velocity,
                                  memory_order_relaxed);
    }
    if (place < SIS_SOUNDING_MOST) {
        int32_t last = atomic_load_explicit(&live->sounding[place], memory_order_relaxed);
        for (; place < SIS_SOUNDING_MOST && last >= 0; place++)
            atomic_store_explicit(&live->sounding[place], -1, memory_order_relaxed);
    }
    atomic_store(&told->waiting, waiting);
    atomic_store(&told->stored, stored);
    atomic_store(&told->voices, sis_stage_sounding(s, NULL));
    atomic_store(&told->fading, count_all_fading(live));
    tell_counts(live, &s->counts);
    if (live->options.audit) tell_looks(live);
}

void sis_live_tell(sis_live* live, int32_t frames, double seconds) {
    sis_told* told = &live->told;
    sis_polish* p = &live->polish;
    double load = seconds * live->options.rate / frames;
    double part = fmin(1, frames / (0.3 * live->options.rate));
    live->load_mean += part * (load - live->load_mean);
    live->played += (uint64_t)frames;
    for (int side = 0; side < 2; side++) {
        tell_most(&told->peak[side], p->peak[side]);
        atomic_store(&told->rms[side], sqrt(p->square[side]));
        p->peak[side] = 0;
    }
    tell_most(&told->load_max, load);
    tell_most(&told->limited, p->lowest < 1 ? -20 * log10(p->lowest) : 0);
    p->lowest = 1;
    atomic_store(&told->load, live->load_mean);
    atomic_store(&told->limited_frames, p->limited);
    atomic_store(&told->guarded, live->guarded);
    atomic_store(&told->wrong, live->wrong);
    atomic_store(&told->frames, live->played);
    atomic_store(&told->keys, SIS_NOTES - live->free_count);
    if (live->engine) tell_voices(live);
}

// ---------------------------------------------------------------------------- who asks

void sis_live_status_read(sis_live* live, sis_live_status* s) {
    sis_told* told = &live->told;
    *s = (sis_live_status){.load = atomic_load(&told->load),
                           .load_max = atomic_exchange(&told->load_max, 0),
                           .limited = atomic_exchange(&told->limited, 0),
                           .residual = atomic_load(&told->residual),
                           .stored = atomic_load(&told->stored),
                           .voices = atomic_load(&told->voices),
                           .fading = atomic_load(&told->fading),
                           .keys = atomic_load(&told->keys),
                           .waiting = atomic_load(&told->waiting),
                           .touching = atomic_load(&told->touching),
                           .stolen = atomic_load(&told->stolen),
                           .guarded = atomic_load(&told->guarded),
                           .failed = atomic_load(&told->failed),
                           .late = atomic_load(&told->late),
                           .left_out = atomic_load(&told->left_out),
                           .wrong = atomic_load(&told->wrong),
                           .limited_frames = atomic_load(&told->limited_frames),
                           .late_ms = atomic_load(&told->late_ms),
                           .frames = atomic_load(&told->frames),
                           .loads = atomic_load(&told->loads),
                           .generation = atomic_load(&told->generation)};
    for (int side = 0; side < 2; side++) {
        s->peak[side] = atomic_exchange(&told->peak[side], 0);
        s->rms[side] = atomic_load(&told->rms[side]);
    }
}
