// The affine solve of a block, by Cholesky on the profile of I + S G S: a chain of n contacts costs
// O(n), a clique O(n^3), and nothing outside the profile is stored or touched.
#include "network/network.h"

#include <math.h>

// out = scale G v on the block.
static void multiply(const network_block* b, double scale, const double* v, double* out) {
    for (int32_t i = 0; i < b->count; i++)
        out[i] = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const double* g = b->G + b->start[i];
        double sum = 0;
        for (int32_t j = b->row[i]; j < i; j++) {
            sum += g[j - b->row[i]] * v[j];
            out[j] += g[j - b->row[i]] * v[i];
        }
        out[i] += sum + g[i - b->row[i]] * v[i];
    }
    for (int32_t i = 0; i < b->count; i++)
        out[i] *= scale;
}

// Row by row: L_ij = (M_ij - sum_m L_im L_jm)/L_jj. The diagonal holds 1/L_ii.
static void factor(const network_block* b, double scale, const double* s, double* L) {
    for (int32_t i = 0; i < b->count; i++) {
        double* row = L + b->start[i];
        const double* g = b->G + b->start[i];
        int32_t left = b->row[i];
        double square = 1 + scale * s[i] * g[i - left] * s[i];
        for (int32_t j = left; j < i; j++) {
            const double* other = L + b->start[j];
            int32_t from = left > b->row[j] ? left : b->row[j];
            double sum = scale * s[i] * g[j - left] * s[j];
            for (int32_t m = from; m < j; m++)
                sum -= row[m - left] * other[m - b->row[j]];
            row[j - left] = sum * other[j - b->row[j]];
            square -= row[j - left] * row[j - left];
        }
        // Every eigenvalue is >= 1; the floor only catches rounding when S G S is enormous.
        row[i - left] = 1 / sqrt(square > 1e-300 ? square : 1e-300);
    }
}

static void substitute(const network_block* b, const double* L, double* y) {
    for (int32_t i = 0; i < b->count; i++) {
        const double* row = L + b->start[i];
        for (int32_t j = b->row[i]; j < i; j++)
            y[i] -= row[j - b->row[i]] * y[j];
        y[i] *= row[i - b->row[i]];
    }
    for (int32_t i = b->count - 1; i >= 0; i--) {
        const double* row = L + b->start[i];
        y[i] *= row[i - b->row[i]];
        for (int32_t j = b->row[i]; j < i; j++)
            y[j] -= row[j - b->row[i]] * y[i];
    }
}

void network_affine(const network_block* b, double scale, network_work* work) {
    int32_t first = b->first, n = b->count;
    double *q = work->q + first, *a = work->a + first, *loss = work->loss + first;
    double *y = work->y + first, *f = work->force + first, *r = work->travel + first;
    const double* free = work->free + first;
    for (int32_t i = 0; i < n; i++)
        f[i] = sqrt(a[i] + loss[i]); // s, until the forces are known
    multiply(b, scale, q, r);
    for (int32_t i = 0; i < n; i++)
        y[i] = f[i] * (free[i] - r[i]);
    factor(b, scale, f, work->matrix);
    substitute(b, work->matrix, y);
    for (int32_t i = 0; i < n; i++)
        f[i] = q[i] + f[i] * y[i];
    multiply(b, scale, f, r);
    for (int32_t i = 0; i < n; i++) {
        double s = sqrt(a[i] + loss[i]);
        // y/s is the travel without cancellation, where there is a slope.
        r[i] = s > 1e-100 ? y[i] / s : free[i] - r[i];
    }
}
