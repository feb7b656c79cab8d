// String: u+ = a u + b (left + right) + c (left of left + right of right) - u-
// Plate:  u+ = a u + b (4 beside) + c (4 across the corners) + e (4 two away) - u-
// Nothing else: no ends, no losses, no energy. Plates go four rows at a time, rows on cache lines.
// STENCIL, STENCIL_PLATE and, of the wide one, STENCIL_SIDES are the names this copy is compiled
// under.
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

#ifdef STENCIL_SIDES
// The neighbours of a point are those of its own string: whole registers away, none is shifted.
static void side_level(const double* restrict u, double* restrict next, int points) {
    enum { S = STENCIL_SIDE };
    const double a = 2 - 2 * 0.49 - 6 * 0.04, b = 0.49 + 4 * 0.04, c = -0.04;
    for (int i = STENCIL_PAD * S; i < (points + STENCIL_PAD) * S; i++)
        next[i] =
            a * u[i] + b * (u[i - S] + u[i + S]) + c * (u[i - 2 * S] + u[i + 2 * S]) - next[i];
}

void STENCIL_SIDES(double* u, double* before, int points, int samples) {
    for (int n = 0; n + 1 < samples; n += 2) {
        side_level(u, before, points);
        side_level(before, u, points);
    }
}
#endif

// One of the rows that are taken at once; what two of them need is loaded and added once.
#define BESIDE(k) (v[i + (k)*w - 1] + v[i + (k)*w + 1])
#define ROW(k)                                                                                     \
    to[i + (k)*w] =                                                                                \
        a * v[i + (k)*w] - to[i + (k)*w] +                                                         \
        b * (BESIDE(k) + (v[i + ((k)-1) * w] + v[i + ((k) + 1) * w])) +                            \
        c * (BESIDE((k)-1) + BESIDE((k) + 1)) +                                                    \
        e * ((v[i + (k)*w - 2] + v[i + (k)*w + 2]) + (v[i + ((k)-2) * w] + v[i + ((k) + 2) * w]))

static void plate_level(const double* restrict u, double* restrict next, int columns, int rows) {
    // kappa k/h^2 = 0.2, below its limit 1/4.
    const double m = 0.04, a = 2 - 20 * m, b = 8 * m, c = -2 * m, e = -m;
    const ptrdiff_t w = stencil_pitch(columns), first = STENCIL_LEFT, end = first + columns;
    int j = STENCIL_PAD;
    for (; j + 4 <= rows + STENCIL_PAD; j += 4) {
        const double* restrict v = u + j * w;
        double* restrict to = next + j * w;
        for (ptrdiff_t i = first; i < end; i++) {
            ROW(0);
            ROW(1);
            ROW(2);
            ROW(3);
        }
    }
    for (; j < rows + STENCIL_PAD; j++) {
        const double* restrict v = u + j * w;
        double* restrict to = next + j * w;
        for (ptrdiff_t i = first; i < end; i++)
            ROW(0);
    }
}

void STENCIL_PLATE(double* u, double* before, int columns, int rows, int samples) {
    for (int n = 0; n + 1 < samples; n += 2) {
        plate_level(u, before, columns, rows);
        plate_level(before, u, columns, rows);
    }
}
