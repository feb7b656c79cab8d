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

// The link's own compliance, on the diagonal.
SIS_INLINE double own_of(triangle b, int32_t i) {
    const network_set* set = b.set;
    if (!b.full && set->square) return set->G[i * set->square + i];
    return set->G[start_of(b, i) + (size_t)(i - first_of(b, i))];
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
SIS_INLINE void begin(triangle b, network_work* work) {
    const network_set* set = b.set;
    double *y = work->y, *s = work->s, *base = work->base, *ref = work->ref, *f = work->set_force;
    bool* stiff = work->stiff;
    for (int32_t i = 0; i < b.count; i++) {
        int32_t l = set->at[i];
        double q = work->q[l], a = work->a[l], at = work->at[l], loss = work->loss[l];
        double slope = a + loss, own = own_of(b, i);
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
}

// The right side that the forces found so far leave: r holds G f.
SIS_INLINE void find_residual(triangle b, network_work* work) {
    const double *y = work->y, *s = work->s, *base = work->base, *ref = work->ref;
    for (int32_t i = 0; i < b.count; i++)
        work->step[i] =
            s[i] * ((work->free[b.set->at[i]] - ref[i]) - work->set_travel[i]) - base[i] * y[i];
}

SIS_INLINE void add_step(triangle b, const double* step, network_work* work) {
    for (int32_t i = 0; i < b.count; i++) {
        work->y[i] += step[i];
        work->set_force[i] += work->s[i] * step[i];
    }
}

// free - G f cancels where a law is stiff; y/s does not.
SIS_INLINE void find_travels(triangle b, network_work* work) {
    const double *y = work->y, *s = work->s, *base = work->base, *r = work->set_travel;
    for (int32_t i = 0; i < b.count; i++) {
        const int32_t l = b.set->at[i];
        work->travel[l] = base[i] == 0     ? 0
                          : work->stiff[i] ? work->ref[i] + y[i] / s[i]
                                           : work->free[l] - r[i];
        work->force[l] = work->set_force[i];
    }
}

SIS_INLINE void step_on(triangle b, network_work* work) {
    find_residual(b, work);
    substitute(b, work->step);
    add_step(b, work->step, work);
    multiply(b, work->set_force, work->set_travel);
    find_travels(b, work);
}

SIS_INLINE void affine_of(triangle b, network_work* work) {
    begin(b, work);
    factor(b, work->base, work->s);
    multiply(b, work->set_force, work->set_travel);
    step_on(b, work);
}

// ---------------------------------------------------------------------------- wide blocks

static void clear_behind(double* v, int32_t count) {
    for (int32_t i = count; i < count + PROFILE_PAD; i++)
        v[i] = 0;
}

// How many products of conjugate gradients are as much work as the factor; 0: no link is rigid, or
// a G > 10, where they would take many. A product is two operations an entry, and waits for memory.
static int32_t most_products(const network_set* set, const network_work* work) {
    double entries = 0, operations = 0;
    for (int32_t i = 0; i < set->count; i++) {
        const double length = i - set->row[i] + 1, s = work->s[i];
        const double own = own_of((triangle){set, set->count, false}, i);
        if (work->base[i] == 0 || !(s * s * own <= 10)) return 0;
        entries += length;
        operations += 0.5 * length * length;
    }
    if (set->whole && set->block->sparse.start)
        entries = (double)set->block->sparse.start[(set->count + 7) / 8];
    return entries > 0 ? (int32_t)(operations / (4 * entries)) : 0; // an empty set has none
}

// Of the terms that the residual is made of, the root of the sum of squares.
static double size_of_terms(const network_set* set, const network_work* work) {
    double sum = 0;
    for (int32_t i = 0; i < set->count; i++) {
        double term = work->s[i] * (fabs(work->free[set->at[i]]) + fabs(work->set_travel[i]));
        sum += term * term;
    }
    return sqrt(sum);
}

// Adds the solution for the right side in `step` to y and forces. Conjugate gradients end at
// rounding; where they do not get there, the factor takes what they leave.
static void solve_wide(const network_set* set, double size, int32_t products, network_work* work) {
    const profile_kernel* kernel = set->block->kernel;
    const triangle b = {set, set->count, false};
    double *x = work->panel, *scratch = x + set->count + PROFILE_PAD;
    clear_behind(work->step, set->count);
    if (products > 0) {
        bool done = kernel->conjugate(set, work->s, work->step, x, 1e-15 * size, products, scratch);
        add_step(b, x, work);
        if (done) return;
        kernel->wide.factor(set, work->base, work->s, work->panel);
    }
    kernel->wide.substitute(set, work->step);
    add_step(b, work->step, work);
}

static void step_wide(const network_set* set, int32_t products, network_work* work) {
    const triangle b = {set, set->count, false};
    find_residual(b, work);
    solve_wide(set, size_of_terms(set, work), products, work);
    set->block->kernel->wide.multiply(set, work->set_force, work->set_travel);
    find_travels(b, work);
}

// Conjugate gradients begin where the tangents were taken, which is near the end of a search.
static void begin_near(const network_set* set, network_work* work) {
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t l = set->at[i];
        if (work->stiff[i]) continue;
        work->y[i] = work->s[i] * work->at[l];
        work->set_force[i] = work->q[l] + work->loss[l] * work->at[l];
    }
}

static void affine_wide(const network_set* set, network_work* work) {
    const triangle b = {set, set->count, false};
    begin(b, work);
    clear_behind(work->s, set->count);
    clear_behind(work->set_force, set->count);
    const int32_t products = most_products(set, work);
    if (products > 0)
        begin_near(set, work);
    else
        set->block->kernel->wide.factor(set, work->base, work->s, work->panel);
    set->block->kernel->wide.multiply(set, work->set_force, work->set_travel);
    step_wide(set, products, work);
}

// ---------------------------------------------------------------------------- small sets

static void step_square(const network_set* set, network_work* work) {
    const profile_algebra* square = &set->block->kernel->square;
    const triangle b = {set, set->count, false};
    find_residual(b, work);
    clear_behind(work->step, set->count);
    square->substitute(set, work->step);
    add_step(b, work->step, work);
    square->multiply(set, work->set_force, work->set_travel);
    find_travels(b, work);
}

static void affine_square(const network_set* set, network_work* work) {
    const profile_algebra* square = &set->block->kernel->square;
    begin((triangle){set, set->count, false}, work);
    clear_behind(work->s, set->count);
    square->factor(set, work->base, work->s, work->panel);
    square->multiply(set, work->set_force, work->set_travel);
    step_square(set, work);
}

// ---------------------------------------------------------------------------- any block

static bool is_pair(const network_set* set) {
    return set->count == 2 && set->row[1] == 0;
}

void sis_network_affine(const network_set* set, network_work* work) {
    if (set->square)
        affine_square(set, work);
    else if (set->block->wide)
        affine_wide(set, work);
    else if (is_pair(set))
        affine_of((triangle){set, 2, true}, work);
    else
        affine_of((triangle){set, set->count, false}, work);
}

static bool any_stiff(const network_set* set, const network_work* work) {
    for (int32_t i = 0; i < set->count; i++)
        if (work->stiff[i] || work->base[i] == 0) return true;
    return false;
}

void sis_network_refine(const network_set* set, network_work* work) {
    if (set->block->wide)
        step_wide(set, most_products(set, work), work);
    else if (!any_stiff(set, work))
        return; // well conditioned
    else if (set->square)
        step_square(set, work);
    else if (is_pair(set))
        step_on((triangle){set, 2, true}, work);
    else
        step_on((triangle){set, set->count, false}, work);
}

static void multiply_set(const network_set* set, network_work* work) {
    if (set->square) {
        set->block->kernel->square.multiply(set, work->set_force, work->set_travel);
    } else if (set->block->wide) {
        clear_behind(work->set_force, set->count);
        set->block->kernel->wide.multiply(set, work->set_force, work->set_travel);
    } else {
        multiply((triangle){set, set->count, false}, work->set_force, work->set_travel);
    }
}

void sis_network_product(const network_set* set, network_work* work) {
    for (int32_t i = 0; i < set->count; i++)
        work->set_force[i] = work->force[set->at[i]];
    multiply_set(set, work);
}

void sis_network_travel(const network_set* set, network_work* work) {
    sis_network_product(set, work);
    for (int32_t i = 0; i < set->count; i++)
        work->travel[set->at[i]] = work->free[set->at[i]] - work->set_travel[i];
}

void sis_network_gain(const network_set* set, int32_t n, network_work* work) {
    const triangle b = {set, set->count, false};
    double *f = work->set_force, *r = work->set_travel, *step = work->step, *s = work->s;
    double size = 0;
    for (int32_t i = 0; i < set->count; i++)
        f[i] = i == n;
    multiply_set(set, work);
    for (int32_t i = 0; i < set->count; i++) {
        step[i] = -s[i] * r[i];
        size += step[i] * step[i];
    }
    if (set->block->wide) {
        solve_wide(set, sqrt(size), most_products(set, work), work);
    } else {
        if (set->square)
            clear_behind(step, set->count), set->block->kernel->square.substitute(set, step);
        else
            substitute(b, step);
        for (int32_t i = 0; i < set->count; i++)
            f[i] += s[i] * step[i];
    }
    multiply_set(set, work);
    for (int32_t i = 0; i < set->count; i++)
        r[i] = work->base[i] == 0 ? 0 : -r[i];
}
