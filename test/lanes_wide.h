/** @file lanes_wide.h
 * The functions of src/base/power_lanes.h at every width, for tests that compare them: lanes_1.c,
 * lanes_2.c, lanes_4.c and lanes_8.c are the instances of lanes_kernels.h.
 */
#ifndef SISTRUM_TEST_LANES_WIDE_H
#define SISTRUM_TEST_LANES_WIDE_H

/** out[i] from x[i] and y[i]; functions of one number do not read y. */
typedef void lanes_over(const double* x, const double* y, double* out, int count);

typedef struct lanes_kernels {
    int width;
    lanes_over* pow;
    lanes_over* power;
    lanes_over* log1p_small;
    lanes_over* expm1_small;
    lanes_over* exp;            // of x + y
    lanes_over* power_less_one; // (1 + x)^y - 1
    lanes_over* root_guess;
    lanes_over* product_rest; // x y less its rounding
    lanes_over* three_halves; // x sqrt x
    lanes_over* five_halves;
    lanes_over* square;
    lanes_over* cube;
} lanes_kernels;

/** Those that sis_widest() allows. */
extern const lanes_kernels lanes_kernels_1, lanes_kernels_2, lanes_kernels_4, lanes_kernels_8;

#endif
