// A cascade of linear-phase low-pass filters that keep every q-th value.
//
// y[m] = sum_k h[|k|] x[m q + k], |k| <= L: known when x[m q + L] has come. With stages of factors
// q_1, q_2, ... the row m of the last is known at the step m o + D, o = q_1 q_2 ...,
// D = L_1 + q_1 L_2 + q_1 q_2 L_3 ...: in every o steps one row becomes known, D / o rows late.
//
// h is a sinc with its zeros at multiples of q (so that they cost nothing) under a Kaiser window.
// In units of the output rate of the whole cascade, a stage passes up to PASS and stops from r -
// PASS on, r its own output rate: what lies between folds onto frequencies that the next stage or
// nobody's ear keeps.
#include "sistrum/downsample.h"

#include "base/wide.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sistrum/elementary.h"

#define PASS     0.454 // of the output rate: 20.02 kHz at 44.1 kHz
#define STOP_DB  112.0
#define PI       3.14159265358979323846
#define STAGES   10 // 2^10 = 1024
#define CHANNELS 64

typedef struct stage {
    int32_t factor, reach; // q, L
    int32_t wait;          // inputs until the next output
    int32_t place;         // where the newest input goes
    int32_t first_tap;     // h[0..L] in numbers[]
    int32_t
        first_past; // [channels][2 (2 L + 1)] in numbers[]: twice, so that a window is in one piece
} stage;

struct sis_downsampler {
    int32_t factor, channels, stages, delay;
    int32_t started;
    int32_t spare;
    stage stage[STAGES];
    double numbers[]; // taps and pasts
};

// Prime factors, the largest first; returns how many.
static int32_t prime_factors(int32_t factor, int32_t primes[STAGES]) {
    int32_t count = 0;
    for (int32_t p = 2; factor > 1; p++)
        for (; factor % p == 0; factor /= p)
            primes[count++] = p;
    for (int32_t i = 0; i < count / 2; i++) {
        int32_t swapped = primes[i];
        primes[i] = primes[count - 1 - i];
        primes[count - 1 - i] = swapped;
    }
    return count;
}

// L of Kaiser's rule for a stage whose output rate is `rate` times that of the cascade.
static int32_t reach_of(int32_t factor, int32_t rate) {
    double width = 2 * PI * (rate - 2 * PASS) / ((double)rate * factor); // rad a step
    return (int32_t)ceil(0.5 * (STOP_DB - 7.95) / (2.285 * width));
}

// Lays out a downsampler; returns its size in bytes.
static size_t plan(sis_downsampler* head, int32_t factor, int32_t channels) {
    int32_t primes[STAGES] = {0}, rate = factor, numbers = 0, scale = 1;
    int64_t late = 0, first = 0; // steps; index of the first input of a stage
    *head = (sis_downsampler){.factor = factor, .channels = channels};
    head->stages = prime_factors(factor, primes);
    for (int32_t i = 0; i < head->stages; i++) {
        stage* s = &head->stage[i];
        rate /= primes[i];
        *s = (stage){.factor = primes[i], .reach = reach_of(primes[i], rate)};
        s->first_tap = numbers;
        numbers += s->reach + 1;
        s->first_past = numbers;
        numbers += channels * 2 * (2 * s->reach + 1);
        // The first output is that of the first input n >= first with n = L modulo q.
        int64_t q = s->factor, over = (s->reach - first) % q;
        s->wait = (int32_t)((over + q) % q) + 1;
        first = (first + s->wait - 1 - s->reach) / q; // exact
        late += (int64_t)scale * s->reach;
        scale *= s->factor;
    }
    head->delay = (int32_t)(late / factor);
    return sizeof *head + (size_t)numbers * sizeof(double);
}

static bool in_range(int32_t factor, int32_t channels) {
    return factor >= 1 && factor <= SIS_DOWNSAMPLE_MAX && channels >= 1 && channels <= CHANNELS;
}

size_t sis_downsampler_size(int32_t factor, int32_t channels) {
    sis_downsampler head;
    return in_range(factor, channels) ? plan(&head, factor, channels) : 0;
}

// I_0(x) = sum ((x/2)^k / k!)^2.
static double bessel(double x) {
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-18 * sum; k++) {
        double part = 0.5 * x / k;
        term *= part * part;
        sum += term;
    }
    return sum;
}

// Taps of a stage, their sum 1.
static void design(const stage* s, double* tap) {
    double beta = 0.1102 * (STOP_DB - 8.7), whole = bessel(beta), sum = 0;
    for (int32_t k = 0; k <= s->reach; k++) {
        double along = (double)k / (s->reach + 1), q = s->factor;
        double window = bessel(beta * sqrt((1 - along) * (1 + along))) / whole;
        double sinc = k == 0 ? 1 : k % s->factor == 0 ? 0 : sis_sin(PI * k / q) / (PI * k / q);
        tap[k] = sinc * window;
        sum += k ? 2 * tap[k] : tap[k];
    }
    for (int32_t k = 0; k <= s->reach; k++)
        tap[k] /= sum;
}

sis_downsampler* sis_downsampler_init(int32_t factor, int32_t channels, void* memory) {
    if (!memory || !in_range(factor, channels)) return NULL;
    sis_downsampler* d = memory;
    size_t size = plan(d, factor, channels);
    memset(d->numbers, 0, size - sizeof *d);
    for (int32_t i = 0; i < d->stages; i++)
        design(&d->stage[i], d->numbers + d->stage[i].first_tap);
    return d;
}

int32_t sis_downsampler_delay(const sis_downsampler* d) {
    return d->delay;
}

void sis_downsampler_reset(sis_downsampler* d) {
    sis_downsampler head;
    plan(&head, d->factor, d->channels);
    memcpy(d->stage, head.stage, sizeof d->stage);
    d->started = false;
}

// Every past is the first value, which every stage passes as it is.
static void rest_at(sis_downsampler* d, const double* step) {
    for (int32_t i = 0; i < d->stages; i++) {
        const stage* s = &d->stage[i];
        int32_t length = 2 * (2 * s->reach + 1);
        double* past = d->numbers + s->first_past;
        for (int32_t c = 0; c < d->channels; c++)
            for (int32_t k = 0; k < length; k++)
                past[c * length + k] = step[c];
    }
    d->started = true;
}

// The window of 2 L + 1 inputs that begins at x: those at equal distances from its middle share a
// tap.
static double filtered(const stage* s, const double* tap, const double* x) {
    const double* middle = x + s->reach;
    double sum[2] = {tap[0] * middle[0], 0};
    if (s->factor == 2) {
        for (int32_t k = 1; k <= s->reach; k += 2)
            sum[k >> 1 & 1] += tap[k] * (middle[-k] + middle[k]);
    } else {
        for (int32_t k = 1; k <= s->reach; k++)
            sum[k & 1] += tap[k] * (middle[-k] + middle[k]);
    }
    return sum[0] + sum[1];
}

// One input of a stage into `value`; true: `value` now holds its next output.
static bool take(sis_downsampler* d, stage* s, double* value) {
    int32_t window = 2 * s->reach + 1;
    double* past = d->numbers + s->first_past;
    for (int32_t c = 0; c < d->channels; c++) {
        past[c * 2 * window + s->place] = value[c];
        past[c * 2 * window + s->place + window] = value[c];
    }
    s->place = s->place + 1 == window ? 0 : s->place + 1;
    if (--s->wait > 0) return false;
    s->wait = s->factor;
    for (int32_t c = 0; c < d->channels; c++)
        value[c] = filtered(s, d->numbers + s->first_tap, past + c * 2 * window + s->place);
    return true;
}

int32_t sis_downsampler_run(sis_downsampler* d, const double* steps, int32_t count, double* rows) {
    int32_t made = 0;
    double value[CHANNELS];
    for (int32_t n = 0; n < count; n++, steps += d->channels) {
        if (!d->started) rest_at(d, steps);
        memcpy(value, steps, (size_t)d->channels * sizeof *value);
        bool through = true;
        for (int32_t i = 0; i < d->stages && through; i++)
            through = take(d, &d->stage[i], value);
        if (!through) continue;
        memcpy(rows, value, (size_t)d->channels * sizeof *value);
        rows += d->channels;
        made++;
    }
    return made;
}
