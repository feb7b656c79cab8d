#include "polish.h"

#include "sistrum/elementary.h"

#include <float.h>
#include <math.h>

#define LARGEST ((double)FLT_MAX)
#define CEILING 0.98855309465693890 // -0.1 dB

void sis_polish_start(sis_polish* p, double rate, double gain) {
    bool dc = p->dc_blocker, limiter = p->limiter;
    *p = (sis_polish){.gain = gain, .target = gain, .held = 1, .lowest = 1};
    p->dc_blocker = dc;
    p->limiter = limiter;
    p->glide = 1 - sis_exp(-5 / (0.02 * rate));                // 20 ms
    p->keep = sis_exp(-2 * 3.14159265358979323846 * 5 / rate); // 5 Hz
    p->recover = 1 - sis_exp(-1 / (0.1 * rate));               // 100 ms
    p->window = 1 - sis_exp(-1 / (0.3 * rate));                // 300 ms
}

// It gets there, so that a gain of 1 changes no bit.
static void glide(sis_polish* p) {
    if (p->gain == p->target) return;
    p->gain += p->glide * (p->target - p->gain);
    if (fabs(p->gain - p->target) <= 1e-6 * fabs(p->target) + 1e-12) p->gain = p->target;
}

static double blocked(sis_polish* p, int side, double x) {
    double y = x - p->past_in[side] + p->keep * p->past_out[side];
    if (fabs(y) < DBL_MIN) y = 0;
    p->past_in[side] = x;
    p->past_out[side] = y;
    return y;
}

// Both sides by one factor: down at once, up slowly.
static double limited(sis_polish* p, const double* pair) {
    double most = fmax(fabs(pair[0]), fabs(pair[1]));
    p->held += p->recover * (1 - p->held);
    if (1 - p->held < 1e-6) p->held = 1;
    if (most * p->held > CEILING) p->held = CEILING / most;
    if (p->held < 1) p->limited++;
    if (p->held < p->lowest) p->lowest = p->held;
    return p->held;
}

static void meter(sis_polish* p, const double* pair) {
    for (int side = 0; side < 2; side++) {
        p->peak[side] = fmax(p->peak[side], fabs(pair[side]));
        p->square[side] += p->window * (pair[side] * pair[side] - p->square[side]);
        if (p->square[side] < 1e-30) p->square[side] = 0;
    }
}

static double within_float(double x) {
    if (!(fabs(x) < LARGEST)) return isnan(x) ? 0 : copysign(LARGEST, x);
    return x;
}

void sis_polish_run(sis_polish* p, double* pairs, int32_t frames, float* const* out) {
    for (int32_t n = 0; n < frames; n++) {
        double* pair = pairs + 2 * n;
        glide(p);
        for (int side = 0; side < 2; side++) {
            pair[side] = within_float(pair[side] * p->gain);
            if (p->dc_blocker) pair[side] = blocked(p, side, pair[side]);
        }
        if (p->limiter) {
            double factor = limited(p, pair);
            pair[0] *= factor;
            pair[1] *= factor;
        }
        meter(p, pair);
        for (int side = 0; side < 2; side++)
            if (out[side]) out[side][n] = (float)within_float(pair[side]);
    }
}
