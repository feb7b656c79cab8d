// The filter of oversampled sound: flat where we hear, 100 dB down where it would fold there, the
// same samples however they are fed, and its delay as told.
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "sistrum/downsample.h"

#define TAU 6.283185307179586

static const int32_t factors[] = {2, 3, 4, 5, 6, 7, 8, 16, 30, 49, 64};
enum { FACTORS = sizeof factors / sizeof factors[0] };

static sis_downsampler* make(int32_t factor, int32_t channels) {
    size_t size = sis_downsampler_size(factor, channels);
    sis_downsampler* d = sis_downsampler_init(factor, channels, malloc(size));
    CHECK(size > 0 && d != NULL);
    return d;
}

// Amplitude of a tone of `cycles` per row after the filter, from its last rows by two quadratures.
// What folds comes out at another frequency: the largest value is taken in its place.
static double gain(int32_t factor, double cycles, bool folds) {
    sis_downsampler* d = make(factor, 1);
    int32_t delay = sis_downsampler_delay(d), rows = 2 * delay + 600, made = 0;
    double re = 0, im = 0, most = 0;
    for (int32_t n = 0; n < rows * factor; n++) {
        double step = cos(TAU * cycles * n / factor + 0.3), row = 0;
        if (!sis_downsampler_run(d, &step, 1, &row)) continue;
        double time = made++ - delay;
        if (made <= rows - 400) continue;
        re += row * cos(TAU * cycles * time + 0.3) / 200;
        im += row * sin(TAU * cycles * time + 0.3) / 200;
        most = fmax(most, fabs(row));
    }
    CHECK(made == rows);
    free(d);
    if (!folds) CHECK_NEAR(im, 0, 1e-5); // no delay but the one told
    return folds ? most : re;
}

static void what_we_hear_stays_as_it_is(void) {
    double worst = 0;
    for (int i = 0; i < FACTORS; i++)
        for (int k = 1; k <= 9; k++) { // whole numbers of cycles in 400 rows
            double cycles = k < 9 ? 0.05 * k : 0.4535;
            double off = fabs(20 * log10(gain(factors[i], k < 9 ? cycles : 0.4525, false)));
            worst = fmax(worst, off);
        }
    printf("  at most %.1e dB off\n", worst);
    CHECK_NEAR(worst, 0, 1e-3);
}

static void what_folds_onto_what_we_hear_is_gone(void) {
    uint64_t seed = 5;
    double worst = -HUGE_VAL;
    for (int i = 0; i < FACTORS; i++)
        for (int k = 0; k < 24; k++) {
            // An image: n plus or minus something below 0.4535.
            double n = 1 + floor(random_unit(&seed) * (factors[i] / 2));
            double away = 0.4535 * (k < 4 ? 1 : 2 * random_unit(&seed) - 1);
            double cycles = k < 4 ? (1 + k / 2) - (k % 2 ? -away : away) : n + away;
            if (cycles >= 0.5 * factors[i]) continue;
            worst = fmax(worst, 20 * log10(gain(factors[i], cycles, true)));
        }
    printf("  at most %.1f dB\n", worst);
    CHECK(worst < -100);
}

static void samples_do_not_depend_on_how_they_are_fed(void) {
    enum { STEPS = 3000 };
    static double steps[2 * STEPS], once[2 * STEPS], parts[2 * STEPS];
    uint64_t seed = 9;
    for (int i = 0; i < 2 * STEPS; i++)
        steps[i] = random_unit(&seed) - 0.5;
    for (int i = 0; i < FACTORS; i++) {
        sis_downsampler* d = make(factors[i], 2);
        int32_t rows = sis_downsampler_run(d, steps, STEPS, once), made = 0;
        CHECK(rows >= STEPS / factors[i] && rows <= STEPS / factors[i] + 1);
        sis_downsampler_reset(d);
        for (int32_t n = 0; n < STEPS;) {
            int32_t count = (int32_t)(random_unit(&seed) * 50);
            if (count > STEPS - n) count = STEPS - n;
            made += sis_downsampler_run(d, steps + 2 * n, count, parts + 2 * made);
            n += count;
            CHECK(made == n / factors[i] || (n % factors[i] && made == n / factors[i] + 1));
        }
        CHECK(made == rows && memcmp(once, parts, (size_t)rows * 2 * sizeof *once) == 0);
        free(d);
    }
}

static void a_resting_signal_stays_at_rest(void) {
    for (int i = 0; i < FACTORS; i++) {
        sis_downsampler* d = make(factors[i], 1);
        double step = 0.73, row = 0;
        for (int n = 0; n < 100 * factors[i]; n++)
            if (sis_downsampler_run(d, &step, 1, &row)) CHECK_NEAR(row, step, 1e-14);
        free(d);
    }
}

static void factors_out_of_range_are_refused(void) {
    CHECK(sis_downsampler_size(0, 1) == 0 && sis_downsampler_size(1025, 1) == 0);
    CHECK(sis_downsampler_size(2, 0) == 0 && sis_downsampler_size(2, 65) == 0);
    CHECK(!sis_downsampler_init(2, 1, NULL) && sis_downsampler_delay(NULL) == 0);
    char* memory = malloc(sis_downsampler_size(2, 1) + 8);
    for (int off = 1; off < 8; off++)
        CHECK(!sis_downsampler_init(2, 1, memory + off));
    CHECK(sis_downsampler_init(2, 1, memory + 8));
    free(memory);
    sis_downsampler* d = make(1, 3); // a step is a row
    double step[3] = {1, 2, 3}, row[3] = {0};
    CHECK(sis_downsampler_delay(d) == 0 && sis_downsampler_run(d, step, 1, row) == 1);
    CHECK(row[0] == 1 && row[1] == 2 && row[2] == 3);
    free(d);
    for (int32_t factor = 1; factor <= SIS_DOWNSAMPLE_MAX; factor++) {
        d = make(factor, 1);
        CHECK(sis_downsampler_delay(d) <= 60);
        free(d);
    }
}

int main(void) {
    RUN(what_we_hear_stays_as_it_is);
    RUN(what_folds_onto_what_we_hear_is_gone);
    RUN(samples_do_not_depend_on_how_they_are_fed);
    RUN(a_resting_signal_stays_at_rest);
    RUN(factors_out_of_range_are_refused);
    return CHECK_REPORT();
}
