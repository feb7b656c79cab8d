// The search finds lowest points that are known, follows from seed and values alone, and knows when it is
// stuck. Distances of sounds: 0 from itself, whatever its gain and rate.

#include "check.h"
#include "sweep_draw.h"
#include "sweep_search.h"
#include "sweep_target.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------- the search

typedef double (*landscape)(const double* x, int32_t n, const double* at);

static double bowl(const double* x, int32_t n, const double* at) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += (x[i] - at[i]) * (x[i] - at[i]);
    return sqrt(sum);
}

/** A bowl that is a thousand times as steep one way as another, and turned. */
static double valley(const double* x, int32_t n, const double* at) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        double along = 0;
        for (int32_t j = 0; j < n; j++)
            along += cos(pi * (i + 0.5) * j / n) * (x[j] - at[j]);
        sum += along * along * pow(1e3, 2.0 * i / (n > 1 ? n - 1 : 1));
    }
    return sqrt(sum);
}

/** A bowl full of dents. */
static double dents(const double* x, int32_t n, const double* at) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        double off = 5 * (x[i] - at[i]);
        sum += off * off + 1 - cos(2 * pi * off);
    }
    return sum;
}

/** Runs until the value is reached; the number of points that took, 0: it was not. */
static uint64_t descend(landscape f, int32_t n, const double* at, uint64_t seed, double value,
                        uint64_t most) {
    sis_search* s = sis_search_new(n, seed);
    uint64_t count = 0;
    bool found = false;
    while (s && !found && count < most && !sis_search_over(s)) {
        const double* points;
        double values[1024];
        int32_t asked = sis_search_ask(s, &points);
        for (int32_t k = 0; k < asked; k++) {
            for (int32_t i = 0; i < n; i++)
                CHECK(points[k * n + i] >= 0 && points[k * n + i] <= 1);
            values[k] = f(points + (size_t)k * (size_t)n, n, at);
            found = found || values[k] <= value;
        }
        count += (uint64_t)asked;
        sis_search_tell(s, values);
    }
    sis_search_free(s);
    return found ? count : 0;
}

static void choose(double* at, int32_t n, uint64_t seed) {
    for (int32_t i = 0; i < n; i++)
        at[i] = sis_draw_at(SIS_DRAW_UNIFORM, 99, seed, 0, i);
}

static void it_finds_the_ground_of_a_bowl_and_of_a_turned_valley(void) {
    static const int32_t sizes[] = {1, 2, 3, 5, 12};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            double at[64];
            int32_t n = sizes[k];
            choose(at, n, seed);
            uint64_t most = 400 + 300 * (uint64_t)n;
            CHECK(descend(bowl, n, at, seed, 1e-5, most) > 0);
            if (n > 1) CHECK(descend(valley, n, at, seed, 1e-4, 4 * most) > 0);
        }
}

static void it_finds_a_corner(void) {
    const double at[] = {0, 1, 1, 0};
    for (uint64_t seed = 0; seed < 10; seed++)
        CHECK(descend(bowl, 4, at, seed, 1e-4, 3000) > 0);
}

static void it_leaves_dents_by_restarts(void) {
    int found = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double at[3];
        choose(at, 3, seed);
        found += descend(dents, 3, at, seed, 1e-6, 20000) > 0;
    }
    CHECK(found >= 18);
}

static double flat(const double* x, int32_t n, const double* at) {
    (void)x, (void)n, (void)at;
    return 1;
}

static double nowhere(const double* x, int32_t n, const double* at) {
    (void)x, (void)n, (void)at;
    return (double)NAN;
}

static void it_ends_where_there_is_nothing_to_find(void) {
    sis_search* s = sis_search_new(3, 1);
    landscape both[] = {flat, nowhere};
    for (int f = 0; f < 2; f++) {
        uint64_t count = 0;
        while (!sis_search_over(s) && count < 100000) {
            const double* points;
            double values[1024];
            int32_t asked = sis_search_ask(s, &points);
            for (int32_t k = 0; k < asked; k++)
                values[k] = both[f](points, 3, NULL);
            count += (uint64_t)asked;
            sis_search_tell(s, values);
        }
        CHECK(sis_search_over(s) && count < 20000);
        sis_search_free(s);
        s = sis_search_new(3, 1);
    }
    sis_search_free(s);
}

static void the_same_values_give_the_same_points(void) {
    double at[4], values[1024];
    sis_search *a = sis_search_new(4, 7), *b = sis_search_new(4, 7), *c = sis_search_new(4, 8);
    bool differs = false;
    choose(at, 4, 3);
    for (int g = 0; g < 60; g++) {
        const double *p, *q, *r;
        int32_t count = sis_search_ask(a, &p);
        CHECK(sis_search_ask(b, &q) == count);
        CHECK(!memcmp(p, q, (size_t)count * 4 * sizeof *p));
        sis_search_ask(c, &r);
        differs = differs || memcmp(p, r, 4 * sizeof *p) != 0;
        for (int32_t k = 0; k < count; k++)
            values[k] = valley(p + 4 * k, 4, at);
        sis_search_tell(a, values);
        sis_search_tell(b, values);
        sis_search_tell(c, values);
    }
    CHECK(differs);
    sis_search_free(a);
    sis_search_free(b);
    sis_search_free(c);
}

// ---------------------------------------------------------------------------- distances

enum { ROWS = 22050 };

/** A decaying sound of three partials below 4 kHz. */
static void sing(double* to, uint64_t rows, double rate, double hz, double gain) {
    for (uint64_t n = 0; n < rows; n++) {
        double t = (double)n / rate;
        to[n] = gain * exp(-6 * t) *
                (sin(2 * pi * hz * t) + sin(4.1 * pi * hz * t) / 2 + sin(7.3 * pi * hz * t) / 4);
    }
}

static double distance(const double* target, uint64_t rows, double target_rate, const double* sound,
                       double rate, bool level) {
    sis_target t = {0};
    sis_ear ear = {0};
    sis_fault fault;
    sis_fit_spec fit = {.sound = {target, rows, 1, target_rate}, .level = level};
    uint64_t count = (uint64_t)((double)rows / target_rate * rate);
    sis_heard heard = {sound, count, 1, rate};
    double db = -1;
    CHECK(sis_target_hear(&t, &fit, rate, count, &fault));
    CHECK(sis_ear_hear(&ear, &heard, &fault));
    CHECK(sis_target_sound(&t, &ear, &heard, &db, &fault));
    sis_ear_free(&ear);
    sis_target_free(&t);
    return db;
}

static void a_sound_is_at_0_from_itself_and_from_itself_but_louder(void) {
    static double a[4 * ROWS], b[4 * ROWS];
    sing(a, ROWS, 44100, 440, 1);
    sing(b, ROWS, 44100, 440, 0.01);
    CHECK(distance(a, ROWS, 44100, a, 44100, false) == 0);
    CHECK(distance(a, ROWS, 44100, b, 44100, false) < 1e-9);
    CHECK(distance(a, ROWS, 44100, b, 44100, true) > 3);
    double before = 0;
    for (double hz = 441; hz < 470; hz += 4) {
        sing(b, ROWS, 44100, hz, 1);
        double db = distance(a, ROWS, 44100, b, 44100, false);
        CHECK(db > before);
        before = db;
    }
}

static void another_rate_hardly_matters(void) {
    static double a[ROWS], b[4 * ROWS];
    static const double rates[] = {22050, 32000, 48000, 96000, 37219};
    sing(a, ROWS, 44100, 440, 1);
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        sing(b, 4 * ROWS, rates[r], 440, 1);
        CHECK(distance(a, ROWS, 44100, b, rates[r], false) < 0.2);
    }
}

static void a_sine_keeps_its_values_at_another_rate(void) {
    static double from[8000], to[8000];
    static const double rates[] = {8000, 44100, 16000.5, 11025};
    for (int n = 0; n < 8000; n++)
        from[n] = sin(2 * pi * 1000 * n / 16000);
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        uint64_t count = (uint64_t)(rates[r] * 0.15);
        sis_resample(from, 8000, 16000, to, count, rates[r]);
        for (uint64_t n = count / 4; n < count; n++)
            CHECK_NEAR(to[n], sin(2 * pi * 1000 * (double)n / rates[r]), 2e-4);
    }
}

static void measures_are_ratios_in_dB(void) {
    sis_target t = {.goals = {1000, -20, -2}, .decibel = {false, true, false}, .goal_count = 3};
    CHECK_NEAR(sis_target_measures(&t, (const double[]){1000, -20, -2}), 0, 1e-12);
    CHECK_NEAR(sis_target_measures(&t, (const double[]){2000, -20, -2}), 6.0206 / sqrt(3), 1e-4);
    CHECK_NEAR(sis_target_measures(&t, (const double[]){1000, -23, -2}), 3 / sqrt(3), 1e-9);
    CHECK_NEAR(sis_target_measures(&t, (const double[]){1000, -20, 0}), 120 / sqrt(3), 1e-9);
    CHECK(sis_target_measures(&t, (const double[]){1000, -20, 1}) > 120 / sqrt(3));
    CHECK(isnan(sis_target_measures(&t, (const double[]){1000, (double)NAN, -2})));
}

int main(void) {
    RUN(it_finds_the_ground_of_a_bowl_and_of_a_turned_valley);
    RUN(it_finds_a_corner);
    RUN(it_leaves_dents_by_restarts);
    RUN(it_ends_where_there_is_nothing_to_find);
    RUN(the_same_values_give_the_same_points);
    RUN(a_sound_is_at_0_from_itself_and_from_itself_but_louder);
    RUN(another_rate_hardly_matters);
    RUN(a_sine_keeps_its_values_at_another_rate);
    RUN(measures_are_ratios_in_dB);
    return CHECK_REPORT();
}
