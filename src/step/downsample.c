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
#include "wide/width.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sistrum/elementary.h"

#define PASS     0.454 // of the output rate: 20.02 kHz at 44.1 kHz
#define STOP_DB  112.0
#define PI       3.14159265358979323846
#define STAGES   10 // 2^10 = 1024
#define CHANNELS 64
#define ALIGN    8   // bytes
#define PIECE    256 // inputs taken at a time

// Inputs lie by their place modulo q, so that what neighbouring rows read lies side by side: input
// p is number p / q of list p % q. Row m has its middle in number m of the first list.
typedef struct stage {
    int32_t factor, reach; // q, L
    int32_t filled;        // inputs that are here
    int32_t next;          // number of the middle of the next row
    int32_t length;        // of a list
    int32_t first_tap;     // h[0..L] in numbers[]
    int32_t first_past;    // [channels][q][length] in numbers[]
    int32_t spare;
} stage;

struct sis_downsampler {
    int32_t factor, channels, stages, delay;
    int32_t started;
    int32_t width; // of the processor, see wide/width.h
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
        // The first row is that of the first input n >= first with n = L modulo q.
        int32_t q = s->factor, window = 2 * s->reach + 1;
        int32_t wait = (int32_t)(((s->reach - first) % q + q) % q) + 1;
        first = (first + wait - 1 - s->reach) / q; // exact
        // As many inputs before the start as its window needs, and its middle in the first list.
        s->next = (s->reach + q - 1) / q;
        s->filled = s->next * q + s->reach + 1 - wait;
        s->length = (2 * window + PIECE) / q + 2;
        numbers += channels * q * s->length;
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
    if (!memory || (uintptr_t)memory % ALIGN || !in_range(factor, channels)) return NULL;
    sis_downsampler* d = memory;
    size_t size = plan(d, factor, channels);
    memset(d->numbers, 0, size - sizeof *d);
    d->width = sis_widest();
    for (int32_t i = 0; i < d->stages; i++)
        design(&d->stage[i], d->numbers + d->stage[i].first_tap);
    return d;
}

int32_t sis_downsampler_delay(const sis_downsampler* d) {
    return d ? d->delay : 0;
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
        int32_t size = s->factor * s->length;
        double* past = d->numbers + s->first_past;
        for (int32_t c = 0; c < d->channels; c++)
            for (int32_t k = 0; k < size; k++)
                past[c * size + k] = step[c];
    }
    d->started = true;
}

// ---------------------------------------------------------------------------- rows

// Inputs at equal distances k = j q + r from a middle share a tap; those at multiples of q have
// none. The products go by turns into two sums. Rows side by side, each of which AT reads as one
// NUMBER, take the same steps as one alone: a row has the same bits however it was made.
#define DEFINE_ROWS(NAME, NUMBER, AT)                                                              \
    SIS_INLINE void NAME##_half(const stage* s, const double* tap, const double* middle,           \
                                double* to) {                                                      \
        const double *right = middle + s->length, *left = right - 1;                               \
        const int32_t pairs = (s->reach + 1) / 2;                                                  \
        NUMBER one = tap[0] * AT(middle), other = {0};                                             \
        int32_t j = 0;                                                                             \
        for (; j + 2 <= pairs; j += 2) {                                                           \
            one += tap[2 * j + 1] * (AT(left - j) + AT(right + j));                                \
            other += tap[2 * j + 3] * (AT(left - j - 1) + AT(right + j + 1));                      \
        }                                                                                          \
        if (j < pairs) one += tap[2 * j + 1] * (AT(left - j) + AT(right + j));                     \
        *(NUMBER*)to = one + other;                                                                \
    }                                                                                              \
    SIS_INLINE void NAME##_any(const stage* s, const double* tap, const double* middle,            \
                               double* to) {                                                       \
        const int32_t q = s->factor, length = s->length;                                           \
        NUMBER last = tap[0] * AT(middle), now = {0};                                              \
        for (int32_t j = 0, k = 1; k <= s->reach; j++)                                             \
            for (int32_t r = 1; r <= q && k <= s->reach; r++, k++) {                               \
                const double* left = middle + (q - r) * length - j - 1;                            \
                const double* right = middle + r * length + j;                                     \
                if (r < q) now += tap[k] * (AT(left) + AT(right));                                 \
                NUMBER turn = now;                                                                 \
                now = last;                                                                        \
                last = turn;                                                                       \
            }                                                                                      \
        *(NUMBER*)to = now + last;                                                                 \
    }

DEFINE_ROWS(one_row, double, SIS_ONE_AT)
#if defined(__GNUC__)
DEFINE_ROWS(four_rows, sis_four, SIS_FOUR_AT)
#endif

// The next `count` rows.
SIS_INLINE void make_rows(const stage* s, const double* tap, const double* past, int32_t count,
                          double* to) {
    const double* middle = past + s->next;
    int32_t m = 0;
#if defined(__GNUC__)
    if (s->factor == 2)
        for (; m + 4 <= count; m += 4)
            four_rows_half(s, tap, middle + m, to + m);
    else
        for (; m + 4 <= count; m += 4)
            four_rows_any(s, tap, middle + m, to + m);
#endif
    for (; m < count; m++)
        if (s->factor == 2)
            one_row_half(s, tap, middle + m, to + m);
        else
            one_row_any(s, tap, middle + m, to + m);
}

static void rows_anywhere(const stage* s, const double* tap, const double* past, int32_t count,
                          double* to) {
    make_rows(s, tap, past, count, to);
}

#if SIS_HAS_AVX2
__attribute__((target("avx2"))) static void
rows_by_avx2(const stage* s, const double* tap, const double* past, int32_t count, double* to) {
    make_rows(s, tap, past, count, to);
}
#endif

// ---------------------------------------------------------------------------- inputs

// What no row needs any more makes room; lists keep what is in them.
static void make_room(stage* s, double* past) {
    int32_t q = s->factor, old = s->next - (s->reach + q - 1) / q;
    for (int32_t r = 0; r < q; r++) {
        double* list = past + r * s->length;
        memmove(list, list + old, (size_t)(s->length - old) * sizeof *list);
    }
    s->next -= old;
    s->filled -= old * q;
}

static void put_in(stage* s, double* past, const double* values, int32_t count) {
    int32_t q = s->factor, number = s->filled / q, list = s->filled % q;
    for (int32_t i = 0; i < count; i++) {
        past[list * s->length + number] = values[i];
        if (++list < q) continue;
        list = 0;
        number++;
    }
    s->filled += count;
}

// At most PIECE inputs of a stage in `values`, of one channel, become its rows; returns how many.
static int32_t take(sis_downsampler* d, stage* s, int32_t channel, double* values, int32_t count) {
    const double* tap = d->numbers + s->first_tap;
    double* past = d->numbers + s->first_past + channel * s->factor * s->length;
    if (s->filled + count > s->factor * s->length) make_room(s, past);
    put_in(s, past, values, count);
    int32_t beyond = s->filled - s->reach - s->next * s->factor; // of the next middle's window
    int32_t rows = beyond > 0 ? (beyond - 1) / s->factor + 1 : 0;
#if SIS_HAS_AVX2
    if (d->width >= 4)
        rows_by_avx2(s, tap, past, rows, values);
    else
#endif
        rows_anywhere(s, tap, past, rows, values);
    s->next += rows;
    return rows;
}

int32_t sis_downsampler_run(sis_downsampler* d, const double* steps, int32_t count, double* rows) {
    const int32_t channels = d->channels;
    int32_t made = 0, all = 0;
    double values[PIECE];
    stage after[STAGES] = {0};
    if (count > 0 && !d->started) rest_at(d, steps);
    for (int32_t now; count > 0; count -= now, steps += now * channels, all += made) {
        now = count < PIECE ? count : PIECE;
        for (int32_t c = 0; c < channels; c++) { // each from the same stages
            memcpy(after, d->stage, (size_t)d->stages * sizeof *after);
            for (int32_t n = 0; n < now; n++)
                values[n] = steps[n * channels + c];
            made = now;
            for (int32_t i = 0; i < d->stages && made > 0; i++)
                made = take(d, &after[i], c, values, made);
            for (int32_t m = 0; m < made; m++)
                rows[m * channels + c] = values[m];
        }
        memcpy(d->stage, after, (size_t)d->stages * sizeof *after);
        rows += made * channels;
    }
    return all;
}
