#include "spectrum.h"

#include "fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LEAST 64
#define PADDED     2    // times the window: bins are then close enough for the tops of partials
#define LOBE       4    // rate/window, from the middle of a partial to its foot
#define PROMINENT  9.0  // dB that a peak rises above the valleys that part it from higher ones
#define OUTSTANDS  17.0 // dB that it rises above the median around it; of noise it is about 10
#define AROUND     101  // bins that the median is taken of
#define CANDIDATES 4000 // maxima that are looked at, strongest first

static size_t bins_of(const sis_spectrum* s) {
    return s->size / 2 + 1;
}

/** Bins from the middle of a partial to its foot. */
static size_t lobe_of(const sis_spectrum* s) {
    return (LOBE * s->size + s->window - 1) / s->window;
}

double sis_spectrum_frequency(const sis_spectrum* s, size_t k) {
    return s->rate * (double)k / (double)s->size;
}

// ---------------------------------------------------------------------------- windows

bool sis_spectrum_open(sis_spectrum* s, double rate, uint64_t rows, uint64_t window,
                       sis_fault* fault) {
    *s = (sis_spectrum){.rate = rate, .rows = rows, .window = window};
    s->size = sis_fourier_size(PADDED * s->window, SIZE_LEAST);
    uint64_t half = (window + 1) / 2;
    s->windows = 1 + (rows - window + half - 1) / half;
    s->ring = calloc(s->window, sizeof *s->ring);
    s->taper = calloc(s->window, sizeof *s->taper);
    s->re = calloc(s->size, sizeof *s->re);
    s->im = calloc(s->size, sizeof *s->im);
    s->amplitude = calloc(bins_of(s), sizeof *s->amplitude);
    if (!s->ring || !s->taper || !s->re || !s->im || !s->amplitude)
        return sis_fault_no_memory(fault);
    for (size_t i = 0; i < s->window; i++)
        s->taper_sum += s->taper[i] = sis_taper(i, s->window);
    return true;
}

void sis_spectrum_close(sis_spectrum* s) {
    free(s->ring);
    free(s->taper);
    free(s->re);
    free(s->im);
    free(s->amplitude);
    *s = (sis_spectrum){0};
}

/** Adds the power of the last `window` rows. */
static void add_window(sis_spectrum* s) {
    double mean = 0;
    size_t oldest = (size_t)(s->fed % s->window);
    memset(s->re, 0, s->size * sizeof *s->re);
    memset(s->im, 0, s->size * sizeof *s->im);
    for (size_t i = 0; i < s->window; i++) {
        s->re[i] = s->ring[(oldest + i) % s->window];
        mean += s->taper[i] * s->re[i];
    }
    mean /= s->taper_sum;
    for (size_t i = 0; i < s->window; i++)
        s->re[i] = s->taper[i] * (s->re[i] - mean);
    sis_fourier(s->re, s->im, s->size);
    for (size_t k = 0; k < bins_of(s); k++)
        s->amplitude[k] += s->re[k] * s->re[k] + s->im[k] * s->im[k];
    s->done++;
}

/** Rows that the next window needs: windows lie evenly, the first at the start, the last at the
 *  end. */
static uint64_t complete_at(const sis_spectrum* s) {
    double share = s->windows > 1 ? (double)s->done / (double)(s->windows - 1) : 0;
    return s->window + (uint64_t)(share * (double)(s->rows - s->window) + 0.5);
}

void sis_spectrum_add(sis_spectrum* s, double value) {
    if (s->fed >= s->rows) return;
    s->ring[s->fed++ % s->window] = value;
    if (s->done < s->windows && s->fed == complete_at(s)) add_window(s);
}

void sis_spectrum_finish(sis_spectrum* s) {
    if (!s->done) add_window(s); // the rows that are missing are 0
    for (size_t k = 0; k < bins_of(s); k++)
        s->amplitude[k] = 2 * sqrt(s->amplitude[k] / (double)s->done) / s->taper_sum;
}

// ---------------------------------------------------------------------------- peaks

typedef struct maximum {
    size_t k;
    double amplitude;
} maximum;

static int stronger_first(const void* a, const void* b) {
    const maximum *p = a, *q = b;
    return (p->amplitude < q->amplitude) - (p->amplitude > q->amplitude);
}

static int smaller_first(const void* a, const void* b) {
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/** Whether bin k is the largest within a lobe to both sides. */
static bool is_maximum(const sis_spectrum* s, size_t k) {
    size_t lobe = lobe_of(s);
    for (size_t i = k - lobe; i <= k + lobe; i++)
        if (s->amplitude[i] > s->amplitude[k]) return false;
    return s->amplitude[k] > s->amplitude[k - 1]; // of a plateau its first bin
}

/** The lowest amplitude on the way from bin k by `way` to the next higher one, or to the end. */
static double valley(const sis_spectrum* s, size_t k, int way) {
    double lowest = s->amplitude[k];
    for (size_t i = k; i > 0 && i < bins_of(s) - 1;) {
        i = way > 0 ? i + 1 : i - 1;
        if (s->amplitude[i] > s->amplitude[k]) break;
        lowest = fmin(lowest, s->amplitude[i]);
    }
    return lowest;
}

/** Median of some bins within a sixth of an octave, or a few lobes, to both sides. */
static double median_around(const sis_spectrum* s, size_t k) {
    size_t least = 6 * lobe_of(s), reach = k / 8 > least ? k / 8 : least, count = 0;
    size_t from = k > reach ? k - reach : 1;
    size_t to = k + reach < bins_of(s) - 1 ? k + reach : bins_of(s) - 1;
    double sample[AROUND];
    for (; count < AROUND; count++)
        sample[count] = s->amplitude[from + (to - from) * count / (AROUND - 1)];
    qsort(sample, count, sizeof *sample, smaller_first);
    return sample[count / 2];
}

static bool stands_out(const sis_spectrum* s, size_t k) {
    double a = s->amplitude[k];
    double foot = fmax(valley(s, k, -1), valley(s, k, 1));
    return a > foot * pow(10, PROMINENT / 20) && a > median_around(s, k) * pow(10, OUTSTANDS / 20);
}

/** Where the top of the maximum at bin k lies, in bins, and how high it is. The lobe of the taper
 * is nearly a Gaussian: its logarithm is a parabola, here through three bins. */
static double top_at(const sis_spectrum* s, size_t k, double* height) {
    double before = log(s->amplitude[k - 1]), at = log(s->amplitude[k]),
           after = log(s->amplitude[k + 1]);
    double bend = before - 2 * at + after;
    double shift = bend < 0 ? 0.5 * (before - after) / bend : 0;
    if (!(fabs(shift) <= 1)) shift = 0; // a neighbour that is 0
    *height = shift == 0 ? s->amplitude[k] : exp(at - 0.25 * (before - after) * shift);
    return (double)k + shift;
}

double sis_spectrum_largest(const sis_spectrum* s) {
    size_t best = 0;
    for (size_t k = 1; k < bins_of(s); k++)
        if (s->amplitude[k] > s->amplitude[best]) best = k;
    double most = s->amplitude[best];
    if (best > 0 && best + 1 < bins_of(s)) top_at(s, best, &most);
    return most;
}

static sis_peak peak_at(const sis_spectrum* s, size_t k, double largest) {
    double height = 0, bin = top_at(s, k, &height);
    return (sis_peak){.frequency = s->rate * bin / (double)s->size,
                      .level = 20 * log10(height / largest)};
}

static size_t find_maxima(const sis_spectrum* s, double least, maximum* found) {
    size_t count = 0, lobe = lobe_of(s);
    for (size_t k = lobe; k + lobe < bins_of(s); k++)
        if (s->amplitude[k] > least && is_maximum(s, k))
            found[count++] = (maximum){k, s->amplitude[k]};
    qsort(found, count, sizeof *found, stronger_first);
    return count < CANDIDATES ? count : CANDIDATES;
}

int32_t sis_spectrum_peaks(const sis_spectrum* s, double range, sis_peak* peaks, int32_t most) {
    double largest = sis_spectrum_largest(s);
    maximum* found = largest > 0 ? malloc(bins_of(s) * sizeof *found) : NULL;
    if (!found) return 0;
    size_t candidates = find_maxima(s, largest * pow(10, -range / 20), found);
    int32_t count = 0;
    for (size_t i = 0; i < candidates && count < most; i++)
        if (stands_out(s, found[i].k)) peaks[count++] = peak_at(s, found[i].k, largest);
    free(found);
    return count;
}
