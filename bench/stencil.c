// u+ = a u + b (left + right) + c (left of left + right of right) - u-
// Nothing else: no ends, no losses, no energy. STENCIL is the name this copy is compiled under.
#include "stencil.h"

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
