// The affine solve of a set, by Cholesky on the profile of I + S G S: a chain of n contacts costs
// O(n), a clique O(n^3), and nothing outside the profile is stored or touched.
#include "network/network.h"

#include <math.h>

// A full triangle, as that of two links, is known without being read: the functions are compiled
// once more for two, and unrolled.
typedef struct triangle {
    const network_set* set;
    int32_t count;
    bool full;
} triangle;

SIS_INLINE int32_t first_of(triangle b, int32_t i) {
    return b.full ? 0 : b.set->row[i];
}

SIS_INLINE size_t start_of(triangle b, int32_t i) {
    return b.full ? (size_t)(i * (i + 1) / 2) : b.set->start[i];
}

// out = G v on the set.
SIS_INLINE void multiply(triangle b, const double* restrict v, double* restrict out) {
    for (int32_t i = 0; i < b.count; i++)
        out[i] = 0;
    for (int32_t i = 0; i < b.count; i++) {
        const double* g = b.set->G + start_of(b, i);
        double sum = 0;
        for (int32_t j = first_of(b, i); j < i; j++) {
            sum += g[j - first_of(b, i)] * v[j];
            out[j] += g[j - first_of(b, i)] * v[i];
        }
        out[i] += sum + g[i - first_of(b, i)] * v[i];
    }
    for (int32_t i = 0; i < b.count; i++)
        out[i] *= b.set->scale;
}

// Row by row: L_ij = (M_ij - sum_m L_im L_jm)/L_jj. The diagonal holds 1/L_ii.
SIS_INLINE void factor(triangle b, const double* base, const double* s) {
    double *L = b.set->L, scale = b.set->scale;
    for (int32_t i = 0; i < b.count; i++) {
        double* row = L + start_of(b, i);
        const double* g = b.set->G + start_of(b, i);
        int32_t left = first_of(b, i);
        double square = base[i] + scale * s[i] * g[i - left] * s[i];
        for (int32_t j = left; j < i; j++) {
            const double* other = L + start_of(b, j);
            int32_t from = left > first_of(b, j) ? left : first_of(b, j);
            double sum = scale * s[i] * g[j - left] * s[j];
            for (int32_t m = from; m < j; m++)
                sum -= row[m - left] * other[m - first_of(b, j)];
            row[j - left] = sum * other[j - first_of(b, j)];
            square -= row[j - left] * row[j - left];
        }
        // Every eigenvalue is >= 1 (rigid links: > 0); the floor only catches rounding when S G S
        // is enormous.
        row[i - left] = 1 / sqrt(square > 1e-300 ? square : 1e-300);
    }
}

SIS_INLINE void substitute(triangle b, double* y) {
    const double* L = b.set->L;
    for (int32_t i = 0; i < b.count; i++) {
        const double* row = L + start_of(b, i);
        for (int32_t j = first_of(b, i); j < i; j++)
            y[i] -= row[j - first_of(b, i)] * y[j];
        y[i] *= row[i - first_of(b, i)];
    }
    for (int32_t i = b.count - 1; i >= 0; i--) {
        const double* row = L + start_of(b, i);
        y[i] *= row[i - first_of(b, i)];
        for (int32_t j = first_of(b, i); j < i; j++)
            y[j] -= row[j - first_of(b, i)] * y[i];
    }
}

// About a travel `ref` for each link, with y = S (r - ref) and Q the forces there, loss included:
//
//   (I + S G S) y = S (free - ref - G Q),   f = Q + S y,   r = ref + y/s
//
// The condition number is 1 + max a G. One step of iterative refinement takes it out of what the
// bodies feel: without it two very stiff contacts that oppose each other lose as many digits as a G
// has.
SIS_INLINE void affine_of(triangle b, network_work* work) {
    const network_set* set = b.set;
    int32_t n = b.count;
    double *y = work->y, *s = work->s, *base = work->base, *step = work->step, *ref = work->ref;
    double *f = work->set_force, *r = work->set_travel;
    bool* stiff = work->stiff;
    for (int32_t i = 0; i < n; i++) {
        int32_t l = set->at[i];
        double q = work->q[l], a = work->a[l], at = work->at[l], loss = work->loss[l];
        double slope = a + loss, own = set->G[start_of(b, i) + (size_t)(i - first_of(b, i))];
        bool rigid = a == HUGE_VAL;
        base[i] = rigid ? 0 : 1;
        s[i] = rigid ? 1 : sqrt(slope);
        y[i] = 0;
        stiff[i] = slope * own > 1;
        if (rigid) {
            ref[i] = f[i] = 0;
            continue;
        }
        // A stiff law is taken about a travel near the solution: where it was predicted, or where
        // it gives no force. A soft one about 0.
        ref[i] = !stiff[i] ? 0 : q != 0 ? at : a * at / slope;
        f[i] = !stiff[i] ? q - a * at : q != 0 ? q + loss * at : 0;
    }
    factor(b, base, s);
    for (int pass = 0; pass < 2; pass++) {
        multiply(b, f, r);
        for (int32_t i = 0; i < n; i++)
            step[i] = s[i] * ((work->free[set->at[i]] - ref[i]) - r[i]) - base[i] * y[i];
        substitute(b, step);
        for (int32_t i = 0; i < n; i++) {
            y[i] += step[i];
            f[i] += s[i] * step[i];
        }
    }
    multiply(b, f, r);
    // free - G f cancels where a law is stiff; y/s does not.
    for (int32_t i = 0; i < n; i++) {
        work->travel[set->at[i]] = base[i] == 0 ? 0
                                   : stiff[i]   ? ref[i] + y[i] / s[i]
                                                : work->free[set->at[i]] - r[i];
        work->force[set->at[i]] = f[i];
    }
}

static bool is_pair(const network_set* set) {
    return set->count == 2 && set->row[1] == 0;
}

void sis_network_affine(const network_set* set, network_work* work) {
    if (is_pair(set))
        affine_of((triangle){set, 2, true}, work);
    else
        affine_of((triangle){set, set->count, false}, work);
}

void sis_network_travel(const network_set* set, network_work* work) {
    const triangle b = {set, set->count, false};
    double *f = work->set_force, *r = work->set_travel;
    for (int32_t i = 0; i < set->count; i++)
        f[i] = work->force[set->at[i]];
    multiply(b, f, r);
    for (int32_t i = 0; i < set->count; i++)
        work->travel[set->at[i]] = work->free[set->at[i]] - r[i];
}

void sis_network_gain(const network_set* set, int32_t n, network_work* work) {
    const triangle b = {set, set->count, false};
    double *f = work->set_force, *r = work->set_travel, *step = work->step, *s = work->s;
    for (int32_t i = 0; i < set->count; i++)
        f[i] = i == n;
    multiply(b, f, r);
    for (int32_t i = 0; i < set->count; i++)
        step[i] = -s[i] * r[i];
    substitute(b, step);
    for (int32_t i = 0; i < set->count; i++)
        f[i] += s[i] * step[i];
    multiply(b, f, r);
    for (int32_t i = 0; i < set->count; i++)
        r[i] = work->base[i] == 0 ? 0 : -r[i];
}
