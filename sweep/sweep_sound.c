#include "sweep_sound.h"

#include "fourier.h"
#include "sistrum/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void sis_ear_free(sis_ear* ear) {
    free(ear->mono);
    free(ear->re);
    free(ear->im);
    free(ear->cosine);
    free(ear->sine);
    free(ear->taper);
    free(ear->levels);
    *ear = (sis_ear){.mono = NULL};
}

/** Room for `count` numbers. What was there is lost. */
static bool grow(double** array, size_t count) {
    free(*array);
    *array = malloc((count + 1) * sizeof **array);
    return *array != NULL;
}

bool sis_ear_hear(sis_ear* ear, const sis_heard* heard, sis_fault* fault) {
    size_t rows = (size_t)heard->rows, channels = (size_t)heard->channels;
    if (rows > ear->mono_room) {
        ear->mono_room = grow(&ear->mono, rows) ? rows : 0;
        if (!ear->mono_room) return sis_fault_no_memory(fault);
    }
    if (channels == 1) {
        memcpy(ear->mono, heard->frames, rows * sizeof *ear->mono);
        return true;
    }
    for (size_t n = 0; n < rows; n++) {
        double sum = 0;
        for (size_t c = 0; c < channels; c++)
            sum += heard->frames[n * channels + c];
        ear->mono[n] = sum / (double)channels;
    }
    return true;
}

// ---------------------------------------------------------------------------- levels

// Four at a time do not wait for each other; the order of additions is fixed.
double sis_heard_peak(const sis_heard* heard) {
    double peak[4] = {0};
    size_t count = (size_t)heard->rows * (size_t)heard->channels, i = 0;
    const double* x = heard->frames;
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++) {
            double size = fabs(x[i + j]);
            peak[j] = size > peak[j] ? size : peak[j];
        }
    for (; i < count; i++)
        peak[0] = fmax(peak[0], fabs(x[i]));
    return fmax(fmax(peak[0], peak[1]), fmax(peak[2], peak[3]));
}

/** The squares themselves might overflow or vanish: a power of two makes the peak about 1. */
double sis_heard_rms(const sis_heard* heard) {
    double peak = sis_heard_peak(heard), sum[4] = {0};
    size_t count = (size_t)heard->rows * (size_t)heard->channels, i = 0;
    const double* x = heard->frames;
    if (!(peak > 0) || !isfinite(peak) || !count) return peak;
    int exponent;
    frexp(peak, &exponent);
    double scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++)
            sum[j] += scale * x[i + j] * (scale * x[i + j]);
    for (; i < count; i++)
        sum[0] += scale * x[i] * (scale * x[i]);
    return sqrt(((sum[0] + sum[1]) + (sum[2] + sum[3])) / (double)count) / scale;
}

// ---------------------------------------------------------------------------- Fourier

static bool make_turns(sis_ear* ear, size_t size) {
    if (ear->turns >= size) return true; // of powers of two the larger has those of the smaller
    if (size > ear->turns_room) {
        ear->turns = ear->turns_room = 0;
        if (!grow(&ear->cosine, size / 2) || !grow(&ear->sine, size / 2)) return false;
        ear->turns_room = size;
    }
    for (size_t k = 0; k < size / 2; k++) {
        ear->cosine[k] = sis_cos(2 * pi * (double)k / (double)size);
        ear->sine[k] = sis_sin(2 * pi * (double)k / (double)size);
    }
    ear->turns = size;
    return true;
}

bool sis_ear_room(sis_ear* ear, size_t size, sis_fault* fault) {
    if (size <= ear->fourier_room) return true;
    ear->fourier_room = 0;
    if (!grow(&ear->re, size) || !grow(&ear->im, size)) return sis_fault_no_memory(fault);
    ear->fourier_room = size;
    return true;
}

bool sis_ear_fourier(sis_ear* ear, size_t size, sis_fault* fault) {
    if (!make_turns(ear, size)) return sis_fault_no_memory(fault);
    sis_fourier_by(ear->re, ear->im, size, ear->cosine, ear->sine, ear->turns);
    return true;
}

// ---------------------------------------------------------------------------- centroid

enum { WINDOW = 4096 };

bool sis_ear_hann(sis_ear* ear, size_t size, sis_fault* fault) {
    if (ear->taper_size == size) return true;
    if (size > ear->taper_room) {
        ear->taper_size = ear->taper_room = 0;
        if (!grow(&ear->taper, size)) return sis_fault_no_memory(fault);
        ear->taper_room = size;
    }
    for (size_t i = 0; i < size; i++)
        ear->taper[i] = 0.5 - 0.5 * sis_cos(2 * pi * ((double)i + 0.5) / (double)size);
    ear->taper_size = size;
    return true;
}

static double mean_of(const double* values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : 0;
}

/** A window that begins with row `at`, weighted; zeros where there is none. */
static void fill_window(const sis_ear* ear, uint64_t at, bool exists, double mean, double* to) {
    size_t size = exists ? ear->taper_size : 0;
    for (size_t i = 0; i < size; i++)
        to[i] = (ear->mono[at + i] - mean) * ear->taper[i];
    memset(to + size, 0, (WINDOW - size) * sizeof *to);
}

/** Two windows at a time, one as the real, one as the imaginary part: of both the power in bin k. */
static double pair_power(const sis_ear* ear, size_t k) {
    size_t m = (WINDOW - k) % WINDOW;
    double ar = ear->re[k] + ear->re[m], ai = ear->im[k] - ear->im[m];
    double br = ear->im[k] + ear->im[m], bi = ear->re[m] - ear->re[k];
    return 0.25 * ((ar * ar + ai * ai) + (br * br + bi * bi));
}

bool sis_heard_centroid(sis_ear* ear, const sis_heard* heard, double* hz, const char** why,
                        sis_fault* fault) {
    double power[WINDOW / 2 + 1] = {0}, sum = 0, weighted = 0;
    double mean = mean_of(ear->mono, (size_t)heard->rows);
    uint64_t size = heard->rows < WINDOW ? heard->rows : WINDOW, hop = WINDOW / 2;
    uint64_t windows = 1 + (heard->rows - size) / hop;
    if (!sis_ear_hann(ear, (size_t)size, fault) || !sis_ear_room(ear, WINDOW, fault)) return false;
    for (uint64_t w = 0; w < windows; w += 2) {
        fill_window(ear, w * hop, true, mean, ear->re);
        fill_window(ear, (w + 1) * hop, w + 1 < windows, mean, ear->im);
        if (!sis_ear_fourier(ear, WINDOW, fault)) return false;
        for (size_t k = 1; k <= WINDOW / 2; k++)
            power[k] += pair_power(ear, k);
    }
    for (size_t k = 1; k <= WINDOW / 2; k++) {
        double magnitude = sqrt(power[k]);
        sum += magnitude;
        weighted += magnitude * (double)k;
    }
    *hz = sum > 0 ? weighted / sum * heard->rate / WINDOW : (double)NAN;
    *why = "the sound is silent or constant";
    return true;
}

// ---------------------------------------------------------------------------- pitch

enum { PITCH_ROWS = 1 << 15 };

static size_t power_of_two(size_t least) {
    size_t size = 1;
    while (size < least)
        size *= 2;
    return size;
}

/** Autocorrelation of `count` rows into ear->re, unnormalised. */
static bool correlate(sis_ear* ear, const double* rows, size_t count, double mean,
                      sis_fault* fault) {
    size_t size = power_of_two(2 * count);
    if (!sis_ear_room(ear, size, fault)) return false;
    for (size_t i = 0; i < size; i++) {
        ear->re[i] = i < count ? rows[i] - mean : 0;
        ear->im[i] = 0;
    }
    if (!sis_ear_fourier(ear, size, fault)) return false;
    for (size_t k = 0; k < size; k++) {
        ear->re[k] = (ear->re[k] * ear->re[k] + ear->im[k] * ear->im[k]) / (double)size;
        ear->im[k] = 0;
    }
    return sis_ear_fourier(ear, size, fault); // the power is even: forwards is backwards
}

enum { TAPS = 16, FINE = 8 }; // of the kernel to each side; its points between two rows

/** ear->re becomes n(t) = 2 r(t)/m(t), -1 .. 1, where m(t) are the squares that r(t) is made of; for
 * half of the rows, and what is needed to look between them. */
static void normalise(sis_ear* ear, const double* rows, size_t count, double mean) {
    double m = 2 * ear->re[0];
    for (size_t t = 0; t < count / 2 + TAPS; t++) {
        double r = ear->re[t], first = rows[t] - mean, last = rows[count - 1 - t] - mean;
        ear->re[t] = m > 0 ? 2 * r / m : 0;
        m -= first * first + last * last;
    }
}

/** sin(pi x)/(pi x) under a Hann window, at x = i/FINE. */
static void make_kernel(double kernel[TAPS * FINE + 1]) {
    for (int i = 0; i <= TAPS * FINE; i++) {
        double x = (double)i / FINE;
        kernel[i] = (i ? sis_sin(pi * x) / (pi * x) : 1) * (0.5 + 0.5 * sis_cos(pi * x / TAPS));
    }
}

/** n at the lag t + part/FINE, |part| <= FINE. It is even. */
static double between_rows(const double* n, const double* kernel, size_t t, int part) {
    double sum = 0;
    for (int k = 1 - TAPS; k < TAPS; k++) {
        ptrdiff_t at = (ptrdiff_t)t + k;
        int away = abs(k * FINE - part);
        if (away < TAPS * FINE) sum += n[at < 0 ? -at : at] * kernel[away];
    }
    return sum;
}

/** A maximum of n between the rows. */
typedef struct summit {
    double lag, height;
} summit;

// The rows alone do not show how high it is where a period has few of them, or the sound partials far
// up: what is highest there may be a multiple of the period that happens to fall on a row.
static summit climb(const double* n, const double* kernel, size_t t) {
    int best = 0;
    double high = n[t];
    for (int step = FINE / 2; step; step /= 2)
        for (int side = -1, from = best; side <= 1; side += 2) {
            double value = between_rows(n, kernel, t, from + side * step);
            if (value <= high) continue;
            high = value;
            best = from + side * step;
        }
    double low = between_rows(n, kernel, t, best - 1), next = between_rows(n, kernel, t, best + 1);
    double bend = low - 2 * high + next, off = bend < 0 ? 0.5 * (low - next) / bend : 0;
    return (summit){(double)t + (best + off) / FINE, high - 0.25 * (low - next) * off};
}

static bool is_maximum(const double* n, size_t t) {
    return n[t] > 0 && n[t] > n[t - 1] && n[t] >= n[t + 1];
}

/** The lag of the first high maximum after the first dip below 0, between the rows; 0: none. */
static double best_lag(const double* n, size_t count) {
    double highest = 0, kernel[TAPS * FINE + 1];
    size_t from = 1;
    make_kernel(kernel);
    while (from < count && n[from] > 0)
        from++;
    for (size_t t = from; t + 1 < count; t++)
        if (is_maximum(n, t)) highest = fmax(highest, climb(n, kernel, t).height);
    for (size_t t = from; highest > 0.5 && t + 1 < count; t++) {
        summit top = is_maximum(n, t) ? climb(n, kernel, t) : (summit){0};
        if (top.height > 0.9 * highest) return top.lag;
    }
    return 0;
}

/** The phase of the partial near `f` in a window of `count` rows, and how strong it is. */
static double phase_at(const double* rows, size_t count, double f, double rate, double* amplitude) {
    double turn = 2 * pi * f / rate, c = sis_cos(turn), s = sis_sin(turn), x = 0, y = 0;
    double taper = 2 * pi / (double)count, tc = sis_cos(taper), ts = sis_sin(taper);
    double re = 1, im = 0, wr = sis_cos(taper / 2), wi = sis_sin(taper / 2);
    for (size_t i = 0; i < count; i++) {
        // Blackman-Harris by the angle's cosine and its multiples.
        double c2 = 2 * wr * wr - 1, c3 = wr * (2 * c2 - 1);
        double w = (0.35875 - 0.48829 * wr + 0.14128 * c2 - 0.01168 * c3) * rows[i];
        x += w * re;
        y -= w * im;
        double next = re * c - im * s;
        im = re * s + im * c;
        re = next;
        next = wr * tc - wi * ts;
        wi = wr * ts + wi * tc;
        wr = next;
    }
    *amplitude = 2 * sqrt(x * x + y * y) / (0.35875 * (double)count);
    return sis_atan2(y, x);
}

/** The frequency of the partial near f from how far its phase turns from one window of `size` rows to
 * the next; f where there is hardly a partial, or where so few periods fit into a window that the
 * next partial, or the mirror of this one beyond half of the rate, is in it too. */
static double refine_once(const double* rows, size_t size, double f, double rate, double loud) {
    double apart = (double)size / rate, first, second;
    if (!(f * apart >= 8) || !((rate - 2 * f) * apart >= 8)) return f;
    double turned = phase_at(rows + size, size, f, rate, &second);
    turned -= phase_at(rows, size, f, rate, &first);
    if (!(fmax(first, second) > 0.01 * loud)) return f;
    turned -= 2 * pi * (f * apart);
    turned -= 2 * pi * round(turned / (2 * pi));
    return f + turned / (2 * pi * apart);
}

/** From short windows, whose phases cannot be a turn off, to long ones, twice. */
static double refine(const double* rows, size_t count, double start, double rate, double loud) {
    double f = start;
    size_t most = count / 2, size = (size_t)fmin((double)(count / 32), 32 * rate / start);
    for (; size < most; size *= 4)
        f = refine_once(rows, size, f, rate, loud);
    for (int i = 0; i < 2; i++)
        f = refine_once(rows, most, f, rate, loud);
    return fabs(f / start - 1) < 0.02 ? f : start;
}

bool sis_heard_pitch(sis_ear* ear, const sis_heard* heard, double* hz, const char** why,
                     sis_fault* fault) {
    uint64_t begin = (uint64_t)fmin(0.05 * heard->rate, (double)heard->rows / 4);
    size_t count = (size_t)(heard->rows - begin);
    const double* rows = ear->mono + begin;
    if (count > PITCH_ROWS) count = PITCH_ROWS;
    *hz = (double)NAN;
    *why = "the sound is too short to have a pitch";
    if (count < 64) return true;
    double mean = mean_of(rows, count);
    if (!correlate(ear, rows, count, mean, fault)) return false;
    *why = "the sound is silent or constant";
    if (!(ear->re[0] > 0)) return true;
    double loud = sqrt(ear->re[0] / (double)count);
    normalise(ear, rows, count, mean);
    double lag = best_lag(ear->re, count / 2);
    *why = "the sound is not periodic";
    if (lag > 0) *hz = refine(rows, count, heard->rate / lag, heard->rate, loud);
    return true;
}

// ---------------------------------------------------------------------------- decay

/** dB of the mean square of each window, from its own mean; -infinity: silence. */
static double level_of(const double* rows, size_t count) {
    double mean = mean_of(rows, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (rows[i] - mean) * (rows[i] - mean);
    return sum > 0 ? 10 * sis_log10(sum / (double)count) : -(double)INFINITY;
}

double sis_heard_t60(const sis_ear* ear, const sis_heard* heard, const char** why) {
    size_t size = (size_t)fmax(8, fmin(0.025 * heard->rate, (double)heard->rows / 16));
    uint64_t windows = heard->rows / size, loudest = 0;
    double highest = -(double)INFINITY;
    *why = "the sound is silent or constant";
    for (uint64_t w = 0; w < windows; w++) {
        double level = level_of(ear->mono + w * size, size);
        if (level > highest) loudest = w;
        highest = fmax(highest, level);
    }
    if (!isfinite(highest)) return (double)NAN;
    double n = 0, st = 0, sl = 0, stt = 0, stl = 0;
    for (uint64_t w = loudest; w < windows; w++) {
        double level = level_of(ear->mono + w * size, size) - highest;
        if (!(level >= -60)) break;
        double t = (double)(w - loudest) * (double)size / heard->rate;
        n++;
        st += t;
        sl += level;
        stt += t * t;
        stl += t * level;
    }
    *why = "the sound is too short after its loudest moment to tell its decay";
    if (n < 3) return (double)NAN;
    double slope = (n * stl - st * sl) / (n * stt - st * st); // dB/s
    *why = "the sound does not die away";
    return slope < 0 ? -60 / slope : (double)NAN;
}
