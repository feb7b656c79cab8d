// One pass over a banded string: the band with the slopes of its links, factored and solved. See
// banded.c for the equations.
#include "network/band_factor.h"
#include "network/band_set.h"

#include <math.h>
#include <string.h>

size_t sis_band_scratch(const network_band* band) {
    return (size_t)band->count * (size_t)(band->reach + 4 + band->other_count);
}

// ---------------------------------------------------------------------------- points

SIS_INLINE void free_of(const network_block* b, const double* t, network_work* work, int32_t q) {
    const network_band* band = b->band;
    for (int32_t l = 0; l < b->count; l++)
        if (band->node[l] >= 0) work->free[b->first + l] = read_of(band, l, t, q);
}

void sis_band_free(const network_block* b, const double* d, const double* next,
                   network_work* work) {
    const network_band* band = b->band;
    double* t = work->matrix;
    for (int32_t i = 0; i < band->count; i++)
        t[i] = d[band->first + i] + next[band->first + i];
#define FREE(Q) free_of(b, t, work, Q)
    STENCIL_EACH(band->stencil, FREE)
#undef FREE
}

SIS_INLINE bool add_forces(const network_block* b, const network_work* work, double* v, int32_t q) {
    const network_band* band = b->band;
    bool any = false;
    for (int32_t l = 0; l < b->count; l++) {
        const double f = work->force[b->first + l];
        if (band->node[l] < 0 || f == 0) continue;
        write_of(band, l, -f, v, q);
        any = true;
    }
    return any;
}

bool sis_band_add_forces(const network_block* b, const network_work* work, double* force) {
    const network_band* band = b->band;
    bool any = false;
#define ADD(Q) any = add_forces(b, work, force + band->first, Q)
    STENCIL_EACH(band->stencil, ADD)
#undef ADD
    return any;
}

// ---------------------------------------------------------------------------- others

static bool on_string(const network_band* band, const network_end* end) {
    return end->count && end->first >= band->first && end->first < band->first + band->count;
}

// An end, counted from the first node of the string.
static network_end from_string(const network_band* band, network_end end) {
    end.first -= band->first;
    return end;
}

// Adds f times the weights of one of the others to `v`, over the nodes.
static void write_other(const network_band* band, const network_link* link, double f, double* v) {
    const network_end below = from_string(band, link->below),
                      above = from_string(band, link->above);
    if (on_string(band, &link->below)) network_write(&below, f, v);
    if (on_string(band, &link->above)) network_write(&above, -f, v);
}

static double read_other(const network_band* band, const network_link* link, const double* v) {
    const network_end below = from_string(band, link->below),
                      above = from_string(band, link->above);
    double sum = 0;
    if (on_string(band, &link->below)) sum += network_read(&below, v);
    if (on_string(band, &link->above)) sum -= network_read(&above, v);
    return sum;
}

// ---------------------------------------------------------------------------- the set

static void widen(int32_t from, int32_t to, int32_t* low, int32_t* high) {
    if (from < *low) *low = from;
    if (to > *high) *high = to;
}

static void widen_by_other(const network_band* band, const network_link* link, int32_t* low,
                           int32_t* high) {
    const network_end* ends[2] = {&link->below, &link->above};
    for (int side = 0; side < 2; side++) {
        if (!on_string(band, ends[side])) continue;
        for (int32_t i = 0; i < ends[side]->count; i++) {
            int32_t node = network_dof(ends[side], i) - band->first;
            widen(node, node, low, high);
        }
    }
}

band_set sis_band_choose(const network_block* b, const network_link* links, network_work* work) {
    const network_band* band = b->band;
    const size_t nodes = (size_t)band->count;
    band_set set = {.block = b, .band = band, .links = links, .work = work, .at = work->set_at};
    int32_t low = band->count, high = -1;
    for (int32_t l = 0; l < b->count; l++) {
        if (!work->chosen[b->first + l] || band->node[l] < 0) continue;
        work->set_at[set.count++] = b->first + l;
        set.singles += !band->in_run[l];
        widen(band->node[l], band->node[l] + band->stencil - 1, &low, &high);
    }
    for (int32_t o = 0; o < band->other_count; o++) {
        if (!work->chosen[band->other[o]]) continue;
        widen_by_other(band, &links[band->other[o]], &low, &high);
        set.of[set.others++] = o;
    }
    // Both ends of the window change `width` rows each, which are not to be the same.
    while (high - low + 1 < 2 * band->width)
        high < band->count - 1 ? high++ : low--;
    set.low = low;
    set.n = high - low + 1;
    set.M = work->matrix;
    set.dx = set.M + nodes * (size_t)(band->reach + 1);
    set.x = set.dx + nodes;
    for (int32_t o = 0; o < set.others; o++)
        set.Z[o] = set.x + nodes * (size_t)(o + 1);
    return set;
}

// ---------------------------------------------------------------------------- the matrix

// The window of D, with the nodes beside it eliminated.
static void load_matrix(const band_set* set) {
    const network_band* band = set->band;
    const int32_t p = band->reach, w = band->width, n = set->n, last = set->low + n - 1;
    double* M = set->M;
    for (int32_t i = 0; i < n; i++) {
        const double* D = band->D + (size_t)(set->low + i) * (size_t)(w + 1);
        double* row = M + (size_t)i * (size_t)(p + 1);
        for (int32_t j = 0; j <= p; j++)
            row[j] = j <= w && i + j < n ? D[j] : 0;
    }
    const double *before = band->cut + 3 * (size_t)set->low,
                 *behind = band->cut + 3 * (size_t)(band->count - 1 - last);
    double* end = M + (size_t)(n - 1) * (size_t)(p + 1);
    M[0] -= before[0];
    end[0] -= behind[0];
    if (w < 2) return;
    M[1] -= before[1];
    M[p + 1] -= before[2];
    end[1 - (p + 1)] -= behind[1];
    end[-(p + 1)] -= behind[2];
}

// out = D v over the window, from the same numbers.
static void multiply(const band_set* set, const double* v, double* out) {
    const network_band* band = set->band;
    const int32_t w = band->width, n = set->n, last = set->low + n - 1;
    const double *before = band->cut + 3 * (size_t)set->low,
                 *behind = band->cut + 3 * (size_t)(band->count - 1 - last);
    for (int32_t i = 0; i < n; i++)
        out[i] = 0;
    for (int32_t i = 0; i < n; i++) {
        const double* D = band->D + (size_t)(set->low + i) * (size_t)(w + 1);
        out[i] += D[0] * v[i];
        for (int32_t j = 1; j <= w && i + j < n; j++) {
            out[i] += D[j] * v[i + j];
            out[i + j] += D[j] * v[i];
        }
    }
    out[0] -= before[0] * v[0];
    out[n - 1] -= behind[0] * v[n - 1];
    if (w < 2) return;
    out[0] -= before[1] * v[1];
    out[1] -= before[1] * v[0] + before[2] * v[1];
    out[n - 1] -= behind[1] * v[n - 2];
    out[n - 2] -= behind[1] * v[n - 1] + behind[2] * v[n - 2];
}

// ---------------------------------------------------------------------------- one pass

// The slopes of the string's links into the band. True: one of them is stiff.
SIS_INLINE bool load_slopes_of(const band_set* set, int32_t q) {
    const network_band* band = set->band;
    const network_work* work = set->work;
    const int32_t wide = band->reach + 1;
    bool stiff = false;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n], l = i - set->block->first, node = band->node[l] - set->low;
        const double *w = band->weight + (size_t)l * (size_t)q, slope = work->a[i] + work->loss[i];
        double* M = set->M + (size_t)node * (size_t)wide;
        stiff |= slope * band->G[l] > 1;
        for (int32_t a = 0; a < q; a++)
            for (int32_t c = a; c < q; c++)
                M[a * wide + (c - a)] += slope * w[a] * w[c];
    }
    return stiff;
}

static bool load_slopes(const band_set* set) {
    bool stiff = false;
#define LOAD(Q) stiff = load_slopes_of(set, Q)
    STENCIL_EACH(set->band->stencil, LOAD)
#undef LOAD
    return stiff;
}

// Adds their forces less their tangents t to dx; t is kept in work->y, over the set: parts of a
// system have scratch of their own, counted from 0 (sis_part_view).
SIS_INLINE void load_forces_of(const band_set* set, int32_t q) {
    const network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        const double t = work->y[n] = affine_at(work, i, work->travel[i]);
        write_of(set->band, i - set->block->first, work->force[i] - t, set->dx, q);
    }
}

// f = t + S dr: of what is small, not of a rounded travel.
SIS_INLINE void move_points_of(const band_set* set, int32_t q) {
    network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        const double dr = read_of(set->band, i - set->block->first, set->dx, q);
        work->travel[i] += dr;
        work->force[i] = work->y[n] + (work->a[i] + work->loss[i]) * dr;
    }
}

// The others: (1 + s G s) v = s (B_o.y + G g), df = s v - g; then dx = y - Z df and
// dr = B_o.dx - rest df. By Cholesky; every eigenvalue is at least 1.
static void solve_others(const band_set* set) {
    const int32_t m = set->others;
    network_work* work = set->work;
    double G[BAND_OTHERS][BAND_OTHERS], L[BAND_OTHERS][BAND_OTHERS];
    double s[BAND_OTHERS], t[BAND_OTHERS], g[BAND_OTHERS], seen[BAND_OTHERS], v[BAND_OTHERS],
        df[BAND_OTHERS];
    for (int32_t o = 0; o < m; o++) {
        const int32_t i = link_of(set, o);
        for (int32_t p = 0; p < m; p++)
            G[o][p] = read_other(set->band, &set->links[i], set->Z[p]) +
                      set->band->rest[set->of[o]][set->of[p]];
        s[o] = sqrt(work->a[i] + work->loss[i]);
        t[o] = affine_at(work, i, work->travel[i]);
        g[o] = work->force[i] - t[o];
        seen[o] = read_other(set->band, &set->links[i], set->dx);
    }
    for (int32_t o = 0; o < m; o++) {
        v[o] = seen[o];
        for (int32_t p = 0; p < m; p++)
            v[o] += G[o][p] * g[p];
        v[o] *= s[o];
        for (int32_t p = 0; p <= o; p++) {
            double sum = (o == p) + s[o] * G[o][p] * s[p];
            for (int32_t c = 0; c < p; c++)
                sum -= L[o][c] * L[p][c];
            L[o][p] = p < o ? sum * L[p][p] : 1 / sqrt(sum);
        }
        for (int32_t p = 0; p < o; p++)
            v[o] -= L[o][p] * v[p];
        v[o] *= L[o][o];
    }
    for (int32_t o = m - 1; o >= 0; o--) {
        for (int32_t p = o + 1; p < m; p++)
            v[o] -= L[p][o] * v[p];
        v[o] *= L[o][o];
        df[o] = s[o] * v[o] - g[o];
    }
    for (int32_t o = 0; o < m; o++)
        for (int32_t i = set->low; i < set->low + set->n; i++)
            set->dx[i] -= df[o] * set->Z[o][i];
    for (int32_t o = 0; o < m; o++) { // what dx says, not what G says: so rounding is seen
        const int32_t i = link_of(set, o);
        work->travel[i] += read_other(set->band, &set->links[i], set->dx);
        for (int32_t p = 0; p < m; p++)
            work->travel[i] -= set->band->rest[set->of[o]][set->of[p]] * df[p];
        work->force[i] = t[o] + s[o] * v[o];
    }
}

static void clear(const band_set* set, double* v) {
    memset(v + set->low, 0, (size_t)set->n * sizeof *v);
}

static void substitute(const band_set* set, double* v) {
    band_substitute(set->M, set->n, set->band->reach, v + set->low);
}

// Forces and travels move onto their tangents, from dx = e.
SIS_INLINE void turn_of(const band_set* set, int32_t q) {
    load_forces_of(set, q);
    substitute(set, set->dx);
    if (set->others) solve_others(set);
    move_points_of(set, q);
}

// dx = e = -D dx - sum B df, since the pass began.
SIS_INLINE void leave_of(const band_set* set, int32_t q) {
    const network_work* work = set->work;
    multiply(set, set->dx + set->low, set->x + set->low);
    for (int32_t i = set->low; i < set->low + set->n; i++)
        set->dx[i] = -set->x[i];
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        write_of(set->band, i - set->block->first, work->old_force[i] - work->force[i], set->dx, q);
    }
    for (int32_t o = 0; o < set->others; o++) {
        const int32_t i = link_of(set, o);
        write_other(set->band, &set->links[i], work->old_force[i] - work->force[i], set->dx);
    }
}

void sis_band_pass(const band_set* set) {
    load_matrix(set);
    bool stiff = load_slopes(set);
    band_factor(set->M, set->n, set->band->reach);
    for (int32_t o = 0; o < set->others; o++) {
        clear(set, set->Z[o]);
        write_other(set->band, &set->links[link_of(set, o)], 1, set->Z[o]);
        substitute(set, set->Z[o]);
        const int32_t i = link_of(set, o);
        stiff |= (set->work->a[i] + set->work->loss[i]) * set->links[i].G > 1;
    }
    clear(set, set->dx);
#define TURN(Q) turn_of(set, Q)
    STENCIL_EACH(set->band->stencil, TURN)
    if (!stiff) return;
#define LEAVE(Q) leave_of(set, Q)
    STENCIL_EACH(set->band->stencil, LEAVE)
    STENCIL_EACH(set->band->stencil, TURN)
#undef LEAVE
#undef TURN
}

// ---------------------------------------------------------------------------- the response

void sis_band_respond(const band_set* set) {
    const network_band* band = set->band;
    const network_work* work = set->work;
    double* x = set->x;
    memset(x, 0, (size_t)band->count * sizeof *x);
#define WRITE(Q)                                                                                   \
    for (int32_t n = 0; n < set->count; n++)                                                       \
    write_of(band, set->at[n] - set->block->first, -work->force[set->at[n]], x, Q)
    STENCIL_EACH(band->stencil, WRITE)
#undef WRITE
    for (int32_t o = 0; o < set->others; o++)
        write_other(band, &set->links[link_of(set, o)], -work->force[link_of(set, o)], x);
    for (int32_t i = 0; i < band->count; i++)
        x[i] *= band->admittance;
    sis_banded_solve(band->A, x);
}

double sis_band_other_travel(const band_set* set, int32_t other) {
    const network_work* work = set->work;
    const int32_t i = set->band->other[other];
    double r = work->free[i] + read_other(set->band, &set->links[i], set->x);
    for (int32_t o = 0; o < set->others; o++)
        r -= set->band->rest[other][set->of[o]] * work->force[link_of(set, o)];
    return r;
}
