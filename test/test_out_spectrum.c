// Spectra: the transform, where partials are found and how strong, and what is no partial.

#include "check.h"
#include "fourier.h"
#include "spectrum.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static uint64_t seed = 20140725;

/** A number between 0 and 1. */
static double dice(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double between(double low, double high) {
    return low * exp(dice() * log(high / low));
}

static void the_transform_is_the_sum_that_defines_it(void) {
    enum { SIZE = 64 };
    double re[SIZE], im[SIZE], x[SIZE], y[SIZE];
    for (int i = 0; i < SIZE; i++) {
        x[i] = re[i] = dice() - 0.5;
        y[i] = im[i] = dice() - 0.5;
    }
    sis_fourier(re, im, SIZE);
    for (int k = 0; k < SIZE; k++) {
        double a = 0, b = 0;
        for (int n = 0; n < SIZE; n++) {
            double c = cos(2 * pi * k * n / SIZE), s = -sin(2 * pi * k * n / SIZE);
            a += x[n] * c - y[n] * s;
            b += x[n] * s + y[n] * c;
        }
        CHECK(fabs(a - re[k]) < 1e-12 && fabs(b - im[k]) < 1e-12);
    }
    CHECK(sis_fourier_size(64, 64) == 64 && sis_fourier_size(65, 64) == 128);
}

typedef struct partial {
    double frequency, amplitude, phase;
} partial;

/** The spectrum of partials on an offset, in windows of `window` rows. */
static sis_spectrum measure(const partial* parts, int count, double offset, double rate,
                            uint64_t rows, uint64_t window) {
    sis_spectrum s;
    CHECK(sis_spectrum_open(&s, rate, rows, window, NULL));
    for (uint64_t n = 0; n < rows + 7; n++) {
        double value = offset;
        for (int i = 0; i < count; i++)
            value += parts[i].amplitude *
                     sin(2 * pi * parts[i].frequency * (double)n / rate + parts[i].phase);
        sis_spectrum_add(&s, value);
    }
    sis_spectrum_finish(&s);
    CHECK(s.done == s.windows && s.fed == rows);
    return s;
}

/** Of one partial: within 1/50 of a bin and 0.1 dB, whatever rate, length and offset. */
static void a_partial_is_found_between_the_bins(void) {
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int trial = 0; trial < 60; trial++) {
        double rate = rates[trial % 4];
        uint64_t window = (uint64_t)between(300, 20000);
        uint64_t rows = window + (uint64_t)(dice() * 3 * (double)window);
        double bin = rate / (double)window;
        partial one = {between(12 * bin, 0.45 * rate), between(1e-6, 1e3), 6 * dice()};
        sis_spectrum s = measure(&one, 1, 50 * one.amplitude, rate, rows, window);
        sis_peak peaks[8];
        int32_t count = sis_spectrum_peaks(&s, 60, peaks, 8);
        CHECK(count == 1);
        CHECK(fabs(peaks[0].frequency - one.frequency) < 0.02 * bin);
        double level = sis_spectrum_largest(&s) * pow(10, peaks[0].level / 20);
        CHECK(fabs(20 * log10(level / one.amplitude)) < 0.1);
        sis_spectrum_close(&s);
    }
}

static void a_weak_partial_is_seen_beside_a_strong_one(void) {
    for (int trial = 0; trial < 8; trial++) {
        double f = between(200, 2000);
        partial two[] = {{f, 1, 6 * dice()}, {f * between(1.02, 4), 2e-3, 6 * dice()}};
        sis_spectrum s = measure(two, 2, 0, 44100, 88200, 44100);
        sis_peak peaks[8];
        CHECK(s.windows == 3);
        CHECK(sis_spectrum_peaks(&s, 60, peaks, 8) == 2);
        CHECK(fabs(peaks[0].frequency - two[0].frequency) < 0.05);
        CHECK(fabs(peaks[1].frequency - two[1].frequency) < 0.05);
        CHECK(fabs(peaks[1].level - 20 * log10(2e-3)) < 0.1);
        CHECK(sis_spectrum_peaks(&s, 50, peaks, 8) == 1); // 54 dB below
        CHECK(sis_spectrum_peaks(&s, 60, peaks, 1) == 1); // the stronger one
        sis_spectrum_close(&s);
    }
}

static void noise_silence_and_rest_have_no_partial(void) {
    sis_peak peaks[8];
    for (int trial = 0; trial < 10; trial++) {
        sis_spectrum s;
        uint64_t rows = 2000 + (uint64_t)(dice() * 60000);
        CHECK(sis_spectrum_open(&s, 44100, rows, rows / (uint64_t)(1 + trial % 3), NULL));
        for (uint64_t n = 0; n < rows; n++)
            sis_spectrum_add(&s, dice() + dice() + dice() - 1.5);
        sis_spectrum_finish(&s);
        CHECK(sis_spectrum_peaks(&s, 60, peaks, 8) == 0);
        sis_spectrum_close(&s);
    }
    sis_spectrum s = measure(NULL, 0, 0, 44100, 1000, 500);
    CHECK(sis_spectrum_largest(&s) == 0 && sis_spectrum_peaks(&s, 60, peaks, 8) == 0);
    sis_spectrum_close(&s);
}

static void a_signal_of_a_few_rows_is_no_trouble(void) {
    for (uint64_t rows = 1; rows < 20; rows++)
        for (uint64_t window = 1; window <= rows; window++) {
            partial one = {1000, 1, 1};
            sis_spectrum s = measure(&one, 1, 1, 44100, rows, window);
            sis_peak peaks[8];
            CHECK(isfinite(sis_spectrum_largest(&s)));
            CHECK(sis_spectrum_peaks(&s, 60, peaks, 8) <= 1);
            sis_spectrum_close(&s);
        }
}

int main(void) {
    RUN(the_transform_is_the_sum_that_defines_it);
    RUN(a_partial_is_found_between_the_bins);
    RUN(a_weak_partial_is_seen_beside_a_strong_one);
    RUN(noise_silence_and_rest_have_no_partial);
    RUN(a_signal_of_a_few_rows_is_no_trouble);
    return CHECK_REPORT();
}
