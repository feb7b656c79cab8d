// The powers of contact laws at every width: the same bits as the scalar ones, and as exact as
// promised. Judged by powl, logl and expl of long double: 64 bits on x86-64 with the C library
// here, 11 more than the results have, so that the judge's own error is below 1e-18. Where long
// double is only a double these cases say that they have not been judged.
#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/power.h"
#include "check.h"
#include "lanes_wide.h"
#include "law/law.h"
#include "reference.h"
#include "wide/width.h"

enum { BATCH = 4099 }; // not a multiple of any width: the last lanes are not full

static long many_points(void) {
    return check_count(SANITIZED ? 200000 : 2000000, 10000000);
}

static const bool judged = LDBL_MANT_DIG >= 64;

// ---------------------------------------------------------------------------- widths

enum { WIDTHS = 4 };

static const lanes_kernels* width(int i) {
    static const lanes_kernels* const all[WIDTHS] = {
        &lanes_kernels_1,
#if defined(__GNUC__)
        &lanes_kernels_2,
#endif
#if SIS_HAS_AVX2
        &lanes_kernels_4,
        &lanes_kernels_8,
#endif
    };
    return 1 << i <= sis_widest() ? all[i] : NULL;
}

static bool same_bits(const double* a, const double* b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static lanes_over* pick(const lanes_kernels* k, size_t member) {
    return *(lanes_over* const*)((const char*)k + member);
}
#define OF(name) offsetof(lanes_kernels, name)

// Every width against the first; returns what the first gives.
static const double* at_every_width(size_t member, const double* x, const double* y, int count) {
    static double first[BATCH], other[BATCH];
    pick(width(0), member)(x, y, first, count);
    for (int w = 1; w < WIDTHS; w++) {
        if (!width(w)) continue;
        pick(width(w), member)(x, y, other, count);
        CHECK(same_bits(first, other, count));
    }
    return first;
}

// ---------------------------------------------------------------------------- points

// Depths and exponents as contacts have them: every octave from 1e-300 to 1e3 alike; every eighth
// depth is near 1, where a logarithm would lose its digits, every sixteenth below the normal
// numbers, and every fourth exponent is one that laws like to have.
static void draw(uint64_t* seed, double* x, double* y, int count) {
    static const double liked[] = {1, 1.4, 1.5, 2, 2.3, 2.5, 3, 8};
    for (int i = 0; i < count; i++) {
        x[i] = ldexp(1 + random_unit(seed), (int)floor(1007 * random_unit(seed)) - 997);
        y[i] = 1 + 7 * random_unit(seed);
        if (i % 8 == 3) x[i] = 1 + (random_unit(seed) - 0.5) * random_log(seed, 1e-15, 1);
        if (i % 16 == 5) x[i] = 0x1p-1074 * (1 + floor(0x1p52 * random_unit(seed)));
        if (i % 4 == 1) y[i] = liked[(i / 4) % 8];
    }
}

static double relative(double have, long double exact) {
    if (exact == 0) return have == 0 ? 0 : HUGE_VAL;
    return (double)fabsl(((long double)have - exact) / exact);
}

// Powers below the normal numbers have fewer digits: there the last of them is allowed.
static double off_by(double have, long double exact) {
    const double off = relative(have, exact);
    if (fabsl(exact) > (long double)DBL_MAX) return have >= DBL_MAX ? 0 : HUGE_VAL;
    if (fabsl(exact) >= (long double)DBL_MIN) return off;
    return fabsl((long double)have - exact) <= 0x1p-1074L ? 0 : off;
}

// Whole and half exponents are judged by products and a root, which is another judge and a faster
// one.
static long double exact_power(double x, double y) {
    if (2 * y != floor(2 * y)) return powl((long double)x, (long double)y);
    long double power = y == floor(y) ? 1 : sqrtl((long double)x);
    for (int i = 1; i <= y; i++)
        power *= (long double)x;
    return power;
}

static void note(double* worst, double off) {
    if (!(off <= *worst)) *worst = off;
}

static void powers_have_the_same_bits_at_every_width_and_fourteen_digits(void) {
    static double x[BATCH], y[BATCH], pow_of[BATCH];
    uint64_t seed = 20;
    double worst_pow = 0, worst_power = 0;
    long points = 0;
    for (; points < many_points(); points += BATCH) {
        draw(&seed, x, y, BATCH);
        memcpy(pow_of, at_every_width(OF(pow), x, y, BATCH), sizeof pow_of);
        const double* power_of = at_every_width(OF(power), x, y, BATCH);
        bool scalar = true;
        for (int i = 0; i < BATCH; i++) {
            if (i % 8 == points % 8) scalar &= pow_of[i] == sis_pow(x[i], y[i]);
            if (!judged) continue;
            const long double exact = exact_power(x[i], y[i]);
            note(&worst_pow, off_by(pow_of[i], exact));
            note(&worst_power, off_by(power_of[i], exact));
        }
        CHECK(scalar);
    }
    CHECK_NEAR(worst_pow, 0, 1e-14);
    CHECK_NEAR(worst_power, 0, 1e-14);
    printf("  %ld points: pow is off by at most %.2e, power by %.2e\n", points, worst_pow,
           worst_power);
    if (!judged) CHECK_SKIP("long double is no judge here");
}

// ---------------------------------------------------------------------------- the others

typedef long double judge(double x, double y);

static long double judge_log1p(double x, double y) {
    (void)y;
    return log1pl((long double)x);
}

static long double judge_expm1(double x, double y) {
    (void)y;
    return expm1l((long double)x);
}

static long double judge_exp(double x, double y) {
    return expl((long double)x + (long double)y);
}

static long double judge_power_less_one(double x, double y) {
    return expm1l((long double)y * log1pl((long double)x));
}

// One function over x in [low, high] (and y in the same way): bits and error.
static void one_function(size_t member, const char* name, judge* exact, const double range[4],
                         double most) {
    static double x[BATCH], y[BATCH];
    uint64_t seed = 22;
    double worst = 0;
    for (long points = 0; points < many_points() / 100; points += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            x[i] = range[0] + (range[1] - range[0]) * random_unit(&seed);
            y[i] = range[2] + (range[3] - range[2]) * random_unit(&seed);
            if (i % 8 == 3) x[i] *= random_log(&seed, 1e-20, 1); // near 0
        }
        const double* out = at_every_width(member, x, y, BATCH);
        for (int i = 0; judged && i < BATCH; i++)
            note(&worst, off_by(out[i], exact(x[i], y[i])));
    }
    CHECK_NEAR(worst, 0, most);
    printf("  %s: off by at most %.2e\n", name, worst);
}

static void logarithms_and_exponentials_are_exact_to_fourteen_digits(void) {
    one_function(OF(log1p_small), "log1p", judge_log1p, (double[]){-0.28, 0.39, 0, 0}, 1e-15);
    one_function(OF(expm1_small), "expm1", judge_expm1, (double[]){-0.3475, 0.3475, 0, 0}, 1e-15);
    one_function(OF(power_less_one), "(1 + x)^t - 1", judge_power_less_one,
                 (double[]){-0.99, 3, 1, 9}, 1e-14);
    one_function(OF(power_less_one), "(1 + x)^t - 1, small", judge_power_less_one,
                 (double[]){-0.03, 0.03, 1, 99}, 1e-14);
    one_function(OF(exp), "exp", judge_exp, (double[]){-745, 709, -1e-14, 1e-14}, 1e-15);
    one_function(OF(exp), "exp", judge_exp, (double[]){-2, 2, -1e-16, 1e-16}, 1e-15);
}

static void beyond_the_range_of_double_powers_are_nothing_or_infinite(void) {
    const double x[] = {-1000, -750, -746, 710, 800, 1e4, 0, -0.0}, y[8] = {0};
    const double* out = at_every_width(OF(exp), x, y, 8);
    for (int i = 0; i < 8; i++)
        CHECK(out[i] == (i < 3 ? 0 : i < 6 ? HUGE_VAL : 1));
    const double base[] = {1e-300, 1e300, 0x1p-1074, 1e3, 1e-200, 1e200, 1, 0x1p1023};
    const double to[] = {8, 8, 8, 90, 2, 2, 8, 1};
    const double end[] = {0, HUGE_VAL, 0, 1e270, 0, HUGE_VAL, 1, 0x1p1023};
    for (int which = 0; which < 2; which++) {
        out = at_every_width(which ? OF(power) : OF(pow), base, to, 8);
        for (int i = 0; i < 8; i++)
            CHECK_NEAR(out[i], end[i], 1e-13 * (isinf(end[i]) ? 0 : end[i]));
    }
}

static void rough_powers_are_good_to_a_thousandth(void) {
    uint64_t seed = 24;
    double worst = 0;
    for (long points = 0; points < many_points() / 100; points++) {
        double x = random_log(&seed, 1e-12, 1e3), y = 1 + 20 * random_unit(&seed);
        note(&worst, relative(sis_power_roughly(x, y), (long double)pow(x, y)));
    }
    CHECK_NEAR(worst, 0, 5e-4);
    printf("  rough power: off by at most %.2e\n", worst);
}

static void first_guesses_of_roots_are_good_to_one_percent(void) {
    static double x[BATCH], y[BATCH];
    uint64_t seed = 23;
    double worst = 0;
    for (long points = 0; points < many_points() / 100; points += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            x[i] = random_log(&seed, 1e-150, 1e150) * random_log(&seed, 1e-150, 1e150);
            y[i] = 1 / (2 + 7 * random_unit(&seed));
        }
        const double* out = at_every_width(OF(root_guess), x, y, BATCH);
        for (int i = 0; i < BATCH; i++) {
            CHECK(same_bits(&out[i], &(double){sis_root_guess(x[i], y[i])}, 1));
            note(&worst, relative(out[i], (long double)pow(x[i], y[i])));
        }
    }
    CHECK_NEAR(worst, 0, 0.012);
    printf("  root guess: off by at most %.2e\n", worst);
    const double odd[] = {0, -1, (double)NAN, 1e-305, HUGE_VAL, 1},
                 half[] = {.5, .5, .5, .5, .5, 1};
    const double* out = at_every_width(OF(root_guess), odd, half, 6);
    for (int i = 0; i < 4; i++)
        CHECK(out[i] == 0);
    CHECK(out[4] > 1e150 && out[5] == 1);
}

// x y - its rounding, exactly: the fused operation and Dekker's products are the same number.
static void what_rounding_took_from_a_product_is_exact(void) {
    static double x[BATCH], y[BATCH];
    uint64_t seed = 24;
    for (long points = 0; points < many_points() / 100; points += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            x[i] = (random_unit(&seed) - 0.5) * random_log(&seed, 1e-100, 1e100);
            y[i] = (random_unit(&seed) - 0.5) * random_log(&seed, 1e-100, 1e100);
        }
        const double* out = at_every_width(OF(product_rest), x, y, BATCH);
        bool exact = true;
        for (int i = 0; i < BATCH; i++)
            exact &= out[i] == fma(x[i], y[i], -(x[i] * y[i]));
        CHECK(exact);
    }
}

// The exponents that need no power: every class of law against powl, and against the lanes.
static void products_and_square_roots_stand_for_powers(void) {
    static const struct {
        double alpha;
        power_class class;
        size_t member;
    } liked[] = {{1, POWER_1, 0},
                 {1.5, POWER_3_2, OF(three_halves)},
                 {2, POWER_2, OF(square)},
                 {2.5, POWER_5_2, OF(five_halves)},
                 {3, POWER_3, OF(cube)}};
    static double x[BATCH], y[BATCH];
    uint64_t seed = 25;
    for (int c = 0; c < 5; c++) {
        const power_law law = sis_power_law_make(SIS_LAW_ONE_SIDED, 1, liked[c].alpha, 0);
        CHECK(law.class == liked[c].class);
        double worst = 0;
        for (long points = 0; points < many_points() / 100; points += BATCH) {
            draw(&seed, x, y, BATCH);
            const double* out = liked[c].member ? at_every_width(liked[c].member, x, y, BATCH) : x;
            bool same = true;
            for (int i = 0; i < BATCH; i++) {
                same &= same_bits(&out[i], &(double){sis_power_raise(&law, x[i])}, 1);
                // Products of small numbers may vanish on the way; contacts then have no energy.
                if (x[i] < 1e-100 || !judged) continue;
                note(&worst, off_by(out[i], exact_power(x[i], liked[c].alpha)));
            }
            CHECK(same);
        }
        CHECK_NEAR(worst, 0, 1e-15);
        printf("  exponent %g: off by at most %.2e\n", liked[c].alpha, worst);
    }
}

int main(void) {
    for (int w = 0; w < WIDTHS; w++)
        if (!width(w)) printf("  this machine has no %d lanes\n", 1 << w);
    RUN(powers_have_the_same_bits_at_every_width_and_fourteen_digits);
    RUN(logarithms_and_exponentials_are_exact_to_fourteen_digits);
    RUN(beyond_the_range_of_double_powers_are_nothing_or_infinite);
    RUN(rough_powers_are_good_to_a_thousandth);
    RUN(first_guesses_of_roots_are_good_to_one_percent);
    RUN(what_rounding_took_from_a_product_is_exact);
    RUN(products_and_square_roots_stand_for_powers);
    return CHECK_REPORT();
}
