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

// About a travel `ref` for each link, with y = S (r - ref) and Q the forces there, loss included:
//
//   (I + S G S) y = S (free - ref - G Q),   f = Q + S y,   r = ref + y/s
//
// The condition number is 1 + max a G. One step of iterative refinement takes it out of what the
// bodies feel: without it two very stiff contacts that oppose each other lose as many digits as a G
// has.
void sis_network_affine(const network_block* b, double scale, network_work* work) {
    int32_t first = b->first, n = b->count;
    const double *q = work->q + first, *a = work->a + first, *loss = work->loss + first;
    const double *at = work->at + first, *free = work->free + first;
    double *y = work->y + first, *s = work->s + first, *step = work->step + first;
    double *f = work->force + first, *r = work->travel + first, *ref = work->ref + first;
    bool* stiff = work->stiff + first;
    for (int32_t i = 0; i < n; i++) {
        double slope = a[i] + loss[i], own = b->G[b->start[i] + (size_t)(i - b->row[i])];
        s[i] = sqrt(slope);
        y[i] = 0;
        stiff[i] = slope * own > 1;
        // A stiff law is taken about a travel near the solution: where it was predicted, or where
        // it gives no force. A soft one about 0.
        ref[i] = !stiff[i] ? 0 : q[i] != 0 ? at[i] : a[i] * at[i] / slope;
        f[i] = !stiff[i] ? q[i] - a[i] * at[i] : q[i] != 0 ? q[i] + loss[i] * at[i] : 0;
    }
    factor(b, scale, s, work->matrix);
    for (int pass = 0; pass < 2; pass++) {
        multiply(b, scale, f, r);
        for (int32_t i = 0; i < n; i++)
            step[i] = s[i] * ((free[i] - ref[i]) - r[i]) - y[i];
        substitute(b, work->matrix, step);
        for (int32_t i = 0; i < n; i++) {
            y[i] += step[i];
            f[i] += s[i] * step[i];
        }
    }
    multiply(b, scale, f, r);
    // free - G f cancels where a law is stiff; y/s does not.
    for (int32_t i = 0; i < n; i++)
        r[i] = stiff[i] ? ref[i] + y[i] / s[i] : free[i] - r[i];
}

void sis_network_travel(const network_block* b, double scale, network_work* work) {
    double* r = work->travel + b->first;
    multiply(b, scale, work->force + b->first, r);
    for (int32_t i = 0; i < b->count; i++)
        r[i] = work->free[b->first + i] - r[i];
}
