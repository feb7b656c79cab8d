// Loops in four lanes: AVX2. Elsewhere the plain ones stand in, which are then not run.
#include "kernels.h"

#include "base/wide.h"

#include <stdbool.h>

#if SIS_HAS_AVX2
#define LANES 4
#include "wide/target.h"

#include "base/power_lanes.h"

void kernel_power_4(const double* x, double alpha, double* out, int count) {
    for (int i = 0; i + LANES <= count; i += LANES)
        lanes_store(out + i, lanes_power(lanes_load(x + i), lanes_all(alpha)));
}

void kernel_three_halves_4(const double* x, double alpha, double* out, int count) {
    (void)alpha;
    for (int i = 0; i + LANES <= count; i += LANES) {
        lanes at = lanes_load(x + i);
        lanes_store(out + i, at * lanes_sqrt(at));
    }
}
void kernel_band_four(const kernel_band* a, double* x) {
    int n = a->count;
    const double *p = a->up1, *q = a->up2, *r = a->inverse;
    bool wide = a->width > 1;
    lanes x1 = lanes_all(0), x2 = x1; // one and two rows before
    for (int i = 0; i < n; i++) {
        lanes xi = lanes_load(x + 4 * i);
        if (wide && i > 1) xi -= q[i - 2] * x2;
        if (i > 0) xi -= p[i - 1] * x1;
        lanes_store(x + 4 * i, xi);
        x2 = x1;
        x1 = xi;
    }
    x1 = x2 = lanes_all(0);
    for (int i = n - 1; i >= 0; i--) {
        lanes xi = lanes_load(x + 4 * i) * r[i];
        if (wide) xi -= q[i] * x2;
        xi -= p[i] * x1;
        lanes_store(x + 4 * i, xi);
        x2 = x1;
        x1 = xi;
    }
}
#include "wide/target.h"
#else
void kernel_power_4(const double* x, double alpha, double* out, int count) {
    kernel_power_1(x, alpha, out, count);
}

void kernel_three_halves_4(const double* x, double alpha, double* out, int count) {
    kernel_three_halves(x, alpha, out, count);
}

void kernel_band_four(const kernel_band* a, double* x) {
    for (int j = 0; j < 4; j++)
        kernel_band_naive(a, x + (size_t)j * (size_t)a->count);
}
#endif
