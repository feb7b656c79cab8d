// The functions of src/base/power_lanes.h over arrays, at the width the includer has chosen: LANES
// numbers at a time, the last ones one by one in lanes of which only the first counts.
#include "lanes_wide.h"

#include "base/power_lanes.h"

#define OVER_ARRAY(name, expression)                                                               \
    static void name(const double* x, const double* y, double* out, int count) {                   \
        for (int i = 0; i < count; i += LANES) {                                                   \
            double in[2][LANES], back[LANES];                                                      \
            int filled = count - i < LANES ? count - i : LANES;                                    \
            for (int j = 0; j < LANES; j++) {                                                      \
                in[0][j] = j < filled ? x[i + j] : 1;                                              \
                in[1][j] = j < filled ? y[i + j] : 1;                                              \
            }                                                                                      \
            lanes a = lanes_load(in[0]), b = lanes_load(in[1]);                                    \
            (void)b;                                                                               \
            lanes_store(back, (expression));                                                       \
            for (int j = 0; j < filled; j++)                                                       \
                out[i + j] = back[j];                                                              \
        }                                                                                          \
    }

OVER_ARRAY(over_pow, lanes_pow(a, b))
OVER_ARRAY(over_power, lanes_power(a, b))
OVER_ARRAY(over_log1p_small, lanes_log1p_small(a))
OVER_ARRAY(over_expm1_small, lanes_expm1_small(a))
OVER_ARRAY(over_exp, lanes_exp(((lanes_pair){a, b})))
OVER_ARRAY(over_power_less_one, lanes_power_less_one(lanes_log2_from_one(a), b))
OVER_ARRAY(over_root_guess, lanes_root_guess(a, b))
OVER_ARRAY(over_product_rest, lanes_product_rest(a, b, a* b))
OVER_ARRAY(over_three_halves, a* lanes_sqrt(a))
OVER_ARRAY(over_five_halves, a* a* lanes_sqrt(a))
OVER_ARRAY(over_square, a* a)
OVER_ARRAY(over_cube, a* a* a)

const lanes_kernels LANES_NAME(lanes_kernels) = {
    LANES,
    over_pow,
    over_power,
    over_log1p_small,
    over_expm1_small,
    over_exp,
    over_power_less_one,
    over_root_guess,
    over_product_rest,
    over_three_halves,
    over_five_halves,
    over_square,
    over_cube,
};
