// Elementary functions against MPFR: at most 0.8 units of the last digit from the true value for
// the short ways, the nearest double for the others, and the special cases of C.
#include <mpfr.h>

#include <float.h>
#include <stdint.h>

#include "check.h"
#include "reference.h"
#include "sistrum/elementary.h"

enum { POINTS = 20000 };

typedef double (*one_argument)(double);
typedef int (*true_one)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef double (*two_arguments)(double, double);
typedef int (*true_two)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

// Distance from the true value in units of the last digit of the nearest double. Below the range
// of normal numbers a result may have been rounded twice: a unit is allowed there.
static double units_off(double have, mpfr_srcptr want) {
    double nearest = mpfr_get_d(want, MPFR_RNDN);
    if (have == nearest && (nearest == 0 || isinf(nearest))) return 0;
    if (!isfinite(have) || !isfinite(nearest)) return HUGE_VAL;
    if (fabs(nearest) < DBL_MIN) return fabs(have - nearest) <= 0x1p-1074 ? 0 : HUGE_VAL;
    int e;
    frexp(nearest, &e);
    mpfr_t off;
    mpfr_init2(off, 300);
    mpfr_sub_d(off, want, have, MPFR_RNDN);
    mpfr_mul_2si(off, off, 53 - e, MPFR_RNDN);
    double units = fabs(mpfr_get_d(off, MPFR_RNDN));
    mpfr_clear(off);
    return units;
}

// Even draws over the range, odd ones over its decades, of both signs where the range has them.
static double draw(uint64_t* seed, int i, double low, double high) {
    if (i % 2) return low + (high - low) * random_unit(seed);
    double least = low > 0 ? low : 1e-30;
    double size = exp(log(least) + (log(high) - log(least)) * random_unit(seed));
    return low < 0 && i % 4 ? -size : size;
}

static void is_near(const char* name, one_argument have, true_one want, double low, double high,
                    double bound) {
    mpfr_t x, y;
    mpfr_init2(x, 53), mpfr_init2(y, 250);
    uint64_t seed = 17;
    double worst = 0, at = 0;
    for (int i = 0; i < POINTS; i++) {
        double place = draw(&seed, i, low, high);
        mpfr_set_d(x, place, MPFR_RNDN);
        want(y, x, MPFR_RNDN);
        double off = units_off(have(place), y);
        if (!(off <= worst)) worst = off, at = place;
    }
    printf("  %s over %g .. %g: off by at most %.4f units, at %.17g\n", name, low, high, worst, at);
    CHECK_NEAR(worst, 0, bound);
    mpfr_clear(x), mpfr_clear(y);
}

#define NEAR(name, low, high, bound) is_near(#name, sis_##name, mpfr_##name, low, high, bound)
#define NEAREST                      0.5001

static void angles_are_near(void) {
    NEAR(sin, -4, 4, 0.8);
    NEAR(sin, -2e6, 2e6, 0.8);
    NEAR(sin, 1e5, 1.7e308, 0.8);
    NEAR(cos, -4, 4, 0.8);
    NEAR(cos, -2e6, 2e6, 0.8);
    NEAR(cos, 1e5, 1.7e308, 0.8);
    NEAR(tan, -4, 4, NEAREST);
    NEAR(tan, 1e-8, 1.7e308, NEAREST);
    NEAR(asin, -1, 1, NEAREST);
    NEAR(acos, -1, 1, NEAREST);
    NEAR(atan, -3, 3, NEAREST);
    NEAR(atan, -1e300, 1e300, NEAREST);
}

static void multiples_of_a_quarter_turn_are_near(void) {
    mpfr_t x, y;
    mpfr_init2(x, 53), mpfr_init2(y, 250);
    for (int n = -5000; n <= 5000; n++) {
        double place = n * 1.5707963267948966;
        mpfr_set_d(x, place, MPFR_RNDN);
        mpfr_sin(y, x, MPFR_RNDN);
        CHECK_NEAR(units_off(sis_sin(place), y), 0, 0.8);
        mpfr_cos(y, x, MPFR_RNDN);
        CHECK_NEAR(units_off(sis_cos(place), y), 0, 0.8);
    }
    // The double that lies nearest to a multiple of pi/2 (Muller, Elementary Functions, ch. 11).
    double worst = 6381956970095103 * 0x1p797;
    mpfr_set_d(x, worst, MPFR_RNDN);
    mpfr_cos(y, x, MPFR_RNDN);
    CHECK_NEAR(units_off(sis_cos(worst), y), 0, 0.8);
    mpfr_clear(x), mpfr_clear(y);
}

static void exponentials_and_logarithms_are_near(void) {
    NEAR(exp, -1, 1, 0.7);
    NEAR(exp, -745, 709.7, 0.7);
    NEAR(exp2, -10, 10, NEAREST);
    NEAR(exp2, -1074, 1023.9, NEAREST);
    NEAR(log, 0.5, 2, 0.6);
    NEAR(log, 1e-320, 1e308, 0.6);
    NEAR(log2, 0.5, 2, NEAREST);
    NEAR(log2, 1e-300, 1e308, NEAREST);
    NEAR(log10, 0.5, 2, NEAREST);
    NEAR(log10, 1e-300, 1e308, NEAREST);
    NEAR(sinh, -2, 2, NEAREST);
    NEAR(sinh, 1e-5, 710, NEAREST);
    NEAR(cosh, -710, 710, NEAREST);
    NEAR(tanh, -25, 25, NEAREST);
}

static void two_are_near(const char* name, two_arguments have, true_two want,
                         void (*pick)(uint64_t*, int, double*, double*)) {
    mpfr_t x, y, z;
    mpfr_init2(x, 53), mpfr_init2(y, 53), mpfr_init2(z, 250);
    uint64_t seed = 23;
    double worst = 0, at[2] = {0, 0};
    for (int i = 0; i < POINTS; i++) {
        double a, b;
        pick(&seed, i, &a, &b);
        mpfr_set_d(x, a, MPFR_RNDN), mpfr_set_d(y, b, MPFR_RNDN);
        want(z, x, y, MPFR_RNDN);
        double off = units_off(have(a, b), z);
        if (!(off <= worst)) worst = off, at[0] = a, at[1] = b;
    }
    printf("  %s: off by at most %.4f units, at %.17g, %.17g\n", name, worst, at[0], at[1]);
    CHECK_NEAR(worst, 0, NEAREST);
    mpfr_clear(x), mpfr_clear(y), mpfr_clear(z);
}

// Ordinary powers; bases close to 1 with huge exponents; results over the whole range; whole
// powers.
static void pick_power(uint64_t* seed, int i, double* x, double* y) {
    *x = random_log(seed, 1e-20, 1e20), *y = 30 * random_unit(seed) - 15;
    if (i % 4 == 1) {
        *x = 1 + (random_unit(seed) - 0.5) * random_log(seed, 1e-15, 1);
        *y = random_log(seed, 1, 1e18) * (i % 8 == 1 ? 1 : -1);
    }
    if (i % 4 == 2) *x = random_log(seed, 0.3, 3), *y = 1400 * random_unit(seed) - 700;
    if (i % 4 == 3) *x = -random_log(seed, 1e-3, 1e3), *y = floor(40 * random_unit(seed)) - 20;
}

static void pick_point(uint64_t* seed, int i, double* y, double* x) {
    double widest = i % 2 ? 100 : 1e300;
    *y = random_log(seed, 1 / widest, widest) * (i & 4 ? 1 : -1);
    *x = random_log(seed, 1 / widest, widest) * (i & 8 ? 1 : -1);
}

static void powers_and_points_are_nearest(void) {
    two_are_near("power", sis_power, mpfr_pow, pick_power);
    two_are_near("atan2", sis_atan2, mpfr_atan2, pick_point);
}

static bool same(double a, double b) {
    return a != a ? b != b : a == b && signbit(a) == signbit(b);
}

static const double special[] = {0,      -0.0,    1,       -1,         2,         -2,
                                 0.5,    -0.5,    3,       -3,         2.5,       1e300,
                                 -1e300, 1e-300,  -1e-300, INFINITY,   -INFINITY, (double)NAN,
                                 1e-320, -1e-320, 0x1p53,  0x1p53 + 2, -0x1p53,   1e10};
enum { SPECIAL = sizeof special / sizeof special[0] };

// Where C fixes the result (and where libm rounds as we do), ours is the same, sign of zero
// included.
static void special_values_are_those_of_c(void) {
    static const struct {
        one_argument have, want;
    } pairs[] = {{sis_sin, sin},   {sis_cos, cos},   {sis_tan, tan},     {sis_asin, asin},
                 {sis_acos, acos}, {sis_atan, atan}, {sis_exp, exp},     {sis_exp2, exp2},
                 {sis_log, log},   {sis_log2, log2}, {sis_log10, log10}, {sis_sinh, sinh},
                 {sis_cosh, cosh}, {sis_tanh, tanh}};
    for (size_t f = 0; f < sizeof pairs / sizeof pairs[0]; f++)
        for (int i = 0; i < SPECIAL; i++) {
            double have = pairs[f].have(special[i]), want = pairs[f].want(special[i]);
            CHECK(same(have, want) || fabs(have - want) <= 4e-16 * fabs(want));
        }
    for (int i = 0; i < SPECIAL; i++)
        for (int j = 0; j < SPECIAL; j++) {
            double a = special[i], b = special[j];
            double have = sis_power(a, b), want = pow(a, b);
            CHECK(same(have, want) || fabs(have - want) <= 4e-16 * fabs(want));
            have = sis_atan2(a, b), want = atan2(a, b);
            CHECK(same(have, want) || fabs(have - want) <= 4e-16 * fabs(want));
        }
}

static void what_is_exact_is_exact(void) {
    for (int n = -1074; n <= 1023; n++) {
        CHECK(sis_exp2(n) == ldexp(1, n));
        CHECK(sis_power(2, n) == ldexp(1, n));
        CHECK(sis_log2(ldexp(1, n)) == n);
    }
    for (double x = 1; x < 100; x++) {
        CHECK(sis_power(x, 2) == x * x && sis_power(x, 3) == x * x * x);
        CHECK(sis_power(x * x, 0.5) == x && sis_power(x, -1) == 1 / x);
    }
    for (int n = 0; n <= 22; n++)
        CHECK(sis_log10(sis_power(10, n)) == n);
    CHECK(sis_sin(0.0) == 0 && sis_cos(0.0) == 1 && sis_exp(0.0) == 1 && sis_log(1) == 0);
}

int main(void) {
    RUN(angles_are_near);
    RUN(multiples_of_a_quarter_turn_are_near);
    RUN(exponentials_and_logarithms_are_near);
    RUN(powers_and_points_are_nearest);
    RUN(special_values_are_those_of_c);
    RUN(what_is_exact_is_exact);
    mpfr_free_cache();
    return CHECK_REPORT();
}
