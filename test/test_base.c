// The functions of the audio path against long double libm: relative error at most 1e-14 over the
// range contacts use, and the exact cases exactly.
#include <float.h>
#include <stdint.h>

#include "base/power.h"
#include "check.h"
#include "reference.h"

enum { POINTS = 1000000 };
static const double bound = 1e-14;

// A result below the normal range has lost digits by itself: there one unit of DBL_MIN is enough.
static double relative(double have, long double want) {
    if (!isfinite(have)) return HUGE_VAL;
    const long double size =
        fabsl(want) > (long double)DBL_MIN ? fabsl(want) : (long double)DBL_MIN;
    const long double error = fabsl((long double)have - want) / size;
    return fabsl(want) < (long double)DBL_MIN && error <= 1 ? 0 : (double)error;
}

typedef struct worst {
    double error, x, y;
} worst;

static void keep(worst* w, double error, double x, double y) {
    if (!(error <= w->error)) *w = (worst){error, x, y};
}

static void pow_is_accurate(void) {
    static const double common[] = {0.5, 0.55, 1, 1.1, 1.3, 1.5, 2, 2.1,
                                    2.3, 2.5,  3, 3.5, 3.7, 20,  21};
    uint64_t seed = 1;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS; i++) {
        const double x = random_log(&seed, 1e-18, 1e3);
        const double y = i % 4 ? 0.5 + 20.5 * random_unit(&seed) : common[i / 4 % 15];
        keep(&w, relative(sis_pow(x, y), powl((long double)x, (long double)y)), x, y);
    }
    printf("  pow: worst relative error %.2e at %.17g^%.17g\n", w.error, w.x, w.y);
    CHECK_NEAR(w.error, 0, bound);
}

static void pow_is_accurate_near_one(void) {
    uint64_t seed = 2;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS / 4; i++) {
        const double side = i & 1 ? -1 : 1;
        const double x = 1 + side * random_log(&seed, 1e-16, 0.5);
        const double y = 0.5 + 20.5 * random_unit(&seed);
        keep(&w, relative(sis_pow(x, y), powl((long double)x, (long double)y)), x, y);
    }
    CHECK_NEAR(w.error, 0, bound);
}

static void pow_takes_roots_of_large_numbers(void) {
    uint64_t seed = 3;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS / 4; i++) {
        const double x = random_log(&seed, 1e-150, 1e150);
        const double y =
            1 / (2 + 19 * random_unit(&seed)); // depth of an impact: a (alpha+1)-th root
        keep(&w, relative(sis_pow(x, y), powl((long double)x, (long double)y)), x, y);
    }
    CHECK_NEAR(w.error, 0, bound);
}

static void pow_is_exact_where_it_can_be(void) {
    for (double y = 0.5; y <= 21; y += 0.25) {
        CHECK(sis_pow(0, y) == 0);
        CHECK(sis_pow(1, y) == 1);
    }
    uint64_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        const double x = random_log(&seed, 1e-18, 1e3);
        CHECK_NEAR(sis_pow(x, 1) / x, 1, 4 * DBL_EPSILON);
        CHECK_NEAR(sis_pow(x, 2) / (x * x), 1, 4 * DBL_EPSILON);
        CHECK_NEAR(sis_pow(x, 0.5) / sqrt(x), 1, 4 * DBL_EPSILON);
    }
    CHECK_NEAR(sis_pow(2, 10), 1024, 1024 * bound);
    CHECK(sis_pow(1e-18, 21) >= 0 && sis_pow(1e-18, 21) <= DBL_MIN);
}

static void log1p_is_accurate(void) {
    uint64_t seed = 5;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS; i++) {
        double x = 0;
        switch (i % 4) {
        case 0:
            x = random_log(&seed, 1e-300, 1e3);
            break;
        case 1:
            x = -random_log(&seed, 1e-300, 0.999);
            break;
        case 2:
            x = random_log(&seed, 1e-18, 1) - random_unit(&seed);
            break;
        default:
            x = -1 + random_log(&seed, 1e-15, 0.5);
            break; // close above -1
        }
        if (!(x > -1)) continue;
        keep(&w, relative(sis_log1p(x), log1pl((long double)x)), x, 0);
    }
    printf("  log1p: worst relative error %.2e at %.17g\n", w.error, w.x);
    CHECK_NEAR(w.error, 0, bound);
    CHECK(sis_log1p(0) == 0);
}

static void expm1_is_accurate(void) {
    uint64_t seed = 6;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS; i++) {
        double x = -40 + 100 * random_unit(&seed);
        if (i % 3 == 1) x = random_log(&seed, 1e-300, 60);
        if (i % 3 == 2) x = -random_log(&seed, 1e-300, 40);
        keep(&w, relative(sis_expm1(x), expm1l((long double)x)), x, 0);
    }
    printf("  expm1: worst relative error %.2e at %.17g\n", w.error, w.x);
    CHECK_NEAR(w.error, 0, bound);
    CHECK(sis_expm1(0) == 0);
}

static void expm1_and_log1p_undo_each_other(void) {
    uint64_t seed = 7;
    for (int i = 0; i < 10000; i++) {
        const double x = random_log(&seed, 1e-12, 100) * (i & 1 ? 1 : -0.0099);
        CHECK_NEAR(sis_expm1(sis_log1p(x)) / x, 1, 3 * bound);
    }
}

static void cosine_counts_in_turns(void) {
    uint64_t seed = 8;
    worst w = {0, 0, 0};
    for (int i = 0; i < POINTS / 4; i++) {
        const double turns = (i & 1 ? 1 : 1000) * (2 * random_unit(&seed) - 1);
        const long double whole = (long double)turns - floorl((long double)turns);
        const long double want = cosl(2 * 3.14159265358979323846264338327950288L * whole);
        keep(&w, (double)fabsl((long double)sis_cos_turns(turns) - want), turns, 0);
    }
    printf("  cos: worst error %.2e at %.17g turns\n", w.error, w.x);
    CHECK_NEAR(w.error, 0, bound);
    CHECK(sis_cos_turns(0) == 1);
    CHECK_NEAR(sis_cos_turns(0.5), -1, 0);
    CHECK_NEAR(sis_cos_turns(0.25), 0, 1e-16);
    CHECK_NEAR(sis_cos_turns(1), 1, 0);
}

static void powers_never_fall_as_x_grows(void) {
    for (double y = 0.5; y <= 6; y += 0.7) {
        double before = 0;
        for (int i = 0; i < 20000; i++) {
            const double x = 0.5 + i * 1e-4, now = sis_pow(x, y);
            CHECK(now >= before);
            before = now;
        }
    }
}

int main(void) {
    RUN(pow_is_accurate);
    RUN(pow_is_accurate_near_one);
    RUN(pow_takes_roots_of_large_numbers);
    RUN(pow_is_exact_where_it_can_be);
    RUN(log1p_is_accurate);
    RUN(expm1_is_accurate);
    RUN(expm1_and_log1p_undo_each_other);
    RUN(cosine_counts_in_turns);
    RUN(powers_never_fall_as_x_grows);
    return CHECK_REPORT();
}
