// The banded solve of implicit strings, judged by what A x leaves of the right side in long double:
// every number of points, so that every way in which four chains share them is met; from bands that
// forget within a few points to such that tie all points to each other.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "body/banded.h"
#include "check.h"
#include "reference.h"

enum { MOST = 400 };

typedef struct band {
    int32_t count, width;
    double main[MOST], off1[MOST], off2[MOST];
} band;

// 1 - P/4 of a string, with or without stiffness; the ends are held one way or the other.
static band string_band(int32_t count, int32_t width, double pull, double bend, bool clamped) {
    band b = {.count = count, .width = width};
    if (width < 2) bend = 0;
    for (int32_t i = 0; i < count; i++) {
        const double ends = (i == 0) + (i == count - 1), centre = 6 + (clamped ? ends : -ends);
        b.main[i] = 1 + 0.5 * pull + 0.25 * centre * bend;
        b.off1[i] = -0.25 * pull - bend;
        b.off2[i] = 0.25 * bend;
    }
    return b;
}

typedef struct factor {
    banded_step step[MOST];
    banded_tie tie[MOST];
    banded A;
} factor;

static void make(const band* b, factor* f) {
    sis_banded_factor(b->count, b->width, b->main, b->off1, b->off2, f->step, f->tie, &f->A);
}

static long double entry(const band* b, int32_t i, int32_t j) {
    const int32_t apart = i < j ? j - i : i - j, at = i < j ? i : j;
    if (apart > b->width) return 0;
    return (long double)(apart == 0 ? b->main[at] : apart == 1 ? b->off1[at] : b->off2[at]);
}

// How far A x is from what it should be, of the largest sum of |A||x|: what a backward stable solve
// makes a few roundings of.
static double rest_of(const band* b, const double* x, const double* wanted) {
    long double worst = 0, scale = 0;
    for (int32_t i = 0; i < b->count; i++) {
        long double sum = 0, size = 0;
        for (int32_t j = i - 2; j <= i + 2; j++) {
            if (j < 0 || j >= b->count) continue;
            sum += entry(b, i, j) * (long double)x[j];
            size += fabsl(entry(b, i, j) * (long double)x[j]);
        }
        const long double off = fabsl(sum - (long double)wanted[i]);
        if (!(off <= worst)) worst = off;
        if (size > scale) scale = size;
    }
    return (double)(worst / scale);
}

static const struct {
    double pull, bend;
} kinds[] = {{0.01, 0}, {1, 0.1}, {0, 0.2}, {-0.2, 0}, {30, 5}, {1e4, 300}, {1e7, 1e5}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void every_number_of_points_is_solved_to_rounding(void) {
    static factor f;
    static double x[MOST], wanted[MOST];
    uint64_t seed = 7;
    for (int k = 0; k < KINDS; k++)
        for (int32_t width = 1; width <= 2; width++) {
            double worst = 0;
            for (int32_t n = 1; n <= MOST; n += n < 120 ? 1 : 13) {
                const band b = string_band(n, width, kinds[k].pull, kinds[k].bend, n % 2);
                make(&b, &f);
                for (int32_t i = 0; i < n; i++)
                    x[i] = wanted[i] = random_unit(&seed) - 0.5;
                sis_banded_solve(&f.A, x);
                const double off = rest_of(&b, x, wanted);
                if (!(off <= worst)) worst = off;
            }
            CHECK_NEAR(worst, 0, 16 * DBL_EPSILON);
            printf("  pull %g, bend %g, width %d: %.1e\n", kinds[k].pull, kinds[k].bend, (int)width,
                   worst);
        }
}

// A string and its mirror image, and the columns of the inverse against its rows.
static void the_solve_is_symmetric_and_has_no_left_and_right(void) {
    static factor f;
    for (int k = 0; k < KINDS; k++) {
        const band b = string_band(101, 2, kinds[k].pull, kinds[k].bend, true);
        make(&b, &f);
        const int32_t n = b.count;
        double column[2][MOST] = {{0}}, mirror[MOST] = {0};
        const int32_t at[2] = {17, 68};
        for (int c = 0; c < 2; c++) {
            column[c][at[c]] = 1;
            sis_banded_solve(&f.A, column[c]);
        }
        const double across = column[0][at[1]], back = column[1][at[0]];
        CHECK_NEAR(across, back, 1e-14 * fabs(column[0][at[0]]));
        mirror[n - 1 - at[0]] = 1;
        sis_banded_solve(&f.A, mirror);
        for (int32_t i = 0; i < n; i++)
            CHECK_NEAR(mirror[n - 1 - i], column[0][i], 1e-14 * fabs(column[0][at[0]]));
    }
}

// Where it fades, the tie to the middle is short; where it does not, it is kept whole.
static void ties_are_as_long_as_they_matter(void) {
    static factor f;
    band b = string_band(MOST, 1, 1, 0, false);
    make(&b, &f);
    CHECK(f.A.reach > 15 && f.A.reach < 40);
    b = string_band(MOST, 1, 1e7, 0, false);
    make(&b, &f);
    CHECK(f.A.reach == f.A.steps && f.A.steps >= MOST / 4 - 3);
}

int main(void) {
    RUN(every_number_of_points_is_solved_to_rounding);
    RUN(the_solve_is_symmetric_and_has_no_left_and_right);
    RUN(ties_are_as_long_as_they_matter);
    return CHECK_REPORT();
}
