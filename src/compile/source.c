// External forces in time.
#include "base/power.h"
#include "compile/system.h"

#include <math.h>

// How much of the sample's cell [t - k/2, t + k/2] lies in [start, end]. The cell of sample 0
// begins at 0. Sharp edges weighted this way give the force its exact impulse.
static double overlap(double n, double rate, double start, double end) {
    double low = n > 0 ? (n - 0.5) / rate : 0, high = (n + 0.5) / rate;
    double from = start > low ? start : low, to = end < high ? end : high;
    return to > from ? (to - from) / (high - low) : 0;
}

double sis_source_value(const force_source* source, uint64_t n, double rate) {
    double sample = (double)n, t = sample / rate - source->start;
    switch (source->shape) {
    case SIS_FORCE_IMPULSE:
        return n == source->sample ? source->peak * rate : 0;
    case SIS_FORCE_RAISED_COSINE:
        if (t < 0 || t > source->width) return 0;
        return 0.5 * source->peak * (1 - sis_cos_turns(t / source->width));
    case SIS_FORCE_HALF_COSINE: {
        double inside = t < 0 ? 0 : t > source->width ? 1 : t / source->width;
        double rise = 0.5 * source->peak * (1 - sis_cos_turns(0.5 * inside));
        return rise * overlap(sample, rate, source->start, source->start + source->width);
    }
    case SIS_FORCE_CONSTANT:
        if (isnan(source->width))
            return source->peak * overlap(sample, rate, source->start, HUGE_VAL);
        return source->peak * overlap(sample, rate, source->start, source->start + source->width);
    default:
        return source->peak * sis_envelope_at(source->envelope, t);
    }
}
