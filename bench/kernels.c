#define LANES 1
#include "kernels.h"

#include "base/power_lanes.h"

#include <math.h>
#include <stdbool.h>

void kernel_sis_pow(const double* x, double alpha, double* out, int count) {
    for (int i = 0; i < count; i++)
        out[i] = lanes_pow(x[i], alpha);
}

void kernel_power_1(const double* x, double alpha, double* out, int count) {
    for (int i = 0; i < count; i++)
        out[i] = lanes_power(x[i], alpha);
}

void kernel_libm_pow(const double* x, double alpha, double* out, int count) {
    for (int i = 0; i < count; i++)
        out[i] = pow(x[i], alpha);
}

void kernel_three_halves(const double* x, double alpha, double* out, int count) {
    (void)alpha;
    for (int i = 0; i < count; i++)
        out[i] = x[i] * sqrt(x[i]);
}

void kernel_band_naive(const kernel_band* a, double* x) {
    int n = a->count;
    const double *p = a->up1, *q = a->up2, *r = a->inverse;
    if (a->width < 2) {
        for (int i = 1; i < n; i++)
            x[i] -= p[i - 1] * x[i - 1];
        for (int i = 0; i < n; i++)
            x[i] *= r[i];
        for (int i = n - 2; i >= 0; i--)
            x[i] -= p[i] * x[i + 1];
        return;
    }
    x[1] -= p[0] * x[0];
    for (int i = 2; i < n; i++)
        x[i] -= p[i - 1] * x[i - 1] + q[i - 2] * x[i - 2];
    for (int i = 0; i < n; i++)
        x[i] *= r[i];
    x[n - 2] -= p[n - 2] * x[n - 1];
    for (int i = n - 3; i >= 0; i--)
        x[i] -= p[i] * x[i + 1] + q[i] * x[i + 2];
}

// Both halves depend on nothing but themselves, so that the processor has two chains to follow.
// What the next row needs stays in registers.
void kernel_band_halves(const kernel_band* a, double* x) {
    int n = a->count / 2;
    const double *p = a->up1, *q = a->up2, *r = a->inverse;
    double* restrict y = x, * restrict z = x + n;
    bool wide = a->width > 1;
    double y1 = 0, y2 = 0, z1 = 0, z2 = 0; // one and two rows before
    for (int i = 0; i < n; i++) {
        double below = i ? p[i - 1] : 0, farther = wide && i > 1 ? q[i - 2] : 0;
        double yi = (y[i] - farther * y2) - below * y1, zi = (z[i] - farther * z2) - below * z1;
        y[i] = yi, z[i] = zi;
        y2 = y1, y1 = yi, z2 = z1, z1 = zi;
    }
    y1 = y2 = z1 = z2 = 0;
    for (int i = n - 1; i >= 0; i--) {
        double farther = wide ? q[i] : 0;
        double yi = (y[i] * r[i] - farther * y2) - p[i] * y1;
        double zi = (z[i] * r[i] - farther * z2) - p[i] * z1;
        y[i] = yi, z[i] = zi;
        y2 = y1, y1 = yi, z2 = z1, z1 = zi;
    }
}

void kernel_triad(double* a, double* b, const double* c, double s, size_t count, int turns) {
    for (int t = 0; t + 1 < turns; t += 2) { // to and fro, so that every turn needs the last one
        for (size_t i = 0; i < count; i++)
            a[i] = b[i] + s * c[i];
        for (size_t i = 0; i < count; i++)
            b[i] = a[i] - s * c[i];
    }
}
