// External forces in time.
#include "base/power.h"
#include "step/system.h"

#include <math.h>

// How much of the sample's cell [t - k/2, t + k/2] lies in [start, end]. The cell of sample 0
// begins at 0. Sharp edges weighted this way give the force its exact impulse.
static double overlap(double n, double rate, double start, double end) {
    double low = n > 0 ? (n - 0.5) / rate : 0, high = (n + 0.5) / rate;
    double from = start > low ? start : low, to = end < high ? end : high;
    return to > from ? (to - from) / (high - low) : 0;
}

// The mean over the sample's cell of peak/2 (1 - cos 2 pi turns t/width), 0 <= t <= width: a force
// narrower than two samples keeps its impulse.
static double narrow(const force_source* source, double peak, double n, double rate, double turns) {
    double low = n > 0 ? (n - 0.5) / rate : 0, high = (n + 0.5) / rate, w = source->width;
    double from = fmax(low - source->start, 0), to = fmin(high - source->start, w);
    if (!(to > from)) return 0;
    double per_turn = w / (turns * 6.28318530717958647693); // integral of cos is its sine
    double sines = sis_cos_turns(turns * to / w - 0.25) - sis_cos_turns(turns * from / w - 0.25);
    return 0.5 * peak * ((to - from) - per_turn * sines) / (high - low);
}

static double value_at(const force_source* source, double peak, uint64_t n, double rate) {
    double sample = (double)n, t = sample / rate - source->start;
    switch (source->shape) {
    case SIS_FORCE_IMPULSE:
        return n == source->sample ? peak * rate : 0;
    case SIS_FORCE_RAISED_COSINE:
        if (source->width * rate < 2) return narrow(source, peak, sample, rate, 1);
        if (t < 0 || t > source->width) return 0;
        return 0.5 * peak * (1 - sis_cos_turns(t / source->width));
    case SIS_FORCE_HALF_COSINE: {
        if (source->width * rate < 2) return narrow(source, peak, sample, rate, 0.5);
        double inside = t < 0 ? 0 : t > source->width ? 1 : t / source->width;
        double rise = 0.5 * peak * (1 - sis_cos_turns(0.5 * inside));
        return rise * overlap(sample, rate, source->start, source->start + source->width);
    }
    case SIS_FORCE_CONSTANT:
        if (isnan(source->width)) return peak * overlap(sample, rate, source->start, HUGE_VAL);
        return peak * overlap(sample, rate, source->start, source->start + source->width);
    default:
        return peak * sis_envelope_at(source->envelope, t);
    }
}

double sis_source_value(const force_source* source, uint64_t n, double rate,
                        const input_state* inputs) {
    if (source->live.input < 0 && source->trigger < 0)
        return value_at(source, source->peak, n, rate);
    live_start start = live_since(source->trigger, inputs, n);
    if (start.blow == 0) return 0;
    // Sample 0 is the given state: an impulse there comes one sample later.
    if (source->trigger >= 0 && source->shape == SIS_FORCE_IMPULSE && start.since == n && n > 0)
        start.since--;
    const double peak = source->live.input < 0 ? source->peak : live_at(source->live, inputs);
    return start.blow * value_at(source, peak, start.since, rate);
}

static uint64_t sample_at(double time, double rate) {
    double n = time * rate;
    return !(n > 0) ? 0 : n < 1e15 ? (uint64_t)n : UINT64_MAX / 2;
}

void sis_source_span(force_source* source, double rate) {
    uint64_t begin = sample_at(source->start, rate), end = UINT64_MAX / 2;
    const int32_t points = source->shape == SIS_FORCE_ENVELOPE ? source->envelope.count : 0;
    const double *first = source->envelope.points, *last = first + 2 * (points - 1);
    if (source->shape == SIS_FORCE_IMPULSE)
        end = begin = source->sample;
    else if (source->shape == SIS_FORCE_ENVELOPE) // outside of its points it keeps their values
        begin = points && first[1] == 0 ? sample_at(source->start + first[0], rate) : 0;
    if (points && last[1] == 0)
        end = sample_at(source->start + last[0], rate);
    else if (source->shape != SIS_FORCE_ENVELOPE && !isnan(source->width))
        end = sample_at(source->start + source->width, rate);
    if (source->trigger >= 0) {
        begin = 0;
        end = UINT64_MAX / 2;
    }
    // Cells reach half a sample beyond their samples.
    source->from = begin < 2 ? 0 : begin - 2;
    source->until = end + 2;
}

// In its span, and in the sample after it, where what it has left is cleared.
static bool is_live(const force_source* source, uint64_t n) {
    return n >= source->from && n <= source->until + 1;
}

// External forces of sample n; gravity alone is in the state from the start.
bool sis_apply_sources(const sis_system* system, const state_view* view, uint64_t n) {
    double* F = view->motion.F;
    bool any = false;
    for (int32_t i = 0; i < system->source_count; i++) {
        const network_end* end = &system->sources[i].end;
        if (!is_live(&system->sources[i], n)) continue;
        any = true;
        for (int32_t j = 0; j < end->count; j++)
            F[network_dof(end, j)] = sis_weight_at(system, view, network_dof(end, j));
    }
    for (int32_t i = 0; any && i < system->source_count; i++)
        if (is_live(&system->sources[i], n))
            network_write(
                &system->sources[i].end,
                sis_source_value(&system->sources[i], n, system->rate, view->motion.inputs), F);
    return any;
}
