// Draws follow from the seed, the index and the dimension alone, and are as even as their names say.

#include "check.h"
#include "sweep_draw.h"
#include "sweep_number.h"

#include <float.h>
#include <stdbool.h>

enum { COUNT = 4096, DIMENSIONS = SIS_SOBOL_DIMENSIONS };

static void draws_are_numbers_from_0_to_below_1(void) {
    for (int draw = 0; draw < 3; draw++)
        for (uint64_t i = 0; i < 200; i++)
            for (int32_t d = 0; d < DIMENSIONS; d++) {
                double u = sis_draw_at((sis_draw)draw, 7, i, 200, d);
                CHECK(u >= 0 && u < 1);
            }
    CHECK(sis_draw_at(SIS_DRAW_LATIN, 1, 0, 1, 0) < 1);
}

static void uniform_draws_have_the_moments_of_a_uniform_distribution(void) {
    for (int32_t d = 0; d < 8; d++) {
        double sum = 0, squares = 0, product = 0, next = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            double u = sis_draw_at(SIS_DRAW_UNIFORM, 3, i, COUNT, d) - 0.5;
            double v = sis_draw_at(SIS_DRAW_UNIFORM, 3, i, COUNT, d + 1) - 0.5;
            double w = sis_draw_at(SIS_DRAW_UNIFORM, 3, i + 1, COUNT, d) - 0.5;
            sum += u;
            squares += u * u;
            product += u * v;
            next += u * w;
        }
        // Five standard deviations each.
        CHECK_NEAR(sum / COUNT, 0, 5 * sqrt(1.0 / 12 / COUNT));
        CHECK_NEAR(squares / COUNT, 1.0 / 12, 5 * sqrt(1.0 / 180 / COUNT));
        CHECK_NEAR(product / COUNT, 0, 5.0 / 12 / sqrt(COUNT));
        CHECK_NEAR(next / COUNT, 0, 5.0 / 12 / sqrt(COUNT));
    }
}

/** How often each of `cells` equal intervals is met by `cells` points. */
static int worst_cell(sis_draw draw, uint64_t seed, uint64_t cells, int32_t d, uint64_t first) {
    int met[COUNT] = {0}, worst = 1;
    for (uint64_t i = 0; i < cells; i++)
        met[(int)(sis_draw_at(draw, seed, first + i, cells, d) * (double)cells)]++;
    for (uint64_t c = 0; c < cells; c++)
        if (met[c] != 1) worst = met[c];
    return worst;
}

static void a_latin_hypercube_meets_every_interval_of_every_dimension_once(void) {
    static const uint64_t counts[] = {1, 2, 7, 100, 1000, 4096};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        for (int32_t d = 0; d < 5; d++)
            CHECK(worst_cell(SIS_DRAW_LATIN, 11, counts[n], d, 0) == 1);
}

static void permutations_are_permutations_and_differ_by_their_keys(void) {
    static bool seen[1000];
    int same = 0;
    for (uint64_t key = 0; key < 20; key++) {
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t at = sis_draw_permute(i, 1000, key);
            CHECK(at < 1000 && !seen[at]);
            seen[at] = true;
            same += at == sis_draw_permute(i, 1000, key + 1);
        }
    }
    CHECK(same < 100); // one in a thousand would be chance
}

static void every_run_of_2_to_the_k_sobol_points_meets_every_interval_once(void) {
    for (int32_t d = 0; d < DIMENSIONS; d++)
        for (uint64_t size = 1; size <= 1024; size *= 4) {
            CHECK(worst_cell(SIS_DRAW_SOBOL, 5, size, d, 0) == 1);
            CHECK(worst_cell(SIS_DRAW_SOBOL, 5, size, d, 7 * size) == 1);
        }
}

static void two_sobol_dimensions_meet_every_box_of_equal_area_once(void) {
    for (int wide = 0; wide <= 8; wide++) {
        int met[256] = {0}, across = 8 - wide;
        for (uint64_t i = 0; i < 256; i++) {
            int x = (int)(sis_draw_sobol(i, 0) * (1 << wide));
            int y = (int)(sis_draw_sobol(i, 1) * (1 << across));
            met[x << across | y]++;
        }
        for (int c = 0; c < 256; c++)
            CHECK(met[c] == 1);
    }
}

/** scipy.stats.qmc.Sobol(21, scramble=False) of scipy 1.10 at points 1638 and 3276, in the order of
 * the Gray code 1365 and 2730. Between them they take the first twelve direction numbers. */
static void sobol_points_are_those_of_another_program(void) {
    static const int odd[DIMENSIONS] = {2730, 546,  14,   1974, 3486, 878,  3690,
                                        3146, 2826, 826,  2530, 1410, 2562, 2422,
                                        3866, 866,  1714, 1750, 3802, 1006, 1794};
    static const int even[DIMENSIONS] = {1365, 819,  5,    2889, 1767, 3255, 2941,
                                         3637, 3525, 3485, 561,  2753, 1283, 389,
                                         2701, 1239, 2507, 1067, 431,  3483, 2449};
    for (int32_t d = 0; d < DIMENSIONS; d++) {
        CHECK(sis_draw_sobol(1365, d) * 4096 == odd[d]);
        CHECK(sis_draw_sobol(2730, d) * 4096 == even[d]);
    }
}

/** Of the mean of x1^2 x2^2 ... over the unit cube, against 3^-d. */
static double integral_error(sis_draw draw, int32_t dimensions) {
    double sum = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double product = 1;
        for (int32_t d = 0; d < dimensions; d++) {
            double u = sis_draw_at(draw, 9, i, COUNT, d);
            product *= 3 * u * u;
        }
        sum += product;
    }
    return fabs(sum / COUNT - 1);
}

static void sobol_points_integrate_better_than_uniform_ones(void) {
    CHECK(integral_error(SIS_DRAW_SOBOL, 3) < 0.01);
    CHECK(integral_error(SIS_DRAW_SOBOL, 6) < 0.05);
    CHECK(integral_error(SIS_DRAW_SOBOL, 6) < integral_error(SIS_DRAW_UNIFORM, 6));
}

static void seeds_and_dimensions_give_other_draws(void) {
    for (int draw = 0; draw < 3; draw++) {
        int same = 0;
        for (uint64_t i = 0; i < 500; i++) {
            double u = sis_draw_at((sis_draw)draw, 1, i, 500, 0);
            same += u == sis_draw_at((sis_draw)draw, 2, i, 500, 0);
            same += u == sis_draw_at((sis_draw)draw, 1, i, 500, 1);
        }
        CHECK(same <= 2);
    }
}

// ---------------------------------------------------------------------------- numbers

static void decimals_read_back_as_themselves_and_are_short(void) {
    char text[SIS_DECIMAL], plain[64];
    for (uint64_t i = 0; i < 20000; i++) {
        double value = (sis_draw_at(SIS_DRAW_UNIFORM, 1, i, 1, 0) - 0.5) *
                       ldexp(1, (int)(600 * sis_draw_at(SIS_DRAW_UNIFORM, 1, i, 1, 1)) - 300);
        snprintf(plain, sizeof plain, "%.17g", value);
        CHECK(strtod(sis_decimal(value, text), NULL) == value);
        CHECK(strlen(text) <= strlen(plain));
    }
}

static void decimals_are_what_a_person_would_write(void) {
    static const struct {
        double value;
        const char* text;
    } known[] = {{0.1, "0.1"},
                 {44100, "44100"},
                 {1e22, "1e22"},
                 {1e-7, "1e-7"},
                 {-2.5e-9, "-2.5e-9"},
                 {5e-324, "5e-324"},
                 {0, "0"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {(double)NAN, ""},
                 {(double)INFINITY, ""}};
    char text[SIS_DECIMAL];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(!strcmp(sis_decimal(known[i].value, text), known[i].text));
}

static void sha256_is_that_of_the_standard(void) {
    char text[SIS_SHA256];
    CHECK_TEXT(sis_sha256_of("abc", 3, text),
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_TEXT(sis_sha256_of("", 0, text),
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_TEXT(sis_sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, text),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

int main(void) {
    RUN(draws_are_numbers_from_0_to_below_1);
    RUN(uniform_draws_have_the_moments_of_a_uniform_distribution);
    RUN(a_latin_hypercube_meets_every_interval_of_every_dimension_once);
    RUN(permutations_are_permutations_and_differ_by_their_keys);
    RUN(every_run_of_2_to_the_k_sobol_points_meets_every_interval_once);
    RUN(two_sobol_dimensions_meet_every_box_of_equal_area_once);
    RUN(sobol_points_are_those_of_another_program);
    RUN(sobol_points_integrate_better_than_uniform_ones);
    RUN(seeds_and_dimensions_give_other_draws);
    RUN(decimals_read_back_as_themselves_and_are_short);
    RUN(decimals_are_what_a_person_would_write);
    RUN(sha256_is_that_of_the_standard);
    return CHECK_REPORT();
}
