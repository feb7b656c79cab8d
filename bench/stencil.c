// String: u+ = a u + b (left + right) + c (left of left + right of right) - u-
// Plate:  u+ = a u + b (4 beside) + c (4 across the corners) + e (4 two away) - u-
// Nothing else: no ends, no losses, no energy. STENCIL and STENCIL_PLATE are the names this copy is
// compiled under.
#include "stencil.h"

#include <stddef.h>

static void level(const double* restrict u, double* restrict next, int points) {
    // Inside the limit of stability: a + 2 b + 2 c = 2, (c k/h)^2 = 0.49, (kappa k/h^2)^2 = 0.04.
    const double a = 2 - 2 * 0.49 - 6 * 0.04, b = 0.49 + 4 * 0.04, c = -0.04;
    for (int i = STENCIL_PAD; i < points + STENCIL_PAD; i++)
        next[i] = a * u[i] + b * (u[i - 1] + u[i + 1]) + c * (u[i - 2] + u[i + 2]) - next[i];
}

void STENCIL(double* u, double* before, int points, int samples) {
    for (int n = 0; n + 1 < samples; n += 2) { // two at a time, so that no copy is needed
        level(u, before, points);
        level(before, u, points);
    }
}

static void plate_level(const double* restrict u, double* restrict next, int columns, int rows) {
    // kappa k/h^2 = 0.2, below its limit 1/4.
    const double m = 0.04, a = 2 - 20 * m, b = 8 * m, c = -2 * m, e = -m;
    const ptrdiff_t w = columns + 2 * STENCIL_PAD;
    for (int j = STENCIL_PAD; j < rows + STENCIL_PAD; j++) {
        const double* restrict v = u + j * w;
        double* restrict to = next + j * w;
        for (ptrdiff_t i = STENCIL_PAD; i < columns + STENCIL_PAD; i++)
            to[i] = a * v[i] + b * ((v[i - 1] + v[i + 1]) + (v[i - w] + v[i + w])) +
                    c * ((v[i - w - 1] + v[i - w + 1]) + (v[i + w - 1] + v[i + w + 1])) +
                    e * ((v[i - 2] + v[i + 2]) + (v[i - 2 * w] + v[i + 2 * w])) - to[i];
    }
}

void STENCIL_PLATE(double* u, double* before, int columns, int rows, int samples) {
    for (int n = 0; n + 1 < samples; n += 2) {
        plate_level(u, before, columns, rows);
        plate_level(before, u, columns, rows);
    }
}
